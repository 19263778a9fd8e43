/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

void wf_halve_levels (WfType         type,
                      gconstpointer  from,
                      int            from_width,
                      gpointer       to,
                      int            to_width,
                      int            width,
                      int            height);
void wf_halve_colors (const guint8  *from,
                      int            from_width,
                      guint8        *to,
                      int            to_width,
                      int            width,
                      int            height);

G_END_DECLS
