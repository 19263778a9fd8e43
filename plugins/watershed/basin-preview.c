/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview in the watershed's dialog and the slider that merges basins.
 *
 * After the flooding the slider gets the hierarchy; moving it only changes the map from labels to
 * labels, without computation.  If the preview shows a scaled image or a part of it, a value can
 * have another meaning there; then the slider is disabled, a number can be typed, and the
 * preview shows an approximation.
 *
 * When the measure changes, the value that leaves the same number of basins is unknown until the
 * hierarchy has been computed; until then the dialog cannot be accepted, as it would merge no
 * basins.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "basin-flood.h"
#include "basin-preview.h"
#include "layer-markers.h"
#include "marker-source.h"
#include "options.h"
#include "plugins/common/dialog/line-color.h"
#include "ui/merge/slider.h"

/**
 * Merging:
 *
 * The data of the dialog's handlers.
 */
typedef struct
{
  WfPreview     *preview;
  WfMergeSlider *slider;
  GObject       *config;
} Merging;


/*  What is read  */

static gboolean
fetch_markers (WfJob     *part,
               gpointer  *fetched,
               WfFetch   *fetch,
               GError   **error)
{
  const WfBasinOptions *own = part->own;

  return wf_marker_source_fetch (part, (WfMarkersFrom) own->markers, fetched, fetch,
                                 error);
}

static gboolean
read_markers (WfJob          *part,
              gpointer        fetched,
              const WfImage  *levels,
              WfImage        *markers,
              GError        **error)
{
  const WfBasinOptions *own = part->own;

  return wf_marker_source_read_fetched (part, (WfMarkersFrom) own->markers, fetched, markers,
                                        error);
}

static const char *const reads[]   = { "markers", "marker-layer", "marker-path", NULL };
static const char *const ignored[] = { "lines-layer", "line-color", "line-opacity",
                                       "basins-layer", "mean-layer", "label-image",
                                       "lines-path", "table-file", "merge-value",
                                       "marker-layer-name", "marker-path-name", NULL };

const WfPreviewKind wf_watershed_preview =
{
  .basins       = TRUE,
  .reads        = reads,
  .ignored      = ignored,
  .fetch_second = fetch_markers,
  .invalidate_second = wf_layer_markers_invalidate,
  .free_second  = wf_layer_markers_free,
  .read_second  = read_markers,
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

  if (! basins || ! basins->hierarchy)
    return;
  if (count == wf_hierarchy_get_n_basins (basins->hierarchy))
    {
      wf_preview_set_map (merging->preview, NULL, 0);
      return;
    }

  n   = (gsize) result->n_labels + 1;
  map = g_new (guint32, n);
  if (wf_hierarchy_get_map (basins->hierarchy, count, map, n, NULL))
    wf_preview_set_map (merging->preview, map, n);
}

/* For when the slider cannot predict the number of basins of a value. */
static void
show_value (Merging *merging)
{
  WfPreviewResult       *result = wf_preview_get_result (merging->preview);
  const WfPreviewBasins *basins = result && result->complete ? result->extra : NULL;
  WfMergeBy              by     = wf_merge_slider_get_by (merging->slider);
  double                 value  = wf_merge_slider_get_value (merging->slider);

  if (! basins || ! basins->hierarchy || basins->value_factor == 1 ||
      basins->measure != wf_merge_by_measure (by))
    return;
  if (by == WF_MERGE_BY_COUNT && value > 0)
    value = MAX (value * basins->value_factor, 1);
  else
    value *= basins->value_factor;
  show_map (merging, wf_merge_count (basins->hierarchy, by, value, basins->type));
}

static void
allow_accepting (Merging *merging)
{
  GtkWidget *window = gtk_widget_get_toplevel (GTK_WIDGET (merging->slider));

  if (GTK_IS_DIALOG (window))
    gtk_dialog_set_response_sensitive (GTK_DIALOG (window), GTK_RESPONSE_OK,
                                       ! wf_merge_slider_is_waiting (merging->slider) ||
                                       wf_preview_get_error (merging->preview) != NULL);
}

static void
completed (Merging         *merging,
           WfPreviewResult *result)
{
  const WfPreviewBasins *basins = result->extra;

  wf_merge_slider_set_type (merging->slider, basins->type);
  wf_merge_slider_set_hierarchy (merging->slider, basins->measure,
                                 basins->value_factor == 1 ? basins->hierarchy : NULL);
  show_value (merging);
  allow_accepting (merging);
}

static void
failed (Merging    *merging,
        const char *message)
{
  wf_merge_slider_set_hierarchy (merging->slider, WF_MEASURE_DYNAMICS, NULL);
  allow_accepting (merging);
}

static void
cut_changed (Merging *merging,
             guint    count)
{
  show_map (merging, count);
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
  WfBasin sum = { .minimum = INFINITY, .maximum = -INFINITY };

  for (guint32 i = 0; i < basins->n_measurements; i++)
    {
      const WfBasin *one = &basins->measurements[i];

      if ((map ? map[one->label] : one->label) != basin)
        continue;
      sum.mean   += one->mean * (double) one->area;
      sum.area   += one->area;
      sum.minimum = MIN (sum.minimum, one->minimum);
      sum.maximum = MAX (sum.maximum, one->maximum);
    }
  sum.mean /= (double) MAX (sum.area, 1);
  return sum;
}

static char *
describe (const WfPreviewResult *result,
          const guint32         *map,
          guint32                basin,
          gpointer               data)
{
  const double  scale = result->region.scale;
  const WfBasin sum   = add_up (result->extra, map, basin);

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
show_line_color (GObject    *config,
                 GParamSpec *pspec,
                 WfPreview  *preview)
{
  float   color[4];
  GdkRGBA rgba;

  wf_line_color_get (config, color);
  rgba = (GdkRGBA) { color[0], color[1], color[2], 1 };
  g_object_set (preview, "line-color", &rgba, NULL);
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
 *
 * Connects the slider with the preview, so that it merges the displayed basins.
 */
void
wf_watershed_preview_connect (WfDialog  *dialog,
                              GtkWidget *slider)
{
  WfPreview *preview = wf_dialog_get_preview (dialog);
  GObject   *config  = G_OBJECT (wf_dialog_get_run (dialog)->config);
  Merging   *merging = g_new0 (Merging, 1);

  merging->preview = preview;
  merging->slider  = WF_MERGE_SLIDER (slider);
  merging->config  = config;
  g_signal_connect_swapped (preview, "completed", G_CALLBACK (completed), merging);
  g_signal_connect_swapped (preview, "failed", G_CALLBACK (failed), merging);
  g_signal_connect_swapped (slider, "cut-changed", G_CALLBACK (cut_changed), merging);
  g_signal_connect_data (slider, "notify::value", G_CALLBACK (value_changed), merging,
                         merging_free, G_CONNECT_SWAPPED);
  wf_preview_set_describe (preview, describe, NULL);
  show_line_color (config, NULL, preview);
  g_signal_connect_object (config, "notify::line-color", G_CALLBACK (show_line_color), preview,
                           0);
}
