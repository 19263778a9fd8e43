/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The step of label-pixels.h, compiled for each instruction set.
 *
 * A pixel takes one load and half of another one, less than moving the labels of short runs
 * together and apart again.
 */

#include "config.h"

#include <string.h>

#include "engine/cpu/vector.h"
#include "label-pixels.h"

#define WORD 64

/* Pixels of a cache line. */
#define LINE 16

#define LINE_BYTES (LINE * sizeof (guint32))

#ifdef __AVX2__

#define GROUP 8

/* Two pixels are one load. */
static inline __m128i
look_up_four (const guint32 *pixels,
              const guint32 *table)
{
  guint64 pairs[2];
  __m128i entries;

  memcpy (pairs, pixels, sizeof pairs);
  entries = _mm_cvtsi32_si128 ((int) table[(guint32) pairs[0]]);
  entries = _mm_insert_epi32 (entries, (int) table[pairs[0] >> 32], 1);
  entries = _mm_insert_epi32 (entries, (int) table[(guint32) pairs[1]], 2);
  return _mm_insert_epi32 (entries, (int) table[pairs[1] >> 32], 3);
}

static inline __m256i
look_up_group (const guint32 *pixels,
               const guint32 *table)
{
  return _mm256_set_m128i (look_up_four (pixels + GROUP / 2, table), look_up_four (pixels, table));
}

/* Writes @n pixels, a multiple of GROUP.  @streamed: @out is aligned */
static inline void
write_groups (const guint32 *pixels,
              gint64         n,
              const guint32 *table,
              gboolean       streamed,
              guint32       *out)
{
  for (gint64 k = 0; k < n; k += GROUP)
    {
      __m256i *to    = (__m256i *) (out + k);
      __m256i  group = look_up_group (pixels + k, table);

      if (streamed)
        _mm256_stream_si256 (to, group);
      else
        _mm256_storeu_si256 (to, group);
    }
}

/* Writes whole lines from pixel @x on, and returns the pixel after them.  @streamed: @out + @x is
 * aligned
 */
static inline gint64
write_lines (const guint32      *pixels,
             gint64              x,
             gint64              n,
             const WfLabelAhead *ahead,
             const guint32      *table,
             gboolean            streamed,
             guint32            *out)
{
  for (; x + WORD <= n; x += WORD)
    {
      wf_label_read_ahead (ahead, x);
      write_groups (pixels + x, WORD, table, streamed, out + x);
    }
  for (; x + LINE <= n; x += LINE)
    write_groups (pixels + x, LINE, table, streamed, out + x);
  return x;
}

#endif

static void
look_up (const guint32      *pixels,
         gint64              n,
         const WfLabelAhead *ahead,
         const guint32      *table,
         gboolean            streamed,
         guint32            *out)
{
  gint64 x = 0;

#ifdef __AVX2__
  if (streamed)
    {
      for (; x < n && (guintptr) (out + x) % LINE_BYTES; x++)
        out[x] = table[pixels[x]];
      x = write_lines (pixels, x, n, ahead, table, TRUE, out);
    }
  else
    x = write_lines (pixels, x, n, ahead, table, FALSE, out);
#else
  (void) ahead;
  (void) streamed;
#endif
  for (; x < n; x++)
    out[x] = table[pixels[x]];
}


const WfLabelPixelSweeps WF_SIMD_TABLE (wf_label_pixel_sweeps) = {
  .look_up = look_up,
};
