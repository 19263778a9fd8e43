/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The subcommands: one in a file, but for those that differ in the function only. */

#pragma once

#include "tools/arguments.h"

/**
 * Command:
 * @name: on the command line
 * @blurb: what it does, one sentence fragment, to be translated
 * @usage: what follows the name in the usage line
 * @n_files: how many files it reads
 * @operation: its #WfOperation, or -1 if it computes nothing
 * @own: options of its own beside the operation's, or %NULL
 * @other_option: an option of its own that takes a file, or %NULL
 * @other_placeholder: what stands for the file in help
 * @other_blurb: what that file is, to be translated
 * @table_blurb: what the table of --table tells, to be translated, or %NULL where there is
 *   none
 * @notes: more help, paragraphs separated by empty lines, to be translated, or %NULL
 * @examples: lines to try, or %NULL
 * @run: does it
 *
 * For an operation, name and blurb are those of its options' group.
 */
struct _Command
{
  const char          *name;
  const char          *blurb;
  const char          *usage;
  guint                n_files;
  int                  operation;
  const WfOptionGroup *own;
  const char          *other_option;
  const char          *other_placeholder;
  const char          *other_blurb;
  const char          *table_blurb;
  const char          *notes;
  const char          *examples;
  gboolean          (* run) (const Arguments  *arguments,
                             GError          **error);
};

/**
 * CommandGroup:
 * @title: what the subcommands have in common, to be translated
 * @commands: the subcommands, ended by %NULL
 */
typedef struct
{
  const char            *title;
  const Command * const *commands;
} CommandGroup;

extern const Command command_reconstruct;
extern const Command command_distance;
extern const Command command_watershed;
extern const Command command_label;
extern const Command command_hierarchy;
extern const Command command_fill_holes;
extern const Command command_clear_border;
extern const Command command_h_maxima;
extern const Command command_h_minima;
extern const Command command_h_dome;
extern const Command command_h_basin;
extern const Command command_regional_maxima;
extern const Command command_regional_minima;
extern const Command command_extended_maxima;
extern const Command command_extended_minima;
extern const Command command_opening;
extern const Command command_closing;
extern const Command command_white_top_hat;
extern const Command command_black_top_hat;
extern const Command command_impose_minima;
extern const Command command_gaussian;
extern const Command command_gradient;
extern const Command command_devices;

const char * command_get_name  (const Command *command);
const char * command_get_blurb (const Command *command);
