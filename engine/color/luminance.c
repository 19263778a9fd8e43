/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another luminance for colors that stay the same otherwise.
 *
 * A pixel has the components c (red, green, blue) in linear light, where white is 1, and the
 * luminance Y, their weighted mean.  With the luminance Y′ its components are
 *
 *   c′ = (Y′ ∕ Y) c    where Y > 0: hue and saturation stay, as the ratios of components do
 *   c′ = Y′            where not: black has no color to be kept, so it becomes gray; and where Y or
 *                      Y′ is infinite
 *
 * That is what GIMP's layer mode Luminance does, which works in linear light, too.  Where
 * components are limited and the largest of c′, M, exceeds white, all of them are drawn towards
 * gray, as little as suffices:
 *
 *   c″ = Y′ + (1 − Y′) ∕ (M − Y′) (c′ − Y′)    if Y′ < 1; else 1
 *
 * so that the largest is white, the hue stays, and the luminance is Y′ still: the color becomes
 * paler instead of darker than it was asked to be.  (GIMP cuts the component off, which changes
 * both.)  A pixel for which Y′ = Y stays exactly as it is.
 *
 * Each pixel is read and written once, 12 or 16 bytes and two luminances of 4.
 */

#include "config.h"

#include <float.h>
#include <math.h>

#include "engine/wavefront.h"

static void
draw_to_gray (float *color,
              float  largest,
              float  wanted)
{
  const float part = wanted < 1 ? (1 - wanted) / (largest - wanted) : 0;
  const float gray = wanted < 1 ? wanted : 1;

  for (int c = 0; c < 3; c++)
    color[c] = MIN (gray + part * (color[c] - gray), 1);
}

static void
set_luminance (float    *color,
               float     luminance,
               float     wanted,
               gboolean  limited)
{
  const gboolean scaled = luminance >= FLT_MIN && luminance <= FLT_MAX && fabsf (wanted) <= FLT_MAX;
  float          largest;

  for (int c = 0; c < 3; c++)
    color[c] = scaled ? color[c] * (wanted / luminance) : wanted;
  largest = MAX (color[0], MAX (color[1], color[2]));
  if (limited && largest > 1)
    draw_to_gray (color, largest, wanted);
}

/**
 * wf_colors_set_luminance:
 * @colors: red, green and blue of each pixel in linear light, where 1 is white; changed in place
 * @n_components: from a pixel to the next, 3 or more; others than the first three stay
 * @luminance: the luminance of each pixel
 * @wanted: the luminance that each is to have
 * @n: the number of pixels
 * @limited: whether no component may exceed 1, as in pixels of whole numbers
 *
 * Gives pixels another luminance and keeps their colors, by the definition at the top of this file.
 */
void
wf_colors_set_luminance (float       *colors,
                         guint        n_components,
                         const float *luminance,
                         const float *wanted,
                         gint64       n,
                         gboolean     limited)
{
  for (gint64 i = 0; i < n; i++)
    if (wanted[i] != luminance[i])
      set_luminance (colors + i * n_components, luminance[i], wanted[i], limited);
}
