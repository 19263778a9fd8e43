/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles, compiled for AVX2. */

#include "config.h"

#include "sweeps-tiles.h"
#include "engine/cpu/vector.h"

#define WF_TILE_TABLE wf_tiles_avx2
#include "sweeps-tiles-types.inc.h"
