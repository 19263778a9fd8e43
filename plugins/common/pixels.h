/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "wavefront.h"

G_BEGIN_DECLS

/* Rows that are read or written at once: as many as GIMP's tiles have, so that each tile
 * comes and goes once.
 */
#define WF_STRIP_ROWS 128

/* What it costs to have rows made by another thread, in pixels. */
#define WF_THREAD_COST 20000.0

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

/**
 * WfLevelPicker:
 * @type: of a level
 * @format: of the pixels that levels are taken from
 * @grey: of levels that are luminance
 * @n_components: of @format
 * @component: which of them is the level, where it is not luminance
 * @luminance: whether levels are the luminance of colours
 * @alpha: whether the drawable has alpha
 * @direct: whether pixels in @format are levels already
 *
 * How the levels of a drawable are taken from its pixels.
 */
typedef struct
{
  WfType      type;
  const Babl *format;
  const Babl *grey;
  int         n_components;
  int         component;
  gboolean    luminance;
  gboolean    alpha;
  gboolean    direct;
} WfLevelPicker;

void         wf_level_picker_init      (WfLevelPicker *picker,
                                        GimpDrawable  *drawable,
                                        WfType         type,
                                        WfComponent    component);
void         wf_level_picker_take      (const WfLevelPicker *picker,
                                        gconstpointer  pixels,
                                        gsize          n_pixels,
                                        gpointer       levels);

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
