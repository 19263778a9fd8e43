/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which pixels of a line have its color, and which are black or white, because the picture has
 * nearly the same color there (see ui/preview/line-contrast.h).
 */

#include "config.h"

#include "line-kinds.h"


static guint32
pack_color (const float color[3])
{
  guint32 packed = 0;

  for (int i = 0; i < 3; i++)
    packed = packed << 8 | (guint32) (CLAMP (color[i], 0.0f, 1.0f) * 255 + 0.5f);
  return packed;
}

/**
 * wf_line_kinds_init:
 * @line: set
 * @color: of the lines: red, green, blue and alpha, non-linear sRGB
 * @grey: whether the picture holds grays only
 */
void
wf_line_kinds_init (WfLineContrast *line,
                    const float     color[4],
                    gboolean        grey)
{
  wf_line_contrast_init (line, pack_color (color), grey);
}

/**
 * wf_line_kinds_choose:
 * @line: the lines
 * @pixels: the picture: red, green and blue
 * @n: the number of pixels
 * @kinds: set to the #WfLineKind of each, as if it were on a line
 */
void
wf_line_kinds_choose (const WfLineContrast *line,
                      const guint8         *pixels,
                      gsize                 n,
                      guint8               *kinds)
{
  for (gsize i = 0; i < n; i++, pixels += 3)
    {
      const guint32 color = wf_line_contrast_get (line, (guint32) pixels[0] << 16 |
                                                        (guint32) pixels[1] << 8 | pixels[2]);

      kinds[i] = color == line->color ? WF_LINE_AS_GIVEN : color ? WF_LINE_WHITE : WF_LINE_BLACK;
    }
}

/**
 * wf_line_kind_get_color:
 * @kind: a #WfLineKind, or 0
 * @given: the color of the lines
 * @color: set to red, green, blue and alpha; 0 without a line
 */
void
wf_line_kind_get_color (guint32      kind,
                        const float  given[4],
                        float        color[4])
{
  for (int i = 0; i < 3; i++)
    color[i] = kind == WF_LINE_AS_GIVEN ? given[i] : kind == WF_LINE_WHITE;
  color[3] = kind ? given[3] : 0;
}
