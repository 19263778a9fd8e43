/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The line of a stroke, straight from its definition. */

#include "line-reference.h"

/* Appends the pixels of a line, in and outside the image. */
void
ref_draw_line (GArray             *pixels,
               const WfPixelPlace *from,
               const WfPixelPlace *to)
{
  const gint64 dx = ABS (to->x - from->x);
  const gint64 dy = ABS (to->y - from->y);

  for (gint64 i = 0, j = 0; i <= dx && j <= dy; )
    {
      const WfPixelPlace p = { from->x + (to->x < from->x ? -i : i),
                               from->y + (to->y < from->y ? -j : j), from->z };

      g_array_append_val (pixels, p);
      if ((2 * i + 1) * dy < (2 * j + 1) * dx)
        i++;
      else
        j++;
    }
}
