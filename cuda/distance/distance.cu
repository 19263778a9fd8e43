/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps on a GPU: the algorithms as variants, and the transfer of a task's images.
 * engine/distance/distance.c has the definition.
 */

#include "distance.cuh"
#include "cuda/core/pixels.cuh"

/* @memory: on the device, beyond the images */
typedef struct
{
  gboolean (* supports) (const WfDistanceTask *task);
  guint64  (* memory)   (const WfDistanceTask *task);
  gboolean (* run)      (WfCuda *cuda, const WfCudaDistance *distance,
                         WfDeviceArray<guint8> *memory, int **absent, GError **error);
} Transform;

static const Transform local =
{
  wf_cuda_distance_local_supports, wf_cuda_distance_local_memory, wf_cuda_distance_local
};

static const Transform envelope =
{
  wf_cuda_distance_envelope_supports, wf_cuda_distance_envelope_memory, wf_cuda_distance_envelope
};

static const Transform propagation =
{
  wf_cuda_distance_propagation_supports, wf_cuda_distance_propagation_memory,
  wf_cuda_distance_propagation
};

static const Transform proximate =
{
  wf_cuda_distance_proximate_supports, wf_cuda_distance_proximate_memory,
  wf_cuda_distance_proximate
};

static const Transform proximate_strided =
{
  wf_cuda_distance_proximate_supports, wf_cuda_distance_proximate_memory,
  wf_cuda_distance_proximate_strided
};

static gboolean
read_absent (WfCuda                *cuda,
             const WfCudaDistance  *distance,
             const int             *absent,
             GError               **error)
{
  int nothing;

  if (! wf_cuda_read (cuda, &nothing, absent, sizeof nothing, error))
    return FALSE;
  *distance->no_background = ! distance->task->border_background && nothing;
  return TRUE;
}


/*  Bands  */

/* The positions of a band's columns: before and after it, or the first and last in it. */
static gint64
count_positions (const WfDistanceTask *task)
{
  return task->band ? 2 * wf_distance_count_kinds (task) * wf_cuda_distance_count_columns (task)
                    : 0;
}

static WfImage
view_of (const gint32 *positions,
         gint64        n)
{
  return { WF_TYPE_U32, n, 1, 1, n, n, (gpointer) positions };
}

/* Gives @distance the sites before and after the band. */
static gboolean
upload_ends (WfCuda                 *cuda,
             WfCudaDistance         *distance,
             WfDeviceArray<gint32>  *ends,
             GError                **error)
{
  const WfDistanceBand *band = distance->task->band;
  const gint64          n    = wf_cuda_distance_count_columns (distance->task);

  if (! ends->allocate (cuda, count_positions (distance->task), error))
    return FALSE;
  for (int kind = 0; kind < wf_distance_count_kinds (distance->task); kind++)
    {
      gint32       *here   = ends->data + 2 * kind * n;
      const WfImage before = view_of (band->before[kind], n);
      const WfImage after  = view_of (band->after[kind], n);

      if (! wf_cuda_upload (cuda, &before, NULL, here, error) ||
          ! wf_cuda_upload (cuda, &after, NULL, here + n, error))
        return FALSE;
      distance->before[kind] = here;
      distance->after[kind]  = here + n;
    }
  return TRUE;
}

static gboolean
download_positions (WfCuda        *cuda,
                    const gint32  *positions,
                    gint64         n,
                    gint32        *result,
                    GError       **error)
{
  WfImage view = view_of (result, n);

  return ! result || wf_cuda_download (cuda, positions, &view, error);
}

static gboolean
download_summary (WfCuda                *cuda,
                  const WfDistanceTask  *task,
                  const gint32          *positions,
                  GError               **error)
{
  const gint64 n = wf_cuda_distance_count_columns (task);

  for (int kind = 0; kind < wf_distance_count_kinds (task); kind++, positions += 2 * n)
    if (! download_positions (cuda, positions, n, task->band->firsts[kind], error) ||
        ! download_positions (cuda, positions + n, n, task->band->lasts[kind], error))
      return FALSE;
  return TRUE;
}

static guint64
summary_memory (const WfDistanceTask *task)
{
  return wf_shape_n_pixels (&task->shape) * wf_type_size (task->image->type)
         + count_positions (task) * sizeof (gint32) + wf_cuda_distance_summary_memory (task);
}

static gboolean
run_summary (const WfDistanceTask  *task,
             WfRun                 *state,
             GError               **error)
{
  const gint64          bytes = wf_shape_n_pixels (&task->shape) * wf_type_size (task->image->type);
  WfCudaSession         session;
  WfDeviceArray<guint8> image;
  WfDeviceArray<guint8> memory;
  WfDeviceArray<gint32> positions;
  WfCudaDistance        distance = { task };

  wf_run_begin (state, 1.0, 1);
  if (! session.begin (state, error) ||
      ! wf_cuda_check_memory (session.cuda, summary_memory (task), error) ||
      ! image.allocate (session.cuda, bytes, error) ||
      ! positions.allocate (session.cuda, count_positions (task), error) ||
      ! wf_cuda_upload (session.cuda, task->image, _("image"), image.data, error))
    return FALSE;

  distance.image = image.data;
  wf_cuda_time_begin (session.cuda);
  if (! wf_cuda_distance_summary (session.cuda, &distance, &memory, positions.data, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return wf_cuda_advance (session.cuda, 1, error) &&
         download_summary (session.cuda, task, positions.data, error);
}


/*  Windows  */

/* What the part that is downloaded takes. */
static guint64
window_memory (const WfDistanceTask *task)
{
  return task->window ? task->shape.width * task->shape.height * sizeof (float) + sizeof (int) : 0;
}

/* Downloads the window's part of the distances @whole, unless one is too long. */
static gboolean
download_window (WfCuda                *cuda,
                 const WfDistanceTask  *task,
                 const float           *whole,
                 GError               **error)
{
  WfDeviceArray<float> out;
  WfDeviceArray<int>   exceeded;
  int                  is_exceeded;

  if (! out.allocate (cuda, wf_image_n_pixels (task->out), error) ||
      ! exceeded.allocate (cuda, 1, error))
    return FALSE;
  wf_cuda_time_begin (cuda);
  if (! wf_cuda_distance_cut_out (cuda, task, whole, out.data, exceeded.data, error))
    return FALSE;
  wf_cuda_time_end (cuda);
  if (! wf_cuda_read (cuda, &is_exceeded, exceeded.data, sizeof is_exceeded, error))
    return FALSE;
  task->window->is_exceeded = is_exceeded;
  return is_exceeded || wf_cuda_download (cuda, out.data, task->out, error);
}

static gboolean
download_distances (WfCuda                *cuda,
                    const WfDistanceTask  *task,
                    gconstpointer          distances,
                    GError               **error)
{
  if (! task->out)
    return TRUE;
  return task->window ? download_window (cuda, task, (const float *) distances, error)
                      : wf_cuda_download (cuda, distances, task->out, error);
}


/*  The variants  */

/* On the device, in all. */
static guint64
memory_of (const WfDistanceTask *task,
           const Transform      *algorithm)
{
  const gint64 n = wf_shape_n_pixels (&task->shape);

  if (wf_distance_is_summary (task))
    return summary_memory (task);
  return count_positions (task) * sizeof (gint32) + window_memory (task) +
         n * (wf_type_size (task->image->type)
              + (task->out ? wf_type_size (task->out->type) : 0)
              + (task->nearest ? sizeof (guint64) : 0))
         + algorithm->memory (task);
}

static gboolean
run (const WfDistanceTask  *task,
     const Transform       *algorithm,
     WfRun                 *state,
     GError               **error)
{
  const gint64           n       = wf_shape_n_pixels (&task->shape);
  const gsize            out_size = task->out ? wf_type_size (task->out->type) : 0;
  WfCudaSession          session;
  WfCudaPixels<guint8>   image;
  WfCudaPixels<guint8>   out;
  WfCudaPixels<guint64>  nearest;
  WfDeviceArray<guint8>  memory;
  WfDeviceArray<gint32>  ends;
  WfCudaDistance         distance = { task };
  int                   *absent;

  if (wf_distance_is_summary (task))
    return run_summary (task, state, error);
  if (! session.begin (state, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_of (task, algorithm), error) ||
      ! image.take (session.cuda, task->image, _("image"), error) ||
      (task->out && ! out.make_room (session.cuda, task->window ? NULL : task->out, task->image,
                                     n * out_size, error)) ||
      (task->nearest && ! nearest.make_room (session.cuda, task->nearest, task->image, n, error)) ||
      (task->band && ! upload_ends (session.cuda, &distance, &ends, error)))
    return FALSE;

  distance.image         = image.data;
  distance.out           = out.data;
  distance.nearest       = nearest.data;
  distance.no_background = task->no_background;
  distance.share         = 0.9;
  wf_cuda_time_begin (session.cuda);
  if (! algorithm->run (session.cuda, &distance, &memory, &absent, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);

  wf_run_begin (state, 1 - distance.share, 1);
  return read_absent (session.cuda, &distance, absent, error) &&
         wf_cuda_advance (session.cuda, 1, error) &&
         download_distances (session.cuda, task, out.data, error) &&
         (! task->nearest || wf_cuda_download (session.cuda, nearest.data, task->nearest, error));
}

#define AS_VARIANT(algorithm) \
  static gboolean \
  supports_##algorithm (gconstpointer task) \
  { \
    return algorithm.supports ((const WfDistanceTask *) task); \
  } \
\
  static gboolean \
  run_##algorithm (gconstpointer   task, \
                   WfRun          *state, \
                   GError        **error) \
  { \
    return run ((const WfDistanceTask *) task, &algorithm, state, error); \
  } \
\
  static guint64 \
  memory_##algorithm (gconstpointer device, \
                      gconstpointer task) \
  { \
    return memory_of ((const WfDistanceTask *) task, &algorithm); \
  }

AS_VARIANT (local)
AS_VARIANT (envelope)
AS_VARIANT (propagation)
AS_VARIANT (proximate)
AS_VARIANT (proximate_strided)

/* `scan` is `envelope` where that scans: for city-block distances in integers.  It stays as a
 * name of its own because variants' names are public, and reports say which pass was used.
 */
static gboolean
supports_scan (gconstpointer data)
{
  const WfDistanceTask *task = (const WfDistanceTask *) data;

  return task->metric == WF_METRIC_CITY_BLOCK && task->exact_integers &&
         ! wf_distance_is_summary (task) && envelope.supports (task);
}

#define VARIANT(algorithm, name, suits) \
  { name, supports_##algorithm, suits, NULL, run_##algorithm, TRUE, memory_##algorithm }

const WfVariant wf_cuda_distance_variants[] =
{
  VARIANT (local, "local", NULL),
  { "scan", supports_scan, NULL, NULL, run_envelope, TRUE, memory_envelope },
  VARIANT (envelope, "envelope", NULL),
  VARIANT (propagation, "propagation", wf_by_name_only),
  VARIANT (proximate, "proximate", wf_by_name_only),
  VARIANT (proximate_strided, "proximate-strided", wf_by_name_only),
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
