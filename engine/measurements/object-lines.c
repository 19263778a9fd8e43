/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lines between objects: of the pixels without a label those that were lines, and, once objects
 * have been left out, those that still are beside one.  A pixel is beside the 8 around it, in a
 * stack the 26.
 */

#include "config.h"

#include "engine/core/image.h"


/* @inside: (nullable) */
static void
mark_row (const guint32 *labels,
          const guint8  *inside,
          gint64         width,
          guint8        *lines)
{
  if (inside)
    for (gint64 x = 0; x < width; x++)
      lines[x] = (labels[x] == 0) & (inside[x] != 0);
  else
    for (gint64 x = 0; x < width; x++)
      lines[x] = labels[x] == 0;
}

/**
 * wf_objects_mark_lines:
 * @labels: u32: 0 on lines and in the background
 * @inside: (nullable): u8, size of @labels: 0 in the background; %NULL: there is none
 * @lines: u8, size of @labels, may be @inside itself: set to 1 on lines, 0 elsewhere
 *
 * Marks the lines.
 */
void
wf_objects_mark_lines (const WfImage *labels,
                       const WfImage *inside,
                       WfImage       *lines)
{
  g_return_if_fail (labels != NULL && labels->type == WF_TYPE_U32);
  g_return_if_fail (lines != NULL && lines->type == WF_TYPE_U8);
  g_return_if_fail (labels->memory == WF_MEMORY_HOST && lines->memory == WF_MEMORY_HOST);
  g_return_if_fail (! inside || inside->memory == WF_MEMORY_HOST);

#pragma omp parallel for if (wf_image_is_large (labels))
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    mark_row (wf_image_row (labels, row), inside ? wf_image_row (inside, row) : NULL,
              labels->width, wf_image_row (lines, row));
}

static gboolean
is_beside_object (const WfImage *labels,
                  gint64         x0,
                  gint64         y0,
                  gint64         z0)
{
  for (gint64 z = MAX (z0 - 1, 0); z < MIN (z0 + 2, labels->depth); z++)
    for (gint64 y = MAX (y0 - 1, 0); y < MIN (y0 + 2, labels->height); y++)
      {
        const guint32 *label = wf_image_row (labels, z * labels->height + y);

        for (gint64 x = MAX (x0 - 1, 0); x < MIN (x0 + 2, labels->width); x++)
          if (label[x] != 0)
            return TRUE;
      }
  return FALSE;
}

/**
 * wf_objects_trim_lines:
 * @labels: u32: what is left of those that wf_objects_mark_lines() was given
 * @lines: u8, as that has set it: set to 0 on lines that are beside no object, to 1 in objects
 *
 * Makes of the lines that were those that still are, and of them and the objects what is not
 * background.
 */
void
wf_objects_trim_lines (const WfImage *labels,
                       WfImage       *lines)
{
  g_return_if_fail (labels != NULL && labels->type == WF_TYPE_U32);
  g_return_if_fail (lines != NULL && lines->type == WF_TYPE_U8);
  g_return_if_fail (labels->memory == WF_MEMORY_HOST && lines->memory == WF_MEMORY_HOST);

#pragma omp parallel for if (wf_image_is_large (labels))
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    {
      const guint32 *label = wf_image_row (labels, row);
      guint8        *line  = wf_image_row (lines, row);

      for (gint64 x = 0; x < labels->width; x++)
        line[x] = label[x] != 0 ||
                  (line[x] && is_beside_object (labels, x, row % labels->height,
                                                row / labels->height));
    }
}
