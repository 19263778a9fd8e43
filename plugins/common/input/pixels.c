/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From GIMP's drawables to the engine's images.
 *
 * Levels are the drawable's own component values, as they are stored: morphology
 * asks only which of two levels is higher, which no encoding changes, but it must
 * not see levels that a conversion has made equal or different.  Thus 8 and 16
 * bits stay as they are, all else becomes 32-bit real numbers, and a colour layer
 * is reduced to its luminance in its own encoding (linear, non-linear or
 * perceptual) or to one of its components.
 *
 * The pixels are GIMP's tiles, or a copy that was made of them, in plain memory: a buffer
 * of GEGL's own would be put on the disk as soon as there are more tiles than a run keeps.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "pixels.h"
#include "strip-worker.h"


/*  Formats  */

static WfType
find_type (const Babl *format)
{
  const char *name = babl_get_name (babl_format_get_type (format, 0));

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

static gboolean
is_grey (const Babl *format)
{
  return (babl_get_model_flags (babl_format_get_model (format)) & BABL_MODEL_FLAG_GRAY) != 0;
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

static const Babl *
find_grey_format (const Babl *format,
                  gboolean    alpha,
                  WfType      type)
{
  g_autofree char *name = g_strdup_printf ("Y%s%s %s", encoding_mark (format),
                                           alpha ? "A" : "", type_name (type));

  return babl_format_with_space (name, babl_format_get_space (format));
}

static const Babl *
find_color_format (const Babl *format,
                   gboolean    alpha,
                   WfType      type)
{
  const char      *mark = encoding_mark (format);
  g_autofree char *name = g_strdup_printf ("R%sG%sB%s%s %s", mark, mark, mark,
                                           alpha ? "A" : "", type_name (type));

  return babl_format_with_space (name, babl_format_get_space (format));
}

static const Babl *
find_format (const Babl *format,
             gboolean    alpha,
             WfType      type)
{
  return is_grey (format) ? find_grey_format (format, alpha, type)
                          : find_color_format (format, alpha, type);
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
  return find_type (gimp_drawable_get_format (drawable));
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
  return find_grey_format (gimp_drawable_get_format (drawable), alpha, type);
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
  return find_color_format (gimp_drawable_get_format (drawable), TRUE, type);
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
  return find_format (gimp_drawable_get_format (drawable), alpha, type);
}


/*  Pixels  */

/**
 * wf_pixels_open:
 * @pixels: set to those of @drawable, to be closed by wf_pixels_close()
 * @drawable: a drawable, which is there
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

/* Where the strip ends that begins at @row: a tile should lie in one strip only. */
static int
end_of_strip (int    row,
              int    y,
              gint64 height)
{
  int n_rows = WF_STRIP_ROWS;

  if (y + row >= 0)
    n_rows -= (y + row) % WF_STRIP_ROWS;
  return (int) MIN (row + n_rows, height);
}

/**
 * wf_pixels_copy:
 * @pixels: set to a copy, to be closed by wf_pixels_close()
 * @drawable: a drawable
 * @part: of what, in @drawable
 * @error: %WF_ERROR_MEMORY
 *
 * GEGL keeps the tiles of a buffer that it has read as long as the buffer is there, so
 * there is another one for each row of tiles.
 *
 * Returns: whether there was memory for it
 */
gboolean
wf_pixels_copy (WfPixels             *pixels,
                GimpDrawable         *drawable,
                const GeglRectangle  *part,
                GError              **error)
{
  const Babl *format = gimp_drawable_get_format (drawable);
  gsize       stride = (gsize) part->width * babl_format_get_bytes_per_pixel (format);
  guint8     *data   = g_try_malloc_n (part->height, stride);
  int         end;

  if (! data)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY,
                           _("There is not enough memory for the colours of the layer."));
      return FALSE;
    }

  for (int row = 0; row < part->height; row = end)
    {
      g_autoptr (GeglBuffer) tiles = gimp_drawable_get_buffer (drawable);

      end = end_of_strip (row, part->y, part->height);
      gegl_buffer_get (tiles,
                       GEGL_RECTANGLE (part->x, part->y + row, part->width, end - row), 1.0,
                       format, data + row * stride, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
    }
  *pixels = (WfPixels) { .format = format, .width = part->width, .height = part->height,
                         .copy = g_bytes_new_take (data, part->height * stride) };
  return TRUE;
}

/**
 * wf_pixels_close:
 * @pixels: pixels, or all 0, as which they are left
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

/**
 * wf_pixels_get:
 * @pixels: pixels
 * @part: which of them; 0 beyond their edges
 * @format: in which
 * @out: set, a row after the other
 */
void
wf_pixels_get (const WfPixels      *pixels,
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


/*  Levels  */

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
 * @picker: set up
 * @format: of the pixels, as they are stored
 * @type: of the levels
 * @component: what counts of a pixel; a grey one is its own red, green and blue
 */
void
wf_level_picker_init (WfLevelPicker *picker,
                      const Babl    *format,
                      WfType         type,
                      WfComponent    component)
{
  const gboolean rgb = ! is_grey (format);

  picker->type         = type;
  picker->luminance    = component == WF_COMPONENT_LUMINANCE && rgb;
  picker->alpha        = babl_format_has_alpha (format) || component == WF_COMPONENT_ALPHA;
  picker->grey         = find_grey_format (format, FALSE, type);
  picker->format       = find_format (format, picker->alpha, type);
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

/* @pixels: what was read
 * @levels: to be set
 */
typedef struct
{
  int     n_rows;
  guint8 *pixels;
  guint8 *levels;
} Strip;

/**
 * Reader:
 * @picker: takes the levels
 * @width: pixels of a row
 * @strips: levels are taken of one while the other is read
 * @transparent: set to 1 where a pixel is not opaque
 */
typedef struct
{
  WfLevelPicker picker;
  gsize         width;
  Strip         strips[2];
  int           transparent;
} Reader;

static void
take_rows (gpointer work,
           int      first,
           int      n,
           gpointer data)
{
  const Strip         *strip  = work;
  Reader              *reader = data;
  const WfLevelPicker *picker = &reader->picker;
  const gsize          size   = reader->width * wf_type_size (picker->type);

  for (int row = first; row < first + n; row++)
    {
      const guint8 *pixels = strip->pixels + row * picker->n_components * size;

      wf_level_picker_take (picker, pixels, reader->width, strip->levels + row * size);
      if (picker->alpha && ! g_atomic_int_get (&reader->transparent) &&
          ! is_opaque (picker->type, pixels, reader->width, picker->n_components))
        g_atomic_int_set (&reader->transparent, 1);
    }
}

static void
reader_init (Reader     *reader,
             const Babl *format,
             WfType      type,
             WfComponent component)
{
  const WfLevelPicker *picker = &reader->picker;

  wf_level_picker_init (&reader->picker, format, type, component);
  for (int i = 0; i < 2 && ! picker->direct; i++)
    reader->strips[i].pixels = g_malloc (picker->n_components * wf_type_size (type) *
                                         WF_STRIP_ROWS * reader->width);
}

static void
reader_clear (Reader *reader)
{
  for (int i = 0; i < 2; i++)
    g_free (reader->strips[i].pixels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

/**
 * wf_pixels_get_levels:
 * @pixels: pixels
 * @x: left edge of those to get
 * @y: upper edge
 * @component: what of them
 * @image: u8, u16 or f32; as many pixels are read as its slices have
 * @slice: which slice of @image they become; its rows must follow each other
 *
 * Returns: whether all of the pixels are opaque
 */
gboolean
wf_pixels_get_levels (const WfPixels *pixels,
                      int             x,
                      int             y,
                      WfComponent     component,
                      WfImage        *image,
                      gint64          slice)
{
  const int                  width  = (int) image->width;
  const gsize                size   = wf_type_size (image->type);
  g_auto (Reader)            reader = { .width = (gsize) image->width };
  g_autoptr (WfStripWorker) worker = NULL;
  int                        turn   = 0;
  guint8                    *levels;
  int                        end;

  g_return_val_if_fail (image->row_stride == image->width, FALSE);

  levels = (guint8 *) image->data + (gsize) (slice * image->slice_stride) * size;
  reader_init (&reader, pixels->format, image->type, component);
  worker = wf_strip_worker_new (take_rows, reader.width, &reader);
  for (int row = 0; row < image->height; row = end, turn = 1 - turn)
    {
      Strip *strip = &reader.strips[turn];

      end           = end_of_strip (row, y, image->height);
      strip->n_rows = end - row;
      strip->levels = levels + (gsize) (row * image->row_stride) * size;
      wf_pixels_get (pixels, GEGL_RECTANGLE (x, y + row, width, end - row),
                     reader.picker.format, strip->pixels ? strip->pixels : strip->levels);
      wf_strip_worker_wait (worker);
      if (strip->pixels)
        wf_strip_worker_begin (worker, strip, strip->n_rows);
    }
  wf_strip_worker_wait (worker);
  return ! reader.transparent;
}

#define SCALE(Type, white) \
  for (gsize i = 0; i < n_pixels; i++) \
    shares[i] *= ((const Type *) read)[(i + 1) * n_components - 1] / (float) (white)

/**
 * wf_pixels_multiply_alpha:
 * @pixels: pixels with alpha
 * @part: which of them
 * @shares: multiplied, a row after the other, by how opaque a pixel is, from 0 to 1
 */
void
wf_pixels_multiply_alpha (const WfPixels      *pixels,
                          const GeglRectangle *part,
                          float               *shares)
{
  WfType               type         = find_type (pixels->format);
  const Babl          *format       = find_format (pixels->format, TRUE, type);
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
