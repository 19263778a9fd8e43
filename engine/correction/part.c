/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parts of the image that corrections work on: the components of an object's pixels, and a flood
 * within a box.  A box of all pixels that may change, and of their neighbors, suffices: a marker's
 * pixels are not left on the way to a pixel that has none, and indices have the same order in the
 * box as in the image.
 */

#include "config.h"

#include <string.h>

#include "correcting.h"

/* The pixels of a box, which stay the image's. */
WfImage
wf_object_part_view (const WfImage *image,
                     const WfBox   *box)
{
  WfImage view = *image;

  view.data      = (char *) image->data + wf_image_offset (image, box->x0, box->y0, box->z0) *
                                          wf_type_size (image->type);
  view.width     = box->x1 - box->x0;
  view.height    = box->y1 - box->y0;
  view.depth     = box->z1 - box->z0;
  view.allocated = NULL;
  return view;
}

/* The connectivity of a part of the image: that of a stack may be a single slice. */
int
wf_object_part_find_connectivity (const WfCorrecting *correcting,
                                  const WfShape      *shape)
{
  const gboolean faces = correcting->connectivity == 4 || correcting->connectivity == 6;

  return shape->depth > 1 ? (faces ? 6 : 26) : faces ? 4 : 8;
}

/* Where a part of the image is small, threads would wait for each other longer than they work. */
WfContext *
wf_object_part_get_context (const WfCorrecting *correcting,
                            const WfShape      *shape)
{
  return wf_shape_n_pixels (shape) < WF_MANY_PIXELS ? correcting->alone : correcting->context;
}

static gboolean
allocate (const WfBox  *box,
          WfType        type,
          WfImage      *image,
          GError      **error)
{
  const WfShape shape = wf_box_shape (box);

  return wf_image_allocate (image, type, shape.width, shape.height, shape.depth, error);
}

/* Finds the components of the pixels of @label that are not in @wall, which is of its box. */
gboolean
wf_object_part_find (WfCorrecting  *correcting,
                     guint32        label,
                     const guint8  *wall,
                     WfObjectPart  *part,
                     GError       **error)
{
  g_auto (WfImage) marks = { 0 };
  WfLabelOptions   options;
  guint8          *mark;

  part->box   = *wf_correcting_get_box (correcting, label);
  part->shape = wf_box_shape (&part->box);
  if (! allocate (&part->box, WF_TYPE_U8, &marks, error) ||
      ! allocate (&part->box, WF_TYPE_U32, &part->components, error))
    return FALSE;
  mark = marks.data;
  for (gint64 z = part->box.z0; z < part->box.z1; z++)
    for (gint64 y = part->box.y0; y < part->box.y1; y++)
      {
        const guint32 *row = wf_label_at (correcting->labels, part->box.x0, y, z);

        for (gint64 x = 0; x < part->shape.width; x++)
          *mark++ = row[x] == label;
      }
  mark = marks.data;
  for (gint64 i = 0; wall && i < wf_shape_n_pixels (&part->shape); i++)
    mark[i] &= ! wall[i];
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  options.connectivity = wf_object_part_find_connectivity (correcting, &part->shape);
  return wf_label (wf_object_part_get_context (correcting, &part->shape), &marks,
                   &part->components, &part->n, &options, error);
}

/* Floods the pixels of a box that @mask has from @markers, all of them of @box. */
gboolean
wf_object_part_flood (WfCorrecting   *correcting,
                      const WfBox    *box,
                      const WfImage  *markers,
                      const WfImage  *mask,
                      WfImage        *basins,
                      GError        **error)
{
  const WfShape      shape   = wf_box_shape (box);
  WfWatershedOptions options = correcting->options;
  g_auto (WfImage)   flat    = { 0 };
  WfImage            relief;

  options.connectivity = wf_object_part_find_connectivity (correcting, &shape);
  if (! allocate (box, WF_TYPE_U32, basins, error))
    return FALSE;
  if (correcting->relief)
    relief = wf_object_part_view (correcting->relief, box);
  else
    {
      if (! allocate (box, WF_TYPE_U8, &flat, error))
        return FALSE;
      memset (flat.data, 0, (gsize) wf_image_n_pixels (&flat));
      relief = flat;
    }
  return wf_watershed_masked (wf_object_part_get_context (correcting, &shape), &relief, markers,
                              mask, basins, NULL, &options, error);
}

/* A copy of a box of the relief. */
gboolean
wf_object_part_crop (const WfCorrecting  *correcting,
                     const WfBox         *box,
                     WfImage             *relief,
                     GError             **error)
{
  const WfImage from = wf_object_part_view (correcting->relief, box);
  const gsize   size = (gsize) from.width * wf_type_size (from.type);

  if (! allocate (box, from.type, relief, error))
    return FALSE;
  for (gint64 row = 0; row < from.height * from.depth; row++)
    memcpy (wf_image_row (relief, row), wf_image_row (&from, row), size);
  return TRUE;
}

void
wf_object_part_clear (WfObjectPart *part)
{
  wf_image_clear (&part->components);
}
