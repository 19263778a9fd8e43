/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which pixels of an image are neighbours, shown as they lie: one button for
 * automatic choice and one with a picture for each neighbourhood of a 2-D image.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "wavefront.h"

#include "connectivity-chooser.h"

#define CELL 7.0
#define GAP  1.0
#define SIDE (3 * CELL + 2 * GAP)

enum
{
  PROP_0,
  PROP_CONNECTIVITY,
  N_PROPS
};

static const struct
{
  const char *name;
  int         neighbours;
} kinds[] = { { "auto", 0 }, { "4", 4 }, { "8", 8 } };

struct _WfConnectivityChooser
{
  GtkBox     parent_instance;

  GtkWidget *buttons[G_N_ELEMENTS (kinds)];
  guint      active;
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfConnectivityChooser, wf_connectivity_chooser, GTK_TYPE_BOX)


/* What the engine's own description calls this choice. */
static const char *
label_of (const char *name)
{
  const WfOptionGroup *group  = wf_operation_get_options (WF_OPERATION_WATERSHED);
  const WfOption      *option = wf_option_group_find (group, "connectivity");

  for (const WfChoice *choice = option->choices; choice->name; choice++)
    if (strcmp (choice->name, name) == 0)
      return g_dgettext (GETTEXT_PACKAGE, choice->label);

  g_return_val_if_reached (name);
}

static void
draw_cell (cairo_t       *cr,
           int            column,
           int            row,
           const GdkRGBA *color,
           gboolean       filled)
{
  double x = column * (CELL + GAP);
  double y = row    * (CELL + GAP);

  gdk_cairo_set_source_rgba (cr, color);
  if (filled)
    {
      cairo_rectangle (cr, x, y, CELL, CELL);
      cairo_fill (cr);
    }
  else
    {
      cairo_rectangle (cr, x + 0.5, y + 0.5, CELL - 1, CELL - 1);
      cairo_stroke (cr);
    }
}

/* Three by three pixels: the pixel itself in the text's colour, its neighbours
 * in the theme's accent, the others as outlines.
 */
static gboolean
draw_neighbourhood (GtkWidget *picture,
                    cairo_t   *cr,
                    gpointer   neighbours)
{
  GtkStyleContext *style = gtk_widget_get_style_context (picture);
  GdkRGBA          text;
  GdkRGBA          accent;
  GdkRGBA          faint;

  gtk_style_context_get_color (style, gtk_style_context_get_state (style), &text);
  faint = text;
  faint.alpha *= 0.35;
  if (! gtk_style_context_lookup_color (style, "theme_selected_bg_color", &accent))
    {
      accent = text;
      accent.alpha *= 0.6;
    }
  if (gtk_style_context_get_state (style) & GTK_STATE_FLAG_INSENSITIVE)
    accent = faint;

  cairo_translate (cr,
                   (int) (gtk_widget_get_allocated_width (picture) - SIDE) / 2,
                   (int) (gtk_widget_get_allocated_height (picture) - SIDE) / 2);
  cairo_set_line_width (cr, 1.0);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      {
        int      steps     = abs (row - 1) + abs (column - 1);
        gboolean neighbour = steps == 1 || (steps == 2 && GPOINTER_TO_INT (neighbours) == 8);

        if (steps == 0)
          draw_cell (cr, column, row, &text, TRUE);
        else
          draw_cell (cr, column, row, neighbour ? &accent : &faint, neighbour);
      }
  return FALSE;
}

static GtkWidget *
picture_new (int neighbours)
{
  GtkWidget *picture = gtk_drawing_area_new ();

  gtk_widget_set_size_request (picture, (int) SIDE, (int) SIDE);
  g_signal_connect (picture, "draw",
                    G_CALLBACK (draw_neighbourhood), GINT_TO_POINTER (neighbours));
  return picture;
}

static void
button_toggled (GtkToggleButton       *button,
                WfConnectivityChooser *chooser)
{
  if (! gtk_toggle_button_get_active (button))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (chooser->buttons[i] == GTK_WIDGET (button) && chooser->active != i)
      {
        chooser->active = i;
        g_object_notify_by_pspec (G_OBJECT (chooser), props[PROP_CONNECTIVITY]);
      }
}

static void
add_button (WfConnectivityChooser *chooser,
            guint                  i)
{
  GtkRadioButton *group  = i > 0 ? GTK_RADIO_BUTTON (chooser->buttons[0]) : NULL;
  GtkWidget      *button = gtk_radio_button_new_from_widget (group);
  GtkWidget      *box    = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char     *name   = label_of (kinds[i].name);

  gtk_toggle_button_set_mode (GTK_TOGGLE_BUTTON (button), FALSE);
  if (kinds[i].neighbours)
    gtk_box_pack_start (GTK_BOX (box), picture_new (kinds[i].neighbours), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box),
                      gtk_label_new (kinds[i].neighbours ? kinds[i].name : _("Automatic")),
                      FALSE, FALSE, 0);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_container_add (GTK_CONTAINER (button), box);

  gtk_widget_set_tooltip_text (button, name);
  atk_object_set_name (gtk_widget_get_accessible (button), name);
  g_signal_connect (button, "toggled", G_CALLBACK (button_toggled), chooser);

  chooser->buttons[i] = button;
  gtk_box_pack_start (GTK_BOX (chooser), button, FALSE, FALSE, 0);
  gtk_widget_show_all (button);
}

static void
wf_connectivity_chooser_init (WfConnectivityChooser *chooser)
{
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (chooser)),
                               GTK_STYLE_CLASS_LINKED);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    add_button (chooser, i);
}

/* A label's mnemonic leads to the button that is pressed in. */
static gboolean
wf_connectivity_chooser_mnemonic_activate (GtkWidget *widget,
                                           gboolean   group_cycling)
{
  WfConnectivityChooser *chooser = WF_CONNECTIVITY_CHOOSER (widget);

  gtk_widget_grab_focus (chooser->buttons[chooser->active]);
  return TRUE;
}

static void
wf_connectivity_chooser_get_property (GObject    *object,
                                      guint       property_id,
                                      GValue     *value,
                                      GParamSpec *pspec)
{
  if (property_id == PROP_CONNECTIVITY)
    g_value_set_string (value, wf_connectivity_chooser_get_connectivity
                                 (WF_CONNECTIVITY_CHOOSER (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_connectivity_chooser_set_property (GObject      *object,
                                      guint         property_id,
                                      const GValue *value,
                                      GParamSpec   *pspec)
{
  if (property_id == PROP_CONNECTIVITY)
    wf_connectivity_chooser_set_connectivity (WF_CONNECTIVITY_CHOOSER (object),
                                              g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_connectivity_chooser_class_init (WfConnectivityChooserClass *klass)
{
  GObjectClass   *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property      = wf_connectivity_chooser_get_property;
  object_class->set_property      = wf_connectivity_chooser_set_property;
  widget_class->mnemonic_activate = wf_connectivity_chooser_mnemonic_activate;

  /**
   * WfConnectivityChooser:connectivity:
   *
   * "auto", "4" or "8".  Setting anything else chooses "auto".
   */
  props[PROP_CONNECTIVITY] =
    g_param_spec_string ("connectivity", NULL, NULL, "auto",
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

/**
 * wf_connectivity_chooser_new:
 *
 * Returns: a widget that offers the neighbourhoods of a 2-D image.
 */
GtkWidget *
wf_connectivity_chooser_new (void)
{
  return g_object_new (WF_TYPE_CONNECTIVITY_CHOOSER, NULL);
}

/**
 * wf_connectivity_chooser_get_connectivity:
 * @chooser: a chooser
 *
 * Returns: "auto", "4" or "8".
 */
const char *
wf_connectivity_chooser_get_connectivity (WfConnectivityChooser *chooser)
{
  g_return_val_if_fail (WF_IS_CONNECTIVITY_CHOOSER (chooser), NULL);

  return kinds[chooser->active].name;
}

/**
 * wf_connectivity_chooser_set_connectivity:
 * @chooser: a chooser
 * @connectivity: (nullable): "auto", "4" or "8"; anything else counts as "auto"
 */
void
wf_connectivity_chooser_set_connectivity (WfConnectivityChooser *chooser,
                                          const char            *connectivity)
{
  guint i;

  g_return_if_fail (WF_IS_CONNECTIVITY_CHOOSER (chooser));

  for (i = G_N_ELEMENTS (kinds) - 1; i > 0; i--)
    if (g_strcmp0 (kinds[i].name, connectivity) == 0)
      break;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (chooser->buttons[i]), TRUE);
}
