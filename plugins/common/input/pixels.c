/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of GIMP's drawables: GIMP's tiles, or a copy of them in plain memory.
 *
 * A copy in a buffer of GEGL's would be swapped to the disk as soon as it has more tiles than
 * the run's cache holds.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "expand.h"
#include "formats.h"
#include "pixels.h"
#include "plugins/common/swap/swap.h"


/*  Formats  */

/**
 * wf_pixels_get_own_format:
 * @drawable: a drawable
 *
 * Returns: its format; of the colors, if it is indexed, because the numbers of colors in a palette
 *   have no order
 */
const Babl *
wf_pixels_get_own_format (GimpDrawable *drawable)
{
  const Babl *format = gimp_drawable_get_format (drawable);

  if (! babl_format_is_palette (format))
    return format;
  return babl_format_with_space (gimp_drawable_has_alpha (drawable) ? "R'G'B'A u8" : "R'G'B' u8",
                                 babl_format_get_space (format));
}

/**
 * wf_pixels_get_type:
 * @drawable: a drawable
 *
 * Returns: the engine's type for its components.
 */
WfType
wf_pixels_get_type (GimpDrawable *drawable)
{
  return wf_format_get_type (wf_pixels_get_own_format (drawable));
}

/**
 * wf_pixels_get_grey_format:
 * @drawable: a drawable
 * @alpha: whether with alpha
 * @type: the type of a component
 *
 * Returns: the format of gray pixels in the encoding and the space of @drawable.
 */
const Babl *
wf_pixels_get_grey_format (GimpDrawable *drawable,
                           gboolean      alpha,
                           WfType        type)
{
  return wf_format_find_grey (wf_pixels_get_own_format (drawable), alpha, type);
}

/**
 * wf_pixels_get_color_format:
 * @drawable: a drawable
 * @type: the type of a component
 *
 * Returns: the format of red, green, blue and alpha in the encoding and the space of
 *   @drawable.
 */
const Babl *
wf_pixels_get_color_format (GimpDrawable *drawable,
                            WfType        type)
{
  return wf_format_find_color (wf_pixels_get_own_format (drawable), TRUE, type);
}

/**
 * wf_pixels_get_format:
 * @drawable: a drawable
 * @alpha: whether with alpha
 * @type: the type of a component
 *
 * Returns: the format of pixels in the model, gray or color, the encoding and the space
 *   of @drawable.
 */
const Babl *
wf_pixels_get_format (GimpDrawable *drawable,
                      gboolean      alpha,
                      WfType        type)
{
  return wf_format_find (wf_pixels_get_own_format (drawable), alpha, type);
}


/*  Pixels  */

/**
 * wf_pixels_open:
 * @pixels: set to those of @drawable, to be closed by wf_pixels_close()
 * @drawable: a valid drawable
 */
void
wf_pixels_open (WfPixels     *pixels,
                GimpDrawable *drawable)
{
  GeglBuffer *tiles = gimp_drawable_get_buffer (drawable);

  *pixels = (WfPixels) { .format = gegl_buffer_get_format (tiles),
                         .width  = gegl_buffer_get_width (tiles),
                         .height = gegl_buffer_get_height (tiles),
                         .tiles  = tiles };
}

/**
 * wf_pixels_copy:
 * @pixels: set to a copy, to be closed by wf_pixels_close()
 * @drawable: a drawable
 * @part: the part of @drawable to copy
 * @error: %WF_ERROR_MEMORY
 *
 * GEGL keeps the tiles that were read from a buffer as long as the buffer exists, so each
 * row of tiles is read from a buffer of its own.
 *
 * Returns: whether there was enough memory.
 */
gboolean
wf_pixels_copy (WfPixels             *pixels,
                GimpDrawable         *drawable,
                const GeglRectangle  *part,
                GError              **error)
{
  const Babl *format = wf_pixels_get_own_format (drawable);
  gsize       stride = (gsize) part->width * babl_format_get_bytes_per_pixel (format);
  WfImage     bytes;
  guint8     *data;
  int         end;

  if (! wf_swap_allocate (&bytes, WF_TYPE_U8, (gint64) stride, part->height, 1, NULL))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY,
                           _("There is not enough memory for the colors of the layer."));
      return FALSE;
    }
  data = bytes.data;

  for (int row = 0; row < part->height; row = end)
    {
      g_autoptr (GeglBuffer) tiles = gimp_drawable_get_buffer (drawable);

      end = wf_level_reader_find_strip_end (row, part->y, part->height);
      gegl_buffer_get (tiles,
                       GEGL_RECTANGLE (part->x, part->y + row, part->width, end - row), 1.0,
                       format, data + row * stride, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      wf_swap_release ();
    }
  *pixels = (WfPixels) { .format = format, .width = part->width, .height = part->height,
                         .copy = g_bytes_new_with_free_func (data, part->height * stride, g_free,
                                                             bytes.allocated) };
  return TRUE;
}

/**
 * wf_pixels_close:
 * @pixels: pixels, or all 0; set to 0
 */
void
wf_pixels_close (WfPixels *pixels)
{
  g_clear_object (&pixels->tiles);
  g_clear_pointer (&pixels->copy, g_bytes_unref);
  *pixels = (WfPixels) { 0 };
}

static void
get_copied (const WfPixels      *pixels,
            const GeglRectangle *part,
            const Babl          *format,
            guint8              *out)
{
  const Babl          *fish = babl_fish (pixels->format, format);
  const guint8        *data = g_bytes_get_data (pixels->copy, NULL);
  const gsize          from = (gsize) babl_format_get_bytes_per_pixel (pixels->format);
  const gsize          to   = (gsize) babl_format_get_bytes_per_pixel (format);
  const GeglRectangle  all  = { 0, 0, pixels->width, pixels->height };
  GeglRectangle        inside;

  if (! gegl_rectangle_intersect (&inside, part, &all))
    inside.height = 0;
  if (! gegl_rectangle_equal (&inside, part))
    memset (out, 0, to * part->width * part->height);
  for (int y = inside.y; y < inside.y + inside.height; y++)
    babl_process (fish, data + from * ((gsize) y * pixels->width + inside.x),
                  out + to * ((gsize) (y - part->y) * part->width + (inside.x - part->x)),
                  inside.width);
}

static void
get_stored (const WfPixels      *pixels,
            const GeglRectangle *part,
            const Babl          *format,
            gpointer             out)
{
  if (pixels->copy)
    get_copied (pixels, part, format, out);
  else
    gegl_buffer_get (pixels->tiles, part, 1.0, format, out, GEGL_AUTO_ROWSTRIDE,
                     GEGL_ABYSS_NONE);
}

static void
get_expanded (const WfPixels      *pixels,
              const GeglRectangle *part,
              float               *colors)
{
  const int            n_components = babl_format_get_n_components (pixels->format);
  const GeglRectangle  all          = { 0, 0, pixels->width, pixels->height };
  GeglRectangle        inside;
  g_autofree guint8   *stored       = NULL;

  memset (colors, 0, 4 * sizeof *colors * part->width * part->height);
  if (! gegl_rectangle_intersect (&inside, part, &all))
    return;
  stored = g_malloc ((gsize) n_components * inside.width * inside.height);
  get_stored (pixels, &inside, pixels->format, stored);
  for (int y = 0; y < inside.height; y++)
    wf_colors_expand (stored + (gsize) y * inside.width * n_components, n_components, inside.width,
                      colors + 4 * ((gsize) (inside.y - part->y + y) * part->width + inside.x -
                                    part->x));
}

/**
 * wf_pixels_get:
 * @pixels: pixels
 * @part: the part to read; pixels beyond the edges are 0
 * @format: of @out
 * @out: set, row by row
 *
 * Colors of layers with 8 bits are made floats here: babl takes half a second and hundreds of
 * megabytes to find a conversion.
 */
void
wf_pixels_get (const WfPixels      *pixels,
               const GeglRectangle *part,
               const Babl          *format,
               gpointer             out)
{
  if (wf_colors_can_expand (pixels->format, format))
    get_expanded (pixels, part, out);
  else
    get_stored (pixels, part, format, out);
}

#define SCALE(Type, white) \
  for (gsize i = 0; i < n_pixels; i++) \
    shares[i] *= ((const Type *) read)[(i + 1) * n_components - 1] / (float) (white)

/**
 * wf_pixels_multiply_alpha:
 * @pixels: pixels with alpha
 * @part: the part to read
 * @shares: multiplied, row by row, by the opacity of each pixel, from 0 to 1
 */
void
wf_pixels_multiply_alpha (const WfPixels      *pixels,
                          const GeglRectangle *part,
                          float               *shares)
{
  WfType               type         = wf_format_get_type (pixels->format);
  const Babl          *format       = wf_format_find (pixels->format, TRUE, type);
  gsize                n_pixels     = (gsize) part->width * part->height;
  int                  n_components = babl_format_get_n_components (format);
  g_autofree gpointer  read = g_malloc (n_pixels * n_components * wf_type_size (type));

  wf_pixels_get (pixels, part, format, read);
  switch (type)
    {
    case WF_TYPE_U8:
      SCALE (guint8, G_MAXUINT8);
      break;
    case WF_TYPE_U16:
      SCALE (guint16, G_MAXUINT16);
      break;
    default:
      SCALE (float, 1);
      break;
    }
}
