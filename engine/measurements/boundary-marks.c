/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The boundaries between regions as pixels: those whose right or lower neighbor belongs to another
 * region.  So a boundary is one pixel wide, and two unmarked 4-neighbors always have the same
 * label.
 *
 * With 8 neighbors a pixel is also marked if only its lower right neighbor belongs to another
 * region.  The other diagonal needs no test: if a pixel is not marked, the pixel below it has the
 * same label; a lower left neighbor with another label has this pixel on its right, and is marked
 * itself.
 *
 * Pixels of no region, label 0, are one, too: without lines between them, regions have outlines
 * towards the background as well.
 */

#include "config.h"

#include "engine/core/image.h"


/* The last pixel has no right neighbor; its own column takes its place. */
static void
mark_row (const guint32 *here,
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

/* Nothing is marked beside pixels outside the mask, as beside the edge of the image. */
static void
mark_row_within (const guint32 *here,
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
 * wf_boundaries_mark:
 * @labels: u32, in main memory
 * @mask: (nullable): u8, size of @labels, in main memory: 0 where nothing is marked; %NULL: all is
 * @row: of @labels, counted through all slices, that the first row of @marks is for
 * @diagonals: whether pixels that touch at a corner are neighbors
 * @marks: u8, as wide as @labels, in main memory, with some of their rows: set to 1 on boundaries,
 *   0 elsewhere
 *
 * Marks the boundaries between regions in rows of an image, in each slice of a stack; see the top
 * of boundary-marks.c for the definition.  Two unmarked neighbors in a slice always belong to the
 * same region; at a corner, unless a pixel beside both is outside the mask.  Where regions are
 * divided by lines, wf_objects_mark_lines() marks these.
 *
 * Time: that of reading the labels, on all processors.
 */
void
wf_boundaries_mark (const WfImage *labels,
                    const WfImage *mask,
                    gint64         row,
                    gboolean       diagonals,
                    WfImage       *marks)
{
  const gint64 n_rows = marks->height * marks->depth;

  g_return_if_fail (labels->memory == WF_MEMORY_HOST && marks->memory == WF_MEMORY_HOST);
  g_return_if_fail (! mask || mask->memory == WF_MEMORY_HOST);
  g_return_if_fail (labels->type == WF_TYPE_U32 && marks->type == WF_TYPE_U8 &&
                    marks->width == labels->width);
  g_return_if_fail (row >= 0 && row + n_rows <= labels->height * labels->depth);

#pragma omp parallel for if (wf_image_is_large (marks))
  for (gint64 i = 0; i < n_rows; i++)
    {
      const gint64   at    = row + i;
      const gint64   next  = (at + 1) % labels->height != 0 ? at + 1 : at;
      const guint32 *here  = wf_image_row (labels, at);
      const guint32 *below = wf_image_row (labels, next);

      if (mask)
        mark_row_within (here, below, wf_image_row (mask, at), wf_image_row (mask, next),
                         labels->width, diagonals, wf_image_row (marks, i));
      else
        mark_row (here, below, labels->width, diagonals, wf_image_row (marks, i));
    }
}
