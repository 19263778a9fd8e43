/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfColorMarkers WfColorMarkers;

WfColorMarkers * wf_color_markers_new     (void);
void             wf_color_markers_free    (WfColorMarkers *markers);
guint32          wf_color_markers_get_n   (WfColorMarkers *markers);
void             wf_color_markers_add_row (WfColorMarkers *markers,
                                           const float    *pixels,
                                           gboolean        alpha,
                                           gint64          n,
                                           guint32        *labels);

guint32          wf_point_markers_draw    (const double   *points,
                                           gsize           n_points,
                                           double          left,
                                           double          top,
                                           WfImage        *labels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfColorMarkers, wf_color_markers_free)

G_END_DECLS
