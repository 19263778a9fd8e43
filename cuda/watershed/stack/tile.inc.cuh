/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles of the watershed of stacks on a GPU.
 *
 * A tile has 32 × 16 × 16 voxels, with local numbers in raster order.  The data of a voxel is
 * stored at its place in the stack, and facts of one bit in words of 32 voxels of a row.  So a
 * thin stack takes as much memory a voxel as any other (rows are padded to whole words).  A warp
 * holds a fact about a tile in eight words a lane: lane l has the rows 8 (l % 2) … + 7 of slice
 * l / 2.
 *
 * Numbers of voxels have 32 bits.
 */

#pragma once

#include "cuda/core/lanes.cuh"
#include "cuda/watershed/directions.cuh"
#include "cuda/watershed/flood.cuh"

namespace stack_flood
{

#define WF_TILE_X       32
#define WF_TILE_Y       16
#define WF_TILE_Z       16
#define WF_TILE_VOXELS  (WF_TILE_X * WF_TILE_Y * WF_TILE_Z)
#define WF_TILE_ROWS    (WF_TILE_Y * WF_TILE_Z)
#define WF_TILE_THREADS 256     /* where a block has a tile to itself: one a row */

/* Rows that a lane has. */
#define WF_LANE_ROWS (WF_TILE_ROWS / 32)

/* Voxels of a tile's border. */
#define WF_BORDER_VOXELS (WF_TILE_VOXELS - (WF_TILE_X - 2) * (WF_TILE_Y - 2) * (WF_TILE_Z - 2))

/* L2 up to WF_SHALLOW is kept as bits. */
#define WF_SHALLOW 6
#define WF_DEEP    (WF_SHALLOW + 1)

/* Four voxels of a row, and how many of them a tile's row has. */
template <typename T>
struct __align__ (4 * sizeof (T)) WfFour
{
  T of[4];
};

#define WF_FOURS (WF_TILE_X / 4)

/* The most voxels that can be numbered, with room for coordinates just outside. */
#define WF_MOST_VOXELS 0xffff0000u

/**
 * WfStack:
 * @slice: voxels in a slice
 * @waiting: bits: voxels without a lower neighbor, and no markers; after spread those
 *   whose L2 is more than WF_SHALLOW
 * @seeds: bits: those of them beside one of the same level that has L2 = 0; after spread
 *   those whose L2 is WF_SHALLOW + 1
 * @facts: of 32 voxels of a row the bits of L2, or, from WF_DEEP on, of WF_DEEP, lowest
 *   first; and those with WF_DEEP that are reached: the others are minima
 * @roots: bits: markers, or voxels of minima
 * @ends: bits: voxels that are the ends of their paths in their tiles; in the memory of
 *   @seeds, which are not needed any more when ends are known
 * @depths: L2 - WF_SHALLOW where it is more than WF_SHALLOW, and reached
 *
 * A stack under its tiles.
 */
struct WfStack
{
  guint32  width;
  guint32  height;
  guint32  depth;
  guint32  slice;
  guint32  across;
  guint32  down;
  guint32  n_tiles;
  guint32 *waiting;
  guint32 *seeds;
  uint4   *facts;
  guint32 *roots;
  guint32 *ends;
  guint32 *depths;

  __device__ guint32
  voxel (guint32 x,
         guint32 y,
         guint32 z) const
  {
    return z * slice + y * width + x;
  }

  /* The first word of a row. */
  __device__ guint32
  row (guint32 y,
       guint32 z) const
  {
    return (z * height + y) * across;
  }
};

/**
 * WfEnds:
 * @of_voxels: the number of a voxel's end among those of its tile
 * @firsts: the number of a tile's first end among all
 * @n: of them
 * @forest: of each end another, further on
 * @found: its voxel if it is a root, then its label
 *
 * The ends of paths in tiles: exits and roots.
 */
struct WfEnds
{
  guint16 *of_voxels;
  guint32 *firsts;
  guint32 *n;
  guint32 *forest;
  guint32 *found;

  /* The end of the path of a voxel. */
  __device__ guint32
  of (guint32 voxel,
      guint32 index) const
  {
    return firsts[index] + of_voxels[voxel];
  }
};

/* A tile: its number, and its first voxel. */
struct WfStackTile
{
  guint32 index;
  guint32 word;     /* in the row */
  guint32 x;
  guint32 y;
  guint32 z;
};

__device__ __forceinline__ WfStackTile
wf_stack_tile (const WfStack &stack,
               guint32        index)
{
  const guint32 row  = index / stack.across;
  const guint32 word = index - row * stack.across;
  const guint32 deep = row / stack.down;

  return { index, word, word * WF_TILE_X, (row - deep * stack.down) * WF_TILE_Y, deep * WF_TILE_Z };
}

__device__ __forceinline__ WfStackTile
wf_stack_tile_at (const WfStack &stack,
                  guint32        x,
                  guint32        y,
                  guint32        z)
{
  const guint32 row = z / WF_TILE_Z * stack.down + y / WF_TILE_Y;

  return wf_stack_tile (stack, row * stack.across + x / WF_TILE_X);
}

/* A word of the row (y, z) of the tile; 0 outside the stack. */
__device__ __forceinline__ guint32
wf_row_word (const WfStack &stack,
             const guint32 *bits,
             guint32        word,
             guint32        y,
             guint32        z)
{
  return y < stack.height && z < stack.depth && word < stack.across
         ? bits[stack.row (y, z) + word] : 0;
}

/* The voxels of a word whose L2, more than WF_SHALLOW, is known; others may write them. */
__device__ __forceinline__ guint32
wf_reached_word (const WfStack &stack,
                 guint32        word,
                 guint32        y,
                 guint32        z)
{
  return y < stack.height && z < stack.depth && word < stack.across
         ? __ldcg (&stack.facts[stack.row (y, z) + word].w) : 0;
}

/* L2, 0 for minima, of a voxel of the stack, when all is known. */
__device__ __forceinline__ guint32
wf_depth (const WfStack &stack,
          guint32        x,
          guint32        y,
          guint32        z)
{
  const uint4   facts = stack.facts[stack.row (y, z) + x / 32];
  const int     bit   = x % 32;
  const guint32 low   = (facts.x >> bit & 1) | (facts.y >> bit & 1) << 1
                        | (facts.z >> bit & 1) << 2;

  return low < WF_DEEP ? low
         : facts.w >> bit & 1 ? WF_SHALLOW + stack.depths[stack.voxel (x, y, z)] : 0;
}


/*  A tile's rows, held by a warp  */

struct WfTileRows
{
  guint32 word[WF_LANE_ROWS];
};

__device__ __forceinline__ int
wf_lane_y (int lane)
{
  return lane % 2 * WF_LANE_ROWS;
}

__device__ __forceinline__ int
wf_lane_z (int lane)
{
  return lane / 2;
}

__device__ __forceinline__ WfTileRows
wf_load_reached (const WfStack     &stack,
                 const WfStackTile &tile,
                 int                lane)
{
  WfTileRows rows;

#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    rows.word[k] = wf_reached_word (stack, tile.word, tile.y + wf_lane_y (lane) + k,
                                    tile.z + wf_lane_z (lane));
  return rows;
}

__device__ __forceinline__ WfTileRows
wf_load_rows (const WfStack     &stack,
              const WfStackTile &tile,
              const guint32     *bits,
              int                lane)
{
  WfTileRows rows;

#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    rows.word[k] = wf_row_word (stack, bits, tile.word, tile.y + wf_lane_y (lane) + k,
                                tile.z + wf_lane_z (lane));
  return rows;
}

/* Row k, whichever that is, so that the rows may stay in registers. */
__device__ __forceinline__ guint32
wf_row_of (const WfTileRows &rows,
           int               k)
{
  guint32 result = 0;

#pragma unroll
  for (int j = 0; j < WF_LANE_ROWS; j++)
    if (j == k)
      result = rows.word[j];
  return result;
}

__device__ __forceinline__ void
wf_set_voxel (WfTileRows *rows,
              int         i,
              int         lane)
{
#pragma unroll
  for (int j = 0; j < WF_LANE_ROWS; j++)
    if (i / WF_TILE_X == lane * WF_LANE_ROWS + j)
      rows->word[j] |= 1u << (i % WF_TILE_X);
}

__device__ __forceinline__ bool
wf_any_row (const WfTileRows &rows)
{
  guint32 any = 0;

#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    any |= rows.word[k];
  return __any_sync (WF_ALL_LANES, any != 0);
}

/* Calls visit (from, k, word), all lanes of the warp together, for each row that has
 * bits: row k of the lane @from.
 */
template <typename Visit>
__device__ __forceinline__ void
wf_each_row (const WfTileRows  &rows,
             Visit            &&visit)
{
#pragma unroll
  for (int k = 0; k < WF_LANE_ROWS; k++)
    for (guint32 lanes = __ballot_sync (WF_ALL_LANES, rows.word[k] != 0); lanes != 0;
         lanes &= lanes - 1)
      {
        const int from = __ffs (lanes) - 1;

        visit (from, k, __shfl_sync (WF_ALL_LANES, rows.word[k], from));
      }
}

/* The voxels with a neighbour in @rows, and some of @rows. */
template <int N>
__device__ __forceinline__ WfTileRows
wf_dilate (const WfTileRows &rows,
           int               lane)
{
  constexpr int LAST = WF_LANE_ROWS - 1;

  WfTileRows wide;
  WfTileRows tall;
  WfTileRows result;

#pragma unroll
  for (int k = 0; k <= LAST; k++)
    wide.word[k] = rows.word[k] | rows.word[k] << 1 | rows.word[k] >> 1;

  /* Along y and z: all that is near by now, or only the voxels themselves. */
  const WfTileRows &near  = N == 26 ? wide : rows;
  const guint32     above = __shfl_up_sync (WF_ALL_LANES, near.word[LAST], 1);
  const guint32     below = __shfl_down_sync (WF_ALL_LANES, near.word[0], 1);

#pragma unroll
  for (int k = 0; k <= LAST; k++)
    tall.word[k] = wide.word[k]
                   | (k > 0 ? near.word[k > 0 ? k - 1 : 0] : lane % 2 == 1 ? above : 0)
                   | (k < LAST ? near.word[k < LAST ? k + 1 : 0] : lane % 2 == 0 ? below : 0);
#pragma unroll
  for (int k = 0; k <= LAST; k++)
    {
      const guint32 own    = N == 26 ? tall.word[k] : rows.word[k];
      const guint32 before = __shfl_up_sync (WF_ALL_LANES, own, 2);
      const guint32 after  = __shfl_down_sync (WF_ALL_LANES, own, 2);

      result.word[k] = tall.word[k] | (lane >= 2 ? before : 0) | (lane < 30 ? after : 0);
    }
  return result;
}

/* The voxels of a lane's row k that belong to the tile's border. */
__device__ __forceinline__ guint32
wf_border_bits (int lane,
                int k)
{
  const int y = wf_lane_y (lane) + k;
  const int z = wf_lane_z (lane);

  return y == 0 || y == WF_TILE_Y - 1 || z == 0 || z == WF_TILE_Z - 1 ? ~0u : 0x80000001u;
}

} /* namespace stack_flood */
