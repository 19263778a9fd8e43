/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures at half their size: each pixel is the mean of the four under it. */

#include "config.h"

#include "block-halves.h"

#define HALVE(Type, Sum, half) \
  for (int y = 0; y < height; y++) \
    { \
      const Type *upper = (const Type *) from + (gsize) 2 * y * from_width; \
      const Type *lower = upper + from_width; \
      Type       *out   = (Type *) to + (gsize) y * to_width; \
 \
      for (int x = 0; x < width; x++) \
        out[x] = (Type) (((Sum) upper[2 * x] + upper[2 * x + 1] + \
                          lower[2 * x] + lower[2 * x + 1] + (half)) / 4); \
    }

/**
 * wf_halve_levels:
 * @type: of the levels
 * @from: a picture with at least twice as many columns and rows
 * @from_width: from one of its rows to the next
 * @to: set to the halved picture
 * @to_width: from one of its rows to the next
 * @width: columns of @to
 * @height: rows of @to
 */
void
wf_halve_levels (WfType        type,
                 gconstpointer from,
                 int           from_width,
                 gpointer      to,
                 int           to_width,
                 int           width,
                 int           height)
{
  switch (type)
    {
    case WF_TYPE_U8:
      HALVE (guint8, guint, 2);
      break;
    case WF_TYPE_U16:
      HALVE (guint16, guint, 2);
      break;
    default:
      HALVE (float, float, 0);
      break;
    }
}

/* What is transparent has less of a colour. */
static void
mix (const guint8 *const pixels[4],
     guint8             *out)
{
  guint opacity = 0;
  guint sums[3] = { 0 };

  for (int i = 0; i < 4; i++)
    {
      opacity += pixels[i][3];
      for (int c = 0; c < 3; c++)
        sums[c] += pixels[i][3] * pixels[i][c];
    }
  for (int c = 0; c < 3; c++)
    out[c] = opacity > 0 ? (guint8) ((sums[c] + opacity / 2) / opacity) : 0;
  out[3] = (guint8) ((opacity + 2) / 4);
}

/**
 * wf_halve_colors:
 * @from: a picture with at least twice as many columns and rows: red, green, blue and alpha
 * @from_width: from one of its rows to the next
 * @to: set to the halved picture
 * @to_width: from one of its rows to the next
 * @width: columns of @to
 * @height: rows of @to
 */
void
wf_halve_colors (const guint8 *from,
                 int           from_width,
                 guint8       *to,
                 int           to_width,
                 int           width,
                 int           height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const guint8       *upper     = from + 4 * ((gsize) 2 * y * from_width + 2 * x);
        const guint8       *lower     = upper + 4 * (gsize) from_width;
        const guint8 *const pixels[4] = { upper, upper + 4, lower, lower + 4 };

        mix (pixels, to + 4 * ((gsize) y * to_width + x));
      }
}
