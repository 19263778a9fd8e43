/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "landscape.h"

/* Replaces each line along one axis by its running means over 2 × radius + 1 pixels. */
static void
smooth_lines (const RefSize *size,
              gint64         step,
              gint64         length,
              int            radius,
              double        *levels)
{
  gint64             n    = ref_n_pixels (size);
  g_autofree double *line = g_new (double, length);

  for (gint64 first = 0; first < n; first++)
    {
      double sum = 0;

      if (first / step % length != 0)
        continue;
      for (gint64 i = 0; i < length; i++)
        line[i] = levels[first + i * step];
      for (gint64 i = -radius; i <= radius; i++)
        sum += line[CLAMP (i, 0, length - 1)];
      for (gint64 i = 0; i < length; i++)
        {
          levels[first + i * step] = sum / (2 * radius + 1);
          sum += line[MIN (i + radius + 1, length - 1)] - line[MAX (i - radius, 0)];
        }
    }
}

/* Smoothed noise over a large part of the type's range: hills and basins of about
 * @smoothness pixels; in u8 with plateaux.
 */
void
make_landscape (WfType         type,
                const RefSize *size,
                int            smoothness,
                double        *levels)
{
  gint64 n       = ref_n_pixels (size);
  double lowest  = INFINITY;
  double highest = -INFINITY;
  double range   = type == WF_TYPE_U8 ? 250 : type == WF_TYPE_U16 ? 65000 : 2;

  for (gint64 p = 0; p < n; p++)
    levels[p] = g_test_rand_double ();
  for (int pass = 0; pass < 2; pass++)
    {
      smooth_lines (size, 1, size->width, smoothness, levels);
      smooth_lines (size, size->width, size->height, smoothness, levels);
      if (size->depth > 1)
        smooth_lines (size, size->width * size->height, size->depth, smoothness, levels);
    }
  for (gint64 p = 0; p < n; p++)
    {
      lowest  = MIN (lowest, levels[p]);
      highest = MAX (highest, levels[p]);
    }
  for (gint64 p = 0; p < n; p++)
    {
      levels[p] = (levels[p] - lowest) / (highest - lowest) * range;
      levels[p] = type == WF_TYPE_F32 ? (float) (levels[p] - 1) : floor (levels[p]);
    }
}

/* One corridor, a pixel wide, that winds through the whole image. */
void
make_corridor (const RefSize *size,
               double         floor,
               double         wall,
               double        *levels)
{
  gint64 n = ref_n_pixels (size);

  for (gint64 p = 0; p < n; p++)
    {
      gint64 x   = p % size->width;
      gint64 y   = p / size->width % size->height;
      gint64 gap = y / 2 % 2 ? 0 : size->width - 1;

      levels[p] = y % 2 == 1 && x != gap ? wall : floor;
    }
}
