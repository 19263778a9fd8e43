/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of the watershed on the CPU that do not depend on the type of the
 * image, and the table of those that do.
 */

#pragma once

#include "arrows.h"
#include "cpu.h"

/* In L2: not reached from a lower border or a marker. */
#define WF_UNREACHED G_MAXUINT32

/**
 * WfFlood:
 * @task: what is wanted
 * @image: the task's image, packed
 * @labels: the result, packed
 * @level: L1, of the image's type
 * @plateau: L2
 * @basins: a label a pixel; where lines are wanted not yet the result
 * @markers: labels of the markers, packed, or %NULL where the minima are to be found
 * @arrows: for each pixel its lowest neighbour, or that it is a root
 * @point_row: finds the arrows of a row
 */
typedef struct
{
  const WfWatershedTask *task;
  WfNeighbourhood        neighbours;
  WfRun                 *run;
  gconstpointer          image;
  guint32               *labels;
  gconstpointer          level;
  guint32               *plateau;
  guint32               *basins;
  const guint32         *markers;
  guint8                *arrows;
  void                (* point_row) (const WfArrowRow *row);
} WfFlood;

/**
 * WfFloodSteps:
 * @start_plateaux: finds the arrows, and sets L2 to 0 at markers (of which there
 *   may be none yet) and beside lower pixels, to %WF_UNREACHED elsewhere
 * @propagate_plateaux: completes L2
 * @follow_row: gives every pixel of a row the label at the end of its path
 * @draw_lines: sets the labels, 0 on lines
 * @raise: result = image + tolerance, at most the type's largest value
 * @start_levels: result = image at markers, the type's largest value elsewhere
 */
typedef struct
{
  gboolean (* start_plateaux)     (const WfFlood *flood, GError **error);
  gboolean (* propagate_plateaux) (const WfFlood *flood, GError **error);
  gboolean (* follow_row)         (const WfFlood *flood, gint64 start, WfFifo *path,
                                   GError **error);
  gboolean (* draw_lines)         (const WfFlood *flood, GError **error);
  void     (* raise)              (const WfFlood *flood, gpointer result);
  void     (* start_levels)       (const WfFlood *flood, const guint32 *markers, gpointer result);
} WfFloodSteps;

extern const WfFloodSteps wf_flood_steps_u8;
extern const WfFloodSteps wf_flood_steps_u16;
extern const WfFloodSteps wf_flood_steps_f32;
