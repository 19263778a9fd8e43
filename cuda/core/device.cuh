/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every operation on a GPU needs: checked calls, memory that frees itself, the
 * time that the device works, and cancelling between launches.
 *
 * A context keeps a #WfCuda for its device: a stream of its own, so that contexts in
 * several threads do not wait for each other, and a pool of device memory, so that an
 * operation finds the memory of the one before.  A variant's run begins with a
 * #WfCudaSession, which lends it that #WfCuda:
 *
 *   WfCudaSession        session;
 *   WfDeviceArray<guint8> image;
 *
 *   if (! session.begin (run, error) ||
 *       ! wf_cuda_check_memory (session.cuda, bytes, error) ||
 *       ! image.allocate (session.cuda, n, error) ||
 *       ! wf_cuda_upload (session.cuda, task->image, image.data, error))
 *     return FALSE;
 *
 * All of it is queued on session.cuda->stream, or joined by it (transfer.cuh).  When the
 * session ends, on whatever path, the device has finished with the caller's memory.
 *
 * The vocabulary of all kernels is in this folder: dispatch.cuh (from a type to a template's
 * instance), lanes.cuh (warps), block-scan.cuh, union-find.cuh, ordered-key.cuh,
 * foreground.cuh.  In it, as everywhere in cuda/:
 *
 * - Whole numbers are GLib's (guint8, guint32, gint64), as in the rest of the library; int
 *   for what is small, bool for flags in kernels, gboolean where a function reports success.
 * - A device function is `__device__ __forceinline__`, unless its callers must not grow
 *   (`__noinline__`, with the reason).
 * - What only one algorithm uses is in a namespace of that algorithm.
 * - A header can be included by itself; a chapter of one file is called .inc.cuh.
 *
 * CUB and Thrust are not used.  An operation here is a few kernels for tiles whose pixels
 * stay in registers and shared memory.  They would take from CUB a sum over a block and the
 * reductions of a warp, a page of code.  A pass over the whole device in its interface (scan,
 * sort, select) would read and write once more what the kernels fuse with their own work, and
 * its temporary memory, which depends on CUB's version and on the device, would have to be
 * known to device_memory() before anything is allocated.  Its headers add three to seven
 * seconds to the compilation of a file, and tests/kernels, which runs these sources on the
 * CPU with an ordinary C++ compiler, could not run them.
 */

#pragma once

#include <cuda_runtime.h>
#include <glib/gi18n-lib.h>

#include "engine/core/tasks.h"

/* Both in a function that returns gboolean and has a GError **error. */
#define WF_CUDA_CHECK(call) \
  do \
    { \
      if (! wf_cuda_succeeded ((call), error)) \
        return FALSE; \
    } \
  while (0)

#define WF_CUDA_CHECK_LAUNCH() WF_CUDA_CHECK (cudaGetLastError ())

struct WfCudaPool;
typedef struct _WfCudaStaging WfCudaStaging;

/* Timed spans that are kept before they are added, and bands of one transfer, at most. */
#define WF_CUDA_SPANS 8
#define WF_CUDA_BANDS 3

/* Beginnings of steps that are kept. */
#define WF_CUDA_STEPS 16

/**
 * WfCuda:
 * @run: the operation under way
 * @stream: everything is queued here, but for transfers in bands (transfer.cuh)
 * @device: CUDA's number of the device
 * @n_units: its multiprocessors
 * @capability: 75, 80, 86, 89, 90, …
 * @shared_bytes: the most shared memory that a block may ask for
 * @threads_per_unit: the most threads that a multiprocessor holds
 * @l2_bytes: size of the second-level cache
 * @pool: where memory comes from, or %NULL where the device has no pools
 * @told: memory of the host where a kernel can store a number for wf_cuda_listen()
 *
 * A context's state on a device.
 */
struct WfCuda
{
  WfRun         *run;
  cudaStream_t   stream;
  int            device;
  int            n_units;
  int            capability;
  size_t         shared_bytes;
  int            threads_per_unit;
  size_t         l2_bytes;
  WfCudaPool    *pool;
  guint32       *told;

  /*< private >*/
  void          *small;     /* pinned memory for wf_cuda_read() */
  cudaEvent_t    answered;  /* the answer to wf_cuda_ask() has arrived */
  cudaEvent_t    times[WF_CUDA_SPANS][2];
  int            n_times;   /* spans that are not added yet */
  bool           timing;    /* a span has begun */
  cudaEvent_t    sent[2];   /* results begin to leave the device, and have left it */
  bool           sending;   /* they have begun to */
  cudaStream_t   transfers; /* where bands and answers are copied */
  cudaEvent_t    bands[WF_CUDA_BANDS];
  cudaEvent_t    joined;    /* for one stream to wait for the other */
  cudaEvent_t    entered;   /* the caller's stream has done what comes before */
  bool           apart;     /* the stream does not wait for everything in transfers */
  WfCudaStaging *staging;   /* pinned memory for transfers, once needed */
  WfCuda        *next;      /* of all that are open */
  cudaEvent_t    steps[WF_CUDA_STEPS];      /* steps begin, once there are any */
  const char    *step_names[WF_CUDA_STEPS]; /* NULL: only the one before has ended */
  int            n_steps;
};

bool      wf_cuda_succeeded    (cudaError_t      status,
                                GError         **error);
gpointer  wf_cuda_open         (guint            device,
                                GError         **error);
void      wf_cuda_close        (gpointer         cuda);

/* The device memory that @variant takes in all; fails if it is not available.  The variant's
 * device_memory() gets a #WfCuda with the device's properties only.
 */
gboolean  wf_cuda_foresee      (int              device,
                                const WfVariant *variant,
                                gconstpointer    task,
                                guint64         *bytes,
                                GError         **error);

/* Memory of the current device that can be allocated, including what is spare in the pools. */
gboolean  wf_cuda_find_memory  (int              device,
                                guint64         *available,
                                guint64         *total,
                                GError         **error);

/* Fails if @bytes do not fit the device; to be called before anything is allocated. */
gboolean  wf_cuda_check_memory (WfCuda          *cuda,
                                guint64          bytes,
                                GError         **error);
gboolean  wf_cuda_allocate     (WfCuda          *cuda,
                                void           **data,
                                gint64           n,
                                gsize            size,
                                GError         **error);
void      wf_cuda_free         (WfCuda          *cuda,
                                void            *data);

/* Small results: waits until everything queued is done and @bytes are here. */
gboolean  wf_cuda_read         (WfCuda          *cuda,
                                gpointer         host,
                                gconstpointer    device,
                                gsize            bytes,
                                GError         **error);
gboolean  wf_cuda_wait         (WfCuda          *cuda,
                                GError         **error);

/* The same in two steps, between which the stream goes on with what is queued; the bytes
 * must not change in between.  At most 4096 bytes.
 */
gboolean  wf_cuda_ask          (WfCuda          *cuda,
                                gconstpointer    device,
                                gsize            bytes,
                                GError         **error);
gboolean  wf_cuda_answer       (WfCuda          *cuda,
                                gpointer         host,
                                gsize            bytes,
                                GError         **error);

/* Waits until a kernel has stored something other than 0 in the state's @told, which was 0, or
 * until everything queued is done.
 */
gboolean  wf_cuda_listen       (WfCuda          *cuda,
                                guint32         *told,
                                GError         **error);

/* Fork: transfers wait for what is queued on the stream.  Join: the reverse. */
gboolean  wf_cuda_fork         (WfCuda          *cuda,
                                GError         **error);
void      wf_cuda_join         (WfCuda          *cuda);

/* From here on results are written, and nothing can be cancelled. */
void      wf_cuda_commit       (WfCuda          *cuda);

/* Counts @amount of the run's phase as done; sets the error once the user has
 * cancelled.  It does not wait for the device.
 */
gboolean  wf_cuda_advance      (WfCuda          *cuda,
                                gint64           amount,
                                GError         **error);

/* What is queued between the two is counted in the report's device_seconds, as often as
 * there are such spans.
 */
void      wf_cuda_time_begin   (WfCuda          *cuda);
void      wf_cuda_time_end     (WfCuda          *cuda);

/* What is queued from now on is step @name, a static string, in the report; %NULL: none. */
void      wf_cuda_step         (WfCuda          *cuda,
                                const char      *name);

/* What is queued from now on brings results to the host: counted in the run's download_seconds. */
void      wf_cuda_time_results (WfCuda          *cuda);

/* Device memory that is freed, in the order of the stream, when its owner leaves. */
template <typename T>
struct WfDeviceArray
{
  T      *data = nullptr;
  WfCuda *cuda = nullptr;

  WfDeviceArray () = default;
  WfDeviceArray (const WfDeviceArray &) = delete;
  WfDeviceArray &operator= (const WfDeviceArray &) = delete;

  ~WfDeviceArray ()
  {
    clear ();
  }

  /* Not initialized.  What the array held before is freed. */
  gboolean
  allocate (WfCuda  *owner,
            gint64   n,
            GError **error)
  {
    clear ();
    cuda = owner;
    return wf_cuda_allocate (owner, (void **) &data, n, sizeof (T), error);
  }

  /* Hands the memory over, which has another owner then. */
  T *
  take ()
  {
    T *taken = data;

    data = nullptr;
    return taken;
  }

  void
  clear ()
  {
    if (data)
      wf_cuda_free (cuda, data);
    data = nullptr;
  }
};

/* Restores the caller's current device at the end of the scope. */
struct WfCudaHere
{
  int device;

  WfCudaHere ();
  WfCudaHere (const WfCudaHere &) = delete;
  WfCudaHere &operator= (const WfCudaHere &) = delete;
  ~WfCudaHere ();
};

/* A run's use of its context's device, from begin() until it leaves its scope. */
struct WfCudaSession
{
  WfCudaHere  here;
  WfCuda     *cuda = nullptr;

  WfCudaSession () = default;
  WfCudaSession (const WfCudaSession &) = delete;
  WfCudaSession &operator= (const WfCudaSession &) = delete;
  ~WfCudaSession ();

  gboolean begin (WfRun   *run,
                  GError **error);
};

/* Blocks of @threads for @n pixels with a loop over the grid: enough to fill the
 * device @waves times over.
 */
static inline unsigned int
wf_cuda_blocks (const WfCuda *cuda,
                gint64        n,
                int           threads,
                int           waves = 4)
{
  gint64 wanted = (n + threads - 1) / threads;
  gint64 room   = (gint64) cuda->n_units * MAX (1, cuda->threads_per_unit / threads) * waves;

  return (unsigned int) CLAMP (wanted, 1, room);
}

extern const WfVariant wf_cuda_distance_variants[];
extern const WfVariant wf_cuda_erosion_variants[];
extern const WfVariant wf_cuda_gaussian_variants[];
extern const WfVariant wf_cuda_gradient_variants[];
extern const WfVariant wf_cuda_hierarchy_variants[];
extern const WfVariant wf_cuda_expand_variants[];
extern const WfVariant wf_cuda_label_tool_variants[];
extern const WfVariant wf_cuda_label_variants[];
extern const WfVariant wf_cuda_measure_variants[];
extern const WfVariant wf_cuda_morphology_variants[];
extern const WfVariant wf_cuda_threshold_variants[];
extern const WfVariant wf_cuda_watershed_variants[];
extern const WfVariant wf_cuda_reconstruct_variants[];
