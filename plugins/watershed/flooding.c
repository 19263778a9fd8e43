/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a relief to basins: the flooding, and then the merging of the least significant basins.
 * Merging uses the tree of merges, so that the slider of the preview, which moves along this
 * tree, shows the same partition as the procedure computes from the same value.
 *
 * If only objects are flooded, the background belongs to no basin and has label 0; so does what is
 * not selected, and what is flooded from the background's marker where strokes draw one.  For
 * merging and measuring all of this is infinitely high.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "flooding.h"
#include "masked-flood.h"
#include "plugins/common/input/foreground.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"
#include "ui/merge/region-memory.h"


static WfImage *
get_objects (const WfFlooding *flooding)
{
  return flooding->objects && flooding->objects->data ? flooding->objects : NULL;
}


/*  Strokes  */

static gboolean
draw_markers (WfFlooding  *flooding,
              WfContext   *context,
              GError     **error)
{
  guint32 n_objects;

  if (! wf_strokes_draw (context, flooding->strokes, flooding->options->connectivity,
                         flooding->labels, &n_objects, error))
    return FALSE;
  if (n_objects > 0)
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("No object is drawn where the watershed is computed, so there are no "
                         "markers."));
  return FALSE;
}

/* The background becomes what it is where only objects are flooded. */
static gboolean
drop_background (WfFlooding  *flooding,
                 GError     **error)
{
  WfImage *objects = flooding->objects;
  WfImage  raised  = { 0 };

  if (! objects->data)
    {
      const WfImage *labels = flooding->labels;

      if (! wf_swap_allocate (objects, WF_TYPE_U8, labels->width, labels->height, labels->depth,
                              error))
        return FALSE;
      memset (objects->data, 1, (gsize) wf_image_n_pixels (objects));
    }
  if (wf_labels_drop (flooding->labels, WF_STROKES_BACKGROUND, objects) == 0)
    return TRUE;
  flooding->n_basins--;
  if (! wf_mask_to_floats (objects, flooding->relief, INFINITY, &raised, error))
    return FALSE;
  wf_swap_clear (flooding->relief);
  *flooding->relief = raised;
  return TRUE;
}


/*  Flooding and merging  */

/**
 * wf_flooding_flood:
 * @flooding: the input; its labels become the basins
 * @context: of the computation
 * @error: as wf_strokes_draw() and wf_masked_relief_flood() set it; also %WF_ERROR_INVALID if
 *   strokes draw no object
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_flooding_flood (WfFlooding  *flooding,
                   WfContext   *context,
                   GError     **error)
{
  if (flooding->strokes && ! draw_markers (flooding, context, error))
    return FALSE;
  if (! wf_masked_relief_flood (context, flooding->mask, flooding->relief, get_objects (flooding),
                                flooding->markers || flooding->strokes, flooding->labels,
                                &flooding->n_basins, flooding->options, error))
    return FALSE;
  return ! flooding->strokes || drop_background (flooding, error);
}

/**
 * wf_flooding_merge:
 * @flooding: after the flooding; its labels become the merged regions, numbered from 1, or @merged
 *   does; that stays as it was if there is nothing to merge
 * @context: of the computation
 * @error: as wf_swap_hierarchy() and wf_swap_relabel() set it
 *
 * Images in the swap are merged in their place only.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_flooding_merge (WfFlooding  *flooding,
                   WfContext   *context,
                   GError     **error)
{
  g_autoptr (WfHierarchy)  hierarchy = NULL;
  g_autofree guint32      *regions   = NULL;
  WfHierarchyOptions       options;

  if (! (flooding->merge_value > 0) || flooding->n_basins == 0)
    return TRUE;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.measure      = wf_merge_by_measure (flooding->merge_by);
  options.connectivity = flooding->options->connectivity;
  hierarchy = flooding->hierarchy && *flooding->hierarchy
              ? wf_hierarchy_ref (*flooding->hierarchy)
              : wf_swap_hierarchy (context, flooding->relief, flooding->labels, &options, error);
  if (! hierarchy)
    return FALSE;
  if (flooding->hierarchy && ! *flooding->hierarchy)
    *flooding->hierarchy = wf_hierarchy_ref (hierarchy);

  regions = wf_region_memory_new (wf_hierarchy_get_n_basins (hierarchy), sizeof *regions, error);
  if (! regions)
    return FALSE;
  flooding->n_basins = wf_merge_count (hierarchy, flooding->merge_by, flooding->merge_value,
                                       flooding->type);
  wf_hierarchy_cut_to_count (hierarchy, flooding->n_basins, regions);
  if (flooding->merged
      ? ! wf_hierarchy_relabel (context, hierarchy, regions, flooding->labels, flooding->merged,
                                error)
      : ! wf_swap_relabel (context, hierarchy, regions, flooding->labels, error))
    return FALSE;
  if (get_objects (flooding))
    wf_foreground_limit_parts (get_objects (flooding),
                               flooding->merged ? flooding->merged : flooding->labels);
  return TRUE;
}
