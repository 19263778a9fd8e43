/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rims of bands that follow each other, as a graph: forests connect the pixels of one band's
 * rims (rim-forest.h), seams those of two bands that touch.
 */

#pragma once

#include "engine/cpu/triples.h"
#include "engine/propagation/tile-queue.h"
#include "engine/ranks/tree.h"
#include "rim.h"

/**
 * WfRimGraph:
 * @n_band_nodes: nodes of a band: the pixels of its two rims, also where there is no seam
 * @level, @mask_level: of each node, as keys
 * @links: for each band the edges of its forest; @n_links: how many they are
 * @first_link: of each node, plus 1, in its band
 * @queue: nodes whose level has risen
 */
typedef struct
{
  WfRim               rim;
  gint64              n_bands;
  gint64              n_band_nodes;
  gint64              n_nodes;
  guint32            *level;
  guint32            *mask_level;
  /*< private >*/
  struct WfRimLink  **links;
  gint64             *n_links;
  guint32            *first_link;
  WfTileQueue         queue;
} WfRimGraph;

gboolean wf_rim_graph_init     (WfRimGraph       *graph,
                                const WfRim      *rim,
                                gint64            n_bands,
                                GError          **error);
void     wf_rim_graph_clear    (WfRimGraph       *graph);
guint64  wf_rim_graph_memory   (const WfRim      *rim,
                                gint64            n_bands);
gint64   wf_rim_graph_find     (const WfRimGraph *graph,
                                gint64            number,
                                WfBandSide         side);
gboolean wf_rim_graph_link     (WfRimGraph       *graph,
                                gint64            number,
                                const WfTriples  *edges,
                                GError          **error);
void     wf_rim_graph_raise    (WfRimGraph       *graph,
                                gint64            node,
                                guint32           level);
gboolean wf_rim_graph_solve    (WfRimGraph       *graph,
                                GCancellable     *cancellable,
                                GError          **error);
gboolean wf_rim_graph_solve_ranks
                               (WfRimGraph       *graph,
                                WfContext        *context,
                                const WfPart     *part,
                                GError          **error);
guint64  wf_rim_tree_memory    (const WfRim      *rim,
                                const WfCommunicator
                                                 *ranks);
gboolean wf_rim_graph_contract (const WfRimGraph *graph,
                                WfRun            *run,
                                WfTriples        *edges,
                                GError          **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfRimGraph, wf_rim_graph_clear)
