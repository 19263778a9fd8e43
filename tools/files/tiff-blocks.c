/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows are laid into tiles as they come; a row of tiles that is complete is left to threads
 * (tile-rows.c).  Nothing is read again: overviews are made of the same tiles.
 */

#include "config.h"

#include <string.h>

#include "tiff-blocks.h"
#include "tile-rows.h"

/* Rows of tiles that wait for the threads where there is memory: while they are compressed, the
 * caller computes.
 */
#define MOST_WAITING 4

/* Of deflate; what the tables have for a tile. */
#define MOST_COMPRESSION 1032
#define TABLE_BYTES      16

/**
 * TiffBlocks:
 * @next: the row that comes next, counted over all slices
 * @row: the row of tiles that is being filled, or %NULL
 */
struct _TiffBlocks
{
  TiffPyramid  pyramid;
  TileRows    *rows;
  int          descriptor;
  gint64       height;
  gint64       next;
  TileRow     *row;
};


/* Of labels and marks a mean is none; of levels and distances it is what is seen from afar. */
static gboolean
is_picked (WfContent content)
{
  return content != WF_CONTENT_LEVELS && content != WF_CONTENT_DISTANCES;
}

static guint
count_waiting (const TiffPyramid *pyramid,
               guint              n_threads,
               guint64            most)
{
  guint n = MOST_WAITING;

  while (n > 0 && tile_rows_get_memory (pyramid, n_threads, n) > most)
    n--;
  return n;
}

/**
 * tiff_blocks_get_memory:
 * @plan: how the file is written
 * @model: an image of the same size
 * @most: as for tiff_blocks_new()
 *
 * Returns: the bytes of memory that writing takes beside the blocks
 */
guint64
tiff_blocks_get_memory (const TiffPlan *plan,
                        const WfImage  *model,
                        guint64         most)
{
  TiffPyramid pyramid;

  tiff_pyramid_init (&pyramid, plan->type, model, plan->overviews);
  return tile_rows_get_memory (&pyramid, plan->n_threads,
                               count_waiting (&pyramid, plan->n_threads, most))
         + tiff_pyramid_count_tiles (&pyramid) * TABLE_BYTES;
}

/**
 * tiff_blocks_get_size:
 * @plan: how the file is written
 * @model: an image of the same size
 *
 * Returns: the least bytes of the file, however well the pixels are compressed
 */
guint64
tiff_blocks_get_size (const TiffPlan *plan,
                      const WfImage  *model)
{
  TiffPyramid pyramid;

  tiff_pyramid_init (&pyramid, plan->type, model, plan->overviews);
  return tiff_pyramid_count_tiles (&pyramid)
         * (tiff_pyramid_tile_bytes (&pyramid) / MOST_COMPRESSION + TABLE_BYTES);
}

/**
 * tiff_blocks_new:
 * @plan: how the file is written
 * @model: an image of the same size
 * @most: bytes of memory that may be taken, if less suffices; the file does not depend on it
 * @descriptor: of an empty file, open for writing; the caller closes it
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (nullable): what writes the file
 */
TiffBlocks *
tiff_blocks_new (const TiffPlan  *plan,
                 const WfImage   *model,
                 guint64          most,
                 int              descriptor,
                 GError         **error)
{
  TiffBlocks *blocks = g_new0 (TiffBlocks, 1);

  blocks->descriptor = descriptor;
  blocks->height     = model->height;
  tiff_pyramid_init (&blocks->pyramid, plan->type, model, plan->overviews);
  if (tiff_pyramid_allocate (&blocks->pyramid, error))
    blocks->rows = tile_rows_new (&blocks->pyramid, is_picked (plan->content), descriptor,
                                  plan->n_threads,
                                  count_waiting (&blocks->pyramid, plan->n_threads, most), error);
  if (! blocks->rows)
    g_clear_pointer (&blocks, tiff_blocks_free);
  return blocks;
}

/* Lays @n rows into the row of tiles, from its row @first on. */
static void
lay_rows (const TiffBlocks *blocks,
          gint64            first,
          const guint8     *rows,
          gsize             row_bytes,
          gint64            n)
{
  const TiffLevel *level = &blocks->pyramid.levels[0];
  const gsize      size  = wf_type_size (blocks->pyramid.type);

  for (gint64 x = 0; x < level->across; x++)
    {
      const gint64  at    = x * TIFF_TILE_WIDTH;
      const gint64  width = MIN (TIFF_TILE_WIDTH, level->width - at);
      guint8       *tile  = blocks->row->tiles + (gsize) x * blocks->row->stride;

      for (gint64 y = 0; y < n; y++)
        memcpy (tile + (gsize) ((first + y) * TIFF_TILE_WIDTH) * size,
                rows + (gsize) y * row_bytes + (gsize) at * size, (gsize) width * size);
    }
}

/* Takes @n rows of a page, those that follow. */
static gboolean
add_rows (TiffBlocks     *blocks,
          const guint8   *rows,
          gsize           row_bytes,
          gint64          n,
          GError        **error)
{
  const gint64 tall = blocks->pyramid.tile_height;

  while (n > 0)
    {
      const gint64 y     = blocks->next % blocks->height;
      const gint64 first = y % tall;
      const gint64 end   = MIN (y - first + tall, blocks->height);
      const gint64 part  = MIN (n, end - y);

      if (! blocks->row)
        blocks->row = tile_rows_begin (blocks->rows, blocks->next / blocks->height, y / tall,
                                       error);
      if (! blocks->row)
        return FALSE;
      lay_rows (blocks, first, rows, row_bytes, part);
      if (y + part == end)
        tile_rows_end (blocks->rows, g_steal_pointer (&blocks->row));
      blocks->next += part;
      rows         += (gsize) part * row_bytes;
      n            -= part;
    }
  return TRUE;
}

/**
 * tiff_blocks_write:
 * @blocks: an open file
 * @x: 0
 * @y: the block's first row
 * @z: the block's first slice
 * @block: whole rows, those that follow what was written before
 * @error: %TOOL_ERROR_FILE, the reason alone; also of a block before
 *
 * Returns: success
 */
gboolean
tiff_blocks_write (TiffBlocks     *blocks,
                   gint64          x,
                   gint64          y,
                   gint64          z,
                   const WfImage  *block,
                   GError        **error)
{
  const gsize size = wf_type_size (block->type);

  g_return_val_if_fail (x == 0 && block->width == blocks->pyramid.levels[0].width &&
                        (block->depth == 1 || block->height == blocks->height) &&
                        z * blocks->height + y == blocks->next, FALSE);

  for (gint64 k = 0; k < block->depth; k++)
    if (! add_rows (blocks, (const guint8 *) block->data + (gsize) (k * block->slice_stride) * size,
                    (gsize) block->row_stride * size, block->height, error))
      return FALSE;
  return TRUE;
}

/**
 * tiff_blocks_finish:
 * @blocks: a file whose rows are all written
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether the file is complete
 */
gboolean
tiff_blocks_finish (TiffBlocks  *blocks,
                    GError     **error)
{
  gint64 end;

  g_return_val_if_fail (blocks->next == blocks->height * blocks->pyramid.depth, FALSE);

  return tile_rows_finish (blocks->rows, &end, error) &&
         tiff_pyramid_write (&blocks->pyramid, blocks->descriptor, end, error);
}

/**
 * tiff_blocks_write_image:
 * @plan: how the file is written
 * @image: the whole image
 * @descriptor: as for tiff_blocks_new()
 * @error: likewise
 *
 * With the least memory.
 *
 * Returns: whether the file is complete
 */
gboolean
tiff_blocks_write_image (const TiffPlan  *plan,
                         const WfImage   *image,
                         int              descriptor,
                         GError         **error)
{
  TiffBlocks *blocks  = tiff_blocks_new (plan, image, 0, descriptor, error);
  gboolean    written = blocks && tiff_blocks_write (blocks, 0, 0, 0, image, error) &&
                        tiff_blocks_finish (blocks, error);

  g_clear_pointer (&blocks, tiff_blocks_free);
  return written;
}

void
tiff_blocks_free (TiffBlocks *blocks)
{
  if (blocks->rows)
    tile_rows_free (blocks->rows);
  tiff_pyramid_clear (&blocks->pyramid);
  g_free (blocks);
}
