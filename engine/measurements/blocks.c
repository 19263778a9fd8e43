/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measurements of the basins of an image larger than memory.  While the graph of the basins is
 * gathered for their depths (engine/hierarchy/blocks.c), the sums over their pixels are gathered
 * with it: each image is read once.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "basins.h"
#include "engine/blocks/block-options.h"
#include "engine/core/context-private.h"
#include "engine/hierarchy/blocks.h"

/**
 * Result:
 * @n_basins: in all ranks
 * @basins: in the first one
 */
typedef struct
{
  gint64   n_basins;
  WfBasin *basins;
} Result;


/* In the first rank, which has the graph of the whole. */
static gboolean
finish (WfBasinBlocks  *blocks,
        Result         *result,
        GError        **error)
{
  const WfBasinTree       *tree   = blocks->task.tree;
  g_auto (WfBasinSurvey)   survey = blocks->parts[0].survey;
  g_autofree double       *floors = NULL;

  blocks->parts[0].survey = (WfBasinSurvey) { 0 };
  if (! wf_basin_blocks_merge (blocks, error) ||
      ! wf_basin_blocks_order (blocks, error) ||
      ! (floors = wf_allocate (tree->n_basins, sizeof (double), error)))
    return FALSE;
  survey.cancellable = blocks->context->cancellable;
  for (guint32 i = 0; i < tree->n_basins; i++)
    floors[i] = wf_key_level (blocks->graph.least[i], blocks->task.type);
  result->basins = wf_basins_finish (&survey, tree, floors, error);
  return result->basins != NULL;
}

static gboolean
measure (WfBasinBlocks  *blocks,
         WfBasinTree    *tree,
         int             connectivity,
         gint64          rows,
         Result         *result,
         GError        **error)
{
  g_auto (WfSteps)   steps = { 0 };
  WfHierarchyOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.connectivity = connectivity;
  if (! wf_basin_blocks_prepare (blocks, &options, tree, rows, error))
    return FALSE;
  wf_steps_begin (&steps, blocks->context, blocks->bands.n + 2);
  if (! wf_basin_blocks_gather (blocks, &steps, error))
    return FALSE;
  if (wf_basin_blocks_is_first (blocks))
    {
      result->n_basins = blocks->parts[0].n_basins;
      if (result->n_basins > 0 && ! finish (blocks, result, error))
        return FALSE;
    }
  if (! wf_ranks_sum (blocks->context->ranks, &result->n_basins, 1, error))
    return FALSE;
  wf_steps_set_left (&steps, 0);
  return TRUE;
}

/**
 * wf_basins_measure_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32: the levels that are looked at, as for wf_basins_measure()
 * @relief: (nullable): u8, u16 or f32, size of @image: what was flooded, for the depths;
 *   %NULL for @image itself, which then may not hold NaN
 * @labels: u32, size of @image: the basins; 0 for what belongs to none
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @basins: (out) (array length=n_basins) (transfer full) (nullable): the measurements of every
 *   basin, by increasing label, to be freed with g_free(); %NULL if there is none.  Of several
 *   ranks, only the first one gets them; the others get %NULL
 * @n_basins: (out): how many basins there are; in all ranks
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as for wf_basins_measure(), and those of @image, @relief and @labels
 *
 * Measures the basins of an image that need not fit into memory: the results are those of
 * wf_basins_measure().  Each of @image, @relief and @labels is read once, in blocks of whole rows
 * or slices.
 *
 * By several ranks, each holds the basins of its own part, and the first one those of the whole.
 *
 * Time: that of wf_basins_measure(), plus reading.  Memory: within the context's limit, blocks
 * included; half of it is for the basins, which take about as much as in wf_basins_measure().
 *
 * Returns: %FALSE with @error set; then @basins and @n_basins are as they were.
 */
gboolean
wf_basins_measure_blocks (WfContext             *context,
                          const WfBlockSource   *image,
                          const WfBlockSource   *relief,
                          const WfBlockSource   *labels,
                          int                    connectivity,
                          WfBasin              **basins,
                          guint32               *n_basins,
                          const WfBlockOptions  *blocks,
                          GError               **error)
{
  g_autoptr (WfContext)   own    = wf_context_ensure (context);
  WfBasinTree             tree   = { 0 };
  Result                  result = { 0, NULL };
  g_auto (WfBasinBlocks)  parts  = { .context = own, .image = relief ? relief : image,
                                     .what = relief ? _("relief") : _("image"),
                                     .labels = labels, .levels = image };
  WfBlockOptions          taken;
  WfJointWork             joint;
  gboolean                done;

  g_return_val_if_fail (image != NULL && labels != NULL, FALSE);
  g_return_val_if_fail (basins != NULL && n_basins != NULL, FALSE);

  wf_joint_work_begin (&joint, own);
  done = wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                    measure (&parts, &tree, connectivity, taken.rows, &result,
                                             error), error);
  wf_basin_tree_clear (&tree);
  if (! done)
    {
      g_free (result.basins);
      return FALSE;
    }
  *basins   = result.basins;
  *n_basins = result.n_basins;
  return TRUE;
}
