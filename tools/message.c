/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>

#include <glib/gi18n.h>

#include "message.h"
#include "ranks.h"
#include "progress.h"
#include "tools/files/stream.h"


/* Standard output carries a result. */
static gboolean stdout_is_taken;

G_DEFINE_QUARK (wavefront-tool-error-quark, tool_error)


/**
 * refuse_usage:
 * @sentence: what is wrong with the command line
 * @error: set to %TOOL_ERROR_USAGE
 *
 * Returns: %FALSE.
 */
gboolean
refuse_usage (const char  *sentence,
              GError     **error)
{
  g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_USAGE, sentence);
  return FALSE;
}

/**
 * refuse_because:
 * @reason: what is wrong with a file, no sentence
 * @error: set to %TOOL_ERROR_FILE, the reason alone
 *
 * For what does not know the file's name: a caller passes the reason to refuse_to_read() or
 * refuse_to_write().
 *
 * Returns: %FALSE.
 */
gboolean
refuse_because (const char  *reason,
                GError     **error)
{
  g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_FILE, reason);
  return FALSE;
}

/**
 * refuse_to_read:
 * @path: a file
 * @reason: what is wrong with it, no sentence
 * @error: set to %TOOL_ERROR_FILE
 *
 * Returns: %FALSE.
 */
gboolean
refuse_to_read (const char  *path,
                const char  *reason,
                GError     **error)
{
  g_autofree char *name = stream_show_name (path);

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("Cannot read “%s”: %s."), name, reason);
  return FALSE;
}

/**
 * refuse_to_write:
 * @name: a file's name, to be shown
 * @reason: why it cannot be written, no sentence
 * @error: set to %TOOL_ERROR_FILE
 *
 * Returns: %FALSE.
 */
gboolean
refuse_to_write (const char  *name,
                 const char  *reason,
                 GError     **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("Cannot write “%s”: %s."), name, reason);
  return FALSE;
}

/* @text in the locale's encoding. */
static char *
to_locale (const char *text)
{
  g_autofree char *valid     = g_utf8_make_valid (text, -1);
  char            *converted = NULL;
  const char      *charset;

  if (! g_get_charset (&charset))
    {
      g_autofree char *target = g_strconcat (charset, "//TRANSLIT", NULL);

      converted = g_convert_with_fallback (valid, -1, target, "UTF-8", "?", NULL, NULL, NULL);
    }
  return converted ? converted : g_steal_pointer (&valid);
}

/**
 * text_print:
 * @stream: standard output or standard error
 * @text: in UTF-8
 *
 * Writes @text in the locale's encoding.  What that cannot show is replaced by
 * what looks like it: quotation marks by plain ones.
 */
void
text_print (FILE       *stream,
            const char *text)
{
  g_autofree char *converted = to_locale (text);

  fputs (converted, stream);
}

/* What would end the line, direct the terminal or reverse the text behind it. */
static gboolean
is_control (gunichar c)
{
  return g_unichar_iscntrl (c) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Names of files and errors of other libraries may hold control characters. */
static char *
escape (const char *text)
{
  GString *escaped = g_string_new (NULL);

  for (const char *at = text; *at; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (! is_control (c))
        g_string_append_unichar (escaped, c);
      else if (c == '\n' || c == '\r' || c == '\t')
        g_string_append (escaped, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
      else
        g_string_append_printf (escaped, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
    }
  return g_string_free (escaped, FALSE);
}

/**
 * message_format:
 * @text: one sentence
 *
 * Returns: (transfer full): the line that message_print() writes.
 */
char *
message_format (const char *text)
{
  g_autofree char *valid   = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = escape (g_strchomp (valid));
  g_autofree char *line    = g_strdup_printf ("wavefront: %s\n", escaped);

  return to_locale (line);
}

/**
 * message_print:
 * @text: one sentence
 *
 * Says @text on standard error, as one line whatever it contains.
 */
void
message_print (const char *text)
{
  g_autofree char *line = message_format (text);

  if (! ranks_is_first ())
    return;
  progress_end_line ();
  fputs (line, stderr);
}

/**
 * stdout_take:
 *
 * Keeps standard output for a result: what stdout_for_reports() returns is standard error from
 * here on.
 */
void
stdout_take (void)
{
  stdout_is_taken = TRUE;
}

/**
 * stdout_for_reports:
 *
 * Returns: where numbers and statistics are printed.
 */
FILE *
stdout_for_reports (void)
{
  static FILE *nowhere;

  if (! ranks_is_first () && (nowhere || (nowhere = fopen ("/dev/null", "w"))))
    return nowhere;
  return stdout_is_taken ? stderr : stdout;
}

/**
 * stdout_finish:
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether everything printed so far reached standard output.
 */
gboolean
stdout_finish (GError **error)
{
  if (fflush (stdout) == 0 && ! ferror (stdout))
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("Cannot write to standard output: %s."), g_strerror (errno));
  return FALSE;
}
