/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "level-picker.h"
#include "pixels.h"

G_BEGIN_DECLS

gboolean wf_levels_read       (const WfPixels      *pixels,
                               int                  x,
                               int                  y,
                               WfComponent          component,
                               WfImage             *image,
                               gint64               slice);

G_END_DECLS
