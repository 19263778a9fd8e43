/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The merges of basins: Kruskal's minimum spanning tree of the graph of boundaries.
 *
 * An unlabelled minimum belongs to the basin that it is first joined to; a merge at the
 * minimum is a merge at that basin.  Minima that are joined before belong to the same
 * basin.
 */

#include "config.h"

#include "graph.h"
#include "engine/cpu/union-find.h"

#define EDGES_TO_A_LOOK 0x10000
#define NO_NODE         G_MAXUINT32

/**
 * Forest:
 * @roots: of a union-find over the vertices
 * @nodes: for each root the node of the merges that it stands for, or %NO_NODE if the
 *   set has no basin
 * @minimum_roots: of a union-find over unlabelled minima that were joined without a basin
 * @owners: for each of those roots the basin that the minima belong to, plus 1, or 0
 */
typedef struct
{
  WfBasinGraph *graph;
  guint32       n_basins;
  guint32       n_merges;
  guint32      *roots;
  guint32      *nodes;
  guint32      *minimum_roots;
  guint32      *owners;
} Forest;


static void
forest_clear (Forest *forest)
{
  g_free (forest->roots);
  g_free (forest->nodes);
  g_free (forest->minimum_roots);
  g_free (forest->owners);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forest, forest_clear)

static gboolean
forest_init (Forest        *forest,
             WfBasinGraph  *graph,
             GError       **error)
{
  guint32 n         = graph->n_vertices;
  guint32 n_minima = n - graph->tree->n_basins;

  forest->graph    = graph;
  forest->n_basins = graph->tree->n_basins;
  if (! (forest->roots = wf_allocate (n, sizeof (guint32), error)) ||
      ! (forest->nodes = wf_allocate (n, sizeof (guint32), error)) ||
      ! (forest->minimum_roots = wf_allocate (n_minima, sizeof (guint32), error)) ||
      ! (forest->owners = wf_allocate (n_minima, sizeof (guint32), error)))
    return FALSE;

  for (guint32 v = 0; v < n; v++)
    {
      forest->roots[v] = v;
      forest->nodes[v] = v < forest->n_basins ? v : NO_NODE;
      if ((v + 1) % EDGES_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, 0))
        return wf_run_set_cancelled (error);
    }
  for (guint32 i = 0; i < n_minima; i++)
    {
      forest->minimum_roots[i] = i;
      forest->owners[i]       = 0;
    }
  return TRUE;
}

/* The basin that vertex @v is or belongs to; there must be one. */
static inline guint32
basin_of (Forest  *forest,
          guint32  v)
{
  if (v < forest->n_basins)
    return v;
  return forest->owners[wf_find_root (forest->minimum_roots, v - forest->n_basins)] - 1;
}

/* Joins the trees of the vertices @v and @w, whose roots are @root and @other, at
 * @pass.
 */
static inline void
join (Forest  *forest,
      guint32  v,
      guint32  root,
      guint32  w,
      guint32  other,
      guint32  pass)
{
  const guint32 left  = forest->nodes[root];
  const guint32 right = forest->nodes[other];
  const guint32 kept  = MIN (root, other);

  forest->roots[MAX (root, other)] = kept;
  if (left != NO_NODE && right != NO_NODE)
    {
      forest->graph->merges[forest->n_merges] = (WfMerge) {
        left, right, pass, basin_of (forest, v), basin_of (forest, w)
      };
      forest->nodes[kept] = forest->n_basins + forest->n_merges++;
      return;
    }

  forest->nodes[kept] = left != NO_NODE ? left : right;
  if (left == NO_NODE && right == NO_NODE)
    {
      guint32 a = wf_find_root (forest->minimum_roots, v - forest->n_basins);
      guint32 b = wf_find_root (forest->minimum_roots, w - forest->n_basins);

      forest->minimum_roots[MAX (a, b)] = MIN (a, b);
    }
  else if (left == NO_NODE)
    forest->owners[wf_find_root (forest->minimum_roots, v - forest->n_basins)]
      = basin_of (forest, w) + 1;
  else
    forest->owners[wf_find_root (forest->minimum_roots, w - forest->n_basins)]
      = basin_of (forest, v) + 1;
}

/* Joins the vertices of the edges, the lowest pass first, until there is one tree. */
gboolean
wf_hierarchy_merge (WfBasinGraph  *graph,
                    GError       **error)
{
  const guint32    n_merges = graph->tree->n_basins - 1;
  g_auto (Forest)  forest   = { 0 };

  wf_run_begin (graph->run, 0.1, graph->edges.n);
  graph->merges = wf_allocate (n_merges, sizeof (WfMerge), error);
  if (! graph->merges || ! forest_init (&forest, graph, error))
    return FALSE;

  for (gint64 i = 0; i < graph->edges.n && forest.n_merges < n_merges; i++)
    {
      const WfTriple *edge  = &graph->edges.items[i];
      const guint32   v     = edge->word[WF_EDGE_SMALLER];
      const guint32   w     = edge->word[WF_EDGE_LARGER];
      const guint32   root  = wf_find_root (forest.roots, v);
      const guint32   other = wf_find_root (forest.roots, w);

      if ((i + 1) % EDGES_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, EDGES_TO_A_LOOK))
        return wf_run_set_cancelled (error);
      if (root != other)
        join (&forest, v, root, w, other, edge->word[WF_EDGE_PASS]);
    }
  wf_triples_clear (&graph->edges);
  g_assert (forest.n_merges == n_merges);
  return TRUE;
}
