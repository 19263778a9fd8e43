/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Corrections by hand as an argument: the engine's list, in pixels of the image, which is made of
 * the merged basins before limits leave objects out.
 *
 * They belong to an image, so they are not among the last or saved values but kept with the image
 * (kept-text.c).  A dialog that is opened again, and a
 * repetition, go on from them, if the image still has this size.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "hand-corrections.h"
#include "kept-text.h"

#define PARASITE "wavefront-corrections"


/**
 * wf_hand_corrections_add_argument:
 * @procedure: a procedure under construction
 *
 * Adds the argument "corrections".
 */
void
wf_hand_corrections_add_argument (GimpProcedure *procedure)
{
  gimp_procedure_add_string_argument (procedure, "corrections", _("Corrections"),
                                      _("Corrections of the basins by hand, in pixels of the "
                                        "image: a JSON list of join, join-along, split, delete, "
                                        "keep and seed, each with its points; empty: none"),
                                      "", G_PARAM_READWRITE | GIMP_PARAM_DONT_SERIALIZE);
}

/**
 * wf_hand_corrections_read:
 * @config: the values of the arguments
 * @corrections: (out) (nullable): the list, or %NULL if there is none
 * @error: %WF_ERROR_INVALID for what is no list
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_hand_corrections_read (GObject        *config,
                          WfCorrections **corrections,
                          GError        **error)
{
  g_autofree char          *text = NULL;
  g_autoptr (WfCorrections) list = NULL;

  *corrections = NULL;
  g_object_get (config, "corrections", &text, NULL);
  if (! text || ! *text)
    return TRUE;
  list = wf_corrections_parse (text, error);
  if (! list)
    return FALSE;
  if (wf_corrections_get_n (list) > 0)
    *corrections = g_steal_pointer (&list);
  return TRUE;
}

static void
report (WfJob               *run,
        const WfCorrections *corrections,
        guint                n_effective)
{
  const guint n      = wf_corrections_get_n (corrections);
  const guint n_none = n - n_effective;

  if (n_none > 0 && run->mode != GIMP_RUN_INTERACTIVE)
    {
      g_autofree char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                            "%u of %u correction had no effect.",
                                                            "%u of %u corrections had no effect.",
                                                            n), n_none, n);

      wf_job_report (run, text);
    }
}

/**
 * wf_hand_corrections_make:
 * @run: a run
 * @corrections: a list
 * @relief: what was flooded
 * @objects: empty, or 0 in the background
 * @mask: empty, or 0 where nothing is selected
 * @labels: the merged basins, which are corrected
 * @options: of the flood
 * @error: as the engine sets it
 *
 * Returns: (transfer full): which objects are deleted or kept, or %NULL with @error set
 */
WfCorrecting *
wf_hand_corrections_make (WfJob                     *run,
                          const WfCorrections       *corrections,
                          const WfImage             *relief,
                          const WfImage             *objects,
                          const WfImage             *mask,
                          WfImage                   *labels,
                          const WfWatershedOptions  *options,
                          GError                   **error)
{
  const WfImage            *inside     = objects->data ? objects : mask->data ? mask : NULL;
  g_autoptr (WfCorrections) moved      = NULL;
  g_autoptr (WfCorrecting)  correcting = NULL;
  guint                     n_effective;

  moved      = wf_corrections_transform (corrections, 1, run->region.image_x, run->region.image_y,
                                         0);
  correcting = wf_correcting_new (run->context, relief, inside, labels, options, error);
  if (! correcting || ! wf_correcting_apply_all (correcting, moved, &n_effective, error))
    return NULL;
  report (run, corrections, n_effective);
  return g_steal_pointer (&correcting);
}


/*  With the image  */

/**
 * wf_hand_corrections_recall:
 * @run: a run that starts from the last values
 *
 * Sets the argument to the corrections that are kept with the image.
 */
void
wf_hand_corrections_recall (WfJob *run)
{
  g_autofree char          *kept = wf_kept_text_read (run->image, PARASITE);
  g_autoptr (WfCorrections) list = kept ? wf_corrections_parse (kept, NULL) : NULL;
  g_autofree char          *text = list && wf_corrections_get_n (list) > 0
                                   ? wf_corrections_print (list) : NULL;

  g_object_set (run->config, "corrections", text ? text : "", NULL);
}

/**
 * wf_hand_corrections_remember:
 * @run: a run
 *
 * Keeps the corrections with the image.
 */
void
wf_hand_corrections_remember (WfJob *run)
{
  g_autofree char *list = NULL;

  g_object_get (run->config, "corrections", &list, NULL);
  wf_kept_text_write (run->image, PARASITE, list);
}
