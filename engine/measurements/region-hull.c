/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The convex hull of a region's pixels, which are squares: of their corners.
 *
 * Only the ends of a region's first and last run in a row can be corners of the hull.  They come
 * in the order of rows, so the left and the right side are each made by one pass with a stack
 * (Andrew, Another efficient algorithm for convex hulls in two dimensions, Inf. Proc. Letters 9,
 * 1979).  The sides of a part of the rows are themselves such points in order: hulls of several
 * parts are joined by the same pass over their corners, and the result, whole numbers without
 * points in line, is the same for every division.
 *
 * Both Feret diameters are found by going around with the corner that is farthest from each edge
 * (rotating calipers: Shamos, Computational geometry, thesis, Yale 1978).
 *
 * A corner of a side takes 12 bytes; a convex polygon in a grid of n rows has few more than
 * n^(2∕3) corners.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/core/image.h"
#include "region-hull.h"


/* More than 0 where @c lies counter-clockwise of the line from @a to @b, for axes to the right
 * and down clockwise.
 */
static inline gint64
turn (WfHullPoint a,
      WfHullPoint b,
      WfHullPoint c)
{
  return ((gint64) b.x - a.x) * ((gint64) c.y - a.y) - ((gint64) b.y - a.y) * ((gint64) c.x - a.x);
}

/* Whether @middle is no corner of a side from the top to @last. */
static inline gboolean
is_inside (WfHullPoint before,
           WfHullPoint middle,
           WfHullPoint last,
           gboolean    right)
{
  const gint64 turned = turn (before, middle, last);

  return right ? turned <= 0 : turned >= 0;
}

/* Of two points of a side in the same row only the outer one counts. */
static inline gboolean
is_outer (WfHullPoint point,
          WfHullPoint other,
          gboolean    right)
{
  return right ? point.x > other.x : point.x < other.x;
}


/*  Sides as chains of nodes  */

static gboolean
grow_nodes (WfChainNodes  *nodes,
            GError       **error)
{
  const gint64  capacity = nodes->capacity + nodes->capacity / 2 + 64;
  WfChainNode  *grown    = wf_allocate (capacity < WF_CHAIN_END ? capacity : G_MAXINT64,
                                        sizeof *grown, error);

  if (! grown)
    return FALSE;
  if (nodes->n > 0)
    memcpy (grown, nodes->nodes, nodes->n * sizeof *grown);
  g_free (nodes->nodes);
  nodes->nodes    = grown;
  nodes->capacity = capacity;
  return TRUE;
}

/* Frees the last node of a side. */
static inline void
drop (WfChainNodes *nodes,
      guint32      *last)
{
  const guint32 dropped = *last;

  *last                         = nodes->nodes[dropped].before;
  nodes->nodes[dropped].before  = nodes->free;
  nodes->free                   = dropped;
}

static gboolean
add_point (WfChainNodes  *nodes,
           guint32       *last,
           WfHullPoint    point,
           gboolean       right,
           GError       **error)
{
  guint32 added;

  if (*last != WF_CHAIN_END && nodes->nodes[*last].point.y == point.y)
    {
      if (! is_outer (point, nodes->nodes[*last].point, right))
        return TRUE;
      drop (nodes, last);
    }
  while (*last != WF_CHAIN_END && nodes->nodes[*last].before != WF_CHAIN_END &&
         is_inside (nodes->nodes[nodes->nodes[*last].before].point, nodes->nodes[*last].point,
                    point, right))
    drop (nodes, last);

  added = nodes->free;
  if (added != WF_CHAIN_END)
    nodes->free = nodes->nodes[added].before;
  else
    {
      if (nodes->n == nodes->capacity && ! grow_nodes (nodes, error))
        return FALSE;
      added = (guint32) nodes->n++;
    }
  nodes->nodes[added] = (WfChainNode) { point, *last };
  *last               = added;
  return TRUE;
}

/**
 * wf_chains_finish:
 * @chains: of a region
 * @nodes: of its band
 * @error: %WF_ERROR_MEMORY
 *
 * Adds the right end of the last row.
 *
 * Returns: success
 */
gboolean
wf_chains_finish (WfChains      *chains,
                  WfChainNodes  *nodes,
                  GError       **error)
{
  const gint32 x = (gint32) chains->end;
  const gint32 y = (gint32) chains->row;

  return chains->row < 0 ||
         (add_point (nodes, &chains->right, (WfHullPoint) { x, y }, TRUE, error) &&
          add_point (nodes, &chains->right, (WfHullPoint) { x, y + 1 }, TRUE, error));
}

/**
 * wf_chains_add_run:
 * @chains: of a region
 * @nodes: of its band
 * @row: not above that of the run before
 * @from: the first column of the run, to the right of one in the same row before
 * @to: the one after the last
 * @error: %WF_ERROR_MEMORY
 *
 * Adds a run of the region.
 *
 * Returns: success
 */
gboolean
wf_chains_add_run (WfChains      *chains,
                   WfChainNodes  *nodes,
                   gint64         row,
                   gint64         from,
                   gint64         to,
                   GError       **error)
{
  const gint32 x = (gint32) from;
  const gint32 y = (gint32) row;

  if (chains->row != row &&
      (! wf_chains_finish (chains, nodes, error) ||
       ! add_point (nodes, &chains->left, (WfHullPoint) { x, y }, FALSE, error) ||
       ! add_point (nodes, &chains->left, (WfHullPoint) { x, y + 1 }, FALSE, error)))
    return FALSE;
  chains->row = row;
  chains->end = to;
  return TRUE;
}

void
wf_chain_nodes_clear (WfChainNodes *nodes)
{
  g_clear_pointer (&nodes->nodes, g_free);
  *nodes = (WfChainNodes) WF_CHAIN_NODES_NONE;
}


/*  Hulls  */

static gboolean
make_room (WfHullPoint **points,
           gint64       *capacity,
           gint64        n,
           GError      **error)
{
  const gint64  wanted = n + n / 2 + 64;
  WfHullPoint  *grown;

  if (n <= *capacity)
    return TRUE;
  grown = wf_allocate (wanted, sizeof *grown, error);
  if (! grown)
    return FALSE;
  if (*capacity > 0)
    memcpy (grown, *points, *capacity * sizeof *grown);
  g_free (*points);
  *points   = grown;
  *capacity = wanted;
  return TRUE;
}

/* The points of a side from the top; returns how many, or −1 with @error set. */
static gint64
take_side (WfHull              *hull,
           const WfChainNodes  *nodes,
           guint32              last,
           GError             **error)
{
  gint64 n = 0;

  for (guint32 node = last; node != WF_CHAIN_END; node = nodes->nodes[node].before)
    n++;
  if (! make_room (&hull->reversed, &hull->reversed_capacity, n, error))
    return -1;
  for (gint64 i = n; last != WF_CHAIN_END; last = nodes->nodes[last].before)
    hull->reversed[--i] = nodes->nodes[last].point;
  return n;
}

/* Begins a side of a hull: first the left, then the right one. */
void
wf_hull_start_side (WfHull   *hull,
                    gboolean  right)
{
  hull->right  = right;
  hull->n_left = right ? hull->n : 0;
}

/**
 * wf_hull_add_side:
 * @hull: of a region, with a side that was started
 * @nodes: of a band
 * @last: the last node of its side there
 * @error: %WF_ERROR_MEMORY
 *
 * Adds the side of a band below those that were added.
 *
 * Returns: success
 */
gboolean
wf_hull_add_side (WfHull              *hull,
                  const WfChainNodes  *nodes,
                  guint32              last,
                  GError             **error)
{
  const gboolean right = hull->right;
  const gint64   base  = hull->n_left;
  const gint64   n     = take_side (hull, nodes, last, error);

  if (n < 0 || ! make_room (&hull->points, &hull->capacity, hull->n + n, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      const WfHullPoint point = hull->reversed[i];

      if (hull->n > base && hull->points[hull->n - 1].y == point.y)
        {
          if (! is_outer (point, hull->points[hull->n - 1], right))
            continue;
          hull->n--;
        }
      while (hull->n > base + 1 && is_inside (hull->points[hull->n - 2], hull->points[hull->n - 1],
                                              point, right))
        hull->n--;
      hull->points[hull->n++] = point;
    }
  return TRUE;
}

/* Corner @i on the way around: down the left side, then up the right one. */
static inline WfHullPoint
corner (const WfHull *hull,
        gint64        i)
{
  return hull->points[i < hull->n_left ? i : hull->n - 1 - (i - hull->n_left)];
}

/**
 * wf_hull_area:
 * @hull: complete
 *
 * Returns: its area in pixels: half a whole number
 */
double
wf_hull_area (const WfHull *hull)
{
  const WfHullPoint origin = corner (hull, 0);
  gint64            twice  = 0;

  for (gint64 i = 1; i + 1 < hull->n; i++)
    twice -= turn (origin, corner (hull, i), corner (hull, i + 1));
  return (double) twice / 2;
}

/* The angle of a line, in degrees from 0 up to 180, counter-clockwise from the x axis as seen. */
static double
angle_of (double x,
          double y)
{
  const double angle = atan2 (-y, x) * 180 / G_PI;
  const double turned = angle < 0 ? angle + 180 : angle;

  return turned >= 180 ? turned - 180 : turned;
}

typedef struct
{
  const double *pixel_size;
  double        square;       /* of the greatest distance so far */
  WfFeret      *feret;
} Calipers;

static void
measure_pair (Calipers    *calipers,
              WfHullPoint  a,
              WfHullPoint  b)
{
  const gboolean swap   = a.y > b.y || (a.y == b.y && a.x > b.x);
  const double   x      = (swap ? a.x - b.x : b.x - a.x) * calipers->pixel_size[0];
  const double   y      = (swap ? a.y - b.y : b.y - a.y) * calipers->pixel_size[1];
  const double   square = x * x + y * y;

  if (square <= calipers->square)
    return;
  calipers->square               = square;
  calipers->feret->maximum       = sqrt (square);
  calipers->feret->maximum_angle = angle_of (x, y);
}

/* @far: the corner that is farthest from the edge from @a to @b */
static void
measure_width (Calipers    *calipers,
               WfHullPoint  a,
               WfHullPoint  b,
               WfHullPoint  far)
{
  const double *size  = calipers->pixel_size;
  const double  x     = (b.x - a.x) * size[0];
  const double  y     = (b.y - a.y) * size[1];
  const double  width = (double) -turn (a, b, far) * size[0] * size[1] / sqrt (x * x + y * y);

  if (width >= calipers->feret->minimum)
    return;
  calipers->feret->minimum       = width;
  calipers->feret->minimum_angle = angle_of (-y, x);
}

/**
 * wf_hull_feret:
 * @hull: complete
 * @pixel_size: of a pixel along x and y
 * @feret: filled, in the unit of @pixel_size
 *
 * Which corner is farthest from an edge does not depend on the size of a pixel.  Of several pairs
 * with the greatest distance, and of several least widths, the first on the way around is taken.
 */
void
wf_hull_feret (const WfHull *hull,
               const double *pixel_size,
               WfFeret      *feret)
{
  Calipers     calipers = { pixel_size, -1, feret };
  const gint64 n        = hull->n;
  gint64       far      = 1;

  *feret = (WfFeret) { .minimum = INFINITY };
  for (gint64 i = 0; i < n; i++)
    {
      const WfHullPoint a = corner (hull, i);
      const WfHullPoint b = corner (hull, (i + 1) % n);

      while (-turn (a, b, corner (hull, (far + 1) % n)) > -turn (a, b, corner (hull, far)))
        {
          far = (far + 1) % n;
          measure_pair (&calipers, a, corner (hull, far));
        }
      measure_pair (&calipers, a, corner (hull, far));
      measure_pair (&calipers, b, corner (hull, far));
      if (turn (a, b, corner (hull, (far + 1) % n)) == turn (a, b, corner (hull, far)))
        {
          measure_pair (&calipers, a, corner (hull, (far + 1) % n));
          measure_pair (&calipers, b, corner (hull, (far + 1) % n));
        }
      measure_width (&calipers, a, b, corner (hull, far));
    }
}

void
wf_hull_clear (WfHull *hull)
{
  g_free (hull->points);
  g_free (hull->reversed);
  memset (hull, 0, sizeof *hull);
}
