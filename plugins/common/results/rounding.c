/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Colors that already have the components of a layer, and alpha, rounded to its type. */

#include "config.h"

#include "rounding.h"


/**
 * wf_colors_are_grey:
 * @colors: red, green, blue and alpha of each
 * @n: their number
 *
 * Returns: whether red, green and blue are equal in all of them
 */
gboolean
wf_colors_are_grey (const float *colors,
                    guint32      n)
{
  for (guint32 i = 0; i < n; i++)
    if (colors[4 * i] != colors[4 * i + 1] || colors[4 * i] != colors[4 * i + 2])
      return FALSE;
  return TRUE;
}

#define ROUND_COLORS(Type, white) \
  for (gsize i = 0; i < n; i++, colors += 4) \
    for (int c = 0; c < n_components; c++) \
      { \
        float share = colors[c < n_colors ? c : 3]; \
\
        share = share > 0 ? MIN (share, 1) : 0; \
        *((Type *) pixels + i * n_components + c) = (Type) (share * (white) + 0.5f); \
      }

/**
 * wf_colors_round:
 * @colors: red, green, blue and alpha of each; of gray pixels red is taken
 * @n: their number
 * @type: u8, u16 or f32, which is not rounded
 * @n_colors: of a pixel: 1 or 3
 * @alpha: whether pixels have alpha
 * @pixels: set
 */
void
wf_colors_round (const float *colors,
                 guint32      n,
                 WfType       type,
                 int          n_colors,
                 gboolean     alpha,
                 guint8      *pixels)
{
  const int n_components = n_colors + alpha;

  if (type == WF_TYPE_U8)
    ROUND_COLORS (guint8, G_MAXUINT8)
  else if (type == WF_TYPE_U16)
    ROUND_COLORS (guint16, G_MAXUINT16)
  else
    for (gsize i = 0; i < n; i++)
      for (int c = 0; c < n_components; c++)
        ((float *) pixels)[i * n_components + c] = colors[4 * i + (c < n_colors ? c : 3)];
}

#define FADE(Type, round) \
  for (gsize i = 0; i < n; i++) \
    { \
      Type *share = (Type *) pixels + (i + 1) * n_components - 1; \
\
      *share = (Type) (*share * coverage[i] + (round)); \
    }

/**
 * wf_alpha_multiply:
 * @type: of a component
 * @coverage: of each pixel, from 0 to 1
 * @n: the number of pixels
 * @n_components: of a pixel, the last of which is alpha
 * @pixels: their alpha is multiplied by @coverage
 */
void
wf_alpha_multiply (WfType       type,
                   const float *coverage,
                   gsize        n,
                   int          n_components,
                   guint8      *pixels)
{
  if (type == WF_TYPE_U8)
    FADE (guint8, 0.5f)
  else if (type == WF_TYPE_U16)
    FADE (guint16, 0.5f)
  else
    FADE (float, 0)
}
