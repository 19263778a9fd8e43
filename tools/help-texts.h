/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What help and manual pages say of a subcommand beside its options. */

#pragma once

#include "command.h"

GPtrArray  * help_texts_of_command (const Command *command);
const char * help_texts_program    (void);
const char * help_texts_status     (void);
