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

#include "tools/message.h"
#include "vips-file.h"
#include "vips-levels.h"


#if VIPS_MAJOR_VERSION > 8 || VIPS_MINOR_VERSION >= 12
#define STRICT "fail_on", VIPS_FAIL_ON_ERROR
#else
#define STRICT "fail", TRUE
#endif

/* A classic TIFF has 32-bit offsets; what is left to 2^32 is for its tables. */
#define MAX_CLASSIC_TIFF G_GINT64_CONSTANT (4000000000)

/* Only newer headers of libvips define this for VipsImage itself. */
typedef VipsImage Picture;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, g_object_unref)


static void
drop_log (const char     *domain,
          GLogLevelFlags  level,
          const char     *text,
          gpointer        unused)
{
}

/* Its warnings are dropped, since they concern metadata, and what is an error
 * comes back as one.  Nothing is read twice, hence no cache.
 */
static gboolean
start (GError **error)
{
  static gboolean started = FALSE;

  if (started)
    return TRUE;
  if (VIPS_INIT (g_get_prgname ()) != 0)
    {
      g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_FILE, _("libvips cannot be initialized."));
      return FALSE;
    }
  g_log_set_handler ("VIPS", G_LOG_LEVEL_MASK & ~(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR),
                     drop_log, NULL);
  vips_cache_set_max (0);
  started = TRUE;
  return TRUE;
}

/* What libvips says went wrong.  Its first line is the cause, what follows are the
 * consequences; the system's reason stands in a line of its own.
 */
static char *
take_reason (void)
{
  g_auto (GStrv)  lines = g_strsplit (vips_error_buffer (), "\n", -1);
  const char     *first = lines[0] ? lines[0] : "";
  const char     *own   = "wavefront: ";
  char           *reason;

  vips_error_clear ();
  if (g_str_has_prefix (first, own))
    first += strlen (own);
  if (first[0] == '\0')
    return g_strdup (_("libvips reports no reason"));

  if (lines[1] && (g_str_has_prefix (lines[1], "system error: ") ||
                   g_str_has_prefix (lines[1], "unix error: ")))
    reason = g_strdup_printf ("%s (%s)", first, strchr (lines[1], ':') + 2);
  else
    reason = g_strdup (first);
  g_strchomp (reason);
  if (g_str_has_suffix (reason, "."))
    reason[strlen (reason) - 1] = '\0';
  return reason;
}

static gboolean
fail (const char  *path,
      GError     **error)
{
  g_autofree char *reason = take_reason ();

  return refuse_to_read (path, reason, error);
}

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
  gboolean         can     = start (NULL) && vips_foreign_find_save (example) != NULL;

  if (! can)
    vips_error_clear ();
  return can;
}

/* The system's reason is a better one than "not a known file format". */
static gboolean
check_readable (const char  *path,
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
      return refuse_to_read (path, _("it is not an image in a format that this libvips reads"),
                           error);
    }
  return TRUE;
}

/* All pages of a TIFF file make a stack, unless the name says which to take, as
 * in image.tif[page=2].
 */
static gboolean
wants_all_pages (const char *path,
                 VipsImage  *image)
{
  g_autofree char *options = vips_filename_get_options (path);
  const char      *loader  = "";

  return options[0] == '\0' &&
         vips_image_get_n_pages (image) > 1 &&
         vips_image_get_typeof (image, VIPS_META_LOADER) != 0 &&
         vips_image_get_string (image, VIPS_META_LOADER, &loader) == 0 &&
         g_str_has_prefix (loader, "tiffload");
}

static VipsImage *
open_image (const char *path)
{
  g_autoptr (Picture) image = vips_image_new_from_file (path, "access", VIPS_ACCESS_SEQUENTIAL,
                                                          STRICT, NULL);

  if (image && wants_all_pages (path, image))
    {
      VipsImage *stack = vips_image_new_from_file (path, "access", VIPS_ACCESS_SEQUENTIAL,
                                                   "n", -1, STRICT, NULL);

      g_object_unref (image);
      image = stack;
    }
  return g_steal_pointer (&image);
}

static gboolean
is_rgb (const VipsImage *image)
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

/* Several bands that are called grey are channels, as of a microscope; there is no rule to
 * combine them.
 */
static gboolean
is_colour (VipsImage *image)
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

static VipsImage *
weigh (VipsImage *colour)
{
  g_autoptr (Picture)  weights = vips_image_new_matrixv (3, 1, 0.2126, 0.7152, 0.0722);
  VipsImage           *grey    = NULL;

  return vips_recomb (colour, &grey, weights, NULL) == 0 ? grey : NULL;
}

/* The luminance of @colour.  Libvips knows it for 8 and 16 bits and gives the
 * same type; otherwise it is weighted here, in floating point.
 */
static VipsImage *
make_grey (VipsImage *colour)
{
  gboolean             narrow = colour->BandFmt == VIPS_FORMAT_UCHAR;
  g_autoptr (Picture)  tagged = NULL;
  g_autoptr (Picture)  grey   = NULL;

  if (is_rgb (colour) && ! narrow && colour->BandFmt != VIPS_FORMAT_USHORT)
    return weigh (colour);

  if (is_rgb (colour))
    {
      if (vips_copy (colour, &tagged, "interpretation",
                     narrow ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_RGB16, NULL) != 0)
        return NULL;
    }
  else if (is_colour (colour))
    {
      tagged = g_object_ref (colour);
    }

  if (tagged &&
      vips_colourspace (tagged, &grey, narrow ? VIPS_INTERPRETATION_B_W
                                              : VIPS_INTERPRETATION_GREY16, NULL) != 0)
    return NULL;
  if (grey && grey->Bands == 1)
    return g_steal_pointer (&grey);

  vips_error ("wavefront", _("its %d bands are neither grey nor a known kind of colour"),
              colour->Bands);
  return NULL;
}

/* One band: grey levels as they are, without alpha; colour as its luminance. */
static VipsImage *
make_one_band (VipsImage *image,
               gboolean   labels)
{
  g_autoptr (Picture) decoded = NULL;
  g_autoptr (Picture) opaque  = NULL;

  if (vips_image_decode (image, &decoded) != 0)
    return NULL;

  if (! vips_image_hasalpha (decoded))
    opaque = g_object_ref (decoded);
  else if (vips_extract_band (decoded, &opaque, 0, "n", decoded->Bands - 1, NULL) != 0)
    return NULL;

  if (opaque->Bands == 1)
    return g_steal_pointer (&opaque);
  if (! labels)
    return make_grey (opaque);

  vips_error ("wavefront", _("labels are numbers in one band, but it has %d"), opaque->Bands);
  return NULL;
}

/* Decodes the whole file into memory, without the gaps of a pipeline. */
static VipsImage *
decode (const char *path,
        gboolean    labels,
        int        *page_height)
{
  g_autoptr (Picture) image  = open_image (path);
  g_autoptr (Picture) band   = NULL;
  g_autoptr (Picture) memory = NULL;

  if (! image)
    return NULL;
  *page_height = vips_image_get_page_height (image);

  band = make_one_band (image, labels);
  if (! band)
    return NULL;

  memory = vips_image_new_memory ();
  return vips_image_write (band, memory) == 0 ? g_steal_pointer (&memory) : NULL;
}

static WfType
same_type (VipsBandFormat format)
{
  switch (format)
    {
    case VIPS_FORMAT_UCHAR:
      return WF_TYPE_U8;
    case VIPS_FORMAT_USHORT:
      return WF_TYPE_U16;
    case VIPS_FORMAT_UINT:
      return WF_TYPE_U32;
    case VIPS_FORMAT_FLOAT:
      return WF_TYPE_F32;
    default:
      return 0;
    }
}

/**
 * vips_file_read:
 * @path: a file, perhaps followed by options of libvips in brackets
 * @labels: whether it holds labels, not grey levels
 * @image: set to its pixels: u32 for labels, else u8, u16 or f32; not to be
 *   written to; to be cleared
 * @owner: set to what holds the pixels, or %NULL
 * @release: set to what frees @owner
 * @notice: set to what reading changed, or %NULL
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Colour becomes luminance, alpha is dropped, the pages of a TIFF file become
 * slices.  Pixels of another type become f32, or labels u32, if that keeps their
 * values; 64-bit floating point alone may be rounded, which gives a notice.
 *
 * Returns: success.
 */
gboolean
vips_file_read (const char      *path,
                gboolean         labels,
                WfImage         *image,
                gpointer        *owner,
                GDestroyNotify  *release,
                char           **notice,
                GError         **error)
{
  g_autoptr (Picture)  memory  = NULL;
  g_autoptr (GError)     problem = NULL;
  int                    height  = 0;
  WfType                 type;

  if (! start (error) || ! check_readable (path, error))
    return FALSE;
  memory = decode (path, labels, &height);
  if (! memory)
    return fail (path, error);

  type = same_type (memory->BandFmt);
  if (labels ? type == WF_TYPE_U32
             : type == WF_TYPE_U8 || type == WF_TYPE_U16 || type == WF_TYPE_F32)
    {
      if (! wf_image_init (image, type, memory->Xsize, height, memory->Ysize / height,
                           VIPS_IMAGE_ADDR (memory, 0, 0), error))
        return FALSE;
      *owner   = g_steal_pointer (&memory);
      *release = g_object_unref;
      return TRUE;
    }

  if (! wf_image_allocate (image, labels ? WF_TYPE_U32 : WF_TYPE_F32,
                           memory->Xsize, height, memory->Ysize / height, error))
    return FALSE;
  if (labels ? vips_levels_to_labels (memory, image->data, &problem)
             : vips_levels_to_float (memory, image->data, path, notice, &problem))
    return TRUE;

  return refuse_to_read (path, problem->message, error);
}

static VipsBandFormat
vips_format (WfType type)
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
                                     vips_format (image->type));
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

static gboolean
save (VipsImage  *image,
      const char *path)
{
  if (g_str_has_suffix (path, ".tif") || g_str_has_suffix (path, ".tiff"))
    return vips_tiffsave (image, path,
                          "bigtiff", VIPS_IMAGE_SIZEOF_IMAGE (image) > MAX_CLASSIC_TIFF,
                          NULL) == 0;
  return vips_image_write_to_file (image, path, NULL) == 0;
}

/* Not every encoder reports that its last write failed.  Libvips writes TIFF
 * files of 64 bits a pixel, but reads none.
 */
static gboolean
is_complete (const char    *path,
             const WfImage *image)
{
  g_autoptr (Picture) written = NULL;

  if (image->type == WF_TYPE_F64)
    return TRUE;

  written = open_image (path);
  return written && written->Xsize == image->width &&
         written->Ysize == image->height * image->depth;
}

/**
 * vips_file_write:
 * @path: a file, whose suffix says its format
 * @image: packed pixels of a type that the format holds
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success.
 */
gboolean
vips_file_write (const char     *path,
                 const WfImage  *image,
                 GError        **error)
{
  g_autoptr (Picture)  view   = NULL;
  g_autofree char       *reason = NULL;
  g_autofree char       *prefix = NULL;

  if (! start (error))
    return FALSE;
  if (image->width > VIPS_MAX_COORD || image->height > VIPS_MAX_COORD / image->depth)
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                   _("libvips supports sides of at most %d pixels; use .raw"), VIPS_MAX_COORD);
      return FALSE;
    }

  view = wrap (image);
  if (view && save (view, path) && is_complete (path, image))
    return TRUE;

  /* The name of a temporary file means nothing to the user. */
  reason = take_reason ();
  prefix = g_strconcat (path, ": ", NULL);
  g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_FILE,
                       g_str_has_prefix (reason, prefix) ? reason + strlen (prefix) : reason);
  return FALSE;
}
