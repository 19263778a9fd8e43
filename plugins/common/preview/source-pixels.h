/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/job.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

typedef struct _WfDrawableSource WfDrawableSource;

WfDrawableSource * wf_drawable_source_new         (WfRun                   *run,
                                                   GError                 **error);
void               wf_drawable_source_free        (WfDrawableSource        *source);
WfType             wf_drawable_source_get_type    (const WfDrawableSource  *source);
void               wf_drawable_source_get_size    (const WfDrawableSource  *source,
                                                   gint64                   size[3]);
gint64             wf_drawable_source_get_shown   (const WfDrawableSource  *source,
                                                   const WfPreviewRegion   *region);
gboolean           wf_drawable_source_doubt       (WfDrawableSource        *source,
                                                   WfRun                   *run);
gboolean           wf_drawable_source_has_changed (const WfDrawableSource  *source);
gboolean           wf_drawable_source_fetch       (WfDrawableSource        *source,
                                                   const WfPreviewRegion   *region,
                                                   WfPreviewPart            part,
                                                   gint64                   until,
                                                   gboolean                *complete,
                                                   GError                 **error);
void               wf_drawable_source_read_colors (WfDrawableSource        *source,
                                                   const WfPreviewRegion   *region,
                                                   guint8                  *pixels);
gboolean           wf_drawable_source_read_levels (WfDrawableSource        *source,
                                                   const WfPreviewRegion   *region,
                                                   WfImage                 *levels,
                                                   GError                 **error);
void               wf_drawable_source_init_run    (const WfDrawableSource  *source,
                                                   const WfPreviewRegion   *region,
                                                   const WfRun             *run,
                                                   WfRun                   *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfDrawableSource, wf_drawable_source_free)

G_END_DECLS
