/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 along corridors, for the watershed on a GPU.
 *
 * A plateau that winds as a narrow corridor through the tiles would be followed from
 * tile to tile, one visit after another, two million of them in a serpentine of 16384 ×
 * 16384 pixels.  So when relax_plateaux does not come to an end, corridors are contracted.
 *
 * A strand is what is connected of plateaux inside a tile, by tile-plateaux.inc.cuh.  A
 * portal is a slot's pixel that has plateau neighbours in other tiles; its gate is that
 * neighbour, or the portal itself where it has several.  Portals of one gate are one way
 * in and out: diagonal neighbours make several portals where a corridor turns on a
 * border.  Where the portals of a strand have just two gates, what comes in by one of
 * them reaches a portal b of the other after the geodesic distance in the strand; all
 * strands of a tile are gone through at the same time.  With a portal a whose gate is g
 *
 *   L2(b) <= L2(g) + 1 + distance (a, b).
 *
 * So b has one slot before it, and pointer jumping carries L2 over all of a corridor in a
 * logarithmic number of steps (Wyllie's list ranking, with a minimum).  All values are
 * lengths of real paths, so that L2 never becomes less than it should; relax_plateaux
 * then visits all tiles once, and completes the rest.
 *
 * Bytes a slot and step: 32 read, half of them anywhere, and 16 written.
 */

#pragma once

#include "cuda/watershed/chains.cuh"
#include "tile-plateaux.inc.cuh"

namespace image_flood
{

#define WF_NONE_ACROSS    0xffffffffu
#define WF_MANY_ACROSS 0xfffffffeu

/* Calls visit (d, L2, beside) for each neighbour outside the tile that is one of the
 * lowest of the slot's pixel i, in raster order.
 */
template <int N, typename Visit>
static __device__ inline void
each_lowest_outside (const WfTiling     &tiling,
                     const WfPlanes<N>  &planes,
                     const guint32      *border_depths,
                     guint32             tile,
                     int                 i,
                     Visit             &&visit)
{
  typedef WfTile<N> Tile;

#pragma unroll
  for (int d = 0; d < N; d++)
    {
      const WfBeside beside = wf_beside<N> (tiling, tile, i, d);

      if (beside.elsewhere && planes.bit (tile, d, i))
        visit (d, __ldcg (&border_depths[(gint64) beside.tile * Tile::N_SLOTS
                                         + Tile::slot (beside.i)]), beside);
    }
}

/* What a warp has in shared memory of a tile's portals. */
template <int N>
struct WfBoundaryPixels
{
  guint32 outer[WfTile<N>::N_SLOTS];        /* the slot beside a portal */
  guint32 least[WfTile<N>::N_SLOTS];        /* of the gates of the strand that a slot names */
  guint32 most[WfTile<N>::N_SLOTS];
  guint32 several[WfTile<N>::N_SLOTS / 32]; /* strands that have more gates */
  guint32 near[WF_TILE_WORDS];              /* portals of the least gate */
  guint32 far[WF_TILE_WORDS];
};

/* The gate of the portal at a slot, as a slot. */
template <int N>
static __device__ inline guint32
across_of (const WfBoundaryPixels<N> &boundary,
           guint32                    base,
           int                        slot)
{
  const guint32 outer = boundary.outer[slot];

  return outer == WF_MANY_ACROSS ? base + slot : outer;
}

/* Every slot begins as no part of a corridor; finds the portals, and between which gates
 * each strand lies.
 */
template <int N>
static __device__ inline void
find_boundary_pixels (const WfTiling      &tiling,
                      const WfPlanes<N>   &planes,
                      const guint32       *border_depths,
                      guint32              tile,
                      const guint16       *names,
                      WfBoundaryPixels<N> *boundary,
                      WfLink              *links,
                      int                  lane)
{
  typedef WfTile<N> Tile;

  const guint32 base = tile * Tile::N_SLOTS;

  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    {
      boundary->least[slot] = WF_NONE_ACROSS;
      boundary->most[slot]  = 0;
    }
  for (int k = lane; k < Tile::N_SLOTS / 32; k += 32)
    boundary->several[k] = 0;
  ((uint4 *) boundary->near)[lane] = wf_no_bits ();
  ((uint4 *) boundary->far)[lane]  = wf_no_bits ();
  __syncwarp ();
#pragma unroll 1
  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    {
      const int     i     = Tile::pixel (slot);
      const guint32 here  = border_depths[base + slot];
      guint32       outer = WF_NONE_ACROSS;

      if (here != 0 && Tile::slot (i) == slot)
        each_lowest_outside<N> (tiling, planes, border_depths, tile, i,
                                [&] (int d, guint32 there, const WfBeside &beside)
          {
            if (there != 0)
              outer = outer == WF_NONE_ACROSS
                      ? beside.tile * Tile::N_SLOTS + Tile::slot (beside.i) : WF_MANY_ACROSS;
          });
      boundary->outer[slot] = outer;
      links[base + slot]   = { base + slot, 0, here, 0 };
      if (outer != WF_NONE_ACROSS)
        {
          const int     tile_plateau = names[slot] & ~WF_ANCHORED;
          const guint32 across       = across_of<N> (*boundary, base, slot);

          atomicMin (&boundary->least[tile_plateau], across);
          atomicMax (&boundary->most[tile_plateau], across);
        }
    }
  __syncwarp ();
}

/* Parts the portals of each strand that lies between two gates; whether there are any. */
template <int N>
static __device__ inline bool
part_boundary_pixels (guint32              base,
                      const guint16       *names,
                      WfBoundaryPixels<N> *boundary,
                      int                  lane)
{
  typedef WfTile<N> Tile;

  bool any = false;

  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    if (boundary->outer[slot] != WF_NONE_ACROSS)
      {
        const int     tile_plateau = names[slot] & ~WF_ANCHORED;
        const guint32 across       = across_of<N> (*boundary, base, slot);

        if (across != boundary->least[tile_plateau] && across != boundary->most[tile_plateau])
          atomicOr (&boundary->several[tile_plateau / 32], 1u << (tile_plateau % 32));
      }
  __syncwarp ();
  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    if (boundary->outer[slot] != WF_NONE_ACROSS)
      {
        const int     tile_plateau = names[slot] & ~WF_ANCHORED;
        const guint32 least        = boundary->least[tile_plateau];
        const int     i            = Tile::pixel (slot);

        if (least == boundary->most[tile_plateau] ||
            (boundary->several[tile_plateau / 32] >> (tile_plateau % 32) & 1))
          continue;
        any = true;
        atomicOr (across_of<N> (*boundary, base, slot) == least ? &boundary->near[i / 32]
                                                             : &boundary->far[i / 32],
                  1u << (i % 32));
      }
  __syncwarp ();
  return __any_sync (WF_ALL_LANES, any);
}

/* Links the portals @to with what comes in by the others, @from, of the same strands,
 * which have the gates @gates.
 */
template <int N>
static __device__ inline void
link_boundary_pixels (const WfLowest<N> &lowest,
                      uint4              plateaux,
                      uint4              from,
                      uint4              to,
                      const guint32     *across,
                      guint32            base,
                      const guint16     *names,
                      const guint32     *border_depths,
                      WfLink            *links,
                      int                lane)
{
  typedef WfTile<N> Tile;

  uint4 covered = from;
  uint4 front   = from;

  for (guint32 distance = 1; wf_any_bit (front); distance++)
    {
      uint4 reached = wf_no_bits ();

      wf_each_beside<N> (front, lane, [&] (auto d, uint4 bits)
        {
          reached = reached | (bits & lowest.template get<decltype (d)::value> ());
        });
      front   = reached & plateaux & ~covered;
      covered = covered | front;
      wf_each_pixel (front & to, lane, [&] (int i)
        {
          const int     slot      = Tile::slot (i);
          const guint32 before    = across[names[slot] & ~WF_ANCHORED];
          const guint32 is_inside = before - base < Tile::N_SLOTS;

          links[base + slot] = { before, distance + ! is_inside, border_depths[base + slot],
                                 is_inside };
        });
    }
}

static constexpr int LINK_WARPS = 4;

/* One warp a tile.  Sets @any where there is something to go along. */
template <int N>
static __global__ void __launch_bounds__ (LINK_WARPS * 32)
link_chains (WfTiling       tiling,
             WfPlanes<N>    planes,
             const guint32 *border_depths,
             const guint16 *tile_plateaux,
             WfLink        *links,
             int           *any)
{
  typedef WfTile<N> Tile;

  __shared__ __align__ (16) WfBoundaryPixels<N> all_boundaries[LINK_WARPS];

  const int            lane     = threadIdx.x % 32;
  const guint32        tile     = blockIdx.x * LINK_WARPS + threadIdx.x / 32;
  WfBoundaryPixels<N> &boundary = all_boundaries[threadIdx.x / 32];

  if (tile >= tiling.n_tiles)
    return;

  const guint32  base  = tile * Tile::N_SLOTS;
  const guint16 *names = tile_plateaux + (gint64) tile * Tile::N_SLOTS;

  find_boundary_pixels<N> (tiling, planes, border_depths, tile, names, &boundary, links, lane);
  if (! part_boundary_pixels<N> (base, names, &boundary, lane))
    return;

  const WfLowest<N> lowest (planes.at (tile, 0) + lane, 32);
  const uint4       plateaux = lowest.all () & ~planes.at (tile, WfPlanes<N>::LOW)[lane];
  const uint4       near     = ((const uint4 *) boundary.near)[lane];
  const uint4       far      = ((const uint4 *) boundary.far)[lane];

  *any = 1;
  link_boundary_pixels<N> (lowest, plateaux, near, far, boundary.least, base, names,
                           border_depths, links, lane);
  link_boundary_pixels<N> (lowest, plateaux, far, near, boundary.most, base, names,
                           border_depths, links, lane);
}

/* Where a portal is a gate itself, what comes in comes from the best of its neighbours. */
template <int N>
static __global__ void
cross_tile_borders (WfTiling       tiling,
                    WfPlanes<N>    planes,
                    const guint32 *border_depths,
                    WfLink        *links)
{
  typedef WfTile<N> Tile;

  const gint64 n = (gint64) tiling.n_tiles * Tile::N_SLOTS;

  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    if (links[s].is_inside)
      {
        WfLink        link = links[s];
        const guint32 tile = s / Tile::N_SLOTS;
        guint32       best = WF_FAR;
        guint32       from = s;

        each_lowest_outside<N> (tiling, planes, border_depths, tile,
                                Tile::pixel (link.before - tile * Tile::N_SLOTS),
                                [&] (int d, guint32 there, const WfBeside &beside)
          {
            const guint32 q = beside.tile * Tile::N_SLOTS + Tile::slot (beside.i);

            if (there != 0 && links[q].before != q && links[q].steps < best)
              {
                best = links[q].steps;
                from = q;
              }
          });
        link.steps     = from == s ? 0 : link.steps + 1;
        link.before    = from;
        link.is_inside = 0;
        links[s]       = link;
      }
}

static __global__ void
lower_border_depths (gint64        n,
                     const WfLink *links,
                     guint32      *border_depths)
{
  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    border_depths[s] = min (border_depths[s], links[s].best);
}

} /* namespace image_flood */
