/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of rows, compiled for SSE2, which every x86-64 has. */

#include "config.h"

#include <float.h>

#include "gaussian-rows.h"

#define WF_GAUSSIAN_TABLE wf_gaussian_rows_sse2
#include "gaussian-rows-types.inc.h"
