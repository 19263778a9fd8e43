/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

void    wf_threshold_columns_fill       (const WfHistogram *histogram,
                                         gboolean           logarithmic,
                                         guint              n_columns,
                                         double            *heights);
double  wf_threshold_columns_place      (double             fraction,
                                         WfType             type,
                                         guint              n_columns);
double  wf_threshold_columns_fraction   (double             place,
                                         WfType             type,
                                         guint              n_columns);
int     wf_threshold_get_digits         (WfType             type);
double  wf_threshold_round              (double             fraction,
                                         WfType             type);
guint64 wf_threshold_count_above        (const WfHistogram *histogram,
                                         double             fraction);

G_END_DECLS
