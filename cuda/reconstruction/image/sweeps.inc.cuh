/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sweeps over a tile in shared memory (tile.inc.cuh) by one warp.
 *
 * A sweep runs v ← min (mask, max (marker, v)) along columns, a lane a column of words,
 * or along rows, a lane a row, there and back: Vincent's scans (Morphological grayscale
 * reconstruction in image analysis, IEEE Transactions on Image Processing 2, 1993), but
 * for one axis at a time, so that lanes need not wait for each other.  Both halves of a
 * tile go at once; the far one starts from where the near one stood, so that rows that
 * meet there may have to be taken again.
 *
 * With 8 neighbours the columns advance together, and a row takes the largest of three pixels of
 * the row before; those beside come from the lanes beside by shuffles.  With 4 neighbours they
 * advance together, too: a value that reaches a row spreads there by one pixel to either side.
 * So one sweep follows a diagonal path, which otherwise takes many alternating sweeps: half as
 * many sweeps, with half as many instructions more in each.  Sweeps along rows use only the row.
 *
 * Sweeps along columns and rows alternate until neither can change anything.  A sweep along rows
 * returns the rows that it changed, from which a sweep along columns must start, and vice versa.
 * Words are processed eight at a time, and skipped where nothing arrives and no sweep must start.
 * Each direction has one short loop, and words stay in shared memory: loops that are unrolled
 * over the whole tile take fewer instructions, but exceed the instruction cache.
 *
 * Bytes are compared as 16-bit pairs: the odd ones as they are, the even ones shifted up.  The
 * lower byte does not matter: the order of 16-bit numbers is lexicographic, so the upper byte of
 * a minimum or maximum is that of the upper bytes.
 */

#pragma once

#include "tile.inc.cuh"

namespace image_tiles
{

/* Words that a sweep takes at once, or passes over. */
constexpr int SWEEP_WORDS = 8;

/* As sets of words in a line. */
constexpr guint32 ALL_WORDS  = 0xffffffffu;
constexpr guint32 FIRST_WORD = 1;
constexpr guint32 LAST_WORD  = 1u << (WF_TILE_WORDS - 1);


/* Whether columns have two halves, which meet inside the tile. */
template <typename Pixel>
__device__ __forceinline__ constexpr bool
has_halves ()
{
  return sizeof (Pixel) < 4;
}

/* The word behind @wave down or up a column.  With 4 neighbours what reaches a row goes
 * on by one column there, so that a sweep follows stairs too; the rest of the row is left
 * to the sweeps along the rows.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Wave
follow_column (typename WfTileFormat<Pixel>::Wave wave,
               typename WfTileFormat<Pixel>::Wave marker,
               typename WfTileFormat<Pixel>::Wave mask)
{
  typedef WfTileFormat<Pixel> Format;

  if (CONNECTIVITY == 8)
    return Format::min (mask, Format::max (marker, Format::spread (wave)));
  return Format::min (mask, Format::spread (Format::min (mask, Format::max (marker, wave))));
}

template <typename Pixel, int CONNECTIVITY, bool VERTICAL, bool FORWARD>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Wave
follow_line (typename WfTileFormat<Pixel>::Wave wave,
             guint32                            marker,
             guint32                            mask)
{
  typedef WfTileFormat<Pixel> Format;

  if (VERTICAL)
    return follow_column<Pixel, CONNECTIVITY> (wave, Format::wave (marker), Format::wave (mask));
  return Format::template along<FORWARD> (wave, Format::wave (marker), Format::wave (mask));
}

/* The words of a step: of a row two at a time. */
template <int STEP>
__device__ __forceinline__ void
read_words (const guint32 *words,
            guint32        read[SWEEP_WORDS])
{
#pragma unroll
  for (int i = 0; i < SWEEP_WORDS; i++)
    if (STEP == 1 || STEP == -1)
      {
        const guint64 pair = *(const guint64 *) (words + (i & ~1) * STEP - (STEP < 0));

        read[i] = (guint32) ((i & 1) == (STEP > 0) ? pair >> 32 : pair);
      }
    else
      read[i] = words[i * STEP];
}

template <int STEP>
__device__ __forceinline__ void
write_words (guint32       *words,
             const guint32  written[SWEEP_WORDS])
{
#pragma unroll
  for (int i = 0; i < SWEEP_WORDS; i++)
    if (STEP != 1 && STEP != -1)
      words[i * STEP] = written[i];
    else if (i % 2 == 0)
      *(uint2 *) (words + i * STEP - (STEP < 0)) = STEP > 0
                                                   ? make_uint2 (written[i], written[i + 1])
                                                   : make_uint2 (written[i + 1], written[i]);
}

/* Along the lines of words, one way, from the words in @from on to where nothing changes any
 * more.  Returns the words that changed, by whole steps, and adds the changed bits to @changed.
 */
template <typename Pixel, int CONNECTIVITY, bool VERTICAL, bool FORWARD>
__device__ __forceinline__ guint32
sweep_lines (guint32 *marker,
             guint32  from,
             guint32 *changed)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;
  constexpr int      STEP = (VERTICAL ? PITCH : 1) * (FORWARD ? 1 : -1);
  constexpr int      LAST = WF_TILE_WORDS - 1;
  constexpr guint32 HERE = (guint32) ((1ull << SWEEP_WORDS) - 1);

  guint32 *words = marker + (FORWARD ? 0 : -LAST * STEP);
  guint32  left  = FORWARD ? from : __brev (from);
  guint32  rises = 0;
  bool     live  = false;
  Wave     wave  = Format::wave (0);

  if (VERTICAL && has_halves<Pixel> ())
    {
      wave = FORWARD ? Format::template far<true> (words[LAST * STEP])
                     : Format::template near<true> (words[LAST * STEP]);
      live = left >> LAST;
    }
#pragma unroll 1
  for (guint32 here = HERE; here; here <<= SWEEP_WORDS)
    {
      if (live || (left & here))
        {
          guint32 old[SWEEP_WORDS];
          guint32 word[SWEEP_WORDS];
          guint32 differs = 0;

          read_words<STEP> (words, old);
          read_words<STEP> (words + SIZE, word);
#pragma unroll
          for (int i = 0; i < SWEEP_WORDS; i++)
            {
              wave     = follow_line<Pixel, CONNECTIVITY, VERTICAL, FORWARD> (wave, old[i],
                                                                              word[i]);
              word[i]  = Format::word (wave);
              differs |= word[i] ^ old[i];
            }
          live = left & here & ~ (here >> 1);
          if (__any_sync (WF_ALL_LANES, differs != 0))
            {
              live      = true;
              *changed |= differs;
              rises    |= here;
              write_words<STEP> (words, word);
            }
        }
      else
        wave = Format::wave (words[(SWEEP_WORDS - 1) * STEP]);
      words += SWEEP_WORDS * STEP;
    }
  return FORWARD ? rises : __brev (rises);
}

/* Whether @word rises by @wave, for any lane. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
rises_by (typename WfTileFormat<Pixel>::Wave  wave,
          const guint32                      *word)
{
  typedef WfTileFormat<Pixel> Format;

  if (CONNECTIVITY == 8)
    wave = Format::spread (wave);
  wave = Format::min (Format::wave (word[SIZE]), Format::max (Format::wave (*word), wave));
  return __any_sync (WF_ALL_LANES, Format::word (wave) != *word);
}

/* The words whose columns have to go on in the other half. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
open_ends (const guint32 *first)
{
  typedef WfTileFormat<Pixel> Format;

  const guint32 *last = first + (WF_TILE_WORDS - 1) * PITCH;
  const bool     up   = rises_by<Pixel, CONNECTIVITY> (Format::template near<true> (*first), last);
  const bool     down = rises_by<Pixel, CONNECTIVITY> (Format::template far<true> (*last), first);

  return (up ? FIRST_WORD : 0) | (down ? LAST_WORD : 0);
}

/* Sweeps until the tile is stable, but not more than @most times.  @rows and @columns of
 * words have changed since columns and rows were stable.  Returns whether it is stable.
 * All lanes of the warp.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
settle_tile (guint32 *marker,
             int      lane,
             guint32  rows,
             guint32  columns,
             int      most)
{
  bool along = __popc (columns) < __popc (rows);

  for (; (rows || columns) && most > 0; most--)
    {
      guint32 changed = 0;

      if (along)
        {
          guint32 *line = marker + lane * PITCH;

          columns |= sweep_lines<Pixel, CONNECTIVITY, false, true> (line, columns, &changed);
          sweep_lines<Pixel, CONNECTIVITY, false, false> (line, columns, &changed);
          columns = 0;
          rows   |= __ballot_sync (WF_ALL_LANES, changed != 0);
        }
      else
        {
          guint32 *line = marker + lane;

          rows |= sweep_lines<Pixel, CONNECTIVITY, true, true> (line, rows, &changed);
          rows  = sweep_lines<Pixel, CONNECTIVITY, true, false> (line, rows, &changed);
          if (has_halves<Pixel> ())
            rows |= open_ends<Pixel, CONNECTIVITY> (line);
          columns |= __ballot_sync (WF_ALL_LANES, changed != 0);
        }
      __syncwarp ();
      along = rows && columns ? ! along : columns != 0;
    }
  return ! rows && ! columns;
}

} /* namespace image_tiles */
