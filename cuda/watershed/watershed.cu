/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed on a GPU, from the definition in engine/watershed/watershed.c:
 *
 *   1. L1, the level at which each pixel is flooded: reconstruction by erosion from the
 *      markers; without markers the image itself;
 *   2. L2, arrows and labels, by tiles whose pixels are bits (flood.cuh).  An image of a few
 *      columns or rows is flooded as a stack, whose memory is proportional to its pixels;
 *      most of an image's tiles would lie outside it;
 *   3. lines, where a neighbour in another basin was flooded before the pixel.
 *
 * That is `steepest`.  `sync`, `async` and `balanced` do 2 and 3 by reducing paths of pixels
 * (papers/reduction.cu).  They are for comparison, and chosen only by name.
 *
 * Where an image alone is flooded and it is in pinned memory, it arrives in bands of rows, the
 * work on their tiles begins at once, and the labels are sent in bands
 * (cuda/core/transfer.cuh).
 *
 * A band of a larger image is flooded in two steps (image/band.inc.cuh), between which what it
 * needs stays on the device.
 *
 * Smoothing and gradients are computed first, in place (cuda/filters/filters.cu).
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

/* Images with no more columns or rows are flooded as stacks of one slice. */
#define THIN 8

/* The memory of floods besides the image and its labels. */
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
is_stack (const WfWatershedTask *task)
{
  const WfShape *shape = &task->shape;

  return wf_is_stack_connectivity (task->connectivity) ||
         (MIN (shape->width, shape->height) <= THIN && wf_cuda_flood_stack_supports (shape));
}

gboolean
wf_cuda_flood (WfCuda             *cuda,
               const WfCudaFlood  *flood,
               GError            **error)
{
  if (flood->reduction != WF_REDUCTION_NONE)
    return wf_cuda_flood_by_reduction (cuda, flood, error);
  return (is_stack (flood->task) ? wf_cuda_flood_stack : wf_cuda_flood_image) (cuda, flood, error);
}

/* L1 in place of the levels from which the reconstruction begins. */
static gboolean
reconstruct_levels (WfCuda             *cuda,
                    const WfCudaFlood  *flood,
                    gpointer            levels,
                    GError            **error)
{
  const WfWatershedTask *task = flood->task;
  WfCudaReconstruction   work = { task->shape, task->type, WF_BY_EROSION, task->connectivity,
                                  flood->level, levels, levels };

  return wf_cuda_reconstruct (cuda, &work, error);
}

/* The labelled minima of the levels that the tolerance leaves. */
static gboolean
find_extended_minima (WfCuda             *cuda,
                      const WfCudaFlood  *flood,
                      Buffers            *buffers,
                      GError            **error)
{
  const WfWatershedTask *task   = flood->task;
  const gint64           n      = wf_shape_n_pixels (&task->shape);
  WfCudaFlood            minima = *flood;

  if (! buffers->markers.allocate (cuda, n, error) ||
      ! wf_cuda_raise_levels (cuda, task->type, n, flood->level, task->tolerance,
                              buffers->level.data, error) ||
      ! reconstruct_levels (cuda, flood, buffers->level.data, error))
    return FALSE;
  minima.level       = buffers->level.data;
  minima.labels      = buffers->markers.data;
  minima.minima_only = TRUE;
  return wf_cuda_flood (cuda, &minima, error);
}

static gboolean
flood_from_markers (WfCuda             *cuda,
                    const WfCudaFlood  *flood,
                    const guint32      *markers,
                    Buffers            *buffers,
                    GError            **error)
{
  const WfWatershedTask *task = flood->task;
  const gint64           n    = wf_shape_n_pixels (&task->shape);
  WfCudaFlood            rest = *flood;

  rest.level   = buffers->level.data;
  rest.markers = markers;
  return wf_cuda_start_levels (cuda, task->type, n, flood->level, markers, buffers->level.data,
                               error) &&
         reconstruct_levels (cuda, flood, buffers->level.data, error) &&
         wf_cuda_flood (cuda, &rest, error);
}

/* Floods the image @given.level.  Queued on the stream; returns when the labels are, and
 * @n_basins is known.
 */
static gboolean
flood_image (WfCuda             *cuda,
             const WfCudaFlood  *given,
             guint32            *n_basins,
             GError            **error)
{
  const WfWatershedTask *task     = given->task;
  const gint64           n        = wf_shape_n_pixels (&task->shape);
  const gboolean         extended = task->tolerance > 0 && ! given->markers;
  const guint32         *markers  = given->markers;
  WfCudaFlood            flood    = *given;
  Buffers                buffers;

  if ((task->lines && ! buffers.basins.allocate (cuda, n, error)) ||
      ((markers || extended) &&
       ! buffers.level.allocate (cuda, n * wf_type_size (task->type), error)))
    return FALSE;

  flood.markers  = NULL;
  flood.basins   = buffers.basins.data;
  flood.n_minima = n_basins;
  if (extended)
    {
      if (! find_extended_minima (cuda, &flood, &buffers, error))
        return FALSE;
      markers = buffers.markers.data;
    }
  if (! (markers ? flood_from_markers (cuda, &flood, markers, &buffers, error)
                 : wf_cuda_flood (cuda, &flood, error)))
    return FALSE;

  /* Minima never touch, so lines leave some of each. */
  return ! given->markers || wf_cuda_count_labels (cuda, flood.labels, n, n_basins, error);
}


/*  Device memory  */

/* An image's, as in cuda/watershed/image/tile.inc.cuh. */
static guint64
count_tiles (const WfShape *shape)
{
  return (guint64) ((shape->width + 63) / 64) * ((shape->height + 63) / 64);
}

/* The tiles of a band with its halo. */
static guint64
count_band_tiles (const WfWatershedTask *task)
{
  const WfFloodBand *band  = task->band;
  const WfShape      shape = { task->shape.width,
                               wf_flood_band_length (task) + 64 * (band->halo[0] + band->halo[1]),
                               1 };

  return count_tiles (&shape);
}

/* Whether it can work on the image while it arrives, and send the labels in bands. */
static gboolean
streams (const WfWatershedTask *task,
         WfReduction            reduction)
{
  return reduction == WF_REDUCTION_NONE && ! is_stack (task) &&
         ! task->markers && task->tolerance == 0 && ! task->lines && ! wf_has_relief (task);
}

static guint64
flood_memory (const WfWatershedTask *task)
{
  const guint64 tiles = task->band ? count_band_tiles (task) : count_tiles (&task->shape);

  if (! task->band && is_stack (task))
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


/*  The variants  */

/* Bands of images from minima, without lines: the rows beside them begin and end tiles. */
static gboolean
supports_band (const WfWatershedTask *task)
{
  const WfFloodBand *band = task->band;

  if (task->shape.depth > 1 || band->unit > task->shape.width || task->shape.width <= THIN ||
      wf_is_stack_connectivity (task->connectivity) || task->markers || task->tolerance > 0 ||
      band->ground || task->lines || count_band_tiles (task) * 256 >= G_MAXUINT32)
    return FALSE;
  if (band->step == WF_FLOOD_MEASURE)
    return band->rows[0] % 64 == 63 && band->rows[1] == band->rows[0] + 1;
  return ! band->halo[1] || wf_flood_band_length (task) % 64 == 0;
}

/* Slots are numbered in 32 bits, and so are voxels. */
/* Slots are numbered in 32 bits, and so are voxels.  Compactness is the CPU's. */
static gboolean
supports_steepest (gconstpointer data)
{
  const WfWatershedTask *task = (const WfWatershedTask *) data;

  if (task->compactness > 0)
    return FALSE;
  if (task->band)
    return supports_band (task);
  if (is_stack (task))
    return wf_cuda_flood_stack_supports (&task->shape);
  return count_tiles (&task->shape) * 256 < G_MAXUINT32;
}

static gboolean
supports_reduction (gconstpointer data)
{
  const WfWatershedTask *task = (const WfWatershedTask *) data;

  return ! task->band && task->compactness <= 0 &&
         wf_cuda_flood_by_reduction_supports (wf_shape_n_pixels (&task->shape));
}

static guint64
memory_of (const WfWatershedTask *task,
           WfReduction            reduction)
{
  if (reduction == WF_REDUCTION_NONE)
    return memory_with (task, flood_memory (task));
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

/* The same of a step of a band, beside what is kept of bands. */
static guint64
memory_of_band (const WfWatershedTask *task)
{
  const WfFloodBand *band   = task->band;
  const guint64      labels = band->step == WF_FLOOD_FINISH
                              ? wf_flood_band_length (task) * band->unit * sizeof (guint32) : 0;

  if (band->on_device)
    return labels + 6 * task->shape.width * sizeof (guint32);
  return wf_shape_n_pixels (&task->shape) * wf_type_size (task->type)
         + 6 * task->shape.width * sizeof (guint32)
         + MAX (wf_cuda_relief_memory (task), labels + flood_memory (task));
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
  if (streams (task, reduction))
    {
      wf_cuda_divide (task->labels, BAND_UNIT, going);
      return wf_cuda_upload_bands (cuda, &of_image, 1, BAND_UNIT, coming, error);
    }
  return wf_cuda_upload (cuda, task->image, _("image"), image, error) &&
         (! task->markers || wf_cuda_upload (cuda, task->markers, NULL, markers, error));
}

/* A step of a band.  Where the device has kept what it needs of it, no image is there. */
static gboolean
run_band (const WfWatershedTask  *task,
          WfRun                  *run,
          GError                **error)
{
  const WfFloodBand     *band   = task->band;
  const gint64           length = wf_flood_band_length (task);
  const gsize            size   = wf_type_size (task->type);
  const bool             finish = band->step == WF_FLOOD_FINISH;
  WfCudaSession          session;
  WfDeviceArray<guint8>  image;
  WfDeviceArray<guint32> labels;
  WfDeviceArray<guint32> rows;
  WfCudaBands            going  = { 0 };
  WfCudaFlood            flood  = { task, WF_REDUCTION_NONE };
  guint32                n      = 0;

  wf_run_begin (run, 1.0, 4);
  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_of_band (task), error) ||
      ! rows.allocate (session.cuda, 6 * task->shape.width, error) ||
      ! wf_cuda_upload_flood_rows (session.cuda, task, rows.data, error) ||
      (! band->on_device &&
       (! image.allocate (session.cuda, wf_shape_n_pixels (&task->shape) * size, error) ||
        ! wf_cuda_upload (session.cuda, task->image, NULL, image.data, error))) ||
      (finish && ! labels.allocate (session.cuda, length * band->unit, error)))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! band->on_device && ! wf_cuda_relief (session.cuda, task, &image, error))
    return FALSE;
  if (finish)
    wf_cuda_divide (task->labels, BAND_UNIT, &going);
  flood.level    = image.data + band->margin[0] * band->unit * size;
  flood.labels   = labels.data;
  flood.n_minima = &n;
  flood.going    = going.n > 0 ? &going : NULL;
  if (! wf_cuda_flood_band (session.cuda, &flood, rows.data, error))
    return FALSE;
  return ! finish ||
         (going.n > 0 ? wf_cuda_deliver_bands (session.cuda, labels.data, task->labels, &going,
                                               error)
                      : wf_cuda_download (session.cuda, labels.data, task->labels, error));
}

static gboolean
run_watershed (gconstpointer   data,
               WfReduction     reduction,
               WfRun          *run,
               GError        **error)
{
  const WfWatershedTask  *task     = (const WfWatershedTask *) data;
  const gint64            n        = wf_shape_n_pixels (&task->shape);
  const gsize             size     = wf_type_size (task->type);
  WfCudaSession           session;
  WfDeviceArray<guint8>   image;
  WfDeviceArray<guint32>  labels;
  WfCudaBands             coming;
  WfCudaBands             going;
  WfCudaFlood             flood    = { task, reduction };
  guint32                 n_basins = 0;

  if (task->band)
    return run_band (task, run, error);
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
  flood.level   = image.data;
  flood.markers = task->markers ? labels.data : NULL;
  flood.labels  = labels.data;
  flood.coming  = coming.n > 0 ? &coming : NULL;
  flood.going   = going.n > 0 ? &going : NULL;
  if (! flood_image (session.cuda, &flood, &n_basins, error))
    return FALSE;
  *task->n_basins = n_basins;
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
                   gconstpointer data) \
  { \
    const WfWatershedTask *task = (const WfWatershedTask *) data; \
\
    return task->band ? memory_of_band (task) : memory_in_all (task, reduction); \
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
