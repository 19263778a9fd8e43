/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian on a GPU, from the definition in engine/filters/filters.c: images and windows of
 * few pixels go through one kernel (gaussian-rolling.cu), everything else is done axis by
 * axis (gaussian-slabs.cu).
 */

#include "gaussian.cuh"


/* An axis of one pixel is left out, which weights of floats may not know. */
static bool
is_rolling (const WfCudaGaussian *task)
{
  return task->shape.depth == 1 && task->shape.height > 1 &&
         task->gaussian->radius <= WF_GAUSSIAN_MOST_ROLLING;
}

gboolean
wf_cuda_gaussian (WfCuda                *cuda,
                  const WfCudaGaussian  *task,
                  GError               **error)
{
  /* One weight, of 1. */
  if (task->gaussian->radius == 0 && task->type != WF_TYPE_F32)
    {
      WF_CUDA_CHECK (cudaMemcpyAsync (task->out, task->image,
                                      wf_shape_n_pixels (&task->shape)
                                      * wf_type_size (task->type),
                                      cudaMemcpyDeviceToDevice, cuda->stream));
      return TRUE;
    }
  return is_rolling (task) ? wf_cuda_gaussian_rolling (cuda, task, error)
                        : wf_cuda_gaussian_slabs (cuda, task, error);
}

guint64
wf_cuda_gaussian_memory (const WfCudaGaussian *task)
{
  return is_rolling (task) ? 0 : wf_cuda_gaussian_slabs_memory (task);
}
