/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

WfStrokes * random_strokes         (guint most,
                                    int   end,
                                    int   n_slices);
void        add_stroke_text_tests (void);

G_END_DECLS
