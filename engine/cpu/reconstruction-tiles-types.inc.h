/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile's steps for the three widths of pixel, and their table. */

#define WF_PIXEL       guint8
#define WF_BITS        8
#define WF_NAME(name)  name##_8
#include "reconstruction-tiles.inc.h"

#define WF_PIXEL       guint16
#define WF_BITS        16
#define WF_NAME(name)  name##_16
#include "reconstruction-tiles.inc.h"

#define WF_PIXEL       guint32
#define WF_BITS        32
#define WF_NAME(name)  name##_32
#include "reconstruction-tiles.inc.h"

const WfTileTable WF_TILE_TABLE =
{
  { load_8,  visit_8,  unload_8 },
  { load_16, visit_16, unload_16 },
  { load_32, visit_32, unload_32 },
};
