/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "preview.h"

G_BEGIN_DECLS

void wf_preview_set_picking (WfPreview *preview,
                             gboolean   picking);

G_END_DECLS
