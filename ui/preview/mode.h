/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * WfPreviewMode:
 * @WF_PREVIEW_IMAGE: the image alone
 * @WF_PREVIEW_RESULT: the result alone: levels, or basins in their colors
 * @WF_PREVIEW_LINES: the lines between basins over the image
 * @WF_PREVIEW_BASINS: the image, every basin tinted
 * @WF_PREVIEW_LINES_AND_BASINS: both
 *
 * What a preview shows.  Levels look the same in all modes but the first.
 */
typedef enum
{
  WF_PREVIEW_IMAGE,
  WF_PREVIEW_RESULT,
  WF_PREVIEW_LINES,
  WF_PREVIEW_BASINS,
  WF_PREVIEW_LINES_AND_BASINS
} WfPreviewMode;

/* Of the tints of basins over the image, unless the property "basin-opacity" is set. */
#define WF_PREVIEW_BASIN_OPACITY 0.5

#define WF_TYPE_PREVIEW_MODE (wf_preview_mode_get_type ())
GType wf_preview_mode_get_type (void);

G_END_DECLS
