/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which pixels of an image are neighbours: one button for automatic choice, and one with a
 * picture for each neighbourhood of an image, 4 and 8, or of a stack, 6 and 26.
 *
 * The picture of a stack is three slices side by side, with the pixel in the middle one.
 * When an image becomes a stack, or the other way round, the choice keeps its meaning: 4
 * corresponds to 6, the pixels with a common edge or face, and 8 to 26, all around.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "wavefront.h"

#include "connectivity-chooser.h"

#define GAP           1.0
#define CELL          7.0
#define CELL_IN_STACK 5.0
#define BETWEEN       5.0     /* the slices of a stack */

enum
{
  PROP_0,
  PROP_CONNECTIVITY,
  PROP_STACK,
  N_PROPS
};

/* The counterpart of an image's neighbourhood comes %TO_STACK later. */
static const struct
{
  const char *name;
  int         neighbours;
} kinds[] = { { "auto", 0 }, { "4", 4 }, { "8", 8 }, { "6", 6 }, { "26", 26 } };

#define FIRST_IN_STACK 3
#define TO_STACK       2

struct _WfConnectivityChooser
{
  GtkBox     parent_instance;

  GtkWidget *buttons[G_N_ELEMENTS (kinds)];
  guint      active;
  gboolean   stack;
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfConnectivityChooser, wf_connectivity_chooser, GTK_TYPE_BOX)


/* The label of a choice in the engine's option table. */
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

static double
side_of (double cell)
{
  return 3 * cell + 2 * GAP;
}

static gboolean
is_neighbour (int neighbours,
              int dx,
              int dy,
              int dz)
{
  int steps = abs (dx) + abs (dy) + abs (dz);

  return neighbours == 8 || neighbours == 26 ? steps > 0 : steps == 1;
}

static void
draw_cell (cairo_t       *cr,
           double         x,
           double         y,
           double         cell,
           const GdkRGBA *color,
           gboolean       filled)
{
  gdk_cairo_set_source_rgba (cr, color);
  if (filled)
    {
      cairo_rectangle (cr, x, y, cell, cell);
      cairo_fill (cr);
    }
  else
    {
      cairo_rectangle (cr, x + 0.5, y + 0.5, cell - 1, cell - 1);
      cairo_stroke (cr);
    }
}

typedef struct
{
  GdkRGBA text;
  GdkRGBA accent;
  GdkRGBA faint;
} Colors;

/* The accent has to be visible on a pressed button and on others. */
static void
get_colors (GtkWidget *picture,
            Colors    *colors)
{
  GtkStyleContext *style = gtk_widget_get_style_context (picture);

  gtk_style_context_get_color (style, gtk_style_context_get_state (style), &colors->text);
  colors->faint = colors->text;
  colors->faint.alpha *= 0.35;
  if (! gtk_style_context_lookup_color (style, "theme_selected_bg_color", &colors->accent))
    {
      colors->accent = colors->text;
      colors->accent.alpha *= 0.6;
    }
  if (gtk_style_context_get_state (style) & GTK_STATE_FLAG_INSENSITIVE)
    colors->accent = colors->faint;
}

/* Three by three pixels of the slice @dz above the pixel. */
static void
draw_slice (cairo_t      *cr,
            const Colors *colors,
            int           neighbours,
            double        cell,
            int           dz)
{
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      {
        double   x         = (dx + 1) * (cell + GAP);
        double   y         = (dy + 1) * (cell + GAP);
        gboolean neighbour = is_neighbour (neighbours, dx, dy, dz);

        if (dx == 0 && dy == 0 && dz == 0)
          draw_cell (cr, x, y, cell, &colors->text, TRUE);
        else
          draw_cell (cr, x, y, cell, neighbour ? &colors->accent : &colors->faint, neighbour);
      }
}

static int
picture_width (int neighbours)
{
  return wf_is_stack_connectivity (neighbours) ? (int) (3 * side_of (CELL_IN_STACK) + 2 * BETWEEN)
                                  : (int) side_of (CELL);
}

/* The pixel itself in the text colour, its neighbours in the theme's accent colour, the
 * others as outlines.
 */
static gboolean
draw_neighbourhood (GtkWidget *picture,
                    cairo_t   *cr,
                    gpointer   data)
{
  int    neighbours = GPOINTER_TO_INT (data);
  double cell       = wf_is_stack_connectivity (neighbours) ? CELL_IN_STACK : CELL;
  int    left       = (gtk_widget_get_allocated_width (picture) - picture_width (neighbours)) / 2;
  int    top        = (gtk_widget_get_allocated_height (picture) - (int) side_of (cell)) / 2;
  Colors colors;

  get_colors (picture, &colors);
  cairo_set_line_width (cr, 1.0);
  cairo_translate (cr, left, top);
  if (! wf_is_stack_connectivity (neighbours))
    draw_slice (cr, &colors, neighbours, cell, 0);
  else
    for (int dz = -1; dz <= 1; dz++)
      {
        draw_slice (cr, &colors, neighbours, cell, dz);
        cairo_translate (cr, side_of (cell) + BETWEEN, 0);
      }
  return FALSE;
}

static GtkWidget *
picture_new (int neighbours)
{
  GtkWidget *picture = gtk_drawing_area_new ();

  gtk_widget_set_size_request (picture, picture_width (neighbours), (int) side_of (CELL));
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
set_name (GtkWidget  *button,
          const char *name)
{
  gtk_widget_set_tooltip_text (button, name);
  atk_object_set_name (gtk_widget_get_accessible (button), name);
}

static void
add_button (WfConnectivityChooser *chooser,
            guint                  i)
{
  GtkRadioButton *group  = i > 0 ? GTK_RADIO_BUTTON (chooser->buttons[0]) : NULL;
  GtkWidget      *button = gtk_radio_button_new_from_widget (group);
  GtkWidget      *box    = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_toggle_button_set_mode (GTK_TOGGLE_BUTTON (button), FALSE);
  if (kinds[i].neighbours)
    gtk_box_pack_start (GTK_BOX (box), picture_new (kinds[i].neighbours), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box),
                      gtk_label_new (kinds[i].neighbours ? kinds[i].name : _("Automatic")),
                      FALSE, FALSE, 0);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_container_add (GTK_CONTAINER (button), box);

  set_name (button, label_of (kinds[i].name));
  g_signal_connect (button, "toggled", G_CALLBACK (button_toggled), chooser);

  chooser->buttons[i] = button;
  gtk_box_pack_start (GTK_BOX (chooser), button, FALSE, FALSE, 0);
  gtk_widget_show_all (button);
  gtk_widget_set_no_show_all (button, TRUE);
}

/* Shows the neighbourhoods of an image, or of a stack. */
static void
show_buttons (WfConnectivityChooser *chooser)
{
  for (guint i = 1; i < G_N_ELEMENTS (kinds); i++)
    gtk_widget_set_visible (chooser->buttons[i], (i >= FIRST_IN_STACK) == chooser->stack);
}

/* Button @i, or its counterpart for the present kind of image. */
static guint
fit (const WfConnectivityChooser *chooser,
     guint                        i)
{
  if (i == 0 || (i >= FIRST_IN_STACK) == chooser->stack)
    return i;
  return chooser->stack ? i + TO_STACK : i - TO_STACK;
}

static void
wf_connectivity_chooser_init (WfConnectivityChooser *chooser)
{
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (chooser)),
                               GTK_STYLE_CLASS_LINKED);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    add_button (chooser, i);
  show_buttons (chooser);
}

/* A label's mnemonic leads to the pressed button. */
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
  else if (property_id == PROP_STACK)
    g_value_set_boolean (value, WF_CONNECTIVITY_CHOOSER (object)->stack);
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
  else if (property_id == PROP_STACK)
    wf_connectivity_chooser_set_stack (WF_CONNECTIVITY_CHOOSER (object),
                                       g_value_get_boolean (value));
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
   * "auto", "4" or "8"; of a stack "auto", "6" or "26".  A value for the other kind of
   * image sets its counterpart, anything else "auto".
   */
  props[PROP_CONNECTIVITY] =
    g_param_spec_string ("connectivity", NULL, NULL, "auto",
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);

  /**
   * WfConnectivityChooser:stack:
   *
   * Whether the image is a stack.
   */
  props[PROP_STACK] =
    g_param_spec_boolean ("stack", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                          G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

/**
 * wf_connectivity_chooser_new:
 *
 * Returns: a widget that offers the neighborhoods of a 2-D image.
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
 * Returns: "auto", "4", "8", "6" or "26".
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
 * @connectivity: (nullable): "auto", "4", "8", "6" or "26"; anything else counts as "auto"
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
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (chooser->buttons[fit (chooser, i)]), TRUE);
}

/**
 * wf_connectivity_chooser_set_automatic:
 * @chooser: a chooser
 * @meaning: what "auto" stands for; by default all neighbors
 *
 * Says what the automatic choice is.
 */
void
wf_connectivity_chooser_set_automatic (WfConnectivityChooser *chooser,
                                       const char            *meaning)
{
  g_return_if_fail (WF_IS_CONNECTIVITY_CHOOSER (chooser));

  set_name (chooser->buttons[0], meaning);
}

/**
 * wf_connectivity_chooser_set_stack:
 * @chooser: a chooser
 * @stack: whether the image is a stack
 *
 * Offers the neighborhoods of a stack, or of a 2-D image, and chooses the counterpart of the
 * present choice.
 */
void
wf_connectivity_chooser_set_stack (WfConnectivityChooser *chooser,
                                   gboolean               stack)
{
  guint fitting;

  g_return_if_fail (WF_IS_CONNECTIVITY_CHOOSER (chooser));

  if (! stack == ! chooser->stack)
    return;
  chooser->stack = ! ! stack;
  fitting        = fit (chooser, chooser->active);
  show_buttons (chooser);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (chooser->buttons[fitting]), TRUE);
  g_object_notify_by_pspec (G_OBJECT (chooser), props[PROP_STACK]);
}
