/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From GIMP's drawables to the engine's images.
 *
 * Levels are the drawable's own component values, as they are stored: morphology
 * asks only which of two levels is higher, which no encoding changes, but it must
 * not see levels that a conversion has made equal or different.  Thus 8 and 16
 * bits stay as they are, all else becomes 32-bit real numbers, and a colour layer
 * is reduced to its luminance in its own encoding (linear, non-linear or
 * perceptual).  Alpha does not count.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "pixels.h"


/**
 * wf_pixels_get_type:
 * @drawable: a drawable
 *
 * Returns: the engine's type for its components.
 */
WfType
wf_pixels_get_type (GimpDrawable *drawable)
{
  const Babl *format = gimp_drawable_get_format (drawable);
  const char *name   = babl_get_name (babl_format_get_type (format, 0));

  if (strcmp (name, "u8") == 0)
    return WF_TYPE_U8;
  if (strcmp (name, "u16") == 0)
    return WF_TYPE_U16;
  return WF_TYPE_F32;
}

static const char *
type_name (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return "u8";
    case WF_TYPE_U16:
      return "u16";
    default:
      return "float";
    }
}

/**
 * wf_pixels_get_grey_format:
 * @drawable: a drawable
 * @alpha: whether with alpha
 * @type: the type of a component
 *
 * Returns: the format of grey pixels in the encoding and the space of @drawable.
 */
const Babl *
wf_pixels_get_grey_format (GimpDrawable *drawable,
                           gboolean      alpha,
                           WfType        type)
{
  const Babl       *format = gimp_drawable_get_format (drawable);
  BablModelFlag     flags  = babl_get_model_flags (babl_format_get_model (format));
  const char       *grey   = "Y";
  g_autofree char  *name   = NULL;

  if (flags & BABL_MODEL_FLAG_NONLINEAR)
    grey = "Y'";
  else if (flags & BABL_MODEL_FLAG_PERCEPTUAL)
    grey = "Y~";

  name = g_strdup_printf ("%s%s %s", grey, alpha ? "A" : "", type_name (type));
  return babl_format_with_space (name, babl_format_get_space (format));
}

/**
 * wf_pixels_read:
 * @drawable: a drawable
 * @x: left edge of the pixels to read, in the drawable
 * @y: upper edge
 * @width: in pixels
 * @height: in pixels
 * @type: %WF_TYPE_U8, %WF_TYPE_U16 or %WF_TYPE_F32
 * @image: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for it.
 */
gboolean
wf_pixels_read (GimpDrawable  *drawable,
                int            x,
                int            y,
                int            width,
                int            height,
                WfType         type,
                WfImage       *image,
                GError       **error)
{
  const Babl             *format = wf_pixels_get_grey_format (drawable, FALSE, type);
  g_autoptr (GeglBuffer)  buffer = NULL;
  gsize                   stride;

  if (! wf_image_allocate (image, type, width, height, 1, error))
    return FALSE;

  buffer = gimp_drawable_get_buffer (drawable);
  stride = (gsize) image->row_stride * wf_type_size (type);
  for (int row = 0; row < height; row += WF_STRIP_ROWS)
    gegl_buffer_get (buffer,
                     GEGL_RECTANGLE (x, y + row, width, MIN (WF_STRIP_ROWS, height - row)),
                     1.0, format, (char *) image->data + row * stride,
                     (int) stride, GEGL_ABYSS_NONE);
  return TRUE;
}

/* A rectangle of whole pixels needs no alpha in the results. */
static gboolean
covers_all (const WfRegion *region)
{
  g_autofree float *coverage = g_new (float, (gsize) region->width * WF_STRIP_ROWS);

  for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
    {
      int   n_rows   = MIN (WF_STRIP_ROWS, region->height - row);
      gsize n_pixels = (gsize) region->width * n_rows;

      wf_region_read_coverage (region, row, n_rows, coverage);
      for (gsize i = 0; i < n_pixels; i++)
        if (coverage[i] < 1)
          return FALSE;
    }
  return TRUE;
}

/**
 * wf_region_init:
 * @region: set to where @drawable and the selection meet
 * @drawable: what is worked on
 * @error: %WF_ERROR_INVALID if nothing of @drawable is selected
 *
 * Returns: whether there is anything to work on.
 */
gboolean
wf_region_init (WfRegion      *region,
                GimpDrawable  *drawable,
                GError       **error)
{
  GimpImage     *image     = gimp_item_get_image (GIMP_ITEM (drawable));
  GimpSelection *selection = gimp_image_get_selection (image);
  int            left;
  int            top;

  *region = (WfRegion) { 0 };
  if (! gimp_drawable_mask_intersect (drawable, &region->x, &region->y,
                                      &region->width, &region->height))
    {
      g_autofree char *name = gimp_item_get_name (GIMP_ITEM (drawable));

      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("Nothing of “%s” is selected: the selection lies outside it."), name);
      return FALSE;
    }

  gimp_drawable_get_offsets (drawable, &left, &top);
  region->image_x = left + region->x;
  region->image_y = top + region->y;

  if (! gimp_selection_is_empty (image))
    {
      region->selection = GIMP_DRAWABLE (selection);
      if (covers_all (region))
        region->selection = NULL;
    }
  return TRUE;
}

/**
 * wf_region_read_coverage:
 * @region: a region
 * @row: the first row, in the region
 * @n_rows: how many
 * @coverage: set, a row after the other: how far a pixel is selected, from 0 to 1
 */
void
wf_region_read_coverage (const WfRegion *region,
                         int             row,
                         int             n_rows,
                         float          *coverage)
{
  gsize                   n_pixels = (gsize) region->width * n_rows;
  g_autoptr (GeglBuffer)  buffer   = NULL;

  if (! region->selection)
    {
      for (gsize i = 0; i < n_pixels; i++)
        coverage[i] = 1;
      return;
    }

  buffer = gimp_drawable_get_buffer (region->selection);
  gegl_buffer_get (buffer,
                   GEGL_RECTANGLE (region->image_x, region->image_y + row,
                                   region->width, n_rows),
                   1.0, wf_pixels_get_grey_format (region->selection, FALSE, WF_TYPE_F32),
                   coverage, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
}
