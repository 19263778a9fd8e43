/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the measures of the hierarchy go through its merges. */

#pragma once

#include "graph.h"

/* What a node measures below the level of @pass. */
typedef double (* WfMeasureNodeFunc) (const WfBasinGraph *graph,
                                      gpointer            counts,
                                      guint32             node,
                                      guint32             pass);

/* Makes the counts of the node @merged from those of two others. */
typedef void   (* WfMergeCountsFunc) (const WfBasinGraph *graph,
                                      gpointer            counts,
                                      guint32             left,
                                      guint32             right,
                                      guint32             merged);

gboolean wf_hierarchy_sweep (WfBasinGraph       *graph,
                             gpointer            counts,
                             WfMeasureNodeFunc   measure,
                             WfMergeCountsFunc   merge,
                             double             *depths,
                             GError            **error);
