/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by dilation of mask I from marker J: begin with min (J, I);
 * replace every pixel by the largest of itself and its neighbours, but not more
 * than I; repeat until nothing changes.  By erosion: the dual.
 */

#include <string.h>

#include "tests/reference/reference.h"

static double
clamp_to_mask (double   value,
               double   mask,
               gboolean by_erosion)
{
  return by_erosion ? MAX (value, mask) : MIN (value, mask);
}

/* One geodesic dilation or erosion of @from into @to; whether anything changed. */
static gboolean
step (const RefSize *size,
      int            connectivity,
      gboolean       by_erosion,
      const double  *mask,
      const double  *from,
      double        *to)
{
  gint64   n       = ref_n_pixels (size);
  gboolean changed = FALSE;

  for (gint64 p = 0; p < n; p++)
    {
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours = ref_neighbours (size, connectivity, p, neighbours);
      double value        = from[p];

      for (int i = 0; i < n_neighbours; i++)
        value = by_erosion ? MIN (value, from[neighbours[i]]) : MAX (value, from[neighbours[i]]);

      to[p]    = clamp_to_mask (value, mask[p], by_erosion);
      changed |= to[p] != from[p];
    }
  return changed;
}

void
ref_reconstruct (const RefSize *size,
                 int            connectivity,
                 gboolean       by_erosion,
                 const double  *mask,
                 const double  *marker,
                 double        *out)
{
  gint64            n    = ref_n_pixels (size);
  g_autofree double *from = g_new (double, n);
  g_autofree double *to   = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    from[p] = clamp_to_mask (marker[p], mask[p], by_erosion);

  while (step (size, connectivity, by_erosion, mask, from, to))
    memcpy (from, to, n * sizeof *from);

  for (gint64 p = 0; p < n; p++)
    out[p] = to[p] + 0.0; /* no −0 in a result */
}
