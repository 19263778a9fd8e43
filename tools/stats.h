/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is measured about a run. */

#pragma once

#include "wavefront.h"

double  stats_median      (double *values,
                           guint   n);
guint64 stats_peak_memory (void);
void    stats_append_seconds
                          (GString              *text,
                           const char           *name,
                           double                seconds);
char *  stats_format_steps
                          (const WfReport       *report);
char *  stats_format_workers
                          (const WfWorkerReport *workers,
                           guint                 n);
