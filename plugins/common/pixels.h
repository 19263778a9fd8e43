/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "wavefront.h"

G_BEGIN_DECLS

/* Rows that are read or written at once. */
#define WF_STRIP_ROWS 64

/**
 * WfComponent:
 *
 * What of a pixel counts as its level.
 */
typedef enum
{
  WF_COMPONENT_LUMINANCE,
  WF_COMPONENT_RED,
  WF_COMPONENT_GREEN,
  WF_COMPONENT_BLUE,
  WF_COMPONENT_ALPHA
} WfComponent;

WfType       wf_pixels_get_type        (GimpDrawable  *drawable);
const Babl * wf_pixels_get_grey_format (GimpDrawable  *drawable,
                                        gboolean       alpha,
                                        WfType         type);
const Babl * wf_pixels_get_format      (GimpDrawable  *drawable,
                                        gboolean       alpha,
                                        WfType         type);
const Babl * wf_pixels_get_color_format
                                       (GimpDrawable  *drawable,
                                        WfType         type);
GeglAbyssPolicy
             wf_pixels_get_abyss       (double         scale);
gboolean     wf_pixels_read            (GimpDrawable  *drawable,
                                        int            x,
                                        int            y,
                                        double         scale,
                                        WfComponent    component,
                                        WfImage       *image,
                                        gint64         slice);
void         wf_pixels_multiply_alpha  (GimpDrawable  *drawable,
                                        int            x,
                                        int            y,
                                        int            width,
                                        int            n_rows,
                                        float         *shares);

G_END_DECLS
