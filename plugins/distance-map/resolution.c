/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of a pixel in the unit of the image. */

#include "config.h"

#include "distances.h"
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
