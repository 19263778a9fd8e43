/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows of the watershed on a GPU: each pixel's smallest neighbour.  What is said here of
 * a tile's outside is for stacks; that for images is in watershed-image-arrows.cuh.
 *
 * point_arrows grows every tile once more, now with all L2 known on its own and its
 * neighbours' faces.  A pixel points to the first direction in which the growing reaches
 * it, which is that of its smallest neighbour in the order (L1, L2, index), since only
 * the lowest in L1 are kept in the planes.  The numbers of the directions, as planes,
 * take the place of those.
 *
 * Bytes a voxel, 6 neighbours: 1 and 3.5 read, 0.5 written.
 */

#pragma once

#include "watershed-plateaux.cuh"


/*  Arrows  */

/* Directions as planes of their numbers' bits, the pixels that end a path, and among
 * them the roots.  In memory they lie where the slopes were, the roots where they are.
 */
template <int N>
struct WfArrows
{
  static constexpr int BITS = WfDirections<N>::BITS;
  static constexpr int END  = BITS;

  guint32 code[BITS][WF_TILE_WORDS];
  guint32 end[WF_TILE_WORDS];
  guint32 root[WF_TILE_WORDS];

  __device__ int
  direction (int i) const
  {
    int d = 0;

#pragma unroll
    for (int b = 0; b < BITS; b++)
      d |= (code[b][i / 32] >> (i % 32) & 1) << b;
    return d;
  }
};

/* In a tile: the best neighbour outside of each pixel with a slot. */
template <int N>
struct WfOutside
{
  guint32 round[WfTile<N>::N_SLOTS];    /* L2 of the neighbour + 1 */
  guint32 inside[WfTile<N>::N_SLOTS];   /* L2 of the best neighbour inside */
  guint8  direction[WfTile<N>::N_SLOTS];
};

template <int N>
static __device__ inline void
look_outside (const WfTiling    &tiling,
              const WfPlanes<N> &planes,
              const guint32     *faces,
              guint32            tile,
              bool               last_index,
              WfOutside<N>      *outside,
              int                lane)
{
  typedef WfTile<N> Tile;

#pragma unroll 2
  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    {
      const int i    = Tile::pixel (slot);
      guint32   best = WF_FAR;
      int       to   = 0;

      if (Tile::slot (i) == slot)
        each_lowest_outside<N> (tiling, planes, faces, tile, i,
                                [&] (int d, guint32 there, const WfBeside &beside)
          {
            const guint32 round = there == WF_FAR ? 1 : there + 1;   /* minima are at 0 */

            if (round < best || (last_index && round == best))
              {
                best = round;
                to   = d;
              }
          });
      outside->round[slot]     = best;
      outside->direction[slot] = to;
    }
}

/* What the growing needs of a stack's outside, and notes. */
template <int N>
struct WfStackOutside
{
  typedef WfTile<N> Tile;

  static constexpr bool CLOCKED = false;

  WfGrowth      growth;
  WfOutside<N> *outside;
  guint32      *words;      /* scratch for a plane */
  guint32      *depths;     /* of the tile's pixels, or NULL */

  __device__ uint4
  take (guint32  round,
        guint32 *next,
        int      lane) const
  {
    return growth.template take<N> (round, next, lane);
  }

  /* Of most pixels the best neighbour inside is found in round 0. */
  __device__ void
  note_first (uint4 found,
              int   lane)
  {
    ((uint4 *) words)[lane] = found;
    __syncwarp ();
#pragma unroll 4
    for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
      {
        const int i = Tile::pixel (slot);

        outside->inside[slot] = words[i / 32] >> (i % 32) & 1 ? 0 : WF_FAR;
      }
    __syncwarp ();
  }

  __device__ void
  note (uint4   found,
        guint32 round,
        int     lane)
  {
    wf_each_pixel (found, lane, [&] (int i) { outside->inside[Tile::slot (i)] = round; });
  }

  __device__ void
  reach (uint4   pixels,
         guint32 round,
         int     lane)
  {
    if (depths)
      wf_each_pixel (pixels, lane, [&] (int i) { depths[i] = round; });
  }
};

/* The directions in which the growing reaches pixels inside the tile, by one warp.
 * Unlike grow(), it goes on to pixels beside lower ones, but not from them; with
 * Outside::CLOCKED only in round 0.  Returns those it does not reach.
 */
template <int N, typename Outside>
static __device__ inline uint4
find_arrows (const WfSlopes<N> &slopes,
             Outside           &outside,
             uint4              low,
             uint4              root,
             bool               last_index,
             uint4            (&code)[WfDirections<N>::BITS],
             int                lane)
{
  typedef WfDirections<N> To;

  const uint4 faces     = wf_faces<N> (lane);
  const uint4 keep      = last_index ? wf_no_bits () : ~wf_no_bits ();
  uint4       waiting   = slopes.all () & ~root;        /* for L2, or for an arrow */
  uint4       unreached = waiting & ~low;
  uint4       front     = low | root;
  uint4       left      = wf_no_bits ();
  guint32     next      = WF_FAR;
  guint32     round     = 0;

#pragma unroll
  for (int b = 0; b < To::BITS; b++)
    code[b] = wf_no_bits ();
  outside.take (0, &next, lane);

  for (;;)
    {
      uint4 found = wf_no_bits ();
      uint4 reached;

      wf_each_beside<N> (front, lane, [&] (auto direction, uint4 bits)
        {
          constexpr int d   = decltype (direction)::value;
          const uint4   hit = bits & slopes.template get<d> () & waiting & ~(found & keep);

          found = found | hit;
#pragma unroll
          for (int b = 0; b < To::BITS; b++)
            code[b] = d >> b & 1 ? code[b] | hit : code[b] & ~hit;
        });
      if (round == 0)
        outside.note_first (found, lane);
      else if (wf_any_bit (found & faces))
        outside.note (found & faces, round, lane);
      waiting = waiting & ~found;
      if (Outside::CLOCKED && round == 0)
        {
          left    = waiting & low;
          waiting = waiting & ~low;
        }
      reached = found & unreached;
      round++;
      if (! wf_any_bit (reached))
        {
          if (next == WF_FAR)
            break;
          round = next;
        }
      if (round == next)
        reached = reached | (unreached & outside.take (round, &next, lane));
      unreached = unreached & ~reached;
      front     = reached;
      outside.reach (reached, round, lane);
    }
  return left | waiting;
}

/* Pixels whose best neighbour lies outside end the path in this tile. */
template <int N>
static __device__ inline void
find_exits (const WfOutside<N> *outside,
            bool                last_index,
            WfArrows<N>        *arrows,
            int                 lane)
{
  typedef WfTile<N> Tile;

#pragma unroll 1
  for (int slot = lane; slot < Tile::N_SLOTS; slot += 32)
    {
      const int     i      = Tile::pixel (slot);
      const int     to     = outside->direction[slot];
      const int     inner  = arrows->direction (i);
      const guint32 round  = outside->round[slot];
      const guint32 here   = outside->inside[slot];
      const guint32 bit    = 1u << (i % 32);
      const bool    sooner = round - 1 < here ||
                             (round - 1 == here && (last_index ? to > inner : to < inner));

      if (round != WF_FAR && sooner && ! (arrows->root[i / 32] & bit))
        {
          atomicOr (&arrows->end[i / 32], bit);
#pragma unroll
          for (int b = 0; b < WfDirections<N>::BITS; b++)
            if (to >> b & 1)
              atomicOr (&arrows->code[b][i / 32], bit);
            else
              atomicAnd (&arrows->code[b][i / 32], ~bit);
        }
    }
}


template <int N>
static constexpr int POINT_WARPS = WfDirections<N>::STACK ? 2 : 4;

/* One warp a tile. */
template <int N>
static __global__ void __launch_bounds__ (POINT_WARPS<N> * 32)
point_arrows (WfTiling       tiling,
              WfPlanes<N>    planes,
              const guint32 *faces,
              bool           last_index,
              guint32       *image_depths)
{
  __shared__ WfOutside<N>               outsides[POINT_WARPS<N>];
  __shared__ __align__ (16) WfArrows<N> all_arrows[POINT_WARPS<N>];

  const int     warp    = threadIdx.x / 32;
  const int     lane    = threadIdx.x % 32;
  const guint32 tile    = blockIdx.x * POINT_WARPS<N> + warp;
  WfOutside<N> &outside = outsides[warp];
  WfArrows<N>  &arrows  = all_arrows[warp];

  if (tile >= tiling.n_tiles)
    return;

  const WfSlopes<N> slopes (planes.at (tile, 0) + lane, 32);
  const uint4       low    = planes.at (tile, WfPlanes<N>::LOW)[lane];
  const uint4       root   = planes.at (tile, WfPlanes<N>::ROOT)[lane];
  WfStackOutside<N> around = { { NULL, outside.round, arrows.end }, &outside, arrows.root,
                               image_depths ? image_depths + (gint64) tile * WF_TILE_PIXELS : NULL };
  uint4             code[WfDirections<N>::BITS];

  ((uint4 *) arrows.end)[lane] = wf_no_bits ();
  look_outside<N> (tiling, planes, faces, tile, last_index, &outside, lane);
  __syncwarp ();
  find_arrows<N> (slopes, around, low, root, last_index, code, lane);
#pragma unroll
  for (int b = 0; b < WfDirections<N>::BITS; b++)
    ((uint4 *) arrows.code[b])[lane] = code[b];
  ((uint4 *) arrows.end)[lane]  = root | ~slopes.all ();    /* those outside the image, too */
  ((uint4 *) arrows.root)[lane] = root;
  __syncwarp ();
  find_exits<N> (&outside, last_index, &arrows, lane);
  __syncwarp ();

#pragma unroll
  for (int b = 0; b < WfArrows<N>::BITS; b++)
    planes.at (tile, b)[lane] = ((const uint4 *) arrows.code[b])[lane];
  planes.at (tile, WfArrows<N>::END)[lane] = ((const uint4 *) arrows.end)[lane];
}
