/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

guint32         wf_basin_labels_get_highest
                                         (const WfImage  *labels);
gboolean        wf_labels_check_exact    (guint32         highest,
                                          GError        **error);

gpointer        wf_basin_data_new        (guint32         highest,
                                          gsize           size,
                                          GError        **error);

WfMeanColors *  wf_basin_means_new       (WfContext      *context,
                                          guint32         highest,
                                          GError        **error);

guint32 *       wf_basin_marks_new       (guint32         highest,
                                          GError        **error);
guint32         wf_basin_marks_add_row   (guint32        *marks,
                                          const guint32  *labels,
                                          const float    *selected,
                                          gint64          n);

G_END_DECLS
