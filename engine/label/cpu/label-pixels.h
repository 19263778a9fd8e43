/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps over the pixels of an image of u32 labels whose runs are short, compiled for each
 * instruction set: each label that occurs has an entry of a table.
 */

#pragma once

#include <glib.h>

#include "engine/cpu/simd.h"

/**
 * WfLabelCounts:
 * @low: of each label, the number of its pixels modulo 2³²
 * @high: how often that was exceeded; %NULL for an image of fewer pixels
 *
 * Numbers of pixels.
 */
typedef struct
{
  guint32 *low;
  guint32 *high;
} WfLabelCounts;

/* The most pixels that are worked on at once. */
#define WF_PIECE 2048

/* Stretches of an image that are read by turns. */
#define WF_STREAMS 4

/**
 * WfLabelAhead:
 * @bytes: of each stream, of which one cache line is read for each 64 pixels
 *
 * What is read ahead, into the caches.
 */
typedef struct
{
  const char *bytes[WF_STREAMS];
} WfLabelAhead;

/**
 * WfLabelPixelSweeps:
 * @scan: sets the bits of the pixels at which runs begin, as in bit-rows.h, and finds the highest
 *   label; returns the number of runs
 * @list: the labels of the runs, in their order; there is room for @n of them
 * @mark: sets the byte of each label of a run to 1; several threads may do so at once
 * @count: adds the numbers of pixels of the runs to those of their labels
 * @look_up: writes the entry that each pixel has in a table; may be in place.  @streamed: bypasses
 *   the caches
 *
 * @n is 1 to WF_PIECE.
 */
typedef struct
{
  gint64 (* scan)    (const guint32 *pixels, gint64 n, const WfLabelAhead *ahead,
                      guint64 *starts, guint32 *highest);
  void   (* list)    (const guint32 *pixels, gint64 n, const guint64 *starts, guint32 *labels);
  void   (* mark)    (const guint32 *pixels, gint64 n, const guint64 *starts, guint8 *marks);
  void   (* count)   (const guint32 *pixels, gint64 n, const guint64 *starts,
                      const WfLabelCounts *counts);
  void   (* look_up) (const guint32 *pixels, gint64 n, const WfLabelAhead *ahead,
                      const guint32 *table, gboolean streamed, guint32 *out);
} WfLabelPixelSweeps;

WF_SIMD_DECLARE (WfLabelPixelSweeps, wf_label_pixel_sweeps);

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
