/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Manual pages, in the macros of man. */

#pragma once

#include "command.h"

char *   manual_format_overview (const CommandGroup  *groups);
char *   manual_format_command  (const Command       *command);
gboolean manual_write_pages     (const char          *folder,
                                 const CommandGroup  *groups,
                                 GError             **error);
