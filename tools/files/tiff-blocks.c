/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows are kept until there is a whole row of tiles, which is compressed and written: no second
 * file, no thread, and no more memory than one row of tiles.  libvips writes such files as well,
 * but it asks for the pixels, and here they are delivered.
 *
 * Compression is deflate, with differences of neighbours, at its fastest: labels and distances
 * become a small part of their size, and every reader of TIFF knows it.
 */

#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "bytes.h"
#include "tiff-blocks.h"
#include "tiff-file.h"
#include "tools/message.h"
#include "vips-library.h"

/* Pixels along the side of a tile. */
#define SIDE 256

/* What libtiff keeps of a tile, its place and its length, while it writes the directory, too. */
#define TILE_BYTES 32

/**
 * TiffBlocks:
 * @reason: errno of the first write that failed, or 0
 * @next: the row that comes next, counted over all slices
 * @rows: the rows of a row of tiles that are there so far
 * @tile: one tile
 */
struct _TiffBlocks
{
  TIFF    *tiff;
  int      descriptor;
  int      reason;
  WfType   type;
  gint64   width;
  gint64   height;
  gint64   depth;
  gint64   next;
  guint8  *rows;
  guint8  *tile;
};


/*  The file  */

static tmsize_t
read_bytes (thandle_t data,
            void     *bytes,
            tmsize_t  n)
{
  const TiffBlocks *blocks = (const TiffBlocks *) data;
  tmsize_t          done   = 0;

  while (done < n)
    {
      const gssize got = read (blocks->descriptor, (guint8 *) bytes + done, (gsize) (n - done));

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        break;
      done += got;
    }
  return done;
}

/* The reason of the first failure is kept: libtiff does not report it. */
static tmsize_t
write_bytes (thandle_t data,
             void     *bytes,
             tmsize_t  n)
{
  TiffBlocks *blocks = (TiffBlocks *) data;
  tmsize_t    done   = 0;

  while (done < n)
    {
      const gssize written = write (blocks->descriptor, (guint8 *) bytes + done,
                                    (gsize) (n - done));

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        {
          if (! blocks->reason)
            blocks->reason = written < 0 ? errno : ENOSPC;
          return -1;
        }
      done += written;
    }
  return done;
}

static toff_t
seek_bytes (thandle_t data,
            toff_t    offset,
            int       whence)
{
  return (toff_t) lseek (((const TiffBlocks *) data)->descriptor, (off_t) offset, whence);
}

/* Who opened the file closes it. */
static int
leave_open (thandle_t data)
{
  return 0;
}

static toff_t
get_length (thandle_t data)
{
  struct stat status;

  return fstat (((const TiffBlocks *) data)->descriptor, &status) == 0 ? (toff_t) status.st_size
                                                                      : 0;
}

static gboolean
fail (const TiffBlocks  *blocks,
      GError           **error)
{
  g_autofree char *said = vips_library_take_reason ();

  /* libtiff's own messages are what libvips collects */
  g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_FILE,
                       blocks->reason ? g_strerror (blocks->reason) : said);
  return FALSE;
}


/*  Pages  */

static void
set_compression (TiffBlocks *blocks)
{
  if (! TIFFIsCODECConfigured (COMPRESSION_ADOBE_DEFLATE))
    return;
  TIFFSetField (blocks->tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  TIFFSetField (blocks->tiff, TIFFTAG_ZIPQUALITY, 1);
  TIFFSetField (blocks->tiff, TIFFTAG_PREDICTOR,
                blocks->type == WF_TYPE_F32 || blocks->type == WF_TYPE_F64
                ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
}

/* Describes the page that begins. */
static void
begin_page (TiffBlocks *blocks,
            gint64      z)
{
  TIFF          *tiff    = blocks->tiff;
  const gboolean is_real = blocks->type == WF_TYPE_F32 || blocks->type == WF_TYPE_F64;

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32) blocks->width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, (guint32) blocks->height);
  TIFFSetField (tiff, TIFFTAG_TILEWIDTH, (guint32) SIDE);
  TIFFSetField (tiff, TIFFTAG_TILELENGTH, (guint32) SIDE);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, (int) (8 * wf_type_size (blocks->type)));
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, is_real ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  set_compression (blocks);
  if (blocks->depth > 1)
    {
      TIFFSetField (tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
      TIFFSetField (tiff, TIFFTAG_PAGENUMBER, (int) MIN (z, G_MAXUINT16),
                    (int) MIN (blocks->depth, G_MAXUINT16));
    }
}

/* Writes the row of tiles that begins at row @y of the page; what lies beyond the image is 0. */
static gboolean
write_tiles (TiffBlocks  *blocks,
             gint64       y,
             GError     **error)
{
  const gsize  size   = wf_type_size (blocks->type);
  const gint64 height = MIN (SIDE, blocks->height - y);

  for (gint64 x = 0; x < blocks->width; x += SIDE)
    {
      const gint64   width  = MIN (SIDE, blocks->width - x);
      const tmsize_t length = SIDE * SIDE * (tmsize_t) size;

      if (width < SIDE || height < SIDE)
        memset (blocks->tile, 0, (gsize) length);
      for (gint64 row = 0; row < height; row++)
        memcpy (blocks->tile + (gsize) row * SIDE * size,
                blocks->rows + (gsize) (row * blocks->width + x) * size, (gsize) width * size);
      if (TIFFWriteEncodedTile (blocks->tiff,
                                TIFFComputeTile (blocks->tiff, (guint32) x, (guint32) y, 0, 0),
                                blocks->tile, length) < 0 || blocks->reason)
        return fail (blocks, error);
    }
  return TRUE;
}

static gboolean
add_row (TiffBlocks     *blocks,
         gconstpointer   row,
         GError        **error)
{
  const gint64 y         = blocks->next % blocks->height;
  const gsize  row_bytes = (gsize) blocks->width * wf_type_size (blocks->type);
  const gint64 first     = y - y % SIDE;

  if (y == 0)
    begin_page (blocks, blocks->next / blocks->height);
  memcpy (blocks->rows + (gsize) (y - first) * row_bytes, row, row_bytes);
  blocks->next++;
  if (y - first < SIDE - 1 && y < blocks->height - 1)
    return TRUE;
  if (! write_tiles (blocks, first, error))
    return FALSE;
  return y < blocks->height - 1 || (TIFFWriteDirectory (blocks->tiff) && ! blocks->reason) ||
         fail (blocks, error);
}


/*  Blocks  */

/**
 * tiff_blocks_get_memory:
 * @type: of the pixels
 * @model: an image of the same size
 *
 * Returns: the bytes of memory that writing takes beside the blocks
 */
guint64
tiff_blocks_get_memory (WfType         type,
                        const WfImage *model)
{
  const guint64 row     = (guint64) model->width * wf_type_size (type);
  const guint64 n_tiles = (guint64) ((model->width + SIDE - 1) / SIDE) *
                          (guint64) ((model->height + SIDE - 1) / SIDE);

  return row * (guint64) MIN (SIDE, model->height) + n_tiles * TILE_BYTES
         + 3 * SIDE * SIDE * wf_type_size (type);
}

/**
 * tiff_blocks_new:
 * @descriptor: of an empty file, open for reading and writing; the caller closes it
 * @type: of the pixels
 * @model: an image of the same size
 * @error: %TOOL_ERROR_FILE, the reason alone; %WF_ERROR_MEMORY
 *
 * Returns: (nullable): what writes the file
 */
TiffBlocks *
tiff_blocks_new (int             descriptor,
                 WfType          type,
                 const WfImage  *model,
                 GError        **error)
{
  const gsize  size   = wf_type_size (type);
  TiffBlocks  *blocks = g_new0 (TiffBlocks, 1);

  blocks->descriptor = descriptor;
  blocks->type       = type;
  blocks->width      = model->width;
  blocks->height     = model->height;
  blocks->depth      = model->depth;
  blocks->rows       = g_try_malloc_n ((gsize) model->width * size,
                                       (gsize) MIN (SIDE, model->height));
  blocks->tile       = g_malloc (SIDE * SIDE * size);
  if (! blocks->rows)
    blocks->reason = ENOMEM;
  else
    blocks->tiff = TIFFClientOpen ("", "w8", (thandle_t) blocks, read_bytes, write_bytes,
                                   seek_bytes, leave_open, get_length, NULL, NULL);
  if (! blocks->tiff)
    {
      fail (blocks, error);
      g_clear_pointer (&blocks, tiff_blocks_free);
    }
  return blocks;
}

/**
 * tiff_blocks_write:
 * @blocks: an open file
 * @x: 0
 * @y: the block's first row
 * @z: the block's first slice
 * @block: whole rows, those that follow what was written before
 * @error: %TOOL_ERROR_FILE, the reason alone
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

  g_return_val_if_fail (x == 0 && block->width == blocks->width &&
                        (block->depth == 1 || block->height == blocks->height) &&
                        z * blocks->height + y == blocks->next, FALSE);

  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0; j < block->height; j++)
      if (! add_row (blocks, (const guint8 *) block->data
                             + (gsize) (k * block->slice_stride + j * block->row_stride) * size,
                     error))
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
  g_return_val_if_fail (blocks->next == blocks->height * blocks->depth, FALSE);

  TIFFClose (g_steal_pointer (&blocks->tiff));
  return ! blocks->reason || fail (blocks, error);
}

void
tiff_blocks_free (TiffBlocks *blocks)
{
  if (blocks->tiff)
    TIFFCleanup (blocks->tiff);
  g_free (blocks->rows);
  g_free (blocks->tile);
  g_free (blocks);
}
