/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "dialog.h"

G_BEGIN_DECLS

/**
 * WfFindHistogramFunc:
 * @result: of a preview
 *
 * Returns: (transfer none) (nullable): the histogram of the levels from which it was computed
 */
typedef const WfHistogram * (* WfFindHistogramFunc) (const WfPreviewResult *result);

GtkWidget * wf_threshold_control_add (WfDialog            *dialog,
                                      WfOptionGrid        *grid,
                                      WfFindHistogramFunc  find);


gboolean            wf_threshold_control_keep_histogram (const WfPreviewInputs  *inputs,
                                                         WfPreviewResult        *result,
                                                         GError                **error);
const WfHistogram * wf_threshold_control_find_histogram (const WfPreviewResult  *result);

G_END_DECLS
