/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_OBJECT_MODEL (wf_object_model_get_type ())
G_DECLARE_FINAL_TYPE (WfObjectModel, wf_object_model, WF, OBJECT_MODEL, GObject)

GtkTreeModel * wf_object_model_new     (guint32             n,
                                        const double       *values,
                                        gboolean            descending);
guint32        wf_object_model_get_row (WfObjectModel      *model,
                                        guint32             object);

G_END_DECLS
