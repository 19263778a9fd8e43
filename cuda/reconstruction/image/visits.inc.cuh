/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images by tiles from a worklist: one warp a tile.
 *
 * A visit to a tile merges the neighbours' border pixels into its own and leaves at
 * once if none of them rises; else it loads the tile, sweeps it until it is stable,
 * writes it, and makes those neighbours dirty that would gain (see
 * tile.inc.cuh and cuda/reconstruction/worklist.cuh).
 *
 * Nobody reads a neighbour's pixels: each tile publishes its four sides, of the marker
 * and of the mask, in a buffer, so that a column costs no more than a row.  A stale
 * side is no harm.  It is lower than the new one, and who has raised it tells those who
 * gain by comparing with what it knows of them, which is stale to the same side.
 *
 * Bytes: a tile's first visit reads mask and marker and writes the result; each later
 * one that changes something reads mask and result and writes the result.  Pictures of
 * tissue take 2.3 visits a tile with 4 neighbours and 2.7 with 8; the sides take 0.3 bytes
 * a pixel more (u8).  So about 8 bytes a pixel are moved, where 3 are the least; what
 * bounds it are the instructions of the sweeps (sweeps.inc.cuh).
 */

#pragma once

#include <climits>

#include "borders.inc.cuh"
#include "sweeps.inc.cuh"
#include "tile.inc.cuh"
#include "cuda/reconstruction/worklist.cuh"

namespace image_tiles
{

/* Warps of a block, and blocks of a multiprocessor if its shared memory holds so many:
 * 17 KB each, so that little of any device's is left over.
 */
constexpr int WARPS       = 2;
constexpr int MOST_BLOCKS = 12;

/**
 * WfCudaImageWork:
 * @marker, @out: may be the same
 * @sides, @mask_borders: of each tile four sides of 32 lanes
 * @first_sweeps: after so many, first visits let the tile wait until the tiles around it
 *   have been visited too
 * @aligned: every row of the images begins at a multiple of 16 bytes
 * @by_words: the images begin at multiples of 4 bytes
 */
template <typename Pixel>
struct Work
{
  typedef typename WfTileFormat<Pixel>::Side Side;

  WfWorklist         list;
  const Pixel       *mask;
  const Pixel       *marker;
  Pixel             *out;
  Side              *borders;
  Side              *mask_borders;
  WfCudaKeys<Pixel>  keys;
  gint64             width;
  gint64             height;
  int                n_across;
  int                n_down;
  int                first_sweeps;
  bool               aligned;
  bool               by_words;
};

template <typename Pixel>
__device__ __forceinline__ void
load_both (const Work<Pixel> &work,
           const Pixel       *from,
           Place              place,
           guint32           *marker,
           guint32           *mask,
           int                lane)
{
  load_tile (work.mask, work.keys, place, work.aligned, mask, lane);
  load_tile (from, work.keys, place, work.aligned, marker, lane);
}

template <typename Pixel>
__device__ __forceinline__ Place
place_of_tile (const Work<Pixel> &work,
               int                tile)
{
  typedef WfTileFormat<Pixel> Format;
  constexpr gint64 A_WORD = 4 / sizeof (Pixel);

  const int    row     = tile / work.n_across;
  const gint64 y       = (gint64) row * Format::ROWS;
  const gint64 x       = (gint64) (tile - row * work.n_across) * Format::COLUMNS;
  const int    columns = (int) min (work.width - x, (gint64) Format::COLUMNS);
  const int    rows    = (int) min (work.height - y, (gint64) Format::ROWS);
  const gint64 end     = (y + rows - 1) * work.width + x + columns;
  const bool   inside  = (end + A_WORD - 1) / A_WORD * A_WORD <= work.width * work.height;

  return {
    y * work.width + x, work.width, columns, rows,
    work.by_words && columns == Format::COLUMNS && rows == Format::ROWS && inside
  };
}

/* What a warp has read before it settles a tile, and needs after that. */
struct Known
{
  Sides   halo;
  Sides   old;
  guint32 corner;
};

/* What the masks of the neighbours allow; 0 where there is none. */
struct Limits
{
  guint32 side[WF_N_SIDES];
  guint32 corner;
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Limits
read_limits (const Work<Pixel> &work,
             const Neighbours  &neighbours,
             int                lane)
{
  Limits limits;

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    limits.side[i] = neighbours.at_side[i] < 0 ? 0 :
                     WfTileFormat<Pixel>::restored (read_side<Pixel> (work.mask_borders,
                                                                      neighbours.at_side[i],
                                                                      i ^ 1, lane));
  limits.corner = CONNECTIVITY == 4 ? 0 :
                  read_corner<Pixel> (work.mask_borders, neighbours.at_corner, lane);
  return limits;
}

/* Loads the tile with what its neighbours give it; FALSE if that is nothing, and the tile
 * was left stable.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
enter_tile (const Work<Pixel> &work,
            int                tile,
            bool               fresh,
            bool               unstable,
            guint32           *marker,
            guint32           *mask,
            int                lane,
            Known             *known,
            guint32           *rows,
            guint32           *columns)
{
  typedef WfTileFormat<Pixel> Format;

  const Neighbours neighbours = find_neighbours (tile, work.n_across, work.n_down, lane);
  const Place      place      = place_of_tile (work, tile);
  guint32          limits[WF_N_SIDES];

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    {
      known->halo.side[i] = neighbours.at_side[i] < 0 ? 0 :
                            Format::restored (read_side<Pixel> (work.borders,
                                                                neighbours.at_side[i], i ^ 1,
                                                                lane));
      known->old.side[i]  = fresh ? 0 :
                            Format::restored (read_side<Pixel> (work.borders, tile, i, lane));
      limits[i]           = fresh ? 0 :
                            Format::restored (read_side<Pixel> (work.mask_borders, tile, i,
                                                                lane));
    }
  known->corner = CONNECTIVITY == 4 ? 0 :
                  read_corner<Pixel> (work.borders, neighbours.at_corner, lane);
  if (fresh)
    load_both (work, work.marker, place, marker, mask, lane);

  const Sides offer = spread_halo<Pixel, CONNECTIVITY> (known->halo, known->corner, lane);

  if (! fresh)
    {
      bool rises = unstable;

#pragma unroll
      for (int i = 0; i < WF_N_SIDES; i++)
        rises |= Format::max (known->old.side[i],
                              Format::min (limits[i], offer.side[i])) != known->old.side[i];
      if (! __any_sync (WF_ALL_LANES, rises))
        return false;
      load_both (work, (const Pixel *) work.out, place, marker, mask, lane);
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
  *rows = *columns = fresh || unstable ? ALL_WORDS : 0;
  merge_offers<Pixel> (marker, mask, offer, lane, rows, columns);
  return true;
}

/* Publishes @sides and tells those neighbours that gain by what is new in them, given
 * what was known of them.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ void
notify_neighbours (const Work<Pixel> &work,
                   int                tile,
                   const Sides       &borders,
                   const Known       &known,
                   const Limits      &limits,
                   const Neighbours  &neighbours,
                   int                lane)
{
  typedef WfTileFormat<Pixel> Format;

  bool gains[WF_N_SIDES];
  bool notify = false;
  int  target = -1;

#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    __stcg (work.borders + ((gint64) tile * WF_N_SIDES + i) * 32 + lane,
            Format::stored (borders.side[i]));
  __threadfence ();
  __syncwarp ();

#define GAINS(SIDE) \
  gains[SIDE] = neighbour_gains<Pixel, CONNECTIVITY, SIDE> \
                  (borders.side[SIDE], known.old.side[SIDE], known.halo.side[SIDE], \
                   limits.side[SIDE], lane)

  GAINS (WF_TOP);
  GAINS (WF_BOTTOM);
  GAINS (WF_LEFT);
  GAINS (WF_RIGHT);
#undef GAINS

  if (CONNECTIVITY == 8)
    {
      target = neighbours.at_corner;
      notify   = min (corner_pixel<Pixel> (borders, lane), limits.corner) > known.corner;
    }
#pragma unroll
  for (int i = 0; i < WF_N_SIDES; i++)
    if (lane == 4 + i)
      {
        notify   = gains[i];
        target = neighbours.at_side[i];
      }
  if (notify && target >= 0)
    mark_dirty (work.list, target);
  __syncwarp ();
}

/* Returns whether the tile is stable. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
visit_tile (const Work<Pixel> &work,
            int                tile,
            bool               fresh,
            bool               unstable,
            guint32           *marker,
            guint32           *mask,
            int                lane)
{
  typedef WfTileFormat<Pixel> Format;

  Known   known = { { { 0, 0, 0, 0 } }, { { 0, 0, 0, 0 } }, 0 };
  guint32 rows;
  guint32 columns;

  if (! enter_tile<Pixel, CONNECTIVITY> (work, tile, fresh, unstable, marker, mask, lane,
                                         &known, &rows, &columns))
    return true;

  const int  most   = fresh ? work.first_sweeps : INT_MAX;
  const bool stable = settle_tile<Pixel, CONNECTIVITY> (marker, lane, rows, columns, most);

  tile = forget (tile);

  const Neighbours neighbours = find_neighbours (tile, work.n_across, work.n_down, lane);
  const Limits     limits     = read_limits<Pixel, CONNECTIVITY> (work, neighbours, lane);

  store_tile (work.out, work.keys, place_of_tile (work, tile), work.aligned, marker, lane);
  if (fresh)
    {
      const Sides own = border_of_tile<Pixel> (mask, lane);

#pragma unroll
      for (int i = 0; i < WF_N_SIDES; i++)
        __stcg (work.mask_borders + ((gint64) tile * WF_N_SIDES + i) * 32 + lane,
                Format::stored (own.side[i]));
    }
  notify_neighbours<Pixel, CONNECTIVITY> (work, tile, border_of_tile<Pixel> (marker, lane), known,
                                          limits, neighbours, lane);
  return stable;
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (WARPS * WF_LANES, MOST_BLOCKS)
visit_image_tiles (Work<Pixel> work)
{
  __shared__ guint32 words[WARPS][2][WF_TILE_SIZE];

  guint32 *marker = words[threadIdx.x / WF_LANES][0];
  guint32 *mask   = words[threadIdx.x / WF_LANES][1];

  visit_dirty_tiles<true> (work.list, [&] (int tile, bool fresh, bool unstable)
    {
      return visit_tile<Pixel, CONNECTIVITY> (work, tile, fresh, unstable, marker, mask,
                                              wf_lane ());
    });
}

} /* namespace image_tiles */
