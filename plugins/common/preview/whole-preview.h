/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/preview.h"

G_BEGIN_DECLS

/**
 * WfWholeReader:
 * @get_region: sets @region to the whole image at full size; returns %FALSE if the preview is
 *   computed from all of it anyway, or if it cannot be read as a whole
 * @fetch_levels: fetches some of the levels of @region
 * @read_levels: reads levels that were fetched: allocates and fills @levels
 * @read_mask: likewise: 0 where nothing is selected; leaves @mask empty if all is
 * @fetch_second: fetches some of the second input of the whole image
 * @read_besides: reads all inputs but the levels
 *
 * How the whole image is read, in the main thread.
 */
typedef struct
{
  gboolean (* get_region)   (WfPreviewRegion        *region,
                             gpointer                data);
  gboolean (* fetch_levels) (const WfPreviewRegion  *region,
                             WfFetch                *fetch,
                             gpointer                data,
                             GError                **error);
  gboolean (* read_levels)  (const WfPreviewRegion  *region,
                             WfImage                *levels,
                             gpointer                data,
                             GError                **error);
  gboolean (* read_mask)    (const WfPreviewRegion  *region,
                             WfImage                *mask,
                             gpointer                data,
                             GError                **error);
  gboolean (* fetch_second) (const WfPreviewRegion  *whole,
                             WfFetch                *fetch,
                             gpointer                data,
                             GError                **error);
  gboolean (* read_besides) (const WfPreviewRegion  *whole,
                             WfImage                 inputs[WF_PREVIEW_N_INPUTS],
                             gpointer                data,
                             GError                **error);
} WfWholeReader;

typedef struct _WfWholePreview WfWholePreview;

WfWholePreview * wf_whole_preview_new              (WfPreview                  *preview,
                                                    const WfWholeReader        *reader,
                                                    const WfPreviewComputation *computation,
                                                    gpointer                    data);
void             wf_whole_preview_free             (WfWholePreview             *whole);
void             wf_whole_preview_settings_changed (WfWholePreview             *whole);
void             wf_whole_preview_try_again        (WfWholePreview             *whole);
void             wf_whole_preview_forget_pixels    (WfWholePreview             *whole);
void             wf_whole_preview_look_again       (WfWholePreview             *whole);

G_END_DECLS
