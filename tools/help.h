/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "command.h"

void help_print_overview (const CommandGroup *groups);
void help_print_command  (const Command      *command);
