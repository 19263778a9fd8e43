/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Separable distance transforms: the pass along one axis, and the two ways to
 * transform a line.
 */

#pragma once

#include "distance.h"

/* Position of no background at all, in maps of positions along a line. */
#define WF_NO_SITE (-2)

/* No background yet, in a field of integers. */
#define WF_FAR G_MAXINT64

/**
 * WfLineWork:
 * @length: pixels of the line
 * @in: for each, what the passes before have found; gint64 or double
 * @out: result
 * @from: result: the position along the line that it comes from, the first of
 *   equals, −1 and @length for the outside; or %NULL
 * @scratch: (@length + 2) × 3 values of 64 bits
 * @spacing: size of a pixel along the line
 */
typedef struct
{
  gint64     length;
  gpointer   in;
  gpointer   out;
  gint32    *from;
  gint64    *scratch;
  WfMetric   metric;
  gboolean   border_background;
  double     spacing;
} WfLineWork;

typedef void (* WfLineFunc) (const WfLineWork *work);

void     wf_line_envelope  (const WfLineWork     *work);
void     wf_line_search    (const WfLineWork     *work);

/**
 * WfDistanceWork:
 * @foreground: a byte a pixel, 1 on the foreground and 0 on the background
 * @out: packed distances, or %NULL
 * @nearest: packed indices, or %NULL
 *
 * A task with memory of its own.
 */
typedef struct
{
  const WfDistanceTask *task;
  guint8               *foreground;
  WfType                out_type;
  gpointer              out;
  guint64              *nearest;
} WfDistanceWork;

gboolean wf_distance_pass  (const WfDistanceTask *task,
                            int                   axis,
                            WfLineFunc            transform,
                            gpointer              field,
                            gint32               *from,
                            WfRun                *run,
                            GError              **error);

gboolean wf_distance_integers (const WfDistanceWork  *work,
                               WfRun                 *run,
                               GError               **error);
gboolean wf_distance_reals    (const WfDistanceWork  *work,
                               WfRun                 *run,
                               GError               **error);

static inline gint64
wf_shape_along (const WfShape *shape,
                int            axis)
{
  return axis == 0 ? shape->width : axis == 1 ? shape->height : shape->depth;
}

/* In linear indices, from one pixel to the next along @axis. */
static inline gint64
wf_shape_step (const WfShape *shape,
               int            axis)
{
  return axis == 0 ? 1 : axis == 1 ? shape->width : shape->width * shape->height;
}
