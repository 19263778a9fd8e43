/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfStrokeFunc:
 * @x: a column of the image
 * @y: a row of the image
 * @data: as given
 *
 * Returns: whether the line goes on
 */
typedef gboolean (* WfStrokeFunc) (gint64   x,
                                   gint64   y,
                                   gpointer data);

gboolean wf_stroke_walk     (gint64              width,
                             gint64              height,
                             const WfPixelPlace *from,
                             const WfPixelPlace *to,
                             WfStrokeFunc        visit,
                             gpointer            data);
void     wf_stroke_walk_all (gint64              width,
                             gint64              height,
                             const WfPixelPlace *points,
                             guint               n_points,
                             WfStrokeFunc        visit,
                             gpointer            data);

G_END_DECLS
