/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layers whose levels are labels.  A level of 8 or 16 bits is read and written as it is stored,
 * whatever its encoding, so that it is a number, to the bit.  Levels of other precisions are read
 * as floats, in which most numbers are no longer whole; three levels are no number; and a result in
 * an image in color has three.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "formats.h"
#include "label-source.h"


/* Why the levels of a layer are no labels, with %s for its name; NULL if they are. */
static const char *
find_problem (GimpDrawable *drawable,
              const Babl   *format)
{
  if (! wf_format_is_grey (format))
    return _("“%s” has colors: labels are the levels of a gray layer of 8 or 16 bits, such as the "
             "number image of a watershed.");
  if (gimp_image_get_base_type (gimp_item_get_image (GIMP_ITEM (drawable))) != GIMP_GRAY)
    return _("“%s” belongs to an image in color: labels are the levels of a gray image of 8 or 16 "
             "bits, such as the number image of a watershed.");
  if (wf_format_get_type (format) != WF_TYPE_F32)
    return NULL;
  return g_str_equal (babl_get_name (babl_format_get_type (format, 0)), "u32")
         ? _("“%s” has levels of 32 bits: labels are the levels of a gray layer of 8 or 16 bits, "
             "such as the number image of a watershed.")
         : _("“%s” has levels in floating point: labels are the levels of a gray layer of 8 or 16 "
             "bits, such as the number image of a watershed.");
}

static gboolean
check_slice (const WfSlice  *slice,
             GError        **error)
{
  const char      *problem = find_problem (slice->drawable, wf_slice_get_format (slice));
  g_autofree char *name    = NULL;
  g_auto (GStrv)   parts   = NULL;
  g_autofree char *message = NULL;

  if (! problem)
    return TRUE;
  name    = gimp_item_get_name (GIMP_ITEM (slice->drawable));
  parts   = g_strsplit (problem, "%s", 2);
  message = g_strjoinv (name, parts);
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, message);
  return FALSE;
}

/**
 * wf_sources_suit:
 * @sources: (element-type WfSource): the sources of a run
 * @operation: its operation
 * @error: %WF_ERROR_INVALID
 *
 * Returns: whether their levels are labels, if @operation takes such; others take all levels
 */
gboolean
wf_sources_suit (GPtrArray    *sources,
                 WfOperation   operation,
                 GError      **error)
{
  if (wf_operation_describe (operation)->inputs[0].content != WF_CONTENT_LABELS)
    return TRUE;
  for (guint k = 0; k < sources->len; k++)
    {
      const WfSource *source = sources->pdata[k];

      for (guint i = 0; i < source->n_slices; i++)
        if (! check_slice (&source->slices[i], error))
          return FALSE;
    }
  return TRUE;
}
