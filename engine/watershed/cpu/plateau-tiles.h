/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2 in one tile of an image: the interface of the functions compiled for each instruction
 * set (plateau-sweeps.c).
 */

#pragma once

#include "engine/cpu/simd.h"
#include "engine/propagation/pipeline.h"

/* Side of a tile's square: a row of bytes is one cache line. */
#define WF_SIDE 64

/**
 * WfPlateauImage:
 * @level: L1, packed
 * @plateau: L2, packed: 0 at markers and beside lower pixels, known in a halo, elsewhere unreached
 * @shape: of both; one slice
 * @diagonal: 8 neighbors, not 4
 * @resumed: whether L2 is complete but for what lies beyond its pixels of %WF_OUTSIDE_NARROW
 */
typedef struct
{
  gconstpointer level;
  gpointer      plateau;
  WfShape       shape;
  gboolean      diagonal;
  gboolean      resumed;
} WfPlateauImage;

/**
 * WfPlateauVisit:
 * @tile: at most WF_SIDE pixels in each direction
 *
 * Takes in the distances around the tile, propagates them in it to stability, and adds to @reach
 * the neighbors that it can change.  Returns FALSE if a distance does not fit its type.
 */
typedef gboolean (* WfPlateauVisit) (const WfPlateauImage *image,
                                     const WfBox          *tile,
                                     gboolean              first,
                                     WfReach              *reach);

/* For each type of L1, with narrow and with wide L2. */
typedef struct
{
  WfPlateauVisit of_u8[2];
  WfPlateauVisit of_u16[2];
  WfPlateauVisit of_f32[2];
} WfPlateauTable;

WF_SIMD_DECLARE (WfPlateauTable, wf_plateaux);
