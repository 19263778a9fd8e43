/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list is the value of the option itself, if that begins as one, so that a script needs no
 * file; else the value is the name of a file.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "list-option.h"
#include "message.h"

/* A list of the most points that the library takes is shorter. */
#define MAX_BYTES (64 << 20)


/* In some languages it takes several bytes. */
static char *
without_full_stop (const char *sentence)
{
  const char *last = g_utf8_find_prev_char (sentence, sentence + strlen (sentence));

  return last ? g_strndup (sentence, (gsize) (last - sentence)) : g_strdup (sentence);
}

static gpointer
parse_file (const char    *path,
            const char    *text,
            ListParseFunc  parse,
            GError       **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char   *reason  = NULL;
  gpointer           list    = parse (text, &problem);

  if (list)
    return list;
  reason = without_full_stop (problem->message);
  refuse_to_read (path, reason, error);
  return NULL;
}

static gpointer
read_file (const char    *path,
           const char    *too_large,
           ListParseFunc  parse,
           GError       **error)
{
  g_autofree char    *text    = NULL;
  g_autoptr (GError)  problem = NULL;
  gsize               length;
  GStatBuf            status;

  if (g_stat (path, &status) != 0)
    refuse_to_read (path, g_strerror (errno), error);
  else if (! S_ISREG (status.st_mode))
    refuse_to_read (path, _("it is no file"), error);
  else if (status.st_size > MAX_BYTES)
    refuse_to_read (path, too_large, error);
  else if (! g_file_get_contents (path, &text, &length, &problem))
    refuse_to_read (path, problem->message, error);
  else if (strlen (text) != length)
    refuse_to_read (path, _("it is no text"), error);
  else
    return parse_file (path, text, parse, error);
  return NULL;
}

/**
 * list_option_read:
 * @value: of the option
 * @too_large: the reason not to read a file of more than 64 MiB
 * @parse: makes the list of its text
 * @error: for what is no list, or cannot be read
 *
 * Returns: (transfer full): the list, or %NULL with @error set
 */
gpointer
list_option_read (const char    *value,
                  const char    *too_large,
                  ListParseFunc  parse,
                  GError       **error)
{
  g_autoptr (GError) problem = NULL;
  gpointer           list;

  if (*value != '[')
    return read_file (value, too_large, parse, error);
  list = parse (value, &problem);
  if (! list)
    refuse_usage (problem->message, error);
  return list;
}
