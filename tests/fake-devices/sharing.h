/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tests of several devices share. */

#pragma once

#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"

#define N_DEVICE_LISTS 5

/* Lists that several devices are named by. */
extern const char *const device_lists[N_DEVICE_LISTS];

const char *   random_devices  (void);
WfContext *    new_context     (const char     *devices,
                                int             rows,
                                WfFallback      fallback,
                                gboolean        partial_outputs);
void           set_disturbance (int             failures,
                                int             delays);
GuardedImage * new_packed      (WfType          type,
                                const RefSize  *size,
                                const double   *levels);
GuardedImage * random_packed   (WfType          type,
                                Palette        *palette,
                                RefSize        *size);
