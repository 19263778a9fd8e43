/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each operation as work of adjustable length, for tests of properties that all operations
 * share.
 */

#pragma once

#include "guarded-image.h"

G_BEGIN_DECLS

/**
 * Work:
 * @operation: the operation
 * @image: the input, u8
 * @second: the marker of a reconstruction, or the minima to impose
 * @out: the output, unchanged unless the work succeeds
 */
typedef struct
{
  WfOperation   operation;
  GuardedImage *image;
  GuardedImage *second;
  GuardedImage *out;
} Work;

gboolean       work_describes   (WfOperation   operation);
const char *   work_name        (WfOperation   operation);
void           work_init        (Work         *work,
                                 WfOperation   operation,
                                 gint64        side);
void           work_clear       (Work         *work);
gboolean       work_run         (Work         *work,
                                 WfContext    *context,
                                 GError      **error);
gconstpointer  work_options     (WfOperation   operation);
double         work_clock       (void);
GuardedImage * work_result      (WfOperation   operation,
                                 gint64        side);
gint64         work_side_taking (WfOperation   operation,
                                 double        seconds,
                                 double       *taken);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

G_END_DECLS
