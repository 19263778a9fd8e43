/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of images by tiles: see visits.inc.cuh. */

#include "visits.inc.cuh"
#include "cuda/reconstruction/run.cuh"


/* Less are too few to tell the neighbours much, and more are for nothing where a neighbour
 * raises the tile again.
 */
#define FIRST_SWEEPS 4

/* A small image is better off with fewer warps at work, since more of them would only see
 * older neighbours: so many tiles for each warp, but no fewer warps a multiprocessor.
 */
#define TILES_PER_WARP 2
#define LEAST_WARPS    16


/* Bytes of the marker's sides of one tile. */
template <typename Pixel>
static guint64
sides_size ()
{
  return WF_N_SIDES * 32 * sizeof (typename WfTileFormat<Pixel>::Edge);
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

  return wf_cuda_workspace_size (n_tiles, n_tiles * sides_size<Pixel> ());
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
launch (WfCuda                        *cuda,
        const WfCudaImageWork<Pixel>  &work,
        GError                       **error)
{
  const guint32 wanted = (work.list.n_tiles + WF_IMAGE_WARPS - 1) / WF_IMAGE_WARPS;
  const int     enough = MAX (wanted / (TILES_PER_WARP * cuda->n_units) + 1,
                              LEAST_WARPS / WF_IMAGE_WARPS);
  int           blocks;

  WF_CUDA_CHECK (cudaFuncSetAttribute (visit_image_tiles<Pixel, CONNECTIVITY>,
                                       cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
  WF_CUDA_CHECK (cudaOccupancyMaxActiveBlocksPerMultiprocessor
                   (&blocks, visit_image_tiles<Pixel, CONNECTIVITY>, WF_IMAGE_WARPS * 32, 0));
  blocks = CLAMP (blocks, 1, MIN (enough, WF_IMAGE_BLOCKS)) * cuda->n_units;
  visit_image_tiles<Pixel, CONNECTIVITY>
    <<<MIN ((guint32) blocks, wanted), WF_IMAGE_WARPS * 32, 0, cuda->stream>>> (work);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename Pixel>
static gboolean
launch_for (WfCuda                        *cuda,
            int                            connectivity,
            const WfCudaImageWork<Pixel>  &work,
            GError                       **error)
{
  return connectivity == 4 ? launch<Pixel, 4> (cuda, work, error)
                           : launch<Pixel, 8> (cuda, work, error);
}

/* Visits what has come of the images while the rest is on its way, each time until the next
 * band should be there, and leaves it to the caller's launches to come to an end.
 */
template <typename Pixel>
static gboolean
visit_bands (WfCuda                        *cuda,
             const WfCudaReconstruction    *task,
             WfCudaWorkspace               *space,
             const WfCudaImageWork<Pixel>  &work,
             GError                       **error)
{
  constexpr int      ROWS  = WfTileFormat<Pixel>::ROWS;
  const WfCudaBands *bands = task->bands;

  space->list.strip = bands->unit / ROWS * work.n_across;
  for (int i = 0; i < bands->n; i++)
    {
      const guint32          down  = (bands->end[i] + ROWS - 1) / ROWS;
      WfCudaImageWork<Pixel> early = work;

      if (! wf_cuda_workspace_admit (cuda, space, down * work.n_across, error) ||
          ! wf_cuda_await_band (cuda, bands, i, error))
        return FALSE;
      if (i == bands->n - 1)
        return TRUE;

      early.list          = space->list;
      early.list.told     = NULL;
      early.list.patience = 0;
      early.list.limit    = MIN (early.list.limit, (guint64) (bands->seconds[i + 1] * 1e9));
      if (! launch_for (cuda, task->connectivity, early, error))
        return FALSE;
    }
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
  WfCudaImageWork<Pixel> work;
  WfCudaWorkspace        space;
  guint64                across;
  const guint64          n_tiles = count_tiles<Pixel> (&task->shape, &across);
  guint32                end     = WF_WORK_OUT_OF_TIME;

  if (! wf_cuda_workspace_open (cuda, &space, n_tiles, across, n_tiles * sides_size<Pixel> (),
                                to_the_end, error))
    return FALSE;

  work.mask       = (const Pixel *) task->mask;
  work.marker     = (const Pixel *) task->marker;
  work.out        = (Pixel *) task->out;
  work.sides      = (typename WfTileFormat<Pixel>::Edge *) space.sides;
  work.mask_sides = (typename WfTileFormat<Pixel>::Edge *) space.mask_sides;
  work.keys.flip  = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  work.width      = task->shape.width;
  work.height     = task->shape.height;
  work.n_across   = across;
  work.n_down     = n_tiles / across;
  work.first_sweeps = FIRST_SWEEPS;
  work.aligned      = alignment_of (task) == 16 && task->shape.width * sizeof (Pixel) % 16 == 0;
  work.by_words     = alignment_of (task) >= 4;

  space.list.strip = n_tiles;
  space.list.told  = cuda->told;
  if (task->bands && ! visit_bands (cuda, task, &space, work, error))
    return FALSE;
  while (end == WF_WORK_OUT_OF_TIME)
    {
      *cuda->told = 0;
      work.list   = space.list;
      if (! launch_for (cuda, task->connectivity, work, error) ||
          ! wf_cuda_workspace_next (cuda, &space, &end, error))
        return FALSE;
    }
  *done = end == WF_WORK_DONE;
  return TRUE;
}

gboolean
wf_cuda_reconstruct_image (WfCuda                      *cuda,
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
wf_cuda_reconstruct_image_memory (const WfShape *shape,
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
