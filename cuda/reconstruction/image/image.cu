/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images by tiles: see visits.inc.cuh. */

#include "visits.inc.cuh"
#include "cuda/reconstruction/run.cuh"

namespace image_tiles
{

/* Sweeps of a first visit.  Fewer raise little in the neighbours, and more are wasted where a
 * neighbour raises the tile again.
 */
constexpr int FIRST_SWEEPS = 4;

/* The fewest tiles for each warp, and the fewest warps of a multiprocessor.  With more warps on
 * a small image tiles are visited before their neighbours have raised them.
 */
constexpr int TILES_PER_WARP = 2;
constexpr int LEAST_WARPS    = 16;

/* Rows of tiles whose warps are enough for what spreads from a rim. */
constexpr int ROWS_AT_RIMS = 8;

constexpr int THREADS = 256;


/* Bytes of one tile's border. */
template <typename Pixel>
static guint64
borders_size ()
{
  return WF_N_SIDES * 32 * sizeof (typename WfTileFormat<Pixel>::Side);
}

template <typename Pixel>
static guint64
count_tiles (const WfShape *shape,
             guint64       *across)
{
  const guint64 down = (shape->height + WfTileFormat<Pixel>::ROWS - 1) /
                       WfTileFormat<Pixel>::ROWS;

  *across = (shape->width + WfTileFormat<Pixel>::COLUMNS - 1) / WfTileFormat<Pixel>::COLUMNS;
  return *across * down;
}

template <typename Pixel>
static guint64
memory_of (const WfShape *shape)
{
  guint64       across;
  const guint64 n_tiles = count_tiles<Pixel> (shape, &across);

  return wf_cuda_workspace_size (n_tiles, n_tiles * borders_size<Pixel> ());
}

/* What the addresses of the images are multiples of, up to 16. */
static guintptr
alignment_of (const WfCudaReconstruction *task)
{
  const guintptr all = (guintptr) task->mask | (guintptr) task->marker | (guintptr) task->out | 16;

  return all & -all;
}

template <typename Pixel, int CONNECTIVITY>
static gboolean
launch (WfCuda             *cuda,
        const Work<Pixel>  &work,
        GError            **error)
{
  const guint32 tiles  = work.list.tracks ? MIN (work.n_down, ROWS_AT_RIMS) * work.n_across
                                          : work.list.n_tiles;
  const guint32 wanted = (tiles + WARPS - 1) / WARPS;
  const int     enough = MAX (wanted / (TILES_PER_WARP * cuda->n_units) + 1,
                              LEAST_WARPS / WARPS);
  guint32       blocks;

  if (! wf_cuda_visit_blocks (cuda, visit_image_tiles<Pixel, CONNECTIVITY>, WARPS * WF_LANES,
                              MIN (enough, MOST_BLOCKS), &blocks, error))
    return FALSE;
  visit_image_tiles<Pixel, CONNECTIVITY>
    <<<MIN (blocks, wanted), WARPS * WF_LANES, 0, cuda->stream>>> (work);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
launch_for (WfCuda             *cuda,
            int                 connectivity,
            const Work<Pixel>  &work,
            GError            **error)
{
  return wf_dispatch_value<4, 8> (connectivity, [&] (auto value)
    {
      return launch<Pixel, decltype (value)::value> (cuda, work, error);
    });
}

/* Visits the tiles that have arrived while the rest is in transfer, each time until the next
 * band is due; the caller's launches complete the work.
 */
template <typename Pixel>
static gboolean
visit_bands (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             WfCudaWorkspace             *space,
             const Work<Pixel>           &work,
             GError                     **error)
{
  constexpr int      ROWS  = WfTileFormat<Pixel>::ROWS;
  const WfCudaBands *bands = task->bands;

  space->list.strip = bands->unit / ROWS * work.n_across;
  for (int i = 0; i < bands->n; i++)
    {
      const guint32 down  = (bands->end[i] + ROWS - 1) / ROWS;
      Work<Pixel>   early = work;

      if (! wf_cuda_workspace_admit (cuda, space, down * work.n_across, error) ||
          ! wf_cuda_await_band (cuda, bands, i, error))
        return FALSE;
      if (i == bands->n - 1)
        return TRUE;

      early.list          = space->list;
      early.list.done     = NULL;
      early.list.patience = 0;
      early.list.limit    = MIN (early.list.limit, (guint64) (bands->seconds[i + 1] * 1e9));
      if (! launch_for (cuda, task->connectivity, early, error))
        return FALSE;
    }
  return TRUE;
}

/* Samples a large image of u8 that is there, unless it is to be visited to the end. */
template <typename Pixel>
static gboolean
sample (WfCuda                      *cuda,
        const WfCudaReconstruction  *task,
        WfCudaWorkspace             *space,
        const Work<Pixel>           &work,
        GError                     **error)
{
  WfWorklist *list = &space->list;

  if (sizeof (Pixel) > 1 || task->bands || ! list->patience ||
      (list->n_tiles < LEAST_SAMPLED && ! space->is_sampled))
    return TRUE;
  list->n_samples = space->is_sampled ? SAMPLES * SAMPLES : SAMPLES;
  sample_tiles<<<MIN (list->n_tiles, SAMPLES), SAMPLE_THREADS, 0, cuda->stream>>>
    (*list, work.mask, work.marker, work.keys, work.width, work.height);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Without the list. */
template <typename Pixel>
static Work<Pixel>
work_of (const WfCudaReconstruction *task,
         const WfCudaWorkspace      *space)
{
  Work<Pixel> work;

  work.mask         = (const Pixel *) task->mask;
  work.marker       = (const Pixel *) task->marker;
  work.out          = (Pixel *) task->out;
  work.borders      = (typename WfTileFormat<Pixel>::Side *) space->borders;
  work.mask_borders = (typename WfTileFormat<Pixel>::Side *) space->mask_borders;
  work.keys.flip    = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  work.width        = task->shape.width;
  work.height       = task->shape.height;
  work.n_across     = space->list.n_across;
  work.n_down       = space->list.n_tiles / space->list.n_across;
  work.first_sweeps = FIRST_SWEEPS;
  work.aligned      = alignment_of (task) == 16 && task->shape.width * sizeof (Pixel) % 16 == 0;
  work.by_words     = alignment_of (task) >= 4;
  return work;
}

template <typename Pixel>
static gboolean
visit_all (WfCuda                      *cuda,
           const WfCudaReconstruction  *task,
           WfCudaWorkspace             *space,
           Work<Pixel>                  work,
           WfCudaLeft                  *left,
           GError                     **error)
{
  return wf_cuda_visit_all (cuda, space, [&] (GError **problem)
           {
             *cuda->told = 0;
             work.list   = space->list;
             return launch_for (cuda, task->connectivity, work, problem);
           }, left, error);
}

template <typename Pixel>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             gboolean                     to_the_end,
             WfCudaLeft                  *left,
             GError                     **error)
{
  WfCudaWorkspace space;
  Work<Pixel>     work;
  guint64         across;
  const guint64   n_tiles = count_tiles<Pixel> (&task->shape, &across);

  if (! wf_cuda_workspace_open (cuda, &space, n_tiles, across, n_tiles * borders_size<Pixel> (),
                                to_the_end, error))
    return FALSE;

  work             = work_of<Pixel> (task, &space);
  space.list.strip = n_tiles;
  space.list.done  = cuda->told;
  if (! sample (cuda, task, &space, work, error) ||
      (task->bands && ! visit_bands (cuda, task, &space, work, error)) ||
      ! visit_all (cuda, task, &space, work, left, error))
    return FALSE;
  if (*left == WF_CUDA_LEFT_NOTHING && task->settled)
    wf_cuda_workspace_settle (&space, task->settled);
  return TRUE;
}

template <typename Pixel>
static gboolean
go_on_from_rims (WfCuda                      *cuda,
                 const WfCudaReconstruction  *task,
                 const gpointer               rims[2],
                 gint64                       rows[2],
                 WfCudaLeft                  *left,
                 GError                     **error)
{
  constexpr gint64 ROWS = WfTileFormat<Pixel>::ROWS;
  WfCudaWorkspace  space;
  WfWorkControl    control;
  Work<Pixel>      work;

  if (! wf_cuda_workspace_resume (cuda, &space, task->settled, error))
    return FALSE;
  work      = work_of<Pixel> (task, &space);
  work.list = space.list;
  raise_rims<<<wf_cuda_blocks (cuda, 2 * work.width, THREADS), THREADS, 0, cuda->stream>>>
    (work, (const Pixel *) rims[0], (const Pixel *) rims[1]);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_workspace_begin (cuda, &space, error) ||
      ! visit_all (cuda, task, &space, work, left, error))
    return FALSE;
  wf_cuda_time_end (cuda);
  if (! wf_cuda_read (cuda, &control, space.list.control, sizeof control, error))
    return FALSE;

  const bool settled = *left == WF_CUDA_LEFT_NOTHING;

  rows[0] = settled ? MIN (control.first_row.value * ROWS, work.height) : 0;
  rows[1] = settled ? MIN (control.end_row.value * ROWS, work.height) : work.height;
  return TRUE;
}

} /* namespace image_tiles */

gboolean
wf_cuda_reconstruct_image (WfCuda                      *cuda,
                           const WfCudaReconstruction  *task,
                           gboolean                     to_the_end,
                           WfCudaLeft                  *left,
                           GError                     **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return image_tiles::reconstruct<decltype (pixel)> (cuda, task, to_the_end, left, error);
    });
}

gboolean
wf_cuda_reconstruct_image_rims (WfCuda                      *cuda,
                                const WfCudaReconstruction  *task,
                                const gpointer               rims[2],
                                gint64                       rows[2],
                                WfCudaLeft                  *left,
                                GError                     **error)
{
  return wf_dispatch_keys (task->type, [&] (auto pixel)
    {
      return image_tiles::go_on_from_rims<decltype (pixel)> (cuda, task, rims, rows, left, error);
    });
}

guint64
wf_cuda_reconstruct_image_memory (const WfShape *shape,
                                  WfType         type)
{
  return wf_dispatch_keys (type, [&] (auto pixel)
    {
      return image_tiles::memory_of<decltype (pixel)> (shape);
    });
}
