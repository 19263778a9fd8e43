/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measurements of one basin: of its pixels, and of basins that are merged.  Sums of levels are
 * those of level-sums.c, without rounding.
 */

#include "config.h"

#include <math.h>

#include "engine/core/image.h"
#include "level-sums.h"


/* A run of pixels of the basin, from column @from to before @to. */
static void
add_run (WfBasin *basin,
         gint64   from,
         gint64   to,
         gint64   y,
         gint64   z)
{
  const gint64 first[] = { from, y, z };
  const gint64 last[]  = { to - 1, y, z };
  const double n       = (double) (to - from);

  for (int axis = 0; axis < 3; axis++)
    {
      basin->centroid[axis] += n * (double) (first[axis] + last[axis]) / 2;
      basin->first[axis]     = MIN (basin->first[axis], first[axis]);
      basin->last[axis]      = MAX (basin->last[axis], last[axis]);
    }
  basin->area += (guint64) (to - from);
}

static void
add_row (const WfLevelLayout *layout,
         const WfImage       *labels,
         const WfImage       *image,
         gint64               row,
         WfLevelSums         *sums,
         WfBasin             *basin)
{
  const guint32 *label  = wf_image_row (labels, row);
  gconstpointer  levels = wf_image_row (image, row);
  const gint64   y      = row % labels->height;
  const gint64   z      = row / labels->height;

  for (gint64 x = 0; x < labels->width; x++)
    if (label[x] == basin->label)
      {
        const gint64 from = x;

        while (x < labels->width && label[x] == basin->label)
          x++;
        add_run (basin, from, x, y, z);
        wf_level_sums_add (layout, sums, levels, from, x, y, z);
      }
}

/**
 * wf_basin_measure_levels:
 * @image: u8, u16 or f32, in main memory: the levels that are looked at
 * @labels: u32, size of @image, in main memory
 * @label: one of them
 * @basin: set to its measurements, with the depth NaN, which one basin alone does not have; the
 *   area of a label that does not occur is 0
 *
 * Measures one basin, as wf_basins_measure() measures all of them.
 *
 * Time: that of reading the labels, and some nanoseconds for each pixel of the basin, by one
 * thread.
 */
void
wf_basin_measure_levels (const WfImage *image,
                         const WfImage *labels,
                         guint32        label,
                         WfBasin       *basin)
{
  WfLevelLayout layout;
  WfLevelSums   sums;

  g_return_if_fail (image->memory == WF_MEMORY_HOST && labels->memory == WF_MEMORY_HOST);
  g_return_if_fail (labels->type == WF_TYPE_U32 && image->width == labels->width &&
                    image->height == labels->height && image->depth == labels->depth);

  *basin = (WfBasin) { .label = label, .first = { G_MAXINT64, G_MAXINT64, G_MAXINT64 },
                       .last = { -1, -1, -1 }, .depth = NAN };
  wf_level_layout_init (&layout, image->type, TRUE, FALSE, 0);
  wf_level_sums_init (&layout, &sums);
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    add_row (&layout, labels, image, row, &sums, basin);
  for (int axis = 0; axis < 3; axis++)
    basin->centroid[axis] /= (double) basin->area;
  basin->minimum = sums.least;
  basin->maximum = sums.greatest;
  basin->mean    = wf_level_sums_total (&layout, &sums) / (double) basin->area;
}

/**
 * wf_basin_join:
 * @basin: measurements; of an area of 0: nothing
 * @other: measurements of other pixels
 *
 * Makes @basin the measurements of both, with the label of @basin, or of @other if there is nothing
 * in @basin.  What is merged is as deep as the deeper one.  Means are rounded.
 */
void
wf_basin_join (WfBasin       *basin,
               const WfBasin *other)
{
  const double share = (double) other->area / (double) (basin->area + other->area);

  if (other->area == 0)
    return;
  if (basin->area == 0)
    {
      *basin = *other;
      return;
    }
  for (int axis = 0; axis < 3; axis++)
    {
      basin->centroid[axis] += share * (other->centroid[axis] - basin->centroid[axis]);
      basin->first[axis]     = MIN (basin->first[axis], other->first[axis]);
      basin->last[axis]      = MAX (basin->last[axis], other->last[axis]);
    }
  basin->mean    = (basin->mean * (double) basin->area + other->mean * (double) other->area) /
                   (double) (basin->area + other->area);
  basin->area   += other->area;
  basin->minimum = MIN (basin->minimum, other->minimum);
  basin->maximum = MAX (basin->maximum, other->maximum);
  basin->depth   = MAX (basin->depth, other->depth);
}
