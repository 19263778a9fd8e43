/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian on a GPU, from the definition in engine/filters/filters.c: images with windows
 * of a few pixels go through one kernel (gaussian-rolling.cuh), everything else is done axis
 * by axis (gaussian-slabs.cu).
 */

#include "gaussian.cuh"
#include "cuda/core/dispatch.cuh"


/* An axis of one pixel is left out: the weights of floats need not add up to exactly 1. */
static bool
is_rolling (const WfCudaGaussian *task)
{
  return task->shape.depth == 1 && task->shape.height > 1 &&
         task->gaussian->radius <= gaussian::MOST_ROLLING;
}

gboolean
wf_cuda_gaussian (WfCuda                *cuda,
                  const WfCudaGaussian  *task,
                  GError               **error)
{
  /* One weight, of 1. */
  if (task->gaussian->radius == 0)
    {
      WF_CUDA_CHECK (cudaMemcpyAsync (task->out, task->image,
                                      wf_shape_n_pixels (&task->shape)
                                      * wf_type_size (task->type),
                                      cudaMemcpyDeviceToDevice, cuda->stream));
      return TRUE;
    }
  if (! is_rolling (task))
    return gaussian::smooth_by_slabs (cuda, task, error);
  return wf_dispatch_pixels (task->type, [&] (auto pixel)
    {
      return gaussian::smooth_by_rolling<decltype (pixel)> (cuda, task, error);
    });
}

guint64
wf_cuda_gaussian_memory (const WfCudaGaussian *task)
{
  return is_rolling (task) ? 0 : gaussian::slabs_memory (task);
}
