/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in tiles, compiled for AVX2. */

#include "config.h"

#include "reconstruction-tiles.h"
#include "vector.h"

#define WF_TILE_TABLE wf_tiles_avx2
#include "reconstruction-tiles-types.inc.h"
