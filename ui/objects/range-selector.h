/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WF_TYPE_RANGE_SELECTOR (wf_range_selector_get_type ())
G_DECLARE_FINAL_TYPE (WfRangeSelector, wf_range_selector, WF, RANGE_SELECTOR, GtkBox)

GtkWidget * wf_range_selector_new        (const char      *name,
                                          gboolean         logarithmic,
                                          double           least,
                                          double           most,
                                          double           factor,
                                          const char      *unit);
void        wf_range_selector_set_unit   (WfRangeSelector *selector,
                                          double           factor,
                                          const char      *unit);
void        wf_range_selector_set_values (WfRangeSelector *selector,
                                          const double    *values,
                                          gsize            n);

G_END_DECLS
