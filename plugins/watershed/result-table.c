/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table that a run writes, in the unit of the image: the measures that are chosen, as the
 * dialog saves them; without a choice what is measured of basins, which needs no whole image in
 * memory.
 */

#include "config.h"

#include <string.h>

#include "kept-objects.h"
#include "object-unit.h"
#include "result-table.h"
#include "table-measures.h"
#include "plugins/common/swap/operations.h"


/**
 * wf_result_table_prepare:
 * @run: the run
 * @table: (out): to be cleared whatever the result
 * @error: %WF_ERROR_INVALID for a measure that does not exist
 *
 * Finds out what the table has.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_result_table_prepare (WfJob          *run,
                         WfResultTable  *table,
                         GError        **error)
{
  const gboolean stack = run->source->n_slices > 1;
  guint64        chosen;

  *table = (WfResultTable) { .place = { .size  = sizeof table->place,
                                        .left  = run->region.image_x,
                                        .top   = run->region.image_y,
                                        .stack = stack } };
  if (! wf_table_measures_read (G_OBJECT (run->config), &chosen, error))
    return FALSE;
  table->unit           = wf_object_unit_find (run->image, table->place.spacing);
  table->place.unit     = table->unit;
  table->place.measures = wf_table_measures_find_defined (chosen, stack);
  if (table->place.measures == 0)   /* the engine refuses what no stack has */
    table->place.measures = chosen;
  return TRUE;
}

/**
 * wf_result_table_measure:
 * @run: the run
 * @basins: all of them
 * @levels: what is measured
 * @relief: what was flooded
 * @table: prepared
 * @error: as the engine sets it
 *
 * Measures before others are left out: a depth is that of the way to any other basin, and neighbors
 * are all.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_result_table_measure (WfJob           *run,
                         const WfBasins  *basins,
                         const WfImage   *levels,
                         const WfImage   *relief,
                         WfResultTable   *table,
                         GError         **error)
{
  const WfWatershedOptions *flooding = run->operation;
  WfRegionOptions           options;

  if (table->place.measures == 0)
    return wf_swap_measure (run->context, levels, relief, basins->labels, flooding->connectivity,
                            &table->basins, &table->n_basins, error);
  wf_option_group_init (wf_regions_get_options (), &options);
  memcpy (options.spacing, table->place.spacing, sizeof options.spacing);
  table->objects = wf_objects_measure (run->context, basins->labels, levels, basins->mask,
                                       table->place.measures, &options, error);
  return table->objects != NULL;
}

/**
 * wf_result_table_keep:
 * @table: measured, or not
 * @kept: for each basin whether it is kept
 *
 * Leaves the others out, and numbers those that stay as their labels are.
 */
void
wf_result_table_keep (WfResultTable *table,
                      const guint8  *kept)
{
  wf_kept_objects_list (kept, table->basins, &table->n_basins);
  if (table->objects)
    table->kept = wf_objects_list_kept (table->objects, kept);
}

/**
 * wf_result_table_write:
 * @file: where to
 * @table: a measured #WfResultTable
 * @error: %WF_ERROR_INVALID with the reason why @file cannot be written
 *
 * Of WfResultWriteFunc.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_result_table_write (GFile     *file,
                       gpointer   table,
                       GError   **error)
{
  const WfResultTable *made = table;

  if (! made->objects)
    return wf_basin_table_write (file, made->basins, made->n_basins, &made->place, error);
  return wf_regions_write (made->kept ? made->kept : wf_objects_get_regions (made->objects), file,
                           WF_TABLE_CSV, made->unit, &made->place, error);
}

void
wf_result_table_clear (WfResultTable *table)
{
  g_clear_pointer (&table->unit, g_free);
  g_clear_pointer (&table->basins, g_free);
  g_clear_pointer (&table->objects, wf_objects_free);
  g_clear_pointer (&table->kept, wf_regions_free);
}
