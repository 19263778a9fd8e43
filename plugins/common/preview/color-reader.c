/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The exact colours of a slice in a region at any scale, for a preview, a little at a time.
 *
 * Where pixels are read at a scale each is one of the drawable, the one in the middle of what
 * is under it: not a mean, which may be a colour that is not there.
 *
 * What is under the region is asked of GIMP a piece at a time, from left to right and from
 * the top to the bottom, of each as much as has pixels that are wanted; these are put beside
 * each other as they are stored.  Once a row of pieces is there its rows become colours and
 * are handed out.  So the rows come in their order, however little is read at a time, and
 * hardly more than one row of pieces is kept.
 *
 * All of it asks GIMP, unless the slice is a copy, and is for the main thread.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "block-pixels.h"
#include "color-reader.h"

/* Of a piece, in pixels: two of GIMP's tiles. */
#define SIDE_BITS 8

/* So many rows at most are handed out between two looks at the clock. */
#define MOST_ROWS 16

/**
 * Axis:
 * @places: for each pixel of the region which one of the slice it is
 * @first: the first pixel of the region that lies in the slice
 * @end: the one behind the last of them
 *
 * Where pixels of the region are in the slice, along an axis.
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
 * @source: nothing but @slice
 * @columns: of the region
 * @rows: likewise
 * @row: the first row in the present row of pieces
 * @column: the first column that is not in @strip
 * @strip: the wanted pixels of the present row of pieces, as they are stored
 * @next_row: the first row that was not handed out
 * @colors: of a row
 */
struct _WfColorReader
{
  WfSlice        slice;
  WfSource       source;
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

/* Where the pixel of the slice is that lies in the middle of a scaled one; what was rounded
 * when it was scaled may lie just beyond an edge.
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

/* The end of those from @first on that lie in the same piece. */
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
 * Returns: (transfer full): a reader, which has nothing to read yet
 */
WfColorReader *
wf_color_reader_new (const WfSlice *slice)
{
  WfColorReader *reader = g_new0 (WfColorReader, 1);

  reader->slice  = *slice;
  reader->source = (WfSource) { .slices = &reader->slice, .n_slices = 1, .type = WF_TYPE_F32 };
  reader->strip  = g_byte_array_new ();
  wf_block_pixels_init (&reader->pixels, &reader->source, 0,
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
 * Returns: whether its drawable is still there, where it was and as large as it was: only
 *   then more of it can be fetched
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
 * Returns: whether its pixels have alpha; if not all are opaque
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
 * Begins at the first row, with pixels that were not asked for before.
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

/* Puts the wanted pixels of a piece where they are in the strip. */
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

/* Returns whether the strip that begins at the present row is there. */
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

/* Returns whether all rows before @end_row were. */
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
 * @reader: a reader, current and begun
 * @fetch: the step; not complete unless @func was called for all rows
 * @func: called for each row of the region that lies in the slice, once, in their order
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
