/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of the tiles that the work is divided into: automatic, or a number of pixels,
 * with the resulting number of tiles.  An algorithm may use smaller tiles to fit its cache.
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "auto-spin-button.h"
#include "tiling-chooser.h"

#define SPACING 6
#define HINT_CHARS 18
#define STEP    64

enum
{
  PROP_0,
  PROP_VALUE,
  N_PROPS
};

struct _WfTilingChooser
{
  GtkBox     parent_instance;

  GtkWidget *spin;
  GtkWidget *hint;
  gint64     size[3];       /* of the image; 0: not known */
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfTilingChooser, wf_tiling_chooser, GTK_TYPE_BOX)


static gint64
count_along (gint64 length,
             gint64 side)
{
  return (length + side - 1) / side;
}

static char *
describe (WfTilingChooser *chooser)
{
  gint64 side = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (chooser->spin));
  gint64 across;
  gint64 down;
  gint64 deep;
  gint64 n;

  if (side == 0)
    return g_strdup (_("chosen by the algorithm"));
  if (chooser->size[0] == 0)
    return g_strdup (_("pixels"));

  across = count_along (chooser->size[0], side);
  down   = count_along (chooser->size[1], side);
  deep   = count_along (chooser->size[2], side);
  n      = across * down * deep;
  if (n == 1)
    return g_strdup (_("pixels: one tile holds everything"));
  if (chooser->size[2] == 1)
    /* TRANSLATORS: a size in pixels, and how many tiles of it there are, as in
     * "pixels: 4 × 3 = 12 tiles"
     */
    return g_strdup_printf (_("pixels: %'" PRId64 " × %'" PRId64 " = %'" PRId64 " tiles"),
                            across, down, n);
  /* TRANSLATORS: the same in three dimensions, as in "pixels: 4 × 3 × 2 = 24 tiles" */
  return g_strdup_printf (_("pixels: %'" PRId64 " × %'" PRId64 " × %'" PRId64 " = %'" PRId64
                            " tiles"), across, down, deep, n);
}

static void
show_hint (WfTilingChooser *chooser)
{
  g_autofree char *text = describe (chooser);

  gtk_label_set_text (GTK_LABEL (chooser->hint), text);
  atk_object_set_description (gtk_widget_get_accessible (chooser->spin), text);
}

static void
value_changed (WfTilingChooser *chooser)
{
  show_hint (chooser);
  g_object_notify_by_pspec (G_OBJECT (chooser), props[PROP_VALUE]);
}

static gboolean
wf_tiling_chooser_mnemonic_activate (GtkWidget *widget,
                                     gboolean   group_cycling)
{
  gtk_widget_grab_focus (WF_TILING_CHOOSER (widget)->spin);
  return TRUE;
}

static void
wf_tiling_chooser_get_property (GObject    *object,
                                guint       property_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  if (property_id == PROP_VALUE)
    g_value_set_double (value, gtk_spin_button_get_value
                                 (GTK_SPIN_BUTTON (WF_TILING_CHOOSER (object)->spin)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_tiling_chooser_set_property (GObject      *object,
                                guint         property_id,
                                const GValue *value,
                                GParamSpec   *pspec)
{
  if (property_id == PROP_VALUE)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (WF_TILING_CHOOSER (object)->spin),
                               g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_tiling_chooser_class_init (WfTilingChooserClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = wf_tiling_chooser_get_property;
  object_class->set_property = wf_tiling_chooser_set_property;
  GTK_WIDGET_CLASS (klass)->mnemonic_activate = wf_tiling_chooser_mnemonic_activate;

  /**
   * WfTilingChooser:value:
   *
   * The side of a tile in pixels, a whole number; 0 for automatic choice.
   */
  props[PROP_VALUE] =
    g_param_spec_double ("value", NULL, NULL, 0, G_MAXINT, 0,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
wf_tiling_chooser_init (WfTilingChooser *chooser)
{
  gtk_box_set_spacing (GTK_BOX (chooser), SPACING);
}

/**
 * wf_tiling_chooser_new:
 * @maximum: the largest side of a tile
 *
 * Returns: a widget for automatic choice or any size of tiles
 */
GtkWidget *
wf_tiling_chooser_new (int maximum)
{
  WfTilingChooser *chooser = g_object_new (WF_TYPE_TILING_CHOOSER, NULL);

  chooser->spin = wf_auto_spin_button_new (maximum, STEP);
  chooser->hint = gtk_label_new (NULL);
  gtk_entry_set_activates_default (GTK_ENTRY (chooser->spin), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (chooser->spin), _("Tile size"));
  gtk_label_set_xalign (GTK_LABEL (chooser->hint), 0);
  gtk_label_set_line_wrap (GTK_LABEL (chooser->hint), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (chooser->hint), HINT_CHARS);
  gtk_style_context_add_class (gtk_widget_get_style_context (chooser->hint),
                               GTK_STYLE_CLASS_DIM_LABEL);
  g_signal_connect_swapped (chooser->spin, "value-changed", G_CALLBACK (value_changed), chooser);

  gtk_box_pack_start (GTK_BOX (chooser), chooser->spin, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (chooser), chooser->hint, TRUE, TRUE, 0);
  gtk_widget_show (chooser->spin);
  gtk_widget_show (chooser->hint);
  show_hint (chooser);
  return GTK_WIDGET (chooser);
}

/**
 * wf_tiling_chooser_set_size:
 * @chooser: a chooser
 * @width: of the image, in pixels
 * @height: likewise
 * @depth: slices; 1 for a 2-D image
 *
 * Lets the chooser show the number of tiles.
 */
void
wf_tiling_chooser_set_size (WfTilingChooser *chooser,
                            gint64           width,
                            gint64           height,
                            gint64           depth)
{
  g_return_if_fail (WF_IS_TILING_CHOOSER (chooser));
  g_return_if_fail (width > 0 && height > 0 && depth > 0);

  chooser->size[0] = width;
  chooser->size[1] = height;
  chooser->size[2] = depth;
  show_hint (chooser);
}
