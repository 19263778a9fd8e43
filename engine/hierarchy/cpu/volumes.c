/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The depths of the merges by volume: the volume of a basin up to the level h of its
 * pass, which is the sum of h − f over its pixels below h.
 *
 * A pixel above the pass of its basin's first merge does not count there, but in a later
 * merge.  So each pixel is added to the largest node that contains it and is not made
 * above it: the last of its ancestors whose own pass is not above the pixel's level.  Then
 * the volume of a node below its pass is the sum over the pixels that were added to it and
 * to the nodes that it was made from.  Ancestors are searched by jumps (Myers, An
 * applicative random-access stack, Inf. Proc. Letters 17, 1983): in about the logarithm of
 * their number, with one more number for each node.  Adjacent pixels mostly belong to one
 * node, as do pixels of the same basin and level; so a cache is asked first.
 *
 * Sums are exact in any order: integers in 64 bits (for up to 2^47 pixels), f32 in one
 * fixed-point number that is wide enough for all of them (exact.h).  The volume is rounded
 * once, to a double.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/exact.h"
#include "measures.h"

#define NODES_TO_A_LOOK 0x10000

/* Cells of each node. */
#define INTEGER_CELLS 2     /* pixels, sum of levels */
#define FLOAT_CELLS   (2 + WF_EXACT_LIMBS)  /* pixels, those at −infinity, sum of the rest */

/**
 * Node:
 * @end: the pass at which it is merged into its parent; %G_MAXUINT32 for the last one
 * @up: the parent, or its last ancestor that is made at the same level
 * @jump: an ancestor further up, or @up
 * @start_of_jump: the pass at which @jump is made
 */
typedef struct
{
  guint32 end;
  guint32 up;
  guint32 jump;
  guint32 start_of_jump;
} Node;

#define N_KNOWN_BITS 14

/* The pixels of @basin with keys from @start up to but without @end belong to @node. */
typedef struct
{
  guint32 basin;
  guint32 node;
  guint32 start;
  guint32 end;
} Known;

/**
 * Volumes:
 * @cells: for each node the sums over the pixels that were added to it
 * @bits: a row of marks for each thread
 * @known: for each thread, a cache of nodes by basin and level
 */
typedef struct
{
  const WfBasinGraph *graph;
  guint32             n;          /* basins */
  guint32             n_nodes;
  int                 n_cells;
  Node               *nodes;
  gint64             *cells;
  guint64            *bits;
  Known              *known;
} Volumes;


static void
volumes_clear (Volumes *volumes)
{
  g_free (volumes->nodes);
  g_free (volumes->cells);
  g_free (volumes->bits);
  g_free (volumes->known);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Volumes, volumes_clear)

static gboolean
volumes_init (Volumes             *volumes,
              const WfBasinGraph  *graph,
              GError             **error)
{
  gint64 n_nodes = 2 * (gint64) graph->tree->n_basins - 1;
  gint64 n_words = wf_mark_words (graph->task->shape.width);
  gint64 n_known = (gint64) graph->run->n_threads << N_KNOWN_BITS;

  volumes->graph   = graph;
  volumes->n       = graph->tree->n_basins;
  volumes->n_nodes = n_nodes;
  volumes->n_cells = graph->task->type == WF_TYPE_F32 ? FLOAT_CELLS : INTEGER_CELLS;
  if (! (volumes->nodes = wf_allocate (n_nodes, sizeof (Node), error)) ||
      ! (volumes->cells = wf_allocate (n_nodes, volumes->n_cells * sizeof (gint64), error)) ||
      ! (volumes->bits = wf_allocate (n_words * graph->run->n_threads, sizeof (guint64), error)) ||
      ! (volumes->known = wf_allocate (n_known, sizeof (Known), error)))
    return FALSE;

  /* No key is below 0, so these entries match no query. */
  memset (volumes->known, 0, n_known * sizeof (Known));
  memset (volumes->cells, 0, n_nodes * volumes->n_cells * sizeof (gint64));
  return TRUE;
}


/*  Ancestors  */

/* The pass at which @node is made; basins are there from the beginning. */
static inline guint32
start_of (const Volumes *volumes,
          guint32        node)
{
  return node < volumes->n ? 0 : volumes->graph->merges[node - volumes->n].pass;
}

/* Where two consecutive jumps are equally long, the next one spans both: the lengths are
 * those of the skew binary numbers, 2^k − 1.  Of nodes that are made at one level only the
 * last counts: no pixel belongs to the others.
 */
static gboolean
set_jumps (Volumes  *volumes,
           GError  **error)
{
  const guint32        last  = volumes->n_nodes - 1;
  Node                *nodes = volumes->nodes;
  g_autofree guint32  *depth = wf_allocate (volumes->n_nodes, sizeof (guint32), error);

  if (! depth)
    return FALSE;
  for (guint32 i = 0; i + 1 < volumes->n; i++)
    nodes[volumes->graph->merges[i].left].up =
      nodes[volumes->graph->merges[i].right].up = volumes->n + i;
  nodes[last] = (Node) { G_MAXUINT32, last, last, start_of (volumes, last) };
  depth[last] = 0;
  for (guint32 node = last; node-- > 0;)
    {
      const guint32 merged = nodes[node].up;
      const guint32 up     = nodes[merged].end == start_of (volumes, merged) ? nodes[merged].up
                                                                             : merged;
      const guint32 far    = nodes[up].jump;
      const guint32 beyond = nodes[far].jump;

      if (node % NODES_TO_A_LOOK == 0 && ! wf_run_advance (volumes->graph->run, 0))
        return wf_run_set_cancelled (error);
      depth[node]      = depth[up] + 1;
      nodes[node].up   = up;
      nodes[node].end  = start_of (volumes, up);
      nodes[node].jump = depth[up] - depth[far] == depth[far] - depth[beyond] ? beyond : up;
      nodes[node].start_of_jump = start_of (volumes, nodes[node].jump);
    }
  return TRUE;
}

/* The node that the pixels of @basin at level @key are added to. */
static inline const Known *
node_of_level (const Volumes *volumes,
               guint32        basin,
               guint32        key,
               guint          worker)
{
  Known   *known = volumes->known + ((gsize) worker << N_KNOWN_BITS)
                   + ((basin * 2654435761u + key * 2246822519u) >> (32 - N_KNOWN_BITS));
  guint32  node  = basin;
  guint32  start = 0;

  if (known->basin == basin && key >= known->start && key < known->end)
    return known;
  while (volumes->nodes[node].end <= key)
    {
      const Node *at = &volumes->nodes[node];

      if (at->start_of_jump <= key)
        {
          node  = at->jump;
          start = at->start_of_jump;
        }
      else
        {
          node  = at->up;
          start = at->end;
        }
    }
  *known = (Known) { basin, node, start, volumes->nodes[node].end };
  return known;
}


/*  Pixels  */

static inline void
add_cells (gint64       *cells,
           const gint64 *more,
           int           n,
           gboolean      shared)
{
  for (int i = 0; i < n; i++)
    if (! shared)
      cells[i] += more[i];
    else if (more[i])
      __atomic_fetch_add (&cells[i], more[i], __ATOMIC_RELAXED);
}

static inline void
add_pixel (gint64        *cells,
           gconstpointer  levels,
           gint64         x,
           const WfType   type)
{
  cells[0]++;
  if (type != WF_TYPE_F32)
    cells[1] += wf_level_key (levels, x, type);
  else if (isinf (((const float *) levels)[x]))
    cells[1]++;
  else
    wf_exact_add (cells + 2, ((const float *) levels)[x]);
}

/* Adjacent pixels that belong to one node are added together.  Pixels of the last node lie
 * below no pass and do not count.
 */
static inline void
add_run (const Volumes *volumes,
         guint32        basin,
         gconstpointer  levels,
         gint64         first,
         gint64         after,
         guint          worker,
         const WfType   type)
{
  const int n_cells = type == WF_TYPE_F32 ? FLOAT_CELLS : INTEGER_CELLS;
  gint64    x       = first;

  while (x < after)
    {
      gint64      sum[FLOAT_CELLS] = { 0 };
      guint32     key     = wf_level_key (levels, x, type);
      Known       known   = *node_of_level (volumes, basin, key, worker);
      guint32     n_added = 0;

      if (known.node == volumes->n_nodes - 1)
        {
          while (x < after && wf_level_key (levels, x, type) >= known.start)
            x++;
          continue;
        }
      do
        {
          add_pixel (sum, levels, x, type);
          if (type == WF_TYPE_F32 && ++n_added == WF_EXACT_MOST)
            {
              wf_exact_carry (sum + 2);
              n_added = 0;
            }
          if (++x == after)
            break;
          key = wf_level_key (levels, x, type);
        }
      while (key >= known.start && key < known.end);
      add_cells (volumes->cells + (gint64) known.node * n_cells, sum, n_cells,
                 volumes->graph->run->n_threads > 1);
    }
}

static gboolean
add_row (gpointer data,
         WfRow    row)
{
  const Volumes         *volumes  = data;
  const WfBasinGraph    *graph    = volumes->graph;
  const WfHierarchyTask *task     = graph->task;
  gint64                 width    = task->shape.width;
  gint64                 n_words  = wf_mark_words (width);
  guint64               *bits     = volumes->bits + row.worker * n_words;
  const guint32         *labels   = wf_image_row (task->labels, row.number);
  const guint32         *vertices = wf_image_row (&graph->vertices, row.number);
  gconstpointer          levels   = wf_image_row (task->image, row.number);

  graph->marks->mark (labels, labels + 1, width - 1, FALSE, bits, n_words);
  for (gint64 x = 0, after; x < width; x = after)
    {
      guint32 basin = vertices[x] - 1;

      after = wf_mark_run_end (bits, x, width);
      if (labels[x] == 0)
        continue;
      if (task->type == WF_TYPE_U8)
        add_run (volumes, basin, levels, x, after, row.worker, WF_TYPE_U8);
      else if (task->type == WF_TYPE_U16)
        add_run (volumes, basin, levels, x, after, row.worker, WF_TYPE_U16);
      else
        add_run (volumes, basin, levels, x, after, row.worker, WF_TYPE_F32);
    }
  return TRUE;
}


/*  Volumes  */

static double
measure_node (const WfBasinGraph *graph,
              gpointer            counts,
              guint32             node,
              guint32             pass)
{
  const Volumes *volumes = counts;
  const gint64  *cells   = volumes->cells + (gint64) node * volumes->n_cells;
  float          level;

  if (cells[0] == 0)
    return 0;
  if (graph->task->type != WF_TYPE_F32)
    return (guint64) pass * cells[0] - cells[1];

  level = wf_key_level (pass, WF_TYPE_F32);
  if (isinf (level) || cells[1] > 0)
    return INFINITY;
  return wf_exact_below (cells + 2, level, cells[0]);
}

static void
merge_counts (const WfBasinGraph *graph,
              gpointer            counts,
              guint32             left,
              guint32             right,
              guint32             merged)
{
  Volumes      *volumes = counts;
  const int     n_cells = volumes->n_cells;
  const gint64 *a       = volumes->cells + (gint64) left * n_cells;
  const gint64 *b       = volumes->cells + (gint64) right * n_cells;
  gint64       *sum     = volumes->cells + (gint64) merged * n_cells;

  for (int i = 0; i < n_cells; i++)
    sum[i] += a[i] + b[i];
  if (graph->task->type == WF_TYPE_F32)
    wf_exact_carry (sum + 2);
}

/* Sets the depths of the merges by volume. */
gboolean
wf_hierarchy_volumes (WfBasinGraph  *graph,
                      double        *depths,
                      GError       **error)
{
  const WfShape     *shape   = &graph->task->shape;
  const WfRows       rows    = { .n = shape->height * shape->depth, .amount = shape->width };
  g_auto (Volumes)   volumes = { 0 };

  wf_run_begin (graph->run, 0.15, wf_shape_n_pixels (shape));
  return volumes_init (&volumes, graph, error) &&
         set_jumps (&volumes, error) &&
         wf_run_rows (graph->run, &rows, add_row, &volumes, error) &&
         wf_hierarchy_sweep (graph, &volumes, measure_node, merge_counts, depths, error);
}
