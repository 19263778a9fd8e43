/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations by reconstruction, definition by definition. */

#include <math.h>
#include <string.h>

#include "tests/reference/reference.h"

static void
reconstruct (const RefSize       *size,
             const RefMorphology *options,
             gboolean             by_erosion,
             const double        *mask,
             const double        *marker,
             double              *out)
{
  (options->quick ? ref_reconstruct_quick : ref_reconstruct) (size, options->connectivity,
                                                              by_erosion, mask, marker, out);
}

/* The type's least or greatest value. */
static double
utmost (const RefMorphology *options,
        gboolean             greatest)
{
  if (options->highest == 0)
    return greatest ? INFINITY : -INFINITY;
  return greatest ? options->highest : 0;
}

static gboolean
is_on_border (const RefSize *size,
              gint64         p)
{
  gint64 x = p % size->width;
  gint64 y = p / size->width % size->height;
  gint64 z = p / size->width / size->height;

  return x == 0 || x == size->width - 1 || y == 0 || y == size->height - 1 ||
         (size->depth > 1 && (z == 0 || z == size->depth - 1));
}

/* The image reconstructed from its border. */
void
ref_from_border (const RefSize       *size,
                 const RefMorphology *options,
                 gboolean             by_erosion,
                 const double        *image,
                 double              *out)
{
  gint64             n      = ref_n_pixels (size);
  g_autofree double *marker = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    marker[p] = is_on_border (size, p) ? image[p] : utmost (options, by_erosion);
  reconstruct (size, options, by_erosion, image, marker, out);
}

/* h-maxima, or h-minima. */
void
ref_h_extrema (const RefSize       *size,
               const RefMorphology *options,
               gboolean             minima,
               const double        *image,
               double              *out)
{
  gint64             n      = ref_n_pixels (size);
  double             sign   = minima ? 1 : -1;
  g_autofree double *marker = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    if (options->highest == 0)
      marker[p] = (float) (image[p] + sign * options->height);
    else
      marker[p] = CLAMP (image[p] + sign * floor (options->height), 0, options->highest);
  reconstruct (size, options, minima, image, marker, out);
}

/* |a - b|, or 0 where they are equal. */
void
ref_difference (const double *a,
                const double *b,
                gint64        n,
                double       *out)
{
  for (gint64 p = 0; p < n; p++)
    out[p] = a[p] == b[p] ? 0 : (float) fabs (a[p] - b[p]);
}

/* Lists the plateau of @first; returns whether no neighbour of it is higher. */
static gboolean
follow_plateau (const RefSize *size,
                int            connectivity,
                double         sign,
                const double  *image,
                guint8        *seen,
                gint64         first,
                gint64        *plateau,
                gint64        *n_plateau)
{
  gboolean highest = TRUE;

  *n_plateau  = 1;
  *plateau    = first;
  seen[first] = TRUE;
  for (gint64 head = 0; head < *n_plateau; head++)
    {
      gint64 p = plateau[head];
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours = ref_neighbours (size, connectivity, p, neighbours);

      for (int i = 0; i < n_neighbours; i++)
        {
          gint64 q = neighbours[i];

          if (sign * image[q] > sign * image[p])
            highest = FALSE;
          if (image[q] == image[p] && ! seen[q])
            {
              seen[q]                 = TRUE;
              plateau[(*n_plateau)++] = q;
            }
        }
    }
  return highest;
}

/* 255 in the regional maxima, or minima. */
void
ref_regional_extrema (const RefSize *size,
                      int            connectivity,
                      gboolean       minima,
                      const double  *image,
                      double        *out)
{
  gint64             n       = ref_n_pixels (size);
  g_autofree guint8 *seen    = g_new0 (guint8, n);
  g_autofree gint64 *plateau = g_new (gint64, n);

  for (gint64 p = 0; p < n; p++)
    {
      gint64   n_plateau;
      gboolean highest;

      if (seen[p])
        continue;
      highest = follow_plateau (size, connectivity, minima ? -1 : 1, image, seen, p, plateau,
                                &n_plateau);
      for (gint64 i = 0; i < n_plateau; i++)
        out[plateau[i]] = highest ? 255 : 0;
    }
}

static gboolean
is_under_element (const RefMorphology *options,
                  gint64               dx,
                  gint64               dy,
                  gint64               dz)
{
  if (options->disc)
    return dx * dx + dy * dy + dz * dz <= options->radius * options->radius;
  return ABS (dx) <= options->radius && ABS (dy) <= options->radius && ABS (dz) <= options->radius;
}

static double
extreme_under (const RefSize       *size,
               const RefMorphology *options,
               gboolean             dilation,
               const double        *image,
               gint64               x,
               gint64               y,
               gint64               z)
{
  gint64 r     = options->radius;
  double value = image[ref_index (size, x, y, z)];

  for (gint64 k = MAX (z - r, 0); k <= MIN (z + r, size->depth - 1); k++)
    for (gint64 j = MAX (y - r, 0); j <= MIN (y + r, size->height - 1); j++)
      for (gint64 i = MAX (x - r, 0); i <= MIN (x + r, size->width - 1); i++)
        if (is_under_element (options, i - x, j - y, k - z))
          {
            double other = image[ref_index (size, i, j, k)];

            value = dilation ? MAX (value, other) : MIN (value, other);
          }
  return value;
}

/* Erosion, or dilation. */
static void
erode (const RefSize       *size,
       const RefMorphology *options,
       gboolean             dilation,
       const double        *image,
       double              *out)
{
  gint64 p = 0;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++)
        out[p++] = extreme_under (size, options, dilation, image, x, y, z);
}

/* Opening, or closing, by reconstruction. */
void
ref_opening (const RefSize       *size,
             const RefMorphology *options,
             gboolean             closing,
             const double        *image,
             double              *out)
{
  g_autofree double *marker = g_new (double, ref_n_pixels (size));

  if (options->quick)
    ref_erosion_quick (size, options, closing, image, marker);
  else
    erode (size, options, closing, image, marker);
  reconstruct (size, options, closing, image, marker, out);
}

static double
next_above (const RefMorphology *options,
            double               level)
{
  if (options->highest == 0)
    return nextafterf ((float) level, INFINITY);
  return MIN (level + 1, options->highest);
}

/* @marked: not 0 where a minimum shall be */
void
ref_impose_minima (const RefSize       *size,
                   const RefMorphology *options,
                   const double        *image,
                   const double        *marked,
                   double              *out)
{
  gint64             n      = ref_n_pixels (size);
  g_autofree double *marker = g_new (double, n);
  g_autofree double *mask   = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    {
      marker[p] = utmost (options, marked[p] == 0);
      mask[p]   = MIN (next_above (options, image[p]), marker[p]);
    }
  reconstruct (size, options, TRUE, mask, marker, out);
}
