/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy of an image larger than memory: the graph of its basins (blocks.c), the depths of
 * its merges, and the tree, which all ranks get.
 *
 * Volumes take a second pass: the pixels are added to the nodes of the merges, which all ranks must
 * know, by each rank for its own bands; then the sums of the ranks are added.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "cpu/volumes.h"
#include "engine/blocks/block-options.h"
#include "engine/core/context-private.h"

/* Cells of volumes that are summed over the ranks at a time. */
#define CELLS_A_MESSAGE (1 << 20)


/*  Ranks  */

/* Gives all ranks an array of the first one.  @array: a pointer, whose memory is allocated in the
 * others
 */
static gboolean
share (WfBasinBlocks  *blocks,
       gpointer        array,
       gint64          n,
       gsize           size,
       GError        **error)
{
  gpointer *at = array;

  if (! wf_ranks_are_several (blocks->context->ranks))
    return TRUE;
  if (! wf_basin_blocks_is_first (blocks) && ! (*at = wf_allocate (n, size, error)))
    return FALSE;
  return wf_communicator_broadcast (blocks->context->ranks, *at, n * size, error);
}

/* Gives all ranks the labels of the basins. */
static gboolean
share_labels (WfBasinBlocks  *blocks,
              GError        **error)
{
  WfBasinTree *tree      = blocks->task.tree;
  guint32      header[3] = { tree->n_basins, tree->highest, tree->labels != NULL };

  if (! wf_ranks_are_several (blocks->context->ranks))
    return TRUE;
  if (! wf_communicator_broadcast (blocks->context->ranks, header, sizeof header, error))
    return FALSE;
  tree->n_basins = header[0];
  tree->highest  = header[1];
  return ! header[2] ||
         (share (blocks, &tree->labels, tree->n_basins, sizeof (guint32), error) &&
          (wf_basin_blocks_is_first (blocks) || wf_hierarchy_index_labels (tree, error)));
}

/* Gives all ranks the joinings. */
static gboolean
share_tree (WfBasinBlocks  *blocks,
            GError        **error)
{
  WfBasinTree  *tree = blocks->task.tree;
  const gint64  n    = tree->n_basins;

  return share (blocks, &tree->joined, n, sizeof (guint32), error) &&
         share (blocks, &tree->rank, n, sizeof (guint32), error) &&
         share (blocks, &tree->depths, n - 1, sizeof (double), error);
}


/*  Volumes  */

/**
 * VolumePass:
 * @task: of a band
 */
typedef struct
{
  WfBasinBlocks   *blocks;
  WfVolumes        volumes;
  WfHierarchyTask  task;
} VolumePass;


static gboolean
prepare_volumes (gconstpointer   data,
                 WfRun          *run,
                 GError        **error)
{
  VolumePass *pass = *(VolumePass * const *) data;

  pass->blocks->graph.run = run;
  wf_run_begin (run, 1.0, pass->blocks->task.tree->n_basins);
  return wf_volumes_init (&pass->volumes, &pass->blocks->graph, error);
}

static gboolean
add_volumes (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  VolumePass *pass = *(VolumePass * const *) data;

  wf_run_begin (run, 1.0, wf_shape_n_pixels (&pass->task.shape));
  if (! wf_volumes_add (&pass->volumes, &pass->task, run, error))
    return FALSE;
  wf_volumes_carry (&pass->volumes);
  return TRUE;
}

static gboolean
order_volumes (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  VolumePass         *pass   = *(VolumePass * const *) data;
  WfBasinGraph       *graph  = &pass->blocks->graph;
  g_autofree double  *depths = wf_allocate ((gint64) graph->tree->n_basins - 1, sizeof (double),
                                            error);

  graph->run = run;
  wf_run_begin (run, 1.0, 2 * (gint64) graph->tree->n_basins);
  return depths &&
         wf_volumes_measure (&pass->volumes, depths, error) &&
         wf_hierarchy_order (graph, depths, error);
}

static gboolean
sum_ranks (VolumePass  *pass,
           GError     **error)
{
  const gint64 n = (gint64) pass->volumes.n_nodes * pass->volumes.n_cells;

  for (gint64 i = 0; i < n; i += CELLS_A_MESSAGE)
    if (! wf_ranks_sum (pass->blocks->context->ranks, pass->volumes.cells + i,
                        MIN (CELLS_A_MESSAGE, n - i), error))
      return FALSE;
  return TRUE;
}

/* Reads all bands once more, and completes the tree in the first rank. */
static gboolean
order_by_volume (WfBasinBlocks  *blocks,
                 WfSteps        *steps,
                 GError        **error)
{
  VolumePass    pass    = { .blocks = blocks };
  VolumePass   *data    = &pass;
  WfContext    *context = blocks->context;
  gboolean      done;

  blocks->graph.task = &blocks->task;
  blocks->graph.tree = blocks->task.tree;
  done = share (blocks, &blocks->graph.merges, (gint64) blocks->task.tree->n_basins - 1,
                sizeof (WfMerge), error) &&
         wf_basin_blocks_run (context, prepare_volumes, &data, error);
  for (gint64 i = 0; done && i < blocks->bands.n; i++)
    done = wf_basin_blocks_read (blocks, i, &pass.task, error) &&
           wf_basin_blocks_run (context, add_volumes, &data, error) &&
           wf_steps_next (steps, error);
  done = done &&
         sum_ranks (&pass, error) &&
         (! wf_basin_blocks_is_first (blocks) ||
          wf_basin_blocks_run (context, order_volumes, &data, error));
  wf_volumes_clear (&pass.volumes);
  return done;
}


/*  The whole  */

static gboolean
build (WfBasinBlocks             *blocks,
       const WfHierarchyOptions  *options,
       WfBasinTree               *tree,
       gint64                     rows,
       GError                   **error)
{
  g_auto (WfSteps) steps = { 0 };
  gboolean         volumes;

  if (! wf_basin_blocks_prepare (blocks, options, tree, rows, error))
    return FALSE;
  volumes = blocks->task.measure == WF_MEASURE_VOLUME;
  wf_steps_begin (&steps, blocks->context, (volumes ? 2 : 1) * blocks->bands.n + 3);
  if (! wf_basin_blocks_gather (blocks, &steps, error) ||
      (wf_basin_blocks_is_first (blocks) && ! wf_basin_blocks_merge (blocks, error)) ||
      ! share_labels (blocks, error) ||
      ! wf_steps_next (&steps, error))
    return FALSE;
  if (volumes ? ! order_by_volume (blocks, &steps, error)
              : wf_basin_blocks_is_first (blocks) && ! wf_basin_blocks_order (blocks, error))
    return FALSE;
  if (! share_tree (blocks, error))
    return FALSE;
  wf_steps_set_left (&steps, 0);
  return TRUE;
}

/**
 * wf_hierarchy_new_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @labels: u32, size of @image: the basins, as for wf_hierarchy_new()
 * @options: (nullable): measure and connectivity
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as for wf_hierarchy_new(), and those of @image and @labels
 *
 * The hierarchy of an image that need not fit into memory: that of wf_hierarchy_new().  @image and
 * @labels are read once in blocks of whole rows or slices, and for volumes once more.
 *
 * By several ranks, each holds the graph of the basins of its own part, and gets the whole
 * hierarchy; the first one also joins the graphs, and holds that of the whole while the tree is
 * made.  For volumes, all ranks hold the sums of all basins.
 *
 * Time: that of wf_hierarchy_new(), plus reading; and a step for each basin and each doubling of
 * the number of blocks.  Memory: within the context's limit, blocks included; half of it is for the
 * basins, which take about as much as in wf_hierarchy_new().
 *
 * Returns: (transfer full): the hierarchy, or %NULL with @error set
 */
WfHierarchy *
wf_hierarchy_new_blocks (WfContext                 *context,
                         const WfBlockSource       *image,
                         const WfBlockSource       *labels,
                         const WfHierarchyOptions  *options,
                         const WfBlockOptions      *blocks,
                         GError                   **error)
{
  g_autoptr (WfContext)    own       = wf_context_ensure (context);
  WfBasinTree             *tree      = NULL;
  g_autoptr (WfHierarchy)  hierarchy = wf_hierarchy_new_empty (&tree);
  g_auto (WfBasinBlocks)   basins    = { .context = own, .image = image, .what = _("image"),
                                         .labels = labels };
  WfBlockOptions           taken;
  WfJointWork              joint;

  g_return_val_if_fail (image != NULL && labels != NULL, NULL);

  wf_joint_work_begin (&joint, own);
  if (! wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                   build (&basins, options, tree, taken.rows, error), error))
    return NULL;
  return g_steal_pointer (&hierarchy);
}
