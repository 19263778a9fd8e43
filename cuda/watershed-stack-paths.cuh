/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows and paths of stacks, for the watershed on a GPU.
 *
 * A voxel's parent is its smallest neighbour in the order (L1, L2, index).  Level, L2
 * and the neighbour's place make one number, a key, so that the parent is found by a
 * minimum, which goes along x, y and z one after another: each step adds its share of
 * the place to the lowest bits.  The voxel itself may take part: what is no root has a
 * neighbour that comes before it.  L2 that is too deep for its bits in the key is looked
 * up where it matters.
 *
 * A block goes through its tile slice by slice, with keys in shared memory, and leaves
 * there for each voxel where its arrow points to: itself, where the path leaves the tile
 * (an exit) or ends (a root).  Touching roots of a tile are joined by union-find, the
 * first being the parent, and then pointers are doubled until all point to the end of
 * their path in the tile.
 *
 * That paths are reduced to ends inside parts of the image, and then between parts, is
 * from Bieniek and Moga, An efficient watershed algorithm based on connected components,
 * Pattern Recognition 33 (2000).
 *
 * Bytes a voxel of bytes: 1.1 read (1.4 with the rims), and L2 of waiting voxels; 2
 * written, and 4 of each exit.
 */

#pragma once

#include "watershed-slopes.cuh"
#include "watershed-stack-minima.cuh"

/* A slice of keys with a rim of one. */
#define WF_SLICE_X (WF_CUBE_X + 2)
#define WF_SLICE_Y (WF_CUBE_Y + 2)

/* Voxels of a slice that a thread loads, and columns that it looks at. */
#define WF_SLICE_LOADS   3
#define WF_SLICE_COLUMNS (WF_CUBE_X * WF_CUBE_Y / WF_CUBE_THREADS)


/*  Keys  */

/* From the highest bit: level, L2, 5 bits of a place. */
template <typename Pixel>
struct WfKey
{
  typedef guint32 Bits;

  static constexpr int DEPTH = 27 - 8 * sizeof (Pixel);
};

template <>
struct WfKey<float>
{
  typedef guint64 Bits;

  static constexpr int DEPTH = 27;
};

/* The middle of the places, from 0 to 26. */
#define WF_OWN_PLACE 13

template <typename Pixel>
static __device__ inline typename WfKey<Pixel>::Bits
make_key (Pixel   pixel,
          guint32 depth)
{
  typedef WfKey<Pixel> Key;

  const guint32 most = (1u << Key::DEPTH) - 1;

  return ((typename Key::Bits) WfLevel<Pixel>::key (pixel) << (Key::DEPTH + 5))
         | min (depth, most) << 5 | WF_OWN_PLACE;
}

template <typename Pixel>
static __device__ inline bool
is_too_deep (typename WfKey<Pixel>::Bits key)
{
  const guint32 most = (1u << WfKey<Pixel>::DEPTH) - 1;

  return ((guint32) (key >> 5) & most) == most;
}

/* The place of the parent of a voxel whose neighbours are deep. */
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

  guint32 least   = ~0u;
  guint32 deepest = ~0u;
  int     result  = WF_OWN_PLACE;

#pragma unroll 1
  for (int d = 0; d < N; d++)
    {
      const guint32 far_x = x + To::dx (d);
      const guint32 far_y = y + To::dy (d);
      const guint32 far_z = z + To::dz (d);

      if (far_x >= stack.width || far_y >= stack.height || far_z >= stack.depth)
        continue;

      const guint32 voxel = stack.voxel (far_x, far_y, far_z);
      const guint32 level = WfLevel<Pixel>::key (image[voxel]);
      const guint32 waits = wf_row_word (stack, stack.waiting, far_x / 32, far_y, far_z)
                            >> far_x % 32 & 1;
      guint32       depth = waits ? stack.depths[voxel] : 0;

      if (depth == WF_FAR)
        depth = 0;      /* a minimum */
      if (level < least ||
          (level == least && (depth < deepest || (depth == deepest && last_index))))
        {
          least   = level;
          deepest = depth;
          result  = (To::dx (d) + 1) + (To::dy (d) + 1) * 3 + (To::dz (d) + 1) * 9;
        }
    }
  return result;
}


/*  A tile's paths  */

/* What a block has of its tile in shared memory. */
template <typename Bits>
struct WfPaths
{
  guint16 ends[WF_CUBE_VOXELS];
  guint32 roots[WF_CUBE_ROWS];
  guint32 deep[WF_CUBE_ROWS];                   /* voxels whose keys do not tell */
  gint32  steps[32];                            /* to a place, in local numbers */
  guint32 n_pairs;
  Bits    keys[WF_SLICE_X * WF_SLICE_Y];        /* then: pairs of touching roots */
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

/* The voxels of a slice with its rim that a thread loads: 18 rows of 32, by a warp each,
 * and two columns beside them.
 */
static __device__ inline bool
slice_place (int  k,
             int *x,
             int *y)
{
  const int t    = threadIdx.x;
  const int side = t - 64;

  *x = t % 32;
  *y = t / 32 + 8 * k;
  if (k < 2 || *y < WF_SLICE_Y)
    {
      *y -= 1;
      return true;
    }
  *x = side % 2 ? WF_CUBE_X : -1;
  *y = side / 2 - 1;
  return side < 2 * WF_SLICE_Y;
}

/* Points arrows: here.ends, and stack's forest at exits; here.roots. */
template <int N, typename Pixel>
static __device__ inline void
point_arrows (const WfStack                               &stack,
              const WfCube                                &cube,
              const Pixel                                 *image,
              bool                                         markers,
              bool                                         last_index,
              guint32                                     *forest,
              WfPaths<typename WfKey<Pixel>::Bits>        *here)
{
  typedef typename WfKey<Pixel>::Bits Bits;

  constexpr Bits OUTER = ~(Bits) 31 | WF_OWN_PLACE;

  const int t     = threadIdx.x;
  const int lane  = t % 32;
  const int warp  = t / 32;
  const int ahead = last_index ? -1 : 1;        /* what a step to the right adds to a place */
  const int last  = (int) min (stack.depth - cube.z, (guint32) WF_CUBE_Z);
  guint32   from[WF_SLICE_LOADS];
  guint32   word[WF_SLICE_LOADS];
  int       to[WF_SLICE_LOADS];
  int       bit[WF_SLICE_LOADS];
  guint32   out[WF_SLICE_COLUMNS];
  Bits      least[WF_SLICE_COLUMNS][2];         /* of the slices before, the last first */
  Bits      own[WF_SLICE_COLUMNS][2];

#pragma unroll
  for (int k = 0; k < WF_SLICE_LOADS; k++)
    {
      int        dx;
      int        dy;
      const bool any = slice_place (k, &dx, &dy);

      const guint32 x = cube.x + dx;
      const guint32 y = cube.y + dy;

      to[k]   = any ? (dy + 1) * WF_SLICE_X + dx + 1 : -1;
      from[k] = stack.voxel (x, y, cube.z - 1);
      word[k] = stack.row (y, cube.z - 1) + x / 32;
      bit[k]  = any && x < stack.width && y < stack.height ? (int) (x % 32) : -1;
    }
#pragma unroll
  for (int c = 0; c < WF_SLICE_COLUMNS; c++)
    {
      const int y = warp * WF_SLICE_COLUMNS + c;

      out[c] = (lane == 0 ? places_along (0, -1) : lane == WF_CUBE_X - 1 ? places_along (0, 1) : 0)
               | (y == 0 ? places_along (1, -1) : y == WF_CUBE_Y - 1 ? places_along (1, 1) : 0);
      least[c][0] = least[c][1] = own[c][0] = own[c][1] = OUTER;
    }

  for (int z = -1; z <= last; z++)
    {
      const bool within = cube.z + z < stack.depth;

#pragma unroll
      for (int k = 0; k < WF_SLICE_LOADS; k++)
        {
          Bits key  = OUTER;
          bool root = false;

          /* The last of them is for two rows and two columns. */
          if (k == WF_SLICE_LOADS - 1 && warp >= 4)
            continue;
          if (within && bit[k] >= 0)
            {
              guint32 depth = 0;

              if (stack.waiting[word[k]] >> bit[k] & 1)
                depth = stack.depths[from[k]];
              root = depth == WF_FAR;
              key  = make_key<Pixel> (image[from[k]], root ? 0 : depth);
            }
          if (to[k] >= 0)
            here->keys[to[k]] = key;
          if (! markers && (k < 2 || warp < 2))
            {
              const guint32 bits = __ballot_sync (WF_WARP, root);
              const int     y    = warp + 8 * k - 1;

              if (lane == 0 && y >= 0 && y < WF_CUBE_Y && z >= 0 && z < WF_CUBE_Z)
                here->roots[z * WF_CUBE_Y + y] = bits;
            }
          from[k] += stack.slice;
          word[k] += stack.height * stack.across;
        }
      __syncthreads ();

      const Bits *keys = here->keys + (warp * WF_SLICE_COLUMNS + 1) * WF_SLICE_X + lane + 1;
      Bits        row[WF_SLICE_COLUMNS + 2];

      if constexpr (N == 26)
        {
#pragma unroll
          for (int j = 0; j < WF_SLICE_COLUMNS + 2; j++)
            {
              const Bits *at = keys + (j - 1) * WF_SLICE_X;

              row[j] = min (min (at[-1] - ahead, at[0]), at[1] + ahead);
            }
        }
#pragma unroll
      for (int c = 0; c < WF_SLICE_COLUMNS; c++)
        {
          const Bits *at = keys + c * WF_SLICE_X;
          Bits        now;
          Bits        best;

          if constexpr (N == 26)
            {
              now  = min (min (row[c] - 3 * ahead, row[c + 1]), row[c + 2] + 3 * ahead);
              best = min (min (least[c][1] - 9 * ahead, least[c][0]), now + 9 * ahead);
            }
          else
            {
              now  = min (min (at[-WF_SLICE_X] - 3 * ahead, at[-1] - ahead),
                          min (at[1] + ahead, at[WF_SLICE_X] + 3 * ahead));
              best = min (min (own[c][1] - 9 * ahead, least[c][0]), at[0] + 9 * ahead);
            }
          least[c][1] = least[c][0];
          least[c][0] = now;
          own[c][1]   = own[c][0];
          own[c][0]   = at[0];

          const int y = warp * WF_SLICE_COLUMNS + c;

          if (z < 1)
            continue;

          const int  i      = ((z - 1) * WF_CUBE_Y + y) * WF_CUBE_X + lane;
          const bool inside = cube.x + lane < stack.width && cube.y + y < stack.height;
          int        end    = i;

          if (inside && ! (here->roots[(z - 1) * WF_CUBE_Y + y] >> lane & 1))
            {
              const guint32 far_z = z == 1 ? places_along (2, -1)
                                    : z == WF_CUBE_Z ? places_along (2, 1) : 0;
              int           place = (int) (best & 31);

              place = last_index ? 26 - place : place;
              if (is_too_deep<Pixel> (best))
                atomicOr (&here->deep[(z - 1) * WF_CUBE_Y + y], 1u << lane);
              else if ((out[c] | far_z) >> place & 1)
                forest[stack.voxel (cube.x + lane, cube.y + y, cube.z + z - 1)] = place;
              else
                end = i + here->steps[place];
            }
          here->ends[i] = end;
        }
      __syncthreads ();
    }
}

/* Points the arrows of voxels that are too deep for keys, one thread a row. */
template <int N, typename Pixel>
static __device__ inline void
point_deep_arrows (const WfStack                          &stack,
                   const WfCube                           &cube,
                   const Pixel                            *image,
                   bool                                    last_index,
                   guint32                                *forest,
                   WfPaths<typename WfKey<Pixel>::Bits>   *here)
{
  const int     row = threadIdx.x;
  const guint32 y   = cube.y + row % WF_CUBE_Y;
  const guint32 z   = cube.z + row / WF_CUBE_Y;

  for (guint32 bits = here->deep[row]; bits != 0; bits &= bits - 1)
    {
      const guint32 x     = cube.x + __ffs (bits) - 1;
      const int     place = find_parent<N, Pixel> (stack, image, last_index, x, y, z);
      const guint32 far_x = x + place % 3 - 1;
      const guint32 far_y = y + place / 3 % 3 - 1;
      const guint32 far_z = z + place / 9 - 1;

      if (far_x / WF_CUBE_X != x / WF_CUBE_X || far_y / WF_CUBE_Y != y / WF_CUBE_Y ||
          far_z / WF_CUBE_Z != z / WF_CUBE_Z)
        forest[stack.voxel (x, y, z)] = place;
      else
        here->ends[row * WF_CUBE_X + x % WF_CUBE_X] += here->steps[place];
    }
}

/* Pointers are doubled in place: each always points to somewhere further down its path,
 * until that is an end.
 */
static __device__ inline void
double_pointers (guint16 *ends,
                 int      n)
{
  constexpr int PAIRS = WF_CUBE_VOXELS / 2 / WF_CUBE_THREADS;

  guint32 open = n == WF_CUBE_VOXELS ? (1u << PAIRS) - 1
                                     : (1u << (n / 2 / WF_CUBE_THREADS)) - 1;

  do
    {
#pragma unroll
      for (int k = 0; k < PAIRS; k++)
        if (open >> k & 1)
          {
            volatile guint32  *pair = (volatile guint32 *) ends + k * WF_CUBE_THREADS + threadIdx.x;
            const guint32      two  = *pair;
            const guint32      next = ((volatile guint16 *) ends)[two & 0xffff]
                                      | (guint32) ((volatile guint16 *) ends)[two >> 16] << 16;

            if (next != two)
              *pair = next;
            else
              open &= ~(1u << k);
          }
    }
  while (__syncthreads_or (open != 0));
}

/* One block a tile: where each voxel's path ends in it.  @forest: of exits the place of
 * the parent, of roots that are ends themselves, and a bit in @firsts.  Without
 * @markers, touching roots are joined.
 */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_CUBE_THREADS)
find_paths (WfStack        stack,
            const Pixel   *image,
            bool           markers,
            bool           last_index,
            guint16       *ends,
            guint32       *forest,
            guint32       *firsts)
{
  typedef typename WfKey<Pixel>::Bits Bits;

  __shared__ __align__ (16) WfPaths<Bits> here;

  const int    t      = threadIdx.x;
  const int    lane   = t % 32;
  const WfCube cube   = wf_cube (stack, blockIdx.x);
  const int    n_rows = (int) min (stack.depth - cube.z, (guint32) WF_CUBE_Z) * WF_CUBE_Y;

  if (t < 27)
    here.steps[t] = ((t / 9 - 1) * WF_CUBE_Y + t / 3 % 3 - 1) * WF_CUBE_X + t % 3 - 1;
  here.roots[t] = markers ? wf_row_word (stack, stack.roots, cube.word, cube.y + t % WF_CUBE_Y,
                                         cube.z + t / WF_CUBE_Y) : 0;
  if (t == 0)
    here.n_pairs = 0;
  here.deep[t] = 0;
  __syncthreads ();
  point_arrows<N, Pixel> (stack, cube, image, markers, last_index, forest, &here);
  if (__syncthreads_or (here.deep[t] != 0))
    point_deep_arrows<N, Pixel> (stack, cube, image, last_index, forest, &here);
  if (! markers)
    {
      const guint32 y = cube.y + t % WF_CUBE_Y;
      const guint32 z = cube.z + t / WF_CUBE_Y;

      if (y < stack.height && z < stack.depth)
        stack.roots[stack.row (y, z) + cube.word] = here.roots[t];
      if (__syncthreads_or (here.roots[t] != 0))
        join_minima_in_tile<N> (here.ends, here.roots,
                                { sizeof here.keys / sizeof (guint32), &here.n_pairs,
                                  (guint32 *) here.keys });
    }
  __syncthreads ();
  double_pointers (here.ends, n_rows * WF_CUBE_X);

  for (int row = t / 32; row < n_rows; row += WF_CUBE_THREADS / 32)
    {
      const guint32 y      = cube.y + row % WF_CUBE_Y;
      const guint32 z      = cube.z + row / WF_CUBE_Y;
      const guint32 voxel  = stack.voxel (cube.x + lane, y, z);
      const int     end    = here.ends[row * WF_CUBE_X + lane];
      const bool    inside = cube.x + lane < stack.width;
      const bool    own    = inside && end == row * WF_CUBE_X + lane;
      const guint32 owns   = __ballot_sync (WF_WARP, own);

      if (y >= stack.height)
        continue;
      if (inside)
        ends[voxel] = end;
      if (lane == 0)
        stack.ends[stack.row (y, z) + cube.word] = owns;
      if (own && (here.roots[row] >> lane & 1))
        {
          forest[voxel] = voxel;
          if (! markers)
            atomicOr (&firsts[voxel / 32], 1u << (voxel % 32));
        }
    }
}
