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

#define WF_NO_PORTAL    0xffffffffu
#define WF_MANY_PORTALS 0xfffffffeu

/* Calls visit (d, L2, beside) for each neighbour outside the tile that is one of the
 * lowest of the slot's pixel i, in raster order.
 */
template <int N, typename Visit>
static __device__ inline void
each_lowest_outside (const WfTiling    &tiling,
                     const WfPlanes<N> &planes,
                     const guint32     *faces,
                     guint32            tile,
                     int                i,
                     Visit            &&visit)
{
  typedef WfTile<N> Tile;

#pragma unroll
  for (int d = 0; d < N; d++)
    {
      const WfBeside beside = wf_beside<N> (tiling, tile, i, d);

      if (beside.elsewhere && planes.bit (tile, d, i))
        visit (d, __ldcg (&faces[(gint64) beside.tile * Tile::N_SLOTS + Tile::slot (beside.i)]),
               beside);
    }
}

/* What a warp has in shared memory of a tile's portals. */
template <int N>
struct WfPortals
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
gate_of (const WfPortals<N> &portals,
         guint32             base,
         int                 slot)
{
  const guint32 outer = portals.outer[slot];

  return outer == WF_MANY_PORTALS ? base + slot : outer;
}

/* Every slot begins as no part of a corridor; finds the portals, and between which gates
 * each strand lies.
 */
template <int N>
static __device__ inline void
find_portals (const WfTiling    &tiling,
              const WfPlanes<N> &planes,
              const guint32     *faces,
              guint32            tile,
              const guint16     *names,
              WfPortals<N>      *portals,
              WfLink            *links,
              int                lane)
{
  typedef WfTile<N> Tile;

  const guint32 base = tile * Tile::N_SLOTS;

  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    {
      portals->least[slot] = WF_NO_PORTAL;
      portals->most[slot]  = 0;
    }
  for (int k = lane; k < Tile::N_SLOTS / 32; k += 32)
    portals->several[k] = 0;
  ((uint4 *) portals->near)[lane] = wf_no_bits ();
  ((uint4 *) portals->far)[lane]  = wf_no_bits ();
  __syncwarp ();
#pragma unroll 1
  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    {
      const int     i     = Tile::pixel (slot);
      const guint32 here  = faces[base + slot];
      guint32       outer = WF_NO_PORTAL;

      if (here != 0 && Tile::slot (i) == slot)
        each_lowest_outside<N> (tiling, planes, faces, tile, i,
                                [&] (int d, guint32 there, const WfBeside &beside)
          {
            if (there != 0)
              outer = outer == WF_NO_PORTAL
                      ? beside.tile * Tile::N_SLOTS + Tile::slot (beside.i) : WF_MANY_PORTALS;
          });
      portals->outer[slot] = outer;
      links[base + slot]   = { base + slot, 0, here, 0 };
      if (outer != WF_NO_PORTAL)
        {
          const int     strand = names[slot] & ~WF_ANCHORED;
          const guint32 gate   = gate_of<N> (*portals, base, slot);

          atomicMin (&portals->least[strand], gate);
          atomicMax (&portals->most[strand], gate);
        }
    }
  __syncwarp ();
}

/* Parts the portals of each strand that lies between two gates; whether there are any. */
template <int N>
static __device__ inline bool
part_portals (guint32        base,
              const guint16 *names,
              WfPortals<N>  *portals,
              int            lane)
{
  typedef WfTile<N> Tile;

  bool any = false;

  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    if (portals->outer[slot] != WF_NO_PORTAL)
      {
        const int     strand = names[slot] & ~WF_ANCHORED;
        const guint32 gate   = gate_of<N> (*portals, base, slot);

        if (gate != portals->least[strand] && gate != portals->most[strand])
          atomicOr (&portals->several[strand / 32], 1u << (strand % 32));
      }
  __syncwarp ();
  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    if (portals->outer[slot] != WF_NO_PORTAL)
      {
        const int     strand = names[slot] & ~WF_ANCHORED;
        const guint32 least  = portals->least[strand];
        const int     i      = Tile::pixel (slot);

        if (least == portals->most[strand] || (portals->several[strand / 32] >> (strand % 32) & 1))
          continue;
        any = true;
        atomicOr (gate_of<N> (*portals, base, slot) == least ? &portals->near[i / 32]
                                                             : &portals->far[i / 32],
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
link_portals (const WfSlopes<N> &slopes,
              uint4              plateaux,
              uint4              from,
              uint4              to,
              const guint32     *gates,
              guint32            base,
              const guint16     *names,
              const guint32     *faces,
              WfLink            *links,
              int                lane)
{
  typedef WfTile<N> Tile;

  uint4 strands = from;
  uint4 front   = from;

  for (guint32 distance = 1; wf_any_bit (front); distance++)
    {
      uint4 reached = wf_no_bits ();

      wf_each_beside<N> (front, lane, [&] (auto d, uint4 bits)
        {
          reached = reached | (bits & slopes.template get<decltype (d)::value> ());
        });
      front   = reached & plateaux & ~strands;
      strands = strands | front;
      wf_each_pixel (front & to, lane, [&] (int i)
        {
          const int     slot      = Tile::slot (i);
          const guint32 gate      = gates[names[slot] & ~WF_ANCHORED];
          const guint32 is_inside = gate - base < Tile::N_SLOTS;

          links[base + slot] = { gate, distance + ! is_inside, faces[base + slot], is_inside };
        });
    }
}

static constexpr int LINK_WARPS = 4;

/* One warp a tile.  Sets @any where there is something to go along. */
template <int N>
static __global__ void __launch_bounds__ (LINK_WARPS * 32)
link_corridors (WfTiling       tiling,
                WfPlanes<N>    planes,
                const guint32 *faces,
                const guint16 *strands,
                WfLink        *links,
                int           *any)
{
  typedef WfTile<N> Tile;

  __shared__ __align__ (16) WfPortals<N> all_portals[LINK_WARPS];

  const int     lane    = threadIdx.x % 32;
  const guint32 tile    = blockIdx.x * LINK_WARPS + threadIdx.x / 32;
  WfPortals<N> &portals = all_portals[threadIdx.x / 32];

  if (tile >= tiling.n_tiles)
    return;

  const guint32  base  = tile * Tile::N_SLOTS;
  const guint16 *names = strands + (gint64) tile * Tile::N_SLOTS;

  find_portals<N> (tiling, planes, faces, tile, names, &portals, links, lane);
  if (! part_portals<N> (base, names, &portals, lane))
    return;

  const WfSlopes<N> slopes (planes.at (tile, 0) + lane, 32);
  const uint4       plateaux = slopes.all () & ~planes.at (tile, WfPlanes<N>::LOW)[lane];
  const uint4       near     = ((const uint4 *) portals.near)[lane];
  const uint4       far      = ((const uint4 *) portals.far)[lane];

  *any = 1;
  link_portals<N> (slopes, plateaux, near, far, portals.least, base, names, faces, links, lane);
  link_portals<N> (slopes, plateaux, far, near, portals.most, base, names, faces, links, lane);
}

/* Where a portal is a gate itself, what comes in comes from the best of its neighbours. */
template <int N>
static __global__ void
cross_gates (WfTiling       tiling,
             WfPlanes<N>    planes,
             const guint32 *faces,
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

        each_lowest_outside<N> (tiling, planes, faces, tile, Tile::pixel (link.before - tile * Tile::N_SLOTS),
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
lower_faces (gint64        n,
             const WfLink *links,
             guint32      *faces)
{
  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    faces[s] = min (faces[s], links[s].best);
}
