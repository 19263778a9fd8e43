/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The option --strokes: a list of strokes, which draw the markers of a watershed. */

#pragma once

#include "wavefront.h"

/**
 * Strokes:
 * @list: (nullable): what is drawn
 * @markers: u32: of strokes_draw()
 * @inside: u8: of strokes_drop_background(): 0 in the background; empty if there is none
 */
typedef struct
{
  WfStrokes *list;
  WfImage    markers;
  WfImage    inside;
} Strokes;

gboolean strokes_read            (Strokes        *strokes,
                                  const char     *text,
                                  GError        **error);
gboolean strokes_draw            (Strokes        *strokes,
                                  WfContext      *context,
                                  const WfImage  *model,
                                  int             connectivity,
                                  GError        **error);
gboolean strokes_drop_background (Strokes        *strokes,
                                  const WfImage  *objects,
                                  WfImage        *labels,
                                  guint32        *n_basins,
                                  GError        **error);
void     strokes_clear           (Strokes        *strokes);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Strokes, strokes_clear)
