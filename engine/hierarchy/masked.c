/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy of basins inside a mask: that of the graph of the pixels inside, where pixels are
 * neighbours that are so in the image and both lie inside.  Labels outside do not count.  So no
 * pass, and no steepest path of an unlabelled pixel, crosses what is outside.  Basins that nothing
 * inside connects are never joined: each cut leaves as many regions as there are parts of the mask
 * with basins, or more.
 *
 * It is the hierarchy of the image that is f inside, where f is finite, and +infinity, without
 * labels, outside, as far as the depths are finite:
 *
 *   unlabelled  Of a pixel inside all neighbours outside are higher, so its steepest path stays
 *             inside, and minima inside are those of the graph.  They keep their order by number,
 *             if others outside come between them.
 *   pass      One that a pixel outside has a part in is +infinity, and those of the graph are
 *             finite.  So the merges of the graph come first, in its order, and each side measures
 *             the same; the others have infinite depth by every measure.
 *
 * u8 and u16 are exact in f32, and so are the depths.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/core/embedding.h"
#include "engine/core/memory.h"
#include "engine/core/record.h"
#include "engine/core/stages.h"
#include "hierarchy.h"

/* How much of the work is done before the hierarchy is built. */
#define SHARE_OF_PREPARE 0.2


static gboolean
check_finite (const WfLevelRange  *range,
              GError             **error)
{
  if (! range->infinite && ! range->below)
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                       _("Inside the mask there are infinite levels; for a hierarchy they must be "
                         "finite."));
  return FALSE;
}

static gboolean
take_labels (WfEmbedding    *embedding,
             const WfImage  *labels,
             GError        **error)
{
  gboolean any;

  if (! wf_embedding_take_labels (embedding, labels, &any, error))
    return FALSE;
  if (! any)
    g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("No label lies inside the mask."));
  return any;
}

static WfHierarchy *
build (WfEmbedding               *embedding,
       WfStages                  *stages,
       const WfImage             *labels,
       const WfHierarchyOptions  *options,
       GError                   **error)
{
  WfContext   *context = stages->context;
  WfHierarchy *hierarchy;

  wf_stages_next (stages, SHARE_OF_PREPARE / 2);
  if (! wf_stages_claim (stages, 9 * (guint64) wf_image_n_pixels (labels), error) ||
      ! wf_embedding_examine (embedding, context, error) ||
      ! check_finite (&embedding->range, error) ||
      ! take_labels (embedding, labels, error))
    return NULL;
  wf_stages_next (stages, SHARE_OF_PREPARE / 2);
  if (! wf_embedding_make (embedding, context, WF_TYPE_F32, error))
    return NULL;
  wf_stages_next (stages, 1 - SHARE_OF_PREPARE);
  hierarchy = wf_hierarchy_new (context, &embedding->flooded, &embedding->labels, options, error);
  if (hierarchy)
    wf_hierarchy_keep_parts (hierarchy);
  return hierarchy;
}

/**
 * wf_hierarchy_new_masked:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: as for wf_hierarchy_new(); NaN is refused inside and outside
 * @labels: as for wf_hierarchy_new(); those outside the mask do not count
 * @mask: (nullable): u8, u16, u32 or f32, size of @image: not 0 inside; %NULL: all pixels are
 * @options: (nullable): as for wf_hierarchy_new()
 * @error: as wf_hierarchy_new() sets it; also %WF_ERROR_INVALID where no label lies inside, and
 *   %WF_ERROR_UNSUPPORTED where a level inside is infinite
 *
 * The hierarchy of the basins inside a mask: nothing is joined across what lies outside, so each
 * cut leaves a region, or more, in each part of the mask that has basins; see the top of masked.c
 * for the definition.  wf_hierarchy_relabel_masked() and wf_hierarchy_saliency_masked() make
 * images of it.
 *
 * Time and memory as wf_hierarchy_new(), of an image in f32 with unlabelled pixels, and 9 bytes a
 * pixel more.
 *
 * Returns: (transfer full): the hierarchy, or %NULL with @error set
 */
WfHierarchy *
wf_hierarchy_new_masked (WfContext                 *context,
                         const WfImage             *image,
                         const WfImage             *labels,
                         const WfImage             *mask,
                         const WfHierarchyOptions  *options,
                         GError                   **error)
{
  g_autoptr (WfContext)  own       = wf_context_ensure (context);
  g_auto (WfStaging)     staging   = { .context = own };
  g_auto (WfEmbedding)   embedding = { 0 };
  WfHierarchy           *hierarchy;
  WfHierarchyOptions     taken;
  WfStages               stages;

  if (! mask)
    return wf_hierarchy_new (own, image, labels, options, error);
  if (! wf_operation_take (WF_OPERATION_HIERARCHY, options, &taken, error) ||
      ! wf_image_check_labels (image, labels, error) ||
      ! wf_embedding_check_mask (mask, image, error) ||
      ! wf_staging_take (&staging, &image, error) ||
      ! wf_staging_take (&staging, &labels, error) ||
      ! wf_staging_take (&staging, &mask, error))
    return NULL;

  embedding.image = image;
  embedding.mask  = mask;
  wf_stages_init (&stages, own);
  hierarchy = build (&embedding, &stages, labels, &taken, error);
  wf_stages_end (&stages);
  return hierarchy;
}
