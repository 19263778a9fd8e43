/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of the basins of an image larger than memory, in bands.
 *
 *   summary   Each band is read once, with a row, or slice, at each side.  What is left of it is a
 *             part of the graph (basin-part.h): no more edges than vertices, of which only the
 *             exits at its two sides are not final.
 *   join      Parts side by side become one, of which again only the edges are kept that may be in
 *             the minimum spanning tree; as soon as there are two of as many bands, so that each
 *             vertex is looked at once for each doubling.
 *   ranks     Parts of ranks are joined up the tree of the ranks (engine/ranks/tree.h).
 *   solve     The first rank has the graph of the whole.  Its merges and their depths are those of
 *             the image in memory: numbers and order of the vertices are the same, all that is
 *             summed are whole numbers.
 *
 * Source: of joining graphs of parts, Gazagnes and Wilkinson, Distributed component forests in 2-D:
 * hierarchical image representations suitable for tera-scale images, International Journal of
 * Pattern Recognition and Artificial Intelligence 33 (2019).
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "engine/ranks/tree.h"

/* The part of the memory that bands may take; the graph may take the rest. */
#define SHARE_OF_BANDS 2


static guint64
find_limit (const WfBasinBlocks *blocks)
{
  const guint64 limit = wf_context_get_memory (blocks->context);

  return limit - limit / SHARE_OF_BANDS;
}

/* Refuses a graph that takes too much. */
static gboolean
check_memory (const WfBasinBlocks  *blocks,
              guint64               bytes,
              GError              **error)
{
  const guint64 limit = find_limit (blocks);

  return limit == 0 || bytes <= limit ||
         wf_bands_refuse_memory (blocks->context, SHARE_OF_BANDS * bytes,
                                 wf_context_get_memory (blocks->context), error);
}

static gboolean
check_parts (const WfBasinBlocks  *blocks,
             guint64               more,
             GError              **error)
{
  guint64 bytes = more;

  for (guint i = 0; i < blocks->n_parts; i++)
    bytes += wf_basin_part_memory (&blocks->parts[i], blocks->rim);
  return check_memory (blocks, bytes, error);
}

/* Of WfBandMemoryFunc. */
static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const WfBasinBlocks *blocks = data;
  WfHierarchyTask      task   = blocks->task;
  guint64              n;
  guint64              bytes;

  task.shape = *band;
  if (task.shape.depth > 1 || blocks->image->depth > 1)
    task.shape.depth = MIN (task.shape.depth + 2, blocks->image->depth);
  else
    task.shape.height = MIN (task.shape.height + 2, blocks->image->height);
  n     = wf_shape_n_pixels (&task.shape);
  bytes = wf_hierarchy_build_memory (&task, wf_context_count_threads (blocks->context))
          + 4 * blocks->rim * sizeof (guint32)
          + n * (wf_type_size (blocks->image->type) + sizeof (guint32));
  if (blocks->levels && blocks->levels != blocks->image)
    bytes += n * wf_type_size (blocks->levels->type);
  return SHARE_OF_BANDS * bytes;
}

static gboolean
check_sources (const WfBasinBlocks  *blocks,
               GError              **error)
{
  const WfBlockSource *image  = blocks->image;
  const WfBlockSource *levels = blocks->levels;

  return wf_source_check (image, blocks->what, error) &&
         wf_source_check_as (blocks->labels, WF_TYPE_U32, _("label image"), image, blocks->what,
                             error) &&
         (! levels || levels == image ||
          (wf_source_check (levels, _("image"), error) &&
           wf_source_check_as (levels, levels->type, _("image"), image, blocks->what, error)));
}

/* Pixels of a row, or slice, are numbered by 32 bits. */
static gboolean
check_rim (const WfBasinBlocks  *blocks,
           GError              **error)
{
  if (blocks->rim <= G_MAXUINT32)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
               _("The size of the %s, %" PRId64 " × %" PRId64
                 " × %" PRId64 ", is too large to be addressed."),
               blocks->what, blocks->image->width, blocks->image->height, blocks->image->depth);
  return FALSE;
}

/* Checks and divides.  Of @blocks context and sources are given; @tree: empty, is filled */
gboolean
wf_basin_blocks_prepare (WfBasinBlocks             *blocks,
                         const WfHierarchyOptions  *options,
                         WfBasinTree               *tree,
                         gint64                     rows,
                         GError                   **error)
{
  const WfBlockSource *image = blocks->image;
  const WfShape        shape = { image->width, image->height, image->depth };
  WfHierarchyOptions   taken;

  if (! check_sources (blocks, error) ||
      ! wf_operation_take (WF_OPERATION_HIERARCHY, options, &taken, error))
    return FALSE;
  blocks->rim  = shape.width * (shape.depth > 1 ? shape.height : 1);
  blocks->task = (WfHierarchyTask) { .step = WF_HIERARCHY_BUILD, .shape = shape,
                                     .type = image->type, .measure = (WfMeasure) taken.measure,
                                     .tree = tree };
  if (! wf_connectivity_resolve (taken.connectivity, &shape, &blocks->task.connectivity, error) ||
      ! check_rim (blocks, error) ||
      ! wf_bands_divide (&blocks->bands, blocks->context, image, rows, band_memory, 0, blocks,
                         error))
    return FALSE;
  tree->connectivity = blocks->task.connectivity;
  return wf_bands_allocate (&blocks->bands, image->type, 1, &blocks->bands_image, error) &&
         wf_bands_allocate (&blocks->bands, WF_TYPE_U32, 1, &blocks->bands_labels, error) &&
         (! blocks->levels || blocks->levels == image ||
          wf_bands_allocate (&blocks->bands, blocks->levels->type, 0, &blocks->bands_levels,
                             error));
}

void
wf_basin_blocks_clear (WfBasinBlocks *blocks)
{
  wf_image_clear (&blocks->bands_image);
  wf_image_clear (&blocks->bands_labels);
  wf_image_clear (&blocks->bands_levels);
  for (guint i = 0; i < blocks->n_parts; i++)
    wf_basin_part_clear (&blocks->parts[i]);
  wf_hierarchy_clear (&blocks->graph);
}

/* Whether this rank has the graph of the whole. */
gboolean
wf_basin_blocks_is_first (const WfBasinBlocks *blocks)
{
  const WfCommunicator *ranks = blocks->context->ranks;

  return ! wf_ranks_are_several (ranks) || wf_communicator_get_rank (ranks) == 0;
}

/* Does one step on the CPU, with progress and report. */
gboolean
wf_basin_blocks_run (WfContext          *context,
                     WfBasinBlocksFunc   run,
                     gconstpointer       data,
                     GError            **error)
{
  const WfVariant variant = { .algorithm = "boundaries", .run = run, .checks_nan = TRUE };
  const WfPlan    plan    = { .variant = &variant, .backend = wf_backend_cpu () };

  return wf_context_run (context, WF_OPERATION_HIERARCHY, &plan, data, error);
}


/*  Bands  */

/**
 * Visit:
 * @task: of the band
 * @tree: its labels
 */
typedef struct
{
  WfBasinBlocks   *blocks;
  gint64           number;
  WfHierarchyTask  task;
  WfBasinTree      tree;
} Visit;


/* Reads a band with its neighbours, and makes a task of it. */
gboolean
wf_basin_blocks_read (WfBasinBlocks    *blocks,
                      gint64            number,
                      WfHierarchyTask  *task,
                      GError          **error)
{
  const WfBands  *bands  = &blocks->bands;
  const gboolean  before = wf_bands_have_seam (bands, number, WF_BAND_FIRST);
  const gboolean  after  = wf_bands_have_seam (bands, number, WF_BAND_LAST);
  const gint64    first  = wf_bands_first (bands, number) - before;
  const gint64    end    = wf_bands_end (bands, number) + after;
  const gint64    unit   = blocks->rim / blocks->image->width;

  if (! wf_bands_read_span (bands, blocks->context, blocks->image, first, end, blocks->what,
                            &blocks->bands_image, error) ||
      ! wf_bands_read_again (bands, blocks->labels, first, end, &blocks->bands_labels, error))
    return FALSE;
  *task              = blocks->task;
  task->shape        = wf_image_shape (&blocks->bands_image);
  task->connectivity = wf_bands_connectivity (blocks->task.connectivity, task->shape.depth);
  task->image        = &blocks->bands_image;
  task->labels       = &blocks->bands_labels;
  task->rows_before  = before ? unit : 0;
  task->rows_after   = after ? unit : 0;
  return TRUE;
}

/* The band without its neighbours, of an image that was read with them. */
static WfImage
view_own (const Visit   *visit,
          const WfImage *image)
{
  const WfBands *bands  = &visit->blocks->bands;
  const gint64   before = visit->task.rows_before > 0;
  WfImage        view;

  wf_bands_view (bands, image, before,
                 before + wf_bands_end (bands, visit->number)
                 - wf_bands_first (bands, visit->number), &view);
  return view;
}

static gboolean
read_levels (Visit   *visit,
             WfImage *levels,
             GError **error)
{
  WfBasinBlocks *blocks = visit->blocks;
  const WfBands *bands  = &blocks->bands;

  if (blocks->levels == blocks->image)
    {
      *levels = view_own (visit, &blocks->bands_image);
      return TRUE;
    }
  if (! wf_bands_read_again (bands, blocks->levels, wf_bands_first (bands, visit->number),
                             wf_bands_end (bands, visit->number), &blocks->bands_levels, error))
    return FALSE;
  *levels           = blocks->bands_levels;
  levels->allocated = NULL;
  return TRUE;
}

static gboolean
survey (Visit        *visit,
        WfBasinPart  *part,
        GError      **error)
{
  WfBasinBlocks *blocks = visit->blocks;
  const gint64   first  = wf_bands_first (&blocks->bands, visit->number);
  const gboolean stack  = blocks->image->depth > 1;
  const WfImage  labels = view_own (visit, &blocks->bands_labels);
  WfImage        levels;

  return ! blocks->levels ||
         (read_levels (visit, &levels, error) &&
          wf_basin_survey_init (&part->survey, part->n_basins, levels.type,
                                blocks->context->cancellable, error) &&
          wf_basin_survey_add (&part->survey, visit->task.tree, &levels, &labels,
                               stack ? 0 : first, stack ? first : 0, error));
}

/* Joins the last two parts. */
static gboolean
join_last (WfBasinBlocks  *blocks,
           WfRun          *run,
           GError        **error)
{
  const guint last = blocks->n_parts - 1;

  if (! wf_basin_part_join (&blocks->parts[last - 1], &blocks->parts[last], blocks->rim, run,
                            error))
    return FALSE;
  blocks->n_joined[last - 1] += blocks->n_joined[last];
  blocks->n_parts--;
  return TRUE;
}

/* The function of a visit. */
static gboolean
summarize (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  Visit         *visit  = *(Visit * const *) data;
  WfBasinBlocks *blocks = visit->blocks;
  WfBasinPart   *part   = &blocks->parts[blocks->n_parts];

  blocks->n_joined[blocks->n_parts++] = 1;
  if (! wf_hierarchy_summarize (&visit->task, blocks->rim, part, run, error) ||
      ! survey (visit, part, error))
    return FALSE;
  while (blocks->n_parts > 1 &&
         blocks->n_joined[blocks->n_parts - 2] == blocks->n_joined[blocks->n_parts - 1])
    if (! join_last (blocks, run, error))
      return FALSE;
  return check_parts (blocks, 0, error);
}

static gboolean
visit_band (WfBasinBlocks  *blocks,
            gint64          number,
            GError        **error)
{
  Visit    visit = { .blocks = blocks, .number = number };
  Visit   *data  = &visit;
  gboolean done;

  if (! wf_basin_blocks_read (blocks, number, &visit.task, error))
    return FALSE;
  visit.task.tree = &visit.tree;
  done            = wf_basin_blocks_run (blocks->context, summarize, &data, error);
  wf_basin_tree_clear (&visit.tree);
  return done;
}

static gboolean
join_rest (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  WfBasinBlocks *blocks = *(WfBasinBlocks * const *) data;

  wf_run_begin (run, 1.0, blocks->n_parts);
  while (blocks->n_parts > 1)
    if (! join_last (blocks, run, error))
      return FALSE;
  return TRUE;
}


/*  Ranks  */

static gboolean
send_part (gpointer   data,
           guint      rank,
           GError   **error)
{
  WfBasinBlocks *blocks = data;

  if (! wf_basin_part_send (&blocks->parts[0], blocks->rim, blocks->context->ranks, rank, error))
    return FALSE;
  wf_basin_part_clear (&blocks->parts[0]);
  return TRUE;
}

static gboolean
join_part (gpointer   data,
           guint      rank,
           guint      level,
           GError   **error)
{
  WfBasinBlocks *blocks = data;
  WfRun          run;

  wf_run_init (&run, blocks->context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (blocks->context);
  blocks->n_joined[blocks->n_parts++] = 1;
  return wf_basin_part_receive (&blocks->parts[1], blocks->rim, blocks->context->ranks, rank,
                                error) &&
         check_parts (blocks, 0, error) &&
         join_last (blocks, &run, error);
}

static void
reach_top (gpointer data)
{
}

/* Nothing goes down. */
static gboolean
split (gpointer   data,
       guint      rank,
       guint      level,
       GError   **error)
{
  return TRUE;
}

static gboolean
receive_outside (gpointer   data,
                 guint      rank,
                 GError   **error)
{
  return TRUE;
}

/* Reads all bands of this rank, and joins them and those of other ranks to the graph of the whole
 * in the first rank.  One step a band, and one more.
 */
gboolean
wf_basin_blocks_gather (WfBasinBlocks  *blocks,
                        WfSteps        *steps,
                        GError        **error)
{
  static const WfRankTree tree = { send_part, join_part, reach_top, split, receive_outside };

  for (gint64 i = 0; i < blocks->bands.n; i++)
    if (! visit_band (blocks, i, error) || ! wf_steps_next (steps, error))
      return FALSE;
  if (blocks->n_parts > 1 && ! wf_basin_blocks_run (blocks->context, join_rest, &blocks, error))
    return FALSE;
  return wf_ranks_solve (blocks->context->ranks, &blocks->bands.part, &tree, blocks, error) &&
         wf_steps_next (steps, error);
}


/*  Solving  */

/* Steps that go over the graph: its run is the step's. */
static gboolean
merge (gconstpointer   data,
       WfRun          *run,
       GError        **error)
{
  WfBasinBlocks *blocks = *(WfBasinBlocks * const *) data;
  WfBasinGraph  *graph  = &blocks->graph;

  *graph = (WfBasinGraph) { .task = &blocks->task, .run = run, .tree = blocks->task.tree };
  return wf_hierarchy_take_part (graph, &blocks->parts[0], error) &&
         wf_hierarchy_merge (graph, error);
}

/* In the first rank: finds the merges of the basins. */
gboolean
wf_basin_blocks_merge (WfBasinBlocks  *blocks,
                       GError        **error)
{
  return check_parts (blocks, blocks->parts[0].n_basins
                              * wf_hierarchy_basin_memory (&blocks->task), error) &&
         wf_basin_blocks_run (blocks->context, merge, &blocks, error);
}

static gboolean
order (gconstpointer   data,
       WfRun          *run,
       GError        **error)
{
  WfBasinBlocks      *blocks = *(WfBasinBlocks * const *) data;
  g_autofree double  *depths = wf_allocate ((gint64) blocks->task.tree->n_basins - 1,
                                            sizeof (double), error);

  blocks->graph.run = run;
  wf_run_begin (run, 1.0, 2 * (gint64) blocks->task.tree->n_basins);
  return depths &&
         wf_hierarchy_measure (&blocks->graph, depths, error) &&
         wf_hierarchy_order (&blocks->graph, depths, error);
}

/* In the first rank: measures the merges by dynamics or area, and completes the tree. */
gboolean
wf_basin_blocks_order (WfBasinBlocks  *blocks,
                       GError        **error)
{
  return wf_basin_blocks_run (blocks->context, order, &blocks, error);
}
