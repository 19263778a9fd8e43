/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy on the CPU, in these steps:
 *
 *   1. basins are counted and pixels numbered by them     vertices.c, unlabelled.c
 *   2. least passes between neighbouring basins            boundaries.c
 *   3. the minimum spanning tree, as merges of basins      merges.c
 *   4. what the part that gives way measures               measures.c, volumes.c
 *   5. the tree in the order of depth                      measures.c
 *
 * All that goes over pixels is done by all threads; what is left for one thread is as
 * long as there are basins.  Partitions and saliency maps: regions.c.
 */

#include "config.h"

#include "graph.h"

/* Where nobody has counted the basins, it is supposed that there are as many as the
 * watershed of noise has with 4 neighbours, one in five pixels: what images give.
 */
#define LIKELY_BASIN 5


static void
graph_clear (WfBasinGraph *graph)
{
  g_free (graph->least);
  g_free (graph->area);
  g_free (graph->own);
  wf_triples_clear (&graph->edges);
  g_free (graph->merges);
}

typedef WfBasinGraph Graph;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Graph, graph_clear)

/* Takes the edges that @find gives, which the CPU's own search need not find. */
static gboolean
find_elsewhere (WfBasinGraph          *graph,
                WfFindBoundariesFunc   find,
                gpointer               data,
                GError               **error)
{
  g_auto (WfTriples) scratch = { 0 };
  WfBoundaries       found   =
    {
      .vertices   = &graph->vertices,
      .n_vertices = graph->n_vertices,
      .least      = graph->own ? NULL : graph->least,
      .area       = graph->own ? NULL : graph->area,
    };

  G_STATIC_ASSERT (sizeof (WfBoundary) == sizeof (WfTriple) &&
                   G_STRUCT_OFFSET (WfBoundary, larger) == WF_EDGE_LARGER * sizeof (guint32) &&
                   G_STRUCT_OFFSET (WfBoundary, smaller) == WF_EDGE_SMALLER * sizeof (guint32) &&
                   G_STRUCT_OFFSET (WfBoundary, pass) == WF_EDGE_PASS * sizeof (guint32));

  if (! find (data, &found, error))
    return FALSE;
  graph->edges = (WfTriples) { (WfTriple *) found.edges, found.n_edges, found.n_edges };
  return wf_triples_sort (&graph->edges, 0, 0, &scratch, graph->run, error);
}

/* @find: what finds the boundaries; %NULL for the CPU itself */
gboolean
wf_hierarchy_build (const WfHierarchyTask  *task,
                    WfRun                  *run,
                    WfFindBoundariesFunc    find,
                    gpointer                data,
                    GError                **error)
{
  g_auto (Graph)         graph  = { .task = task, .run = run, .tree = task->tree,
                                    .marks = wf_mark_steps () };
  g_autofree double     *depths = NULL;

  if (find)
    run->n_threads = task->build_threads;

  /* What a device has left behind that failed. */
  g_clear_pointer (&task->tree->labels, g_free);
  g_clear_pointer (&task->tree->index, g_free);
  g_clear_pointer (&task->tree->joined, g_free);
  g_clear_pointer (&task->tree->rank, g_free);
  g_clear_pointer (&task->tree->depths, g_free);

  wf_neighbourhood_init (&graph.neighbours, task->connectivity, &task->shape);
  if (! wf_hierarchy_vertices (&graph, error) ||
      ! (find ? find_elsewhere (&graph, find, data, error)
              : wf_hierarchy_boundaries (&graph, error)) ||
      ! wf_hierarchy_merge (&graph, error) ||
      ! (depths = wf_allocate (task->tree->n_basins - 1, sizeof (double), error)))
    return FALSE;

  return (task->measure == WF_MEASURE_VOLUME ? wf_hierarchy_volumes (&graph, depths, error)
                                             : wf_hierarchy_measure (&graph, depths, error)) &&
         wf_hierarchy_order (&graph, depths, error);
}

/* Bytes for each basin: while edges are sorted, or while merges are measured. */
guint64
wf_hierarchy_build_memory (gconstpointer data)
{
  const WfHierarchyTask *task   = data;
  const guint64          n      = wf_shape_n_pixels (&task->shape);
  const guint64          sorted = 3 * sizeof (WfTriple);
  const guint64          merged = sizeof (WfMerge) + 2 * sizeof (double);
  guint64                basin;

  if (task->measure != WF_MEASURE_VOLUME)
    basin = merged + 6 * sizeof (guint32) + 3 * sizeof (guint64);
  else
    basin = merged + 10 * sizeof (guint32) + 2 * (task->type == WF_TYPE_F32 ? 14 : 2)
                                               * sizeof (gint64);
  return n * sizeof (guint32) + n / 8 + task->shape.height * task->shape.depth * sizeof (guint32)
         + (n / LIKELY_BASIN + 1) * MAX (basin, sorted) + (1 << 18);
}
