/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list is the value of the option itself, if that begins as one, so that a script needs no
 * file; else the value is the name of a file.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "corrections.h"
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

static gboolean
parse (Corrections  *corrections,
       const char   *text,
       const char   *path,
       GError      **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char   *reason  = NULL;

  corrections->list = wf_corrections_parse (text, &problem);
  if (corrections->list)
    return TRUE;
  if (! path)
    return refuse_usage (problem->message, error);
  reason = without_full_stop (problem->message);
  return refuse_to_read (path, reason, error);
}

static gboolean
read_file (Corrections  *corrections,
           const char   *path,
           GError      **error)
{
  g_autofree char    *text    = NULL;
  g_autoptr (GError)  problem = NULL;
  gsize               length;
  GStatBuf            status;

  if (g_stat (path, &status) != 0)
    return refuse_to_read (path, g_strerror (errno), error);
  if (! S_ISREG (status.st_mode))
    return refuse_to_read (path, _("it is no file"), error);
  if (status.st_size > MAX_BYTES)
    return refuse_to_read (path, _("it is too large for a list of corrections"), error);
  if (! g_file_get_contents (path, &text, &length, &problem))
    return refuse_to_read (path, problem->message, error);
  if (strlen (text) != length)
    return refuse_to_read (path, _("it is no text"), error);
  return parse (corrections, text, path, error);
}

/**
 * corrections_read:
 * @corrections: empty
 * @text: (nullable): the value of the option
 * @error: for what is no list
 *
 * Returns: whether there is a list, or no option
 */
gboolean
corrections_read (Corrections  *corrections,
                  const char   *text,
                  GError      **error)
{
  if (! text)
    return TRUE;
  return *text == '[' ? parse (corrections, text, NULL, error)
                      : read_file (corrections, text, error);
}

/**
 * corrections_make:
 * @corrections: with a list
 * @context, @relief, @mask, @labels, @options, @error: as for wf_correcting_new()
 *
 * Corrects the labels.
 *
 * Returns: %FALSE with @error set
 */
gboolean
corrections_make (Corrections               *corrections,
                  WfContext                 *context,
                  const WfImage             *relief,
                  const WfImage             *mask,
                  WfImage                   *labels,
                  const WfWatershedOptions  *options,
                  GError                   **error)
{
  g_clear_pointer (&corrections->made, wf_correcting_free);
  corrections->made = wf_correcting_new (context, relief, mask, labels, options, error);
  return corrections->made &&
         wf_correcting_apply_all (corrections->made, corrections->list, &corrections->n_effective,
                                  error);
}

/**
 * corrections_report:
 * @corrections: of an operation that has succeeded
 *
 * Prints how many corrections had no effect, if there are any.
 *
 * Returns: %TRUE
 */
gboolean
corrections_report (const Corrections *corrections)
{
  const guint      n      = corrections->list ? wf_corrections_get_n (corrections->list) : 0;
  const guint      n_none = n - corrections->n_effective;
  g_autofree char *text   = NULL;

  if (! corrections->made || n_none == 0)
    return TRUE;
  text = g_strdup_printf (ngettext ("%u of %u correction had no effect.",
                                    "%u of %u corrections had no effect.", n), n_none, n);
  message_print (text);
  return TRUE;
}

void
corrections_clear (Corrections *corrections)
{
  g_clear_pointer (&corrections->made, wf_correcting_free);
  g_clear_pointer (&corrections->list, wf_corrections_free);
}
