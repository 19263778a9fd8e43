/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Convex hulls of regions (region-hull.c). */

#pragma once

#include "wavefront.h"

/* The end of a chain. */
#define WF_CHAIN_END G_MAXUINT32

/**
 * WfHullPoint:
 *
 * A corner of a pixel: pixel (0, 0) has the corners (0, 0) to (1, 1).
 */
typedef struct
{
  gint32 x;
  gint32 y;
} WfHullPoint;

/* A point of a chain, and the number of the one before it. */
typedef struct
{
  WfHullPoint point;
  guint32     before;
} WfChainNode;

/**
 * WfChainNodes:
 * @nodes: of all chains of a band
 * @n: how many
 * @capacity: for how many there is room
 * @free: the first that is not used any more, or %WF_CHAIN_END
 */
typedef struct
{
  WfChainNode *nodes;
  gint64       n;
  gint64       capacity;
  guint32      free;
} WfChainNodes;

/**
 * WfChains:
 * @left: last node of the left side, from the top
 * @right: last node of the right side, from the top
 * @row: the last row that was added, or −1
 * @end: the right end of the region in it, which is not added yet
 *
 * The convex hull of the part of a region that a band has.
 */
typedef struct
{
  guint32 left;
  guint32 right;
  gint64  row;
  gint64  end;
} WfChains;

/**
 * WfHull:
 * @points: corners of the hull: its left side, then its right one, both from the top; no three of
 *   a side are in line
 * @n: how many
 *
 * Memory is kept for the next hull.
 */
typedef struct
{
  WfHullPoint *points;
  gint64       n;
  /*< private >*/
  gint64       capacity;
  gint64       n_left;
  gboolean     right;
  WfHullPoint *reversed;
  gint64       reversed_capacity;
} WfHull;

/**
 * WfFeret:
 * @maximum: the greatest distance of two corners
 * @maximum_angle: of the line through them, in degrees from 0 up to 180, counter-clockwise
 * @minimum: the least distance of two parallel lines that enclose the region
 * @minimum_angle: of the direction across them
 */
typedef struct
{
  double maximum;
  double maximum_angle;
  double minimum;
  double minimum_angle;
} WfFeret;

#define WF_CHAIN_NODES_NONE { NULL, 0, 0, WF_CHAIN_END }
#define WF_CHAINS_NONE      { WF_CHAIN_END, WF_CHAIN_END, -1, 0 }

gboolean wf_chains_add_run  (WfChains            *chains,
                             WfChainNodes        *nodes,
                             gint64               row,
                             gint64               from,
                             gint64               to,
                             GError             **error);
gboolean wf_chains_finish   (WfChains            *chains,
                             WfChainNodes        *nodes,
                             GError             **error);
void     wf_chain_nodes_clear (WfChainNodes      *nodes);

void     wf_hull_start_side (WfHull              *hull,
                             gboolean             right);
gboolean wf_hull_add_side   (WfHull              *hull,
                             const WfChainNodes  *nodes,
                             guint32              last,
                             GError             **error);
double   wf_hull_area       (const WfHull        *hull);
void     wf_hull_feret      (const WfHull        *hull,
                             const double        *pixel_size,
                             WfFeret             *feret);
void     wf_hull_clear      (WfHull              *hull);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfHull, wf_hull_clear)
