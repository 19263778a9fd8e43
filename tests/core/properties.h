/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Groups of property tests, each in a file of its own. */

#pragma once

#include "tests/support/operands.h"

G_BEGIN_DECLS

/* Calls @check for as many random operands. */
void run_properties         (void (* check) (const Operand *operand),
                             guint   n_cases);

void add_extrema_properties (void);
void add_basin_properties   (void);

G_END_DECLS
