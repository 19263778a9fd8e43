/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of basins: declarations that the steps of the hierarchy on the CPU share. */

#pragma once

#include "engine/cpu/cpu.h"
#include "engine/cpu/ordered-key.h"
#include "engine/cpu/triples.h"
#include "engine/core/grid.h"
#include "engine/hierarchy/hierarchy.h"
#include "boundary-rows.h"

/* Vertices are numbered in 31 bits: their tree has twice as many nodes. */
#define WF_MOST_VERTICES ((guint32) G_MAXINT32)

/* An edge of the graph is a triple: the key of its pass, its smaller and its larger vertex. */
#define WF_EDGE_LARGER  0
#define WF_EDGE_SMALLER 1
#define WF_EDGE_PASS    2

/**
 * WfMerge:
 * @left, @right: nodes: a basin, or the number of basins plus the number of a merge
 * @pass: the key of the level at which they meet
 * @a, @b: the basins, one of each node, that meet there
 */
typedef struct
{
  guint32 left, right;
  guint32 pass;
  guint32 a, b;
} WfMerge;

/**
 * WfBasinGraph:
 * @marks: for this processor
 * @tree: the result
 * @least: for each basin its least level, as a key, with %WF_MEASURE_DYNAMICS
 * @area: for each basin its number of pixels, with %WF_MEASURE_AREA
 * @is_part: whether the image is a band, which may have no basins at all
 * @n_fixed: basins and unlabelled minima
 * @n_vertices: these, then exits: the unlabelled pixels of the rows before and after a band
 * @vertices: of the pixels, plus 1, u32: the caller's labels or @own
 * @own: packed
 * @edges: the least passes between vertices, and possibly higher ones, in order
 * @merges: of basins, in order; one less than there are basins
 */
typedef struct WfBasinGraph
{
  const WfHierarchyTask *task;
  WfRun                 *run;
  WfNeighbourhood        neighbours;
  const WfMarkSteps     *marks;
  WfBasinTree           *tree;
  guint32               *least;
  guint64               *area;
  gboolean               is_part;
  guint32                n_fixed;
  guint32                n_vertices;
  WfImage                vertices;
  guint32               *own;
  WfTriples              edges;
  WfMerge               *merges;
} WfBasinGraph;

gboolean wf_hierarchy_vertices     (WfBasinGraph   *graph,
                                    GError        **error);
gboolean wf_hierarchy_take_labels  (WfBasinGraph   *graph,
                                    guint32         n_labels,
                                    GError        **error);
gboolean wf_hierarchy_index_labels (WfBasinTree    *tree,
                                    GError        **error);
gboolean wf_hierarchy_refuse_empty (GError        **error);
gboolean wf_hierarchy_unlabelled   (WfBasinGraph   *graph,
                                    GError        **error);
gboolean wf_hierarchy_check_count  (guint64         n_vertices,
                                    GError        **error);
gboolean wf_hierarchy_boundaries   (WfBasinGraph   *graph,
                                    GError        **error);
guint64  wf_hierarchy_boundaries_memory
                                   (const WfHierarchyTask *task,
                                    guint                  n_threads);
gboolean wf_hierarchy_merge        (WfBasinGraph   *graph,
                                    GError        **error);
gboolean wf_hierarchy_measure      (WfBasinGraph   *graph,
                                    double         *depths,
                                    GError        **error);
gboolean wf_hierarchy_volumes      (WfBasinGraph   *graph,
                                    double         *depths,
                                    GError        **error);
guint64  wf_hierarchy_volumes_memory
                                   (guint           n_threads);
gint64   wf_hierarchy_keep_forest  (WfTriple       *edges,
                                    gint64          n,
                                    guint32        *roots,
                                    guint32         lowest,
                                    guint32         n_fixed);
void     wf_hierarchy_clear        (WfBasinGraph   *graph);
gboolean wf_hierarchy_order        (WfBasinGraph   *graph,
                                    const double   *depths,
                                    GError        **error);
gboolean wf_hierarchy_relabel_run  (gconstpointer    task,
                                    WfRun           *run,
                                    GError         **error);
gboolean wf_hierarchy_saliency_run (gconstpointer    task,
                                    WfRun           *run,
                                    GError         **error);


G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfBasinGraph, wf_hierarchy_clear)


/*  Rows  */

static inline gint64
wf_count_rows (const WfHierarchyTask *task)
{
  return task->shape.height * task->shape.depth;
}

/* Whether a row is one of the task's own, not one that is looked at only. */
static inline gboolean
wf_row_is_own (const WfHierarchyTask *task,
               gint64                 row)
{
  return row >= task->rows_before && row < wf_count_rows (task) - task->rows_after;
}

/* Whether the row @dy and @dz away from @row lies in the image; @other is its number. */
static inline gboolean
wf_row_beside (const WfShape *shape,
               gint64         row,
               int            dy,
               int            dz,
               gint64        *other)
{
  const gint64 y = row % shape->height + dy;
  const gint64 z = row / shape->height + dz;

  *other = z * shape->height + y;
  return y >= 0 && y < shape->height && z >= 0 && z < shape->depth;
}

/* Counts the pixels of a row from @first up to but without @after for @basin (measures.c). */
void wf_hierarchy_count_run (const WfBasinGraph *graph,
                             guint32             basin,
                             gconstpointer       levels,
                             gint64              first,
                             gint64              after);
