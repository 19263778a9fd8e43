/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outlines of labelled regions, along the edges of pixels.
 *
 * A region, the pixels of one label in a slice, consists of pieces, whose pixels are connected by
 * their edges.  A piece is a polygon: one ring around it, and one for each of its holes.  The
 * corners of rings are corners of pixels: pixel x, y is the square from x, y to x + 1, y + 1.
 * Rings run so that the piece is at their right, seen with y downwards: around it clockwise,
 * around holes the other way.  So the shoelace formula gives rings around pieces a positive area
 * and holes a negative one, and the areas of a region's rings add up to its pixels.
 *
 * A ring visits no point twice: what touches itself at a corner is divided there into several
 * rings.  So polygons are valid in the sense of the OGC's Simple Features: two rings of a polygon
 * touch in points at most, and its inside is connected.
 *
 * The edges are followed from pixel to pixel (crack following; Rosenfeld and Kak, Digital Picture
 * Processing, 1982), each once.  Rings are found in raster order, at the left edge of a pixel.
 * That of a hole has region above its topmost row: the left end of the run there is an edge of the
 * same piece, whose ring was found before.
 *
 * Time: linear in the pixels and the edges.  Memory: 4 bytes for each pixel of a slice, and 8 for
 * each corner.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/core/image.h"
#include "engine/core/memory.h"
#include "engine/core/run.h"

/* Along x, down, back, up; the region is at the right. */
typedef enum
{
  EAST,
  SOUTH,
  WEST,
  NORTH
} Direction;

/* @piece: number of its piece among those of the slice; @area: twice that; points are @first to
 *   @end of all
 */
typedef struct
{
  guint32 label;
  gint64  piece;
  gint64  area;
  gsize   first;
  gsize   end;
} Ring;

/**
 * WfOutlines:
 * @regions: (element-type WfOutline)
 * @blocks: rings and points of each slice
 */
struct _WfOutlines
{
  GArray    *regions;
  GPtrArray *blocks;
};

/**
 * Trace:
 * @found: for each pixel, 1 + the number of the walk along its left edge; 0: there was none
 * @pieces: (element-type gint64): of each walk
 * @stack: the corners of the ring that is followed
 * @pinches: places in @stack of the points where it may touch itself
 */
typedef struct
{
  WfOutlines    *outlines;
  const WfImage *labels;
  gint64         slice;
  guint32       *found;
  GArray        *pieces;
  gint64         n_pieces;
  GArray        *rings;
  GArray        *points;
  GArray        *stack;
  GHashTable    *pinches;
} Trace;

typedef struct
{
  WfOutlines    *outlines;
  const WfImage *labels;
} Work;


static inline guint32
label_at (const Trace *trace,
          gint64       x,
          gint64       y)
{
  const WfImage *labels = trace->labels;

  if (x < 0 || y < 0 || x >= labels->width || y >= labels->height)
    return 0;
  return ((const guint32 *) wf_image_row (labels, trace->slice * labels->height + y))[x];
}

/* Whether the pixel ahead at the right, or at the left, of a point belongs to the region. */
static inline gboolean
is_inside (const Trace     *trace,
           WfOutlinePoint   point,
           Direction        direction,
           gboolean         at_right,
           guint32          label)
{
  static const int right[4][2] = { { 0, 0 }, { -1, 0 }, { -1, -1 }, { 0, -1 } };
  const int       *step        = right[at_right ? direction : (direction + 3) % 4];

  return label_at (trace, point.x + step[0], point.y + step[1]) == label;
}

static WfOutlinePoint
go (WfOutlinePoint point,
    Direction      direction)
{
  static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };

  return (WfOutlinePoint) { point.x + steps[direction][0], point.y + steps[direction][1] };
}

static WfOutlinePoint *
point_of (const Trace *trace,
          guint        i)
{
  return &g_array_index (trace->stack, WfOutlinePoint, i);
}

/* Twice the area of the points from @first on. */
static gint64
double_area (const Trace *trace,
             guint        first)
{
  const guint n    = trace->stack->len;
  gint64      area = 0;

  for (guint i = first; i < n; i++)
    {
      const WfOutlinePoint *a = point_of (trace, i);
      const WfOutlinePoint *b = point_of (trace, i + 1 < n ? i + 1 : first);

      area += (gint64) a->x * b->y - (gint64) b->x * a->y;
    }
  return area;
}

/* Keeps the points from @first on as a ring, and takes all but the first from the stack. */
static void
end_ring (Trace   *trace,
          guint    first,
          guint32  label)
{
  const Ring ring = { label, 0, double_area (trace, first), trace->points->len,
                      trace->points->len + trace->stack->len - first };

  g_array_append_vals (trace->points, point_of (trace, first), trace->stack->len - first);
  g_array_append_val (trace->rings, ring);
  g_array_set_size (trace->stack, first + 1);
}

static gpointer
key_of (WfOutlinePoint point)
{
  return GSIZE_TO_POINTER ((gsize) (guint32) point.x << 32 | (guint32) point.y);
}

/* 1 + the place of a point in the stack, which may have become shorter since it was noted; or 0 */
static guint
find_before (const Trace    *trace,
             WfOutlinePoint  point)
{
  const guint before = GPOINTER_TO_UINT (g_hash_table_lookup (trace->pinches, key_of (point)));

  if (before == 0 || before > trace->stack->len ||
      point_of (trace, before - 1)->x != point.x || point_of (trace, before - 1)->y != point.y)
    return 0;
  return before;
}

/* Adds a corner.  @is_pinch: whether the ring may come here again */
static void
add_corner (Trace          *trace,
            WfOutlinePoint  point,
            gboolean        is_pinch,
            guint32         label)
{
  const guint before = is_pinch ? find_before (trace, point) : 0;

  if (before > 0)
    {
      end_ring (trace, before - 1, label);
      return;
    }
  g_array_append_val (trace->stack, point);
  if (is_pinch)
    g_hash_table_insert (trace->pinches, key_of (point), GUINT_TO_POINTER (trace->stack->len));
}

static void
mark_edge (Trace          *trace,
           WfOutlinePoint  from,
           guint32         mark)
{
  trace->found[(gint64) (from.y - 1) * trace->labels->width + from.x] = mark;
}

/* Follows the ring at the left edge of a pixel, upwards; its corners go to the stack, and the rings
 * where it touches itself to the list.  @mark: of the edges
 */
static void
follow (Trace   *trace,
        gint64   x,
        gint64   y,
        guint32  mark,
        guint32  label)
{
  const WfOutlinePoint start     = { (gint32) x, (gint32) y + 1 };
  WfOutlinePoint       point     = start;
  Direction            direction = NORTH;

  do
    {
      gboolean right;
      gboolean left;

      if (direction == NORTH)
        mark_edge (trace, point, mark);
      point = go (point, direction);
      right = is_inside (trace, point, direction, TRUE, label);
      left  = is_inside (trace, point, direction, FALSE, label);
      if (right && ! left)
        continue;
      add_corner (trace, point, left && ! right, label);
      direction = (Direction) ((direction + (right ? 3 : 1)) % 4);
    }
  while (point.x != start.x || point.y != start.y || direction != NORTH);
}

/* Of a hole that has the pixel to the left of @x, @y in its topmost row. */
static gint64
find_piece (const Trace *trace,
            gint64       x,
            gint64       y,
            guint32      label)
{
  guint32 walk;

  for (x--, y--; label_at (trace, x - 1, y) == label; x--)
    continue;
  walk = trace->found[y * trace->labels->width + x];
  return g_array_index (trace->pieces, gint64, walk - 1);
}

static gint64
sum_areas (const Trace *trace,
           guint        first)
{
  gint64 area = 0;

  for (guint i = first; i < trace->rings->len; i++)
    area += g_array_index (trace->rings, Ring, i).area;
  return area;
}

/* The ring at the left edge of a pixel, and those that it is divided into. */
static void
trace_ring (Trace   *trace,
            gint64   x,
            gint64   y,
            guint32  label)
{
  const guint first = trace->rings->len;
  gint64      piece;

  g_array_set_size (trace->stack, 0);
  g_hash_table_remove_all (trace->pinches);
  follow (trace, x, y, trace->pieces->len + 1, label);
  end_ring (trace, 0, label);
  piece = sum_areas (trace, first) > 0 ? trace->n_pieces++ : find_piece (trace, x, y, label);
  g_array_append_val (trace->pieces, piece);
  for (guint i = first; i < trace->rings->len; i++)
    g_array_index (trace->rings, Ring, i).piece = piece;
}

/* By label, then by piece, first the ring around it; else as they were found. */
static int
compare_rings (gconstpointer a,
               gconstpointer b)
{
  const Ring *first  = a;
  const Ring *second = b;

  if (first->label != second->label)
    return first->label < second->label ? -1 : 1;
  if (first->piece != second->piece)
    return first->piece < second->piece ? -1 : 1;
  return (first->area < 0) - (second->area < 0);
}

/* Moves the rings of a slice to the outlines. */
static void
keep_rings (Trace *trace)
{
  const guint     n      = trace->rings->len;
  WfOutlinePoint *points = (WfOutlinePoint *) g_array_free (trace->points, FALSE);
  WfOutlineRing  *rings  = g_new (WfOutlineRing, n);
  WfOutline       region = { 0 };

  trace->points = NULL;
  g_ptr_array_add (trace->outlines->blocks, points);
  g_ptr_array_add (trace->outlines->blocks, rings);
  g_array_sort (trace->rings, compare_rings);
  for (guint i = 0; i < n; i++)
    {
      const Ring *ring = &g_array_index (trace->rings, Ring, i);

      rings[i] = (WfOutlineRing) { ring->area < 0, (gint64) (ring->end - ring->first),
                                   points + ring->first };
      if (i == 0 || ring->label != region.label)
        region = (WfOutline) { ring->label, trace->slice, 0, 0, rings + i };
      region.n_rings++;
      region.n_polygons += ring->area > 0;
      if (i + 1 == n || g_array_index (trace->rings, Ring, i + 1).label != ring->label)
        g_array_append_val (trace->outlines->regions, region);
    }
}

static gboolean
trace_slice (Trace  *trace,
             WfRun  *run,
             GError **error)
{
  const WfImage *labels = trace->labels;

  memset (trace->found, 0, (gsize) (labels->width * labels->height) * sizeof *trace->found);
  for (gint64 y = 0; y < labels->height; y++)
    {
      const guint32 *row = wf_image_row (labels, trace->slice * labels->height + y);

      for (gint64 x = 0; x < labels->width; x++)
        if (row[x] != 0 && (x == 0 || row[x - 1] != row[x]) &&
            trace->found[y * labels->width + x] == 0)
          trace_ring (trace, x, y, row[x]);
      if (! wf_run_advance (run, labels->width))
        return wf_run_set_cancelled (error);
    }
  keep_rings (trace);
  return TRUE;
}

static void
trace_init (Trace      *trace,
            const Work *work,
            gint64      slice,
            guint32    *found)
{
  *trace = (Trace) {
    .outlines = work->outlines,
    .labels   = work->labels,
    .slice    = slice,
    .found    = found,
    .pieces   = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .rings    = g_array_new (FALSE, FALSE, sizeof (Ring)),
    .points   = g_array_new (FALSE, FALSE, sizeof (WfOutlinePoint)),
    .stack    = g_array_new (FALSE, FALSE, sizeof (WfOutlinePoint)),
    .pinches  = g_hash_table_new (g_direct_hash, g_direct_equal),
  };
}

static void
trace_clear (Trace *trace)
{
  g_array_unref (trace->pieces);
  g_array_unref (trace->rings);
  g_clear_pointer (&trace->points, g_array_unref);
  g_array_unref (trace->stack);
  g_hash_table_unref (trace->pinches);
}

/* Of WfContextWorkFunc. */
static gboolean
trace_all (gpointer   data,
           WfRun     *run,
           GError   **error)
{
  const Work          *work   = data;
  const WfImage       *labels = work->labels;
  g_autofree guint32  *found  = wf_allocate (labels->width * labels->height, sizeof *found, error);
  gboolean             done   = found != NULL;

  wf_run_begin (run, 1.0, wf_image_n_pixels (labels));
  for (gint64 z = 0; z < labels->depth && done; z++)
    {
      Trace trace;

      trace_init (&trace, work, z, found);
      done = trace_slice (&trace, run, error);
      trace_clear (&trace);
    }
  return done;
}

/**
 * wf_outlines_trace:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u32, width × height × depth: 0 for pixels of no region
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Follows the outlines of all regions, in each slice of a stack; see the top of outlines.c for the
 * definition.
 *
 * Time: linear in the pixels and the edges, by one thread.  Memory: 4 bytes for each pixel of a
 * slice, and the result: 8 bytes for each corner.
 *
 * Source: crack following, Rosenfeld and Kak (1982).
 *
 * Returns: (transfer full): the outlines, or %NULL with @error set
 */
WfOutlines *
wf_outlines_trace (WfContext      *context,
                   const WfImage  *labels,
                   GError        **error)
{
  g_autoptr (WfContext)  own      = wf_context_ensure (context);
  g_autoptr (WfOutlines) outlines = NULL;
  g_auto (WfStaging)     staging  = { .context = own };
  Work                   work;

  if (! wf_image_check_view (labels, _("label image"), error) ||
      ! wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error) ||
      ! wf_staging_take (&staging, &labels, error))
    return NULL;

  outlines          = g_new0 (WfOutlines, 1);
  outlines->regions = g_array_new (FALSE, FALSE, sizeof (WfOutline));
  outlines->blocks  = g_ptr_array_new_with_free_func (g_free);
  work              = (Work) { outlines, labels };
  return wf_context_work (own, "cracks",
                          (guint64) labels->width * (guint64) labels->height * sizeof (guint32),
                          trace_all, &work, error)
         ? g_steal_pointer (&outlines) : NULL;
}

/**
 * wf_outlines_get_n_regions:
 * @outlines: outlines
 *
 * Counts the regions; a region of a stack counts in each slice.
 *
 * Returns: how many there are
 */
gint64
wf_outlines_get_n_regions (const WfOutlines *outlines)
{
  g_return_val_if_fail (outlines != NULL, 0);

  return outlines->regions->len;
}

/**
 * wf_outlines_get_region:
 * @outlines: outlines
 * @region: its number, from 0: by slice, then by label
 *
 * Gets the outline of a region.
 *
 * Returns: (transfer none): the outline
 */
const WfOutline *
wf_outlines_get_region (const WfOutlines *outlines,
                        gint64            region)
{
  g_return_val_if_fail (outlines != NULL && region >= 0 && region < outlines->regions->len, NULL);

  return &g_array_index (outlines->regions, WfOutline, region);
}

/**
 * wf_outlines_move:
 * @outlines: outlines
 * @x: is added to all places along x
 * @y: likewise along y
 *
 * Moves outlines, for those of a part of an image.
 */
void
wf_outlines_move (WfOutlines *outlines,
                  gint32      x,
                  gint32      y)
{
  g_return_if_fail (outlines != NULL);

  for (guint i = 0; i < outlines->regions->len; i++)
    {
      const WfOutline *region = &g_array_index (outlines->regions, WfOutline, i);

      for (gint64 ring = 0; ring < region->n_rings; ring++)
        {
          WfOutlinePoint *points = (WfOutlinePoint *) region->rings[ring].points;

          for (gint64 k = 0; k < region->rings[ring].n_points; k++)
            points[k] = (WfOutlinePoint) { points[k].x + x, points[k].y + y };
        }
    }
}

/**
 * wf_outlines_free:
 * @outlines: outlines
 *
 * Frees the outlines.
 */
void
wf_outlines_free (WfOutlines *outlines)
{
  g_array_unref (outlines->regions);
  g_ptr_array_unref (outlines->blocks);
  g_free (outlines);
}
