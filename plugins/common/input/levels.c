/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The levels of pixels.
 *
 * Levels are the drawable's own component values, as they are stored: morphology
 * compares levels only, which gives the same result in every encoding, but a conversion
 * could make different levels equal or equal levels different.  Thus 8 and 16 bits stay as
 * they are, all else becomes 32-bit floating point, and a colour layer is reduced to its
 * luminance in its own encoding (linear, non-linear or perceptual) or to one of its
 * components.
 */

#include "config.h"

#include "formats.h"
#include "levels.h"
#include "strip-worker.h"


/*  Pickers  */

#define PICK(Type) \
  for (gsize i = 0; i < n_pixels; i++) \
    ((Type *) levels)[i] = ((const Type *) pixels)[i * n_components + component]

/* Takes one component of pixels that have several. */
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
 * @picker: set
 * @format: of the pixels, as they are stored
 * @type: of the levels
 * @component: the component that is the level; in gray pixels red, green and blue are equal
 */
void
wf_level_picker_init (WfLevelPicker *picker,
                      const Babl    *format,
                      WfType         type,
                      WfComponent    component)
{
  const gboolean rgb = ! wf_format_is_grey (format);

  picker->type         = type;
  picker->luminance    = component == WF_COMPONENT_LUMINANCE && rgb;
  picker->alpha        = babl_format_has_alpha (format) || component == WF_COMPONENT_ALPHA;
  picker->grey         = wf_format_find_grey (format, FALSE, type);
  picker->format       = wf_format_find (format, picker->alpha, type);
  picker->n_components = babl_format_get_n_components (picker->format);
  picker->direct       = picker->n_components == 1;

  if (component == WF_COMPONENT_ALPHA)
    picker->component = picker->n_components - 1;
  else
    picker->component = rgb ? MAX ((int) component - WF_COMPONENT_RED, 0) : 0;
}

/**
 * wf_level_picker_take:
 * @picker: a picker that is not direct
 * @pixels: pixels in its format
 * @n_pixels: the number of pixels
 * @levels: set to their levels
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


/*  Reading  */

/* @pixels: pixels in the picker's format
 * @levels: set to their levels
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
 * @width: of a row, in pixels
 * @strips: levels are taken from one while the other is read
 * @transparent: set to 1 if a pixel is not opaque
 */
typedef struct
{
  WfLevelPicker picker;
  gsize         width;
  Strip         strips[2];
  int           transparent;
} Reader;

static void
take_rows (gpointer item,
           int      first,
           int      n,
           gpointer data)
{
  const Strip         *strip  = item;
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
 * wf_levels_read:
 * @pixels: pixels
 * @x: left edge of the part to read, which has the size of a slice of @image
 * @y: upper edge of this part
 * @component: the component that is the level
 * @image: u8, u16 or f32; its rows must follow each other
 * @slice: the index of the slice of @image to set
 *
 * Returns: whether all pixels of the part are opaque.
 */
gboolean
wf_levels_read (const WfPixels *pixels,
                int             x,
                int             y,
                WfComponent     component,
                WfImage        *image,
                gint64          slice)
{
  const int                  width  = (int) image->width;
  const gsize                size   = wf_type_size (image->type);
  g_auto (Reader)            reader = { .width = (gsize) image->width };
  g_autoptr (WfStripWorker)  worker = NULL;
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

      end           = wf_pixels_find_strip_end (row, y, image->height);
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
