/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Colors of image files.  Red, green and blue are read as they are stored; other kinds of color,
 * such as those of a printer, become sRGB first.  The color profile goes from the file that is read
 * to that which is written, so that the colors are shown in the same way.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>
#include <vips/vips.h>

#include "linear-profile.h"
#include "stream.h"
#include "tiff-doubles.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "vips-colors.h"
#include "vips-file.h"
#include "vips-library.h"
#include "vips-luminance.h"
#include "vips-pages.h"


static gboolean
fail (const char  *path,
      GError     **error)
{
  g_autofree char *reason = vips_library_take_reason ();

  return refuse_to_read (path, reason, error);
}

/* The colors without alpha, as red, green and blue; NULL with libvips' reason if they are of no
 * known kind.
 */
static VipsImage *
find_rgb (VipsImage *colors,
          gboolean  *converted)
{
  VipsImage *rgb = NULL;

  *converted = FALSE;
  if (vips_file_is_rgb (colors))
    return g_object_ref (colors);
  if (! vips_file_is_color (colors))
    {
      vips_error ("wavefront", _("its %d bands are neither gray nor a known kind of color"),
                  colors->Bands);
      return NULL;
    }
  *converted = TRUE;
  if (vips_colourspace (colors, &rgb, colors->BandFmt == VIPS_FORMAT_UCHAR
                                      ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_RGB16,
                        NULL) != 0)
    return NULL;
  return rgb;
}

/* With alpha, if there is any; the colors alone are @rgb. */
static VipsImage *
find_colors (VipsImage  *image,
             VipsImage **rgb,
             gboolean   *converted)
{
  g_autoptr (Picture)  opaque = NULL;
  g_autoptr (Picture)  alpha  = NULL;
  g_autoptr (Picture)  fit    = NULL;
  VipsImage           *joined = NULL;

  if (! vips_image_hasalpha (image))
    {
      *rgb = find_rgb (image, converted);
      return *rgb ? g_object_ref (*rgb) : NULL;
    }
  if (vips_extract_band (image, &opaque, 0, "n", image->Bands - 1, NULL) != 0 ||
      ! (*rgb = find_rgb (opaque, converted)) ||
      vips_extract_band (image, &alpha, image->Bands - 1, NULL) != 0 ||
      vips_cast (alpha, &fit, (*rgb)->BandFmt, NULL) != 0 ||
      vips_bandjoin2 (*rgb, fit, &joined, NULL) != 0)
    return NULL;
  return joined;
}

static gboolean
is_gray (VipsImage *image)
{
  return image->Bands - (vips_image_hasalpha (image) ? 1 : 0) == 1;
}

static gboolean
find_type (VipsBandFormat   format,
           WfType          *type,
           GError         **error)
{
  switch (format)
    {
    case VIPS_FORMAT_UCHAR:
      *type = WF_TYPE_U8;
      return TRUE;
    case VIPS_FORMAT_USHORT:
      *type = WF_TYPE_U16;
      return TRUE;
    case VIPS_FORMAT_FLOAT:
      *type = WF_TYPE_F32;
      return TRUE;
    default:
      return refuse_because (_("--colors takes components of 8 or 16 bits, or of 32-bit floating "
                               "point"), error);
    }
}

/* Colors that were converted are not those of the profile any more.  Where the format alone says
 * that they are linear light, a profile says so from here on.
 */
static void
find_profile (ColorImage *image,
              VipsImage  *file,
              gboolean    converted)
{
  const void *blob   = NULL;
  size_t      length = 0;

  if (! converted && vips_image_get_typeof (file, VIPS_META_ICC_NAME) != 0 &&
      vips_image_get_blob (file, VIPS_META_ICC_NAME, &blob, &length) == 0)
    image->profile = g_bytes_new (blob, length);
  else if (image->encoding == WF_ENCODING_LINEAR)
    image->profile = linear_profile_new ();
}

/* Decodes the whole file into memory. */
static gboolean
decode (ColorImage  *image,
        const char  *path,
        VipsImage   *colors,
        GError     **error)
{
  g_autoptr (Picture)  memory  = vips_image_new_memory ();
  const guint64        size    = VIPS_IMAGE_SIZEOF_IMAGE (colors);
  const int            height  = vips_image_get_page_height (colors);
  g_autoptr (GError)   problem = NULL;
  gboolean             divided;
  WfType               type    = WF_TYPE_U8;

  if (! find_type (colors->BandFmt, &type, &problem))
    return refuse_to_read (path, problem->message, error);
  if (! memory_claim_to_read (path, size, error))
    return FALSE;
  if (vips_image_write (colors, memory) != 0)
    return fail (path, error);
  divided = color_image_divide (image, path, VIPS_IMAGE_ADDR (memory, 0, 0),
                                (guint) memory->Bands, type, memory->Xsize, height,
                                memory->Ysize / height, error);
  memory_release (size);
  return divided;
}

/**
 * vips_colors_read:
 * @image: gets components, unless the file holds gray levels
 * @path: a file, perhaps followed by options of libvips in brackets
 * @choice: which of its planes are read
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Returns: success
 */
gboolean
vips_colors_read (ColorImage    *image,
                  const char    *path,
                  const Choice  *choice,
                  GError       **error)
{
  g_autoptr (GString) notes     = g_string_new (NULL);
  g_autoptr (Picture) file      = NULL;
  g_autoptr (Picture) decoded   = NULL;
  g_autoptr (Picture) rgb       = NULL;
  g_autoptr (Picture) colors    = NULL;
  gboolean            converted = FALSE;

  if (! vips_library_start (error) || ! vips_file_check (path, error))
    return FALSE;
  if (tiff_doubles_are_in (path))
    return refuse_to_read (path, _("--colors takes components of 8 or 16 bits, or of 32-bit "
                                   "floating point"), error);
  file = vips_pages_open (path, choice, VIPS_ACCESS_SEQUENTIAL, notes);
  if (! file || vips_image_decode (file, &decoded) != 0)
    return fail (path, error);
  if (is_gray (decoded))
    return TRUE;
  colors = find_colors (decoded, &rgb, &converted);
  if (! colors)
    return fail (path, error);
  image->encoding = vips_luminance_is_linear (rgb) ? WF_ENCODING_LINEAR : WF_ENCODING_SRGB;
  find_profile (image, file, converted);
  if (notes->len > 0)
    image->notice = g_strdup_printf (_("“%s”: %s."), image->name, notes->str);
  return decode (image, path, colors, error);
}

/* Floating point is linear light where it is called scRGB, as vips_luminance_is_linear() has it. */
static VipsInterpretation
find_interpretation (const ColorImage *image)
{
  if (image->components[0].type == WF_TYPE_U16)
    return VIPS_INTERPRETATION_RGB16;
  return image->components[0].type == WF_TYPE_F32 && image->encoding == WF_ENCODING_LINEAR
         ? VIPS_INTERPRETATION_scRGB : VIPS_INTERPRETATION_sRGB;
}

/* A view of the pixels that says what they are. */
static VipsImage *
wrap (const ColorImage *image,
      const WfImage    *joined)
{
  const WfImage       *red    = &image->components[0];
  const gsize          bytes  = (gsize) wf_image_n_pixels (joined) * wf_type_size (joined->type);
  g_autoptr (Picture)  view   = NULL;
  VipsImage           *colors = NULL;

  view = vips_image_new_from_memory (joined->data, bytes, (int) joined->height,
                                     (int) joined->depth, (int) joined->width,
                                     vips_file_get_format (joined->type));
  if (! view || vips_copy (view, &colors, "interpretation", find_interpretation (image), NULL) != 0)
    return NULL;
  if (red->depth > 1)
    {
      vips_image_set_int (colors, VIPS_META_PAGE_HEIGHT, (int) red->height);
      vips_image_set_int (colors, VIPS_META_N_PAGES, (int) red->depth);
    }
  if (image->profile)
    {
      gsize         length;
      gconstpointer data = g_bytes_get_data (image->profile, &length);

      vips_image_set_blob_copy (colors, VIPS_META_ICC_NAME, data, length);
    }
  return colors;
}

/**
 * vips_colors_write:
 * @image: an image of colors
 * @joined: its pixels: an array of rows, columns and components
 * @descriptor: of an empty file, open for reading and writing
 * @path: (nullable): as for vips_file_write()
 * @suffix: of the format, with its point
 * @compression: if it is TIFF
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success.
 */
gboolean
vips_colors_write (const ColorImage  *image,
                   const WfImage     *joined,
                   int                descriptor,
                   const char        *path,
                   const char        *suffix,
                   TiffCompression    compression,
                   GError           **error)
{
  g_autoptr (Picture) view = NULL;

  if (! vips_library_start (error))
    return FALSE;
  view = wrap (image, joined);
  return vips_file_save (view, &image->components[0], descriptor, path, suffix, compression,
                         error);
}
