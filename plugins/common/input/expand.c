/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Floats from colors of 8 bits: babl takes half a second and hundreds of megabytes to find a
 * conversion.
 */

#include "config.h"

#include "expand.h"


/**
 * wf_colors_can_expand:
 * @from: the format of stored pixels
 * @to: another format
 *
 * Returns: whether wf_colors_expand() makes pixels in @to of those in @from, which have 8 bits
 */
gboolean
wf_colors_can_expand (const Babl *from,
                      const Babl *to)
{
  static const char * const names[] = { "Y' u8", "Y'A u8", "R'G'B' u8", "R'G'B'A u8" };
  gboolean                  found   = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    found |= from == babl_format (names[i]);
  return found && to == babl_format ("R'G'B'A float");
}

/**
 * wf_colors_expand:
 * @stored: pixels of 8 bits
 * @n_components: 1 or 3, and alpha
 * @n_pixels: their number
 * @colors: set to red, green, blue and alpha of each
 */
void
wf_colors_expand (const guint8 *stored,
                  int           n_components,
                  gsize         n_pixels,
                  float        *colors)
{
  const int      green = n_components > 2 ? 1 : 0;
  const gboolean alpha = n_components % 2 == 0;

  for (gsize i = 0; i < n_pixels; i++, stored += n_components, colors += 4)
    {
      colors[0] = stored[0] / (float) G_MAXUINT8;
      colors[1] = stored[green] / (float) G_MAXUINT8;
      colors[2] = stored[2 * green] / (float) G_MAXUINT8;
      colors[3] = alpha ? stored[n_components - 1] / (float) G_MAXUINT8 : 1;
    }
}
