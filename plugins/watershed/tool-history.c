/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of what tools in the preview have made, with its buttons for undo, redo and clearing.
 *
 * What is undone stays in the list behind its end until another entry is made.  The list is kept
 * with the image after each change, so that it is not lost with the dialog.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "tool-history.h"
#include "tool-row.h"

/**
 * WfToolHistory:
 * @list: the entries, and behind them those that were undone
 * @n: how many of them are made
 * @own_change: whether the argument is being set from @list
 */
struct _WfToolHistory
{
  WfJob             *run;
  WfPreview         *preview;
  const WfToolList  *kind;
  gpointer           list;
  guint              n;
  gboolean           own_change;
  WfToolHistoryFunc  changed;
  gpointer           data;
  GtkWidget         *undo;
  GtkWidget         *redo;
  GtkWidget         *clear;
  GtkWidget         *count;
};


static void
set_sensitivities (WfToolHistory *history)
{
  gtk_widget_set_sensitive (history->undo, history->n > 0);
  gtk_widget_set_sensitive (history->redo, history->n < history->kind->get_n (history->list));
  gtk_widget_set_sensitive (history->clear, history->n > 0);
}

static void
tell (WfToolHistory *history)
{
  set_sensitivities (history);
  history->changed (history->data);
}

/* Makes the argument of the entries that are made, and keeps them. */
static void
use (WfToolHistory *history,
     guint          n)
{
  g_autofree char *text = NULL;

  history->n = n;
  if (n > 0)
    {
      gpointer made = wf_tool_history_copy (history);

      text = history->kind->print (made);
      history->kind->free (made);
    }
  history->own_change = TRUE;
  g_object_set (history->run->config, history->kind->argument, text ? text : "", NULL);
  history->own_change = FALSE;
  history->kind->remember (history->run);
  tell (history);
}

static void
read_list (WfToolHistory *history)
{
  g_clear_pointer (&history->list, history->kind->free);
  history->list = history->kind->read (G_OBJECT (history->run->config));
  history->n    = history->kind->get_n (history->list);
}

/* The argument has another origin, as the defaults. */
static void
argument_changed (WfToolHistory *history)
{
  if (history->own_change)
    return;
  read_list (history);
  tell (history);
}

static void
undo (WfToolHistory *history)
{
  if (history->n > 0)
    use (history, history->n - 1);
}

static void
redo (WfToolHistory *history)
{
  if (history->n < history->kind->get_n (history->list))
    use (history, history->n + 1);
}

/* What is cleared can be brought back one by one. */
static void
clear (WfToolHistory *history)
{
  use (history, 0);
}


/*  For the tools  */

static void
history_free (gpointer  data,
              GObject  *preview)
{
  WfToolHistory *history = data;

  history->kind->free (history->list);
  g_free (history);
}

static GtkWidget *
add_action (WfToolHistory *history,
            GtkWidget     *box,
            const char    *icon,
            const char    *name,
            GCallback      func)
{
  return wf_tool_row_add_action (box, icon, g_dgettext (GETTEXT_PACKAGE, name), func, history);
}

static void
add_widgets (WfToolHistory *history,
             GtkWidget     *row)
{
  const WfToolList *kind = history->kind;
  GtkWidget        *box  = wf_tool_row_add_box (row);

  history->undo  = add_action (history, box, "edit-undo-symbolic", kind->undo, G_CALLBACK (undo));
  history->redo  = add_action (history, box, "edit-redo-symbolic", kind->redo, G_CALLBACK (redo));
  history->clear = add_action (history, box, "edit-clear-symbolic", kind->clear,
                               G_CALLBACK (clear));
  history->count = wf_tool_row_add_count (row, g_dgettext (GETTEXT_PACKAGE, kind->counted));
}

/**
 * wf_tool_history_new:
 * @dialog: a dialog with a preview
 * @kind: of the list, with names that are translated here
 * @row: of the tools, at whose end the buttons and the count are added
 * @changed: called when other entries are made; not for the first list
 * @data: for @changed
 *
 * Returns: (transfer none): the list of the argument, which exists as long as the preview
 */
WfToolHistory *
wf_tool_history_new (WfDialog          *dialog,
                     const WfToolList  *kind,
                     GtkWidget         *row,
                     WfToolHistoryFunc  changed,
                     gpointer           data)
{
  WfPreview       *preview = wf_dialog_get_preview (dialog);
  WfToolHistory   *history = g_new0 (WfToolHistory, 1);
  g_autofree char *signal  = g_strconcat ("notify::", kind->argument, NULL);
  GClosure        *closure = g_cclosure_new_swap (G_CALLBACK (argument_changed), history, NULL);

  history->run     = wf_dialog_get_run (dialog);
  history->preview = preview;
  history->kind    = kind;
  history->changed = changed;
  history->data    = data;
  add_widgets (history, row);
  read_list (history);
  set_sensitivities (history);
  g_object_watch_closure (G_OBJECT (preview), closure);
  g_signal_connect_closure (history->run->config, signal, closure, FALSE);
  g_object_weak_ref (G_OBJECT (preview), history_free, history);
  return history;
}

/**
 * wf_tool_history_get_n:
 * @history: a history
 *
 * Returns: how many entries are made
 */
guint
wf_tool_history_get_n (WfToolHistory *history)
{
  return history->n;
}

/**
 * wf_tool_history_copy:
 * @history: a history
 *
 * Returns: (transfer full): a list of the entries that are made
 */
gpointer
wf_tool_history_copy (WfToolHistory *history)
{
  gpointer made = history->kind->copy (history->list);

  history->kind->truncate (made, history->n);
  return made;
}

/**
 * wf_tool_history_begin:
 * @history: a history
 *
 * Forgets what was undone.
 *
 * Returns: (transfer none): the list, to which an entry is to be added before
 *   wf_tool_history_end()
 */
gpointer
wf_tool_history_begin (WfToolHistory *history)
{
  history->kind->truncate (history->list, history->n);
  return history->list;
}

/**
 * wf_tool_history_end:
 * @history: a history whose list has got an entry
 *
 * Makes the argument of it.
 */
void
wf_tool_history_end (WfToolHistory *history)
{
  use (history, history->kind->get_n (history->list));
}

/**
 * wf_tool_history_find_place:
 * @history: a history
 * @point: a place in the preview, in pixels of the procedure's region
 *
 * Returns: the pixel of the image there, in the slice that is shown
 */
WfPixelPlace
wf_tool_history_find_place (WfToolHistory *history,
                            const double   point[2])
{
  const WfRegion *region = &history->run->region;
  int             slice  = 0;

  if (wf_preview_get_n_slices (history->preview) > 1)
    g_object_get (history->preview, "slice", &slice, NULL);
  return (WfPixelPlace) { (gint64) floor (point[0]) + region->image_x,
                          (gint64) floor (point[1]) + region->image_y, slice };
}

/**
 * wf_tool_history_show:
 * @history: a history
 * @count: (nullable): what is shown beside the buttons
 * @tooltip: (nullable): what that means
 */
void
wf_tool_history_show (WfToolHistory *history,
                      const char    *count,
                      const char    *tooltip)
{
  gtk_label_set_text (GTK_LABEL (history->count), count ? count : "");
  gtk_widget_set_tooltip_text (history->count, tooltip);
}

/**
 * wf_tool_history_press:
 * @history: a history
 * @event: a key was pressed
 *
 * Undoes with Ctrl+Z; redoes with Ctrl+Shift+Z and Ctrl+Y.
 *
 * Returns: whether the key is one of these
 */
gboolean
wf_tool_history_press (WfToolHistory     *history,
                       const GdkEventKey *event)
{
  const GdkModifierType state = event->state & gtk_accelerator_get_default_mod_mask ();
  const guint           key   = gdk_keyval_to_lower (event->keyval);

  if (! (state & GDK_CONTROL_MASK) || (key != GDK_KEY_z && key != GDK_KEY_y))
    return FALSE;
  if (key == GDK_KEY_y || (state & GDK_SHIFT_MASK))
    redo (history);
  else
    undo (history);
  return TRUE;
}
