/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfBasinColors WfBasinColors;

guint32         wf_labels_get_highest    (const WfImage  *labels);
gboolean        wf_labels_check_exact    (guint32         highest,
                                          GError        **error);

gpointer        wf_basin_data_new        (guint32         highest,
                                          gsize           size,
                                          GError        **error);

WfBasinColors * wf_basin_colors_new      (guint32         highest,
                                          GError        **error);
void            wf_basin_colors_free     (WfBasinColors  *colors);
void            wf_basin_colors_add_row  (WfBasinColors  *colors,
                                          const guint32  *labels,
                                          const float    *pixels,
                                          gint64          n);
void            wf_basin_colors_add_stored
                                         (WfBasinColors  *colors,
                                          const guint32  *labels,
                                          const guint8   *pixels,
                                          int             n_components,
                                          gint64          n);
void            wf_basin_colors_get_mean (WfBasinColors  *colors,
                                          guint32         label,
                                          float           mean[4]);

guint8 *        wf_basin_marks_new       (guint32         highest,
                                          GError        **error);
guint32         wf_basin_marks_add_row   (guint8         *marks,
                                          const guint32  *labels,
                                          const float    *selected,
                                          gint64          n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfBasinColors, wf_basin_colors_free)

G_END_DECLS
