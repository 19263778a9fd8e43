/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A number is as large as its object: its box fits into the circle.  Digits have one width and no
 * descenders, so that the box follows from the size of the font alone.
 */

#include "config.h"

#include <math.h>

#include "numbers.h"

#define FONT "sans-serif"

/* Of the font's size: the edge around digits, on each side. */
#define EDGE_WIDTH 0.14

/* For text that has a box of one unit. */
#define UNIT_SIZE 100.0


static void
choose_font (cairo_t *cr,
             double   size)
{
  cairo_select_font_face (cr, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
  cairo_set_font_size (cr, size);
}

static void
format (guint32  number,
        char     text[16])
{
  g_snprintf (text, 16, "%u", number);
}

/**
 * wf_number_get_box:
 * @cr: of what is drawn on
 * @number: a number
 * @size: of the font
 * @width: (out): of what is drawn, with its edge
 * @height: (out): likewise
 */
void
wf_number_get_box (cairo_t *cr,
                   guint32  number,
                   double   size,
                   double  *width,
                   double  *height)
{
  cairo_text_extents_t extents;
  char                 text[16];

  format (number, text);
  choose_font (cr, UNIT_SIZE);
  cairo_text_extents (cr, text, &extents);
  *width  = (extents.width / UNIT_SIZE + 2 * EDGE_WIDTH) * size;
  *height = (extents.height / UNIT_SIZE + 2 * EDGE_WIDTH) * size;
}

/**
 * wf_number_find_size:
 * @cr: of what is drawn on
 * @number: a number
 * @radius: of a circle, in its units
 *
 * Returns: the size of the font with which its box has its corners on the circle
 */
double
wf_number_find_size (cairo_t *cr,
                     guint32  number,
                     double   radius)
{
  double width;
  double height;

  wf_number_get_box (cr, number, 1, &width, &height);
  return 2 * radius / hypot (width, height);
}

/**
 * wf_number_draw:
 * @cr: of what is drawn on
 * @number: a number
 * @x: of the middle of its box
 * @y: likewise
 * @size: of the font
 */
void
wf_number_draw (cairo_t *cr,
                guint32  number,
                double   x,
                double   y,
                double   size)
{
  cairo_text_extents_t extents;
  char                 text[16];

  format (number, text);
  choose_font (cr, size);
  cairo_text_extents (cr, text, &extents);
  cairo_move_to (cr, x - extents.x_bearing - extents.width / 2,
                 y - extents.y_bearing - extents.height / 2);
  cairo_text_path (cr, text);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, 2 * EDGE_WIDTH * size);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_fill (cr);
}
