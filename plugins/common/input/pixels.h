/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "level-reader.h"

G_BEGIN_DECLS

/**
 * WfPixels:
 * @format: of a pixel, as it is stored
 * @width: in pixels
 * @height: in pixels
 * @tiles: (nullable): GIMP's tiles, transferred one at a time when they are read
 * @copy: (nullable): a copy in memory, row by row
 *
 * The pixels of a drawable, or a copy of them.
 */
typedef struct
{
  const Babl *format;
  int         width;
  int         height;
  GeglBuffer *tiles;
  GBytes     *copy;
} WfPixels;

const Babl * wf_pixels_get_own_format   (GimpDrawable         *drawable);
void         wf_pixels_open             (WfPixels             *pixels,
                                         GimpDrawable         *drawable);
gboolean     wf_pixels_copy             (WfPixels             *pixels,
                                         GimpDrawable         *drawable,
                                         const GeglRectangle  *part,
                                         GError              **error);
void         wf_pixels_close            (WfPixels             *pixels);
void         wf_pixels_get              (const WfPixels       *pixels,
                                         const GeglRectangle  *part,
                                         const Babl           *format,
                                         gpointer              out);
void         wf_pixels_multiply_alpha   (const WfPixels       *pixels,
                                         const GeglRectangle  *part,
                                         float                *shares);

WfType       wf_pixels_get_type         (GimpDrawable         *drawable);
const Babl * wf_pixels_get_grey_format  (GimpDrawable         *drawable,
                                         gboolean              alpha,
                                         WfType                type);
const Babl * wf_pixels_get_format       (GimpDrawable         *drawable,
                                         gboolean              alpha,
                                         WfType                type);
const Babl * wf_pixels_get_color_format (GimpDrawable         *drawable,
                                         WfType                type);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfPixels, wf_pixels_close)

G_END_DECLS
