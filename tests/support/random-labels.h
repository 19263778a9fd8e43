/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels for the hierarchy of basins: watersheds, and what no watershed is. */

#pragma once

#include "tests/reference/reference.h"
#include "wavefront.h"

G_BEGIN_DECLS

const char * random_basins (const RefSize *size,
                            WfType         type,
                            const double  *levels,
                            guint32       *labels);

G_END_DECLS
