/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed on a GPU, from the definition in engine/watershed/watershed.c:
 *
 *   1. L1, the level at which each pixel is flooded: reconstruction by erosion from the
 *      markers; the image itself without markers;
 *   2. L2, arrows and labels, by tiles whose pixels are bits: flood.cuh; an
 *      image of a few columns or rows, which would leave its tiles empty, as a stack,
 *      whose memory goes with its pixels;
 *   3. lines, where a pixel's neighbour of another basin was flooded before it.
 *
 * That is `steepest`.  `sync`, `async` and `balanced` do 2 and 3 by reducing paths of
 * pixels, as in cuda/watershed/papers/reduction.cu; they are there to be compared with; only by name.
 *
 * An image in pinned memory comes in bands of rows, on whose tiles the work begins at once,
 * and the labels go so; where nothing but an image is flooded (cuda/core/transfer.cuh).
 *
 * An image that is to be smoothed, or whose gradient is to be flooded, is made so first,
 * where it lies (cuda/filters/filters.cu).
 *
 * With a tolerance the markers are the minima of what is left when the raised image is
 * eroded back onto the image (Soille 2003, 6.3.5): a flood that labels nothing else.
 */

#include "cuda/filters/filters.cuh"
#include "cuda/reconstruction/reconstruction.cuh"
#include "cuda/core/transfer.cuh"
#include "flood.cuh"
#include "marker-levels.cuh"
#include "cuda/watershed/papers/reduction.cuh"
#include "watershed.cuh"

/* Images with no more columns, or rows, are taken as stacks of one slice. */
#define THIN 8

/* The memory that floods from markers share. */
typedef struct
{
  WfDeviceArray<guint8>  level;
  WfDeviceArray<guint32> markers;
  WfDeviceArray<guint32> basins;
} Buffers;


gboolean
wf_cuda_flood_fail (WfFloodFailure   failure,
                    GError         **error)
{
  if (failure == WF_FLOOD_TOO_DEEP)
    g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                 _("A plateau of the image is more than %u pixels wide."), WF_DEEPEST);
  else
    g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                 _("The image has more than %u minima."), G_MAXUINT32);
  return FALSE;
}

static gboolean
is_stack (const WfShape *shape,
          int            connectivity)
{
  return wf_is_stack_connectivity (connectivity) ||
         (MIN (shape->width, shape->height) <= THIN && wf_cuda_flood_stack_supports (shape));
}

gboolean
wf_cuda_flood (WfCuda             *cuda,
               const WfCudaFlood  *flood,
               GError            **error)
{
  if (flood->reduction != WF_REDUCTION_NONE)
    return wf_cuda_flood_by_reduction (cuda, flood, error);
  return is_stack (&flood->shape, flood->connectivity) ? wf_cuda_flood_stack (cuda, flood, error)
                                                       : wf_cuda_flood_image (cuda, flood, error);
}

static gboolean
reconstruct_levels (WfCuda                 *cuda,
                    const WfCudaWatershed  *watershed,
                    gpointer                levels,
                    GError                **error)
{
  const WfWatershedTask *task = watershed->task;
  WfCudaReconstruction   work = { task->shape, task->type, WF_BY_EROSION, task->connectivity,
                                  watershed->image, levels, levels };

  return wf_cuda_reconstruct (cuda, &work, error);
}

static WfCudaFlood
start_flood (const WfCudaWatershed *watershed,
             const Buffers         *buffers)
{
  const WfWatershedTask *task  = watershed->task;
  WfCudaFlood            flood = {};

  flood.shape          = task->shape;
  flood.type           = task->type;
  flood.connectivity   = task->connectivity;
  flood.last_index     = task->last_index;
  flood.lines          = task->lines;
  flood.basins         = buffers->basins.data;
  flood.labels         = watershed->labels;
  flood.level          = watershed->image;
  flood.reduction      = watershed->reduction;
  flood.reduction_rate = task->reduction_rate;
  flood.block_size     = task->block_size;
  return flood;
}

/* The labelled minima of the levels that the tolerance leaves. */
static gboolean
find_extended_minima (WfCuda                 *cuda,
                      const WfCudaWatershed  *watershed,
                      Buffers                *buffers,
                      guint32                *n_minima,
                      GError                **error)
{
  const WfWatershedTask *task  = watershed->task;
  const gint64           n     = wf_shape_n_pixels (&task->shape);
  WfCudaFlood            flood = start_flood (watershed, buffers);

  if (! buffers->markers.allocate (cuda, n, error) ||
      ! wf_cuda_raise_levels (cuda, task->type, n, watershed->image, task->tolerance,
                              buffers->level.data, error) ||
      ! reconstruct_levels (cuda, watershed, buffers->level.data, error))
    return FALSE;
  flood.level       = buffers->level.data;
  flood.labels      = buffers->markers.data;
  flood.lines       = FALSE;
  flood.minima_only = TRUE;
  flood.n_minima    = n_minima;
  return wf_cuda_flood (cuda, &flood, error);
}

static gboolean
flood_from_markers (WfCuda                 *cuda,
                    const WfCudaWatershed  *watershed,
                    const guint32          *markers,
                    Buffers                *buffers,
                    GError                **error)
{
  const WfWatershedTask *task  = watershed->task;
  const gint64           n     = wf_shape_n_pixels (&task->shape);
  WfCudaFlood            flood = start_flood (watershed, buffers);

  flood.level   = buffers->level.data;
  flood.markers = markers;
  return wf_cuda_start_levels (cuda, task->type, n, watershed->image, markers,
                               buffers->level.data, error) &&
         reconstruct_levels (cuda, watershed, buffers->level.data, error) &&
         wf_cuda_flood (cuda, &flood, error);
}

gboolean
wf_cuda_watershed (WfCuda                 *cuda,
                   const WfCudaWatershed  *watershed,
                   GError                **error)
{
  const WfWatershedTask *task     = watershed->task;
  const gint64           n        = wf_shape_n_pixels (&task->shape);
  const gboolean         extended = task->tolerance > 0 && ! watershed->markers;
  const guint32         *markers  = watershed->markers;
  guint32                n_minima = 0;
  Buffers                buffers;

  if ((task->lines && ! buffers.basins.allocate (cuda, n, error)) ||
      ((markers || extended) &&
       ! buffers.level.allocate (cuda, n * wf_type_size (task->type), error)))
    return FALSE;

  if (extended)
    {
      if (! find_extended_minima (cuda, watershed, &buffers, &n_minima, error))
        return FALSE;
      markers = buffers.markers.data;
    }
  if (! markers)
    {
      WfCudaFlood flood = start_flood (watershed, &buffers);

      flood.n_minima = &n_minima;
      flood.coming   = watershed->coming;
      flood.going    = watershed->going;
      if (! wf_cuda_flood (cuda, &flood, error))
        return FALSE;
    }
  else if (! flood_from_markers (cuda, watershed, markers, &buffers, error))
    return FALSE;

  /* Minima never touch, so lines leave some of each. */
  if (watershed->markers)
    return wf_cuda_count_labels (cuda, watershed->labels, n, task->n_basins, error);
  *task->n_basins = n_minima;
  return TRUE;
}


/*  What it takes  */

/* An image's, as in cuda/watershed/image/tile.cuh. */
static guint64
count_tiles (const WfShape *shape)
{
  return (guint64) ((shape->width + 63) / 64) * ((shape->height + 63) / 64);
}

/* Slots are numbered in 32 bits, and so are voxels. */
gboolean
wf_cuda_watershed_supports (const WfWatershedTask *task)
{
  if (is_stack (&task->shape, task->connectivity))
    return wf_cuda_flood_stack_supports (&task->shape);
  return count_tiles (&task->shape) * 256 < G_MAXUINT32;
}

gboolean
wf_cuda_watershed_streams (const WfWatershedTask *task,
                           WfReduction            reduction)
{
  return reduction == WF_REDUCTION_NONE && ! is_stack (&task->shape, task->connectivity) &&
         ! task->markers && task->tolerance == 0 && ! task->lines && ! wf_has_relief (task);
}

static guint64
flood_memory (const WfWatershedTask *task)
{
  const guint64 tiles = count_tiles (&task->shape);

  if (is_stack (&task->shape, task->connectivity))
    return wf_cuda_flood_stack_memory (&task->shape, task->markers || task->tolerance > 0,
                                       task->lines);
  return tiles * ((task->connectivity + 2) * 512        /* planes */
                  + 4096 * sizeof (guint16)             /* ends */
                  + (task->lines ? 4096 * sizeof (guint32) : 0)
                  + 3 * sizeof (guint32) + 1024         /* lists; the map and its sums */
                  + 256 * (4 * sizeof (guint32) + sizeof (guint16)
                           + sizeof (guint64)));        /* slots */
}

/* @flood: what a flood takes. */
static guint64
memory_with (const WfWatershedTask *task,
             guint64                flood)
{
  const guint64 n        = wf_shape_n_pixels (&task->shape);
  const gsize   size     = wf_type_size (task->type);
  const bool    extended = task->tolerance > 0;
  guint64       before   = 0;
  guint64       kept     = 0;

  if (task->markers || extended)
    {
      kept  += n * size;
      before = wf_cuda_reconstruct_memory (&task->shape, task->type);
    }
  if (extended)
    kept += n * sizeof (guint32);
  if (task->lines)
    kept += n * sizeof (guint32);
  return kept + MAX (before, flood);
}

guint64
wf_cuda_watershed_memory (const WfWatershedTask *task)
{
  return memory_with (task, flood_memory (task));
}


/*  The variants  */

static gboolean
supports_steepest (gconstpointer data)
{
  return wf_cuda_watershed_supports ((const WfWatershedTask *) data);
}

static gboolean
supports_reduction (gconstpointer data)
{
  const WfWatershedTask *task = (const WfWatershedTask *) data;

  return wf_cuda_flood_by_reduction_supports (wf_shape_n_pixels (&task->shape));
}

static guint64
memory_of (const WfWatershedTask *task,
           WfReduction            reduction)
{
  if (reduction == WF_REDUCTION_NONE)
    return wf_cuda_watershed_memory (task);
  return memory_with (task, wf_cuda_flood_by_reduction_memory (reduction,
                                                               wf_shape_n_pixels (&task->shape)));
}

/* On the device, in all. */
static guint64
memory_in_all (const WfWatershedTask *task,
               WfReduction            reduction)
{
  return wf_shape_n_pixels (&task->shape) * (wf_type_size (task->type) + sizeof (guint32))
         + MAX (wf_cuda_relief_memory (task), memory_of (task, reduction));
}

/* A tile's rows. */
#define BAND_UNIT 64

static gboolean
upload (WfCuda                 *cuda,
        const WfWatershedTask  *task,
        WfReduction             reduction,
        gpointer                image,
        gpointer                markers,
        WfCudaBands            *coming,
        WfCudaBands            *going,
        GError                **error)
{
  const WfCudaUpload of_image = { task->image, _("image"), image };

  coming->n = going->n = 0;
  if (wf_cuda_watershed_streams (task, reduction))
    {
      wf_cuda_divide (task->labels, BAND_UNIT, going);
      return wf_cuda_upload_bands (cuda, &of_image, 1, BAND_UNIT, coming, error);
    }
  return wf_cuda_upload (cuda, task->image, _("image"), image, error) &&
         (! task->markers || wf_cuda_upload (cuda, task->markers, NULL, markers, error));
}

static gboolean
run_watershed (gconstpointer   data,
               WfReduction     reduction,
               WfRun          *run,
               GError        **error)
{
  const WfWatershedTask  *task    = (const WfWatershedTask *) data;
  const gint64            n       = wf_shape_n_pixels (&task->shape);
  const gsize             size    = wf_type_size (task->type);
  WfCudaSession           session;
  WfDeviceArray<guint8>   image;
  WfDeviceArray<guint32>  labels;
  WfCudaBands             coming;
  WfCudaBands             going;
  WfCudaWatershed         work    = {};

  wf_run_begin (run, 1.0, 4);
  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_in_all (task, reduction), error) ||
      ! image.allocate (session.cuda, n * size, error) ||
      ! labels.allocate (session.cuda, n, error) ||
      ! upload (session.cuda, task, reduction, image.data, labels.data, &coming, &going, error))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! wf_cuda_relief (session.cuda, task, &image, error))
    return FALSE;
  work.task      = task;
  work.image     = image.data;
  work.markers   = task->markers ? labels.data : NULL;
  work.labels    = labels.data;
  work.reduction = reduction;
  work.coming    = coming.n > 0 ? &coming : NULL;
  work.going     = going.n > 0 ? &going : NULL;
  if (! wf_cuda_watershed (session.cuda, &work, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  if (going.n > 0)
    return wf_cuda_deliver_bands (session.cuda, labels.data, task->labels, &going, error);
  return wf_cuda_download (session.cuda, labels.data, task->labels, error);
}

#define AS_VARIANT(suffix, reduction) \
  static gboolean \
  run_##suffix (gconstpointer   task, \
                WfRun          *run, \
                GError        **error) \
  { \
    return run_watershed (task, reduction, run, error); \
  } \
\
  static guint64 \
  memory_##suffix (gconstpointer device, \
                   gconstpointer task) \
  { \
    return memory_in_all ((const WfWatershedTask *) task, reduction); \
  }

AS_VARIANT (steepest, WF_REDUCTION_NONE)
AS_VARIANT (sync, WF_REDUCTION_SYNC)
AS_VARIANT (async, WF_REDUCTION_ASYNC)
AS_VARIANT (balanced, WF_REDUCTION_BALANCED)

const WfVariant wf_cuda_watershed_variants[] =
{
  { "steepest", supports_steepest, NULL, NULL, run_steepest, TRUE, memory_steepest },
  { "sync", supports_reduction, wf_by_name_only, NULL, run_sync, TRUE, memory_sync },
  { "async", supports_reduction, wf_by_name_only, NULL, run_async, TRUE, memory_async },
  { "balanced", supports_reduction, wf_by_name_only, NULL, run_balanced, TRUE, memory_balanced },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
