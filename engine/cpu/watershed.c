/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed on the CPU, `steepest`, straight from the definition in
 * engine/watershed.c:
 *
 *   1. L1, the level at which each pixel is flooded: reconstruction by erosion;
 *   2. L2, how far it lies inside its plateau: a wavefront from lower borders;
 *   3. labels, along the path of each pixel's smallest neighbours to a marker;
 *   4. lines, where a pixel's neighbour of another basin was flooded before it.
 *
 * Minima are what a wavefront over the plateaux of an image does not reach.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "simd.h"
#include "watershed.h"

typedef struct
{
  const WfFloodSteps *steps;
  gpointer            image_copy;   /* where it is not packed */
  gpointer            markers_copy;
  guint32            *labels;
  gpointer            levels;       /* where L1 is not the image itself */
  guint32            *plateau;
  guint32            *markers;      /* of the extended minima */
  guint8             *arrows;
  guint32            *basins;       /* where the lines are drawn from */
} Buffers;


static void
buffers_clear (Buffers *buffers)
{
  g_free (buffers->image_copy);
  g_free (buffers->markers_copy);
  g_free (buffers->labels);
  g_free (buffers->levels);
  g_free (buffers->plateau);
  g_free (buffers->markers);
  g_free (buffers->arrows);
  g_free (buffers->basins);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Buffers, buffers_clear)

static gboolean
buffers_init (Buffers                *buffers,
              const WfWatershedTask  *task,
              GError                **error)
{
  gint64   n        = wf_shape_n_pixels (&task->shape);
  gboolean extended = task->tolerance > 0;

  buffers->steps = task->type == WF_TYPE_U8  ? &wf_flood_steps_u8
                 : task->type == WF_TYPE_U16 ? &wf_flood_steps_u16 : &wf_flood_steps_f32;

  return (buffers->labels = wf_allocate (n, sizeof (guint32), error)) &&
         (buffers->plateau = wf_allocate (n, sizeof (guint32), error)) &&
         (buffers->arrows = wf_allocate (n, 1, error)) &&
         (! (task->markers || extended) ||
          (buffers->levels = wf_allocate (n, wf_type_size (task->type), error))) &&
         (! extended || (buffers->markers = wf_allocate (n, sizeof (guint32), error))) &&
         (! task->lines || (buffers->basins = wf_allocate (n, sizeof (guint32), error)));
}

static guint64
steepest_memory (gconstpointer data)
{
  const WfWatershedTask *task     = data;
  gboolean               extended = task->tolerance > 0;
  guint64                n        = wf_shape_n_pixels (&task->shape);
  guint64                bytes    = 2 * sizeof (guint32) + 1;
  WfReconstructTask      levels   = { .shape = task->shape, .type = task->type,
                                      .mask = task->image, .marker = task->image };

  if (task->markers || extended)
    bytes += wf_type_size (task->type);
  if (extended)
    bytes += sizeof (guint32);
  if (task->lines)
    bytes += sizeof (guint32);
  if (! wf_image_is_packed (task->image))
    bytes += wf_type_size (task->type);
  if (task->markers && ! wf_image_is_packed (task->markers))
    bytes += sizeof (guint32);
  return bytes * n + (task->markers || extended ? wf_cpu_reconstruct_memory (&levels)
                                                : n / 16 * sizeof (gint64));
}

/* Gives one zone of pixels that no wavefront reached its label. */
static gboolean
label_zone (const WfFlood  *flood,
            guint32        *labels,
            guint32         label,
            gint64          start,
            WfFifo         *queue,
            GError        **error)
{
  const WfNeighbourhood *nb    = &flood->neighbours;
  const WfBox            image = wf_shape_box (&flood->task->shape);

  labels[start] = label;
  if (! wf_fifo_push (queue, start, error))
    return FALSE;
  while (queue->n > 0)
    {
      gint64  p     = wf_fifo_pop (queue);
      WfPoint point = wf_point_of_index (p, &flood->task->shape);

      for (int i = 0; i < nb->n; i++)
        {
          gint64 q = p + nb->step[i];

          if (! wf_box_holds (&image, point, nb->dx[i], nb->dy[i], nb->dz[i]) ||
              flood->plateau[q] != WF_UNREACHED || labels[q] != 0)
            continue;
          labels[q] = label;
          if (! wf_fifo_push (queue, q, error))
            return FALSE;
        }
    }
  return TRUE;
}

/* Numbers the zones that L2 leaves out, the minima, in raster order. */
static gboolean
label_minima (const WfFlood  *flood,
              guint32        *labels,
              guint32        *n_minima,
              GError        **error)
{
  gint64   n     = wf_shape_n_pixels (&flood->task->shape);
  WfFifo   queue = { 0 };
  gboolean done  = TRUE;

  *n_minima = 0;
  memset (labels, 0, n * sizeof (guint32));
  for (gint64 p = 0; p < n && done; p++)
    {
      if ((p & 0xffff) == 0 && ! wf_run_advance (flood->run, 0x10000))
        done = wf_run_set_cancelled (error);
      else if (flood->plateau[p] != WF_UNREACHED || labels[p] != 0)
        continue;
      else if (*n_minima == G_MAXUINT32)
        {
          g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                       _("The image has more than %u minima."), G_MAXUINT32);
          done = FALSE;
        }
      else
        done = label_zone (flood, labels, ++*n_minima, p, &queue, error);
    }
  wf_fifo_clear (&queue);
  return done;
}

/* Arrows and L2 over a whole image. */
static gboolean
complete_plateaux (const WfFlood       *flood,
                   const WfFloodSteps  *steps,
                   double               share,
                   GError             **error)
{
  gint64 n = wf_shape_n_pixels (&flood->task->shape);

  wf_run_begin (flood->run, share, 2 * n);
  return steps->start_plateaux (flood, error) && steps->propagate_plateaux (flood, error);
}

/* Erodes @levels back onto the image. */
static gboolean
reconstruct_levels (const WfFlood  *flood,
                    gpointer        levels,
                    double          share,
                    GError        **error)
{
  const WfShape     *shape  = &flood->task->shape;
  WfImage            image  = *flood->task->image;
  WfReconstructTask  task   = {
    .shape        = *shape,
    .type         = flood->task->type,
    .by           = WF_BY_EROSION,
    .connectivity = flood->task->connectivity,
    .mask         = flood->task->image,
    .marker       = &image,
    .out          = &image,
  };

  return wf_image_init (&image, task.type, shape->width, shape->height, shape->depth,
                        levels, error) &&
         wf_cpu_reconstruct (&task, flood->run, share, error);
}

/* The minima that are deeper than the tolerance: the minima of what is left
 * when the raised image is eroded back onto the image (Soille 2003, 6.3.5).
 */
static gboolean
find_extended_minima (WfFlood  *flood,
                      Buffers  *buffers,
                      guint32  *n_minima,
                      GError  **error)
{
  buffers->steps->raise (flood, buffers->levels);
  if (! reconstruct_levels (flood, buffers->levels, 0.2, error))
    return FALSE;

  flood->level   = buffers->levels;
  flood->markers = NULL;
  return complete_plateaux (flood, buffers->steps, 0.1, error) &&
         label_minima (flood, buffers->markers, n_minima, error);
}

/* Without markers, the minima of the image are its markers and L1 is the image. */
static gboolean
flood_from_minima (WfFlood  *flood,
                   Buffers  *buffers,
                   guint32  *n_minima,
                   GError  **error)
{
  gint64 n = wf_shape_n_pixels (&flood->task->shape);

  flood->level   = flood->image;
  flood->markers = NULL;
  if (! complete_plateaux (flood, buffers->steps, 0.5, error) ||
      ! label_minima (flood, flood->basins, n_minima, error))
    return FALSE;

  for (gint64 p = 0; p < n; p++)
    if (flood->basins[p])
      {
        flood->arrows[p]  = WF_ARROW_ROOT;
        flood->plateau[p] = 0;
      }
  return TRUE;
}

static gboolean
flood_from_markers (WfFlood        *flood,
                    Buffers        *buffers,
                    const guint32  *markers,
                    GError        **error)
{
  buffers->steps->start_levels (flood, markers, buffers->levels);
  if (! reconstruct_levels (flood, buffers->levels, 0.3, error))
    return FALSE;

  memcpy (flood->basins, markers, wf_shape_n_pixels (&flood->task->shape) * sizeof (guint32));
  flood->level   = buffers->levels;
  flood->markers = markers;
  return complete_plateaux (flood, buffers->steps, 0.2, error);
}

/* Gives every pixel the label that its water runs to; each is walked over twice. */
static gboolean
follow (const WfFlood       *flood,
        const WfFloodSteps  *steps,
        GError             **error)
{
  const WfShape *shape     = &flood->task->shape;
  const guint    n_threads = flood->run->n_threads;
  GError        *failure   = NULL;
  int            stop      = FALSE;

#pragma omp parallel num_threads(n_threads) if (n_threads > 1)
  {
    WfFifo  path = { 0 };
    GError *mine = NULL;

#pragma omp for schedule(dynamic, 16)
    for (gint64 row = 0; row < shape->height * shape->depth; row++)
      {
        if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
          continue;
        if (! steps->follow_row (flood, row * shape->width, &path, &mine) ||
            ! wf_run_advance (flood->run, shape->width))
          __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
      }

#pragma omp critical
    if (mine && ! failure)
      failure = g_steal_pointer (&mine);
    g_clear_error (&mine);
    wf_fifo_clear (&path);
  }

  if (failure)
    g_propagate_error (error, failure);
  else if (stop)
    wf_run_set_cancelled (error);
  return ! failure && ! stop;
}

/* How many labels a result has, where given markers may have been lost to lines.
 * A row mostly repeats the label before, and labels are mostly small.
 */
static guint32
count_labels (const guint32 *labels,
              gint64         n)
{
  g_autoptr (GHashTable)  others = g_hash_table_new (NULL, NULL);
  g_autofree guint8      *seen   = g_try_malloc0 (n);
  guint32                 last   = 0;
  guint32                 count  = 0;

  for (gint64 p = 0; p < n; p++)
    {
      if (labels[p] == last || labels[p] == 0)
        continue;
      last = labels[p];
      if (! seen || last >= n)
        g_hash_table_add (others, GUINT_TO_POINTER (last));
      else if (! seen[last])
        seen[last] = ++count > 0;
    }
  return count + g_hash_table_size (others);
}

/* The function that finds arrows, for the image's type and this processor. */
static void
choose_arrows (WfFlood *flood)
{
  static const WfArrowSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_arrows);
  const WfArrowSteps *table = tables[wf_simd_level ()];

  flood->point_row = flood->task->type == WF_TYPE_U8  ? table->of_u8
                   : flood->task->type == WF_TYPE_U16 ? table->of_u16 : table->of_f32;
}

static gboolean
run_steepest (gconstpointer   data,
              WfRun          *run,
              GError        **error)
{
  const WfWatershedTask *task    = data;
  gint64                 n       = wf_shape_n_pixels (&task->shape);
  g_auto (Buffers)       buffers = { 0 };
  WfFlood                flood   = { .task = task, .run = run };
  gconstpointer          markers = NULL;
  guint32                n_basins;

  if (! wf_image_pack (task->image, &flood.image, &buffers.image_copy, error) ||
      (task->markers && ! wf_image_pack (task->markers, &markers, &buffers.markers_copy, error)) ||
      ! buffers_init (&buffers, task, error))
    return FALSE;
  flood.labels = buffers.labels;
  wf_neighbourhood_init (&flood.neighbours, task->connectivity, &task->shape);
  choose_arrows (&flood);
  flood.plateau = buffers.plateau;
  flood.arrows  = buffers.arrows;
  flood.basins  = task->lines ? buffers.basins : buffers.labels;

  if (task->markers)
    {
      if (! flood_from_markers (&flood, &buffers, markers, error))
        return FALSE;
    }
  else if (task->tolerance > 0)
    {
      if (! find_extended_minima (&flood, &buffers, &n_basins, error) ||
          ! flood_from_markers (&flood, &buffers, buffers.markers, error))
        return FALSE;
    }
  else if (! flood_from_minima (&flood, &buffers, &n_basins, error))
    return FALSE;

  wf_run_begin (run, 0.15, n);
  if (! follow (&flood, buffers.steps, error))
    return FALSE;
  wf_run_begin (run, 0.05, n);
  if (task->lines && ! buffers.steps->draw_lines (&flood, error))
    return FALSE;

  /* Minima never touch, so none is lost. */
  *task->n_basins = task->markers ? count_labels (buffers.labels, n) : n_basins;
  wf_image_unpack (task->labels, buffers.labels);
  return TRUE;
}

const WfVariant wf_cpu_watershed_variants[] =
{
  { "steepest", NULL, NULL, steepest_memory, run_steepest },
  { NULL, NULL, NULL, NULL, NULL }
};
