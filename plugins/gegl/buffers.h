/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "kind.h"

G_BEGIN_DECLS

/**
 * WfGeglRowFunc:
 * @y: index of the row, in the region
 * @x: index of the first column, in the region
 * @n: the number of pixels
 * @pixels: what is needed of these pixels of the input, in the format of the output; changed to
 *   those of the output
 * @data: user data
 *
 * Makes pixels of a row of the output.  Several threads call it at the same time.
 */
typedef void (* WfGeglRowFunc)  (gint64        y,
                                 int           x,
                                 int           n,
                                 guint8       *pixels,
                                 gpointer      data);

/**
 * WfGeglMarkFunc:
 * @y: index of the row, in the region
 * @marks: set: not 0 on a line
 * @data: user data
 */
typedef void (* WfGeglMarkFunc) (gint64        y,
                                 guint8       *marks,
                                 gpointer      data);

/**
 * WfGeglStripFunc:
 * @row: index of the first row, in the region
 * @n_rows: the number of rows
 * @memory: of the calling thread: as much for each row as was asked for
 * @data: user data
 */
typedef void (* WfGeglStripFunc) (int          row,
                                  int          n_rows,
                                  guint8      *memory,
                                  gpointer     data);

gboolean wf_gegl_read_levels  (const WfGeglWork  *work,
                               WfImage           *levels,
                               GError           **error);
gboolean wf_gegl_read_components
                              (const WfGeglWork  *work,
                               WfImage            components[3],
                               GError           **error);
gboolean wf_gegl_read_aux     (const WfGeglWork  *work,
                               WfComponent        component,
                               WfImage           *levels,
                               GError           **error);
gboolean wf_gegl_read_aux_components
                              (const WfGeglWork  *work,
                               WfImage            components[3],
                               GError           **error);
void     wf_gegl_read_raw     (const WfGeglWork  *work,
                               gint64             y,
                               int                n_rows,
                               guint8            *pixels);
void     wf_gegl_read_colors  (const WfGeglWork  *work,
                               gint64             y,
                               int                n_rows,
                               float             *colors);
void     wf_gegl_visit_strips (const WfGeglWork  *work,
                               gsize              size,
                               WfGeglStripFunc    func,
                               gpointer           data);
void     wf_gegl_write_rows   (const WfGeglWork  *work,
                               WfGeglRowFunc      func,
                               gpointer           data);
void     wf_gegl_write_pieces (const WfGeglWork  *work,
                               const Babl        *format,
                               WfGeglRowFunc      func,
                               gpointer           data);
void     wf_gegl_write_levels (const WfGeglWork  *work,
                               const WfImage     *levels);
void     wf_gegl_write_marks  (const WfGeglWork  *work,
                               const WfImage     *marks);
void     wf_gegl_write_lines  (const WfGeglWork  *work,
                               gboolean           transparent,
                               WfGeglMarkFunc     func,
                               gpointer           data);
void     wf_gegl_set_row      (const WfGeglWork  *work,
                               gconstpointer      levels,
                               gsize              n,
                               guint8            *pixels);
void     wf_gegl_convert      (const WfGeglWork  *work,
                               const Babl        *encoding,
                               const float       *colors,
                               guint32            n,
                               guint8            *pixels);
void     wf_gegl_convert_to_light
                              (const WfGeglWork  *work,
                               guint8            *pixels,
                               guint32            n);

G_END_DECLS
