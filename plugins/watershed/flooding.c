/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a relief to basins: the flooding, and then the merging of the least significant basins.
 * Merging uses the tree of merges, so that the slider of the preview, which moves along this
 * tree, shows the same partition as the procedure computes from the same value.
 *
 * If only objects are flooded, the background belongs to no basin and has label 0; so does what is
 * not selected.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "flooding.h"
#include "masked-flood.h"
#include "plugins/common/input/foreground.h"
#include "plugins/common/swap/operations.h"


/**
 * wf_flooding_flood:
 * @flooding: the input; its labels become the basins
 * @context: of the computation
 * @error: as wf_masked_relief_flood() sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_flooding_flood (WfFlooding  *flooding,
                   WfContext   *context,
                   GError     **error)
{
  return wf_masked_relief_flood (context, flooding->mask, flooding->relief, flooding->objects,
                                 flooding->markers, flooding->labels, &flooding->n_basins,
                                 flooding->options, error);
}

/**
 * wf_flooding_merge:
 * @flooding: after the flooding; its labels become the merged regions, numbered from 1
 * @context: of the computation
 * @error: as wf_swap_hierarchy() and wf_swap_relabel() set it
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
  hierarchy = wf_swap_hierarchy (context, flooding->relief, flooding->labels, &options, error);
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
  if (! wf_swap_relabel (context, hierarchy, regions, flooding->labels, error))
    return FALSE;
  if (flooding->objects)
    wf_foreground_limit_parts (flooding->objects, flooding->labels);
  return TRUE;
}
