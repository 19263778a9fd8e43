/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters of engine/filters/filters.c as steps of other operations. */

#pragma once

#include "engine/core/tasks.h"

/* All of them, by the task's operation.
 *
 * @…_memory: bytes beyond @image and @target, at most, where @n_threads may work.
 */
gboolean wf_cpu_filter          (const WfFilterTask      *task,
                                 WfImage                 *target,
                                 WfRun                   *run,
                                 GError                 **error);
guint64  wf_cpu_filter_memory   (const WfFilterTask      *task,
                                 guint                    n_threads);
gint64   wf_cpu_filter_margin   (const WfFilterTask      *task);

/* @target: type and size of @image; must not overlap it */
gboolean wf_cpu_gaussian        (const WfImage           *image,
                                 const WfGaussian        *gaussian,
                                 WfImage                 *target,
                                 WfRun                   *run,
                                 double                   share,
                                 GError                 **error);
guint64  wf_cpu_gaussian_memory (const WfImage           *image,
                                 const WfGaussian        *gaussian,
                                 guint                    n_threads);
gboolean wf_cpu_gradient        (const WfImage           *image,
                                 WfElement                element,
                                 gint64                   radius,
                                 WfImage                 *target,
                                 WfRun                   *run,
                                 double                   share,
                                 GError                 **error);
guint64  wf_cpu_gradient_memory (const WfImage           *image,
                                 WfElement                element,
                                 gint64                   radius,
                                 guint                    n_threads);

/* Makes the image that a watershed floods, packed, in new memory.  This takes the memory of
 * the result and wf_cpu_relief_memory().
 */
gboolean wf_cpu_relief          (const WfWatershedTask   *task,
                                 WfImage                 *relief,
                                 gpointer                *memory,
                                 WfRun                   *run,
                                 double                   share,
                                 GError                 **error);
guint64  wf_cpu_relief_memory   (const WfWatershedTask   *task,
                                 guint                    n_threads);
