/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines are broken at spaces, and on either side of a wide character, for Chinese and
 * Japanese are written without spaces.  What may begin or end a line there is decided by
 * the line breaking classes of Unicode (Unicode Standard Annex 14): nothing that closes,
 * ends or prolongs what stands before it begins one, nothing that opens something ends one.
 * Of two narrow characters, none is ever at the end of a line for the other's sake: options
 * and numbers stay whole.
 */

#include "config.h"

#include <string.h>

#include "wrap.h"


static int
count_columns_of (gunichar character)
{
  return g_unichar_iszerowidth (character) ? 0 : g_unichar_iswide (character) ? 2 : 1;
}

/**
 * wrap_count_columns:
 * @text: UTF-8
 *
 * Returns: how many columns of a terminal it takes; an ideograph takes two.
 */
glong
wrap_count_columns (const char *text)
{
  glong columns = 0;

  for (; *text; text = g_utf8_next_char (text))
    columns += count_columns_of (g_utf8_get_char (text));
  return columns;
}

static gboolean
may_begin_a_line (gunichar character)
{
  switch (g_unichar_break_type (character))
    {
    case G_UNICODE_BREAK_CLOSE_PUNCTUATION:
    case G_UNICODE_BREAK_CLOSE_PARANTHESIS:
    case G_UNICODE_BREAK_EXCLAMATION:
    case G_UNICODE_BREAK_NON_STARTER:
    case G_UNICODE_BREAK_CONDITIONAL_JAPANESE_STARTER:
    case G_UNICODE_BREAK_INFIX_SEPARATOR:
    case G_UNICODE_BREAK_INSEPARABLE:
    case G_UNICODE_BREAK_POSTFIX:
    case G_UNICODE_BREAK_SYMBOL:
    case G_UNICODE_BREAK_COMBINING_MARK:
    case G_UNICODE_BREAK_ZERO_WIDTH_JOINER:
    case G_UNICODE_BREAK_NON_BREAKING_GLUE:
    case G_UNICODE_BREAK_WORD_JOINER:
      return FALSE;
    default:
      return g_unichar_type (character) != G_UNICODE_FINAL_PUNCTUATION;
    }
}

static gboolean
may_end_a_line (gunichar character)
{
  switch (g_unichar_break_type (character))
    {
    case G_UNICODE_BREAK_OPEN_PUNCTUATION:
    case G_UNICODE_BREAK_PREFIX:
    case G_UNICODE_BREAK_ZERO_WIDTH_JOINER:
    case G_UNICODE_BREAK_NON_BREAKING_GLUE:
    case G_UNICODE_BREAK_WORD_JOINER:
      return FALSE;
    default:
      return g_unichar_type (character) != G_UNICODE_INITIAL_PUNCTUATION;
    }
}

static gboolean
may_be_parted (gunichar one,
               gunichar other)
{
  return (g_unichar_iswide (one) || g_unichar_iswide (other)) &&
         may_end_a_line (one) && may_begin_a_line (other);
}

/* To the next space, to the end, or to where @text may be broken without a space. */
static const char *
find_end (const char *text,
          glong      *columns)
{
  *columns = 0;
  while (*text && *text != ' ')
    {
      const char *next = g_utf8_next_char (text);

      *columns += count_columns_of (g_utf8_get_char (text));
      if (*next && may_be_parted (g_utf8_get_char (text), g_utf8_get_char (next)))
        return next;
      text = next;
    }
  return text;
}

/**
 * wrap_append:
 * @out: text that it is appended to, with a newline at its end
 * @text: UTF-8
 * @column: where the first line begins
 * @indent: how many spaces stand before the others
 * @width: of the terminal
 *
 * Appends @text in as many lines as it needs.
 */
void
wrap_append (GString    *out,
             const char *text,
             glong       column,
             int         indent,
             int         width)
{
  gboolean is_first = TRUE;     /* in its line */

  while (*text)
    {
      gboolean    spaced = *text == ' ' && ! is_first;
      const char *start  = *text == ' ' ? text + 1 : text;
      glong       columns;
      const char *end    = find_end (start, &columns);

      if (! is_first && column + spaced + columns > width)
        {
          g_string_append_printf (out, "\n%*s", indent, "");
          column   = indent;
          is_first = TRUE;
          spaced   = FALSE;
        }
      if (spaced)
        g_string_append_c (out, ' ');
      g_string_append_len (out, start, end - start);
      column  += spaced + columns;
      is_first = FALSE;
      text     = end;
    }
  g_string_append_c (out, '\n');
}
