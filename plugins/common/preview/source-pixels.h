/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/source.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

typedef struct _WfSourcePixels WfSourcePixels;

WfSourcePixels * wf_source_pixels_new         (WfJob                  *run,
                                               GError                **error);
WfSourcePixels * wf_source_pixels_new_of      (WfJob                  *run,
                                               WfComponent             component,
                                               GError                **error);
const Babl *     wf_source_pixels_get_format  (const WfSourcePixels   *pixels);
void             wf_source_pixels_free        (WfSourcePixels         *pixels);
WfType           wf_source_pixels_get_type    (const WfSourcePixels   *pixels);
void             wf_source_pixels_get_size    (const WfSourcePixels   *pixels,
                                               gint64                  size[3]);
const WfRegion * wf_source_pixels_get_region  (const WfSourcePixels   *pixels);
gint64           wf_source_pixels_get_shown   (const WfSourcePixels   *pixels,
                                               const WfPreviewRegion  *region);
gboolean         wf_source_pixels_invalidate  (WfSourcePixels         *pixels,
                                               WfJob                  *run);
gboolean         wf_source_pixels_has_changed (const WfSourcePixels   *pixels);
gboolean         wf_source_pixels_fetch       (WfSourcePixels         *pixels,
                                               const WfPreviewRegion  *region,
                                               WfPreviewPart           part,
                                               WfFetch                *fetch,
                                               GError                **error);
void             wf_source_pixels_read_colors (WfSourcePixels         *pixels,
                                               const WfPreviewRegion  *region,
                                               guint8                 *colors);
gboolean         wf_source_pixels_read_levels (WfSourcePixels         *pixels,
                                               const WfPreviewRegion  *region,
                                               WfImage                *levels,
                                               GError                **error);
void             wf_source_pixels_read_slice  (WfSourcePixels         *pixels,
                                               const WfPreviewRegion  *region,
                                               WfImage                *levels);
gboolean         wf_source_pixels_has_mask    (const WfSourcePixels   *pixels);
gboolean         wf_source_pixels_read_mask   (const WfSourcePixels   *pixels,
                                               const WfPreviewRegion  *region,
                                               WfImage                *mask,
                                               GError                **error);
void             wf_source_pixels_init_run    (const WfSourcePixels   *pixels,
                                               const WfPreviewRegion  *region,
                                               const WfJob            *run,
                                               WfJob                  *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfSourcePixels, wf_source_pixels_free)

gboolean         wf_source_pixels_pick        (const WfSourcePixels   *pixels,
                                               guint                   slice,
                                               int                     x,
                                               int                     y,
                                               double                  densities[3],
                                               GError                **error);
gboolean         wf_source_pixels_pick_selected
                                              (const WfSourcePixels   *pixels,
                                               guint                   slice,
                                               double                  densities[3],
                                               GError                **error);

G_END_DECLS
