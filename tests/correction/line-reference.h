/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

void ref_draw_line (GArray             *pixels,
                    const WfPixelPlace *from,
                    const WfPixelPlace *to);

G_END_DECLS
