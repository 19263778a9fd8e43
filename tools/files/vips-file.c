/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files are decoded completely before anything is computed, and strictly: a
 * truncated file is an error, where libvips by default fills in what is missing.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <vips/vips.h>

#include "doubles.h"
#include "stream.h"
#include "tiff-doubles.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "vips-file.h"
#include "vips-levels.h"
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

/**
 * vips_file_check:
 * @path: a file, perhaps followed by options of libvips in brackets
 * @error: %TOOL_ERROR_FILE; the system's reason is a better one than "not a known file format"
 *
 * Returns: whether it is a file that libvips reads.
 */
gboolean
vips_file_check (const char  *path,
                 GError     **error)
{
  g_autofree char *file       = vips_filename_get_filename (path);
  int              descriptor = open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int              reason     = errno;

  if (descriptor < 0)
    return refuse_to_read (path, g_strerror (reason), error);
  close (descriptor);

  if (g_file_test (file, G_FILE_TEST_IS_DIR))
    return refuse_to_read (path, g_strerror (EISDIR), error);
  if (! g_file_test (file, G_FILE_TEST_IS_REGULAR))
    return refuse_to_read (path, _("it is not a regular file"), error);
  if (! vips_foreign_find_load (path))
    {
      vips_error_clear ();
      return refuse_to_read (path, _("it is not an image in one of the formats that are read: "
                                     "TIFF, PNG, JPEG, WebP, GIF, HEIF, PNM, PFM and VIPS"),
                             error);
    }
  return TRUE;
}

/**
 * vips_file_is_rgb:
 * @image: an image without alpha
 *
 * Returns: whether it is of red, green and blue
 */
gboolean
vips_file_is_rgb (const VipsImage *image)
{
  switch (image->Type)
    {
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_scRGB:
      return image->Bands == 3;
    default:
      return FALSE;
    }
}

/**
 * vips_file_is_color:
 * @image: an image without alpha
 *
 * Several bands that are called gray are channels, as of a microscope; there is no rule to
 * combine them.
 *
 * Returns: whether it is of a kind of color that can be converted
 */
gboolean
vips_file_is_color (VipsImage *image)
{
  switch (image->Type)
    {
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_GREY16:
    case VIPS_INTERPRETATION_MULTIBAND:
      return FALSE;
    default:
      return vips_colourspace_issupported (image);
    }
}

/* The luminance of @colour, or the levels of a stain: 8 and 16 bits keep their type. */
static VipsImage *
make_grey (VipsImage     *colour,
           const WfStain *stain)
{
  const VipsInterpretation  space = colour->BandFmt == VIPS_FORMAT_UCHAR
                                    ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_RGB16;
  g_autoptr (Picture)       rgb   = NULL;

  /* Complex numbers are refused later. */
  if (vips_band_format_iscomplex (colour->BandFmt))
    return vips_extract_band (colour, &rgb, 0, NULL) == 0 ? g_steal_pointer (&rgb) : NULL;
  if (vips_file_is_rgb (colour))
    return vips_luminance (colour, stain);
  if (vips_file_is_color (colour) && vips_colourspace (colour, &rgb, space, NULL) != 0)
    return NULL;
  if (rgb && rgb->Bands == 3)
    return vips_luminance (rgb, stain);

  vips_error ("wavefront", _("its %d bands are neither gray nor a known kind of color"),
              colour->Bands);
  return NULL;
}

/* One band: grey levels as they are, without alpha; colour as its luminance or by its stain. */
static VipsImage *
make_one_band (VipsImage     *image,
               gboolean       labels,
               const WfStain *stain)
{
  g_autoptr (Picture) decoded = NULL;
  g_autoptr (Picture) opaque  = NULL;

  if (vips_image_decode (image, &decoded) != 0)
    return NULL;

  if (! vips_image_hasalpha (decoded))
    opaque = g_object_ref (decoded);
  else if (vips_extract_band (decoded, &opaque, 0, "n", decoded->Bands - 1, NULL) != 0)
    return NULL;

  if (opaque->Bands == 1 && ! stain)
    return g_steal_pointer (&opaque);
  if (opaque->Bands == 1)
    {
      vips_error ("wavefront", "%s",
                  _("it has no colors that a stain could be found in (--stain)"));
      return NULL;
    }
  if (! labels)
    return make_grey (opaque, stain);

  vips_error ("wavefront", _("labels are numbers in one band, but it has %d"), opaque->Bands);
  return NULL;
}

/* Before anything is decoded: the header says how much it will be. */
static gboolean
has_room (VipsImage *image)
{
  g_autofree char *reason = memory_claim (VIPS_IMAGE_SIZEOF_IMAGE (image));

  if (reason)
    vips_error ("wavefront", "%s", reason);
  return ! reason;
}

/**
 * vips_file_open:
 * @path: a file, perhaps followed by options of libvips in brackets
 * @labels: whether it holds labels, not gray levels
 * @choice: which of its planes are read
 * @access: how its pixels will be read
 * @page_height: set to the rows of a slice
 * @notice: (optional): set to what is left out, or %NULL
 *
 * Opens the chosen planes as one band: color becomes luminance, alpha is dropped.
 *
 * Returns: (transfer full) (nullable): the image, not decoded yet; if not, libvips has the reason
 */
VipsImage *
vips_file_open (const char    *path,
                gboolean       labels,
                const Choice  *choice,
                VipsAccess     access,
                int           *page_height,
                char         **notice)
{
  g_autoptr (GString) notes = g_string_new (NULL);
  g_autoptr (Picture) image = vips_pages_open (path, choice, access, notes);
  g_autoptr (Picture) band  = NULL;

  if (! image)
    return NULL;
  *page_height = vips_image_get_page_height (image);

  band = make_one_band (image, labels, choice->stain);
  if (band && notice && notes->len > 0)
    {
      g_autofree char *name = stream_show_name (path);

      *notice = g_strdup_printf (_("“%s”: %s."), name, notes->str);
    }
  return g_steal_pointer (&band);
}

/* Decodes the whole file into memory, without the gaps of a pipeline. */
static VipsImage *
decode (const char    *path,
        gboolean       labels,
        const Choice  *choice,
        int           *page_height,
        char         **notice)
{
  g_autofree char     *left_out = NULL;
  g_autoptr (Picture)  band     = vips_file_open (path, labels, choice, VIPS_ACCESS_SEQUENTIAL,
                                                  page_height, &left_out);
  g_autoptr (Picture)  memory   = NULL;

  if (! band || ! has_room (band))
    return NULL;

  memory = vips_image_new_memory ();
  if (vips_image_write (band, memory) != 0)
    return NULL;
  *notice = g_steal_pointer (&left_out);
  return g_steal_pointer (&memory);
}

/**
 * vips_file_get_type:
 * @image: an image of one band
 * @labels: whether it holds labels, not gray levels
 * @is_same: set to whether its pixels have that type as they are
 *
 * Returns: the type that the engine works on: u32 for labels, else u8, u16 or f32.
 */
WfType
vips_file_get_type (VipsImage *image,
                    gboolean   labels,
                    gboolean  *is_same)
{
  WfType type = 0;

  switch (image->BandFmt)
    {
    case VIPS_FORMAT_UCHAR:
      type = WF_TYPE_U8;
      break;
    case VIPS_FORMAT_USHORT:
      type = WF_TYPE_U16;
      break;
    case VIPS_FORMAT_UINT:
      type = WF_TYPE_U32;
      break;
    case VIPS_FORMAT_FLOAT:
      type = WF_TYPE_F32;
      break;
    default:
      break;
    }
  *is_same = labels ? type == WF_TYPE_U32
                    : type == WF_TYPE_U8 || type == WF_TYPE_U16 || type == WF_TYPE_F32;
  return *is_same ? type : labels ? WF_TYPE_U32 : WF_TYPE_F32;
}

/* What libvips does not read itself. */
static gboolean
read_doubles (const char    *path,
              const Choice  *choice,
              WfImage       *image,
              char         **notice,
              GError       **error)
{
  g_autoptr (GError) problem = NULL;
  gboolean           rounded = FALSE;

  if (choice->stain)
    return refuse_to_read (path, _("--stain finds no stains in TIFF files of 64-bit floating "
                                   "point"), error);
  if (choice->channel > 0 || choice->series > 0 || choice->level > 0 || choice->slice >= 0)
    return refuse_to_read (path, _("--channel, --series, --level and --slice do not choose in "
                                   "TIFF files of 64-bit floating point"), error);
  if (tiff_doubles_read (path, image, &rounded, &problem))
    {
      *notice = rounded ? doubles_make_notice (path) : NULL;
      return TRUE;
    }
  vips_error_clear ();
  if (problem->domain != TOOL_ERROR)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  return refuse_to_read (path, problem->message, error);
}

/* Pixels that were decoded become those of @type. */
static gboolean
convert (VipsImage   *memory,
         const char  *path,
         int          height,
         WfType       type,
         WfImage     *image,
         char       **notice,
         GError     **error)
{
  gconstpointer       pixels  = VIPS_IMAGE_ADDR (memory, 0, 0);
  const gsize         n       = VIPS_IMAGE_N_PELS (memory);
  g_autoptr (GError)  problem = NULL;
  g_autofree char    *rounded = NULL;

  if (! memory_claim_to_read (path, n * wf_type_size (type), error) ||
      ! wf_image_allocate (image, type, memory->Xsize, height, memory->Ysize / height, error))
    return FALSE;
  memory_release (VIPS_IMAGE_SIZEOF_IMAGE (memory));
  if (type == WF_TYPE_U32
      ? ! vips_levels_to_labels (pixels, memory->BandFmt, n, image->data, &problem)
      : ! vips_levels_to_float (pixels, memory->BandFmt, n, image->data, path, &rounded, &problem))
    return refuse_to_read (path, problem->message, error);

  if (rounded)
    {
      g_autofree char *before = *notice;

      *notice = before ? g_strdup_printf ("%s %s", before, rounded) : g_steal_pointer (&rounded);
    }
  return TRUE;
}

/**
 * vips_file_read:
 * @path: a file, perhaps followed by options of libvips in brackets
 * @labels: whether it holds labels, not gray levels
 * @choice: which of its planes are read
 * @image: set to its pixels: u32 for labels, else u8, u16 or f32; not to be
 *   written to; to be cleared
 * @owner: set to what holds the pixels, or %NULL
 * @release: set to what frees @owner
 * @notice: set to what reading changed, or %NULL
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Color becomes luminance, alpha is dropped, the pages of a TIFF file become
 * slices unless its description says what they are (vips-pages.c).  Pixels of another
 * type become f32, or labels u32, if that keeps their values; 64-bit floating point
 * alone may be rounded, which gives a notice.
 *
 * Returns: success.
 */
gboolean
vips_file_read (const char      *path,
                gboolean         labels,
                const Choice    *choice,
                WfImage         *image,
                gpointer        *owner,
                GDestroyNotify  *release,
                char           **notice,
                GError         **error)
{
  g_autoptr (Picture) memory = NULL;
  int                 height = 0;
  gboolean            is_same;
  WfType              type;

  if (! vips_library_start (error) || ! vips_file_check (path, error))
    return FALSE;
  if (! labels && tiff_doubles_are_in (path))
    return read_doubles (path, choice, image, notice, error);
  memory = decode (path, labels, choice, &height, notice);
  if (! memory)
    return fail (path, error);

  type = vips_file_get_type (memory, labels, &is_same);
  if (! is_same)
    return convert (memory, path, height, type, image, notice, error);
  if (! wf_image_init (image, type, memory->Xsize, height, memory->Ysize / height,
                       VIPS_IMAGE_ADDR (memory, 0, 0), error))
    return FALSE;
  *owner   = g_steal_pointer (&memory);
  *release = g_object_unref;
  return TRUE;
}
