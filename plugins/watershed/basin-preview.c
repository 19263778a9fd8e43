/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview in the watershed's dialog and the slider that merges basins.
 *
 * After the flooding the slider gets the hierarchy; moving it only changes the map from labels to
 * labels, without computation.
 *
 * If the preview shows a scaled image or a part of it, the slider first gets the hierarchy of this
 * view, and says so.  It gets that of the whole image as soon as it is computed: from then on it
 * shows what OK makes, and the preview shows the basins of the view that the same value leaves.
 * Where a value has another meaning in the view, as an area has at another scale, the slider
 * waits for the whole image; a number can be typed meanwhile.
 *
 * When the measure changes, the value that leaves the same number of basins is unknown until the
 * hierarchy has been computed; until then the dialog cannot be accepted, as it would merge no
 * basins.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "basin-flood.h"
#include "basin-preview.h"
#include "corrected-basins.h"
#include "corrected-view.h"
#include "layer-markers.h"
#include "marker-source.h"
#include "marker-strokes.h"
#include "measured-levels.h"
#include "options.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/dialog/obstacle.h"
#include "plugins/common/preview/layer-pixels.h"
#include "ui/merge/slider.h"

/**
 * Merging:
 * @objects: shows which of the merged basins are kept
 * @corrected: corrects the merged basins
 * @whole: whether the slider has the hierarchy of the whole image, of which the preview shows a
 *   part
 *
 * The data of the dialog's handlers.
 */
typedef struct
{
  WfPreview       *preview;
  WfMergeSlider   *slider;
  GObject         *config;
  WfObjectView    *objects;
  WfCorrectedView *corrected;
  gboolean         whole;
} Merging;


/*  What is read  */

/**
 * Fetched:
 * @markers: of wf_marker_source_fetch()
 * @measured: of wf_measured_levels_fetch()
 *
 * What is fetched beside the levels.
 */
typedef struct
{
  gpointer markers;
  gpointer measured;
} Fetched;

static void
free_fetched (gpointer data)
{
  Fetched *fetched = data;

  g_clear_pointer (&fetched->markers, wf_layer_markers_free);
  g_clear_pointer (&fetched->measured, wf_layer_pixels_free);
  g_free (fetched);
}

static void
invalidate (gpointer data)
{
  Fetched *fetched = data;

  if (fetched->markers)
    wf_layer_markers_invalidate (fetched->markers);
  if (fetched->measured)
    wf_layer_pixels_invalidate (fetched->measured);
}

static gboolean
fetch (WfJob     *part,
       gpointer  *kept,
       WfFetch   *step,
       GError   **error)
{
  const WfBasinOptions *own = part->own;
  Fetched              *fetched;

  if (! *kept)
    *kept = g_new0 (Fetched, 1);
  fetched = *kept;
  return wf_marker_source_fetch (part, (WfMarkersFrom) own->markers, &fetched->markers, step,
                                 error) &&
         (! step->complete ||
          wf_measured_levels_fetch (part, &fetched->measured, step, error));
}

static gboolean
read_markers (WfJob          *part,
              gpointer        fetched,
              const WfImage  *levels,
              WfImage        *markers,
              GError        **error)
{
  const WfBasinOptions *own = part->own;

  return wf_marker_source_read_fetched (part, (WfMarkersFrom) own->markers,
                                        ((Fetched *) fetched)->markers, markers, error);
}

static gboolean
read_measured (WfJob          *part,
               gpointer        fetched,
               const WfImage  *levels,
               gint64          first_slice,
               WfImage        *measured,
               GError        **error)
{
  return wf_measured_levels_read_fetched (part, ((Fetched *) fetched)->measured, first_slice,
                                          levels->depth, measured, error);
}

/* Strokes are drawn where they are flooded, so that nothing is read again for another one. */
static void
prepare (WfJob             *run,
         WfPreviewSettings *settings)
{
  const WfBasinOptions *own = settings->own;

  if (own->markers == WF_MARKERS_STROKES)
    wf_marker_source_read_strokes (run, &settings->strokes, &settings->error);
}

static const char *const reads[]   = { "markers", "marker-layer", "marker-path", "measure-on",
                                       "measure-source", NULL };
static const char *const ignored[] = { "lines-layer", "line-color", "line-opacity",
                                       WF_TO_RGB,
                                       "basins-layer", "mean-layer", "label-image",
                                       "lines-path", "corrections", "table-file", "table-written",
                                       "merge-value", "outline-paths", "numbers-layer",
                                       "outline-file", "outlines-written",
                                       "table-shown", "table-measures", "picture-shown",
                                       "min-area", "max-area", "min-circularity",
                                       "max-circularity", "min-mean", "max-mean", "inside",
                                       "marker-layer-name", "marker-layer-kind",
                                       "marker-path-name", "marker-path-kind", "measure-on-name",
                                       "measure-on-kind", WF_PEN_WIDTH, NULL };

const WfPreviewKind wf_watershed_preview =
{
  .basins       = TRUE,
  .reads        = reads,
  .ignored      = ignored,
  .fetch_second = fetch,
  .invalidate_second = invalidate,
  .free_second  = free_fetched,
  .read_second  = read_markers,
  .read_third   = read_measured,
  .prepare      = prepare,
  .compute      = wf_preview_flood,
  .complete     = wf_preview_complete_flood,
};


/*  Merging  */

static void
show_map (Merging *merging,
          guint32  count)
{
  WfPreviewResult       *result = wf_preview_get_result (merging->preview);
  const WfPreviewBasins *basins = result && result->complete ? result->extra : NULL;
  g_autofree guint32    *map    = NULL;
  gsize                  n;

  if (! basins || ! basins->hierarchy ||
      wf_corrected_view_show (merging->corrected, result, count))
    return;
  if (count == wf_hierarchy_get_n_basins (basins->hierarchy))
    {
      wf_object_view_show (merging->objects, result, count, NULL);
      return;
    }

  n   = (gsize) result->n_labels + 1;
  map = g_new (guint32, n);
  if (wf_hierarchy_get_map (basins->hierarchy, count, map, n, NULL))
    wf_object_view_show (merging->objects, result, count, map);
}

/* The objects of the whole image are those that the slider leaves. */
static void
show_whole (Merging *merging)
{
  if (merging->whole && ! wf_merge_slider_is_waiting (merging->slider))
    wf_object_view_count_whole (merging->objects,
                                wf_merge_slider_get_count (merging->slider));
}

/* Merges the basins of the preview up to the present value. */
static void
show_value (Merging *merging)
{
  WfPreviewResult       *result = wf_preview_get_result (merging->preview);
  const WfPreviewBasins *basins = result && result->complete ? result->extra : NULL;
  WfMergeBy              by     = wf_merge_slider_get_by (merging->slider);
  double                 value  = wf_merge_slider_get_value (merging->slider);

  show_whole (merging);
  if (basins && ! basins->hierarchy)
    wf_object_view_show (merging->objects, result, 0, NULL);
  if (! basins || ! basins->hierarchy || wf_merge_slider_is_waiting (merging->slider) ||
      basins->measure != wf_merge_by_measure (by))
    return;
  if (by == WF_MERGE_BY_COUNT && value > 0)
    value = MAX (value * basins->value_factor, 1);
  else
    value *= basins->value_factor;
  show_map (merging, wf_merge_count (basins->hierarchy, by, value, basins->type));
}

/* Of WfCorrectedFunc. */
static void
list_changed (gpointer data)
{
  show_value (data);
}

static void
allow_accepting (Merging *merging)
{
  wf_obstacle_set (GTK_WIDGET (merging->slider), WF_OBSTACLE_WAITING,
                   wf_merge_slider_is_waiting (merging->slider) &&
                   ! wf_preview_get_error (merging->preview));
}

static void
completed (Merging         *merging,
           WfPreviewResult *result)
{
  const WfPreviewBasins *basins = result->extra;

  if (! merging->whole)
    {
      wf_merge_slider_set_type (merging->slider, basins->type);
      wf_merge_slider_set_part (merging->slider, basins->part);
      wf_merge_slider_set_hierarchy (merging->slider, basins->measure,
                                     basins->value_factor == 1 ? basins->hierarchy : NULL);
    }
  show_value (merging);
  allow_accepting (merging);
}

/* Of a whole image the slider keeps the hierarchy while the view changes; after a change of the
 * settings the view comes first again.
 */
static void
whole_changed (Merging         *merging,
               WfPreviewResult *result)
{
  const WfPreviewBasins *basins = result ? result->extra : NULL;

  merging->whole = basins && basins->hierarchy;
  wf_object_view_set_whole (merging->objects, merging->whole ? result : NULL);
  if (! merging->whole)
    return;
  wf_merge_slider_set_type (merging->slider, basins->type);
  wf_merge_slider_set_part (merging->slider, FALSE);
  wf_merge_slider_set_hierarchy (merging->slider, basins->measure, basins->hierarchy);
  show_value (merging);
  allow_accepting (merging);
}

static void
whole_failed (Merging *merging)
{
  wf_merge_slider_stop_waiting (merging->slider);
  allow_accepting (merging);
}

static void
failed (Merging    *merging,
        const char *message)
{
  if (! merging->whole)
    wf_merge_slider_set_hierarchy (merging->slider, WF_MEASURE_DYNAMICS, NULL);
  allow_accepting (merging);
}

static void
cut_changed (Merging *merging,
             guint    count)
{
  show_value (merging);
}

static void
value_changed (Merging *merging)
{
  show_value (merging);
  allow_accepting (merging);
}


/*  Figures  */

static WfBasin
add_up (const WfPreviewBasins *basins,
        const guint32         *map,
        guint32                basin)
{
  WfBasin sum = { 0 };

  for (guint32 i = 0; i < basins->n_measurements; i++)
    {
      const WfBasin *one = &basins->measurements[i];

      if ((map ? map[one->label] : one->label) == basin)
        wf_basin_join (&sum, one);
    }
  return sum;
}

static char *
describe (const WfPreviewResult *result,
          const guint32         *map,
          guint32                basin,
          gpointer               data)
{
  const WfPreviewBasins *basins = result->extra;
  const double           scale  = result->region.scale;
  const WfBasin          sum    = basins->verdicts ? wf_corrected_basins_add_up (result, basin)
                                                   : add_up (basins, map, basin);

  /* TRANSLATORS: measurements of a basin: its area, and levels of the image in it */
  return g_strdup_printf (_("%'.0f pixels, levels from %.5g to %.5g, mean %.5g"),
                          round ((double) sum.area / (scale * scale)), sum.minimum, sum.maximum,
                          sum.mean);
}


/*  The dialog  */

/**
 * wf_watershed_preview_find_histogram:
 * @result: of the preview
 *
 * Returns: (transfer none) (nullable): the histogram of the levels, if objects are divided
 */
const WfHistogram *
wf_watershed_preview_find_histogram (const WfPreviewResult *result)
{
  const WfPreviewBasins *basins = result->extra;

  return basins->histogram;
}

static void
show_lines (GObject    *config,
            GParamSpec *pspec,
            WfPreview  *preview)
{
  float   color[4];
  double  opacity;
  GdkRGBA rgba;

  wf_line_color_get (config, color);
  rgba = (GdkRGBA) { color[0], color[1], color[2], 1 };
  g_object_get (config, "line-opacity", &opacity, NULL);
  g_object_set (preview, "line-color", &rgba, "line-opacity", opacity / 100, NULL);
}

static void
merging_free (gpointer  data,
              GClosure *closure)
{
  g_free (data);
}

/**
 * wf_watershed_preview_connect:
 * @dialog: the dialog
 * @slider: its #WfMergeSlider
 * @objects: which of them are kept
 * @corrected: corrects them
 *
 * Connects the slider with the preview, so that it merges the displayed basins.
 */
void
wf_watershed_preview_connect (WfDialog        *dialog,
                              GtkWidget       *slider,
                              WfObjectView    *objects,
                              WfCorrectedView *corrected)
{
  WfPreview *preview = wf_dialog_get_preview (dialog);
  GObject   *config  = G_OBJECT (wf_dialog_get_run (dialog)->config);
  Merging   *merging = g_new0 (Merging, 1);

  merging->preview   = preview;
  merging->slider    = WF_MERGE_SLIDER (slider);
  merging->config    = config;
  merging->objects   = objects;
  merging->corrected = corrected;
  wf_corrected_view_set_changed (corrected, list_changed, merging);
  g_signal_connect_swapped (preview, "completed", G_CALLBACK (completed), merging);
  g_signal_connect_swapped (preview, "failed", G_CALLBACK (failed), merging);
  g_signal_connect_swapped (preview, "whole-changed", G_CALLBACK (whole_changed), merging);
  g_signal_connect_swapped (preview, "whole-failed", G_CALLBACK (whole_failed), merging);
  g_signal_connect_swapped (slider, "cut-changed", G_CALLBACK (cut_changed), merging);
  g_signal_connect_data (slider, "notify::value", G_CALLBACK (value_changed), merging,
                         merging_free, G_CONNECT_SWAPPED);
  wf_preview_set_describe (preview, describe, NULL);
  show_lines (config, NULL, preview);
  g_signal_connect_object (config, "notify::line-color", G_CALLBACK (show_lines), preview, 0);
  g_signal_connect_object (config, "notify::line-opacity", G_CALLBACK (show_lines), preview, 0);
}
