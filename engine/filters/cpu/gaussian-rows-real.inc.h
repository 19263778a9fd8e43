/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of floats, each operation rounded, in the order that
 * engine/filters/filters.c defines.  Two pairs are added in each pass over a row.
 */

static inline float
bounded (float value)
{
  value = value < FLT_MAX ? value : FLT_MAX;
  return value > -FLT_MAX ? value : -FLT_MAX;
}

static inline void
start_floats (const float *restrict middle,
              float                 w,
              gint64                n,
              float *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] = w * bounded (middle[x]);
}

static inline void
add_pair (const float *restrict a,
          const float *restrict b,
          float                 w,
          gint64                n,
          float *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] = sums[x] + (w * bounded (a[x]) + w * bounded (b[x]));
}

static inline void
add_pairs (const float *restrict a,
           const float *restrict b,
           float                 v,
           const float *restrict c,
           const float *restrict d,
           float                 w,
           gint64                n,
           float *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    {
      const float sum = sums[x] + (v * bounded (a[x]) + v * bounded (b[x]));

      sums[x] = sum + (w * bounded (c[x]) + w * bounded (d[x]));
    }
}

/* @target may be @sums. */
static inline void
finish_floats (const float *sums,
               gint64       n,
               float       *target)
{
  for (gint64 x = 0; x < n; x++)
    target[x] = bounded (sums[x]) + 0.0f;
}

static void
pixels_of_f32 (const WfGaussian    *gaussian,
               gconstpointer const *lines,
               gint64               n,
               gpointer             scratch,
               gpointer             sums)
{
  const float  *w      = gaussian->real;
  const gint64  radius = gaussian->radius;
  gint64        k;

  start_floats (lines[0], w[0], n, sums);
  for (k = 1; k < radius; k += 2)
    add_pairs (lines[2 * k - 1], lines[2 * k], w[k],
               lines[2 * k + 1], lines[2 * k + 2], w[k + 1], n, sums);
  if (k == radius)
    add_pair (lines[2 * k - 1], lines[2 * k], w[k], n, sums);
  finish_floats (sums, n, sums);
}

static void
sums_of_f32 (const WfGaussian    *gaussian,
             gconstpointer const *lines,
             gint64               n,
             gpointer             scratch,
             gpointer             sums)
{
  pixels_of_f32 (gaussian, lines, n, scratch, sums);
}

static void
image_row_of_f32 (const WfGaussian *gaussian,
                  gconstpointer     row,
                  gint64            n,
                  gpointer          scratch,
                  gpointer          target)
{
  const float  *w      = gaussian->real;
  const float  *sums   = row;
  const gint64  radius = gaussian->radius;
  gint64        k;

  start_floats (sums, w[0], n, scratch);
  for (k = 1; k < radius; k += 2)
    add_pairs (sums - k, sums + k, w[k], sums - k - 1, sums + k + 1, w[k + 1], n, scratch);
  if (k == radius)
    add_pair (sums - k, sums + k, w[k], n, scratch);
  finish_floats (scratch, n, target);
}
