/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over rows, compiled for SSE2, which every x86-64 has. */

#include "config.h"

#include <math.h>
#include <string.h>

#include "rows.h"

#define WF_ROW_TABLE wf_rows_sse2
#include "rows-types.inc.h"
