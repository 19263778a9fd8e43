/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measurements of regions as text: the columns of all measures, or of those that are wanted.
 *
 * CSV: a line of names, and one for each region.  With a unit, the last column has it in every
 * line.
 *
 * JSON: an object with the unit of lengths ("pixel" without one), the spacing along each axis, and
 * the regions, each an object with the names of the columns.
 */

#include "config.h"

#include "regions-private.h"
#include "table-text.h"

/* What a double has in decimals. */
#define DIGITS 15


static gboolean
is_wanted (const WfRegionColumn *column,
           const WfTablePlace   *place)
{
  return place->measures == 0 || wf_region_column_is_of (column, place->measures);
}

static void
add_line (WfTableText        *table,
          const WfRegions    *regions,
          gint64              region,
          const char         *unit,
          const WfTablePlace *place)
{
  const double corner[] = { place->left, place->top, 0 };

  wf_table_text_begin_line (table);
  for (guint i = 0; i < regions->columns->len; i++)
    {
      const WfRegionColumn *column = regions->columns->pdata[i];
      double                value  = regions->values[i * regions->n + region];

      if (! is_wanted (column, place))
        continue;
      if (column->axis >= 0)
        value += corner[column->axis] * (column->is_whole ? 1 : regions->spacing[column->axis]);
      if (column->is_whole)
        wf_table_text_add_whole (table, (gint64) value);
      else
        wf_table_text_add_real (table, value);
    }
  if (unit && table->format == WF_TABLE_CSV)
    wf_table_text_add_string (table, unit);
  wf_table_text_end_line (table);
}

static char *
frame_json (const WfRegions *regions,
            const char      *unit,
            const char      *lines)
{
  GString *text = g_string_new ("{\"unit\":");
  char     buffer[G_ASCII_DTOSTR_BUF_SIZE];

  wf_table_text_append_json_string (text, unit ? unit : "pixel");
  g_string_append (text, ",\"spacing\":[");
  for (int axis = 0; axis < (regions->is_stack ? 3 : 2); axis++)
    g_string_append_printf (text, "%s%s", axis > 0 ? "," : "",
                            g_ascii_dtostr (buffer, sizeof buffer, regions->spacing[axis]));
  g_string_append_printf (text, "],\"regions\":%s}\n", lines);
  return g_string_free (text, FALSE);
}

/**
 * wf_regions_format:
 * @regions: measurements
 * @format: CSV or JSON
 * @unit: (nullable): of the spacing, in UTF-8; %NULL: none, or pixels
 * @place: (nullable): where what was measured is in the whole image, and which measures the table
 *   has: left, top and measures count; %NULL for a whole image and all measures
 *
 * Formats a table; see the top of region-table.c.
 *
 * Returns: (transfer full): the text, in UTF-8, to be freed with g_free()
 */
char *
wf_regions_format (const WfRegions    *regions,
                   WfTableFormat       format,
                   const char         *unit,
                   const WfTablePlace *place)
{
  const WfTablePlace  taken = wf_table_place_take (place);
  WfTableText         table;
  g_autofree char    *lines = NULL;

  g_return_val_if_fail (regions != NULL, NULL);

  wf_table_text_begin (&table, format, DIGITS);
  for (guint i = 0; i < regions->columns->len; i++)
    {
      const WfRegionColumn *column = regions->columns->pdata[i];

      if (is_wanted (column, &taken))
        wf_table_text_add_name (&table, column->name);
    }
  if (unit && format == WF_TABLE_CSV)
    wf_table_text_add_name (&table, "unit");
  for (gint64 region = 0; region < regions->n; region++)
    add_line (&table, regions, region, unit, &taken);

  lines = wf_table_text_end (&table);
  return format == WF_TABLE_JSON ? frame_json (regions, unit, lines) : g_steal_pointer (&lines);
}

/**
 * wf_regions_write:
 * @regions: measurements
 * @file: where to
 * @format: CSV or JSON
 * @unit: (nullable): as for wf_regions_format()
 * @place: (nullable): as for wf_regions_format()
 * @error: %WF_ERROR_INVALID with the reason why @file cannot be written
 *
 * Writes what wf_regions_format() gives, whole, in place of what was there.
 *
 * Returns: %FALSE with @error set; then @file is as it was.
 */
gboolean
wf_regions_write (const WfRegions     *regions,
                  GFile               *file,
                  WfTableFormat        format,
                  const char          *unit,
                  const WfTablePlace  *place,
                  GError             **error)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (regions != NULL && file != NULL, FALSE);

  text = wf_regions_format (regions, format, unit, place);
  return wf_table_text_write (file, text, error);
}
