/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of one subcommand. */

#pragma once

#include "command.h"
#include "file-names.h"
#include "tools/files/choice.h"
#include "tools/files/raw-file.h"
#include "tools/files/tiff-compression.h"

/**
 * Overviews:
 * @OVERVIEWS_AUTO: in OME-Zarr, and in TIFF files that are written in blocks
 * @OVERVIEWS_YES: in all files that can have them
 * @OVERVIEWS_NO: in none
 *
 * Whether TIFF files get copies of the image in half the size, a quarter and so on.
 */
typedef enum
{
  OVERVIEWS_AUTO,
  OVERVIEWS_YES,
  OVERVIEWS_NO
} Overviews;

/**
 * ThresholdWay:
 * @method: how a threshold is found
 * @percent: of wf_histogram_find_threshold()
 */
typedef struct
{
  WfThresholdMethod method;
  double            percent;
} ThresholdWay;

/**
 * Arguments:
 * @command: the subcommand
 * @help: --help was given
 * @version: --version was given
 * @options: the operation's options, as its group describes them, or %NULL
 * @own: the subcommand's own options, as its group describes them, or %NULL
 * @objects: which objects are kept, or %NULL where the subcommand has no such options
 * @compression: of TIFF files
 * @colors: what becomes of colors, where the subcommand is a filter of levels
 * @context: device, threads and tiles
 * @files: the files that are read
 * @n_files: how many
 * @output: the file that is written, or “-”
 * @format: the format of a result for “-”, or %NULL
 * @other: the file of the subcommand's own option, or %NULL
 * @texts: the values of the subcommand's options of text, or %NULL
 * @table: the file for the measurements of what is labelled, or %NULL
 * @blocks: the way of working in blocks that --blocks chooses, or %NULL without it
 * @resume: --resume was given
 * @overviews: what --overviews says
 * @invert: --invert was given
 * @finds_threshold: the threshold is to be found in the image, by @threshold
 * @raw: what --raw says, or %NULL
 * @choice: which planes of the images are read
 * @stain, @stain_text: of it, as --stain says, or %NULL
 * @repeat: how often the operation runs, at least 1
 * @mask: the file of --mask, or %NULL
 * @stats: --stats was given
 * @trace: the file for a trace, or %NULL
 * @progress: --progress was given
 * @jobs: how many of several inputs are worked on at a time
 * @chain: the steps of a chain, or %NULL
 * @is_step: whether these are those of a step of a chain
 * @place: of one of the inputs, or %NULL where all are together
 * @shown: (nullable): the input that results are printed for, where there are several
 * @quiet: whether the number that is a result is not printed
 */
struct _Arguments
{
  const Command     *command;
  gboolean           help;
  gboolean           version;
  gpointer           options;
  gpointer           own;
  WfObjectOptions   *objects;
  TiffCompression    compression;
  WfColorOptions     colors;
  WfContextOptions   context;
  char             **files;
  guint              n_files;
  char              *output;
  char              *format;
  char              *other;
  char              *mask;
  char              *texts[COMMAND_MAX_TEXTS];
  char              *table;
  char              *blocks;
  gboolean           resume;
  Overviews          overviews;
  gboolean           invert;
  gboolean           finds_threshold;
  ThresholdWay       threshold;
  const RawSpec     *raw;
  Choice             choice;
  WfStain           *stain;
  char              *stain_text;
  int                repeat;
  gboolean           stats;
  char              *trace;
  gboolean           progress;
  int                jobs;
  struct _Chain     *chain;
  gboolean           is_step;
  const NamePlace   *place;
  const char        *shown;
  gboolean           quiet;
  /*< private >*/
  RawSpec            raw_spec;
  gboolean           owns_chain;
  GHashTable        *given;
};

/**
 * OutputName:
 * @pattern: its name on the command line, not to be freed
 * @is_table: whether there can be one for all inputs
 */
typedef struct
{
  const char *pattern;
  gboolean    is_table;
} OutputName;

gboolean arguments_parse     (Arguments           *arguments,
                              const Command       *command,
                              const char * const  *words,
                              GError             **error);
gboolean arguments_has_given (const Arguments     *arguments,
                              const char          *option);
gboolean arguments_parse_step
                             (Arguments           *arguments,
                              const Command       *command,
                              const char * const  *words,
                              GError             **error);
gboolean arguments_check     (const Arguments     *arguments,
                              GError             **error);
gboolean arguments_check_colors
                             (const Arguments     *arguments,
                              const Arguments     *given,
                              GError             **error);
void     arguments_copy      (Arguments           *copy,
                              const Arguments     *all);
void     arguments_choose    (Arguments           *one,
                              const Arguments     *all,
                              const NamePlace     *place);
GArray * arguments_list_outputs
                             (const Arguments     *arguments);
void     arguments_clear     (Arguments           *arguments);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)
