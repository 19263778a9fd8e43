/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"

G_BEGIN_DECLS

/**
 * WfToolList:
 * @argument: of the procedure, whose text the list is
 * @undo: name of the button that takes the last entry back
 * @redo: of that which brings it again
 * @clear: of that which takes all of them back
 * @counted: name of the entries
 * @read: returns the list of the argument, or an empty one
 * @copy: copies a list
 * @free: frees it
 * @get_n: returns how many entries it has
 * @truncate: drops the last ones
 * @print: returns its text
 * @remember: keeps the argument with the image
 *
 * A kind of lists that tools make: corrections, or strokes.
 */
typedef struct
{
  const char *argument;
  const char *undo;
  const char *redo;
  const char *clear;
  const char *counted;
  gpointer (* read)     (GObject       *config);
  gpointer (* copy)     (gconstpointer  list);
  void     (* free)     (gpointer       list);
  guint    (* get_n)    (gconstpointer  list);
  void     (* truncate) (gpointer       list,
                         guint          n);
  char *   (* print)    (gconstpointer  list);
  void     (* remember) (WfJob         *run);
} WfToolList;

/**
 * WfToolHistoryFunc:
 * @data: as given
 *
 * The list has changed.
 */
typedef void (* WfToolHistoryFunc) (gpointer data);

typedef struct _WfToolHistory WfToolHistory;

WfToolHistory * wf_tool_history_new        (WfDialog          *dialog,
                                            const WfToolList  *kind,
                                            GtkWidget         *row,
                                            WfToolHistoryFunc  changed,
                                            gpointer           data);
guint           wf_tool_history_get_n      (WfToolHistory     *history);
gpointer        wf_tool_history_copy       (WfToolHistory     *history);
gpointer        wf_tool_history_begin      (WfToolHistory     *history);
void            wf_tool_history_end        (WfToolHistory     *history);
WfPixelPlace    wf_tool_history_find_place (WfToolHistory     *history,
                                            const double       point[2]);
void            wf_tool_history_show       (WfToolHistory     *history,
                                            const char        *count,
                                            const char        *tooltip);
gboolean        wf_tool_history_press      (WfToolHistory     *history,
                                            const GdkEventKey *event);

G_END_DECLS
