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
 * With 8 neighbours the columns go in step and a row takes the largest of three pixels
 * of the row before, those beside it shuffled in from the lanes beside.  With 4 neighbours
 * they go in step too: what reaches a row goes on by one pixel to either side there.  So
 * one sweep follows a path down and aside, which takes many by turns else: half as many
 * sweeps for half again as many instructions in each.  Rows need no more than themselves.
 *
 * Sweeps along columns and rows alternate until neither can change anything.  Each knows
 * from which words on it can: a sweep along rows leaves behind the rows that it changed,
 * which are its lanes, and a sweep along columns must start from those; and the other
 * way round.  Words are taken eight at a time, and passed over where nothing comes in and
 * none is to start from.  There is one short loop for each direction, the word of the way
 * there being kept in shared memory: unrolled over the whole tile the loops take fewer
 * instructions, but warps then wait for them, since they do not fit the cache.
 *
 * Bytes are compared in 16-bit pairs: the odd ones as they stand, the even ones shifted
 * up.  What is then in the lower byte does no harm: the order of 16-bit numbers is
 * lexicographic, so that the upper byte of a minimum or maximum is that of the upper
 * bytes.
 */

#pragma once

#include "cuda/reconstruction/format.cuh"

namespace image_tiles
{

/* Words that a sweep takes at once, or passes over. */
constexpr int SWEEP_WORDS = 8;

/* As sets of words in a line. */
constexpr guint32 ALL_WORDS  = 0xffffffffu;
constexpr guint32 FIRST_WORD = 1;
constexpr guint32 LAST_WORD  = 1u << (WF_TILE_WORDS - 1);


/* Whether the halves of the columns meet at other ends than those of the words. */
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

/* Along the lines of words, one way, as far as it matters: from the words in @from on, to
 * where nothing changes any more.  Returns the words that changed, by whole steps, and
 * adds the bits that did to @changed.
 */
template <typename Pixel, int CONNECTIVITY, bool VERTICAL, bool FORWARD>
__device__ __forceinline__ guint32
sweep_lines (guint32 *marker,
             guint32  from,
             guint32 *changed)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;
  constexpr int      STEP = (VERTICAL ? WF_TILE_PITCH : 1) * (FORWARD ? 1 : -1);
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

#pragma unroll
          for (int i = 0; i < SWEEP_WORDS; i++)
            {
              old[i]  = words[i * STEP];
              word[i] = words[i * STEP + WF_TILE_SIZE];
            }
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
#pragma unroll
              for (int i = 0; i < SWEEP_WORDS; i++)
                words[i * STEP] = word[i];
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
  wave = Format::min (Format::wave (word[WF_TILE_SIZE]), Format::max (Format::wave (*word), wave));
  return __any_sync (WF_ALL_LANES, Format::word (wave) != *word);
}

/* The words whose columns have to go on in the other half. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
open_ends (const guint32 *first)
{
  typedef WfTileFormat<Pixel> Format;

  const guint32 *last = first + (WF_TILE_WORDS - 1) * WF_TILE_PITCH;
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
          guint32 *line = marker + lane * WF_TILE_PITCH;

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
