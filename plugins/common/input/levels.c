/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The levels of a drawable's pixels. */

#include "config.h"

#include "level-reader.h"
#include "levels.h"


typedef struct
{
  const WfPixels *pixels;
  int             x;
  int             y;
  int             width;
} Part;

static void
get_rows (int         row,
          int         n_rows,
          const Babl *format,
          gpointer    pixels,
          gpointer    data)
{
  const Part *part = data;

  wf_pixels_get (part->pixels, GEGL_RECTANGLE (part->x, part->y + row, part->width, n_rows),
                 format, pixels);
}

/**
 * wf_levels_read:
 * @pixels: pixels
 * @x: left edge of the part to read, which has the size of a slice of @image
 * @y: upper edge of this part
 * @component: the component that is the level
 * @image: u8, u16 or f32; its rows must follow each other
 * @slice: the index of the slice of @image to set
 *
 * Returns: whether all pixels of the part are opaque.
 */
gboolean
wf_levels_read (const WfPixels *pixels,
                int             x,
                int             y,
                WfComponent     component,
                WfImage        *image,
                gint64          slice)
{
  Part part = { pixels, x, y, (int) image->width };

  return wf_level_reader_read (get_rows, &part, pixels->format, y, component, image, slice);
}
