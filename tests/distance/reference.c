/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps: for each foreground pixel every background pixel is tried in the order
 * (x, y, z); of equally near pixels the first one is taken.
 */

#include <math.h>

#include "tests/reference/reference.h"

static double
between (const RefDistance *options,
         gint64             dx,
         gint64             dy,
         gint64             dz)
{
  double along_x = (double) ABS (dx) * options->spacing[0];
  double along_y = (double) ABS (dy) * options->spacing[1];
  double along_z = (double) ABS (dz) * options->spacing[2];

  switch (options->metric)
    {
    case REF_EUCLIDEAN_SQUARED:
      return along_x * along_x + (along_y * along_y + along_z * along_z);
    case REF_CITY_BLOCK:
      return along_x + (along_y + along_z);
    case REF_CHESSBOARD:
      return MAX (along_x, MAX (along_y, along_z));
    }
  g_return_val_if_reached (NAN);
}

void
ref_distance_at (const RefSize     *size,
                 const guint8      *foreground,
                 const RefDistance *options,
                 gint64             index,
                 double            *distance,
                 guint64           *nearest)
{
  gint64   x0       = index % size->width;
  gint64   y0       = index / size->width % size->height;
  gint64   z0       = index / size->width / size->height;
  gint64   margin   = options->margin;
  gint64   margin_z = size->depth > 1 ? margin : 0;
  gboolean found    = FALSE;

  *distance = INFINITY;
  *nearest  = REF_NONE;

  for (gint64 x = -margin; x < size->width + margin; x++)
    for (gint64 y = -margin; y < size->height + margin; y++)
      for (gint64 z = -margin_z; z < size->depth + margin_z; z++)
        {
          gboolean outside = x < 0 || x >= size->width  ||
                             y < 0 || y >= size->height ||
                             z < 0 || z >= size->depth;
          double   d;

          if (! outside && foreground[ref_index (size, x, y, z)])
            continue;
          /* A background pixel is its own nearest one, even if a spacing is so small that
           * the distances of others are rounded to 0.
           */
          if (! foreground[index] && (x != x0 || y != y0 || z != z0))
            continue;

          d = between (options, x - x0, y - y0, z - z0);
          if (! found || d < *distance)
            {
              found     = TRUE;
              *distance = d;
              *nearest  = outside ? REF_NONE : (guint64) ref_index (size, x, y, z);
            }
        }
}

void
ref_distance (const RefSize     *size,
              const guint8      *foreground,
              const RefDistance *options,
              double            *distance,
              guint64           *nearest)
{
  gint64 n = ref_n_pixels (size);

  for (gint64 p = 0; p < n; p++)
    ref_distance_at (size, foreground, options, p, &distance[p], &nearest[p]);
}

/* Makes a signed map of @distance: background pixels get minus their value in @outside, the
 * map of the image in which foreground and background are exchanged.
 */
void
ref_distance_sign (const RefSize *size,
                   const guint8  *foreground,
                   const double  *outside,
                   const guint64 *outside_nearest,
                   double        *distance,
                   guint64       *nearest)
{
  gint64 n = ref_n_pixels (size);

  for (gint64 p = 0; p < n; p++)
    if (! foreground[p])
      {
        distance[p] = -outside[p];
        nearest[p]  = outside_nearest[p];
      }
}
