/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of a pixel in the unit of the image. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "plugins/common/input/spacing.h"
#include "resolution.h"


/**
 * wf_resolution_get_spacing:
 * @image: an image
 * @spacing: set to the size of its pixels in its unit, by its resolution
 */
void
wf_resolution_get_spacing (GimpImage *image,
                           double     spacing[3])
{
  double x_resolution;
  double y_resolution;

  gimp_image_get_resolution (image, &x_resolution, &y_resolution);
  wf_spacing_from_resolution (x_resolution, y_resolution,
                              gimp_unit_get_factor (gimp_image_get_unit (image)), spacing);
}

/**
 * wf_resolution_get_side:
 * @image: an image
 * @own: the own options; the side of a pixel is set
 * @error: %WF_ERROR_INVALID if pixels have no side, as they are not square
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_resolution_get_side (GimpImage             *image,
                        WfDistanceMapOptions  *own,
                        GError               **error)
{
  double spacing[3];

  own->pixel = 1;
  if (own->unit != WF_DISTANCES_BY_RESOLUTION)
    return TRUE;
  wf_resolution_get_spacing (image, spacing);
  own->pixel = spacing[0];
  if (spacing[0] == spacing[1])
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("The image's resolution is not the same in both directions, so that "
                         "geodesic distances can be measured in pixels only."));
  return FALSE;
}
