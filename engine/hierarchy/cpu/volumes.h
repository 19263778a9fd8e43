/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The volumes of the basins below the passes of their merges, over an image or over its bands. */

#pragma once

#include "graph.h"

/**
 * WfVolumeNode:
 * @end: the pass at which it is merged into its parent; %G_MAXUINT32 for the last one
 * @up: the parent, or its last ancestor that is made at the same level
 * @jump: an ancestor further up, or @up
 * @start_of_jump: the pass at which @jump is made
 */
typedef struct
{
  guint32 end;
  guint32 up;
  guint32 jump;
  guint32 start_of_jump;
} WfVolumeNode;

/**
 * WfVolumes:
 * @n: basins
 * @n_nodes: these and the merges
 * @n_cells: of each node
 * @cells: for each node the sums over the pixels that were added to it
 */
typedef struct
{
  WfBasinGraph *graph;
  guint32       n;
  guint32       n_nodes;
  int           n_cells;
  WfVolumeNode *nodes;
  gint64       *cells;
} WfVolumes;

gboolean wf_volumes_init    (WfVolumes              *volumes,
                             WfBasinGraph           *graph,
                             GError                **error);
void     wf_volumes_clear   (WfVolumes              *volumes);
gboolean wf_volumes_add     (WfVolumes              *volumes,
                             const WfHierarchyTask  *task,
                             WfRun                  *run,
                             GError                **error);
void     wf_volumes_carry   (WfVolumes              *volumes);
gboolean wf_volumes_measure (WfVolumes              *volumes,
                             double                 *depths,
                             GError                **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfVolumes, wf_volumes_clear)
