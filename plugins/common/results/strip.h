/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "layer.h"

G_BEGIN_DECLS

/**
 * WfStrip:
 * @source: what the layer was computed from
 * @type: of the layer's components
 * @n_colors: how many of them are no alpha
 * @alpha: whether one is
 * @format: of what is written
 * @size: bytes of one pixel of that
 * @slice: which slice of @source it is
 * @row: the first row, in the region
 * @n_rows: how many
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
 * @first: the first of its rows that are to be filled
 * @n: how many of them
 *
 * Fills rows; it is called in several threads at once.
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

void          wf_strips_write       (WfRun         *run,
                                     GimpLayer     *layer,
                                     gboolean       native,
                                     WfStripFunc    fill,
                                     gpointer       data);

G_END_DECLS
