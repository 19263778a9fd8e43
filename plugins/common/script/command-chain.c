/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of the command for several steps: what a step writes is what the next one reads. */

#include "config.h"

#include <string.h>

#include "command-line.h"

#define RESULT "out.tif"

/* One of both is what lines read that do not read a file of the image. */
static const char *const inputs[] = { "in.png", "in.tif" };


static gboolean
is_input (const char *word)
{
  return strcmp (word, inputs[0]) == 0 || strcmp (word, inputs[1]) == 0;
}

/* Whether a comment says what is to be in the input. */
static gboolean
describes_input (const char *comment)
{
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      g_autofree char *start = g_strconcat ("# ", inputs[i], ": ", NULL);

      if (g_str_has_prefix (comment, start))
        return TRUE;
    }
  return FALSE;
}

static void
add_words (GString    *text,
           char      **words,
           const char *input,
           const char *output)
{
  for (gsize i = 0; words[i]; i++)
    {
      const gboolean   is_result = i > 0 && strcmp (words[i - 1], "-o") == 0 &&
                                   strcmp (words[i], RESULT) == 0;
      const char      *word      = input && is_input (words[i]) ? input
                                   : output && is_result ? output : words[i];
      g_autofree char *quoted    = wf_command_line_quote (word);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", quoted);
    }
  g_string_append_c (text, '\n');
}

/**
 * wf_command_line_connect:
 * @text: lines of a call
 * @input: (nullable): the file that is read instead of one that has to be made
 * @output: (nullable): the file that is written instead of the last result
 *
 * Returns: (transfer full): the lines with these files
 */
char *
wf_command_line_connect (const char *text,
                         const char *input,
                         const char *output)
{
  g_auto (GStrv)  lines     = g_strsplit (text, "\n", -1);
  GString        *connected = g_string_new (NULL);

  for (gsize i = 0; lines[i]; i++)
    {
      g_auto (GStrv) words = NULL;

      if (*lines[i] == '#' || ! g_shell_parse_argv (lines[i], NULL, &words, NULL))
        {
          if (*lines[i] && ! (input && describes_input (lines[i])))
            g_string_append_printf (connected, "%s\n", lines[i]);
        }
      else
        add_words (connected, words, input, output);
    }
  return g_string_free (connected, FALSE);
}
