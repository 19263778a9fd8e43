/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tiles of a stack tell each other: their sides.
 *
 * A tile publishes the words of its six sides, so that nobody reads a neighbour's voxels:
 * two columns of words along x, and for y and z the first and the last row or slice of
 * words.  Where words have halves, the first holds the side in its near parts and the last
 * in its far parts, so that one word is enough for both.
 *
 *          x   y     z          words a lane
 *   u8     2   4     8          14
 *   u16    2   4+4   8          18
 *   f32    2   4+4   8+8        26
 *
 * Beside them it publishes what these voxels need to rise: more than they are, or what is
 * more than any value where the mask has been reached.  So a tile knows from a comparison
 * whether a neighbour gains by what has changed, without that one's mask.  Stale words are
 * no harm: the needs are then lower, and the neighbour is told for nothing.  Needs are
 * stored inverted, and the same is stored for tiles not yet visited (need anything) as the
 * workspace begins with.
 *
 * With 26 neighbours edges and corners are found in the sides along z, and for edges along
 * z in those along y: a plane of words has beside its own words (a lane a column) those
 * before and behind along y, of the tiles there, and columns left and right of it.  The
 * latter two are read by lanes 0 and 31, which have a second plane for them.
 */

#pragma once

#include "reconstruction-stack-tile.cuh"
#include "reconstruction-worklist.cuh"

/**
 * WfCudaStackWork:
 * @marker, @out: may be the same
 * @sides: of each tile
 * @needs: of each tile, inverted
 * @flip: 1 if tiles are numbered along x with even and odd ones exchanged in every other
 *   slice, so that the colours of the worklist's chessboard alternate along z too
 * @first_sweeps: after so many, first visits let the tile wait until the tiles around it
 *   have been visited too
 * @aligned: every row of the images begins at a multiple of 16 bytes
 */
template <typename Pixel>
struct WfCudaStackWork
{
  WfWorklist        list;
  const Pixel      *mask;
  const Pixel      *marker;
  Pixel            *out;
  uint32_t         *sides;
  uint32_t         *needs;
  WfCudaKeys<Pixel> keys;
  int64_t           width, height, depth;
  int               across, down, deep;
  int               flip;
  int               first_sweeps;
  bool              aligned;
};

/* Its number among the tiles, by axis. */
struct WfStackTile
{
  int x, y, z;
};

/* Words of the sides along y, or z. */
template <typename Pixel, bool ALONG_Z>
struct WfStackSide
{
  typedef WfStackFormat<Pixel> Format;

  static constexpr bool HALVES  = Format::template has_halves<ALONG_Z> ();
  static constexpr int  LAYERS  = HALVES ? 1 : 2;
  static constexpr int  N       = ALONG_Z ? WF_STACK_ROWS : WF_STACK_SLICES;
  static constexpr int  FIRST   = ALONG_Z ? 2 + WF_STACK_SLICES *
                                            (Format::template has_halves<false> () ? 1 : 2) : 2;
  static constexpr int  END     = FIRST + LAYERS * N;

  /* Where word @k of the first or last row or slice lies in the tile, but for the lane. */
  static __device__ __forceinline__ int
  at (bool last, int k)
  {
    return ALONG_Z ? (last ? (WF_STACK_SLICES - 1) * WF_STACK_SLICE : 0) + k * WF_STACK_ROW
                   : (last ? (WF_STACK_ROWS - 1) * WF_STACK_ROW : 0) + k * WF_STACK_SLICE;
  }

  /* As it is published, of @words at the lane. */
  static __device__ __forceinline__ uint32_t
  own (const uint32_t *words, int layer, int k)
  {
    const uint32_t near = Format::template near_bits<ALONG_Z> ();

    if (HALVES)
      return (words[at (false, k)] & near) | (words[at (true, k)] & ~ near);
    return words[at (layer == 1, k)];
  }
};

/* Words a lane of all sides of a tile. */
template <typename Pixel>
__host__ __device__ constexpr int
stack_side_words ()
{
  return WfStackSide<Pixel, true>::END;
}

template <typename Pixel>
__device__ __forceinline__ int64_t
stack_side_word (int64_t tile,
                 int     index,
                 int     lane)
{
  return (tile * stack_side_words<Pixel> () + index) * 32 + lane;
}

template <typename Pixel>
__device__ __forceinline__ WfStackTile
find_stack_tile (const WfCudaStackWork<Pixel> &work,
                 int                           number)
{
  const int row = number / work.across;
  const int z   = row / work.down;

  return { (number - row * work.across) ^ (z & work.flip), row - z * work.down, z };
}

/* The number of the tile that is @dx, @dy, @dz away, -1 outside the stack. */
template <typename Pixel>
__device__ __forceinline__ int
stack_neighbour (const WfCudaStackWork<Pixel> &work,
                 WfStackTile                   tile,
                 int                           dx,
                 int                           dy,
                 int                           dz)
{
  const int x = tile.x + dx;
  const int y = tile.y + dy;
  const int z = tile.z + dz;

  if (x < 0 || x >= work.across || y < 0 || y >= work.down || z < 0 || z >= work.deep)
    return -1;
  return (z * work.down + y) * work.across + (x ^ (z & work.flip));
}

/* 0 where there is no tile. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
read_stack_side (const uint32_t *sides,
                 int             tile,
                 int             index,
                 int             lane)
{
  return tile < 0 ? 0 : __ldcg (sides + stack_side_word<Pixel> (tile, index, lane));
}

/* What lies in front of the first and behind the last row or slice: with halves in the near
 * and in the far parts, else by layer.
 */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ uint32_t
read_stack_halo (const uint32_t *sides,
                 int             before,
                 int             behind,
                 int             layer,
                 int             k,
                 int             lane)
{
  typedef WfStackFormat<Pixel>        Format;
  typedef WfStackSide<Pixel, ALONG_Z> Side;

  if (Side::HALVES)
    return Format::template to_near<ALONG_Z> (read_stack_side<Pixel> (sides, before,
                                                                      Side::FIRST + k, lane)) |
           Format::template to_far<ALONG_Z> (read_stack_side<Pixel> (sides, behind,
                                                                     Side::FIRST + k, lane));
  if (layer == 0)
    return read_stack_side<Pixel> (sides, before, Side::FIRST + Side::N + k, lane);
  return read_stack_side<Pixel> (sides, behind, Side::FIRST + k, lane);
}

/* A layer of the halo along y or z.  @before and @behind, of tiles beside along y, are only
 * there along z with 26 neighbours.
 */
template <typename Pixel, bool ALONG_Z>
struct WfStackPlane
{
  uint32_t word[WfStackSide<Pixel, ALONG_Z>::N];
  uint32_t before;
  uint32_t behind;
};

/* At the column @lane of the tiles that are @dx away along x. */
template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ WfStackPlane<Pixel, ALONG_Z>
read_stack_plane (const WfCudaStackWork<Pixel> &work,
                  const uint32_t               *sides,
                  WfStackTile                   tile,
                  int                           dx,
                  int                           layer,
                  int                           lane)
{
  constexpr int N = WfStackSide<Pixel, ALONG_Z>::N;
  constexpr int Y = ALONG_Z ? 0 : 1;
  constexpr int Z = ALONG_Z ? 1 : 0;

  WfStackPlane<Pixel, ALONG_Z> plane;
  const int                    before = stack_neighbour (work, tile, dx, -Y, -Z);
  const int                    behind = stack_neighbour (work, tile, dx, Y, Z);

#pragma unroll
  for (int k = 0; k < N; k++)
    plane.word[k] = read_stack_halo<Pixel, ALONG_Z> (sides, before, behind, layer, k, lane);
  plane.before = 0;
  plane.behind = 0;
  if (CONNECTIVITY == 26 && ALONG_Z)
    {
      plane.before = read_stack_halo<Pixel, ALONG_Z> (sides,
                                                      stack_neighbour (work, tile, dx, -1, -1),
                                                      stack_neighbour (work, tile, dx, -1, 1),
                                                      layer, N - 1, lane);
      plane.behind = read_stack_halo<Pixel, ALONG_Z> (sides,
                                                      stack_neighbour (work, tile, dx, 1, -1),
                                                      stack_neighbour (work, tile, dx, 1, 1),
                                                      layer, 0, lane);
    }
  return plane;
}

/* The columns left of lane 0 and right of lane 31; 0 for other lanes. */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ WfStackPlane<Pixel, ALONG_Z>
read_stack_plane_beside (const WfCudaStackWork<Pixel> &work,
                         const uint32_t               *sides,
                         WfStackTile                   tile,
                         int                           layer,
                         int                           lane)
{
  WfStackPlane<Pixel, ALONG_Z> plane = {};

  if (lane == 0 || lane == 31)
    plane = read_stack_plane<Pixel, 26, ALONG_Z> (work, sides, tile, lane ? 1 : -1, layer,
                                                  31 - lane);
  return plane;
}

/* All that a tile reads of what others have published, under way before any of it is
 * waited for.  Layers that there are not, and what lies beside with 6 neighbours, take no
 * registers.
 */
template <typename Pixel>
struct WfStackHalo
{
  uint32_t                   x[2];
  WfStackPlane<Pixel, false> y[2];
  WfStackPlane<Pixel, false> beside_y[2];
  WfStackPlane<Pixel, true>  z[2];
  WfStackPlane<Pixel, true>  beside_z[2];
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ WfStackHalo<Pixel>
read_stack_halos (const WfCudaStackWork<Pixel> &work,
                  const uint32_t               *sides,
                  WfStackTile                   tile,
                  int                           lane)
{
  WfStackHalo<Pixel> halo;

  halo.x[0] = read_stack_side<Pixel> (sides, stack_neighbour (work, tile, -1, 0, 0), 1, lane);
  halo.x[1] = read_stack_side<Pixel> (sides, stack_neighbour (work, tile, 1, 0, 0), 0, lane);
#pragma unroll
  for (int i = 0; i < WfStackSide<Pixel, true>::LAYERS; i++)
    {
      halo.z[i] = read_stack_plane<Pixel, CONNECTIVITY, true> (work, sides, tile, 0, i, lane);
      if (CONNECTIVITY == 26)
        halo.beside_z[i] = read_stack_plane_beside<Pixel, true> (work, sides, tile, i, lane);
    }
#pragma unroll
  for (int i = 0; i < WfStackSide<Pixel, false>::LAYERS; i++)
    {
      halo.y[i] = read_stack_plane<Pixel, CONNECTIVITY, false> (work, sides, tile, 0, i, lane);
      if (CONNECTIVITY == 26)
        halo.beside_y[i] = read_stack_plane_beside<Pixel, false> (work, sides, tile, i, lane);
    }
  return halo;
}

/* The largest of each word of a plane and those beside it in its column. */
template <typename Pixel, bool ALONG_Z>
__device__ __forceinline__ void
spread_plane_columns (const WfStackPlane<Pixel, ALONG_Z>  &plane,
                      typename WfTileFormat<Pixel>::Wave  *waves)
{
  typedef WfStackFormat<Pixel> Format;
  typedef typename Format::Wave Wave;
  constexpr int  N      = WfStackSide<Pixel, ALONG_Z>::N;
  constexpr bool HALVES = Format::template has_halves<! ALONG_Z> ();

  const uint32_t first = HALVES ? Format::template to_far<! ALONG_Z> (plane.word[N - 1]) |
                                  Format::template to_near<! ALONG_Z> (plane.before)
                                : plane.before;
  const uint32_t last  = HALVES ? Format::template to_near<! ALONG_Z> (plane.word[0]) |
                                  Format::template to_far<! ALONG_Z> (plane.behind)
                                : plane.behind;
  Wave           pair  = Format::max (Format::wave (first), Format::wave (plane.word[0]));

#pragma unroll
  for (int k = 0; k < N; k++)
    {
      const Wave next = Format::wave (k + 1 < N ? plane.word[k + 1] : last);

      waves[k] = Format::max (pair, next);
      pair     = Format::max (Format::wave (plane.word[k]), next);
    }
}

/* The largest of @wave, which is @word too, those of the lanes beside, and @beside, which is
 * 0 but for lanes 0 and 31.
 */
template <typename Pixel>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Wave
spread_along_lanes (typename WfTileFormat<Pixel>::Wave wave,
                    typename WfTileFormat<Pixel>::Wave beside)
{
  typedef WfTileFormat<Pixel> Format;

  return Format::max (spread_wave<Pixel> (wave, Format::word (wave)), beside);
}

/* The largest of 3 × 3 voxels of a side along x, a lane a row of words. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ uint32_t
spread_side_along_x (uint32_t word,
                     int      lane)
{
  typedef WfStackFormat<Pixel> Format;

  if (CONNECTIVITY == 6)
    return word;

  const bool top    = lane % WF_STACK_ROWS == 0;
  const bool bottom = lane % WF_STACK_ROWS == WF_STACK_ROWS - 1;
  uint32_t   before = __shfl_sync (WF_ALL_LANES, word, (lane + (top ? 7 : -1)) & 31);
  uint32_t   behind = __shfl_sync (WF_ALL_LANES, word, (lane + (bottom ? -7 : 1)) & 31);

  before = top ? Format::template to_far<false> (before) : before;
  behind = bottom ? Format::template to_near<false> (behind) : behind;
  word   = Format::max_word (word, Format::max_word (before, behind));

  before = __shfl_sync (WF_ALL_LANES, word, (lane - WF_STACK_ROWS) & 31);
  behind = __shfl_sync (WF_ALL_LANES, word, (lane + WF_STACK_ROWS) & 31);
  before = lane < WF_STACK_ROWS ? Format::template to_far<true> (before) : before;
  behind = lane >= 32 - WF_STACK_ROWS ? Format::template to_near<true> (behind) : behind;
  return Format::max_word (word, Format::max_word (before, behind));
}


/*  What the neighbours give  */

/* Returns the bits that rise. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
merge_stack_word (uint32_t                           *marker,
                  uint32_t                            limit,
                  typename WfTileFormat<Pixel>::Wave  offer)
{
  typedef WfTileFormat<Pixel> Format;

  const uint32_t old  = *marker;
  const uint32_t word = Format::word (Format::max (Format::wave (old),
                                                   Format::min (Format::wave (limit), offer)));

  *marker = word;
  return word ^ old;
}

/* Of the sides along y or z; @before and @behind collect for each word what has risen in
 * the first and in the last row or slice.
 */
template <typename Pixel, int CONNECTIVITY, bool ALONG_Z>
__device__ __forceinline__ void
merge_stack_sides (const WfStackPlane<Pixel, ALONG_Z> *planes,
                   const WfStackPlane<Pixel, ALONG_Z> *beside,
                   uint32_t                           *marker,
                   const uint32_t                     *mask,
                   uint32_t                           *before,
                   uint32_t                           *behind,
                   int                                 lane)
{
  typedef WfStackFormat<Pixel>        Format;
  typedef WfStackSide<Pixel, ALONG_Z> Side;
  typedef typename Format::Wave       Wave;

#pragma unroll
  for (int layer = 0; layer < Side::LAYERS; layer++)
    {
      Wave waves[Side::N];
      Wave others[Side::N];

      if (CONNECTIVITY == 26)
        {
          spread_plane_columns<Pixel, ALONG_Z> (planes[layer], waves);
          spread_plane_columns<Pixel, ALONG_Z> (beside[layer], others);
        }
#pragma unroll
      for (int k = 0; k < Side::N; k++)
        {
          const uint32_t all   = 0xffffffffu;
          const uint32_t near  = Side::HALVES ? Format::template near_bits<ALONG_Z> () : all;
          const uint32_t far   = Side::HALVES ? ~ near : all;
          const Wave     offer = CONNECTIVITY == 6 ? Format::wave (planes[layer].word[k]) :
                                 spread_along_lanes<Pixel> (waves[k], others[k]);
          const int      first = Side::at (false, k) + lane;
          const int      last  = Side::at (true, k) + lane;

          if (Side::HALVES || layer == 0)
            before[k] = merge_stack_word<Pixel> (marker + first, mask[first] & near, offer);
          if (Side::HALVES || layer == 1)
            behind[k] = merge_stack_word<Pixel> (marker + last, mask[last] & far, offer);
        }
    }
}

/* Merges what the neighbours have published into the tile.  Returns what that opens.  A
 * marker above the mask stays as it is.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ WfStackOpen
merge_stack_halo (const WfStackHalo<Pixel> &halo,
                  uint32_t                 *marker,
                  const uint32_t           *mask,
                  int                       lane)
{
  typedef WfTileFormat<Pixel> Format;

  const int   row  = lane * WF_TILE_PITCH;
  const int   last = row + WF_TILE_WORDS - 1;
  uint32_t    before[WF_STACK_ROWS];
  uint32_t    behind[WF_STACK_ROWS];
  uint32_t    risen;
  int         first_rows;
  int         last_rows;
  int         first_slices;
  int         last_slices;
  WfStackOpen open;

  merge_stack_sides<Pixel, CONNECTIVITY, true> (halo.z, halo.beside_z, marker, mask, before,
                                                behind, lane);
  first_rows = vote_changes<WF_STACK_ROWS> (before);
  last_rows  = vote_changes<WF_STACK_ROWS> (behind);
  merge_stack_sides<Pixel, CONNECTIVITY, false> (halo.y, halo.beside_y, marker, mask, before,
                                                 behind, lane);
  first_slices = vote_changes<WF_STACK_SLICES> (before);
  last_slices  = vote_changes<WF_STACK_SLICES> (behind);
  __syncwarp ();

  risen  = merge_stack_word<Pixel> (marker + row, mask[row],
                                    Format::wave (spread_side_along_x<Pixel, CONNECTIVITY>
                                                    (halo.x[0], lane)));
  risen |= merge_stack_word<Pixel> (marker + last, mask[last],
                                    Format::wave (spread_side_along_x<Pixel, CONNECTIVITY>
                                                    (halo.x[1], lane)));
  open   = open_changed_rows (__ballot_sync (WF_ALL_LANES, risen != 0));
  __syncwarp ();

  open.x      |= open.rows | first_rows | last_rows | first_slices | last_slices;
  open.slices |= (first_rows ? 1 : 0) | (last_rows ? 1 << (WF_STACK_SLICES - 1) : 0) |
                 first_slices | last_slices;
  open.rows   |= first_rows | last_rows | (first_slices ? 1 : 0) |
                 (last_slices ? 1 << (WF_STACK_ROWS - 1) : 0);
  if (CONNECTIVITY == 26)
    open.rows = stack_steps (open.slices);
  return open;
}
