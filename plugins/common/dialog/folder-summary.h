/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "plugins/common/folder/outcome.h"

G_BEGIN_DECLS

typedef struct _WfFolderSummary WfFolderSummary;

WfFolderSummary * wf_folder_summary_new        (gboolean               with_objects);
GtkWidget *       wf_folder_summary_get_widget (WfFolderSummary       *summary);
void              wf_folder_summary_begin      (WfFolderSummary       *summary,
                                                guint                  index,
                                                guint                  n,
                                                const char            *name);
void              wf_folder_summary_progress   (WfFolderSummary       *summary,
                                                double                 fraction);
void              wf_folder_summary_show       (WfFolderSummary       *summary,
                                                GPtrArray             *outcomes);
void              wf_folder_summary_end        (WfFolderSummary       *summary,
                                                const char            *error);
void              wf_folder_summary_free       (WfFolderSummary       *summary);

G_END_DECLS
