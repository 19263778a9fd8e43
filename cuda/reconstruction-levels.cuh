/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by levels, for images whose corridors are too long to be walked.
 *
 * R(p) ≥ t exactly if p's component of {mask ≥ t} holds a pixel that is known to reach
 * t.  So one bit of R after the other is found, from the highest down, by connected
 * components, and the number of passes does not depend on the image.  (The threshold
 * decomposition of Vincent 1993, section 3, as a binary search in all pixels at once.)
 *
 * Let v be what is known, marker ≤ v ≤ R, and let v and R agree in all bits above bit b:
 * they make the pixel's class c.  A pixel is active if its mask reaches c | b.  Then
 *
 *   - active neighbours of one class either both reach their c | b or both do not:
 *     they are united;
 *   - an active pixel beside one of a higher class reaches it, as it does if v has the
 *     bit already: it is united with the node 0, which stands for all that is raised;
 *   - others do not matter to each other.
 *
 * What is then in the set of node 0 gets v ← max (v, c | b), and the next bit follows.
 * Bits that are 0 in all pixels of mask and marker, or 1 in all, are those of R too and
 * are left out: a pixel that is raised gets the constant ones at once.
 *
 * Components are sets of pixels joined by atomicMin() on their roots (Komura 2015;
 * Playne and Hawick 2018): in a tile in shared memory first, where a warp joins a run
 * of 32 pixels by a ballot; then across the sides of the tiles in global memory, with
 * paths halved on the way.  Parents are read and written by many threads without order;
 * each value that can be read leads to the set's root, which is all that is needed, so
 * the races that a checker sees on them are meant.
 *
 * Bytes a pixel and bit: labelling reads v and the mask and writes 4; the sides of
 * tiles take a twentieth of that again; raising reads 4 and, where v changes, writes it.
 */

#pragma once

#include "reconstruction-keys.cuh"

#define THREADS 256
#define ALL     0xffffffffu

/* Which tiles: 2048 pixels, rows of whole warps. */
template <bool STACK>
struct Tile
{
  static constexpr int WIDTH  = STACK ? 32 : 64;
  static constexpr int HEIGHT = STACK ? 8 : 32;
  static constexpr int DEPTH  = STACK ? 8 : 1;
  static constexpr int SIZE   = WIDTH * HEIGHT * DEPTH;

  /* With a frame around it, so that every pixel has all its neighbours. */
  static constexpr int ROW    = WIDTH + 2;
  static constexpr int SLICE  = ROW * (HEIGHT + 2);
  static constexpr int FRAMED = SLICE * (STACK ? DEPTH + 2 : 1);

  static __device__ __forceinline__ constexpr int
  step (int dx, int dy, int dz)
  {
    return dz * SLICE + dy * ROW + dx;
  }
};

/**
 * Levels:
 * @parent: of node p + 1, for pixel p; node 0 is not in it
 * @bit: the one to find
 * @ones: constant ones below it
 */
template <typename Pixel>
struct Levels
{
  const Pixel      *mask;
  Pixel            *out;
  uint32_t         *parent;
  WfCudaKeys<Pixel> keys;
  int64_t           width, height, depth;
  uint32_t          across, down;
  uint32_t          bit;
  uint32_t          ones;
};

/* Where keys may differ: @differing between v and mask, @any and @all in any of them. */
struct Range
{
  uint32_t differing;
  uint32_t any;
  uint32_t all;
};

struct Position
{
  int64_t x, y, z;
};


/*  Sets  */

/* In shared memory, node 0 and all.  Every second step on the way to the root skips a
 * node, for those who come later.  That may overwrite a concurrent link; whoever makes it
 * goes on with the node's former parent.
 */
struct TileSets
{
  uint32_t *parent;

  __device__ __forceinline__ uint32_t
  parent_of (uint32_t node) const
  {
    return *(volatile uint32_t *) &parent[node];
  }

  __device__ __forceinline__ uint32_t
  find (uint32_t node) const
  {
    volatile uint32_t *up = parent;

    for (;;)
      {
        const uint32_t next = up[node];
        const uint32_t skip = up[next];

        if (skip == next)
          return next;
        up[node] = skip;
        node     = skip;
      }
  }

  __device__ __forceinline__ uint32_t
  link (uint32_t node, uint32_t lower) const
  {
    return atomicMin (&parent[node], lower);
  }
};

/* In global memory: parent[0] is that of node 1.  A parent may be read from a cache
 * that does not know of the latest links: it has been one, and is in the same set.  What
 * atomicMin() returns is never old.
 */
struct ImageSets
{
  uint32_t *parent;

  __device__ __forceinline__ uint32_t
  find (uint32_t node) const
  {
    while (node)
      {
        const uint32_t next = __ldca (&parent[node - 1]);

        if (next == node)
          break;
        node = next;
      }
    return node;
  }

  __device__ __forceinline__ uint32_t
  link (uint32_t node, uint32_t lower) const
  {
    return atomicMin (&parent[node - 1], lower);
  }
};

/* The same, with ways shortened as above. */
struct ShortenedImageSets : ImageSets
{
  __device__ __forceinline__ uint32_t
  find (uint32_t node) const
  {
    while (node)
      {
        const uint32_t next = __ldca (&parent[node - 1]);

        if (next == node || next == 0)
          return next;

        const uint32_t skip = __ldca (&parent[next - 1]);

        if (skip == next)
          return next;
        parent[node - 1] = skip;
        node = skip;
      }
    return 0;
  }
};

template <typename Sets>
__device__ __forceinline__ void
unite (Sets     sets,
       uint32_t a,
       uint32_t b)
{
  for (;;)
    {
      a = sets.find (a);
      b = sets.find (b);
      if (a == b)
        return;
      if (a < b)
        {
          const uint32_t c = a;

          a = b;
          b = c;
        }

      const uint32_t before = sets.link (a, b);

      if (before == a)
        return;
      a = before;
    }
}

/* What two neighbours mean to each other, given their classes with the lowest bit set
 * where they are active.
 */
template <typename Sets>
__device__ __forceinline__ void
compare (Sets     sets,
         uint32_t node,
         uint32_t level,
         uint32_t other_node,
         uint32_t other_level)
{
  const uint32_t lower = min (level, other_level);

  if (! (lower & 1))
    return;
  if (level > other_level)
    node = 0;
  if (level < other_level)
    other_node = 0;
  unite (sets, node, other_node);
}


/*  Pixels  */

template <typename Pixel>
__device__ __forceinline__ int64_t
index_of (const Levels<Pixel> &levels,
          Position             at)
{
  return (at.z * levels.height + at.y) * levels.width + at.x;
}

template <typename Pixel>
__device__ __forceinline__ bool
is_inside (const Levels<Pixel> &levels,
           Position             at)
{
  return at.x >= 0 && at.x < levels.width && at.y >= 0 && at.y < levels.height &&
         at.z >= 0 && at.z < levels.depth;
}

/* The class, which has no bits from @bit down, with bit 0 for active. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
level_of (const Levels<Pixel> &levels,
          int64_t              p,
          bool                *raised)
{
  const uint32_t value = levels.keys.of_written (levels.out[p]);
  const uint32_t limit = levels.keys.of (levels.mask[p]);
  const uint32_t level = value & ~(levels.bit * 2 - 1);

  *raised = value & levels.bit;
  return level | (limit >= (level | levels.bit) ? 1 : 0);
}

template <typename Pixel, bool STACK>
__device__ __forceinline__ Position
tile_origin (const Levels<Pixel> &levels)
{
  const uint32_t tile = blockIdx.x;
  const uint32_t row  = tile / levels.across;

  return {
    (int64_t) (tile - row * levels.across) * Tile<STACK>::WIDTH,
    (int64_t) (row % levels.down) * Tile<STACK>::HEIGHT,
    (int64_t) (row / levels.down) * Tile<STACK>::DEPTH
  };
}

template <bool STACK>
__device__ __forceinline__ int3
place_in_tile (int i)
{
  typedef Tile<STACK> T;

  return make_int3 (i % T::WIDTH, i / T::WIDTH % T::HEIGHT, i / (T::WIDTH * T::HEIGHT));
}

template <bool STACK>
__device__ __forceinline__ int
framed (int3 place)
{
  return Tile<STACK>::step (place.x + 1, place.y + 1, STACK ? place.z + 1 : 0);
}

/* Calls @visit for the neighbours of a pixel, or for those only that come before it in
 * raster order.
 */
template <int CONNECTIVITY, bool EARLIER, typename Visit>
__device__ __forceinline__ void
each_neighbour (Visit visit)
{
  constexpr int DEEP = CONNECTIVITY == 6 || CONNECTIVITY == 26 ? 1 : 0;

#pragma unroll
  for (int dz = -DEEP; dz <= (EARLIER ? 0 : DEEP); dz++)
#pragma unroll
    for (int dy = -1; dy <= 1; dy++)
#pragma unroll
      for (int dx = -1; dx <= 1; dx++)
        {
          const int  distance = (dx != 0) + (dy != 0) + (dz != 0);
          const bool earlier  = dz < 0 || (dz == 0 && (dy < 0 || (dy == 0 && dx < 0)));

          if (distance && (earlier || ! EARLIER) &&
              (distance == 1 || CONNECTIVITY == 8 || CONNECTIVITY == 26))
            visit (dx, dy, dz);
        }
}


/* The place in a tile of neighbour (dx, dy, dz), or -1 if it is in another tile. */
template <bool STACK>
__device__ __forceinline__ int
neighbour_in_tile (int3 place,
                   int  dx,
                   int  dy,
                   int  dz)
{
  typedef Tile<STACK> T;
  const int x = place.x + dx;
  const int y = place.y + dy;
  const int z = place.z + dz;

  if (x < 0 || x >= T::WIDTH || y < 0 || y >= T::HEIGHT || z < 0 || z >= T::DEPTH)
    return -1;
  return (z * T::HEIGHT + y) * T::WIDTH + x;
}

/* How many pixels of a tile have earlier neighbours in other tiles. */
template <bool STACK>
__device__ __forceinline__ constexpr int
count_shell ()
{
  typedef Tile<STACK> T;

  return T::WIDTH * T::HEIGHT + (T::DEPTH - 1) * 2 * (T::WIDTH + T::HEIGHT - 2);
}

template <>
__device__ __forceinline__ constexpr int
count_shell<false> ()
{
  return Tile<false>::WIDTH + 2 * (Tile<false>::HEIGHT - 1);
}

/* These pixels: of an image the first row, then the columns at both sides; of a stack
 * the first slice, then of each other slice the first and last row and both columns.
 */
template <bool STACK>
__device__ __forceinline__ int3
shell_place (int i)
{
  typedef Tile<STACK> T;

  if (! STACK)
    {
      if (i < T::WIDTH)
        return make_int3 (i, 0, 0);
      i -= T::WIDTH;
      return make_int3 (i % 2 ? T::WIDTH - 1 : 0, 1 + i / 2, 0);
    }

  if (i < T::WIDTH * T::HEIGHT)
    return make_int3 (i % T::WIDTH, i / T::WIDTH, 0);
  i -= T::WIDTH * T::HEIGHT;
  if (i < (T::DEPTH - 1) * 2 * T::WIDTH)
    return make_int3 (i % T::WIDTH, i / T::WIDTH % 2 ? T::HEIGHT - 1 : 0,
                      1 + i / (2 * T::WIDTH));
  i -= (T::DEPTH - 1) * 2 * T::WIDTH;
  return make_int3 (i % 2 ? T::WIDTH - 1 : 0, 1 + i / 2 % (T::HEIGHT - 2),
                    1 + i / (2 * (T::HEIGHT - 2)));
}


/*  Kernels  */

/* A run of active pixels of one class in a warp's row: its first lane, and whether any
 * of it is raised.
 */
__device__ __forceinline__ int
find_run (uint32_t level,
          bool     raised,
          int      lane,
          bool    *run_raised)
{
  const uint32_t left   = __shfl_up_sync (ALL, level, 1);
  const uint32_t begins = __ballot_sync (ALL, lane == 0 || left != level || ! (level & 1));
  const uint32_t rises  = __ballot_sync (ALL, raised);
  const uint32_t upto   = ALL >> (31 - lane);
  const uint32_t beyond = begins & ~upto;
  const int      first  = 31 - __clz (begins & upto);

  *run_raised = rises & (ALL << first) & (beyond ? (beyond & -beyond) - 1 : ALL);
  return first;
}

/* Whether a pixel and its equal neighbour are joined by way of others: along the run that
 * the pixel is in, or through the neighbour in the middle of a row or of a slice.
 */
template <typename Equal>
__device__ __forceinline__ bool
is_joined_elsewhere (bool         in_run,
                     int          dx,
                     int          dy,
                     int          dz,
                     const Equal &equal)
{
  if (dy == 0 && dz == 0)
    return in_run;
  if (dx == 0 && (dy == 0 || dz == 0))
    return in_run && equal (-1, dy, dz);
  if (dz && equal (0, 0, dz))
    return true;
  if (dx == 0)
    return in_run && equal (-1, dy, dz);
  return equal (0, dy, dz) || (dx < 0 ? in_run : equal (1, 0, 0));
}

template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (THREADS)
label_tiles (Levels<Pixel> levels)
{
  constexpr bool STACK = CONNECTIVITY == 6 || CONNECTIVITY == 26;
  typedef Tile<STACK> T;
  constexpr int N = T::SIZE / THREADS;

  __shared__ uint32_t level[T::FRAMED];
  __shared__ uint32_t parent[T::SIZE + 1];

  const Position origin = tile_origin<Pixel, STACK> (levels);
  const int      lane   = threadIdx.x % 32;
  const TileSets sets   = { parent };
  uint32_t       raised = 0;            /* a bit for each of the thread's pixels */
  bool           open   = false;        /* there are active pixels that are not raised */

  for (int i = threadIdx.x; i < T::FRAMED; i += THREADS)
    level[i] = 0;
  if (threadIdx.x == 0)
    parent[0] = 0;
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < N; k++)
    {
      const int      i     = k * THREADS + threadIdx.x;
      const int3     place = place_in_tile<STACK> (i);
      const Position at    = { origin.x + place.x, origin.y + place.y, origin.z + place.z };
      bool           rises = false;

      if (is_inside (levels, at))
        level[framed<STACK> (place)] = level_of (levels, index_of (levels, at), &rises);
      raised |= (uint32_t) rises << k;
    }
  __syncthreads ();

  for (int k = 0; k < N; k++)
    {
      const int       i     = k * THREADS + threadIdx.x;
      const uint32_t *here  = level + framed<STACK> (place_in_tile<STACK> (i));
      const uint32_t  own   = *here;
      uint32_t        most  = 0;
      bool            rises = raised >> k & 1;
      bool            run_rises;
      int             first;

      each_neighbour<CONNECTIVITY, false> ([&] (int dx, int dy, int dz)
        {
          most = max (most, here[T::step (dx, dy, dz)]);
        });
      rises = rises || ((own & 1) && most > own);
      first = find_run (own, rises, lane, &run_rises);
      parent[i + 1] = run_rises ? 0 : i - lane + first + 1;
      open          = open || ((own & 1) && ! run_rises);
    }

  if (__syncthreads_or (open))
    {
      for (int i = threadIdx.x; i < T::SIZE; i += THREADS)
        {
          const uint32_t *here   = level + framed<STACK> (place_in_tile<STACK> (i));
          const uint32_t  own    = *here;
          const bool      in_run = lane > 0 && here[-1] == own;
          const auto      equal  = [&] (int dx, int dy, int dz)
            {
              return here[T::step (dx, dy, dz)] == own;
            };

          if (own & 1)
            each_neighbour<CONNECTIVITY, true> ([&] (int dx, int dy, int dz)
              {
                const int other = i + (dz * T::HEIGHT + dy) * T::WIDTH + dx;

                if (equal (dx, dy, dz) &&
                    ! is_joined_elsewhere (in_run, dx, dy, dz, equal) &&
                    sets.parent_of (i + 1) != sets.parent_of (other + 1))
                  unite (sets, i + 1, other + 1);
              });
        }
      __syncthreads ();
    }

  for (int i = threadIdx.x; i < T::SIZE; i += THREADS)
    {
      const int3     place = place_in_tile<STACK> (i);
      const Position at    = { origin.x + place.x, origin.y + place.y, origin.z + place.z };
      const uint32_t root  = sets.find (i + 1);
      uint32_t       node  = 0;

      if (! is_inside (levels, at))
        continue;
      if (root)
        {
          const int3 there = place_in_tile<STACK> (root - 1);

          node = index_of (levels, { origin.x + there.x, origin.y + there.y,
                                     origin.z + there.z }) + 1;
        }
      levels.parent[index_of (levels, at)] = node;
    }
}

/* Across the sides of the tiles. */
template <typename Pixel, int CONNECTIVITY>
__global__ void
__launch_bounds__ (128)
join_tiles (Levels<Pixel> levels)
{
  constexpr bool STACK = CONNECTIVITY == 6 || CONNECTIVITY == 26;

  const Position     origin = tile_origin<Pixel, STACK> (levels);
  ShortenedImageSets sets;

  sets.parent = levels.parent;
  for (int i = threadIdx.x; i < count_shell<STACK> (); i += blockDim.x)
    {
      const int3     place = shell_place<STACK> (i);
      const Position at    = { origin.x + place.x, origin.y + place.y, origin.z + place.z };

      if (! is_inside (levels, at))
        continue;

      const int64_t  p = index_of (levels, at);
      bool           raised;
      const uint32_t own    = level_of (levels, p, &raised);
      const bool     in_run = place.x > 0 && level_of (levels, p - 1, &raised) == own;

      each_neighbour<CONNECTIVITY, true> ([&] (int dx, int dy, int dz)
        {
          const Position there = { at.x + dx, at.y + dy, at.z + dz };

          if (neighbour_in_tile<STACK> (place, dx, dy, dz) >= 0 || ! is_inside (levels, there))
            return;

          const int64_t  q     = index_of (levels, there);
          const uint32_t other = level_of (levels, q, &raised);

          if (other == own && in_run && place.x + dx > 0 &&
              place.x + dx < Tile<STACK>::WIDTH && level_of (levels, q - 1, &raised) == own)
            return;
          compare (sets, p + 1, own, q + 1, other);
        });
    }
}

/* A thread takes four pixels, which often have one parent. */
template <typename Pixel>
__global__ void
__launch_bounds__ (THREADS)
raise_pixels (Levels<Pixel> levels,
              int64_t       n)
{
  const ImageSets sets = { levels.parent };

  for (int64_t p = (blockIdx.x * (int64_t) THREADS + threadIdx.x) * 4; p < n;
       p += (int64_t) gridDim.x * THREADS * 4)
    {
      uint32_t parents[4] = { 1, 1, 1, 1 };
      uint32_t last       = 0;
      uint32_t root       = 0;

      if (p + 3 < n)
        {
          const uint4 all = *(const uint4 *) &levels.parent[p];

          parents[0] = all.x;
          parents[1] = all.y;
          parents[2] = all.z;
          parents[3] = all.w;
        }
      else
        for (int k = 0; p + k < n; k++)
          parents[k] = levels.parent[p + k];

#pragma unroll
      for (int k = 0; k < 4; k++)
        if (p + k < n && parents[k] != p + k + 1)
          {
            if (parents[k] != last)
              root = sets.find (parents[k]);
            last = parents[k];
            if (root)
              continue;

            const uint32_t value = levels.keys.of_written (levels.out[p + k]);
            const uint32_t level = value & ~(levels.bit * 2 - 1);

            if (! (value & levels.bit))
              levels.out[p + k] = levels.keys.back ((Pixel) (level | levels.bit | levels.ones));
          }
    }
}

template <typename Pixel>
__global__ void
__launch_bounds__ (THREADS)
find_range (Levels<Pixel>  levels,
            int64_t        n,
            Range         *range)
{
  Range own = { 0, 0, ALL };

  for (int64_t p = blockIdx.x * (int64_t) THREADS + threadIdx.x; p < n;
       p += (int64_t) gridDim.x * THREADS)
    {
      const uint32_t value = levels.keys.of_written (levels.out[p]);
      const uint32_t limit = levels.keys.of (levels.mask[p]);

      own.differing |= value ^ limit;
      own.any       |= value | limit;
      own.all       &= value & limit;
    }
  for (int reach = 16; reach; reach /= 2)
    {
      own.differing |= __shfl_xor_sync (ALL, own.differing, reach);
      own.any       |= __shfl_xor_sync (ALL, own.any, reach);
      own.all       &= __shfl_xor_sync (ALL, own.all, reach);
    }
  if (threadIdx.x % 32 == 0)
    {
      atomicOr (&range->differing, own.differing);
      atomicOr (&range->any, own.any);
      atomicAnd (&range->all, own.all);
    }
}
