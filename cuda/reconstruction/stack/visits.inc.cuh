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

/* Less than 48 KB of shared memory a block, which every device grants. */
#define WF_STACK_WARPS  4
#define WF_STACK_BLOCKS 5

template <typename Pixel>
__device__ __forceinline__ WfStackPlace
find_stack_place (const WfCudaStackWork<Pixel> &work,
                  WfStackTile                   tile)
{
  typedef WfStackFormat<Pixel> Format;

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
load_stack_tile (const WfCudaStackWork<Pixel> &work,
                 const Pixel                  *from,
                 const WfStackPlace           &place,
                 guint32                      *marker,
                 guint32                      *mask,
                 int                           lane)
{
  if constexpr (sizeof (Pixel) == 1)
    if (work.aligned)
      {
        load_stack_pieces (work.mask, from, work.keys.flip, place, marker, mask, lane);
        return;
      }
  load_stack_words (work.mask, from, work.keys, place, marker, mask, lane);
}

template <typename Pixel>
__device__ __forceinline__ void
store_stack_tile (const WfCudaStackWork<Pixel> &work,
                  const WfStackPlace           &place,
                  const guint32                *words,
                  int                           lane)
{
  if constexpr (sizeof (Pixel) == 1)
    if (work.aligned)
      {
        store_stack_pieces (work.out, work.keys.flip, place, words, lane);
        return;
      }
  store_stack_words (work.out, work.keys, place, words, lane);
}

/* Makes the compiler compute anew what follows from @value, rather than keep it in
 * registers that the sweeps need.
 */
__device__ __forceinline__ int
forget_number (int value)
{
  asm volatile ("" : "+r" (value));
  return value;
}

/* Loads the tile and sweeps it with what is in @halo.  Returns whether anything may have
 * risen in it, and whether it is @stable.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
raise_stack_tile (const WfCudaStackWork<Pixel> &work,
                  const WfStackPlace           &place,
                  const WfStackHalo<Pixel>     &halo,
                  bool                          fresh,
                  bool                          unstable,
                  guint32                      *marker,
                  guint32                      *mask,
                  int                           lane,
                  bool                         *stable)
{
  WfStackOpen open;

  load_stack_tile (work, fresh ? work.marker : (const Pixel *) work.out, place, marker, mask,
                   lane);
  __syncwarp ();
  open    = merge_stack_halo<Pixel, CONNECTIVITY> (halo, marker, mask, lane);
  *stable = true;
  if (! open.x && ! fresh && ! unstable)
    return false;

  /* A sweep along x clamps all that it finds; the others begin with what is there. */
  if (fresh || unstable)
    open = open_all<Pixel, CONNECTIVITY> ();
  *stable = settle_stack_tile<Pixel, CONNECTIVITY> (marker, mask, open,
                                                    fresh ? WF_ALONG_X : WF_ALONG_Z,
                                                    fresh ? work.first_sweeps : INT_MAX, lane);
  return true;
}

/* Returns whether the tile is stable.  What its neighbours have published is read first, and
 * what they need at the end, by the same code: twice of it would not fit the cache of
 * instructions.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
visit_stack_tile (const WfCudaStackWork<Pixel> &work,
                  int                           number,
                  bool                          fresh,
                  bool                          unstable,
                  guint32                      *marker,
                  guint32                      *mask,
                  int                           lane)
{
  bool stable = true;

#pragma unroll 1
  for (int end = forget_number (0);; end = forget_number (1))
    {
      const WfStackTile  tile   = find_stack_tile (work, number);
      const WfStackPlace place  = find_stack_place (work, tile);
      const int          around = find_stack_neighbour (work, tile, lane);

      if (! end)
        {
          expect_stack_voxels (work.mask, place, lane);
          expect_stack_voxels (fresh ? work.marker : (const Pixel *) work.out, place, lane);
        }

      const WfStackHalo<Pixel> halo = read_stack_halos<Pixel, CONNECTIVITY>
                                        (end ? work.needs : work.sides, around, lane);

      if (end)
        {
          store_stack_tile (work, place, marker, lane);
          tell_stack_neighbours<Pixel, CONNECTIVITY> (work, around, number, halo, marker, mask,
                                                      lane);
          return stable;
        }
      if (! raise_stack_tile<Pixel, CONNECTIVITY> (work, place, halo, fresh, unstable, marker,
                                                   mask, lane, &stable))
        return true;
      number = forget_number (number);
    }
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (WF_STACK_WARPS * 32, WF_STACK_BLOCKS)
visit_stack_tiles (WfCudaStackWork<Pixel> work)
{
  __shared__ guint32 words[WF_STACK_WARPS][2][WF_TILE_SIZE];

  const guint64  start  = read_clock ();
  const int      lane   = threadIdx.x % 32;
  guint32       *marker = words[threadIdx.x / 32][0];
  guint32       *mask   = words[threadIdx.x / 32][1];
  guint32        visits = 0;

  for (;;)
    {
      int  number   = 0;
      bool fresh    = false;
      bool unstable = false;
      bool stable;

      if (lane == 0)
        {
          number = take_tile (work.list, start, visits, &fresh);
          if (number >= 0)
            unstable = start_tile (work.list, number);
        }
      number   = __shfl_sync (WF_ALL_LANES, number, 0);
      fresh    = __shfl_sync (WF_ALL_LANES, (int) fresh, 0);
      unstable = __shfl_sync (WF_ALL_LANES, (int) unstable, 0);
      __syncwarp ();
      if (number < 0)
        break;

      stable = visit_stack_tile<Pixel, CONNECTIVITY> (work, number, fresh, unstable, marker,
                                                      mask, lane);
      __syncwarp ();
      if (lane == 0)
        finish_tile (work.list, number, stable);
      visits++;
    }
  if (lane == 0)
    leave_work (work.list, start, visits);
}
