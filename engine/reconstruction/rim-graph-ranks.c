/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by several ranks: an interval of parts (engine/ranks/tree.h) has two rims like a
 * band, with the levels that they reach in it, their masks, and a forest that connects them through
 * it.  Two intervals are a graph of two bands.  From outside an interval is told the levels of its
 * rims in the whole.
 */

#include "config.h"

#include <string.h>

#include "engine/core/context-private.h"
#include "rim-graph.h"

/**
 * Tree:
 * @n: pixels of both rims of an interval
 * @levels, @masks: of the rims of this rank's interval, as keys; @levels in the whole, in the end
 * @edges: of its forest
 * @pairs: the two intervals that were joined at each level
 */
typedef struct
{
  WfContext  *context;
  WfRim       rim;
  WfRun       run;
  gint64      n;
  guint32    *levels;
  guint32    *masks;
  WfTriples   edges;
  WfRimGraph  pairs[WF_RANK_LEVELS];
} Tree;


static void
tree_clear (Tree *tree)
{
  g_free (tree->levels);
  g_free (tree->masks);
  wf_triples_clear (&tree->edges);
  for (int level = 0; level < WF_RANK_LEVELS; level++)
    wf_rim_graph_clear (&tree->pairs[level]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

/* Bytes that the tree takes in any rank. */
guint64
wf_rim_tree_memory (const WfRim          *rim,
                    const WfCommunicator *ranks)
{
  const guint64 n      = WF_N_RIMS * wf_rim_n_pixels (rim);
  const guint64 across = wf_rim_n_pixels (rim) * (rim->reach == 0 ? 1 : rim->height > 1 ? 9 : 3);

  if (! wf_ranks_are_several (ranks))
    return 0;
  /* levels and masks, also those received; edges of three intervals; a contraction */
  return 4 * n * sizeof (guint32) + 3 * n * sizeof (WfTriple)
         + 2 * (2 * n + across) * sizeof (WfTriple) + 4 * n * sizeof (guint32)
         + wf_ranks_count_levels (ranks) * wf_rim_graph_memory (rim, 2);
}

static gboolean
tree_init (Tree              *tree,
           const WfRimGraph  *graph,
           WfContext         *context,
           GError           **error)
{
  tree->context = context;
  tree->rim     = graph->rim;
  tree->n       = graph->n_band_nodes;
  wf_run_init (&tree->run, context->cancellable, NULL, NULL, 0.0);
  tree->run.n_threads = wf_context_count_threads (context);
  return (tree->levels = wf_allocate (tree->n, sizeof (guint32), error)) &&
         (tree->masks = wf_allocate (tree->n, sizeof (guint32), error));
}

/* The interval of all bands of a graph, whose levels are those that they reach by themselves. */
static gboolean
summarize (Tree              *tree,
           const WfRimGraph  *graph,
           GError           **error)
{
  const gint64 rim  = wf_rim_n_pixels (&graph->rim);
  const gint64 last = wf_rim_graph_find (graph, graph->n_bands - 1, WF_BAND_LAST);

  memcpy (tree->levels, graph->level, rim * sizeof (guint32));
  memcpy (tree->masks, graph->mask_level, rim * sizeof (guint32));
  memcpy (tree->levels + rim, graph->level + last, rim * sizeof (guint32));
  memcpy (tree->masks + rim, graph->mask_level + last, rim * sizeof (guint32));
  tree->edges.n = 0;
  return wf_rim_graph_contract (graph, &tree->run, &tree->edges, error);
}

/* Of WfRankTree. */
static gboolean
send_summary (gpointer   data,
              guint      rank,
              GError   **error)
{
  const Tree     *tree  = data;
  WfCommunicator *ranks = tree->context->ranks;

  return wf_ranks_send (ranks, rank, tree->levels, tree->n, sizeof (guint32), error) &&
         wf_ranks_send (ranks, rank, tree->masks, tree->n, sizeof (guint32), error) &&
         wf_ranks_send (ranks, rank, &tree->edges.n, 1, sizeof (gint64), error) &&
         wf_ranks_send (ranks, rank, tree->edges.items, tree->edges.n, sizeof (WfTriple), error);
}

/* Puts an interval into a pair, as band @number. */
static gboolean
receive_summary (const Tree  *tree,
                 guint        rank,
                 WfRimGraph  *pair,
                 gint64       number,
                 GError     **error)
{
  WfCommunicator    *ranks = tree->context->ranks;
  const gint64       first = wf_rim_graph_find (pair, number, WF_BAND_FIRST);
  g_auto (WfTriples) edges = { 0 };
  gint64             n;

  if (! wf_ranks_receive (ranks, rank, pair->level + first, tree->n, sizeof (guint32), error) ||
      ! wf_ranks_receive (ranks, rank, pair->mask_level + first, tree->n, sizeof (guint32),
                          error) ||
      ! wf_ranks_receive (ranks, rank, &n, 1, sizeof (gint64), error) ||
      ! wf_triples_grow (&edges, n, error))
    return FALSE;
  edges.n = n;
  return wf_ranks_receive (ranks, rank, edges.items, n, sizeof (WfTriple), error) &&
         wf_rim_graph_link (pair, number, &edges, error);
}

/* Of WfRankTree. */
static gboolean
join (gpointer   data,
      guint      rank,
      guint      level,
      GError   **error)
{
  Tree       *tree = data;
  WfRimGraph *pair = &tree->pairs[level];

  if (! wf_rim_graph_init (pair, &tree->rim, 2, error))
    return FALSE;
  memcpy (pair->level, tree->levels, tree->n * sizeof (guint32));
  memcpy (pair->mask_level, tree->masks, tree->n * sizeof (guint32));
  return wf_rim_graph_link (pair, 0, &tree->edges, error) &&
         receive_summary (tree, rank, pair, 1, error) &&
         wf_rim_graph_solve (pair, tree->context->cancellable, error) &&
         summarize (tree, pair, error);
}

/* Of WfRankTree: the levels that an interval reaches are those of the whole. */
static void
reach_top (gpointer data)
{
}

/* Solves a graph again whose outer rims have the levels of the whole. */
static gboolean
take_levels (const Tree  *tree,
             WfRimGraph  *graph,
             GError     **error)
{
  const gint64 rim  = wf_rim_n_pixels (&graph->rim);
  const gint64 last = wf_rim_graph_find (graph, graph->n_bands - 1, WF_BAND_LAST);

  for (gint64 i = 0; i < rim; i++)
    {
      wf_rim_graph_raise (graph, i, tree->levels[i]);
      wf_rim_graph_raise (graph, last + i, tree->levels[rim + i]);
    }
  return wf_rim_graph_solve (graph, tree->context->cancellable, error);
}

/* Of WfRankTree. */
static gboolean
split (gpointer   data,
       guint      rank,
       guint      level,
       GError   **error)
{
  Tree       *tree = data;
  WfRimGraph *pair = &tree->pairs[level];

  if (! take_levels (tree, pair, error) ||
      ! wf_ranks_send (tree->context->ranks, rank, pair->level + tree->n, tree->n,
                       sizeof (guint32), error))
    return FALSE;
  memcpy (tree->levels, pair->level, tree->n * sizeof (guint32));
  return TRUE;
}

/* Of WfRankTree. */
static gboolean
receive_outside (gpointer   data,
                 guint      rank,
                 GError   **error)
{
  Tree *tree = data;

  return wf_ranks_receive (tree->context->ranks, rank, tree->levels, tree->n, sizeof (guint32),
                           error);
}

/* As wf_rim_graph_solve(), for the bands of all ranks. */
gboolean
wf_rim_graph_solve_ranks (WfRimGraph    *graph,
                          WfContext     *context,
                          const WfPart  *part,
                          GError       **error)
{
  static const WfRankTree functions =
    { send_summary, join, reach_top, split, receive_outside };
  g_auto (Tree) tree = { 0 };

  if (graph->n_bands == 0)
    return TRUE;
  if (! wf_rim_graph_solve (graph, context->cancellable, error))
    return FALSE;
  return part->n_ranks == 1 ||
         (tree_init (&tree, graph, context, error) &&
          summarize (&tree, graph, error) &&
          wf_ranks_solve (context->ranks, part, &functions, &tree, error) &&
          take_levels (&tree, graph, error));
}
