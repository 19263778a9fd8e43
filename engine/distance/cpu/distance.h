/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distance maps of the CPU: what their algorithms share (foreground.c), and the
 * functions that variants.c lists.
 */

#pragma once

#include "engine/cpu/cpu.h"
#include "engine/distance/metric.h"

/* In the fields of a signed map this bit is set at background pixels; the other bits,
 * an integer or a double that is not negative, are the distance to the other kind.
 */
#define WF_BACKGROUND_BIT (G_GUINT64_CONSTANT (1) << 63)

void     wf_distance_mark        (const WfDistanceTask  *task,
                                  guint8                *foreground);
void     wf_distance_mark_pixels (const WfDistanceTask  *task,
                                  gint64                 first,
                                  gint64                 n,
                                  guint8                *foreground);

gboolean wf_distance_local          (gconstpointer    task,
                                     WfRun           *run,
                                     GError         **error);
guint64  wf_distance_local_memory   (gconstpointer    task);
gboolean wf_distance_local_supports (gconstpointer    task);

gboolean wf_distance_signed_local        (gconstpointer          task,
                                          WfRun                 *run,
                                          GError               **error);
guint64  wf_distance_signed_local_memory (const WfDistanceTask  *task);

gboolean wf_distance_envelope        (gconstpointer    task,
                                      WfRun           *run,
                                      GError         **error);
guint64  wf_distance_envelope_memory (gconstpointer    task);

gboolean wf_distance_propagation          (gconstpointer    task,
                                           WfRun           *run,
                                           GError         **error);
guint64  wf_distance_propagation_memory   (gconstpointer    task);
gboolean wf_distance_propagation_supports (gconstpointer    task);
