/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a relief to basins: the flooding, and then the merging of the least significant basins.
 * Merging uses the tree of merges, so that the slider of the preview, which moves along this
 * tree, shows the same partition as the procedure computes from the same value.
 *
 * If only objects are flooded, the background belongs to no basin and has label 0.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "flooding.h"


/* Returns whether there is an object and, with markers, whether one of them lies on an object. */
static gboolean
leave_out_background (WfFlooding *flooding)
{
  const gint64  n      = wf_image_n_pixels (flooding->labels);
  const guint8 *inside = flooding->objects ? flooding->objects->data : NULL;
  guint32      *labels = flooding->labels->data;
  gboolean      any    = FALSE;

  if (! inside)
    return TRUE;

  for (gint64 i = 0; i < n; i++)
    {
      if (flooding->markers && ! inside[i])
        labels[i] = 0;
      any |= flooding->markers ? labels[i] != 0 : inside[i] != 0;
    }
  return any;
}

static void
clear_background (WfFlooding *flooding)
{
  const gint64  n      = wf_image_n_pixels (flooding->labels);
  const guint8 *inside = flooding->objects ? flooding->objects->data : NULL;
  guint32      *labels = flooding->labels->data;

  for (gint64 i = 0; inside && i < n; i++)
    if (! inside[i])
      labels[i] = 0;
}

/**
 * wf_flooding_flood:
 * @flooding: the input; its labels become the basins
 * @context: of the computation
 * @error: as wf_watershed() sets it; also %WF_ERROR_INVALID if no marker lies on an object
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_flooding_flood (WfFlooding  *flooding,
                   WfContext   *context,
                   GError     **error)
{
  flooding->n_basins = 0;
  if (! leave_out_background (flooding))
    {
      if (! flooding->markers)
        {
          memset (flooding->labels->data, 0,
                  (gsize) wf_image_n_pixels (flooding->labels) * sizeof (guint32));
          return TRUE;
        }
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("No marker lies on an object: check the threshold."));
      return FALSE;
    }
  if (! wf_watershed (context, flooding->relief, flooding->markers ? flooding->labels : NULL,
                      flooding->labels, &flooding->n_basins, flooding->options, error))
    return FALSE;

  clear_background (flooding);
  return TRUE;
}

/**
 * wf_flooding_merge:
 * @flooding: after the flooding; its labels become the merged regions, numbered from 1
 * @context: of the computation
 * @error: as wf_hierarchy_new() and wf_hierarchy_relabel() set it
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
  hierarchy = wf_hierarchy_new (context, flooding->relief, flooding->labels, &options, error);
  if (! hierarchy)
    return FALSE;

  regions = g_try_new (guint32, wf_hierarchy_get_n_basins (hierarchy));
  if (! regions)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                   _("There is not enough memory for the regions of %u basins."),
                   wf_hierarchy_get_n_basins (hierarchy));
      return FALSE;
    }
  flooding->n_basins = wf_merge_count (hierarchy, flooding->merge_by, flooding->merge_value,
                                       flooding->type);
  wf_hierarchy_cut_to_count (hierarchy, flooding->n_basins, regions);
  if (! wf_hierarchy_relabel (context, hierarchy, regions, flooding->labels, flooding->labels,
                              error))
    return FALSE;
  clear_background (flooding);
  return TRUE;
}
