/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/input/source.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

typedef struct _WfBlockStore WfBlockStore;

WfBlockStore * wf_block_store_new               (const WfSource      *source);
void           wf_block_store_free              (WfBlockStore        *store);
int            wf_block_store_get_pyramid_level (WfBlockStore        *store,
                                                 double               scale);
void           wf_block_store_get_size          (WfBlockStore        *store,
                                                 guint                slice,
                                                 int                  pyramid_level,
                                                 GeglRectangle       *bounds);

void           wf_block_store_invalidate        (WfBlockStore        *store);
gboolean       wf_block_store_has_changed       (WfBlockStore        *store);
gboolean       wf_block_store_is_valid          (WfBlockStore        *store);
gboolean       wf_block_store_slice_is_valid    (WfBlockStore        *store,
                                                 guint                slice);

void           wf_block_store_begin             (WfBlockStore        *store,
                                                 WfFetch             *fetch);
void           wf_block_store_fetch             (WfBlockStore        *store,
                                                 guint                slice,
                                                 int                  pyramid_level,
                                                 const GeglRectangle *part,
                                                 gboolean             colors,
                                                 WfFetch             *fetch);
void           wf_block_store_end               (WfBlockStore        *store);

void           wf_block_store_read_levels       (WfBlockStore        *store,
                                                 guint                slice,
                                                 int                  pyramid_level,
                                                 int                  x,
                                                 int                  y,
                                                 int                  n,
                                                 gpointer             levels);
void           wf_block_store_read_colors       (WfBlockStore        *store,
                                                 guint                slice,
                                                 int                  pyramid_level,
                                                 int                  x,
                                                 int                  y,
                                                 int                  n,
                                                 guint8              *colors);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfBlockStore, wf_block_store_free)

G_END_DECLS
