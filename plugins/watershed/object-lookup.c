/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which object of a table is at a place of the image, and where an object is.  The table may be of
 * the whole image, while the preview shows a part of it, with other labels: a place is what both
 * have in common.
 */

#include "config.h"

#include <math.h>

#include "object-lookup.h"
#include "object-places.h"
#include "ui/merge/region-memory.h"


/* The object of a pixel of the table's result, which is in there, or −1. */
static gint64
get_object (const WfObjectTable *table,
            gint64               column,
            gint64               row)
{
  const WfPreviewResult *result = table->result;
  const guint32         *labels = result->image.data;

  return table->numbers[MIN (labels[row * result->region.width + column], result->n_labels)];
}

/**
 * wf_object_table_find_at:
 * @table: objects
 * @x: a place in the image, in its pixels
 * @y: likewise
 *
 * Returns: the number of the object there, from 0, or −1
 */
gint64
wf_object_table_find_at (const WfObjectTable *table,
                         double               x,
                         double               y)
{
  const WfPreviewRegion *region = &table->result->region;
  const gint64           column = (gint64) floor (x * region->scale) - region->x;
  const gint64           row    = (gint64) floor (y * region->scale) - region->y;

  return column < 0 || row < 0 || column >= region->width || row >= region->height
         ? -1 : get_object (table, column, row);
}

/* The pixels of an object in its box, as 1. */
static gboolean
copy_object (const WfObjectTable *table,
             gint64               object,
             gint64               left,
             gint64               top,
             WfImage             *pixels)
{
  const WfPreviewResult *result   = table->result;
  const guint32          n_labels = result->n_labels;
  const gint64           width    = (gint64) wf_objects_get_values (table->objects,
                                                                    "width")[object];
  const gint64           height   = (gint64) wf_objects_get_values (table->objects,
                                                                    "height")[object];
  g_autofree guint32    *map      = wf_region_memory_new ((gint64) n_labels + 1, sizeof *map,
                                                          NULL);
  WfImage                box      = result->image;

  if (! map || ! wf_image_allocate (pixels, WF_TYPE_U32, width, height, 1, NULL))
    return FALSE;
  for (gsize label = 0; label <= n_labels; label++)
    map[label] = table->numbers[label] == object;
  box.data   = (guint32 *) box.data + top * box.row_stride + left;
  box.width  = width;
  box.height = height;
  wf_labels_map (&box, map, n_labels + 1, pixels);
  return TRUE;
}

/**
 * wf_object_table_find_place:
 * @table: objects
 * @object: the number of one
 * @place: set to the middle of its deepest pixel, in pixels of the image
 *
 * Finds a place that belongs to the object also where it is seen at another scale, if that is so
 * for any.
 *
 * Returns: whether the object has a pixel in the slice that the table is shown of
 */
gboolean
wf_object_table_find_place (const WfObjectTable *table,
                            gint64               object,
                            double               place[2])
{
  const WfPreviewRegion *region = &table->result->region;
  const gint64           left   = (gint64) wf_objects_get_values (table->objects, "left")[object];
  const gint64           top    = (gint64) wf_objects_get_values (table->objects, "top")[object];
  g_auto (WfImage)       pixels = { 0 };
  g_autoptr (GArray)     places = NULL;

  if (! copy_object (table, object, left, top, &pixels))
    return FALSE;
  places = wf_object_places_find (NULL, &pixels, NULL);
  if (! places || places->len == 0)
    return FALSE;
  place[0] = ((double) (region->x + left) + g_array_index (places, WfPreviewNumber, 0).x) /
             region->scale;
  place[1] = ((double) (region->y + top) + g_array_index (places, WfPreviewNumber, 0).y) /
             region->scale;
  return TRUE;
}
