/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of u8, which are exact in any order.  engine/filters/filters.c shows why no sum
 * overflows.
 *
 * Sums are accumulated in memory that stays in the first-level cache.
 */

#define WF_ROW     guint8
#define WF_SUM     guint32
#define WF_NAME(x) x##_of_u8
#include "gaussian-pairs.inc.h"

static void
pixels_of_u8 (const WfGaussian    *gaussian,
              gconstpointer const *lines,
              gint64               n,
              gpointer             scratch,
              gpointer             out)
{
  const guint8 *middle = lines[0];
  guint32      *sums   = out;

  for (gint64 x = 0; x < n; x++)
    sums[x] = gaussian->whole[0] * middle[x];
  add_pairs_of_u8 (gaussian, lines, n, sums);
}

/* Sums of u8 are below 2²⁴, so the sum of two fits 32 bits. */
static inline void
add_sums_of_u8 (const guint32 *restrict a,
                const guint32 *restrict b,
                guint32                 w,
                gint64                  n,
                guint64 *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] += (guint64) (a[x] + b[x]) * w;
}

static inline void
start_sums_of_u8 (const guint32 *restrict middle,
                  guint32                 w,
                  gint64                  n,
                  guint64 *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] = (guint64) middle[x] * w;
}

static void
sums_of_u8 (const WfGaussian    *gaussian,
            gconstpointer const *lines,
            gint64               n,
            gpointer             scratch,
            gpointer             sums)
{
  start_sums_of_u8 (lines[0], gaussian->whole[0], n, sums);
  for (gint64 k = 1; k <= gaussian->radius; k++)
    add_sums_of_u8 (lines[2 * k - 1], lines[2 * k], gaussian->whole[k], n, sums);
}

static inline void
round_sums_of_u8 (const guint64 *restrict sums,
                  gint64                  n,
                  int                     bits,
                  guint8 *restrict        target)
{
  const guint64 half = G_GUINT64_CONSTANT (1) << (bits - 1);

  for (gint64 x = 0; x < n; x++)
    target[x] = (guint8) ((sums[x] + half) >> bits);
}

static void
image_row_of_u8 (const WfGaussian *gaussian,
                 gconstpointer     row,
                 gint64            n,
                 gpointer          scratch,
                 gpointer          target)
{
  const guint32 *sums = row;

  start_sums_of_u8 (sums, gaussian->whole[0], n, scratch);
  for (gint64 k = 1; k <= gaussian->radius; k++)
    add_sums_of_u8 (sums - k, sums + k, gaussian->whole[k], n, scratch);
  round_sums_of_u8 (scratch, n, 2 * WF_GAUSSIAN_BITS_U8, target);
}

static inline void
add_wide_of_u8 (const guint64 *restrict a,
                const guint64 *restrict b,
                guint64                 w,
                gint64                  n,
                guint64 *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] += (a[x] + b[x]) * w;
}

static void
stack_row_of_u8 (const WfGaussian *gaussian,
                 gconstpointer     row,
                 gint64            n,
                 gpointer          scratch,
                 gpointer          target)
{
  const guint64 *wide = row;
  guint64       *sums = scratch;

  for (gint64 x = 0; x < n; x++)
    sums[x] = wide[x] * gaussian->whole[0];
  for (gint64 k = 1; k <= gaussian->radius; k++)
    add_wide_of_u8 (wide - k, wide + k, gaussian->whole[k], n, sums);
  round_sums_of_u8 (sums, n, 3 * WF_GAUSSIAN_BITS_U8, target);
}
