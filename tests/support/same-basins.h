/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hierarchies and measurements that are to be equal to the bit. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

void assert_same_hierarchies (const WfHierarchy *found,
                              const WfHierarchy *expected);
void assert_same_basins      (const WfBasin     *found,
                              guint32            n_found,
                              const WfBasin     *expected,
                              guint32            n_expected);

G_END_DECLS
