/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distance maps of the CPU: what their algorithms share (foreground.c), the
 * functions that variants.c lists, and what bands need (columns.c).
 */

#pragma once

#include "engine/cpu/cpu.h"
#include "engine/distance/metric.h"

/* In the fields of a signed map this bit is set at background pixels; the other bits,
 * an integer or a double that is not negative, are the distance to the other kind.
 */
#define WF_BACKGROUND_BIT (G_GUINT64_CONSTANT (1) << 63)

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

void     wf_distance_mark        (const WfDistanceTask  *task,
                                  guint8                *foreground);
void     wf_distance_mark_pixels (const WfDistanceTask  *task,
                                  gint64                 first,
                                  gint64                 n,
                                  guint8                *foreground);

gboolean wf_distance_note_columns (const WfDistanceTask  *task,
                                   gboolean               foreground,
                                   gboolean               last,
                                   gint64                 offset,
                                   gint32                *positions,
                                   WfRun                 *run,
                                   GError               **error);
gboolean wf_distance_note_band    (const WfDistanceTask  *task,
                                   WfRun                 *run,
                                   GError               **error);

gboolean wf_distance_local          (gconstpointer    task,
                                     WfRun           *run,
                                     GError         **error);
guint64  wf_distance_local_memory   (gconstpointer    task,
                                     guint            n_threads);
gboolean wf_distance_local_supports (gconstpointer    task);

gboolean wf_distance_signed_local        (gconstpointer          task,
                                          WfRun                 *run,
                                          GError               **error);
guint64  wf_distance_signed_local_memory (const WfDistanceTask  *task);

guint64  wf_distance_window_memory   (const WfDistanceTask *task);
gboolean wf_distance_in_window       (const WfDistanceTask *task,
                                      gboolean           (* measure) (gconstpointer   task,
                                                                      WfRun          *run,
                                                                      GError        **error),
                                      WfRun                *run,
                                      GError              **error);

gboolean wf_distance_envelope        (gconstpointer    task,
                                      WfRun           *run,
                                      GError         **error);
guint64  wf_distance_envelope_memory (gconstpointer    task);

gboolean wf_distance_propagation          (gconstpointer    task,
                                           WfRun           *run,
                                           GError         **error);
guint64  wf_distance_propagation_memory   (gconstpointer    task);
gboolean wf_distance_propagation_supports (gconstpointer    task);
