/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers of pixels of labels, each of which has an entry of a table. */

#pragma once

#include <glib.h>

/**
 * WfLabelCounts:
 * @low: of each label, the number of its pixels modulo 2³²
 * @high: how often that was exceeded; %NULL for an image of fewer pixels
 *
 * Numbers of pixels.  That of label 0, of no region, need not be right.
 */
typedef struct
{
  guint32 *low;
  guint32 *high;
} WfLabelCounts;

/* Adds pixels to a label while no other thread does. */
static inline void
wf_label_counts_add (const WfLabelCounts *counts,
                     guint32              label,
                     guint32              n)
{
  const guint32 sum = counts->low[label] + n;

  counts->low[label] = sum;
  if (G_UNLIKELY (sum < n))
    counts->high[label]++;
}

/* While other threads do so, too. */
static inline void
wf_label_counts_add_shared (const WfLabelCounts *counts,
                            guint32              label,
                            guint32              n)
{
  const guint32 before = __atomic_fetch_add (&counts->low[label], n, __ATOMIC_RELAXED);

  if (G_UNLIKELY (before + n < n))
    __atomic_fetch_add (&counts->high[label], 1, __ATOMIC_RELAXED);
}

/* Adds the pixels of @n_runs runs with @labels, which begin at @places; the last one ends at @end.
 * Label 0 is left out: where it lies between all others, its sums would wait for each other.
 */
static inline void
wf_label_counts_add_runs (WfLabelCounts  counts,
                          const guint32 *labels,
                          const guint32 *places,
                          gint64         n_runs,
                          guint32        end,
                          gboolean       shared)
{
  for (gint64 i = 0; i < n_runs; i++)
    {
      const guint32 next = i + 1 < n_runs ? places[i + 1] : end;

      if (labels[i] == 0)
        continue;
      if (shared)
        wf_label_counts_add_shared (&counts, labels[i], next - places[i]);
      else
        wf_label_counts_add (&counts, labels[i], next - places[i]);
    }
}
