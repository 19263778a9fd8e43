/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimpui.h>

#include "plugins/common/procedure/run.h"
#include "plugins/common/script/scripts.h"

G_BEGIN_DECLS

/**
 * WfListCalls:
 * @data: user data
 *
 * Returns: (transfer full) (nullable) (element-type WfCall): what a script is to do; %NULL or empty
 *   if nothing
 */
typedef GPtrArray * (* WfListCalls) (gpointer data);

void wf_copy_script_add     (GtkDialog   *dialog,
                             GimpImage   *image,
                             WfListCalls  list,
                             gpointer     data);
void wf_copy_script_add_run (GtkDialog   *dialog,
                             WfJob       *run);

G_END_DECLS
