/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the levels of pixels from a drawable or any other source of rows.
 *
 * While one strip of rows is read, all processors take the levels of the one before.
 */

#include "config.h"

#include "level-reader.h"
#include "strip-worker.h"


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
 * wf_level_reader_find_strip_end:
 * @row: the first row of a strip, in the part that is read
 * @y: upper edge of the part
 * @height: of the part
 *
 * Returns: the row after the strip, which ends where a row of GIMP's tiles ends, so that
 *   each tile is read once
 */
int
wf_level_reader_find_strip_end (int    row,
                                int    y,
                                gint64 height)
{
  int n_rows = WF_STRIP_ROWS;

  if (y + row >= 0)
    n_rows -= (y + row) % WF_STRIP_ROWS;
  return (int) MIN (row + n_rows, height);
}

/**
 * wf_level_reader_read:
 * @rows: gets rows of pixels
 * @data: for @rows
 * @own: the format of the pixels, as they are stored
 * @y: upper edge of the part to read, which has the size of a slice of @image
 * @component: the component that is the level
 * @image: u8, u16 or f32; its rows must follow each other
 * @slice: the index of the slice of @image to set
 *
 * Returns: whether all pixels of the part are opaque.
 */
gboolean
wf_level_reader_read (WfRowsFunc   rows,
                      gpointer     data,
                      const Babl  *own,
                      int          y,
                      WfComponent  component,
                      WfImage     *image,
                      gint64       slice)
{
  const gsize                size   = wf_type_size (image->type);
  g_auto (Reader)            reader = { .width = (gsize) image->width };
  g_autoptr (WfStripWorker)  worker = NULL;
  int                        turn   = 0;
  guint8                    *levels;
  int                        end;

  g_return_val_if_fail (image->row_stride == image->width, FALSE);

  levels = (guint8 *) image->data + (gsize) (slice * image->slice_stride) * size;
  reader_init (&reader, own, image->type, component);
  worker = wf_strip_worker_new (take_rows, reader.width, &reader);
  for (int row = 0; row < image->height; row = end, turn = 1 - turn)
    {
      Strip *strip = &reader.strips[turn];

      end           = wf_level_reader_find_strip_end (row, y, image->height);
      strip->n_rows = end - row;
      strip->levels = levels + (gsize) (row * image->row_stride) * size;
      rows (row, end - row, reader.picker.format, strip->pixels ? strip->pixels : strip->levels,
            data);
      wf_strip_worker_wait (worker);
      if (strip->pixels)
        wf_strip_worker_begin (worker, strip, strip->n_rows);
    }
  wf_strip_worker_wait (worker);
  return ! reader.transparent;
}
