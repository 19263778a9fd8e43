/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The separable distance transform, `envelope`: the pass along one axis and the two
 * transforms of a line.
 */

#pragma once

#include "distance.h"

/* In a field of integers: no background found yet. */
#define WF_FAR G_MAXINT64

/**
 * WfLineWork:
 * @length: pixels of the line
 * @in: for each pixel the value of the previous passes; gint64 or double
 * @out: result
 * @from: result: the position along the line that the value comes from, the first of
 *   equals; or %NULL
 * @scratch: (@length + 2) × 3 values of 64 bits
 * @spacing: size of a pixel along the line
 * @before: a position before the line with the value 0, or %WF_NO_SITE
 * @after: a position after the line with the value 0, or %WF_NO_SITE
 */
typedef struct
{
  gint64     length;
  gpointer   in;
  gpointer   out;
  gint32    *from;
  gint64    *scratch;
  WfMetric   metric;
  double     spacing;
  gint64     before;
  gint64     after;
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

/* Whether the whole image holds a position along @axis, which counts from the task's image. */
static inline gboolean
wf_distance_holds (const WfDistanceTask *task,
                   int                   axis,
                   gint64                position)
{
  if (task->band && task->band->axis == axis)
    return position >= -task->band->first && position < task->band->length - task->band->first;
  return position >= 0 && position < wf_shape_along (&task->shape, axis);
}

/* The linear index, in the whole image, of the first pixel of the task's image. */
static inline gint64
wf_distance_first_index (const WfDistanceTask *task)
{
  return task->band ? task->band->first * wf_shape_step (&task->shape, task->band->axis) : 0;
}

/* A position that a band was given for a column, counted from the band. */
static inline gint64
wf_band_position (const WfDistanceBand *band,
                  const gint32         *positions,
                  gint64                column)
{
  return positions[column] == WF_NO_SITE ? WF_NO_SITE : positions[column] - band->first;
}
