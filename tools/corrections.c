/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "corrections.h"
#include "list-option.h"
#include "message.h"


/* Of ListParseFunc. */
static gpointer
parse (const char  *text,
       GError     **error)
{
  return wf_corrections_parse (text, error);
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
  corrections->list = list_option_read (text, _("it is too large for a list of corrections"), parse,
                                        error);
  return corrections->list != NULL;
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
