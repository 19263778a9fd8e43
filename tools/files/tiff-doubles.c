/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pages of one band and one size become the slices of an image of f32.  Each page is decoded
 * strip by strip, or tile by tile, so that no more than one of them is in memory twice.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "doubles.h"
#include "ome-image.h"
#include "tiff-doubles.h"
#include "tiff-file.h"
#include "tiff-size.h"
#include "tools/memory.h"
#include "tools/message.h"


static gboolean
is_double_page (TIFF *tiff)
{
  guint16 bits   = 0;
  guint16 bands  = 0;
  guint16 format = 0;

  return TIFFGetFieldDefaulted (tiff, TIFFTAG_BITSPERSAMPLE, &bits) && bits == 64 &&
         TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLESPERPIXEL, &bands) && bands == 1 &&
         TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLEFORMAT, &format) &&
         format == SAMPLEFORMAT_IEEEFP;
}

/**
 * tiff_doubles_are_in:
 * @path: a file, whatever it is
 *
 * Returns: whether the first page of it has one band of 64-bit floating point.
 */
gboolean
tiff_doubles_are_in (const char *path)
{
  g_autoptr (TIFF) tiff = tiff_file_open (path);

  return tiff && is_double_page (tiff);
}

/* The size of a page, or of a strip or tile of it. */
typedef struct
{
  guint32 width;
  guint32 height;
} Size;

static Size
page_size (TIFF *tiff)
{
  Size size = { 0, 0 };

  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &size.width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &size.height);
  return size;
}

/* A strip is as wide as the page. */
static Size
part_size (TIFF *tiff,
           Size  page)
{
  Size part = page;

  if (TIFFIsTiled (tiff))
    {
      TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &part.width);
      TIFFGetField (tiff, TIFFTAG_TILELENGTH, &part.height);
    }
  else
    {
      TIFFGetFieldDefaulted (tiff, TIFFTAG_ROWSPERSTRIP, &part.height);
      part.height = MIN (part.height, page.height);
    }
  return part;
}

/* Converts what of a part at (@x, @y) lies within the page. */
static gboolean
copy_part (const double  *from,
           Size           part,
           Size           page,
           guint32        x,
           guint32        y,
           float         *to,
           gboolean      *rounded,
           GError       **error)
{
  const guint32 width  = MIN (part.width, page.width - x);
  const guint32 height = MIN (part.height, page.height - y);

  for (guint32 row = 0; row < height; row++)
    if (! doubles_to_floats (from + (gsize) row * part.width, width,
                             to + (gsize) (y + row) * page.width + x, rounded, error))
      return FALSE;
  return TRUE;
}

/* The bytes that a part needs; the last strip may be lower than the others. */
static gsize
part_bytes (TIFF    *tiff,
            Size     part,
            Size     page,
            guint32  y)
{
  const guint32 height = TIFFIsTiled (tiff) ? part.height : MIN (part.height, page.height - y);

  return (gsize) part.width * height * sizeof (double);
}

static gboolean
read_page (TIFF      *tiff,
           Size       page,
           float     *to,
           gboolean  *rounded,
           GError   **error)
{
  const gboolean       tiled  = TIFFIsTiled (tiff);
  const Size           part   = part_size (tiff, page);
  const tmsize_t       n      = tiled ? TIFFTileSize (tiff) : TIFFStripSize (tiff);
  g_autofree gpointer  memory = NULL;
  guint32              number = 0;

  if (part.width == 0 || part.height == 0 || n <= 0 ||
      (gsize) n < part_bytes (tiff, part, page, 0) || ! (memory = g_try_malloc (n)))
    return refuse_because (_("its pixels cannot be decoded"), error);

  for (guint32 y = 0; y < page.height; y += MIN (part.height, page.height - y))
    for (guint32 x = 0; x < page.width; x += MIN (part.width, page.width - x), number++)
      {
        const gsize    wanted = part_bytes (tiff, part, page, y);
        const tmsize_t got    = tiled ? TIFFReadEncodedTile (tiff, number, memory, n)
                                      : TIFFReadEncodedStrip (tiff, number, memory, n);

        if (got < 0 || (gsize) got < wanted)
          return refuse_because (_("its pixels cannot be decoded"), error);
        if (! copy_part (memory, part, page, x, y, to, rounded, error))
          return FALSE;
      }
  return TRUE;
}

/* Before anything is decoded: the headers say how much it will be. */
static gboolean
has_room (Size     page,
          gint64   n_pages,
          GError **error)
{
  guint64          bytes  = (guint64) page.width * page.height;
  g_autofree char *reason = NULL;

  if (! g_uint64_checked_mul (&bytes, bytes, (guint64) n_pages) ||
      ! g_uint64_checked_mul (&bytes, bytes, sizeof (float)))
    bytes = G_MAXUINT64;
  reason = memory_claim (bytes);
  return ! reason || refuse_because (reason, error);
}

static void
note_description (TIFF *tiff,
                  int   n_pages)
{
  const char     *description = "";
  float           x           = 0;
  float           y           = 0;
  guint16         unit        = RESUNIT_INCH;
  g_auto (Axes)   axes        = { 0 };
  TiffResolution  resolution  = { 1.0, 1.0, NULL };

  TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &description);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  if (TIFFGetField (tiff, TIFFTAG_XRESOLUTION, &x) && TIFFGetField (tiff, TIFFTAG_YRESOLUTION, &y))
    resolution = unit == RESUNIT_INCH         ? (TiffResolution) { x / 25.4, y / 25.4, "in" }
                 : unit == RESUNIT_CENTIMETER ? (TiffResolution) { x / 10, y / 10, "cm" }
                                              : (TiffResolution) { x, y, NULL };
  axes_find (&axes, description, n_pages, 0);
  tiff_size_note (&axes, &resolution, 1);
  ome_image_note (description, 0, 0);
}

/**
 * tiff_doubles_read:
 * @path: a file for which tiff_doubles_are_in()
 * @image: set to its pixels, f32; to be cleared
 * @rounded: set to whether any was rounded
 * @error: %TOOL_ERROR_FILE, the reason alone; %WF_ERROR_MEMORY, a sentence
 *
 * Returns: success; on failure @image is empty.
 */
gboolean
tiff_doubles_read (const char  *path,
                   WfImage     *image,
                   gboolean    *rounded,
                   GError     **error)
{
  g_autoptr (TIFF)  tiff    = tiff_file_open (path);
  const gint64      n_pages = tiff ? TIFFNumberOfDirectories (tiff) : 0;
  g_auto (WfImage)  result  = { 0 };
  Size              first;

  if (! tiff || ! TIFFSetDirectory (tiff, 0))
    return refuse_because (_("its pixels cannot be decoded"), error);
  note_description (tiff, (int) n_pages);
  tiff_file_note_storage (path);
  first = page_size (tiff);
  if (! has_room (first, n_pages, error) ||
      ! wf_image_allocate (&result, WF_TYPE_F32, first.width, first.height, n_pages, error))
    return FALSE;

  *rounded = FALSE;
  for (gint64 i = 0; i < n_pages; i++)
    {
      Size page;

      if (! TIFFSetDirectory (tiff, (tdir_t) i))
        return refuse_because (_("its pixels cannot be decoded"), error);
      page = page_size (tiff);
      if (! is_double_page (tiff) || page.width != first.width || page.height != first.height)
        return refuse_because (_("its pages differ in size or type"), error);
      if (! read_page (tiff, page, (float *) result.data + i * result.slice_stride, rounded, error))
        return FALSE;
    }
  *image = result;
  memset (&result, 0, sizeof result);
  return TRUE;
}
