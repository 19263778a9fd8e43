/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The openings and closings by attributes within a mask, as if each part of it were an image.
 *
 * Outside the mask the levels are infinitely low, or high for closings.  So all that is found above
 * the outside lies in one part, and the highest maximum of a part has a height above every limit,
 * as that of an image has.  An opening keeps all of an image whatever it measures, but of a part
 * with a smaller area or volume nothing is left: it gets its least level then, as the image would.
 *
 * Takes 4 bytes a pixel beside what the operation takes, and as many where nothing is left of a
 * part.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "masked-attributes.h"
#include "plugins/common/input/mask.h"


/**
 * wf_masked_attributes_has:
 * @operation: any operation
 *
 * Returns: whether it is an opening or closing by an attribute
 */
gboolean
wf_masked_attributes_has (WfOperation operation)
{
  return operation >= WF_OPERATION_AREA_OPENING && operation <= WF_OPERATION_VOLUME_CLOSING;
}

static gboolean
is_closing (WfOperation operation)
{
  return operation == WF_OPERATION_AREA_CLOSING || operation == WF_OPERATION_HEIGHT_CLOSING ||
         operation == WF_OPERATION_VOLUME_CLOSING;
}

/* Levels of 8 and 16 bits are exact in floats, and infinities are none of them. */
static gboolean
read_within (const WfImage  *mask,
             const WfImage  *image,
             double          outside,
             WfImage        *levels,
             GError        **error)
{
  if (image->type != WF_TYPE_F32)
    return wf_mask_to_floats (mask, image, outside, levels, error);
  if (! wf_mask_copy (image, levels, error))
    return FALSE;
  wf_mask_fill (mask, levels, outside);
  return TRUE;
}

static gboolean
is_lost (const WfImage *mask,
         const WfImage *levels,
         double         outside,
         gint64         i)
{
  return ((const guint8 *) mask->data)[i] && ((const float *) levels->data)[i] == (float) outside;
}

static gboolean
is_any_lost (const WfImage *mask,
             const WfImage *levels,
             double         outside)
{
  const gint64 n = wf_image_n_pixels (mask);

  for (gint64 i = 0; i < n; i++)
    if (is_lost (mask, levels, outside, i))
      return TRUE;
  return FALSE;
}

static float
get_level (const WfImage *image,
           gint64         i)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) image->data)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) image->data)[i];
    default:
      return ((const float *) image->data)[i];
    }
}

/* The level of each part that is the nearest to the outside, from 1. */
static float *
find_last_levels (const WfImage  *image,
                  const WfImage  *parts,
                  guint32         n_parts,
                  double          outside,
                  GError        **error)
{
  const guint32 *part = parts->data;
  const gint64   n    = wf_image_n_pixels (parts);
  float         *last = g_try_new (float, (gsize) n_parts + 1);

  if (! last)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY,
                           _("There is not enough memory for the parts of the selection."));
      return NULL;
    }
  for (guint32 i = 0; i <= n_parts; i++)
    last[i] = outside < 0 ? INFINITY : -INFINITY;
  for (gint64 i = 0; i < n; i++)
    {
      const float level = get_level (image, i);

      last[part[i]] = outside < 0 ? MIN (last[part[i]], level) : MAX (last[part[i]], level);
    }
  return last;
}

/* A part of which nothing is left gets the level that the operation keeps of an image. */
static gboolean
restore_parts (WfContext      *context,
               const WfImage  *mask,
               const WfImage  *image,
               double          outside,
               int             connectivity,
               WfImage        *levels,
               GError        **error)
{
  const gint64       n     = wf_image_n_pixels (mask);
  g_auto (WfImage)   parts = { 0 };
  g_autofree float  *last  = NULL;
  WfLabelOptions     options;
  guint32            n_parts;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  options.connectivity = connectivity;
  if (! wf_image_allocate (&parts, WF_TYPE_U32, mask->width, mask->height, mask->depth, error) ||
      ! wf_label (context, mask, &parts, &n_parts, &options, error) ||
      ! (last = find_last_levels (image, &parts, n_parts, outside, error)))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (is_lost (mask, levels, outside, i))
      ((float *) levels->data)[i] = last[((const guint32 *) parts.data)[i]];
  return TRUE;
}

/**
 * wf_masked_attributes_run:
 * @context: of the computation
 * @operation: an opening or closing by an attribute
 * @mask: u8, 0 outside
 * @image: u8, u16 or f32, without gaps between its rows
 * @result: of its type, likewise; 0 outside @mask; may be @image
 * @options: of the operation
 * @error: as the operation and wf_label() set it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_masked_attributes_run (WfContext                 *context,
                          WfOperation                operation,
                          const WfImage             *mask,
                          const WfImage             *image,
                          WfImage                   *result,
                          const WfAttributeOptions  *options,
                          GError                   **error)
{
  const double     outside   = is_closing (operation) ? INFINITY : -INFINITY;
  g_auto (WfImage) levels    = { 0 };
  const WfImage   *inputs[WF_MAX_OPERANDS]  = { &levels };
  WfImage         *outputs[WF_MAX_OPERANDS] = { &levels };

  if (! read_within (mask, image, outside, &levels, error) ||
      ! wf_operation_run (context, operation, inputs, outputs, NULL, options, error) ||
      (is_any_lost (mask, &levels, outside) &&
       ! restore_parts (context, mask, image, outside, options->connectivity, &levels, error)))
    return FALSE;
  wf_mask_from_floats (mask, &levels, result);
  return TRUE;
}
