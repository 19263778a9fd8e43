/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 along corridors, for the watershed on a GPU.
 *
 * A plateau that winds as a narrow corridor through the tiles would be followed from
 * tile to tile, one visit after another, two million of them in a serpentine of 16384 ×
 * 16384 pixels.  So when relax_plateaux does not come to an end, corridors are contracted.
 *
 * A strand is what is connected of plateaux inside a tile.  A portal is a slot's pixel
 * that has plateau neighbours in other tiles; its gate is that neighbour, or the portal
 * itself where it has several.  Portals of one gate are one way in and out: diagonal
 * neighbours make several portals where a corridor turns on a border.  Where the portals
 * of a strand have just two gates, what comes in by one of them reaches a portal b of
 * the other after the geodesic distance in the strand; with a portal a whose gate is g
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

#include "watershed-plateaux.cuh"

/* A slot of a corridor: its L2 is at most @best, and that of @before + @steps. */
struct __align__ (16) WfLink
{
  guint32 before;     /* itself where a corridor begins, and off corridors */
  guint32 steps;
  guint32 best;
  guint32 is_inside;  /* @before is a portal of the same tile, to be crossed yet */
};

#define WF_NO_PORTAL    0xffffffffu
#define WF_MANY_PORTALS 0xfffffffeu

static __device__ inline guint32
add_saturated (guint32 a,
               guint32 b)
{
  return a + b < a ? WF_FAR : a + b;
}

/* What a warp has in shared memory to find strands. */
template <int N>
struct WfStrands
{
  guint32 outer[WfTile<N>::N_SLOTS];    /* the slot beside a portal */
  guint32 portals[WF_TILE_WORDS];
};

/* Every slot begins as no part of a corridor; finds the portals. */
template <int N>
static __device__ inline void
find_portals (const WfTiling    &tiling,
              const WfPlanes<N> &planes,
              const guint32     *faces,
              guint32            tile,
              WfStrands<N>      *strands,
              WfLink            *links,
              int                lane)
{
  typedef WfTile<N> Tile;

  const guint32 base = tile * Tile::N_SLOTS;

  ((uint4 *) strands->portals)[lane] = wf_no_bits ();
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
      if (outer != WF_NO_PORTAL)
        atomicOr (&strands->portals[i / 32], 1u << (i % 32));
      strands->outer[slot] = outer;
      links[base + slot]   = { base + slot, 0, here, 0 };
    }
  __syncwarp ();
}

/* The gate of a portal, as a slot. */
template <int N>
static __device__ inline guint32
gate_of (const WfStrands<N> &strands,
         guint32             base,
         int                 i)
{
  const int     slot  = WfTile<N>::slot (i);
  const guint32 outer = strands.outer[slot];

  return outer == WF_MANY_PORTALS ? base + slot : outer;
}

/* The local index of one of the warp's bits, the same for all lanes; -1: there is none. */
static __device__ inline int
any_pixel (uint4 bits,
           int   lane)
{
  const guint32 lanes = __ballot_sync (WF_WARP, (bits.x | bits.y | bits.z | bits.w) != 0);
  int           i     = -1;

  if (bits.x)
    i = lane * 128 + __ffs (bits.x) - 1;
  else if (bits.y)
    i = lane * 128 + 32 + __ffs (bits.y) - 1;
  else if (bits.z)
    i = lane * 128 + 64 + __ffs (bits.z) - 1;
  else if (bits.w)
    i = lane * 128 + 96 + __ffs (bits.w) - 1;
  return lanes == 0 ? -1 : __shfl_sync (WF_WARP, i, __ffs (lanes) - 1);
}

static __device__ inline uint4
bits_of_pixel (int i,
               int lane)
{
  const int word = i / 32 - lane * 4;
  const int bit  = 1 << (i % 32);

  return make_uint4 (word == 0 ? bit : 0, word == 1 ? bit : 0,
                     word == 2 ? bit : 0, word == 3 ? bit : 0);
}

/* What is connected to @seeds inside the tile.  Calls visit (reached, distance) for each
 * distance from 1 on.
 */
template <int N, typename Visit>
static __device__ inline uint4
flood_strand (const WfSlopes<N> &slopes,
              uint4              plateaux,
              uint4              seeds,
              int                lane,
              Visit            &&visit)
{
  uint4 strand = seeds;
  uint4 front  = seeds;

  for (guint32 distance = 1; wf_any_bit (front); distance++)
    {
      uint4 reached = wf_no_bits ();

      wf_each_beside<N> (front, lane, [&] (auto d, uint4 bits)
        {
          reached = reached | (bits & slopes.template get<decltype (d)::value> ());
        });
      front  = reached & plateaux & ~strand;
      strand = strand | front;
      visit (front, distance);
    }
  return strand;
}

/* Links the portals @to with what comes in by @gate through the portals @from. */
template <int N>
static __device__ inline void
link_portals (const WfSlopes<N> &slopes,
              uint4              plateaux,
              uint4              from,
              uint4              to,
              guint32            gate,
              guint32            base,
              const guint32     *faces,
              WfLink            *links,
              int                lane)
{
  typedef WfTile<N> Tile;

  const guint32 is_inside = gate - base < Tile::N_SLOTS;

  flood_strand<N> (slopes, plateaux, from, lane, [&] (uint4 front, guint32 distance)
    {
      wf_each_pixel (front & to, lane, [&] (int i)
        {
          const guint32 slot = base + Tile::slot (i);

          links[slot] = { gate, distance + ! is_inside, faces[slot], is_inside };
        });
    });
}

template <int N>
static constexpr int LINK_WARPS = WfDirections<N>::STACK ? 2 : 4;

/* One warp a tile.  Sets @any where there is something to go along. */
template <int N>
static __global__ void __launch_bounds__ (LINK_WARPS<N> * 32)
link_corridors (WfTiling       tiling,
                WfPlanes<N>    planes,
                const guint32 *faces,
                WfLink        *links,
                int           *any)
{
  typedef WfTile<N> Tile;

  __shared__ __align__ (16) WfStrands<N> all_strands[LINK_WARPS<N>];

  const int     lane    = threadIdx.x % 32;
  const guint32 tile    = blockIdx.x * LINK_WARPS<N> + threadIdx.x / 32;
  WfStrands<N> &strands = all_strands[threadIdx.x / 32];

  if (tile >= tiling.n_tiles)
    return;
  find_portals<N> (tiling, planes, faces, tile, &strands, links, lane);

  const WfSlopes<N> slopes (planes.at (tile, 0) + lane, 32);
  const guint32     base     = tile * Tile::N_SLOTS;
  const uint4       plateaux = slopes.all () & ~planes.at (tile, WfPlanes<N>::LOW)[lane];
  const uint4       portals  = ((const uint4 *) strands.portals)[lane];
  uint4             left     = portals;

  for (int seed = any_pixel (left, lane); seed >= 0; seed = any_pixel (left, lane))
    {
      const uint4   strand = flood_strand<N> (slopes, plateaux, bits_of_pixel (seed, lane), lane,
                                              [] (uint4 front, guint32 distance) {});
      const guint32 gate   = gate_of<N> (strands, base, seed);
      uint4         near   = wf_no_bits ();
      guint32       least  = WF_NO_PORTAL;
      guint32       most   = 0;

      wf_each_pixel (strand & portals, lane, [&] (int i)
        {
          const guint32 other = gate_of<N> (strands, base, i);

          if (other == gate)
            near = near | bits_of_pixel (i, lane);
          else
            {
              least = min (least, other);
              most  = max (most, other);
            }
        });
      __syncwarp ();
      least = wf_warp_min (least);
      most  = ~wf_warp_min (~most);
      left  = left & ~strand;

      /* No other gate, or several. */
      if (least != most)
        continue;
      *any = 1;
      link_portals<N> (slopes, plateaux, near, strand & portals & ~near, gate, base, faces, links,
                       lane);
      link_portals<N> (slopes, plateaux, strand & portals & ~near, near, least, base, faces, links,
                       lane);
    }
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

/* Twice as far along each corridor. */
static __global__ void
jump_corridors (gint64        n,
                const WfLink *links,
                WfLink       *result,
                int          *changed)
{
  for (gint64 s = blockIdx.x * (gint64) blockDim.x + threadIdx.x; s < n;
       s += (gint64) gridDim.x * blockDim.x)
    {
      WfLink link = links[s];

      if (link.before != s)
        {
          const WfLink before = links[link.before];

          if (before.before != link.before || add_saturated (before.best, link.steps) < link.best)
            *changed = 1;
          link.best   = min (link.best, add_saturated (before.best, link.steps));
          link.steps  = add_saturated (link.steps, before.steps);
          link.before = before.before;
        }
      result[s] = link;
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
