/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by levels: see reconstruction-levels.cuh. */

#include "reconstruction-levels.cuh"
#include "reconstruction-run.cuh"

/* Above this, the host waits for each bit, so that cancelling is seen. */
#define LARGE (1 << 26)


template <typename Pixel, int CONNECTIVITY>
static gboolean
find_bit (WfCuda               *cuda,
          const Levels<Pixel>  &levels,
          GError              **error)
{
  constexpr bool STACK   = CONNECTIVITY == 6 || CONNECTIVITY == 26;
  const gint64   n       = levels.width * levels.height * levels.depth;
  const guint64  deep    = (levels.depth + Tile<STACK>::DEPTH - 1) / Tile<STACK>::DEPTH;
  const guint32  n_tiles = levels.across * levels.down * deep;

  label_tiles<Pixel, CONNECTIVITY><<<n_tiles, THREADS, 0, cuda->stream>>> (levels);
  WF_CUDA_CHECK_LAUNCH ();
  join_tiles<Pixel, CONNECTIVITY><<<n_tiles, 128, 0, cuda->stream>>> (levels);
  WF_CUDA_CHECK_LAUNCH ();
  raise_pixels<Pixel><<<wf_cuda_blocks (cuda, (n + 3) / 4, THREADS), THREADS, 0, cuda->stream>>>
    (levels, n);
  WF_CUDA_CHECK_LAUNCH ();
  return n < LARGE || wf_cuda_wait (cuda, error);
}

template <typename Pixel>
static gboolean
find_bit_of (WfCuda               *cuda,
             const Levels<Pixel>  &levels,
             int                   connectivity,
             GError              **error)
{
  switch (connectivity)
    {
    case 4:
      return find_bit<Pixel, 4> (cuda, levels, error);
    case 8:
      return find_bit<Pixel, 8> (cuda, levels, error);
    case 6:
      return find_bit<Pixel, 6> (cuda, levels, error);
    default:
      return find_bit<Pixel, 26> (cuda, levels, error);
    }
}

template <typename Pixel>
static gboolean
reconstruct (WfCuda                      *cuda,
             const WfCudaReconstruction  *task,
             GError                     **error)
{
  const bool             stack = task->connectivity == 6 || task->connectivity == 26;
  const gint64           n     = wf_shape_n_pixels (&task->shape);
  const int              wide  = stack ? Tile<true>::WIDTH : Tile<false>::WIDTH;
  const int              high  = stack ? Tile<true>::HEIGHT : Tile<false>::HEIGHT;
  WfDeviceArray<guint32> parent;
  WfDeviceArray<Range>   range;
  Levels<Pixel>          levels;
  Range                  found = { 0, 0, ALL };

  if (! parent.allocate (cuda, n, error) || ! range.allocate (cuda, 1, error))
    return FALSE;

  levels.mask      = (const Pixel *) task->mask;
  levels.out       = (Pixel *) task->out;
  levels.parent    = parent.data;
  levels.keys.flip = task->by == WF_BY_EROSION ? (Pixel) ~ (Pixel) 0 : 0;
  levels.width     = task->shape.width;
  levels.height    = task->shape.height;
  levels.depth     = task->shape.depth;
  levels.across    = (task->shape.width + wide - 1) / wide;
  levels.down      = (task->shape.height + high - 1) / high;

  WF_CUDA_CHECK (cudaMemcpyAsync (range.data, &found, sizeof found, cudaMemcpyHostToDevice,
                                  cuda->stream));
  find_range<Pixel><<<wf_cuda_blocks (cuda, n, THREADS), THREADS, 0, cuda->stream>>>
    (levels, n, range.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &found, range.data, sizeof found, error))
    return FALSE;

  for (levels.bit = 1u << 31; levels.bit; levels.bit /= 2)
    {
      if (levels.bit > found.differing || ! (found.any & levels.bit) || found.all & levels.bit)
        continue;
      levels.ones = found.all & (levels.bit - 1);
      if (! wf_cuda_advance (cuda, 0, error) ||
          ! find_bit_of (cuda, levels, task->connectivity, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
wf_cuda_reconstruct_levels (WfCuda                      *cuda,
                            const WfCudaReconstruction  *task,
                            GError                     **error)
{
  switch (task->type)
    {
    case WF_TYPE_U8:
      return reconstruct<guint8> (cuda, task, error);
    case WF_TYPE_U16:
      return reconstruct<guint16> (cuda, task, error);
    default:
      return reconstruct<guint32> (cuda, task, error);
    }
}
