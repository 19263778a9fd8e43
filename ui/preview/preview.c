/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A view of an image with the result of an operation, which can be zoomed and moved: the
 * widget and its signals.  private.h lists the other files.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "private.h"

#define NATURAL_WIDTH  480
#define NATURAL_HEIGHT 320
#define LEAST_SIZE     120

G_DEFINE_TYPE (WfPreview, wf_preview, GTK_TYPE_DRAWING_AREA)


/*  The widget  */

static void
wf_preview_size_allocate (GtkWidget     *widget,
                          GtkAllocation *allocation)
{
  WfPreview *preview = WF_PREVIEW (widget);
  const int  scale   = gtk_widget_get_scale_factor (widget);
  double     zoom    = preview->viewport.zoom;

  GTK_WIDGET_CLASS (wf_preview_parent_class)->size_allocate (widget, allocation);

  if (! wf_viewport_set_view_size (&preview->viewport,
                                   allocation->width * scale, allocation->height * scale))
    return;
  wf_preview_forget_surfaces (preview);
  wf_preview_view_changed (preview, preview->viewport.zoom != zoom);
}

static void
wf_preview_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (wf_preview_parent_class)->realize (widget);
  wf_preview_queue_update (WF_PREVIEW (widget));
}

static void
wf_preview_get_preferred_width (GtkWidget *widget,
                                int       *least,
                                int       *natural)
{
  *least   = LEAST_SIZE;
  *natural = NATURAL_WIDTH;
}

static void
wf_preview_get_preferred_height (GtkWidget *widget,
                                 int       *least,
                                 int       *natural)
{
  *least   = LEAST_SIZE;
  *natural = NATURAL_HEIGHT;
}

static void
scale_factor_changed (WfPreview *preview)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (preview));

  wf_viewport_set_view_size (&preview->viewport,
                             gtk_widget_get_allocated_width (GTK_WIDGET (preview)) * scale,
                             gtk_widget_get_allocated_height (GTK_WIDGET (preview)) * scale);
  wf_preview_forget_surfaces (preview);
  wf_preview_view_changed (preview, TRUE);
}

static void
active_changed (GtkWindow  *window,
                GParamSpec *pspec,
                WfPreview  *preview)
{
  const gboolean inactive = ! gtk_window_is_active (window);

  if (preview->inactive && ! inactive)
    wf_preview_refresh (preview);
  preview->inactive = inactive;
}

/* Follows the window that the preview is in now. */
static void
wf_preview_hierarchy_changed (GtkWidget *widget,
                              GtkWidget *previous)
{
  GtkWidget *window = gtk_widget_get_toplevel (widget);

  if (previous)
    g_signal_handlers_disconnect_by_func (previous, active_changed, widget);
  if (! GTK_IS_WINDOW (window))
    return;

  WF_PREVIEW (widget)->inactive = FALSE;
  g_signal_connect_object (window, "notify::is-active", G_CALLBACK (active_changed), widget, 0);
}

static void
wf_preview_init (WfPreview *preview)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (preview));

  wf_viewport_init (&preview->viewport, 1, 1);
  preview->worker       = wf_preview_worker_new (wf_preview_take_result, preview);
  preview->basin_colors = g_array_new (FALSE, FALSE, sizeof (guint32));

  wf_preview_properties_init (preview);
  wf_preview_input_init (preview);
  g_signal_connect (preview, "notify::scale-factor", G_CALLBACK (scale_factor_changed), NULL);
  atk_object_set_role (accessible, ATK_ROLE_IMAGE);
  atk_object_set_name (accessible, _("Preview"));
}

static void
wf_preview_dispose (GObject *object)
{
  WfPreview *preview = WF_PREVIEW (object);

  g_clear_handle_id (&preview->update_id, g_source_remove);
  g_clear_handle_id (&preview->busy_id, g_source_remove);
  g_clear_handle_id (&preview->spinner_id, g_source_remove);
  g_clear_pointer (&preview->worker, wf_preview_worker_free);
  g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);
  g_clear_pointer (&preview->result, wf_preview_result_unref);
  g_clear_pointer (&preview->computed, wf_preview_result_unref);
  g_clear_pointer (&preview->stroke, g_array_unref);
  g_clear_object (&preview->pinch);
  G_OBJECT_CLASS (wf_preview_parent_class)->dispose (object);
}

static void
wf_preview_finalize (GObject *object)
{
  WfPreview *preview = WF_PREVIEW (object);

  wf_preview_forget_surfaces (preview);
  g_array_unref (preview->basin_colors);
  g_clear_pointer (&preview->numbers, g_array_unref);
  g_clear_pointer (&preview->marks, wf_preview_marks_free);
  g_free (preview->picture.pixels);
  g_free (preview->colors.pixels);
  g_free (preview->map);
  g_free (preview->measurements);
  g_free (preview->values);
  g_free (preview->error);
  g_free (preview->whole_error);
  G_OBJECT_CLASS (wf_preview_parent_class)->finalize (object);
}

static void
install_signals (GObjectClass *object_class)
{
  const GType type = G_OBJECT_CLASS_TYPE (object_class);

  /**
   * WfPreview::computed:
   * @preview: the preview
   * @result: a #WfPreviewResult
   *
   * There is a new result.  It is drawn after this signal.
   */
  g_signal_new ("computed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_POINTER);
  /**
   * WfPreview::completed:
   * @preview: the preview
   * @result: a #WfPreviewResult
   *
   * The result is complete.  If it was complete when it was computed, this is emitted before
   * it is drawn, so that a map for it can be set in time.
   */
  g_signal_new ("completed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_POINTER);
  /**
   * WfPreview::partly-computed:
   * @preview: the preview
   * @result: a #WfPreviewResult, which is not shown
   *
   * There is no result, but its extra data, as far as it was made.  Then comes #WfPreview::failed.
   */
  g_signal_new ("partly-computed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_POINTER);
  /**
   * WfPreview::failed:
   * @preview: the preview
   * @message: why
   *
   * There is no result; the preview shows the message.
   */
  g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * WfPreview::basin-hovered:
   * @preview: the preview
   * @basin: the basin's representative, or 0 where there is none
   * @measurements: (nullable): its measurements, as text
   *
   * Another basin is under the pointer, or in the middle of the view for the keyboard.
   */
  g_signal_new ("basin-hovered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
  /**
   * WfPreview::whole-changed:
   * @preview: the preview
   * @result: (nullable): a #WfPreviewResult of the whole image, or %NULL if there is none any more
   *
   * An image of which the preview computes a part was computed as a whole by other code, which
   * emits this signal, with the present settings; or these have changed.
   */
  g_signal_new ("whole-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_POINTER);
  /**
   * WfPreview::whole-failed:
   * @preview: the preview
   *
   * The whole image is not computed.
   */
  g_signal_new ("whole-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * WfPreview::clicked:
   * @preview: the preview
   * @x: a place in the image, in its pixels
   * @y: likewise
   *
   * The user has clicked there, without moving the image.
   */
  g_signal_new ("clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * WfPreview::drawn:
   * @preview: the preview
   * @points: column and row of each point in the image, in its pixels, two doubles each
   * @n_points: how many points the stroke has; 1 for a click
   *
   * The user has drawn a stroke, as wf_preview_set_drawing() allows.
   */
  g_signal_new ("drawn", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
  /**
   * WfPreview::picked:
   * @preview: the preview
   * @x: a place in the image, in its pixels
   * @y: likewise
   *
   * The user has clicked there, as wf_preview_set_picking() allows.
   */
  g_signal_new ("picked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * WfPreview::tool-changed:
   * @preview: the preview
   * @drawing: whether strokes are drawn
   * @picking: whether places are picked; not both
   *
   * The primary button does something else than before.
   */
  g_signal_new ("tool-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_BOOLEAN, G_TYPE_BOOLEAN);
  /**
   * WfPreview::source-changed:
   * @preview: the preview
   *
   * It shows another source, which may have another place in its image.
   */
  g_signal_new ("source-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * WfPreview::values-changed:
   * @preview: the preview
   * @values: (nullable): the level and the result under the pointer, as text
   *
   * Another pixel is under the pointer, or in the middle of the view for the keyboard.
   */
  g_signal_new ("values-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
wf_preview_class_init (WfPreviewClass *klass)
{
  GObjectClass   *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose              = wf_preview_dispose;
  object_class->finalize             = wf_preview_finalize;
  widget_class->draw                 = wf_preview_draw;
  widget_class->realize              = wf_preview_realize;
  widget_class->size_allocate        = wf_preview_size_allocate;
  widget_class->hierarchy_changed    = wf_preview_hierarchy_changed;
  widget_class->get_preferred_width  = wf_preview_get_preferred_width;
  widget_class->get_preferred_height = wf_preview_get_preferred_height;
  wf_preview_input_class_init (widget_class);
  wf_preview_properties_class_init (object_class);

  install_signals (object_class);
}


/*  Public functions  */

/**
 * wf_preview_new:
 *
 * Returns: a preview without a source.
 */
GtkWidget *
wf_preview_new (void)
{
  return g_object_new (WF_TYPE_PREVIEW, NULL);
}

/**
 * wf_preview_set_source:
 * @preview: a preview
 * @source: where the pixels come from; copied
 * @data: for its functions; must outlive the preview
 *
 * Shows another image, all of it.
 */
void
wf_preview_set_source (WfPreview             *preview,
                       const WfPreviewSource *source,
                       gpointer               data)
{
  const int width  = preview->viewport.view_width;
  const int height = preview->viewport.view_height;

  g_return_if_fail (WF_IS_PREVIEW (preview) && source != NULL);

  preview->source      = *source;
  preview->source_data = data;
  preview->refreshing  = FALSE;
  g_clear_pointer (&preview->colors.pixels, g_free);
  wf_viewport_init (&preview->viewport, source->width, source->height);
  wf_viewport_set_view_size (&preview->viewport, width, height);
  wf_preview_init_slices (preview);
  wf_preview_forget_result (preview);
  g_signal_emit_by_name (preview, "source-changed");
  wf_preview_reload (preview);
  wf_preview_view_changed (preview, TRUE);
}

/**
 * wf_preview_set_computation:
 * @preview: a preview
 * @computation: (nullable): what is computed; must outlive the preview
 * @data: for copy_settings()
 */
void
wf_preview_set_computation (WfPreview                  *preview,
                            const WfPreviewComputation *computation,
                            gpointer                    data)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  preview->computation      = computation;
  preview->computation_data = data;
  wf_preview_forget_result (preview);
  wf_preview_recompute (preview);
}

/**
 * wf_preview_set_palette:
 * @preview: a preview
 * @palette: (nullable): the colors of the basins; without it they are not tinted
 * @data: for @palette
 */
void
wf_preview_set_palette (WfPreview          *preview,
                        WfPreviewColorFunc  palette,
                        gpointer            data)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  preview->palette      = palette;
  preview->palette_data = data;
  g_array_set_size (preview->basin_colors, 0);
  wf_preview_result_changed (preview);
}

/**
 * wf_preview_set_describe:
 * @preview: a preview
 * @describe: (nullable): describes a basin
 * @data: for @describe
 */
void
wf_preview_set_describe (WfPreview             *preview,
                         WfPreviewDescribeFunc  describe,
                         gpointer               data)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  preview->describe      = describe;
  preview->describe_data = data;
}

/**
 * wf_preview_get_result:
 * @preview: a preview
 *
 * Returns: (transfer none) (nullable): the computed result, which is shown unless
 *   wf_preview_set_shown() has replaced it
 */
WfPreviewResult *
wf_preview_get_result (WfPreview *preview)
{
  g_return_val_if_fail (WF_IS_PREVIEW (preview), NULL);

  return preview->computed ? preview->computed : preview->result;
}

/**
 * wf_preview_set_map:
 * @preview: a preview
 * @map: (nullable) (array length=n): for each label from 0, which stays 0, to the
 *   result's largest, its representative; copied
 * @n: the result's largest label plus 1
 *
 * Merges basins of the shown result, without computing: labels with the same
 * representative are one basin; those with %WF_PREVIEW_LEFT_OUT are none.  Without a result nothing
 * happens.
 */
void
wf_preview_set_map (WfPreview     *preview,
                    const guint32 *map,
                    gsize          n)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  if (! preview->result)
    return;
  g_return_if_fail (map == NULL || n == (gsize) preview->result->n_labels + 1);

  g_free (preview->map);
  preview->map = g_memdup2 (map, map ? n * sizeof (guint32) : 0);
  wf_preview_result_changed (preview);
  wf_preview_update_hovered (preview, TRUE);
}

/**
 * wf_preview_set_selected:
 * @preview: a preview
 * @basin: the representative of a basin of the shown result, or 0
 *
 * Outlines the basin.
 */
void
wf_preview_set_selected (WfPreview *preview,
                         guint32    basin)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  if (preview->selected == basin)
    return;
  preview->selected = basin;
  wf_preview_result_changed (preview);
}

/**
 * wf_preview_set_numbers:
 * @preview: a preview
 * @numbers: (nullable) (transfer full) (element-type WfPreviewNumber): of objects, or %NULL
 *
 * Draws them on the basins, where they can be read.
 */
void
wf_preview_set_numbers (WfPreview *preview,
                        GArray    *numbers)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  if (! numbers && ! preview->numbers)
    return;
  g_clear_pointer (&preview->numbers, g_array_unref);
  preview->numbers = numbers;
  wf_preview_result_changed (preview);
}

/**
 * wf_preview_set_picture:
 * @preview: a preview
 * @region: (nullable): a part of the image
 * @pixels: (nullable) (transfer full): its R, G, B, A of 8 bits, opaque; %NULL to show the image
 *
 * Shows them instead of the image, below what is drawn of the result.
 */
void
wf_preview_set_picture (WfPreview             *preview,
                        const WfPreviewRegion *region,
                        guint8                *pixels)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  if (! pixels && ! preview->picture.pixels)
    return;
  g_free (preview->picture.pixels);
  preview->picture = (WfPreviewColors) { .pixels = pixels, .opaque = TRUE };
  if (pixels)
    preview->picture.region = *region;
  preview->before_dirty = TRUE;
  wf_preview_result_changed (preview);
}

/**
 * wf_preview_set_whole_error:
 * @preview: a preview
 * @error: (nullable): why the whole image cannot be computed with the present settings
 *
 * For the code that computes the whole of an image of which the preview computes a part: the
 * preview shows the message over its result, and refuses the settings.
 */
void
wf_preview_set_whole_error (WfPreview    *preview,
                            const GError *error)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  g_free (preview->whole_error);
  preview->whole_error = error ? g_strdup (error->message) : NULL;
  wf_preview_error_changed (preview);
}

/**
 * wf_preview_get_error:
 * @preview: a preview
 *
 * Returns: (nullable): why there is no result.
 */
const char *
wf_preview_get_error (WfPreview *preview)
{
  g_return_val_if_fail (WF_IS_PREVIEW (preview), NULL);

  return preview->error;
}
