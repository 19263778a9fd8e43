/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ground: pixels without a label, most of them lines between basins.
 *
 * Each is counted to the basin that water on it runs to: from a pixel it goes to the
 * neighbour that is first in the order (level, labelled or not, index), where that is
 * labelled and not higher or itself comes before the pixel.  Where it goes nowhere is a
 * hollow, a vertex of the graph without a basin; hollows are numbered after the basins
 * in raster order.
 *
 * In the graph of all pixels the step to the first neighbour is the least of a pixel's
 * edges, so that joining along it first changes nothing of what is connected at which
 * level (Borůvka's step); what remains is a graph of basins and a few hollows.
 *
 * The pixels are settled along their paths by many threads at once: who comes second
 * writes the same number again.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "hierarchy.h"

#define HOLLOW G_MAXUINT32

/* A path can be as long as the image has pixels. */
#define STEPS_TO_A_LOOK 0x10000

typedef struct
{
  WfBasinGraph *graph;
  guint32      *hollows;    /* for each row, how many; then how many come before it */
  gint64        label_step[WF_MAX_NEIGHBOURS];  /* to neighbours in the views */
  gint64        level_step[WF_MAX_NEIGHBOURS];
} Ground;


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

/* The neighbour that is first in the order (level, labelled or not, index). */
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
find_first (const Ground *ground,
            gint64        p,
            WfPoint       point,
            const WfType  type)
{
  const WfBasinGraph    *graph  = ground->graph;
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
                wf_level_key (image->data, level + ground->level_step[i], type),
                ((const guint32 *) labels->data)[label + ground->label_step[i]] != 0);
  return first;
}

/* Where the water on the unlabelled pixel @p at @point runs to; −1: nowhere. */
static First
next_of (const Ground *ground,
         gint64        p,
         WfPoint       point)
{
  const WfImage *image = ground->graph->task->image;
  const WfType   type  = ground->graph->task->type;
  const gint64   at    = wf_image_offset (image, point.x, point.y, point.z);
  const guint32  key   = wf_level_key (image->data, at, type);
  First          first = type == WF_TYPE_U8    ? find_first (ground, p, point, WF_TYPE_U8)
                         : type == WF_TYPE_U16 ? find_first (ground, p, point, WF_TYPE_U16)
                                               : find_first (ground, p, point, WF_TYPE_F32);

  if (first.key > key || (first.key == key && ! first.labelled && first.pixel > p))
    first.pixel = -1;
  return first;
}


/*  Hollows  */

/* Settles what drains to a basin at once, which most of the ground does. */
static gboolean
find_hollows (gpointer   data,
              gint64     row,
              guint      worker,
              gpointer   scratch,
              GError   **error)
{
  Ground        *ground = data;
  WfBasinGraph  *graph  = ground->graph;
  const WfShape *shape  = &graph->task->shape;
  WfPoint        point  = { 0, row % shape->height, row / shape->height };
  gint64         p      = row * shape->width;
  guint32        n      = 0;

  for (; point.x < shape->width; point.x++, p++)
    {
      First next;

      if (vertex_at (graph, p) != 0)
        continue;
      next = next_of (ground, p, point);
      if (next.pixel < 0)
        {
          settle (graph, p, HOLLOW);
          n++;
        }
      else if (next.labelled)
        settle (graph, p, vertex_at (graph, next.pixel));
    }
  ground->hollows[row] = n;
  return TRUE;
}

static gboolean
number_hollows (gpointer   data,
                gint64     row,
                guint      worker,
                gpointer   scratch,
                GError   **error)
{
  Ground  *ground = data;
  gint64   width  = ground->graph->task->shape.width;
  guint32 *own    = ground->graph->own + row * width;
  guint32  next   = ground->graph->tree->n_basins + ground->hollows[row];

  for (gint64 x = 0; x < width; x++)
    if (own[x] == HOLLOW)
      own[x] = ++next;
  return TRUE;
}

static gboolean
count_hollows (Ground  *ground,
               gint64   n_rows,
               GError **error)
{
  WfBasinGraph *graph = ground->graph;
  guint64       n     = 0;

  for (gint64 row = 0; row < n_rows; row++)
    {
      guint32 here = ground->hollows[row];

      ground->hollows[row] = n;
      n += here;
      if (graph->tree->n_basins + n > WF_MOST_VERTICES)
        {
          g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                       _("The basins, and the minima of the image where the label image is 0, "
                         "are more than %u."), WF_MOST_VERTICES);
          return FALSE;
        }
    }
  graph->n_vertices = graph->tree->n_basins + n;
  return TRUE;
}


/*  Paths  */

/* Walks from @p to a pixel that is settled, and once more to settle those on the way. */
static gboolean
settle_path (const Ground  *ground,
             gint64         p,
             WfPoint        point,
             GError       **error)
{
  WfBasinGraph *graph   = ground->graph;
  gint64        n_steps = 0;
  First         at      = { p, point, 0, FALSE };
  guint32       vertex;

  while ((vertex = vertex_at (graph, at.pixel)) == 0)
    {
      if (++n_steps % STEPS_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, 0))
        return wf_run_set_cancelled (error);
      at = next_of (ground, at.pixel, at.point);
    }
  for (at = (First) { p, point, 0, FALSE }; vertex_at (graph, at.pixel) == 0;)
    {
      First next = next_of (ground, at.pixel, at.point);

      if (++n_steps % STEPS_TO_A_LOOK == 0 && ! wf_run_advance (graph->run, 0))
        return wf_run_set_cancelled (error);
      settle (graph, at.pixel, vertex);
      at = next;
    }
  return TRUE;
}

static gboolean
settle_row (gpointer   data,
            gint64     row,
            guint      worker,
            gpointer   scratch,
            GError   **error)
{
  Ground        *ground = data;
  WfBasinGraph  *graph  = ground->graph;
  const WfShape *shape  = &graph->task->shape;
  WfPoint        point  = { 0, row % shape->height, row / shape->height };
  gint64         p      = row * shape->width;

  for (; point.x < shape->width; point.x++, p++)
    if (vertex_at (graph, p) == 0 && ! settle_path (ground, p, point, error))
      return FALSE;
  return TRUE;
}

/* Gives the pixels whose number is 0 that of the basin or hollow that they drain to. */
gboolean
wf_hierarchy_ground (WfBasinGraph  *graph,
                     GError       **error)
{
  const WfShape       *shape   = &graph->task->shape;
  const gint64         n_rows  = shape->height * shape->depth;
  const WfRows         rows    = { n_rows, 0, shape->width, 0 };
  g_autofree guint32  *hollows = wf_allocate (n_rows, sizeof (guint32), error);
  Ground               ground  = { .graph = graph, .hollows = hollows };
  const WfNeighbourhood *nb    = &graph->neighbours;

  if (! hollows)
    return FALSE;
  for (int i = 0; i < nb->n; i++)
    {
      ground.label_step[i] = wf_image_offset (graph->task->labels, nb->dx[i], nb->dy[i], nb->dz[i]);
      ground.level_step[i] = wf_image_offset (graph->task->image, nb->dx[i], nb->dy[i], nb->dz[i]);
    }
  wf_run_begin (graph->run, 0.2, 3 * wf_shape_n_pixels (shape));
  return wf_run_rows (graph->run, &rows, find_hollows, &ground, error) &&
         count_hollows (&ground, n_rows, error) &&
         wf_run_rows (graph->run, &rows, number_hollows, &ground, error) &&
         wf_run_rows (graph->run, &rows, settle_row, &ground, error);
}
