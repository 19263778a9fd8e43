/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows are laid into tiles as they come; a row of tiles that is complete is left to threads
 * (tile-rows.c).  Nothing is read again: overviews are made of the same tiles.
 */

#include "config.h"

#include <string.h>

#include "tile-blocks.h"

/* Rows of tiles that wait for the threads where there is memory: while they are compressed, the
 * caller computes.
 */
#define MOST_WAITING 4

/**
 * TileBlocks:
 * @next: the row that comes next, counted over all slices
 * @end: the one after the last
 * @has_gaps: whether rows of tiles are left out
 * @row: the row of tiles that is being filled, or %NULL
 */
struct _TileBlocks
{
  const TilePyramid *pyramid;
  TileRows          *rows;
  gint64             height;
  gint64             next;
  gint64             end;
  gboolean           has_gaps;
  TileRow           *row;
};


/* Whether overviews show single pixels: of labels and marks a mean is none; of levels and distances
 * it is what is seen from afar.
 */
gboolean
tile_content_is_picked (WfContent content)
{
  return content != WF_CONTENT_LEVELS && content != WF_CONTENT_DISTANCES;
}

static guint
count_waiting (const TilePlan    *plan,
               const TilePyramid *pyramid,
               const TileFormat  *format,
               guint64            most)
{
  guint n = MOST_WAITING;

  while (n > 0 && tile_rows_get_memory (pyramid, format, plan->n_threads, n) > most)
    n--;
  return n;
}

/**
 * tile_blocks_get_memory:
 * @plan: how the file is written
 * @pyramid: its tiles
 * @format: of the file
 * @most: as for tile_blocks_new()
 *
 * Returns: the bytes of memory that writing takes beside the blocks
 */
guint64
tile_blocks_get_memory (const TilePlan    *plan,
                        const TilePyramid *pyramid,
                        const TileFormat  *format,
                        guint64            most)
{
  return tile_rows_get_memory (pyramid, format, plan->n_threads,
                               count_waiting (plan, pyramid, format, most));
}

/**
 * tile_blocks_new:
 * @plan: how the file is written
 * @pyramid: its tiles; it stays in use
 * @format: of the file
 * @most: bytes of memory that may be taken, if less suffices; the file does not depend on it
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (nullable): what writes the file
 */
TileBlocks *
tile_blocks_new (const TilePlan     *plan,
                 const TilePyramid  *pyramid,
                 const TileFormat   *format,
                 guint64             most,
                 GError            **error)
{
  TileBlocks *blocks = g_new0 (TileBlocks, 1);

  blocks->pyramid  = pyramid;
  blocks->height   = pyramid->levels[0].height;
  blocks->next     = plan->first;
  blocks->has_gaps = plan->unfinished != NULL;
  blocks->end      = plan->end > 0 ? plan->end : blocks->height * pyramid->depth;
  blocks->rows     = tile_rows_new (pyramid, format, tile_content_is_picked (plan->content),
                                    plan->n_threads,
                                    count_waiting (plan, pyramid, format, most), error);
  if (! blocks->rows)
    g_clear_pointer (&blocks, tile_blocks_free);
  return blocks;
}

/* Lays @n rows into the row of tiles, from its row @first on. */
static void
lay_rows (const TileBlocks *blocks,
          gint64            first,
          const guint8     *rows,
          gsize             row_bytes,
          gint64            n)
{
  const TileLevel *level = &blocks->pyramid->levels[0];
  const gint64     wide  = blocks->pyramid->tile_width;
  const gsize      size  = wf_type_size (blocks->pyramid->type);

  for (gint64 x = 0; x < level->across; x++)
    {
      const gint64  at    = x * wide;
      const gint64  width = MIN (wide, level->width - at);
      guint8       *tile  = blocks->row->tiles + (gsize) x * blocks->row->stride;

      for (gint64 y = 0; y < n; y++)
        memcpy (tile + (gsize) ((first + y) * wide) * size,
                rows + (gsize) y * row_bytes + (gsize) at * size, (gsize) width * size);
    }
}

/* Takes @n rows of a page, those that follow. */
static gboolean
add_rows (TileBlocks     *blocks,
          const guint8   *rows,
          gsize           row_bytes,
          gint64          n,
          GError        **error)
{
  const gint64 tall = blocks->pyramid->tile_height;

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
 * tile_blocks_write:
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
tile_blocks_write (TileBlocks     *blocks,
                   gint64          x,
                   gint64          y,
                   gint64          z,
                   const WfImage  *block,
                   GError        **error)
{
  const gsize size = wf_type_size (block->type);

  if (blocks->has_gaps && ! blocks->row && y % blocks->pyramid->tile_height == 0)
    blocks->next = z * blocks->height + y;
  g_return_val_if_fail (x == 0 && block->width == blocks->pyramid->levels[0].width &&
                        (block->depth == 1 || block->height == blocks->height) &&
                        z * blocks->height + y == blocks->next, FALSE);

  for (gint64 k = 0; k < block->depth; k++)
    if (! add_rows (blocks, (const guint8 *) block->data + (gsize) (k * block->slice_stride) * size,
                    (gsize) block->row_stride * size, block->height, error))
      return FALSE;
  return TRUE;
}

/**
 * tile_blocks_finish:
 * @blocks: a file whose rows are all written
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether all tiles are in the file
 */
gboolean
tile_blocks_finish (TileBlocks  *blocks,
                    GError     **error)
{
  g_return_val_if_fail (blocks->has_gaps ? ! blocks->row : blocks->next == blocks->end, FALSE);

  return tile_rows_finish (blocks->rows, error);
}

void
tile_blocks_free (TileBlocks *blocks)
{
  if (blocks->rows)
    tile_rows_free (blocks->rows);
  g_free (blocks);
}
