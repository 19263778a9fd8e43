/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps on a GPU, `propagation`: sites spread from pixel to pixel.
 *
 * Each pixel holds a site, the nearest background pixel that has reached it.  In synchronous
 * rounds every foreground pixel takes the best, by (d², x, y, z), of its own
 * site and of those that its neighbours held after the round before; the definition,
 * and why it needs rounds, is at the top of engine/distance/cpu/papers/propagation.c.
 *
 * It is the irregular wavefront of Teodoro et al. (Efficient irregular wavefront
 * propagation algorithms on hybrid CPU-GPU machines, Parallel Computing 39, 2013): a queue
 * of pixels, each of which offers its site to its neighbours by comparing and swapping in
 * the Voronoi map, and the pixels that took an offer make the next queue.  For the rounds
 * to be synchronous, offers are made from a copy of what the queue's pixels held when
 * the round began; a pixel that took several offers in a round is queued once, by a bit.
 * Only pixels that changed make offers: the neighbours of the others have compared what those
 * hold.  The first round gathers, since the only offers are neighbours that are sites
 * themselves, and the outside where it counts as background.
 *
 * The host checks after several rounds whether the queue is empty.
 *
 * Memory: 24 bytes a pixel and one bit.  Bytes moved: 8 a pixel at the start and at the end;
 * for each pixel of a queue 20, and 8 for each neighbour, or 40 where an offer is taken.
 */

#include <type_traits>

#include "cuda/core/dispatch.cuh"
#include "cuda/core/foreground.cuh"
#include "engine/core/grid.h"

namespace propagation
{

#define THREADS 256

/* Rounds between two looks at the queue, an even number. */
#define ROUNDS 16

/* Other values of the map than sites: a pixel of the other kind, which no offer can
 * change, and one that no offer has reached.
 */
#define OWN  G_GUINT64_CONSTANT (0)
#define NONE G_MAXUINT64

/**
 * Code:
 *
 * A site as a number: x + 1 at bit @shift_x, y + 1 at @shift_y, z + 1 at 0, so that the order
 * of numbers is that by (x, y, z).
 */
typedef struct
{
  int     shift_x;
  int     shift_y;
  guint64 mask_y;
  guint64 mask_z;
} Code;

typedef struct
{
  gint64 x;
  gint64 y;
  gint64 z;
} Place;

/**
 * Queue:
 * @pixels: those that changed in the round before
 * @count: how many they are
 */
typedef struct
{
  guint32            *pixels;
  unsigned long long *count;
} Queue;

/**
 * Spread:
 * @map: for each pixel the code of its site
 * @queued: a bit for each pixel that is in the queue for the next round
 * @values: what the pixels of the queue held when the round began
 * @border: whether the outside is background
 */
typedef struct
{
  WfShape             shape;
  WfNeighbourhood     neighbours;
  Code                code;
  double              spacing[3];
  unsigned long long *map;
  guint32            *queued;
  guint64            *values;
  bool                border;
} Spread;


/*  Sites  */

__device__ __forceinline__ guint64
encode (const Code  &code,
        const Place &place)
{
  return (guint64) (place.x + 1) << code.shift_x | (guint64) (place.y + 1) << code.shift_y
         | (guint64) (place.z + 1);
}

__device__ __forceinline__ Place
decode (const Code &code,
        guint64     site)
{
  return { (gint64) (site >> code.shift_x) - 1, (gint64) (site >> code.shift_y & code.mask_y) - 1,
           (gint64) (site & code.mask_z) - 1 };
}

__device__ __forceinline__ Place
place_of (const WfShape &shape,
          gint64         p)
{
  const gint64 row = p / shape.width;
  const gint64 z   = shape.depth > 1 ? row / shape.height : 0;

  return { p - row * shape.width, row - z * shape.height, z };
}

/* Integers, or doubles with each product and sum rounded once. */
template <typename D>
__device__ __forceinline__ D
square (const Spread &spread,
        const Place  &from,
        const Place  &to)
{
  const gint64 steps[3] = { llabs (to.x - from.x), llabs (to.y - from.y), llabs (to.z - from.z) };
  D            lengths[3];

#pragma unroll
  for (int i = 0; i < 3; i++)
    lengths[i] = std::is_floating_point<D>::value ? (D) steps[i] * (D) spread.spacing[i]
                                                  : (D) steps[i];
  return lengths[0] * lengths[0] + (lengths[1] * lengths[1] + lengths[2] * lengths[2]);
}

/* Whether @held is no worse at @place than @site, which is @squared away from there. */
template <typename D>
__device__ __forceinline__ bool
keeps (const Spread &spread,
       guint64       held,
       const Place  &place,
       guint64       site,
       D             squared)
{
  D own;

  if (held == NONE)
    return false;
  if (held == OWN)
    return true;
  own = square<D> (spread, decode (spread.code, held), place);
  return own < squared || (own == squared && held <= site);
}


/*  Rounds  */

template <typename T>
__global__ void
start_map (const T      *image,
           WfForeground  foreground,
           Spread        spread,
           gint64        n,
           int          *absent)
{
  bool found = false;

  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const bool is = wf_is_foreground (image[p], foreground);

      spread.map[p] = is ? NONE : OWN;
      found        |= ! is;
      if (p % 32 == 0)
        spread.queued[p / 32] = 0;
    }
  if (found)
    *absent = 0;
}

/* The pixel's best site among its neighbours, and straight across the border. */
template <typename D>
__device__ __forceinline__ guint64
gather (const Spread &spread,
        gint64        p)
{
  const WfShape &shape = spread.shape;
  const Place    place = place_of (shape, p);
  guint64        best  = NONE;

  for (int i = 0; i < spread.neighbours.n; i++)
    {
      const Place there = { place.x + spread.neighbours.dx[i], place.y + spread.neighbours.dy[i],
                            place.z + spread.neighbours.dz[i] };
      const bool  out_x = there.x < 0 || there.x >= shape.width;
      const bool  out_y = there.y < 0 || there.y >= shape.height;
      const bool  out_z = there.z < 0 || there.z >= shape.depth;
      bool        site;

      if (out_x || out_y || out_z)
        site = spread.border && ABS (spread.neighbours.dx[i]) + ABS (spread.neighbours.dy[i])
                                + ABS (spread.neighbours.dz[i]) == 1;
      else
        site = spread.map[p + spread.neighbours.step[i]] == OWN;
      if (site)
        {
          const guint64 code    = encode (spread.code, there);
          const D       squared = square<D> (spread, there, place);

          if (! keeps<D> (spread, best, place, code, squared))
            best = code;
        }
    }
  return best;
}

template <typename D>
__global__ void
first_round (Spread spread,
             gint64 n,
             Queue  after)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    if (spread.map[p] != OWN)
      {
        const guint64 best = gather<D> (spread, p);

        if (best != NONE)
          {
            spread.map[p] = best;
            after.pixels[atomicAdd (after.count, 1ull)] = (guint32) p;
          }
      }
}

/* What the queue's pixels hold now; and they may be queued again. */
__global__ void
copy_values (Spread              spread,
             Queue               queue,
             unsigned long long *next_count)
{
  const gint64 n = *queue.count;

  if (blockIdx.x == 0 && threadIdx.x == 0)
    *next_count = 0;
  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < n;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const gint64 p = queue.pixels[i];

      spread.values[i] = spread.map[p];
      atomicAnd (spread.queued + p / 32, ~(1u << p % 32));
    }
}

/* Offers @site to pixel @q.  Returns whether it is better than what is there. */
template <typename D>
__device__ __forceinline__ bool
offer (const Spread &spread,
       gint64        q,
       const Place  &place,
       guint64       site)
{
  const D            squared = square<D> (spread, decode (spread.code, site), place);
  unsigned long long held    = *(volatile unsigned long long *) (spread.map + q);

  while (! keeps<D> (spread, held, place, site, squared))
    {
      const unsigned long long found = atomicCAS (spread.map + q, held, site);

      if (found == held)
        return true;
      held = found;
    }
  return false;
}

template <typename D>
__global__ void
make_offers (Spread spread,
             Queue  queue,
             Queue  after)
{
  const gint64 n = *queue.count;

  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < n;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const gint64  p     = queue.pixels[i];
      const guint64 site  = spread.values[i];
      const Place   place = place_of (spread.shape, p);

      for (int k = 0; k < spread.neighbours.n; k++)
        {
          const Place  there = { place.x + spread.neighbours.dx[k],
                                 place.y + spread.neighbours.dy[k],
                                 place.z + spread.neighbours.dz[k] };
          const gint64 q     = p + spread.neighbours.step[k];

          if (there.x < 0 || there.x >= spread.shape.width || there.y < 0 ||
              there.y >= spread.shape.height || there.z < 0 || there.z >= spread.shape.depth ||
              ! offer<D> (spread, q, there, site))
            continue;
          if (! (atomicOr (spread.queued + q / 32, 1u << q % 32) >> q % 32 & 1))
            after.pixels[atomicAdd (after.count, 1ull)] = (guint32) q;
        }
    }
}


/*  Results  */

typedef struct
{
  gpointer  distances;
  WfType    type;
  guint64  *nearest;
  bool      second_half;
} Results;

/* The second half of a signed map leaves the pixels of the other kind alone. */
template <typename D>
__global__ void
write_results (Spread  spread,
               gint64  n,
               Results results)
{
  for (gint64 p = blockIdx.x * (gint64) blockDim.x + threadIdx.x; p < n;
       p += (gint64) gridDim.x * blockDim.x)
    {
      const guint64 held  = spread.map[p];
      const Place   place = place_of (spread.shape, p);
      const Place   site  = held == OWN ? place : decode (spread.code, held);
      const D       squared = held == NONE ? D (0) : square<D> (spread, site, place);
      const bool    inside = held != NONE && site.x >= 0 && site.x < spread.shape.width &&
                             site.y >= 0 && site.y < spread.shape.height &&
                             site.z >= 0 && site.z < spread.shape.depth;

      if (held == OWN && results.second_half)
        continue;
      if (results.nearest)
        results.nearest[p] = inside ? (guint64) ((site.z * spread.shape.height + site.y)
                                                 * spread.shape.width + site.x)
                                    : WF_NEAREST_NONE;
      if (! results.distances)
        continue;
      if (results.type == WF_TYPE_U64)
        ((guint64 *) results.distances)[p] = held == NONE ? G_MAXUINT64 : (guint64) squared;
      else if (results.type == WF_TYPE_F64)
        ((double *) results.distances)[p] = held == NONE ? INFINITY : (double) squared;
      else
        {
          const float distance = held == NONE ? INFINITY : (float) sqrt ((double) squared);

          ((float *) results.distances)[p] = results.second_half ? 0 - distance : distance;
        }
    }
}


/*  Host  */

static int
bits_of (guint64 most)
{
  return most ? 64 - __builtin_clzll (most) : 1;
}

static gint64
last_z (const WfShape *shape)
{
  return shape->depth > 1 ? shape->depth : 0;
}

static Code
choose_code (const WfShape *shape)
{
  const int bits_y = bits_of (shape->height + 1);
  const int bits_z = bits_of (last_z (shape) + 1);

  return { bits_y + bits_z, bits_z, (G_GUINT64_CONSTANT (1) << bits_y) - 1,
           (G_GUINT64_CONSTANT (1) << bits_z) - 1 };
}

typedef struct
{
  guint64 queued;
  guint64 values;
  guint64 queues[2];
  guint64 counts;
  guint64 end;
} QueueLayout;

static guint64
align (guint64 offset)
{
  return (offset + 255) / 256 * 256;
}

static QueueLayout
make_layout (gint64 n)
{
  QueueLayout layout;

  layout.queued    = align (n * sizeof (guint64));
  layout.values    = layout.queued + align ((n + 31) / 32 * sizeof (guint32));
  layout.queues[0] = layout.values + align (n * sizeof (guint64));
  layout.queues[1] = layout.queues[0] + align (n * sizeof (guint32));
  layout.counts    = layout.queues[1] + align (n * sizeof (guint32));
  layout.end       = layout.counts + 4 * sizeof (guint64);
  return layout;
}

static gboolean
start (WfCuda                *cuda,
       const WfCudaDistance  *distance,
       const Spread          *spread,
       bool                   inverted,
       int                   *absent,
       GError               **error)
{
  const WfDistanceTask *task       = distance->task;
  const WfForeground    foreground = wf_foreground (task->threshold, inverted);
  const gint64          n          = wf_shape_n_pixels (&task->shape);
  const unsigned int    blocks     = wf_cuda_blocks (cuda, n, THREADS);

  wf_dispatch_pixels (task->image->type, [&] (auto pixel)
    {
      start_map<<<blocks, THREADS, 0, cuda->stream>>>
        ((const decltype (pixel) *) distance->image, foreground, *spread, n, absent);
    });
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Rounds until nothing changes. */
template <typename D>
static gboolean
spread_on (WfCuda        *cuda,
           const Spread  *spread,
           gint64         n,
           const Queue   *queues,
           bool           progress,
           GError       **error)
{
  const unsigned int blocks = wf_cuda_blocks (cuda, n, THREADS, 1);
  gint64             reported   = 0;
  guint64            count;

  do
    {
      for (int round = 0; round < ROUNDS; round++)
        {
          const Queue *now   = queues + round % 2;
          const Queue *after = queues + (round + 1) % 2;

          copy_values<<<blocks, THREADS, 0, cuda->stream>>> (*spread, *now, after->count);
          WF_CUDA_CHECK_LAUNCH ();
          make_offers<D><<<blocks, THREADS, 0, cuda->stream>>> (*spread, *now, *after);
          WF_CUDA_CHECK_LAUNCH ();
        }
      if (! wf_cuda_read (cuda, &count, queues->count, sizeof count, error) ||
          ! wf_cuda_advance (cuda, progress ? MIN ((gint64) count, n - reported) : 0, error))
        return FALSE;
      reported = MIN (reported + (gint64) count, n);
    }
  while (count > 0);
  return ! progress || wf_cuda_advance (cuda, n - reported, error);
}

template <typename D>
static gboolean
spread_half (WfCuda                *cuda,
             const WfCudaDistance  *distance,
             guint8                *memory,
             bool                   inverted,
             int                   *absent,
             GError               **error)
{
  const WfDistanceTask *task   = distance->task;
  const gint64          n      = wf_shape_n_pixels (&task->shape);
  const QueueLayout     layout = make_layout (n);
  const unsigned int    blocks = wf_cuda_blocks (cuda, n, THREADS);
  unsigned long long   *counts = (unsigned long long *) (memory + layout.counts);
  const Queue           queues[2] = { { (guint32 *) (memory + layout.queues[0]), counts },
                                      { (guint32 *) (memory + layout.queues[1]), counts + 1 } };
  const Results         results = { distance->out, task->out ? task->out->type : WF_TYPE_F32,
                                    distance->nearest, inverted };
  Spread                spread = { };

  spread.shape  = task->shape;
  spread.code   = choose_code (&task->shape);
  spread.map    = (unsigned long long *) memory;
  spread.queued = (guint32 *) (memory + layout.queued);
  spread.values = (guint64 *) (memory + layout.values);
  spread.border = task->border_background && ! inverted;
  for (int i = 0; i < 3; i++)
    spread.spacing[i] = task->spacing[i];
  wf_neighbourhood_init (&spread.neighbours, task->connectivity, &task->shape);

  WF_CUDA_CHECK (cudaMemsetAsync (counts, 0, 2 * sizeof *counts, cuda->stream));
  if (! start (cuda, distance, &spread, inverted, absent, error))
    return FALSE;
  first_round<D><<<blocks, THREADS, 0, cuda->stream>>> (spread, n, queues[0]);
  WF_CUDA_CHECK_LAUNCH ();
  if (! spread_on<D> (cuda, &spread, n, queues, distance->share > 0, error))
    return FALSE;
  write_results<D><<<blocks, THREADS, 0, cuda->stream>>> (spread, n, results);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

}

using namespace propagation;


/* Codes are to fit 64 bits with one to spare, as on the CPU; pixels are numbered with 32,
 * and no sum of squares overflows.
 */
gboolean
wf_cuda_distance_propagation_supports (const WfDistanceTask *task)
{
  const WfShape *shape = &task->shape;
  const gint64   most  = 1 << 30;

  return ! task->band &&
         (task->metric == WF_METRIC_EUCLIDEAN || task->metric == WF_METRIC_SQUARED) &&
         bits_of (shape->width + 1) + bits_of (shape->height + 1) + bits_of (last_z (shape) + 1)
         < 64 &&
         shape->width <= most && shape->height <= most && shape->depth <= most &&
         wf_shape_n_pixels (shape) <= G_MAXUINT32;
}

guint64
wf_cuda_distance_propagation_memory (const WfDistanceTask *task)
{
  return make_layout (wf_shape_n_pixels (&task->shape)).end;
}

gboolean
wf_cuda_distance_propagation (WfCuda                 *cuda,
                              const WfCudaDistance   *distance,
                              WfDeviceArray<guint8>  *memory,
                              int                   **absent,
                              GError                **error)
{
  const WfDistanceTask *task   = distance->task;
  const gint64          n      = wf_shape_n_pixels (&task->shape);
  const QueueLayout     layout = make_layout (n);
  const int             halves = task->signed_distance ? 2 : 1;

  if (! memory->allocate (cuda, layout.end, error))
    return FALSE;
  *absent = (int *) (memory->data + layout.counts + 2 * sizeof (guint64));
  WF_CUDA_CHECK (cudaMemsetAsync (*absent, 0xff, 2 * sizeof (int), cuda->stream));
  if (distance->share > 0)
    wf_run_begin (cuda->run, distance->share, halves * n);

  for (int half = 0; half < halves; half++)
    if (! (task->exact_integers ? spread_half<guint64> : spread_half<double>)
            (cuda, distance, memory->data, half == 1, *absent + half, error))
      return FALSE;
  return TRUE;
}
