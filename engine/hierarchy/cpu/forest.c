/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The minimum spanning forest of a part of the graph of basins: an edge that is the last on a cycle
 * in a part of the graph is the last on it in the whole graph, and is not in its tree.
 *
 * The order of edges is that of their passes, then of their vertices.  What an exit of a band will
 * be is not known yet, and so neither is where an edge at an exit comes among those of its pass.
 * Such an edge is left out only if lower passes alone connect its ends, and leaves out others at
 * higher passes only.  When exits become vertices that are in the graph already, cycles stay closed
 * ways, on which the edges that were left out are still the last.
 */

#include "config.h"

#include "graph.h"
#include "engine/cpu/union-find.h"


static inline gboolean
is_at_exit (const WfTriple *edge,
            guint32         n_fixed)
{
  return edge->word[WF_EDGE_LARGER] >= n_fixed;
}

/* An edge that is left out joins a vertex with itself. */
static inline gboolean
is_dropped (const WfTriple *edge)
{
  return edge->word[WF_EDGE_LARGER] == edge->word[WF_EDGE_SMALLER];
}

/* Joins the ends of an edge; returns whether they were apart. */
static inline gboolean
join_ends (guint32        *roots,
           const WfTriple *edge,
           guint32         lowest)
{
  const guint32 v = wf_find_root (roots, edge->word[WF_EDGE_SMALLER] - lowest);
  const guint32 w = wf_find_root (roots, edge->word[WF_EDGE_LARGER] - lowest);

  roots[MAX (v, w)] = MIN (v, w);
  return v != w;
}

/* Drops edges of one pass at exits: those whose ends lower passes connect, and repetitions. */
static void
drop_connected (WfTriple *edges,
                gint64    n,
                guint32  *roots,
                guint32   lowest,
                guint32   n_fixed)
{
  WfTriple before = { { 0, 0, 0 } };

  for (gint64 i = 0; i < n; i++)
    {
      const WfTriple edge = edges[i];

      if (! is_at_exit (&edge, n_fixed))
        continue;
      if ((edge.word[WF_EDGE_LARGER] == before.word[WF_EDGE_LARGER] &&
           edge.word[WF_EDGE_SMALLER] == before.word[WF_EDGE_SMALLER]) ||
          wf_find_root (roots, edge.word[WF_EDGE_SMALLER] - lowest) ==
          wf_find_root (roots, edge.word[WF_EDGE_LARGER] - lowest))
        edges[i].word[WF_EDGE_LARGER] = edge.word[WF_EDGE_SMALLER];
      before = edge;
    }
}

/* Keeps of @n edges, which are in order, those of the minimum spanning forest, and those at exits
 * that may be in that of the whole; returns how many are kept, in order.  @roots: memory for the
 * vertices from @lowest on; @n_fixed: vertices that are no exits
 */
gint64
wf_hierarchy_keep_forest (WfTriple *edges,
                          gint64    n,
                          guint32  *roots,
                          guint32   lowest,
                          guint32   n_fixed)
{
  gint64 n_kept = 0;

  for (gint64 i = 0; i < n; i++)
    for (int k = WF_EDGE_LARGER; k <= WF_EDGE_SMALLER; k++)
      roots[edges[i].word[k] - lowest] = edges[i].word[k] - lowest;
  for (gint64 i = 0, end; i < n; i = end)
    {
      const gint64 first = n_kept;

      for (end = i + 1; end < n && edges[end].word[WF_EDGE_PASS] == edges[i].word[WF_EDGE_PASS];)
        end++;
      drop_connected (edges + i, end - i, roots, lowest, n_fixed);
      for (gint64 k = i; k < end; k++)
        if (! is_dropped (&edges[k]) &&
            (is_at_exit (&edges[k], n_fixed) || join_ends (roots, &edges[k], lowest)))
          edges[n_kept++] = edges[k];
      for (gint64 k = first; k < n_kept; k++)
        if (is_at_exit (&edges[k], n_fixed))
          join_ends (roots, &edges[k], lowest);
    }
  return n_kept;
}
