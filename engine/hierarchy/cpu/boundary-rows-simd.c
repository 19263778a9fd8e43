/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The step of boundary-rows.h, compiled for each instruction set. */

#include "config.h"

#include "boundary-rows.h"
#include "engine/cpu/vector.h"

#define LANES (WF_VECTOR_BYTES / 4)

static inline guint64
mark_some (const guint32 *row,
           const guint32 *other,
           gint64         n,
           gboolean       wide,
           gint64         first,
           gint64         after)
{
  guint64 word = 0;

  for (gint64 x = first; x < after; x++)
    {
      gboolean differs = row[x] != other[x] ||
                         (wide && ((x > 0 && row[x] != other[x - 1]) ||
                                   (x < n - 1 && row[x] != other[x + 1])));

      word |= (guint64) differs << (x - first);
    }
  return word;
}

static inline guint64
mark_word (const guint32 *row,
           const guint32 *other,
           gboolean       wide)
{
  guint64 word = 0;

  for (guint i = 0; i < 64; i += LANES)
    {
      WfVector here    = wf_load (row + i);
      WfVector differs = wf_xor (here, wf_load (other + i));

      if (wide)
        differs = wf_or (differs, wf_or (wf_xor (here, wf_load (other + i - 1)),
                                         wf_xor (here, wf_load (other + i + 1))));
      word |= (guint64) wf_lanes_32 (differs) << i;
    }
  return word;
}

/* What has its neighbours on both sides goes by whole words. */
static inline void
mark_row (const guint32 *row,
          const guint32 *other,
          gint64         n,
          gboolean       wide,
          guint64       *bits,
          gint64         n_words)
{
  for (gint64 i = 0; i < n_words; i++)
    {
      const gint64 x = i * 64;

      if (x >= n)
        bits[i] = 0;
      else if (x + 64 + wide <= n && (x > 0 || ! wide))
        bits[i] = mark_word (row + x, other + x, wide);
      else
        bits[i] = mark_some (row, other, n, wide, x, MIN (x + 64, n));
    }
}

static void
mark (const guint32 *row,
      const guint32 *other,
      gint64         n,
      gboolean       wide,
      guint64       *bits,
      gint64         n_words)
{
  if (wide)
    mark_row (row, other, n, TRUE, bits, n_words);
  else
    mark_row (row, other, n, FALSE, bits, n_words);
}

const WfMarkSteps WF_SIMD_TABLE (wf_marks) = { .mark = mark };
