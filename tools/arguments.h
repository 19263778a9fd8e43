/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of one subcommand. */

#pragma once

#include "command.h"
#include "tools/files/raw-file.h"

/**
 * Arguments:
 * @command: the subcommand
 * @help: --help was given
 * @version: --version was given
 * @options: the operation's options, as its group describes them, or %NULL
 * @own: the subcommand's own options, as its group describes them, or %NULL
 * @context: device, threads and tiles
 * @files: the files that are read
 * @n_files: how many
 * @output: the file that is written
 * @other: the file of the subcommand's own option, or %NULL
 * @table: the file for the measurements of what is labelled, or %NULL
 * @raw: what --raw says, or %NULL
 * @repeat: how often the operation runs, at least 1
 * @stats: --stats was given
 * @progress: --progress was given
 */
struct _Arguments
{
  const Command     *command;
  gboolean           help;
  gboolean           version;
  gpointer           options;
  gpointer           own;
  WfContextOptions   context;
  char             **files;
  guint              n_files;
  char              *output;
  char              *other;
  char              *table;
  const RawSpec     *raw;
  int                repeat;
  gboolean           stats;
  gboolean           progress;
  /*< private >*/
  RawSpec            raw_spec;
  GHashTable        *given;
};

gboolean arguments_parse     (Arguments           *arguments,
                              const Command       *command,
                              const char * const  *words,
                              GError             **error);
gboolean arguments_has_given (const Arguments     *arguments,
                              const char          *option);
void     arguments_clear     (Arguments           *arguments);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

/**
 * OptionSection:
 * @title: what the options have in common
 * @entries: ended by one without a name
 * @group: the table that they come from, or %NULL for those of the command itself
 * @options: the struct that @group describes
 *
 * Options as help shows them.
 */
typedef struct
{
  const char          *title;
  GArray              *entries;
  const WfOptionGroup *group;
  gpointer             options;
} OptionSection;

GPtrArray * arguments_describe (Arguments          *arguments,
                                GStringChunk       *strings);
gboolean    option_takes_value (const GOptionEntry *entry);
