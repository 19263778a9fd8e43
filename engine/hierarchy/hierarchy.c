/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy of basins: which ones become one when the least are merged.
 *
 * Given an image f and labels; any u32 but 0 is a basin's.
 *
 *   basins    numbered from 0 by increasing label.
 *   unlabelled  pixels with label 0, such as lines.  From such a pixel p the steepest path
 *             leads to the neighbour q that is first in the order (f, labelled or not,
 *             index), if q is labelled and f(q) ≤ f(p), or unlabelled and before p in the
 *             order (f, index); and on from there.  If the path ends in a basin, p counts
 *             to that basin, for passes only; if it ends at an unlabelled pixel, an
 *             unlabelled minimum, p counts to that.  Unlabelled minima are numbered after
 *             the basins, in raster order of the pixels where the paths end.
 *   pass      between two basins or unlabelled minima with neighbouring pixels: the
 *             minimum, over neighbours p in one and q in the other, of max (f(p), f(q)).
 *   merges    the passes in increasing order, ties by the smaller number and then by the
 *             larger, as long as they join what was not joined yet: Kruskal's minimum
 *             spanning tree.  An unlabelled minimum is joined to the first basin that it
 *             has a pass to, at no depth, and from then on its passes are that basin's.
 *   depth     of a merge at the pass h: the smaller of what the two sides measure,
 *
 *               dynamics   h − the least f of its pixels (0 where both are the same
 *                          infinity);
 *               area       its pixels; infinite at a pass of +infinity;
 *               volume     the sum of max (h − f, 0) over its pixels, exact and then
 *                          rounded once;
 *
 *             where only labelled pixels count, and where of a side that was itself made
 *             by merges at the level h the largest part counts, not the sum: what meets
 *             at one level meets at once.  A depth of 0 is taken as the least positive
 *             float.
 *   partition at the depth d: the two basins of every merge no deeper than d are joined.
 *             A region is numbered, from 1, by its smallest basin.
 *
 * So each merge makes one basin give way, and its depth is the extinction value of that
 * basin (Grimaud, A new measure of contrast: the dynamics, SPIE 1769, 1992; Vachier and
 * Meyer, Extinction value: a new measurement of persistence, IEEE Workshop on Nonlinear
 * Signal and Image Processing, 1995).  Which of two equals gives way makes no difference,
 * and how many regions there are at a depth does not depend on how basins are numbered.
 * Since no measure shrinks as a basin floods, each region of a partition holds just one
 * basin that is deeper than d: it is what flooding from those basins alone would give
 * on the graph of basins, for all depths at once (Cousty and Najman, Incremental
 * algorithm for hierarchical minimum spanning forests and saliency of watershed cuts,
 * ISMM 2011; Najman, Cousty and Perret, Playing with Kruskal, ISMM 2013).  Partitions are
 * nested, for each holds the joinings of those at smaller depths.
 *
 * All pixels are connected through others, so that there is one merge less than there
 * are basins.  Basins of the watershed of f, with the same neighbours, are at least one
 * level deep, and as many are deeper than h as the watershed with tolerance h has (in
 * f32, up to the rounding of f + h); with and without lines they have the same depths of
 * dynamics.  A wide unlabelled part connects basins; what is to be merged last must be divided by
 * pixels of +infinity, or of the highest level, and what is never to be merged by pixels outside
 * a mask (masked.c).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/record.h"
#include "engine/cpu/cpu.h"
#include "hierarchy.h"

struct _WfHierarchy
{
  gatomicrefcount ref_count;
  WfBasinTree     tree;
};


static gboolean
make_task (WfHierarchyTask           *task,
           const WfImage             *image,
           const WfImage             *labels,
           const WfHierarchyOptions  *options,
           GError                   **error)
{
  *task = (WfHierarchyTask) {
    .step    = WF_HIERARCHY_BUILD,
    .shape   = wf_image_shape (image),
    .type    = image->type,
    .measure = (WfMeasure) options->measure,
    .image   = image,
    .labels  = labels,

    .build        = wf_hierarchy_build,
    .build_memory = wf_hierarchy_build_memory,
  };
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

/* @tree: its tree, to be filled */
WfHierarchy *
wf_hierarchy_new_empty (WfBasinTree **tree)
{
  WfHierarchy *hierarchy = g_new0 (WfHierarchy, 1);

  g_atomic_ref_count_init (&hierarchy->ref_count);
  *tree = &hierarchy->tree;
  return hierarchy;
}

/**
 * wf_hierarchy_new:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @labels: u32, size of @image: the basins, as wf_watershed() gives them, with lines or
 *   without, or any others; 0 for what belongs to none
 * @options: (nullable): measure and connectivity
 * @error: %WF_ERROR_INVALID, also where all labels are 0; %WF_ERROR_LABELS for more than
 *   2³¹ − 1 basins; %WF_ERROR_MEMORY, %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Finds the order in which the basins of @image are merged, the least first; see the top of
 * hierarchy.c for the definition.  @image and @labels are not kept.
 *
 * Time: linear in the pixels, and n log n in the number n of basins.
 * Memory: for each basin 16 bytes in the hierarchy, and about 100 (for volumes in f32, 330)
 * while it is built; while it is built also 4 bytes for each pixel, unless the labels are
 * exactly 1 to n and none is 0.
 *
 * Returns: (transfer full): the hierarchy, or %NULL with @error set
 */
WfHierarchy *
wf_hierarchy_new (WfContext                 *context,
                  const WfImage             *image,
                  const WfImage             *labels,
                  const WfHierarchyOptions  *options,
                  GError                   **error)
{
  g_autoptr (WfContext)    own       = NULL;
  g_autoptr (WfHierarchy)  hierarchy = NULL;
  WfHierarchyOptions       taken;
  WfHierarchyTask          task;
  WfPlan                   plan;

  if (! wf_operation_take (WF_OPERATION_HIERARCHY, options, &taken, error) ||
      ! wf_image_check_labels (image, labels, error) ||
      ! make_task (&task, image, labels, &taken, error))
    return NULL;

  hierarchy = wf_hierarchy_new_empty (&task.tree);
  task.tree->connectivity = task.connectivity;
  own = wf_context_ensure (context);
  task.build_threads = wf_context_count_threads (own);
  if (! wf_context_plan (own, WF_OPERATION_HIERARCHY, taken.algorithm, &task,
                         wf_image_n_pixels (image), &plan, error))
    return NULL;
  plan.inputs[0] = (WfInput) { image, _("image") };
  if (! wf_context_run (own, WF_OPERATION_HIERARCHY, &plan, &task, error))
    return NULL;
  return g_steal_pointer (&hierarchy);
}

/**
 * wf_hierarchy_ref:
 * @hierarchy: a hierarchy
 *
 * Adds a reference, from any thread.
 *
 * Returns: (transfer full): @hierarchy
 */
WfHierarchy *
wf_hierarchy_ref (WfHierarchy *hierarchy)
{
  g_return_val_if_fail (hierarchy != NULL, NULL);

  g_atomic_ref_count_inc (&hierarchy->ref_count);
  return hierarchy;
}

/**
 * wf_hierarchy_unref:
 * @hierarchy: (transfer full): a hierarchy
 *
 * Drops a reference, from any thread.  The last one frees the hierarchy.
 */
void
wf_hierarchy_unref (WfHierarchy *hierarchy)
{
  g_return_if_fail (hierarchy != NULL);

  if (! g_atomic_ref_count_dec (&hierarchy->ref_count))
    return;
  wf_basin_tree_clear (&hierarchy->tree);
  g_free (hierarchy);
}

/**
 * wf_hierarchy_get_n_basins:
 * @hierarchy: a hierarchy
 *
 * Counts the basins, which is the number of entries that a cut fills.
 *
 * Returns: how many basins there are, at least 1.
 */
guint32
wf_hierarchy_get_n_basins (const WfHierarchy *hierarchy)
{
  g_return_val_if_fail (hierarchy != NULL, 0);

  return hierarchy->tree.n_basins;
}

const WfBasinTree *
wf_hierarchy_get_tree (const WfHierarchy *hierarchy)
{
  return &hierarchy->tree;
}

/* No cut of @hierarchy, which has not been cut yet, joins what has a merge of infinite depth. */
void
wf_hierarchy_keep_parts (WfHierarchy *hierarchy)
{
  hierarchy->tree.n_parts = wf_hierarchy_cut_at_depth (hierarchy, G_MAXDOUBLE, NULL);
}

/**
 * wf_hierarchy_get_label:
 * @hierarchy: a hierarchy
 * @basin: a basin, counted from 0
 *
 * Gives the label that a basin has in the image that the hierarchy was made from.
 *
 * Returns: the basin's label.
 */
guint32
wf_hierarchy_get_label (const WfHierarchy *hierarchy,
                        guint32            basin)
{
  g_return_val_if_fail (hierarchy != NULL && basin < hierarchy->tree.n_basins, 0);

  return hierarchy->tree.labels ? hierarchy->tree.labels[basin] : basin + 1;
}


/*  Cuts  */

/**
 * wf_hierarchy_get_depth:
 * @hierarchy: a hierarchy
 * @n_regions: how many regions there may be, at least 1
 *
 * Finds the depth of the cut that leaves few enough regions, in the unit of the hierarchy's
 * measure.
 *
 * Returns: the least depth at which wf_hierarchy_cut_at_depth() leaves no more than
 *   @n_regions; 0 if there are no more basins than that; infinite if none does, as a mask has
 *   more parts.
 */
double
wf_hierarchy_get_depth (const WfHierarchy *hierarchy,
                        guint32            n_regions)
{
  g_return_val_if_fail (hierarchy != NULL && n_regions > 0, 0);

  if (n_regions >= hierarchy->tree.n_basins)
    return 0;
  return hierarchy->tree.depths[hierarchy->tree.n_basins - n_regions - 1];
}

/* How many joinings leave @n_regions, or as few as there may be. */
static guint32
count_joined (const WfBasinTree *tree,
              guint32            n_regions)
{
  const guint32 least = MAX (n_regions, tree->n_parts);

  return least < tree->n_basins ? tree->n_basins - least : 0;
}

/* Numbers the regions that the first @n_joined joinings make, in one go: the basin that
 * another is joined to comes before it.
 */
static guint32
cut (const WfBasinTree *tree,
     guint32            n_joined,
     guint32           *regions)
{
  guint32 n_regions = 1;

  if (! regions)
    return tree->n_basins - n_joined;

  regions[0] = 1;
  for (guint32 i = 1; i < tree->n_basins; i++)
    {
      /* All bits, or none: without a branch that cannot be foreseen. */
      guint32 is_first = -(guint32) (tree->rank[i] >= n_joined);

      n_regions -= is_first;
      regions[i] = (n_regions & is_first) | (regions[tree->joined[i]] & ~is_first);
    }
  return n_regions;
}

/**
 * wf_hierarchy_cut_at_depth:
 * @hierarchy: a hierarchy
 * @depth: in the unit of its measure
 * @regions: (out caller-allocates) (optional) (array zero-terminated=0): an array of
 *   the caller with an entry for each basin, counted from 0: the region that it is in,
 *   counted from 1
 *
 * Joins all basins whose merge is no deeper than @depth; at a depth of 0 each basin is a
 * region.  Regions are numbered in the order of their first basins.
 *
 * Time: one step for each basin, or log n without @regions.  Any number of threads may
 * do this with one hierarchy.
 *
 * Returns: how many regions are left.
 */
guint32
wf_hierarchy_cut_at_depth (const WfHierarchy *hierarchy,
                           double             depth,
                           guint32           *regions)
{
  const WfBasinTree *tree;
  guint32            first = 0;
  guint32            after;

  g_return_val_if_fail (hierarchy != NULL, 0);

  tree  = &hierarchy->tree;
  after = tree->n_basins - 1;
  while (first < after)
    {
      guint32 middle = first + (after - first) / 2;

      if (tree->depths[middle] <= depth)
        first = middle + 1;
      else
        after = middle;
    }
  return cut (tree, MIN (first, count_joined (tree, 1)), regions);
}

/**
 * wf_hierarchy_cut_to_count:
 * @hierarchy: a hierarchy
 * @n_regions: how many regions are wished, at least 1
 * @regions: (out caller-allocates) (optional) (array zero-terminated=0): an array of
 *   the caller with an entry for each basin, counted from 0: the region that it is in,
 *   counted from 1
 *
 * Joins basins in the order of depth, merges of one depth in the order of their passes,
 * until @n_regions are left.  Otherwise as wf_hierarchy_cut_at_depth().
 *
 * Returns: how many regions are left: @n_regions, or the number of basins if there are
 *   fewer, or of a mask's parts with basins if there are more.
 */
guint32
wf_hierarchy_cut_to_count (const WfHierarchy *hierarchy,
                           guint32            n_regions,
                           guint32           *regions)
{
  g_return_val_if_fail (hierarchy != NULL && n_regions > 0, 0);

  return cut (&hierarchy->tree, count_joined (&hierarchy->tree, n_regions), regions);
}

/**
 * wf_hierarchy_get_highest_label:
 * @hierarchy: a hierarchy
 *
 * Gives the highest label, which decides the length of the table of wf_hierarchy_get_map().
 *
 * Returns: the largest label of a basin; a map from all labels has one entry more.
 */
guint32
wf_hierarchy_get_highest_label (const WfHierarchy *hierarchy)
{
  g_return_val_if_fail (hierarchy != NULL, 0);

  return hierarchy->tree.highest;
}

static gboolean
check_map (const WfBasinTree  *tree,
           gsize               n_entries,
           GError            **error)
{
  if (n_entries > tree->highest)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("A map of %lu labels does not hold the label %u."),
               (gulong) n_entries, tree->highest);
  return FALSE;
}

/**
 * wf_hierarchy_get_map:
 * @hierarchy: a hierarchy
 * @n_regions: how many regions are to be left, at least 1; not fewer than a mask has parts are
 * @map: (out caller-allocates) (array length=n_entries): an array of the caller: for each
 *   label the label of the first basin of its region; 0 for what is no basin's label
 * @n_entries: (in): how many entries @map has, at least wf_hierarchy_get_highest_label() + 1
 * @error: %WF_ERROR_INVALID for a map that is too small; then it is as it was
 *
 * The partition of wf_hierarchy_cut_to_count() as a table from labels to labels, which
 * needs no list of basins to be applied, and in which a region keeps its label until it is
 * joined to an earlier one.  The partition at a depth is that of
 * wf_hierarchy_cut_at_depth()'s number of regions, for then no merge of that depth is
 * left over.
 *
 * Time: one step for each basin, and for each entry if the labels are not 1 to n.  Any
 * number of threads may do this with one hierarchy.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_hierarchy_get_map (const WfHierarchy  *hierarchy,
                      guint32             n_regions,
                      guint32            *map,
                      gsize               n_entries,
                      GError            **error)
{
  const WfBasinTree *tree;
  guint32            n_joined;

  g_return_val_if_fail (hierarchy != NULL && n_regions > 0 && map != NULL, FALSE);

  tree = &hierarchy->tree;
  if (! check_map (tree, n_entries, error))
    return FALSE;

  n_joined = count_joined (tree, n_regions);
  memset (map, 0, n_entries * sizeof *map);
  for (guint32 i = 0; i < tree->n_basins; i++)
    {
      guint32 label  = wf_hierarchy_get_label (hierarchy, i);
      guint32 joined = wf_hierarchy_get_label (hierarchy, tree->joined[i]);

      /* The basin that another is joined to comes before it. */
      map[label] = tree->rank[i] >= n_joined ? label : map[joined];
    }
  return TRUE;
}


/*  The record  */

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfHierarchyOptions taken;
  WfHierarchyTask    task;

  return wf_operation_take (operation, options, &taken, error) &&
         wf_image_check_view (image, _("image"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         make_task (&task, image, NULL, &taken, error) &&
         wf_context_estimate (operation, NULL, &task, result, error);
}

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  g_autoptr (WfHierarchy) hierarchy = NULL;

  hierarchy = wf_hierarchy_new_masked (call->context, call->inputs[0], call->inputs[1],
                                       call->inputs[2], call->options, error);
  if (! hierarchy)
    return FALSE;
  *call->count = wf_hierarchy_get_n_basins (hierarchy);
  return wf_hierarchy_saliency_masked (call->context, hierarchy, call->inputs[1], call->inputs[2],
                                       call->outputs[0], error);
}

static const WfChoice algorithms[] =
{
  { "auto",       0, N_("Automatic") },
  { "boundaries", 0, N_("Passes between basins, found along their boundaries") },
  { NULL }
};

static const WfChoice measures[] =
{
  { "dynamics", WF_MEASURE_DYNAMICS, N_("Dynamics (depth)") },
  { "area",     WF_MEASURE_AREA,     N_("Area") },
  { "volume",   WF_MEASURE_VOLUME,   N_("Volume") },
  { NULL }
};

static const WfOption options[] =
{
  {
    .name          = "measure",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfHierarchyOptions, measure),
    .label         = N_("_Measure"),
    .blurb         = N_("Measure by which basins are merged, the smallest first"),
    .placeholder   = "dynamics|area|volume",
    .default_value = WF_MEASURE_DYNAMICS,
    .choices       = measures,
  },
  WF_CONNECTIVITY_OPTION (WfHierarchyOptions, wf_connectivities, WF_NEIGHBOURS),
  WF_ALGORITHM_OPTION (WfHierarchyOptions, algorithms, WF_SAME_RESULT),
};

static const WfOperand inputs[] =
{
  { .name = "image", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS },
  { .name = "labels", .content = WF_CONTENT_LABELS, .types = 1 << WF_TYPE_U32 },
  {
    .name     = "mask",
    .content  = WF_CONTENT_MARKS,
    .types    = WF_LEVELS | 1 << WF_TYPE_U32,
    .optional = TRUE,
  },
  { NULL }
};

static const WfOperand outputs[] =
{
  {
    .name    = "saliency",
    .content = WF_CONTENT_SALIENCY,
    .types   = 1 << WF_TYPE_F32 | 1 << WF_TYPE_F64,
  },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_HIERARCHY,
    .options   = {
      .name      = "hierarchy",
      .title     = N_("Hierarchy of Basins"),
      .blurb     = N_("Merge the basins of a watershed, the least significant first"),
      .options   = options,
      .n_options = G_N_ELEMENTS (options),
      .size      = sizeof (WfHierarchyOptions),
    },
    .category  = N_("Operations"),
    .flags     = WF_WORKS_ON_STACKS,
    .inputs    = inputs,
    .outputs   = outputs,
    .counts    = "basins",
    .cpu       = wf_cpu_hierarchy_variants,
    .run       = run,
    .estimate  = estimate,
  },
};

const WfOperationTable wf_hierarchy_operations = { records, G_N_ELEMENTS (records) };
