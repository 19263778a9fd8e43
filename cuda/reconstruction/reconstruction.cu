/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Morphological reconstruction on a GPU, as defined in engine/reconstruction/reconstruction.c.
 *
 * `tiled`, the default: tiles in shared memory are visited as often as a neighbour can raise
 * them (image/visits.inc.cuh, stack/visits.inc.cuh).  Where levels propagate through the whole
 * image, that takes very many visits.  Such a run is stopped: by what the first visits leave (of
 * an image, how many tiles nothing has reached), or by its time (worklist.cuh).  What it has found
 * lies between the marker and the result, and the rest is found from there, in a way whose time
 * does not depend on how far levels propagate; so is all of a large image of u8, if samples of it
 * say so (image/samples.inc.cuh):
 *
 *   - of u8, and of stacks, the bits of the result one after the other (bitplanes/bitplanes.cu):
 *     three passes a bit, and six to eight bytes more a pixel, counting images in whole tiles of
 *     256 × 32 pixels;
 *   - of images of more bits, over the graph of basins (basins/basins.inc.cuh), with ten to
 *     twenty bytes more a pixel.
 *
 * Without that memory the tiles go on to the end.
 *
 * Images in pinned memory arrive in bands of rows, and their first tiles are visited while the
 * others are in transfer (cuda/core/transfer.cuh).
 *
 * `basins`, for images only: over the graph from the start.
 *
 * `basins`, `raster`, `queue`, `queue-prefix` and `queue-naive` are for comparison, and chosen
 * only by name.
 */

#include "cuda/reconstruction/papers/queue.cuh"
#include "cuda/reconstruction/papers/raster.cuh"
#include "run.cuh"
#include "cuda/core/kept.cuh"
#include "cuda/core/transfer.cuh"


static gboolean
by_tiles (WfCuda                      *cuda,
          const WfCudaReconstruction  *task,
          gboolean                     to_the_end,
          WfCudaLeft                  *left,
          GError                     **error)
{
  return (wf_is_stack_connectivity (task->connectivity)
          ? wf_cuda_reconstruct_stack
          : wf_cuda_reconstruct_image) (cuda, task, to_the_end, left, error);
}

/* How a runaway goes on: the marker of @values is what has been found.  @done is FALSE if this way
 * does not support them.
 */
typedef gboolean (* Continue) (WfCuda                      *cuda,
                               const WfCudaReconstruction  *values,
                               gboolean                    *done,
                               GError                     **error);

static gboolean
go_on_over_basins (WfCuda                      *cuda,
                   const WfCudaReconstruction  *values,
                   gboolean                    *done,
                   GError                     **error)
{
  *done = wf_cuda_basins_support (&values->shape, values->type, values->connectivity);
  return ! *done || wf_cuda_reconstruct_basins (cuda, values, error);
}

static gboolean
go_on_by_bits (WfCuda                      *cuda,
               const WfCudaReconstruction  *values,
               gboolean                    *done,
               GError                     **error)
{
  *done = wf_cuda_bitplanes_support (&values->shape, values->connectivity);
  return ! *done || wf_cuda_reconstruct_bitplanes (cuda, values, error);
}

static gboolean
go_on_by_tiles (WfCuda                      *cuda,
                const WfCudaReconstruction  *values,
                gboolean                    *done,
                GError                     **error)
{
  WfCudaLeft left = WF_CUDA_LEFT_SOME;
  const gboolean ok = by_tiles (cuda, values, TRUE, &left, error);

  *done = left == WF_CUDA_LEFT_NOTHING;
  return ok;
}

/* @left: if some is, the values in task->out are the new marker */
static gboolean
finish_runaway (WfCuda                      *cuda,
                const WfCudaReconstruction  *task,
                WfCudaLeft                   left,
                GError                     **error)
{
  static const Continue  ways[] = { go_on_over_basins, go_on_by_bits, go_on_by_tiles };
  const gboolean         bits   = wf_type_size (task->type) == 1 ||
                                  g_strcmp0 (g_getenv ("WAVEFRONT_CUDA_HURRY"), "planes") == 0;
  WfCudaReconstruction   values = *task;
  gboolean               done   = FALSE;

  if (left == WF_CUDA_LEFT_SOME)
    values.marker = task->out;
  values.bands = NULL;
  for (guint i = bits ? 1 : 0; i < G_N_ELEMENTS (ways) && ! done; i++)
    {
      GError *reason = NULL;

      if (ways[i] (cuda, &values, &done, &reason))
        continue;
      done = FALSE;
      if (i + 1 == G_N_ELEMENTS (ways) || ! g_error_matches (reason, WF_ERROR, WF_ERROR_MEMORY))
        {
          g_propagate_error (error, reason);
          return FALSE;
        }
      g_error_free (reason);
    }
  return TRUE;
}

gboolean
wf_cuda_reconstruct (WfCuda                      *cuda,
                     const WfCudaReconstruction  *task,
                     GError                     **error)
{
  WfCudaLeft left = WF_CUDA_LEFT_SOME;

  return by_tiles (cuda, task, FALSE, &left, error) &&
         (left == WF_CUDA_LEFT_NOTHING ||
          (finish_runaway (cuda, task, left, error) && wf_cuda_wait (cuda, error)));
}

guint64
wf_cuda_reconstruct_memory (const WfShape *shape,
                            WfType         type)
{
  return shape->depth == 1 ? wf_cuda_reconstruct_image_memory (shape, type)
                           : wf_cuda_reconstruct_stack_memory (shape, type);
}


/*  The variants  */

/* Rows of a band: whole rows of tiles, which are 32 or 64 pixels high. */
#define BAND_UNIT 64

/* @memory: on the device, beyond the images
 * @by_bands: whether it can begin with an image's first rows
 */
typedef struct
{
  gboolean by_bands;
  guint64  (* memory)      (const WfCuda *cuda, const WfShape *shape, WfType type,
                            int connectivity);
  gboolean (* reconstruct) (WfCuda *cuda, const WfCudaReconstruction *task, GError **error);
} Algorithm;

/* On the device, in all. */
static guint64
memory_of (const WfCuda             *cuda,
           const WfReconstructTask  *task,
           const Algorithm          *algorithm)
{
  return 2 * wf_shape_n_pixels (&task->shape) * wf_type_size (task->type)
         + algorithm->memory (cuda, &task->shape, task->type, task->connectivity);
}

/**
 * KeptBand:
 * @kept: what is common to all that is kept
 * @units: its rows, or slices
 * @settled: the state of its tiles, as long as the levels are those with which they settled
 *
 * What is kept of a band (#WfKeptBand): packed images on a device, the task's own, which are not
 * freed.  Tasks on rows of it work in their place; one on all of them goes on from the rims where
 * the tiles have settled.
 */
typedef struct
{
  WfCudaKept     kept;
  guint8        *mask;
  guint8        *levels;
  gint64         units;
  WfCudaSettled  settled;
} KeptBand;

/* From any thread; tasks on other rows may do the same. */
static void
forget_settled (KeptBand *band)
{
  guint8 *memory = __atomic_exchange_n (&band->settled.memory, (guint8 *) nullptr,
                                        __ATOMIC_ACQ_REL);

  if (memory)
    wf_cuda_free_kept (&band->kept, memory);
}

static void
release_band (gpointer data)
{
  KeptBand *band = (KeptBand *) data;

  forget_settled (band);
  wf_cuda_free_kept (&band->kept, band->mask);
  wf_cuda_free_kept (&band->kept, band->levels);
  wf_cuda_end_kept (&band->kept);
  g_free (band);
}

/* The state of tiles that is freed, in the order of the stream, unless it was taken. */
struct SettledTiles
{
  WfCudaSettled  tiles = {};
  WfCuda        *cuda  = nullptr;

  ~SettledTiles ()
  {
    if (tiles.memory)
      wf_cuda_free (cuda, tiles.memory);
  }

  WfCudaSettled
  take ()
  {
    const WfCudaSettled taken = tiles;

    tiles.memory = NULL;
    return taken;
  }
};

/* Rows, or slices, of a task's images. */
static gint64
count_units (const WfReconstructTask *task)
{
  return wf_shape_n_pixels (&task->shape) / task->kept->unit;
}

/* Whether the rims of a task's images are rows of pixels, and not slices; only then tiles go on
 * from them.
 */
static bool
has_rows (const WfReconstructTask *task)
{
  return task->shape.depth == 1 && task->kept->unit == task->shape.width;
}

/* When nothing can fail any more. */
static void
keep (const WfCuda             *cuda,
      const WfReconstructTask  *task,
      WfDeviceArray<guint8>    *mask,
      WfDeviceArray<guint8>    *levels,
      SettledTiles             *settled)
{
  KeptBand *band = g_new (KeptBand, 1);

  *band                 = { wf_cuda_begin_kept (cuda, release_band), mask->take (),
                            levels->take (), count_units (task), settled->take () };
  task->kept->on_device = band;
  task->kept->goes_on   = band->settled.memory != NULL;
}

/* The marker, with the rims that are known to be higher. */
static WfCudaUpload
upload_of_levels (const WfReconstructTask  *task,
                  gpointer                  packed)
{
  WfCudaUpload levels = { task->marker, _("marker"), packed };

  for (int side = 0; side < 2 && task->kept; side++)
    levels.rims[side] = task->kept->rims[side];
  levels.rim_bytes = task->kept ? task->kept->unit * wf_type_size (task->type) : 0;
  return levels;
}

static gboolean
upload (WfCuda                   *cuda,
        const WfReconstructTask  *task,
        gboolean                  by_bands,
        gpointer                  mask,
        gpointer                  marker,
        WfCudaBands              *bands,
        GError                  **error)
{
  const WfCudaUpload uploads[] =
  {
    { task->mask, _("mask"), mask },
    upload_of_levels (task, marker)
  };

  bands->n = 0;
  if (by_bands)
    return wf_cuda_upload_bands (cuda, uploads, 2, BAND_UNIT, bands, error);
  return wf_cuda_upload (cuda, task->mask, _("mask"), mask, error) &&
         wf_cuda_upload (cuda, task->marker, _("marker"), marker, error) &&
         wf_cuda_upload_rims (cuda, &uploads[1], error);
}

/* Pixels of rims on their way to the device. */
struct Rims
{
  WfDeviceArray<guint8> memory[2];

  gboolean
  upload (WfCuda              *cuda,
          const WfCudaUpload  *levels,
          GError             **error)
  {
    for (int side = 0; side < 2; side++)
      {
        if (! levels->rims[side])
          continue;
        if (! memory[side].allocate (cuda, levels->rim_bytes, error))
          return FALSE;
        WF_CUDA_CHECK (cudaMemcpyAsync (memory[side].data, levels->rims[side], levels->rim_bytes,
                                        cudaMemcpyHostToDevice, cuda->stream));
      }
    return TRUE;
  }
};

/* All rows of a kept band whose tiles have settled, from its rims.  @rows: result: those that may
 * have changed
 */
static gboolean
go_on_from_rims (WfCuda                      *cuda,
                 KeptBand                    *kept,
                 const WfCudaReconstruction  *work,
                 const WfCudaUpload          *levels,
                 gint64                       rows[2],
                 GError                     **error)
{
  WfCudaReconstruction values = *work;
  Rims                 rims;
  WfCudaLeft           left   = WF_CUDA_LEFT_SOME;

  if (! rims.upload (cuda, levels, error))
    return FALSE;

  const gpointer pixels[2] = { rims.memory[0].data, rims.memory[1].data };

  values.settled = &kept->settled;
  wf_cuda_time_begin (cuda);
  if (! wf_cuda_reconstruct_image_rims (cuda, &values, pixels, rows, &left, error))
    return FALSE;
  if (left == WF_CUDA_LEFT_NOTHING)
    return TRUE;
  forget_settled (kept);
  values.settled = NULL;
  wf_cuda_time_begin (cuda);
  if (! finish_runaway (cuda, &values, left, error))
    return FALSE;
  wf_cuda_time_end (cuda);
  return wf_cuda_wait (cuda, error);
}

/* Rows of a kept band, or all of them, anew. */
static gboolean
run_again (WfCuda                      *cuda,
           const WfCudaReconstruction  *work,
           const Algorithm             *algorithm,
           const WfCudaUpload          *levels,
           GError                     **error)
{
  if (! wf_cuda_upload_rims (cuda, levels, error))
    return FALSE;
  wf_cuda_time_begin (cuda);
  if (! algorithm->reconstruct (cuda, work, error))
    return FALSE;
  wf_cuda_time_end (cuda);
  return TRUE;
}

/* Brings the rows of the result from rows[0] to before rows[1], which are not all only where the
 * rims are rows.
 */
static gboolean
deliver_rows (WfCuda                   *cuda,
              const WfReconstructTask  *task,
              const guint8             *levels,
              const gint64              rows[2],
              GError                  **error)
{
  const gsize size = task->kept->unit * wf_type_size (task->type);
  WfImage     part = *task->out;

  if (rows[0] >= rows[1])
    return TRUE;
  if (has_rows (task))
    {
      part.data   = (char *) part.data + rows[0] * size;
      part.height = rows[1] - rows[0];
    }
  return wf_cuda_deliver (cuda, levels + rows[0] * size, &part, error);
}

/* Rows of a band that the device has kept, in their place. */
static gboolean
run_on_kept (const WfReconstructTask  *task,
             const Algorithm          *algorithm,
             WfRun                    *run,
             GError                  **error)
{
  KeptBand             *kept    = (KeptBand *) task->kept->on_device;
  const gint64          units   = count_units (task);
  const gint64          start   = task->kept->first * task->kept->unit * wf_type_size (task->type);
  const WfCudaUpload    levels  = upload_of_levels (task, kept->levels + start);
  const bool            whole   = units == kept->units;
  gint64                rows[2] = { 0, units };
  WfCudaReconstruction  work    = { task->shape, task->type, task->by, task->connectivity,
                                    kept->mask + start, kept->levels + start,
                                    kept->levels + start };
  WfCudaSession         session;

  wf_run_begin (run, 1.0, 1);
  if (! session.begin (run, error))
    return FALSE;
  if (whole && kept->settled.memory)
    {
      if (! go_on_from_rims (session.cuda, kept, &work, &levels, rows, error))
        return FALSE;
    }
  else
    {
      forget_settled (kept);
      work.settled = whole && task->kept->may_go_on && has_rows (task) ? &kept->settled : NULL;
      if (! run_again (session.cuda, &work, algorithm, &levels, error))
        return FALSE;
    }
  task->kept->goes_on = whole && kept->settled.memory;
  return wf_cuda_advance (session.cuda, 1, error) &&
         deliver_rows (session.cuda, task, kept->levels + start, rows, error);
}

static gboolean
run_algorithm (const WfReconstructTask  *task,
               const Algorithm          *algorithm,
               WfRun                    *run,
               GError                  **error)
{
  const gint64             n     = wf_shape_n_pixels (&task->shape);
  const gsize              bytes = n * wf_type_size (task->type);
  WfCudaSession            session;
  WfDeviceArray<guint8>    mask;
  WfDeviceArray<guint8>    marker;
  SettledTiles             settled;
  WfCudaBands              bands;

  if (task->kept && task->kept->on_device)
    return run_on_kept (task, algorithm, run, error);
  if (! session.begin (run, error))
    return FALSE;

  WfCuda *cuda = session.cuda;

  settled.cuda = cuda;
  wf_run_begin (run, 1.0, 1);
  if (! wf_cuda_check_memory (cuda, memory_of (cuda, task, algorithm), error) ||
      ! mask.allocate (cuda, bytes, error) ||
      ! marker.allocate (cuda, bytes, error) ||
      ! upload (cuda, task,
                algorithm->by_bands && ! wf_is_stack_connectivity (task->connectivity),
                mask.data, marker.data, &bands, error))
    return FALSE;

  const bool                 may_go_on = task->kept && task->kept->may_keep &&
                                         task->kept->may_go_on && has_rows (task);
  const WfCudaReconstruction work      = {
    task->shape, task->type, task->by, task->connectivity, mask.data, marker.data, marker.data,
    bands.n > 0 ? &bands : NULL, may_go_on ? &settled.tiles : NULL, task->scans, task->queue_size
  };

  wf_cuda_time_begin (cuda);
  if (! algorithm->reconstruct (cuda, &work, error))
    return FALSE;
  wf_cuda_time_end (cuda);
  if (! wf_cuda_advance (cuda, 1, error) ||
      ! (algorithm->by_bands ? wf_cuda_deliver : wf_cuda_download) (cuda, marker.data, task->out,
                                                                    error))
    return FALSE;
  if (task->kept && task->kept->may_keep)
    keep (cuda, task, &mask, &marker, &settled);
  return TRUE;
}

static guint64
tiled_memory (const WfCuda  *cuda,
              const WfShape *shape,
              WfType         type,
              int            connectivity)
{
  return wf_cuda_reconstruct_memory (shape, type);
}

static const Algorithm tiled = { TRUE, tiled_memory, wf_cuda_reconstruct };

static guint64
basins_memory (const WfCuda  *cuda,
               const WfShape *shape,
               WfType         type,
               int            connectivity)
{
  return wf_cuda_reconstruct_basins_memory (shape, type, connectivity);
}

static gboolean
supports_basins (gconstpointer data)
{
  const WfReconstructTask *task = (const WfReconstructTask *) data;

  return wf_cuda_basins_support (&task->shape, task->type, task->connectivity);
}

static const Algorithm basins = { FALSE, basins_memory, wf_cuda_reconstruct_basins };

static const Algorithm raster =
{
  FALSE, wf_cuda_reconstruct_raster_memory, wf_cuda_reconstruct_raster
};

static const Algorithm queue =
{
  FALSE, wf_cuda_reconstruct_queue_memory, wf_cuda_reconstruct_queue
};

static const Algorithm queue_prefix =
{
  FALSE, wf_cuda_reconstruct_queue_memory, wf_cuda_reconstruct_queue_prefix
};

static const Algorithm queue_naive =
{
  FALSE, wf_cuda_reconstruct_queue_memory, wf_cuda_reconstruct_queue_naive
};

#define AS_VARIANT(algorithm) \
  static gboolean \
  run_##algorithm (gconstpointer   task, \
                   WfRun          *run, \
                   GError        **error) \
  { \
    return run_algorithm ((const WfReconstructTask *) task, &algorithm, run, error); \
  } \
\
  static guint64 \
  memory_##algorithm (gconstpointer device, \
                      gconstpointer task) \
  { \
    return memory_of ((const WfCuda *) device, (const WfReconstructTask *) task, &algorithm); \
  }

AS_VARIANT (tiled)
AS_VARIANT (basins)
AS_VARIANT (raster)
AS_VARIANT (queue)
AS_VARIANT (queue_prefix)
AS_VARIANT (queue_naive)

#define VARIANT(algorithm, name, supports, suits) \
  { name, supports, suits, NULL, run_##algorithm, TRUE, memory_##algorithm }

const WfVariant wf_cuda_reconstruct_variants[] =
{
  VARIANT (tiled, "tiled", NULL, NULL),
  VARIANT (basins, "basins", supports_basins, wf_by_name_only),
  VARIANT (raster, "raster", NULL, wf_by_name_only),
  VARIANT (queue, "queue", NULL, wf_by_name_only),
  VARIANT (queue_prefix, "queue-prefix", NULL, wf_by_name_only),
  VARIANT (queue_naive, "queue-naive", NULL, wf_by_name_only),
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
