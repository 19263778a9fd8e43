/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chain is a list of commands, each with its options,
 *
 *   gaussian --sigma 2 = smooth; h-minima --height 5; watershed --markers @seeds
 *
 * A step works on the image that the step before it has made, the first one on the input.  “= NAME”
 * at its end gives its result a name; @NAME is that result wherever a step takes a file, and @in is
 * the input.  Inputs that a step names come in the place of that of the step before; of two inputs,
 * one that is named alone is the first.  Measuring and outlines make no image: the step after them
 * works on the image before.  With -o FILE the result of a step is written, too.
 *
 * All of this is looked at before anything is read.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "chain.h"
#include "chain-words.h"
#include "command.h"
#include "commands/commands.h"
#include "files/input.h"
#include "files/store.h"
#include "help-command.h"
#include "message.h"
#include "nearest-word.h"
#include "option-sections.h"

/* Temporary files have room for so many. */
#define MOST_OUTPUTS 32


static void
step_free (gpointer data)
{
  ChainStep *step = data;

  arguments_clear (&step->arguments);
  g_free (step->name);
  g_ptr_array_unref (step->inputs);
  g_free (step->result);
  g_free (step->output);
  g_free (step->table);
  g_free (step);
}

void
chain_free (Chain *chain)
{
  g_ptr_array_unref (chain->steps);
  g_free (chain->image);
  g_free (chain->output);
  g_free (chain);
}

/**
 * chain_blame:
 * @step: its number, from 1
 * @command: what it does
 * @error: what went wrong there
 *
 * Returns: %FALSE
 */
gboolean
chain_blame (guint           step,
             const Command  *command,
             GError        **error)
{
  g_prefix_error (error, _("Step %u (%s): "), step, command_get_name (command));
  return FALSE;
}

/**
 * chain_makes_image:
 * @step: a step
 *
 * Returns: whether its result is an image
 */
gboolean
chain_makes_image (const ChainStep *step)
{
  return ! step->arguments.command->makes_table && ! step->arguments.command->makes_file;
}


/*  One step  */

static gboolean
is_name (const char *text)
{
  const gsize n = strspn (text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_-");

  return n > 0 && text[n] == '\0' && ! g_ascii_isdigit (text[0]) && text[0] != '-';
}

/* Takes “= NAME” from the end of the words. */
static gboolean
take_name (Chain       *chain,
           ChainStep   *step,
           char       **words,
           GError     **error)
{
  const guint n = g_strv_length (words);

  if (n < 2 || strcmp (words[n - 2], "=") != 0)
    return TRUE;
  if (! is_name (words[n - 1]) || strcmp (words[n - 1], CHAIN_INPUT) == 0)
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("“%s” cannot be the name of a result: it must be of letters, digits, “-” and "
                     "“_”, begin with a letter, and not be “in”."), words[n - 1]);
      return FALSE;
    }
  for (guint i = 0; i < chain->steps->len; i++)
    if (g_strcmp0 (((ChainStep *) chain->steps->pdata[i])->name, words[n - 1]) == 0)
      {
        g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                     _("There is a result “%s” before."), words[n - 1]);
        return FALSE;
      }
  if (! chain_makes_image (step))
    return refuse_usage (_("The result is no image, so it has no use for a name."), error);
  step->name = g_strdup (words[n - 1]);
  g_clear_pointer (&words[n - 1], g_free);
  g_clear_pointer (&words[n - 2], g_free);
  return TRUE;
}

static gboolean
has_option (const GPtrArray *sections,
            const char      *name)
{
  for (guint i = 0; i < sections->len; i++)
    {
      const GArray *entries = ((const OptionSection *) sections->pdata[i])->entries;

      for (guint k = 0; k < entries->len; k++)
        if (strcmp (g_array_index (entries, GOptionEntry, k).long_name, name) == 0)
          return TRUE;
    }
  return FALSE;
}

/* Options of the chain are not those of a step. */
static gboolean
check_options (const Command  *command,
               const Command  *chain,
               char          **words,
               GError        **error)
{
  g_autoptr (GStringChunk) strings  = g_string_chunk_new (1024);
  Arguments                of_step  = { .command = command, .is_step = TRUE };
  Arguments                of_chain = { .command = chain };
  g_autoptr (GPtrArray)    own      = option_sections_new (&of_step, strings);
  g_autoptr (GPtrArray)    others   = option_sections_new (&of_chain, strings);

  for (guint i = 1; words[i] && strcmp (words[i], "--") != 0; i++)
    {
      g_autofree char *name = g_str_has_prefix (words[i], "--")
                              ? g_strndup (words[i] + 2, strcspn (words[i] + 2, "=")) : NULL;

      if (! name || has_option (own, name) || ! has_option (others, name))
        continue;
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("--%s is an option of the whole chain: write it behind the steps."), name);
      return FALSE;
    }
  return TRUE;
}

/* The store's name of what a step calls @reference, “@NAME”. */
static char *
find_reference (const Chain  *chain,
                const char   *reference,
                GError      **error)
{
  g_autoptr (GPtrArray)  names = g_ptr_array_new ();
  const char            *nearest;

  if (strcmp (reference + 1, CHAIN_INPUT) == 0)
    return g_strdup (reference);
  for (guint i = 0; i < chain->steps->len; i++)
    {
      const ChainStep *step = chain->steps->pdata[i];

      if (! step->name)
        continue;
      if (strcmp (step->name, reference + 1) == 0)
        return g_strdup (step->result);
      g_ptr_array_add (names, step->name);
    }
  nearest = nearest_word (reference + 1, names);
  if (nearest)
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                 _("No step before has a result “%s”; the nearest is “%s”."), reference + 1,
                 nearest);
  else
    g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE, _("No step before has a result “%s”."),
                 reference + 1);
  return NULL;
}

static gboolean
add_input (const Chain  *chain,
           ChainStep    *step,
           const char   *word,
           GError      **error)
{
  char *name = word[0] == STORE_MARK ? find_reference (chain, word, error) : g_strdup (word);

  if (name)
    g_ptr_array_add (step->inputs, name);
  return name != NULL;
}

/* @name: replaced by that of the store, if it is one of the chain */
static gboolean
find_further_input (const Chain  *chain,
                    char        **name,
                    GError      **error)
{
  char *found;

  if (! *name || (*name)[0] != STORE_MARK)
    return TRUE;
  found = find_reference (chain, *name, error);
  if (! found)
    return FALSE;
  g_free (*name);
  *name = found;
  return TRUE;
}

static gboolean
find_inputs (Chain      *chain,
             ChainStep  *step,
             GError    **error)
{
  const Command *command = step->arguments.command;
  const guint    n       = step->arguments.n_files;
  const char    *other   = step->arguments.other;

  if (n + 1 < command->n_files || n > command->n_files)
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("It takes %u inputs, of which the last may be the result before, but %u are "
                     "named."), command->n_files, n);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (! add_input (chain, step, step->arguments.files[i], error))
      return FALSE;
  if (n < command->n_files)
    g_ptr_array_add (step->inputs, g_strdup (chain->image));
  if (other && other[0] == STORE_MARK && command->other_is_output)
    return refuse_usage (_("A name of the chain cannot be that of a further result."), error);
  return find_further_input (chain, &step->arguments.other, error) &&
         find_further_input (chain, &step->arguments.mask, error);
}

/* --raw is an option of the whole chain. */
static gboolean
check_step (Arguments        *step,
            const Arguments  *whole,
            GError          **error)
{
  step->raw_spec = whole->raw_spec;
  step->raw      = whole->raw ? &step->raw_spec : NULL;
  for (guint i = 0; i < step->n_files; i++)
    if (step->files[i][0] != STORE_MARK && ! input_check_name (step->files[i], step->raw, error))
      return FALSE;
  return arguments_check (step, error) && arguments_check_colors (step, whole, error);
}

/* The name of the chain's result may ask for more of the last step than its own options. */
static gboolean
check_last (const Chain  *chain,
            GError      **error)
{
  const ChainStep *last    = chain->steps->pdata[chain->steps->len - 1];
  const Command   *command = last->arguments.command;
  Arguments        named   = last->arguments;

  named.output = last->output;
  return ! command->check || command->check (&named, error) ||
         chain_blame (chain->steps->len, command, error);
}

/* @words: the first one is the command */
static gboolean
parse_step (Chain            *chain,
            const Arguments  *whole,
            char            **words,
            GError          **error)
{
  const guint    number  = chain->steps->len + 1;
  const Command *command = help_command_find (words[0], error);
  ChainStep     *step;

  if (! command || command->takes_steps || ! command_computes (command))
    {
      if (command)
        g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                     _("“%s” cannot be a step of a chain."), words[0]);
      g_prefix_error (error, _("Step %u: "), number);
      return FALSE;
    }
  step                    = g_new0 (ChainStep, 1);
  step->inputs            = g_ptr_array_new_with_free_func (g_free);
  step->arguments.command = command;
  if (! take_name (chain, step, words, error) ||
      ! check_options (command, whole->command, words, error) ||
      ! arguments_parse_step (&step->arguments, command, (const char * const *) words, error) ||
      ! check_step (&step->arguments, whole, error) ||
      ! find_inputs (chain, step, error))
    {
      step_free (step);
      return chain_blame (number, command, error);
    }
  step->result = g_strdup_printf ("%cstep-%u", STORE_MARK, number);
  step->output = g_strdup (step->arguments.output);
  step->table  = g_strdup (step->arguments.table);
  g_ptr_array_add (chain->steps, step);
  if (chain_makes_image (step))
    {
      g_free (chain->image);
      chain->image = g_strdup (step->result);
    }
  return TRUE;
}


/*  The outputs  */

/* --table of the chain is that of the last step. */
static gboolean
place_table (const Arguments  *whole,
             ChainStep        *last,
             GError          **error)
{
  const Command *command = last->arguments.command;
  char         **place   = command->makes_table ? &last->output : &last->table;

  if (! whole->table)
    return TRUE;
  if (! command->makes_table && ! command->table_blurb)
    return refuse_usage (_("--table: the last step makes no table."), error);
  if (*place)
    return refuse_usage (_("The last step has a file for its table already: leave out --table."),
                         error);
  *place = g_strdup (whole->table);
  return TRUE;
}

/* OUT of the chain is the result of the last step, or the last image. */
static gboolean
place_output (Chain            *chain,
              const Arguments  *whole,
              GError          **error)
{
  ChainStep *last = chain->steps->pdata[chain->steps->len - 1];

  if (! whole->output)
    return TRUE;
  if (! last->output)
    {
      last->output = g_strdup (whole->output);
      return TRUE;
    }
  if (chain_makes_image (last))
    return refuse_usage (_("The last step has -o already: leave out one of the two."), error);
  chain->output = g_strdup (whole->output);
  return TRUE;
}

/* A result that is no image and is not written is lost. */
static gboolean
check_results (const Chain  *chain,
               GError      **error)
{
  guint n = chain->output != NULL;

  for (guint i = 0; i < chain->steps->len; i++)
    {
      const ChainStep *step = chain->steps->pdata[i];

      if (! chain_makes_image (step) && ! step->output)
        {
          refuse_usage (_("Its result is not written: give it -o FILE."), error);
          return chain_blame (i + 1, step->arguments.command, error);
        }
      n += (step->output != NULL) + (step->table != NULL) +
           (step->arguments.other && step->arguments.command->other_is_output);
    }
  if (n == 0)
    return refuse_usage (_("The output file is missing: give -o OUT behind the steps, or to one of "
                           "them."), error);
  if (n <= MOST_OUTPUTS)
    return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE, _("A chain writes at most %d files."),
               MOST_OUTPUTS);
  return FALSE;
}

/**
 * chain_parse:
 * @text: the steps
 * @arguments: of the chain
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: (transfer full) (nullable): the chain, if all steps can be right
 */
Chain *
chain_parse (const char       *text,
             const Arguments  *arguments,
             GError          **error)
{
  g_autoptr (GPtrArray)  list  = chain_words_split (text, error);
  g_autoptr (Chain)      chain = NULL;

  if (! list)
    return NULL;
  chain        = g_new0 (Chain, 1);
  chain->steps = g_ptr_array_new_with_free_func (step_free);
  chain->image = g_strdup_printf ("%c%s", STORE_MARK, CHAIN_INPUT);
  for (guint i = 0; i < list->len; i++)
    if (! parse_step (chain, arguments, list->pdata[i], error))
      return NULL;
  if (! place_table (arguments, chain->steps->pdata[chain->steps->len - 1], error) ||
      ! place_output (chain, arguments, error) ||
      ! check_last (chain, error) ||
      ! check_results (chain, error))
    return NULL;
  return g_steal_pointer (&chain);
}

static void
append_output (GArray     *outputs,
               const char *pattern,
               gboolean    is_table)
{
  const OutputName output = { pattern, is_table };

  if (pattern)
    g_array_append_val (outputs, output);
}

/**
 * chain_list_outputs:
 * @chain: a chain
 * @outputs: (element-type OutputName): gets its outputs
 * @arguments: of the chain
 */
void
chain_list_outputs (const Chain     *chain,
                    GArray          *outputs,
                    const Arguments *arguments)
{
  append_output (outputs, chain->output, FALSE);
  for (guint i = 0; i < chain->steps->len; i++)
    {
      const ChainStep *step = chain->steps->pdata[i];

      append_output (outputs, step->output, step->arguments.command->makes_table);
      append_output (outputs, step->table, TRUE);
      if (step->arguments.command->other_is_output)
        append_output (outputs, step->arguments.other, FALSE);
    }
}
