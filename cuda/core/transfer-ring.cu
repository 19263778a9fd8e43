/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images between the caller's memory and the device through a ring of pinned buffers.
 *
 * An image is cut into chunks, one a buffer, and these into pieces.  Threads copy the pieces
 * between the view and the buffers, in order, each the next one that nobody has taken, while the
 * device copies the chunks before them, or for results those after them.  A thread that is late
 * delays its own chunk only: those that follow are copied meanwhile, as far as there are buffers.
 * A single thread would copy, and touch new pages, several times slower than the bus.
 *
 * Results are stored past the caches (streaming stores): nobody reads them here, and a cache would
 * first read each line that is then written as a whole.
 *
 * Bytes: of each pixel the host reads and writes as many as it has, twice with the device's.
 */

#include "transfer-views.cuh"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define N_BUFFERS    8
#define BUFFER_BYTES ((gsize) 8 << 20)

/* Bytes that a thread copies at a time. */
#define PIECE_BYTES  ((gsize) 512 << 10)

/* Chunks that threads work on at a time; the other buffers are the device's. */
#define N_AT_WORK    3

/* More threads do not copy faster. */
#define MAX_THREADS  24

/* Devices whose transfers do not wait for each other. */
#define N_TURNS      64

/* Bytes of a streaming store, and of a step of the loop. */
#define STORE        16
#define STEP         64

/* Of each device and direction: one transfer at a time has all threads of the CPU.  Those of two
 * streams of a device would only wait for each other, chunk by chunk.
 */
static GMutex turns[N_TURNS][2];

/**
 * WfCudaStaging:
 * @done: the device has finished with the buffer
 * @lock: of all that follows
 * @changed: there are pieces to copy, or the transfer is over; @copied: a chunk is complete
 * @image: the view; @bytes: its size; @out: whether they go to the view
 * @next: where the first piece begins that nobody has taken, in bytes of the packed image
 * @ready: where those end that may be copied
 * @n_left: for each buffer the pieces that are not copied yet
 * @n_helpers: threads that have begun; @over: they are to end
 */
struct _WfCudaStaging
{
  char          *buffers[N_BUFFERS];
  cudaEvent_t    done[N_BUFFERS];
  GThreadPool   *threads;
  int            n_threads;
  GMutex         lock;
  GCond          changed;
  GCond          copied;
  const WfImage *image;
  gsize          bytes;
  bool           out;
  gsize          next;
  gsize          ready;
  int            n_left[N_BUFFERS];
  int            n_helpers;
  bool           over;
};


/*  Copying on the host  */

/* Copies @n bytes to memory that is not read soon. */
static void
store_bytes (char       *to,
             const char *from,
             gsize       n)
{
#ifdef __SSE2__
  const gsize head = MIN (n, (STORE - (guintptr) to % STORE) % STORE);
  gsize       at   = head;

  memcpy (to, from, head);
  for (; at + STEP <= n; at += STEP)
    for (int k = 0; k < STEP; k += STORE)
      _mm_stream_si128 ((__m128i *) (to + at + k),
                        _mm_loadu_si128 ((const __m128i *) (from + at + k)));
  memcpy (to + at, from + at, n - at);
#else
  memcpy (to, from, n);
#endif
}

/* What was stored is seen by others before what is stored next. */
static void
finish_stores (void)
{
#ifdef __SSE2__
  _mm_sfence ();
#endif
}

static char *
find_buffer (const WfCudaStaging *staging,
             gsize                at)
{
  return staging->buffers[at / BUFFER_BYTES % N_BUFFERS] + at % BUFFER_BYTES;
}

/* A part of the packed image to or from the rows of the view. */
static void
copy_piece (const WfCudaStaging *staging,
            gsize                start,
            gsize                end)
{
  const WfImage *image = staging->image;
  const gsize    width = image->width * wf_type_size (image->type);

  for (gsize at = start; at < end; )
    {
      const gsize  offset = at % width;
      const gsize  n      = MIN (width - offset, end - at);
      char        *pixels = (char *) wf_image_row (image, at / width) + offset;
      char        *buffer = find_buffer (staging, at);

      if (staging->out)
        store_bytes (pixels, buffer, n);
      else
        memcpy (buffer, pixels, n);
      at += n;
    }
  if (staging->out)
    finish_stores ();
}

/* Takes the next piece and copies it, called and left with the lock held; false if there is
 * none.
 */
static bool
copy_next (WfCudaStaging *staging)
{
  const gsize start  = staging->next;
  const gsize end    = MIN (start + PIECE_BYTES, staging->bytes);
  int        *n_left = &staging->n_left[start / BUFFER_BYTES % N_BUFFERS];

  if (start >= staging->ready)
    return false;
  staging->next = end;
  g_mutex_unlock (&staging->lock);
  copy_piece (staging, start, end);
  g_mutex_lock (&staging->lock);
  if (--*n_left == 0)
    g_cond_signal (&staging->copied);
  return true;
}

/* A thread that begins late helps with the transfer after, or ends at once. */
static void
help (gpointer data,
      gpointer user_data)
{
  WfCudaStaging *staging = (WfCudaStaging *) user_data;

  g_mutex_lock (&staging->lock);
  staging->n_helpers++;
  while (! staging->over)
    if (! copy_next (staging))
      g_cond_wait (&staging->changed, &staging->lock);
  if (--staging->n_helpers == 0)
    g_cond_signal (&staging->copied);
  g_mutex_unlock (&staging->lock);
}


/*  A transfer  */

static void
begin_transfer (WfCudaStaging *staging,
                const WfImage *image,
                gsize          bytes,
                bool           out)
{
  const int n_pieces = (int) MIN ((bytes + PIECE_BYTES - 1) / PIECE_BYTES, (gsize) G_MAXINT);
  const int n        = MIN (staging->n_threads, n_pieces - 1);

  g_mutex_lock (&staging->lock);
  staging->image = image;
  staging->bytes = bytes;
  staging->out   = out;
  staging->next  = 0;
  staging->ready = 0;
  staging->over  = false;
  g_mutex_unlock (&staging->lock);
  for (int i = 0; i < n; i++)
    g_thread_pool_push (staging->threads, staging, NULL);
}

/* Waits for all threads; pieces that were not taken are left. */
static void
end_transfer (WfCudaStaging *staging)
{
  g_mutex_lock (&staging->lock);
  staging->over = true;
  g_cond_broadcast (&staging->changed);
  while (staging->n_helpers > 0)
    g_cond_wait (&staging->copied, &staging->lock);
  g_mutex_unlock (&staging->lock);
}

static gsize
count_chunks (gsize bytes)
{
  return (bytes + BUFFER_BYTES - 1) / BUFFER_BYTES;
}

static gsize
chunk_size (const WfCudaStaging *staging,
            gsize                chunk)
{
  return MIN (BUFFER_BYTES, staging->bytes - chunk * BUFFER_BYTES);
}

/* The pieces of a chunk, whose buffer is the threads', may be copied. */
static void
offer_chunk (WfCudaStaging *staging,
             gsize          chunk)
{
  const gsize n = chunk_size (staging, chunk);

  g_mutex_lock (&staging->lock);
  staging->n_left[chunk % N_BUFFERS] = (int) ((n + PIECE_BYTES - 1) / PIECE_BYTES);
  staging->ready                     = chunk * BUFFER_BYTES + n;
  g_cond_broadcast (&staging->changed);
  g_mutex_unlock (&staging->lock);
}

/* Helps until a chunk has been copied. */
static void
await_chunk (WfCudaStaging *staging,
             gsize          chunk)
{
  g_mutex_lock (&staging->lock);
  while (staging->n_left[chunk % N_BUFFERS] > 0)
    if (! copy_next (staging))
      g_cond_wait (&staging->copied, &staging->lock);
  g_mutex_unlock (&staging->lock);
}

static cudaError_t
await_device (const WfCudaStaging *staging,
              gsize                chunk)
{
  return cudaEventSynchronize (staging->done[chunk % N_BUFFERS]);
}

/* Queues the copy between the device and the buffer of a chunk. */
static cudaError_t
queue_chunk (WfCuda *cuda,
             char   *packed,
             gsize   chunk)
{
  WfCudaStaging *staging = cuda->staging;
  const gsize    n       = chunk_size (staging, chunk);
  char          *buffer  = find_buffer (staging, chunk * BUFFER_BYTES);
  char          *there   = packed + chunk * BUFFER_BYTES;
  cudaError_t    status;

  status = staging->out
           ? cudaMemcpyAsync (buffer, there, n, cudaMemcpyDeviceToHost, cuda->stream)
           : cudaMemcpyAsync (there, buffer, n, cudaMemcpyHostToDevice, cuda->stream);
  return status == cudaSuccess
         ? cudaEventRecord (staging->done[chunk % N_BUFFERS], cuda->stream) : status;
}

static gboolean
upload_chunks (WfCuda   *cuda,
               gsize     bytes,
               char     *packed,
               GError  **error)
{
  WfCudaStaging *staging = cuda->staging;
  const gsize    n       = count_chunks (bytes);

  for (gsize k = 0; k < n + N_AT_WORK - 1; k++)
    {
      if (k < n)
        {
          WF_CUDA_CHECK (await_device (staging, k));
          offer_chunk (staging, k);
        }
      if (k < N_AT_WORK - 1)
        continue;
      await_chunk (staging, k - (N_AT_WORK - 1));
      WF_CUDA_CHECK (queue_chunk (cuda, packed, k - (N_AT_WORK - 1)));
      if (! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  return TRUE;
}

/* The device is as far ahead as there are buffers. */
static cudaError_t
download_chunks (WfCuda *cuda,
                 char   *packed,
                 gsize   bytes)
{
  WfCudaStaging *staging = cuda->staging;
  const gsize    n       = count_chunks (bytes);
  gsize          queued  = 0;
  cudaError_t    status;

  for (gsize k = 0; k < n; k++)
    {
      if (k >= N_AT_WORK)
        await_chunk (staging, k - N_AT_WORK);
      for (; queued < MIN (n, k + N_BUFFERS - N_AT_WORK + 1); queued++)
        if ((status = queue_chunk (cuda, packed, queued)) != cudaSuccess)
          return status;
      if ((status = await_device (staging, k)) != cudaSuccess)
        return status;
      offer_chunk (staging, k);
    }
  for (gsize k = n > N_AT_WORK ? n - N_AT_WORK : 0; k < n; k++)
    await_chunk (staging, k);
  return cudaSuccess;
}

static GMutex *
find_turn (const WfCuda *cuda,
           bool          out)
{
  return &turns[cuda->device % N_TURNS][out];
}

gboolean
wf_cuda_ring_upload (WfCuda         *cuda,
                     const WfImage  *image,
                     gsize           bytes,
                     char           *packed,
                     GError        **error)
{
  GMutex   *turn = find_turn (cuda, false);
  gboolean  done;

  g_mutex_lock (turn);
  begin_transfer (cuda->staging, image, bytes, false);
  done = upload_chunks (cuda, bytes, packed, error);
  end_transfer (cuda->staging);
  g_mutex_unlock (turn);
  return done;
}

cudaError_t
wf_cuda_ring_download (WfCuda        *cuda,
                       const char    *packed,
                       gsize          bytes,
                       const WfImage *image)
{
  GMutex      *turn = find_turn (cuda, true);
  cudaError_t  status;

  /* not while the turn is had: the work before it may take long */
  status = cudaStreamSynchronize (cuda->stream);
  if (status != cudaSuccess)
    return status;
  g_mutex_lock (turn);
  begin_transfer (cuda->staging, image, bytes, true);
  status = download_chunks (cuda, (char *) packed, bytes);
  end_transfer (cuda->staging);
  g_mutex_unlock (turn);
  return status;
}


/*  The ring  */

/* Works without threads where the system refuses them. */
static gboolean
staging_fill (WfCudaStaging  *staging,
              GError        **error)
{
  char *memory;

  WF_CUDA_CHECK (cudaMallocHost (&memory, N_BUFFERS * BUFFER_BYTES));
  for (int i = 0; i < N_BUFFERS; i++)
    staging->buffers[i] = memory + (gsize) i * BUFFER_BYTES;
  for (int i = 0; i < N_BUFFERS; i++)
    WF_CUDA_CHECK (cudaEventCreateWithFlags (&staging->done[i], cudaEventDisableTiming));
  staging->n_threads = MIN ((int) g_get_num_processors (), MAX_THREADS) - 1;
  if (staging->n_threads > 0)
    staging->threads = g_thread_pool_new (help, staging, staging->n_threads, FALSE, NULL);
  if (! staging->threads)
    staging->n_threads = 0;
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
  g_cond_clear (&staging->changed);
  g_cond_clear (&staging->copied);
  g_free (staging);
}

gboolean
wf_cuda_ring_ensure (WfCuda  *cuda,
                     GError **error)
{
  WfCudaStaging *staging;

  if (cuda->staging)
    return TRUE;

  staging = g_new0 (WfCudaStaging, 1);
  g_mutex_init (&staging->lock);
  g_cond_init (&staging->changed);
  g_cond_init (&staging->copied);
  if (! staging_fill (staging, error))
    {
      wf_cuda_staging_free (staging);
      return FALSE;
    }
  cuda->staging = staging;
  return TRUE;
}
