/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_ROW_MODEL (wf_row_model_get_type ())
G_DECLARE_FINAL_TYPE (WfRowModel, wf_row_model, WF, ROW_MODEL, GObject)

GtkTreeModel * wf_row_model_new     (guint32       n,
                                     const double *values,
                                     gboolean      descending);
guint32        wf_row_model_get_row (WfRowModel   *model,
                                     guint32       thing);

G_END_DECLS
