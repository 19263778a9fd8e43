/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from pinned memory in bands of rows, on a stream of their own, so that the
 * device works during the transfer.  Kernels on the context's stream wait by an event for each
 * band that they read, and a band waits for the kernels that write it.
 *
 * An upload is cut into three equal bands.  More bands would not hide more of the work: the
 * work on a band takes at least some hundred microseconds, as tiles wait for each other.  The
 * first bands of a download are small, because the bus is idle until the first is complete.
 *
 * Bytes: those of the images, once over the bus.  A band costs it a microsecond or two.
 */

#include "transfer-views.cuh"

#include <stdlib.h>

/* Smaller images arrive before a second band could pay. */
#define WORTH_BANDS (4 << 20)

/* Bytes a second of a fast bus. */
#define BUS_SPEED   5e10

/* Bands end at multiples of this part of an image. */
#define PARTS       48

static const int upload_ends[WF_CUDA_BANDS]   = { 16, 32, PARTS };
static const int download_ends[WF_CUDA_BANDS] = { 3, 12, PARTS };


/*  Cutting  */

static gsize
bytes_of (const WfImage *image)
{
  return wf_image_n_pixels (image) * wf_type_size (image->type);
}

/* For tests on small images: WAVEFRONT_CUDA_BANDS=always transfers every image in bands that
 * can be, in any memory.
 */
static bool
is_always_banded (void)
{
  return g_strcmp0 (getenv ("WAVEFRONT_CUDA_BANDS"), "always") == 0;
}

static bool
is_worth_bands (const WfImage *image,
                const char    *what)
{
  const WfImage joined = wf_cuda_join_rows (image);

  if (image->depth > 1 || image->memory != WF_MEMORY_HOST || (what && image->type == WF_TYPE_F32))
    return false;
  return is_always_banded () ||
         (bytes_of (image) >= WORTH_BANDS && ! wf_cuda_needs_ring (&joined, bytes_of (image)));
}

/* @row_bytes: of all images together. */
static void
cut (gint64       height,
     gint64       unit,
     gsize        row_bytes,
     const int   *ends,
     WfCudaBands *bands)
{
  gint64 start = 0;

  bands->n    = 0;
  bands->unit = unit;
  for (int i = 0; i < WF_CUDA_BANDS && start < height; i++)
    {
      const gint64 rows = (height * ends[i] + PARTS - 1) / PARTS;
      const gint64 end  = MIN (height, (rows + unit - 1) / unit * unit);

      if (end == start)
        continue;
      bands->seconds[bands->n] = (end - start) * row_bytes / BUS_SPEED;
      bands->end[bands->n++]   = end;
      start                    = end;
    }
}

void
wf_cuda_divide (const WfImage *image,
                gint64         unit,
                WfCudaBands   *bands)
{
  bands->n = 0;
  if (is_worth_bands (image, NULL))
    cut (image->height, unit, image->width * wf_type_size (image->type), download_ends,
         bands);
}


/*  Copying  */

/* Rows of a view. */
static WfImage
band_of (const WfImage     *image,
         const WfCudaBands *bands,
         int                i,
         gsize             *start)
{
  const gint64 first = i > 0 ? bands->end[i - 1] : 0;
  WfImage      band  = *image;

  band.data   = wf_image_row (image, first);
  band.height = bands->end[i] - first;
  *start      = first * image->width * wf_type_size (image->type);
  return wf_cuda_join_rows (&band);
}

static cudaError_t
copy_band (WfCuda            *cuda,
           const WfImage     *image,
           const WfCudaBands *bands,
           int                i,
           char              *packed,
           bool               to_packed)
{
  gsize         start;
  const WfImage band = band_of (image, bands, i, &start);

  return wf_cuda_copy_view (cuda->transfers, &band, packed + start, to_packed);
}


/*  Uploads  */

/* @side: 0 or 1 */
static cudaError_t
copy_rim (cudaStream_t        stream,
          const WfCudaUpload *upload,
          int                 side)
{
  const gsize start = side == 0 ? 0 : bytes_of (upload->image) - upload->rim_bytes;

  if (! upload->rims[side])
    return cudaSuccess;
  return cudaMemcpyAsync ((char *) upload->packed + start, upload->rims[side], upload->rim_bytes,
                          cudaMemcpyHostToDevice, stream);
}

gboolean
wf_cuda_upload_rims (WfCuda              *cuda,
                     const WfCudaUpload  *upload,
                     GError             **error)
{
  for (int side = 0; side < 2; side++)
    WF_CUDA_CHECK (copy_rim (cuda->stream, upload, side));
  return TRUE;
}

/* One band of an image, with the rims that it has, which are no larger than a band. */
static cudaError_t
upload_band (WfCuda             *cuda,
             const WfCudaUpload *upload,
             const WfCudaBands  *bands,
             int                 i)
{
  cudaError_t status = copy_band (cuda, upload->image, bands, i, (char *) upload->packed, true);

  if (status == cudaSuccess && i == 0)
    status = copy_rim (cuda->transfers, upload, 0);
  if (status == cudaSuccess && i == bands->n - 1)
    status = copy_rim (cuda->transfers, upload, 1);
  return status;
}

/* The memory is allocated in the order of the stream, so the transfers wait for it. */
gboolean
wf_cuda_upload_bands (WfCuda              *cuda,
                      const WfCudaUpload  *uploads,
                      int                  n_uploads,
                      gint64               unit,
                      WfCudaBands         *bands,
                      GError             **error)
{
  const WfImage *image = uploads[0].image;
  bool           worth = true;
  gsize          bytes = 0;

  bands->n = 0;
  for (int k = 0; k < n_uploads; k++)
    {
      worth  = worth && is_worth_bands (uploads[k].image, uploads[k].what);
      bytes += bytes_of (uploads[k].image);
    }
  for (int k = 0; k < n_uploads && ! worth; k++)
    if (! wf_cuda_upload (cuda, uploads[k].image, uploads[k].what, uploads[k].packed, error) ||
        ! wf_cuda_upload_rims (cuda, &uploads[k], error))
      return FALSE;
  if (! worth)
    return TRUE;

  cut (image->height, unit, bytes / image->height, upload_ends, bands);
  if (! wf_cuda_fork (cuda, error))
    return FALSE;
  for (int i = 0; i < bands->n; i++)
    {
      for (int k = 0; k < n_uploads; k++)
        WF_CUDA_CHECK (upload_band (cuda, &uploads[k], bands, i));
      WF_CUDA_CHECK (cudaEventRecord (cuda->bands[i], cuda->transfers));
    }
  return TRUE;
}

gboolean
wf_cuda_await_band (WfCuda             *cuda,
                    const WfCudaBands  *bands,
                    int                 i,
                    GError            **error)
{
  const bool timing = cuda->timing;

  if (timing)
    wf_cuda_time_end (cuda);
  WF_CUDA_CHECK (cudaStreamWaitEvent (cuda->stream, cuda->bands[i], 0));
  if (timing)
    wf_cuda_time_begin (cuda);
  if (i == bands->n - 1)
    cuda->apart = false;
  return TRUE;
}


/*  Downloads  */

gboolean
wf_cuda_send_band (WfCuda  *cuda,
                   int      i,
                   GError **error)
{
  WF_CUDA_CHECK (cudaEventRecord (cuda->bands[i], cuda->stream));
  return TRUE;
}

gboolean
wf_cuda_deliver_bands (WfCuda             *cuda,
                       gconstpointer       packed,
                       WfImage            *image,
                       const WfCudaBands  *bands,
                       GError            **error)
{
  cudaError_t status = cudaSuccess;

  if (bands->n == 0)
    return wf_cuda_deliver (cuda, packed, image, error);

  wf_cuda_commit (cuda);
  wf_cuda_time_results (cuda);
  cuda->apart = true;
  for (int i = 0; i < bands->n && status == cudaSuccess; i++)
    {
      status = cudaStreamWaitEvent (cuda->transfers, cuda->bands[i], 0);
      if (status == cudaSuccess)
        status = copy_band (cuda, image, bands, i, (char *) packed, false);
    }
  if (status == cudaSuccess)
    status = cudaStreamSynchronize (cuda->stream);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize (cuda->transfers);
  if (status == cudaSuccess)
    cuda->apart = false;
  return status == cudaSuccess || wf_cuda_succeeded (status, error);
}
