/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimpui.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

void        wf_table_file_add_argument (GimpProcedure *procedure);
void        wf_table_file_recall       (WfJob         *run);
void        wf_table_file_remember     (WfJob         *run);
GtkWidget * wf_table_file_chooser_new  (GObject       *config);
gboolean    wf_table_file_confirm      (WfJob         *run,
                                        GtkWindow     *dialog);

G_END_DECLS
