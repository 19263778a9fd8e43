/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the labels of a row differ from those beside them: what the step compiled
 * for different instruction sets shares.
 *
 * Most pixels have neighbours of their own basin only, and are passed over 64 at a
 * time.
 */

#pragma once

#include "engine/cpu/simd.h"

static inline gint64
wf_mark_words (gint64 width)
{
  return (width + 63) / 64;
}

/**
 * WfMarkSteps:
 * @mark: for the @n pixels of @row sets bit x % 64 of word x / 64 if row[x] is not
 *   other[x], or, if the step is wide, not one of other[x − 1] and other[x + 1] as far
 *   as there are such pixels; the other bits of @n_words words are 0
 */
typedef struct
{
  void (* mark) (const guint32 *row, const guint32 *other, gint64 n, gboolean wide,
                 guint64 *bits, gint64 n_words);
} WfMarkSteps;

WF_SIMD_DECLARE (WfMarkSteps, wf_marks);

const WfMarkSteps * wf_mark_steps (void);

/* The end of the run of equal labels that begins at @x, where @bits are those of a
 * row of @n pixels beside itself, moved by one.
 */
static inline gint64
wf_mark_run_end (const guint64 *bits,
                 gint64         x,
                 gint64         n)
{
  const gint64 n_words = wf_mark_words (n);
  gint64       i       = x / 64;
  guint64      word    = bits[i] & ~(guint64) 0 << x % 64;

  while (word == 0)
    {
      if (++i == n_words)
        return n;
      word = bits[i];
    }
  return i * 64 + __builtin_ctzll (word) + 1;
}
