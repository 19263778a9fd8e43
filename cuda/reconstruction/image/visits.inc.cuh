/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images by tiles from a worklist: one warp a tile.
 *
 * A visit merges the halo of a tile into its border and ends at once if no pixel rises.
 * Otherwise it loads the tile, sweeps it until it is stable, writes it, and marks those
 * neighbours as dirty that gain (see tile.inc.cuh and cuda/reconstruction/worklist.cuh).
 *
 * A tile does not read its neighbours' pixels: each tile publishes its border, of the marker and
 * of the mask, in a buffer, so that a column costs as much as a row.  Reading a stale border is
 * safe: values only rise, so it is a lower bound, and the tile that raised it marks every
 * neighbour that could gain.
 *
 * Bytes: a tile's first visit reads mask and marker and writes the result; each later one that
 * changes something reads mask and result and writes the result.  Pictures of tissue take 2.3
 * visits a tile with 4 neighbours and 2.7 with 8; the borders take 0.3 bytes a pixel more (u8).
 * So about 8 bytes a pixel are moved; 3 are the least.  The instructions of the sweeps bound the
 * time (sweeps.inc.cuh).
 *
 * A first visit to a tile without any marker, in which nothing has arrived, sweeps and writes
 * nothing.  Whether tiles are asleep (worklist.cuh) is seen by their borders alone: nothing above
 * the least key in that of the marker, but something in that of the mask.
 */

#pragma once

#include <climits>

#include "borders.inc.cuh"
#include "samples.inc.cuh"
#include "sweeps.inc.cuh"
#include "tile.inc.cuh"
#include "cuda/reconstruction/worklist.cuh"

namespace image_tiles
{

/* Warps of a block, and the most blocks of a multiprocessor.  A block takes 17 KB of shared
 * memory, so that little is left unused on any device.
 */
constexpr int WARPS       = 2;
constexpr int MOST_BLOCKS = 12;

/**
 * Work:
 * @marker, @out: may be the same
 * @borders, @mask_borders: of each tile four sides of 32 lanes
 * @first_sweeps: the most in a first visit; then the tile waits until the tiles around it have
 *   been visited
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

  const int    row     = wf_divide (tile, work.list.rows);
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

/* What a warp reads before the sweeps and needs after them. */
struct Known
{
  Sides   halo;
  Sides   old;
  guint32 corner;
};

/* What the masks of the neighbours allow; 0 where there is none. */
struct Limits
{
  Sides   sides;
  guint32 corner;
};

template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ Limits
read_limits (const Work<Pixel> &work,
             const Neighbours  &neighbours,
             int                lane)
{
  const StoredHalo<Pixel> halo = read_halo<Pixel, CONNECTIVITY> (work.mask_borders, neighbours,
                                                                 lane);

  return { restored_sides<Pixel> (halo.side), corner_of_halo<Pixel> (halo, lane) };
}

/* Whether any pixel of the tile has a key above the least. */
__device__ __forceinline__ bool
any_marked (const guint32 *marker,
            int            lane)
{
  guint32 all = 0;

#pragma unroll
  for (int row = 0; row < WF_TILE_WORDS; row++)
    all |= marker[row * PITCH + lane];
  return __any_sync (WF_ALL_LANES, all != 0);
}

/* Loads the tile and merges its halo; FALSE if nothing rises and the tile was left stable. */
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
  typedef WfTileFormat<Pixel>   Format;
  typedef typename Format::Side Side;

  const Neighbours        neighbours = find_neighbours (tile, work.list.rows, work.n_across,
                                                        work.n_down, lane);
  const Place             place      = place_of_tile (work, tile);
  const bool              enters     = fresh || unstable;
  const StoredHalo<Pixel> halo       = read_halo<Pixel, CONNECTIVITY> (work.borders, neighbours,
                                                                       lane);
  Side                    old[WF_N_SIDES]    = {};
  Side                    limits[WF_N_SIDES] = {};

  if (! fresh)
#pragma unroll
    for (int i = 0; i < WF_N_SIDES; i++)
      {
        old[i]    = read_side<Pixel> (work.borders, tile, i, lane);
        limits[i] = read_side<Pixel> (work.mask_borders, tile, i, lane);
      }
  if (enters)
    load_both (work, fresh ? work.marker : work.out, place, marker, mask, lane);

  known->halo   = restored_sides<Pixel> (halo.side);
  known->old    = restored_sides<Pixel> (old);
  known->corner = corner_of_halo<Pixel> (halo, lane);

  const Sides offer = spread_halo<Pixel, CONNECTIVITY> (known->halo, known->corner, lane);

  if (! enters)
    {
      const Sides most  = restored_sides<Pixel> (limits);
      bool        rises = false;

#pragma unroll
      for (int i = 0; i < WF_N_SIDES; i++)
        rises |= Format::max (known->old.side[i],
                              Format::min (most.side[i], offer.side[i])) != known->old.side[i];
      if (! __any_sync (WF_ALL_LANES, rises))
        return false;
      load_both (work, (const Pixel *) work.out, place, marker, mask, lane);
    }
  __syncwarp ();
  if (fresh)
    {
      /* Sweeps clamp what they pass over, except this row, with which they begin. */
      const int at = (WF_TILE_WORDS - 1) * PITCH + lane;

      marker[at] = Format::word (Format::min (Format::wave (marker[at]),
                                              Format::wave (mask[at])));
      __syncwarp ();
    }
  *rows = *columns = unstable || (fresh && any_marked (marker, lane)) ? ALL_WORDS : 0;
  merge_offers<Pixel> (marker, mask, offer, lane, rows, columns);
  return true;
}

/* Publishes the border, and marks those neighbours that gain by what is new in it, given what was
 * @known of them.
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
  order_memory ();
  __syncwarp ();

#define GAINS(SIDE) \
  gains[SIDE] = neighbour_gains<Pixel, CONNECTIVITY, SIDE> \
                  (borders.side[SIDE], known.old.side[SIDE], known.halo.side[SIDE], \
                   limits.sides.side[SIDE], lane)

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
  const bool same   = sizeof (Pixel) < 4 && work.marker == work.out && ! rows && ! columns;
  const bool stable = settle_tile<Pixel, CONNECTIVITY> (marker, lane, rows, columns, most);

  tile = forget (tile);

  const Neighbours neighbours = find_neighbours (tile, work.list.rows, work.n_across, work.n_down,
                                                lane);
  const Limits     limits     = read_limits<Pixel, CONNECTIVITY> (work, neighbours, lane);
  const Sides      reached    = border_of_tile<Pixel> (marker, lane);
  const bool       dark       = ! any_side (reached);

  if (! same)
    store_tile (work.out, work.keys, place_of_tile (work, tile), work.aligned, marker, lane);
  if (! same && work.list.tracks && lane == 0)
    note_row (work.list, wf_divide (tile, work.list.rows));
  if (fresh)
    {
      const Sides own = border_of_tile<Pixel> (mask, lane);

#pragma unroll
      for (int i = 0; i < WF_N_SIDES; i++)
        __stcg (work.mask_borders + ((gint64) tile * WF_N_SIDES + i) * 32 + lane,
                Format::stored (own.side[i]));
      if (dark && any_side (own) && lane == 0)
        atomicAdd (&work.list.control->asleep.value, 1u);
    }
  else if (! dark && ! any_side (known.old) && lane == 0)
    atomicSub (&work.list.control->asleep.value, 1u);
  notify_neighbours<Pixel, CONNECTIVITY> (work, tile, reached, known, limits, neighbours, lane);
  return stable;
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (WARPS * WF_LANES, MOST_BLOCKS)
visit_image_tiles (Work<Pixel> work)
{
  __shared__ uint2 pairs[WARPS][2][SIZE / 2];

  guint32 *marker = (guint32 *) pairs[threadIdx.x / WF_LANES][0];
  guint32 *mask   = (guint32 *) pairs[threadIdx.x / WF_LANES][1];

  if (sizeof (Pixel) == 1 && has_far_to_go (work.list))
    {
      if (wf_lane () == 0)
        end_work (work.list, WF_WORK_NOT_BEGUN);
      return;
    }
  visit_dirty_tiles<true> (work.list, [&] (int tile, bool fresh, bool unstable)
    {
      return visit_tile<Pixel, CONNECTIVITY> (work, tile, fresh, unstable, marker, mask,
                                              wf_lane ());
    });
}

/* Raises the first and the last row of an image whose tiles have settled, and disturbs those where
 * that changes a pixel.  @first, @last: packed pixels, or %NULL
 */
template <typename Pixel>
__global__ void
raise_rims (Work<Pixel>  work,
            const Pixel *first,
            const Pixel *last)
{
  typedef WfTileFormat<Pixel> Format;

  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < 2 * work.width;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const bool   at_end = i >= work.width;
      const Pixel *rim    = at_end ? last : first;
      const gint64 x      = at_end ? i - work.width : i;
      const gint64 at     = at_end ? (work.height - 1) * work.width + x : x;
      Pixel        risen;

      if (! rim)
        continue;
      risen = min (work.keys.of (rim[x]), work.keys.of (work.mask[at]));
      if (risen <= work.keys.of_written (work.out[at]))
        continue;
      work.out[at] = work.keys.back (risen);
      disturb_tile (work.list, (at_end ? work.n_down - 1 : 0) * work.n_across +
                               (int) (x / Format::COLUMNS));
    }
}

} /* namespace image_tiles */
