/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion and dilation by a structuring element. */

#pragma once

#include <math.h>

#include "engine/core/tasks.h"
#include "rows.h"

/**
 * WfElementTask:
 * @image: u8, u16 or f32
 * @target: type and size of @image, or of an image that is no stack some of its rows; must not
 *   overlap it
 * @first: the row of @image that the first one of @target belongs to
 * @element: its shape
 * @radius: of it; 0 leaves the image as it is
 * @dilation: whether to dilate, not erode
 * @angle: of a line, in degrees
 * @result_height: rows of the result that @target is a part of; 0 if it is all of it
 * @differs_from: (nullable): type and size of @target: that becomes how far the erosion, or the
 *   dilation, is from these levels
 * @nan: (nullable): set to %TRUE if the image holds NaN; then the result does not count.  Without
 *   it there is none
 *
 * Pixels outside the image are ignored; f32 zeros of the target are +0.  A difference is made where
 * the levels have just been made, in the first-level cache.
 */
typedef struct
{
  const WfImage *image;
  WfImage       *target;
  gint64         first;
  WfElement      element;
  gint64         radius;
  gboolean       dilation;
  double         angle;
  gint64         result_height;
  const WfImage *differs_from;
  gboolean      *nan;
} WfElementTask;

/**
 * WfLine:
 * @reach: pixels on either side of the middle, as far as they can lie in the image
 * @steep: whether there is one in each row, else in each column
 * @slope: pixels along the other axis for each of these
 */
typedef struct
{
  gint64   reach;
  gboolean steep;
  double   slope;
} WfLine;

/* Where pixel @k of a line lies, from its middle; y goes down. */
static inline gint64
wf_line_x (const WfLine *line,
           gint64        k)
{
  return line->steep ? (gint64) round ((double) k * line->slope) : k;
}

static inline gint64
wf_line_y (const WfLine *line,
           gint64        k)
{
  return line->steep ? -k : -(gint64) round ((double) k * line->slope);
}

WfLine   wf_element_line       (const WfElementTask  *task);
void     wf_element_fill       (const WfElementTask  *task,
                                gpointer              pixels,
                                gint64                n);
void     wf_element_note_nan   (const WfElementTask  *task,
                                gboolean              nan);
void     wf_element_watch      (const WfElementTask  *task,
                                const WfRowSteps     *steps,
                                gconstpointer         row,
                                gint64                n);
void     wf_element_finish     (const WfElementTask  *task,
                                const WfRowSteps     *steps,
                                gint64                x,
                                gint64                row,
                                gpointer              pixels,
                                gint64                n);
gint64   wf_element_result_bytes
                                        (const WfElementTask  *task);

gboolean wf_cpu_element        (const WfElementTask  *task,
                                WfRun                *run,
                                double                share,
                                GError              **error);
guint64  wf_cpu_element_memory (const WfElementTask  *task,
                                guint                 n_threads);
