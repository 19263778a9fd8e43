/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which voxels of a stack have a lower neighbour, for the watershed on a GPU.
 *
 * L2 is 0 at markers and beside lower voxels; the other voxels wait.  No neighbour of a waiting
 * voxel is lower, so two waiting neighbours have the same level, and L2 of 2 and more follows
 * from bits without levels.  L2 of 1 needs levels: a seed is a waiting voxel with a neighbour of
 * the same level whose L2 is 0.  That is so if the lowest neighbour with L2 = 0 is as high as the
 * voxel.
 *
 * So both follow from minima over neighbourhoods.  A block goes through 32 × 8 columns, two
 * slices at a time, with a pair of voxels in one register where levels are bytes.  Minima within
 * a slice are computed from shared memory, and three of them are combined in registers.  The
 * second minimum is one slice behind the first, so the first needs a halo of two voxels.
 *
 * Bytes a voxel of bytes: 1 read (1.9 with the halos, from the cache) and 0.25 written.
 */

#pragma once

#include "cuda/watershed/level-key.cuh"
#include "tile.inc.cuh"

namespace stack_flood
{

#define WF_COLUMNS_Y 8
#define WF_COLUMNS_Z 32

/* Rows of levels with a halo of two voxels, and of minima with a halo of one. */
#define WF_HALO2_X (WF_TILE_X + 4)
#define WF_HALO2   (WF_HALO2_X * (WF_COLUMNS_Y + 4))
#define WF_HALO1_X (WF_TILE_X + 2)
#define WF_HALO1   (WF_HALO1_X * (WF_COLUMNS_Y + 2))

/* Columns in the halo of one, which threads process besides their own. */
#define WF_HALO_COLUMNS (WF_HALO1 - WF_TILE_X * WF_COLUMNS_Y)

/* Keys of two voxels, one behind the other. */
template <typename Key> struct WfTwo;

template <>
struct WfTwo<guint16>
{
  guint32 both;

  static __device__ WfTwo make (guint32 a, guint32 b) { return { a | b << 16 }; }

  __device__ guint32 first  () const { return both & 0xffff; }
  __device__ guint32 second () const { return both >> 16; }
};

template <>
struct WfTwo<guint32>
{
  guint32 a;
  guint32 b;

  static __device__ WfTwo make (guint32 a, guint32 b) { return { a, b }; }

  __device__ guint32 first  () const { return a; }
  __device__ guint32 second () const { return b; }
};

__device__ __forceinline__ WfTwo<guint16>
least_of (WfTwo<guint16> p,
          WfTwo<guint16> q)
{
  return { __vminu2 (p.both, q.both) };
}

__device__ __forceinline__ WfTwo<guint32>
least_of (WfTwo<guint32> p,
          WfTwo<guint32> q)
{
  return { min (p.a, q.a), min (p.b, q.b) };
}

/* The voxels between. */
template <typename Key>
__device__ __forceinline__ WfTwo<Key>
middle_of (WfTwo<Key> p,
           WfTwo<Key> q)
{
  return WfTwo<Key>::make (p.second (), q.first ());
}

/* Two voxels of a column and the two before them. */
template <typename Key>
struct WfPassing
{
  typedef WfTwo<Key> Two;

  Two least[2];     /* within their slices; the last voxels first */
  Two own[2];

  /* The next two voxels. */
  template <int N>
  __device__ void
  pass (const Two *at,
        int        pitch)
  {
    Two now = at[0];

    own[1] = own[0];
    own[0] = now;
    now    = least_of (least_of (now, at[-1]), least_of (at[1], least_of (at[-pitch], at[pitch])));
    if constexpr (N == 26)
      now = least_of (least_of (now, at[-pitch - 1]),
                      least_of (at[-pitch + 1], least_of (at[pitch - 1], at[pitch + 1])));
    least[1] = least[0];
    least[0] = now;
  }

  /* Around the voxels between, themselves among the others. */
  template <int N>
  __device__ Two
  minimum () const
  {
    const Two among = middle_of (least[1], least[0]);

    return N == 26 ? least_of (among, least_of (least[0], least[1]))
                   : least_of (among, least_of (own[0], own[1]));
  }

  __device__ Two
  middle () const
  {
    return middle_of (own[1], own[0]);
  }
};

/* The place of a thread's column in the halo of one. */
__device__ __forceinline__ int2
halo_column (int k)
{
  return k < WF_HALO1_X ? make_int2 (k - 1, -1)
         : k < 2 * WF_HALO1_X ? make_int2 (k - WF_HALO1_X - 1, WF_COLUMNS_Y)
         : k < 2 * WF_HALO1_X + WF_COLUMNS_Y ? make_int2 (-1, k - 2 * WF_HALO1_X)
         : make_int2 (WF_TILE_X, k - 2 * WF_HALO1_X - WF_COLUMNS_Y);
}

/* Shared memory of a block of classify(). */
template <typename Key>
struct WfColumns
{
  WfTwo<Key> levels[WF_HALO2];
  WfTwo<Key> fronts[WF_HALO1];       /* of voxels with L2 = 0 */
};

/* Whether the two voxels between in a column wait, and the levels of those that do not. */
template <int N, typename Key>
__device__ __forceinline__ WfTwo<Key>
find_fronts (const WfStack         &stack,
             const WfPassing<Key>  &level,
             const guint32         *markers,
             guint32                x,
             guint32                y,
             guint32                z,
             bool                 (&marked)[2],
             bool                 (&waits)[2])
{
  constexpr guint32 OUTER = (Key) ~(Key) 0;

  const WfTwo<Key> own   = level.middle ();
  const WfTwo<Key> least = level.template minimum<N> ();
  const bool       in[2] = { own.first () != OUTER, own.second () != OUTER };
  const bool      low[2] = { least.first () != own.first (), least.second () != own.second () };

#pragma unroll
  for (int k = 0; k < 2; k++)
    {
      marked[k] = markers && in[k] && z + k < stack.depth &&
                  markers[stack.voxel (x, y, z + k)] != 0;
      waits[k]  = in[k] && ! low[k] && ! marked[k];
    }
  return WfTwo<Key>::make (waits[0] ? OUTER : own.first (), waits[1] ? OUTER : own.second ());
}

/* A block processes WF_COLUMNS_Z slices of its columns.  With @markers, writes their bits. */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_TILE_X * WF_COLUMNS_Y)
classify (WfStack        stack,
          const Pixel   *image,
          const guint32 *markers)
{
  typedef typename WfLevel<Pixel>::Key Key;
  typedef WfTwo<Key>                   Two;

  constexpr int     THREADS = WF_TILE_X * WF_COLUMNS_Y;
  constexpr int     LOADS   = (WF_HALO2 + THREADS - 1) / THREADS;
  constexpr guint32 OUTER   = (Key) ~(Key) 0;

  __shared__ WfColumns<Key> here;

  const int      t       = threadIdx.x;
  const guint32  down    = (stack.height + WF_COLUMNS_Y - 1) / WF_COLUMNS_Y;
  const guint32  row     = blockIdx.x / stack.across;
  const guint32  word    = blockIdx.x - row * stack.across;
  const guint32  deep    = row / down;
  const guint32  x0      = word * WF_TILE_X;
  const guint32  y0      = (row - deep * down) * WF_COLUMNS_Y;
  const guint32  z0      = deep * WF_COLUMNS_Z;
  const guint32  y       = y0 + t / WF_TILE_X;
  const int      n       = (int) min (stack.depth - z0, (guint32) WF_COLUMNS_Z);
  const bool     in_halo = t < WF_HALO_COLUMNS;
  const int2     halo    = halo_column (t);
  WfPassing<Key> level   = {};
  WfPassing<Key> halos   = {};
  WfPassing<Key> front   = {};
  bool           waited  = false;
  guint32        from[LOADS];
  bool           inside[LOADS];
  Two            loaded[LOADS];

#pragma unroll
  for (int k = 0; k < LOADS; k++)
    {
      const int     place = t + k * THREADS;
      const guint32 x     = x0 + place % WF_HALO2_X - 2;
      const guint32 y     = y0 + place / WF_HALO2_X - 2;

      inside[k] = place < WF_HALO2 && x < stack.width && y < stack.height;
      from[k]   = stack.voxel (x, y, z0 - 2);
    }

  auto load = [&] (guint32 z)
    {
#pragma unroll
      for (int k = 0; k < LOADS; k++)
        {
          guint32 keys[2] = { OUTER, OUTER };

#pragma unroll
          for (int j = 0; j < 2; j++)
            {
              if (inside[k] && z + j < stack.depth)
                keys[j] = WfLevel<Pixel>::key (image[from[k]]);
              from[k] += stack.slice;
            }
          loaded[k] = Two::make (keys[0], keys[1]);
        }
    };

  /* Levels of the slices z and z + 1; fronts one, seeds two slices before. */
  load (z0 - 2);
  for (int z = -2; z < n + 2; z += 2)
    {
      bool marked[2];
      bool waits[2];

#pragma unroll
      for (int k = 0; k < LOADS; k++)
        if (t + k * THREADS < WF_HALO2)
          here.levels[t + k * THREADS] = loaded[k];
      load (z0 + z + 2);
      __syncthreads ();

      if (in_halo)
        {
          halos.template pass<N> (here.levels + (halo.y + 2) * WF_HALO2_X + halo.x + 2, WF_HALO2_X);
          here.fronts[(halo.y + 1) * WF_HALO1_X + halo.x + 1] =
            find_fronts<N> (stack, halos, markers, x0 + halo.x, y0 + halo.y, z0 + z - 1, marked,
                            waits);
        }
      level.template pass<N> (here.levels + (t / WF_TILE_X + 2) * WF_HALO2_X + t % WF_TILE_X + 2,
                              WF_HALO2_X);
      here.fronts[(t / WF_TILE_X + 1) * WF_HALO1_X + t % WF_TILE_X + 1] =
        find_fronts<N> (stack, level, markers, x0 + t % WF_TILE_X, y, z0 + z - 1, marked, waits);
      __syncthreads ();

      front.template pass<N> (here.fronts + (t / WF_TILE_X + 1) * WF_HALO1_X + t % WF_TILE_X + 1,
                              WF_HALO1_X);

      const Two  least   = front.template minimum<N> ();
      const bool wait[2] = { waited, waits[0] };
      const bool seed[2] = { waited && least.first () == level.own[1].first (),
                             waits[0] && least.second () == level.own[1].second () };

      waited = waits[1];
#pragma unroll
      for (int k = 0; k < 2; k++)
        {
          const int     behind = z - 2 + k;     /* of what is known now; of markers 1 more */
          const guint32 at     = stack.row (y, z0 + behind) + word;
          const guint32 mine   = __ballot_sync (WF_ALL_LANES, wait[k]);
          const guint32 seeds  = __ballot_sync (WF_ALL_LANES, seed[k]);
          const guint32 roots  = __ballot_sync (WF_ALL_LANES, marked[k]);

          if (t % 32 != 0 || y >= stack.height)
            continue;
          if (behind >= 0 && behind < n)
            {
              stack.waiting[at] = mine;
              stack.seeds[at]   = seeds;
            }
          if (markers && behind + 1 >= 0 && behind + 1 < n)
            stack.roots[at + stack.height * stack.across] = roots;
        }
    }
}

} /* namespace stack_flood */
