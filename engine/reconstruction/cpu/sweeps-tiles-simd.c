/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile's steps for the three types of pixel, and their table. */

#include <math.h>

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

const WfTileTable WF_TILE_TABLE =
{
  { visit_8,  unload_8 },
  { visit_16, unload_16 },
  { visit_32, unload_32 },
};
