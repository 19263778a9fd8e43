/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From GIMP's drawables to the engine's images.
 *
 * Levels are the drawable's own component values, as they are stored: morphology
 * asks only which of two levels is higher, which no encoding changes, but it must
 * not see levels that a conversion has made equal or different.  Thus 8 and 16
 * bits stay as they are, all else becomes 32-bit real numbers, and a colour layer
 * is reduced to its luminance in its own encoding (linear, non-linear or
 * perceptual) or to one of its components.
 */

#include "config.h"

#include <string.h>

#include "pixels.h"


/**
 * wf_pixels_get_type:
 * @drawable: a drawable
 *
 * Returns: the engine's type for its components.
 */
WfType
wf_pixels_get_type (GimpDrawable *drawable)
{
  const Babl *format = gimp_drawable_get_format (drawable);
  const char *name   = babl_get_name (babl_format_get_type (format, 0));

  if (strcmp (name, "u8") == 0)
    return WF_TYPE_U8;
  if (strcmp (name, "u16") == 0)
    return WF_TYPE_U16;
  return WF_TYPE_F32;
}

static const char *
type_name (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return "u8";
    case WF_TYPE_U16:
      return "u16";
    default:
      return "float";
    }
}

/* What babl adds to the name of a component in the encoding of @format. */
static const char *
encoding_mark (const Babl *format)
{
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (format));

  if (flags & BABL_MODEL_FLAG_NONLINEAR)
    return "'";
  if (flags & BABL_MODEL_FLAG_PERCEPTUAL)
    return "~";
  return "";
}

/**
 * wf_pixels_get_grey_format:
 * @drawable: a drawable
 * @alpha: whether with alpha
 * @type: the type of a component
 *
 * Returns: the format of grey pixels in the encoding and the space of @drawable.
 */
const Babl *
wf_pixels_get_grey_format (GimpDrawable *drawable,
                           gboolean      alpha,
                           WfType        type)
{
  const Babl      *format = gimp_drawable_get_format (drawable);
  g_autofree char *name   = g_strdup_printf ("Y%s%s %s", encoding_mark (format),
                                             alpha ? "A" : "", type_name (type));

  return babl_format_with_space (name, babl_format_get_space (format));
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
  const Babl      *format = gimp_drawable_get_format (drawable);
  const char      *mark   = encoding_mark (format);
  g_autofree char *name   = g_strdup_printf ("R%sG%sB%sA %s", mark, mark, mark,
                                             type_name (type));

  return babl_format_with_space (name, babl_format_get_space (format));
}

/**
 * wf_pixels_get_format:
 * @drawable: a drawable
 * @alpha: whether with alpha
 * @type: the type of a component
 *
 * Returns: the format of pixels in the model, grey or colour, the encoding and the space
 *   of @drawable.
 */
const Babl *
wf_pixels_get_format (GimpDrawable *drawable,
                      gboolean      alpha,
                      WfType        type)
{
  const Babl      *format = gimp_drawable_get_format (drawable);
  const char      *mark   = encoding_mark (format);
  g_autofree char *name   = NULL;

  if (! gimp_drawable_is_rgb (drawable))
    return wf_pixels_get_grey_format (drawable, alpha, type);
  if (alpha)
    return wf_pixels_get_color_format (drawable, type);

  name = g_strdup_printf ("R%sG%sB%s %s", mark, mark, mark, type_name (type));
  return babl_format_with_space (name, babl_format_get_space (format));
}

#define PICK(Type) \
  for (gsize i = 0; i < n_pixels; i++) \
    ((Type *) levels)[i] = ((const Type *) pixels)[i * n_components + component]

/* One component of pixels that have several. */
static void
pick (WfType        type,
      gconstpointer pixels,
      gsize         n_pixels,
      int           n_components,
      int           component,
      gpointer      levels)
{
  switch (type)
    {
    case WF_TYPE_U8:
      PICK (guint8);
      break;
    case WF_TYPE_U16:
      PICK (guint16);
      break;
    default:
      PICK (float);
      break;
    }
}

#define FIND_TRANSPARENT(Type, white) \
  for (gsize i = 0; i < n_pixels; i++) \
    if (((const Type *) pixels)[(i + 1) * n_components - 1] < (white)) \
      return FALSE

static gboolean
is_opaque (WfType        type,
           gconstpointer pixels,
           gsize         n_pixels,
           int           n_components)
{
  switch (type)
    {
    case WF_TYPE_U8:
      FIND_TRANSPARENT (guint8, G_MAXUINT8);
      break;
    case WF_TYPE_U16:
      FIND_TRANSPARENT (guint16, G_MAXUINT16);
      break;
    default:
      FIND_TRANSPARENT (float, 1);
      break;
    }
  return TRUE;
}

/**
 * wf_level_picker_init:
 * @picker: set up; it asks GIMP nothing any more
 * @drawable: a drawable
 * @type: of the levels
 * @component: what counts of a pixel; a grey one is its own red, green and blue
 */
void
wf_level_picker_init (WfLevelPicker *picker,
                      GimpDrawable  *drawable,
                      WfType         type,
                      WfComponent    component)
{
  const gboolean rgb = gimp_drawable_is_rgb (drawable);

  picker->type         = type;
  picker->luminance    = component == WF_COMPONENT_LUMINANCE && rgb;
  picker->alpha        = gimp_drawable_has_alpha (drawable) || component == WF_COMPONENT_ALPHA;
  picker->grey         = wf_pixels_get_grey_format (drawable, FALSE, type);
  picker->format       = wf_pixels_get_format (drawable, picker->alpha, type);
  picker->n_components = babl_format_get_n_components (picker->format);
  picker->direct       = picker->n_components == 1;

  if (component == WF_COMPONENT_ALPHA)
    picker->component = picker->n_components - 1;
  else
    picker->component = rgb ? MAX ((int) component - WF_COMPONENT_RED, 0) : 0;
}

/**
 * wf_level_picker_take:
 * @picker: not a direct one
 * @pixels: in its format
 * @n_pixels: how many
 * @levels: set to what counts of them
 */
void
wf_level_picker_take (const WfLevelPicker *picker,
                      gconstpointer        pixels,
                      gsize                n_pixels,
                      gpointer             levels)
{
  if (picker->luminance)
    babl_process (babl_fish (picker->format, picker->grey), pixels, levels, (long) n_pixels);
  else
    pick (picker->type, pixels, n_pixels, picker->n_components, picker->component, levels);
}

/**
 * wf_pixels_get_abyss:
 * @scale: at which pixels are read
 *
 * Returns: what is read beyond an edge: nothing is ever asked for there, but a place that
 *   was rounded when it was scaled may lie there.
 */
GeglAbyssPolicy
wf_pixels_get_abyss (double scale)
{
  return scale < 1 ? GEGL_ABYSS_CLAMP : GEGL_ABYSS_NONE;
}

/**
 * Strip:
 * @picker: takes the levels
 * @width: pixels of a row
 * @pixels: what was read
 * @levels: to be set
 * @transparent: set to 1 where a pixel is not opaque
 */
typedef struct
{
  const WfLevelPicker *picker;
  gsize                width;
  const guint8        *pixels;
  guint8              *levels;
  int                  transparent;
} Strip;

static void
take_rows (gsize    first,
           gsize    n,
           gpointer data)
{
  Strip               *strip  = data;
  const WfLevelPicker *picker = strip->picker;
  const gsize          size   = strip->width * wf_type_size (picker->type);

  for (gsize row = first; row < first + n; row++)
    {
      const guint8 *pixels = strip->pixels + row * picker->n_components * size;

      wf_level_picker_take (picker, pixels, strip->width, strip->levels + row * size);
      if (picker->alpha && ! g_atomic_int_get (&strip->transparent) &&
          ! is_opaque (picker->type, pixels, strip->width, picker->n_components))
        g_atomic_int_set (&strip->transparent, 1);
    }
}

/* Where the strip ends that begins at @row: a tile should lie in one strip only. */
static int
end_of_strip (int    row,
              int    y,
              gint64 height,
              double scale)
{
  int n_rows = WF_STRIP_ROWS;

  if (scale == 1 && y + row >= 0)
    n_rows -= (y + row) % WF_STRIP_ROWS;
  return (int) MIN (row + n_rows, height);
}

/**
 * wf_pixels_read:
 * @drawable: a drawable
 * @x: left edge of the pixels to read, in the drawable
 * @y: upper edge
 * @scale: pixels to read for one of the drawable: 1, or less, for a preview; then @x and @y
 *   are in such pixels
 * @component: what of them
 * @image: u8, u16 or f32; as many pixels are read as its slices have
 * @slice: which slice of @image they become; its rows must follow each other
 *
 * Returns: whether all of the pixels are opaque
 */
gboolean
wf_pixels_read (GimpDrawable *drawable,
                int           x,
                int           y,
                double        scale,
                WfComponent   component,
                WfImage      *image,
                gint64        slice)
{
  g_autoptr (GeglBuffer) buffer = gimp_drawable_get_buffer (drawable);
  gsize                  size   = wf_type_size (image->type);
  g_autofree guint8     *pixels = NULL;
  WfLevelPicker          picker;
  Strip                  strip  = { .picker = &picker, .width = (gsize) image->width };
  int                    end;

  g_return_val_if_fail (image->row_stride == image->width, FALSE);

  wf_level_picker_init (&picker, drawable, image->type, component);
  if (! picker.direct)
    pixels = g_malloc (picker.n_components * size * WF_STRIP_ROWS * strip.width);

  for (int row = 0; row < image->height; row = end)
    {
      gint64 start = slice * image->slice_stride + row * image->row_stride;

      end          = end_of_strip (row, y, image->height, scale);
      strip.levels = (guint8 *) image->data + (gsize) start * size;
      strip.pixels = pixels;
      gegl_buffer_get (buffer,
                       GEGL_RECTANGLE (x, y + row, (int) image->width, end - row),
                       scale, picker.format, pixels ? pixels : strip.levels,
                       GEGL_AUTO_ROWSTRIDE, wf_pixels_get_abyss (scale));
      if (pixels)
        gegl_parallel_distribute_range ((gsize) (end - row),
                                        WF_THREAD_COST / (double) strip.width, take_rows,
                                        &strip);
    }
  return ! strip.transparent;
}

#define SCALE(Type, white) \
  for (gsize i = 0; i < n_pixels; i++) \
    shares[i] *= ((const Type *) pixels)[(i + 1) * n_components - 1] / (float) (white)

/**
 * wf_pixels_multiply_alpha:
 * @drawable: a drawable with alpha
 * @x: left edge of the pixels, in the drawable
 * @y: upper edge
 * @width: in pixels
 * @n_rows: how many rows
 * @shares: multiplied, a row after the other, by how opaque a pixel is, from 0 to 1
 */
void
wf_pixels_multiply_alpha (GimpDrawable *drawable,
                          int           x,
                          int           y,
                          int           width,
                          int           n_rows,
                          float        *shares)
{
  g_autoptr (GeglBuffer)  buffer   = gimp_drawable_get_buffer (drawable);
  WfType                  type     = wf_pixels_get_type (drawable);
  const Babl             *format   = wf_pixels_get_format (drawable, TRUE, type);
  gsize                   n_pixels = (gsize) width * n_rows;
  int                     n_components = babl_format_get_n_components (format);
  g_autofree gpointer     pixels   = g_malloc (n_pixels * n_components * wf_type_size (type));

  gegl_buffer_get (buffer, GEGL_RECTANGLE (x, y, width, n_rows), 1.0, format,
                   pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
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
