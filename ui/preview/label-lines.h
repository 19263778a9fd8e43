/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfLabelLines WfLabelLines;

WfLabelLines * wf_label_lines_new  (const WfImage      *labels,
                                    int                 connectivity);
void           wf_label_lines_free (WfLabelLines       *label_lines);
void           wf_label_lines_join (const WfLabelLines *label_lines,
                                    gint64              row,
                                    const guint32      *map,
                                    guint32            *representatives);
void           wf_label_lines_trim (const WfLabelLines *label_lines,
                                    const WfImage      *labels,
                                    gint64              row,
                                    const guint32      *map,
                                    guint32             left_out,
                                    guint32            *representatives);

G_END_DECLS
