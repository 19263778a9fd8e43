/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Colours for labels: the same label always has the same colour, and consecutive labels,
 * which are often neighbours because of raster order, have very
 * different colours.
 *
 * The steps from one label to the next are numbers that spread the first n points
 * evenly for every n: the golden ratio for greys and hues, and for saturation and
 * brightness the reciprocal powers of the root of x^3 = x + 1 (M. Roberts, "The
 * unreasonable effectiveness of quasirandom sequences", 2018).
 */

#include "config.h"

#include <math.h>

#include "palette.h"

#define GOLDEN_STEP     0.6180339887498949
#define SATURATION_STEP 0.7548776662466927
#define BRIGHTNESS_STEP 0.5698402909980532

#define LEAST_GREY       0.15
#define LEAST_SATURATION 0.45
#define MOST_SATURATION  0.90
#define LEAST_BRIGHTNESS 0.60


/* The element of the sequence at @label, in [0, 1). */
static double
at (guint32 label,
    double  step)
{
  double position = 0.5 + step * label;

  return position - (double) (gint64) position;
}

/* One component of a colour; @shift is 5 for red, 3 for green, 1 for blue.
 *
 * The share that is subtracted rises from 0 to 1, stays, and falls again.  It is
 * composed of absolute values, without branches: hues are unordered, millions of them in a large
 * image, and a processor would mispredict half of the comparisons.
 */
static double
component (double hue,
           double saturation,
           double brightness,
           double shift)
{
  double turn  = shift + hue * 6;
  double tent  = 2 - fabs (turn - 6 * (double) (gint64) (turn * (1.0 / 6)) - 2);
  double share = (fabs (tent) - fabs (tent - 1) + 1) / 2;

  return brightness * (1 - saturation * share);
}

/**
 * wf_palette_get_color:
 * @label: a label
 * @color: set to its red, green and blue, non-linear sRGB from 0 to 1
 */
void
wf_palette_get_color (guint32 label,
                      float   color[3])
{
  double hue        = at (label, GOLDEN_STEP);
  double saturation = LEAST_SATURATION +
                      (MOST_SATURATION - LEAST_SATURATION) * at (label, SATURATION_STEP);
  double brightness = LEAST_BRIGHTNESS +
                      (1 - LEAST_BRIGHTNESS) * at (label, BRIGHTNESS_STEP);

  for (int i = 0; i < 3; i++)
    color[i] = (float) component (hue, saturation, brightness, 5 - 2 * i);
}

/**
 * wf_palette_get_grey:
 * @label: a label
 *
 * Returns: its level in a gray image, non-linear sRGB from 0 to 1, never black.
 */
float
wf_palette_get_grey (guint32 label)
{
  return (float) (LEAST_GREY + (1 - LEAST_GREY) * at (label, GOLDEN_STEP));
}
