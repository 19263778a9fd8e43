/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measurements of basins as a table: comma-separated values, one line for each basin after
 * a line of column names, as table-text.c writes it.
 *
 *   index               the label;
 *   area                pixels;
 *   centroid_x, _y, _z  the mean place of its pixels: the centre of the image's first pixel
 *                       is at 0.5, 0.5, as it is for GIMP's guides and paths;
 *   left, top, first    the corner of its box, and the first of its slices, from 0;
 *   width, height, slices
 *                       the size of its box;
 *   minimum, mean       of its levels, which are the image's own: 0 to 255 for 8 bits;
 *   depth               in the levels of what was flooded.  Nothing limits how far the
 *                       deepest basin can be filled, so its depth is left empty.
 *
 * Only tables of stacks have columns for slices.  Where pixels have a size, areas (in a stack
 * volumes) and centroids are in the unit of that; after the area then comes pixels, the area in
 * pixels, and at the end the unit, if it has a name.
 */

#include "config.h"

#include "table-text.h"

/* As many as a 32-bit level has. */
#define DIGITS 9


static gboolean
has_size (const WfTablePlace *place)
{
  return place->spacing[0] != 1 || place->spacing[1] != 1 ||
         (place->stack && place->spacing[2] != 1);
}

static void
add_names (WfTableText        *table,
           const WfTablePlace *place)
{
  static const char * const before[]  = { "centroid_x", "centroid_y" };
  static const char * const image[]   = { "left", "top", "width", "height" };
  static const char * const stack[]   = { "centroid_z", "left", "top", "first", "width", "height",
                                          "slices" };

  wf_table_text_add_name (table, "index");
  wf_table_text_add_name (table, "area");
  if (has_size (place))
    wf_table_text_add_name (table, "pixels");
  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    wf_table_text_add_name (table, before[i]);
  for (guint i = 0; i < G_N_ELEMENTS (stack) && place->stack; i++)
    wf_table_text_add_name (table, stack[i]);
  for (guint i = 0; i < G_N_ELEMENTS (image) && ! place->stack; i++)
    wf_table_text_add_name (table, image[i]);
  wf_table_text_add_name (table, "minimum");
  wf_table_text_add_name (table, "mean");
  if (! place->without_depths)
    wf_table_text_add_name (table, "depth");
  if (place->unit)
    wf_table_text_add_name (table, "unit");
}

/* In pixels if they have no size. */
static void
add_area (WfTableText        *table,
          const WfBasin      *basin,
          const WfTablePlace *place)
{
  if (has_size (place))
    wf_table_text_add_real (table, (double) basin->area * place->spacing[0] * place->spacing[1] *
                                   (place->stack ? place->spacing[2] : 1));
  wf_table_text_add_whole (table, (gint64) basin->area);
}

static void
add_basin (WfTableText        *table,
           const WfBasin      *basin,
           const WfTablePlace *place)
{
  const double corner[] = { place->left, place->top, 0 };
  const int    n        = place->stack ? 3 : 2;

  wf_table_text_begin_line (table);
  wf_table_text_add_whole (table, basin->label);
  add_area (table, basin, place);
  for (int i = 0; i < n; i++)
    wf_table_text_add_real (table, (basin->centroid[i]
                                    + (i < 2 ? corner[i] + WF_PIXEL_CENTER : 0))
                                   * place->spacing[i]);
  for (int i = 0; i < n; i++)
    wf_table_text_add_whole (table, basin->first[i] + (gint64) corner[i]);
  for (int i = 0; i < n; i++)
    wf_table_text_add_whole (table, basin->last[i] - basin->first[i] + 1);
  wf_table_text_add_real (table, basin->minimum);
  wf_table_text_add_real (table, basin->mean);
  if (! place->without_depths)
    wf_table_text_add_real (table, basin->depth);
  if (place->unit)
    wf_table_text_add_string (table, place->unit);
  wf_table_text_end_line (table);
}

/**
 * wf_basin_table_format:
 * @basins: (array length=n_basins) (nullable): measurements as wf_basins_measure() gives
 *   them; %NULL if there are none
 * @n_basins: number of basins
 * @place: (nullable): where they are; %NULL for a whole image, not a stack, with depths
 *
 * Formats the measurements of basins as comma-separated values; see the top of
 * basin-table.c for the columns.
 *
 * Returns: (transfer full): the table, in ASCII but for the unit, to be freed with g_free()
 */
char *
wf_basin_table_format (const WfBasin      *basins,
                       guint32             n_basins,
                       const WfTablePlace *place)
{
  const WfTablePlace taken = wf_table_place_take (place);
  WfTableText        table;

  g_return_val_if_fail (basins != NULL || n_basins == 0, NULL);

  wf_table_text_begin (&table, WF_TABLE_CSV, DIGITS);
  add_names (&table, &taken);
  for (guint32 i = 0; i < n_basins; i++)
    add_basin (&table, &basins[i], &taken);
  return wf_table_text_end (&table);
}

/**
 * wf_basin_table_write:
 * @file: where to
 * @basins: (array length=n_basins) (nullable): their measurements; %NULL if there are none
 * @n_basins: number of basins
 * @place: (nullable): as for wf_basin_table_format()
 * @error: %WF_ERROR_INVALID with the reason why @file cannot be written
 *
 * Writes what wf_basin_table_format() gives, whole, in place of what was there.
 *
 * Returns: %FALSE with @error set; then @file is as it was.
 */
gboolean
wf_basin_table_write (GFile               *file,
                      const WfBasin       *basins,
                      guint32              n_basins,
                      const WfTablePlace  *place,
                      GError             **error)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (file != NULL && (basins != NULL || n_basins == 0), FALSE);

  text = wf_basin_table_format (basins, n_basins, place);
  return wf_table_text_write (file, text, error);
}
