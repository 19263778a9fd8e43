/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimpui.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

void wf_process_folder_add (GtkDialog *dialog,
                            WfJob     *run);

G_END_DECLS
