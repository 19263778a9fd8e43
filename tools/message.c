/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>

#include <glib/gi18n.h>

#include "message.h"
#include "progress.h"


G_DEFINE_QUARK (wavefront-tool-error-quark, tool_error)


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
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("Cannot read “%s”: %s."), name, reason);
  return FALSE;
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
  g_autofree char *valid     = g_utf8_make_valid (text, -1);
  g_autofree char *converted = NULL;
  const char      *charset;

  if (! g_get_charset (&charset))
    {
      g_autofree char *target = g_strconcat (charset, "//TRANSLIT", NULL);

      converted = g_convert_with_fallback (valid, -1, target, "UTF-8", "?", NULL, NULL, NULL);
    }

  fputs (converted ? converted : valid, stream);
}

/**
 * message_print:
 * @text: one sentence
 *
 * Says @text on standard error, as one line whatever it contains: names of files
 * and errors of other libraries may hold line breaks.
 */
void
message_print (const char *text)
{
  g_autofree char *line = g_strdup_printf ("wavefront: %s", text);

  g_strchomp (line);
  for (char *c = line; *c; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';

  progress_end_line ();
  text_print (stderr, line);
  fputc ('\n', stderr);
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
