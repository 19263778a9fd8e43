/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chains of boundary pixels, for L2 on long plateaux, in the watershed on a GPU.
 *
 * A plateau that winds as a narrow corridor through the tiles would be followed tile by tile,
 * one visit after another: two million visits in a serpentine of 16384 × 16384 pixels.  So if
 * relax_plateaux() has not finished after WF_PATIENCE rounds, chains are contracted
 * (cuda/watershed/chains.cuh).
 *
 * A tile plateau is a connected part of a plateau inside a tile (tile-plateaux.inc.cuh).  A
 * boundary pixel is a pixel with a slot that has plateau neighbours in other tiles.  That
 * neighbour is across from it; with several such neighbours the boundary pixel itself counts
 * as the pixel across.  Boundary pixels with the same pixel across are one entrance; diagonal
 * neighbours make several of them where a corridor turns at a border.  If a tile plateau has
 * exactly two entrances, L2 that enters by one reaches a boundary pixel b of the other after
 * the geodesic distance in the tile plateau.  With a boundary pixel a, and g across from it,
 *
 *   L2(b) <= L2(g) + 1 + distance (a, b).
 *
 * So b has one slot before it.  All tile plateaux of a tile are processed at the same time.
 * After the contraction relax_plateaux() visits all tiles once, and completes the rest.
 */

#pragma once

#include "cuda/watershed/chains.cuh"
#include "tile-plateaux.inc.cuh"

namespace image_flood
{

#define WF_NONE_ACROSS    0xffffffffu
#define WF_MANY_ACROSS 0xfffffffeu

/* Calls visit (d, L2, beside) for each of the lowest neighbours of the slot's pixel i that is
 * outside the tile, in raster order.
 */
template <int N, typename Visit>
__device__ __forceinline__ void
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

/* The boundary pixels of a tile, in shared memory of a warp. */
template <int N>
struct WfBoundaryPixels
{
  guint32 outer[WfTile<N>::N_SLOTS];        /* across from a slot */
  guint32 least[WfTile<N>::N_SLOTS];        /* across from the tile plateau that a slot names */
  guint32 most[WfTile<N>::N_SLOTS];
  guint32 several[WfTile<N>::N_SLOTS / 32]; /* tile plateaux with more than two entrances */
  guint32 near[WF_TILE_WORDS];              /* boundary pixels of the entrance @least */
  guint32 far[WF_TILE_WORDS];
};

/* The slot across from the boundary pixel at a slot. */
template <int N>
__device__ __forceinline__ guint32
across_of (const WfBoundaryPixels<N> &boundary,
           guint32                    base,
           int                        slot)
{
  const guint32 outer = boundary.outer[slot];

  return outer == WF_MANY_ACROSS ? base + slot : outer;
}

/* Finds the boundary pixels, and the slots across from each tile plateau.  Initialises the links:
 * no slot is on a chain.
 */
template <int N>
__device__ __forceinline__ void
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

/* Divides the boundary pixels of each tile plateau with two entrances by entrance.  Returns whether
 * there are any.
 */
template <int N>
__device__ __forceinline__ bool
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

/* Links the boundary pixels @to with the slots @across from those of the other entrance of the same
 * tile plateaux, @from.
 */
template <int N>
__device__ __forceinline__ void
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

/* One warp a tile.  Sets @any if there is a link. */
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

/* If a boundary pixel counts as its own pixel across, replaces it as such by the best of its
 * neighbours in other tiles.
 */
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
