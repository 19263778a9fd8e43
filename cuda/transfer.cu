/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from the device: views with strides here, packed pixels there. */

#include "device.cuh"


/* Copies slice by slice; returns once all of it is there. */
static gboolean
copy_slices (const WfImage   *image,
             char            *packed,
             cudaMemcpyKind   direction,
             cudaStream_t     stream,
             GError         **error)
{
  const size_t pixel  = wf_type_size (image->type);
  const size_t width  = image->width * pixel;
  const size_t stride = image->row_stride * pixel;

  for (gint64 z = 0; z < image->depth; z++)
    {
      char *here  = (char *) image->data + z * image->slice_stride * pixel;
      char *there = packed + z * width * image->height;

      if (direction == cudaMemcpyHostToDevice)
        WF_CUDA_CHECK (cudaMemcpy2DAsync (there, width, here, stride, width, image->height,
                                          direction, stream));
      else
        WF_CUDA_CHECK (cudaMemcpy2DAsync (here, stride, there, width, width, image->height,
                                          direction, stream));
    }
  WF_CUDA_CHECK (cudaStreamSynchronize (stream));
  return TRUE;
}

gboolean
wf_cuda_upload (const WfImage  *image,
                gpointer        packed,
                cudaStream_t    stream,
                GError        **error)
{
  return copy_slices (image, (char *) packed, cudaMemcpyHostToDevice, stream, error);
}

/* The last step of an operation: it writes to the caller's memory. */
gboolean
wf_cuda_download (gconstpointer   packed,
                  WfImage        *image,
                  cudaStream_t    stream,
                  GError        **error)
{
  return copy_slices (image, (char *) packed, cudaMemcpyDeviceToHost, stream, error);
}
