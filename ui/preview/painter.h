/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <cairo.h>

#include "job.h"
#include "line-contrast.h"

G_BEGIN_DECLS

/**
 * WfPreviewColors:
 * @region: part of the image
 * @pixels: R, G, B, A of 8 bits, not premultiplied
 * @opaque: whether every alpha is 255
 *
 * Pixels to show.
 */
typedef struct
{
  WfPreviewRegion  region;
  guint8          *pixels;
  gboolean         opaque;
} WfPreviewColors;

/**
 * WfPreviewStyle:
 * @show_lines: whether the lines between basins are drawn
 * @show_basins: whether basins are tinted
 * @line: the color of the lines
 * @line_opacity: from 0 to 1
 * @line_width: the minimum, in pixels of the view
 * @basin_colors: (nullable): for each label 0xRRGGBB
 * @basin_opacity: from 0 to 1
 * @highlighted: the representative of a basin, or 0
 * @highlight_color: 0xRRGGBB
 * @highlight_opacity: from 0 to 1
 * @selected: the representative of a basin that is outlined, or 0
 * @selected_color: 0xRRGGBB
 *
 * How labels are painted over an image.
 */
typedef struct
{
  gboolean       show_lines;
  gboolean       show_basins;
  WfLineContrast line;
  double         line_opacity;
  int            line_width;
  const guint32 *basin_colors;
  double         basin_opacity;
  guint32        highlighted;
  guint32        highlight_color;
  double         highlight_opacity;
  guint32        selected;
  guint32        selected_color;
} WfPreviewStyle;

void wf_preview_paint_colors (cairo_surface_t       *surface,
                              const WfViewport      *viewport,
                              const WfPreviewColors *colors,
                              int                    check_size);
void wf_preview_paint_levels (cairo_surface_t       *surface,
                              cairo_surface_t       *under,
                              const WfViewport      *viewport,
                              const WfPreviewResult *result,
                              const WfPreviewColors *colors,
                              int                    check_size);
void wf_preview_paint_labels (cairo_surface_t       *surface,
                              cairo_surface_t       *under,
                              const WfViewport      *viewport,
                              const WfPreviewResult *result,
                              const guint32         *map,
                              const WfPreviewStyle  *style);

G_END_DECLS
