/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of stacks by tiles: see visits.inc.cuh. */

#include "cuda/reconstruction/run.cuh"
#include "visits.inc.cuh"

/* Warps get at least so many tiles each where each multiprocessor has a block: the more tiles
 * are at work at once, the less they see of what their neighbours do.
 */
#define TILES_PER_WARP 3

/* Of a first visit; fewer are too few to tell the neighbours much.  With 26 neighbours one
 * along y and z is worth two, and goes twice through the tile.
 */
#define FIRST_SWEEPS      9
#define FIRST_SWEEPS_WIDE 3


/* Bytes of the sides of all tiles, and of those that lie outside the stack. */
template <typename Pixel>
static guint64
sides_size (guint64 n_tiles)
{
  return (n_tiles + 1) * stack_side_words<Pixel> () * 32 * sizeof (guint32);
}

template <typename Pixel>
static guint64
count_tiles (const WfShape *shape,
             guint64       *across,
             guint64       *down)
{
  typedef WfStackFormat<Pixel> Format;

  *across = (shape->width + Format::WIDTH - 1) / Format::WIDTH;
  *down   = (shape->height + Format::HEIGHT - 1) / Format::HEIGHT;
  return *across * *down * ((shape->depth + Format::DEPTH - 1) / Format::DEPTH);
}

template <typename Pixel>
static guint64
memory_of (const WfShape *shape)
{
  guint64       across;
  guint64       down;
  const guint64 n_tiles = count_tiles<Pixel> (shape, &across, &down);

  return wf_cuda_workspace_size (n_tiles, sides_size<Pixel> (n_tiles));
}

static bool
is_aligned (const WfCudaReconstruction *task)
{
  return (((guintptr) task->mask | (guintptr) task->marker | (guintptr) task->out |
           (guintptr) task->shape.width) & 15) == 0;
}

template <typename Pixel, int CONNECTIVITY>
static gboolean
launch (WfCuda                        *cuda,
        const WfCudaStackWork<Pixel>  &work,
        GError                       **error)
{
  const guint32 wanted = (work.list.n_tiles + WF_STACK_WARPS - 1) / WF_STACK_WARPS;
  const guint32 enough = MIN (wanted, MAX (wanted / TILES_PER_WARP, (guint32) cuda->n_units));
  int           blocks;

  WF_CUDA_CHECK (cudaFuncSetAttribute (visit_stack_tiles<Pixel, CONNECTIVITY>,
                                       cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
  WF_CUDA_CHECK (cudaOccupancyMaxActiveBlocksPerMultiprocessor
                   (&blocks, visit_stack_tiles<Pixel, CONNECTIVITY>, WF_STACK_WARPS * 32, 0));
  blocks = CLAMP (blocks, 1, WF_STACK_BLOCKS) * cuda->n_units;
  visit_stack_tiles<Pixel, CONNECTIVITY>
    <<<MIN ((guint32) blocks, enough), WF_STACK_WARPS * 32, 0, cuda->stream>>> (work);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             gboolean                     to_the_end,
             gboolean                    *done,
             GError                     **error)
{
  WfCudaStackWork<Pixel> work;
  WfCudaWorkspace        space;
  guint64                across;
  guint64                down;
  const guint64          n_tiles = count_tiles<Pixel> (&task->shape, &across, &down);
  guint32                end     = WF_WORK_OUT_OF_TIME;

  if (! wf_cuda_workspace_open (cuda, &space, n_tiles, across, sides_size<Pixel> (n_tiles),
                                to_the_end, error))
    return FALSE;

  work.mask         = (const Pixel *) task->mask;
  work.marker       = (const Pixel *) task->marker;
  work.out          = (Pixel *) task->out;
  work.sides        = (guint32 *) space.sides;
  work.needs        = (guint32 *) space.mask_sides;
  work.keys.flip    = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  work.width        = task->shape.width;
  work.height       = task->shape.height;
  work.depth        = task->shape.depth;
  work.across       = across;
  work.down         = down;
  work.deep         = n_tiles / (across * down);
  work.flip         = across % 2 == 0 && down % 2 == 0;
  work.first_sweeps = task->connectivity == 6 ? FIRST_SWEEPS : FIRST_SWEEPS_WIDE;
  work.aligned      = is_aligned (task);

  while (end == WF_WORK_OUT_OF_TIME)
    {
      work.list = space.list;
      if (! (task->connectivity == 6 ? launch<Pixel, 6> (cuda, work, error)
                                     : launch<Pixel, 26> (cuda, work, error)) ||
          ! wf_cuda_workspace_next (cuda, &space, &end, error))
        return FALSE;
    }
  *done = end == WF_WORK_DONE;
  return TRUE;
}

gboolean
wf_cuda_reconstruct_stack (WfCuda                      *cuda,
                           const WfCudaReconstruction  *task,
                           gboolean                     to_the_end,
                           gboolean                    *done,
                           GError                     **error)
{
  switch (task->type)
    {
    case WF_TYPE_U8:
      return reconstruct<guint8> (cuda, task, to_the_end, done, error);
    case WF_TYPE_U16:
      return reconstruct<guint16> (cuda, task, to_the_end, done, error);
    default:
      return reconstruct<guint32> (cuda, task, to_the_end, done, error);
    }
}

guint64
wf_cuda_reconstruct_stack_memory (const WfShape *shape,
                                  WfType         type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return memory_of<guint8> (shape);
    case WF_TYPE_U16:
      return memory_of<guint16> (shape);
    default:
      return memory_of<guint32> (shape);
    }
}
