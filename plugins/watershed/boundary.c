/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels on which the lines between basins are drawn.
 *
 * If the watershed has left lines, these are drawn.  Otherwise every pixel
 * belongs to a basin, and a boundary one pixel wide is drawn on the pixels whose
 * right or lower neighbour belongs to another basin.  Then two unmarked 4-neighbours
 * always have the same label.
 *
 * With 8 neighbours, a pixel is also drawn if only its lower right neighbour belongs
 * to another basin.  The other diagonal needs no test: if a pixel is not drawn, the
 * pixel below it has the same label; a lower left neighbour with another label has
 * this pixel on its right, and is drawn itself.
 *
 * If objects were divided, the background counts as another basin: without lines
 * objects are outlined as well.
 */

#include "config.h"

#include "boundary.h"


static void
mark_lines (const guint32 *labels,
            const guint8  *inside,
            gint64         width,
            guint8        *marks)
{
  if (inside)
    for (gint64 x = 0; x < width; x++)
      marks[x] = (labels[x] == 0) & (inside[x] != 0);
  else
    for (gint64 x = 0; x < width; x++)
      marks[x] = labels[x] == 0;
}

/* The last pixel has no right neighbour; its own column takes its place. */
static void
mark_boundary (const guint32 *here,
               const guint32 *below,
               gint64         width,
               gboolean       diagonals,
               guint8        *marks)
{
  const gint64 last = width - 1;

  for (gint64 x = 0; x < last; x++)
    marks[x] = (here[x] != here[x + 1]) | (here[x] != below[x]) |
               ((diagonals != 0) & (here[x] != below[x + 1]));
  marks[last] = here[last] != below[last];
}

/* Nothing is drawn beside pixels that are not selected, as beside the edge of the image. */
static void
mark_boundary_within (const guint32 *here,
                      const guint32 *below,
                      const guint8  *inside,
                      const guint8  *inside_below,
                      gint64         width,
                      gboolean       diagonals,
                      guint8        *marks)
{
  for (gint64 x = 0; x < width; x++)
    {
      const gint64 right = MIN (x + 1, width - 1);

      marks[x] = inside[x] &&
                 ((inside[right] && here[x] != here[right]) ||
                  (inside_below[x] && here[x] != below[x]) ||
                  (diagonals && inside_below[right] && here[x] != below[right]));
    }
}

/**
 * wf_boundary_mark_row:
 * @labels: u32, rows and slices that follow each other
 * @objects: (nullable): u8, likewise: 0 where label 0 is background and not a line
 * @mask: (nullable): u8, likewise: 0 where nothing is selected
 * @row: index of the row, counted through all slices
 * @lines: whether label 0 is a line between basins
 * @diagonals: whether pixels that touch at a corner are neighbors
 * @marks: set: 1 on the boundary, else 0
 *
 * Two unmarked neighbors in a slice always belong to the same basin; at a corner, unless a pixel
 * beside both is not selected.
 */
void
wf_boundary_mark_row (const WfImage *labels,
                      const WfImage *objects,
                      const WfImage *mask,
                      int            row,
                      gboolean       lines,
                      gboolean       diagonals,
                      guint8        *marks)
{
  const gsize    start  = (gsize) row * labels->width;
  const guint32 *here   = (const guint32 *) labels->data + start;
  const gsize    down   = (row + 1) % labels->height != 0 ? (gsize) labels->width : 0;
  const guint32 *below  = here + down;
  const guint8  *inside = objects ? (const guint8 *) objects->data + start : NULL;

  if (lines)
    mark_lines (here, inside, labels->width, marks);
  else if (mask)
    mark_boundary_within (here, below, (const guint8 *) mask->data + start,
                          (const guint8 *) mask->data + start + down, labels->width, diagonals,
                          marks);
  else
    mark_boundary (here, below, labels->width, diagonals, marks);
}
