/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels, their linear indices and their neighbours. */

#include "reference.h"

/* The pixels that there are, or NULL for all of them. */
static const gboolean *limit;

gint64
ref_n_pixels (const RefSize *size)
{
  return size->width * size->height * size->depth;
}

gint64
ref_index (const RefSize *size,
           gint64         x,
           gint64         y,
           gint64         z)
{
  return (z * size->height + y) * size->width + x;
}

/* The largest number of coordinates in which a neighbour may differ. */
static int
coordinates_changed (const RefSize *size,
                     int            connectivity)
{
  switch (connectivity)
    {
    case 4:
    case 6:
      return 1;
    case 8:
      return 2;
    case 26:
      return 3;
    default:
      return size->depth > 1 ? 3 : 2;
    }
}

/* From here on, pixels that are not @inside are neighbours of none; NULL: all are. */
void
ref_limit (const gboolean *inside)
{
  limit = inside;
}

/* Fills @neighbours in raster order; returns their number. */
int
ref_neighbours (const RefSize *size,
                int            connectivity,
                gint64         index,
                gint64        *neighbours)
{
  gint64 x       = index % size->width;
  gint64 y       = index / size->width % size->height;
  gint64 z       = index / size->width / size->height;
  int    allowed = coordinates_changed (size, connectivity);
  int    n       = 0;

  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        {
          int changed = (dx != 0) + (dy != 0) + (dz != 0);

          if (changed == 0 || changed > allowed)
            continue;
          if (x + dx < 0 || x + dx >= size->width ||
              y + dy < 0 || y + dy >= size->height ||
              z + dz < 0 || z + dz >= size->depth)
            continue;
          if (! limit || (limit[index] && limit[ref_index (size, x + dx, y + dy, z + dz)]))
            neighbours[n++] = ref_index (size, x + dx, y + dy, z + dz);
        }
  return n;
}
