/* SPDX-License-Identifier: GPL-3.0-or-later */

/* libtiff writes one directory at a time, and here the tiles of all levels come in turn.  So the
 * directories are written when all tiles are there: of each page its own in the chain, and those of
 * its overviews beside it, as OME-TIFF has them (SubIFDs), which GDAL, libvips and Bio-Formats
 * read.  A description in OME's XML makes Bio-Formats, and so QuPath, look for them.
 *
 * Tiles have 64 KiB: those of larger pixels are lower, not narrower, because a row of tiles is kept
 * until it is complete.
 *
 * Source: TIFF 6.0, the BigTIFF design of the libtiff project, and the specification of OME-TIFF.
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <tiff.h>

#include "bytes.h"
#include "pixel-size.h"
#include "tiff-codec.h"
#include "tiff-pyramid.h"
#include "tiff-size.h"
#include "tiff-storage.h"

#define TILE_BYTES ((gint64) 65536)

/* Where the header has the first directory; what a directory begins and ends with. */
#define FIRST_AT    8
#define COUNT_BYTES 8
#define NEXT_BYTES  8

/**
 * Writer:
 * @end: where the file ends so far
 * @link: where the offset of the next page belongs
 */
typedef struct
{
  const TiffPyramid *pyramid;
  int                descriptor;
  gint64             end;
  gint64             link;
} Writer;

/**
 * Directory:
 * @entries: as they are in the file
 * @n: how many
 */
typedef struct
{
  GByteArray *entries;
  guint64     n;
} Directory;


/*  Levels  */

/**
 * tiff_pyramid_init:
 * @pyramid: filled; to be cleared
 * @type: of the pixels
 * @model: an image of the same size
 * @overviews: whether there are any
 * @compression: of all tiles
 */
void
tiff_pyramid_init (TiffPyramid   *pyramid,
                   WfType         type,
                   const WfImage *model,
                   gboolean       overviews,
                   TiffCompression compression)
{
  *pyramid = (TiffPyramid) { .compression = tiff_storage_choose (compression,
                                                                TIFF_COMPRESSION_DEFLATE) };
  tile_pyramid_init (&pyramid->tiles, type, model, TIFF_TILE_WIDTH,
                     TILE_BYTES / TIFF_TILE_WIDTH / (gint64) wf_type_size (type), overviews);
}

/**
 * tiff_pyramid_allocate:
 * @pyramid: levels
 * @error: %WF_ERROR_MEMORY
 *
 * Makes room for offsets and lengths, 16 bytes a tile.
 *
 * Returns: success
 */
gboolean
tiff_pyramid_allocate (TiffPyramid  *pyramid,
                       GError      **error)
{
  for (guint k = 0; k < pyramid->tiles.n_levels; k++)
    {
      const guint64 n = tile_pyramid_level_tiles (&pyramid->tiles, k);

      pyramid->offsets[k] = g_try_new (guint64, n);
      pyramid->lengths[k] = g_try_new (guint64, n);
      if (! pyramid->offsets[k] || ! pyramid->lengths[k])
        {
          g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, g_strerror (ENOMEM));
          return FALSE;
        }
    }
  return TRUE;
}

void
tiff_pyramid_clear (TiffPyramid *pyramid)
{
  for (guint k = 0; k < pyramid->tiles.n_levels; k++)
    {
      g_free (pyramid->offsets[k]);
      g_free (pyramid->lengths[k]);
    }
  *pyramid = (TiffPyramid) { 0 };
}


/*  Directories  */

static gboolean
is_real (WfType type)
{
  return type == WF_TYPE_F32 || type == WF_TYPE_F64;
}

static void
add (GByteArray    *bytes,
     gconstpointer  value,
     gsize          size)
{
  g_byte_array_append (bytes, value, (guint) size);
}

/* @value: what the entry has room for, or where it is; entries come in the order of their tags */
static void
add_entry (Directory *directory,
           guint16    tag,
           guint16    type,
           guint64    count,
           guint64    value)
{
  add (directory->entries, &tag, sizeof tag);
  add (directory->entries, &type, sizeof type);
  add (directory->entries, &count, sizeof count);
  add (directory->entries, &value, sizeof value);
  directory->n++;
}

/* One or two numbers of 16 bits. */
static void
add_shorts (Directory *directory,
            guint16    tag,
            guint64    count,
            guint16    first,
            guint16    second)
{
  union { guint16 shorts[4]; guint64 value; } place = { { first, second } };

  add_entry (directory, tag, TIFF_SHORT, count, place.value);
}

static void
add_short (Directory *directory,
           guint16    tag,
           guint16    value)
{
  add_shorts (directory, tag, 1, value, 0);
}

static void
add_long (Directory *directory,
          guint16    tag,
          gint64     value)
{
  union { guint32 longs[2]; guint64 value; } place = { { (guint32) value } };

  add_entry (directory, tag, TIFF_LONG, 1, place.value);
}

/* Appends to the file what an entry has no room for. */
static gboolean
write_more (Writer         *writer,
            gconstpointer   bytes,
            gsize           n,
            guint64        *place,
            GError        **error)
{
  *place      = (guint64) (writer->end + 7) / 8 * 8;
  writer->end = (gint64) *place + (gint64) n;
  return bytes_write_at (writer->descriptor, (gint64) *place, bytes, n, 1, error);
}

static gboolean
add_numbers (Writer         *writer,
             Directory      *directory,
             guint16         tag,
             guint16         type,
             const guint64  *numbers,
             guint64         n,
             GError        **error)
{
  guint64 value = numbers[0];

  if (n > 1 && ! write_more (writer, numbers, n * sizeof *numbers, &value, error))
    return FALSE;
  add_entry (directory, tag, type, n, value);
  return TRUE;
}

/* The type in the words of OME. */
static const char *
name_type (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return "uint8";
    case WF_TYPE_U16:
      return "uint16";
    case WF_TYPE_U32:
      return "uint32";
    case WF_TYPE_F32:
      return "float";
    default:
      return "double";
    }
}

static gboolean
add_description (Writer     *writer,
                 Directory  *directory,
                 GError    **error)
{
  const TilePyramid *pyramid = &writer->pyramid->tiles;
  g_autofree char   *text    = tiff_size_describe (name_type (pyramid->type), 1,
                                                   pyramid->levels[0].width,
                                                   pyramid->levels[0].height, pyramid->depth);
  guint64            place;

  if (! write_more (writer, text, strlen (text) + 1, &place, error))
    return FALSE;
  add_entry (directory, TIFFTAG_IMAGEDESCRIPTION, TIFF_ASCII, strlen (text) + 1, place);
  return TRUE;
}

/* A fraction as exact as 32 bits allow: of the powers of ten that divide, the largest. */
static void
add_rational (Directory *directory,
              guint16    tag,
              double     value)
{
  guint32                                     divisor = 1000000000;
  union { guint32 parts[2]; guint64 value; }  place;

  while (divisor > 1 && value * divisor > G_MAXUINT32)
    divisor /= 10;
  place.parts[0] = (guint32) (value * divisor + 0.5);
  place.parts[1] = divisor;
  add_entry (directory, tag, TIFF_RATIONAL, 1, place.value);
}

/* Pixels in an inch or in a centimeter; 0 if it is not known, or no fraction of 32 bits. */
static double
find_resolution (guint axis)
{
  const PixelSize *size  = pixel_size_get ();
  const gboolean   inch  = g_strcmp0 (size->unit[0], "inch") == 0;
  const double     value = pixel_size_get_density (size, axis) * (inch ? 25.4 : 10.0);

  return value > 1e-9 && value < G_MAXUINT32 ? value : 0.0;
}

static gboolean
has_resolution (void)
{
  return find_resolution (0) > 0.0 && find_resolution (1) > 0.0;
}

/* Of the image and, in OME-TIFF, of its first page only. */
static gboolean
has_description (const TilePyramid *pyramid,
                 gint64             z,
                 guint              k)
{
  if (k > 0 || z > 0)
    return FALSE;
  return (pyramid->n_levels > 1 && pyramid->depth == 1) || tiff_size_has_description ();
}

static void
add_page_number (const TilePyramid *pyramid,
                 Directory         *directory,
                 gint64             z)
{
  add_shorts (directory, TIFFTAG_PAGENUMBER, 2, (guint16) MIN (z, G_MAXUINT16),
              (guint16) MIN (pyramid->depth, G_MAXUINT16));
}

static gboolean
fill_directory (Writer         *writer,
                Directory      *directory,
                gint64          z,
                guint           k,
                const guint64  *overviews,
                GError        **error)
{
  const TilePyramid *pyramid = &writer->pyramid->tiles;
  const TileLevel   *level   = &pyramid->levels[k];
  const guint64      n       = (guint64) (level->across * level->down);
  const gsize        first   = (gsize) ((guint64) z * n);
  const guint        n_more  = k == 0 ? pyramid->n_levels - 1 : 0;

  add_long (directory, TIFFTAG_SUBFILETYPE, k > 0 ? FILETYPE_REDUCEDIMAGE
                                                  : pyramid->depth > 1 ? FILETYPE_PAGE : 0);
  add_long (directory, TIFFTAG_IMAGEWIDTH, level->width);
  add_long (directory, TIFFTAG_IMAGELENGTH, level->height);
  add_short (directory, TIFFTAG_BITSPERSAMPLE, (guint16) (8 * wf_type_size (pyramid->type)));
  add_short (directory, TIFFTAG_COMPRESSION,
             tiff_codec_get_tag (writer->pyramid->compression));
  add_short (directory, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  if (has_description (pyramid, z, k) && ! add_description (writer, directory, error))
    return FALSE;
  add_short (directory, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  add_short (directory, TIFFTAG_SAMPLESPERPIXEL, 1);
  if (has_resolution ())
    {
      add_rational (directory, TIFFTAG_XRESOLUTION, ldexp (find_resolution (0), -(int) k));
      add_rational (directory, TIFFTAG_YRESOLUTION, ldexp (find_resolution (1), -(int) k));
    }
  add_short (directory, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  if (has_resolution ())
    add_short (directory, TIFFTAG_RESOLUTIONUNIT,
               g_strcmp0 (pixel_size_get ()->unit[0], "inch") == 0 ? RESUNIT_INCH
                                                                   : RESUNIT_CENTIMETER);
  if (k == 0 && pyramid->depth > 1)
    add_page_number (pyramid, directory, z);
  if (writer->pyramid->compression != TIFF_COMPRESSION_NONE)
    add_short (directory, TIFFTAG_PREDICTOR, is_real (pyramid->type) ? 3 : 2);
  add_long (directory, TIFFTAG_TILEWIDTH, TIFF_TILE_WIDTH);
  add_long (directory, TIFFTAG_TILELENGTH, pyramid->tile_height);
  if (! add_numbers (writer, directory, TIFFTAG_TILEOFFSETS, TIFF_LONG8,
                     writer->pyramid->offsets[k] + first, n, error) ||
      ! add_numbers (writer, directory, TIFFTAG_TILEBYTECOUNTS, TIFF_LONG8,
                     writer->pyramid->lengths[k] + first, n, error) ||
      (n_more > 0 && ! add_numbers (writer, directory, TIFFTAG_SUBIFD, TIFF_IFD8, overviews,
                                    n_more, error)))
    return FALSE;
  add_short (directory, TIFFTAG_SAMPLEFORMAT, is_real (pyramid->type) ? SAMPLEFORMAT_IEEEFP
                                                                      : SAMPLEFORMAT_UINT);
  return TRUE;
}

/* @overviews: the places of the directories of the overviews, for level 0; @place: set to that of
 * this one
 */
static gboolean
write_directory (Writer         *writer,
                 gint64          z,
                 guint           k,
                 const guint64  *overviews,
                 guint64        *place,
                 GError        **error)
{
  const guint64           next      = 0;
  g_autoptr (GByteArray)  entries   = g_byte_array_new ();
  Directory               directory = { .entries = entries };

  add (entries, &directory.n, COUNT_BYTES);
  if (! fill_directory (writer, &directory, z, k, overviews, error))
    return FALSE;
  memcpy (entries->data, &directory.n, COUNT_BYTES);
  add (entries, &next, NEXT_BYTES);
  return write_more (writer, entries->data, entries->len, place, error);
}

static gboolean
write_page (Writer  *writer,
            gint64   z,
            GError **error)
{
  guint64 places[TILE_MAX_LEVELS];

  for (guint k = writer->pyramid->tiles.n_levels; k-- > 0;)
    if (! write_directory (writer, z, k, places + 1, &places[k], error))
      return FALSE;
  if (! bytes_write_at (writer->descriptor, writer->link, &places[0], sizeof places[0], 1, error))
    return FALSE;
  /* the directory of the page is the last that was written */
  writer->link = writer->end - NEXT_BYTES;
  return TRUE;
}

/**
 * tiff_pyramid_write:
 * @pyramid: levels whose tiles are all in the file
 * @descriptor: of the file
 * @end: where it ends so far; the first %TIFF_HEADER_BYTES of it are written here
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether the file is complete
 */
gboolean
tiff_pyramid_write (const TiffPyramid  *pyramid,
                    int                 descriptor,
                    gint64              end,
                    GError            **error)
{
  /* its byte order; 43 for BigTIFF, the size of offsets, 0, and no page so far */
  const guint16 header[TIFF_HEADER_BYTES / 2] = {
    G_BYTE_ORDER == G_LITTLE_ENDIAN ? TIFF_LITTLEENDIAN : TIFF_BIGENDIAN, TIFF_VERSION_BIG, 8
  };
  Writer writer = { pyramid, descriptor, end, FIRST_AT };

  if (! bytes_write_at (descriptor, 0, header, sizeof header, 1, error))
    return FALSE;
  for (gint64 z = 0; z < pyramid->tiles.depth; z++)
    if (! write_page (&writer, z, error))
      return FALSE;
  return TRUE;
}
