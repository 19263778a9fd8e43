/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gegl.h>

G_BEGIN_DECLS

gboolean wf_colors_can_expand (const Babl   *from,
                               const Babl   *to);
void     wf_colors_expand     (const guint8 *stored,
                               int           n_components,
                               gsize         n_pixels,
                               float        *colors);

G_END_DECLS
