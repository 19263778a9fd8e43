/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running the steps of a chain. */

#pragma once

#include "chain.h"

gboolean chain_run (const Arguments  *arguments,
                    GError          **error);
