/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `queue`: reconstruction by scans, then by queues of pixels that are about to raise a
 * neighbour (G. Teodoro, T. Pan, T. Kurc, L. Cooper, J. Kong, J. Saltz, "A fast parallel
 * implementation of queue-based morphological reconstruction using GPUs", 2012; the
 * irregular wavefront propagation pattern of "Efficient irregular wavefront propagation
 * algorithms on hybrid CPU-GPU machines", Parallel Computing 39, 2013).
 *
 * 1. A few passes of directional scans (raster.cu) do most of the work where levels
 *    propagate far.
 * 2. seed() lists the pixels that can raise a neighbour.
 * 3. propagate() gives each block a part of the list.  A block processes its pixels in
 *    rounds: each pixel raises its neighbours by an atomic maximum, and the neighbours that
 *    rise are the pixels of the next round.  Blocks do not wait for each other.  A pixel that
 *    rises again is queued again, by the block that raised it.
 *
 * The queue of a block has three levels.  A thread keeps the neighbours that it has raised as
 * bits of a register.  A prefix sum over the warp and one atomic addition in shared memory
 * give them consecutive places.  The first places are in shared memory, the others in the
 * block's part of global memory.
 *
 * `queue-prefix` has no register of bits: each of the neighbours that a warp has raised takes its
 * place by a prefix sum of its own.
 *
 * `queue-naive` takes each place by an atomic operation of its own in global memory, and has
 * the level in global memory only.  The operation is atomicInc() because the compiler combines
 * additions of a constant by the lanes of a warp into one addition, as `queue` does on purpose;
 * with atomicAdd() both took the same time.  The phase of queues is a part of the whole: the
 * scans before it and the raising of neighbours are the same.
 *
 * Pixels that have no place are dropped and counted.  Then the image lies between marker and
 * result, and steps 2 and 3 are executed again, until nothing is dropped.  Each execution
 * raises at least one pixel, so there is a last one.  The report says how many there were, how
 * many pixels seed() listed the first time, and how many were queued in all.
 * The option "queue-size" limits the last level to so many pixels a block, and the one in shared
 * memory to as many.
 *
 * A launch ends after a number of rounds or pixels that takes milliseconds; then cancelling
 * is noticed.  gather() makes one list of what the blocks have left, so that the next launch
 * shares it evenly.
 *
 * Bytes for pixels of one byte: seed() reads 2 a pixel.  propagate() reads a sector of 32
 * bytes of mask and of marker for each row around a queued pixel, about 200, and moves 16 if
 * the last level is used.  The number of queued pixels and the throughput of the second-level
 * cache determine the time.
 */

#include "cuda/core/dispatch.cuh"
#include "queue.cuh"
#include "queue-rounds.inc.cuh"
#include "raster.cuh"

namespace queue
{

/* Passes of scans before the queues. */
constexpr int FIRST_PASSES = 2;

/* Pixels of the image to a place of the level in global memory, and its fewest places. */
constexpr int     PIXELS_PER_PLACE = 8;
constexpr guint64 LEAST_PLACES     = 1024;

/* The fewest pixels of the list for a block. */
constexpr int LEAST_PART = 64;


/*  The queues' memory  */

typedef struct
{
  unsigned int n_blocks;
  unsigned int size;
  unsigned int shared_size;
} QueueSizes;

/* @wanted: the option "queue-size", or 0 */
static QueueSizes
queue_sizes (const WfCuda  *cuda,
             const WfShape *shape,
             guint64        wanted)
{
  QueueSizes sizes;
  guint64    places;

  sizes.n_blocks    = cuda->n_units * MAX (1, cuda->threads_per_unit / THREADS);
  places            = wf_shape_n_pixels (shape) / PIXELS_PER_PLACE / sizes.n_blocks;
  places            = CLAMP (places, LEAST_PLACES, (guint64) 1 << 28);
  sizes.size        = SHARED_SIZE + places;
  if (wanted > 0)
    sizes.size = MIN (wanted, sizes.size);
  sizes.shared_size = MIN (sizes.size, SHARED_SIZE);
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
open_queues (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             QueueMemory                 *memory,
             Queues                      *queues,
             GError                     **error)
{
  const QueueSizes sizes = queue_sizes (cuda, &task->shape, task->queue_size);

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


/*  Launches  */

/* Some passes of scans.  @done if the last one has changed nothing. */
static gboolean
scan_first (WfCuda                      *cuda,
            const WfCudaReconstruction  *task,
            const WfPaddedImages        *images,
            guint32                     *changed,
            gboolean                    *done,
            GError                     **error)
{
  const int n_passes = task->scans > 0 ? task->scans : FIRST_PASSES;
  guint32   again    = 1;

  for (int pass = 0; again && pass < n_passes; pass++)
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
template <typename Pixel, Kind KIND>
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

      propagate<Pixel, KIND><<<blocks, THREADS, 0, cuda->stream>>> (*field, *queues);
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
template <typename Pixel, Kind KIND>
static gboolean
execute (WfCuda              *cuda,
         const WfPadding     *padding,
         const Field<Pixel>  *field,
         const Queues        *queues,
         gboolean            *again,
         GError             **error)
{
  const guint64 most   = (guint64) queues->n_blocks * queues->size;
  const gint64  pieces = (padding->width + SEED_WIDTH - 1) / SEED_WIDTH
                         * padding->height * padding->depth;
  Control       control;
  gboolean      too_long;

  WF_CUDA_CHECK (cudaMemsetAsync (queues->control, 0, sizeof control, cuda->stream));
  seed<Pixel><<<wf_cuda_blocks (cuda, pieces * 32, THREADS), THREADS, 0, cuda->stream>>>
    (*padding, *field, *queues);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &control, queues->control, sizeof control, error))
    return FALSE;
  too_long             = control.n > most;
  cuda->run->queued   += control.n;
  if (cuda->run->queued_first == 0)
    cuda->run->queued_first = control.n;
  if (! empty_queues<Pixel, KIND> (cuda, field, queues, &control, error))
    return FALSE;
  cuda->run->queued += control.queued;
  *again             = too_long || control.dropped > 0;
  return TRUE;
}

template <typename Pixel, Kind KIND>
static gboolean
propagate_all (WfCuda                      *cuda,
               const WfCudaReconstruction  *task,
               const WfPaddedImages        *images,
               const Queues                *queues,
               GError                     **error)
{
  Field<Pixel> field  = { (const Pixel *) images->mask.data, (Pixel *) images->marker.data,
                          task->connectivity };
  gboolean     again  = TRUE;

  wf_padding_get_offsets (&images->padding, task->connectivity, field.offsets);
  for (guint executions = 1; again; executions++)
    {
      if (! execute<Pixel, KIND> (cuda, &images->padding, &field, queues, &again, error))
        return FALSE;
      cuda->run->executions = executions;
    }
  return TRUE;
}

template <Kind KIND>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             GError                     **error)
{
  WfPaddedImages         images;
  QueueMemory            memory;
  Queues                 queues;
  WfDeviceArray<guint32> changed;
  gboolean               done;

  if (! changed.allocate (cuda, 1, error) ||
      ! open_queues (cuda, task, &memory, &queues, error) ||
      ! wf_padded_open (cuda, &images, task, error))
    return FALSE;

  wf_cuda_step (cuda, "scans");
  if (! scan_first (cuda, task, &images, changed.data, &done, error))
    return FALSE;

  wf_cuda_step (cuda, "queues");
  if (! done && ! wf_dispatch_keys (task->type, [&] (auto pixel)
        {
          return propagate_all<decltype (pixel), KIND> (cuda, task, &images, &queues, error);
        }))
    return FALSE;

  wf_cuda_step (cuda, NULL);
  return wf_padded_finish (cuda, &images, task, error);
}

} /* namespace queue */

guint64
wf_cuda_reconstruct_queue_memory (const WfCuda  *cuda,
                                  const WfShape *shape,
                                  WfType         type,
                                  int            connectivity)
{
  const queue::QueueSizes sizes = queue::queue_sizes (cuda, shape, 0);

  return wf_padded_memory (shape, type, connectivity)
         + 3 * queue::n_places (&sizes) * sizeof (guint64)
         + 2 * sizes.n_blocks * sizeof (unsigned int) + sizeof (queue::Control);
}

gboolean
wf_cuda_reconstruct_queue (WfCuda                      *cuda,
                           const WfCudaReconstruction  *task,
                           GError                     **error)
{
  return queue::reconstruct<queue::THREAD_QUEUES> (cuda, task, error);
}

gboolean
wf_cuda_reconstruct_queue_prefix (WfCuda                      *cuda,
                                  const WfCudaReconstruction  *task,
                                  GError                     **error)
{
  return queue::reconstruct<queue::PREFIX> (cuda, task, error);
}

gboolean
wf_cuda_reconstruct_queue_naive (WfCuda                      *cuda,
                                 const WfCudaReconstruction  *task,
                                 GError                     **error)
{
  return queue::reconstruct<queue::NAIVE> (cuda, task, error);
}
