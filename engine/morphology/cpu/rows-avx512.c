/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over rows, compiled for AVX-512 with byte permutations. */

#include "config.h"

#include <math.h>
#include <string.h>

#include "rows.h"

#define WF_ROW_TABLE wf_rows_avx512
#include "rows-types.inc.h"
