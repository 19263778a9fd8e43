/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The colors of stains that the user describes: the argument WF_OWN_STAIN.
 *
 * Each of up to three stains has a button with its color, one to pick it in the preview, where
 * the next click takes the mean optical density of the pixels around, and one to take that of the
 * pixels that are selected.  One of them is marked as the stain whose levels are taken; the
 * argument has it first.
 *
 * The argument changes only to colors that can be told apart, so that the preview always has a
 * picture to pick from; for others there is a message, and the dialog cannot be accepted.
 *
 * The row is shown while levels are taken from an own stain.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "obstacle.h"
#include "plugins/common/input/own-stain.h"
#include "plugins/common/preview/source-pixels.h"
#include "stain-control.h"
#include "ui/options/icon-button.h"
#include "ui/preview/picking.h"

#define MAX_STAINS    3
#define FIRST_STAINS  "hematoxylin-dab"   /* until others are chosen */
#define ADDED_DENSITY 0.3                 /* of a stain that is added: a gray */
#define BUTTON_WIDTH  30
#define BUTTON_HEIGHT 20
#define MESSAGE_WIDTH 40                  /* in characters */

typedef struct _Control Control;

/**
 * Stain:
 * @box: what belongs to the stain
 * @taken: the radio button of the stain whose levels are taken
 * @color: a button
 * @pick: a toggle button, or %NULL
 * @selection: a button, or %NULL
 */
typedef struct
{
  Control   *control;
  double     density[3];
  GtkWidget *box;
  GtkWidget *taken;
  GtkWidget *color;
  GtkWidget *pick;
  GtkWidget *selection;
} Stain;

/**
 * Control:
 * @n: how many stains there are
 * @text: the value of the argument that the stains are shown of
 * @refused: whether the stains that are shown are none
 * @quiet: whether widgets are being set
 */
struct _Control
{
  WfJob     *run;
  GObject   *config;
  WfPreview *preview;
  GtkWidget *row;
  GtkWidget *add;
  GtkWidget *remove;
  GtkWidget *message;
  Stain      stains[MAX_STAINS];
  guint      n;
  char      *text;
  gboolean   refused;
  gboolean   quiet;
};


/*  The argument  */

static gboolean
has_argument (Control    *control,
              const char *argument)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (control->config), argument) != NULL;
}

static gboolean
is_chosen (Control    *control,
           const char *argument)
{
  g_autofree char *source = NULL;

  if (! has_argument (control, argument))
    return FALSE;
  g_object_get (control->config, argument, &source, NULL);
  return g_strcmp0 (source, "own-stain") == 0;
}

/* Where colors are kept, no levels are taken. */
static gboolean
is_source (Control *control)
{
  g_autofree char *colors = NULL;

  if (has_argument (control, "colors"))
    g_object_get (control->config, "colors", &colors, NULL);
  return is_chosen (control, "source") && (! colors || strcmp (colors, "gray") == 0);
}

static gboolean
is_needed (Control *control)
{
  return is_source (control) || is_chosen (control, "measure-source");
}

/* Colors are picked from the layer that is flooded, which the preview shows. */
static gboolean
can_pick (Control *control)
{
  g_autoptr (GimpDrawable) measured = NULL;

  if (has_argument (control, "measure-on"))
    g_object_get (control->config, "measure-on", &measured, NULL);
  return is_needed (control) &&
         (is_source (control) || ! measured || measured == control->run->drawables[0]);
}

static void
show_message (Control    *control,
              const char *message)
{
  gtk_label_set_text (GTK_LABEL (control->message), message ? message : "");
  gtk_widget_set_visible (control->message, message != NULL);
}

/* The dialog cannot be accepted with it. */
static void
show_problem (Control    *control,
              const char *problem)
{
  control->refused = problem != NULL;
  show_message (control, problem);
  wf_obstacle_set (control->row, WF_OBSTACLE_STAIN, problem != NULL && is_needed (control));
}

/* The stain whose levels are taken comes first. */
static char *
write_text (Control *control)
{
  double densities[3 * MAX_STAINS];
  guint  n = 1;

  for (guint i = 0; i < control->n; i++)
    {
      const Stain    *stain = &control->stains[i];
      const gboolean  taken = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (stain->taken));

      memcpy (densities + (taken ? 0 : 3 * n++), stain->density, sizeof stain->density);
    }
  return wf_stain_format (densities, control->n);
}

static void
store (Control *control)
{
  g_autofree char     *text  = write_text (control);
  g_autoptr (GError)   error = NULL;
  g_autoptr (WfStain)  stain = wf_stain_new (text, &error);

  show_problem (control, error ? error->message : NULL);
  if (! stain)
    return;
  g_free (control->text);
  control->text = g_steal_pointer (&text);
  g_object_set (control->config, WF_OWN_STAIN, control->text, NULL);
}


/*  The widgets  */

static void
show_color (Stain *stain)
{
  GeglColor *color = gegl_color_new (NULL);
  double     rgb[3];

  for (int c = 0; c < 3; c++)
    rgb[c] = CLAMP (pow (10, -stain->density[c]), 0, 1);
  gegl_color_set_pixel (color, babl_format ("R'G'B' double"), rgb);
  stain->control->quiet = TRUE;
  gimp_color_button_set_color (GIMP_COLOR_BUTTON (stain->color), color);
  stain->control->quiet = FALSE;
  g_object_unref (color);
}

static void
show_count (Control *control)
{
  for (guint i = 0; i < MAX_STAINS; i++)
    gtk_widget_set_visible (control->stains[i].box, i < control->n);
  gtk_widget_set_sensitive (control->add, control->n < MAX_STAINS);
  gtk_widget_set_sensitive (control->remove, control->n > 1);
}

static void
take (Control *control,
      guint    index)
{
  control->quiet = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->stains[index].taken), TRUE);
  control->quiet = FALSE;
}

static gboolean
read_text (Control    *control,
           const char *text)
{
  double      densities[3 * MAX_STAINS];
  const guint n = wf_stain_parse (text, densities, NULL);

  if (n == 0)
    return FALSE;
  control->n = n;
  for (guint i = 0; i < n; i++)
    {
      memcpy (control->stains[i].density, densities + 3 * i, sizeof control->stains[i].density);
      show_color (&control->stains[i]);
    }
  take (control, 0);
  show_count (control);
  return TRUE;
}

/* Follows the arguments, which the user may have reset or loaded. */
/* What is not shown, or can pick nothing, must not wait for a click either. */
static void
allow_picking (Control  *control,
               gboolean  allowed)
{
  for (guint i = 0; i < MAX_STAINS; i++)
    if (control->stains[i].pick)
      {
        gtk_widget_set_sensitive (control->stains[i].pick, allowed);
        gtk_widget_set_sensitive (control->stains[i].selection, allowed);
        if (! allowed)
          gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->stains[i].pick), FALSE);
      }
}

static void
follow (Control *control)
{
  const gboolean   needed = is_needed (control);
  g_autofree char *text   = NULL;

  gtk_widget_set_visible (control->row, needed);
  allow_picking (control, can_pick (control));
  wf_obstacle_set (control->row, WF_OBSTACLE_STAIN,
                   needed && control->refused);
  g_object_get (control->config, WF_OWN_STAIN, &text, NULL);
  if (! needed || g_strcmp0 (text, control->text) == 0)
    return;
  if (! text || ! read_text (control, text))
    {
      read_text (control, FIRST_STAINS);
      store (control);
      return;
    }
  g_free (control->text);
  control->text = g_steal_pointer (&text);
  show_problem (control, NULL);
}

static void
color_changed (Stain *stain)
{
  GeglColor *color;
  float      rgb[3];

  if (stain->control->quiet)
    return;
  color = gimp_color_button_get_color (GIMP_COLOR_BUTTON (stain->color));
  gegl_color_get_pixel (color, babl_format ("R'G'B' float"), rgb);
  g_object_unref (color);
  wf_stain_pick (WF_TYPE_F32, rgb, 3, 1, stain->density);
  store (stain->control);
}

static void
taken_toggled (Stain *stain)
{
  if (! stain->control->quiet &&
      gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (stain->taken)))
    store (stain->control);
}

static void
added (Control *control)
{
  Stain *stain = &control->stains[control->n++];

  for (int c = 0; c < 3; c++)
    stain->density[c] = ADDED_DENSITY;
  show_color (stain);
  show_count (control);
  store (control);
}

static void
removed (Control *control)
{
  const guint last = --control->n;

  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (control->stains[last].taken)))
    take (control, 0);
  if (control->stains[last].pick)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->stains[last].pick), FALSE);
  show_count (control);
  store (control);
}


/*  Picking  */

/* One stain is picked at a time. */
static void
pick_toggled (Stain *stain)
{
  Control        *control = stain->control;
  const gboolean  active  = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (stain->pick));
  gboolean        any     = FALSE;

  for (guint i = 0; i < MAX_STAINS; i++)
    {
      GtkToggleButton *pick = GTK_TOGGLE_BUTTON (control->stains[i].pick);

      if (active && &control->stains[i] != stain)
        gtk_toggle_button_set_active (pick, FALSE);
      any |= gtk_toggle_button_get_active (pick);
    }
  wf_preview_set_picking (control->preview, any);
}

/* Another tool of the preview was taken. */
static void
tool_changed (Control  *control,
              gboolean  drawing,
              gboolean  picking)
{
  for (guint i = 0; ! picking && i < MAX_STAINS; i++)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (control->stains[i].pick), FALSE);
}

static void
use_density (Stain *stain)
{
  show_color (stain);
  store (stain->control);
}

static void
picked (Control *control,
        double   x,
        double   y)
{
  g_autoptr (GError)  error  = NULL;
  WfSourcePixels     *pixels = wf_source_pixels_new (control->run, &error);
  int                 slice;

  g_object_get (control->preview, "slice", &slice, NULL);
  for (guint i = 0; i < MAX_STAINS; i++)
    {
      Stain *stain = &control->stains[i];

      if (! gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (stain->pick)))
        continue;
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (stain->pick), FALSE);
      if (pixels &&
          wf_source_pixels_pick (pixels, (guint) slice, (int) floor (x), (int) floor (y),
                                 stain->density, &error))
        use_density (stain);
    }
  if (error)
    show_message (control, error->message);
  g_clear_pointer (&pixels, wf_source_pixels_free);
}

/* The stain is as it was where nothing is selected. */
static void
selection_clicked (Stain *stain)
{
  Control            *control = stain->control;
  g_autoptr (GError)  error   = NULL;
  WfSourcePixels     *pixels  = wf_source_pixels_new (control->run, &error);
  int                 slice;

  g_object_get (control->preview, "slice", &slice, NULL);
  if (pixels &&
      wf_source_pixels_pick_selected (pixels, (guint) slice, stain->density, &error))
    use_density (stain);
  else
    show_message (control, error->message);
  g_clear_pointer (&pixels, wf_source_pixels_free);
}


/*  The row  */

static void
fill_stain (Stain   *stain,
            Control *control)
{
  GeglColor *color = gegl_color_new ("white");
  GtkWidget *first = control->stains[0].taken;

  stain->control = control;
  stain->box     = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  stain->taken   = gtk_radio_button_new_from_widget (first ? GTK_RADIO_BUTTON (first) : NULL);
  stain->color   = gimp_color_button_new (_("Color of the stain"), BUTTON_WIDTH, BUTTON_HEIGHT,
                                          color, GIMP_COLOR_AREA_FLAT);
  g_object_unref (color);
  gtk_widget_set_tooltip_text (stain->taken, _("Take the levels of this stain"));
  atk_object_set_name (gtk_widget_get_accessible (stain->taken),
                       _("Take the levels of this stain"));
  gtk_widget_set_tooltip_text (stain->color, _("Color of the stain"));
  g_signal_connect_swapped (stain->taken, "toggled", G_CALLBACK (taken_toggled), stain);
  g_signal_connect_swapped (stain->color, "color-changed", G_CALLBACK (color_changed), stain);
  gtk_container_add (GTK_CONTAINER (stain->box), stain->taken);
  gtk_container_add (GTK_CONTAINER (stain->box), stain->color);
  if (control->preview)
    {
      stain->pick = wf_icon_button_fill (gtk_toggle_button_new (),
                                         GIMP_ICON_COLOR_PICK_FROM_SCREEN,
                                         _("Pick the stain in the preview: click where it is "
                                           "alone"));
      g_signal_connect_swapped (stain->pick, "toggled", G_CALLBACK (pick_toggled), stain);
      gtk_container_add (GTK_CONTAINER (stain->box), stain->pick);
      stain->selection = wf_icon_button_fill (gtk_button_new (), GIMP_ICON_TOOL_RECT_SELECT,
                                              _("Take the mean of the selected pixels"));
      g_signal_connect_swapped (stain->selection, "clicked", G_CALLBACK (selection_clicked), stain);
      gtk_container_add (GTK_CONTAINER (stain->box), stain->selection);
    }
}

static GtkWidget *
count_button_new (Control    *control,
                  const char *icon,
                  const char *name,
                  GCallback   func)
{
  GtkWidget *button = wf_icon_button_fill (gtk_button_new (), icon, name);

  g_signal_connect_swapped (button, "clicked", func, control);
  return button;
}

static GtkWidget *
count_box_new (Control *control)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_style_context_add_class (gtk_widget_get_style_context (box), GTK_STYLE_CLASS_LINKED);
  control->add    = count_button_new (control, "list-add-symbolic", _("Another stain beside it"),
                                      G_CALLBACK (added));
  control->remove = count_button_new (control, "list-remove-symbolic", _("Remove the last stain"),
                                      G_CALLBACK (removed));
  gtk_container_add (GTK_CONTAINER (box), control->add);
  gtk_container_add (GTK_CONTAINER (box), control->remove);
  return box;
}

static GtkWidget *
message_new (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_line_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MESSAGE_WIDTH);
  return label;
}

static void
control_free (gpointer  data,
              GObject  *row)
{
  Control *control = data;

  g_free (control->text);
  g_free (control);
}

static void
follow_argument (Control    *control,
                 const char *name)
{
  g_autofree char *signal  = g_strconcat ("notify::", name, NULL);
  GClosure        *closure = g_cclosure_new_swap (G_CALLBACK (follow), control, NULL);

  g_object_watch_closure (G_OBJECT (control->row), closure);
  g_signal_connect_closure (control->config, signal, closure, FALSE);
}

static void
follow_preview (Control    *control,
                const char *signal,
                GCallback   func)
{
  GClosure *closure = g_cclosure_new_swap (func, control, NULL);

  g_object_watch_closure (G_OBJECT (control->row), closure);
  g_signal_connect_closure (control->preview, signal, closure, FALSE);
}

/**
 * wf_stain_control_add:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds a row with the colors of an own stain and of those beside it.
 *
 * Returns: (transfer none): its widget
 */
GtkWidget *
wf_stain_control_add (WfDialog     *dialog,
                      WfOptionGrid *grid)
{
  static const char * const further[] = { "measure-source", "measure-on", "colors" };

  Control   *control = g_new0 (Control, 1);
  GtkWidget *line    = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  control->run     = wf_dialog_get_run (dialog);
  control->config  = G_OBJECT (control->run->config);
  control->preview = wf_dialog_get_preview (dialog);
  control->row     = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  control->message = message_new ();
  for (guint i = 0; i < MAX_STAINS; i++)
    {
      fill_stain (&control->stains[i], control);
      gtk_container_add (GTK_CONTAINER (line), control->stains[i].box);
    }
  gtk_box_pack_end (GTK_BOX (line), count_box_new (control), FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (control->row), line);
  gtk_container_add (GTK_CONTAINER (control->row), control->message);
  gtk_widget_show_all (control->row);
  gtk_widget_hide (control->message);
  wf_option_grid_add_widget (grid, NULL, control->row, wf_own_stain_get_blurb ());

  g_object_weak_ref (G_OBJECT (control->row), control_free, control);
  follow_argument (control, "source");
  follow_argument (control, WF_OWN_STAIN);
  for (guint i = 0; i < G_N_ELEMENTS (further); i++)
    if (has_argument (control, further[i]))
      follow_argument (control, further[i]);
  if (control->preview)
    {
      follow_preview (control, "picked", G_CALLBACK (picked));
      follow_preview (control, "tool-changed", G_CALLBACK (tool_changed));
    }
  follow (control);
  return control->row;
}
