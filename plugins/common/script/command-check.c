/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of the command from anyone's file: no shell does anything else with them than to call the
 * command, and that writes no other files than those in the current folder that our own lines
 * name.
 */

#include "config.h"

#include <string.h>

#include "command-line.h"
#include "scripts.h"

#define COMMAND "wavefront"
#define MARK    "#"

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

/**
 * Output:
 * @option: one that names a file that is written
 * @command: (nullable): of what command; %NULL for all others
 * @suffix: of the file
 * @usual: what replaces names that ours are not
 */
typedef struct
{
  const char *option;
  const char *command;
  const char *suffix;
  const char *usual;
} Output;

/* Of several for an option the last is the usual one. */
static const Output outputs[] =
{
  { "-o", "outlines", ".zip", "outlines.zip" },
  { "-o", "outlines", ".geojson", "outlines.geojson" },
  { "-o", "measure", ".csv", "table.csv" },
  { "-o", NULL, ".tif", "out.tif" },
  { "--nearest", NULL, ".tif", "nearest.tif" },
  { "--table", NULL, ".csv", "table.csv" },
};

static const char *const refused[] = { "--output", "--trace" };


/* @name: (nullable): of the file */
static const Output *
find_output (const char *command,
             const char *option,
             const char *name)
{
  const Output *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    {
      const Output *output = &outputs[i];

      if (strcmp (option, output->option) != 0 ||
          (output->command ? strcmp (command, output->command) != 0 : found != NULL))
        continue;
      found = output;
      if (name && g_str_has_suffix (name, output->suffix))
        break;
    }
  return found;
}

/* Whether a name is like those that our lines write: a word and the suffix. */
static gboolean
is_plain (const char *name,
          const char *suffix)
{
  const gsize n = strspn (name, LETTERS DIGITS);

  return n > 0 && strcmp (name + n, suffix) == 0;
}

static gboolean
is_command (const char *word)
{
  return word && g_ascii_islower (*word) && strspn (word, LETTERS "-") == strlen (word) &&
         strcmp (word, "run") != 0;
}

/* What begins with a hyphen is a number, or an option that writes nothing and whose value is a
 * word of its own.
 */
static gboolean
is_harmless (const char *word)
{
  if (*word != '-')
    return TRUE;
  if (word[1] != '-')
    return g_ascii_isdigit (word[1]) && strspn (word + 1, DIGITS ".e+-") == strlen (word + 1);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    if (strcmp (word, refused[i]) == 0)
      return FALSE;
  return word[2] && strspn (word + 2, LETTERS DIGITS "-") == strlen (word + 2);
}

/* Replaces the names of outputs; %FALSE if the words may write anything else. */
static gboolean
check_words (char **words)
{
  if (strcmp (words[0], COMMAND) != 0 || ! is_command (words[1]))
    return FALSE;
  for (gsize i = 2; words[i]; i++)
    {
      const Output *output = find_output (words[1], words[i], words[i + 1]);

      if (! output && ! is_harmless (words[i]))
        return FALSE;
      if (! output)
        continue;
      if (! words[++i])
        return FALSE;
      if (! is_plain (words[i], output->suffix))
        {
          g_free (words[i]);
          words[i] = g_strdup (output->usual);
        }
    }
  return TRUE;
}

static void
add_checked (GString    *text,
             const char *line)
{
  g_auto (GStrv) words = NULL;

  if (! g_shell_parse_argv (line, NULL, &words, NULL) || ! check_words (words))
    {
      wf_script_add_comment (text, MARK, line);
      return;
    }
  for (gsize i = 0; words[i]; i++)
    {
      g_autofree char *quoted = wf_command_line_quote (words[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", quoted);
    }
  g_string_append_c (text, '\n');
}

/**
 * wf_command_line_check:
 * @text: lines from a file
 *
 * Returns: (transfer full): the same if they are calls of the command and comments, with other
 *   names of outputs where these are not as ours are; whatever else they are becomes comments
 */
char *
wf_command_line_check (const char *text)
{
  g_auto (GStrv)  lines   = g_strsplit (text, "\n", -1);
  GString        *checked = g_string_new (NULL);

  for (gsize i = 0; lines[i]; i++)
    if (g_str_has_prefix (lines[i], MARK " "))
      wf_script_add_comment (checked, MARK, lines[i] + strlen (MARK " "));
    else if (*lines[i])
      add_checked (checked, lines[i]);
  return g_string_free (checked, FALSE);
}
