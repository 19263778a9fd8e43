/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by propagation, in synchronous rounds.
 *
 * Each pixel holds a site: the nearest background pixel that has reached it.  A background
 * pixel always holds itself.  In each round every foreground pixel takes, of its own site
 * and of the sites that its neighbours held after the previous round, the one with the least
 * (distance, x, y, z).  If the outside is background, a pixel at the image's border has one
 * more neighbour for each border that it lies at: the outside pixel straight across, which
 * holds itself.  A round that changes nothing is the last one.
 */

#include <math.h>
#include <string.h>

#include "tests/reference/reference.h"

typedef struct
{
  gboolean known;
  gint64   x, y, z;
} Site;

typedef struct
{
  const RefSize     *size;
  const guint8      *foreground;
  const RefDistance *options;
  int                connectivity;
  const Site        *held;      /* after the previous round */
} Map;

static Site
point (const RefSize *size,
       gint64         index)
{
  return (Site) { TRUE, index % size->width, index / size->width % size->height,
                  index / size->width / size->height };
}

static double
squared_distance (const Map  *map,
                  const Site *p,
                  const Site *site)
{
  const double *spacing = map->options->spacing;
  double        x       = (double) ABS (site->x - p->x) * spacing[0];
  double        y       = (double) ABS (site->y - p->y) * spacing[1];
  double        z       = (double) ABS (site->z - p->z) * spacing[2];

  return x * x + (y * y + z * z);
}

static gboolean
is_better (const Map  *map,
           const Site *p,
           const Site *site,
           const Site *than)
{
  double d, d_than;

  if (! site->known || ! than->known)
    return site->known;
  d      = squared_distance (map, p, site);
  d_than = squared_distance (map, p, than);
  if (d != d_than)
    return d < d_than;
  if (site->x != than->x)
    return site->x < than->x;
  return site->y != than->y ? site->y < than->y : site->z < than->z;
}

static void
hear (const Map  *map,
      const Site *p,
      const Site *site,
      Site       *best)
{
  if (is_better (map, p, site, best))
    *best = *site;
}

static void
hear_outside (const Map  *map,
              const Site *p,
              Site       *best)
{
  const RefSize *size     = map->size;
  const Site     beyond[] =
  {
    { p->x == 0,                                         -1, p->y, p->z },
    { p->x == size->width - 1,                           size->width, p->y, p->z },
    { p->y == 0,                                         p->x, -1, p->z },
    { p->y == size->height - 1,                          p->x, size->height, p->z },
    { size->depth > 1 && p->z == 0,                      p->x, p->y, -1 },
    { size->depth > 1 && p->z == size->depth - 1,        p->x, p->y, size->depth },
  };

  for (guint i = 0; i < G_N_ELEMENTS (beyond); i++)
    hear (map, p, &beyond[i], best);
}

static Site
next_site (const Map *map,
           gint64     index)
{
  Site   p    = point (map->size, index);
  Site   best = map->held[index];
  gint64 neighbours[REF_MAX_NEIGHBOURS];
  int    n;

  if (! map->foreground[index])
    return best;
  n = ref_neighbours (map->size, map->connectivity, index, neighbours);
  for (int i = 0; i < n; i++)
    hear (map, &p, &map->held[neighbours[i]], &best);
  if (map->options->margin)
    hear_outside (map, &p, &best);
  return best;
}

static gboolean
is_same (const Site *a,
         const Site *b)
{
  return a->known == b->known &&
         (! a->known || (a->x == b->x && a->y == b->y && a->z == b->z));
}

/* Marks the pixels that the next round may change: the neighbours of changed pixels. */
static void
mark_neighbours (const Map *map,
                 gint64     index,
                 guint8    *may_change)
{
  gint64 neighbours[REF_MAX_NEIGHBOURS];
  int    n = ref_neighbours (map->size, map->connectivity, index, neighbours);

  for (int i = 0; i < n; i++)
    may_change[neighbours[i]] = TRUE;
}

static void
tell (const Map *map,
      double    *distance,
      guint64   *nearest)
{
  const RefSize *size = map->size;

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    {
      const Site *site = &map->held[p];
      const Site  here = point (size, p);

      distance[p] = site->known ? squared_distance (map, &here, site) : INFINITY;
      nearest[p]  = ! site->known || site->x < 0 || site->x >= size->width ||
                    site->y < 0 || site->y >= size->height ||
                    site->z < 0 || site->z >= size->depth
                    ? REF_NONE : (guint64) ref_index (size, site->x, site->y, site->z);
    }
}

/* @distance: squared */
void
ref_distance_propagated (const RefSize     *size,
                         int                connectivity,
                         const guint8      *foreground,
                         const RefDistance *options,
                         double            *distance,
                         guint64           *nearest)
{
  const gint64       n          = ref_n_pixels (size);
  g_autofree Site   *held       = g_new0 (Site, n);
  g_autofree Site   *next       = g_new0 (Site, n);
  g_autofree guint8 *may_change = g_malloc (n);
  g_autofree guint8 *may_next   = g_malloc (n);
  const Map          map        = { size, foreground, options, connectivity, held };
  gboolean           changed    = TRUE;

  memset (may_change, TRUE, n);
  for (gint64 p = 0; p < n; p++)
    if (! foreground[p])
      held[p] = point (size, p);

  while (changed)
    {
      changed = FALSE;
      memset (may_next, FALSE, n);
      for (gint64 p = 0; p < n; p++)
        {
          next[p] = may_change[p] ? next_site (&map, p) : held[p];
          if (! is_same (&next[p], &held[p]))
            {
              changed = TRUE;
              mark_neighbours (&map, p, may_next);
            }
        }
      memcpy (held, next, n * sizeof *held);
      memcpy (may_change, may_next, n);
    }
  tell (&map, distance, nearest);
}
