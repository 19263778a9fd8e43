/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measurements of basins inside a mask: those of their pixels inside, and for the depths those
 * of the graph of the pixels inside, where water that fills a basin cannot leave the mask.  So the
 * deepest basin of each part of the mask has an infinite depth.
 *
 * They are the measurements of the labels inside, with the depths in a relief that is +infinity
 * outside: each pass that a pixel outside has a part in is infinitely high, and so deep is each
 * basin that runs over there only.  Inside, the relief must be lower.
 */

#include "config.h"

#include "engine/core/embedding.h"
#include "engine/core/image.h"
#include "engine/core/memory.h"
#include "engine/core/stages.h"

/* How much of the work is done before basins are measured. */
#define SHARE_OF_PREPARE 0.2


static gboolean
prepare (WfEmbedding    *embedding,
         WfStages       *stages,
         const WfImage  *labels,
         GError        **error)
{
  gboolean any;

  wf_stages_next (stages, SHARE_OF_PREPARE / 2);
  if (! wf_stages_claim (stages, 9 * (guint64) wf_image_n_pixels (labels), error) ||
      ! wf_embedding_examine (embedding, stages->context, error) ||
      (embedding->range.infinite && ! wf_embedding_refuse_infinite (error)) ||
      ! wf_embedding_take_labels (embedding, labels, &any, error))
    return FALSE;
  wf_stages_next (stages, SHARE_OF_PREPARE / 2);
  return wf_embedding_make (embedding, stages->context, WF_TYPE_F32, error);
}

/**
 * wf_basins_measure_masked:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: as for wf_basins_measure()
 * @relief: (nullable): as for wf_basins_measure(); +infinity inside the mask is refused
 * @labels: as for wf_basins_measure(); those outside the mask do not count
 * @mask: (nullable): u8, u16, u32 or f32, size of @labels: not 0 inside; %NULL: all pixels are
 * @connectivity: as for wf_basins_measure()
 * @basins: (out) (array length=n_basins) (transfer full): as for wf_basins_measure()
 * @n_basins: (out): as for wf_basins_measure()
 * @error: as for wf_basins_measure()
 *
 * Measures every basin inside a mask, as far as it lies inside; see the top of masked.c for the
 * definition.
 *
 * Time and memory as wf_basins_measure(), and 9 bytes a pixel more.
 *
 * Returns: %FALSE with @error set; then @basins and @n_basins are as they were.
 */
gboolean
wf_basins_measure_masked (WfContext      *context,
                          const WfImage  *image,
                          const WfImage  *relief,
                          const WfImage  *labels,
                          const WfImage  *mask,
                          int             connectivity,
                          WfBasin       **basins,
                          guint32        *n_basins,
                          GError        **error)
{
  const WfImage        *flooded   = relief ? relief : image;
  g_autoptr (WfContext) own       = wf_context_ensure (context);
  g_auto (WfStaging)    staging   = { .context = own };
  g_auto (WfEmbedding)  embedding = { 0 };
  WfStages              stages;
  gboolean              done;

  if (! mask)
    return wf_basins_measure (own, image, relief, labels, connectivity, basins, n_basins,
                              error);
  if (! wf_image_check_labels (flooded, labels, error) ||
      ! wf_embedding_check_mask (mask, flooded, error) ||
      ! wf_staging_take (&staging, &flooded, error) ||
      ! wf_staging_take (&staging, &labels, error) ||
      ! wf_staging_take (&staging, &mask, error))
    return FALSE;

  embedding.image = flooded;
  embedding.mask  = mask;
  wf_stages_init (&stages, own);
  done = prepare (&embedding, &stages, labels, error);
  if (done)
    {
      wf_stages_next (&stages, 1 - SHARE_OF_PREPARE);
      done = wf_basins_measure (own, image, &embedding.flooded, &embedding.labels,
                                connectivity, basins, n_basins, error);
    }
  wf_stages_end (&stages);
  return done;
}
