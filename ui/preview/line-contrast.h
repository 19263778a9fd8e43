/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines that are visible on any picture, in the preview and on the new layer alike.
 *
 * A pixel of a line has the colour of the lines, unless the pixel of the picture below it
 * has nearly the same one: then it is white on a dark pixel and black on a bright one.  In a
 * greyscale image, where a colour would become some grey, lines of a colour are white and
 * black everywhere.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In 255ths, of the component that differs most. */
#define WF_LEAST_CONTRAST 96

/**
 * WfLineContrast:
 * @color: 0xRRGGBB
 * @least: the difference from the picture from which on lines have this color
 */
typedef struct
{
  guint32 color;
  guint32 least;
} WfLineContrast;

/**
 * wf_line_contrast_init:
 * @line: set
 * @color: 0xRRGGBB
 * @grey: whether the image holds grays only
 */
static inline void
wf_line_contrast_init (WfLineContrast *line,
                       guint32         color,
                       gboolean        grey)
{
  const gboolean colored = (color >> 16 & 0xff) != (color & 0xff) ||
                           (color >> 8 & 0xff) != (color & 0xff);

  line->color = color & 0xffffff;
  line->least = grey && colored ? G_MAXUINT8 + 1 : WF_LEAST_CONTRAST;
}

static inline guint32
wf_component_difference (guint32 one,
                         guint32 other,
                         int     shift)
{
  const gint32 difference = (gint32) (one >> shift & 0xff) - (gint32) (other >> shift & 0xff);

  return (guint32) (difference < 0 ? -difference : difference);
}

/**
 * wf_line_contrast_get:
 * @line: the color of the lines
 * @picture: of a pixel: 0xRRGGBB; the other bits have no meaning
 *
 * Returns: the color of a line on this pixel, 0xRRGGBB
 */
static inline guint32
wf_line_contrast_get (const WfLineContrast *line,
                      guint32               picture)
{
  const guint32 red   = wf_component_difference (line->color, picture, 16);
  const guint32 green = wf_component_difference (line->color, picture, 8);
  const guint32 blue  = wf_component_difference (line->color, picture, 0);
  const guint32 most  = MAX (MAX (red, green), blue);
  const guint32 luma  = 77 * (picture >> 16 & 0xff) + 150 * (picture >> 8 & 0xff) +
                        29 * (picture & 0xff);
  const guint32 other = luma < 128 * 256 ? 0xffffff : 0;

  return most >= line->least ? line->color : other;
}

G_END_DECLS
