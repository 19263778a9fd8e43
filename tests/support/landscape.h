/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images of ordinary size and content, for whole-image comparisons. */

#pragma once

#include "tests/reference/reference.h"
#include "wavefront.h"

G_BEGIN_DECLS

void make_landscape (WfType         type,
                     const RefSize *size,
                     int            smoothness,
                     double        *levels);
void make_corridor  (const RefSize *size,
                     double         floor,
                     double         wall,
                     double        *levels);

G_END_DECLS
