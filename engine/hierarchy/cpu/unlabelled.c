/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Unlabelled pixels; most of them are lines between basins.
 *
 * Each drains to a vertex of the graph.  A pixel's next pixel is the neighbour that is
 * first in the order (level, labelled before unlabelled, index), if that neighbour is
 * labelled and not higher, or itself comes before the pixel in that order.  A pixel
 * without a next one is an unlabelled minimum: a vertex without a basin.  These minima are
 * numbered after the basins, in raster order.
 *
 * In the graph of all pixels the edge to the first neighbour is a pixel's least edge, so
 * contracting it first does not change what is connected at which level (Borůvka's
 * step).  A graph of basins and a few minima remains.
 *
 * Several threads may write the number of the same pixel: all of them write the same
 * number.
 *
 * In a band, paths also end at the unlabelled pixels of the rows before and after it, its
 * exits.  They are numbered after the minima of its own rows, those before it first.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "graph.h"

/* Stands for the number of a minimum until minima are counted. */
#define MINIMUM G_MAXUINT32

/* Steps between two checks for cancelling: a path can be as long as the image has pixels. */
#define STEPS_TO_A_LOOK 0x10000

typedef struct
{
  WfBasinGraph *graph;
  guint32      *minima;         /* of each row; later the vertices before those */
  gint64        label_step[WF_MAX_NEIGHBOURS];  /* to neighbours in the views */
  gint64        level_step[WF_MAX_NEIGHBOURS];
} Unlabelled;


static inline guint32
vertex_at (const WfBasinGraph *graph,
           gint64              p)
{
  return __atomic_load_n (&graph->own[p], __ATOMIC_RELAXED);
}

static inline void
settle (WfBasinGraph *graph,
        gint64        p,
        guint32       vertex)
{
  __atomic_store_n (&graph->own[p], vertex, __ATOMIC_RELAXED);
}

/* The neighbour that is first in the order (level, labelled before unlabelled, index). */
typedef struct
{
  gint64   pixel;       /* −1: none yet */
  WfPoint  point;
  guint32  key;
  gboolean labelled;
} First;

static inline void
consider (First    *first,
          gint64    pixel,
          WfPoint   point,
          guint32   key,
          gboolean  labelled)
{
  if (first->pixel < 0 || key < first->key ||
      (key == first->key && labelled > first->labelled))
    *first = (First) { pixel, point, key, labelled };
}

/* One body, compiled for each type of level.  Neighbours are in raster order. */
static inline First
find_first (const Unlabelled *unlabelled,
            gint64            p,
            WfPoint           point,
            const WfType      type)
{
  const WfBasinGraph    *graph  = unlabelled->graph;
  const WfNeighbourhood *nb     = &graph->neighbours;
  const WfImage         *labels = graph->task->labels;
  const WfImage         *image  = graph->task->image;
  const WfBox            box    = wf_shape_box (&graph->task->shape);
  const gint64           label  = wf_image_offset (labels, point.x, point.y, point.z);
  const gint64           level  = wf_image_offset (image, point.x, point.y, point.z);
  const gboolean         inner  = wf_point_is_inner (point, &box, wf_is_stack_connectivity (nb->n));
  First                  first  = { -1, point, 0, FALSE };

  for (int i = 0; i < nb->n; i++)
    if (inner || wf_box_holds (&box, point, nb->dx[i], nb->dy[i], nb->dz[i]))
      consider (&first, p + nb->step[i],
                (WfPoint) { point.x + nb->dx[i], point.y + nb->dy[i], point.z + nb->dz[i] },
                wf_level_key (image->data, level + unlabelled->level_step[i], type),
                ((const guint32 *) labels->data)[label + unlabelled->label_step[i]] != 0);
  return first;
}

/* The next pixel of the unlabelled pixel @p at @point; −1: none. */
static First
next_of (const Unlabelled *unlabelled,
         gint64            p,
         WfPoint           point)
{
  const WfImage *image = unlabelled->graph->task->image;
  const WfType   type  = unlabelled->graph->task->type;
  const gint64   at    = wf_image_offset (image, point.x, point.y, point.z);
  const guint32  key   = wf_level_key (image->data, at, type);
  First          first = type == WF_TYPE_U8    ? find_first (unlabelled, p, point, WF_TYPE_U8)
                         : type == WF_TYPE_U16 ? find_first (unlabelled, p, point, WF_TYPE_U16)
                                               : find_first (unlabelled, p, point, WF_TYPE_F32);

  if (first.key > key || (first.key == key && ! first.labelled && first.pixel > p))
    first.pixel = -1;
  return first;
}


/*  Minima  */

/* Most unlabelled pixels have a labelled neighbour that they drain to: they are settled.  Exits are
 * counted as minima of their rows.
 */
static gboolean
find_minima (gpointer data,
             WfRow    row)
{
  Unlabelled    *unlabelled = data;
  WfBasinGraph  *graph      = unlabelled->graph;
  const WfShape *shape      = &graph->task->shape;
  WfPoint        point      = { 0, row.number % shape->height, row.number / shape->height };
  gint64         p          = row.number * shape->width;
  gboolean       own        = wf_row_is_own (graph->task, row.number);
  guint32        n          = 0;

  for (; point.x < shape->width; point.x++, p++)
    {
      First next = { .pixel = -1 };

      if (vertex_at (graph, p) != 0)
        continue;
      if (own)
        next = next_of (unlabelled, p, point);
      if (next.pixel < 0)
        {
          settle (graph, p, MINIMUM);
          n++;
        }
      else if (next.labelled)
        settle (graph, p, vertex_at (graph, next.pixel));
    }
  unlabelled->minima[row.number] = n;
  return TRUE;
}

static gboolean
number_minima (gpointer data,
               WfRow    row)
{
  Unlabelled *unlabelled = data;
  gint64      width      = unlabelled->graph->task->shape.width;
  guint32    *own        = unlabelled->graph->own + row.number * width;
  guint32     next       = unlabelled->minima[row.number];

  for (gint64 x = 0; x < width; x++)
    if (own[x] == MINIMUM)
      own[x] = ++next;
  return TRUE;
}

/* Replaces the numbers of minima in rows from @first to @end by how many vertices there are before
 * them, and counts them.
 */
static gboolean
count_rows (Unlabelled  *unlabelled,
            gint64       first,
            gint64       end,
            GError     **error)
{
  WfBasinGraph *graph = unlabelled->graph;

  for (gint64 row = first; row < end; row++)
    {
      guint32 here = unlabelled->minima[row];

      unlabelled->minima[row] = graph->n_vertices;
      if (! wf_hierarchy_check_count ((guint64) graph->n_vertices + here, error))
        return FALSE;
      graph->n_vertices += here;
    }
  return TRUE;
}

static gboolean
count_minima (Unlabelled  *unlabelled,
              gint64       n_rows,
              GError     **error)
{
  WfBasinGraph *graph  = unlabelled->graph;
  const gint64  before = graph->task->rows_before;
  const gint64  after  = n_rows - graph->task->rows_after;

  if (! count_rows (unlabelled, before, after, error))
    return FALSE;
  graph->n_fixed = graph->n_vertices;
  return count_rows (unlabelled, 0, before, error) &&
         count_rows (unlabelled, after, n_rows, error);
}

/* Refuses more than can be numbered. */
gboolean
wf_hierarchy_check_count (guint64   n_vertices,
                          GError  **error)
{
  if (n_vertices <= WF_MOST_VERTICES)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
               _("There are more than %u basins, including minima of the image where the "
                 "label image is 0."), WF_MOST_VERTICES);
  return FALSE;
}


/*  Paths  */

/* Walks from @p to a settled pixel, then again to settle the pixels of that path. */
static gboolean
settle_path (const Unlabelled  *unlabelled,
             gint64             p,
             WfPoint            point,
             GError           **error)
{
  WfBasinGraph *graph   = unlabelled->graph;
  gint64        n_steps = 0;
  First         at      = { p, point, 0, FALSE };
  guint32       vertex;

  while ((vertex = vertex_at (graph, at.pixel)) == 0)
    {
      if (++n_steps % STEPS_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, 0))
        return wf_run_set_cancelled (error);
      at = next_of (unlabelled, at.pixel, at.point);
    }
  for (at = (First) { p, point, 0, FALSE }; vertex_at (graph, at.pixel) == 0;)
    {
      First next = next_of (unlabelled, at.pixel, at.point);

      if (++n_steps % STEPS_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, 0))
        return wf_run_set_cancelled (error);
      settle (graph, at.pixel, vertex);
      at = next;
    }
  return TRUE;
}

static gboolean
settle_row (gpointer data,
            WfRow    row)
{
  Unlabelled    *unlabelled = data;
  WfBasinGraph  *graph      = unlabelled->graph;
  const WfShape *shape      = &graph->task->shape;
  WfPoint        point      = { 0, row.number % shape->height, row.number / shape->height };
  gint64         p          = row.number * shape->width;

  for (; point.x < shape->width; point.x++, p++)
    if (vertex_at (graph, p) == 0 && ! settle_path (unlabelled, p, point, row.error))
      return FALSE;
  return TRUE;
}

/* Gives each pixel numbered 0 the number of the basin or minimum that it drains to. */
gboolean
wf_hierarchy_unlabelled (WfBasinGraph  *graph,
                         GError       **error)
{
  const WfShape         *shape      = &graph->task->shape;
  const gint64           n_rows     = shape->height * shape->depth;
  const WfRows           rows       = { .n = n_rows, .amount = shape->width };
  g_autofree guint32    *minima     = wf_allocate (n_rows, sizeof (guint32), error);
  Unlabelled             unlabelled = { .graph = graph, .minima = minima };
  const WfNeighbourhood *nb         = &graph->neighbours;

  if (! minima)
    return FALSE;
  for (int i = 0; i < nb->n; i++)
    {
      unlabelled.label_step[i] = wf_image_offset (graph->task->labels, nb->dx[i], nb->dy[i],
                                                  nb->dz[i]);
      unlabelled.level_step[i] = wf_image_offset (graph->task->image, nb->dx[i], nb->dy[i],
                                                  nb->dz[i]);
    }
  wf_run_begin (graph->run, 0.2, 3 * wf_shape_n_pixels (shape));
  return wf_run_rows (graph->run, &rows, find_minima, &unlabelled, error) &&
         count_minima (&unlabelled, n_rows, error) &&
         wf_run_rows (graph->run, &rows, number_minima, &unlabelled, error) &&
         wf_run_rows (graph->run, &rows, settle_row, &unlabelled, error);
}
