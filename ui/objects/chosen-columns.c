/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns that are chosen of a table of regions, which has others beside them: limits need
 * those.  The labels are always there.
 *
 * As text such a table is the whole one without the cells of the other columns: no name and no
 * number has a comma, a brace or an end of a line, and a unit comes after them.
 */

#include "config.h"

#include <string.h>

#include "chosen-columns.h"
#include "engine/measurements/csv.h"

#define JSON_LINE "{\"label\":"


/**
 * wf_chosen_columns_have:
 * @column: of a table of regions
 * @measures: a bit for each measure that is chosen
 *
 * Returns: whether the column is one of them, or has the labels
 */
gboolean
wf_chosen_columns_have (const WfRegionColumn *column,
                        guint64               measures)
{
  const WfRegionMeasureInfo *info;

  for (int i = 0; (info = wf_region_measure_describe ((WfRegionMeasure) i)); i++)
    for (guint k = 0; k < info->n_columns; k++)
      if (strcmp (info->columns[k].name, column->name) == 0)
        return measures >> i & 1;
  return TRUE;
}

/* Appends the cells that are chosen; returns the end of the last of @n cells. */
static const char *
copy_cells (GString        *text,
            const char     *cell,
            const gboolean *chosen,
            guint           n)
{
  for (guint i = 0; i < n; i++)
    {
      const gsize length = strcspn (cell, ",}\n");

      if (chosen[i])
        g_string_append_printf (text, "%s%.*s", i > 0 ? "," : "", (int) length, cell);
      cell += length + (i + 1 < n);
    }
  return cell;
}

/**
 * wf_chosen_columns_format:
 * @regions: measurements
 * @measures: a bit for each measure that is chosen
 * @format: as for wf_regions_format()
 * @unit: (nullable): likewise
 * @place: (nullable): likewise
 *
 * Returns: (transfer full): what wf_regions_format() gives, without the columns of other measures
 */
char *
wf_chosen_columns_format (const WfRegions    *regions,
                          guint64             measures,
                          WfTableFormat       format,
                          const char         *unit,
                          const WfTablePlace *place)
{
  const guint          n      = wf_regions_get_n_columns (regions);
  g_autofree char     *whole  = wf_regions_format (regions, format, unit, place);
  g_autofree gboolean *chosen = g_new (gboolean, n);
  GString             *text   = g_string_sized_new (strlen (whole));

  for (guint i = 0; i < n; i++)
    chosen[i] = wf_chosen_columns_have (wf_regions_get_column (regions, i), measures);
  for (const char *line = whole, *end; *line; line = end)
    {
      const char *rest = line;

      if (format == WF_TABLE_CSV || g_str_has_prefix (line, JSON_LINE))
        rest = copy_cells (text, line, chosen, n);
      end = wf_csv_find_line_end (rest);
      g_string_append_len (text, rest, end - rest);
    }
  return g_string_free (text, FALSE);
}
