/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation by a structuring element. */

#pragma once

#include "engine/core/tasks.h"

/**
 * WfElementTask:
 * @image: u8, u16 or f32, no NaN
 * @target: type and size of @image; must not overlap it
 * @element: its shape
 * @radius: of it; 0 leaves the image as it is
 * @dilation: whether to dilate, not erode
 *
 * Pixels outside the image are ignored.
 */
typedef struct
{
  const WfImage *image;
  WfImage       *target;
  WfElement      element;
  gint64         radius;
  gboolean       dilation;
} WfElementTask;

gboolean wf_cpu_element        (const WfElementTask  *task,
                                WfRun                *run,
                                double                share,
                                GError              **error);
guint64  wf_cpu_element_memory (const WfElementTask  *task);
