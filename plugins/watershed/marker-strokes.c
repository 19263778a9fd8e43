/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers that strokes draw, as an argument: the engine's list, in pixels of the image.
 *
 * They belong to an image, as corrections do (hand-corrections.c), so they are not among the last
 * or saved values but kept with the image.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "kept-text.h"
#include "marker-strokes.h"

#define PARASITE "wavefront-strokes"


/**
 * wf_marker_strokes_add_argument:
 * @procedure: a procedure under construction
 *
 * Adds the argument "marker-strokes", and what the dialog remembers of the pen.
 */
void
wf_marker_strokes_add_argument (GimpProcedure *procedure)
{
  gimp_procedure_add_string_argument (procedure, WF_MARKER_STROKES, _("Strokes"),
                                      _("Strokes that draw the markers, in pixels of the image: a "
                                        "JSON list of object, background and erase, each with its "
                                        "points and its width; strokes of objects that touch are "
                                        "one marker, and what is flooded from the background is "
                                        "no object; empty: none"),
                                      "", G_PARAM_READWRITE | GIMP_PARAM_DONT_SERIALIZE);
  gimp_procedure_add_int_aux_argument (procedure, WF_PEN_WIDTH, "Width of the pen",
                                       "The width of strokes in the dialog", 0, G_MAXINT, 0,
                                       G_PARAM_READWRITE);
}

/**
 * wf_marker_strokes_read:
 * @config: the values of the arguments
 * @strokes: (out): the list, empty if there is none
 * @error: %WF_ERROR_INVALID for what is no list
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_marker_strokes_read (GObject    *config,
                        WfStrokes **strokes,
                        GError    **error)
{
  g_autofree char *text = NULL;

  g_object_get (config, WF_MARKER_STROKES, &text, NULL);
  *strokes = text && *text ? wf_strokes_parse (text, error) : wf_strokes_new ();
  return *strokes != NULL;
}

/**
 * wf_marker_strokes_recall:
 * @run: a run that starts from the last values
 *
 * Sets the argument to the strokes that are kept with the image.
 */
void
wf_marker_strokes_recall (WfJob *run)
{
  g_autofree char       *kept = wf_kept_text_read (run->image, PARASITE);
  g_autoptr (WfStrokes)  list = kept ? wf_strokes_parse (kept, NULL) : NULL;
  g_autofree char       *text = list && wf_strokes_get_n (list) > 0 ? wf_strokes_print (list)
                                                                    : NULL;

  g_object_set (run->config, WF_MARKER_STROKES, text ? text : "", NULL);
}

/**
 * wf_marker_strokes_remember:
 * @run: a run
 *
 * Keeps the strokes with the image.
 */
void
wf_marker_strokes_remember (WfJob *run)
{
  g_autofree char *text = NULL;

  g_object_get (run->config, WF_MARKER_STROKES, &text, NULL);
  wf_kept_text_write (run->image, PARASITE, text);
}
