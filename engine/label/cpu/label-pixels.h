/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels of an image of u32 labels whose runs are short, looked up one by one: each label that
 * occurs has an entry of a table.  The step is compiled for each instruction set.
 */

#pragma once

#include <glib.h>

#include "engine/cpu/simd.h"

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

/* While the 64 pixels from @x on are worked on.  The sum is one of integers: it may be no
 * address.
 */
static inline void
wf_label_read_ahead (const WfLabelAhead *ahead,
                     gint64              x)
{
  for (int i = 0; i < WF_STREAMS; i++)
    __builtin_prefetch ((gconstpointer) ((guintptr) ahead->bytes[i] + (guintptr) x));
}

/**
 * WfLabelPixelSweeps:
 * @look_up: writes the entry that each pixel has in a table; may be in place.  @streamed: bypasses
 *   the caches
 *
 * @n is 1 to WF_PIECE.
 */
typedef struct
{
  void   (* look_up) (const guint32 *pixels, gint64 n, const WfLabelAhead *ahead,
                      const guint32 *table, gboolean streamed, guint32 *out);
} WfLabelPixelSweeps;

WF_SIMD_DECLARE (WfLabelPixelSweeps, wf_label_pixel_sweeps);
