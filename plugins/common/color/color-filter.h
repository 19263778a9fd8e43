/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <babl/babl.h>

#include "plugins/common/input/level-picker.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfColorFilter:
 * @component: that the levels are: red, green, blue, or the luminance
 * @levels: without gaps between their rows; changed, or replaced by another image of the same size
 * @data: user data
 * @error: the filter's
 *
 * A filter of levels.
 *
 * Returns: success
 */
typedef gboolean (* WfColorFilter) (WfComponent   component,
                                    WfImage      *levels,
                                    gpointer      data,
                                    GError      **error);

gboolean wf_colors_filter         (WfColorWay     way,
                                   const Babl    *format,
                                   WfImage        components[3],
                                   WfColorFilter  filter,
                                   gpointer       data,
                                   GError       **error);
gboolean wf_colors_find_luminance (const Babl    *format,
                                   const WfImage  components[3],
                                   WfImage       *levels,
                                   GError       **error);
void     wf_colors_interleave     (WfType         type,
                                   const gpointer components[3],
                                   gsize          n,
                                   int            n_components,
                                   gpointer       pixels);

G_END_DECLS
