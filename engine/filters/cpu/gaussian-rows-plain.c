/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of rows, compiled for the baseline. */

#include "config.h"

#include <float.h>

#include "gaussian-rows.h"

#define WF_GAUSSIAN_TABLE wf_gaussian_rows_plain
#include "gaussian-rows-types.inc.h"
