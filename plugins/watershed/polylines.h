/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfPolylineFunc:
 * @points: x and y of each point, in pixels from the upper left corner of the first pixel:
 *   corners of pixels have integer coordinates
 * @n_points: at least 2, of a closed polyline at least 3
 * @closed: whether the last point is joined to the first
 * @data: user data
 *
 * Receives a polyline; @points are valid only during the call.
 */
typedef void (* WfPolylineFunc) (const double *points,
                                 gsize         n_points,
                                 gboolean      closed,
                                 gpointer      data);

void     wf_polylines_close_lines (WfImage         *labels,
                                   const WfImage   *mask);
gboolean wf_polylines_trace       (const WfImage   *labels,
                                   const WfImage   *mask,
                                   double           tolerance,
                                   WfPolylineFunc   func,
                                   gpointer         data,
                                   GError         **error);

G_END_DECLS
