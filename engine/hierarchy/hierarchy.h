/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy of basins as its variants fill it and its readers walk it.  The
 * definitions are in hierarchy.c.
 */

#pragma once

#include <string.h>

#include "engine/core/tasks.h"

/**
 * WfBasinTree:
 * @n_basins: numbered from 0 by increasing label
 * @connectivity: 4, 8, 6 or 26
 * @highest: the largest label
 * @labels: of the basins; %NULL where they are 1, 2, …, @n_basins
 * @index: for every label up to @highest its basin + 1, or 0; %NULL where @labels
 *   is, or where the labels are too far apart
 * @joined: for every basin the smaller one that its region is joined to; the first
 *   basin's is itself
 * @rank: for every basin the number of that joining, in order of depth;
 *   %G_MAXUINT32 for the first one, which is never joined to another
 * @depths: of the joinings, ascending: @n_basins − 1 of them
 * @n_parts: how many regions there are at least: those of the parts of a mask, which no cut joins;
 *   0 without a mask
 *
 * A region's smallest basin stands for it: the joinings with a rank below k divide
 * the basins into regions, and those basins whose rank is k or more are the first of
 * their region.
 */
struct _WfBasinTree
{
  guint32  n_basins;
  int      connectivity;
  guint32  highest;
  guint32 *labels;
  guint32 *index;
  guint32 *joined;
  guint32 *rank;
  double  *depths;
  guint32  n_parts;
};

/**
 * WfLowTree:
 * @up: for each basin its parent; the root's is itself
 * @rank: for each basin the number of the joining that made it the child; %G_MAXUINT32 for the root
 *
 * The same joinings as a tree whose depth is at most the logarithm of the number of basins, for
 * finding the one that unites two basins (cpu/regions.c).
 */
struct _WfLowTree
{
  guint32 *up;
  guint32 *rank;
};

WfHierarchy *       wf_hierarchy_new_empty    (WfBasinTree           **tree);
const WfBasinTree * wf_hierarchy_get_tree     (const WfHierarchy      *hierarchy);
void                wf_hierarchy_keep_parts   (WfHierarchy            *hierarchy);
gboolean            wf_low_tree_init          (WfLowTree              *low,
                                               const WfBasinTree      *tree,
                                               WfRun                  *run,
                                               GError                **error);
void                wf_low_tree_clear         (WfLowTree              *low);

/* What the front puts into a #WfHierarchyTask: building on the CPU. */
gboolean            wf_hierarchy_build        (const WfHierarchyTask  *task,
                                               WfRun                  *run,
                                               guint32                 n_labels,
                                               WfFindBoundariesFunc    find,
                                               gpointer                data,
                                               GError                **error);
guint64             wf_hierarchy_build_memory (gconstpointer           task,
                                               guint                   n_threads);
guint64             wf_hierarchy_basin_memory (const WfHierarchyTask  *task);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfLowTree, wf_low_tree_clear)

static inline void
wf_basin_tree_clear (WfBasinTree *tree)
{
  g_free (tree->labels);
  g_free (tree->index);
  g_free (tree->joined);
  g_free (tree->rank);
  g_free (tree->depths);
  memset (tree, 0, sizeof *tree);
}

/* The basin with @label, plus 1, or 0 if there is none. */
static inline guint32
wf_basin_tree_find (const WfBasinTree *tree,
                    guint32            label)
{
  guint32 first = 0;
  guint32 after = tree->n_basins;

  if (label > tree->highest)
    return 0;
  if (! tree->labels)
    return label;
  if (tree->index)
    return tree->index[label];
  while (first < after)
    {
      guint32 middle = first + (after - first) / 2;

      if (tree->labels[middle] < label)
        first = middle + 1;
      else
        after = middle;
    }
  return first < tree->n_basins && tree->labels[first] == label ? first + 1 : 0;
}
