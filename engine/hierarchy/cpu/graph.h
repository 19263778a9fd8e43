/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the steps of the hierarchy on the CPU share. */

#pragma once

#include "engine/cpu/cpu.h"
#include "engine/cpu/ordered-key.h"
#include "engine/core/grid.h"
#include "engine/hierarchy/hierarchy.h"
#include "boundary-rows.h"

/* Vertices are numbered in 31 bits: their tree has twice as many nodes. */
#define WF_MOST_VERTICES ((guint32) G_MAXINT32)

/**
 * WfTriple:
 * @word: the last is the most significant
 *
 * A sort key of 96 bits.  An edge of the graph is one: its pass as a key of levels,
 * its smaller and its larger vertex.
 */
typedef struct
{
  guint32 word[3];
} WfTriple;

#define WF_EDGE_LARGER  0
#define WF_EDGE_SMALLER 1
#define WF_EDGE_PASS    2

/**
 * WfTriples:
 *
 * A list that grows.
 */
typedef struct
{
  WfTriple *items;
  gint64    n;
  gint64    capacity;
} WfTriples;

/**
 * WfMerge:
 * @left, @right: nodes: a basin, or the number of basins plus that of a merge
 * @pass: the key of the level at which they meet
 * @a, @b: the basins, one of each, between which they meet
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
 * @tree: what is being made
 * @least: for each basin its least level, as a key, with %WF_MEASURE_DYNAMICS
 * @area: for each basin its pixels, with %WF_MEASURE_AREA
 * @n_vertices: basins and unlabelled minima
 * @vertices: of the pixels, plus 1, u32: the caller's labels or @own
 * @own: packed
 * @edges: the least passes between vertices, and maybe higher ones, in order
 * @merges: of basins, in order: one less than there are basins
 */
typedef struct
{
  const WfHierarchyTask *task;
  WfRun                 *run;
  WfNeighbourhood        neighbours;
  const WfMarkSteps     *marks;
  WfBasinTree           *tree;
  guint32               *least;
  guint64               *area;
  guint32                n_vertices;
  WfImage                vertices;
  guint32               *own;
  WfTriples              edges;
  WfMerge               *merges;
} WfBasinGraph;

gboolean wf_hierarchy_vertices     (WfBasinGraph   *graph,
                                    GError        **error);
gboolean wf_hierarchy_unlabelled   (WfBasinGraph   *graph,
                                    GError        **error);
gboolean wf_hierarchy_boundaries   (WfBasinGraph   *graph,
                                    GError        **error);
gboolean wf_hierarchy_merge        (WfBasinGraph   *graph,
                                    GError        **error);
gboolean wf_hierarchy_measure      (WfBasinGraph   *graph,
                                    double         *depths,
                                    GError        **error);
gboolean wf_hierarchy_volumes      (WfBasinGraph   *graph,
                                    double         *depths,
                                    GError        **error);
gboolean wf_hierarchy_order        (WfBasinGraph   *graph,
                                    const double   *depths,
                                    GError        **error);
gboolean wf_hierarchy_relabel_run  (gconstpointer    task,
                                    WfRun           *run,
                                    GError         **error);
gboolean wf_hierarchy_saliency_run (gconstpointer    task,
                                    WfRun           *run,
                                    GError         **error);


/*  Lists  */

gboolean wf_triples_grow           (WfTriples   *triples,
                                    gint64       least,
                                    GError     **error);
gboolean wf_triples_sort           (WfTriples   *triples,
                                    gint64       first,
                                    int          least_word,
                                    WfTriples   *scratch,
                                    WfRun       *run,
                                    GError     **error);

static inline gboolean
wf_triples_push (WfTriples  *triples,
                 WfTriple    triple,
                 GError    **error)
{
  if (G_UNLIKELY (triples->n == triples->capacity) &&
      ! wf_triples_grow (triples, triples->n + 1, error))
    return FALSE;
  triples->items[triples->n++] = triple;
  return TRUE;
}

static inline void
wf_triples_clear (WfTriples *triples)
{
  g_free (triples->items);
  *triples = (WfTriples) { 0 };
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfTriples, wf_triples_clear)


/*  Rows  */

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

/* The pixels of one label, from @first up to but without @after, of a row of @image
 * belong to @basin.
 */
void wf_hierarchy_count_run (const WfBasinGraph *graph,
                             guint32             basin,
                             gconstpointer       levels,
                             gint64              first,
                             gint64              after);
