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
 * WfPixels:
 * @format: of a pixel, as it is stored
 * @width: in pixels
 * @height: in pixels
 * @tiles: GIMP's, one after the other as they are asked for; or %NULL
 * @copy: where they are in memory, a row after the other; or %NULL
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
 * @alpha: whether pixels have alpha
 * @direct: whether pixels in @format are levels already
 *
 * How levels are taken from pixels.
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
gboolean     wf_pixels_get_levels       (const WfPixels       *pixels,
                                         int                   x,
                                         int                   y,
                                         WfComponent           component,
                                         WfImage              *image,
                                         gint64                slice);
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

void         wf_level_picker_init       (WfLevelPicker        *picker,
                                         const Babl           *format,
                                         WfType                type,
                                         WfComponent           component);
void         wf_level_picker_take       (const WfLevelPicker  *picker,
                                         gconstpointer         pixels,
                                         gsize                 n_pixels,
                                         gpointer              levels);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfPixels, wf_pixels_close)

G_END_DECLS
