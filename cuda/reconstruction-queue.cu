/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `queue`: reconstruction by scans, then by queues of pixels that are about to raise a
 * neighbour (G. Teodoro, T. Pan, T. Kurc, L. Cooper, J. Kong, J. Saltz, "A fast parallel
 * implementation of queue-based morphological reconstruction using GPUs", 2012; the
 * irregular wavefront propagation pattern of "Efficient irregular wavefront propagation
 * algorithms on hybrid CPU-GPU machines", Parallel Computing 39, 2013).
 *
 * 1. A few passes of directional scans (reconstruction-raster.cu) do most of the work
 *    where levels travel far.
 * 2. seed() lists the pixels that can raise a neighbour.
 * 3. propagate() gives each block a part of the list.  A block takes its pixels in
 *    rounds: each raises its neighbours by an atomic maximum, and those that it was first
 *    to raise so far are the pixels of the next round.  Blocks do not wait for each
 *    other; a pixel raised again is queued again, by whoever raised it.
 *
 * A block's queue has three levels.  A thread keeps the neighbours that it has raised as
 * bits of a register; a prefix sum over the warp and one atomic addition give them
 * consecutive places; the first places are in shared memory, the rest in the block's part
 * of global memory.  `queue-naive` asks for each place by an atomic addition of its own,
 * in global memory, and has that level only.
 *
 * What does not fit is dropped and counted.  The image is then between marker and result
 * still, so the whole of 2 and 3 is executed again, until nothing was dropped; each time
 * at least one pixel has risen, so that there is an end.  The report says how often it
 * was.  For tests, WAVEFRONT_CUDA_QUEUE=k makes the last level hold k pixels a block,
 * and the one in shared memory no more.
 *
 * A launch ends after so many rounds or pixels that it takes milliseconds, when
 * cancelling is seen, and gather() makes a list of what blocks have left over; so blocks
 * that had found little get their share.
 *
 * Bytes moved, pixels of one byte: seed() reads 2 a pixel; propagate() one sector of 32
 * bytes of mask and of marker for each row around a queued pixel, about 200, and 16 for
 * the queue's last level if it is used: what counts is how many pixels are queued, and
 * the throughput of the second-level cache.
 */

#include <cstdlib>

#include "reconstruction-queue.cuh"
#include "reconstruction-raster.cuh"

#define THREADS 256
#define WARPS   (THREADS / 32)
#define FULL    0xffffffffu

/* Passes of scans before the queues. */
#ifndef FIRST_PASSES
#define FIRST_PASSES 2
#endif

/* The level in shared memory: two of these, a round's pixels and the next one's. */
#define SHARED_SIZE 1024

/* The level in global memory: one place for so many pixels of the image. */
#ifndef PIXELS_PER_PLACE
#define PIXELS_PER_PLACE 8
#endif
#define LEAST_PLACES     1024

/* A launch's end. */
#define MOST_ROUNDS 2048
#define MOST_PIXELS 32768

/* So many pixels of the list are worth a block. */
#define LEAST_PART 64

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
  constexpr uint32_t  all   = (Pixel) ~(Pixel) 0;
  const uintptr_t     at    = (uintptr_t) pixel;
  uint32_t           *word  = (uint32_t *) (at & ~(uintptr_t) 3);
  const int           shift = (int) (at & 3) * 8;
  uint32_t            seen  = *(volatile uint32_t *) word;

  while ((seen >> shift & all) < level)
    {
      const uint32_t raised = (seen & ~(all << shift)) | (uint32_t) level << shift;
      const uint32_t found  = atomicCAS (word, seen, raised);

      if (found == seen)
        return true;
      seen = found;
    }
  return false;
}

template <>
__device__ __forceinline__ bool
raise<uint32_t> (uint32_t *pixel,
                 uint32_t  level)
{
  return atomicMax (pixel, level) < level;
}

/* Raises the neighbours of pixel @p.  A bit for each that was lower. */
template <typename Pixel>
static __device__ __forceinline__ uint32_t
raise_neighbours (const Field<Pixel> &field,
                  guint64             p)
{
  constexpr int at_once = 8;
  const Pixel   level   = look (field.marker + p);
  uint32_t      raised  = 0;

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
      uint32_t           found = 0;
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
        uint32_t            raised,
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
          uint32_t           raised = 0;

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


/*  The queues' memory  */

typedef struct
{
  unsigned int n_blocks;
  unsigned int size;
  unsigned int shared_size;
} QueueSizes;

/* As wished for in tests, or 0. */
static guint64
forced_size (void)
{
  const char *text = getenv ("WAVEFRONT_CUDA_QUEUE");

  return text ? strtoull (text, NULL, 10) : 0;
}

static QueueSizes
queue_sizes (const WfCuda  *cuda,
             const WfShape *shape)
{
  const guint64 forced = forced_size ();
  QueueSizes    sizes;
  guint64       places;

  sizes.n_blocks    = cuda->n_units * MAX (1, cuda->threads_per_unit / THREADS);
  places            = wf_shape_n_pixels (shape) / PIXELS_PER_PLACE / sizes.n_blocks;
  places            = CLAMP (places, LEAST_PLACES, (guint64) 1 << 28);
  sizes.shared_size = SHARED_SIZE;
  if (forced > 0)
    {
      places            = MIN (forced, places);
      sizes.shared_size = MIN (places, SHARED_SIZE);
    }
  sizes.size = sizes.shared_size + places;
  return sizes;
}

static guint64
n_places (const QueueSizes *sizes)
{
  return (guint64) sizes->n_blocks * sizes->size;
}

struct QueueMemory
{
  WfDeviceArray<guint64>      list;
  WfDeviceArray<guint64>      levels;
  WfDeviceArray<unsigned int> counts;
  WfDeviceArray<Control>      control;
};

static gboolean
open_queues (WfCuda         *cuda,
             const WfShape  *shape,
             QueueMemory    *memory,
             Queues         *queues,
             GError        **error)
{
  const QueueSizes sizes = queue_sizes (cuda, shape);

  if (! memory->list.allocate (cuda, n_places (&sizes), error) ||
      ! memory->levels.allocate (cuda, 2 * n_places (&sizes), error) ||
      ! memory->counts.allocate (cuda, 2 * sizes.n_blocks, error) ||
      ! memory->control.allocate (cuda, 1, error))
    return FALSE;

  queues->n_blocks    = sizes.n_blocks;
  queues->size        = sizes.size;
  queues->shared_size = sizes.shared_size;
  queues->list        = memory->list.data;
  queues->levels      = memory->levels.data;
  queues->left        = memory->counts.data;
  queues->tails       = memory->counts.data + sizes.n_blocks;
  queues->control     = memory->control.data;
  return TRUE;
}

guint64
wf_cuda_reconstruct_queue_memory (WfCuda        *cuda,
                                  const WfShape *shape,
                                  WfType         type,
                                  int            connectivity)
{
  const QueueSizes sizes = queue_sizes (cuda, shape);

  return wf_framed_memory (shape, type, connectivity) + 3 * n_places (&sizes) * sizeof (guint64)
         + 2 * sizes.n_blocks * sizeof (unsigned int) + sizeof (Control);
}


/*  Launches  */

/* Some passes of scans.  @done if the last one has changed nothing. */
static gboolean
scan_first (WfCuda                      *cuda,
            const WfCudaReconstruction  *task,
            const WfFramedImages        *images,
            guint32                     *changed,
            gboolean                    *done,
            GError                     **error)
{
  guint32 again = 1;

  for (int pass = 0; again && pass < FIRST_PASSES; pass++)
    {
      WF_CUDA_CHECK (cudaMemsetAsync (changed, 0, sizeof again, cuda->stream));
      if (! wf_cuda_raster_pass (cuda, images, task->type, task->connectivity, changed, error) ||
          ! wf_cuda_read (cuda, &again, changed, sizeof again, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  *done = ! again;
  return TRUE;
}

/* From the list until all queues are empty; @control ends as it is on the device. */
template <typename Pixel, bool NAIVE>
static gboolean
empty_queues (WfCuda              *cuda,
              const Field<Pixel>  *field,
              const Queues        *queues,
              Control             *control,
              GError             **error)
{
  while (control->n > 0)
    {
      const unsigned int blocks = CLAMP (control->n / LEAST_PART, 1, queues->n_blocks);

      propagate<Pixel, NAIVE><<<blocks, THREADS, 0, cuda->stream>>> (*field, *queues);
      WF_CUDA_CHECK_LAUNCH ();
      gather<<<blocks, THREADS, 0, cuda->stream>>> (*queues);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_read (cuda, control, queues->control, sizeof *control, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  return TRUE;
}

/* Lists and propagates.  @again if not all had a place. */
template <typename Pixel, bool NAIVE>
static gboolean
execute (WfCuda              *cuda,
         const WfFrame       *frame,
         const Field<Pixel>  *field,
         const Queues        *queues,
         gboolean            *again,
         GError             **error)
{
  const guint64 most   = (guint64) queues->n_blocks * queues->size;
  const gint64  pieces = (frame->width + SEED_WIDTH - 1) / SEED_WIDTH
                         * frame->height * frame->depth;
  Control       control;
  gboolean      too_long;

  WF_CUDA_CHECK (cudaMemsetAsync (queues->control, 0, sizeof control, cuda->stream));
  seed<Pixel><<<wf_cuda_blocks (cuda, pieces * 32, THREADS), THREADS, 0, cuda->stream>>>
    (*frame, *field, *queues);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &control, queues->control, sizeof control, error))
    return FALSE;
  too_long = control.n > most;
  if (! empty_queues<Pixel, NAIVE> (cuda, field, queues, &control, error))
    return FALSE;
  *again = too_long || control.dropped > 0;
  return TRUE;
}

template <typename Pixel, bool NAIVE>
static gboolean
propagate_all (WfCuda                      *cuda,
               const WfCudaReconstruction  *task,
               const WfFramedImages        *images,
               const Queues                *queues,
               GError                     **error)
{
  Field<Pixel> field  = { (const Pixel *) images->mask.data, (Pixel *) images->marker.data,
                          task->connectivity };
  gboolean     again  = TRUE;

  wf_frame_get_offsets (&images->frame, task->connectivity, field.offsets);
  for (guint executions = 1; again; executions++)
    {
      if (! execute<Pixel, NAIVE> (cuda, &images->frame, &field, queues, &again, error))
        return FALSE;
      cuda->run->executions = executions;
    }
  return TRUE;
}

template <bool NAIVE>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             GError                     **error)
{
  WfFramedImages         images;
  QueueMemory            memory;
  Queues                 queues;
  WfDeviceArray<guint32> changed;
  gboolean               done;
  gboolean               ok;

  if (! changed.allocate (cuda, 1, error) ||
      ! open_queues (cuda, &task->shape, &memory, &queues, error) ||
      ! wf_framed_open (cuda, &images, task, error) ||
      ! scan_first (cuda, task, &images, changed.data, &done, error))
    return FALSE;

  if (done)
    ok = TRUE;
  else if (task->type == WF_TYPE_U8)
    ok = propagate_all<uint8_t, NAIVE> (cuda, task, &images, &queues, error);
  else if (task->type == WF_TYPE_U16)
    ok = propagate_all<uint16_t, NAIVE> (cuda, task, &images, &queues, error);
  else
    ok = propagate_all<uint32_t, NAIVE> (cuda, task, &images, &queues, error);
  return ok && wf_framed_finish (cuda, &images, task, error);
}

gboolean
wf_cuda_reconstruct_queue (WfCuda                      *cuda,
                           const WfCudaReconstruction  *task,
                           GError                     **error)
{
  return reconstruct<false> (cuda, task, error);
}

gboolean
wf_cuda_reconstruct_queue_naive (WfCuda                      *cuda,
                                 const WfCudaReconstruction  *task,
                                 GError                     **error)
{
  return reconstruct<true> (cuda, task, error);
}
