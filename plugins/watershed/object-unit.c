/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The unit of the objects' lengths: pixels, or the unit of the image if that is one of those that
 * are used for measuring.  Most photos have a resolution in pixels per inch that says nothing of
 * what they show.
 */

#include "config.h"

#include "object-unit.h"
#include "plugins/common/input/spacing.h"


/**
 * wf_object_unit_find:
 * @image: an image
 * @spacing: set to the size of its pixels in the unit
 *
 * Returns: (transfer full) (nullable): the unit's abbreviation; %NULL for pixels
 */
char *
wf_object_unit_find (GimpImage *image,
                     double     spacing[3])
{
  GimpUnit *const unit   = gimp_image_get_unit (image);
  GimpUnit *const none[] = { gimp_unit_pixel (), gimp_unit_inch (), gimp_unit_point (),
                             gimp_unit_pica () };
  double          x_resolution;
  double          y_resolution;

  spacing[0] = spacing[1] = spacing[2] = 1;
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    if (unit == none[i])
      return NULL;
  gimp_image_get_resolution (image, &x_resolution, &y_resolution);
  wf_spacing_from_resolution (x_resolution, y_resolution, gimp_unit_get_factor (unit), spacing);
  return g_strdup (gimp_unit_get_abbreviation (unit));
}
