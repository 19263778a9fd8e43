/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "block-foreground.h"

/* Of an image, at a time. */
#define PART_BYTES ((gint64) 1 << 20)


static gint64
find_rows (const WfBlockSource *image,
           gint64               width)
{
  return MAX (1, PART_BYTES / (width * (gint64) wf_type_size (image->type)));
}

static gboolean
add_counts (WfHistogram    **histogram,
            const WfImage   *part,
            GError         **error)
{
  g_autoptr (WfHistogram) counted = wf_histogram_new (part, error);

  if (! counted)
    return FALSE;
  if (! *histogram)
    {
      *histogram = g_steal_pointer (&counted);
      return TRUE;
    }
  for (guint i = 0; i < counted->n_levels; i++)
    (*histogram)->counts[i] += counted->counts[i];
  return TRUE;
}

/**
 * block_foreground_find_threshold:
 * @image: an image
 * @progress: (nullable): gets what part of it has been read
 * @threshold: set to the level that divides the levels best
 * @error: that of @image, or as wf_histogram_new() sets it
 *
 * Reads the whole image once.
 *
 * Returns: success
 */
gboolean
block_foreground_find_threshold (const WfBlockSource  *image,
                                 WfProgressFunc        progress,
                                 double               *threshold,
                                 GError              **error)
{
  const gint64            rows      = MIN (find_rows (image, image->width), image->height);
  g_autoptr (WfHistogram) histogram = NULL;
  g_auto (WfImage)        part      = { 0 };

  if (! wf_image_allocate (&part, image->type, image->width, rows, 1, error))
    return FALSE;
  for (gint64 z = 0; z < image->depth; z++)
    for (gint64 y = 0; y < image->height; y += rows)
      {
        part.height = MIN (rows, image->height - y);
        if (! image->read (image->data, 0, y, z, &part, error) ||
            ! add_counts (&histogram, &part, error))
          return FALSE;
        if (progress)
          progress ((double) (z * image->height + y) / (double) (image->depth * image->height),
                    NULL);
      }
  *threshold = wf_histogram_get_threshold (histogram);
  return TRUE;
}

/* Rows of one slice; @levels: memory for them */
static gboolean
mark_rows (const BlockForeground  *foreground,
           gint64                  x,
           gint64                  y,
           gint64                  z,
           WfImage                *levels,
           guint8                 *marks,
           gint64                  row_stride,
           GError                **error)
{
  const WfBlockSource *image = foreground->image;
  WfImage              rows;

  if (! image->read (image->data, x, y, z, levels, error) ||
      ! wf_image_init (&rows, WF_TYPE_U8, levels->width, levels->height, 1, marks, error))
    return FALSE;
  rows.row_stride = row_stride;
  wf_foreground_mark (levels, foreground->threshold, FALSE, &rows);
  return TRUE;
}

/* Of WfReadBlockFunc. */
static gboolean
read_block (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  const BlockForeground *foreground = data;
  const gint64           rows       = MIN (find_rows (foreground->image, block->width),
                                           block->height);
  g_auto (WfImage)       levels     = { 0 };

  if (! wf_image_allocate (&levels, foreground->image->type, block->width, rows, 1, error))
    return FALSE;
  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0; j < block->height; j += rows)
      {
        guint8 *marks = (guint8 *) block->data + k * block->slice_stride + j * block->row_stride;

        levels.height = MIN (rows, block->height - j);
        if (! mark_rows (foreground, x, y + j, z + k, &levels, marks, block->row_stride, error))
          return FALSE;
      }
  return TRUE;
}

/**
 * block_foreground_invert:
 * @foreground: filled; it stays where it is while its source is in use
 * @image: an image; stays as long as @foreground
 * @threshold: (may be NaN): as that of the operations
 *
 * Makes a mask of the dark pixels, for an operation that then has no threshold.
 */
void
block_foreground_invert (BlockForeground      *foreground,
                         const WfBlockSource  *image,
                         double                threshold)
{
  *foreground = (BlockForeground) {
    .source    = { WF_TYPE_U8, image->width, image->height, image->depth, read_block, foreground },
    .image     = image,
    .threshold = threshold,
  };
}
