/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "plugins/common/folder/settings.h"

G_BEGIN_DECLS

typedef struct _WfFolderForm WfFolderForm;

WfFolderForm * wf_folder_form_new        (WfJob                  *run,
                                          const WfFolderSettings *settings);
GtkWidget *    wf_folder_form_get_widget (WfFolderForm           *form);
void           wf_folder_form_read       (WfFolderForm           *form,
                                          WfFolderSettings       *settings);
void           wf_folder_form_free       (WfFolderForm           *form);

G_END_DECLS
