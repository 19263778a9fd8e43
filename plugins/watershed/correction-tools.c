/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools below the preview with which basins are corrected by hand.
 *
 *   Look     the mouse moves the image and selects objects, as without corrections
 *   Join     two clicks join two objects; a stroke joins all that it crosses
 *   Split    a stroke divides an object
 *   Delete   a click leaves an object out, or keeps one that is hatched
 *   Seed     a click gives an object a marker of its own, or keeps one that is hatched
 *
 * What is undone stays in the list behind its end until another correction is made.  The list is
 * kept with the image after each change, so that it is not lost with the dialog.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "correction-tools.h"
#include "hand-corrections.h"
#include "tool-row.h"

typedef enum
{
  TOOL_LOOK,
  TOOL_JOIN,
  TOOL_SPLIT,
  TOOL_DELETE,
  TOOL_SEED,
  N_TOOLS
} Tool;

static const struct
{
  const char *label;
  const char *blurb;
  guint       key;
} tools[N_TOOLS] =
{
  [TOOL_LOOK]   = { N_("Look"),
                    N_("Move the image and select objects (L in the preview)"), GDK_KEY_l },
  [TOOL_JOIN]   = { N_("Join"),
                    N_("Click on two basins to join them, or draw a line across all that become "
                       "one (J in the preview)"), GDK_KEY_j },
  [TOOL_SPLIT]  = { N_("Split"),
                    N_("Draw a line through a basin to divide it there (X in the preview)"),
                    GDK_KEY_x },
  [TOOL_DELETE] = { N_("Delete"),
                    N_("Click on a basin to leave it out, on a hatched one to keep it (D in the "
                       "preview)"), GDK_KEY_d },
  [TOOL_SEED]   = { N_("Seed"),
                    N_("Click in a basin to divide off the part that drains to this point, on a "
                       "hatched one to keep it (E in the preview)"), GDK_KEY_e },
};

/**
 * Tools:
 * @list: the corrections, in pixels of the image, and behind them those that were undone
 * @n: how many of them are made
 * @first: of Join, the place that was clicked first
 * @has_first: whether there is one
 * @own_change: whether the argument is being set from @list
 */
typedef struct
{
  WfJob           *run;
  WfPreview       *preview;
  WfCorrectedView *view;
  Tool             tool;
  WfCorrections   *list;
  guint            n;
  WfPixelPlace     first;
  gboolean         has_first;
  gboolean         own_change;
  GtkWidget       *buttons[N_TOOLS];
  GtkWidget       *undo;
  GtkWidget       *redo;
  GtkWidget       *clear;
  GtkWidget       *count;
} Tools;


/*  The list  */

static void
show_state (gpointer data)
{
  Tools            *self    = data;
  g_autofree char  *text    = NULL;
  g_autofree char  *tooltip = NULL;
  const char       *problem = wf_corrected_view_get_problem (self->view);
  guint             n_effective;

  gtk_widget_set_sensitive (self->undo, self->n > 0);
  gtk_widget_set_sensitive (self->redo, self->n < wf_corrections_get_n (self->list));
  gtk_widget_set_sensitive (self->clear, self->n > 0);
  if (! wf_corrected_view_count_effective (self->view, &n_effective))
    n_effective = self->n;
  if (problem)
    {
      text    = g_strdup ("!");
      tooltip = g_strdup (problem);
    }
  else if (n_effective < self->n)
    {
      text    = g_strdup_printf ("%u∕%u", n_effective, self->n);
      tooltip = g_strdup_printf (ngettext ("%u of %u correction has no effect here",
                                           "%u of %u corrections have no effect here", self->n),
                                 self->n - n_effective, self->n);
    }
  else if (self->n > 0)
    {
      text    = g_strdup_printf ("%u", self->n);
      tooltip = g_strdup_printf (ngettext ("%u correction", "%u corrections", self->n), self->n);
    }
  gtk_label_set_text (GTK_LABEL (self->count), text ? text : "");
  gtk_widget_set_tooltip_text (self->count, tooltip);
}

static void
forget_first (Tools *self)
{
  if (self->has_first)
    wf_preview_set_selected (self->preview, 0);
  self->has_first = FALSE;
}

/* Makes the argument of the corrections that are made, and keeps them. */
static void
use_list (Tools *self)
{
  g_autoptr (WfCorrections) made = wf_corrections_copy (self->list);
  g_autofree char          *text = NULL;

  wf_corrections_truncate (made, self->n);
  text = self->n > 0 ? wf_corrections_print (made) : g_strdup ("");
  forget_first (self);
  self->own_change = TRUE;
  g_object_set (self->run->config, "corrections", text, NULL);
  self->own_change = FALSE;
  wf_hand_corrections_remember (self->run);
  show_state (self);
}

/* The argument has another origin, as the defaults. */
static void
read_list (Tools *self)
{
  g_autoptr (WfCorrections) list = NULL;

  if (self->own_change)
    return;
  wf_hand_corrections_read (G_OBJECT (self->run->config), &list, NULL);
  g_clear_pointer (&self->list, wf_corrections_free);
  self->list = list ? g_steal_pointer (&list) : wf_corrections_new ();
  self->n    = wf_corrections_get_n (self->list);
  forget_first (self);
  show_state (self);
}

static void
add (Tools              *self,
     WfCorrectionKind    kind,
     const WfPixelPlace *points,
     guint               n)
{
  wf_corrections_truncate (self->list, self->n);
  wf_corrections_add (self->list, kind, points, n);
  self->n++;
  use_list (self);
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
  if (self->n == wf_corrections_get_n (self->list))
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

/* The pixel of the image at a place in the procedure's region. */
static WfPixelPlace
find_place (Tools        *self,
            const double *point)
{
  int slice = 0;

  if (wf_preview_get_n_slices (self->preview) > 1)
    g_object_get (self->preview, "slice", &slice, NULL);
  return (WfPixelPlace) { (gint64) floor (point[0]) + self->run->region.image_x,
                          (gint64) floor (point[1]) + self->run->region.image_y, slice };
}

static void
click_join (Tools              *self,
            const double       *point,
            const WfPixelPlace *place)
{
  const guint32 basin = wf_preview_get_basin_at (self->preview, point[0], point[1]);

  if (basin == 0 || basin == WF_PREVIEW_LEFT_OUT)
    forget_first (self);
  else if (! self->has_first)
    {
      self->first     = *place;
      self->has_first = TRUE;
      wf_preview_set_selected (self->preview, basin);
    }
  else
    {
      const WfPixelPlace both[] = { self->first, *place };

      add (self, WF_CORRECTION_JOIN, both, 2);
    }
}

static void
click (Tools        *self,
       const double *point)
{
  const WfPixelPlace place = find_place (self, point);
  const gboolean     out   = wf_preview_get_basin_at (self->preview, point[0], point[1]) ==
                             WF_PREVIEW_LEFT_OUT;

  if (self->tool == TOOL_JOIN)
    click_join (self, point, &place);
  else if (self->tool == TOOL_DELETE)
    add (self, out ? WF_CORRECTION_KEEP : WF_CORRECTION_DELETE, &place, 1);
  else if (self->tool == TOOL_SEED)
    add (self, out ? WF_CORRECTION_KEEP : WF_CORRECTION_SEED, &place, 1);
}

static void
drawn (WfPreview    *preview,
       const double *points,
       guint         n,
       Tools        *self)
{
  g_autofree WfPixelPlace *places = g_new (WfPixelPlace, n);

  if (self->tool == N_TOOLS)
    return;
  if (n == 1 || self->tool == TOOL_DELETE || self->tool == TOOL_SEED)
    {
      click (self, points);
      return;
    }
  for (guint i = 0; i < n; i++)
    places[i] = find_place (self, points + 2 * i);
  add (self, self->tool == TOOL_JOIN ? WF_CORRECTION_JOIN_ALONG : WF_CORRECTION_SPLIT, places, n);
}

static gboolean
key_pressed (GtkWidget   *preview,
             GdkEventKey *event,
             Tools       *self)
{
  const GdkModifierType state = event->state & gtk_accelerator_get_default_mod_mask ();
  const guint           key   = gdk_keyval_to_lower (event->keyval);

  if (self->tool != N_TOOLS && (state & GDK_CONTROL_MASK) &&
      (key == GDK_KEY_z || key == GDK_KEY_y))
    {
      if (key == GDK_KEY_y || (state & GDK_SHIFT_MASK))
        redo (self);
      else
        undo (self);
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

/* Other rows may have tools in the same group, and then none of these is chosen. */
static void
tool_toggled (GtkToggleButton *button,
              Tools           *self)
{
  self->tool = N_TOOLS;
  for (int i = 0; i < N_TOOLS; i++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->buttons[i])))
      self->tool = (Tool) i;
  forget_first (self);
  if (self->tool != N_TOOLS)
    wf_preview_set_drawing (self->preview, self->tool != TOOL_LOOK);
}

static void
add_tools (Tools     *self,
           GtkWidget *row)
{
  GtkWidget *box = wf_tool_row_add_box (row);

  for (int i = 0; i < N_TOOLS; i++)
    {
      self->buttons[i] = wf_tool_row_add_tool (box, i > 0 ? self->buttons[0] : NULL,
                                               g_dgettext (GETTEXT_PACKAGE, tools[i].label),
                                               g_dgettext (GETTEXT_PACKAGE, tools[i].blurb));
      g_signal_connect (self->buttons[i], "toggled", G_CALLBACK (tool_toggled), self);
    }
}

static void
add_actions (Tools     *self,
             GtkWidget *row)
{
  GtkWidget *box = wf_tool_row_add_box (row);

  self->undo  = wf_tool_row_add_action (box, "edit-undo-symbolic",
                                        _("Undo a correction (Ctrl+Z)"), G_CALLBACK (undo), self);
  self->redo  = wf_tool_row_add_action (box, "edit-redo-symbolic",
                                        _("Redo a correction (Ctrl+Shift+Z)"), G_CALLBACK (redo),
                                        self);
  self->clear = wf_tool_row_add_action (box, "edit-clear-symbolic", _("Clear all corrections"),
                                        G_CALLBACK (clear), self);
}

static void
tools_free (gpointer  data,
            GObject  *preview)
{
  Tools *self = data;

  wf_corrections_free (self->list);
  g_free (self);
}

/* The keys work wherever the focus is among the tools, too. */
static void
follow_keys (Tools     *self,
             GtkWidget *widget)
{
  g_signal_connect (widget, "key-press-event", G_CALLBACK (key_pressed), self);
}

/**
 * wf_correction_tools_add:
 * @dialog: a dialog with a preview
 * @view: its corrections
 *
 * Adds the tools below the preview.
 *
 * Returns: (transfer none): the button of the first tool, that only looks, for a group
 */
GtkWidget *
wf_correction_tools_add (WfDialog        *dialog,
                         WfCorrectedView *view)
{
  Tools     *self = g_new0 (Tools, 1);
  GtkWidget *row  = wf_tool_row_new ();
  GClosure  *closure;

  self->run     = wf_dialog_get_run (dialog);
  self->preview = wf_dialog_get_preview (dialog);
  self->view    = view;
  add_tools (self, row);
  add_actions (self, row);
  self->count = wf_tool_row_add_count (row, _("Corrections"));
  gtk_widget_show_all (row);
  wf_dialog_add_below_preview (dialog, row);

  follow_keys (self, GTK_WIDGET (self->preview));
  follow_keys (self, row);
  g_signal_connect (self->preview, "drawn", G_CALLBACK (drawn), self);
  g_object_weak_ref (G_OBJECT (self->preview), tools_free, self);
  closure = g_cclosure_new_swap (G_CALLBACK (read_list), self, NULL);
  g_object_watch_closure (G_OBJECT (self->preview), closure);
  g_signal_connect_closure (self->run->config, "notify::corrections", closure, FALSE);
  wf_corrected_view_set_shown (view, show_state, self);
  read_list (self);
  return self->buttons[TOOL_LOOK];
}
