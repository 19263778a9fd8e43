/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kernels of `queue`: listing pixels that can raise a neighbour, rounds of blocks over
 * their queues, gathering what they leave over; see queue.cu.
 */

#pragma once

#include "cuda/core/block-scan.cuh"
#include "padded.cuh"

namespace queue
{

constexpr int THREADS = 256;
constexpr int WARPS   = THREADS / WF_LANES;

/* Places of the level in shared memory: of this round and of the next one. */
constexpr unsigned int SHARED_SIZE = 1024;

/* A block's most rounds and pixels in a launch. */
constexpr int          MOST_ROUNDS = 2048;
constexpr unsigned int MOST_PIXELS = 32768;

/* The pixels of a row that a lane and a warp of seed() look at. */
constexpr int SEED_PIXELS = 16;
constexpr int SEED_WIDTH  = WF_LANES * SEED_PIXELS;

constexpr int MOST_NEIGHBOURS = 26;


/**
 * Kind:
 * @THREAD_QUEUES: a thread keeps its raised neighbours, and takes places for all of them
 * @PREFIX: a warp takes places for one neighbour of each thread
 * @NAIVE: a thread takes a place for each neighbour
 *
 * How places in the queue are taken.
 */
enum Kind
{
  THREAD_QUEUES,
  PREFIX,
  NAIVE
};


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
 * @queued: pixels that have been queued after seed(), dropped ones included
 */
struct Control
{
  unsigned long long n;
  unsigned long long dropped;
  unsigned long long queued;
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

/* Lists the pixels that can raise a neighbour.  A warp for each piece of a row; a lane
 * looks at every 32nd pixel of it.
 */
template <typename Pixel>
__global__ void __launch_bounds__ (THREADS)
seed (WfPadding       padding,
      Field<Pixel>  field,
      Queues        queues)
{
  const gint64  n_pieces = (padding.width + SEED_WIDTH - 1) / SEED_WIDTH;
  const gint64  n_tasks  = n_pieces * padding.height * padding.depth;
  const gint64  n_warps  = (gint64) gridDim.x * WARPS;
  const int     lane     = threadIdx.x % 32;
  const guint64 most     = (guint64) queues.n_blocks * queues.size;

  for (gint64 i = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; i < n_tasks; i += n_warps)
    {
      const gint64       row   = i / n_pieces;
      const gint64       x     = i % n_pieces * SEED_WIDTH + lane;
      const gint64       first = padding.origin + row / padding.height * padding.plane
                                 + row % padding.height * padding.pitch + x;
      guint32            found = 0;
      unsigned long long at;

      for (int k = 0; k < SEED_PIXELS; k++)
        if (x + k * 32 < padding.width && can_raise<Pixel> (field, first + k * 32))
          found |= 1u << k;

      at = wf_warp_take_places (&queues.control->n, __popc (found));
      for (; found && at < most; found &= found - 1, at++)
        queues.list[at] = first + (__ffs (found) - 1) * 32;
    }
}


/*  Rounds  */

/* Writes @q to its place, if there is one. */
static __device__ __forceinline__ void
put (const Queues &queues,
     guint64       q,
     unsigned int  place,
     guint64      *in_shared,
     guint64      *in_global)
{
  if (place < queues.shared_size)
    in_shared[place] = q;
  else if (place < queues.size)
    in_global[place] = q;
}

/* Queues the neighbours of @p that the bits @raised stand for. */
template <typename Pixel, Kind KIND>
static __device__ __forceinline__ void
append (const Field<Pixel> &field,
        const Queues       &queues,
        guint64             p,
        guint32             raised,
        unsigned int       *tail,
        guint64            *in_shared,
        guint64            *in_global)
{
  unsigned int place = KIND == THREAD_QUEUES ? wf_warp_take_places (tail, __popc (raised)) : 0;

  if (KIND == PREFIX)
    {
      /* all lanes of the warp take part */
      for (int k = 0; k < field.n_neighbours; k++)
        {
          const guint32 bit = raised >> k & 1;

          place = wf_warp_take_places (tail, bit);
          if (bit)
            put (queues, p + field.offsets[k], place, in_shared, in_global);
        }
      return;
    }
  for (; raised; raised &= raised - 1)
    {
      const guint64 q = p + field.offsets[__ffs (raised) - 1];

      /* not atomicAdd (tail, 1): the compiler would combine those of a warp into one */
      if (KIND == NAIVE)
        place = atomicInc (tail, G_MAXUINT32 - 1);
      if (KIND != NAIVE)
        put (queues, q, place, in_shared, in_global);
      else if (place < queues.size)
        in_global[place] = q;
      place++;
    }
}

/* A block works on its part of the list until nothing is left or its time is over. */
template <typename Pixel, Kind KIND>
__global__ void __launch_bounds__ (THREADS)
propagate (Field<Pixel>  field,
           Queues        queues)
{
  __shared__ guint64      in_shared[2][KIND == NAIVE ? 1 : SHARED_SIZE];
  __shared__ unsigned int shared_tail;

  const unsigned long long  most   = (unsigned long long) queues.n_blocks * queues.size;
  const unsigned long long  n      = min (queues.control->n, most);
  const unsigned long long  begin  = n * blockIdx.x / gridDim.x;
  const guint64            *source = queues.list + begin;
  unsigned int             *tail   = KIND == NAIVE ? queues.tails + blockIdx.x : &shared_tail;
  const unsigned int        first  = KIND == NAIVE ? 0 : queues.shared_size;
  unsigned int              count  = n * (blockIdx.x + 1) / gridDim.x - begin;
  unsigned int              spent  = 0;
  unsigned long long        queued = 0;
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
              p      = KIND != NAIVE && round > 0 && i < first ? in_shared[which][i] : source[i];
              raised = raise_neighbours<Pixel> (field, p);
            }
          append<Pixel, KIND> (field, queues, p, raised, tail, in_shared[which ^ 1],
                               queues.level (which ^ 1));
        }
      __syncthreads ();

      const unsigned int wanted = *(volatile unsigned int *) tail;

      if (threadIdx.x == 0 && wanted > queues.size)
        atomicAdd (&queues.control->dropped, (unsigned long long) (wanted - queues.size));
      queued += wanted;
      spent  += count;
      count   = min (wanted, queues.size);
      which  ^= 1;
      source  = queues.level (which);
      __syncthreads ();
    }

  if (KIND != NAIVE && round > 0)
    for (unsigned int i = threadIdx.x; i < min (count, first); i += THREADS)
      queues.level (which)[i] = in_shared[which][i];
  if (threadIdx.x == 0)
    {
      queues.left[blockIdx.x] = 2 * count + which;
      atomicAdd (&queues.control->queued, queued);
    }
}

/* Makes one list of what the blocks have left over; as many blocks as there were. */
static __global__ void __launch_bounds__ (THREADS)
gather (Queues queues)
{
  __shared__ unsigned long long sums[WARPS];
  unsigned long long            sum = 0;

  for (unsigned int b = threadIdx.x; b < blockIdx.x; b += THREADS)
    sum += queues.left[b] / 2;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync (WF_ALL_LANES, sum, distance);
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

} /* namespace queue */
