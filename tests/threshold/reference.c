/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Local thresholds as engine/threshold/threshold.c defines them: each window is visited pixel by
 * pixel.
 */

#include <float.h>
#include <math.h>

#include "tests/reference/reference.h"

/* @sum: of the window around a pixel; @squares: n Q − S²; @n: its pixels */
typedef struct
{
  double sum;
  double squares;
  double n;
} Window;


static double
level_in (const RefThreshold *options,
          double              level)
{
  return options->highest > 0 ? level : fmax (-FLT_MAX, fmin (FLT_MAX, level));
}

/* Columns from the left; in each, slices from above, and rows from above in each slice. */
static Window
window_at (const RefSize      *size,
           const RefThreshold *options,
           const double       *image,
           gint64              x,
           gint64              y,
           gint64              z)
{
  Window           window  = { 0 };
  double           squares = 0;
  unsigned __int128 whole  = 0;
  unsigned __int128 whole_squares = 0;

  for (gint64 i = x - options->radius; i <= x + options->radius; i++)
    {
      double column  = 0;
      double column2 = 0;

      if (i < 0 || i >= size->width)
        continue;
      for (gint64 k = MAX (z - options->radius, 0);
           k <= MIN (z + options->radius, size->depth - 1); k++)
        for (gint64 j = MAX (y - options->radius, 0);
             j <= MIN (y + options->radius, size->height - 1); j++)
          {
            const double level = level_in (options, image[(k * size->height + j) * size->width
                                                          + i]);

            column  += level;
            column2 += level * level;
            window.n++;
          }
      window.sum += column;
      squares    += column2;
      if (options->highest > 0)
        {
          whole         += (guint64) column;
          whole_squares += (guint64) column2;
        }
    }
  window.squares = options->highest > 0
                   ? (double) ((unsigned __int128) window.n * whole_squares - whole * whole)
                   : fmax (window.n * squares - window.sum * window.sum, 0);
  return window;
}

static double
threshold_at (const RefThreshold *options,
              const Window       *window)
{
  const double mean      = window->sum / window->n;
  const double deviation = sqrt (window->squares) / window->n;

  if (options->method == REF_THRESHOLD_MEAN)
    return mean - options->offset;
  return mean * (1 + options->k * (deviation / options->range - 1)) - options->offset;
}

/* g, of an image times @scale. */
static double *
smooth (const RefSize      *size,
        const RefThreshold *options,
        const double       *image)
{
  const gint64       n      = ref_n_pixels (size);
  const double       scale  = options->highest == 255 ? 256 : 1;
  const RefFilter    filter = { .highest = options->highest > 0 ? 65535 : 0,
                                .sigma = options->sigma };
  g_autofree double *wide   = g_new (double, n);
  double            *result = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    wide[p] = image[p] * scale;
  ref_gaussian (size, &filter, wide, result);
  for (gint64 p = 0; p < n; p++)
    result[p] /= scale;
  return result;
}

/* @out: 255 or 0 */
void
ref_threshold (const RefSize      *size,
               const RefThreshold *options,
               const double       *image,
               double             *out)
{
  g_autofree double *means = options->method == REF_THRESHOLD_GAUSSIAN
                             ? smooth (size, options, image) : NULL;

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    {
      gboolean above;

      if (options->method == REF_THRESHOLD_GLOBAL)
        above = isnan (options->threshold) ? image[p] != 0 : image[p] > options->threshold;
      else if (means)
        above = image[p] > means[p] - options->offset;
      else
        {
          const Window window = window_at (size, options, image, p % size->width,
                                           p / size->width % size->height,
                                           p / size->width / size->height);

          above = image[p] > threshold_at (options, &window);
        }
      out[p] = above != options->below ? 255 : 0;
    }
}
