/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Partitions and saliency maps of images larger than memory, in bands.  What a pixel becomes
 * depends on the pixels up to two away (images.c), so bands are read with two rows, or slices, at
 * each side; these are painted as well, and not written.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"

/* Rows, or slices, at each side. */
#define MARGIN 2

/**
 * Painting:
 * @step: what is made of the labels
 * @type: of its pixels
 * @low: for a saliency map
 */
typedef struct
{
  WfContext           *context;
  const WfBasinTree   *tree;
  WfHierarchyStep      step;
  WfType               type;
  const guint32       *regions;
  const WfBlockSource *labels;
  const WfBlockSink   *sink;
  WfBands              bands;
  WfImage              bands_labels;
  WfImage              bands_out;
  WfLowTree            low;
} Painting;


static void
painting_clear (Painting *painting)
{
  wf_image_clear (&painting->bands_labels);
  wf_image_clear (&painting->bands_out);
  wf_low_tree_clear (&painting->low);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Painting, painting_clear)

static gboolean
maps_saliency (const Painting *painting)
{
  return painting->step == WF_HIERARCHY_SALIENCY;
}

/* Of WfBandMemoryFunc. */
static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Painting *painting = data;
  const guint64   unit     = painting->labels->width
                             * (painting->labels->depth > 1 ? painting->labels->height : 1);
  const guint64   n        = wf_shape_n_pixels (band) + 2 * MARGIN * unit;

  return n * (sizeof (guint32) + wf_type_size (painting->type))
         + (maps_saliency (painting) ? (guint64) painting->tree->n_basins * 4 * sizeof (guint32)
                                     : 0);
}

/* Of WfBasinBlocksFunc. */
static gboolean
make_low_tree (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  Painting *painting = *(Painting * const *) data;

  wf_run_begin (run, 1.0, painting->tree->n_basins);
  return wf_low_tree_init (&painting->low, painting->tree, run, error);
}

/* Reads a band with its margin, and paints it. */
static gboolean
paint (Painting  *painting,
       gint64     first,
       gint64     end,
       GError   **error)
{
  WfContext       *context = painting->context;
  WfImage         *labels  = &painting->bands_labels;
  WfImage          out     = painting->bands_out;
  WfHierarchyTask  task    = {
    .step    = painting->step,
    .labels  = labels,
    .tree    = (WfBasinTree *) painting->tree,
    .regions = painting->regions,
    .out     = &out,
  };
  WfPlan           plan;

  if (! wf_bands_read_again (&painting->bands, painting->labels, first, end, labels, error))
    return FALSE;
  out.height        = labels->height;
  out.depth         = labels->depth;
  out.slice_stride  = labels->slice_stride;
  out.allocated     = NULL;
  task.low_tree     = maps_saliency (painting) ? &painting->low : NULL;
  task.shape        = wf_image_shape (labels);
  task.connectivity = wf_bands_connectivity (painting->tree->connectivity, labels->depth);
  plan = (WfPlan) { .backend = wf_backend_cpu () };
  plan.variant = wf_backend_find_variant (plan.backend, WF_OPERATION_HIERARCHY, NULL, &task);
  return wf_context_run (context, WF_OPERATION_HIERARCHY, &plan, &task, error);
}

static gboolean
paint_band (Painting  *painting,
            gint64     number,
            GError   **error)
{
  const WfBands *bands  = &painting->bands;
  const gint64   units  = painting->labels->depth > 1 ? painting->labels->depth
                                                      : painting->labels->height;
  const gint64   first  = wf_bands_first (bands, number);
  const gint64   end    = wf_bands_end (bands, number);
  const gint64   before = MIN (first, MARGIN);
  WfImage        own;

  if (wf_bands_are_finished (bands, painting->sink, number))
    return TRUE;
  if (! paint (painting, first - before, MIN (end + MARGIN, units), error))
    return FALSE;
  wf_bands_view (bands, &painting->bands_out, before, before + end - first, &own);
  return wf_bands_finish (bands, painting->sink, number, &own, error);
}

static gboolean
prepare (Painting  *painting,
         gint64     rows,
         GError   **error)
{
  const WfBlockSource *labels = painting->labels;
  const WfShape        shape  = { labels->width, labels->height, labels->depth };
  int                  connectivity;

  return wf_source_check_as (labels, WF_TYPE_U32, _("label image"), labels, _("label image"),
                             error) &&
         wf_connectivity_resolve (painting->tree->connectivity, &shape, &connectivity, error) &&
         wf_bands_divide (&painting->bands, painting->context, labels, rows, band_memory, 0,
                          painting, error) &&
         wf_bands_allocate (&painting->bands, WF_TYPE_U32, MARGIN, &painting->bands_labels,
                            error) &&
         wf_bands_allocate (&painting->bands, painting->type, MARGIN, &painting->bands_out, error);
}

/* What is painted is memory of the operation's own. */
static gboolean
paint_bands (Painting  *painting,
             GError   **error)
{
  const gboolean    partial = painting->context->partial_outputs;
  g_auto (WfSteps)  steps   = { 0 };
  gboolean          done;

  wf_steps_begin (&steps, painting->context, painting->bands.n + 1);
  wf_context_set_partial_outputs (painting->context, TRUE);
  done = ! maps_saliency (painting) ||
         wf_basin_blocks_run (painting->context, make_low_tree, &painting, error);
  for (gint64 i = 0; done && i < painting->bands.n; i++)
    done = paint_band (painting, i, error) && wf_steps_next (&steps, error);
  wf_context_set_partial_outputs (painting->context, partial);
  if (done)
    wf_steps_set_left (&steps, 0);
  return done;
}

static gboolean
run (Painting              *painting,
     const WfBlockOptions  *blocks,
     GError               **error)
{
  WfBlockOptions taken;
  WfJointWork    joint;

  wf_joint_work_begin (&joint, painting->context);
  return wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                    wf_sink_check_room (painting->sink, _("result"), error) &&
                                    prepare (painting, taken.rows, error) &&
                                    paint_bands (painting, error), error);
}

/**
 * wf_hierarchy_relabel_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @hierarchy: a hierarchy
 * @regions: (array zero-terminated=0): for each basin, counted from 0, its region, as a cut
 *   gives it; in all ranks the same
 * @labels: u32: labels of these basins
 * @out: takes the result, u32; not the place of @labels
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as for wf_hierarchy_relabel(), and those of @labels and @out
 *
 * wf_hierarchy_relabel() of an image that need not fit into memory.  @labels is read once, in
 * blocks of whole rows or slices, and a few of these more at their borders; @out is written once,
 * in raster order.
 *
 * Time: that of wf_hierarchy_relabel(), plus reading and writing.  Memory: within the context's
 * limit, blocks included, beside @hierarchy and @regions.
 *
 * Returns: %FALSE with @error set; then part of @out may have been written.
 */
gboolean
wf_hierarchy_relabel_blocks (WfContext             *context,
                             const WfHierarchy     *hierarchy,
                             const guint32         *regions,
                             const WfBlockSource   *labels,
                             const WfBlockSink     *out,
                             const WfBlockOptions  *blocks,
                             GError               **error)
{
  g_autoptr (WfContext) own      = wf_context_ensure (context);
  g_auto (Painting)     painting = { .context = own, .step = WF_HIERARCHY_RELABEL,
                                     .type = WF_TYPE_U32, .regions = regions, .labels = labels,
                                     .sink = out };

  g_return_val_if_fail (hierarchy != NULL && regions != NULL, FALSE);
  g_return_val_if_fail (labels != NULL && out != NULL, FALSE);

  painting.tree = wf_hierarchy_get_tree (hierarchy);
  return run (&painting, blocks, error);
}

/**
 * wf_hierarchy_saliency_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @hierarchy: a hierarchy
 * @labels: u32: labels of its basins
 * @out: takes the result, pixels of @type
 * @type: %WF_TYPE_F32 or %WF_TYPE_F64
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as for wf_hierarchy_saliency(), and those of @labels and @out
 *
 * wf_hierarchy_saliency() of an image that need not fit into memory; reading, writing, time and
 * memory as for wf_hierarchy_relabel_blocks(), and 16 bytes a basin.
 *
 * Returns: %FALSE with @error set; then part of @out may have been written.
 */
gboolean
wf_hierarchy_saliency_blocks (WfContext             *context,
                              const WfHierarchy     *hierarchy,
                              const WfBlockSource   *labels,
                              const WfBlockSink     *out,
                              WfType                 type,
                              const WfBlockOptions  *blocks,
                              GError               **error)
{
  g_autoptr (WfContext) own      = wf_context_ensure (context);
  g_auto (Painting)     painting = { .context = own, .step = WF_HIERARCHY_SALIENCY, .type = type,
                                     .labels = labels, .sink = out };

  g_return_val_if_fail (hierarchy != NULL, FALSE);
  g_return_val_if_fail (type == WF_TYPE_F32 || type == WF_TYPE_F64, FALSE);
  g_return_val_if_fail (labels != NULL && out != NULL, FALSE);

  painting.tree = wf_hierarchy_get_tree (hierarchy);
  return run (&painting, blocks, error);
}
