/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "merging.h"
#include "message.h"
#include "ui/merge/region-memory.h"

static const char *const names[] = { "merge-depth", "merge-area", "merge-volume", "merge-count" };


/**
 * merging_cut:
 * @hierarchy: a hierarchy of basins
 * @measure: that of their depths
 * @type: of the levels
 * @depth: up to which depth basins are merged, if @count is 0
 * @count: how many regions are to be left, or 0
 * @n_regions: (out): how many are
 * @error: %WF_ERROR_MEMORY
 *
 * The map of depths has floats.  Those of f32 levels are any numbers: one that is read from the map
 * and given in decimals, as 0.1, means the float that is written so.  All other depths are whole
 * numbers.
 *
 * Returns: (transfer full): the region of each basin; %NULL with @error set
 */
guint32 *
merging_cut (const WfHierarchy  *hierarchy,
             WfMeasure           measure,
             WfType              type,
             double              depth,
             int                 count,
             guint32            *n_regions,
             GError            **error)
{
  const guint32  n_basins = wf_hierarchy_get_n_basins (hierarchy);
  guint32       *regions  = wf_region_memory_new (n_basins, sizeof *regions, error);

  if (! regions)
    return NULL;
  if (type == WF_TYPE_F32 && measure != WF_MEASURE_AREA)
    depth = (float) depth;
  *n_regions = count > 0 ? wf_hierarchy_cut_to_count (hierarchy, (guint32) count, regions)
                         : wf_hierarchy_cut_at_depth (hierarchy, depth, regions);
  return regions;
}

/**
 * merging_is_wanted:
 * @merging: options
 *
 * Returns: whether one of them is given
 */
gboolean
merging_is_wanted (const Merging *merging)
{
  return ! isnan (merging->depth) || ! isnan (merging->area) || ! isnan (merging->volume) ||
         merging->count > 0;
}

/**
 * merging_find_given:
 * @arguments: of a command with these options
 *
 * Returns: (nullable): the name of the first one that is given
 */
const char *
merging_find_given (const Arguments *arguments)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (arguments_has_given (arguments, names[i]))
      return names[i];
  return NULL;
}

/**
 * merging_check:
 * @arguments: of a command with these options
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether no more than one of them is given
 */
gboolean
merging_check (const Arguments  *arguments,
               GError          **error)
{
  const char *first = merging_find_given (arguments);

  for (guint i = 0; first && i < G_N_ELEMENTS (names); i++)
    if (names[i] != first && arguments_has_given (arguments, names[i]))
      {
        g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                     _("--%s and --%s merge in different orders, so they cannot be combined."),
                     first, names[i]);
        return FALSE;
      }
  return TRUE;
}

static WfMeasure
get_measure (const Merging *merging)
{
  return ! isnan (merging->area) ? WF_MEASURE_AREA
         : ! isnan (merging->volume) ? WF_MEASURE_VOLUME : WF_MEASURE_DYNAMICS;
}

static double
get_depth (const Merging *merging)
{
  return ! isnan (merging->area) ? merging->area
         : ! isnan (merging->volume) ? merging->volume : merging->depth;
}

/**
 * merging_make:
 * @merging: one of the options is given
 * @context: where and how
 * @relief: that was flooded
 * @mask: (nullable): where
 * @labels: the basins: they become the regions, numbered from 1 by the first basin of each
 * @connectivity: of the flood
 * @n_basins: (inout): how many there are
 * @error: as the library sets it
 *
 * Merges the basins.
 *
 * Returns: %FALSE with @error set
 */
gboolean
merging_make (const Merging  *merging,
              WfContext      *context,
              const WfImage  *relief,
              const WfImage  *mask,
              WfImage        *labels,
              int             connectivity,
              guint32        *n_basins,
              GError        **error)
{
  g_autoptr (WfHierarchy)  hierarchy = NULL;
  g_autofree guint32      *regions   = NULL;
  WfHierarchyOptions       options;

  if (*n_basins == 0)
    return TRUE;
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.measure      = get_measure (merging);
  options.connectivity = connectivity;
  hierarchy = wf_hierarchy_new_masked (context, relief, labels, mask, &options, error);
  if (! hierarchy)
    return FALSE;
  regions = merging_cut (hierarchy, options.measure, relief->type, get_depth (merging),
                         merging->count, n_basins, error);
  return regions &&
         wf_hierarchy_relabel_masked (context, hierarchy, regions, labels, mask, labels, error);
}
