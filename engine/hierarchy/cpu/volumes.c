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
#include "volumes.h"

#define NODES_TO_A_LOOK 0x10000

/* Cells of each node. */
#define INTEGER_CELLS 2     /* pixels, sum of levels */
#define FLOAT_CELLS   (2 + WF_EXACT_LIMBS)  /* pixels, those at −infinity, sum of the rest */

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
 * Pass:
 * @bits: a row of marks for each thread
 * @known: for each thread, a cache of nodes by basin and level
 *
 * What adds the pixels of an image.
 */
typedef struct
{
  const WfVolumes       *volumes;
  const WfHierarchyTask *task;
  WfRun                 *run;
  const WfMarkSteps     *marks;
  guint64               *bits;
  Known                 *known;
} Pass;


static void
pass_clear (Pass *pass)
{
  g_free (pass->bits);
  g_free (pass->known);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pass, pass_clear)

static gboolean
pass_init (Pass    *pass,
           GError **error)
{
  gint64 n_words = wf_mark_words (pass->task->shape.width);
  gint64 n_known = (gint64) pass->run->n_threads << N_KNOWN_BITS;

  if (! (pass->bits = wf_allocate (n_words * pass->run->n_threads, sizeof (guint64), error)) ||
      ! (pass->known = wf_allocate (n_known, sizeof (Known), error)))
    return FALSE;

  /* No key is below 0, so these entries match no query. */
  memset (pass->known, 0, n_known * sizeof (Known));
  return TRUE;
}

void
wf_volumes_clear (WfVolumes *volumes)
{
  g_free (volumes->nodes);
  g_free (volumes->cells);
}


/*  Ancestors  */

/* The pass at which @node is made; basins are there from the beginning. */
static inline guint32
start_of (const WfVolumes *volumes,
          guint32        node)
{
  return node < volumes->n ? 0 : volumes->graph->merges[node - volumes->n].pass;
}

/* Where two consecutive jumps are equally long, the next one spans both: the lengths are
 * those of the skew binary numbers, 2^k − 1.  Of nodes that are made at one level only the
 * last counts: no pixel belongs to the others.
 */
static gboolean
set_jumps (WfVolumes  *volumes,
           GError    **error)
{
  const guint32        last  = volumes->n_nodes - 1;
  WfVolumeNode        *nodes = volumes->nodes;
  g_autofree guint32  *depth = wf_allocate (volumes->n_nodes, sizeof (guint32), error);

  if (! depth)
    return FALSE;
  for (guint32 i = 0; i + 1 < volumes->n; i++)
    nodes[volumes->graph->merges[i].left].up =
      nodes[volumes->graph->merges[i].right].up = volumes->n + i;
  nodes[last] = (WfVolumeNode) { G_MAXUINT32, last, last, start_of (volumes, last) };
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

/* Prepares sums over all pixels of the basins of @graph, whose merges are known. */
gboolean
wf_volumes_init (WfVolumes     *volumes,
                 WfBasinGraph  *graph,
                 GError       **error)
{
  gint64 n_nodes = 2 * (gint64) graph->tree->n_basins - 1;

  volumes->graph   = graph;
  volumes->n       = graph->tree->n_basins;
  volumes->n_nodes = n_nodes;
  volumes->n_cells = graph->task->type == WF_TYPE_F32 ? FLOAT_CELLS : INTEGER_CELLS;
  if (! (volumes->nodes = wf_allocate (n_nodes, sizeof (WfVolumeNode), error)) ||
      ! (volumes->cells = wf_allocate (n_nodes, volumes->n_cells * sizeof (gint64), error)))
    return FALSE;
  memset (volumes->cells, 0, n_nodes * volumes->n_cells * sizeof (gint64));
  return set_jumps (volumes, error);
}

/* The node that the pixels of @basin at level @key are added to. */
static inline const Known *
node_of_level (const Pass *pass,
               guint32     basin,
               guint32     key,
               guint       worker)
{
  const WfVolumes *volumes = pass->volumes;
  Known           *known   = pass->known + ((gsize) worker << N_KNOWN_BITS)
                             + ((basin * 2654435761u + key * 2246822519u) >> (32 - N_KNOWN_BITS));
  guint32          node    = basin;
  guint32          start   = 0;

  if (known->basin == basin && key >= known->start && key < known->end)
    return known;
  while (volumes->nodes[node].end <= key)
    {
      const WfVolumeNode *at = &volumes->nodes[node];

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
add_run (const Pass    *pass,
         guint32        basin,
         gconstpointer  levels,
         gint64         first,
         gint64         after,
         guint          worker,
         const WfType   type)
{
  const WfVolumes *volumes = pass->volumes;
  const int        n_cells = type == WF_TYPE_F32 ? FLOAT_CELLS : INTEGER_CELLS;
  gint64           x       = first;

  while (x < after)
    {
      gint64      sum[FLOAT_CELLS] = { 0 };
      guint32     key     = wf_level_key (levels, x, type);
      Known       known   = *node_of_level (pass, basin, key, worker);
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
                 pass->run->n_threads > 1);
    }
}

static gboolean
add_row (gpointer data,
         WfRow    row)
{
  const Pass            *pass     = data;
  const WfHierarchyTask *task     = pass->task;
  gint64                 width    = task->shape.width;
  gint64                 n_words  = wf_mark_words (width);
  guint64               *bits     = pass->bits + row.worker * n_words;
  const guint32         *labels   = wf_image_row (task->labels, task->rows_before + row.number);
  gconstpointer          levels   = wf_image_row (task->image, task->rows_before + row.number);

  pass->marks->mark (labels, labels + 1, width - 1, FALSE, bits, n_words);
  for (gint64 x = 0, after; x < width; x = after)
    {
      guint32 basin;

      after = wf_mark_run_end (bits, x, width);
      if (labels[x] == 0)
        continue;
      basin = wf_basin_tree_find (task->tree, labels[x]) - 1;
      if (task->type == WF_TYPE_U8)
        add_run (pass, basin, levels, x, after, row.worker, WF_TYPE_U8);
      else if (task->type == WF_TYPE_U16)
        add_run (pass, basin, levels, x, after, row.worker, WF_TYPE_U16);
      else
        add_run (pass, basin, levels, x, after, row.worker, WF_TYPE_F32);
    }
  return TRUE;
}

/* Adds the pixels of the task's own rows, whose labels are those of its tree. */
gboolean
wf_volumes_add (WfVolumes              *volumes,
                const WfHierarchyTask  *task,
                WfRun                  *run,
                GError                **error)
{
  const gint64   n    = wf_count_rows (task) - task->rows_before - task->rows_after;
  const WfRows   rows = { .n = n, .amount = task->shape.width };
  g_auto (Pass)  pass = { .volumes = volumes, .task = task, .run = run,
                          .marks = wf_mark_steps () };

  return pass_init (&pass, error) &&
         wf_run_rows (run, &rows, add_row, &pass, error);
}

/* Propagates the carries, so that sums of @volumes can be added. */
void
wf_volumes_carry (WfVolumes *volumes)
{
  for (gint64 i = 0; volumes->n_cells == FLOAT_CELLS && i < volumes->n_nodes; i++)
    wf_exact_carry (volumes->cells + i * volumes->n_cells + 2);
}


/*  Volumes  */

static double
measure_node (const WfBasinGraph *graph,
              gpointer            counts,
              guint32             node,
              guint32             pass)
{
  const WfVolumes *volumes = counts;
  const gint64    *cells   = volumes->cells + (gint64) node * volumes->n_cells;
  float            level;

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
  WfVolumes    *volumes = counts;
  const int     n_cells = volumes->n_cells;
  const gint64 *a       = volumes->cells + (gint64) left * n_cells;
  const gint64 *b       = volumes->cells + (gint64) right * n_cells;
  gint64       *sum     = volumes->cells + (gint64) merged * n_cells;

  for (int i = 0; i < n_cells; i++)
    sum[i] += a[i] + b[i];
  if (graph->task->type == WF_TYPE_F32)
    wf_exact_carry (sum + 2);
}

/* Sets the depths of the merges, when all pixels have been added. */
gboolean
wf_volumes_measure (WfVolumes  *volumes,
                    double     *depths,
                    GError    **error)
{
  return wf_hierarchy_sweep (volumes->graph, volumes, measure_node, merge_counts, depths, error);
}

/* Sets the depths of the merges by volume. */
gboolean
wf_hierarchy_volumes (WfBasinGraph  *graph,
                      double        *depths,
                      GError       **error)
{
  g_auto (WfVolumes) volumes = { 0 };

  wf_run_begin (graph->run, 0.15, wf_shape_n_pixels (&graph->task->shape));
  return wf_volumes_init (&volumes, graph, error) &&
         wf_volumes_add (&volumes, graph->task, graph->run, error) &&
         wf_volumes_measure (&volumes, depths, error);
}

/* Bytes of the tables of threads. */
guint64
wf_hierarchy_volumes_memory (guint n_threads)
{
  return (guint64) n_threads * (sizeof (Known) << N_KNOWN_BITS);
}
