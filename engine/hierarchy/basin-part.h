/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of basins of some rows of an image, or slices of a stack, which follow each other: what
 * the hierarchy of the whole must know of them.  Two parts side by side become one, in any order.
 *
 * Its vertices are numbered from 0: basins, those with the smaller labels first; unlabelled minima
 * in raster order; exits.  An exit is an unlabelled pixel of the row, or slice, before or after the
 * part: paths and boundaries end there (engine/hierarchy/cpu/unlabelled.c).  In the part that
 * follows it belongs to a vertex, so the whole has no exits.
 */

#pragma once

#include "engine/cpu/triples.h"
#include "engine/measurements/survey.h"
#include "engine/ranks/communicator.h"

/* The two sides of a part. */
enum { WF_PART_BEFORE, WF_PART_AFTER, WF_PART_SIDES };

/**
 * WfBasinPart:
 * @n_basins, @n_minima: vertices
 * @n_exits: to the row, or slice, before and after it; vertices in this order
 * @labels: of the basins, ascending
 * @least: for each basin its least level, as a key, or %NULL
 * @area: for each basin its number of pixels, or %NULL
 * @survey: what is measured of each basin, if anything
 * @exits: for each exit its place in the row, or slice; ascending
 * @rims: for each pixel of the first and of the last row, or slice, the vertex that it drains to,
 *   plus 1, if it is unlabelled, else 0; %NULL where the image ends
 * @edges: the least passes between vertices, as far as they may be in the minimum spanning tree of
 *   the whole, in order (engine/hierarchy/cpu/forest.c)
 */
typedef struct
{
  guint32        n_basins;
  guint32        n_minima;
  guint32        n_exits[WF_PART_SIDES];
  guint32       *labels;
  guint32       *least;
  guint64       *area;
  WfBasinSurvey  survey;
  guint32       *exits[WF_PART_SIDES];
  guint32       *rims[WF_PART_SIDES];
  WfTriples      edges;
} WfBasinPart;

guint32  wf_basin_part_count   (const WfBasinPart   *part);
guint64  wf_basin_part_memory  (const WfBasinPart   *part,
                                gint64               rim);
void     wf_basin_part_clear   (WfBasinPart         *part);
gboolean wf_basin_part_join    (WfBasinPart         *part,
                                WfBasinPart         *after,
                                gint64               rim,
                                WfRun               *run,
                                GError             **error);
gboolean wf_basin_part_send    (const WfBasinPart   *part,
                                gint64               rim,
                                WfCommunicator      *ranks,
                                guint                to,
                                GError             **error);
gboolean wf_basin_part_receive (WfBasinPart         *part,
                                gint64               rim,
                                WfCommunicator      *ranks,
                                guint                from,
                                GError             **error);

/* Of a band (engine/hierarchy/cpu/summary.c). */
struct WfBasinGraph;

gboolean wf_hierarchy_summarize (const WfHierarchyTask  *task,
                                 gint64                  rim,
                                 WfBasinPart            *part,
                                 WfRun                  *run,
                                 GError                **error);
gboolean wf_hierarchy_take_part (struct WfBasinGraph    *graph,
                                 WfBasinPart            *part,
                                 GError                **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfBasinPart, wf_basin_part_clear)
