/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction of stacks by tiles: see reconstruction-stacks.cuh. */

#include "reconstruction-run.cuh"
#include "reconstruction-stacks.cuh"

#define THREADS 256


/* What a stack begins with. */
template <typename Pixel>
__global__ void
clamp_marker (const Pixel       *mask,
              const Pixel       *marker,
              Pixel             *out,
              WfCudaKeys<Pixel>  keys,
              int64_t            n)
{
  for (int64_t p = blockIdx.x * (int64_t) THREADS + threadIdx.x; p < n;
       p += (int64_t) gridDim.x * THREADS)
    out[p] = keys.back (min (keys.of (mask[p]), keys.of (marker[p])));
}

template <typename Pixel>
static guint64
count_tiles (const WfShape *shape,
             guint64       *across,
             guint64       *down)
{
  typedef WfStackFormat<Pixel> Format;

  *across = (shape->width + Format::WIDTH - 3) / (Format::WIDTH - 2);
  *down   = (shape->height + Format::HEIGHT - 3) / (Format::HEIGHT - 2);
  return *across * *down * ((shape->depth + Format::DEPTH - 3) / (Format::DEPTH - 2));
}

template <typename Pixel>
static guint64
memory_of (const WfShape *shape)
{
  guint64 across;
  guint64 down;

  return wf_cuda_workspace_size (count_tiles<Pixel> (shape, &across, &down), 0);
}

template <typename Pixel, int CONNECTIVITY>
static gboolean
launch (WfCuda                        *cuda,
        const WfCudaStackWork<Pixel>  &work,
        GError                       **error)
{
  const guint32 wanted = (work.list.n_tiles + WF_STACK_WARPS - 1) / WF_STACK_WARPS;
  int           blocks;

  WF_CUDA_CHECK (cudaFuncSetAttribute (visit_stack_tiles<Pixel, CONNECTIVITY>,
                                       cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
  WF_CUDA_CHECK (cudaOccupancyMaxActiveBlocksPerMultiprocessor
                   (&blocks, visit_stack_tiles<Pixel, CONNECTIVITY>, WF_STACK_WARPS * 32, 0));
  blocks = MAX (blocks, 1) * cuda->n_units;
  visit_stack_tiles<Pixel, CONNECTIVITY>
    <<<MIN ((guint32) blocks, wanted), WF_STACK_WARPS * 32, 0, cuda->stream>>> (work);
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
  const gint64           n       = wf_shape_n_pixels (&task->shape);
  guint32                end     = WF_WORK_OUT_OF_TIME;

  if (! wf_cuda_workspace_open (cuda, &space, n_tiles, across, 0, to_the_end, error))
    return FALSE;

  work.mask      = (const Pixel *) task->mask;
  work.out       = (Pixel *) task->out;
  work.keys.flip = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  work.width     = task->shape.width;
  work.height    = task->shape.height;
  work.depth     = task->shape.depth;
  work.across    = across;
  work.down      = down;
  work.deep      = n_tiles / (across * down);

  clamp_marker<Pixel><<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>>
    (work.mask, (const Pixel *) task->marker, work.out, work.keys, n);
  WF_CUDA_CHECK_LAUNCH ();

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
