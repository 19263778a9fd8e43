/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Boundaries between labels as polylines.
 *
 * A boundary runs between pixels, along the edges that two pixels with different labels
 * share.  These edges, one pixel long, form a graph on the corners of the pixels.  A
 * corner of two edges is an inner point of a boundary; a corner of three or four edges is
 * a junction of three or four basins; a corner of one edge lies on the edge of the image.
 * The polylines are the paths between junctions and ends, and the loops that remain.  Each
 * edge belongs to one polyline, polylines meet at junctions only, and each polyline has the
 * same two labels on its two sides.
 *
 * A polyline has a point where its direction changes; with a tolerance, it keeps only the points
 * that are needed so that none of the others is further away from it than the tolerance
 * (Douglas and Peucker, Algorithms for the reduction of the number of points required
 * to represent a digitized line or its caricature, The Canadian Cartographer 10, 1973).
 * Junctions do not move, so polylines still meet there.  With a tolerance of at least √½, stairs
 * of single pixels become straight.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "polylines.h"

/* The edges that leave a corner to the right and downwards; the edges upwards and to the left
 * belong to the corners there.
 */
#define RIGHT 1
#define DOWN  2
#define NODE  4   /* a junction, or an end */

typedef enum
{
  GO_RIGHT,
  GO_DOWN,
  GO_LEFT,
  GO_UP
} Direction;

static const int step_x[] = { 1, 0, -1, 0 };
static const int step_y[] = { 0, 1, 0, -1 };

/* Corners have coordinates from 0 to @width and from 0 to @height. */
typedef struct
{
  gint64  width;
  gint64  height;
  guint8 *corners;
} Grid;

typedef struct
{
  double x;
  double y;
} Point;

/**
 * Tracer:
 * @points: of the current polyline
 * @kept: for each point, whether it is kept
 * @spans: the stack of the spans to simplify
 */
typedef struct
{
  Grid            grid;
  double          tolerance;
  GArray         *points;
  GByteArray     *kept;
  GArray         *spans;
  WfPolylineFunc  func;
  gpointer        data;
} Tracer;

typedef struct
{
  gsize first;
  gsize last;
} Span;


/*  The graph  */

static guint8 *
corner_at (const Grid *grid,
           gint64      x,
           gint64      y)
{
  return &grid->corners[y * (grid->width + 1) + x];
}

/* Finds the edge that leaves (@x, @y) in @direction: the corner that stores it, and its bit. */
static guint8 *
edge_at (const Grid *grid,
         gint64      x,
         gint64      y,
         Direction   direction,
         guint8     *bit)
{
  *bit = direction == GO_RIGHT || direction == GO_LEFT ? RIGHT : DOWN;
  if ((direction == GO_LEFT && x == 0) || (direction == GO_UP && y == 0))
    return NULL;
  if (direction == GO_LEFT)
    return corner_at (grid, x - 1, y);
  if (direction == GO_UP)
    return corner_at (grid, x, y - 1);
  return corner_at (grid, x, y);
}

static gboolean
has_edge (const Grid *grid,
          gint64      x,
          gint64      y,
          Direction   direction)
{
  guint8  bit;
  guint8 *edge = edge_at (grid, x, y, direction, &bit);

  return edge && (*edge & bit) != 0;
}

/* No edge is beside a pixel that is not selected. */
static gboolean
divides (const guint32 *here,
         const guint8  *inside,
         gint64         step)
{
  return here[0] != here[-step] && (! inside || (inside[0] && inside[-step]));
}

static void
find_edges (const WfImage *labels,
            const WfImage *mask,
            Grid          *grid)
{
  for (gint64 y = 0; y < grid->height; y++)
    {
      const guint32 *here   = (const guint32 *) labels->data + y * labels->row_stride;
      const guint8  *inside = mask ? (const guint8 *) mask->data + y * mask->row_stride : NULL;
      const gint64   up     = y > 0 ? labels->row_stride : 0;

      for (gint64 x = 0; x < grid->width; x++, here++)
        {
          const guint8 *at = inside ? inside + x : NULL;

          *corner_at (grid, x, y) = (divides (here, at, up) ? RIGHT : 0) |
                                    (x > 0 && divides (here, at, 1) ? DOWN : 0);
        }
    }
}

static void
find_nodes (Grid *grid)
{
  for (gint64 y = 0; y <= grid->height; y++)
    for (gint64 x = 0; x <= grid->width; x++)
      {
        int n = 0;

        for (Direction direction = GO_RIGHT; direction <= GO_UP; direction++)
          n += has_edge (grid, x, y, direction);
        if (n != 0 && n != 2)
          *corner_at (grid, x, y) |= NODE;
      }
}


/*  Fewer points  */

/* The distance from @point to the segment between @a and @b. */
static double
distance_to_segment (const Point *point,
                     const Point *a,
                     const Point *b)
{
  double dx     = b->x - a->x;
  double dy     = b->y - a->y;
  double square = dx * dx + dy * dy;
  double t      = 0;

  if (square > 0)
    t = CLAMP (((point->x - a->x) * dx + (point->y - a->y) * dy) / square, 0, 1);
  return hypot (point->x - a->x - t * dx, point->y - a->y - t * dy);
}

/* Finds the inner point of @span with the largest distance from the segment between its ends. */
static gsize
find_furthest (const Point *points,
               Span         span,
               double      *distance)
{
  gsize furthest = span.first;

  *distance = 0;
  for (gsize i = span.first + 1; i < span.last; i++)
    {
      double d = distance_to_segment (&points[i], &points[span.first], &points[span.last]);

      if (d > *distance)
        {
          *distance = d;
          furthest  = i;
        }
    }
  return furthest;
}

static void
mark_needed (Tracer *tracer,
             gsize   first,
             gsize   last)
{
  const Point *points = (const Point *) tracer->points->data;
  Span         span   = { first, last };

  g_array_append_val (tracer->spans, span);
  while (tracer->spans->len > 0)
    {
      double distance;
      gsize  furthest;

      span = g_array_index (tracer->spans, Span, tracer->spans->len - 1);
      g_array_set_size (tracer->spans, tracer->spans->len - 1);
      furthest = find_furthest (points, span, &distance);
      if (distance > tracer->tolerance)
        {
          Span before = { span.first, furthest };
          Span after  = { furthest, span.last };

          tracer->kept->data[furthest] = TRUE;
          g_array_append_val (tracer->spans, before);
          g_array_append_val (tracer->spans, after);
        }
    }
}

/* A loop that would become a line is not simplified. */
static void
simplify (Tracer   *tracer,
          gboolean  closed)
{
  Point *points = (Point *) tracer->points->data;
  gsize  last   = tracer->points->len - 1;
  gsize  n      = 0;

  g_byte_array_set_size (tracer->kept, (guint) last + 1);
  for (gsize i = 0; i <= last; i++)
    tracer->kept->data[i] = i == 0 || i == last;
  mark_needed (tracer, 0, last);

  for (gsize i = 0; i <= last; i++)
    n += tracer->kept->data[i];
  if (closed && n < 4)
    return;

  n = 0;
  for (gsize i = 0; i <= last; i++)
    if (tracer->kept->data[i])
      points[n++] = points[i];
  g_array_set_size (tracer->points, (guint) n);
}


/*  Following it  */

/* The first point of a loop is also its last one until here.  Without a junction there, it is a
 * point of the loop only if the direction changes.
 */
static void
finish (Tracer   *tracer,
        gboolean  closed,
        gboolean  at_node)
{
  GArray *points = tracer->points;

  if (closed && ! at_node)
    {
      const Point *p = (const Point *) points->data;
      const Point  a = p[0], b = p[1], z = p[points->len - 2];

      if ((a.x == b.x && a.x == z.x) || (a.y == b.y && a.y == z.y))
        {
          Point first = b;

          g_array_remove_index (points, 0);
          g_array_set_size (points, points->len - 1);
          g_array_append_val (points, first);
        }
    }
  if (tracer->tolerance > 0)
    simplify (tracer, closed);
  tracer->func ((const double *) points->data, points->len - (closed ? 1 : 0), closed,
                tracer->data);
}

static gboolean
find_way_on (const Grid *grid,
             gint64      x,
             gint64      y,
             Direction  *direction)
{
  for (Direction way = GO_RIGHT; way <= GO_UP; way++)
    if (has_edge (grid, x, y, way))
      {
        *direction = way;
        return TRUE;
      }
  return FALSE;
}

/* Removes the edges that it follows. */
static void
follow (Tracer    *tracer,
        gint64     x,
        gint64     y,
        Direction  direction)
{
  const Grid *grid    = &tracer->grid;
  const Point start   = { (double) x, (double) y };
  gboolean    at_node = (*corner_at (grid, x, y) & NODE) != 0;
  Direction   onward  = direction;
  Point       here    = start;

  g_array_set_size (tracer->points, 0);
  g_array_append_val (tracer->points, start);
  do
    {
      guint8  bit;
      guint8 *edge = edge_at (grid, x, y, onward, &bit);

      if (onward != direction)
        g_array_append_val (tracer->points, here);
      direction = onward;
      *edge    &= (guint8) ~bit;
      x        += step_x[direction];
      y        += step_y[direction];
      here      = (Point) { (double) x, (double) y };
    }
  while (! (*corner_at (grid, x, y) & NODE) && find_way_on (grid, x, y, &onward));
  g_array_append_val (tracer->points, here);

  finish (tracer, here.x == start.x && here.y == start.y, at_node);
}

static void
follow_all (Tracer   *tracer,
            gboolean  from_nodes)
{
  const Grid *grid = &tracer->grid;

  for (gint64 y = 0; y <= grid->height; y++)
    for (gint64 x = 0; x <= grid->width; x++)
      {
        Direction direction;

        if (from_nodes && ! (*corner_at (grid, x, y) & NODE))
          continue;
        while (find_way_on (grid, x, y, &direction))
          follow (tracer, x, y, direction);
      }
}

/**
 * wf_polylines_trace:
 * @labels: u32, a 2-D image
 * @mask: (nullable): u8, as large, with rows of the same length: 0 where nothing is selected
 * @tolerance: the maximum distance of a point of the boundary from its polyline, in pixels
 * @func: receives the polylines
 * @data: for @func
 * @error: %WF_ERROR_MEMORY
 *
 * Traces the boundaries between different labels, including 0, within
 * the selection.  Needs one byte per pixel.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_polylines_trace (const WfImage   *labels,
                    const WfImage   *mask,
                    double           tolerance,
                    WfPolylineFunc   func,
                    gpointer         data,
                    GError         **error)
{
  Tracer tracer = { .grid = { labels->width, labels->height, NULL },
                    .tolerance = tolerance, .func = func, .data = data };

  tracer.grid.corners = g_try_malloc0_n ((gsize) labels->width + 1, (gsize) labels->height + 1);
  if (! tracer.grid.corners)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY,
                           _("There is not enough memory to trace the boundaries."));
      return FALSE;
    }
  tracer.points = g_array_new (FALSE, FALSE, sizeof (Point));
  tracer.spans  = g_array_new (FALSE, FALSE, sizeof (Span));
  tracer.kept   = g_byte_array_new ();

  find_edges (labels, mask, &tracer.grid);
  find_nodes (&tracer.grid);
  follow_all (&tracer, TRUE);
  follow_all (&tracer, FALSE);

  g_array_unref (tracer.points);
  g_array_unref (tracer.spans);
  g_byte_array_unref (tracer.kept);
  g_free (tracer.grid.corners);
  return TRUE;
}


/*  Lines of pixels  */

/* The label that a line pixel gets from a neighbour, or 0. */
static guint32
label_beside (const WfImage *labels,
              gint64         x,
              gint64         y)
{
  const guint32 *here = (const guint32 *) labels->data + y * labels->row_stride + x;

  if (x > 0 && here[-1])
    return here[-1];
  if (y > 0 && here[-labels->row_stride])
    return here[-labels->row_stride];
  if (x + 1 < labels->width && here[1])
    return here[1];
  if (y + 1 < labels->height && here[labels->row_stride])
    return here[labels->row_stride];
  return 0;
}

static GArray *
list_line_pixels (const WfImage *labels,
                  const WfImage *mask)
{
  GArray *pixels = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 y = 0; y < labels->height; y++)
    {
      const guint32 *here   = (const guint32 *) labels->data + y * labels->row_stride;
      const guint8  *inside = mask ? (const guint8 *) mask->data + y * mask->row_stride : NULL;

      for (gint64 x = 0; x < labels->width; x++)
        if (here[x] == 0 && (! inside || inside[x]))
          {
            gint64 pixel = y * labels->width + x;

            g_array_append_val (pixels, pixel);
          }
    }
  return pixels;
}

/* Labels all pixels of a round at once, so that a line two pixels wide is divided in its middle.
 * Returns whether any pixel had a labelled neighbour; @pixels keeps those that had none.
 */
static gboolean
label_pixels (WfImage *labels,
              GArray  *pixels,
              GArray  *found)
{
  gint64 *list   = (gint64 *) pixels->data;
  guint   n_left = 0;

  g_array_set_size (found, pixels->len);
  for (guint i = 0; i < pixels->len; i++)
    g_array_index (found, guint32, i) = label_beside (labels, list[i] % labels->width,
                                                      list[i] / labels->width);
  for (guint i = 0; i < pixels->len; i++)
    {
      guint32 label = g_array_index (found, guint32, i);
      gint64  y     = list[i] / labels->width;

      if (label != 0)
        ((guint32 *) labels->data)[y * labels->row_stride + list[i] % labels->width] = label;
      else
        list[n_left++] = list[i];
    }
  if (n_left == pixels->len)
    return FALSE;

  g_array_set_size (pixels, n_left);
  return n_left > 0;
}

/**
 * wf_polylines_close_lines:
 * @labels: u32, a 2-D image in which narrow lines have label 0
 * @mask: (nullable): u8, the same size: 0 where label 0 is not a line
 *
 * Adds the pixels of lines to adjacent basins, so that one boundary runs between the
 * basins, not one on each side of the line.  Needs 12 bytes for each pixel of a line.
 */
void
wf_polylines_close_lines (WfImage       *labels,
                          const WfImage *mask)
{
  g_autoptr (GArray) pixels = list_line_pixels (labels, mask);
  g_autoptr (GArray) found  = g_array_new (FALSE, FALSE, sizeof (guint32));

  while (label_pixels (labels, pixels, found))
    continue;
}
