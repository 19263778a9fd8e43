/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed on the CPU, `steepest`, straight from the definition in
 * engine/watershed/watershed.c:
 *
 *   1. L1, the level at which each pixel is flooded: reconstruction by erosion
 *      (marker-levels.c);
 *   2. L2, how far it lies inside its plateau: a wavefront from lower borders
 *      (plateau-distance.c);
 *   3. arrows and labels, along the path of each pixel's smallest neighbours to a
 *      marker (paths.c);
 *   4. lines, where a pixel's neighbour of another basin was flooded before it.
 *
 * Minima are the pixels that L2 does not reach.  Their connected components are numbered
 * in raster order (engine/label/cpu/runs.c).
 *
 * With smoothing or a gradient the filtered image is made first
 * (engine/filters/cpu/filters.c) and flooded instead of the image.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "band.h"
#include "engine/filters/cpu/filters.h"
#include "flood.h"

/* The share of the filters in the work: small, unless sigma is large. */
#define SHARE_OF_RELIEF 0.05

typedef struct
{
  gpointer  image_copy;     /* of an image that is not packed */
  gpointer  markers_copy;
  guint32  *labels;         /* if they cannot be written in place */
  gpointer  levels;         /* if L1 is not the image itself */
  gpointer  plateau;
  guint8   *arrows;
  guint32  *basins;         /* if lines are drawn */
  WfRuns    minima;         /* if they are the markers */
} Buffers;


static void
buffers_clear (Buffers *buffers)
{
  g_free (buffers->image_copy);
  g_free (buffers->markers_copy);
  g_free (buffers->labels);
  g_free (buffers->levels);
  g_free (buffers->plateau);
  g_free (buffers->arrows);
  g_free (buffers->basins);
  wf_runs_clear (&buffers->minima);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Buffers, buffers_clear)

/* Labels may be written to the output directly if partial outputs are allowed and the
 * output shares no memory with the inputs.
 */
static gboolean
is_written_in_place (const WfWatershedTask *task,
                     const WfRun           *run)
{
  return run->partial_outputs && wf_image_is_packed (task->labels) &&
         ! wf_image_overlaps (task->labels, task->image) &&
         ! (task->markers && wf_image_overlaps (task->labels, task->markers));
}

static gboolean
buffers_init (Buffers                *buffers,
              const WfWatershedTask  *task,
              const WfRun            *run,
              GError                **error)
{
  gint64 n = wf_shape_n_pixels (&task->shape);

  return (is_written_in_place (task, run) ||
          (buffers->labels = wf_run_allocate (run, n, sizeof (guint32), error))) &&
         (buffers->arrows = wf_run_allocate (run, n, 1, error)) &&
         (! (task->markers || task->tolerance > 0) ||
          (buffers->levels = wf_run_allocate (run, n, wf_type_size (task->type), error))) &&
         (! task->lines || (buffers->basins = wf_run_allocate (run, n, sizeof (guint32), error)));
}

/* Without the filtered image, if there is one; that is packed. */
static guint64
flood_memory (const WfWatershedTask *task,
              guint                  n_threads)
{
  gboolean               extended = task->tolerance > 0;
  guint64                n        = wf_shape_n_pixels (&task->shape);
  guint64                bytes    = 2 * sizeof (guint32) + 1;
  WfReconstructTask      levels   = { .shape = task->shape, .type = task->type,
                                      .mask = task->image, .marker = task->image };

  if (task->markers || extended)
    bytes += wf_type_size (task->type);
  if (task->lines)
    bytes += sizeof (guint32);
  if (! wf_has_relief (task) && ! wf_image_is_packed (task->image))
    bytes += wf_type_size (task->type);
  if (task->markers && ! wf_image_is_packed (task->markers))
    bytes += sizeof (guint32);
  return bytes * n + MAX (task->markers || extended
                          ? wf_cpu_reconstruct_memory (&levels, n_threads) : 0,
                          wf_runs_memory (&task->shape));
}

static guint64
steepest_memory (gconstpointer data,
                 guint         n_threads)
{
  const WfWatershedTask *task  = data;
  const guint64          flood = task->compactness > 0 ? wf_flood_compact_memory (task)
                                 : task->band          ? wf_flood_band_memory (task)
                                                       : flood_memory (task, n_threads);

  if (! wf_has_relief (task))
    return flood;
  return wf_shape_n_pixels (&task->shape) * wf_type_size (task->type)
         + MAX (wf_cpu_relief_memory (task, n_threads), flood);
}


/*  Minima  */

typedef struct
{
  const WfFlood *flood;
  const WfRuns  *runs;
  guint32       *labels;
} Minima;

static gboolean
find_runs (gpointer data,
           WfRow    row)
{
  const Minima       *minima  = data;
  const WfFlood      *flood   = minima->flood;
  const WfLabelSteps *steps   = minima->runs->steps;
  const gint64        width   = flood->task->shape.width;
  guint64            *bits    = wf_runs_row (minima->runs, row.number);
  const WfForeground  narrow  = { .whole = WF_UNREACHED_NARROW - 1 };
  const WfForeground  wide    = { .whole = WF_UNREACHED_WIDE - 1 };

  if (flood->wide)
    steps->bits_of_u32 ((const guint32 *) flood->plateau + row.number * width, width, &wide, bits);
  else
    steps->bits_of_u8 ((const guint8 *) flood->plateau + row.number * width, width, &narrow, bits);
  wf_runs_count_row (minima->runs, row.number);
  return TRUE;
}

static gboolean
write_labels (gpointer data,
              WfRow    row)
{
  const Minima *minima = data;

  wf_runs_fill_row (minima->runs, row.number,
                    minima->labels + row.number * minima->runs->shape.width);
  return TRUE;
}

/* Numbers the minima, which L2 has not reached, in raster order.  @minima: zeroed; must be cleared
 * even if this fails
 */
gboolean
wf_flood_connect_minima (const WfFlood  *flood,
                         WfRuns         *minima,
                         guint32        *n_minima,
                         double          share,
                         GError        **error)
{
  const WfShape *shape  = &flood->task->shape;
  const WfRows   rows   = { .n = wf_flood_n_rows (flood), .amount = shape->width };
  Minima         data   = { .flood = flood, .runs = minima };
  GError        *failed = NULL;
  gboolean       done;

  wf_run_begin (flood->run, share, 4 * wf_shape_n_pixels (shape));
  done = wf_runs_init (minima, shape, flood->task->connectivity, flood->run, &failed) &&
         wf_run_rows (flood->run, &rows, find_runs, &data, &failed) &&
         wf_runs_connect (minima, flood->run, n_minima, &failed);

  if (g_error_matches (failed, WF_ERROR, WF_ERROR_LABELS))
    {
      g_clear_error (&failed);
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                   _("The image has more than %u minima."), G_MAXUINT32);
    }
  else if (failed)
    g_propagate_error (error, failed);
  return done;
}

/* The same, and writes their labels, 0 elsewhere. */
gboolean
wf_flood_label_minima (const WfFlood  *flood,
                       guint32        *labels,
                       guint32        *n_minima,
                       double          share,
                       GError        **error)
{
  const WfRows    rows = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };
  g_auto (WfRuns) runs = { 0 };
  Minima          data = { .flood = flood, .runs = &runs, .labels = labels };

  return wf_flood_connect_minima (flood, &runs, n_minima, share, error) &&
         wf_run_rows (flood->run, &rows, write_labels, &data, error);
}


/*  Markers  */

/* The extended minima are the minima of the reconstruction by erosion of the image from the image
 * raised by the tolerance (marker-levels.c).
 */
static gboolean
flood_from_extended_minima (WfFlood  *flood,
                            Buffers  *buffers,
                            guint32  *n_minima,
                            GError  **error)
{
  wf_run_step (flood->run, "levels");
  if (! wf_flood_start_levels (flood, NULL, buffers->levels, error) ||
      ! wf_flood_reconstruct_levels (flood, buffers->levels, 0.3, error))
    return FALSE;

  flood->level   = buffers->levels;
  flood->markers = NULL;
  wf_run_step (flood->run, "plateaux");
  if (! wf_flood_measure_plateaux (flood, &buffers->plateau, 0.15, error))
    return FALSE;
  wf_run_step (flood->run, "minima");
  return wf_flood_connect_minima (flood, &buffers->minima, n_minima, 0.1, error) &&
         wf_flood_restore_minima (flood, buffers->levels, error);
}

/* Without markers the minima of the image are the markers, and L1 is the image. */
static gboolean
flood_from_minima (WfFlood  *flood,
                   Buffers  *buffers,
                   guint32  *n_minima,
                   GError  **error)
{
  flood->level   = flood->image;
  flood->markers = NULL;
  wf_run_step (flood->run, "plateaux");
  if (! wf_flood_measure_plateaux (flood, &buffers->plateau, 0.3, error))
    return FALSE;
  wf_run_step (flood->run, "minima");
  return wf_flood_connect_minima (flood, &buffers->minima, n_minima, 0.2, error);
}

static gboolean
flood_from_markers (WfFlood        *flood,
                    Buffers        *buffers,
                    const guint32  *markers,
                    GError        **error)
{
  wf_run_step (flood->run, "levels");
  if (! wf_flood_start_levels (flood, markers, buffers->levels, error) ||
      ! wf_flood_reconstruct_levels (flood, buffers->levels, 0.3, error))
    return FALSE;

  flood->level   = buffers->levels;
  flood->markers = markers;
  wf_run_step (flood->run, "plateaux");
  return wf_flood_measure_plateaux (flood, &buffers->plateau, 0.15, error);
}

typedef struct
{
  const WfFlood *flood;
  guint8        *seen;      /* labels below the number of pixels, if there is memory */
  gint64         n_seen;
  GMutex         mutex;
  GHashTable    *others;    /* all other labels */
} Count;

static void
count_label (Count   *count,
             guint32  label)
{
  if (count->seen && label < wf_shape_n_pixels (&count->flood->task->shape))
    {
      if (! __atomic_load_n (&count->seen[label], __ATOMIC_RELAXED) &&
          ! __atomic_exchange_n (&count->seen[label], TRUE, __ATOMIC_RELAXED))
        __atomic_fetch_add (&count->n_seen, 1, __ATOMIC_RELAXED);
      return;
    }
  g_mutex_lock (&count->mutex);
  g_hash_table_add (count->others, GUINT_TO_POINTER (label));
  g_mutex_unlock (&count->mutex);
}

/* In most rows few pixels differ from the previous one, and most labels are small. */
static gboolean
count_row (gpointer data,
           WfRow    row)
{
  Count         *count  = data;
  const gint64   width  = count->flood->task->shape.width;
  const guint32 *labels = count->flood->labels + row.number * width;
  guint32        last   = 0;

  for (gint64 x = 0; x < width; x++)
    if (labels[x] != last && labels[x] != 0)
      count_label (count, last = labels[x]);
  return TRUE;
}

/* Counts the labels of a result: lines may have removed given markers. */
gboolean
wf_flood_count_labels (const WfFlood  *flood,
                       guint32        *n_labels,
                       GError        **error)
{
  const WfRows rows  = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };
  Count        count = { .flood  = flood,
                         .seen   = g_try_malloc0 (rows.n * rows.amount),
                         .others = g_hash_table_new (NULL, NULL) };
  gboolean     done;

  g_mutex_init (&count.mutex);
  wf_run_begin (flood->run, 0, rows.n * rows.amount);
  done      = wf_run_rows (flood->run, &rows, count_row, &count, error);
  *n_labels = count.n_seen + g_hash_table_size (count.others);
  g_mutex_clear (&count.mutex);
  g_hash_table_unref (count.others);
  g_free (count.seen);
  return done;
}

static gboolean
flood_image (const WfWatershedTask  *task,
             WfRun                  *run,
             GError                **error)
{
  gint64                 n       = wf_shape_n_pixels (&task->shape);
  g_auto (Buffers)       buffers = { 0 };
  WfFlood                flood   = { .task = task, .run = run };
  gconstpointer          markers = NULL;
  const WfFloodSteps    *steps;
  guint32                n_basins;

  if (! wf_image_pack (task->image, &flood.image, &buffers.image_copy, error) ||
      (task->markers && ! wf_image_pack (task->markers, &markers, &buffers.markers_copy, error)) ||
      ! buffers_init (&buffers, task, run, error))
    return FALSE;
  flood.labels = buffers.labels ? buffers.labels : task->labels->data;
  wf_neighbourhood_init (&flood.neighbours, task->connectivity, &task->shape);
  flood.arrows = buffers.arrows;
  flood.basins = task->lines ? buffers.basins : flood.labels;

  if (task->markers)
    {
      if (! flood_from_markers (&flood, &buffers, markers, error))
        return FALSE;
    }
  else if (task->tolerance > 0)
    {
      if (! flood_from_extended_minima (&flood, &buffers, &n_basins, error))
        return FALSE;
    }
  else if (! flood_from_minima (&flood, &buffers, &n_basins, error))
    return FALSE;

  steps = wf_flood_steps (&flood);
  wf_run_begin (run, task->lines ? 0.25 : 0.4, 3 * n);
  wf_run_step (run, "paths");
  if (! wf_flood_follow (&flood, steps, buffers.minima.bits ? &buffers.minima : NULL, error))
    return FALSE;
  wf_run_begin (run, 0.15, n);
  wf_run_step (run, "labels");
  if (task->lines && ! steps->draw_lines (&flood, error))
    return FALSE;

  /* Minima never touch, so lines remove none of them. */
  if (task->markers && ! wf_flood_count_labels (&flood, &n_basins, error))
    return FALSE;
  *task->n_basins = n_basins;
  if (buffers.labels)
    wf_image_unpack (task->labels, flood.labels, run);
  return TRUE;
}

static gboolean
run_steepest (gconstpointer   data,
              WfRun          *run,
              GError        **error)
{
  WfWatershedTask     task   = *(const WfWatershedTask *) data;
  g_autofree gpointer memory = NULL;
  WfImage             relief;

  if (wf_has_relief (&task))
    {
      if (! wf_cpu_relief (&task, &relief, &memory, run, SHARE_OF_RELIEF, error))
        return FALSE;
      task.image = &relief;
    }
  if (task.compactness > 0)
    return wf_flood_compact (&task, run, error);
  if (task.band)
    return wf_flood_band (&task, task.image, run, error);
  return flood_image (&task, run, error);
}

const WfVariant wf_cpu_watershed_variants[] =
{
  { .algorithm = "steepest", .memory = steepest_memory, .run = run_steepest },
  { .algorithm = NULL }
};
