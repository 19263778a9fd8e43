/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows of stacks, for the watershed on a GPU: where each voxel's parent is.
 *
 * Each half of a block goes through half of the tile's slices, with keys in shared memory, and
 * stores there the target of each voxel's arrow: for an exit, whose path leaves the tile, the
 * place of the parent; for a root itself.  L2 that does not fit its bits in the key is looked up
 * where it matters.
 *
 * Bytes a voxel of bytes: 1.5 read (2 with the halos).
 */

#pragma once

#include "keys.inc.cuh"

namespace stack_flood
{

/* A tile in shared memory of a block. */
template <typename Key>
struct WfPaths
{
  __align__ (16) guint16 ends[WF_TILE_VOXELS];
  guint32 roots[WF_TILE_ROWS];
  guint32 deep[WF_TILE_ROWS];            /* voxels whose keys do not suffice; then ends */
  gint32  steps[32];                     /* to a key's place, in local numbers */
  guint32 n_pairs;
  guint32 first;                         /* number of the tile's first end */
  __align__ (32) Key     keys[2][2][WF_SLICE];          /* then: pairs of touching roots */
};

/* Places in whose direction a tile ends, by axis and side. */
static constexpr __host__ __device__ guint32
places_along (int axis,
              int side)
{
  guint32 result = 0;

  for (int place = 0; place < 27; place++)
    if ((axis == 0 ? place % 3 : axis == 1 ? place / 3 % 3 : place / 9) == side + 1)
      result |= 1u << place;
  return result;
}

/* An arrow that leaves the tile, to a place. */
#define WF_EXIT 0x8000u

/* Points the arrows of four voxels from voxel i of the tile on, of which @n are inside the
 * stack.  @away: places outside the tile, for the first, those between and the last.
 */
template <typename Key>
__device__ __forceinline__ void
point_four (const guint32 (&keys)[4],
            int             n,
            int             i,
            const guint32 (&away)[3],
            bool            last_index,
            WfPaths<Key>   *here)
{
  const int       row  = i / WF_TILE_X;
  const int       bit  = i % WF_TILE_X;
  const guint32   stay = here->roots[row] >> bit | ~0u << n;    /* neither exits nor steps */
  guint32         deep = 0;
  WfFour<guint16> ends;

#pragma unroll
  for (int j = 0; j < 4; j++)
    {
      const guint32 place   = keys[j] & WF_PLACE_BITS;
      const bool    is_deep = (~keys[j] & WF_DEEP_BITS) == 0;
      const int     end     = away[j == 0 ? 0 : j == 3 ? 2 : 1] >> place & 1
                              ? WF_EXIT | (last_index ? 26 - place : place)
                              : i + j + here->steps[place];

      deep       |= (guint32) is_deep << j;
      ends.of[j]  = is_deep || (stay >> j & 1) ? i + j : end;
    }
  *(WfFour<guint16> *) (here->ends + i) = ends;
  deep &= ~stay;
  if (deep != 0)
    atomicOr (&here->deep[row], deep << bit);
}

/* Points arrows: here.ends; here.roots. */
template <int N, typename Pixel>
__device__ __forceinline__ void
point_arrows (const WfStack                        &stack,
              const WfStackTile                    &tile,
              const Pixel                          *image,
              bool                                  markers,
              bool                                  last_index,
              bool                                  whole,
              WfPaths<typename WfKeys<Pixel>::Key> *here)
{
  typedef WfKeys<Pixel>  Keys;
  typedef WfKeyPairs<Pixel> Pairs;

  /* A warp has every fourth row, to avoid bank conflicts. */
  const int     t        = threadIdx.x % WF_HALF_THREADS;
  const int     half     = threadIdx.x / WF_HALF_THREADS;
  const int     column   = t % WF_FOURS;
  const int     y        = t % 32 / WF_FOURS * 4 + t / 32;
  const bool    in_halo  = t < WF_HALO_FOURS;
  const int2    halo     = halo_four (t);
  const guint32 z0       = tile.z + half * WF_HALF_Z;
  const int     last     = (int) min (stack.depth - tile.z, (guint32) WF_HALF_Z);
  const int     ahead    = last_index ? -1 : 1;
  const guint32 before   = Keys::step (-9 * ahead);
  const guint32 behind   = Keys::step (9 * ahead);
  WfLoad<Pixel> mine     = {};
  WfLoad<Pixel> other    = {};
  Pairs         least[2] = {};          /* of the slices before, the last first */
  Pairs         own[2]   = {};

  /* Places as keys have them. */
  auto beyond = [&] (bool first, bool last, int axis)
    {
      return (first ? last_index ? places_along (axis, 1) : places_along (axis, -1) : 0)
             | (last ? last_index ? places_along (axis, -1) : places_along (axis, 1) : 0);
    };

  const guint32 aside     = beyond (y == 0, y == WF_TILE_Y - 1, 1);
  const guint32 leftmost  = beyond (column == 0, false, 0);
  const guint32 rightmost = beyond (false, column == WF_FOURS - 1, 0);

  mine.start (stack, tile, column, y, half * WF_HALF_Z - 1);
  other.start (stack, tile, halo.x, halo.y, half * WF_HALF_Z - 1);
  mine.load (stack, image, z0 - 1 < stack.depth, whole);
  if (in_halo)
    other.load (stack, image, z0 - 1 < stack.depth, whole);
  for (int z = -1; z <= last; z++)
    {
      typename Keys::Key *keys   = here->keys[z & 1][half];
      const bool          within = z0 + z < stack.depth;
      const int           row    = (half * WF_HALF_Z + z) * WF_TILE_Y + y;

      mine.put (within, keys);
      if (in_halo)
        other.put (within, keys);
      if (! markers && column == 0 && within && mine.n > 0 && z >= 0 && z < WF_HALF_Z)
        here->roots[row] = mine.facts.x & mine.facts.y & mine.facts.z & ~mine.facts.w;
      mine.load (stack, image, z0 + z + 1 < stack.depth, whole);
      if (in_halo)
        other.load (stack, image, z0 + z + 1 < stack.depth, whole);
      __syncthreads ();

      const typename Keys::Key *at   = keys + (y + 1) * WF_ROW + 4 * column + 4;
      const Pairs               four = *(const Pairs *) at;
      const Pairs               now  = least_in_slice<N, Pixel> (at, four, ahead);
      const Pairs               from = N == 26 ? least[1] : own[1];
      const Pairs               next = N == 26 ? now : four;
      guint32                   best[4];

#pragma unroll
      for (int j = 0; j < 2; j++)
        {
          const auto two = Keys::least (least[0].two[j],
                                        Keys::least (Keys::add (from.two[j], before),
                                                     Keys::add (next.two[j], behind)));

          best[2 * j]     = Keys::first (two);
          best[2 * j + 1] = Keys::second (two);
        }
      least[1] = least[0];
      least[0] = now;
      own[1]   = own[0];
      own[0]   = four;
      if (z >= 1 && z0 + z - 1 < stack.depth)
        {
          const guint32 out     = aside | beyond (half == 0 && z == 1,
                                                  half == 1 && z == WF_HALF_Z, 2);
          const guint32 away[3] = { out | leftmost, out, out | rightmost };

          point_four (best, mine.n, (row - WF_TILE_Y) * WF_TILE_X + 4 * column, away,
                      last_index, here);
        }
    }
}

/* The place of the parent of a voxel whose neighbours are deep: of the lowest neighbours the one
 * with the least L2.  On a plateau that is one less than the voxel's.
 */
template <int N, typename Pixel>
static __device__ int
find_parent (const WfStack &stack,
             const Pixel   *image,
             bool           last_index,
             guint32        x,
             guint32        y,
             guint32        z)
{
  typedef WfDirections<N> To;

  guint32 level   = ~0u;
  guint32 deepest = ~0u;
  guint32 lowest  = 0;
  int     result  = WF_OWN_PLACE;

#pragma unroll
  for (int d = 0; d < N; d++)
    {
      const guint32 far_x = x + To::dx (d);
      const guint32 far_y = y + To::dy (d);
      const guint32 far_z = z + To::dz (d);

      if (far_x < stack.width && far_y < stack.height && far_z < stack.depth)
        {
          const guint32 there = WfLevel<Pixel>::key (image[stack.voxel (far_x, far_y, far_z)]);

          lowest = there < level ? 1u << d : there == level ? lowest | 1u << d : lowest;
          level  = min (level, there);
        }
    }

  const bool    in_plateau = WfLevel<Pixel>::key (image[stack.voxel (x, y, z)]) == level;
  const guint32 least      = in_plateau ? wf_depth (stack, x, y, z) - 1 : 0;

  while (lowest != 0 && deepest != least)
    {
      const int     d     = last_index ? 31 - __clz (lowest) : __ffs (lowest) - 1;
      const guint32 depth = wf_depth (stack, x + To::dx (d), y + To::dy (d), z + To::dz (d));

      if (depth < deepest)
        {
          deepest = depth;
          result  = (To::dx (d) + 1) + (To::dy (d) + 1) * 3 + (To::dz (d) + 1) * 9;
        }
      lowest &= ~(1u << d);
    }
  return result;
}

/* Points the arrows of voxels that are too deep for keys, one thread a row. */
template <int N, typename Pixel>
__device__ __forceinline__ void
point_deep_arrows (const WfStack                        &stack,
                   const WfStackTile                    &tile,
                   const Pixel                          *image,
                   bool                                  last_index,
                   WfPaths<typename WfKeys<Pixel>::Key> *here)
{
  const int     row = threadIdx.x;
  const guint32 y   = tile.y + row % WF_TILE_Y;
  const guint32 z   = tile.z + row / WF_TILE_Y;

  for (guint32 bits = here->deep[row]; bits != 0; bits &= bits - 1)
    {
      const guint32 x     = tile.x + __ffs (bits) - 1;
      const int     place = find_parent<N, Pixel> (stack, image, last_index, x, y, z);
      const guint32 far_x = x + place % 3 - 1;
      const guint32 far_y = y + place / 3 % 3 - 1;
      const guint32 far_z = z + place / 9 - 1;

      if (far_x / WF_TILE_X != x / WF_TILE_X || far_y / WF_TILE_Y != y / WF_TILE_Y ||
          far_z / WF_TILE_Z != z / WF_TILE_Z)
        here->ends[row * WF_TILE_X + x % WF_TILE_X] = WF_EXIT | place;
      else
        here->ends[row * WF_TILE_X + x % WF_TILE_X] += here->steps[last_index ? 26 - place : place];
    }
}

} /* namespace stack_flood */
