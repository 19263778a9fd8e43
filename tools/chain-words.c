/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps are divided by semicolons and ends of lines, words by spaces.  Quotes and backslashes are
 * those of a shell; a word that begins with “#” begins a comment, to the end of the line.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "chain-words.h"
#include "message.h"


/* The end of the step that begins at @text: a divider, or the end. */
static const char *
find_end (const char *text)
{
  char quote = '\0';

  for (; *text; text++)
    if (quote == '\0' && (*text == ';' || *text == '\n'))
      break;
    else if (*text == '\\' && quote != '\'' && text[1] != '\0')
      text++;
    else if (quote == '\0' && (*text == '\'' || *text == '"'))
      quote = *text;
    else if (*text == quote)
      quote = '\0';
  return text;
}

/* Without comments, which may hold dividers and quotes. */
static char *
remove_comments (const char *text)
{
  GString *rest = g_string_new (NULL);

  for (const char *at = text; *at; at++)
    {
      const gboolean begins = at == text || g_ascii_isspace (at[-1]) || at[-1] == ';';

      if (*at == '#' && begins)
        at += strcspn (at, "\n");
      if (*at == '\0')
        break;
      g_string_append_c (rest, *at);
    }
  return g_string_free (rest, FALSE);
}

/**
 * chain_words_split:
 * @text: of a chain
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: (transfer full) (element-type GStrv) (nullable): the words of each step; steps without
 *   words are left out
 */
GPtrArray *
chain_words_split (const char  *text,
                   GError     **error)
{
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autofree char      *plain = remove_comments (text);

  for (const char *at = plain; *at; )
    {
      const char         *end     = find_end (at);
      g_autofree char    *step    = g_strndup (at, end - at);
      g_autoptr (GError)  problem = NULL;
      char              **words;

      at = *end ? end + 1 : end;
      if (g_strstrip (step)[0] == '\0')
        continue;
      if (! g_shell_parse_argv (step, NULL, &words, &problem))
        {
          g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                       _("Step %u, “%s”, has a quotation mark without its other half."),
                       steps->len + 1, step);
          return NULL;
        }
      g_ptr_array_add (steps, words);
    }
  if (steps->len > 0)
    return g_steal_pointer (&steps);
  refuse_usage (_("There are no steps in the chain."), error);
  return NULL;
}
