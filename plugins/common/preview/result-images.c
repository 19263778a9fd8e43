/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The images of a preview's results, which are packed: copies of them and of their slices; and
 * lengths at their scale.
 */

#include "config.h"

#include <string.h>

#include "result-images.h"


/**
 * wf_preview_copy_image:
 * @image: an image, which may be empty
 * @copy: empty; set to a copy
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_preview_copy_image (const WfImage  *image,
                       WfImage        *copy,
                       GError        **error)
{
  if (! image->data)
    return TRUE;
  if (! wf_image_allocate (copy, image->type, image->width, image->height, image->depth, error))
    return FALSE;
  memcpy (copy->data, image->data, (gsize) wf_image_n_pixels (image) * wf_type_size (image->type));
  return TRUE;
}

/**
 * wf_preview_copy_slice:
 * @image: an image, which may be empty
 * @slice: one of its slices
 * @copy: empty; set to a copy of this slice
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_preview_copy_slice (const WfImage  *image,
                       gint64          slice,
                       WfImage        *copy,
                       GError        **error)
{
  const gsize size = (gsize) (image->width * image->height) * wf_type_size (image->type);
  WfImage     one  = *image;

  if (! image->data)
    return TRUE;
  one.data  = (char *) image->data + (gsize) slice * size;
  one.depth = 1;
  return wf_preview_copy_image (&one, copy, error);
}

/**
 * wf_preview_take_slice:
 * @image: a result; empty afterwards if it has one slice
 * @slice: which slice of it is shown
 * @out: set to this slice
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_preview_take_slice (WfImage  *image,
                       gint64    slice,
                       WfImage  *out,
                       GError  **error)
{
  if (image->depth > 1)
    return wf_preview_copy_slice (image, slice, out, error);
  *out = *image;
  memset (image, 0, sizeof *image);
  return TRUE;
}

/**
 * wf_preview_scale_radius:
 * @radius: in pixels of the image
 * @scale: of the pixels that are computed on
 *
 * Returns: the radius at @scale, at least 1 if @radius is
 */
int
wf_preview_scale_radius (int    radius,
                         double scale)
{
  return MAX ((int) (radius * scale + 0.5), MIN (radius, 1));
}
