/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/job.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

typedef struct _WfSourcePixels WfSourcePixels;

WfSourcePixels * wf_source_pixels_new         (WfRun                  *run,
                                               GError                **error);
void             wf_source_pixels_free        (WfSourcePixels         *source);
WfType           wf_source_pixels_get_type    (const WfSourcePixels   *source);
void             wf_source_pixels_get_size    (const WfSourcePixels   *source,
                                               gint64                  size[3]);
gint64           wf_source_pixels_get_shown   (const WfSourcePixels   *source,
                                               const WfPreviewRegion  *region);
gboolean         wf_source_pixels_invalidate  (WfSourcePixels         *source,
                                               WfRun                  *run);
gboolean         wf_source_pixels_has_changed (const WfSourcePixels   *source);
gboolean         wf_source_pixels_fetch       (WfSourcePixels         *source,
                                               const WfPreviewRegion  *region,
                                               WfPreviewPart           part,
                                               gint64                  until,
                                               gboolean               *complete,
                                               GError                **error);
void             wf_source_pixels_read_colors (WfSourcePixels         *source,
                                               const WfPreviewRegion  *region,
                                               guint8                 *pixels);
gboolean         wf_source_pixels_read_levels (WfSourcePixels         *source,
                                               const WfPreviewRegion  *region,
                                               WfImage                *levels,
                                               GError                **error);
void             wf_source_pixels_init_run    (const WfSourcePixels   *source,
                                               const WfPreviewRegion  *region,
                                               const WfRun            *run,
                                               WfRun                  *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfSourcePixels, wf_source_pixels_free)

G_END_DECLS
