/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The unit of the objects' lengths: pixels, or the unit of the image if that is one of those that
 * are used for measuring.  Most photos have a resolution in pixels per inch that says nothing of
 * what they show.  GIMP gives an image that it opens from a PNG file with a resolution the unit
 * millimeter, so the resolutions that programs write for want of a real one count as none.
 *
 * Pixels of a microscope are measured in micrometers, which GIMP does not have: in millimeters
 * their areas would be numbers with many zeros.
 */

#include "config.h"

#include <math.h>

#include "object-unit.h"
#include "plugins/common/input/spacing.h"

/* Pixels per inch of screens. */
static const double of_screens[] = { 72, 96 };

/* A file may have them as whole pixels per meter. */
#define ROUNDING 0.02

/* Millimeters; scanners have larger pixels, up to 2400 per inch. */
#define LARGEST_OF_MICROSCOPE 0.01

#define MICROMETERS_PER_INCH  25400

static gboolean
is_of_screen (double x_resolution,
              double y_resolution)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_screens); i++)
    if (fabs (x_resolution - of_screens[i]) < ROUNDING &&
        fabs (y_resolution - of_screens[i]) < ROUNDING)
      return TRUE;
  return FALSE;
}

/* Whether a unit is a millimeter, or ten to some power of them, as users define them. */
static gboolean
is_metric (double units_per_inch)
{
  const double power = log10 (25.4 / units_per_inch);

  return power > -1e-6 && fabs (power - round (power)) < 1e-6;
}

static gboolean
is_of_microscope (double x_resolution,
                  double y_resolution)
{
  return 25.4 / MIN (x_resolution, y_resolution) < LARGEST_OF_MICROSCOPE;
}

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
  double          per_inch;
  double          x_resolution;
  double          y_resolution;
  gboolean        micro;

  spacing[0] = spacing[1] = spacing[2] = 1;
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    if (unit == none[i])
      return NULL;
  gimp_image_get_resolution (image, &x_resolution, &y_resolution);
  if (is_of_screen (x_resolution, y_resolution))
    return NULL;
  per_inch = gimp_unit_get_factor (unit);
  micro    = is_metric (per_inch) && is_of_microscope (x_resolution, y_resolution);
  wf_spacing_from_resolution (x_resolution, y_resolution, micro ? MICROMETERS_PER_INCH : per_inch,
                              spacing);
  return g_strdup (micro ? "µm" : gimp_unit_get_abbreviation (unit));
}
