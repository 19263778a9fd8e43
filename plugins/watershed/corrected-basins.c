/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Basins of a preview that are merged and then corrected by hand, as another result.
 *
 * Merged basins have the label that represents them in the preview, so that colors stay when the
 * first correction is made.  Further corrections go on from the labels that are there; a shorter
 * list, another one, and another number of basins begin from the merged basins.  Then the objects
 * that are the same as before are divided as before: this is remembered.
 */

#include "config.h"

#include <string.h>

#include "corrected-basins.h"
#include "ui/merge/region-memory.h"

/* Bytes of objects that were divided: one a pixel of their boxes. */
#define MOST_REMEMBERED (64 << 20)

/**
 * WfCorrectedBasins:
 * @source: complete basins
 * @count: how many of them merging leaves
 * @labels: corrected
 * @made: what they are corrected by
 * @cancellable: (nullable): looked at before each correction
 */
struct _WfCorrectedBasins
{
  WfContext       *context;
  GCancellable    *cancellable;
  WfPreviewResult *source;
  guint32          count;
  WfImage          labels;
  WfCorrecting    *correcting;
  WfCorrections   *made;
  guint            n_effective;
};


/*  Merging  */

static const WfImage *
get_labels (const WfPreviewResult *result)
{
  const WfPreviewBasins *basins = result->extra;

  return basins->labels.data ? &basins->labels : &result->image;
}

static gboolean
merge (WfCorrectedBasins  *corrected,
       GError            **error)
{
  const WfPreviewResult *source  = corrected->source;
  const WfPreviewBasins *basins  = source->extra;
  const WfImage         *labels  = get_labels (source);
  const gsize            n       = (gsize) source->n_labels + 1;
  g_autofree guint32    *map     = NULL;
  g_autofree guint32    *regions = NULL;
  g_autofree guint32    *list    = NULL;
  guint32                n_basins;

  if (! basins->hierarchy ||
      corrected->count >= (n_basins = wf_hierarchy_get_n_basins (basins->hierarchy)))
    return wf_image_copy (corrected->context, labels, &corrected->labels, error);
  map = wf_region_memory_new ((gint64) n, sizeof *map, error);
  if (! map)
    return FALSE;
  regions = wf_preview_find_regions (basins, corrected->count, error);
  if (! regions || ! wf_hierarchy_get_map (basins->hierarchy, corrected->count, map, n, error))
    return FALSE;
  list = wf_preview_list_merged (map, source->n_labels);
  for (guint32 i = 0; i < n_basins; i++)
    regions[i] = list[MIN (regions[i], source->n_labels)];
  return wf_preview_relabel (corrected->context, basins, regions, labels, &corrected->labels,
                             error);
}

static WfCorrecting *
start (WfCorrectedBasins  *corrected,
       GError            **error)
{
  const WfPreviewResult *source = corrected->source;
  const WfPreviewBasins *basins = source->extra;
  const WfImage         *inside = basins->objects.data ? &basins->objects
                                  : basins->inputs->images[2].data ? &basins->inputs->images[2]
                                                                   : NULL;
  WfWatershedOptions     options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.lines        = source->lines;
  options.last_index   = basins->last_index;
  options.connectivity = basins->connectivity;
  return wf_correcting_new (corrected->context, &basins->relief, inside, &corrected->labels,
                            &options, error);
}

/* The merged basins without corrections, from which corrections begin. */
static gboolean
prepare (WfCorrectedBasins  *corrected,
         GError            **error)
{
  wf_corrections_truncate (corrected->made, 0);
  corrected->n_effective = 0;
  if (! merge (corrected, error))
    return FALSE;
  if (corrected->correcting)
    return wf_correcting_restart (corrected->correcting, error);
  corrected->correcting = start (corrected, error);
  if (corrected->correcting)
    wf_correcting_remember (corrected->correcting, MOST_REMEMBERED);
  return corrected->correcting != NULL;
}

/**
 * wf_corrected_basins_new:
 * @context: of the computation
 * @source: complete basins
 * @count: how many of them merging leaves
 * @error: as the engine sets it
 *
 * Returns: (transfer full): the merged basins without corrections, or %NULL with @error set
 */
WfCorrectedBasins *
wf_corrected_basins_new (WfContext        *context,
                         WfPreviewResult  *source,
                         guint32           count,
                         GError          **error)
{
  g_autoptr (WfCorrectedBasins)  corrected = g_new0 (WfCorrectedBasins, 1);
  const WfImage                 *labels    = get_labels (source);

  corrected->context = wf_context_ref (context);
  corrected->source  = wf_preview_result_ref (source);
  corrected->count   = count;
  corrected->made    = wf_corrections_new ();
  return wf_image_allocate (&corrected->labels, WF_TYPE_U32, labels->width, labels->height,
                            labels->depth, error) &&
         prepare (corrected, error) ? g_steal_pointer (&corrected) : NULL;
}

/**
 * wf_corrected_basins_merge:
 * @basins: corrected basins
 * @count: how many of the basins merging leaves now
 * @error: as the engine sets it
 *
 * Begins anew from another number of basins, unless it is the same.
 *
 * Returns: %FALSE with @error set; then they can only be freed
 */
gboolean
wf_corrected_basins_merge (WfCorrectedBasins  *basins,
                           guint32             count,
                           GError            **error)
{
  if (basins->count == count)
    return TRUE;
  basins->count = count;
  return prepare (basins, error);
}

/**
 * wf_corrected_basins_set_cancellable:
 * @basins: corrected basins
 * @cancellable: (nullable): stops wf_corrected_basins_follow() between two corrections; those that
 *   were made stay
 *
 * The context of wf_corrected_basins_new() has another one, or none: what that stops is lost.
 */
void
wf_corrected_basins_set_cancellable (WfCorrectedBasins *basins,
                                     GCancellable      *cancellable)
{
  g_set_object (&basins->cancellable, cancellable);
}

/**
 * wf_corrected_basins_free:
 * @basins: (transfer full): corrected basins
 */
void
wf_corrected_basins_free (WfCorrectedBasins *basins)
{
  g_clear_pointer (&basins->correcting, wf_correcting_free);
  g_clear_pointer (&basins->source, wf_preview_result_unref);
  g_clear_pointer (&basins->made, wf_corrections_free);
  g_clear_pointer (&basins->context, wf_context_unref);
  g_clear_object (&basins->cancellable);
  wf_image_clear (&basins->labels);
  g_free (basins);
}


/*  Corrections  */

/* Of how many corrections both lists are the same, from the first on. */
static guint
count_same (const WfCorrections *a,
            const WfCorrections *b)
{
  const guint n = MIN (wf_corrections_get_n (a), wf_corrections_get_n (b));

  for (guint i = 0; i < n; i++)
    {
      const WfPixelPlace *first, *second;
      guint               n_first, n_second;

      if (wf_corrections_get (a, i, &first, &n_first) !=
          wf_corrections_get (b, i, &second, &n_second) ||
          n_first != n_second || memcmp (first, second, n_first * sizeof *first) != 0)
        return i;
    }
  return n;
}

/**
 * wf_corrected_basins_are_of:
 * @basins: corrected basins
 * @source: complete basins
 *
 * Returns: whether @basins are made of these
 */
gboolean
wf_corrected_basins_are_of (WfCorrectedBasins *basins,
                            WfPreviewResult   *source)
{
  return basins->source == source;
}

/**
 * wf_corrected_basins_follow:
 * @basins: corrected basins
 * @corrections: a list, in pixels of the procedure's region
 * @error: as the engine sets it
 *
 * Corrects the merged basins by the list.
 *
 * Returns: %FALSE with @error set; then they can only be freed, unless the cancellable of
 *   wf_corrected_basins_set_cancellable() has stopped it: another call goes on
 */
gboolean
wf_corrected_basins_follow (WfCorrectedBasins    *basins,
                            const WfCorrections  *corrections,
                            GError              **error)
{
  const WfPreviewRegion     *region = &basins->source->region;
  const gint64               first  = region->slice - basins->source->slice;
  g_autoptr (WfCorrections)  moved  = wf_corrections_transform (corrections, region->scale,
                                                                region->x, region->y, first);

  if (count_same (basins->made, corrections) < wf_corrections_get_n (basins->made) &&
      ! prepare (basins, error))
    return FALSE;
  wf_correcting_divide_ahead (basins->correcting, moved, wf_corrections_get_n (basins->made));
  for (guint i = wf_corrections_get_n (basins->made); i < wf_corrections_get_n (corrections); i++)
    {
      const WfPixelPlace *points;
      guint               n;
      WfCorrectionKind    kind = wf_corrections_get (corrections, i, &points, &n);
      gboolean            effective;

      if (g_cancellable_set_error_if_cancelled (basins->cancellable, error))
        return FALSE;
      if (! wf_correcting_apply (basins->correcting, moved, i, &effective, error))
        return FALSE;
      wf_corrections_add (basins->made, kind, points, n);
      basins->n_effective += effective ? 1 : 0;
    }
  return TRUE;
}

/**
 * wf_corrected_basins_get_n_effective:
 * @basins: corrected basins
 *
 * Returns: how many corrections had an effect
 */
guint
wf_corrected_basins_get_n_effective (WfCorrectedBasins *basins)
{
  return basins->n_effective;
}


/*  As a result  */

static void
take_verdicts (WfCorrectedBasins *corrected,
               WfPreviewBasins   *basins)
{
  const guint32 highest = wf_correcting_get_highest (corrected->correcting);

  basins->verdicts = g_new0 (gint8, (gsize) highest + 1);
  for (guint32 label = 1; label <= highest; label++)
    basins->verdicts[label] = (gint8) wf_correcting_get_verdict (corrected->correcting, label);
}

/**
 * wf_corrected_basins_get_result:
 * @basins: corrected basins
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (transfer full): a complete result, with #WfPreviewBasins without a hierarchy and
 *   measurements, or %NULL with @error set
 */
WfPreviewResult *
wf_corrected_basins_get_result (WfCorrectedBasins  *basins,
                                GError            **error)
{
  const WfPreviewResult      *source = basins->source;
  g_autoptr (WfPreviewResult) result = wf_preview_result_new (&source->region);
  WfPreviewBasins            *extra  = wf_preview_basins_new_like (source->extra);
  WfImage                     labels = { 0 };

  result->extra      = extra;
  result->free_extra = wf_preview_basins_free;
  result->slice      = source->slice;
  result->lines      = source->lines;
  result->diagonals  = source->diagonals;
  result->n_labels   = wf_correcting_get_highest (basins->correcting);
  result->complete   = TRUE;
  take_verdicts (basins, extra);
  if (! wf_preview_copy_image (&source->mask, &result->mask, error) ||
      ! wf_preview_copy_image (&basins->labels, &labels, error))
    return NULL;
  if (! wf_preview_take_slice (&labels, source->slice, &result->image, error))
    {
      wf_image_clear (&labels);
      return NULL;
    }
  extra->labels = labels;
  return wf_preview_find_lines (basins->context, result, error) ? g_steal_pointer (&result) : NULL;
}


/*  Measurements  */

/**
 * wf_corrected_basins_add_up:
 * @result: as wf_corrected_basins_get_result() returns it
 * @label: of an object
 *
 * Returns: its area and levels
 */
WfBasin
wf_corrected_basins_add_up (const WfPreviewResult *result,
                            guint32                label)
{
  const WfPreviewBasins *basins = result->extra;
  WfBasin                sum;

  wf_basin_measure_levels (wf_preview_get_measured (basins->inputs), get_labels (result), label,
                           &sum);
  return sum;
}
