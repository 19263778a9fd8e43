/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/line-contrast.h"

G_BEGIN_DECLS

/* Visible on stained tissue, which is not green, and on grey. */
#define WF_LINE_COLOR "#00e05a"

/**
 * WfLineKind:
 *
 * What a pixel of a line is like; 0 stands for pixels without a line.
 */
typedef enum
{
  WF_LINE_AS_GIVEN = 1,
  WF_LINE_BLACK,
  WF_LINE_WHITE
} WfLineKind;

void wf_line_kinds_init     (WfLineContrast       *line,
                             const float           color[4],
                             gboolean              grey);
void wf_line_kinds_choose   (const WfLineContrast *line,
                             const guint8         *pixels,
                             gsize                 n,
                             guint8               *kinds);
void wf_line_kind_get_color (guint32               kind,
                             const float           given[4],
                             float                 color[4]);

G_END_DECLS
