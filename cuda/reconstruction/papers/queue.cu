/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `queue`: reconstruction by scans, then by queues of pixels that are about to raise a
 * neighbour (G. Teodoro, T. Pan, T. Kurc, L. Cooper, J. Kong, J. Saltz, "A fast parallel
 * implementation of queue-based morphological reconstruction using GPUs", 2012; the
 * irregular wavefront propagation pattern of "Efficient irregular wavefront propagation
 * algorithms on hybrid CPU-GPU machines", Parallel Computing 39, 2013).
 *
 * 1. A few passes of directional scans (raster.cu) do most of the work
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

#include "queue.cuh"
#include "queue-rounds.inc.cuh"
#include "raster.cuh"

/* Passes of scans before the queues. */
#define FIRST_PASSES 2

/* The level in global memory: one place for so many pixels of the image. */
#define PIXELS_PER_PLACE 8
#define LEAST_PLACES     1024

/* So many pixels of the list are worth a block. */
#define LEAST_PART 64


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
wf_cuda_reconstruct_queue_memory (const WfCuda  *cuda,
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
    ok = propagate_all<guint8, NAIVE> (cuda, task, &images, &queues, error);
  else if (task->type == WF_TYPE_U16)
    ok = propagate_all<guint16, NAIVE> (cuda, task, &images, &queues, error);
  else
    ok = propagate_all<guint32, NAIVE> (cuda, task, &images, &queues, error);
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
