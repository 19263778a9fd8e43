/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Corrections by hand as an argument: the engine's list, in pixels of the image, which is made of
 * the merged basins before limits leave objects out.
 *
 * They belong to an image, so they are not among the last or saved values but a parasite of the
 * image, which XCF files keep: its size, and the list.  A dialog that is opened again, and a
 * repetition, go on from them, if the image still has this size.
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "hand-corrections.h"

#define PARASITE "wavefront-corrections"

/* A list of a million points is shorter. */
#define MAX_BYTES (64 << 20)


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

  moved      = wf_corrections_transform (corrections, 1, run->region.image_x, run->region.image_y);
  correcting = wf_correcting_new (run->context, relief, inside, labels, options, error);
  if (! correcting || ! wf_correcting_apply_all (correcting, moved, &n_effective, error))
    return NULL;
  report (run, corrections, n_effective);
  return g_steal_pointer (&correcting);
}


/*  With the image  */

/* Returns: (transfer full) (nullable): the list of the parasite, if it is one of such an image */
static char *
read_parasite (GimpImage *image)
{
  GimpParasite             *parasite = gimp_image_get_parasite (image, PARASITE);
  g_autofree char          *text     = NULL;
  g_autoptr (WfCorrections) list     = NULL;
  int                       width    = 0;
  int                       height   = 0;
  int                       start    = 0;

  if (! parasite)
    return NULL;
  if (parasite->size > 0 && parasite->size <= MAX_BYTES)
    text = g_strndup (parasite->data, parasite->size);
  gimp_parasite_free (parasite);
  if (! text || sscanf (text, "%9d %9d %n", &width, &height, &start) < 2 || start == 0 ||
      width != gimp_image_get_width (image) || height != gimp_image_get_height (image))
    return NULL;
  list = wf_corrections_parse (text + start, NULL);
  return list && wf_corrections_get_n (list) > 0 ? wf_corrections_print (list) : NULL;
}

/**
 * wf_hand_corrections_recall:
 * @run: a run that starts from the last values
 *
 * Sets the argument to the corrections that are kept with the image.
 */
void
wf_hand_corrections_recall (WfJob *run)
{
  g_autofree char *text = read_parasite (run->image);

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
  g_autofree char *list     = NULL;
  g_autofree char *text     = NULL;
  GimpParasite    *parasite = NULL;

  g_object_get (run->config, "corrections", &list, NULL);
  if (! list || ! *list)
    {
      /* that of an image of another size stays, for when the change of size is undone */
      g_autofree char *kept = read_parasite (run->image);

      if (kept)
        gimp_image_detach_parasite (run->image, PARASITE);
    }
  else
    {
      text     = g_strdup_printf ("%d %d %s", gimp_image_get_width (run->image),
                                  gimp_image_get_height (run->image), list);
      parasite = gimp_parasite_new (PARASITE, GIMP_PARASITE_PERSISTENT, (guint32) strlen (text),
                                    text);
      gimp_image_attach_parasite (run->image, parasite);
    }
  g_clear_pointer (&parasite, gimp_parasite_free);
}
