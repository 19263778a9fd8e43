/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Minima over the borders of tiles, for the watershed on a GPU.
 *
 * Parts of minima that reach the borders of tiles are joined by union-find over slots.  A warp
 * joins over the right and the lower border of its tile, with L2 of the pixels on both sides in
 * registers.
 *
 * Bytes a pixel: 0.25 read, and those of union-find.
 */

#pragma once

#include "paths.inc.cuh"

namespace image_flood
{

/*  Borders  */

/* The border between two tiles: 64 pixels of each, two places a lane. */
struct WfSharedBorder
{
  guint32 near[2];      /* L2 on this side, and on the other; not WF_FAR outside the image */
  guint32 far[2];
  guint32 near_slots[2];
  guint32 far_slots[2];
};

/* Bit k: both sides of place k belong to a minimum. */
__device__ __forceinline__ guint32
minima_across (const WfSharedBorder &shared)
{
  return (guint32) (shared.near[0] == WF_FAR && shared.far[0] == WF_FAR)
         | (guint32) (shared.near[1] == WF_FAR && shared.far[1] == WF_FAR) << 1;
}

/* Joins the two tiles.  @before: minima_across() of the places before the lane's; bit k is for
 * the one before place k.
 */
__device__ __forceinline__ void
join_across (const WfSharedBorder &shared,
             guint32               before,
             guint32              *joined)
{
  const guint32 across = minima_across (shared) & ~before;

#pragma unroll
  for (int k = 0; k < 2; k++)
    if (across >> k & 1)
      wf_join_sets (WfForest<guint32> (joined), shared.near_slots[k], shared.far_slots[k]);
}

/* Joins diagonal neighbours of the two tiles, unless a pixel beside both does.  @next: the places
 * one further on.
 */
__device__ __forceinline__ void
join_diagonals (const WfSharedBorder &shared,
                const WfSharedBorder &next,
                guint32              *joined)
{
#pragma unroll
  for (int k = 0; k < 2; k++)
    {
      if (shared.near[k] == WF_FAR && next.far[k] == WF_FAR &&
          shared.far[k] != WF_FAR && next.near[k] != WF_FAR)
        wf_join_sets (WfForest<guint32> (joined), shared.near_slots[k], next.far_slots[k]);
      if (shared.far[k] == WF_FAR && next.near[k] == WF_FAR &&
          shared.near[k] != WF_FAR && next.far[k] != WF_FAR)
        wf_join_sets (WfForest<guint32> (joined), shared.far_slots[k], next.near_slots[k]);
    }
}

__device__ __forceinline__ int
wf_left_slot (int y)
{
  return y == 0 ? 0 : y == 63 ? 64 : 128 + y;
}

__device__ __forceinline__ int
wf_right_slot (int y)
{
  return y == 0 ? 63 : y == 63 ? 127 : 192 + y;
}

/* Loads the lower border at places lane and 32 + lane, each plus @step. */
__device__ __forceinline__ WfSharedBorder
load_lower_border (const WfTiling &tiling,
                   const guint32  *border_depths,
                   guint32         tile,
                   gint64          width,     /* of the tile in the image */
                   int             step,
                   int             lane)
{
  WfSharedBorder shared;

#pragma unroll
  for (int k = 0; k < 2; k++)
    {
      const int  x         = k * 32 + lane + step;
      const bool is_inside = x < MIN (width, 64);

      shared.near_slots[k] = tile * 256 + 64 + x;
      shared.far_slots[k]  = (tile + tiling.across) * 256 + x;
      shared.near[k]       = is_inside ? border_depths[shared.near_slots[k]] : 0;
      shared.far[k]        = is_inside ? border_depths[shared.far_slots[k]] : 0;
    }
  return shared;
}

/* Loads the right border at places 2 lane and 2 lane + 1, each plus @step. */
__device__ __forceinline__ WfSharedBorder
load_right_border (const guint32 *border_depths,
                   guint32        tile,
                   gint64         height,
                   int            step,
                   int            lane)
{
  WfSharedBorder shared;

#pragma unroll
  for (int k = 0; k < 2; k++)
    {
      const int  y         = 2 * lane + k + step;
      const bool is_inside = y < MIN (height, 64);

      shared.near_slots[k] = tile * 256 + wf_right_slot (y);
      shared.far_slots[k]  = (tile + 1) * 256 + wf_left_slot (y);
      shared.near[k]       = is_inside ? border_depths[shared.near_slots[k]] : 0;
      shared.far[k]        = is_inside ? border_depths[shared.far_slots[k]] : 0;
    }
  return shared;
}

__device__ __forceinline__ void
join_corner (const guint32 *border_depths,
             gint64         a,
             gint64         b,
             guint32       *joined)
{
  if (border_depths[a] == WF_FAR && border_depths[b] == WF_FAR)
    wf_join_sets (WfForest<guint32> (joined), a, b);
}

/* One warp a tile. */
template <int N>
static __global__ void __launch_bounds__ (256)
join_minima_over_tiles (WfTiling       tiling,
                        const guint32 *border_depths,
                        guint32       *joined)
{
  const int     lane = threadIdx.x % 32;
  const guint32 tile = tiling.first + blockIdx.x * 8 + threadIdx.x / 32;

  if (tile >= tiling.end)
    return;

  const WfPlace place    = wf_tile_place<N> (tiling, tile);
  const gint64  width    = tiling.width - place.x;
  const gint64  height   = tiling.height - place.y;
  const bool    is_right = width > 64;
  const bool    is_below = height > 64 && tile + tiling.across < tiling.end;

  if (is_below)
    {
      const WfSharedBorder shared = load_lower_border (tiling, border_depths, tile, width, 0, lane);
      const guint32        across = minima_across (shared);
      const guint32        first  = __ballot_sync (WF_ALL_LANES, across & 1);
      const guint32        second = __ballot_sync (WF_ALL_LANES, across & 2);

      join_across (shared, (first << 1 >> lane & 1)
                           | (__funnelshift_l (first, second, 1) >> lane & 1) << 1, joined);
      if constexpr (N == 8)
        join_diagonals (shared, load_lower_border (tiling, border_depths, tile, width, 1, lane),
                        joined);
    }
  if (is_right)
    {
      const WfSharedBorder shared = load_right_border (border_depths, tile, height, 0, lane);
      const guint32        across = minima_across (shared);
      const guint32        second = __ballot_sync (WF_ALL_LANES, across & 2);

      join_across (shared, (second << 1 >> lane & 1) | (across & 1) << 1, joined);
      if constexpr (N == 8)
        join_diagonals (shared, load_right_border (border_depths, tile, height, 1, lane), joined);
    }
  if constexpr (N == 8)
    if (is_below && lane == 0)
      {
        const gint64 own   = (gint64) tile * 256;
        const gint64 below = (gint64) (tile + tiling.across) * 256;

        if (is_right)
          join_corner (border_depths, own + 127, below + 256, joined);
        if (place.x > 0)
          join_corner (border_depths, own + 64, below - 256 + 63, joined);
      }
}


/*  First pixels  */

/* Calls visit (s) for the slots that represent a part of a minimum, two a thread: many threads hide
 * the latency of the accesses that follow.
 */
template <typename Visit>
__device__ __forceinline__ void
each_part (gint64         n,
           const guint16 *root,
           Visit        &&visit)
{
  for (gint64 two = blockIdx.x * (gint64) blockDim.x + threadIdx.x; two < n / 2;
       two += (gint64) gridDim.x * blockDim.x)
    {
      const guint32 roots = ((const guint32 *) root)[two];

      if (roots & WF_ON_BORDER)
        visit (two * 2);
      if (roots & WF_ON_BORDER << 16)
        visit (two * 2 + 1);
    }
}

/* Finds for each minimum the least of the first pixels of its parts. */
static __global__ void
find_first_pixels (gint64  n,
                   WfSlots slots)
{
  each_part (n, slots.root, [&] (guint32 s)
    {
      const guint32 all = wf_find_root (WfForest<guint32> (slots.joined), s);

      if (all != s)
        atomicMin ((unsigned long long *) &slots.first[all], (unsigned long long) slots.first[s]);
    });
}

static __global__ void
mark_first_pixels (gint64   n,
                   WfSlots  slots,
                   guint32 *bits)
{
  each_part (n, slots.root, [&] (guint32 s)
    {
      if (slots.joined[s] == s)
        atomicOr (&bits[slots.first[s] / 32], 1u << (slots.first[s] % 32));
    });
}

} /* namespace image_flood */
