/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures the objects of a preview in a thread of its own, once for each number of basins that
 * merging leaves.  Another start cancels the one before.
 *
 * Corrected basins are kept for the next number of basins: most objects are then divided as before,
 * which they remember.  So they are not lost when another start cancels the measuring, their
 * context is not cancelled: the thread looks for that between two corrections.
 */

#include "config.h"

#include <string.h>

#include "basin-flood.h"
#include "corrected-basins.h"
#include "object-measuring.h"
#include "object-places.h"
#include "table-measures.h"
#include "ui/merge/region-memory.h"

/**
 * Settings:
 * @result: complete
 * @count: the number of basins that merging leaves
 * @measures: those of a table, a bit for each; 0: no table is wanted
 * @spacing: of its pixels
 * @placed: whether places for numbers are wanted
 * @corrections: (nullable): made of the merged basins
 * @stop: (nullable): cancelled when this is not wanted any more
 * @kept: where corrected basins are kept
 */
typedef struct
{
  WfPreviewResult *result;
  guint32          count;
  guint64          measures;
  double           spacing[3];
  gboolean         placed;
  WfCorrections   *corrections;
  GCancellable    *stop;
  struct _Kept    *kept;
} Settings;

/**
 * Kept:
 * @context: of @basins
 * @basins: (nullable): the last ones, unless the thread works on them
 */
typedef struct _Kept
{
  GMutex             lock;
  WfContext         *context;
  WfCorrectedBasins *basins;
} Kept;

/**
 * WfObjectMeasuring:
 * @wanted: what is measured, with a result until it is
 * @kept: what the thread goes on from
 * @measured: the last table, in its extra
 * @error: why what is wanted could not be measured
 */
struct _WfObjectMeasuring
{
  WfPreviewWorker       *worker;
  WfObjectsMeasuredFunc  done;
  gpointer               data;
  Kept                   kept;
  Settings               wanted;
  WfPreviewResult       *measured;
  GError                *error;
};


static void
table_clear (gpointer data)
{
  WfObjectTable *table = data;

  g_clear_pointer (&table->source, wf_preview_result_unref);
  g_clear_pointer (&table->result, wf_preview_result_unref);
  wf_objects_free (table->objects);
  wf_objects_free (table->listed);
  g_clear_pointer (&table->places, g_array_unref);
  g_free (table->representatives);
  g_free (table->numbers);
}

static void
table_release (gpointer table)
{
  wf_object_table_unref (table);
}

/**
 * wf_object_table_ref:
 * @table: objects
 *
 * Returns: (transfer full): @table
 */
const WfObjectTable *
wf_object_table_ref (const WfObjectTable *table)
{
  return g_atomic_rc_box_acquire ((gpointer) table);
}

/**
 * wf_object_table_unref:
 * @table: (transfer full): objects
 */
void
wf_object_table_unref (const WfObjectTable *table)
{
  g_atomic_rc_box_release_full ((gpointer) table, table_clear);
}


/*  In the thread  */

/* The regions that the basins are merged to, as an image. */
static gboolean
merge (WfContext              *context,
       const WfPreviewBasins  *basins,
       const WfImage          *labels,
       guint32                 count,
       WfImage                *merged,
       GError                **error)
{
  g_autofree guint32 *regions = wf_preview_find_regions (basins, count, error);

  return regions &&
         wf_image_allocate (merged, WF_TYPE_U32, labels->width, labels->height, labels->depth,
                            error) &&
         wf_preview_relabel (context, basins, regions, labels, merged, error);
}

static void
number_objects (WfObjectTable *table,
                const guint32 *map)
{
  const WfRegions    *regions  = wf_objects_get_regions (table->objects);
  const double       *labels   = wf_regions_get_values (regions, 0);
  const guint32       n_labels = table->result->n_labels;
  g_autofree guint32 *list     = map ? wf_preview_list_merged (map, n_labels) : NULL;

  table->n               = wf_regions_get_n_regions (regions);
  table->representatives = g_new (guint32, table->n + 1);
  table->numbers         = g_new (gint64, (gsize) n_labels + 1);
  for (gsize label = 0; label <= n_labels; label++)
    table->numbers[label] = -1;
  for (gint64 i = 0; i < table->n; i++)
    {
      const guint32 label = (guint32) labels[i];

      table->representatives[i] = map ? list[MIN (label, n_labels)] : label;
      table->numbers[MIN (table->representatives[i], n_labels)] = i;
    }
  for (gsize label = 1; map && label <= n_labels; label++)
    table->numbers[label] = table->numbers[map[label]];
}

static gboolean
find_map (const WfPreviewBasins  *basins,
          const WfPreviewResult  *result,
          guint32                 count,
          guint32               **map,
          GError                **error)
{
  const gsize n = (gsize) result->n_labels + 1;

  *map = g_new0 (guint32, n);
  return wf_hierarchy_get_map (basins->hierarchy, count, *map, n, error);
}

/* What a stack does not have is left out. */
static gboolean
measure_listed (WfContext       *context,
                const WfImage   *labels,
                const WfImage   *levels,
                const WfImage   *mask,
                const Settings  *settings,
                WfObjectTable   *table,
                GError         **error)
{
  const guint64   measures = wf_table_measures_find_defined (settings->measures,
                                                             labels->depth > 1);
  WfRegionOptions options;

  if (measures == 0)
    return TRUE;
  wf_option_group_init (wf_regions_get_options (), &options);
  memcpy (options.spacing, settings->spacing, sizeof options.spacing);
  table->listed = wf_objects_measure (context, labels, levels, mask, measures, &options, error);
  return table->listed != NULL;
}

/* Of what the preview shows: of a stack a slice. */
static gboolean
find_places (WfContext       *context,
             const Settings  *settings,
             WfObjectTable   *table,
             GError         **error)
{
  const WfImage      *labels   = &table->result->image;
  const guint32       n_labels = table->result->n_labels;
  g_autofree guint32 *map      = NULL;
  g_auto (WfImage)    objects  = { 0 };

  if (! settings->placed)
    return TRUE;
  map = wf_region_memory_new ((gint64) n_labels + 1, sizeof *map, error);
  if (! map ||
      ! wf_image_allocate (&objects, WF_TYPE_U32, labels->width, labels->height, 1, error))
    return FALSE;
  for (gsize label = 0; label <= n_labels; label++)
    map[label] = (guint32) (table->numbers[label] + 1);
  wf_labels_map (labels, map, n_labels + 1, &objects);
  table->places = wf_object_places_find (context, &objects, error);
  return table->places != NULL;
}

/* Replaces the basins that are kept; returns those that were. */
static WfCorrectedBasins *
exchange (Kept              *kept,
          WfCorrectedBasins *basins)
{
  WfCorrectedBasins *before;

  g_mutex_lock (&kept->lock);
  before       = kept->basins;
  kept->basins = basins;
  g_mutex_unlock (&kept->lock);
  return before;
}

static void
drop (Kept *kept)
{
  WfCorrectedBasins *before = exchange (kept, NULL);

  g_clear_pointer (&before, wf_corrected_basins_free);
}

/* The corrected basins, which are not merged any more. */
static WfPreviewResult *
correct (const Settings  *settings,
         GError         **error)
{
  g_autoptr (WfCorrectedBasins) corrected = exchange (settings->kept, NULL);
  g_autoptr (WfPreviewResult)   result    = NULL;
  g_autoptr (GError)            problem   = NULL;
  const gint64                  start     = g_get_monotonic_time ();

  if (corrected && ! wf_corrected_basins_are_of (corrected, settings->result))
    g_clear_pointer (&corrected, wf_corrected_basins_free);
  if (! corrected)
    corrected = wf_corrected_basins_new (settings->kept->context, settings->result,
                                         settings->count, &problem);
  if (corrected && wf_corrected_basins_merge (corrected, settings->count, &problem))
    {
      wf_corrected_basins_set_cancellable (corrected, settings->stop);
      if (wf_corrected_basins_follow (corrected, settings->corrections, &problem))
        result = wf_corrected_basins_get_result (corrected, &problem);
    }
  g_debug ("objects: corrected in %.1f ms", (g_get_monotonic_time () - start) / 1e3);
  if (result || g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      WfCorrectedBasins *other = exchange (settings->kept, g_steal_pointer (&corrected));

      g_clear_pointer (&other, wf_corrected_basins_free);
    }
  if (! result)
    g_propagate_error (error, g_steal_pointer (&problem));
  return g_steal_pointer (&result);
}

/* Of WfPreviewComputation. */
static gboolean
compute (WfContext              *context,
         const WfPreviewInputs  *inputs,
         gconstpointer           data,
         WfPreviewResult        *out,
         GError                **error)
{
  const Settings        *settings = data;
  const WfImage         *levels   = wf_preview_get_measured (inputs);
  const WfImage         *mask     = inputs->images[2].data ? &inputs->images[2] : NULL;
  const WfPreviewBasins *basins;
  const WfImage         *labels;
  gboolean               merges;
  WfObjectTable         *table    = g_atomic_rc_box_new0 (WfObjectTable);
  g_auto (WfImage)       merged   = { 0 };
  g_autofree guint32    *map      = NULL;

  out->extra      = table;
  out->free_extra = table_release;
  out->complete   = TRUE;
  table->source   = wf_preview_result_ref (settings->result);
  table->count    = settings->count;
  table->result   = settings->corrections ? correct (settings, error)
                                          : wf_preview_result_ref (settings->result);
  if (! table->result)
    return FALSE;
  basins = table->result->extra;
  labels = basins->labels.data ? &basins->labels : &table->result->image;
  merges = basins->hierarchy && settings->count < wf_hierarchy_get_n_basins (basins->hierarchy);
  if (merges && (! merge (context, basins, labels, settings->count, &merged, error) ||
                 ! find_map (basins, table->result, settings->count, &map, error)))
    return FALSE;
  table->objects = wf_objects_measure (context, merges ? &merged : labels, levels,
                                       mask, 0, NULL, error);
  if (! table->objects ||
      ! measure_listed (context, merges ? &merged : labels, levels, mask, settings, table, error))
    return FALSE;
  number_objects (table, map);
  return find_places (context, settings, table, error);
}

static gpointer
copy_settings (gpointer data)
{
  const WfObjectMeasuring *measuring = data;
  Settings                *copy      = g_memdup2 (&measuring->wanted, sizeof *copy);

  wf_preview_result_ref (copy->result);
  copy->corrections = copy->corrections ? wf_corrections_copy (copy->corrections) : NULL;
  g_object_ref (copy->stop);
  return copy;
}

static void
free_settings (gpointer data)
{
  Settings *settings = data;

  wf_preview_result_unref (settings->result);
  wf_corrections_free (settings->corrections);
  g_object_unref (settings->stop);
  g_free (settings);
}

static const WfPreviewComputation computation =
{
  .copy_settings = copy_settings,
  .free_settings = free_settings,
  .compute       = compute,
};


/*  In the main thread  */

static void
taken (WfPreviewResult *out,
       const GError    *error,
       gpointer         data)
{
  WfObjectMeasuring *measuring = data;

  if (error)
    measuring->error = g_error_copy (error);
  else if (out)
    {
      measuring->measured = wf_preview_result_ref (out);
      g_clear_pointer (&measuring->wanted.result, wf_preview_result_unref);
    }
  measuring->done (measuring->data);
}

/**
 * wf_object_measuring_new:
 * @measured: called in the main loop for the objects that were asked for last
 * @data: for @measured
 *
 * Returns: (transfer full): measures nothing yet
 */
WfObjectMeasuring *
wf_object_measuring_new (WfObjectsMeasuredFunc measured,
                         gpointer              data)
{
  WfObjectMeasuring *measuring = g_new0 (WfObjectMeasuring, 1);

  measuring->done   = measured;
  measuring->data   = data;
  measuring->worker = wf_preview_worker_new (taken, measuring);
  g_mutex_init (&measuring->kept.lock);
  measuring->kept.context = wf_context_new ();
  wf_context_set_partial_outputs (measuring->kept.context, TRUE);   /* then they are freed */
  measuring->wanted.kept = &measuring->kept;
  return measuring;
}

/**
 * wf_object_measuring_free:
 * @measuring: (transfer full): a measuring
 *
 * Cancels it.
 */
void
wf_object_measuring_free (WfObjectMeasuring *measuring)
{
  wf_object_measuring_stop (measuring);
  wf_preview_worker_free (measuring->worker);
  drop (&measuring->kept);
  wf_context_unref (measuring->kept.context);
  g_mutex_clear (&measuring->kept.lock);
  wf_corrections_free (measuring->wanted.corrections);
  g_free (measuring);
}

/* The last objects, if there are any. */
static gboolean
measure_again (WfObjectMeasuring *measuring)
{
  const WfObjectTable        *table  = wf_object_measuring_get (measuring);
  g_autoptr (WfPreviewResult) result = NULL;
  guint32                     count;

  if (! table && ! measuring->wanted.result)
    return FALSE;
  count  = table ? table->count : measuring->wanted.count;
  result = wf_preview_result_ref (table ? table->source : measuring->wanted.result);
  wf_object_measuring_stop (measuring);
  return wf_object_measuring_start (measuring, result, count);
}

/**
 * wf_object_measuring_list:
 * @measuring: a measuring
 * @measures: those of a table of the objects, a bit for each; 0: no table
 * @spacing: of its pixels
 *
 * Measures the last objects again if they lack a table.
 *
 * Returns: whether this is started
 */
gboolean
wf_object_measuring_list (WfObjectMeasuring *measuring,
                          guint64            measures,
                          const double       spacing[3])
{
  if (measuring->wanted.measures == measures)
    return FALSE;
  measuring->wanted.measures = measures;
  memcpy (measuring->wanted.spacing, spacing, sizeof measuring->wanted.spacing);
  return (measures != 0 || measuring->error) && measure_again (measuring);
}

/**
 * wf_object_measuring_place:
 * @measuring: a measuring
 * @placed: whether places for numbers are wanted
 *
 * Measures the last objects again if they lack them.
 *
 * Returns: whether this is started
 */
gboolean
wf_object_measuring_place (WfObjectMeasuring *measuring,
                           gboolean           placed)
{
  if (measuring->wanted.placed == placed)
    return FALSE;
  measuring->wanted.placed = placed;
  return placed && measure_again (measuring);
}

/**
 * wf_object_measuring_correct:
 * @measuring: a measuring
 * @corrections: (nullable): what is made of basins that are measured from now on, in pixels of the
 *   procedure's region
 *
 * Cancels it, and forgets the last table.
 */
void
wf_object_measuring_correct (WfObjectMeasuring   *measuring,
                             const WfCorrections *corrections)
{
  wf_object_measuring_stop (measuring);
  g_clear_pointer (&measuring->wanted.corrections, wf_corrections_free);
  measuring->wanted.corrections = corrections ? wf_corrections_copy (corrections) : NULL;
  if (! corrections)
    drop (&measuring->kept);
}

/**
 * wf_object_measuring_forget:
 * @measuring: a measuring
 *
 * Cancels it, and forgets the last table and all basins.
 */
void
wf_object_measuring_forget (WfObjectMeasuring *measuring)
{
  wf_object_measuring_stop (measuring);
  drop (&measuring->kept);
}

/**
 * wf_object_measuring_stop:
 * @measuring: a measuring
 *
 * Cancels it, and forgets the last table.
 */
void
wf_object_measuring_stop (WfObjectMeasuring *measuring)
{
  g_cancellable_cancel (measuring->wanted.stop);
  g_clear_object (&measuring->wanted.stop);
  wf_preview_worker_cancel (measuring->worker);
  g_clear_pointer (&measuring->wanted.result, wf_preview_result_unref);
  g_clear_pointer (&measuring->measured, wf_preview_result_unref);
  g_clear_error (&measuring->error);
}

/**
 * wf_object_measuring_start:
 * @measuring: a measuring
 * @result: complete basins
 * @count: the number of basins that merging leaves
 *
 * Measures them, unless the last table is of them.
 *
 * Returns: whether this is started: there is no table until it is done
 */
gboolean
wf_object_measuring_start (WfObjectMeasuring *measuring,
                           WfPreviewResult   *result,
                           guint32            count)
{
  const WfPreviewBasins *basins = result->extra;
  const WfObjectTable   *table  = wf_object_measuring_get (measuring);

  if ((table && table->source == result && table->count == count) ||
      (measuring->wanted.result == result && measuring->wanted.count == count &&
       ! measuring->error))
    return FALSE;
  wf_object_measuring_stop (measuring);
  measuring->wanted.result = wf_preview_result_ref (result);
  measuring->wanted.count  = count;
  measuring->wanted.stop   = g_cancellable_new ();
  wf_preview_worker_start (measuring->worker, &computation, measuring, basins->inputs);
  return TRUE;
}

/**
 * wf_object_measuring_get:
 * @measuring: a measuring
 *
 * Returns: (transfer none) (nullable): the table that was asked for last, as soon as it is there
 */
const WfObjectTable *
wf_object_measuring_get (WfObjectMeasuring *measuring)
{
  return measuring->measured ? measuring->measured->extra : NULL;
}

/**
 * wf_object_measuring_get_error:
 * @measuring: a measuring
 *
 * Returns: (transfer none) (nullable): why what was asked for last could not be measured
 */
const GError *
wf_object_measuring_get_error (WfObjectMeasuring *measuring)
{
  return measuring->error;
}
