/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scripts by which a shell completes a command line of wavefront. */

#pragma once

#include "command.h"

gboolean completions_print (const char          *shell,
                            const CommandGroup  *groups,
                            GError             **error);
