/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop over the merges of a hierarchy, for all measures. */

#pragma once

#include "graph.h"

/* The measure of a node below the level of @pass. */
typedef double (* WfMeasureNodeFunc) (const WfBasinGraph *graph,
                                      gpointer            counts,
                                      guint32             node,
                                      guint32             pass);

/* Makes the counts of the node @merged from those of @left and @right. */
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
