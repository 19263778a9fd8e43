/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Basins of a preview that are merged and then corrected by hand, as another result.
 *
 * Merged basins have the label that represents them in the preview, so that colors stay when the
 * first correction is made.  Further corrections go on from the labels that are there; a shorter
 * list, and another one, begins from the merged basins.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "corrected-basins.h"
#include "ui/merge/region-memory.h"

/**
 * WfCorrectedBasins:
 * @source: complete basins
 * @count: how many of them merging leaves
 * @labels: corrected
 * @made: what they are corrected by
 */
struct _WfCorrectedBasins
{
  WfContext       *context;
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
  const gsize            n       = (gsize) source->n_labels + 1;
  g_autofree guint32    *map     = NULL;
  g_autofree guint32    *regions = NULL;
  g_autofree guint32    *list    = NULL;
  guint32                n_basins;

  if (! wf_preview_copy_image (get_labels (source), &corrected->labels, error))
    return FALSE;
  if (! basins->hierarchy ||
      corrected->count >= (n_basins = wf_hierarchy_get_n_basins (basins->hierarchy)))
    return TRUE;
  map = wf_region_memory_new ((gint64) n, sizeof *map, error);
  if (! map)
    return FALSE;
  regions = wf_preview_find_regions (basins, corrected->count, error);
  if (! regions || ! wf_hierarchy_get_map (basins->hierarchy, corrected->count, map, n, error))
    return FALSE;
  list = wf_preview_list_merged (map, source->n_labels);
  for (guint32 i = 0; i < n_basins; i++)
    regions[i] = list[MIN (regions[i], source->n_labels)];
  return wf_preview_relabel (corrected->context, basins, regions, &corrected->labels,
                             &corrected->labels, error);
}

static gboolean
prepare (WfCorrectedBasins  *corrected,
         GError            **error)
{
  const WfPreviewResult *source = corrected->source;
  const WfPreviewBasins *basins = source->extra;
  const WfImage         *inside = basins->objects.data ? &basins->objects
                                  : basins->inputs->images[2].data ? &basins->inputs->images[2]
                                                                   : NULL;
  WfWatershedOptions     options;

  g_clear_pointer (&corrected->correcting, wf_correcting_free);
  wf_image_clear (&corrected->labels);
  wf_corrections_truncate (corrected->made, 0);
  corrected->n_effective = 0;
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.lines        = source->lines;
  options.last_index   = basins->last_index;
  options.connectivity = basins->connectivity;
  if (! merge (corrected, error))
    return FALSE;
  corrected->correcting = wf_correcting_new (corrected->context, &basins->relief, inside,
                                             &corrected->labels, &options, error);
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
  g_autoptr (WfCorrectedBasins) corrected = g_new0 (WfCorrectedBasins, 1);

  corrected->context = wf_context_ref (context);
  corrected->source  = wf_preview_result_ref (source);
  corrected->count   = count;
  corrected->made    = wf_corrections_new ();
  return prepare (corrected, error) ? g_steal_pointer (&corrected) : NULL;
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
 * wf_corrected_basins_are_at:
 * @basins: corrected basins
 * @source: complete basins
 * @count: how many of them merging leaves
 *
 * Returns: whether @basins are made of these
 */
gboolean
wf_corrected_basins_are_at (WfCorrectedBasins *basins,
                            WfPreviewResult   *source,
                            guint32            count)
{
  return basins->source == source && basins->count == count;
}

/**
 * wf_corrected_basins_follow:
 * @basins: corrected basins
 * @corrections: a list, in pixels of the procedure's region
 * @error: as the engine sets it
 *
 * Corrects the merged basins by the list.
 *
 * Returns: %FALSE with @error set
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
  for (guint i = wf_corrections_get_n (basins->made); i < wf_corrections_get_n (corrections); i++)
    {
      const WfPixelPlace *points;
      guint               n;
      WfCorrectionKind    kind = wf_corrections_get (corrections, i, &points, &n);
      gboolean            effective;

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
  if (result->lines &&
      ! (result->label_lines = wf_label_lines_new (basins->context, &result->image,
                                                   result->diagonals ? 8 : 4, error)))
    return NULL;
  return g_steal_pointer (&result);
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
  const WfImage         *labels = get_labels (result);
  const WfImage         *levels = wf_preview_get_measured (basins->inputs);
  const guint32         *pixels = labels->data;
  WfBasin                sum    = { .minimum = INFINITY, .maximum = -INFINITY };

  for (gint64 i = 0; i < wf_image_n_pixels (labels); i++)
    if (pixels[i] == label)
      {
        const double level = wf_preview_get_level (levels, i);

        sum.area++;
        sum.mean   += level;
        sum.minimum = MIN (sum.minimum, level);
        sum.maximum = MAX (sum.maximum, level);
      }
  sum.mean /= (double) MAX (sum.area, 1);
  return sum;
}
