/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfPreviewSeams WfPreviewSeams;

WfPreviewSeams * wf_preview_seams_new  (const WfImage         *labels,
                                        int                    connectivity);
void             wf_preview_seams_free (WfPreviewSeams        *seams);
void             wf_preview_seams_join (const WfPreviewSeams  *seams,
                                        gint64                 row,
                                        const guint32         *map,
                                        guint32               *representatives);

G_END_DECLS
