/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "object-view.h"

G_BEGIN_DECLS

typedef struct _WfCorrectedView WfCorrectedView;

typedef void (* WfCorrectedFunc) (gpointer data);

WfCorrectedView * wf_corrected_view_new             (WfDialog         *dialog,
                                                     WfObjectView     *objects);
void              wf_corrected_view_set_changed     (WfCorrectedView  *view,
                                                     WfCorrectedFunc   changed,
                                                     gpointer          data);
void              wf_corrected_view_set_shown       (WfCorrectedView  *view,
                                                     WfCorrectedFunc   shown,
                                                     gpointer          data);
gboolean          wf_corrected_view_show            (WfCorrectedView  *view,
                                                     WfPreviewResult  *result,
                                                     guint32           count);
const char *      wf_corrected_view_get_problem     (WfCorrectedView  *view);
gboolean          wf_corrected_view_count_effective (WfCorrectedView  *view,
                                                     guint            *n_effective);

G_END_DECLS
