/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles, compiled for AVX-512 with byte permutations. */

#include "config.h"

#include "sweeps-tiles.h"
#include "engine/cpu/vector.h"

#define WF_TILE_TABLE wf_tiles_avx512
#include "sweeps-tiles-types.inc.h"
