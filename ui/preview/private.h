/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the preview share: preview.c is the widget, update.c decides
 * what is read and computed, draw.c draws, words.c says what has to
 * be said, input.c answers to pointer and keys.
 */

#pragma once

#include "painter.h"
#include "worker.h"
#include "preview.h"

G_BEGIN_DECLS

/**
 * WfPreview:
 * @inputs: read last, for one computation after the other
 * @requested: the region of the result, or of the one that is awaited
 * @stale: whether the settings are others than those of @requested
 * @refreshing: whether what is there is fetched again, to see whether it has changed
 * @away: whether the window has lost the keyboard
 * @colors_old: whether @colors are to be read again
 * @patchy: whether pixels of @colors are still missing
 * @patched_at: when what had come of them was shown
 * @map: for each label of the result the one that represents it, or %NULL
 * @basin_colors: for the first labels
 * @before: the image as the view shows it
 * @after: the same with the result
 * @hovered: the basin that is marked, or 0
 * @inspecting: whether it is the one in the middle of the view, by the keyboard, and
 *   not the one under the pointer
 * @grabbed: what the pointer drags
 */
struct _WfPreview
{
  GtkDrawingArea              parent_instance;

  WfPreviewSource             source;
  gpointer                    source_data;
  const WfPreviewComputation *computation;
  gpointer                    computation_data;
  WfPreviewColorFunc          palette;
  gpointer                    palette_data;
  WfPreviewDescribeFunc       describe;
  gpointer                    describe_data;

  WfViewport                  viewport;
  WfPreviewMode               mode;
  gboolean                    split_view;
  double                      split;
  GdkRGBA                     line_color;
  double                      line_opacity;
  double                      basin_opacity;

  WfPreviewWorker            *worker;
  WfPreviewColors             colors;
  gboolean                    colors_old;
  gboolean                    patchy;
  gint64                      patched_at;
  WfPreviewInputs            *inputs;
  WfPreviewRegion             requested;
  gboolean                    stale;
  gboolean                    refreshing;
  gboolean                    away;
  WfPreviewResult            *result;
  guint32                    *map;
  GArray                     *basin_colors;
  char                       *error;
  guint                       update_id;
  guint                       busy_id;
  gboolean                    busy;

  cairo_surface_t            *before;
  cairo_surface_t            *after;
  gboolean                    before_dirty;
  gboolean                    after_dirty;
  guint                       spinner_id;
  gint64                      spinner_start;

  GtkGesture                 *pinch;
  double                      pinch_zoom;
  double                      scrolled;
  enum { GRABBED_NOTHING, GRABBED_IMAGE, GRABBED_SPLIT } grabbed;
  double                      pointer_x;
  double                      pointer_y;
  gboolean                    pointer_inside;
  guint32                     hovered;
  char                       *measurements;
  gboolean                    inspecting;
};

/* Of preview.c */
void wf_preview_view_changed   (WfPreview *preview,
                                gboolean   zoomed);
void wf_preview_result_changed (WfPreview *preview);
void wf_preview_set_split      (WfPreview *preview,
                                double     split);
void wf_preview_set_busy       (WfPreview *preview,
                                gboolean   busy);

/* Of properties.c */
void wf_preview_properties_init       (WfPreview    *preview);
void wf_preview_properties_class_init (GObjectClass *klass);

/* Of update.c */
void wf_preview_queue_update  (WfPreview       *preview);
void wf_preview_forget_result (WfPreview       *preview);
void wf_preview_take_result   (WfPreviewResult *result,
                               const GError    *error,
                               gpointer         data);

/* Of refresh.c */
gboolean wf_preview_look_again        (WfPreview  *preview,
                                       gint64      until,
                                       gboolean   *more,
                                       GError    **error);
void     wf_preview_hierarchy_changed (GtkWidget  *widget,
                                       GtkWidget  *previous);

/* Of slice.c */
void wf_preview_init_slices (WfPreview *preview);

/* Of draw.c */
gboolean wf_preview_draw            (GtkWidget *widget,
                                     cairo_t   *cr);
void     wf_preview_forget_surfaces (WfPreview *preview);
void     wf_preview_set_spinning    (WfPreview *preview,
                                     gboolean   spinning);

/* Of input.c */
void wf_preview_input_init       (WfPreview      *preview);
void wf_preview_input_class_init (GtkWidgetClass *klass);

/* Of words.c */
void wf_preview_update_description (WfPreview    *preview);
void wf_preview_set_error          (WfPreview    *preview,
                                    const GError *error);
void wf_preview_set_hovered        (WfPreview    *preview,
                                    guint32       basin,
                                    gboolean      changed);
void wf_preview_update_hovered     (WfPreview    *preview,
                                    gboolean      changed);

G_END_DECLS
