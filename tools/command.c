/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "command.h"


const char *
command_get_name (const Command *command)
{
  return command->operation >= 0 ? wf_operation_get_options (command->operation)->name
                                 : command->name;
}

const char *
command_get_blurb (const Command *command)
{
  return gettext (command->operation >= 0 ? wf_operation_get_options (command->operation)->blurb
                                          : command->blurb);
}

/* Whether it reads images, and writes a result. */
gboolean
command_computes (const Command *command)
{
  return command->operation >= 0 || command->makes_table || command->makes_file ||
         command->takes_steps;
}

/* Whether it may be given several inputs, each of which it works on. */
gboolean
command_takes_several (const Command *command)
{
  return command_computes (command) && command->n_files == 1;
}
