/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every thread has the file open for itself and decodes tiles of its own: libtiff has no state
 * beyond an open file, and libvips decodes one tile of a file at a time.
 *
 * Where a block ends within a row of tiles, that row is kept: the next block begins in it.
 *
 * Pixels must be what the engine takes, as they are; compression must keep them.  For all else
 * there is libvips.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_OPENMP
#include <omp.h>
#endif

#include "bytes.h"
#include "tiff-file.h"
#include "tiff-tiles.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "vips-library.h"

/* The file is not mapped: the pages of a mapping count as memory of the process. */
#define MODE "rmO"

/* What libtiff keeps of a tile: its place and its length; and of an open file. */
#define TABLE_BYTES 16
#define FILE_BYTES  ((guint64) 64 << 10)

/**
 * TiffTiles:
 * @files: for each thread the open file
 * @scratch: for each thread a tile
 * @kept: the pixels of a row of tiles, row by row
 * @kept_row: which row of tiles that is, or −1
 */
struct _TiffTiles
{
  guint     n_threads;
  TIFF    **files;
  guint8  **scratch;
  WfType    type;
  gint64    width;
  gint64    height;
  gint64    tile_width;
  gint64    tile_height;
  gint64    across;
  gint64    down;
  guint8   *kept;
  gint64    kept_row;
};

/**
 * Area:
 *
 * Pixels of the image.
 */
typedef struct
{
  gint64 x;
  gint64 y;
  gint64 width;
  gint64 height;
} Area;


/*  The file  */

static gboolean
is_lossless (guint16 compression)
{
  switch (compression)
    {
    case COMPRESSION_NONE:
    case COMPRESSION_LZW:
    case COMPRESSION_PACKBITS:
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_LZMA:
    case COMPRESSION_ZSTD:
      return TIFFIsCODECConfigured (compression);
    default:
      return FALSE;
    }
}

/* Whether the first page of @tiff has the pixels that are wanted, as they are. */
static gboolean
has_pixels (TIFF                *tiff,
            const WfBlockSource *source)
{
  guint32 width         = 0;
  guint32 height        = 0;
  guint16 bits          = 0;
  guint16 bands         = 0;
  guint16 format        = 0;
  guint16 compression   = 0;
  guint16 photometric   = PHOTOMETRIC_PALETTE;
  const guint16 wanted  = source->type == WF_TYPE_F32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT;

  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetField (tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLESPERPIXEL, &bands);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_COMPRESSION, &compression);
  return TIFFIsTiled (tiff) && width == source->width && height == source->height &&
         source->depth == 1 && bits == 8 * wf_type_size (source->type) && bands == 1 &&
         format == wanted && photometric == PHOTOMETRIC_MINISBLACK && is_lossless (compression);
}

static gboolean
find_layout (TiffTiles *tiles)
{
  TIFF          *tiff = tiles->files[0];
  guint32        wide = 0;
  guint32        tall = 0;
  guint64        bytes;
  const guint64  size = wf_type_size (tiles->type);

  TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &wide);
  TIFFGetField (tiff, TIFFTAG_TILELENGTH, &tall);
  if (wide == 0 || tall == 0 || ! g_uint64_checked_mul (&bytes, (guint64) wide * size, tall) ||
      TIFFTileSize (tiff) != (tmsize_t) bytes)
    return FALSE;
  tiles->tile_width  = wide;
  tiles->tile_height = tall;
  tiles->across      = (tiles->width + wide - 1) / wide;
  tiles->down        = (tiles->height + tall - 1) / tall;
  tiles->kept_row    = -1;
  return TRUE;
}

/* Where tiles are large and memory is not, fewer threads. */
static void
limit_threads (TiffTiles *tiles)
{
  const guint64 left = memory_left ();

  while (tiles->n_threads > 1 && left > 0 && tiff_tiles_get_memory (tiles) > left / 4)
    g_clear_pointer (&tiles->files[--tiles->n_threads], TIFFClose);
}

/**
 * tiff_tiles_open:
 * @path: of a TIFF file
 * @source: type and size of what is read: the first page as it is
 * @n_threads: that decode, if there is memory for them
 *
 * Nothing large is allocated yet.
 *
 * Returns: (nullable): the file, if it can be read so
 */
TiffTiles *
tiff_tiles_open (const char          *path,
                 const WfBlockSource *source,
                 guint                n_threads)
{
  TiffTiles *tiles  = g_new0 (TiffTiles, 1);
  gboolean   opened = TRUE;

  tiles->n_threads = n_threads;
  tiles->files     = g_new0 (TIFF *, n_threads);
  tiles->scratch   = g_new0 (guint8 *, n_threads);
  tiles->type      = source->type;
  tiles->width     = source->width;
  tiles->height    = source->height;
  for (guint i = 0; i < n_threads && opened; i++)
    {
      tiles->files[i] = TIFFOpen (path, MODE);
      opened          = tiles->files[i] != NULL && has_pixels (tiles->files[i], source);
    }
  if (! opened || ! find_layout (tiles))
    g_clear_pointer (&tiles, tiff_tiles_free);
  else
    limit_threads (tiles);
  return tiles;
}

static gsize
count_tile_bytes (const TiffTiles *tiles)
{
  return (gsize) (tiles->tile_width * tiles->tile_height) * wf_type_size (tiles->type);
}

static gsize
count_row_bytes (const TiffTiles *tiles)
{
  return (gsize) tiles->width * wf_type_size (tiles->type);
}

/**
 * tiff_tiles_get_memory:
 * @tiles: an open file
 *
 * Returns: the bytes that reading takes beside the blocks
 */
guint64
tiff_tiles_get_memory (const TiffTiles *tiles)
{
  const guint64 tables = (guint64) (tiles->across * tiles->down) * TABLE_BYTES;

  /* a tile as it is stored and one that is decoded */
  return tiles->n_threads * (2 * count_tile_bytes (tiles) + tables + FILE_BYTES)
         + count_row_bytes (tiles) * (guint64) MIN (tiles->tile_height, tiles->height);
}

void
tiff_tiles_free (TiffTiles *tiles)
{
  for (guint i = 0; i < tiles->n_threads; i++)
    {
      g_clear_pointer (&tiles->files[i], TIFFClose);
      g_free (tiles->scratch[i]);
    }
  g_free (tiles->files);
  g_free (tiles->scratch);
  g_free (tiles->kept);
  g_free (tiles);
}


/*  Pixels  */

static gboolean
allocate (TiffTiles  *tiles,
          GError    **error)
{
  if (tiles->kept)
    return TRUE;
  tiles->kept = g_try_malloc_n ((gsize) MIN (tiles->tile_height, tiles->height),
                                count_row_bytes (tiles));
  for (guint i = 0; i < tiles->n_threads && tiles->kept; i++)
    if (! (tiles->scratch[i] = g_try_malloc (count_tile_bytes (tiles))))
      g_clear_pointer (&tiles->kept, g_free);
  return tiles->kept || refuse_because (g_strerror (ENOMEM), error);
}

static Area
find_common (const Area *one,
             const Area *other)
{
  const gint64 x = MAX (one->x, other->x);
  const gint64 y = MAX (one->y, other->y);

  return (Area) { x, y, MIN (one->x + one->width, other->x + other->width) - x,
                  MIN (one->y + one->height, other->y + other->height) - y };
}

/* Copies what two pictures have in common; @strides: pixels from row to row */
static void
copy (const TiffTiles *tiles,
      const Area      *from,
      const guint8    *pixels,
      gint64           stride,
      const Area      *to,
      guint8          *out,
      gint64           out_stride)
{
  const gsize size = wf_type_size (tiles->type);
  const Area  part = find_common (from, to);

  for (gint64 y = part.y; y < part.y + part.height; y++)
    memcpy (out + (gsize) ((y - to->y) * out_stride + part.x - to->x) * size,
            pixels + (gsize) ((y - from->y) * stride + part.x - from->x) * size,
            (gsize) part.width * size);
}

/* The pixels of a row of tiles. */
static Area
row_area (const TiffTiles *tiles,
          gint64           row)
{
  const gint64 y = row * tiles->tile_height;

  return (Area) { 0, y, tiles->width, MIN (tiles->tile_height, tiles->height - y) };
}

/* Decodes a tile into @block, and into what is kept if it is of that row. */
static gboolean
decode (const TiffTiles *tiles,
        guint            thread,
        gint64           row,
        gint64           column,
        const Area      *area,
        const WfImage   *block)
{
  const Area  kept   = row_area (tiles, row);
  const Area  tile   = { column * tiles->tile_width, kept.y,
                         MIN (tiles->tile_width, tiles->width - column * tiles->tile_width),
                         kept.height };
  guint8     *pixels = tiles->scratch[thread];
  const gsize bytes  = count_tile_bytes (tiles);

  if (TIFFReadEncodedTile (tiles->files[thread], (guint32) (row * tiles->across + column), pixels,
                           (tmsize_t) bytes) != (tmsize_t) bytes)
    return FALSE;
  copy (tiles, &tile, pixels, tiles->tile_width, area, block->data, block->row_stride);
  if (row == tiles->kept_row)
    copy (tiles, &tile, pixels, tiles->tile_width, &kept, tiles->kept, tiles->width);
  return TRUE;
}

/* Decodes the tiles of the rows from @first to @end that @area touches. */
static gboolean
decode_rows (const TiffTiles *tiles,
             gint64           first,
             gint64           end,
             const Area      *area,
             const WfImage   *block)
{
  const gint64 column = area->x / tiles->tile_width;
  const gint64 across = (area->x + area->width - 1) / tiles->tile_width + 1 - column;
  gboolean     failed = FALSE;

#ifdef HAVE_OPENMP
  const int n_threads = (int) tiles->n_threads;

#pragma omp parallel for num_threads(n_threads) schedule(dynamic) reduction(|| : failed)
#endif
  for (gint64 i = 0; i < (end - first) * across; i++)
    {
#ifdef HAVE_OPENMP
      const guint thread = (guint) omp_get_thread_num ();
#else
      const guint thread = 0;
#endif

      failed = failed || ! decode (tiles, thread, first + i / across, column + i % across, area,
                                   block);
    }
  return ! failed;
}

/* Asks the disk for the @n rows of tiles from @first on, without waiting. */
static void
read_ahead (const TiffTiles *tiles,
            gint64           first,
            gint64           n)
{
  TIFF          *tiff  = tiles->files[0];
  const gint64   end   = MIN (first + n, tiles->down);
  guint32        last;
  guint64        start;
  guint64        stop;

  if (first >= end)
    return;
  last  = (guint32) (end * tiles->across - 1);
  start = TIFFGetStrileOffset (tiff, (guint32) (first * tiles->across));
  stop  = TIFFGetStrileOffset (tiff, last) + TIFFGetStrileByteCount (tiff, last);
  if (stop > start)
    bytes_read_ahead (TIFFFileno (tiff), start, stop - start);
}

/**
 * tiff_tiles_read:
 * @tiles: an open file
 * @x: the block's first pixel
 * @y: likewise
 * @block: to be filled: of one slice
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success
 */
gboolean
tiff_tiles_read (TiffTiles  *tiles,
                 gint64      x,
                 gint64      y,
                 WfImage    *block,
                 GError    **error)
{
  const Area area  = { x, y, block->width, block->height };
  gint64     first = y / tiles->tile_height;
  gint64     end   = (y + block->height - 1) / tiles->tile_height + 1;
  const Area last  = row_area (tiles, end - 1);

  if (! allocate (tiles, error))
    return FALSE;
  if (first == tiles->kept_row)
    {
      const Area kept = row_area (tiles, first++);

      copy (tiles, &kept, tiles->kept, tiles->width, &area, block->data, block->row_stride);
    }
  if (first < end && block->width == tiles->width && last.y + last.height > y + block->height)
    tiles->kept_row = end - 1;
  if (! decode_rows (tiles, first, end, &area, block))
    {
      g_autofree char *reason = vips_library_take_reason ();

      tiles->kept_row = -1;
      return refuse_because (reason, error);
    }
  read_ahead (tiles, end, end - first + 1);
  return TRUE;
}
