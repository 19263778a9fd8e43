/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each operation as a piece of work that can be made longer: for the tests of
 * what all operations have in common.
 */

#pragma once

#include "guarded-image.h"

G_BEGIN_DECLS

/**
 * Work:
 * @operation: what is done
 * @image: the input, u8
 * @second: a reconstruction's marker, or the minima to be imposed
 * @out: untouched until the work succeeds
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
