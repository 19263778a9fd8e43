/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of a watershed on the CPU, and its steps:
 *
 *   marker-levels.c     L1
 *   plateau-distance.c  L2; in images its propagation is plateau-sweeps.c
 *   paths.c             arrows and labels
 *   steps.c             the table of steps that depend on the types of the image and of L2
 *   steepest.c          the algorithm, which calls all of them
 *   compact.c           another one, for compactness
 */

#pragma once

#include "arrows.h"
#include "engine/cpu/cpu.h"
#include "engine/label/cpu/runs.h"

/**
 * WfFlood:
 * @task: the task
 * @image: the task's image, packed
 * @labels: the result, packed
 * @level: L1, of the image's type
 * @plateau: L2, in bytes or, if @wide, in 32 bits
 * @resumed: whether L2 in 32 bits began with what bytes held
 * @basins: a label for each pixel; the result, unless lines are drawn
 * @markers: labels of the markers, packed, or %NULL where the minima are the markers
 * @arrows: for each pixel the neighbor that its water runs to, or %WF_ARROW_ROOT
 * @halo: of a band of a larger image, L2 of its first and its last row (of a stack: slice), which
 *   belong to the bands beside it, or %NULL where there is none beside it.  Their paths end there:
 *   they are roots.
 */
typedef struct
{
  const WfWatershedTask *task;
  WfNeighbourhood        neighbours;
  const guint32         *halo[2];
  WfRun                 *run;
  gconstpointer          image;
  guint32               *labels;
  gconstpointer          level;
  gpointer               plateau;
  gboolean               wide;
  gboolean               resumed;
  guint32               *basins;
  const guint32         *markers;
  guint8                *arrows;
} WfFlood;

/**
 * WfFloodSteps:
 * @start_plateaux: sets L2 to 0 at markers, if there are any, and beside lower pixels, to
 *   unreached elsewhere
 * @propagate_plateaux: completes L2; sets @too_wide if it does not fit its type
 * @point_row: finds the arrows of a row, from column @x0 to @x1
 * @draw_lines: sets the labels, 0 on lines
 */
typedef struct
{
  gboolean (* start_plateaux)     (const WfFlood *flood, GError **error);
  gboolean (* propagate_plateaux) (const WfFlood *flood, gboolean *too_wide, GError **error);
  void     (* point_row)          (const WfFlood *flood, gint64 x0, gint64 x1, gint64 y, gint64 z);
  gboolean (* draw_lines)         (const WfFlood *flood, GError **error);
} WfFloodSteps;

const WfFloodSteps * wf_flood_steps (const WfFlood *flood);

gboolean wf_flood_connect_minima     (const WfFlood       *flood,
                                      WfRuns              *minima,
                                      guint32             *n_minima,
                                      double               share,
                                      GError             **error);
gboolean wf_flood_label_minima       (const WfFlood       *flood,
                                      guint32             *labels,
                                      guint32             *n_minima,
                                      double               share,
                                      GError             **error);

gboolean wf_flood_sweep_plateaux     (const WfFlood       *flood,
                                      gboolean            *too_wide,
                                      GError             **error);
gint64   wf_plateau_side             (const WfFlood       *flood);
gboolean wf_flood_measure_plateaux   (WfFlood             *flood,
                                      gpointer            *memory,
                                      double               share,
                                      GError             **error);

gboolean wf_flood_start_levels       (const WfFlood       *flood,
                                      const guint32       *markers,
                                      gpointer             levels,
                                      GError             **error);
gboolean wf_flood_reconstruct_levels (const WfFlood       *flood,
                                      gpointer             levels,
                                      double               share,
                                      GError             **error);

gboolean wf_flood_restore_minima     (const WfFlood       *flood,
                                      gpointer             levels,
                                      GError             **error);

gboolean wf_flood_count_labels       (const WfFlood       *flood,
                                      guint32             *n_labels,
                                      GError             **error);
gboolean wf_flood_compact            (const WfWatershedTask *task,
                                      WfRun               *run,
                                      GError             **error);
guint64  wf_flood_compact_memory     (const WfWatershedTask *task);

gboolean wf_flood_follow             (const WfFlood       *flood,
                                      const WfFloodSteps  *steps,
                                      const WfRuns        *minima,
                                      GError             **error);
gboolean wf_flood_follow_some        (const WfFlood       *flood,
                                      const WfFloodSteps  *steps,
                                      gint64               first,
                                      gint64               end,
                                      guint8              *pointed,
                                      GError             **error);

static inline gint64
wf_flood_n_rows (const WfFlood *flood)
{
  return flood->task->shape.height * flood->task->shape.depth;
}

/* Pixels of the halo at one side, if there is one. */
static inline gint64
wf_flood_halo_size (const WfFlood *flood)
{
  const WfShape *shape = &flood->task->shape;

  return shape->width * (shape->depth > 1 ? shape->height : 1);
}

/* L2 of a row of the halo, or NULL for a row of the band itself. */
static inline const guint32 *
wf_flood_halo_row (const WfFlood *flood,
                   gint64         y,
                   gint64         z)
{
  const WfShape *shape  = &flood->task->shape;
  const gboolean stack  = shape->depth > 1;
  const gint64   unit   = stack ? z : y;
  const gint64   last   = (stack ? shape->depth : shape->height) - 1;
  const guint32 *halo   = unit == 0 && flood->halo[0] ? flood->halo[0]
                        : unit == last ? flood->halo[1] : NULL;

  return halo ? halo + (stack ? y * shape->width : 0) : NULL;
}
