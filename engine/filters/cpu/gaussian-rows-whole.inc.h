/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of integers, which are exact in any order, for one type of pixel: the
 * including file defines WF_PIXEL and WF_NAME().  engine/filters/filters.c shows why no sum
 * overflows.
 *
 * Sums are accumulated in memory that stays in the first-level cache, two pairs of pixels at
 * a time.  The pixels of a pair have the same weight: they are added first if their sum
 * fits the factor's type, and share one multiplication.
 */

static inline void
WF_NAME (add_lines) (const WF_PIXEL *restrict a,
                     const WF_PIXEL *restrict b,
                     guint32                  v,
                     const WF_PIXEL *restrict c,
                     const WF_PIXEL *restrict d,
                     guint32                  w,
                     gint64                   n,
                     guint32 *restrict        sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] += v * ((guint32) a[x] + b[x]) + w * ((guint32) c[x] + d[x]);
}

static void
WF_NAME (pixels) (const WfGaussian    *gaussian,
                  gconstpointer const *lines,
                  gint64               n,
                  gpointer             out)
{
  const guint32  *w      = gaussian->whole;
  const gint64    radius = gaussian->radius;
  const WF_PIXEL *middle = lines[0];
  guint32        *sums   = out;
  gint64          k;

  for (gint64 x = 0; x < n; x++)
    sums[x] = w[0] * middle[x];
  for (k = 1; k < radius; k += 2)
    WF_NAME (add_lines) (lines[2 * k - 1], lines[2 * k], w[k],
                         lines[2 * k + 1], lines[2 * k + 2], w[k + 1], n, sums);
  if (k == radius)
    WF_NAME (add_lines) (lines[2 * k - 1], lines[2 * k], w[k], middle, middle, 0, n, sums);
}

/* Sums of u8 are below 2²⁴, so the sum of two fits 32 bits. */
static inline void
WF_NAME (add_sums) (const guint32 *restrict a,
                    const guint32 *restrict b,
                    guint32                 w,
                    gint64                  n,
                    guint64 *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    if (sizeof (WF_PIXEL) == 1)
      sums[x] += (guint64) (a[x] + b[x]) * w;
    else
      sums[x] += (guint64) a[x] * w + (guint64) b[x] * w;
}

static inline void
WF_NAME (start_sums) (const guint32 *restrict middle,
                      guint32                 w,
                      gint64                  n,
                      guint64 *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] = (guint64) middle[x] * w;
}

static void
WF_NAME (sums) (const WfGaussian    *gaussian,
                gconstpointer const *lines,
                gint64               n,
                gpointer             sums)
{
  WF_NAME (start_sums) (lines[0], gaussian->whole[0], n, sums);
  for (gint64 k = 1; k <= gaussian->radius; k++)
    WF_NAME (add_sums) (lines[2 * k - 1], lines[2 * k], gaussian->whole[k], n, sums);
}

static inline void
WF_NAME (round_sums) (const guint64 *restrict sums,
                      gint64                  n,
                      int                     bits,
                      WF_PIXEL *restrict      target)
{
  const guint64 half = G_GUINT64_CONSTANT (1) << (bits - 1);

  for (gint64 x = 0; x < n; x++)
    target[x] = (WF_PIXEL) ((sums[x] + half) >> bits);
}

static void
WF_NAME (image_row) (const WfGaussian *gaussian,
                     gconstpointer     row,
                     gint64            n,
                     gpointer          scratch,
                     gpointer          target)
{
  const guint32 *sums = row;

  WF_NAME (start_sums) (sums, gaussian->whole[0], n, scratch);
  for (gint64 k = 1; k <= gaussian->radius; k++)
    WF_NAME (add_sums) (sums - k, sums + k, gaussian->whole[k], n, scratch);
  WF_NAME (round_sums) (scratch, n, 2 * WF_GAUSSIAN_BITS, target);
}

static inline void
WF_NAME (add_wide) (const guint64 *restrict a,
                    const guint64 *restrict b,
                    guint64                 w,
                    gint64                  n,
                    guint64 *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] += (a[x] + b[x]) * w;
}

static void
WF_NAME (stack_row) (const WfGaussian *gaussian,
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
    WF_NAME (add_wide) (wide - k, wide + k, gaussian->whole[k], n, sums);
  WF_NAME (round_sums) (sums, n, 3 * WF_GAUSSIAN_BITS, target);
}
