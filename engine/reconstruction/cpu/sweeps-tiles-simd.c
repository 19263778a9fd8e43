/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of a tile, compiled for each instruction set: for the three types of pixel. */

#include "config.h"

#include <math.h>

#include "sweeps-tiles.h"
#include "engine/cpu/ordered-key.h"
#include "engine/cpu/vector.h"

#define WF_PIXEL       guint8
#define WF_BITS        8
#define WF_LEAST       0
#define WF_ZERO        0
#define WF_FLIP(pixel) ((guint8) ~(pixel))
#define WF_NAME(name)  name##_8
#include "sweeps-tiles.inc.h"

#define WF_PIXEL       guint16
#define WF_BITS        16
#define WF_LEAST       0
#define WF_ZERO        0
#define WF_FLIP(pixel) ((guint16) ~(pixel))
#define WF_NAME(name)  name##_16
#include "sweeps-tiles.inc.h"

/* Adding +0 makes +0 of −0, and so does taking it from +0. */
#define WF_PIXEL       float
#define WF_BITS        32
#define WF_LEAST       (-INFINITY)
#define WF_ZERO        0.0f
#define WF_FLIP(pixel) (0.0f - (pixel))
#define WF_NAME(name)  name##_32
#include "sweeps-tiles.inc.h"

const WfTileTable WF_SIMD_TABLE (wf_tiles) =
{
  .of_8  = { .visit = visit_8,  .unload = unload_8 },
  .of_16 = { .visit = visit_16, .unload = unload_16 },
  .of_32 = { .visit = visit_32, .unload = unload_32 },
};
