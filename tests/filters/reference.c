/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters as engine/filters/filters.c defines them.  Weights are calculated in long doubles,
 * and integers are added up in 128 bits.
 */

#include <float.h>
#include <math.h>

#include "tests/reference/reference.h"

typedef unsigned __int128 Sum;

typedef struct
{
  gint64  n;
  gint64  step;
} Line;

/* Both number and distance of the pixels along an axis: 0 for x, 1 for y, 2 for z. */
static Line
line_along (const RefSize *size,
            int            axis)
{
  return axis == 0 ? (Line) { size->width, 1 }
         : axis == 1 ? (Line) { size->height, size->width }
         : (Line) { size->depth, size->width * size->height };
}

static gint64
place_along (const RefSize *size,
             int            axis,
             gint64         p)
{
  return axis == 0 ? p % size->width
         : axis == 1 ? p / size->width % size->height : p / size->width / size->height;
}

/* The pixel @k further along an axis, or the last one before the end. */
static gint64
neighbour_along (const RefSize *size,
                 int            axis,
                 gint64         p,
                 gint64         k)
{
  const Line   line = line_along (size, axis);
  const gint64 at   = place_along (size, axis, p);

  return p + (CLAMP (at + k, 0, line.n - 1) - at) * line.step;
}


/*  The Gaussian  */

static gint64
radius_of (double sigma)
{
  return (gint64) ceil (3 * sigma);
}

/* The weight of the pixel at a distance of @k and of all beyond it, on one side. */
static long double
tail_of (double sigma,
         gint64 k)
{
  long double all  = 1;
  long double tail = 0;

  for (gint64 i = radius_of (sigma); i >= 1; i--)
    {
      const long double ratio  = (long double) i / sigma;
      const long double weight = expl (-ratio * ratio / 2);

      all += 2 * weight;
      if (i >= k)
        tail += weight;
    }
  return tail / all;
}

/* As a multiple of 1 / @one. */
static guint32
whole_weight (double      sigma,
              gint64      k,
              long double one)
{
  if (k == 0)
    return (guint32) (one - 2 * floorl (tail_of (sigma, 1) * one + 0.5L));
  return (guint32) (floorl (tail_of (sigma, k) * one + 0.5L)
                    - floorl (tail_of (sigma, k + 1) * one + 0.5L));
}

static void
add_up_whole (const RefSize *size,
              const guint32 *weights,
              gint64         radius,
              int            axis,
              Sum           *sums)
{
  const gint64    n    = ref_n_pixels (size);
  g_autofree Sum *from = g_new (Sum, n);

  for (gint64 p = 0; p < n; p++)
    from[p] = sums[p];
  for (gint64 p = 0; p < n; p++)
    {
      sums[p] = 0;
      for (gint64 k = -radius; k <= radius; k++)
        sums[p] += from[neighbour_along (size, axis, p, k)] * weights[ABS (k)];
    }
}

static Sum
rounded (Sum sum,
         int bits)
{
  return (sum + ((Sum) 1 << (bits - 1))) >> bits;
}

/* u8: one rounding in the end.  u16: sums have a fraction of 15 bits after each axis. */
static void
smooth_whole (const RefSize   *size,
              const RefFilter *options,
              const double    *image,
              double          *out)
{
  const gint64        n        = ref_n_pixels (size);
  const gint64        radius   = radius_of (options->sigma);
  const gboolean      u8       = options->highest == 255;
  const int           bits     = u8 ? 16 : 31;
  const int           fraction = u8 ? 0 : 15;
  g_autofree Sum     *sums     = g_new (Sum, n);
  g_autofree guint32 *weights  = g_new (guint32, radius + 1);

  for (gint64 k = 0; k <= radius; k++)
    weights[k] = whole_weight (options->sigma, k, (long double) ((guint64) 1 << bits));
  for (gint64 p = 0; p < n; p++)
    sums[p] = (Sum) image[p] << fraction;
  for (int axis = 2; axis >= 0; axis--)
    {
      add_up_whole (size, weights, radius, axis, sums);
      for (gint64 p = 0; p < n && ! u8 && axis > 0; p++)
        sums[p] = rounded (sums[p], bits);
    }
  for (gint64 p = 0; p < n; p++)
    out[p] = (double) (guint64) rounded (sums[p], u8 ? 3 * bits : bits + fraction);
}

static float
bounded (float value)
{
  return CLAMP (value, -FLT_MAX, FLT_MAX);
}

static void
add_up_real (const RefSize *size,
             const float   *weights,
             gint64         radius,
             int            axis,
             float         *levels)
{
  const gint64      n    = ref_n_pixels (size);
  g_autofree float *from = g_new (float, n);

  for (gint64 p = 0; p < n; p++)
    from[p] = bounded (levels[p]);
  for (gint64 p = 0; p < n; p++)
    {
      volatile float sum = weights[0] * from[p];

      for (gint64 k = 1; k <= radius; k++)
        {
          const volatile float before = weights[k] * from[neighbour_along (size, axis, p, -k)];
          const volatile float after  = weights[k] * from[neighbour_along (size, axis, p, k)];
          const volatile float both   = before + after;

          sum = sum + both;
        }
      levels[p] = bounded (sum) == 0 ? 0 : bounded (sum);
    }
}

static void
smooth_real (const RefSize *size,
             double         sigma,
             const double  *image,
             double        *out)
{
  const gint64      n       = ref_n_pixels (size);
  const gint64      radius  = radius_of (sigma);
  g_autofree float *levels  = g_new (float, n);
  g_autofree float *weights = g_new (float, radius + 1);
  long double       middle  = 1;

  for (gint64 k = 1; k <= radius; k++)
    {
      weights[k] = (float) (tail_of (sigma, k) - tail_of (sigma, k + 1));
      middle    -= 2 * (long double) weights[k];
    }
  weights[0] = (float) middle;
  for (gint64 p = 0; p < n; p++)
    levels[p] = (float) image[p];
  for (int axis = 2; axis >= 0 && radius > 0 && weights[1] > 0; axis--)
    if (axis == 0 || line_along (size, axis).n > 1)
      add_up_real (size, weights, radius, axis, levels);
  for (gint64 p = 0; p < n; p++)
    out[p] = levels[p];
}

void
ref_gaussian (const RefSize   *size,
              const RefFilter *options,
              const double    *image,
              double          *out)
{
  if (options->highest > 0)
    smooth_whole (size, options, image, out);
  else
    smooth_real (size, options->sigma, image, out);
}


/*  The gradient, erosion and dilation  */

typedef struct
{
  double lowest;
  double highest;
} Extremes;

static void
add_level (Extremes *extremes,
           double    level)
{
  extremes->lowest  = MIN (extremes->lowest, level);
  extremes->highest = MAX (extremes->highest, level);
}

static void
search_line (const RefSize   *size,
             const RefFilter *options,
             const double    *image,
             gint64           p,
             Extremes        *extremes)
{
  const double c       = cos (options->angle * G_PI / 180);
  const double s       = sin (options->angle * G_PI / 180);
  const gint64 longest = MIN (options->radius, MAX (size->width, size->height));

  for (gint64 k = -longest; k <= longest; k++)
    {
      const gboolean shallow = fabs (s) <= fabs (c);
      const gint64   x       = place_along (size, 0, p)
                               + (shallow ? k : (gint64) round (k * (c / s)));
      const gint64   y       = place_along (size, 1, p)
                               - (shallow ? (gint64) round (k * (s / c)) : k);

      if (x >= 0 && x < size->width && y >= 0 && y < size->height)
        add_level (extremes, image[ref_index (size, x, y, place_along (size, 2, p))]);
    }
}

static Extremes
search_element (const RefSize   *size,
                const RefFilter *options,
                const double    *image,
                gint64           p)
{
  const gint64 radius   = options->radius;
  const gint64 x0       = place_along (size, 0, p);
  const gint64 y0       = place_along (size, 1, p);
  const gint64 z0       = place_along (size, 2, p);
  Extremes     extremes = { image[p], image[p] };

  if (options->line)
    search_line (size, options, image, p, &extremes);
  else
    {
      for (gint64 z = MAX (z0 - radius, 0); z <= MIN (z0 + radius, size->depth - 1); z++)
        for (gint64 y = MAX (y0 - radius, 0); y <= MIN (y0 + radius, size->height - 1); y++)
          for (gint64 x = MAX (x0 - radius, 0); x <= MIN (x0 + radius, size->width - 1); x++)
            {
              const gint64 dx = x - x0;
              const gint64 dy = y - y0;
              const gint64 dz = z - z0;

              if (! options->disc || dx * dx + dy * dy + dz * dz <= radius * radius)
                add_level (&extremes, image[ref_index (size, x, y, z)]);
            }
    }
  return extremes;
}

void
ref_gradient (const RefSize   *size,
              const RefFilter *options,
              const double    *image,
              double          *out)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    {
      const Extremes extremes = search_element (size, options, image, p);

      out[p] = extremes.highest == extremes.lowest ? 0
               : options->highest > 0 ? extremes.highest - extremes.lowest
                                      : (float) extremes.highest - (float) extremes.lowest;
    }
}

/* Sums with 0 make −0 +0. */
void
ref_erosion (const RefSize   *size,
             const RefFilter *options,
             const double    *image,
             double          *out)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    out[p] = search_element (size, options, image, p).lowest + 0.0;
}

void
ref_dilation (const RefSize   *size,
              const RefFilter *options,
              const double    *image,
              double          *out)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    out[p] = search_element (size, options, image, p).highest + 0.0;
}

void
ref_plain_opening (const RefSize   *size,
                   const RefFilter *options,
                   const double    *image,
                   double          *out)
{
  g_autofree double *eroded = g_new (double, ref_n_pixels (size));

  ref_erosion (size, options, image, eroded);
  ref_dilation (size, options, eroded, out);
}

void
ref_plain_closing (const RefSize   *size,
                   const RefFilter *options,
                   const double    *image,
                   double          *out)
{
  g_autofree double *dilated = g_new (double, ref_n_pixels (size));

  ref_dilation (size, options, image, dilated);
  ref_erosion (size, options, dilated, out);
}

void
ref_plain_white_top_hat (const RefSize   *size,
                         const RefFilter *options,
                         const double    *image,
                         double          *out)
{
  g_autofree double *opened = g_new (double, ref_n_pixels (size));

  ref_plain_opening (size, options, image, opened);
  ref_difference (image, opened, ref_n_pixels (size), out);
}

void
ref_plain_black_top_hat (const RefSize   *size,
                         const RefFilter *options,
                         const double    *image,
                         double          *out)
{
  g_autofree double *closed = g_new (double, ref_n_pixels (size));

  ref_plain_closing (size, options, image, closed);
  ref_difference (closed, image, ref_n_pixels (size), out);
}


/*  The median  */

static int
compare_levels (gconstpointer a,
                gconstpointer b)
{
  const double first  = *(const double *) a;
  const double second = *(const double *) b;

  return (first > second) - (first < second);
}

/* Pixels beyond the ends are those at the ends. */
void
ref_median (const RefSize   *size,
            const RefFilter *options,
            const double    *image,
            double          *out)
{
  const gint64         r      = options->radius;
  const gint64         deep   = size->depth > 1 ? r : 0;
  const gint64         n      = (2 * r + 1) * (2 * r + 1) * (2 * deep + 1);
  g_autofree double   *window = g_new (double, n);

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    {
      gint64 i = 0;

      for (gint64 dz = -deep; dz <= deep; dz++)
        for (gint64 dy = -r; dy <= r; dy++)
          for (gint64 dx = -r; dx <= r; dx++)
            {
              const gint64 x = CLAMP (place_along (size, 0, p) + dx, 0, size->width - 1);
              const gint64 y = CLAMP (place_along (size, 1, p) + dy, 0, size->height - 1);
              const gint64 z = CLAMP (place_along (size, 2, p) + dz, 0, size->depth - 1);

              window[i++] = image[ref_index (size, x, y, z)];
            }
      qsort (window, n, sizeof (double), compare_levels);
      out[p] = window[n / 2] + 0.0;
    }
}
