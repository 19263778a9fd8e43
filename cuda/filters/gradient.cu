/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The morphological gradient on a GPU: the highest less the lowest level.
 *
 * For images and squares of a few pixels it is one kernel (cuda/morphology/rolling-square.cu).  For
 * everything else dilation and erosion are computed one after the other, with any radius
 * (cuda/morphology/square.cu, cuda/morphology/disc.cu).
 */

#include "filters.cuh"
#include "cuda/morphology/element.cuh"
#include "cuda/morphology/pixels.cuh"


static WfCudaElement
element_of (const WfCudaGradient *task,
            gboolean              dilation,
            gpointer              out)
{
  return { task->shape, task->type, task->element, task->radius, dilation, task->image, out };
}

static gboolean
by_elements (WfCuda                *cuda,
             const WfCudaGradient  *task,
             GError               **error)
{
  const gint64          n        = wf_shape_n_pixels (&task->shape);
  WfDeviceArray<guint8> lowest;
  const WfCudaElement   dilation = element_of (task, TRUE, task->out);
  WfCudaElement         erosion;

  if (! lowest.allocate (cuda, n * wf_type_size (task->type), error))
    return FALSE;
  erosion = element_of (task, FALSE, lowest.data);
  return wf_cuda_element (cuda, &dilation, error) &&
         wf_cuda_element (cuda, &erosion, error) &&
         wf_cuda_differ (cuda, task->type, n, task->out, lowest.data, task->out, error);
}

gboolean
wf_cuda_gradient (WfCuda                *cuda,
                  const WfCudaGradient  *task,
                  GError               **error)
{
  const WfCudaElement element = element_of (task, TRUE, task->out);

  return wf_cuda_is_rolling_square (&element) ? wf_cuda_rolling_gradient (cuda, &element, error)
                                              : by_elements (cuda, task, error);
}

guint64
wf_cuda_gradient_memory (const WfCudaGradient *task)
{
  const WfCudaElement element = element_of (task, TRUE, NULL);

  return wf_cuda_is_rolling_square (&element) ? 0
         : wf_shape_n_pixels (&task->shape) * wf_type_size (task->type)
           + wf_cuda_element_memory (&element);
}
