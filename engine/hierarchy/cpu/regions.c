/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Partitions and saliency maps, from the labels of the basins and the finished tree.
 *
 * The merge that unites two basins is found in a second tree of the same merges, in
 * which the smaller part becomes a child of the root of the larger.  So the depth of this
 * tree is at most the logarithm of the number of basins, and the answer is the last merge on
 * the path between the two basins.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/core/refusals.h"
#include "engine/hierarchy/around.h"
#include "graph.h"

#define N_KNOWN_BITS 10

/* The depth at which two basins become one region. */
typedef struct
{
  guint32 a, b;
  double  depth;
} Known;

/**
 * Painter:
 * @surroundings: of the pixels in the view of labels
 * @out: of the run, or the caller's own
 * @low: for saliency maps: the second tree, the task's or @own_low
 * @known: for each thread, a cache of depths
 * @bits: for each thread, marks of two rows
 */
typedef struct
{
  const WfHierarchyTask *task;
  WfRun                 *run;
  const WfMarkSteps     *marks;
  WfSurroundings         surroundings;
  WfImage                out;
  const WfLowTree       *low;
  WfLowTree              own_low;
  Known                 *known;
  guint64               *bits;
  gint64                 n_words;
} Painter;


static void
painter_clear (Painter *painter)
{
  wf_low_tree_clear (&painter->own_low);
  g_free (painter->known);
  g_free (painter->bits);
  wf_image_clear (&painter->out);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Painter, painter_clear)

/* The output is written at the end unless partial outputs are allowed and it shares no
 * memory with the labels.
 */
static gboolean
painter_init (Painter                *painter,
              const WfHierarchyTask  *task,
              WfRun                  *run,
              GError                **error)
{
  const WfShape *shape = &task->shape;

  painter->task    = task;
  painter->run     = run;
  painter->marks   = wf_mark_steps ();
  painter->n_words = wf_mark_words (shape->width);
  wf_surroundings_init (&painter->surroundings, task->labels, task->connectivity);
  painter->bits = wf_allocate (2 * painter->n_words * run->n_threads, sizeof (guint64), error);
  if (! painter->bits)
    return FALSE;
  if (! run->partial_outputs || wf_image_overlaps (task->out, task->labels))
    return wf_image_allocate (&painter->out, task->out->type, shape->width, shape->height,
                              shape->depth, error);
  painter->out           = *task->out;
  painter->out.allocated = NULL;
  return TRUE;
}

static gboolean
write_row (gpointer data,
           WfRow    row)
{
  const Painter *painter = data;
  gpointer       to      = wf_image_row (painter->task->out, row.number);

  memcpy (to, wf_image_row (&painter->out, row.number),
          painter->task->shape.width * wf_type_size (painter->out.type));
  return TRUE;
}

static gboolean
paint (Painter    *painter,
       WfRowFunc   paint_row,
       GError    **error)
{
  const WfShape *shape = &painter->task->shape;
  const WfRows   rows  = { .n = shape->height * shape->depth, .amount = shape->width };

  wf_run_begin (painter->run, 0.9, wf_shape_n_pixels (shape));
  if (! wf_run_rows (painter->run, &rows, paint_row, painter, error))
    return FALSE;
  if (! painter->out.allocated)
    return TRUE;

  wf_run_commit (painter->run);
  wf_run_begin (painter->run, 0.1, wf_shape_n_pixels (shape));
  return wf_run_rows (painter->run, &rows, write_row, painter, error);
}


/*  Lines  */

/**
 * Basins:
 * @painter: for which they are found
 * @several: whether there are several basins
 * @first: one of them, plus 1
 * @together: whether all basins are in one region
 * @depth: at which all basins are in one region
 *
 * The basins around a pixel without a label.
 */
typedef struct
{
  const Painter *painter;
  gboolean       several;
  guint32        first;
  gboolean       together;
  double         depth;
} Basins;

static double depth_between (const Painter *painter, guint32 a, guint32 b, guint worker);

/* Of WfMeetFunc. */
static void
meet_basin (WfAround *around,
            guint32   label,
            gpointer  data,
            guint     worker)
{
  Basins                *basins = data;
  const WfHierarchyTask *task   = basins->painter->task;
  const guint32          basin  = wf_basin_tree_find (task->tree, label);

  if (basin == 0)
    return;    /* outside, or the check of its own row reports the error */
  around->touched = TRUE;
  if (! basins->first)
    basins->first = basin;
  if (basin == basins->first)
    return;

  basins->several = TRUE;
  if (task->regions)
    basins->together &= task->regions[basin - 1] == task->regions[basins->first - 1];
  else
    basins->depth = MAX (basins->depth, depth_between (basins->painter, basins->first - 1,
                                                       basin - 1, worker));
  around->settled = ! basins->together;
}

static Basins
look_from (const Painter *painter,
           WfPoint        point,
           guint          worker)
{
  Basins basins = { .painter = painter, .together = TRUE };

  wf_look_around (&painter->surroundings, point, meet_basin, &basins, worker);
  return basins;
}


/*  Partitions  */

static gboolean
relabel_row (gpointer data,
             WfRow    row)
{
  const Painter         *painter = data;
  const WfHierarchyTask *task    = painter->task;
  const WfShape         *shape   = &task->shape;
  const guint32         *labels  = wf_image_row (task->labels, row.number);
  guint32               *out     = wf_image_row (&painter->out, row.number);
  guint64               *bits    = painter->bits + 2 * row.worker * painter->n_words;

  painter->marks->mark (labels, labels + 1, shape->width - 1, FALSE, bits, painter->n_words);
  for (gint64 x = 0, after; x < shape->width; x = after)
    {
      const guint32 basin = wf_basin_tree_find (task->tree, labels[x]);

      after = wf_mark_run_end (bits, x, shape->width);
      if (labels[x] != 0)
        {
          const gboolean outside = labels[x] == task->outside;

          if (basin == 0 && ! outside)
            return wf_refuse_unknown_label (labels[x], row.error);
          for (gint64 i = x; i < after; i++)
            out[i] = outside ? 0 : task->regions[basin - 1];
          continue;
        }
      for (gint64 i = x; i < after; i++)
        {
          WfPoint point  = { i, row.number % shape->height, row.number / shape->height };
          Basins  basins = look_from (painter, point, row.worker);

          out[i] = basins.several && basins.together ? task->regions[basins.first - 1] : 0;
        }
    }
  return TRUE;
}

gboolean
wf_hierarchy_relabel_run (gconstpointer   task,
                          WfRun          *run,
                          GError        **error)
{
  g_auto (Painter) painter = { 0 };

  return painter_init (&painter, task, run, error) &&
         paint (&painter, relabel_row, error);
}


/*  Saliency  */

/* The merge that unites two basins is the last one on the path between them. */
static double
find_depth (const Painter *painter,
            guint32        a,
            guint32        b)
{
  const WfLowTree *low  = painter->low;
  guint32          rank = 0;

  while (a != b)
    if (low->rank[a] < low->rank[b])
      {
        rank = low->rank[a];
        a    = low->up[a];
      }
    else
      {
        rank = low->rank[b];
        b    = low->up[b];
      }
  return painter->task->tree->depths[rank];
}

static double
depth_between (const Painter *painter,
               guint32        a,
               guint32        b,
               guint          worker)
{
  Known *known = painter->known + ((gsize) worker << N_KNOWN_BITS)
                 + ((MIN (a, b) * 2654435761u + MAX (a, b) * 2246822519u)
                    >> (32 - N_KNOWN_BITS));

  if (known->a != MIN (a, b) || known->b != MAX (a, b))
    *known = (Known) { MIN (a, b), MAX (a, b), find_depth (painter, a, b) };
  return known->depth;
}

/* The depth at which the boundary at @point disappears; 0 if there is none.
 * @label: of the pixel
 */
static double
saliency_at (const Painter *painter,
             WfPoint        point,
             guint32        label,
             guint          worker)
{
  const WfBasinTree *tree  = painter->task->tree;
  const guint32     *here  = wf_surroundings_at (&painter->surroundings, point);
  const gboolean     inner = wf_surroundings_are_inner (&painter->surroundings, point, 1);
  const guint32      basin = wf_basin_tree_find (tree, label);
  guint32            last  = label;
  double             depth = 0;

  if (label == 0)
    {
      Basins basins = look_from (painter, point, worker);

      return basins.several ? basins.depth : 0;
    }
  if (label == painter->task->outside)
    return 0;
  for (int i = 0; i < painter->surroundings.neighbours.n; i++)
    {
      guint32 other;

      if (! inner && ! wf_surroundings_hold (&painter->surroundings, point, i))
        continue;
      other = here[painter->surroundings.steps[i]];
      if (other == last || other == 0 || other == label)
        continue;
      last  = other;
      other = wf_basin_tree_find (tree, other);
      if (other != 0)
        depth = MAX (depth, depth_between (painter, basin - 1, other - 1, worker));
    }
  return depth;
}

/* Marks the pixels of a row that have neighbours of another label or no label. */
static void
mark_boundaries (const Painter *painter,
                 gint64         row,
                 const guint32 *labels,
                 guint64       *bits,
                 guint64       *more)
{
  const WfNeighbourhood *nb   = &painter->surroundings.neighbours;
  const gint64           n    = painter->task->shape.width;
  const gboolean         wide = nb->n == 8 || nb->n == 26;

  painter->marks->mark (labels, labels + 1, n - 1, FALSE, bits, painter->n_words);
  for (gint64 i = painter->n_words - 1; i >= 0; i--)
    bits[i] |= bits[i] << 1 | (i > 0 ? bits[i - 1] >> 63 : 0);
  for (int k = 0; k < nb->n; k++)
    {
      gint64 other;

      if (nb->dx[k] != 0 || ! wf_row_beside (&painter->task->shape, row, nb->dy[k], nb->dz[k],
                                             &other))
        continue;
      painter->marks->mark (labels, wf_image_row (painter->task->labels, other), n, wide, more,
                            painter->n_words);
      for (gint64 i = 0; i < painter->n_words; i++)
        bits[i] |= more[i];
    }
}

/* The least float that is not below @depth.  So for every float d the map is above d where the
 * depth is, and the map's threshold and the cut at d agree.
 */
static inline float
float_not_below (double depth)
{
  const float nearest = (float) depth;

  return nearest < depth ? nextafterf (nearest, INFINITY) : nearest;
}

static inline void
set_saliency (const WfImage *out,
              gpointer       row,
              gint64         x,
              double         depth)
{
  if (out->type == WF_TYPE_F64)
    ((double *) row)[x] = depth;
  else
    ((float *) row)[x] = float_not_below (depth);
}

static gboolean
check_row (const Painter  *painter,
           const guint32  *labels,
           const guint64  *bits,
           GError        **error)
{
  const gint64 n    = painter->task->shape.width;
  guint32      last = 0;

  for (gint64 x = 0; x < n; x = wf_mark_run_end (bits, x, n))
    {
      if (labels[x] == last || labels[x] == 0 || labels[x] == painter->task->outside)
        continue;
      last = labels[x];
      if (wf_basin_tree_find (painter->task->tree, last) == 0)
        return wf_refuse_unknown_label (last, error);
    }
  return TRUE;
}

static gboolean
saliency_row (gpointer data,
              WfRow    row)
{
  const Painter *painter = data;
  const WfShape *shape   = &painter->task->shape;
  const guint32 *labels  = wf_image_row (painter->task->labels, row.number);
  gpointer       out     = wf_image_row (&painter->out, row.number);
  guint64       *bits    = painter->bits + 2 * row.worker * painter->n_words;
  guint64       *more    = bits + painter->n_words;

  painter->marks->mark (labels, labels + 1, shape->width - 1, FALSE, bits, painter->n_words);
  if (! check_row (painter, labels, bits, row.error))
    return FALSE;
  mark_boundaries (painter, row.number, labels, bits, more);
  memset (out, 0, shape->width * wf_type_size (painter->out.type));
  for (gint64 i = 0; i < painter->n_words; i++)
    for (guint64 word = bits[i]; word; word &= word - 1)
      {
        WfPoint point = { i * 64 + __builtin_ctzll (word), row.number % shape->height,
                          row.number / shape->height };

        set_saliency (&painter->out, out, point.x,
                      saliency_at (painter, point, labels[point.x], row.worker));
      }
  return TRUE;
}

/* Leaves the tree as it is: its edges are the result. */
static inline guint32
top_of (const guint32 *up,
        guint32        v)
{
  while (up[v] != v)
    v = up[v];
  return v;
}

/* Builds the second tree: for each merge the smaller part becomes a child of the larger. */
gboolean
wf_low_tree_init (WfLowTree          *low,
                  const WfBasinTree  *tree,
                  WfRun              *run,
                  GError            **error)
{
  const guint32        n     = tree->n_basins;
  g_autofree guint32  *sizes = NULL;
  g_autofree guint32  *later = NULL;

  if (! (sizes = wf_allocate (n, sizeof (guint32), error)) ||
      ! (later = wf_allocate (n, sizeof (guint32), error)) ||
      ! (low->up = wf_allocate (n, sizeof (guint32), error)) ||
      ! (low->rank = wf_allocate (n, sizeof (guint32), error)))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      low->up[i]   = i;
      low->rank[i] = G_MAXUINT32;
      sizes[i]     = 1;
      if (i > 0)
        later[tree->rank[i]] = i;
    }
  for (guint32 rank = 0; rank + 1 < n; rank++)
    {
      guint32 a     = top_of (low->up, later[rank]);
      guint32 b     = top_of (low->up, tree->joined[later[rank]]);
      guint32 small = sizes[a] < sizes[b] ? a : b;
      guint32 large = small == a ? b : a;

      if ((rank + 1) % 0x10000 == 0 && ! wf_run_advance (run, 0))
        return wf_run_set_cancelled (error);
      low->up[small]   = large;
      low->rank[small] = rank;
      sizes[large]    += sizes[small];
    }
  return TRUE;
}

void
wf_low_tree_clear (WfLowTree *low)
{
  g_free (low->up);
  g_free (low->rank);
  *low = (WfLowTree) { NULL, NULL };
}

gboolean
wf_hierarchy_saliency_run (gconstpointer   task,
                           WfRun          *run,
                           GError        **error)
{
  g_auto (Painter) painter = { 0 };
  gsize            n_known = (gsize) run->n_threads << N_KNOWN_BITS;

  if (! painter_init (&painter, task, run, error) ||
      (! painter.task->low_tree &&
       ! wf_low_tree_init (&painter.own_low, painter.task->tree, run, error)) ||
      ! (painter.known = wf_allocate (n_known, sizeof (Known), error)))
    return FALSE;

  painter.low = painter.task->low_tree ? painter.task->low_tree : &painter.own_low;
  /* Entries of equal basins match no query. */
  memset (painter.known, 0, n_known * sizeof (Known));
  return paint (&painter, saliency_row, error);
}
