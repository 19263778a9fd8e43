/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the rims of a band are connected through it (rim-forest.c). */

#pragma once

#include "engine/core/grid.h"
#include "engine/cpu/triples.h"
#include "rim.h"

/**
 * WfRimForest:
 * @connectivity: in the band
 * @is_rim: which rims are at a seam
 * @own: packed pixels: what the band reaches by its own marker
 * @most: the same: what it reaches if its rims reach their masks
 * @edges: result: the forest, the highest edges first
 */
typedef struct
{
  WfRim         rim;
  WfShape       shape;
  int           connectivity;
  gboolean      is_rim[WF_N_RIMS];
  gconstpointer own;
  gconstpointer most;
  WfTriples     edges;
} WfRimForest;

/* An edge between two pixels of the rims, those of the first rim counted before those of the last:
 * the words are the two nodes and the inverted key of the level.
 */
#define WF_RIM_EDGE_LEVEL 2

gboolean wf_rim_forest_build  (WfRimForest   *forest,
                               WfRun         *run,
                               GError       **error);
guint64  wf_rim_forest_memory (const WfRim   *rim,
                               const WfShape *band);
