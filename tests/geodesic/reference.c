/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Geodesic distances by the definition: steps are taken until none makes a sum smaller (Bellman
 * and Ford).
 */

#include <math.h>

#include "tests/reference/reference.h"

#define UNREACHED G_MAXUINT64

static const struct
{
  guint64 unit;
  guint64 weights[3];
} metrics[] =
{
  { 280, { 280, 396, 485 } },
  { 1, { 1, 0, 0 } },
  { 1, { 1, 1, 1 } },
  { 3, { 3, 4, 5 } },
  { 5, { 5, 7, 9 } },
};

/* How many coordinates of two neighbours differ. */
static int
count_changes (const RefSize *size,
               gint64         p,
               gint64         q)
{
  return (p % size->width != q % size->width) +
         (p / size->width % size->height != q / size->width % size->height) +
         (p / size->width / size->height != q / size->width / size->height);
}

static gboolean
improve (const RefSize  *size,
         int             metric,
         const guint32  *costs,
         const gboolean *inside,
         gint64          p,
         guint64        *sums)
{
  const int all  = size->depth > 1 ? 26 : 8;
  const int face = size->depth > 1 ? 6 : 4;
  gint64    neighbours[REF_MAX_NEIGHBOURS];
  const int n       = ref_neighbours (size, metric == 1 ? face : all, p, neighbours);
  gboolean  changed = FALSE;

  for (int i = 0; i < n; i++)
    {
      const gint64 q    = neighbours[i];
      guint64      step = metrics[metric].weights[count_changes (size, p, q) - 1];

      if (costs)
        step *= (guint64) costs[p] + costs[q];
      if (inside[q] && sums[q] != UNREACHED && sums[q] + step < sums[p])
        {
          sums[p] = sums[q] + step;
          changed = TRUE;
        }
    }
  return changed;
}

/* @metric: a WfGeodesicMetric.  Pixels are visited forth and back, which only saves time. */
void
ref_geodesic (const RefSize  *size,
              int             metric,
              double          threshold,
              const double   *mask,
              const gboolean *marked,
              const guint32  *costs,
              float          *out)
{
  const gint64         n       = ref_n_pixels (size);
  g_autofree guint64  *sums    = g_new (guint64, n);
  g_autofree gboolean *inside  = g_new (gboolean, n);
  gboolean             changed = TRUE;

  for (gint64 p = 0; p < n; p++)
    {
      inside[p] = isnan (threshold) ? mask[p] != 0 : mask[p] > threshold;
      sums[p]   = inside[p] && marked[p] ? 0 : UNREACHED;
    }
  while (changed)
    {
      changed = FALSE;
      for (gint64 p = 0; p < n; p++)
        changed |= inside[p] && improve (size, metric, costs, inside, p, sums);
      for (gint64 p = n - 1; p >= 0; p--)
        changed |= inside[p] && improve (size, metric, costs, inside, p, sums);
    }
  for (gint64 p = 0; p < n; p++)
    out[p] = sums[p] == UNREACHED
             ? INFINITY
             : (float) ((double) sums[p] / (double) (metrics[metric].unit * (costs ? 2 : 1)));
}
