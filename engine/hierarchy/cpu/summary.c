/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of the basins of a band, with the steps of hierarchy.c: the band is read with a row, or
 * slice, before and after it, whose pixels are only neighbours.  Boundaries to the one after it
 * belong to the band.
 */

#include "config.h"

#include <string.h>

#include "graph.h"
#include "engine/hierarchy/basin-part.h"


/* Of all the band: each worker has left its own. */
static gboolean
keep_forest (WfBasinGraph  *graph,
             GError       **error)
{
  g_autofree guint32 *roots = wf_allocate (graph->n_vertices, sizeof (guint32), error);

  if (! roots)
    return FALSE;
  graph->edges.n = wf_hierarchy_keep_forest (graph->edges.items, graph->edges.n, roots, 0,
                                             graph->n_fixed);
  return TRUE;
}

static gboolean
list_labels (const WfBasinTree  *tree,
             WfBasinPart        *part,
             GError            **error)
{
  part->n_basins = tree->n_basins;
  part->labels   = wf_allocate (tree->n_basins, sizeof (guint32), error);
  for (guint32 i = 0; part->labels && i < tree->n_basins; i++)
    part->labels[i] = tree->labels ? tree->labels[i] : i + 1;
  return part->labels != NULL;
}

static guint32
count_unlabelled (const guint32 *labels,
                  gint64         n)
{
  guint32 found = 0;

  for (gint64 i = 0; i < n; i++)
    found += labels[i] == 0;
  return found;
}

/* Where the unlabelled pixels of a row, or slice, beside the band are.  @labels: its */
static gboolean
list_exits (const guint32  *labels,
            gint64          rim,
            WfBasinPart    *part,
            int             side,
            GError        **error)
{
  const guint32 n = count_unlabelled (labels, rim);

  part->exits[side] = wf_allocate (n, sizeof (guint32), error);
  if (! part->exits[side])
    return FALSE;
  for (gint64 i = 0; i < rim; i++)
    if (labels[i] == 0)
      part->exits[side][part->n_exits[side]++] = i;
  return TRUE;
}

/* What the unlabelled pixels of the band's first or last row, or slice, drain to.  @first: its
 * first pixel
 */
static gboolean
list_rim (const WfBasinGraph  *graph,
          gint64               first,
          gint64               rim,
          WfBasinPart         *part,
          int                  side,
          GError             **error)
{
  const guint32 *labels = (const guint32 *) graph->task->labels->data + first;

  part->rims[side] = wf_allocate (rim, sizeof (guint32), error);
  for (gint64 i = 0; part->rims[side] && i < rim; i++)
    part->rims[side][i] = labels[i] == 0 ? graph->own[first + i] : 0;
  return part->rims[side] != NULL;
}

static gboolean
list_sides (const WfBasinGraph  *graph,
            gint64               rim,
            WfBasinPart         *part,
            GError             **error)
{
  const WfHierarchyTask *task   = graph->task;
  const guint32         *labels = task->labels->data;
  const gint64           n      = wf_shape_n_pixels (&task->shape);

  return (task->rows_before == 0 ||
          (list_exits (labels, rim, part, WF_PART_BEFORE, error) &&
           list_rim (graph, rim, rim, part, WF_PART_BEFORE, error))) &&
         (task->rows_after == 0 ||
          (list_exits (labels + n - rim, rim, part, WF_PART_AFTER, error) &&
           list_rim (graph, n - 2 * rim, rim, part, WF_PART_AFTER, error)));
}

/* Makes the part of a band.  @task: its image and labels are packed, its tree is filled with the
 * band's labels, also if it fails, and is to be cleared; @rim: pixels of a row, or slice
 */
gboolean
wf_hierarchy_summarize (const WfHierarchyTask  *task,
                        gint64                  rim,
                        WfBasinPart            *part,
                        WfRun                  *run,
                        GError                **error)
{
  g_auto (WfBasinGraph) graph = { .task = task, .run = run, .tree = task->tree,
                                  .marks = wf_mark_steps (), .is_part = TRUE };

  wf_neighbourhood_init (&graph.neighbours, task->connectivity, &task->shape);
  if (! wf_hierarchy_vertices (&graph, error) ||
      ! wf_hierarchy_boundaries (&graph, error) ||
      ! keep_forest (&graph, error) ||
      ! list_labels (graph.tree, part, error) ||
      ! list_sides (&graph, rim, part, error))
    return FALSE;
  part->n_minima = graph.n_fixed - graph.tree->n_basins;
  part->edges    = graph.edges;
  part->least    = g_steal_pointer (&graph.least);
  part->area     = g_steal_pointer (&graph.area);
  graph.edges    = (WfTriples) { 0 };
  return TRUE;
}

/* Makes the graph of the whole of the part that is left when all were joined, which is emptied.  Of
 * @graph the task, the run and the tree are given.
 */
gboolean
wf_hierarchy_take_part (WfBasinGraph  *graph,
                        WfBasinPart   *part,
                        GError       **error)
{
  WfBasinTree *tree = graph->tree;

  if (part->n_basins == 0)
    return wf_hierarchy_refuse_empty (error);
  tree->n_basins = part->n_basins;
  tree->highest  = part->labels[part->n_basins - 1];
  if (tree->highest != tree->n_basins)
    tree->labels = g_steal_pointer (&part->labels);
  graph->n_vertices = graph->n_fixed = part->n_basins + part->n_minima;
  graph->edges      = part->edges;
  graph->least      = g_steal_pointer (&part->least);
  graph->area       = g_steal_pointer (&part->area);
  part->edges       = (WfTriples) { 0 };
  return wf_hierarchy_index_labels (tree, error);
}
