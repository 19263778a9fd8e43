/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A preview with its controls: in a frame, with mode, zoom and slice below it, the values under
 * the pointer, or else a hint on how to move and zoom, and of basins the measurements of the one
 * under the pointer.  These texts are never cut off: each has room for two lines, so that the
 * preview keeps its size when a text is longer than a line.
 *
 * The controls are bound to the preview's properties, and the preview has keys for the same;
 * it can be used without them.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "pane.h"
#include "slice-chooser.h"
#include "ui/options/icon-button.h"
#include "viewport.h"

#define SPACING    6
#define ZOOM_CHARS 6
#define TEXT_CHARS 20   /* that the width of the pane allows for at least */
#define TEXT_LINES "\n"

struct _WfPreviewPane
{
  GtkBox     parent_instance;

  GtkWidget *preview;
  GtkWidget *mode;
  GtkWidget *zoom;
  GtkWidget *values;
  GtkWidget *measurements;
  gboolean   basins;
};

enum
{
  PROP_0,
  PROP_BASINS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfPreviewPane, wf_preview_pane, GTK_TYPE_BOX)


/* Basins can be shown in more ways than levels. */
static const struct
{
  const char *id;       /* of a WfPreviewMode */
  const char *label;
  gboolean    basins;
} modes[] =
{
  { "image",            N_("Image"),                   FALSE },
  { "result",           N_("Result"),                  FALSE },
  { "image",            N_("Image"),                   TRUE },
  { "lines",            N_("Image with lines"),        TRUE },
  { "basins",           N_("Image with basins"),       TRUE },
  { "lines-and-basins", N_("Image, lines and basins"), TRUE },
  { "result",           N_("Basins"),                  TRUE },
};


/*  Texts  */

static void
show_values (WfPreviewPane *pane,
             const char    *values)
{
  gtk_label_set_text (GTK_LABEL (pane->values),
                      values ? values : _("Drag to move, turn the wheel to zoom"));
}

static void
basin_hovered (WfPreviewPane *pane,
               guint          basin,
               const char    *measurements)
{
  gtk_label_set_text (GTK_LABEL (pane->measurements), measurements ? measurements : "");
}

/* Leaves room for two lines in the present font. */
static void
style_updated (GtkWidget *label)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (label, TEXT_LINES);
  int                     height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_widget_set_size_request (label, -1, height);
}

static GtkWidget *
text_new (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_line_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (label), TEXT_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_CHARS);
  g_signal_connect (label, "style-updated", G_CALLBACK (style_updated), NULL);
  style_updated (label);
  return label;
}

static gboolean
format_zoom (GBinding     *binding,
             const GValue *zoom,
             GValue       *text,
             gpointer      unused)
{
  g_value_take_string (text, wf_zoom_format (g_value_get_double (zoom)));
  return TRUE;
}

static gboolean
mode_to_id (GBinding     *binding,
            const GValue *mode,
            GValue       *id,
            gpointer      unused)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (WF_TYPE_PREVIEW_MODE);
  const GEnumValue      *value = g_enum_get_value (klass, g_value_get_enum (mode));

  g_value_set_string (id, value ? value->value_nick : NULL);
  return value != NULL;
}

static gboolean
id_to_mode (GBinding     *binding,
            const GValue *id,
            GValue       *mode,
            gpointer      unused)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (WF_TYPE_PREVIEW_MODE);
  const char            *nick  = g_value_get_string (id);
  const GEnumValue      *value = nick ? g_enum_get_value_by_nick (klass, nick) : NULL;

  if (value)
    g_value_set_enum (mode, value->value);
  return value != NULL;
}


/*  Controls  */

static void
set_original_size (WfPreview *preview)
{
  g_object_set (preview, "zoom", 1.0, NULL);
}

static void
add_button (WfPreviewPane *pane,
            GtkWidget     *box,
            const char    *icon,
            const char    *name,
            GCallback      callback)
{
  GtkWidget *button = wf_icon_button_fill (gtk_button_new (), icon, name);

  g_signal_connect_swapped (button, "clicked", callback, pane->preview);
  gtk_container_add (GTK_CONTAINER (box), button);
}

static GtkWidget *
zoom_box_new (WfPreviewPane *pane)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_style_context_add_class (gtk_widget_get_style_context (box), GTK_STYLE_CLASS_LINKED);
  add_button (pane, box, "zoom-out-symbolic", _("Zoom out"), G_CALLBACK (wf_preview_zoom_out));
  add_button (pane, box, "zoom-in-symbolic", _("Zoom in"), G_CALLBACK (wf_preview_zoom_in));
  add_button (pane, box, "zoom-original-symbolic", _("One image pixel on each screen pixel"),
              G_CALLBACK (set_original_size));
  add_button (pane, box, "zoom-fit-best-symbolic", _("Show all of the image"),
              G_CALLBACK (wf_preview_fit));
  return box;
}

static void
fill_modes (WfPreviewPane *pane)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (modes[i].basins == pane->basins)
      gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (pane->mode), modes[i].id,
                                 g_dgettext (GETTEXT_PACKAGE, modes[i].label));

  g_object_set (pane->preview,
                "mode", pane->basins ? WF_PREVIEW_LINES : WF_PREVIEW_RESULT, NULL);
  g_object_bind_property_full (pane->preview, "mode", pane->mode, "active-id",
                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE,
                               mode_to_id, id_to_mode, NULL, NULL);
}

static GtkWidget *
controls_new (WfPreviewPane *pane)
{
  GtkWidget *box   = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("Sh_ow:"));
  GtkWidget *split = gtk_check_button_new_with_mnemonic (_("Before and a_fter"));

  pane->mode = gtk_combo_box_text_new ();
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), pane->mode);
  gtk_widget_set_tooltip_text (split, _("Show the image to the left of an edge that can be "
                                        "dragged, and the result to its right"));
  g_object_bind_property (pane->preview, "split-view", split, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);

  gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), pane->mode, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), split, FALSE, FALSE, 0);
  return box;
}

/* The values under the pointer, and the zoom. */
static GtkWidget *
status_bar_new (WfPreviewPane *pane)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  pane->values = text_new ();
  show_values (pane, NULL);
  g_signal_connect_object (pane->preview, "values-changed", G_CALLBACK (show_values), pane,
                           G_CONNECT_SWAPPED);

  pane->zoom = gtk_label_new (NULL);
  gtk_label_set_width_chars (GTK_LABEL (pane->zoom), ZOOM_CHARS);
  gtk_label_set_xalign (GTK_LABEL (pane->zoom), 1);
  g_object_bind_property_full (pane->preview, "zoom", pane->zoom, "label",
                               G_BINDING_SYNC_CREATE, format_zoom, NULL, NULL, NULL);

  gtk_box_pack_start (GTK_BOX (box), pane->values, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (box), zoom_box_new (pane), FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (box), pane->zoom, FALSE, FALSE, 0);
  return box;
}

static void
add_measurements (WfPreviewPane *pane)
{
  pane->measurements = text_new ();
  gtk_label_set_yalign (GTK_LABEL (pane->measurements), 0);
  gtk_box_pack_start (GTK_BOX (pane), pane->measurements, FALSE, FALSE, 0);
  gtk_widget_show (pane->measurements);
  g_signal_connect_object (pane->preview, "basin-hovered", G_CALLBACK (basin_hovered), pane,
                           G_CONNECT_SWAPPED);
}

static void
wf_preview_pane_init (WfPreviewPane *pane)
{
  GtkBox    *box   = GTK_BOX (pane);
  GtkWidget *frame = gtk_frame_new (NULL);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (pane), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (box, SPACING);

  pane->preview = wf_preview_new ();
  gtk_frame_set_shadow_type (GTK_FRAME (frame), GTK_SHADOW_IN);
  gtk_container_add (GTK_CONTAINER (frame), pane->preview);
  gtk_box_pack_start (box, frame, TRUE, TRUE, 0);
  gtk_box_pack_start (box, wf_slice_chooser_new (WF_PREVIEW (pane->preview)), FALSE, FALSE, 0);
  gtk_box_pack_start (box, controls_new (pane), FALSE, FALSE, 0);
  gtk_box_pack_start (box, status_bar_new (pane), FALSE, FALSE, 0);
  gtk_container_foreach (GTK_CONTAINER (pane), (GtkCallback) (GCallback) gtk_widget_show_all,
                         NULL);
}

static void
wf_preview_pane_constructed (GObject *object)
{
  WfPreviewPane *pane = WF_PREVIEW_PANE (object);

  G_OBJECT_CLASS (wf_preview_pane_parent_class)->constructed (object);
  fill_modes (pane);
  if (pane->basins)
    add_measurements (pane);
}

static void
wf_preview_pane_set_property (GObject      *object,
                              guint         property_id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  if (property_id == PROP_BASINS)
    WF_PREVIEW_PANE (object)->basins = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_preview_pane_class_init (WfPreviewPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed  = wf_preview_pane_constructed;
  object_class->set_property = wf_preview_pane_set_property;

  /**
   * WfPreviewPane:basins:
   *
   * Whether the results are basins, which can be laid over the image.
   */
  props[PROP_BASINS] =
    g_param_spec_boolean ("basins", NULL, NULL, FALSE,
                          G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

/**
 * wf_preview_pane_new:
 * @basins: whether the results are basins; else they are levels
 *
 * Returns: a preview with its controls.
 */
GtkWidget *
wf_preview_pane_new (gboolean basins)
{
  return g_object_new (WF_TYPE_PREVIEW_PANE, "basins", basins, NULL);
}

/**
 * wf_preview_pane_get_preview:
 * @pane: a pane
 *
 * Returns: (transfer none): its preview
 */
WfPreview *
wf_preview_pane_get_preview (WfPreviewPane *pane)
{
  g_return_val_if_fail (WF_IS_PREVIEW_PANE (pane), NULL);

  return WF_PREVIEW (pane->preview);
}
