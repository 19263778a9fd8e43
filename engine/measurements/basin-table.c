/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measurements of basins as a table: comma-separated values, one line for each basin after
 * a line of column names.  Numbers have as many digits as a 32-bit level.  Numbers and names are
 * the same in every language, because programs read them.
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
 * Only tables of stacks have columns for slices.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "wavefront.h"
#include "engine/core/whole-file.h"

/* The centre of a pixel, from its edge. */
#define CENTER 0.5


static void
append_number (GString *text,
               double   number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, ',');
  if (isfinite (number))
    g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.9g", number));
}

static void
append_whole (GString *text,
              gint64   number)
{
  g_string_append_printf (text, ",%" G_GINT64_FORMAT, number);
}

static void
append_basin (GString            *text,
              const WfBasin      *basin,
              const WfTablePlace *place)
{
  const double corner[] = { place->left, place->top, 0 };
  const int    n        = place->stack ? 3 : 2;

  g_string_append_printf (text, "%u,%" G_GUINT64_FORMAT, basin->label, basin->area);
  for (int i = 0; i < n; i++)
    append_number (text, basin->centroid[i] + (i < 2 ? corner[i] + CENTER : 0));
  for (int i = 0; i < n; i++)
    append_whole (text, basin->first[i] + (gint64) corner[i]);
  for (int i = 0; i < n; i++)
    append_whole (text, basin->last[i] - basin->first[i] + 1);
  append_number (text, basin->minimum);
  append_number (text, basin->mean);
  if (! place->without_depths)
    append_number (text, basin->depth);
  g_string_append_c (text, '\n');
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
 * Returns: (transfer full): the table, in ASCII, to be freed with g_free()
 */
char *
wf_basin_table_format (const WfBasin      *basins,
                       guint32             n_basins,
                       const WfTablePlace *place)
{
  static const WfTablePlace  whole = { 0 };
  GString                   *text;

  g_return_val_if_fail (basins != NULL || n_basins == 0, NULL);

  if (! place)
    place = &whole;
  text = g_string_new ("index,area,centroid_x,centroid_y");
  g_string_append (text, place->stack ? ",centroid_z,left,top,first,width,height,slices"
                                      : ",left,top,width,height");
  g_string_append (text, place->without_depths ? ",minimum,mean\n" : ",minimum,mean,depth\n");
  for (guint32 i = 0; i < n_basins; i++)
    append_basin (text, &basins[i], place);
  return g_string_free (text, FALSE);
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
  g_autofree char   *text   = NULL;
  g_autofree char   *name   = NULL;
  g_autoptr (GError) reason = NULL;

  g_return_val_if_fail (file != NULL && (basins != NULL || n_basins == 0), FALSE);

  text = wf_basin_table_format (basins, n_basins, place);
  name = g_file_get_parse_name (file);
  if (wf_whole_file_write (file, text, strlen (text), &reason))
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID, _("The table “%s” cannot be written: %s"),
               name, reason->message);
  return FALSE;
}
