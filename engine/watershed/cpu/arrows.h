/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plateaux and arrows: the interface of the steps compiled for each instruction set.  The
 * arrow of a pixel is the neighbour that its water runs to.
 *
 * L2, the distance into a plateau, is counted in bytes (narrow) or, if a plateau is too wide
 * for bytes, in 32 bits (wide).
 */

#pragma once

#include "engine/core/grid.h"
#include "engine/cpu/simd.h"

/* An arrow is the number of a neighbour, or WF_ARROW_ROOT: a marker, or a pixel of a
 * minimum.
 */
#define WF_ARROW_ROOT 31
#define WF_N_ARROWS   32

/* Values of L2: not reached from a lower border or a marker, and outside the image. */
#define WF_UNREACHED_NARROW G_MAXUINT8
#define WF_UNREACHED_WIDE   G_MAXUINT32
#define WF_OUTSIDE_NARROW   (WF_UNREACHED_NARROW - 1)
#define WF_OUTSIDE_WIDE     (WF_UNREACHED_WIDE - 1)

/**
 * WfArrowRow:
 * @n: pixels
 * @n_neighbours: of a pixel
 * @last_index: prefer the last of equals, not the first
 * @here: levels of the row
 * @beside: for each neighbor the level row shifted so that its pixel x is the
 *   neighbor of pixel x; outside the image it holds the type's largest value
 * @plateau: L2 of the row
 * @plateau_beside: the same for L2, which outside the image is WF_OUTSIDE
 * @result: see the steps
 */
typedef struct
{
  gint64         n;
  int            n_neighbours;
  gboolean       last_index;
  gconstpointer  here;
  gconstpointer  beside[WF_MAX_NEIGHBOURS];
  gconstpointer  plateau;
  gconstpointer  plateau_beside[WF_MAX_NEIGHBOURS];
  gpointer       result;
} WfArrowRow;

/**
 * WfArrowSteps:
 * @start: L2 before propagation: 0 beside lower pixels, otherwise unreached
 * @find_ring: bytes that are not 0 where an unreached pixel has a neighbor of the same
 *   level with an L2 of 0
 * @point: arrows, when L2 is complete, to the neighbors with the smallest (L1, L2, index);
 *   unreached pixels are minima: they are roots and count as L2 = 0
 */
typedef struct
{
  void (* start)     (const WfArrowRow *row);
  void (* find_ring) (const WfArrowRow *row);
  void (* point)     (const WfArrowRow *row);
} WfArrowSteps;

/**
 * WfArrowTable:
 *
 * The steps for each type of image, with narrow and with wide L2.
 */
typedef struct
{
  WfArrowSteps of_u8[2];
  WfArrowSteps of_u16[2];
  WfArrowSteps of_f32[2];
} WfArrowTable;

WF_SIMD_DECLARE (WfArrowTable, wf_arrows);
