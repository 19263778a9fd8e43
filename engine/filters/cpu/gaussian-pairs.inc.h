/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adds pairs of rows to sums, two pairs at a time: the including file defines WF_ROW, the type of
 * what the rows hold, WF_SUM, that of the sums, and WF_NAME().
 *
 * The members of a pair have the same weight: they are added first, which fits 32 bits, and share
 * one multiplication.
 */

static inline void
WF_NAME (add_two_pairs) (const WF_ROW *restrict a,
                         const WF_ROW *restrict b,
                         guint32                v,
                         const WF_ROW *restrict c,
                         const WF_ROW *restrict d,
                         guint32                w,
                         gint64                 n,
                         WF_SUM *restrict       sums)
{
  for (gint64 x = 0; x < n; x++)
    sums[x] += (WF_SUM) ((guint32) a[x] + b[x]) * v + (WF_SUM) ((guint32) c[x] + d[x]) * w;
}

/* @lines: the middle one, which is not added, then pairs, as #WfGaussianSteps has them */
static inline void
WF_NAME (add_pairs) (const WfGaussian    *gaussian,
                     gconstpointer const *lines,
                     gint64               n,
                     WF_SUM              *sums)
{
  const guint32 *w      = gaussian->whole;
  const gint64   radius = gaussian->radius;
  gint64         k;

  for (k = 1; k < radius; k += 2)
    WF_NAME (add_two_pairs) (lines[2 * k - 1], lines[2 * k], w[k],
                             lines[2 * k + 1], lines[2 * k + 2], w[k + 1], n, sums);
  if (k == radius)
    WF_NAME (add_two_pairs) (lines[2 * k - 1], lines[2 * k], w[k], lines[0], lines[0], 0, n, sums);
}

#undef WF_ROW
#undef WF_SUM
#undef WF_NAME
