/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The size of a pixel in a unit, from a resolution. */

#include "config.h"

#include "spacing.h"


/**
 * wf_spacing_from_resolution:
 * @x_per_inch: horizontal pixels per inch
 * @y_per_inch: vertical pixels per inch
 * @units_per_inch: units of the image per inch
 * @spacing: set to the size of a pixel in this unit; slices have the spacing of columns
 */
void
wf_spacing_from_resolution (double x_per_inch,
                            double y_per_inch,
                            double units_per_inch,
                            double spacing[3])
{
  spacing[0] = units_per_inch / x_per_inch;
  spacing[1] = units_per_inch / y_per_inch;
  spacing[2] = spacing[0];
}
