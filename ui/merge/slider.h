/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "cut.h"

G_BEGIN_DECLS

#define WF_TYPE_MERGE_SLIDER (wf_merge_slider_get_type ())
G_DECLARE_FINAL_TYPE (WfMergeSlider, wf_merge_slider, WF, MERGE_SLIDER, GtkGrid)

GtkWidget *  wf_merge_slider_new           (WfType         type);
void         wf_merge_slider_set_type      (WfMergeSlider *slider,
                                            WfType         type);
void         wf_merge_slider_set_distances (WfMergeSlider *slider,
                                            gboolean       distances);
void         wf_merge_slider_set_linear    (WfMergeSlider *slider,
                                            gboolean       linear);
void         wf_merge_slider_set_hierarchy (WfMergeSlider *slider,
                                            WfMeasure      measure,
                                            WfHierarchy   *hierarchy);
void         wf_merge_slider_set_part      (WfMergeSlider *slider,
                                            gboolean       part);
void         wf_merge_slider_stop_waiting  (WfMergeSlider *slider);
void         wf_merge_slider_set_measure   (WfMergeSlider *slider,
                                            const char    *measure);
void         wf_merge_slider_set_value     (WfMergeSlider *slider,
                                            double         value);
WfMergeBy    wf_merge_slider_get_by        (WfMergeSlider *slider);
double       wf_merge_slider_get_value     (WfMergeSlider *slider);
guint32      wf_merge_slider_get_count     (WfMergeSlider *slider);
gboolean     wf_merge_slider_is_waiting    (WfMergeSlider *slider);

G_END_DECLS
