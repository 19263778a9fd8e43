/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools below the preview that draw markers, while strokes are the markers.
 *
 *   Object       a stroke, or a click, marks an object; strokes that touch mark one
 *   Background   marks what is no object
 *   Erase        takes markers away below the stroke
 *
 * They are one group with the tools for corrections, of which the first one only looks: the preview
 * has one tool at a time.  What is undone stays in the list behind its end until another stroke is
 * drawn.  The list is kept with the image after each change, so that it is not lost with the
 * dialog.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "marker-strokes.h"
#include "pen-tools.h"
#include "tool-row.h"
#include "plugins/common/dialog/condition.h"

#define WIDEST 1000

/* At first the width is this part of the shorter side of what is flooded. */
#define SHARE  100

static const struct
{
  const char *label;
  const char *blurb;
  guint       key;
} tools[] =
{
  [WF_STROKE_OBJECT]     = { N_("Object"),
                             N_("Draw a marker of an object; strokes that touch are one marker (O "
                                "in the preview)"), GDK_KEY_o },
  [WF_STROKE_BACKGROUND] = { N_("Background"),
                             N_("Draw the marker of the background, whose basin is no object (B "
                                "in the preview)"), GDK_KEY_b },
  [WF_STROKE_ERASE]      = { N_("Erase"),
                             N_("Take markers away (R in the preview)"), GDK_KEY_r },
};

#define N_TOOLS ((int) G_N_ELEMENTS (tools))

/**
 * Tools:
 * @look: the tool that only looks
 * @tool: a #WfStrokeKind, or N_TOOLS while none of these tools is chosen
 * @list: the strokes, in pixels of the image, and behind them those that were undone
 * @n: how many of them are drawn
 * @own_change: whether the argument is being set from @list
 */
typedef struct
{
  WfJob     *run;
  WfPreview *preview;
  GtkWidget *look;
  int        tool;
  WfStrokes *list;
  guint      n;
  gboolean   own_change;
  GtkWidget *row;
  GtkWidget *buttons[G_N_ELEMENTS (tools)];
  GtkWidget *width;
  GtkWidget *undo;
  GtkWidget *redo;
  GtkWidget *clear;
  GtkWidget *count;
} Tools;


static gboolean
are_markers (Tools *self)
{
  g_autofree char *from = NULL;

  g_object_get (self->run->config, "markers", &from, NULL);
  return g_strcmp0 (from, "strokes") == 0;
}


/*  The list  */

static void
show_state (Tools *self)
{
  g_autoptr (WfStrokes) drawn   = wf_strokes_copy (self->list);
  g_autoptr (WfStrokes) moved   = NULL;
  g_autofree char      *text    = NULL;
  g_autofree char      *tooltip = NULL;

  wf_strokes_truncate (drawn, self->n);
  moved = wf_strokes_transform (drawn, 1, self->run->region.image_x, self->run->region.image_y);
  wf_preview_set_marks (self->preview, are_markers (self) ? moved : NULL);
  gtk_widget_set_sensitive (self->undo, self->n > 0);
  gtk_widget_set_sensitive (self->redo, self->n < wf_strokes_get_n (self->list));
  gtk_widget_set_sensitive (self->clear, self->n > 0);
  if (self->n > 0)
    {
      text    = g_strdup_printf ("%u", self->n);
      tooltip = g_strdup_printf (ngettext ("%u stroke", "%u strokes", self->n), self->n);
    }
  gtk_label_set_text (GTK_LABEL (self->count), text ? text : "");
  gtk_widget_set_tooltip_text (self->count, tooltip);
}

/* Makes the argument of the strokes that are drawn, and keeps them. */
static void
use_list (Tools *self)
{
  g_autoptr (WfStrokes) drawn = wf_strokes_copy (self->list);
  g_autofree char      *text  = NULL;

  wf_strokes_truncate (drawn, self->n);
  text = self->n > 0 ? wf_strokes_print (drawn) : g_strdup ("");
  self->own_change = TRUE;
  g_object_set (self->run->config, WF_MARKER_STROKES, text, NULL);
  self->own_change = FALSE;
  wf_marker_strokes_remember (self->run);
  show_state (self);
}

/* The argument has another origin, as the defaults. */
static void
read_list (Tools *self)
{
  g_autoptr (WfStrokes) list = NULL;

  if (self->own_change)
    return;
  g_clear_pointer (&self->list, wf_strokes_free);
  wf_marker_strokes_read (G_OBJECT (self->run->config), &list, NULL);
  self->list = list ? g_steal_pointer (&list) : wf_strokes_new ();
  self->n    = wf_strokes_get_n (self->list);
  show_state (self);
}

static void
undo (Tools *self)
{
  if (self->n == 0)
    return;
  self->n--;
  use_list (self);
}

static void
redo (Tools *self)
{
  if (self->n == wf_strokes_get_n (self->list))
    return;
  self->n++;
  use_list (self);
}

/* What is cleared can be brought back one by one. */
static void
clear (Tools *self)
{
  self->n = 0;
  use_list (self);
}


/*  In the preview  */

static int
get_width (Tools *self)
{
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->width));
}

/* In pixels of the image; points are in the procedure's region. */
static void
drawn (WfPreview    *preview,
       const double *points,
       guint         n,
       Tools        *self)
{
  g_autofree WfPixelPlace *places = NULL;

  if (self->tool == N_TOOLS)
    return;
  places = g_new (WfPixelPlace, n);
  for (guint i = 0; i < n; i++)
    places[i] = (WfPixelPlace) { (gint64) floor (points[2 * i]) + self->run->region.image_x,
                                 (gint64) floor (points[2 * i + 1]) + self->run->region.image_y,
                                 0 };
  wf_strokes_truncate (self->list, self->n);
  wf_strokes_add (self->list, (WfStrokeKind) self->tool, get_width (self), places, n);
  self->n++;
  use_list (self);
}

static void
use_tool (Tools *self)
{
  const gboolean drawing = self->tool != N_TOOLS;

  wf_preview_set_pen (self->preview, drawing, drawing ? (WfStrokeKind) self->tool
                                                      : WF_STROKE_OBJECT, get_width (self));
  if (drawing)
    wf_preview_set_drawing (self->preview, TRUE);
}

static void
tool_toggled (GtkToggleButton *button,
              Tools           *self)
{
  self->tool = N_TOOLS;
  for (int i = 0; i < N_TOOLS; i++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->buttons[i])))
      self->tool = i;
  use_tool (self);
}

static gboolean
press_control (Tools    *self,
               guint     key,
               gboolean  shift)
{
  if (self->tool == N_TOOLS || (key != GDK_KEY_z && key != GDK_KEY_y))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_y || shift)
    redo (self);
  else
    undo (self);
  return GDK_EVENT_STOP;
}

static gboolean
key_pressed (GtkWidget   *widget,
             GdkEventKey *event,
             Tools       *self)
{
  const GdkModifierType state = event->state & gtk_accelerator_get_default_mod_mask ();
  const guint           key   = gdk_keyval_to_lower (event->keyval);

  if (! gtk_widget_get_visible (self->row))
    return GDK_EVENT_PROPAGATE;
  if (state & GDK_CONTROL_MASK)
    return press_control (self, key, (state & GDK_SHIFT_MASK) != 0);
  if (state == 0 && (key == GDK_KEY_bracketleft || key == GDK_KEY_bracketright))
    {
      gtk_spin_button_spin (GTK_SPIN_BUTTON (self->width),
                            key == GDK_KEY_bracketleft ? GTK_SPIN_STEP_BACKWARD
                                                       : GTK_SPIN_STEP_FORWARD, 1);
      return GDK_EVENT_STOP;
    }
  for (int i = 0; state == 0 && i < N_TOOLS; i++)
    if (key == tools[i].key)
      {
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[i]), TRUE);
        return GDK_EVENT_STOP;
      }
  return GDK_EVENT_PROPAGATE;
}


/*  The row of tools  */

static void
add_tools (Tools *self)
{
  GtkWidget *box = wf_tool_row_add_box (self->row);

  for (int i = 0; i < N_TOOLS; i++)
    self->buttons[i] = wf_tool_row_add_tool (box, self->look,
                                             g_dgettext (GETTEXT_PACKAGE, tools[i].label),
                                             g_dgettext (GETTEXT_PACKAGE, tools[i].blurb));
  for (int i = 0; i < N_TOOLS; i++)
    g_signal_connect (self->buttons[i], "toggled", G_CALLBACK (tool_toggled), self);
}

static void
add_width (Tools *self)
{
  const WfRegion *region = &self->run->region;
  const int       first  = MAX (MIN (region->width, region->height) / SHARE, 1);

  self->width = gtk_spin_button_new_with_range (1, WIDEST, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width), MIN (first, WIDEST));
  gtk_entry_set_width_chars (GTK_ENTRY (self->width), 4);
  gtk_widget_set_tooltip_text (self->width,
                               _("Width of the pen, in pixels of the image ([ and ] in the "
                                 "preview)"));
  atk_object_set_name (gtk_widget_get_accessible (self->width), _("Width of the pen"));
  g_signal_connect_swapped (self->width, "value-changed", G_CALLBACK (use_tool), self);
  gtk_box_pack_start (GTK_BOX (self->row), self->width, FALSE, FALSE, 0);
}

static void
add_actions (Tools *self)
{
  GtkWidget *box = wf_tool_row_add_box (self->row);

  self->undo  = wf_tool_row_add_action (box, "edit-undo-symbolic", _("Undo a stroke (Ctrl+Z)"),
                                        G_CALLBACK (undo), self);
  self->redo  = wf_tool_row_add_action (box, "edit-redo-symbolic",
                                        _("Redo a stroke (Ctrl+Shift+Z)"), G_CALLBACK (redo),
                                        self);
  self->clear = wf_tool_row_add_action (box, "edit-clear-symbolic", _("Clear all strokes"),
                                        G_CALLBACK (clear), self);
}

/* With strokes as markers the pen is taken, without them it is laid down. */
static void
follow_markers (Tools *self)
{
  if (are_markers (self))
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[WF_STROKE_OBJECT]), TRUE);
  else if (self->tool != N_TOOLS)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->look), TRUE);
  show_state (self);
}

static void
tools_free (gpointer  data,
            GObject  *preview)
{
  Tools *self = data;

  wf_strokes_free (self->list);
  g_free (self);
}

static void
follow_argument (Tools      *self,
                 const char *signal,
                 GCallback   func)
{
  GClosure *closure = g_cclosure_new_swap (func, self, NULL);

  g_object_watch_closure (G_OBJECT (self->preview), closure);
  g_signal_connect_closure (self->run->config, signal, closure, FALSE);
}

/**
 * wf_pen_tools_add:
 * @dialog: a dialog with a preview
 * @look: the tool of the preview that only looks, with which these are a group
 *
 * Adds the tools below the preview.
 */
void
wf_pen_tools_add (WfDialog  *dialog,
                  GtkWidget *look)
{
  Tools *self = g_new0 (Tools, 1);

  self->run     = wf_dialog_get_run (dialog);
  self->preview = wf_dialog_get_preview (dialog);
  self->look    = look;
  self->tool    = N_TOOLS;
  self->row     = wf_tool_row_new ();
  add_tools (self);
  add_width (self);
  add_actions (self);
  self->count = wf_tool_row_add_count (self->row, _("Strokes"));
  gtk_widget_show_all (self->row);
  wf_dialog_add_below_preview (dialog, self->row);
  wf_condition_show (G_OBJECT (self->run->config), "markers", "strokes", self->row);

  g_signal_connect (self->preview, "key-press-event", G_CALLBACK (key_pressed), self);
  g_signal_connect (self->row, "key-press-event", G_CALLBACK (key_pressed), self);
  g_signal_connect (self->preview, "drawn", G_CALLBACK (drawn), self);
  g_signal_connect_swapped (self->preview, "source-changed", G_CALLBACK (show_state), self);
  g_object_weak_ref (G_OBJECT (self->preview), tools_free, self);
  follow_argument (self, "notify::" WF_MARKER_STROKES, G_CALLBACK (read_list));
  follow_argument (self, "notify::markers", G_CALLBACK (follow_markers));
  read_list (self);
  follow_markers (self);
}
