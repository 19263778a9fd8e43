/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The depths of the merges by dynamics and area, and the tree in the order of depth.
 * (Volumes: volumes.c.)
 *
 * Merges at the same level count as one: a node that is made at the level at which it is
 * merged again has the measure of the largest node that it was made from.
 */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "measures.h"
#include "engine/cpu/union-find.h"

#define MERGES_TO_A_LOOK 0x10000


static inline void
lower_to (guint32 *least,
          guint32  key)
{
  guint32 known = __atomic_load_n (least, __ATOMIC_RELAXED);

  while (key < known &&
         ! __atomic_compare_exchange_n (least, &known, key, TRUE, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
    ;
}

static inline guint32
least_key (gconstpointer levels,
           gint64        first,
           gint64        after,
           const WfType  type)
{
  guint32 least = G_MAXUINT32;

  for (gint64 x = first; x < after; x++)
    least = MIN (least, wf_level_key (levels, x, type));
  return least;
}

/* Counts the pixels of a row from @first up to but without @after for @basin: its least
 * level or its area.
 */
void
wf_hierarchy_count_run (const WfBasinGraph *graph,
                        guint32             basin,
                        gconstpointer       levels,
                        gint64              first,
                        gint64              after)
{
  const WfType type = graph->task->type;

  if (graph->least)
    lower_to (&graph->least[basin],
              type == WF_TYPE_U8    ? least_key (levels, first, after, WF_TYPE_U8)
              : type == WF_TYPE_U16 ? least_key (levels, first, after, WF_TYPE_U16)
                                    : least_key (levels, first, after, WF_TYPE_F32));
  if (graph->area)
    __atomic_fetch_add (&graph->area[basin], after - first, __ATOMIC_RELAXED);
}


/*  Depths  */

/* The difference between the levels of @pass and @least; that of equal infinities is 0. */
static inline double
dynamics (guint32 pass,
          guint32 least,
          WfType  type)
{
  return pass == least ? 0 : wf_key_level (pass, type) - wf_key_level (least, type);
}

/* @counts: for each basin, then for each merge: its least level or its area */
static double
measure_node (const WfBasinGraph *graph,
              gpointer            counts,
              guint32             node,
              guint32             pass)
{
  if (graph->task->measure == WF_MEASURE_DYNAMICS)
    return dynamics (pass, ((const guint32 *) counts)[node], graph->task->type);
  if (graph->task->type == WF_TYPE_F32 && isinf (wf_key_level (pass, WF_TYPE_F32)) > 0)
    return INFINITY;
  return (double) ((const guint64 *) counts)[node];
}

static void
merge_counts (const WfBasinGraph *graph,
              gpointer            counts,
              guint32             left,
              guint32             right,
              guint32             merged)
{
  if (graph->task->measure == WF_MEASURE_DYNAMICS)
    {
      guint32 *least = counts;

      least[merged] = MIN (least[left], least[right]);
    }
  else
    {
      guint64 *area = counts;

      area[merged] = area[left] + area[right];
    }
}

/* Sets the depths of all merges, in order.  @measure: measures a node below a pass; @merge:
 * makes the counts of a merged node
 */
gboolean
wf_hierarchy_sweep (WfBasinGraph      *graph,
                    gpointer           counts,
                    WfMeasureNodeFunc  measure,
                    WfMergeCountsFunc  merge,
                    double            *depths,
                    GError           **error)
{
  const guint32       n       = graph->tree->n_basins;
  g_autofree double  *largest = wf_allocate (n, sizeof (double), error);

  if (! largest)
    return FALSE;
  for (guint32 i = 0; i + 1 < n; i++)
    {
      const WfMerge *m = &graph->merges[i];
      double         parts[2];

      if ((i + 1) % MERGES_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, MERGES_TO_A_LOOK))
        return wf_run_set_cancelled (error);
      for (int k = 0; k < 2; k++)
        {
          guint32 node = k == 0 ? m->left : m->right;

          parts[k] = node >= n && graph->merges[node - n].pass == m->pass
                     ? largest[node - n] : measure (graph, counts, node, m->pass);
        }
      largest[i] = MAX (parts[0], parts[1]);
      depths[i]  = MAX (MIN (parts[0], parts[1]), FLT_TRUE_MIN);
      merge (graph, counts, m->left, m->right, n + i);
    }
  return TRUE;
}

/* Sets the depths of the merges by dynamics or area. */
gboolean
wf_hierarchy_measure (WfBasinGraph  *graph,
                      double        *depths,
                      GError       **error)
{
  gboolean             dynamic = graph->task->measure == WF_MEASURE_DYNAMICS;
  gsize                size    = dynamic ? sizeof (guint32) : sizeof (guint64);
  gint64               n       = graph->tree->n_basins;
  g_autofree gpointer  counts  = wf_allocate (2 * n, size, error);

  if (! counts)
    return FALSE;
  memcpy (counts, dynamic ? (gpointer) graph->least : (gpointer) graph->area, n * size);
  return wf_hierarchy_sweep (graph, counts, measure_node, merge_counts, depths, error);
}


/*  Order  */

static gboolean
sort_merges (WfBasinGraph  *graph,
             const double  *depths,
             WfTriples     *order,
             GError       **error)
{
  const gint64       n       = (gint64) graph->tree->n_basins - 1;
  g_auto (WfTriples) scratch = { 0 };

  if (! wf_triples_grow (order, n, error))
    return FALSE;
  order->n = n;
  for (gint64 i = 0; i < n; i++)
    {
      guint64 bits;

      /* The bits of doubles that are not negative have the order of the doubles. */
      memcpy (&bits, &depths[i], sizeof bits);
      order->items[i] = (WfTriple) { { i, bits, bits >> 32 } };
      if ((i + 1) % MERGES_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, 0))
        return wf_run_set_cancelled (error);
    }
  return wf_triples_sort (order, 0, 1, &scratch, graph->run, error);
}

static gboolean
join_in_order (WfBasinGraph     *graph,
               const WfTriples  *order,
               const double     *depths,
               guint32          *roots,
               GError          **error)
{
  WfBasinTree *tree = graph->tree;

  for (guint32 i = 0; i < tree->n_basins; i++)
    {
      roots[i] = i;
      if ((i + 1) % MERGES_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, 0))
        return wf_run_set_cancelled (error);
    }
  tree->joined[0] = 0;
  tree->rank[0]   = G_MAXUINT32;
  for (gint64 rank = 0; rank < order->n; rank++)
    {
      const guint32  merge = order->items[rank].word[0];
      const WfMerge *m     = &graph->merges[merge];
      const guint32  a     = wf_find_root (roots, m->a);
      const guint32  b     = wf_find_root (roots, m->b);
      const guint32  first = MIN (a, b);
      const guint32  later = MAX (a, b);

      if ((rank + 1) % MERGES_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, MERGES_TO_A_LOOK))
        return wf_run_set_cancelled (error);
      roots[later]        = first;
      tree->joined[later] = first;
      tree->rank[later]   = rank;
      tree->depths[rank]  = depths[merge];
    }
  return TRUE;
}

/* Fills the tree with the merges in the order of their depths, then of their passes. */
gboolean
wf_hierarchy_order (WfBasinGraph  *graph,
                    const double  *depths,
                    GError       **error)
{
  WfBasinTree         *tree  = graph->tree;
  g_auto (WfTriples)   order = { 0 };
  g_autofree guint32  *roots = wf_allocate (tree->n_basins, sizeof (guint32), error);

  return roots &&
         (tree->joined = wf_allocate (tree->n_basins, sizeof (guint32), error)) &&
         (tree->rank = wf_allocate (tree->n_basins, sizeof (guint32), error)) &&
         (tree->depths = wf_allocate (tree->n_basins - 1, sizeof (double), error)) &&
         sort_merges (graph, depths, &order, error) &&
         join_in_order (graph, &order, depths, roots, error);
}
