/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters of engine/filters/filters.c, for operations that filter on their way. */

#pragma once

#include "engine/core/operations.h"

/* @target: type and size of @image, apart from it */
gboolean wf_cpu_gaussian        (const WfImage           *image,
                                 const WfGaussian        *gaussian,
                                 WfImage                 *target,
                                 WfRun                   *run,
                                 double                   share,
                                 GError                 **error);
guint64  wf_cpu_gaussian_memory (const WfImage           *image,
                                 const WfGaussian        *gaussian);
gboolean wf_cpu_gradient        (const WfImage           *image,
                                 WfElement                element,
                                 gint64                   radius,
                                 WfImage                 *target,
                                 WfRun                   *run,
                                 double                   share,
                                 GError                 **error);
guint64  wf_cpu_gradient_memory (const WfImage           *image,
                                 WfElement                element,
                                 gint64                   radius);

/* The image that a watershed is to flood, packed, in memory of its own; while it is
 * made, that and what wf_cpu_relief_memory() says are taken.
 */
gboolean wf_cpu_relief          (const WfWatershedTask   *task,
                                 WfImage                 *relief,
                                 gpointer                *memory,
                                 WfRun                   *run,
                                 double                   share,
                                 GError                 **error);
guint64  wf_cpu_relief_memory   (const WfWatershedTask   *task);
