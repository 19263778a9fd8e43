/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The exact colours of a slice in a region at any scale, for a preview, a little at a time.
 *
 * A pixel of a scaled region is the pixel of the drawable under its middle, not a mean, which
 * could be a colour that the drawable does not have.
 *
 * The pixels are requested from GIMP in pieces, from left to right and from top to bottom,
 * each clipped to the wanted pixels, and put side by side in a strip, in the drawable's
 * format.  When a row of pieces is complete its rows are converted and handed out.  So the
 * rows come in order, and hardly more than one row of pieces is kept.
 *
 * All functions are for the main thread, as they call GIMP unless the slice is a copy.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "block-pixels.h"
#include "color-reader.h"

/* Of a piece, in pixels: two of GIMP's tiles. */
#define SIDE_BITS 8

/* Rows that are handed out between two looks at the clock. */
#define MOST_ROWS 16

/**
 * Axis:
 * @places: for each pixel of the region the pixel of the slice
 * @first: the first pixel of the region that lies in the slice
 * @end: the first after those
 *
 * The pixels of the region in the slice, along an axis.
 */
typedef struct
{
  int *places;
  int  first;
  int  end;
} Axis;

/**
 * WfColorReader:
 * @slice: what is read
 * @columns: of the region
 * @rows: likewise
 * @row: the first row in the present row of pieces
 * @column: the first column that is not in @strip
 * @strip: the wanted pixels of the present row of pieces, in the format of the slice
 * @next_row: the next row to be handed out
 * @colors: of a row
 */
struct _WfColorReader
{
  WfSlice        slice;
  WfBlockPixels  pixels;
  Axis           columns;
  Axis           rows;
  int            row;
  int            column;
  GByteArray    *strip;
  int            next_row;
  float         *colors;
};


/*  Places  */

/* The pixel of the slice under the middle of a scaled one.  Because of rounding that may lie
 * just beyond an edge.
 */
static int
find_middle (int    place,
             double scale,
             int    origin,
             int    size)
{
  const int middle = (int) floor ((place + 0.5) / scale) - origin;
  const int slack  = scale < 1 ? (int) ceil (1 / scale) : 0;

  if (middle < 0 && middle + slack >= 0)
    return 0;
  if (middle >= size && middle - slack < size)
    return size - 1;
  return middle;
}

static void
axis_clear (Axis *axis)
{
  g_clear_pointer (&axis->places, g_free);
}

static void
axis_set (Axis   *axis,
          int     start,
          int     n,
          double  scale,
          int     origin,
          int     size)
{
  axis_clear (axis);
  axis->places = g_new (int, n);
  axis->first  = n;
  axis->end    = n;

  for (int i = 0; i < n; i++)
    {
      const int      place  = find_middle (start + i, scale, origin, size);
      const gboolean inside = place >= 0 && place < size;

      axis->places[i] = place;
      if (inside && axis->first == n)
        axis->first = i;
      if (! inside && axis->first < n && axis->end == n)
        axis->end = i;
    }
}

/* The end of the pixels from @first on that lie in the same piece. */
static int
find_end (const Axis *axis,
          int         first)
{
  int end = first + 1;

  while (end < axis->end && axis->places[end] >> SIDE_BITS == axis->places[first] >> SIDE_BITS)
    end++;
  return end;
}


/*  Readers  */

/**
 * wf_color_reader_new:
 * @slice: (transfer full): an open slice
 *
 * Returns: (transfer full): a reader without a region
 */
WfColorReader *
wf_color_reader_new (const WfSlice *slice)
{
  WfColorReader *reader = g_new0 (WfColorReader, 1);

  reader->slice = *slice;
  reader->strip = g_byte_array_new ();
  wf_block_pixels_init (&reader->pixels, &reader->slice, WF_TYPE_F32, WF_COMPONENT_LUMINANCE,
                        ! wf_slice_is_copy (slice) && wf_block_pixels_have_thumbnails (),
                        babl_format ("R'G'B'A float"), NULL);
  return reader;
}

/**
 * wf_color_reader_free:
 * @reader: (transfer full): a reader
 */
void
wf_color_reader_free (WfColorReader *reader)
{
  wf_block_pixels_clear (&reader->pixels);
  wf_slice_close (&reader->slice);
  axis_clear (&reader->columns);
  axis_clear (&reader->rows);
  g_byte_array_unref (reader->strip);
  g_free (reader->colors);
  g_free (reader);
}

/**
 * wf_color_reader_is_valid:
 * @reader: a reader
 *
 * Returns: whether its drawable still exists, with the same place and size: only then more
 *   can be fetched
 */
gboolean
wf_color_reader_is_valid (const WfColorReader *reader)
{
  return wf_block_pixels_can_be_read (&reader->pixels) &&
         wf_block_pixels_are_valid (&reader->pixels);
}

/**
 * wf_color_reader_has_alpha:
 * @reader: a reader
 *
 * Returns: whether its pixels have alpha; if not, all are opaque
 */
gboolean
wf_color_reader_has_alpha (const WfColorReader *reader)
{
  return babl_format_has_alpha (reader->pixels.format);
}

/**
 * wf_color_reader_begin:
 * @reader: a reader
 * @region: which of its pixels
 *
 * Begins to fetch at the first row of @region.
 */
void
wf_color_reader_begin (WfColorReader  *reader,
                       const WfRegion *region)
{
  const GeglRectangle *bounds = &reader->pixels.bounds;

  wf_block_pixels_release (&reader->pixels);
  axis_set (&reader->columns, region->image_x, region->width, region->scale, bounds->x,
            bounds->width);
  axis_set (&reader->rows, region->image_y, region->height, region->scale, bounds->y,
            bounds->height);
  g_free (reader->colors);
  reader->colors   = g_new (float, 4 * (gsize) region->width);
  reader->row      = reader->rows.first;
  reader->next_row = reader->rows.first;
  reader->column   = reader->columns.first;
}


/*  Fetching  */

/* Copies the wanted pixels of a piece to their place in the strip. */
static void
pick (WfColorReader       *reader,
      const GeglRectangle *part,
      const guint8        *pixels,
      int                  end_column,
      int                  end_row)
{
  const gsize  size   = (gsize) babl_format_get_bytes_per_pixel (reader->pixels.format);
  const Axis  *columns = &reader->columns;
  const gsize  stride = size * (columns->end - columns->first);

  for (int j = reader->row; j < end_row; j++)
    {
      const guint8 *from = pixels +
                           size * part->width * (reader->rows.places[j] - part->y);
      guint8       *to   = reader->strip->data + stride * (j - reader->row) +
                           size * (reader->column - columns->first);

      if (part->width == end_column - reader->column)
        memcpy (to, from, size * part->width);
      else
        for (int i = reader->column; i < end_column; i++, to += size)
          memcpy (to, from + size * (columns->places[i] - part->x), size);
    }
}

static void
fetch_piece (WfColorReader *reader,
             int            end_column,
             int            end_row)
{
  const int           *columns = reader->columns.places;
  const int           *rows    = reader->rows.places;
  const GeglRectangle  part    = { columns[reader->column], rows[reader->row],
                                   columns[end_column - 1] - columns[reader->column] + 1,
                                   rows[end_row - 1] - rows[reader->row] + 1 };

  pick (reader, &part, wf_block_pixels_get (&reader->pixels, &part), end_column, end_row);
}

/* Returns whether the strip that begins at the present row is complete. */
static gboolean
fetch_strip (WfColorReader *reader,
             int            end_row,
             WfFetch       *fetch)
{
  const Axis  *columns = &reader->columns;
  const gsize  size    = (gsize) babl_format_get_bytes_per_pixel (reader->pixels.format);
  const gsize  n       = (gsize) (columns->end - columns->first) * (end_row - reader->row);

  g_byte_array_set_size (reader->strip, (guint) (n * size));
  while (reader->column < columns->end)
    {
      const int end = find_end (columns, reader->column);

      if (! wf_fetch_has_time (fetch))
        return FALSE;
      fetch_piece (reader, end, end_row);
      fetch->n_requests++;
      reader->column = end;
    }
  return TRUE;
}

/* Returns whether all rows before @end_row were handed out. */
static gboolean
hand_out (WfColorReader  *reader,
          int             end_row,
          WfFetch        *fetch,
          WfColorRowFunc  func,
          gpointer        data)
{
  const Axis  *columns = &reader->columns;
  const int    n       = columns->end - columns->first;
  const gsize  stride  = (gsize) n *
                         (gsize) babl_format_get_bytes_per_pixel (reader->pixels.format);

  for (; reader->next_row < end_row; reader->next_row++)
    {
      if ((reader->next_row - reader->row) % MOST_ROWS == 0)
        {
          if (! wf_fetch_has_time (fetch))
            return FALSE;
          fetch->n_requests++;
        }
      wf_conversions_get_colors (reader->pixels.conversions,
                                 reader->strip->data + stride * (reader->next_row - reader->row),
                                 n, reader->colors);
      func (columns->first, reader->next_row, n, reader->colors, data);
    }
  return TRUE;
}

/**
 * wf_color_reader_fetch:
 * @reader: a reader, valid and begun
 * @fetch: the step; not complete unless @func was called for all rows
 * @func: called once for each row of the region that lies in the slice, in order
 * @data: for @func
 */
void
wf_color_reader_fetch (WfColorReader  *reader,
                       WfFetch        *fetch,
                       WfColorRowFunc  func,
                       gpointer        data)
{
  wf_fetch_begin_stage (fetch);
  while (reader->columns.first < reader->columns.end && reader->row < reader->rows.end)
    {
      const int end_row = find_end (&reader->rows, reader->row);

      if (! fetch_strip (reader, end_row, fetch) ||
          ! wf_conversions_await (reader->pixels.conversions, fetch->deadline) ||
          ! hand_out (reader, end_row, fetch, func, data))
        {
          fetch->complete = FALSE;
          return;
        }
      wf_block_pixels_release (&reader->pixels);
      reader->row    = end_row;
      reader->column = reader->columns.first;
    }
}
