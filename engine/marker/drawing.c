/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The markers that strokes draw.
 *
 *   stroke      The line of a stroke are the pixels of the lines between its successive points
 *               (correction/stroke.c), whether or not they are in the image, in the slice of its
 *               first point.  A pixel q of that slice belongs to the stroke if a pixel p of the
 *               line has 4 |q − p|² < width²: the line as a disc of this width draws it, 1 being
 *               the line itself.
 *   drawing     Strokes are drawn one after the other, so that a pixel is what the last stroke
 *               on it makes of it: of an object, of the background, or erased, that is none.
 *   markers     The connected components of all pixels of objects are the markers of objects,
 *               numbered from 1 in raster order of their first pixels.  So strokes that touch draw
 *               one marker, and one that another stroke divides draws two.  All pixels of the
 *               background, connected or not, are one marker, with the label
 *               WF_STROKES_BACKGROUND.
 *
 * What is flooded from the background's marker is no object: wf_labels_drop() takes its label away
 * after the flood, and what is merged, corrected or measured then is as with the background of
 * thresholded objects.
 *
 * A line goes on in one direction along the row and in one along the column, so the discs on it
 * cover an interval of each row: its ends are found from the two ends of the line in each row, and
 * the interval is filled.  The time of a line is that of its rows and of those of the disc, width ×
 * (rows + width), and of the pixels that are filled.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "strokes.h"
#include "engine/core/context.h"
#include "engine/core/context-private.h"
#include "engine/core/grid.h"
#include "engine/core/image.h"
#include "engine/core/run.h"
#include "engine/correction/stroke.h"

/**
 * Interval:
 * @first: a column; after @last in an empty one
 * @last: the last column
 */
typedef struct
{
  gint64 first;
  gint64 last;
} Interval;

static const Interval nothing = { G_MAXINT64, G_MININT64 };

/**
 * Pen:
 * @kinds: u8, of the size of the markers: 0, or what the last stroke has made of a pixel
 * @kind: of the stroke
 * @z: its slice
 * @radius: in how many rows beside its middle the disc is
 * @reach: for each of these rows, from the middle on, how far it reaches to either side
 * @line: of the rows of the image, and @radius more before and after: the line there
 * @covered: of the rows of the image: what the discs cover
 * @first_row: the first row of @line that is not empty
 * @last_row: the last one
 */
typedef struct
{
  WfImage   kinds;
  guint8    kind;
  gint64    z;
  gint64    radius;
  gint64    reach[WF_WIDEST_STROKE];
  Interval *line;
  Interval *covered;
  gint64    first_row;
  gint64    last_row;
} Pen;


static void
pen_free (Pen *pen)
{
  wf_image_clear (&pen->kinds);
  g_free (pen->line);
  g_free (pen->covered);
  g_free (pen);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pen, pen_free)

static Pen *
pen_new (const WfImage  *markers,
         GError        **error)
{
  const gint64     n_rows = markers->height + WF_WIDEST_STROKE;
  g_autoptr (Pen)  pen    = g_new0 (Pen, 1);

  pen->line    = wf_allocate (n_rows, sizeof (Interval), error);
  pen->covered = pen->line ? wf_allocate (n_rows, sizeof (Interval), error) : NULL;
  if (! pen->covered ||
      ! wf_image_allocate (&pen->kinds, WF_TYPE_U8, markers->width, markers->height,
                           markers->depth, error))
    return NULL;
  memset (pen->kinds.data, 0, (gsize) wf_image_n_pixels (&pen->kinds));
  for (gint64 i = 0; i < n_rows; i++)
    pen->line[i] = pen->covered[i] = nothing;
  return g_steal_pointer (&pen);
}


/*  Strokes  */

static void
set_width (Pen *pen,
           int  width)
{
  gint64 reach = pen->radius = (width - 1) / 2;

  for (gint64 row = 0; row <= pen->radius; row++)
    {
      while (4 * (reach * reach + row * row) >= (gint64) width * width)
        reach--;
      pen->reach[row] = reach;
    }
}

/* Of WfStrokeFunc: a pixel of the line in the image and @radius pixels around it. */
static gboolean
visit (gint64   x,
       gint64   y,
       gpointer data)
{
  Pen      *pen = data;
  Interval *row = &pen->line[y];

  row->first     = MIN (row->first, x - pen->radius);
  row->last      = MAX (row->last, x - pen->radius);
  pen->first_row = MIN (pen->first_row, y);
  pen->last_row  = MAX (pen->last_row, y);
  return TRUE;
}

static void
cover_rows (Pen    *pen,
            gint64  line_row)
{
  const Interval line   = pen->line[line_row];
  const gint64   middle = line_row - pen->radius;
  const gint64   end    = MIN (middle + pen->radius + 1, pen->kinds.height);

  for (gint64 y = MAX (middle - pen->radius, 0); y < end; y++)
    {
      const gint64  reach = pen->reach[ABS (y - middle)];
      Interval     *row   = &pen->covered[y];

      row->first = MIN (row->first, line.first - reach);
      row->last  = MAX (row->last, line.last + reach);
    }
}

static void
fill (Pen *pen)
{
  const gint64 first = MAX (pen->first_row - 2 * pen->radius, 0);
  const gint64 end   = MIN (pen->last_row + 1, pen->kinds.height);

  for (gint64 y = first; y < end; y++)
    {
      const gint64 left  = MAX (pen->covered[y].first, 0);
      const gint64 right = MIN (pen->covered[y].last, pen->kinds.width - 1);

      if (left <= right)
        memset ((guint8 *) pen->kinds.data + wf_image_offset (&pen->kinds, left, y, pen->z),
                pen->kind, (gsize) (right - left + 1));
      pen->covered[y] = nothing;
    }
}

static void
draw_line (Pen                *pen,
           const WfPixelPlace *from,
           const WfPixelPlace *to)
{
  const gint64       margin = 2 * pen->radius;
  const WfPixelPlace start  = { from->x + pen->radius, from->y + pen->radius, 0 };
  const WfPixelPlace end    = { to->x + pen->radius, to->y + pen->radius, 0 };

  pen->first_row = G_MAXINT64;
  pen->last_row  = G_MININT64;
  wf_stroke_walk (pen->kinds.width + margin, pen->kinds.height + margin, &start, &end, visit, pen);
  if (pen->first_row > pen->last_row)
    return;
  for (gint64 row = pen->first_row; row <= pen->last_row; row++)
    {
      cover_rows (pen, row);
      pen->line[row] = nothing;
    }
  fill (pen);
}

static gboolean
draw_stroke (Pen              *pen,
             const WfStrokes  *strokes,
             guint             i,
             GCancellable     *cancellable,
             GError          **error)
{
  const WfPixelPlace *points;
  guint               n;
  int                 width;
  WfStrokeKind        kind = wf_strokes_get (strokes, i, &width, &points, &n);

  pen->kind = kind == WF_STROKE_ERASE ? 0 : (guint8) (kind + 1);
  pen->z    = points->z;
  if (pen->z < 0 || pen->z >= pen->kinds.depth)
    return TRUE;
  set_width (pen, width);
  for (guint k = 0; k + 1 < MAX (n, 2); k++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return wf_run_set_cancelled (error);
      draw_line (pen, &points[k], &points[MIN (k + 1, n - 1)]);
    }
  return TRUE;
}


/*  Markers  */

/* Sets @objects to 1 where an object is drawn, to 0 elsewhere. */
static void
find_objects (const WfImage *kinds,
              WfImage       *objects)
{
  const guint8 *kind   = kinds->data;
  guint8       *object = objects->data;
  const gint64  n      = wf_image_n_pixels (kinds);

  for (gint64 i = 0; i < n; i++)
    object[i] = kind[i] == WF_STROKE_OBJECT + 1;
}

static void
add_background (const WfImage *kinds,
                WfImage       *markers)
{
  const gint64 n_rows = kinds->height * kinds->depth;

  for (gint64 row = 0; row < n_rows; row++)
    {
      const guint8 *kind   = wf_image_row (kinds, row);
      guint32      *marker = wf_image_row (markers, row);

      for (gint64 x = 0; x < kinds->width; x++)
        if (kind[x] == WF_STROKE_BACKGROUND + 1)
          marker[x] = WF_STROKES_BACKGROUND;
    }
}

/**
 * wf_strokes_draw:
 * @context: (nullable): number of threads and cancelling; the work is done on the CPU
 * @strokes: a list
 * @connectivity: of the markers: 4 or 8 in an image, 6 or 26 in a stack; 0 for the larger one
 * @markers: u32, in main memory: set to the markers, 0 elsewhere
 * @n_objects: (out): how many markers of objects there are
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Draws markers; see the top of drawing.c for their definition.
 *
 * Time: some nanoseconds a pixel of @markers and of the strokes.  Memory: 2 bytes a pixel, and that
 * of wf_label().
 *
 * Returns: %FALSE with @error set; then @markers are as they were
 */
gboolean
wf_strokes_draw (WfContext        *context,
                 const WfStrokes  *strokes,
                 int               connectivity,
                 WfImage          *markers,
                 guint32          *n_objects,
                 GError          **error)
{
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  g_autoptr (WfContext) quiet   = wf_context_new_quiet (own);
  g_autoptr (Pen)       pen     = NULL;
  g_auto (WfImage)      objects = { 0 };
  WfLabelOptions        options;

  g_return_val_if_fail (strokes != NULL && n_objects != NULL, FALSE);

  if (! wf_image_check_view (markers, _("marker image"), error) ||
      ! wf_image_check_host (markers, _("marker image"), error) ||
      ! wf_image_check_type (markers, WF_TYPE_U32, _("marker image"), error) ||
      ! (pen = pen_new (markers, error)) ||
      ! wf_image_allocate (&objects, WF_TYPE_U8, markers->width, markers->height, markers->depth,
                           error))
    return FALSE;
  for (guint i = 0; i < wf_strokes_get_n (strokes); i++)
    if (! draw_stroke (pen, strokes, i, wf_context_get_cancellable (own), error))
      return FALSE;

  find_objects (&pen->kinds, &objects);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  options.connectivity = connectivity;
  if (! wf_label (quiet, &objects, markers, n_objects, &options, error))
    return FALSE;
  add_background (&pen->kinds, markers);
  return TRUE;
}

/**
 * wf_labels_drop:
 * @labels: u32, in main memory
 * @label: which of them is dropped
 * @inside: (nullable): u8, size of @labels, in main memory
 *
 * Sets both images to 0 where @labels are @label, such as in the basin of the background's marker.
 *
 * Returns: at how many pixels they were
 */
gint64
wf_labels_drop (WfImage *labels,
                guint32  label,
                WfImage *inside)
{
  gint64 n_pixels = 0;
  gint64 n_rows;

  g_return_val_if_fail (labels != NULL && labels->type == WF_TYPE_U32, 0);
  g_return_val_if_fail (! inside || (inside->type == WF_TYPE_U8 &&
                                     inside->width == labels->width &&
                                     inside->height == labels->height &&
                                     inside->depth == labels->depth), 0);

  n_rows = labels->height * labels->depth;
  for (gint64 row = 0; row < n_rows; row++)
    {
      guint32 *at   = wf_image_row (labels, row);
      guint8  *mark = inside ? wf_image_row (inside, row) : NULL;

      for (gint64 x = 0; x < labels->width; x++)
        if (at[x] == label)
          {
            at[x] = 0;
            if (mark)
              mark[x] = 0;
            n_pixels++;
          }
    }
  return n_pixels;
}
