/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy on the CPU, in these steps:
 *
 *   1. basins are counted and pixels numbered by them     vertices.c, unlabelled.c
 *   2. least passes between neighbouring basins            boundaries.c
 *   3. the minimum spanning tree, as merges of basins      forest.c, merges.c
 *   4. depths of the merges, by the measure               measures.c, volumes.c
 *   5. the tree in the order of depth                      measures.c
 *
 * All work on pixels is done by all threads; the work of a single thread is proportional to
 * the number of basins.  Partitions and saliency maps: regions.c.  The first two steps for a band
 * of an image that is larger than memory: summary.c.
 */

#include "config.h"

#include "graph.h"

/* Pixels for each basin, for estimates: the watershed of noise with 4 neighbours has one
 * basin for five pixels.
 */
#define LIKELY_BASIN 5


void
wf_hierarchy_clear (WfBasinGraph *graph)
{
  g_free (graph->least);
  g_free (graph->area);
  g_free (graph->own);
  wf_triples_clear (&graph->edges);
  g_free (graph->merges);
}

/* Gets the edges from @find instead of searching for them. */
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

/* @n_labels: of #WfHierarchyTask, for @find only; @find: a device's function that finds the
 * boundaries; %NULL: wf_hierarchy_boundaries()
 */
gboolean
wf_hierarchy_build (const WfHierarchyTask  *task,
                    WfRun                  *run,
                    guint32                 n_labels,
                    WfFindBoundariesFunc    find,
                    gpointer                data,
                    GError                **error)
{
  g_auto (WfBasinGraph)  graph  = { .task = task, .run = run, .tree = task->tree,
                                    .marks = wf_mark_steps () };
  g_autofree double     *depths = NULL;

  if (find)
    run->n_threads = task->build_threads;

  /* A device that failed may have left a part of the tree. */
  g_clear_pointer (&task->tree->labels, g_free);
  g_clear_pointer (&task->tree->index, g_free);
  g_clear_pointer (&task->tree->joined, g_free);
  g_clear_pointer (&task->tree->rank, g_free);
  g_clear_pointer (&task->tree->depths, g_free);

  wf_neighbourhood_init (&graph.neighbours, task->connectivity, &task->shape);
  if (! (n_labels > 0 ? wf_hierarchy_take_labels (&graph, n_labels, error)
                      : wf_hierarchy_vertices (&graph, error)) ||
      ! (find ? find_elsewhere (&graph, find, data, error)
              : wf_hierarchy_boundaries (&graph, error)) ||
      ! wf_hierarchy_merge (&graph, error) ||
      ! (depths = wf_allocate (task->tree->n_basins - 1, sizeof (double), error)))
    return FALSE;

  return (task->measure == WF_MEASURE_VOLUME ? wf_hierarchy_volumes (&graph, depths, error)
                                             : wf_hierarchy_measure (&graph, depths, error)) &&
         wf_hierarchy_order (&graph, depths, error);
}

/* Bytes for each basin: those for sorting edges or for measuring merges. */
guint64
wf_hierarchy_basin_memory (const WfHierarchyTask *task)
{
  const guint64 sorted = 3 * sizeof (WfTriple);
  const guint64 merged = sizeof (WfMerge) + 2 * sizeof (double);
  guint64       basin;

  if (task->measure != WF_MEASURE_VOLUME)
    basin = merged + 6 * sizeof (guint32) + 3 * sizeof (guint64);
  else
    basin = merged + 10 * sizeof (guint32) + 2 * (task->type == WF_TYPE_F32 ? 14 : 2)
                                               * sizeof (gint64);
  return MAX (basin, sorted);
}

guint64
wf_hierarchy_build_memory (gconstpointer data,
                           guint         n_threads)
{
  const WfHierarchyTask *task   = data;
  const guint64          n      = wf_shape_n_pixels (&task->shape);
  guint64                tables = wf_hierarchy_boundaries_memory (task, n_threads);

  if (task->measure == WF_MEASURE_VOLUME)
    tables = MAX (tables, wf_hierarchy_volumes_memory (n_threads));
  return n * sizeof (guint32) + n / 8 + task->shape.height * task->shape.depth * sizeof (guint32)
         + (n / LIKELY_BASIN + 1) * wf_hierarchy_basin_memory (task) + tables;
}
