/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The properties of a preview: how the image and the result are shown, which a dialog sets
 * or binds to its controls, and the preview's state.
 */

#include "config.h"

#include "private.h"

#define LINE_COLOR   "#00e05a"
#define LINE_OPACITY 1.0

enum
{
  PROP_0,
  PROP_MODE,
  PROP_ZOOM,
  PROP_SPLIT_VIEW,
  PROP_SPLIT,
  PROP_LINE_COLOR,
  PROP_LINE_OPACITY,
  PROP_GREY,
  PROP_BASIN_OPACITY,
  PROP_BUSY,
  PROP_REFUSED,
  PROP_SLICE,
  PROP_N_SLICES,
  N_PROPS
};

static GParamSpec *props[N_PROPS];


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
    case PROP_GREY:
      g_value_set_boolean (value, preview->grey);
      break;
    case PROP_BASIN_OPACITY:
      g_value_set_double (value, preview->basin_opacity);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, preview->busy);
      break;
    case PROP_REFUSED:
      g_value_set_boolean (value, wf_preview_is_refused (preview));
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
      wf_preview_zoom_at_middle (preview, g_value_get_double (value));
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
    case PROP_GREY:
      preview->grey = g_value_get_boolean (value);
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
define_view (GParamFlags flags)
{
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
   * Device pixels for a pixel of the image.  Setting it keeps the middle in place.
   */
  props[PROP_ZOOM] =
    g_param_spec_double ("zoom", NULL, NULL, 0, WF_MAX_ZOOM, 1, flags);
  /**
   * WfPreview:slice:
   *
   * Of a stack: the shown slice, from 0; clamped.
   */
  props[PROP_SLICE] =
    g_param_spec_int ("slice", NULL, NULL, 0, G_MAXINT, 0, flags);
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
   * The position of this edge, from 0, left, to 1.
   */
  props[PROP_SPLIT] =
    g_param_spec_double ("split", NULL, NULL, 0, 1, 0.5, flags);
}

static void
define_basins (GParamFlags flags)
{
  /**
   * WfPreview:line-color:
   *
   * The color of the lines between basins, where it is visible (see line-contrast.h).
   */
  props[PROP_LINE_COLOR] =
    g_param_spec_boxed ("line-color", NULL, NULL, GDK_TYPE_RGBA, flags);
  /**
   * WfPreview:gray:
   *
   * Whether the new layers hold grays only: then colored lines are black and white.
   */
  props[PROP_GREY] =
    g_param_spec_boolean ("gray", NULL, NULL, FALSE, flags);
  /**
   * WfPreview:line-opacity:
   *
   * The opacity of the lines, multiplied by the alpha of their color.
   */
  props[PROP_LINE_OPACITY] =
    g_param_spec_double ("line-opacity", NULL, NULL, 0, 1, LINE_OPACITY, flags);
  /**
   * WfPreview:basin-opacity:
   *
   * The opacity of the tints of the basins over the image.
   */
  props[PROP_BASIN_OPACITY] =
    g_param_spec_double ("basin-opacity", NULL, NULL, 0, 1, WF_PREVIEW_BASIN_OPACITY, flags);
}

static void
define_state (GParamFlags flags)
{
  /**
   * WfPreview:busy:
   *
   * Whether a computation has been running for a while.
   */
  props[PROP_BUSY] =
    g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  /**
   * WfPreview:refused:
   *
   * Whether the operation cannot work with the present settings, for the reason that the preview
   * shows: of the image, or of the whole of a large one.
   */
  props[PROP_REFUSED] =
    g_param_spec_boolean ("refused", NULL, NULL, FALSE, flags);
  /**
   * WfPreview:n-slices:
   *
   * The number of slices of the stack; 1 for a 2-D image.
   */
  props[PROP_N_SLICES] =
    g_param_spec_int ("n-slices", NULL, NULL, 1, G_MAXINT, 1, flags);
}

/**
 * wf_preview_properties_class_init:
 * @klass: of the preview
 */
void
wf_preview_properties_class_init (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  klass->get_property = wf_preview_get_property;
  klass->set_property = wf_preview_set_property;
  define_view (flags | G_PARAM_READWRITE);
  define_basins (flags | G_PARAM_READWRITE);
  define_state (flags | G_PARAM_READABLE);
  g_object_class_install_properties (klass, N_PROPS, props);
}

/**
 * wf_preview_properties_init:
 * @preview: a new preview
 *
 * Sets the initial values of the properties.
 */
void
wf_preview_properties_init (WfPreview *preview)
{
  preview->mode          = WF_PREVIEW_RESULT;
  preview->split         = 0.5;
  preview->line_opacity  = LINE_OPACITY;
  preview->basin_opacity = WF_PREVIEW_BASIN_OPACITY;
  gdk_rgba_parse (&preview->line_color, LINE_COLOR);
}
