/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images by tiles from a worklist: one warp a tile.
 *
 * A visit to a tile merges the neighbours' border pixels into its own and leaves at
 * once if none of them rises; else it loads the tile, sweeps it until it is stable,
 * writes it, and makes those neighbours dirty that would gain (see
 * reconstruction-tile.cuh and reconstruction-worklist.cuh).
 *
 * Nobody reads a neighbour's pixels: each tile publishes its four sides, of the marker
 * and of the mask, in a buffer, so that a column costs no more than a row.  A stale
 * side is no harm.  It is lower than the new one, and who has raised it tells those who
 * gain by comparing with what it knows of them, which is stale to the same side.
 *
 * Bytes: a tile's first visit reads mask and marker and writes the result; each later
 * one that changes something reads mask and result and writes the result.  Pictures of
 * tissue take 2.1 visits a tile with 4 neighbours and 2.7 with 8; the sides take 0.3 bytes
 * a pixel more (u8).  So about 8 bytes a pixel are moved, where 3 are the least; what
 * bounds it are the minima and maxima of 15 to 24 sweeps a tile.
 */

#pragma once

#include <climits>

#include "reconstruction-tile.cuh"
#include "reconstruction-worklist.cuh"

/* Four blocks of four warps a multiprocessor: more of them would only see older
 * neighbours.  Less than 48 KB of shared memory, which every device grants.
 */
#define WF_IMAGE_WARPS  4
#define WF_IMAGE_BLOCKS 4

/**
 * WfCudaImageWork:
 * @marker, @out: may be the same
 * @sides, @mask_sides: of each tile four sides of 32 lanes
 * @first_sweeps: after so many, first visits with 8 neighbours let the tile wait until
 *   the tiles around it have been visited too
 * @aligned: every row of the images begins at a multiple of 16 bytes
 */
template <typename Pixel>
struct WfCudaImageWork
{
  typedef typename WfTileFormat<Pixel>::Edge Edge;

  WfWorklist        list;
  const Pixel      *mask;
  const Pixel      *marker;
  Pixel            *out;
  Edge             *sides;
  Edge             *mask_sides;
  WfCudaKeys<Pixel> keys;
  int64_t           width;
  int64_t           height;
  int               n_across;
  int               n_down;
  int               first_sweeps;
  bool              aligned;
};

/* A lane's part of what concerns the four sides. */
struct WfTileSides
{
  uint32_t side[WF_N_SIDES];
};

/* The tiles around one, -1 where there is none: by side, then the corners from the
 * upper left to the lower right.
 */
struct WfTileNeighbours
{
  int at_side[WF_N_SIDES];
  int at_corner;                /* lane 0 to 3: its corner's; else -1 */
};

template <typename Pixel>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Edge
read_side (const typename WfTileFormat<Pixel>::Edge *sides,
           int                                       tile,
           int                                       side,
           int                                       lane)
{
  return __ldcg (sides + ((int64_t) tile * WF_N_SIDES + side) * 32 + lane);
}

__device__ __forceinline__ WfTileNeighbours
find_neighbours (int tile,
                 int n_across,
                 int n_down,
                 int lane)
{
  const int        y    = tile / n_across;
  const int        x    = tile - y * n_across;
  const bool       up   = lane < 2 ? y > 0 : y + 1 < n_down;
  const bool       side = lane % 2 == 0 ? x > 0 : x + 1 < n_across;
  WfTileNeighbours found;

  found.at_side[WF_TOP]    = y > 0 ? tile - n_across : -1;
  found.at_side[WF_BOTTOM] = y + 1 < n_down ? tile + n_across : -1;
  found.at_side[WF_LEFT]   = x > 0 ? tile - 1 : -1;
  found.at_side[WF_RIGHT]  = x + 1 < n_across ? tile + 1 : -1;
  found.at_corner          = lane < 4 && up && side
                             ? tile + (lane < 2 ? -n_across : n_across) + (lane % 2 ? 1 : -1)
                             : -1;
  return found;
}

/* The pixel of the tile at a lane's corner that touches this one. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
read_corner (const typename WfTileFormat<Pixel>::Edge *sides,
             int                                       tile,
             int                                       lane)
{
  typedef WfTileFormat<Pixel> Format;
  const int side = lane < 2 ? WF_BOTTOM : WF_TOP;

  if (tile < 0)
    return 0;
  return lane % 2 == 0 ? Format::last_pixel (read_side<Pixel> (sides, tile, side, 31))
                       : Format::first_pixel (read_side<Pixel> (sides, tile, side, 0));
}

/* The largest of a pixel of a side and those beside it along the side; @before and
 * @behind are the pixels at its ends.
 */
template <typename Pixel, int CONNECTIVITY, int SIDE>
__device__ __forceinline__ uint32_t
spread_side (uint32_t side,
             uint32_t before,
             uint32_t behind,
             int      lane)
{
  typedef WfTileFormat<Pixel> Format;

  if (CONNECTIVITY == 4)
    return side;

  uint32_t left  = __shfl_sync (WF_ALL_LANES, side, (lane - 1) & 31);
  uint32_t right = __shfl_sync (WF_ALL_LANES, side, (lane + 1) & 31);

  if (lane == 0)
    left = Format::template is_double<SIDE> () ? __byte_perm (before, left, 0x5410) : before;
  if (lane == 31)
    right = Format::template is_double<SIDE> () ? __byte_perm (right, behind, 0x5432) : behind;
  return Format::max (side, Format::max (left, right));
}

/* What the neighbours can raise each border pixel to, but for the mask. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ WfTileSides
spread_halo (const WfTileSides &halo,
             uint32_t           corner,
             int                lane)
{
  uint32_t    corners[4] = { 0, 0, 0, 0 };
  WfTileSides offer;

  if (CONNECTIVITY == 8)
#pragma unroll
    for (int i = 0; i < 4; i++)
      corners[i] = __shfl_sync (WF_ALL_LANES, corner, i);

  offer.side[WF_TOP]    = spread_side<Pixel, CONNECTIVITY, WF_TOP>
                            (halo.side[WF_TOP], corners[0], corners[1], lane);
  offer.side[WF_BOTTOM] = spread_side<Pixel, CONNECTIVITY, WF_BOTTOM>
                            (halo.side[WF_BOTTOM], corners[2], corners[3], lane);
  offer.side[WF_LEFT]   = spread_side<Pixel, CONNECTIVITY, WF_LEFT>
                            (halo.side[WF_LEFT], corners[0], corners[2], lane);
  offer.side[WF_RIGHT]  = spread_side<Pixel, CONNECTIVITY, WF_RIGHT>
                            (halo.side[WF_RIGHT], corners[1], corners[3], lane);
  return offer;
}

/* Where a lane's word of a side lies in the tile. */
template <int SIDE>
__device__ __forceinline__ int
side_word (int lane)
{
  return SIDE == WF_TOP ? lane :
         SIDE == WF_BOTTOM ? (WF_TILE_WORDS - 1) * WF_TILE_PITCH + lane :
         SIDE == WF_LEFT ? lane * WF_TILE_PITCH : lane * WF_TILE_PITCH + WF_TILE_WORDS - 1;
}

template <typename Pixel, int SIDE>
__device__ __forceinline__ void
merge_side (uint32_t       *marker,
            const uint32_t *mask,
            uint32_t        offer,
            int             lane)
{
  typedef WfTileFormat<Pixel> Format;

  const int      at    = side_word<SIDE> (lane);
  const uint32_t word  = marker[at];
  const uint32_t limit = Format::template edge<SIDE> (mask[at]);
  const uint32_t own   = Format::template edge<SIDE> (word);

  marker[at] = Format::template with_edge<SIDE> (word, Format::min (limit,
                                                                    Format::max (own, offer)));
}

template <typename Pixel>
__device__ __forceinline__ void
merge_offers (uint32_t          *marker,
              const uint32_t    *mask,
              const WfTileSides &offer,
              int                lane)
{
  merge_side<Pixel, WF_TOP> (marker, mask, offer.side[WF_TOP], lane);
  merge_side<Pixel, WF_BOTTOM> (marker, mask, offer.side[WF_BOTTOM], lane);
  __syncwarp ();
  merge_side<Pixel, WF_LEFT> (marker, mask, offer.side[WF_LEFT], lane);
  merge_side<Pixel, WF_RIGHT> (marker, mask, offer.side[WF_RIGHT], lane);
  __syncwarp ();
}

template <typename Pixel>
__device__ __forceinline__ WfTileSides
tile_sides (const uint32_t *words,
            int             lane)
{
  typedef WfTileFormat<Pixel> Format;
  WfTileSides sides;

  sides.side[WF_TOP]    = Format::template edge<WF_TOP> (words[side_word<WF_TOP> (lane)]);
  sides.side[WF_BOTTOM] = Format::template edge<WF_BOTTOM> (words[side_word<WF_BOTTOM> (lane)]);
  sides.side[WF_LEFT]   = Format::template edge<WF_LEFT> (words[side_word<WF_LEFT> (lane)]);
  sides.side[WF_RIGHT]  = Format::template edge<WF_RIGHT> (words[side_word<WF_RIGHT> (lane)]);
  return sides;
}

/* The parts of a side that have changed; 0 elsewhere, which nobody gains from. */
template <typename Pixel, int SIDE>
__device__ __forceinline__ uint32_t
changed_part (uint32_t side,
              uint32_t old)
{
  const uint32_t difference = side ^ old;

  if (! WfTileFormat<Pixel>::template is_double<SIDE> ())
    return difference ? side : 0;
  return (difference & 0xffffu ? side & 0xffffu : 0) |
         (difference >> 16 ? side & 0xffff0000u : 0);
}

template <typename Pixel, int CONNECTIVITY, int SIDE>
__device__ __forceinline__ bool
neighbour_gains (uint32_t side,
                 uint32_t old,
                 uint32_t halo,
                 uint32_t limit,
                 int      lane)
{
  typedef WfTileFormat<Pixel> Format;

  const uint32_t changed = changed_part<Pixel, SIDE> (side, old);
  const uint32_t offer   = spread_side<Pixel, CONNECTIVITY, SIDE> (changed, 0, 0, lane);

  return __any_sync (WF_ALL_LANES, Format::max (halo, Format::min (limit, offer)) != halo);
}

/* Lane 0 to 3: the pixel of the tile at its corner. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
corner_pixel (const WfTileSides &sides,
              int                lane)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Edge Edge;

  const Edge     top    = Format::stored (sides.side[WF_TOP]);
  const Edge     bottom = Format::stored (sides.side[WF_BOTTOM]);
  const uint32_t pixels[4] = {
    __shfl_sync (WF_ALL_LANES, Format::first_pixel (top), 0),
    __shfl_sync (WF_ALL_LANES, Format::last_pixel (top), 31),
    __shfl_sync (WF_ALL_LANES, Format::first_pixel (bottom), 0),
    __shfl_sync (WF_ALL_LANES, Format::last_pixel (bottom), 31),
  };

  return lane == 0 ? pixels[0] : lane == 1 ? pixels[1] : lane == 2 ? pixels[2] : pixels[3];
}

template <typename Pixel>
__device__ __forceinline__ void
load_image_tile (const WfCudaImageWork<Pixel> &work,
                 const Pixel                  *from,
                 WfTilePlace                   place,
                 uint32_t                     *marker,
                 uint32_t                     *mask,
                 int                           lane)
{
  load_tile (from, work.mask, work.keys, place, marker, mask, lane);
}

template <>
__device__ __forceinline__ void
load_image_tile<uint8_t> (const WfCudaImageWork<uint8_t> &work,
                          const uint8_t                  *from,
                          WfTilePlace                     place,
                          uint32_t                       *marker,
                          uint32_t                       *mask,
                          int                             lane)
{
  if (work.aligned)
    load_tile_aligned (from, work.mask, work.keys.flip, place, marker, mask, lane);
  else
    load_tile (from, work.mask, work.keys, place, marker, mask, lane);
}

template <typename Pixel>
__device__ __forceinline__ void
store_image_tile (const WfCudaImageWork<Pixel> &work,
                  WfTilePlace                   place,
                  const uint32_t               *words,
                  int                           lane)
{
  store_tile (work.out, work.keys, place, words, lane);
}

template <>
__device__ __forceinline__ void
store_image_tile<uint8_t> (const WfCudaImageWork<uint8_t> &work,
                           WfTilePlace                     place,
                           const uint32_t                 *words,
                           int                             lane)
{
  if (work.aligned)
    store_tile_aligned (work.out, work.keys.flip, place, words, lane);
  else
    store_tile (work.out, work.keys, place, words, lane);
}

template <typename Pixel>
__device__ __forceinline__ WfTilePlace
image_tile_place (const WfCudaImageWork<Pixel> &work,
                  int                           tile)
{
  const int     row = tile / work.n_across;
  const int64_t y   = (int64_t) row * WfTileFormat<Pixel>::ROWS;
  const int64_t x   = (int64_t) (tile - row * work.n_across) * WfTileFormat<Pixel>::COLUMNS;

  return {
    y * work.width + x, work.width,
    (int) min (work.width - x, (int64_t) WfTileFormat<Pixel>::COLUMNS),
    (int) min (work.height - y, (int64_t) WfTileFormat<Pixel>::ROWS),
  };
}

/* What a warp has read before it settles a tile, and needs after that. */
struct WfTileKnown
{
  WfTileSides halo;
  WfTileSides old;
  uint32_t    corner;
};

/* What the masks of the neighbours allow; 0 where there is none. */
struct WfTileLimits
{
  uint32_t side[WF_N_SIDES];
  uint32_t corner;
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ WfTileLimits
read_limits (const WfCudaImageWork<Pixel> &work,
             const WfTileNeighbours       &neighbours,
             int                           lane)
{
  WfTileLimits limits;

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    limits.side[i] = neighbours.at_side[i] < 0 ? 0 :
                     WfTileFormat<Pixel>::restored (read_side<Pixel> (work.mask_sides,
                                                                      neighbours.at_side[i],
                                                                      i ^ 1, lane));
  limits.corner = CONNECTIVITY == 4 ? 0 :
                  read_corner<Pixel> (work.mask_sides, neighbours.at_corner, lane);
  return limits;
}

/* Makes the compiler compute anew what follows from @value, rather than keep it in
 * registers that the sweeps need.
 */
__device__ __forceinline__ int
forget (int value)
{
  asm volatile ("" : "+r" (value));
  return value;
}

/* Loads the tile with what its neighbours give it; FALSE if that is nothing, and the tile
 * was left stable.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
enter_image_tile (const WfCudaImageWork<Pixel> &work,
                  int                           tile,
                  bool                          fresh,
                  bool                          unstable,
                  uint32_t                     *marker,
                  uint32_t                     *mask,
                  int                           lane,
                  WfTileKnown                  *known,
                  bool                         *rows_first)
{
  typedef WfTileFormat<Pixel> Format;

  const WfTileNeighbours neighbours = find_neighbours (tile, work.n_across, work.n_down, lane);
  const WfTilePlace      place      = image_tile_place (work, tile);
  uint32_t               limits[WF_N_SIDES];

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    {
      known->halo.side[i] = neighbours.at_side[i] < 0 ? 0 :
                            Format::restored (read_side<Pixel> (work.sides,
                                                                neighbours.at_side[i], i ^ 1,
                                                                lane));
      known->old.side[i]  = fresh ? 0 :
                            Format::restored (read_side<Pixel> (work.sides, tile, i, lane));
      limits[i]           = fresh ? 0 :
                            Format::restored (read_side<Pixel> (work.mask_sides, tile, i,
                                                                lane));
    }
  known->corner = CONNECTIVITY == 4 ? 0 :
                  read_corner<Pixel> (work.sides, neighbours.at_corner, lane);
  if (fresh)
    load_image_tile (work, work.marker, place, marker, mask, lane);

  const WfTileSides offer = spread_halo<Pixel, CONNECTIVITY> (known->halo, known->corner, lane);

  if (! fresh)
    {
      bool rises[WF_N_SIDES];

#pragma unroll
      for (int i = 0; i < WF_N_SIDES; i++)
        rises[i] = Format::max (known->old.side[i],
                                Format::min (limits[i], offer.side[i])) != known->old.side[i];

      const bool rise_across = __any_sync (WF_ALL_LANES, rises[WF_TOP] || rises[WF_BOTTOM]);
      const bool rise_along  = __any_sync (WF_ALL_LANES, rises[WF_LEFT] || rises[WF_RIGHT]);

      if (! rise_across && ! rise_along && ! unstable)
        return false;
      *rows_first = rise_along && ! rise_across;
      load_image_tile (work, (const Pixel *) work.out, place, marker, mask, lane);
    }
  __syncwarp ();
  if (fresh)
    {
      /* Sweeps clamp what they pass over, but begin with this row as it is. */
      const int at = (WF_TILE_WORDS - 1) * WF_TILE_PITCH + lane;

      marker[at] = Format::word (Format::min (Format::wave (marker[at]),
                                              Format::wave (mask[at])));
      __syncwarp ();
    }
  merge_offers<Pixel> (marker, mask, offer, lane);
  return true;
}

/* Publishes @sides and tells those neighbours that gain by what is new in them, given
 * what was known of them.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
tell_neighbours (const WfCudaImageWork<Pixel> &work,
                 int                           tile,
                 const WfTileSides            &sides,
                 const WfTileKnown            &known,
                 const WfTileLimits           &limits,
                 const WfTileNeighbours       &neighbours,
                 int                           lane)
{
  typedef WfTileFormat<Pixel> Format;

  bool gains[WF_N_SIDES];
  bool tell   = false;
  int  target = -1;

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    __stcg (work.sides + ((int64_t) tile * WF_N_SIDES + i) * 32 + lane,
            Format::stored (sides.side[i]));
  __threadfence ();
  __syncwarp ();

#define GAINS(SIDE) \
  gains[SIDE] = neighbour_gains<Pixel, CONNECTIVITY, SIDE> \
                  (sides.side[SIDE], known.old.side[SIDE], known.halo.side[SIDE], \
                   limits.side[SIDE], lane)

  GAINS (WF_TOP);
  GAINS (WF_BOTTOM);
  GAINS (WF_LEFT);
  GAINS (WF_RIGHT);
#undef GAINS

  if (CONNECTIVITY == 8)
    {
      target = neighbours.at_corner;
      tell   = min (corner_pixel<Pixel> (sides, lane), limits.corner) > known.corner;
    }
#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    if (lane == 4 + i)
      {
        tell   = gains[i];
        target = neighbours.at_side[i];
      }
  if (tell && target >= 0)
    tell_tile (work.list, target);
  __syncwarp ();
}

/* Returns whether the tile is stable. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
visit_image_tile (const WfCudaImageWork<Pixel> &work,
                  int                           tile,
                  bool                          fresh,
                  bool                          unstable,
                  uint32_t                     *marker,
                  uint32_t                     *mask,
                  int                           lane)
{
  typedef WfTileFormat<Pixel> Format;

  WfTileKnown known      = { { { 0, 0, 0, 0 } }, { { 0, 0, 0, 0 } }, 0 };
  bool        rows_first = false;

  if (! enter_image_tile<Pixel, CONNECTIVITY> (work, tile, fresh, unstable, marker, mask, lane,
                                               &known, &rows_first))
    return true;

  const int  most   = fresh && CONNECTIVITY == 8 ? work.first_sweeps : INT_MAX;
  const bool stable = settle_tile<Pixel, CONNECTIVITY> (marker, mask, lane, rows_first, most);

  tile = forget (tile);

  const WfTileNeighbours neighbours = find_neighbours (tile, work.n_across, work.n_down, lane);
  const WfTileLimits     limits     = read_limits<Pixel, CONNECTIVITY> (work, neighbours, lane);

  store_image_tile (work, image_tile_place (work, tile), marker, lane);
  if (fresh)
    {
      const WfTileSides own = tile_sides<Pixel> (mask, lane);

#pragma unroll
      for (int i = 0; i < WF_N_SIDES; i++)
        __stcg (work.mask_sides + ((int64_t) tile * WF_N_SIDES + i) * 32 + lane,
                Format::stored (own.side[i]));
    }
  tell_neighbours<Pixel, CONNECTIVITY> (work, tile, tile_sides<Pixel> (marker, lane), known,
                                        limits, neighbours, lane);
  return stable;
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (WF_IMAGE_WARPS * 32, WF_IMAGE_BLOCKS)
visit_image_tiles (WfCudaImageWork<Pixel> work)
{
  __shared__ uint32_t words[WF_IMAGE_WARPS][2][WF_TILE_SIZE];

  const uint64_t start  = read_clock ();
  const int       lane   = threadIdx.x % 32;
  uint32_t       *marker = words[threadIdx.x / 32][0];
  uint32_t       *mask   = words[threadIdx.x / 32][1];
  uint32_t        visits = 0;

  for (;;)
    {
      int  tile     = 0;
      bool fresh    = false;
      bool unstable = false;
      bool stable;

      if (lane == 0)
        {
          tile = take_tile (work.list, start, visits, &fresh);
          if (tile >= 0)
            unstable = start_tile (work.list, tile);
        }
      tile     = __shfl_sync (WF_ALL_LANES, tile, 0);
      fresh    = __shfl_sync (WF_ALL_LANES, (int) fresh, 0);
      unstable = __shfl_sync (WF_ALL_LANES, (int) unstable, 0);
      __syncwarp ();
      if (tile < 0)
        break;

      stable = visit_image_tile<Pixel, CONNECTIVITY> (work, tile, fresh, unstable, marker, mask,
                                                      lane);
      __syncwarp ();
      if (lane == 0)
        finish_tile (work.list, tile, stable);
      visits++;
    }
  if (lane == 0)
    leave_work (work.list, start, visits);
}
