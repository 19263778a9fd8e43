/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The median of an image by a network (median-network.c).
 *
 * The medians of some rows are found together, in blocks along x for which the network's rows
 * stay in the caches.  The rows of the image are copied to the first of them with their margins.
 * Minima and maxima of f32 may give either zero where both are there; all leave as +0.
 */

#include "config.h"

#include <string.h>

#include "engine/core/image.h"
#include "median.h"
#include "median-network.h"

#define CACHE_LINE 64

/* Bytes of a row of medians in a block: more if its margins were more than an eighth of it. */
#define LEAST_OF_BLOCK 512
#define MARGINS        8

/* Smaller images are not worth a network that is perhaps to be made first, in radii and in
 * squares of the radius, and narrower ones use too little of vectors.
 */
#define LEAST_WIDTH  4
#define LEAST_PIXELS 100

/* By instruction set and type: the radius up to which a network is faster than histograms. */
static const guint8 widest[WF_N_SIMD][3] =
{
  [WF_SIMD_PLAIN]  = { 6, 9, 6 },
  [WF_SIMD_SSE2]   = { 7, 13, 9 },
  [WF_SIMD_AVX2]   = { 9, WF_MEDIAN_NETWORK, 12 },
  [WF_SIMD_AVX512] = { 11, WF_MEDIAN_NETWORK, 13 },
};

/* Smaller windows have loops of their own (median-small.inc.h). */
static const guint8 narrowest[WF_N_SIMD] =
{
  [WF_SIMD_PLAIN]  = 3,
  [WF_SIMD_SSE2]   = 2,
  [WF_SIMD_AVX2]   = 2,
  [WF_SIMD_AVX512] = 2,
};


gboolean
wf_median_suits_network (const WfImage *image,
                         gint64         radius)
{
  const WfSimd level = wf_simd_level ();

  if (image->depth > 1 || radius < narrowest[level] ||
      radius > widest[level][wf_median_type (image->type)])
    return FALSE;
  return radius == 2 || (image->width >= LEAST_WIDTH * radius &&
                         image->width * image->height >= LEAST_PIXELS * radius * radius);
}

static gint64
block_width (const WfImage *image,
             gint64         radius)
{
  const gint64 size  = (gint64) wf_type_size (image->type);
  const gint64 lines = (MARGINS * 2 * radius * size + CACHE_LINE - 1) / CACHE_LINE;

  return MAX (LEAST_OF_BLOCK, lines * CACHE_LINE) / size;
}

/* An odd number of cache lines: then those of all rows are spread over the whole cache. */
static gsize
stride_of (const WfImage *image,
           gint64         radius)
{
  const gsize bytes = (block_width (image, radius) + 2 * radius) * wf_type_size (image->type)
                      + wf_network_steps ()->bytes;

  return ((bytes + CACHE_LINE - 1) / CACHE_LINE | 1) * CACHE_LINE;
}

/* Bytes of each thread. */
gsize
wf_median_scratch_of_network (const WfImage *image,
                              gint64         radius)
{
  const int n_rows = radius == 2 ? WF_FIVE_ROWS : wf_median_network (radius)->n_rows;

  return n_rows * stride_of (image, radius) + CACHE_LINE;
}

/* Bytes of all threads together. */
gsize
wf_median_memory_of_network (gint64 radius)
{
  return radius == 2 ? 0 : wf_median_network (radius)->bytes;
}

gint64
wf_median_rows_of_network (gint64 radius)
{
  return radius == 2 ? WF_FIVE_TOGETHER : wf_median_network (radius)->n_results;
}

static void
repeat (char       *target,
        const char *pixel,
        gsize       size,
        gint64      n)
{
  for (gint64 i = 0; i < n; i++)
    memcpy (target + i * size, pixel, size);
}

/* @n pixels of row @y from @x on.  Beyond the image its pixels at the ends are repeated. */
static void
copy_row (const WfImage *image,
          gint64         x,
          gint64         y,
          gint64         n,
          char          *target)
{
  const gsize  size   = wf_type_size (image->type);
  const char  *row    = wf_image_row (image, CLAMP (y, 0, image->height - 1));
  const gint64 before = CLAMP (-x, 0, n);
  const gint64 inside = CLAMP (image->width - x, before, n) - before;

  repeat (target, row, size, before);
  memcpy (target + before * size, row + (x + before) * size, inside * size);
  repeat (target + (before + inside) * size, row + (image->width - 1) * size, size,
          n - before - inside);
}

static void
copy_medians (const WfImage *image,
              const char    *row,
              gint64         n,
              char          *target)
{
  if (image->type == WF_TYPE_F32)
    for (gint64 x = 0; x < n; x++)
      ((float *) target)[x] = ((const float *) row)[x] + 0.0f;
  else
    memcpy (target, row, n * wf_type_size (image->type));
}

/* Returns: the numbers of the rows of medians. */
static const guint16 *
find_medians (const WfImage *image,
              gint64         radius,
              char          *rows,
              gsize          stride,
              gint64         n)
{
  static const guint16   of_five[WF_FIVE_TOGETHER] = { 0, 1, 2, 3 };
  const WfNetworkSteps  *steps                     = wf_network_steps ();
  const int              type                      = wf_median_type (image->type);
  const WfMedianNetwork *network;

  if (radius == 2)
    {
      steps->five[type] (rows, stride, n);
      return of_five;
    }
  network = wf_median_network (radius);
  steps->run[type] (network, rows, stride, n);
  return network->results;
}

/* The medians of wf_median_rows_of_network() rows from @y on, as far as the image has them.
 * @scratch: of wf_median_scratch_of_network() bytes
 */
void
wf_median_by_network (const WfImage *image,
                      gint64         radius,
                      gint64         y,
                      WfImage       *target,
                      gpointer       scratch)
{
  const gsize   size     = wf_type_size (image->type);
  const gsize   stride   = stride_of (image, radius);
  const gint64  width    = block_width (image, radius);
  const gint64  together = wf_median_rows_of_network (radius);
  char         *rows     = (char *) (((guintptr) scratch + CACHE_LINE - 1)
                                     / CACHE_LINE * CACHE_LINE);

  for (gint64 x = 0; x < image->width; x += width)
    {
      const gint64   n = MIN (width, image->width - x);
      const guint16 *results;

      for (gint64 i = 0; i < 2 * radius + together; i++)
        copy_row (image, x - radius, y - radius + i, n + 2 * radius, rows + i * stride);
      results = find_medians (image, radius, rows, stride, n);
      for (gint64 i = 0; i < MIN (together, image->height - y); i++)
        copy_medians (image, rows + results[i] * stride, n,
                      (char *) wf_image_row (target, y + i) + x * size);
    }
}


/*  3 × 3  */

gboolean
wf_median_suits_pairs (const WfImage *image,
                       gint64         radius)
{
  return image->depth == 1 && radius == 1 && wf_simd_level () != WF_SIMD_PLAIN;
}

/* The medians of rows @y and @y + 1, if the image has that. */
void
wf_median_of_pair (const WfImage *image,
                   gint64         y,
                   WfImage       *target)
{
  const int    type = wf_median_type (image->type);
  WfMedianPair pair = {
    .n       = image->width,
    .targets = { wf_image_row (target, y),
                 y + 1 < image->height ? wf_image_row (target, y + 1) : NULL },
  };

  for (int i = 0; i < 4; i++)
    pair.rows[i] = wf_image_row (image, CLAMP (y - 1 + i, 0, image->height - 1));
  wf_network_steps ()->three[type] (&pair);
}
