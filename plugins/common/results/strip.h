/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "layer.h"

G_BEGIN_DECLS

/**
 * WfStrip:
 * @source: the source that the layer was computed from
 * @type: of the layer's components
 * @n_colors: the number of components without alpha
 * @alpha: whether the layer has alpha
 * @format: of the pixels to fill in
 * @size: of one of these pixels, in bytes
 * @slice: the index of the slice of @source
 * @row: the first row, in the region
 * @n_rows: the number of rows
 * @data: for the function that fills it
 *
 * Rows of a layer.
 */
typedef struct
{
  const WfSource *source;
  WfType          type;
  int             n_colors;
  gboolean        alpha;
  const Babl     *format;
  gsize           size;
  guint           slice;
  int             row;
  int             n_rows;
  gpointer        data;
  /*< private >*/
  float          *coverage;
  guint8         *pixels;
} WfStrip;

/**
 * WfStripFunc:
 * @strip: a strip
 * @first: the first row to fill
 * @n: the number of rows to fill
 *
 * Fills rows of a strip; several threads call it at the same time.
 */
typedef void (* WfStripFunc) (const WfStrip *strip,
                              int            first,
                              int            n);

gsize         wf_strip_get_width    (const WfStrip *strip);
int           wf_strip_get_row      (const WfStrip *strip,
                                     int            row);
guint8 *      wf_strip_get_pixels   (const WfStrip *strip,
                                     int            row);
const float * wf_strip_get_coverage (const WfStrip *strip,
                                     int            row);

void          wf_strips_write         (WfJob       *run,
                                       GimpLayer   *layer,
                                       gboolean     native,
                                       WfStripFunc  fill,
                                       gpointer     data);
void          wf_strips_write_numbers (WfJob       *run,
                                       GPtrArray   *layers,
                                       WfStripFunc  fill,
                                       gpointer     data);

G_END_DECLS
