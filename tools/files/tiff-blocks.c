/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles are compressed by deflate, which every reader of TIFF knows, or as the user wants, all with
 * differences of neighbours.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "tiff-blocks.h"
#include "tiff-codec.h"
#include "tiff-pyramid.h"
#include "tile-pixels.h"
#include "tools/message.h"

/* What the tables have for a tile. */
#define TABLE_BYTES 16

/**
 * Coder:
 * @out: room for a compressed tile
 */
typedef struct
{
  TiffCoder *compressor;
  guint8    *out;
} Coder;

/**
 * TiffBlocks:
 * @end: of the file so far
 */
struct _TiffBlocks
{
  TiffPyramid  pyramid;
  TileFormat   format;
  TileBlocks  *tiles;
  int          descriptor;
  gint64       end;
};


/*  Tiles  */

static void
free_coder (gpointer data)
{
  Coder *coder = data;

  if (coder->compressor)
    tiff_coder_free (coder->compressor);
  g_free (coder->out);
  g_free (coder);
}

static gpointer
new_coder (gpointer data)
{
  const TiffBlocks *blocks = data;
  Coder            *coder  = g_new0 (Coder, 1);

  coder->compressor = tiff_coder_new (blocks->pyramid.compression);
  coder->out        = g_try_malloc (blocks->format.stride);
  if (! coder->compressor || ! coder->out)
    g_clear_pointer (&coder, free_coder);
  return coder;
}

/* Of TileFormat. */
static gboolean
encode (gpointer   data,
        gpointer   coder_data,
        TileRow   *row,
        gint64     x,
        GError   **error)
{
  const TiffBlocks  *blocks  = data;
  const TilePyramid *pyramid = &blocks->pyramid.tiles;
  const Coder       *coder   = coder_data;
  guint8            *tile    = row->tiles + (gsize) x * row->stride;

  if (blocks->pyramid.compression != TIFF_COMPRESSION_NONE)
    tile_pixels_predict (pyramid->type, pyramid->tile_width, pyramid->tile_height, tile,
                         coder->out);
  row->lengths[x] = tiff_coder_run (coder->compressor, tile, tile_pyramid_tile_bytes (pyramid),
                                    coder->out, row->stride);
  if (row->lengths[x] == 0)
    return refuse_because (g_strerror (ENOMEM), error);
  memcpy (tile, coder->out, row->lengths[x]);
  return TRUE;
}

/* Of TileFormat. */
static gboolean
write_row (gpointer   data,
           TileRow   *row,
           GError   **error)
{
  TiffBlocks      *blocks  = data;
  const TileLevel *level   = &blocks->pyramid.tiles.levels[row->level];
  guint64         *offsets = blocks->pyramid.offsets[row->level];
  guint64         *lengths = blocks->pyramid.lengths[row->level];
  const gsize      first   = (gsize) ((row->page * level->down + row->number) * level->across);
  gsize            at      = 0;

  for (gint64 x = 0; x < level->across; x++)
    {
      memmove (row->tiles + at, row->tiles + (gsize) x * row->stride, row->lengths[x]);
      offsets[first + (gsize) x] = (guint64) blocks->end + at;
      lengths[first + (gsize) x] = row->lengths[x];
      at += row->lengths[x];
    }
  if (! bytes_write_at (blocks->descriptor, blocks->end, row->tiles, at, 1, error))
    return FALSE;
  blocks->end += (gint64) at;
  return TRUE;
}

static gsize
find_stride (const TiffPyramid *pyramid)
{
  const gsize bound = tiff_codec_bound (pyramid->compression,
                                        tile_pyramid_tile_bytes (&pyramid->tiles));

  return (bound + 63) / 64 * 64;
}

static TileFormat
make_format (TiffBlocks        *blocks,
             const TiffPyramid *pyramid)
{
  const gsize stride = find_stride (pyramid);

  return (TileFormat) {
    .stride      = stride,
    .coder_bytes = tiff_codec_get_memory (pyramid->compression) + stride,
    .new_coder   = new_coder,
    .free_coder  = free_coder,
    .encode      = encode,
    .write       = write_row,
    .data        = blocks,
  };
}


/*  Files  */

/**
 * tiff_blocks_get_memory:
 * @plan: how the file is written
 * @model: an image of the same size
 * @most: as for tiff_blocks_new()
 *
 * Returns: the bytes of memory that writing takes beside the blocks
 */
guint64
tiff_blocks_get_memory (const TilePlan *plan,
                        const WfImage  *model,
                        guint64         most)
{
  TiffPyramid pyramid;
  TileFormat  format;

  tiff_pyramid_init (&pyramid, plan->type, model, plan->overviews, plan->compression);
  format = make_format (NULL, &pyramid);
  return tile_blocks_get_memory (plan, &pyramid.tiles, &format, most)
         + tile_pyramid_count_tiles (&pyramid.tiles) * TABLE_BYTES;
}

/**
 * tiff_blocks_get_size:
 * @plan: how the file is written
 * @model: an image of the same size
 *
 * Returns: the least bytes of the file, however well the pixels are compressed
 */
guint64
tiff_blocks_get_size (const TilePlan *plan,
                      const WfImage  *model)
{
  TiffPyramid pyramid;

  tiff_pyramid_init (&pyramid, plan->type, model, plan->overviews, plan->compression);
  return tile_pyramid_count_tiles (&pyramid.tiles)
         * (tiff_codec_least (pyramid.compression, tile_pyramid_tile_bytes (&pyramid.tiles))
            + TABLE_BYTES);
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
tiff_blocks_new (const TilePlan  *plan,
                 const WfImage   *model,
                 guint64          most,
                 int              descriptor,
                 GError         **error)
{
  TiffBlocks *blocks = g_new0 (TiffBlocks, 1);

  blocks->descriptor = descriptor;
  blocks->end        = TIFF_HEADER_BYTES;
  tiff_pyramid_init (&blocks->pyramid, plan->type, model, plan->overviews, plan->compression);
  blocks->format = make_format (blocks, &blocks->pyramid);
  if (tiff_pyramid_allocate (&blocks->pyramid, error))
    blocks->tiles = tile_blocks_new (plan, &blocks->pyramid.tiles, &blocks->format, most, error);
  if (! blocks->tiles)
    g_clear_pointer (&blocks, tiff_blocks_free);
  return blocks;
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
  return tile_blocks_write (blocks->tiles, x, y, z, block, error);
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
  return tile_blocks_finish (blocks->tiles, error) &&
         tiff_pyramid_write (&blocks->pyramid, blocks->descriptor, blocks->end, error);
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
tiff_blocks_write_image (const TilePlan  *plan,
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
  if (blocks->tiles)
    tile_blocks_free (blocks->tiles);
  tiff_pyramid_clear (&blocks->pyramid);
  g_free (blocks);
}
