/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles, compiled for SSE2, which every x86-64 has. */

#include "config.h"

#include "sweeps-tiles.h"
#include "engine/cpu/vector.h"

#define WF_TILE_TABLE wf_tiles_sse2
#include "sweeps-tiles-types.inc.h"
