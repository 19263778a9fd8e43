/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "level-picker.h"

G_BEGIN_DECLS

/* Rows that are read or written at once: as many as GIMP's tiles have, so that each tile
 * is transferred once.
 */
#define WF_STRIP_ROWS 128

/**
 * WfRowsFunc:
 * @row: the first row, in the part that is read
 * @n_rows: the number of rows
 * @format: of the pixels
 * @pixels: set, row by row
 * @data: user data
 *
 * Gets pixels of the part that is read.
 */
typedef void (* WfRowsFunc) (int         row,
                             int         n_rows,
                             const Babl *format,
                             gpointer    pixels,
                             gpointer    data);

int      wf_level_reader_find_strip_end (int          row,
                                         int          y,
                                         gint64       height);
gboolean wf_level_reader_read           (WfRowsFunc   rows,
                                         gpointer     data,
                                         const Babl  *own,
                                         int          y,
                                         WfComponent  component,
                                         WfImage     *image,
                                         gint64       slice);

G_END_DECLS
