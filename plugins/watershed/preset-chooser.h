/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/dialog.h"

G_BEGIN_DECLS

void wf_preset_chooser_add (WfDialog *dialog);

G_END_DECLS
