/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles, compiled for the baseline, without intrinsics. */

#include "config.h"

#define WF_VECTOR_PLAIN
#include "sweeps-tiles.h"
#include "engine/cpu/vector.h"

#define WF_TILE_TABLE wf_tiles_plain
#include "sweeps-tiles-types.inc.h"
