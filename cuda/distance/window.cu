/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances of an image with a margin: those of the output are copied, and looked at. */

#include "distance.cuh"

#define THREADS 256

namespace distance_window
{

/* Bytes: 8 a pixel of the output.  @exceeded: set where a distance is longer than @reach */
static __global__ void __launch_bounds__ (THREADS)
copy_part (const float *whole,
           gint64       stride,
           float       *out,
           gint64       width,
           gint64       height,
           float        reach,
           int         *exceeded)
{
  const gint64 x = blockIdx.x * (gint64) THREADS + threadIdx.x;

  if (x >= width)
    return;
  for (gint64 y = blockIdx.y; y < height; y += gridDim.y)
    {
      const float distance = whole[y * stride + x];

      out[y * width + x] = distance;
      if (! (fabsf (distance) <= reach))
        *exceeded = 1;
    }
}

}

using namespace distance_window;

/* Queues the copy of the task's output from @whole, its whole image. */
gboolean
wf_cuda_distance_cut_out (WfCuda                *cuda,
                          const WfDistanceTask  *task,
                          const float           *whole,
                          float                 *out,
                          int                   *exceeded,
                          GError               **error)
{
  const WfDistanceWindow *window = task->window;
  const gint64            width  = task->out->width;
  const gint64            height = task->out->height;
  const dim3              grid ((unsigned) ((width + THREADS - 1) / THREADS),
                                (unsigned) MIN (height, 4096));

  WF_CUDA_CHECK (cudaMemsetAsync (exceeded, 0, sizeof *exceeded, cuda->stream));
  copy_part<<<grid, THREADS, 0, cuda->stream>>> (whole + window->top * task->shape.width
                                                 + window->left,
                                                 task->shape.width, out, width, height,
                                                 (float) window->reach, exceeded);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
