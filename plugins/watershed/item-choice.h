/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimpui.h>

#include "plugins/common/dialog/dialog.h"

G_BEGIN_DECLS

void wf_item_choice_add (WfDialog     *dialog,
                         WfOptionGrid *grid,
                         GtkWidget    *combo,
                         const char   *property,
                         const char   *none);

G_END_DECLS
