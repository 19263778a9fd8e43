/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is measured about a run. */

#pragma once

#include <glib.h>

double  stats_median      (double *values,
                           guint   n);
guint64 stats_peak_memory (void);
