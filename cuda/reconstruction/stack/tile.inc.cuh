/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tile of a stack in shared memory, and sweeps over it by one warp.
 *
 * A tile holds 32 × 32 words of marker and of mask (quadrants.inc.cuh), with its first axis
 * along x and its second along eight rows of each of four slices.  The pixels of a word:
 *
 *   u8    32 × 16 × 8   word (y, z): (y, z), (y + 8, z), (y, z + 4), (y + 8, z + 4)
 *   u16   32 × 8 × 8    (y, z) and (y, z + 4)
 *   f32   32 × 8 × 4    (y, z)
 *
 * So the words have near and far parts: along z those of u8 and u16, along y those of u8.
 * A sweep goes there and back, all parts at once: the far ones start from where the near ones
 * stood, and on the way back the near ones from what the far ones have come to.
 *
 * With 6 neighbours sweeps go along z, y and x in turn, until none of the three can change
 * anything.  One is done for good if near and far parts agree where they meet.
 *
 * With 26 a sweep goes from slice to slice: a slice takes the largest of 3 × 3 voxels of the
 * one before, and is then swept along y, each row taking the largest of three of the row
 * before, while its words are in registers.  That is worth more than a sweep along z and one
 * along y, and takes a third fewer instructions.  It takes turns with sweeps along x, where
 * no more than the voxel before is needed.
 *
 * What need not be swept is left out: along y slices of words in which nothing has changed
 * since, along z rows of words, or with 26 neighbours steps between slices.  That saves a
 * quarter of the work.
 */

#pragma once

#include "quadrants.inc.cuh"

namespace stack_tiles
{

constexpr int WORD_ROWS   = 8;    /* of words in a slice of words */
constexpr int WORD_SLICES = 4;    /* of words */

/* Rows of words that are swept along z at the same time. */
constexpr int LINES_AT_ONCE = 1;

/* Words of a row that are swept at once.  With 26 neighbours more would not fit into the
 * instruction cache.
 */
constexpr __host__ __device__ int
words_at_once (int connectivity)
{
  return connectivity == 6 ? 8 : 4;
}

enum
{
  AXIS_X,
  AXIS_Y,
  AXIS_Z
};

/* Words of marker and mask in a row of words follow each other, rows of words along y are
 * so far apart, and so are slices of words.
 */
constexpr int ROW_PITCH   = WF_TILE_PITCH;
constexpr int SLICE_PITCH = WORD_ROWS * WF_TILE_PITCH;

template <typename Pixel>
struct StackFormat : WfTileFormat<Pixel>
{
  static constexpr int WIDTH  = 32;
  static constexpr int HEIGHT = sizeof (Pixel) == 1 ? 16 : 8;
  static constexpr int DEPTH  = sizeof (Pixel) == 4 ? 4 : 8;
  static constexpr int PARTS  = 4 / sizeof (Pixel);

  /* Whether words have near and far parts along z, or along y. */
  template <bool ALONG_Z>
  static __host__ __device__ constexpr bool
  has_halves ()
  {
    return sizeof (Pixel) == 1 || (ALONG_Z && sizeof (Pixel) == 2);
  }

  /* The bits of the near parts. */
  template <bool ALONG_Z>
  static __host__ __device__ constexpr guint32
  near_bits ()
  {
    return ALONG_Z ? 0x0000ffffu : 0x00ff00ffu;
  }

  /* The far parts of @before where the near ones are, and the near ones of @behind where the
   * far ones are.
   */
  template <bool ALONG_Z>
  static __device__ __forceinline__ guint32
  between (guint32 before, guint32 behind)
  {
    return __byte_perm (before, behind, ALONG_Z ? 0x5432 : 0x6341);
  }

  /* The near parts where the far ones are, 0 in the near ones; and the other way. */
  template <bool ALONG_Z>
  static __device__ __forceinline__ guint32
  to_far (guint32 word)
  {
    return has_halves<ALONG_Z> () ? between<ALONG_Z> (0, word) : 0;
  }

  template <bool ALONG_Z>
  static __device__ __forceinline__ guint32
  to_near (guint32 word)
  {
    return has_halves<ALONG_Z> () ? between<ALONG_Z> (word, 0) : 0;
  }

  /* All ones where the parts are the same. */
  static __device__ __forceinline__ guint32
  same_parts (guint32 a, guint32 b)
  {
    if (sizeof (Pixel) == 1)
      return __vcmpeq4 (a, b);
    if (sizeof (Pixel) == 2)
      return ((a ^ b) & 0xffffu ? 0 : 0xffffu) | ((a ^ b) >> 16 ? 0 : 0xffff0000u);
    return a == b ? 0xffffffffu : 0;
  }

  /* Where part @part of the words in a row of words lies. */
  static __device__ __forceinline__ int
  y (int row, int part)
  {
    return row % WORD_ROWS + (sizeof (Pixel) == 1 ? part % 2 * 8 : 0);
  }

  static __device__ __forceinline__ int
  z (int row, int part)
  {
    return row / WORD_ROWS + (sizeof (Pixel) == 1 ? part / 2 * 4 : part * 4);
  }
};


/*  Sweeps  */

/* What may still change something: sweeps along x, along the rows of some slices of words
 * (a bit each), and along z in some rows of words (a bit each, counted in every slice), or
 * with 26 neighbours some steps along z.
 */
struct Open
{
  int x;
  int slices;
  int rows;
};

/* By what has changed in rows of words along x, a bit each. */
__device__ __forceinline__ Open
open_changed_rows (guint32 rows)
{
  return {
    0,
    (rows & 0xffu ? 1 : 0) | (rows & 0xff00u ? 2 : 0) | (rows & 0xff0000u ? 4 : 0) |
    (rows & 0xff000000u ? 8 : 0),
    (int) ((rows | rows >> 8 | rows >> 16 | rows >> 24) & 0xffu)
  };
}

/* Along a line of @N words that are @STEP words apart, there and back.  Collects the bits
 * of each word that change.  Returns whether near and far parts agree.
 */
template <typename Pixel, bool ALONG_Z, int N, int STEP>
__device__ __forceinline__ bool
sweep_line (guint32       *marker,
            const guint32 *mask,
            guint32       *changed)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;

  Wave    there[N];
  Wave    wave  = Format::template far<ALONG_Z> (marker[(N - 1) * STEP]);
  guint32 first = 0;
  guint32 last  = 0;

#pragma unroll
  for (int k = 0; k < N; k++)
    {
      wave = Format::min (Format::wave (mask[k * STEP]),
                          Format::max (Format::wave (marker[k * STEP]), wave));
      there[k] = wave;
    }
  wave = Format::template near<ALONG_Z> (Format::word (there[0]));
#pragma unroll
  for (int k = N - 1; k >= 0; k--)
    {
      guint32 word;

      wave        = Format::min (Format::wave (read_again (mask + k * STEP)),
                                 Format::max (there[k], wave));
      word        = Format::word (wave);
      changed[k] |= marker[k * STEP] ^ word;
      marker[k * STEP] = word;
      if (k == 0)
        first = word;
      if (k == N - 1)
        last = word;
    }
  return Format::template linked<ALONG_Z> (first, last, mask[0], mask[(N - 1) * STEP]);
}

/* One way along a row of words, a lane a row.  Returns the bits that change. */
template <typename Pixel, int WORDS, int STEP>
__device__ __forceinline__ guint32
sweep_row (guint32       *marker,
           const guint32 *mask)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;

  Wave    wave    = Format::wave (0);
  guint32 changed = 0;

#pragma unroll 1
  for (int k = 0; k < WF_TILE_WORDS; k += WORDS)
    {
#pragma unroll
      for (int i = 0; i < WORDS; i++)
        {
          const guint32 old = marker[i * STEP];
          guint32       word;

          wave     = Format::min (Format::wave (mask[i * STEP]),
                                  Format::max (Format::wave (old), wave));
          word     = Format::word (wave);
          changed |= word ^ old;
          marker[i * STEP] = word;
        }
      marker += WORDS * STEP;
      mask   += WORDS * STEP;
    }
  return changed;
}

/* There and back is all that a row needs. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Open
sweep_along_x (guint32       *marker,
               const guint32 *mask,
               int            lane)
{
  constexpr int WORDS = words_at_once (CONNECTIVITY);
  const int first = lane * WF_TILE_PITCH;
  const int last  = first + WF_TILE_WORDS - 1;
  guint32   changed;

  changed  = sweep_row<Pixel, WORDS, 1> (marker + first, mask + first);
  changed |= sweep_row<Pixel, WORDS, -1> (marker + last, mask + last);
  return open_changed_rows (__ballot_sync (WF_ALL_LANES, changed != 0));
}

/* Bit k: whether any lane has changed word k. */
template <int N>
__device__ __forceinline__ int
vote_changes (const guint32 *changed)
{
  int found = 0;

#pragma unroll
  for (int k = 0; k < N; k++)
    found |= __any_sync (WF_ALL_LANES, changed[k] != 0) ? 1 << k : 0;
  return found;
}

/* A lane a column of words, from here on.  Along the rows of those slices that are open. */
template <typename Pixel>
__device__ __forceinline__ Open
sweep_along_y (guint32       *marker,
               const guint32 *mask,
               int            slices,
               int            lane)
{
  guint32 changed[WORD_ROWS] = {};
  Open    open               = { 0, 0, 0 };

#pragma unroll 1
  for (int z = 0; z < WORD_SLICES; z++)
    if (slices >> z & 1)
      {
        const bool linked = sweep_line<Pixel, false, WORD_ROWS, ROW_PITCH>
                              (marker + lane + z * SLICE_PITCH,
                               mask + lane + z * SLICE_PITCH, changed);

        open.slices |= __any_sync (WF_ALL_LANES, ! linked) ? 1 << z : 0;
      }
  open.rows = vote_changes<WORD_ROWS> (changed);
  open.x    = open.rows;
  return open;
}

/* Along z in those rows that are open, four at a time. */
template <typename Pixel>
__device__ __forceinline__ Open
sweep_along_z (guint32       *marker,
               const guint32 *mask,
               int            rows,
               int            lane)
{
  guint32 changed[WORD_SLICES] = {};
  Open    open                 = { 0, 0, 0 };

#pragma unroll 1
  for (int y = 0; y < WORD_ROWS; y += LINES_AT_ONCE)
    if (rows >> y & ((1 << LINES_AT_ONCE) - 1))
      {
        bool linked = true;

#pragma unroll
        for (int i = 0; i < LINES_AT_ONCE; i++)
          linked &= sweep_line<Pixel, true, WORD_SLICES, SLICE_PITCH>
                      (marker + lane + (y + i) * ROW_PITCH,
                       mask + lane + (y + i) * ROW_PITCH, changed);
        open.rows |= __any_sync (WF_ALL_LANES, ! linked) ? ((1 << LINES_AT_ONCE) - 1) << y : 0;
      }
  open.slices = vote_changes<WORD_SLICES> (changed);
  open.x      = open.slices;
  return open;
}

/* The largest of @wave, which is @word too, and those beside it along x.  At either end
 * of the tile a lane gets its own word, which is no harm.
 */
template <typename Pixel>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Wave
spread_wave (typename WfTileFormat<Pixel>::Wave wave,
             guint32                            word)
{
  typedef WfTileFormat<Pixel> Format;

  const guint32 left  = __shfl_up_sync (WF_ALL_LANES, word, 1);
  const guint32 right = __shfl_down_sync (WF_ALL_LANES, word, 1);

  return Format::max (Format::max (wave, Format::wave (left)), Format::wave (right));
}

/* Each word of a column of rows becomes the largest of itself and those beside it along y;
 * @before and @behind lie at the ends.
 */
template <typename Pixel>
__device__ __forceinline__ void
spread_column (typename WfTileFormat<Pixel>::Wave *column,
               typename WfTileFormat<Pixel>::Wave  before,
               typename WfTileFormat<Pixel>::Wave  behind)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;

#pragma unroll
  for (int y = 0; y < WORD_ROWS; y++)
    {
      const Wave next = y + 1 < WORD_ROWS ? column[y + 1] : behind;
      const Wave here = column[y];

      column[y] = Format::max (Format::max (before, here), next);
      before    = here;
    }
}

/* With 26 neighbours sweeps along z are made of steps, from a slice of words to the next
 * (bits 0 to 3, by the slice that follows) or to the one before (bits 4 to 7).  Where far
 * parts follow the near ones the slices are a ring.  These steps are open if @slices have
 * changed.
 */
template <typename Pixel>
__device__ __forceinline__ int
steps_from (int slices)
{
  constexpr int  LAST = WORD_SLICES - 1;
  constexpr int  ALL  = (1 << WORD_SLICES) - 1;
  constexpr bool RING = StackFormat<Pixel>::template has_halves<true> ();

  return ((slices << 1 | (RING ? slices >> LAST : 0)) & ALL) |
         ((slices >> 1 | (RING ? slices << LAST : 0)) & ALL) << WORD_SLICES;
}

/* What a step along z brings to a slice: its words rise by those @parts of the slice @from.
 * Returns the bits that change.
 */
template <typename Pixel>
__device__ __forceinline__ guint32
step_slice (const guint32 *from,
            unsigned       parts,
            guint32       *words,
            const guint32 *mask)
{
  typedef StackFormat<Pixel> Format;
  typedef typename Format::Wave Wave;

  Wave    column[WORD_ROWS];
  guint32 first   = 0;
  guint32 last    = 0;
  guint32 changed = 0;

#pragma unroll
  for (int y = 0; y < WORD_ROWS; y++)
    {
      const guint32 word = __byte_perm (from[y * ROW_PITCH], 0, parts);

      if (y == 0)
        first = word;
      if (y == WORD_ROWS - 1)
        last = word;
      column[y] = Format::wave (word);
    }
  spread_column<Pixel> (column, Format::wave (Format::template to_far<false> (last)),
                        Format::wave (Format::template to_near<false> (first)));
#pragma unroll
  for (int y = 0; y < WORD_ROWS; y++)
    {
      const guint32 old  = words[y];
      const Wave    wave = spread_wave<Pixel> (column[y], Format::word (column[y]));

      words[y] = Format::word (Format::min (Format::wave (mask[y * ROW_PITCH]),
                                            Format::max (Format::wave (old), wave)));
      changed |= words[y] ^ old;
    }
  return changed;
}

/* Along y, there and back, with those beside it along x. */
template <typename Pixel>
__device__ __forceinline__ void
sweep_rows (guint32       *words,
            const guint32 *mask)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;

  guint32 word = StackFormat<Pixel>::template to_far<false> (words[WORD_ROWS - 1]);
  Wave    wave = Format::wave (word);

#pragma unroll
  for (int k = 0; k < WORD_ROWS; k++)
    {
      wave     = Format::min (Format::wave (mask[k * ROW_PITCH]),
                              Format::max (Format::wave (words[k]),
                                           spread_wave<Pixel> (wave, word)));
      words[k] = word = Format::word (wave);
    }
  word = StackFormat<Pixel>::template to_near<false> (words[0]);
  wave = Format::wave (word);
#pragma unroll
  for (int k = WORD_ROWS - 1; k >= 0; k--)
    {
      wave     = Format::min (Format::wave (mask[k * ROW_PITCH]),
                              Format::max (Format::wave (words[k]),
                                           spread_wave<Pixel> (wave, word)));
      words[k] = word = Format::word (wave);
    }
}

/* With 26 neighbours: from slice to slice along z, there and back, by those @steps that are
 * open, and in each slice that rises or is open along y.  What has changed is not done.
 */
template <typename Pixel>
__device__ __forceinline__ Open
sweep_slices (guint32       *marker,
              const guint32 *mask,
              int            slices,
              int            steps,
              int            lane)
{
  constexpr int      LAST        = WORD_SLICES - 1;
  constexpr unsigned ALL         = 0x3210;      /* bytes, 4 of them zeros */
  constexpr unsigned NEAR_TO_FAR = 0x1044;
  constexpr unsigned FAR_TO_NEAR = 0x4432;

  int any = 0;

  marker += lane;
  mask   += lane;
#pragma unroll 1
  for (int step = 0; step < 2 * WORD_SLICES; step++)
    {
      const bool     on      = step <= LAST;
      const int      to      = on ? step : 2 * LAST + 1 - step;
      const int      from    = (on ? to - 1 : to + 1) & LAST;
      const int      bit     = 1 << (on ? to : WORD_SLICES + to);
      guint32       *old     = marker + to * SLICE_PITCH;
      const guint32 *limit   = mask + to * SLICE_PITCH;
      guint32        words[WORD_ROWS];
      guint32        changed = 0;

      if (! (steps & bit) && ! (slices >> to & 1))
        continue;
#pragma unroll
      for (int y = 0; y < WORD_ROWS; y++)
        words[y] = old[y * ROW_PITCH];
      if (steps & bit)
        {
          const unsigned parts = step == 0 ? NEAR_TO_FAR : step == LAST + 1 ? FAR_TO_NEAR : ALL;

          changed = step_slice<Pixel> (marker + from * SLICE_PITCH, parts, words, limit);
          steps  &= ~ bit;
          if (! (slices >> to & 1) && ! __any_sync (WF_ALL_LANES, changed != 0))
            continue;
        }
      sweep_rows<Pixel> (words, limit);
      slices &= ~ (1 << to);
      changed = 0;
#pragma unroll
      for (int y = 0; y < WORD_ROWS; y++)
        {
          changed |= words[y] ^ old[y * ROW_PITCH];
          old[y * ROW_PITCH] = words[y];
        }
      if (__any_sync (WF_ALL_LANES, changed != 0))
        {
          slices |= 1 << to;
          steps  |= steps_from<Pixel> (1 << to);
          any     = 1;
        }
    }
  return { any, slices, steps };
}

/* Everything. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Open
open_all ()
{
  constexpr int ALL = (1 << WORD_SLICES) - 1;

  return { 1, ALL, CONNECTIVITY == 26 ? steps_from<Pixel> (ALL) : (1 << WORD_ROWS) - 1 };
}

/* Sweeps until the tile is stable, along @axis first, but not more than @most times.
 * Returns whether it is stable.  All lanes of the warp.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
settle_tile (guint32       *marker,
             const guint32 *mask,
             Open           open,
             int            axis,
             int            most,
             int            lane)
{
  for (; (open.x | open.slices | open.rows) && most > 0; axis = axis ? axis - 1 : AXIS_Z)
    {
      const Open now  = open;
      Open       next = { 0, 0, 0 };

      if (axis == AXIS_X)
        {
          if (! now.x)
            continue;
          open.x = 0;
          next   = sweep_along_x<Pixel, CONNECTIVITY> (marker, mask, lane);
          if (CONNECTIVITY == 26)
            next.rows = steps_from<Pixel> (next.slices);
        }
      else if (CONNECTIVITY == 26)
        {
          if (axis == AXIS_Y || ! (now.slices | now.rows))
            continue;
          open.slices = open.rows = 0;
          next = sweep_slices<Pixel> (marker, mask, now.slices, now.rows, lane);
        }
      else if (axis == AXIS_Y)
        {
          if (! now.slices)
            continue;
          open.slices = 0;
          next        = sweep_along_y<Pixel> (marker, mask, now.slices, lane);
        }
      else
        {
          if (! now.rows)
            continue;
          open.rows = 0;
          next      = sweep_along_z<Pixel> (marker, mask, now.rows, lane);
        }
      open.x      |= next.x;
      open.slices |= next.slices;
      open.rows   |= next.rows;
      most--;
      __syncwarp ();
    }
  return ! (open.x | open.slices | open.rows);
}

} /* namespace stack_tiles */
