/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kernels of `queue`: listing pixels that can raise a neighbour, rounds of blocks over
 * their queues, gathering what they leave over; see queue.cu.
 */

#pragma once

#include "padded.cuh"

#define THREADS 256
#define WARPS   (THREADS / 32)
#define FULL    0xffffffffu

/* The level in shared memory: two of these, a round's pixels and the next one's. */
#define SHARED_SIZE 1024

/* A launch's end. */
#define MOST_ROUNDS 2048
#define MOST_PIXELS 32768

/* A warp of seed() looks at so many pixels of a row. */
#define SEED_PIXELS 16
#define SEED_WIDTH  (32 * SEED_PIXELS)

#define MOST_NEIGHBOURS 26


/* The images, and the way to a pixel's neighbours. */
template <typename Pixel>
struct Field
{
  const Pixel *mask;
  Pixel       *marker;
  int          n_neighbours;
  gint64       offsets[MOST_NEIGHBOURS];
};

/**
 * Control:
 * @n: pixels in the list; after seed() those, too, that had no place in it
 * @dropped: pixels that had no place in a block's queue
 */
struct Control
{
  unsigned long long n;
  unsigned long long dropped;
};

/**
 * Queues:
 * @n_blocks: how many there are
 * @size: places of each, those in shared memory included
 * @shared_size: the first places, in shared memory
 * @list: what a launch begins with; @n_blocks * @size places
 * @levels: twice @n_blocks * @size places: of a round and of the next one
 * @left: for each block, twice how many pixels it has left over, plus which level has them
 * @tails: for each block, the next free place (naive queues)
 */
struct Queues
{
  unsigned int  n_blocks;
  unsigned int  size;
  unsigned int  shared_size;
  guint64      *list;
  guint64      *levels;
  unsigned int *left;
  unsigned int *tails;
  Control      *control;

  __device__ __forceinline__ guint64 *
  level (int which) const
  {
    return levels + ((gint64) which * n_blocks + blockIdx.x) * size;
  }
};


/*  Raising a pixel  */

template <typename Pixel>
static __device__ __forceinline__ Pixel
look (const Pixel *pixel)
{
  return *(const volatile Pixel *) pixel;
}

/* Raises a pixel to @level, in the word that holds it.  Whether it was lower. */
template <typename Pixel>
static __device__ __forceinline__ bool
raise (Pixel *pixel,
       Pixel  level)
{
  constexpr guint32  all   = (Pixel) ~(Pixel) 0;
  const guintptr  at    = (guintptr) pixel;
  guint32        *word  = (guint32 *) (at & ~(guintptr) 3);
  const int       shift = (int) (at & 3) * 8;
  guint32         seen  = *(volatile guint32 *) word;

  while ((seen >> shift & all) < level)
    {
      const guint32 raised = (seen & ~(all << shift)) | (guint32) level << shift;
      const guint32 found  = atomicCAS (word, seen, raised);

      if (found == seen)
        return true;
      seen = found;
    }
  return false;
}

template <>
__device__ __forceinline__ bool
raise<guint32> (guint32 *pixel,
                guint32  level)
{
  return atomicMax (pixel, level) < level;
}

/* Raises the neighbours of pixel @p.  A bit for each that was lower. */
template <typename Pixel>
static __device__ __forceinline__ guint32
raise_neighbours (const Field<Pixel> &field,
                  guint64             p)
{
  constexpr int at_once = 8;
  const Pixel level  = look (field.marker + p);
  guint32     raised = 0;

  for (int first = 0; first < field.n_neighbours; first += at_once)
    {
      Pixel masks[at_once];
      Pixel levels[at_once];

#pragma unroll
      for (int k = 0; k < at_once; k++)
        if (first + k < field.n_neighbours)
          {
            masks[k]  = __ldg (field.mask + p + field.offsets[first + k]);
            levels[k] = look (field.marker + p + field.offsets[first + k]);
          }

#pragma unroll
      for (int k = 0; k < at_once; k++)
        if (first + k < field.n_neighbours)
          {
            const Pixel highest = min (level, masks[k]);

            if (levels[k] < highest &&
                raise<Pixel> (field.marker + p + field.offsets[first + k], highest))
              raised |= 1u << (first + k);
          }
    }
  return raised;
}


/*  The list  */

template <typename Pixel>
static __device__ __forceinline__ bool
can_raise (const Field<Pixel> &field,
           gint64              p)
{
  const Pixel level = field.marker[p];

  if (level == 0)
    return false;
  for (int k = 0; k < field.n_neighbours; k++)
    {
      const Pixel other = field.marker[p + field.offsets[k]];

      if (other < level && other < field.mask[p + field.offsets[k]])
        return true;
    }
  return false;
}

/* The lane's place among @count of each lane before it; @total is the warp's. */
static __device__ __forceinline__ unsigned int
place_in_warp (unsigned int  count,
               int           lane,
               unsigned int *total)
{
  unsigned int sum = count;

#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2)
    {
      const unsigned int earlier = __shfl_up_sync (FULL, sum, distance);

      if (lane >= distance)
        sum += earlier;
    }
  *total = __shfl_sync (FULL, sum, 31);
  return sum - count;
}

/* Lists the pixels that can raise a neighbour.  A warp for each piece of a row; a lane
 * looks at every 32nd pixel of it.
 */
template <typename Pixel>
__global__ void __launch_bounds__ (THREADS)
seed (WfFrame       frame,
      Field<Pixel>  field,
      Queues        queues)
{
  const gint64  n_pieces = (frame.width + SEED_WIDTH - 1) / SEED_WIDTH;
  const gint64  n_tasks  = n_pieces * frame.height * frame.depth;
  const gint64  n_warps  = (gint64) gridDim.x * WARPS;
  const int     lane     = threadIdx.x % 32;
  const guint64 most     = (guint64) queues.n_blocks * queues.size;

  for (gint64 i = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; i < n_tasks; i += n_warps)
    {
      const gint64       row   = i / n_pieces;
      const gint64       x     = i % n_pieces * SEED_WIDTH + lane;
      const gint64       first = frame.origin + row / frame.height * frame.plane
                                 + row % frame.height * frame.pitch + x;
      guint32            found = 0;
      unsigned int       total;
      unsigned long long at    = 0;

      for (int k = 0; k < SEED_PIXELS; k++)
        if (x + k * 32 < frame.width && can_raise<Pixel> (field, first + k * 32))
          found |= 1u << k;

      const unsigned int place = place_in_warp (__popc (found), lane, &total);

      if (total == 0)
        continue;
      if (lane == 0)
        at = atomicAdd (&queues.control->n, (unsigned long long) total);
      at = __shfl_sync (FULL, at, 0) + place;
      for (; found && at < most; found &= found - 1, at++)
        queues.list[at] = first + (__ffs (found) - 1) * 32;
    }
}


/*  Rounds  */

/* Places for @count pixels of each lane in the block's queue, whose next free one is
 * @tail; the first of the lane's own is returned.
 */
static __device__ __forceinline__ unsigned int
take_places (unsigned int *tail,
             unsigned int  count)
{
  const int          lane  = threadIdx.x % 32;
  unsigned int       total;
  const unsigned int place = place_in_warp (count, lane, &total);
  unsigned int       first = 0;

  if (total > 0 && lane == 0)
    first = atomicAdd (tail, total);
  return __shfl_sync (FULL, first, 0) + place;
}

/* Queues the neighbours of @p that the bits @raised stand for. */
template <typename Pixel, bool NAIVE>
static __device__ __forceinline__ void
append (const Field<Pixel> &field,
        const Queues       &queues,
        guint64             p,
        guint32             raised,
        unsigned int       *tail,
        guint64            *in_shared,
        guint64            *in_global)
{
  unsigned int place = NAIVE ? 0 : take_places (tail, __popc (raised));

  for (; raised; raised &= raised - 1)
    {
      const guint64 q = p + field.offsets[__ffs (raised) - 1];

      if (NAIVE)
        place = atomicAdd (tail, 1);
      if (! NAIVE && place < queues.shared_size)
        in_shared[place] = q;
      else if (place < queues.size)
        in_global[place] = q;
      place++;
    }
}

/* A block works on its part of the list until nothing is left or its time is over. */
template <typename Pixel, bool NAIVE>
__global__ void __launch_bounds__ (THREADS)
propagate (Field<Pixel>  field,
           Queues        queues)
{
  __shared__ guint64      in_shared[2][NAIVE ? 1 : SHARED_SIZE];
  __shared__ unsigned int shared_tail;

  const unsigned long long  most   = (unsigned long long) queues.n_blocks * queues.size;
  const unsigned long long  n      = min (queues.control->n, most);
  const unsigned long long  begin  = n * blockIdx.x / gridDim.x;
  const guint64            *source = queues.list + begin;
  unsigned int             *tail   = NAIVE ? queues.tails + blockIdx.x : &shared_tail;
  const unsigned int        first  = NAIVE ? 0 : queues.shared_size;
  unsigned int              count  = n * (blockIdx.x + 1) / gridDim.x - begin;
  unsigned int              spent  = 0;
  int                       which  = 1;
  int                       round;

  for (round = 0; count > 0 && round < MOST_ROUNDS && spent < MOST_PIXELS; round++)
    {
      if (threadIdx.x == 0)
        *tail = 0;
      __syncthreads ();

      for (unsigned int base = 0; base < count; base += THREADS)
        {
          const unsigned int i      = base + threadIdx.x;
          guint64            p      = 0;
          guint32            raised = 0;

          if (i < count)
            {
              p      = ! NAIVE && round > 0 && i < first ? in_shared[which][i] : source[i];
              raised = raise_neighbours<Pixel> (field, p);
            }
          append<Pixel, NAIVE> (field, queues, p, raised, tail, in_shared[which ^ 1],
                                queues.level (which ^ 1));
        }
      __syncthreads ();

      const unsigned int wanted = *(volatile unsigned int *) tail;

      if (threadIdx.x == 0 && wanted > queues.size)
        atomicAdd (&queues.control->dropped, (unsigned long long) (wanted - queues.size));
      spent  += count;
      count   = min (wanted, queues.size);
      which  ^= 1;
      source  = queues.level (which);
      __syncthreads ();
    }

  if (! NAIVE && round > 0)
    for (unsigned int i = threadIdx.x; i < min (count, first); i += THREADS)
      queues.level (which)[i] = in_shared[which][i];
  if (threadIdx.x == 0)
    queues.left[blockIdx.x] = 2 * count + which;
}

/* Makes one list of what the blocks have left over; as many blocks as there were. */
__global__ void __launch_bounds__ (THREADS)
gather (Queues queues)
{
  __shared__ unsigned long long sums[WARPS];
  unsigned long long            sum = 0;

  for (unsigned int b = threadIdx.x; b < blockIdx.x; b += THREADS)
    sum += queues.left[b] / 2;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync (FULL, sum, distance);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads ();
  sum = 0;
  for (int warp = 0; warp < WARPS; warp++)
    sum += sums[warp];

  const unsigned int  left   = queues.left[blockIdx.x];
  const guint64      *source = queues.level (left % 2);

  for (unsigned int i = threadIdx.x; i < left / 2; i += THREADS)
    queues.list[sum + i] = source[i];
  if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1)
    queues.control->n = sum + left / 2;
}
