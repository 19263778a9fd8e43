/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images to and from the device: views with strides on the host, packed pixels on the device.
 *
 * Bytes: those of the images, once over the bus, some 54 GB/s of PCI Express 5.
 *
 * The device copies at full speed only from and to pinned memory.  Images that the caller has
 * pinned (cudaMallocHost, cudaHostRegister) are copied directly.  All others go through a ring
 * of pinned buffers, chunk by chunk: several threads copy one chunk between the caller's memory
 * and its buffer, while the device copies the chunks before it, or for results those after it.
 * A single thread would copy, and touch new pages, several times slower than the bus.
 *
 * The ring is created when it is first needed and kept with the context.
 *
 * Transfers in bands are in transfer-bands.cu.
 */

#include "transfer-views.cuh"
#include "engine/core/refusals.h"

#include <string.h>

#define N_BUFFERS    4
#define BUFFER_BYTES (16 << 20)

/* Bytes that a thread copies at a time: each has a piece of a chunk. */
#define PIECE_BYTES  (1 << 20)

/* Bytes of direct copies between which those of other streams have their turn: 0.15 ms. */
#define TURN_BYTES   ((size_t) 8 << 20)

/* More threads do not copy faster. */
#define MAX_THREADS  16

/* Smaller copies are left to the driver, which has a small pinned buffer of its own. */
#define SMALL_BYTES  (1 << 18)

/* The bus takes shorter rows one by one, each at the cost of some hundred bytes. */
#define SHORT_ROW    256

#define NAN_THREADS  256

/* Devices whose transfers do not wait for each other. */
#define N_TURNS      64

/**
 * Piece:
 * @image: the view
 * @start: of the piece, in bytes of the packed image
 * @n: its bytes
 * @buffer: where they lie one after the other
 * @out: whether they go to the view
 */
typedef struct
{
  const WfImage *image;
  gsize          start;
  gsize          n;
  char          *buffer;
  bool           out;
} Piece;

/* Of each device and direction: one transfer at a time has all threads of the CPU.  Those of two
 * streams of a device would only wait for each other, chunk by chunk.
 */
static GMutex turns[N_TURNS][2];

struct _WfCudaStaging
{
  char        *buffers[N_BUFFERS];
  cudaEvent_t  done[N_BUFFERS];    /* the device has finished with the buffer */
  GThreadPool *threads;
  GMutex       lock;
  GCond        idle;
  int          n_waiting;          /* pieces that are not copied yet */
  Piece        pieces[BUFFER_BYTES / PIECE_BYTES];
};


/*  Copying on the host  */

/* Part of a packed image to or from the rows of a view. */
static void
copy_piece (const Piece *piece)
{
  const WfImage *image = piece->image;
  const gsize    pixel = wf_type_size (image->type);
  const gsize    width = image->width * pixel;
  const gsize    end   = piece->start + piece->n;

  for (gsize at = piece->start; at < end; )
    {
      const gint64  row    = at / width;
      const gsize   offset = at % width;
      const gsize   n      = MIN (width - offset, end - at);
      char         *pixels = (char *) wf_image_row (image, row) + offset;
      char         *buffer = piece->buffer + (at - piece->start);

      memcpy (piece->out ? pixels : buffer, piece->out ? buffer : pixels, n);
      at += n;
    }
}

static void
copy_in_thread (gpointer data,
                gpointer user_data)
{
  WfCudaStaging *staging = (WfCudaStaging *) user_data;

  copy_piece ((const Piece *) data);
  g_mutex_lock (&staging->lock);
  if (--staging->n_waiting == 0)
    g_cond_signal (&staging->idle);
  g_mutex_unlock (&staging->lock);
}

WfImage
wf_cuda_join_rows (const WfImage *image)
{
  WfImage joined = *image;

  if (joined.row_stride != joined.width && joined.height > 1)
    return joined;

  joined.width      *= joined.height;
  joined.height      = joined.depth;
  joined.row_stride  = joined.slice_stride;
  joined.depth       = 1;
  if (joined.row_stride != joined.width && joined.height > 1)
    return joined;

  joined.width      *= joined.height;
  joined.height      = 1;
  joined.row_stride  = joined.slice_stride = joined.width;
  return joined;
}

/* One chunk, by all threads; the calling one takes the last piece. */
static void
copy_chunk (WfCudaStaging *staging,
            const WfImage *image,
            gsize          start,
            gsize          n,
            char          *buffer,
            bool           out)
{
  const int n_pieces = (int) ((n + PIECE_BYTES - 1) / PIECE_BYTES);

  for (int i = 0; i < n_pieces; i++)
    {
      const gsize at = (gsize) i * PIECE_BYTES;

      staging->pieces[i] = { image, start + at, MIN ((gsize) PIECE_BYTES, n - at), buffer + at,
                             out };
    }
  if (! staging->threads)
    {
      for (int i = 0; i < n_pieces; i++)
        copy_piece (&staging->pieces[i]);
      return;
    }

  staging->n_waiting = n_pieces - 1;
  for (int i = 0; i < n_pieces - 1; i++)
    g_thread_pool_push (staging->threads, &staging->pieces[i], NULL);
  copy_piece (&staging->pieces[n_pieces - 1]);
  g_mutex_lock (&staging->lock);
  while (staging->n_waiting > 0)
    g_cond_wait (&staging->idle, &staging->lock);
  g_mutex_unlock (&staging->lock);
}


/*  The ring  */

/* Works without threads where the system refuses them. */
static gboolean
staging_fill (WfCudaStaging  *staging,
              GError        **error)
{
  const int n_threads = MIN ((int) g_get_num_processors (), MAX_THREADS) - 1;
  char     *memory;

  WF_CUDA_CHECK (cudaMallocHost (&memory, N_BUFFERS * BUFFER_BYTES));
  for (int i = 0; i < N_BUFFERS; i++)
    staging->buffers[i] = memory + (gsize) i * BUFFER_BYTES;
  for (int i = 0; i < N_BUFFERS; i++)
    WF_CUDA_CHECK (cudaEventCreateWithFlags (&staging->done[i], cudaEventDisableTiming));
  if (n_threads > 0)
    staging->threads = g_thread_pool_new (copy_in_thread, staging, n_threads, FALSE, NULL);
  return TRUE;
}

void
wf_cuda_staging_free (WfCudaStaging *staging)
{
  if (! staging)
    return;
  if (staging->threads)
    g_thread_pool_free (staging->threads, FALSE, TRUE);
  for (int i = 0; i < N_BUFFERS; i++)
    if (staging->done[i])
      cudaEventDestroy (staging->done[i]);
  if (staging->buffers[0])
    cudaFreeHost (staging->buffers[0]);
  g_mutex_clear (&staging->lock);
  g_cond_clear (&staging->idle);
  g_free (staging);
}

static gboolean
ensure_staging (WfCuda  *cuda,
                GError **error)
{
  WfCudaStaging *staging;

  if (cuda->staging)
    return TRUE;

  staging = g_new0 (WfCudaStaging, 1);
  g_mutex_init (&staging->lock);
  g_cond_init (&staging->idle);
  if (! staging_fill (staging, error))
    {
      wf_cuda_staging_free (staging);
      return FALSE;
    }
  cuda->staging = staging;
  return TRUE;
}

/* A chunk of a packed image of @bytes: where it starts, how long it is, its buffer. */
static gsize
chunk_size (gsize bytes,
            gsize start)
{
  return MIN ((gsize) BUFFER_BYTES, bytes - start);
}

static gboolean
upload_chunks (WfCuda         *cuda,
               const WfImage  *image,
               gsize           bytes,
               char           *packed,
               GError        **error)
{
  WfCudaStaging *staging = cuda->staging;
  int            i       = 0;

  for (gsize start = 0; start < bytes; start += BUFFER_BYTES, i = (i + 1) % N_BUFFERS)
    {
      const gsize n = chunk_size (bytes, start);

      WF_CUDA_CHECK (cudaEventSynchronize (staging->done[i]));
      copy_chunk (staging, image, start, n, staging->buffers[i], false);
      WF_CUDA_CHECK (cudaMemcpyAsync (packed + start, staging->buffers[i], n,
                                      cudaMemcpyHostToDevice, cuda->stream));
      WF_CUDA_CHECK (cudaEventRecord (staging->done[i], cuda->stream));
      if (! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  return TRUE;
}

static GMutex *
find_turn (const WfCuda *cuda,
           bool          out)
{
  return &turns[cuda->device % N_TURNS][out];
}

static gboolean
upload_by_ring (WfCuda         *cuda,
                const WfImage  *image,
                gsize           bytes,
                char           *packed,
                GError        **error)
{
  GMutex   *turn = find_turn (cuda, false);
  gboolean  done;

  g_mutex_lock (turn);
  done = upload_chunks (cuda, image, bytes, packed, error);
  g_mutex_unlock (turn);
  return done;
}

/* Queues the copy of one chunk to its buffer. */
static cudaError_t
fetch_chunk (WfCuda     *cuda,
             const char *packed,
             gsize       bytes,
             gsize       start)
{
  WfCudaStaging *staging = cuda->staging;
  const int      i       = start / BUFFER_BYTES % N_BUFFERS;
  cudaError_t    status;

  status = cudaMemcpyAsync (staging->buffers[i], packed + start, chunk_size (bytes, start),
                            cudaMemcpyDeviceToHost, cuda->stream);
  return status == cudaSuccess ? cudaEventRecord (staging->done[i], cuda->stream) : status;
}

/* The device is as far ahead as there are buffers. */
static cudaError_t
download_chunks (WfCuda         *cuda,
                 const char     *packed,
                 gsize           bytes,
                 const WfImage  *image)
{
  WfCudaStaging *staging = cuda->staging;
  gsize          fetched = 0;
  cudaError_t    status;

  for (gsize start = 0; start < bytes; start += BUFFER_BYTES)
    {
      const int i = start / BUFFER_BYTES % N_BUFFERS;

      for (; fetched < MIN (bytes, start + N_BUFFERS * (gsize) BUFFER_BYTES);
           fetched += BUFFER_BYTES)
        if ((status = fetch_chunk (cuda, packed, bytes, fetched)) != cudaSuccess)
          return status;
      if ((status = cudaEventSynchronize (staging->done[i])) != cudaSuccess)
        return status;
      copy_chunk (staging, image, start, chunk_size (bytes, start), staging->buffers[i], true);
    }
  return cudaSuccess;
}

static cudaError_t
download_by_ring (WfCuda         *cuda,
                  const char     *packed,
                  gsize           bytes,
                  const WfImage  *image)
{
  GMutex      *turn = find_turn (cuda, true);
  cudaError_t  status;

  /* not while the turn is had: the work before it may take long */
  status = cudaStreamSynchronize (cuda->stream);
  if (status != cudaSuccess)
    return status;
  g_mutex_lock (turn);
  status = download_chunks (cuda, packed, bytes, image);
  g_mutex_unlock (turn);
  return status;
}


/*  By the device alone  */

gboolean
wf_cuda_is_pinned (gconstpointer address)
{
  cudaPointerAttributes attributes;

  if (cudaPointerGetAttributes (&attributes, address) != cudaSuccess)
    {
      cudaGetLastError ();
      return FALSE;
    }
  return attributes.type == cudaMemoryTypeHost;
}

bool
wf_cuda_needs_ring (const WfImage *image,
                    gsize          bytes)
{
  const gsize pixel = wf_type_size (image->type);
  const gsize last  = ((image->depth - 1) * image->slice_stride
                       + (image->height - 1) * image->row_stride + image->width) * pixel - 1;

  if (image->height > 1 && image->width * pixel < SHORT_ROW)
    return true;
  return bytes > SMALL_BYTES &&
         ! (wf_cuda_is_pinned (image->data) &&
            wf_cuda_is_pinned ((const char *) image->data + last));
}

/* @n bytes between the host, @here, and the device, in pieces: a device has one engine for each
 * direction, and the few bytes that another stream waits for come between two pieces.
 */
static cudaError_t
copy_bytes (cudaStream_t    stream,
            char           *here,
            char           *there,
            size_t          n,
            cudaMemcpyKind  direction)
{
  cudaError_t status = cudaSuccess;

  for (size_t start = 0; start < n && status == cudaSuccess; start += TURN_BYTES)
    {
      const size_t bytes = MIN (n - start, TURN_BYTES);

      status = direction == cudaMemcpyHostToDevice
               ? cudaMemcpyAsync (there + start, here + start, bytes, direction, stream)
               : cudaMemcpyAsync (here + start, there + start, bytes, direction, stream);
    }
  return status;
}

/* The same for rows of @width bytes, which begin @stride bytes apart on the host. */
static cudaError_t
copy_rows (cudaStream_t    stream,
           char           *here,
           size_t          stride,
           char           *there,
           size_t          width,
           gint64          n,
           cudaMemcpyKind  direction)
{
  const gint64 rows   = MAX (1, (gint64) (TURN_BYTES / width));
  cudaError_t  status = cudaSuccess;

  for (gint64 y = 0; y < n && status == cudaSuccess; y += rows)
    {
      const size_t height = MIN (n - y, rows);

      status = direction == cudaMemcpyHostToDevice
               ? cudaMemcpy2DAsync (there + y * width, width, here + y * stride, stride, width,
                                    height, direction, stream)
               : cudaMemcpy2DAsync (here + y * stride, stride, there + y * width, width, width,
                                    height, direction, stream);
    }
  return status;
}

cudaError_t
wf_cuda_copy_view (cudaStream_t     stream,
                   const WfImage   *image,
                   char            *packed,
                   cudaMemcpyKind   direction)
{
  const size_t pixel  = wf_type_size (image->type);
  const size_t width  = image->width * pixel;
  const size_t stride = image->row_stride * pixel;
  cudaError_t  status = cudaSuccess;

  for (gint64 z = 0; z < image->depth && status == cudaSuccess; z++)
    {
      char *here  = (char *) image->data + z * image->slice_stride * pixel;
      char *there = packed + z * width * image->height;

      status = image->height == 1
               ? copy_bytes (stream, here, there, width, direction)
               : copy_rows (stream, here, stride, there, width, image->height, direction);
    }
  return status;
}

/* The lowest index of a pixel that is not a number. */
static __global__ void __launch_bounds__ (NAN_THREADS)
find_nan (const float        *pixels,
          gint64              n,
          unsigned long long *first)
{
  for (gint64 p = blockIdx.x * (gint64) NAN_THREADS + threadIdx.x; p < n;
       p += (gint64) gridDim.x * NAN_THREADS)
    if (pixels[p] != pixels[p])
      {
        atomicMin (first, (unsigned long long) p);
        return;
      }
}

static gboolean
check_nan (WfCuda         *cuda,
           const WfImage  *image,
           const char     *what,
           const float    *pixels,
           GError        **error)
{
  const gint64                      n = wf_image_n_pixels (image);
  WfDeviceArray<unsigned long long> first;
  unsigned long long                found;

  if (! first.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (first.data, 0xff, sizeof found, cuda->stream));
  find_nan<<<wf_cuda_blocks (cuda, n, NAN_THREADS), NAN_THREADS, 0, cuda->stream>>>
    (pixels, n, first.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, &found, first.data, sizeof found, error))
    return FALSE;
  return found >= (unsigned long long) n ||
         wf_refuse_nan (what, found / image->width % image->height, error);
}

gboolean
wf_cuda_upload (WfCuda         *cuda,
                const WfImage  *image,
                const char     *what,
                gpointer        packed,
                GError        **error)
{
  const WfImage joined = wf_cuda_join_rows (image);
  const gsize   bytes  = wf_image_n_pixels (image) * wf_type_size (image->type);

  if (wf_cuda_needs_ring (&joined, bytes))
    {
      if (! ensure_staging (cuda, error) ||
          ! upload_by_ring (cuda, &joined, bytes, (char *) packed, error))
        return FALSE;
    }
  else
    WF_CUDA_CHECK (wf_cuda_copy_view (cuda->stream, &joined, (char *) packed,
                                      cudaMemcpyHostToDevice));
  return ! what || image->type != WF_TYPE_F32 ||
         check_nan (cuda, image, what, (const float *) packed, error);
}

/* Everything that can fail happens before the first byte of the first result is written.  After
 * that, only the loss of the device can leave results incomplete.
 */
static gboolean
write_image (WfCuda         *cuda,
             gconstpointer   packed,
             WfImage        *image,
             bool            waits,
             GError        **error)
{
  const WfImage joined    = wf_cuda_join_rows (image);
  const gsize   bytes     = wf_image_n_pixels (image) * wf_type_size (image->type);
  const bool    committed = cuda->run->committed;
  bool          by_ring   = wf_cuda_needs_ring (&joined, bytes);
  cudaError_t   status;

  if (! committed && ((by_ring && ! ensure_staging (cuda, error)) ||
                      (waits && ! wf_cuda_wait (cuda, error))))
    return FALSE;

  wf_cuda_commit (cuda);
  wf_cuda_time_results (cuda);
  if (committed && by_ring)
    by_ring = ensure_staging (cuda, NULL);
  status = by_ring ? download_by_ring (cuda, (const char *) packed, bytes, &joined)
                   : wf_cuda_copy_view (cuda->stream, &joined, (char *) packed,
                                        cudaMemcpyDeviceToHost);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize (cuda->stream);
  return status == cudaSuccess || wf_cuda_succeeded (status, error);
}

gboolean
wf_cuda_download (WfCuda         *cuda,
                  gconstpointer   packed,
                  WfImage        *image,
                  GError        **error)
{
  return write_image (cuda, packed, image, true, error);
}

gboolean
wf_cuda_deliver (WfCuda         *cuda,
                 gconstpointer   packed,
                 WfImage        *image,
                 GError        **error)
{
  return write_image (cuda, packed, image, false, error);
}
