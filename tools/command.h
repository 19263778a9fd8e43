/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A subcommand. */

#pragma once

#include "wavefront.h"

typedef struct _Command   Command;
typedef struct _Arguments Arguments;
typedef struct _Input     Input;

/**
 * BlockFunc:
 * @context: where to compute; its memory limit counts the blocks
 * @sources: the images, in the order of the command line
 * @sink: for the result
 * @task: the operation's
 * @error: the operation's, or one of files
 *
 * Runs an operation of the library in blocks.
 *
 * Returns: success
 */
typedef gboolean (* BlockFunc) (WfContext            *context,
                                const WfBlockSource  *sources,
                                const WfBlockSink    *sink,
                                gpointer              task,
                                GError              **error);

/**
 * TextOption:
 * @name: of the option
 * @placeholder: what stands for the text in help
 * @blurb: what it is, to be translated
 *
 * An option of a subcommand that takes any text.
 */
typedef struct
{
  const char *name;
  const char *placeholder;
  const char *blurb;
} TextOption;

/* Options of text that a subcommand may have. */
#define COMMAND_MAX_TEXTS 3

/**
 * Command:
 * @name: on the command line
 * @blurb: what it does, one sentence fragment, to be translated
 * @usage: what follows the name in the usage line
 * @n_files: how many files it reads
 * @operation: its #WfOperation, or -1 if it is none
 * @makes_table: whether it reads images and writes a table to OUT, without an operation
 * @makes_file: whether it reads an image and writes a file of another kind to OUT, without an
 *   operation
 * @takes_steps: whether its first argument has the steps of a chain
 * @takes_labels: whether it reads labels only, so that no stain has to do with it; of an operation
 *   it follows from its record
 * @own: options of its own beside the operation's, or %NULL
 * @selects_objects: whether it takes the limits of #WfObjectOptions
 * @texts: options that take a text, with @own, ended by one without a name
 * @other_option: an option of its own that takes a file, or %NULL
 * @other_placeholder: what stands for the file in help
 * @other_blurb: what that file is, to be translated
 * @mask_blurb: what --mask does, to be translated, or %NULL where there is none; not in blocks
 * @table_blurb: what the table of --table contains, to be translated, or %NULL where there is
 *   none
 * @invert_blurb: what --invert does, to be translated, or %NULL where bright and dark are not
 *   distinguished
 * @inverts_result: with --invert, the result of operation_run() is inverted back
 * @blocks: the ways in which it works on images in blocks, as --blocks takes them, ended by
 *   %NULL; or %NULL where it works on whole images only
 * @other_is_input: whether in blocks @other_option names a further image of labels that is read;
 *   if not, it is refused there
 * @other_is_output: whether @other_option names a further result
 * @complete: sets options that follow from others, before they are checked; or %NULL
 * @check: whether the options can be together, before anything is read; or %NULL where they always
 *   can: missing ones and names of files are looked at before
 * @check_blocks: whether it can do in blocks what the options ask for, or %NULL where it can
 *   always; files beside the result and repetitions are refused before
 * @find_result: sets type and content of the result in blocks, where they depend on the command's
 *   own options; or %NULL where they are those of the operation
 * @count_further: bytes a pixel that it takes in memory for images beside its files, or %NULL
 * @notes: more help, paragraphs separated by empty lines, to be translated, or %NULL
 * @examples: lines to try, or %NULL
 * @check_inputs: what is checked of two inputs beside their sizes, before their pixels are looked
 *   at, or %NULL
 * @run_blocks: what operation_run() calls where the work is done in blocks, with the #Arguments;
 *   %NULL for wf_operation_run_blocks()
 * @needs_scratch: whether that needs a file for an image in between, where the result can, or
 *   cannot, be read back; or %NULL where it never does
 * @reads_result: whether in blocks the result is read back as it grows, or %NULL where it never is
 * @run: does it; of an operation %NULL for operation_run()
 *
 * For an operation, name and blurb are those of its record; usage and files follow from it
 * where they are not given.
 */
struct _Command
{
  const char          *name;
  const char          *blurb;
  const char          *usage;
  guint                n_files;
  int                  operation;
  gboolean             makes_table;
  gboolean             makes_file;
  gboolean             takes_steps;
  gboolean             takes_labels;
  const WfOptionGroup *own;
  gboolean             selects_objects;
  TextOption           texts[COMMAND_MAX_TEXTS + 1];
  const char          *other_option;
  const char          *other_placeholder;
  const char          *other_blurb;
  const char          *mask_blurb;
  const char          *table_blurb;
  const char          *invert_blurb;
  gboolean             inverts_result;
  const char * const  *blocks;
  gboolean             other_is_input;
  gboolean             other_is_output;
  gboolean          (* complete)     (Arguments        *arguments,
                                      GError          **error);
  gboolean          (* check)        (const Arguments  *arguments,
                                      GError          **error);
  gboolean          (* check_blocks) (const Arguments  *arguments,
                                      GError          **error);
  void              (* find_result)  (const Arguments  *arguments,
                                      WfType           *type,
                                      WfContent        *content);
  gsize             (* count_further) (const Arguments  *arguments,
                                       WfType            type);
  const char          *notes;
  const char          *examples;
  gboolean          (* check_inputs) (const Input      *first,
                                      const Input      *second,
                                      GError          **error);
  BlockFunc            run_blocks;
  gboolean          (* needs_scratch) (const Arguments *arguments,
                                       gboolean         readable);
  gboolean          (* reads_result) (const Arguments  *arguments);
  gboolean          (* run)          (const Arguments  *arguments,
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

const char * command_get_name  (const Command *command);
const char * command_get_blurb (const Command *command);
gboolean     command_computes  (const Command *command);
gboolean     command_takes_several
                               (const Command *command);
