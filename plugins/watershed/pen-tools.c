/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools below the preview that draw markers, while strokes are the markers.
 *
 *   Object       a stroke, or a click, marks an object; strokes that touch mark one
 *   Background   marks what is no object
 *   Erase        takes markers away below the stroke
 *
 * They are one group with the tools for corrections, of which the first one only looks: the preview
 * has one tool at a time.  In a stack a stroke is one of the slice that is shown.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "marker-strokes.h"
#include "pen-tools.h"
#include "tool-history.h"
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
 * @history: the strokes, in pixels of the image
 */
typedef struct
{
  WfJob         *run;
  WfPreview     *preview;
  WfToolHistory *history;
  GtkWidget     *look;
  int            tool;
  GtkWidget     *row;
  GtkWidget     *buttons[G_N_ELEMENTS (tools)];
  GtkWidget     *width;
} Tools;


static gboolean
are_markers (Tools *self)
{
  g_autofree char *from = NULL;

  g_object_get (self->run->config, "markers", &from, NULL);
  return g_strcmp0 (from, "strokes") == 0;
}


/*  The list  */

static gpointer
list_read (GObject *config)
{
  WfStrokes *list = NULL;

  return wf_marker_strokes_read (config, &list, NULL) ? list : wf_strokes_new ();
}

static gpointer
list_copy (gconstpointer list)
{
  return wf_strokes_copy (list);
}

static void
list_free (gpointer list)
{
  wf_strokes_free (list);
}

static guint
list_get_n (gconstpointer list)
{
  return wf_strokes_get_n (list);
}

static void
list_truncate (gpointer list,
               guint    n)
{
  wf_strokes_truncate (list, n);
}

static char *
list_print (gconstpointer list)
{
  return wf_strokes_print (list);
}

static const WfToolList kind =
{
  .argument = WF_MARKER_STROKES,
  .undo     = N_("Undo a stroke (Ctrl+Z)"),
  .redo     = N_("Redo a stroke (Ctrl+Shift+Z)"),
  .clear    = N_("Clear all strokes"),
  .counted  = N_("Strokes"),
  .read     = list_read,
  .copy     = list_copy,
  .free     = list_free,
  .get_n    = list_get_n,
  .truncate = list_truncate,
  .print    = list_print,
  .remember = wf_marker_strokes_remember,
};

/* The strokes of some slices. */
static WfStrokes *
list_between (Tools  *self,
              gint64  first,
              gint64  last)
{
  g_autoptr (WfStrokes)  all  = wf_tool_history_copy (self->history);
  WfStrokes             *some = wf_strokes_new ();

  for (guint i = 0; i < wf_strokes_get_n (all); i++)
    {
      const WfPixelPlace *points;
      guint               n;
      int                 width;
      const WfStrokeKind  stroke = wf_strokes_get (all, i, &width, &points, &n);

      if (points->z >= first && points->z <= last)
        wf_strokes_add (some, stroke, width, points, n);
    }
  return some;
}

/* Of a stack those of the slice that is shown. */
static WfStrokes *
list_shown (Tools *self)
{
  const double corner[2] = { 0, 0 };
  const gint64 slice     = wf_tool_history_find_place (self->history, corner).z;

  return list_between (self, slice, slice);
}

/* Without a stack those of other slices draw nothing. */
static guint
count_drawing (Tools *self)
{
  const gint64          n_slices = MAX (wf_preview_get_n_slices (self->preview), 1);
  g_autoptr (WfStrokes) drawing  = list_between (self, 0, n_slices - 1);

  return wf_strokes_get_n (drawing);
}

/* Of WfToolHistoryFunc. */
static void
show_state (gpointer data)
{
  Tools                *self    = data;
  const guint           n       = count_drawing (self);
  g_autoptr (WfStrokes) drawn   = list_shown (self);
  g_autoptr (WfStrokes) moved   = NULL;
  g_autofree char      *text    = NULL;
  g_autofree char      *tooltip = NULL;

  moved = wf_strokes_transform (drawn, 1, self->run->region.image_x, self->run->region.image_y,
                                0);
  wf_preview_set_marks (self->preview, are_markers (self) ? moved : NULL);
  if (n > 0)
    {
      text    = g_strdup_printf ("%u", n);
      tooltip = g_strdup_printf (ngettext ("%u stroke", "%u strokes", n), n);
    }
  wf_tool_history_show (self->history, text, tooltip);
}


/*  In the preview  */

static int
get_width (Tools *self)
{
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->width));
}

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
    places[i] = wf_tool_history_find_place (self->history, points + 2 * i);
  wf_strokes_add (wf_tool_history_begin (self->history), (WfStrokeKind) self->tool,
                  get_width (self), places, n);
  wf_tool_history_end (self->history);
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
key_pressed (GtkWidget   *widget,
             GdkEventKey *event,
             Tools       *self)
{
  const GdkModifierType state = event->state & gtk_accelerator_get_default_mod_mask ();
  const guint           key   = gdk_keyval_to_lower (event->keyval);

  if (! gtk_widget_get_visible (self->row))
    return GDK_EVENT_PROPAGATE;
  if (self->tool != N_TOOLS && wf_tool_history_press (self->history, event))
    return GDK_EVENT_STOP;
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
width_changed (Tools *self)
{
  int before;

  g_object_get (self->run->config, WF_PEN_WIDTH, &before, NULL);
  if (before != get_width (self))
    g_object_set (self->run->config, WF_PEN_WIDTH, get_width (self), NULL);
  use_tool (self);
}

/* Of the last dialog, until another one is chosen. */
static void
show_width (Tools *self)
{
  const WfRegion *region = &self->run->region;
  const int       first  = MAX (MIN (region->width, region->height) / SHARE, 1);
  int             width;

  g_object_get (self->run->config, WF_PEN_WIDTH, &width, NULL);
  g_signal_handlers_block_by_func (self->width, width_changed, self);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width), width > 0 ? width : first);
  g_signal_handlers_unblock_by_func (self->width, width_changed, self);
  use_tool (self);
}

static void
add_width (Tools *self)
{
  self->width = gtk_spin_button_new_with_range (1, WIDEST, 1);
  show_width (self);
  gtk_entry_set_width_chars (GTK_ENTRY (self->width), 4);
  gtk_widget_set_tooltip_text (self->width,
                               _("Width of the pen, in pixels of the image ([ and ] in the "
                                 "preview)"));
  atk_object_set_name (gtk_widget_get_accessible (self->width), _("Width of the pen"));
  g_signal_connect_swapped (self->width, "value-changed", G_CALLBACK (width_changed), self);
  gtk_box_pack_start (GTK_BOX (self->row), self->width, FALSE, FALSE, 0);
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
  g_free (data);
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
  self->history = wf_tool_history_new (dialog, &kind, self->row, show_state, self);
  gtk_widget_show_all (self->row);
  wf_dialog_add_below_preview (dialog, self->row);
  wf_condition_show (G_OBJECT (self->run->config), "markers", "strokes", self->row);

  g_signal_connect (self->preview, "key-press-event", G_CALLBACK (key_pressed), self);
  g_signal_connect (self->row, "key-press-event", G_CALLBACK (key_pressed), self);
  g_signal_connect (self->preview, "drawn", G_CALLBACK (drawn), self);
  g_signal_connect_swapped (self->preview, "source-changed", G_CALLBACK (show_state), self);
  g_signal_connect_swapped (self->preview, "notify::slice", G_CALLBACK (show_state), self);
  g_object_weak_ref (G_OBJECT (self->preview), tools_free, self);
  follow_argument (self, "notify::markers", G_CALLBACK (follow_markers));
  follow_argument (self, "notify::" WF_PEN_WIDTH, G_CALLBACK (show_width));
  follow_markers (self);
}
