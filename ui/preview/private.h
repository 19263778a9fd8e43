/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the preview share.  Calls go down this list; news goes up by signals
 * and by the worker's callback.
 *
 *   preview.c                 the widget
 *   input.c, properties.c     pointer and keys; properties
 *   view.c                    what part of the image is shown
 *   update.c                  what is read and computed, and when
 *   refresh.c, colors.c       fetching again; pixels to show
 *   words.c, draw.c           messages and descriptions; the picture
 *   stroke.c, pen.c           strokes that are drawn on it; those of markers
 */

#pragma once

#include "numbers.h"
#include "painter.h"
#include "worker.h"
#include "preview.h"

G_BEGIN_DECLS

typedef struct _WfPreviewMarks WfPreviewMarks;

/**
 * WfPreview:
 * @colors_valid: whether @colors are up to date
 * @colors_complete: whether all pixels of @colors have come
 * @patched_at: when incomplete @colors were shown last
 * @inputs: read last, shared by successive computations
 * @requested: the region of the result, or of the one that is awaited
 * @stale: whether the settings differ from those of @requested
 * @refreshing: whether pixels that are there are fetched again, to find changes
 * @inactive: whether the window has lost the keyboard focus
 * @computed: the computed result, if @result was made of it by others, or %NULL
 * @map: for each label of the result the one that represents it, or %NULL
 * @basin_colors: of the first labels
 * @before: the image as the view shows it
 * @after: the same with the result
 * @error: why there is no result, or %NULL
 * @whole_error: why the whole of a large image cannot be computed, or %NULL
 * @hovered: the highlighted basin, or 0
 * @selected: the outlined basin, or 0
 * @numbers: (nullable): #WfPreviewNumber, of objects
 * @picture: what is shown instead of the image; empty: the image is
 * @moved: whether the pointer has moved since a button was pressed
 * @measurements: of that basin, one line, or %NULL
 * @values: of the pixel under the pointer, one line, or %NULL
 * @inspecting: whether that is the basin in the middle of the view, by the keyboard, not
 *   the one under the pointer
 * @grabbed: what the pointer drags
 * @drawing: whether the primary button draws strokes
 * @stroke: the one that is drawn, or %NULL
 * @picking: whether a click picks a place
 * @pen_color: of strokes that are markers; %NULL if they are none
 * @pen_width: of these strokes, in pixels of the image
 * @marks: strokes that are shown, or %NULL
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
  gboolean                    grey;
  double                      line_opacity;
  double                      basin_opacity;

  WfPreviewWorker            *worker;
  WfPreviewColors             colors;
  gboolean                    colors_valid;
  gboolean                    colors_complete;
  gint64                      patched_at;
  WfPreviewInputs            *inputs;
  WfPreviewRegion             requested;
  gboolean                    stale;
  gboolean                    refreshing;
  gboolean                    inactive;
  WfPreviewResult            *result;
  WfPreviewResult            *computed;
  guint32                    *map;
  GArray                     *basin_colors;
  char                       *error;
  char                       *whole_error;
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
  enum { GRABBED_NOTHING, GRABBED_IMAGE, GRABBED_SPLIT, GRABBED_STROKE } grabbed;
  double                      pointer_x;
  double                      pointer_y;
  gboolean                    pointer_inside;
  guint32                     hovered;
  guint32                     selected;
  GArray                     *numbers;
  WfPreviewColors             picture;
  gboolean                    moved;
  char                       *measurements;
  char                       *values;
  gboolean                    inspecting;
  gboolean                    drawing;
  GArray                     *stroke;
  gboolean                    picking;
  const GdkRGBA              *pen_color;
  int                         pen_width;
  WfPreviewMarks             *marks;
};

/* Of input.c */
void wf_preview_input_init       (WfPreview      *preview);
void wf_preview_input_class_init (GtkWidgetClass *klass);

/* Of properties.c */
void wf_preview_properties_init       (WfPreview    *preview);
void wf_preview_properties_class_init (GObjectClass *klass);

/* Of view.c */
void wf_preview_view_changed   (WfPreview *preview,
                                gboolean   zoomed);
void wf_preview_set_split      (WfPreview *preview,
                                double     split);
void wf_preview_zoom_at        (WfPreview *preview,
                                double     zoom,
                                double     x,
                                double     y);
void wf_preview_zoom_at_middle (WfPreview *preview,
                                double     zoom);
void wf_preview_pan            (WfPreview *preview,
                                double     dx,
                                double     dy);
void wf_preview_init_slices    (WfPreview *preview);

/* Of update.c */
void wf_preview_queue_update  (WfPreview       *preview);
void wf_preview_forget_result (WfPreview       *preview);
void wf_preview_take_result   (WfPreviewResult *result,
                               const GError    *error,
                               gpointer         data);

/* Of refresh.c */
gboolean wf_preview_fetch_again (WfPreview  *preview,
                                 WfFetch    *fetch,
                                 gboolean   *changed,
                                 GError    **error);

/* Of colors.c */
gboolean wf_preview_read_colors (WfPreview              *preview,
                                 const WfPreviewRegion  *wanted,
                                 gboolean                complete,
                                 GError                **error);

/* Of words.c */
void         wf_preview_update_description (WfPreview    *preview);
void         wf_preview_set_error          (WfPreview    *preview,
                                            const GError *error);
void         wf_preview_error_changed      (WfPreview    *preview);
gboolean     wf_preview_is_refused         (WfPreview    *preview);
const char * wf_preview_get_message        (WfPreview    *preview);
void         wf_preview_set_hovered        (WfPreview    *preview,
                                            guint32       basin,
                                            gboolean      changed);
void         wf_preview_update_hovered     (WfPreview    *preview,
                                            gboolean      changed);

/* Of stroke.c */
void wf_preview_begin_stroke  (WfPreview *preview);
void wf_preview_extend_stroke (WfPreview *preview);
void wf_preview_end_stroke    (WfPreview *preview,
                               gboolean   use);
void wf_preview_draw_stroke   (WfPreview *preview,
                               cairo_t   *cr);

/* Of pen.c */
void wf_preview_marks_free (WfPreviewMarks *marks);
void wf_preview_draw_marks (WfPreview      *preview,
                            cairo_t        *cr);

/* Of draw.c */
gboolean wf_preview_draw            (GtkWidget *widget,
                                     cairo_t   *cr);
void     wf_preview_result_changed  (WfPreview *preview);
void     wf_preview_forget_surfaces (WfPreview *preview);
void     wf_preview_set_spinning    (WfPreview *preview,
                                     gboolean   spinning);

G_END_DECLS
