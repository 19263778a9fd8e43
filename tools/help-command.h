/* SPDX-License-Identifier: GPL-3.0-or-later */

/* “wavefront help”: what can be read about the program. */

#pragma once

#include "command.h"

const Command * help_command_find (const char          *word,
                                   GError             **error);
gboolean        help_command_run  (const char * const  *words,
                                   GError             **error);
