/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images whose colors are kept: their components are read as planes, and written together, in files
 * of the formats that libvips knows, and in arrays of NumPy whose last side is 3 or 4: rows,
 * columns and components.
 *
 * Components are those of 8 and 16 bits, and of 32-bit floating point, as the file has them.  A
 * file with gray levels has none.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "color-image.h"
#include "doubles.h"
#include "format.h"
#include "input.h"
#include "npy-file.h"
#include "sequence.h"
#include "store.h"
#include "stream.h"
#include "tools/memory.h"
#include "tools/message.h"

#ifdef HAVE_VIPS
#include "vips-colors.h"
#endif

/* Pixels that a thread takes at a time. */
#define PIECE 8192


/**
 * color_image_has_colors:
 * @image: an image that was read
 *
 * Returns: whether it has components
 */
gboolean
color_image_has_colors (const ColorImage *image)
{
  return image->components[0].data != NULL;
}

static guint
count_components (const ColorImage *image)
{
  return image->has_alpha ? 4 : 3;
}

#define DIVIDE(Type) \
  for (gsize i = 0; i < n; i++) \
    for (guint c = 0; c < n_components; c++) \
      ((Type *) image->components[c].data)[i] = ((const Type *) pixels)[i * n_components + c]

/**
 * color_image_divide:
 * @image: gets components, and alpha if there are four
 * @path: its file
 * @pixels: all of them, without gaps
 * @n_components: of a pixel, 3 or 4
 * @type: of a component
 * @width: in pixels
 * @height: of a slice
 * @depth: slices
 * @error: %TOOL_ERROR_FILE, %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
color_image_divide (ColorImage     *image,
                    const char     *path,
                    gconstpointer   pixels,
                    guint           n_components,
                    WfType          type,
                    gint64          width,
                    gint64          height,
                    gint64          depth,
                    GError        **error)
{
  const gsize n = (gsize) (width * height * depth);

  if (! memory_claim_to_read (path, n * n_components * wf_type_size (type), error))
    return FALSE;
  for (guint c = 0; c < n_components; c++)
    if (! wf_image_allocate (&image->components[c], type, width, height, depth, error))
      return FALSE;
  image->has_alpha = n_components == 4;
  switch (type)
    {
    case WF_TYPE_U8:
      DIVIDE (guint8);
      break;
    case WF_TYPE_U16:
      DIVIDE (guint16);
      break;
    default:
      DIVIDE (float);
      break;
    }
  return TRUE;
}

/* An array of three sides is a stack of gray levels, unless the last one is 3 or 4. */
static gboolean
read_npy (ColorImage  *image,
          const char  *path,
          GError     **error)
{
  NpyHeader                header;
  g_autoptr (GMappedFile)  mapping = npy_file_map (path, &header, error);
  g_auto (WfImage)         array   = { 0 };
  gboolean                 rounded = FALSE;

  if (! mapping)
    return FALSE;
  image->encoding = WF_ENCODING_SRGB;
  if (header.n_sides < 3 || header.width < 3 || header.width > 4)
    return TRUE;
  if (! npy_file_take (mapping, path, &header, FALSE, &array, &rounded, error))
    return FALSE;
  if (rounded)
    image->notice = doubles_make_notice (path);
  return color_image_divide (image, path, array.data, (guint) array.width, array.type,
                             array.height, array.depth, 1, error);
}

static gboolean
check_numbers (const ColorImage  *image,
               GError           **error)
{
  for (guint c = 0; c < count_components (image) && color_image_has_colors (image); c++)
    if (! input_check_numbers (image->name, &image->components[c], 0, 0, 0, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_file (ColorImage    *image,
           const char    *path,
           const Input   *file,
           const Choice  *choice,
           GError       **error)
{
  if (input_is_npy (file, path))
    return read_npy (image, path, error);
  if (input_is_zarr (file, path) || input_is_pfm (file, path))
    return refuse_to_read (path, _("--colors reads no OME-Zarr and no PFM: give a PNG, TIFF, "
                                   "JPEG, WebP, PNM or NPY file"), error);
#ifdef HAVE_VIPS
  return vips_colors_read (image, path, choice, error);
#else
  return refuse_to_read (path, _("this build has no libvips, so --colors reads NPY files only"),
                         error);
#endif
}

/**
 * color_image_read:
 * @image: filled; to be cleared whatever the result
 * @path: the file, “-”, or a name in the store, of which the components are views
 * @raw: (nullable): what --raw says
 * @choice: which of its planes are read
 * @error: %TOOL_ERROR_FILE, %TOOL_ERROR_USAGE, or memory errors of the engine
 *
 * Returns: success.
 */
gboolean
color_image_read (ColorImage     *image,
                  const char     *path,
                  const RawSpec  *raw,
                  const Choice   *choice,
                  GError        **error)
{
  g_auto (Input) file = { 0 };

  memset (image, 0, sizeof *image);
  if (store_is_named (path))
    return store_lend_colors (image, path, error);
  if (sequence_is_named (path))
    return refuse_to_read (path, _("--colors reads no stacks of several files"), error);
  if (! input_find (&file, &path, raw, choice, error))
    return FALSE;
  image->name = g_strdup (file.name);
  return read_file (image, path, &file, choice, error) && check_numbers (image, error);
}

/**
 * color_image_take_luminance:
 * @image: an image of colors
 * @levels: of its type and size: set to the luminance
 */
void
color_image_take_luminance (const ColorImage *image,
                            WfImage          *levels)
{
  const gint64 n    = wf_image_n_pixels (levels);
  const gsize  size = wf_type_size (levels->type);

#pragma omp parallel for schedule (dynamic)
  for (gint64 i = 0; i < n; i += PIECE)
    {
      gpointer places[3];

      for (int c = 0; c < 3; c++)
        places[c] = (char *) image->components[c].data + (gsize) i * size;
      wf_colors_take_luminance (levels->type, image->encoding, places, 1, MIN (PIECE, n - i),
                                (char *) levels->data + (gsize) i * size);
    }
}

/**
 * color_image_accepts:
 * @image: an image of colors
 * @output: a prepared output
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the file's format can hold the image
 */
gboolean
color_image_accepts (const ColorImage  *image,
                     const Output      *output,
                     GError           **error)
{
  const WfImage *red = &image->components[0];

  return format_accepts_colors (output->format, output->name, image->has_alpha, error) &&
         output_accepts (output, WF_CONTENT_LEVELS, red->type, red->depth, error) &&
         format_accepts_size (output->format, output->name, red, error);
}

#define JOIN(Type) \
  for (guint c = 0; c < n_components; c++) \
    { \
      const Type *from = image->components[c].data; \
      Type       *to   = (Type *) joined->data + c; \
\
      for (gsize i = 0; i < n; i++) \
        to[i * n_components] = from[i]; \
    }

/* As an array of rows, columns and components. */
static gboolean
join (const ColorImage  *image,
      WfImage           *joined,
      GError           **error)
{
  const WfImage   *red          = &image->components[0];
  const gsize      n            = (gsize) wf_image_n_pixels (red);
  const guint      n_components = count_components (image);
  g_autofree char *reason       = memory_claim (n * n_components * wf_type_size (red->type));

  if (reason)
    return refuse_because (reason, error);
  if (! wf_image_allocate (joined, red->type, n_components, red->width, red->height * red->depth,
                           error))
    return FALSE;
  switch (red->type)
    {
    case WF_TYPE_U8:
      JOIN (guint8)
      break;
    case WF_TYPE_U16:
      JOIN (guint16)
      break;
    default:
      JOIN (float)
      break;
    }
  return TRUE;
}

static gboolean
write_pixels (const ColorImage  *image,
              const Output      *output,
              int                descriptor,
              GError           **error)
{
  g_auto (WfImage)   joined  = { 0 };
  g_autoptr (GError) problem = NULL;
  gboolean           written = join (image, &joined, &problem);

  if (written && output->format->kind == FORMAT_NPY)
    written = npy_file_write (descriptor, &joined, 3, &problem);
#ifdef HAVE_VIPS
  else if (written)
    written = vips_colors_write (image, &joined, descriptor, output->temporary,
                                 output->format->suffix, output->compression, &problem);
#endif
  return written || refuse_to_write (output->name, problem->message, error);
}

/**
 * color_image_write:
 * @image: an image that color_image_accepts() found to fit
 * @output: a prepared output
 * @error: %TOOL_ERROR_FILE
 *
 * Writes the image to a temporary file, as output_write() does.
 *
 * Returns: success.
 */
gboolean
color_image_write (const ColorImage  *image,
                   Output            *output,
                   GError           **error)
{
  const int descriptor = output_open_file (output, error);

  return descriptor >= 0 &&
         output_close_file (output, descriptor, write_pixels (image, output, descriptor, error),
                            error);
}

/**
 * color_image_tell:
 * @image: an image that was written
 * @output: where
 *
 * Prints how reading changed it, and whether the file does not say that it holds linear light.
 */
void
color_image_tell (const ColorImage *image,
                  const Output     *output)
{
  g_autofree char *lost = NULL;

  if (image->notice)
    message_print (image->notice);
  if (image->encoding != WF_ENCODING_LINEAR || ! format_drops_profile (output->format))
    return;
  lost = g_strdup_printf (_("“%s”: its colors are linear light, which %s does not say; they will "
                            "be taken for those of sRGB."), output->name, output->format->name);
  message_print (lost);
}

void
color_image_clear (ColorImage *image)
{
  for (guint c = 0; c < G_N_ELEMENTS (image->components); c++)
    wf_image_clear (&image->components[c]);
  g_clear_pointer (&image->profile, g_bytes_unref);
  g_free (image->name);
  g_free (image->notice);
  memset (image, 0, sizeof *image);
}
