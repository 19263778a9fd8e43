/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of stacks by tiles: see visits.inc.cuh. */

#include "cuda/reconstruction/run.cuh"
#include "visits.inc.cuh"

namespace stack_tiles
{

/* The fewest tiles for each warp, if each multiprocessor has a block.  With more warps tiles are
 * visited before their neighbours have raised them.
 */
constexpr guint32 TILES_PER_WARP = 3;

/* Sweeps of a first visit; fewer raise little in the neighbours.  With 26 neighbours one along y
 * and z does the work of two, and goes twice through the tile.
 */
constexpr int FIRST_SWEEPS      = 9;
constexpr int FIRST_SWEEPS_WIDE = 3;


/* Bytes of the borders of all tiles, and of the one outside the stack. */
template <typename Pixel>
static guint64
borders_size (guint64 n_tiles)
{
  return (n_tiles + 1) * border_words<Pixel> () * 32 * sizeof (guint32);
}

template <typename Pixel>
static guint64
count_tiles (const WfShape *shape,
             guint64       *across,
             guint64       *down)
{
  typedef StackFormat<Pixel> Format;

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

  return wf_cuda_workspace_size (n_tiles, borders_size<Pixel> (n_tiles));
}

static bool
is_aligned (const WfCudaReconstruction *task)
{
  return (((guintptr) task->mask | (guintptr) task->marker | (guintptr) task->out |
           (guintptr) task->shape.width) & 15) == 0;
}

template <typename Pixel, int CONNECTIVITY>
static gboolean
launch (WfCuda             *cuda,
        const Work<Pixel>  &work,
        GError            **error)
{
  const guint32 wanted = (work.list.n_tiles + WARPS - 1) / WARPS;
  const guint32 enough = MIN (wanted, MAX (wanted / TILES_PER_WARP, (guint32) cuda->n_units));
  guint32       blocks;

  if (! wf_cuda_visit_blocks (cuda, visit_stack_tiles<Pixel, CONNECTIVITY>, WARPS * WF_LANES,
                              MOST_BLOCKS, &blocks, error))
    return FALSE;
  visit_stack_tiles<Pixel, CONNECTIVITY>
    <<<MIN (blocks, enough), WARPS * WF_LANES, 0, cuda->stream>>> (work);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             gboolean                     to_the_end,
             WfCudaLeft                  *left,
             GError                     **error)
{
  Work<Pixel>     work;
  WfCudaWorkspace space;
  guint64         across;
  guint64         down;
  const guint64   n_tiles = count_tiles<Pixel> (&task->shape, &across, &down);

  if (! wf_cuda_workspace_open (cuda, &space, n_tiles, across, borders_size<Pixel> (n_tiles),
                                to_the_end, error))
    return FALSE;

  work.mask         = (const Pixel *) task->mask;
  work.marker       = (const Pixel *) task->marker;
  work.out          = (Pixel *) task->out;
  work.borders        = (guint32 *) space.borders;
  work.needs        = (guint32 *) space.mask_borders;
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

  return wf_cuda_visit_all (cuda, &space, [&] (GError **problem)
           {
             work.list = space.list;
             return wf_dispatch_value<6, 26> (task->connectivity, [&] (auto value)
               {
                 return launch<Pixel, decltype (value)::value> (cuda, work, problem);
               });
           }, left, error);
}

} /* namespace stack_tiles */

gboolean
wf_cuda_reconstruct_stack (WfCuda                      *cuda,
                           const WfCudaReconstruction  *task,
                           gboolean                     to_the_end,
                           WfCudaLeft                  *left,
                           GError                     **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return stack_tiles::reconstruct<decltype (pixel)> (cuda, task, to_the_end, left, error);
    });
}

guint64
wf_cuda_reconstruct_stack_memory (const WfShape *shape,
                                  WfType         type)
{
  return wf_dispatch_keys (type, [&] (auto pixel)
    {
      return stack_tiles::memory_of<decltype (pixel)> (shape);
    });
}
