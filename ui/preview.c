/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A view of an image with what an operation would make of it, to be zoomed and moved:
 * the widget, its properties and signals.  What it reads and computes when is decided in
 * preview-update.c.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "preview-private.h"

#define NATURAL_WIDTH  480
#define NATURAL_HEIGHT 320
#define LEAST_SIZE     120

#define LINE_COLOR    "#00e05a"
#define LINE_OPACITY  1.0
#define BASIN_OPACITY 0.5

enum
{
  PROP_0,
  PROP_MODE,
  PROP_ZOOM,
  PROP_SPLIT_VIEW,
  PROP_SPLIT,
  PROP_LINE_COLOR,
  PROP_LINE_OPACITY,
  PROP_BASIN_OPACITY,
  PROP_BUSY,
  PROP_SLICE,
  PROP_N_SLICES,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfPreview, wf_preview, GTK_TYPE_DRAWING_AREA)


GType
wf_preview_mode_get_type (void)
{
  static const GEnumValue values[] =
  {
    { WF_PREVIEW_IMAGE,            "WF_PREVIEW_IMAGE",            "image" },
    { WF_PREVIEW_RESULT,           "WF_PREVIEW_RESULT",           "result" },
    { WF_PREVIEW_LINES,            "WF_PREVIEW_LINES",            "lines" },
    { WF_PREVIEW_BASINS,           "WF_PREVIEW_BASINS",           "basins" },
    { WF_PREVIEW_LINES_AND_BASINS, "WF_PREVIEW_LINES_AND_BASINS", "lines-and-basins" },
    { 0, NULL, NULL }
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("WfPreviewMode", values));
  return type;
}


/**
 * wf_preview_result_changed:
 * @preview: a preview
 *
 * Has the result, or what is shown of it, drawn again.
 */
void
wf_preview_result_changed (WfPreview *preview)
{
  preview->after_dirty = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

/**
 * wf_preview_view_changed:
 * @preview: a preview
 * @zoomed: whether the zoom is another one
 *
 * Shows the part of the image that the viewport says now.
 */
void
wf_preview_view_changed (WfPreview *preview,
                         gboolean   zoomed)
{
  preview->before_dirty = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  wf_preview_queue_update (preview);
  wf_preview_update_hovered (preview, FALSE);
  wf_preview_tell (preview);
  if (zoomed)
    g_object_notify_by_pspec (G_OBJECT (preview), props[PROP_ZOOM]);
}

/**
 * wf_preview_set_busy:
 * @preview: a preview
 * @busy: whether a computation has been going on for a while
 */
void
wf_preview_set_busy (WfPreview *preview,
                     gboolean   busy)
{
  if (preview->busy == busy)
    return;

  preview->busy = busy;
  wf_preview_set_spinning (preview, busy);
  g_object_notify_by_pspec (G_OBJECT (preview), props[PROP_BUSY]);
}


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
wf_preview_init (WfPreview *preview)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (preview));

  wf_viewport_init (&preview->viewport, 1, 1);
  preview->mode          = WF_PREVIEW_RESULT;
  preview->split         = 0.5;
  preview->line_opacity  = LINE_OPACITY;
  preview->basin_opacity = BASIN_OPACITY;
  preview->worker        = wf_preview_worker_new (wf_preview_take_result, preview);
  preview->basin_colors  = g_array_new (FALSE, FALSE, sizeof (guint32));
  gdk_rgba_parse (&preview->line_color, LINE_COLOR);

  wf_preview_input_init (preview);
  g_signal_connect (preview, "notify::scale-factor", G_CALLBACK (scale_factor_changed), NULL);
  atk_object_set_role (accessible, ATK_ROLE_IMAGE);
  atk_object_set_name (accessible, _("Preview"));
}

static void
wf_preview_dispose (GObject *object)
{
  WfPreview *preview = WF_PREVIEW (object);

  g_clear_handle_id (&preview->update_source, g_source_remove);
  g_clear_handle_id (&preview->busy_source, g_source_remove);
  g_clear_handle_id (&preview->spinner_source, g_source_remove);
  g_clear_pointer (&preview->worker, wf_preview_worker_free);
  g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);
  g_clear_pointer (&preview->result, wf_preview_result_unref);
  g_clear_object (&preview->pinch);
  G_OBJECT_CLASS (wf_preview_parent_class)->dispose (object);
}

static void
wf_preview_finalize (GObject *object)
{
  WfPreview *preview = WF_PREVIEW (object);

  wf_preview_forget_surfaces (preview);
  g_array_unref (preview->basin_colors);
  g_free (preview->colors.pixels);
  g_free (preview->map);
  g_free (preview->figures);
  g_free (preview->error);
  G_OBJECT_CLASS (wf_preview_parent_class)->finalize (object);
}

/**
 * wf_preview_set_split:
 * @preview: a preview
 * @split: where the edge is, from 0 to 1; what is beyond is clamped
 */
void
wf_preview_set_split (WfPreview *preview,
                      double     split)
{
  split = CLAMP (split, 0, 1);
  if (split == preview->split)
    return;

  preview->split = split;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  g_object_notify_by_pspec (G_OBJECT (preview), props[PROP_SPLIT]);
}

static void
set_zoom (WfPreview *preview,
          double     zoom)
{
  if (wf_viewport_zoom_at (&preview->viewport, zoom,
                           preview->viewport.view_width / 2.0,
                           preview->viewport.view_height / 2.0))
    wf_preview_view_changed (preview, TRUE);
}

static void
wf_preview_get_property (GObject    *object,
                         guint       property_id,
                         GValue     *value,
                         GParamSpec *pspec)
{
  WfPreview *preview = WF_PREVIEW (object);

  switch (property_id)
    {
    case PROP_MODE:
      g_value_set_enum (value, preview->mode);
      break;
    case PROP_ZOOM:
      g_value_set_double (value, preview->viewport.zoom);
      break;
    case PROP_SPLIT_VIEW:
      g_value_set_boolean (value, preview->split_view);
      break;
    case PROP_SPLIT:
      g_value_set_double (value, preview->split);
      break;
    case PROP_LINE_COLOR:
      g_value_set_boxed (value, &preview->line_color);
      break;
    case PROP_LINE_OPACITY:
      g_value_set_double (value, preview->line_opacity);
      break;
    case PROP_BASIN_OPACITY:
      g_value_set_double (value, preview->basin_opacity);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, preview->busy);
      break;
    case PROP_SLICE:
      g_value_set_int (value, preview->viewport.slice);
      break;
    case PROP_N_SLICES:
      g_value_set_int (value, wf_preview_get_n_slices (preview));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
wf_preview_set_property (GObject      *object,
                         guint         property_id,
                         const GValue *value,
                         GParamSpec   *pspec)
{
  WfPreview *preview = WF_PREVIEW (object);

  switch (property_id)
    {
    case PROP_MODE:
      preview->mode = g_value_get_enum (value);
      wf_preview_update_hovered (preview, FALSE);
      break;
    case PROP_ZOOM:
      set_zoom (preview, g_value_get_double (value));
      return;
    case PROP_SPLIT_VIEW:
      preview->split_view = g_value_get_boolean (value);
      break;
    case PROP_SPLIT:
      wf_preview_set_split (preview, g_value_get_double (value));
      return;
    case PROP_LINE_COLOR:
      if (g_value_get_boxed (value))
        preview->line_color = *(const GdkRGBA *) g_value_get_boxed (value);
      else
        gdk_rgba_parse (&preview->line_color, LINE_COLOR);
      break;
    case PROP_LINE_OPACITY:
      preview->line_opacity = g_value_get_double (value);
      break;
    case PROP_BASIN_OPACITY:
      preview->basin_opacity = g_value_get_double (value);
      break;
    case PROP_SLICE:
      wf_preview_set_slice (preview, g_value_get_int (value));
      return;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
      return;
    }
  wf_preview_result_changed (preview);
  g_object_notify_by_pspec (object, pspec);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * WfPreview:mode:
   *
   * What is shown; see #WfPreviewMode.
   */
  props[PROP_MODE] =
    g_param_spec_enum ("mode", NULL, NULL, WF_TYPE_PREVIEW_MODE, WF_PREVIEW_RESULT, flags);
  /**
   * WfPreview:zoom:
   *
   * Device pixels for a pixel of the image.  Setting it keeps the middle where it is.
   */
  props[PROP_ZOOM] =
    g_param_spec_double ("zoom", NULL, NULL, 0, WF_MAX_ZOOM, 1, flags);
  /**
   * WfPreview:split-view:
   *
   * Whether the image is shown on the left of an edge and the result on its right.
   */
  props[PROP_SPLIT_VIEW] =
    g_param_spec_boolean ("split-view", NULL, NULL, FALSE, flags);
  /**
   * WfPreview:split:
   *
   * Where this edge is, from 0, left, to 1.
   */
  props[PROP_SPLIT] =
    g_param_spec_double ("split", NULL, NULL, 0, 1, 0.5, flags);
  /**
   * WfPreview:line-color:
   *
   * The colour of the lines between basins.
   */
  props[PROP_LINE_COLOR] =
    g_param_spec_boxed ("line-color", NULL, NULL, GDK_TYPE_RGBA, flags);
  /**
   * WfPreview:line-opacity:
   *
   * How opaque the lines are, besides their colour's alpha.
   */
  props[PROP_LINE_OPACITY] =
    g_param_spec_double ("line-opacity", NULL, NULL, 0, 1, LINE_OPACITY, flags);
  /**
   * WfPreview:basin-opacity:
   *
   * How opaque the tints of the basins are, over the image.
   */
  props[PROP_BASIN_OPACITY] =
    g_param_spec_double ("basin-opacity", NULL, NULL, 0, 1, BASIN_OPACITY, flags);
  /**
   * WfPreview:busy:
   *
   * Whether a computation has been going on for a while.
   */
  props[PROP_BUSY] =
    g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * WfPreview:slice:
   *
   * Of a stack: which of its slices is shown, from 0; what is beyond is clamped.
   */
  props[PROP_SLICE] =
    g_param_spec_int ("slice", NULL, NULL, 0, G_MAXINT, 0, flags);
  /**
   * WfPreview:n-slices:
   *
   * How many slices the stack has; 1 of an image that is none.
   */
  props[PROP_N_SLICES] =
    g_param_spec_int ("n-slices", NULL, NULL, 1, G_MAXINT, 1,
                      G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
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
   * There is a new result.  It is drawn after this signal, so that a map for it can be
   * set in time.
   */
  g_signal_new ("computed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
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
   * @figures: (nullable): its figures, in words
   *
   * The pointer, or the middle of the view for the keyboard, is on another basin.
   */
  g_signal_new ("basin-hovered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
}

static void
wf_preview_class_init (WfPreviewClass *klass)
{
  GObjectClass   *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose              = wf_preview_dispose;
  object_class->finalize             = wf_preview_finalize;
  object_class->get_property         = wf_preview_get_property;
  object_class->set_property         = wf_preview_set_property;
  widget_class->draw                 = wf_preview_draw;
  widget_class->realize              = wf_preview_realize;
  widget_class->size_allocate        = wf_preview_size_allocate;
  widget_class->get_preferred_width  = wf_preview_get_preferred_width;
  widget_class->get_preferred_height = wf_preview_get_preferred_height;
  wf_preview_input_class_init (widget_class);

  install_properties (object_class);
  install_signals (object_class);
}


/*  Public functions  */

/**
 * wf_preview_new:
 *
 * Returns: a preview of nothing yet.
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
 * @data: for its functions; it must stay as long as the preview is there
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
  wf_viewport_init (&preview->viewport, source->width, source->height);
  wf_viewport_set_view_size (&preview->viewport, width, height);
  wf_preview_init_slices (preview);
  wf_preview_forget_result (preview);
  wf_preview_reload (preview);
  wf_preview_view_changed (preview, TRUE);
}

/**
 * wf_preview_set_computation:
 * @preview: a preview
 * @computation: (nullable): what is computed; it must stay as long as the preview is there
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
 * @palette: (nullable): the colours of the basins; without one they are not tinted
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
 * @describe: (nullable): tells the figures of a basin
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
 * Returns: (transfer none) (nullable): what is shown.
 */
WfPreviewResult *
wf_preview_get_result (WfPreview *preview)
{
  g_return_val_if_fail (WF_IS_PREVIEW (preview), NULL);

  return preview->result;
}

/**
 * wf_preview_set_map:
 * @preview: a preview
 * @map: (nullable) (array length=n): for each label from 0, which stays 0, to the
 *   result's largest, the label that represents it; copied
 * @n: the result's largest label and 1
 *
 * Merges basins of the result that is shown, without computing anything: labels that are
 * represented by the same one are one basin.  Without a result nothing happens.
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
