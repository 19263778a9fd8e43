/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_RANGE_GRAPH (wf_range_graph_get_type ())
G_DECLARE_FINAL_TYPE (WfRangeGraph, wf_range_graph, WF, RANGE_GRAPH, GtkDrawingArea)

GtkWidget * wf_range_graph_new        (gboolean      logarithmic,
                                       double        least,
                                       double        most);
void        wf_range_graph_set_ends   (WfRangeGraph *graph,
                                       double        least,
                                       double        most);
void        wf_range_graph_set_fixed  (WfRangeGraph *graph);
void        wf_range_graph_set_values (WfRangeGraph *graph,
                                       const double *values,
                                       gsize         n);
void        wf_range_graph_set_range  (WfRangeGraph *graph,
                                       double        lower,
                                       double        upper);
void        wf_range_graph_get_range  (WfRangeGraph *graph,
                                       double       *lower,
                                       double       *upper);

G_END_DECLS
