/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over labelled regions, wherever they are found. */

#pragma once

#include "engine/core/context.h"
#include "region-scan.h"

gboolean wf_measure_scan (const WfMeasureTask   *task,
                          WfRun                 *run,
                          const WfRegionTotals  *totals,
                          WfRegionScan          *scan,
                          GError               **error);
gboolean wf_measure_run  (WfContext             *context,
                          WfMeasureTask         *task,
                          GError               **error);
