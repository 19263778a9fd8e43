/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools below the preview with which basins are corrected by hand.
 *
 *   Look     the mouse moves the image and selects objects, as without corrections
 *   Join     two clicks join two objects; a stroke joins all that it crosses
 *   Split    a stroke divides an object
 *   Delete   a click leaves an object out, or keeps one that is hatched
 *   Seed     a click gives an object a marker of its own, or keeps one that is hatched
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "correction-tools.h"
#include "hand-corrections.h"
#include "tool-history.h"
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
 * @history: the corrections, in pixels of the image
 * @first: of Join, the place that was clicked first
 * @has_first: whether there is one
 */
typedef struct
{
  WfJob           *run;
  WfPreview       *preview;
  WfCorrectedView *view;
  WfToolHistory   *history;
  Tool             tool;
  WfPixelPlace     first;
  gboolean         has_first;
  GtkWidget       *buttons[N_TOOLS];
} Tools;


/*  The list  */

static gpointer
list_read (GObject *config)
{
  WfCorrections *list = NULL;

  wf_hand_corrections_read (config, &list, NULL);
  return list ? list : wf_corrections_new ();
}

static gpointer
list_copy (gconstpointer list)
{
  return wf_corrections_copy (list);
}

static void
list_free (gpointer list)
{
  wf_corrections_free (list);
}

static guint
list_get_n (gconstpointer list)
{
  return wf_corrections_get_n (list);
}

static void
list_truncate (gpointer list,
               guint    n)
{
  wf_corrections_truncate (list, n);
}

static char *
list_print (gconstpointer list)
{
  return wf_corrections_print (list);
}

static const WfToolList kind =
{
  .argument = "corrections",
  .undo     = N_("Undo a correction (Ctrl+Z)"),
  .redo     = N_("Redo a correction (Ctrl+Shift+Z)"),
  .clear    = N_("Clear all corrections"),
  .counted  = N_("Corrections"),
  .read     = list_read,
  .copy     = list_copy,
  .free     = list_free,
  .get_n    = list_get_n,
  .truncate = list_truncate,
  .print    = list_print,
  .remember = wf_hand_corrections_remember,
};

static void
show_state (gpointer data)
{
  Tools            *self    = data;
  const guint       n       = wf_tool_history_get_n (self->history);
  g_autofree char  *text    = NULL;
  g_autofree char  *tooltip = NULL;
  const char       *problem = wf_corrected_view_get_problem (self->view);
  guint             n_effective;

  if (! wf_corrected_view_count_effective (self->view, &n_effective))
    n_effective = n;
  if (problem)
    {
      text    = g_strdup ("!");
      tooltip = g_strdup (problem);
    }
  else if (n_effective < n)
    {
      text    = g_strdup_printf ("%u∕%u", n_effective, n);
      tooltip = g_strdup_printf (ngettext ("%u of %u correction has no effect here",
                                           "%u of %u corrections have no effect here", n),
                                 n - n_effective, n);
    }
  else if (n > 0)
    {
      text    = g_strdup_printf ("%u", n);
      tooltip = g_strdup_printf (ngettext ("%u correction", "%u corrections", n), n);
    }
  wf_tool_history_show (self->history, text, tooltip);
}

static void
forget_first (Tools *self)
{
  if (self->has_first)
    wf_preview_set_selected (self->preview, 0);
  self->has_first = FALSE;
}

/* Of WfToolHistoryFunc. */
static void
list_changed (gpointer data)
{
  forget_first (data);
  show_state (data);
}

static void
add (Tools              *self,
     WfCorrectionKind    correction,
     const WfPixelPlace *points,
     guint               n)
{
  forget_first (self);
  wf_corrections_add (wf_tool_history_begin (self->history), correction, points, n);
  wf_tool_history_end (self->history);
}


/*  In the preview  */

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
  const WfPixelPlace place = wf_tool_history_find_place (self->history, point);
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
    places[i] = wf_tool_history_find_place (self->history, points + 2 * i);
  add (self, self->tool == TOOL_JOIN ? WF_CORRECTION_JOIN_ALONG : WF_CORRECTION_SPLIT, places, n);
}

static gboolean
key_pressed (GtkWidget   *preview,
             GdkEventKey *event,
             Tools       *self)
{
  const GdkModifierType state = event->state & gtk_accelerator_get_default_mod_mask ();
  const guint           key   = gdk_keyval_to_lower (event->keyval);

  if (self->tool != N_TOOLS && wf_tool_history_press (self->history, event))
    return GDK_EVENT_STOP;
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

/* Who picks a place lays all of these tools down. */
static void
preview_tool_changed (WfPreview *preview,
                      gboolean   drawing,
                      gboolean   picking,
                      Tools     *self)
{
  if (picking)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[TOOL_LOOK]), TRUE);
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
tools_free (gpointer  data,
            GObject  *preview)
{
  g_free (data);
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

  self->run     = wf_dialog_get_run (dialog);
  self->preview = wf_dialog_get_preview (dialog);
  self->view    = view;
  add_tools (self, row);
  self->history = wf_tool_history_new (dialog, &kind, row, list_changed, self);
  gtk_widget_show_all (row);
  wf_dialog_add_below_preview (dialog, row);

  follow_keys (self, GTK_WIDGET (self->preview));
  follow_keys (self, row);
  g_signal_connect (self->preview, "drawn", G_CALLBACK (drawn), self);
  g_signal_connect (self->preview, "tool-changed", G_CALLBACK (preview_tool_changed), self);
  g_object_weak_ref (G_OBJECT (self->preview), tools_free, self);
  wf_corrected_view_set_shown (view, show_state, self);
  show_state (self);
  return self->buttons[TOOL_LOOK];
}
