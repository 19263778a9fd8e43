/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfColorWay:
 * @WF_COLORS_GRAY: the result is gray: that of the levels
 * @WF_COLORS_COMPONENTS: red, green and blue have each a result of their own
 * @WF_COLORS_LUMINANCE: the luminance is filtered, and colors are kept
 *
 * What a filter of levels does with colors.
 */
typedef enum
{
  WF_COLORS_GRAY,
  WF_COLORS_COMPONENTS,
  WF_COLORS_LUMINANCE
} WfColorWay;

extern const WfChoice wf_color_ways[];

/* The row of a table of options that chooses the way. */
#define WF_COLOR_WAY_OPTION(Options, field) \
  { "colors", WF_OPTION_CHOICE, G_STRUCT_OFFSET (Options, field), \
    N_("Colors"), \
    N_("What becomes of colors: a gray result; red, green and blue filtered each by itself; or " \
       "the luminance filtered, and the colors kept"), \
    NULL, 0, 0, WF_COLORS_GRAY, wf_color_ways }

void wf_colors_interleave  (WfType               type,
                            const gpointer       components[3],
                            gsize                n,
                            int                  n_components,
                            gpointer             pixels);
void wf_colors_keep        (gconstpointer        format,
                            WfType               type,
                            gconstpointer        before,
                            gconstpointer        after,
                            gsize                n,
                            gpointer             pixels);

G_END_DECLS
