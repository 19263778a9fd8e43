/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "color-reference.h"

/* @color: red, green and blue; @out: likewise */
void
color_reference_set (const double *color,
                     double        luminance,
                     double        wanted,
                     gboolean      limited,
                     double       *out)
{
  double largest = -INFINITY;

  for (int c = 0; c < 3; c++)
    {
      out[c]  = luminance > 0 ? color[c] * wanted / luminance : wanted;
      largest = MAX (largest, out[c]);
    }
  for (int c = 0; c < 3 && limited && largest > 1; c++)
    out[c] = wanted >= 1 ? 1 : wanted + (1 - wanted) / (largest - wanted) * (out[c] - wanted);
}
