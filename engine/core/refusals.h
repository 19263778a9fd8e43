/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What both the library and a module refuse, in the same words. */

#pragma once

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "wavefront.h"

/* Sets the error, and returns FALSE.  @what: the image's name to the user. */
static inline gboolean
wf_refuse_nan (const char  *what,
               gint64       row,
               GError     **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s holds a pixel that is not a number (NaN), in row %" PRId64 "."),
               what, row);
  return FALSE;
}

/* The same for a label that is none of the basins'. */
static inline gboolean
wf_refuse_unknown_label (guint32  label,
                         GError **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The label image holds the label %u, which the hierarchy does not have."), label);
  return FALSE;
}

/* Fails if a band that is read again has another number of labels than before. */
static inline gboolean
wf_check_unchanged (guint32   n_labels,
                    guint32   n_before,
                    GError  **error)
{
  if (n_labels == n_before)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The image has changed since it was read for the first time."));
  return FALSE;
}
