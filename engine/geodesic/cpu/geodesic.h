/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Geodesic distances on the CPU: what the algorithm (geodesic.c) and its inner loop, compiled for
 * sums of 32 and 64 bits and each type of costs (spread.inc.h), share.
 */

#pragma once

#include "buckets.h"
#include "engine/cpu/cpu.h"

/* Sums are stored plus 1, so that a source has 1. */
#define WF_GEODESIC_OUTSIDE 0
#define WF_GEODESIC_SOURCE  1
#define WF_GEODESIC_FAR32   G_MAXUINT32
#define WF_GEODESIC_FAR64   (G_MAXUINT64 / 2)

/* Where a pixel lies in its tile: ten bits for each of x, y and z. */
#define WF_GEODESIC_MOST_SIDE 1024

/* Pixels of a bucket that are relaxed before what they reach is put into the queue. */
#define WF_GEODESIC_AT_ONCE 64

/**
 * WfGeodesicSeed:
 *
 * A pixel of a tile that a pixel outside has changed.
 */
typedef struct
{
  guint64 sum;
  guint32 at;
} WfGeodesicSeed;

/**
 * WfGeodesicPixel:
 *
 * A pixel that others get sums from: its index, place in the tile, cost and sum.
 */
typedef struct
{
  gint64  p;
  guint32 at;
  guint32 cost;
  guint64 sum;
} WfGeodesicPixel;

/**
 * WfGeodesicTile:
 * @origin: the index of its first pixel
 * @row, @slice: pixels from one row, or slice, to the next
 * @weights: of a step to a neighbour with which a pixel shares a face, an edge, a corner
 * @inner: pixels along each axis that are not at the border; of an image, any along z
 */
typedef struct
{
  WfBox   box;
  gint64  origin;
  gint64  row;
  gint64  slice;
  guint32 weights[3];
  guint32 inner[3];
} WfGeodesicTile;

/**
 * WfGeodesicWorker:
 * @highest: the greatest sum that has spread from a pixel
 */
typedef struct
{
  WfBuckets  buckets;
  GArray    *seeds;
  guint64    highest;
} WfGeodesicWorker;

/**
 * WfGeodesicState:
 * @neighbours: of the metric
 * @weight: of the step to each neighbour
 * @sums: guint32, or guint64 if @wide; sums plus 1
 * @costs: packed, or %NULL where all steps cost their weights
 * @cost_type: u8 or u16
 * @urgency_shift: makes the urgency of a change of its sum
 */
typedef struct
{
  const WfGeodesicTask *task;
  WfShape               shape;
  WfNeighbourhood       neighbours;
  guint32               weight[WF_MAX_NEIGHBOURS];
  gpointer              sums;
  gboolean              wide;
  gconstpointer         costs;
  WfType                cost_type;
  int                   urgency_shift;
  WfGeodesicWorker     *workers;
  WfRun                *run;
} WfGeodesicState;
