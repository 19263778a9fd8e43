/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "pixel-size.h"
#include "tiff-size.h"
#include "tiff-storage.h"
#include "tools/message.h"
#include "vips-file.h"
#include "vips-library.h"


/* A classic TIFF has 32-bit offsets; what is left to 2^32 is for its tables. */
#define MAX_CLASSIC_TIFF G_GINT64_CONSTANT (4000000000)

/* Of tiles of an input: a row of larger ones takes much memory. */
#define MAX_TILE  1024
#define TILE_STEP 16

/* Pixels in a millimeter. */
#define MIN_DENSITY 1e-9
#define MAX_DENSITY 1e6


/**
 * vips_file_can_write:
 * @suffix: of file names, with its point
 *
 * Returns: whether this libvips writes such files.
 */
gboolean
vips_file_can_write (const char *suffix)
{
  g_autofree char *example = g_strconcat ("image", suffix, NULL);
  gboolean         can     = vips_library_start (NULL) && vips_foreign_find_save (example) != NULL;

  if (! can)
    vips_error_clear ();
  return can;
}

/**
 * vips_file_has_target:
 * @suffix: of file names, with its point
 *
 * Returns: whether libvips writes such files through a descriptor.
 */
gboolean
vips_file_has_target (const char *suffix)
{
  return ! g_str_has_prefix (suffix, ".v");
}

/**
 * vips_file_get_format:
 * @type: of a component
 *
 * Returns: the type of libvips
 */
VipsBandFormat
vips_file_get_format (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return VIPS_FORMAT_UCHAR;
    case WF_TYPE_U16:
      return VIPS_FORMAT_USHORT;
    case WF_TYPE_U32:
      return VIPS_FORMAT_UINT;
    case WF_TYPE_F32:
      return VIPS_FORMAT_FLOAT;
    case WF_TYPE_F64:
      return VIPS_FORMAT_DOUBLE;
    default:
      return VIPS_FORMAT_NOTSET;
    }
}

/* A view of the pixels that says what they are, so that no format converts them. */
static VipsImage *
wrap (const WfImage *image)
{
  gsize                  bytes = (gsize) wf_image_n_pixels (image) * wf_type_size (image->type);
  g_autoptr (Picture)  view  = NULL;
  VipsImage             *grey  = NULL;

  view = vips_image_new_from_memory (image->data, bytes, (int) image->width,
                                     (int) (image->height * image->depth), 1,
                                     vips_file_get_format (image->type));
  if (! view ||
      vips_copy (view, &grey, "interpretation",
                 image->type == WF_TYPE_U16 ? VIPS_INTERPRETATION_GREY16
                                            : VIPS_INTERPRETATION_B_W, NULL) != 0)
    return NULL;

  if (image->depth > 1)
    {
      vips_image_set_int (grey, VIPS_META_PAGE_HEIGHT, (int) image->height);
      vips_image_set_int (grey, VIPS_META_N_PAGES, (int) image->depth);
    }
  return grey;
}

static const char *
ome_type (VipsBandFormat format)
{
  return format == VIPS_FORMAT_UCHAR    ? "uint8"
         : format == VIPS_FORMAT_USHORT ? "uint16"
         : format == VIPS_FORMAT_UINT   ? "uint32"
         : format == VIPS_FORMAT_FLOAT  ? "float"
                                        : "double";
}

/* What an input said of the image and of the size of a pixel: a description, and in tags what
 * libvips has numbers for.
 */
static VipsImage *
describe (VipsImage *image)
{
  const PixelSize *size   = pixel_size_get ();
  const double     x      = pixel_size_get_density (size, 0);
  const double     y      = pixel_size_get_density (size, 1);
  const gboolean   tagged = MIN (x, y) >= MIN_DENSITY && MAX (x, y) <= MAX_DENSITY;
  const int        height = vips_image_get_page_height (image);
  VipsImage       *sized  = NULL;

  if (vips_copy (image, &sized, "xres", tagged ? x : image->Xres, "yres", tagged ? y : image->Yres,
                 NULL) != 0)
    return NULL;
  if (tiff_size_has_description ())
    {
      g_autofree char *text = tiff_size_describe (ome_type (image->BandFmt), image->Bands,
                                                  image->Xsize, height, image->Ysize / height);

      vips_image_set_string (sized, VIPS_META_IMAGEDESCRIPTION, text);
    }
  return sized;
}

/* Of libvips, in the order of TiffCompression. */
static const VipsForeignTiffCompression compressions[] =
{
  VIPS_FOREIGN_TIFF_COMPRESSION_NONE, VIPS_FOREIGN_TIFF_COMPRESSION_NONE,
  VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE, VIPS_FOREIGN_TIFF_COMPRESSION_LZW,
  VIPS_FOREIGN_TIFF_COMPRESSION_ZSTD
};

/* Of tiles as those of an input, which TIFF wants to be a multiple; 0 without tiles. */
static int
find_tile_side (guint32 side)
{
  return (int) MIN (side, MAX_TILE) / TILE_STEP * TILE_STEP;
}

static gboolean
save_tiff (VipsImage       *image,
           VipsTarget      *target,
           TiffCompression  compression)
{
  g_autoptr (Picture) sized  = describe (image);
  const gboolean      inches = g_strcmp0 (pixel_size_get ()->unit[0], "inch") == 0;
  const gboolean      real   = image->BandFmt == VIPS_FORMAT_FLOAT ||
                               image->BandFmt == VIPS_FORMAT_DOUBLE;
  const int           width  = find_tile_side (tiff_storage_get ()->tile_width);
  const int           height = find_tile_side (tiff_storage_get ()->tile_height);

  return sized &&
         vips_tiffsave_target (sized, target,
                               "bigtiff", VIPS_IMAGE_SIZEOF_IMAGE (image) > MAX_CLASSIC_TIFF,
                               "compression",
                               compressions[tiff_storage_choose (compression,
                                                                 TIFF_COMPRESSION_NONE)],
                               "tile", width > 0 && height > 0,
                               "tile_width", MAX (width, TILE_STEP),
                               "tile_height", MAX (height, TILE_STEP),
                               "predictor", real ? VIPS_FOREIGN_TIFF_PREDICTOR_FLOAT
                                                 : VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL,
                               "resunit", inches ? VIPS_FOREIGN_TIFF_RESUNIT_INCH
                                                 : VIPS_FOREIGN_TIFF_RESUNIT_CM,
                               NULL) == 0;
}

/* Writes through the descriptor: by its name another user of the folder could have replaced the
 * file meanwhile.  Libvips writes its own format to names only, and is_complete() looks at what
 * the descriptor has then.
 */
static gboolean
save (VipsImage       *image,
      int              descriptor,
      const char      *path,
      const char      *suffix,
      TiffCompression  compression)
{
  g_autoptr (VipsTarget) target = NULL;

  if (! vips_file_has_target (suffix))
    return vips_image_write_to_file (image, path, NULL) == 0;

  target = vips_target_new_to_descriptor (descriptor);

  if (! target)
    return FALSE;
  if (g_str_has_prefix (suffix, ".tif"))
    return save_tiff (image, target, compression);
  return vips_image_write_to_target (image, suffix, target, NULL) == 0;
}

/* Libvips reads its own format from names only; that in /proc is the descriptor. */
static VipsImage *
open_descriptor (int      descriptor,
                 gboolean has_target)
{
  g_autoptr (VipsSource)  source = NULL;
  g_autofree char        *path   = g_strdup_printf ("/proc/self/fd/%d", descriptor);

  if (! has_target)
    return vips_image_new_from_file (path, "access", VIPS_ACCESS_SEQUENTIAL, VIPS_STRICT, NULL);
  if (lseek (descriptor, 0, SEEK_SET) == 0)
    source = vips_source_new_from_descriptor (descriptor);
  return source ? vips_image_new_from_source (source, "", "access", VIPS_ACCESS_SEQUENTIAL,
                                              VIPS_STRICT, NULL)
                : NULL;
}

/* Not every encoder reports that its last write failed.  Libvips writes TIFF
 * files of 64 bits a pixel, but reads none.
 */
static gboolean
is_complete (int            descriptor,
             gboolean       has_target,
             const WfImage *image)
{
  g_autoptr (Picture) written = NULL;

  if (image->type == WF_TYPE_F64)
    return TRUE;

  written = open_descriptor (descriptor, has_target);
  /* A stack is opened as its first page, or as a whole. */
  return written && written->Xsize == image->width &&
         (written->Ysize == image->height * image->depth ||
          (written->Ysize == image->height && vips_library_count_pages (written) == image->depth));
}

/**
 * vips_file_save:
 * @view: (nullable): the image; if there is none, libvips has the reason
 * @image: a component of it
 * @descriptor: of an empty file, open for reading and writing
 * @path: (nullable): the name of the same file; not %NULL without vips_file_has_target()
 * @suffix: of the format, with its point
 * @compression: if it is TIFF
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success.
 */
gboolean
vips_file_save (VipsImage      *view,
                const WfImage  *image,
                int             descriptor,
                const char     *path,
                const char     *suffix,
                TiffCompression compression,
                GError        **error)
{
  g_autofree char *reason = NULL;
  g_autofree char *prefix = NULL;

  if (view && save (view, descriptor, path, suffix, compression) &&
      is_complete (descriptor, vips_file_has_target (suffix), image))
    return TRUE;

  /* The name of a temporary file means nothing to the user. */
  reason = vips_library_take_reason ();
  prefix = g_strconcat (path ? path : "", ": ", NULL);
  return refuse_because (g_str_has_prefix (reason, prefix) ? reason + strlen (prefix) : reason,
                         error);
}

/**
 * vips_file_write:
 * @descriptor: of an empty file, open for reading and writing
 * @path: (nullable): the name of the same file; not %NULL without vips_file_has_target()
 * @suffix: of the format, with its point
 * @compression: if it is TIFF
 * @image: packed pixels of a type that the format holds
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success.
 */
gboolean
vips_file_write (int             descriptor,
                 const char     *path,
                 const char     *suffix,
                 TiffCompression compression,
                 const WfImage  *image,
                 GError        **error)
{
  g_autoptr (Picture) view = NULL;

  if (! vips_library_start (error))
    return FALSE;

  view = wrap (image);
  return vips_file_save (view, image, descriptor, path, suffix, compression, error);
}
