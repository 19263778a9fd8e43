/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A second reference for distance maps, with less searching.
 *
 * Rounding is monotone: a longer step along an axis never becomes shorter than a shorter
 * one.  So a pixel at (dx, dy, dz) is no nearer than if some of these were 0, and the search
 * outwards along an axis ends when the step along that axis is longer than the best
 * distance.  Where background is rare, its pixels are tried one by one.
 */

#include <math.h>

#include "tests/reference/reference.h"

typedef struct
{
  const RefSize     *size;
  const guint8      *foreground;
  const RefDistance *options;
  GArray            *sites; /* of Site */
} Map;

typedef struct
{
  gint64 coordinates[3];
} Site;

/* The best pixel so far; @coordinates may lie outside the image. */
typedef struct
{
  gboolean found;
  double   distance;
  gint64   coordinates[3];
} Best;

static double
between (const RefDistance *options,
         const gint64      *steps)
{
  double along[3];

  for (int axis = 0; axis < 3; axis++)
    along[axis] = (double) steps[axis] * options->spacing[axis];
  if (options->metric == REF_EUCLIDEAN_SQUARED)
    {
      for (int axis = 0; axis < 3; axis++)
        along[axis] *= along[axis];
    }
  if (options->metric == REF_CHESSBOARD)
    return fmax (along[0], fmax (along[1], along[2]));
  return along[0] + (along[1] + along[2]);
}

static gboolean
is_outside (const RefSize *size,
            const gint64  *c)
{
  return c[0] < 0 || c[0] >= size->width || c[1] < 0 || c[1] >= size->height ||
         c[2] < 0 || c[2] >= size->depth;
}

static void
try (Best         *best,
     double        distance,
     const gint64 *c)
{
  if (best->found)
    {
      if (distance > best->distance)
        return;
      for (int axis = 0; distance == best->distance && axis < 3; axis++)
        {
          if (c[axis] > best->coordinates[axis])
            return;
          if (c[axis] < best->coordinates[axis])
            break;
        }
    }
  best->found    = TRUE;
  best->distance = distance;
  for (int axis = 0; axis < 3; axis++)
    best->coordinates[axis] = c[axis];
}

/* The pixel on each side of @from that is @step away along @axis; 0 is one pixel. */
static int
both_sides (const Map    *map,
            const gint64 *from,
            int           axis,
            gint64        step,
            gint64       *found)
{
  gint64 side   = axis == 0 ? map->size->width : axis == 1 ? map->size->height : map->size->depth;
  gint64 margin = axis == 2 && map->size->depth == 1 ? 0 : map->options->margin;
  int    n      = 0;

  if (from[axis] - step >= -margin)
    found[n++] = from[axis] - step;
  if (step > 0 && from[axis] + step < side + margin)
    found[n++] = from[axis] + step;
  return n;
}

static gboolean
is_too_far (const Map  *map,
            const Best *best,
            gint64      dx,
            gint64      dy,
            gint64      dz)
{
  const gint64 steps[3] = { dx, dy, dz };

  return best->found && between (map->options, steps) > best->distance;
}

static void
search_row (const Map    *map,
            const gint64 *from,
            gint64        y,
            gint64        z,
            Best         *best)
{
  gint64 dy = ABS (y - from[1]);
  gint64 dz = ABS (z - from[2]);
  gint64 xs[2];
  int    n;

  for (gint64 dx = 0; (n = both_sides (map, from, 0, dx, xs)) > 0; dx++)
    {
      const gint64 steps[3] = { dx, dy, dz };

      if (is_too_far (map, best, dx, dy, dz))
        break;
      for (int i = 0; i < n; i++)
        {
          const gint64 c[3] = { xs[i], y, z };

          if (is_outside (map->size, c) || ! map->foreground[ref_index (map->size, xs[i], y, z)])
            try (best, between (map->options, steps), c);
        }
    }
}

static void
search_outwards (const Map    *map,
                 const gint64 *from,
                 Best         *best)
{
  gint64 ys[2], zs[2];
  int    n_y, n_z;

  for (gint64 dz = 0; (n_z = both_sides (map, from, 2, dz, zs)) > 0; dz++)
    {
      if (is_too_far (map, best, 0, 0, dz))
        break;
      for (gint64 dy = 0; (n_y = both_sides (map, from, 1, dy, ys)) > 0; dy++)
        {
          if (is_too_far (map, best, 0, dy, dz))
            break;
          for (int i = 0; i < n_z; i++)
            for (int k = 0; k < n_y; k++)
              search_row (map, from, ys[k], zs[i], best);
        }
    }
}

static void
coordinates_of (const RefSize *size,
                gint64         index,
                gint64        *c)
{
  c[0] = index % size->width;
  c[1] = index / size->width % size->height;
  c[2] = index / size->width / size->height;
}

static void
try_sites (const Map    *map,
           const gint64 *from,
           Best         *best)
{
  for (guint i = 0; i < map->sites->len; i++)
    {
      const gint64 *c = g_array_index (map->sites, Site, i).coordinates;
      gint64        steps[3];

      for (int axis = 0; axis < 3; axis++)
        steps[axis] = ABS (c[axis] - from[axis]);
      try (best, between (map->options, steps), c);
    }
}

/* Lists all background pixels, including those around the image if they count. */
static void
list_sites (Map *map)
{
  const RefSize *size     = map->size;
  gint64         margin   = map->options->margin;
  gint64         margin_z = size->depth > 1 ? margin : 0;

  for (gint64 z = -margin_z; z < size->depth + margin_z; z++)
    for (gint64 y = -margin; y < size->height + margin; y++)
      for (gint64 x = -margin; x < size->width + margin; x++)
        {
          Site site = { { x, y, z } };

          if (is_outside (size, site.coordinates) ||
              ! map->foreground[ref_index (size, x, y, z)])
            g_array_append_val (map->sites, site);
        }
}

void
ref_distance_quick (const RefSize     *size,
                    const guint8      *foreground,
                    const RefDistance *options,
                    double            *distance,
                    guint64           *nearest)
{
  gint64             n     = ref_n_pixels (size);
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (Site));
  Map                map   = { size, foreground, options, sites };

  list_sites (&map);

  for (gint64 p = 0; p < n; p++)
    {
      Best   best = { FALSE, INFINITY, { 0, 0, 0 } };
      gint64 from[3];

      coordinates_of (size, p, from);
      if (! foreground[p])
        try (&best, 0, from);
      else if (sites->len <= n / 16)
        try_sites (&map, from, &best);
      else
        search_outwards (&map, from, &best);

      distance[p] = best.distance;
      nearest[p]  = ! best.found || is_outside (size, best.coordinates)
                    ? REF_NONE
                    : (guint64) ref_index (size, best.coordinates[0], best.coordinates[1],
                                           best.coordinates[2]);
    }
}
