/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A command for several inputs, one after the other or some at a time. */

#pragma once

#include "arguments.h"

gboolean batch_run (const Arguments  *arguments,
                    GError          **error);
