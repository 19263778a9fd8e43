/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define WF_TYPE_THRESHOLD_HISTOGRAM (wf_threshold_histogram_get_type ())
G_DECLARE_FINAL_TYPE (WfThresholdHistogram, wf_threshold_histogram,
                      WF, THRESHOLD_HISTOGRAM, GtkBox)

/**
 * WfEncodeFunc:
 * @level: of linear light, a fraction of the range from black to white
 * @data: given with the function
 *
 * Returns: the same gray in a non-linear image
 */
typedef double (* WfEncodeFunc) (double   level,
                                 gpointer data);

GtkWidget * wf_threshold_histogram_new           (WfType                type);
void        wf_threshold_histogram_set_linear    (WfThresholdHistogram *threshold,
                                                  WfEncodeFunc          encode,
                                                  gpointer              data);
void        wf_threshold_histogram_set_method    (WfThresholdHistogram *threshold,
                                                  WfThresholdMethod     method,
                                                  double                percent);
void        wf_threshold_histogram_set_histogram (WfThresholdHistogram *threshold,
                                                  const WfHistogram    *histogram);

G_END_DECLS
