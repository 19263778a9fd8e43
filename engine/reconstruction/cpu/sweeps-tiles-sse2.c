/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles, compiled for SSE2, which every x86-64 has. */

#include "config.h"

#include "reconstruction-tiles.h"
#include "vector.h"

#define WF_TILE_TABLE wf_tiles_sse2
#include "reconstruction-tiles-types.inc.h"
