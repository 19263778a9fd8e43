/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The borders of tiles of a stack, which neighbouring tiles read as their halos.
 *
 * A tile publishes the words of its six sides, so that tiles do not read their neighbours'
 * voxels: two columns of words along x, and for y and z the first and the last row or slice of
 * words.  Where words have halves, the first has the side in its near parts and the last in its
 * far parts, so one word holds both.
 *
 *          x   y     z          words a lane
 *   u8     2   4     8          14
 *   u16    2   4+4   8          18
 *   f32    2   4+4   8+8        26
 *
 * It also publishes what these voxels need to rise: more than their value, or more than any
 * value where the mask is reached.  So a comparison tells whether a neighbour gains by a
 * published border, without the neighbour's mask.  Reading stale needs is safe: they are lower,
 * and the neighbour is visited once more.  Needs are stored inverted, and a tile that has not
 * been visited needs anything, as the workspace is initialized.
 *
 * With 26 neighbours the halo has edges and corners.  A plane of words along z has besides its
 * own words (a lane a column) those before and behind along y, of the tiles there.  A column of
 * words along x (a lane a row) has the columns of the eight tiles around the one beside: its
 * first and last rows along y and z read one word of each.
 */

#pragma once

#include "tile.inc.cuh"
#include "cuda/reconstruction/worklist.cuh"

namespace stack_tiles
{

/**
 * Work:
 * @marker, @out: may be the same
 * @borders: of each tile, and after the last one that of tiles outside the stack
 * @needs: of the same, inverted
 * @flip: 1 if tiles are numbered along x with even and odd ones exchanged in every other
 *   slice, so that the colors of the worklist's chessboard alternate along z too
 * @first_sweeps: the most in a first visit; then the tile waits until the tiles around it have
 *   been visited
 * @aligned: every row of the images begins at a multiple of 16 bytes
 */
template <typename Pixel>
struct Work
{
  WfWorklist         list;
  const Pixel       *mask;
  const Pixel       *marker;
  Pixel             *out;
  guint32           *borders;
  guint32           *needs;
  WfCudaKeys<Pixel>  keys;
  gint64           width, height, depth;
  int               across, down, deep;
  int               flip;
  int               first_sweeps;
  bool              aligned;
};

/* Its number among the tiles, by axis. */
struct TileIndex
{
  int x, y, z;
};

/* Words of the sides along y, or z. */
template <typename Pixel, bool ALONG_Z>
struct Side
{
  typedef StackFormat<Pixel> Format;

  static constexpr bool HALVES = Format::template has_halves<ALONG_Z> ();
  static constexpr int  LAYERS = HALVES ? 1 : 2;
  static constexpr int  N      = ALONG_Z ? WORD_ROWS : WORD_SLICES;
  static constexpr int  FIRST  = ALONG_Z ? 2 + WORD_SLICES *
                                           (Format::template has_halves<false> () ? 1 : 2) : 2;
  static constexpr int  END    = FIRST + LAYERS * N;

  /* Where word @k of the first or last row or slice lies in the tile, but for the lane. */
  static __device__ __forceinline__ int
  at (bool last, int k)
  {
    return ALONG_Z ? (last ? (WORD_SLICES - 1) * SLICE_PITCH : 0) + k * ROW_PITCH
                   : (last ? (WORD_ROWS - 1) * ROW_PITCH : 0) + k * SLICE_PITCH;
  }

  /* As it is published, of @words at the lane. */
  static __device__ __forceinline__ guint32
  own (const guint32 *words, int layer, int k)
  {
    const guint32 near = Format::template near_bits<ALONG_Z> ();

    if (HALVES)
      return (words[at (false, k)] & near) | (words[at (true, k)] & ~ near);
    return words[at (layer == 1, k)];
  }
};

/* Words a lane of all sides of a tile. */
template <typename Pixel>
__host__ __device__ constexpr int
border_words ()
{
  return Side<Pixel, true>::END;
}

/* A lane's words of a tile's border: 32 words from one to the next. */
template <typename Pixel, typename Word>
__device__ __forceinline__ Word *
border_of (Word *borders,
           int   tile,
           int   lane)
{
  return borders + (gint64) tile * (border_words<Pixel> () * 32) + lane;
}

template <typename Pixel>
__device__ __forceinline__ TileIndex
find_tile (const Work<Pixel> &work,
           int                number)
{
  const int row = number / work.across;
  const int z   = row / work.down;

  return { (number - row * work.across) ^ (z & work.flip), row - z * work.down, z };
}

/* The bit or the lane that stands for a direction. */
__device__ __forceinline__ constexpr int
direction_of (int dx,
              int dy,
              int dz)
{
  return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
}

/* A lane a direction: the number of the tile there; outside the stack the number after the last
 * one, whose border is always 0.
 */
template <typename Pixel>
__device__ __forceinline__ int
find_neighbour (const Work<Pixel> &work,
                TileIndex          tile,
                int                lane)
{
  const int x = tile.x + lane % 3 - 1;
  const int y = tile.y + lane / 3 % 3 - 1;
  const int z = tile.z + lane / 9 - 1;

  if (x < 0 || x >= work.across || y < 0 || y >= work.down || z < 0 || z >= work.deep)
    return (int) work.list.n_tiles;
  return (z * work.down + y) * work.across + (x ^ (z & work.flip));
}

/* What lies in front of the first and behind the last row or slice: with halves in the near
 * and in the far parts, else by layer.  @before and @behind are the sides of the tiles there.
 */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ guint32
read_halo_word (const guint32 *before,
                const guint32 *behind,
                int            layer,
                int            k)
{
  typedef StackFormat<Pixel>        Format;
  typedef Side<Pixel, ALONG_Z> Side;

  if (Side::HALVES)
    return Format::template between<ALONG_Z> (__ldcg (before + (Side::FIRST + k) * 32),
                                              __ldcg (behind + (Side::FIRST + k) * 32));
  if (layer == 0)
    return __ldcg (before + (Side::FIRST + Side::N + k) * 32);
  return __ldcg (behind + (Side::FIRST + k) * 32);
}

/* A layer of the halo along y or z.  @before and @behind, of tiles beside along y, are only
 * there along z with 26 neighbours.
 */
template <typename Pixel, bool ALONG_Z>
struct Plane
{
  guint32 word[Side<Pixel, ALONG_Z>::N];
  guint32 before;
  guint32 behind;
};

/* All lanes of the warp, whose @around are the tiles around. */
template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ Plane<Pixel, ALONG_Z>
read_plane (const guint32 *borders,
            int            around,
            int            layer,
            int            lane)
{
  constexpr int N = Side<Pixel, ALONG_Z>::N;
  constexpr int Y = ALONG_Z ? 0 : 1;
  constexpr int Z = ALONG_Z ? 1 : 0;

  auto at = [&] (int dy, int dz)
  {
    return border_of<Pixel> (borders, __shfl_sync (WF_ALL_LANES, around,
                                                   direction_of (0, dy, dz)), lane);
  };
  Plane<Pixel, ALONG_Z>  plane  = {};
  const guint32         *before = at (-Y, -Z);
  const guint32         *behind = at (Y, Z);

#pragma unroll
  for (int k = 0; k < N; k++)
    plane.word[k] = read_halo_word<Pixel, ALONG_Z> (before, behind, layer, k);
  if (CONNECTIVITY == 26 && ALONG_Z)
    {
      plane.before = read_halo_word<Pixel, ALONG_Z> (at (-1, -1), at (-1, 1), layer, N - 1);
      plane.behind = read_halo_word<Pixel, ALONG_Z> (at (1, -1), at (1, 1), layer, 0);
    }
  return plane;
}

/* A column of words beside a tile along x, a lane a row.  With 26 neighbours lanes at an end
 * along y or z have also the word there of the tile beyond that end, and of the one beyond
 * both; for others these are 0.
 */
struct Column
{
  guint32 word;
  guint32 beyond_y;
  guint32 beyond_z;
  guint32 beyond;
};

/* −1 where a lane's row of words is the first along y or z, 1 where it is the last, else 0;
 * and the lanes from one to the next, and from the first to the last.
 */
template <bool ALONG_Z>
struct End
{
  static constexpr int STEP = ALONG_Z ? WORD_ROWS : 1;
  static constexpr int SPAN = ((ALONG_Z ? WORD_SLICES : WORD_ROWS) - 1) * STEP;

  static __device__ __forceinline__ int
  of (int lane)
  {
    const int at = ALONG_Z ? lane : lane % WORD_ROWS;

    return at >= SPAN ? 1 : at < STEP ? -1 : 0;
  }
};

/* By value: a choice by address would put both into memory. */
__device__ __forceinline__ Column
choose_column (const Column *columns,
               int           i)
{
  return {
    i ? columns[1].word : columns[0].word,
    i ? columns[1].beyond_y : columns[0].beyond_y,
    i ? columns[1].beyond_z : columns[0].beyond_z,
    i ? columns[1].beyond : columns[0].beyond
  };
}

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Column
read_column (const guint32 *borders,
             int            around,
             int            dx,
             int            lane)
{
  const int end_y = End<false>::of (lane);
  const int end_z = End<true>::of (lane);

  auto at = [&] (int dy, int dz, bool reads)
  {
    const int       row  = lane - dy * End<false>::SPAN - dz * End<true>::SPAN;
    const int      tile = __shfl_sync (WF_ALL_LANES, around, direction_of (dx, dy, dz));
    const guint32 *word = border_of<Pixel> (borders, tile, row) + (dx < 0 ? 32 : 0);

    return reads ? __ldcg (word) : 0;
  };
  Column column = { at (0, 0, true), 0, 0, 0 };

  if (CONNECTIVITY == 26)
    {
      column.beyond_y = at (end_y, 0, end_y);
      column.beyond_z = at (0, end_z, end_z);
      column.beyond   = at (end_y, end_z, end_y && end_z);
    }
  return column;
}

/* All that a tile reads of other borders; all loads are started before any is waited for.  Layers
 * that do not exist take no registers.
 */
template <typename Pixel>
struct Halo
{
  Column              x[2];
  Plane<Pixel, false> y[2];
  Plane<Pixel, true>  z[2];
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Halo<Pixel>
read_halo (const guint32 *borders,
           int            around,
           int            lane)
{
  Halo<Pixel> halo;

#pragma unroll
  for (int i = 0; i < 2; i++)
    halo.x[i] = read_column<Pixel, CONNECTIVITY> (borders, around, 2 * i - 1, lane);
#pragma unroll
  for (int i = 0; i < Side<Pixel, true>::LAYERS; i++)
    halo.z[i] = read_plane<Pixel, CONNECTIVITY, true> (borders, around, i, lane);
#pragma unroll
  for (int i = 0; i < Side<Pixel, false>::LAYERS; i++)
    halo.y[i] = read_plane<Pixel, CONNECTIVITY, false> (borders, around, i, lane);
  return halo;
}

/* The largest of each word of a plane and those beside it in its column. */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ void
spread_plane_columns (const Plane<Pixel, ALONG_Z>        &plane,
                      typename WfTileFormat<Pixel>::Wave *waves)
{
  typedef StackFormat<Pixel> Format;
  typedef typename Format::Wave Wave;
  constexpr int  N      = Side<Pixel, ALONG_Z>::N;
  constexpr bool HALVES = Format::template has_halves<! ALONG_Z> ();

  const guint32 first  = HALVES ? Format::template between<! ALONG_Z> (plane.before,
                                                                       plane.word[N - 1])
                                 : plane.before;
  const guint32 last   = HALVES ? Format::template between<! ALONG_Z> (plane.word[0],
                                                                       plane.behind)
                                 : plane.behind;
  Wave          before = Format::wave (first);
  Wave          here   = Format::wave (plane.word[0]);

#pragma unroll
  for (int k = 0; k < N; k++)
    {
      const Wave next = Format::wave (k + 1 < N ? plane.word[k + 1] : last);

      waves[k] = Format::max (Format::max (before, here), next);
      before   = here;
      here     = next;
    }
}

/* The largest of each word of a column and those before and behind it along y or z; at the
 * ends, and with halves in their middle, lies @beyond.
 */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ guint32
spread_along_column (guint32 word,
                     guint32 beyond,
                     int     lane)
{
  typedef StackFormat<Pixel> Format;
  typedef End<ALONG_Z>  End;

  constexpr bool HALVES = Format::template has_halves<ALONG_Z> ();

  const int end    = End::of (lane);
  guint32   before = __shfl_sync (WF_ALL_LANES, word, end < 0 ? lane + End::SPAN
                                                              : lane - End::STEP);
  guint32   behind = __shfl_sync (WF_ALL_LANES, word, end > 0 ? lane - End::SPAN
                                                              : lane + End::STEP);

  if (end < 0)
    before = HALVES ? Format::template between<ALONG_Z> (beyond, before) : beyond;
  if (end > 0)
    behind = HALVES ? Format::template between<ALONG_Z> (behind, beyond) : beyond;
  return Format::word (Format::max (Format::max (Format::wave (before), Format::wave (behind)),
                                    Format::wave (word)));
}

/* The largest of each 3 × 3 voxels of a column. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ guint32
spread_column_words (const Column &column,
                     int           lane)
{
  if (CONNECTIVITY == 6)
    return column.word;
  return spread_along_column<Pixel, true>
           (spread_along_column<Pixel, false> (column.word, column.beyond_y, lane),
            spread_along_column<Pixel, false> (column.beyond_z, column.beyond, lane), lane);
}


/*  Merging the halo  */

/* Returns the bits that rise. */
template <typename Pixel>
__device__ __forceinline__ guint32
merge_word (guint32                            *marker,
            guint32                             limit,
            typename WfTileFormat<Pixel>::Wave  offer)
{
  typedef WfTileFormat<Pixel> Format;

  const guint32 old  = *marker;
  const guint32 word = Format::word (Format::max (Format::wave (old),
                                                  Format::min (Format::wave (limit), offer)));

  *marker = word;
  return word ^ old;
}

/* What opens by those words of a side along y or z that have risen (a bit each): the last
 * row or slice if @last, else the first.
 */
template <bool ALONG_Z>
__device__ __forceinline__ void
open_side (Open *open,
           int   words,
           int   last)
{
  const int side = words ? 1 << (last ? (ALONG_Z ? WORD_SLICES : WORD_ROWS) - 1 : 0) : 0;

  open->x      |= words;
  open->slices |= ALONG_Z ? side : words;
  open->rows   |= ALONG_Z ? words : side;
}

/* Of the sides along y or z.  With 26 neighbours any row of a side along z stands for all. */
template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ void
merge_sides (const Plane<Pixel, ALONG_Z> *planes,
             guint32                     *marker,
             const guint32               *mask,
             Open                        *open,
             int                          lane)
{
  typedef StackFormat<Pixel>        Format;
  typedef Side<Pixel, ALONG_Z> Side;
  typedef typename Format::Wave       Wave;

  constexpr int N = CONNECTIVITY == 26 && ALONG_Z ? 1 : Side::N;

#pragma unroll
  for (int layer = 0; layer < Side::LAYERS; layer++)
    {
      Wave offers[Side::N];

      if (CONNECTIVITY == 26)
        spread_plane_columns<Pixel, ALONG_Z> (planes[layer], offers);
#pragma unroll
      for (int k = 0; k < Side::N; k++)
        offers[k] = CONNECTIVITY == 6 ? Format::wave (planes[layer].word[k]) :
                    spread_wave<Pixel> (offers[k], Format::word (offers[k]));

#pragma unroll 1
      for (int last = layer; last < (Side::HALVES ? 2 : layer + 1); last++)
        {
          const guint32 near     = Side::HALVES ? Format::template near_bits<ALONG_Z> () : 0;
          const guint32 bits     = last ? ~ near : Side::HALVES ? near : ~ near;
          guint32       risen[N] = {};

#pragma unroll
          for (int k = 0; k < Side::N; k++)
            {
              const int at = Side::at (last, k) + lane;

              risen[k % N] |= merge_word<Pixel> (marker + at, mask[at] & bits, offers[k]);
            }
          open_side<ALONG_Z> (open, vote_changes<N> (risen), last);
        }
    }
}

/* Merges the halo into the tile.  Returns what that opens.  A marker above the mask stays as it
 * is.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Open
merge_halo (const Halo<Pixel> &halo,
            guint32           *marker,
            const guint32     *mask,
            int                lane)
{
  typedef WfTileFormat<Pixel> Format;

  guint32 risen = 0;
  Open    open  = { 0, 0, 0 };
  Open    along_x;

  merge_sides<Pixel, CONNECTIVITY, true> (halo.z, marker, mask, &open, lane);
  merge_sides<Pixel, CONNECTIVITY, false> (halo.y, marker, mask, &open, lane);
  __syncwarp ();

#pragma unroll 1
  for (int side = 0; side < 2; side++)
    {
      const int     at    = lane * WF_TILE_PITCH + (side ? WF_TILE_WORDS - 1 : 0);
      const guint32 words = spread_column_words<Pixel, CONNECTIVITY>
                               (choose_column (halo.x, side), lane);

      risen |= merge_word<Pixel> (marker + at, mask[at], Format::wave (words));
    }
  along_x = open_changed_rows (__ballot_sync (WF_ALL_LANES, risen != 0));
  __syncwarp ();

  open.x      |= along_x.rows;
  open.slices |= along_x.slices;
  open.rows   |= along_x.rows;
  if (CONNECTIVITY == 26)
    open.rows = steps_from<Pixel> (open.slices);
  return open;
}

} /* namespace stack_tiles */
