/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "block-foreground.h"
#include "ranks.h"

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

/* A histogram of no pixels. */
static WfHistogram *
count_nothing (WfType   type,
               GError **error)
{
  const guint64  black[1]  = { 0 };
  WfImage        pixel     = { 0 };
  WfHistogram   *histogram = NULL;

  if (wf_image_init (&pixel, type, 1, 1, 1, (gpointer) black, error))
    histogram = wf_histogram_new (&pixel, error);
  if (histogram)
    histogram->counts[0] = 0;
  return histogram;
}

/* Of a part of the rows of all slices. */
static WfHistogram *
count_part (const WfBlockSource  *image,
            WfProgressFunc        progress,
            GError              **error)
{
  const gint64            rows      = MIN (find_rows (image, image->width), image->height);
  g_autoptr (WfHistogram) histogram = NULL;
  g_auto (WfImage)        part      = { 0 };
  gint64                  first, end;

  ranks_deal (image->height * image->depth, &first, &end);
  if (! wf_image_allocate (&part, image->type, image->width, rows, 1, error))
    return NULL;
  for (gint64 row = first; row < end; row += part.height)
    {
      const gint64 y = row % image->height;

      part.height = MIN (MIN (rows, image->height - y), end - row);
      if (! image->read (image->data, 0, y, row / image->height, &part, error) ||
          ! add_counts (&histogram, &part, error))
        return NULL;
      if (progress)
        progress ((double) (row - first) / (double) (end - first), NULL);
    }
  if (! histogram)
    histogram = count_nothing (image->type, error);
  return g_steal_pointer (&histogram);
}

/* Adds the counts of all processes. */
static gboolean
add_ranks (WfHistogram  *histogram,
           GError      **error)
{
  const guint          n     = histogram->n_levels;
  const gsize          bytes = n * sizeof *histogram->counts;
  g_autofree guint64  *all   = NULL;

  if (! ranks_are_several ())
    return TRUE;
  if (ranks_is_first ())
    all = g_new (guint64, (gsize) n * ranks_count ());
  if (! wf_communicator_gather (ranks_get (), histogram->counts, bytes, all, error))
    return FALSE;
  for (guint i = 0; all && i < n; i++)
    for (guint rank = 1; rank < ranks_count (); rank++)
      histogram->counts[i] += all[(gsize) rank * n + i];
  return wf_communicator_broadcast (ranks_get (), histogram->counts, bytes, error);
}

/**
 * block_foreground_find_threshold:
 * @image: an image
 * @way: how
 * @progress: (nullable): gets what part of it has been read
 * @threshold: set to the level that is found
 * @error: that of @image, of another process, or as wf_histogram_new() sets it
 *
 * Reads the image once; each of several processes reads a part of it.
 *
 * Returns: success
 */
gboolean
block_foreground_find_threshold (const WfBlockSource  *image,
                                 const ThresholdWay   *way,
                                 WfProgressFunc        progress,
                                 double               *threshold,
                                 GError              **error)
{
  g_autoptr (WfHistogram) histogram = count_part (image, progress, error);

  if (! histogram || ! add_ranks (histogram, error))
    return FALSE;
  *threshold = wf_histogram_find_threshold (histogram, way->method, way->percent);
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
  wf_foreground_mark (levels, foreground->threshold, foreground->above, &rows);
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
 * block_foreground_mark:
 * @foreground: filled; it stays where it is while its source is in use
 * @image: an image; stays as long as @foreground
 * @threshold: (may be NaN): as that of the operations
 * @above: whether bright pixels are marked, not dark ones
 *
 * Makes a mask, for an operation that then has no threshold.
 */
void
block_foreground_mark (BlockForeground      *foreground,
                       const WfBlockSource  *image,
                       double                threshold,
                       gboolean              above)
{
  *foreground = (BlockForeground) {
    .source    = { WF_TYPE_U8, image->width, image->height, image->depth, read_block, foreground },
    .image     = image,
    .threshold = threshold,
    .above     = above,
  };
}
