/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels on which the lines between basins are drawn.
 *
 * If the watershed has left lines, these are drawn.  Otherwise every pixel belongs to a basin, and
 * boundaries one pixel wide are drawn, as wf_boundaries_mark() defines them.  If objects were
 * divided, the background counts as another basin: without lines objects are outlined as well.
 */

#include "config.h"

#include "boundary.h"


/* A row of an image without gaps between its rows. */
static WfImage
view_row (const WfImage *image,
          int            row)
{
  WfImage view = *image;

  view.data         = (char *) image->data +
                      (gsize) row * image->width * wf_type_size (image->type);
  view.height       = 1;
  view.depth        = 1;
  view.slice_stride = view.row_stride;
  return view;
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
  WfImage out = { .type = WF_TYPE_U8, .width = labels->width, .height = 1, .depth = 1,
                  .row_stride = labels->width, .slice_stride = labels->width, .data = marks };

  if (lines)
    {
      const WfImage here   = view_row (labels, row);
      const WfImage inside = objects ? view_row (objects, row) : (WfImage) { 0 };

      wf_objects_mark_lines (&here, objects ? &inside : NULL, &out);
    }
  else
    {
      wf_boundaries_mark (labels, mask, row, diagonals, &out);
    }
}
