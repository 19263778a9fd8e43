/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define WF_TYPE_THRESHOLD_GRAPH (wf_threshold_graph_get_type ())
G_DECLARE_FINAL_TYPE (WfThresholdGraph, wf_threshold_graph, WF, THRESHOLD_GRAPH, GtkDrawingArea)

GtkWidget * wf_threshold_graph_new             (GtkAdjustment     *threshold,
                                                WfType             type);
void        wf_threshold_graph_set_histogram   (WfThresholdGraph  *graph,
                                                const WfHistogram *histogram);
void        wf_threshold_graph_set_dark        (WfThresholdGraph  *graph,
                                                gboolean           dark);
void        wf_threshold_graph_set_logarithmic (WfThresholdGraph  *graph,
                                                gboolean           logarithmic);

G_END_DECLS
