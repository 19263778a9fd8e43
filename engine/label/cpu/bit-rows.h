/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The foreground as one bit for each pixel, and the contacts of its runs: the interface of
 * the steps compiled for each instruction set.
 *
 * A row takes wf_bit_words() words.  Bit x % 64 of word x / 64 is pixel x; the bits
 * past the end of the row are 0.  A run is a stretch of ones; the runs of a row are
 * numbered from 0.
 */

#pragma once

#include "engine/cpu/simd.h"

#define WF_BITS_A_WORD 64

static inline gint64
wf_bit_words (gint64 width)
{
  return (width + WF_BITS_A_WORD - 1) / WF_BITS_A_WORD;
}

/**
 * WfForeground:
 * @whole: integers above this are foreground; −1: all are
 * @real: reals above this are foreground
 * @nonzero: reals are foreground unless they are 0
 */
typedef struct
{
  gint64   whole;
  float    real;
  gboolean nonzero;
} WfForeground;

/**
 * WfContact:
 * @before: number of a run in a row
 * @after: number of a run in a later row that touches it
 */
typedef struct
{
  guint32 before;
  guint32 after;
} WfContact;

/* Two runs have one contact, and each contact is the last one of at least one run: there are
 * no more contacts than runs in both rows, which are at most as many as pixels in a row.
 */
#define WF_MOST_CONTACTS(width) ((width) + 2)

/**
 * WfLabelSteps:
 * @bits_of_u8: sets the bits of a row's foreground pixels; likewise for the other types
 * @count_runs: the number of runs of a row
 * @find_contacts: lists which runs of two rows touch, optionally also diagonally; returns
 *   the number of contacts
 */
typedef struct
{
  void   (* bits_of_u8)    (gconstpointer row, gint64 n, const WfForeground *foreground,
                            guint64 *bits);
  void   (* bits_of_u16)   (gconstpointer row, gint64 n, const WfForeground *foreground,
                            guint64 *bits);
  void   (* bits_of_u32)   (gconstpointer row, gint64 n, const WfForeground *foreground,
                            guint64 *bits);
  void   (* bits_of_f32)   (gconstpointer row, gint64 n, const WfForeground *foreground,
                            guint64 *bits);
  gint64 (* count_runs)    (const guint64 *bits, gint64 n_words);
  gint64 (* find_contacts) (const guint64 *before, const guint64 *after, gint64 n_words,
                            gboolean diagonally, WfContact *contacts);
} WfLabelSteps;

WF_SIMD_DECLARE (WfLabelSteps, wf_label);
