/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What --resume goes on with: the same task. */

#pragma once

#include "arguments.h"

char *   resume_describe_task (const Arguments  *arguments);
gboolean resume_refuse        (const char       *option,
                               GError          **error);
gboolean resume_check         (const Arguments  *arguments,
                               GError          **error);
