/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#include "plugins/common/procedure/run.h"
#include "ui/options/option-grid.h"
#include "ui/preview/preview.h"

G_BEGIN_DECLS

typedef struct _WfDialog WfDialog;

gboolean       wf_dialog_run          (WfJob         *run,
                                       GimpProcedure *procedure,
                                       const char    *message);

void           wf_dialog_add_page     (WfDialog      *dialog,
                                       const char    *title);
WfOptionGrid * wf_dialog_add_frame    (WfDialog      *dialog,
                                       const char    *title);
GtkWidget *    wf_dialog_add_option   (WfDialog      *dialog,
                                       WfOptionGrid  *grid,
                                       const char    *name);
void           wf_dialog_add_argument (WfDialog      *dialog,
                                       WfOptionGrid  *grid,
                                       const char    *name,
                                       GtkWidget     *widget);
void           wf_dialog_add_below_preview
                                      (WfDialog      *dialog,
                                       GtkWidget     *widget);
void           wf_dialog_set_lower_part
                                      (WfDialog      *dialog,
                                       GtkWidget     *widget);
void           wf_dialog_add_to_settings
                                      (WfDialog      *dialog,
                                       GtkWidget     *widget);
WfJob *        wf_dialog_get_run      (WfDialog      *dialog);
WfPreview *    wf_dialog_get_preview  (WfDialog      *dialog);

G_END_DECLS
