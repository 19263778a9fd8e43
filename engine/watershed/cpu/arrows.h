/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plateaux and arrows, which say to which neighbour each pixel's water runs: what the
 * steps compiled for different instruction sets share.
 *
 * L2, the distance into a plateau, is counted in bytes where no plateau is too wide
 * for that, otherwise in 32 bits: narrow and wide.
 */

#pragma once

#include "engine/core/grid.h"
#include "engine/cpu/simd.h"

/* An arrow is the number of a neighbour, or this: a marker, or a pixel of a minimum. */
#define WF_ARROW_ROOT 31
#define WF_N_ARROWS   32

/* In L2: not reached from a lower border or a marker; and outside the image. */
#define WF_UNREACHED_NARROW G_MAXUINT8
#define WF_UNREACHED_WIDE   G_MAXUINT32
#define WF_OUTSIDE_NARROW   (WF_UNREACHED_NARROW - 1)
#define WF_OUTSIDE_WIDE     (WF_UNREACHED_WIDE - 1)

/**
 * WfArrowRow:
 * @n: pixels
 * @n_neighbours: of a pixel
 * @last_index: take the last of equals, not the first
 * @here: levels of the row
 * @beside: for each neighbour the level row shifted so that its pixel x is the
 *   neighbour of pixel x; what lies outside the image is the type's largest value
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
 * @start: L2 as far as it is known without L2: 0 beside lower pixels, otherwise
 *   unreached
 * @find_ring: bytes, not 0 where an unreached pixel has a neighbour of the same level
 *   with an L2 of 0
 * @point: arrows, once L2 is complete, to the neighbours with the smallest
 *   (L1, L2, index); the unreached are minima, roots, and their L2 is 0
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
