/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where to draw the lines between basins.
 *
 * If the watershed left lines, they are drawn where they are.  If not, every pixel
 * belongs to a basin, and a boundary one pixel thin is drawn on the pixels whose
 * right or lower neighbour belongs to another one.  Then no two 4-neighbours without
 * a mark have different labels.
 *
 * For 8 neighbours a pixel is drawn also when only its lower right neighbour belongs
 * to another basin.  The other diagonal needs nothing: if a pixel is not drawn, the
 * pixel below it has the same label; a lower left neighbour with another label sees
 * that one on its right, and is drawn itself.
 *
 * Where objects were divided, the background counts as one more basin: without lines of
 * their own objects are outlined as well.
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

/* The last pixel has no right neighbour: its own column stands for that. */
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

/**
 * wf_boundary_mark_row:
 * @labels: u32, rows and slices that follow each other
 * @objects: (nullable): u8, the same: 0 where label 0 is background and no line
 * @row: which row, counted on from slice to slice
 * @lines: whether label 0 is a line between basins
 * @diagonals: whether pixels that touch at a corner are neighbours
 * @marks: set: 1 on the boundary, else 0
 *
 * No two neighbours in a slice without a mark belong to different basins.
 */
void
wf_boundary_mark_row (const WfImage *labels,
                      const WfImage *objects,
                      int            row,
                      gboolean       lines,
                      gboolean       diagonals,
                      guint8        *marks)
{
  const gsize    start  = (gsize) row * labels->width;
  const guint32 *here   = (const guint32 *) labels->data + start;
  const guint32 *below  = (row + 1) % labels->height != 0 ? here + labels->width : here;
  const guint8  *inside = objects ? (const guint8 *) objects->data + start : NULL;

  if (lines)
    mark_lines (here, inside, labels->width, marks);
  else
    mark_boundary (here, below, labels->width, diagonals, marks);
}
