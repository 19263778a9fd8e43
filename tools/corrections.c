/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "corrections.h"
#include "list-option.h"
#include "message.h"
#include "ui/merge/region-memory.h"


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
 * corrections_are_wanted:
 * @corrections: (nullable): after corrections_read()
 *
 * Returns: whether there is a list
 */
gboolean
corrections_are_wanted (const Corrections *corrections)
{
  return corrections && corrections->list;
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
 * corrections_keep:
 * @corrections: (nullable): made, unless no list is given
 * @context: where and how
 * @levels: that are measured for @limits
 * @mask: (nullable): 0 in the background
 * @limits: (nullable): of the objects that stay
 * @labels: those of what is left out become 0, the others 1, 2, 3 and so on
 * @n_labels: set to how many there are
 * @measurements: of @labels: the lines of what is left out are, too.  A depth stays that over the
 *   way to any other basin.
 * @error: as the library sets it
 *
 * Leaves out what was deleted, and what is not within limits.
 *
 * Returns: %FALSE with @error set
 */
gboolean
corrections_keep (const Corrections      *corrections,
                  WfContext              *context,
                  const WfImage          *levels,
                  const WfImage          *mask,
                  const WfObjectOptions  *limits,
                  WfImage                *labels,
                  guint32                *n_labels,
                  Measurements           *measurements,
                  GError                **error)
{
  g_autoptr (WfObjects)  objects = wf_objects_measure (context, labels, levels, mask, 0, NULL,
                                                       error);
  const WfRegions       *regions = objects ? wf_objects_get_regions (objects) : NULL;
  g_autofree guint8     *kept    = NULL;
  gint64                 n;

  if (! objects)
    return FALSE;
  n    = wf_regions_get_n_regions (regions);
  kept = wf_region_memory_new (n, sizeof *kept, error);
  if (! kept || wf_objects_choose (objects, limits, kept, error) < 0)
    return FALSE;
  if (corrections_are_wanted (corrections))
    wf_correcting_choose (corrections->made, regions, kept);
  if (! wf_labels_keep (context, labels, labels, kept, n, n_labels, error))
    return FALSE;
  if (measurements->wanted)
    measurements_keep (measurements, kept);
  return TRUE;
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
