/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosions and dilations once more, for wide structuring elements: the extreme of a row of the
 * element is that of two runs of 2^k pixels, which overlap.
 */

#include "tests/reference/reference.h"

#define MAX_LENGTHS 16

/* @of_length: for each k and pixel the extreme of the 2^k pixels of its row that begin there */
typedef struct
{
  gint64   width;
  gboolean greatest;
  double  *of_length[MAX_LENGTHS];
} Runs;

static double
farther (const Runs *runs,
         double      a,
         double      b)
{
  return runs->greatest ? MAX (a, b) : MIN (a, b);
}

static void
runs_init (Runs          *runs,
           const RefSize *size,
           gint64         longest,
           gboolean       greatest,
           const double  *image)
{
  const gint64 n = ref_n_pixels (size);

  *runs = (Runs) { .width = size->width, .greatest = greatest };
  runs->of_length[0] = g_memdup2 (image, n * sizeof *image);
  for (int k = 1; k < MAX_LENGTHS && (gint64) 1 << k <= MIN (longest, size->width); k++)
    {
      const gint64  half   = (gint64) 1 << (k - 1);
      const double *halves = runs->of_length[k - 1];

      runs->of_length[k] = g_new (double, n);
      for (gint64 p = 0; p < n; p++)
        runs->of_length[k][p] = p % size->width + 2 * half <= size->width
                                ? farther (runs, halves[p], halves[p + half]) : halves[p];
    }
}

static void
runs_clear (Runs *runs)
{
  for (int k = 0; k < MAX_LENGTHS; k++)
    g_free (runs->of_length[k]);
}

/* Of the pixels @first to @last of a row. */
static double
extreme_of_run (const Runs *runs,
                gint64      row,
                gint64      first,
                gint64      last)
{
  const int     k       = (int) g_bit_storage ((gulong) (last - first + 1)) - 1;
  const double *extreme = runs->of_length[k] + row * runs->width;

  return farther (runs, extreme[first], extreme[last + 1 - ((gint64) 1 << k)]);
}

/* How far the element reaches along its row, or -1 where it has no such row. */
static gint64
half_width (const RefMorphology *options,
            gint64               dy,
            gint64               dz)
{
  const gint64 r = options->radius;
  gint64       w = r;

  if (! options->disc)
    return ABS (dy) <= r && ABS (dz) <= r ? r : -1;
  while (w >= 0 && w * w + dy * dy + dz * dz > r * r)
    w--;
  return w;
}

/* Erosion, or dilation, by the structuring element of @options. */
void
ref_erosion_quick (const RefSize       *size,
                   const RefMorphology *options,
                   gboolean             dilation,
                   const double        *image,
                   double              *out)
{
  const gint64 r = options->radius;
  Runs         runs;

  runs_init (&runs, size, 2 * r + 1, dilation, image);
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    out[p] = image[p];
  for (gint64 dz = -MIN (r, size->depth - 1); dz <= MIN (r, size->depth - 1); dz++)
    for (gint64 dy = -MIN (r, size->height - 1); dy <= MIN (r, size->height - 1); dy++)
      {
        const gint64 w = half_width (options, dy, dz);

        for (gint64 z = MAX (0, -dz); w >= 0 && z < size->depth - MAX (0, dz); z++)
          for (gint64 y = MAX (0, -dy); y < size->height - MAX (0, dy); y++)
            {
              const gint64  row = (z + dz) * size->height + y + dy;
              double       *to  = out + (z * size->height + y) * size->width;

              for (gint64 x = 0; x < size->width; x++)
                to[x] = farther (&runs, to[x], extreme_of_run (&runs, row, MAX (x - w, 0),
                                                               MIN (x + w, size->width - 1)));
            }
      }
  runs_clear (&runs);
}
