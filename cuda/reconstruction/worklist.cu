/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The worklist of tiles on the host: its memory, and the steps between two launches.  See
 * worklist.cuh.
 */

#include <stdlib.h>
#include <string.h>

#include "run.cuh"

/* Milliseconds after which a launch ends, so that cancelling takes effect. */
#define LAUNCH_MS 50

/* A run that takes PATIENCE times the time of its first visits counts as a runaway.  Its end in
 * another way takes four to twenty times that time, so a run that was nearly done takes at most
 * about twice as long.  FREE_US microseconds are allowed in any case, since the first visits of
 * a small image take almost no time.
 */
#define PATIENCE        20
#define FREE_US         400

/* What makes a runaway by tiles that are asleep: more than one in SLEEPERS, and one in FRONT
 * pending; see runs_away () for DOZE_US.  Of 8192 × 8192 pixels of tissue with one pixel of the
 * marker in nine tiles, which tiles finish sooner, the waiting comes to 32 µs on an H200; if holes
 * are filled, it comes to 45 µs, the limit there, 55 µs after the first visits.
 */
#define SLEEPERS        4
#define FRONT           256
#define DOZE_US         22

/* Slots of the queue for each tile; a tile is seldom queued more than twice. */
#define SLOTS_PER_TILE  16
#define MORE_SLOTS      16384

#define THREADS 256


static guint64
align (guint64 bytes)
{
  return (bytes + 255) / 256 * 256;
}

static guint64
count_slots (guint64 n_tiles)
{
  return MIN (n_tiles * SLOTS_PER_TILE + MORE_SLOTS, G_MAXUINT32);
}

/* Control, queue, borders of the marker, borders of the mask, states. */
guint64
wf_cuda_workspace_size (guint64 n_tiles,
                        guint64 n_borders)
{
  return align (sizeof (WfWorkControl)) + align (count_slots (n_tiles) * sizeof (guint32)) +
         2 * align (n_borders) + align (n_tiles * sizeof (guint32));
}

/* Fills @n blocks of 16 bytes. */
static __device__ void
fill (void    *data,
      guint64  n,
      guint32  value)
{
  for (guint64 i = blockIdx.x * (guint64) blockDim.x + threadIdx.x; i < n;
       i += (guint64) gridDim.x * blockDim.x)
    ((uint4 *) data)[i] = make_uint4 (value, value, value, value);
}

/* Every tile is fresh and dirty. */
__global__ void
prepare_worklist (WfWorklist  list,
                  void       *zeros,
                  guint64     n_zeros,
                  void       *ones,
                  guint64     n_ones)
{
  fill (zeros, n_zeros, 0);
  fill (ones, n_ones, 0xffffffffu);
  fill (list.state, (list.n_tiles + 3) / 4, WF_STATE_DIRTY | WF_STATE_FRESH);
  if (blockIdx.x == 0)
    {
      for (int i = threadIdx.x; i < sizeof (WfWorkControl) / sizeof (guint32); i += blockDim.x)
        ((guint32 *) list.control)[i] = 0;
      __syncthreads ();
      if (threadIdx.x == 0)
        list.control->pending.value = list.n_tiles;
    }
}

/* After a launch that ran out of time: no tile is busy, the queue is empty, and tiles that are
 * dirty but not fresh are put into it.
 */
__global__ void
gather_dirty_tiles (WfWorklist list)
{
  for (guint64 tile = blockIdx.x * (guint64) blockDim.x + threadIdx.x; tile < list.n_tiles;
       tile += (guint64) gridDim.x * blockDim.x)
    if ((list.state[tile] & (WF_STATE_DIRTY | WF_STATE_FRESH)) == WF_STATE_DIRTY)
      push_tile (list, (guint32) tile);
}

/* Between two launches: empties the queue; fresh tiles that have not been taken precede the new
 * ones.
 */
__global__ void
admit_tiles (WfWorklist list,
             guint32    n_before)
{
  fill (list.queue, ((guint64) list.n_slots + 3) / 4, 0);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    {
      WfWorkControl *control = list.control;

      control->ticket.value  = min (control->ticket.value, n_before);
      control->tail.value    = 0;
      control->pending.value = (n_before ? control->pending.value : 0) + list.n_fresh - n_before;
      control->end           = WF_WORK_GOES_ON;
      control->spent.value   = 0;
    }
}

/* Of tiles that have settled: empties the queue for those that are raised. */
__global__ void
empty_worklist (WfWorklist list)
{
  fill (list.queue, ((guint64) list.n_slots + 3) / 4, 0);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    {
      WfWorkControl *control = list.control;

      control->ticket.value    = 0;
      control->tail.value      = 0;
      control->end             = WF_WORK_GOES_ON;
      control->spent.value     = 0;
      control->first_row.value = list.n_tiles;
      control->end_row.value   = 0;
    }
}

/* Where nothing was raised there is no last tile that could end the work. */
__global__ void
end_idle_work (WfWorklist list)
{
  if (list.control->pending.value == 0)
    list.control->end = WF_WORK_DONE;
}

/* For tests on small images: WAVEFRONT_CUDA_HURRY=launches ends each launch after a visit or
 * two, with the shortest possible queue; =levels makes every run a runaway, =planes one that goes
 * on by bit planes; =samples takes the samples of any image of u8 for those of a runaway.
 */
static void
hurry (WfCudaWorkspace *space)
{
  const char *how = getenv ("WAVEFRONT_CUDA_HURRY");

  space->is_sampled = how && strcmp (how, "samples") == 0;
  space->runs_away  = how && ! space->is_sampled && strcmp (how, "launches") != 0 &&
                      space->list.patience;
  if (! how || space->is_sampled)
    return;
  space->list.limit    = 0;
  space->list.patience = 0;
  space->list.n_slots  = space->list.n_tiles;
}

gboolean
wf_cuda_workspace_open (WfCuda           *cuda,
                        WfCudaWorkspace  *space,
                        guint64           n_tiles,
                        guint64           n_across,
                        guint64           n_borders,
                        gboolean          to_the_end,
                        GError          **error)
{
  const guint64 n_slots = count_slots (n_tiles);
  guint8       *at;

  if (n_tiles >= G_MAXINT32)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                           _("The image is too large for one GPU."));
      return FALSE;
    }
  if (! space->memory.allocate (cuda, wf_cuda_workspace_size (n_tiles, n_borders), error))
    return FALSE;

  at                  = space->memory.data;
  space->list         = {};
  space->list.control = (WfWorkControl *) at;
  at                 += align (sizeof (WfWorkControl));
  space->list.queue   = (guint32 *) at;
  at                 += align (n_slots * sizeof (guint32));
  space->borders        = at;
  at                 += align (n_borders);
  space->mask_borders   = at;
  at                 += align (n_borders);
  space->list.state   = (guint32 *) at;

  space->list.n_tiles  = n_tiles;
  space->list.n_across = n_across;
  space->list.rows     = wf_divisor (n_across);
  space->list.n_slots  = n_slots;
  space->list.n_fresh  = n_tiles;
  space->list.strip    = n_tiles;
  space->n_admitted    = 0;
  space->list.limit    = G_GUINT64_CONSTANT (1000000) * LAUNCH_MS;
  space->list.slack    = 1000 * FREE_US;
  space->list.patience = to_the_end ? 0 : PATIENCE;
  space->list.doze       = 1000 * DOZE_US;
  space->list.part       = 1.0f / n_tiles;
  space->list.n_sleepers = n_tiles / SLEEPERS;
  space->list.n_front    = n_tiles / FRONT;

  hurry (space);
  prepare_worklist<<<wf_cuda_blocks (cuda, n_tiles * 8, THREADS), THREADS, 0, cuda->stream>>>
    (space->list, space->list.queue, (space->mask_borders - (guint8 *) space->list.queue) / 16,
     space->mask_borders, ((guint8 *) space->list.state - space->mask_borders) / 16);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_workspace_next (WfCuda           *cuda,
                        WfCudaWorkspace  *space,
                        guint32          *end,
                        GError          **error)
{
  WfWorklist    *list = &space->list;
  WfWorkControl  control;

  if (list->done)
    {
      if (! wf_cuda_listen (cuda, end, error))
        return FALSE;
      if (*end)
        return TRUE;
    }
  if (! wf_cuda_read (cuda, &control, list->control, sizeof control, error))
    return FALSE;
  *end = control.pending.value == 0 ? (guint32) WF_WORK_DONE : control.end;
  if (*end != WF_WORK_OUT_OF_TIME)
    return TRUE;

  if (! wf_cuda_advance (cuda, 0, error))
    return FALSE;
  control.ticket.value = MIN (control.ticket.value, list->n_fresh);
  control.tail.value   = 0;
  control.end          = WF_WORK_GOES_ON;
  if (control.ticket.value == list->n_fresh)
    control.ticket.value = list->n_fresh = 0;
  if (space->runs_away && ! list->n_fresh)
    {
      *end = WF_WORK_RUNS_AWAY;
      return TRUE;
    }
  list->before        += control.spent.value;
  control.spent.value  = 0;

  WF_CUDA_CHECK (cudaMemcpyAsync (list->control, &control, sizeof control,
                                  cudaMemcpyHostToDevice, cuda->stream));
  WF_CUDA_CHECK (cudaMemsetAsync (list->queue, 0, list->n_slots * sizeof (guint32),
                                  cuda->stream));
  gather_dirty_tiles<<<wf_cuda_blocks (cuda, list->n_tiles, THREADS), THREADS, 0,
                       cuda->stream>>> (*list);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

void
wf_cuda_workspace_settle (WfCudaWorkspace  *space,
                          WfCudaSettled    *settled)
{
  settled->list         = space->list;
  settled->borders      = space->borders;
  settled->mask_borders = space->mask_borders;
  settled->runs_away    = space->runs_away;
  settled->memory       = space->memory.take ();
}

gboolean
wf_cuda_workspace_resume (WfCuda               *cuda,
                          WfCudaWorkspace      *space,
                          const WfCudaSettled  *settled,
                          GError              **error)
{
  WfWorklist *list = &space->list;

  *list               = settled->list;
  space->borders      = settled->borders;
  space->mask_borders = settled->mask_borders;
  space->runs_away    = settled->runs_away;
  space->n_admitted   = 0;
  list->n_fresh       = 0;
  list->n_samples     = 0;
  list->before        = 0;
  list->tracks        = true;
  list->done          = cuda->told;
  empty_worklist<<<wf_cuda_blocks (cuda, list->n_slots / 4, THREADS), THREADS, 0, cuda->stream>>>
    (*list);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_workspace_begin (WfCuda           *cuda,
                         WfCudaWorkspace  *space,
                         GError          **error)
{
  end_idle_work<<<1, 1, 0, cuda->stream>>> (space->list);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

gboolean
wf_cuda_workspace_admit (WfCuda           *cuda,
                         WfCudaWorkspace  *space,
                         guint32           n_tiles,
                         GError          **error)
{
  WfWorklist *list = &space->list;

  list->n_fresh = n_tiles;
  admit_tiles<<<wf_cuda_blocks (cuda, list->n_slots / 4, THREADS), THREADS, 0, cuda->stream>>>
    (*list, space->n_admitted);
  WF_CUDA_CHECK_LAUNCH ();
  if (space->n_admitted)
    {
      gather_dirty_tiles<<<wf_cuda_blocks (cuda, list->n_tiles, THREADS), THREADS, 0,
                           cuda->stream>>> (*list);
      WF_CUDA_CHECK_LAUNCH ();
    }
  space->n_admitted = n_tiles;
  return TRUE;
}
