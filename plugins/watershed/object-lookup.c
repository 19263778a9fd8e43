/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which object of a table is at a place of the image, and where an object is.  The table may be of
 * the whole image, while the preview shows a part of it, with other labels: a place is what both
 * have in common.
 */

#include "config.h"

#include <math.h>

#include "object-lookup.h"


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

/**
 * wf_object_table_find_place:
 * @table: objects
 * @object: the number of one
 * @place: set to the middle of its longest row of pixels, in pixels of the image
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
  const WfPreviewRegion *region  = &table->result->region;
  const gint64           left    = (gint64) wf_objects_get_values (table->objects, "left")[object];
  const gint64           top     = (gint64) wf_objects_get_values (table->objects, "top")[object];
  const gint64           right   = left + (gint64) wf_objects_get_values (table->objects,
                                                                          "width")[object];
  const gint64           bottom  = top + (gint64) wf_objects_get_values (table->objects,
                                                                         "height")[object];
  gint64                 longest = 0;

  for (gint64 row = top; row < bottom; row++)
    for (gint64 column = left, n = 0; column < right; column++)
      {
        n = get_object (table, column, row) == object ? n + 1 : 0;
        if (n <= longest)
          continue;
        longest  = n;
        place[0] = ((double) (region->x + column + 1) - (double) n / 2) / region->scale;
        place[1] = ((double) (region->y + row) + 0.5) / region->scale;
      }
  return longest > 0;
}
