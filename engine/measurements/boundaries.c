/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Boundaries between regions as polylines, in each slice of a stack; pixels of no region are one,
 * too.
 *
 * A boundary runs between pixels, along the edges that two pixels with different labels
 * share.  These edges, one pixel long, form a graph on the corners of the pixels.  A
 * corner of two edges is an inner point of a boundary; a corner of three or four edges is
 * a junction of three or four regions; a corner of one edge lies on the edge of the image.
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
 *
 * Edges are a byte for each corner, which is gone over four times: once to find the edges, once to
 * find the junctions, and twice for what begins there.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/core/image.h"
#include "engine/core/memory.h"
#include "engine/core/run.h"

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
 * @mask: (nullable): 0 where nothing is traced
 * @slice: that is traced
 * @points: of the current polyline
 * @kept: for each point, whether it is kept
 * @spans: the stack of the spans to simplify
 */
typedef struct
{
  const WfImage  *labels;
  const WfImage  *mask;
  gint64          slice;
  Grid            grid;
  double          tolerance;
  GArray         *points;
  GByteArray     *kept;
  GArray         *spans;
  WfBoundaryFunc  func;
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

static void
find_row (const guint32 *here,
          const guint32 *above,
          gint64         width,
          guint8        *corners)
{
  corners[0] = here[0] != above[0] ? RIGHT : 0;
  for (gint64 x = 1; x < width; x++)
    corners[x] = (here[x] != above[x] ? RIGHT : 0) | (here[x] != here[x - 1] ? DOWN : 0);
}

/* No edge is beside a pixel outside the mask. */
static void
find_row_within (const guint32 *here,
                 const guint32 *above,
                 const guint8  *inside,
                 const guint8  *inside_above,
                 gint64         width,
                 guint8        *corners)
{
  for (gint64 x = 0; x < width; x++)
    {
      const gint64 left = MAX (x - 1, 0);

      corners[x] = (guint8) ((here[x] != above[x] && inside[x] && inside_above[x] ? RIGHT : 0) |
                             (here[x] != here[left] && inside[x] && inside[left] ? DOWN : 0));
    }
}

static gboolean
find_edges (const Tracer *tracer,
            WfRun        *run)
{
  const WfImage *labels = tracer->labels;
  const WfImage *mask   = tracer->mask;
  const Grid    *grid   = &tracer->grid;

  memset (grid->corners, 0, (gsize) (grid->width + 1) * (gsize) (grid->height + 1));
  for (gint64 y = 0; y < grid->height; y++)
    {
      const gint64   row   = tracer->slice * grid->height + y;
      const gint64   up    = y > 0 ? row - 1 : row;
      const guint32 *here  = wf_image_row (labels, row);
      const guint32 *above = wf_image_row (labels, up);

      if (mask)
        find_row_within (here, above, wf_image_row (mask, row), wf_image_row (mask, up),
                         grid->width, corner_at (grid, 0, y));
      else
        find_row (here, above, grid->width, corner_at (grid, 0, y));
      if (! wf_run_advance (run, grid->width))
        return FALSE;
    }
  return TRUE;
}

static gboolean
find_nodes (const Grid *grid,
            WfRun      *run)
{
  for (gint64 y = 0; y <= grid->height; y++)
    {
      for (gint64 x = 0; x <= grid->width; x++)
        {
          int n = 0;

          for (Direction direction = GO_RIGHT; direction <= GO_UP; direction++)
            n += has_edge (grid, x, y, direction);
          if (n != 0 && n != 2)
            *corner_at (grid, x, y) |= NODE;
        }
      if (! wf_run_advance (run, y > 0 ? grid->width : 0))
        return FALSE;
    }
  return TRUE;
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
                tracer->slice, tracer->data);
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

static gboolean
follow_all (Tracer   *tracer,
            gboolean  from_nodes,
            WfRun    *run)
{
  const Grid *grid = &tracer->grid;

  for (gint64 y = 0; y <= grid->height; y++)
    {
      for (gint64 x = 0; x <= grid->width; x++)
        {
          Direction direction;

          if (from_nodes && ! (*corner_at (grid, x, y) & NODE))
            continue;
          while (find_way_on (grid, x, y, &direction))
            follow (tracer, x, y, direction);
        }
      if (! wf_run_advance (run, y > 0 ? grid->width : 0))
        return FALSE;
    }
  return TRUE;
}

static void
tracer_clear (Tracer *tracer)
{
  g_free (tracer->grid.corners);
  g_clear_pointer (&tracer->points, g_array_unref);
  g_clear_pointer (&tracer->spans, g_array_unref);
  g_clear_pointer (&tracer->kept, g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tracer, tracer_clear)

static guint64
count_corners (const WfImage *labels)
{
  return ((guint64) labels->width + 1) * ((guint64) labels->height + 1);
}

/* Of WfContextWorkFunc. */
static gboolean
trace_all (gpointer   data,
           WfRun     *run,
           GError   **error)
{
  Tracer       *tracer  = data;
  const gint64  n_steps = 4;

  tracer->grid.corners = wf_allocate ((gint64) count_corners (tracer->labels), 1, error);
  if (! tracer->grid.corners)
    return FALSE;
  wf_run_begin (run, 1.0, n_steps * wf_image_n_pixels (tracer->labels));
  for (tracer->slice = 0; tracer->slice < tracer->labels->depth; tracer->slice++)
    if (! find_edges (tracer, run) || ! find_nodes (&tracer->grid, run) ||
        ! follow_all (tracer, TRUE, run) || ! follow_all (tracer, FALSE, run))
      return wf_run_set_cancelled (error);
  return TRUE;
}

/**
 * wf_boundaries_trace:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u32, width × height × depth; pixels of label 0 are a region, too
 * @mask: (nullable): u8, size of @labels: 0 where nothing is traced; %NULL: all is
 * @tolerance: the maximum distance of a point of the boundary from its polyline, in pixels, from 0
 * @func: (scope call): receives the polylines
 * @data: for @func
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED; in the latter case some
 *   polylines may have been received
 *
 * Traces the boundaries between the regions inside the mask, in each slice of a stack; see the top
 * of boundaries.c for the definition.  Regions beside each other share them, unlike the outlines of
 * wf_outlines_trace().  wf_labels_close_lines() closes lines of pixels before.
 *
 * Time: linear in the pixels and, without a tolerance, in the edges, by one thread; with one, at
 * most quadratic in the points of a polyline.  Memory: a byte for each pixel of a slice, and the
 * longest polyline.
 *
 * Source: Douglas and Peucker (1973), for the tolerance.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_boundaries_trace (WfContext       *context,
                     const WfImage   *labels,
                     const WfImage   *mask,
                     double           tolerance,
                     WfBoundaryFunc   func,
                     gpointer         data,
                     GError         **error)
{
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  g_auto (WfStaging)    staging = { .context = own };
  g_auto (Tracer)       tracer  = { .tolerance = tolerance, .func = func, .data = data };

  g_return_val_if_fail (tolerance >= 0 && func != NULL, FALSE);

  if (! wf_image_check_view (labels, _("label image"), error) ||
      ! wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error) ||
      (mask && (! wf_image_check_view (mask, _("mask"), error) ||
                ! wf_image_check_type (mask, WF_TYPE_U8, _("mask"), error) ||
                ! wf_image_check_size (mask, _("mask"), labels, _("label image"), error))) ||
      ! wf_staging_take (&staging, &labels, error) ||
      (mask && ! wf_staging_take (&staging, &mask, error)))
    return FALSE;

  tracer.labels = labels;
  tracer.mask   = mask;
  tracer.grid   = (Grid) { labels->width, labels->height, NULL };
  tracer.points = g_array_new (FALSE, FALSE, sizeof (Point));
  tracer.spans  = g_array_new (FALSE, FALSE, sizeof (Span));
  tracer.kept   = g_byte_array_new ();
  return wf_context_work (own, "cracks", count_corners (labels), trace_all, &tracer, error);
}
