/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of u16.  engine/filters/filters.c defines them, and counts the bits: sums are
 * accumulated in 64 bits, and stored in 32 after each axis but the last.
 *
 * A stored sum is below 2³¹, so that the sum of two, which have the same weight, fits the 32 bits
 * of a factor.  Sums are accumulated in memory that stays in the first-level cache.
 */

/* The fraction of a stored sum, and of the last sum. */
#define PIXEL_SHIFT (WF_GAUSSIAN_BITS_U16 - WF_GAUSSIAN_STORED_U16)
#define LAST_SHIFT  (WF_GAUSSIAN_BITS_U16 + WF_GAUSSIAN_STORED_U16)

#define WF_ROW     guint16
#define WF_SUM     guint64
#define WF_NAME(x) x##_of_u16
#include "gaussian-pairs.inc.h"

/* Of stored sums. */
#define WF_ROW     guint32
#define WF_SUM     guint64
#define WF_NAME(x) x##_of_u16_sums
#include "gaussian-pairs.inc.h"

/* Begins with half a unit of what the sums will be rounded to. */
static inline void
start_sums_of_u16 (const guint32 *restrict middle,
                   guint32                 w,
                   int                     bits,
                   gint64                  n,
                   guint64 *restrict       sums)
{
  const guint64 half = G_GUINT64_CONSTANT (1) << (bits - 1);

  for (gint64 x = 0; x < n; x++)
    sums[x] = half + (guint64) middle[x] * w;
}

static inline void
store_sums_of_u16 (const guint64 *restrict sums,
                   gint64                  n,
                   int                     bits,
                   guint32 *restrict       target)
{
  for (gint64 x = 0; x < n; x++)
    target[x] = (guint32) (sums[x] >> bits);
}

static void
pixels_of_u16 (const WfGaussian    *gaussian,
               gconstpointer const *lines,
               gint64               n,
               gpointer             scratch,
               gpointer             out)
{
  const guint64  half   = G_GUINT64_CONSTANT (1) << (PIXEL_SHIFT - 1);
  const guint16 *middle = lines[0];
  guint64       *sums   = scratch;

  for (gint64 x = 0; x < n; x++)
    sums[x] = half + (guint64) middle[x] * gaussian->whole[0];
  add_pairs_of_u16 (gaussian, lines, n, sums);
  store_sums_of_u16 (sums, n, PIXEL_SHIFT, out);
}

static void
sums_of_u16 (const WfGaussian    *gaussian,
             gconstpointer const *lines,
             gint64               n,
             gpointer             scratch,
             gpointer             out)
{
  start_sums_of_u16 (lines[0], gaussian->whole[0], WF_GAUSSIAN_BITS_U16, n, scratch);
  add_pairs_of_u16_sums (gaussian, lines, n, scratch);
  store_sums_of_u16 (scratch, n, WF_GAUSSIAN_BITS_U16, out);
}

static void
image_row_of_u16 (const WfGaussian *gaussian,
                  gconstpointer     row,
                  gint64            n,
                  gpointer          scratch,
                  gpointer          target)
{
  const guint32 *w      = gaussian->whole;
  const guint32 *middle = row;
  const gint64   radius = gaussian->radius;
  const guint64 *sums   = scratch;
  guint16       *pixels = target;
  gint64         k;

  start_sums_of_u16 (middle, w[0], LAST_SHIFT, n, scratch);
  for (k = 1; k < radius; k += 2)
    add_two_pairs_of_u16_sums (middle - k, middle + k, w[k],
                               middle - k - 1, middle + k + 1, w[k + 1], n, scratch);
  if (k == radius)
    add_two_pairs_of_u16_sums (middle - k, middle + k, w[k], middle, middle, 0, n, scratch);
  for (gint64 x = 0; x < n; x++)
    pixels[x] = (guint16) (sums[x] >> LAST_SHIFT);
}

#undef PIXEL_SHIFT
#undef LAST_SHIFT
