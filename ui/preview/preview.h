/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A view of an image with the result of an operation.
 *
 * The dialog gives a source of pixels (source.h), a computation (job.h) and, for basins,
 * their colours and a function that describes them.  Then it calls
 *
 *   - wf_preview_recompute() when a setting has changed;
 *   - wf_preview_reload() when a setting has changed that determines what is read, such as
 *     a layer;
 *   - wf_preview_refresh() when the pixels themselves may have changed; the preview does so
 *     by itself when its window gets the keyboard focus again;
 *   - wf_preview_set_map() when basins are merged: in the handler of “completed” for a new
 *     result, and whenever a slider moves.
 *
 * The preview decides what to compute on, and when (see update.c).  WfPreviewPane is a
 * preview with the usual controls.
 */

#pragma once

#include <gtk/gtk.h>

#include "job.h"
#include "mode.h"

G_BEGIN_DECLS

/* The representative of basins that are left out: they are hatched, and no line is drawn between
 * them.
 */
#define WF_PREVIEW_LEFT_OUT (G_MAXUINT32 - 1)

/**
 * WfPreviewColorFunc:
 * @label: of a basin
 * @color: to be set to its red, green and blue, from 0 to 1
 * @user_data: as given
 */
typedef void (* WfPreviewColorFunc) (guint32   label,
                                     float     color[3],
                                     gpointer  user_data);

/**
 * WfPreviewDescribeFunc:
 * @result: labels
 * @map: (nullable): for each label its representative
 * @basin: the representative of a basin
 * @user_data: as given
 *
 * Called only for complete results.
 *
 * Returns: (transfer full): its measurements, as one line of text.
 */
typedef char * (* WfPreviewDescribeFunc) (const WfPreviewResult *result,
                                          const guint32         *map,
                                          guint32                basin,
                                          gpointer               user_data);

#define WF_TYPE_PREVIEW (wf_preview_get_type ())
G_DECLARE_FINAL_TYPE (WfPreview, wf_preview, WF, PREVIEW, GtkDrawingArea)

GtkWidget *       wf_preview_new             (void);

void              wf_preview_set_source      (WfPreview                  *preview,
                                              const WfPreviewSource      *source,
                                              gpointer                    data);
void              wf_preview_set_computation (WfPreview                  *preview,
                                              const WfPreviewComputation *computation,
                                              gpointer                    data);
void              wf_preview_set_palette     (WfPreview                  *preview,
                                              WfPreviewColorFunc          palette,
                                              gpointer                    data);
void              wf_preview_set_describe    (WfPreview                  *preview,
                                              WfPreviewDescribeFunc       describe,
                                              gpointer                    data);

void              wf_preview_reload          (WfPreview                  *preview);
void              wf_preview_refresh         (WfPreview                  *preview);
void              wf_preview_recompute       (WfPreview                  *preview);
WfPreviewResult * wf_preview_get_result      (WfPreview                  *preview);
void              wf_preview_set_map         (WfPreview                  *preview,
                                              const guint32              *map,
                                              gsize                       n);

void              wf_preview_set_shown       (WfPreview                  *preview,
                                              WfPreviewResult            *result);
WfPreviewResult * wf_preview_get_shown       (WfPreview                  *preview);
guint32           wf_preview_get_basin_at    (WfPreview                  *preview,
                                              double                      x,
                                              double                      y);
void              wf_preview_set_drawing     (WfPreview                  *preview,
                                              gboolean                    drawing);
void              wf_preview_set_pen         (WfPreview                  *preview,
                                              gboolean                    drawing,
                                              WfStrokeKind                kind,
                                              int                         width);
void              wf_preview_set_marks       (WfPreview                  *preview,
                                              const WfStrokes            *strokes);
void              wf_preview_set_selected    (WfPreview                  *preview,
                                              guint32                     basin);
void              wf_preview_set_numbers     (WfPreview                  *preview,
                                              GArray                     *numbers);
void              wf_preview_set_picture     (WfPreview                  *preview,
                                              const WfPreviewRegion      *region,
                                              guint8                     *pixels);
void              wf_preview_show_place      (WfPreview                  *preview,
                                              double                      x,
                                              double                      y);
void              wf_preview_zoom_in         (WfPreview                  *preview);
void              wf_preview_zoom_out        (WfPreview                  *preview);
void              wf_preview_fit             (WfPreview                  *preview);
void              wf_preview_set_slice       (WfPreview                  *preview,
                                              int                         slice);
int               wf_preview_get_n_slices    (WfPreview                  *preview);
const char *      wf_preview_get_error       (WfPreview                  *preview);
void              wf_preview_set_whole_error (WfPreview                  *preview,
                                              const GError               *error);
gboolean          wf_preview_is_settled      (WfPreview                  *preview);

G_END_DECLS
