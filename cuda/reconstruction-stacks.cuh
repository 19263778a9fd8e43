/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of stacks by tiles from a worklist: one warp a tile.
 *
 * A visit to a tile loads it with what its neighbours have published, leaves at once if
 * nothing rises, sweeps it until it is stable, writes it, publishes its own sides and makes
 * those neighbours dirty that gain by them: see reconstruction-stack-tile.cuh,
 * reconstruction-stack-sides.cuh, reconstruction-stack-gains.cuh and
 * reconstruction-worklist.cuh.  All that a visit reads is under way before any of it is
 * waited for, so that it waits for memory twice: at the beginning, and for what the
 * neighbours need at the end.
 *
 * A first visit gives up after a few sweeps: what it would do with more of them is done
 * anew when the tiles around it have been visited.
 *
 * Bytes: a tile's first visit reads mask and marker and writes the result; each later one
 * reads mask and result, and writes the result if something rises.  Sides are 0.44 bytes a
 * voxel of u8; a visit reads those around it twice (values, and needs) and its own once,
 * and writes its own twice.  Tissue takes 3 to 4 visits a tile (a simulation counts so), with
 * 9 sweeps each for 6 neighbours and 6 for 26: about 18 bytes a voxel, where 3 are the least.
 * What bounds it are instructions, fetching them included, and towards the end too few tiles
 * to visit.
 */

#pragma once

#include <climits>

#include "reconstruction-stack-gains.cuh"
#include "reconstruction-stack-voxels.cuh"

/* Less than 48 KB of shared memory a block, which every device grants. */
#define WF_STACK_WARPS  4
#define WF_STACK_BLOCKS 4

template <typename Pixel>
__device__ __forceinline__ WfStackPlace
find_stack_place (const WfCudaStackWork<Pixel> &work,
                  WfStackTile                   tile)
{
  typedef WfStackFormat<Pixel> Format;

  const int64_t x     = (int64_t) tile.x * Format::WIDTH;
  const int64_t y     = (int64_t) tile.y * Format::HEIGHT;
  const int64_t z     = (int64_t) tile.z * Format::DEPTH;
  const int64_t slice = work.width * work.height;

  return {
    z * slice + y * work.width + x, work.width, slice,
    (int) min (work.width - x, (int64_t) Format::WIDTH),
    (int) min (work.height - y, (int64_t) Format::HEIGHT),
    (int) min (work.depth - z, (int64_t) Format::DEPTH)
  };
}

template <typename Pixel>
__device__ __forceinline__ void
load_stack_tile (const WfCudaStackWork<Pixel> &work,
                 const Pixel                  *from,
                 const WfStackPlace           &place,
                 uint32_t                     *marker,
                 uint32_t                     *mask,
                 int                           lane)
{
  if constexpr (sizeof (Pixel) == 1)
    if (work.aligned)
      {
        /* Both images are under way before either is waited for. */
        const WfTilePieces limits = read_stack_pieces (work.mask, work.keys.flip, place, lane);
        const WfTilePieces pieces = read_stack_pieces (from, work.keys.flip, place, lane);

        place_pieces (limits, work.keys.flip, mask, lane);
        place_pieces (pieces, work.keys.flip, marker, lane);
        return;
      }
  load_stack_words (work.mask, work.keys, place, mask, lane);
  load_stack_words (from, work.keys, place, marker, lane);
}

template <typename Pixel>
__device__ __forceinline__ void
store_stack_tile (const WfCudaStackWork<Pixel> &work,
                  const WfStackPlace           &place,
                  const uint32_t               *words,
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

/* Returns whether the tile is stable. */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
visit_stack_tile (const WfCudaStackWork<Pixel> &work,
                  int                           number,
                  bool                          fresh,
                  bool                          unstable,
                  uint32_t                     *marker,
                  uint32_t                     *mask,
                  int                           lane)
{
  WfStackTile tile = find_stack_tile (work, number);
  WfStackOpen open;
  int         axis;
  bool        stable;

  {
    const WfStackHalo<Pixel> halo = read_stack_halos<Pixel, CONNECTIVITY> (work, work.sides,
                                                                           tile, lane);

    load_stack_tile (work, fresh ? work.marker : (const Pixel *) work.out,
                     find_stack_place (work, tile), marker, mask, lane);
    __syncwarp ();
    open = merge_stack_halo<Pixel, CONNECTIVITY> (halo, marker, mask, lane);
  }
  if (! open.x && ! fresh && ! unstable)
    return true;

  /* A sweep along x clamps all that it finds; the others begin with what is there. */
  axis = fresh ? WF_ALONG_X : WF_ALONG_Z;
  if (fresh || unstable)
    open = { 1, (1 << WF_STACK_SLICES) - 1, (1 << WF_STACK_ROWS) - 1 };
  stable = settle_stack_tile<Pixel, CONNECTIVITY> (marker, mask, open, axis,
                                                   fresh ? work.first_sweeps : INT_MAX, lane);

  number = forget_number (number);
  tile   = find_stack_tile (work, number);

  const WfStackKnown<Pixel> known = read_stack_known<Pixel, CONNECTIVITY> (work, tile, number,
                                                                           lane);

  store_stack_tile (work, find_stack_place (work, tile), marker, lane);
  tell_stack_neighbours<Pixel, CONNECTIVITY> (work, tile, number, known, marker, mask, lane);
  return stable;
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (WF_STACK_WARPS * 32, WF_STACK_BLOCKS)
visit_stack_tiles (WfCudaStackWork<Pixel> work)
{
  __shared__ uint32_t words[WF_STACK_WARPS][2][WF_TILE_SIZE];

  const uint64_t start  = read_clock ();
  const int      lane   = threadIdx.x % 32;
  uint32_t      *marker = words[threadIdx.x / 32][0];
  uint32_t      *mask   = words[threadIdx.x / 32][1];
  uint32_t       visits = 0;

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
