/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The subcommands.  Each has a file of its own. */

#pragma once

#include "arguments.h"

/**
 * Command:
 * @name: on the command line
 * @title: what it is called, to be translated
 * @blurb: what it does, one sentence fragment, to be translated
 * @usage: what follows the name in the usage line
 * @n_files: how many files it reads
 * @operation: its #WfOperation, or -1 if it computes nothing
 * @other_option: an option of its own that takes a file, or %NULL
 * @other_placeholder: what stands for the file in help
 * @other_blurb: what that file is, to be translated
 * @notes: more help, paragraphs separated by empty lines, to be translated, or %NULL
 * @examples: lines to try, or %NULL
 * @run: does it
 *
 * For an operation, name, title and blurb are those of its options' group.
 */
struct _Command
{
  const char *name;
  const char *title;
  const char *blurb;
  const char *usage;
  guint       n_files;
  int         operation;
  const char *other_option;
  const char *other_placeholder;
  const char *other_blurb;
  const char *notes;
  const char *examples;
  gboolean (* run) (const Arguments  *arguments,
                    GError          **error);
};

extern const Command command_reconstruct;
extern const Command command_distance;
extern const Command command_watershed;
extern const Command command_devices;

const char * command_get_name  (const Command *command);
const char * command_get_blurb (const Command *command);
