/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void  wf_palette_get_color (guint32 label,
                            float   color[3]);
float wf_palette_get_grey  (guint32 label);

G_END_DECLS
