/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of label-pixels.h, compiled for each instruction set.
 *
 * The first pixels of runs are found by comparing vectors with those one pixel further left, so
 * that tables are touched once a run.  The result is looked up pixel by pixel: that takes two loads
 * a pixel, less than moving the labels of short runs together and apart again.
 */

#include "config.h"

#include "engine/cpu/vector.h"
#include "label-pixels.h"

#define WORD 64

#define LANES (WF_VECTOR_BYTES / (int) sizeof (guint32))

/* While the word at pixel @x is worked on.  The sum is one of integers: it may be no address. */
static inline void
read_ahead (const WfLabelAhead *ahead,
            gint64              x)
{
  for (int i = 0; i < WF_STREAMS; i++)
    __builtin_prefetch ((gconstpointer) ((guintptr) ahead->bytes[i] + (guintptr) x));
}


/*  Runs  */

static inline guint64
scan_word (const guint32 *pixels,
           WfVector      *highest)
{
  guint64 word = 0;

  for (int k = 0; k < WORD; k += LANES)
    {
      const WfVector here = wf_load (pixels + k);

      *highest = wf_max_32 (*highest, here);
      word |= (guint64) wf_lanes_32 (wf_xor (here, wf_load (pixels + k - 1))) << k;
    }
  return word;
}

static gint64
scan (const guint32      *pixels,
      gint64              n,
      const WfLabelAhead *ahead,
      guint64            *starts,
      guint32            *highest)
{
  WfVector vector = wf_zero ();
  guint32  found[LANES];
  guint32  most   = 0;
  gint64   n_runs = 0;

  for (gint64 x = 0; x < n; x += WORD)
    {
      guint64 word = x == 0;

      read_ahead (ahead, x);
      if (x > 0 && x + WORD <= n)
        word = scan_word (pixels + x, &vector);
      else
        for (gint64 k = x; k < MIN (x + WORD, n); k++)
          {
            most = MAX (most, pixels[k]);
            word |= (guint64) (k > 0 && pixels[k] != pixels[k - 1]) << (k - x);
          }
      starts[x / WORD] = word;
      n_runs += __builtin_popcountll (word);
    }
  wf_store (found, vector);
  for (int k = 0; k < LANES; k++)
    most = MAX (most, found[k]);
  *highest = most;
  return n_runs;
}

static void
list (const guint32 *pixels,
      gint64         n,
      const guint64 *starts,
      guint32       *labels)
{
  for (gint64 x = 0; x < n; x += WORD)
    for (guint64 word = starts[x / WORD]; word; word &= word - 1)
      *labels++ = pixels[x + __builtin_ctzll (word)];
}

static void
mark (const guint32 *pixels,
      gint64         n,
      const guint64 *starts,
      guint8        *marks)
{
  for (gint64 x = 0; x < n; x += WORD)
    for (guint64 word = starts[x / WORD]; word; word &= word - 1)
      __atomic_store_n (&marks[pixels[x + __builtin_ctzll (word)]], 1, __ATOMIC_RELAXED);
}

/* A run is added where the next one begins. */
static void
count (const guint32       *pixels,
       gint64               n,
       const guint64       *starts,
       const WfLabelCounts *counts)
{
  gint64 begin = 0;

  for (gint64 x = 0; x < n; x += WORD)
    for (guint64 word = starts[x / WORD] ^ (x == 0); word; word &= word - 1)
      {
        const gint64 end = x + __builtin_ctzll (word);

        wf_label_counts_add (counts, pixels[end - 1], (guint32) (end - begin));
        begin = end;
      }
  wf_label_counts_add (counts, pixels[n - 1], (guint32) (n - begin));
}


/*  The result  */

#ifdef __AVX2__

#define GROUP 8

static inline __m128i
look_up_four (const guint32 *pixels,
              const guint32 *table)
{
  __m128i entries = _mm_cvtsi32_si128 ((int) table[pixels[0]]);

  entries = _mm_insert_epi32 (entries, (int) table[pixels[1]], 1);
  entries = _mm_insert_epi32 (entries, (int) table[pixels[2]], 2);
  return _mm_insert_epi32 (entries, (int) table[pixels[3]], 3);
}

static inline __m256i
look_up_group (const guint32 *pixels,
               const guint32 *table)
{
  return _mm256_set_m128i (look_up_four (pixels + GROUP / 2, table), look_up_four (pixels, table));
}

/* Writes whole words from pixel @x on, and returns the pixel after them.  @streamed: @out + @x is
 * aligned
 */
static inline gint64
write_words (const guint32      *pixels,
             gint64              x,
             gint64              n,
             const WfLabelAhead *ahead,
             const guint32      *table,
             gboolean            streamed,
             guint32            *out)
{
  for (; x + WORD <= n; x += WORD)
    {
      read_ahead (ahead, x);
      for (int k = 0; k < WORD; k += GROUP)
        {
          __m256i *to    = (__m256i *) (out + x + k);
          __m256i  group = look_up_group (pixels + x + k, table);

          if (streamed)
            _mm256_stream_si256 (to, group);
          else
            _mm256_storeu_si256 (to, group);
        }
    }
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
      for (; x < n && (guintptr) (out + x) % WORD; x++)
        out[x] = table[pixels[x]];
      x = write_words (pixels, x, n, ahead, table, TRUE, out);
    }
  else
    x = write_words (pixels, x, n, ahead, table, FALSE, out);
#else
  (void) ahead;
  (void) streamed;
#endif
  for (; x < n; x++)
    out[x] = table[pixels[x]];
}


const WfLabelPixelSweeps WF_SIMD_TABLE (wf_label_pixel_sweeps) = {
  .scan    = scan,
  .list    = list,
  .mark    = mark,
  .count   = count,
  .look_up = look_up,
};
