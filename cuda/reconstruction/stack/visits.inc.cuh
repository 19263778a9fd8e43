/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of stacks by tiles from a worklist: one warp a tile.
 *
 * A visit to a tile loads it with what its neighbours have published, leaves at once if
 * nothing rises, sweeps it until it is stable, writes it, publishes its own sides and makes
 * those neighbours dirty that gain by them: see tile.inc.cuh,
 * borders.inc.cuh, gains.inc.cuh and
 * cuda/reconstruction/worklist.cuh.
 *
 * A first visit gives up after a few sweeps: what it would do with more of them is done
 * anew when the tiles around it have been visited.
 *
 * Bytes: a tile's first visit reads mask and marker and writes the result; each later one
 * reads mask and result, and writes the result if something rises.  Sides are 0.44 bytes a
 * voxel of u8, twice (values, and needs), which a visit writes, and it reads about as many of
 * those around it.  Tissue takes 3.4 visits a tile with 6 neighbours and 3.9 with 26, that
 * is about 20 bytes a voxel, where 3 are the least.
 *
 * What bounds it are instructions, 8 of a warp's a voxel, and fetching them: the twenty warps
 * of a multiprocessor are at as many places of the code, and as soon as what they go through
 * exceeds some 40 KB they wait for it half of their time.  So whatever is not swept over and
 * over is kept short rather than unrolled, and what is done twice in a visit is there once.
 */

#pragma once

#include <climits>

#include "gains.inc.cuh"
#include "voxels.inc.cuh"

namespace stack_tiles
{

/* Less than 48 KB of shared memory a block, which every device grants. */
constexpr int WARPS       = 4;
constexpr int MOST_BLOCKS = 5;

template <typename Pixel>
__device__ __forceinline__ Place
place_of_tile (const Work<Pixel> &work,
               TileIndex          tile)
{
  typedef StackFormat<Pixel> Format;

  const gint64 x     = (gint64) tile.x * Format::WIDTH;
  const gint64 y     = (gint64) tile.y * Format::HEIGHT;
  const gint64 z     = (gint64) tile.z * Format::DEPTH;
  const gint64 slice = work.width * work.height;

  return {
    z * slice + y * work.width + x, work.width, slice,
    (int) min (work.width - x, (gint64) Format::WIDTH),
    (int) min (work.height - y, (gint64) Format::HEIGHT),
    (int) min (work.depth - z, (gint64) Format::DEPTH)
  };
}

template <typename Pixel>
__device__ __forceinline__ void
load_tile (const Work<Pixel> &work,
           const Pixel       *from,
           const Place       &place,
           guint32           *marker,
           guint32           *mask,
           int                lane)
{
  if constexpr (sizeof (Pixel) == 1)
    if (work.aligned)
      {
        load_pieces (work.mask, from, work.keys.flip, place, marker, mask, lane);
        return;
      }
  load_words (work.mask, from, work.keys, place, marker, mask, lane);
}

template <typename Pixel>
__device__ __forceinline__ void
store_tile (const Work<Pixel> &work,
            const Place       &place,
            const guint32     *words,
            int                lane)
{
  if constexpr (sizeof (Pixel) == 1)
    if (work.aligned)
      {
        store_pieces (work.out, work.keys.flip, place, words, lane);
        return;
      }
  store_words (work.out, work.keys, place, words, lane);
}

/* Loads the tile and sweeps it with what is in @halo.  Returns whether anything may have
 * risen in it, and whether it is @stable.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
raise_tile (const Work<Pixel> &work,
            const Place       &place,
            const Halo<Pixel> &halo,
            bool               fresh,
            bool               unstable,
            guint32           *marker,
            guint32           *mask,
            int                lane,
            bool              *stable)
{
  Open open;

  load_tile (work, fresh ? work.marker : (const Pixel *) work.out, place, marker, mask,
             lane);
  __syncwarp ();
  open    = merge_halo<Pixel, CONNECTIVITY> (halo, marker, mask, lane);
  *stable = true;
  if (! open.x && ! fresh && ! unstable)
    return false;

  /* A sweep along x clamps all that it finds; the others begin with what is there. */
  if (fresh || unstable)
    open = open_all<Pixel, CONNECTIVITY> ();
  *stable = settle_tile<Pixel, CONNECTIVITY> (marker, mask, open,
                                              fresh ? AXIS_X : AXIS_Z,
                                              fresh ? work.first_sweeps : INT_MAX, lane);
  return true;
}

/* Returns whether the tile is stable.  What its neighbours have published is read first, and
 * what they need at the end, by the same code: twice of it would not fit the cache of
 * instructions.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
visit_tile (const Work<Pixel> &work,
            int                number,
            bool               fresh,
            bool               unstable,
            guint32           *marker,
            guint32           *mask,
            int                lane)
{
  bool stable = true;

#pragma unroll 1
  for (int end = forget (0);; end = forget (1))
    {
      const TileIndex tile   = find_tile (work, number);
      const Place     place  = place_of_tile (work, tile);
      const int       around = find_neighbour (work, tile, lane);

      if (! end)
        {
          prefetch_voxels (work.mask, place, lane);
          prefetch_voxels (fresh ? work.marker : (const Pixel *) work.out, place, lane);
        }

      const Halo<Pixel> halo = read_halo<Pixel, CONNECTIVITY>
                                        (end ? work.needs : work.borders, around, lane);

      if (end)
        {
          store_tile (work, place, marker, lane);
          notify_neighbours<Pixel, CONNECTIVITY> (work, around, number, halo, marker, mask,
                                                  lane);
          return stable;
        }
      if (! raise_tile<Pixel, CONNECTIVITY> (work, place, halo, fresh, unstable, marker,
                                             mask, lane, &stable))
        return true;
      number = forget (number);
    }
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (WARPS * WF_LANES, MOST_BLOCKS)
visit_stack_tiles (Work<Pixel> work)
{
  __shared__ guint32 words[WARPS][2][WF_TILE_SIZE];

  guint32 *marker = words[threadIdx.x / WF_LANES][0];
  guint32 *mask   = words[threadIdx.x / WF_LANES][1];

  visit_dirty_tiles<false> (work.list, [&] (int number, bool fresh, bool unstable)
    {
      return visit_tile<Pixel, CONNECTIVITY> (work, number, fresh, unstable, marker, mask,
                                              wf_lane ());
    });
}

} /* namespace stack_tiles */
