/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be said of each basin of a watershed, or of anything else that is labelled.
 *
 *   area      its pixels;
 *   centroid  the mean of their coordinates, those of a pixel being its column, its row
 *             and its slice;
 *   box       the least and the greatest of their coordinates;
 *   levels    the least, the mean and the greatest of the image's levels in it;
 *   depth     its dynamics in the relief that was flooded, which may be the image itself or
 *             something made from it: how far water that fills the basin from its lowest
 *             pixel rises until it runs over into a basin that is deeper
 *             (engine/hierarchy/hierarchy.c).  Of two that are equally deep the first is
 *             taken as the deeper one.  Nothing limits the deepest of all: its depth is
 *             infinite.
 *
 * As many basins are deeper than d as the partition at the depth d has regions, so a
 * depth of merging and the depths in a table of basins mean the same.
 *
 * The pixels are counted by the scan of regions (region-scan.c).
 *
 * The depths come from the tree of merges.  Before each merge every region has one basin
 * that has not given way yet, the lowest of the region; of the two that meet, the higher
 * one gives way, at the depth of the merge.
 */

#include "config.h"

#include <float.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/cpu/union-find.h"
#include "engine/core/image.h"
#include "region-scan.h"

/* Pixels or basins between two checks for cancellation: at most some ten milliseconds, also
 * where each pixel is a basin whose label has to be searched for.
 */
#define WORTH_A_LOOK (1 << 16)

typedef struct
{
  const WfImage     *image;
  const WfImage     *relief;
  const WfImage     *labels;
  guint              n_threads;
  const WfBasinTree *tree;
  WfBasin           *basins;
  double            *floors;
  GCancellable      *cancellable;
  gint64             unseen;    /* pixels and basins since the last check for cancellation */
} Survey;


/* Counts pixels or basins that were looked at.  Returns %FALSE with @error set once it is
 * cancelled.
 */
static inline gboolean
advance (Survey  *survey,
         gint64   amount,
         GError **error)
{
  survey->unseen += amount;
  if (survey->unseen < WORTH_A_LOOK)
    return TRUE;
  survey->unseen = 0;
  return ! g_cancellable_is_cancelled (survey->cancellable) || wf_run_set_cancelled (error);
}


/*  The pixels  */

static void
take_sums (WfBasin             *basin,
           const WfRegionSums  *sums,
           const WfLevelLayout *layout,
           const WfLevelSums   *levels)
{
  const double area = (double) sums->area;

  basin->label   = sums->label;
  basin->area    = sums->area;
  basin->minimum = levels->least;
  basin->mean    = wf_level_sums_total (layout, levels) / area;
  basin->maximum = levels->greatest;
  for (int axis = 0; axis < 3; axis++)
    {
      basin->centroid[axis] = (double) sums->coordinates[axis] / area;
      basin->first[axis]    = sums->first[axis];
      basin->last[axis]     = sums->last[axis];
    }
}

/* Finds the basins' sums over @image, or only the least levels of the relief, their floors. */
static gboolean
survey_image (Survey         *survey,
              const WfImage  *image,
              gboolean        with_sums,
              GError        **error)
{
  g_auto (WfRegionScan)  scan = { .labels = survey->labels, .image = image,
                                  .parts = WF_SCAN_EXTREMES | (with_sums ? WF_SCAN_SUMS : 0) };
  WfRun                  run;
  WfRegionSums           sums;
  WfLevelSums            levels;

  wf_run_init (&run, survey->cancellable, NULL, NULL, 0.0);
  run.n_threads = survey->n_threads;
  scan.run      = &run;
  if (! wf_region_scan (&scan, 1, error))
    return FALSE;
  for (gint64 region = 0; region < scan.n_regions; region++)
    {
      guint32 basin;

      wf_region_scan_merge (&scan, region, &sums, NULL, &levels);
      basin = wf_basin_tree_find (survey->tree, sums.label) - 1;
      if (with_sums)
        take_sums (&survey->basins[basin], &sums, &scan.layout, &levels);
      if (image == survey->relief)
        survey->floors[basin] = levels.least;
      if (! advance (survey, 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
survey_pixels (Survey  *survey,
               GError **error)
{
  return survey_image (survey, survey->image, TRUE, error) &&
         (survey->relief == survey->image || survey_image (survey, survey->relief, FALSE, error));
}

static gboolean
has_label (const guint32 *labels,
           gint64         n)
{
  for (gint64 x = 0; x < n; x++)
    if (labels[x] != 0)
      return TRUE;
  return FALSE;
}

/* Sets @found to whether there is any label: an image without one has no tree. */
static gboolean
find_label (Survey    *survey,
            gboolean  *found,
            GError   **error)
{
  const WfImage *labels = survey->labels;

  *found = FALSE;
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    for (gint64 x = 0; x < labels->width; x += WORTH_A_LOOK)
      {
        const gint64 n = MIN (labels->width - x, WORTH_A_LOOK);

        *found = has_label ((const guint32 *) wf_image_row (labels, row) + x, n);
        if (*found)
          return TRUE;
        if (! advance (survey, n, error))
          return FALSE;
      }
  return TRUE;
}


/*  The depths  */

/* Basins of the same ground are parted by nothing: the tree says the least float. */
static double
depth_of (double merge)
{
  return merge <= FLT_TRUE_MIN ? 0 : merge;
}

static gboolean
find_depths (Survey  *survey,
             GError **error)
{
  const WfBasinTree  *tree    = survey->tree;
  const guint32       n       = tree->n_basins;
  g_autofree guint32 *parents = wf_allocate (n, sizeof (guint32), error);
  g_autofree guint32 *lowest  = parents ? wf_allocate (n, sizeof (guint32), error) : NULL;
  g_autofree guint32 *order   = lowest ? wf_allocate (n, sizeof (guint32), error) : NULL;

  if (! order)
    return FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      parents[i] = lowest[i] = i;
      if (i > 0)
        order[tree->rank[i]] = i;
      if (! advance (survey, 1, error))
        return FALSE;
    }
  for (guint32 k = 0; k + 1 < n; k++)
    {
      guint32  gone   = order[k];
      guint32  stays  = wf_find_root (parents, tree->joined[gone]);
      guint32  deeper = lowest[stays];
      guint32  higher = lowest[gone];
      gboolean turn   = survey->floors[higher] < survey->floors[deeper] ||
                        (survey->floors[higher] == survey->floors[deeper] && higher < deeper);

      if (turn)
        {
          deeper = lowest[gone];
          higher = lowest[stays];
        }
      survey->basins[higher].depth = depth_of (tree->depths[k]);
      lowest[stays]                = deeper;
      parents[gone]                = stays;
      if (! advance (survey, 1, error))
        return FALSE;
    }
  survey->basins[lowest[0]].depth = INFINITY;
  return TRUE;
}


/*  All of it  */

static gboolean
check_images (const WfImage  *image,
              const WfImage  *relief,
              const WfImage  *labels,
              GError        **error)
{
  return wf_image_check_labels (image, labels, error) &&
         (relief == image ||
          (wf_image_check (relief, _("relief"), error) &&
           wf_image_check_work_type (relief, _("relief"), error) &&
           wf_image_check_size (relief, _("relief"), labels, _("label image"), error)));
}

static gboolean
survey_basins (Survey  *survey,
               GError **error)
{
  const guint32 n = survey->tree->n_basins;

  survey->floors = wf_allocate (n, sizeof (double), error);
  survey->basins = survey->floors ? wf_allocate (n, sizeof (WfBasin), error) : NULL;
  if (! survey->basins)
    return FALSE;

  return survey_pixels (survey, error) && find_depths (survey, error);
}

/**
 * wf_basins_measure:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth: the levels that are looked at;
 *   ±infinity is allowed, NaN gives measurements that are NaN
 * @relief: (nullable): u8, u16 or f32, size of @image: what was flooded, for the depths;
 *   %NULL for @image itself; NaN is refused
 * @labels: u32, size of @image: the basins, with lines or without, or any other labels;
 *   0 for what belongs to none
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @basins: (out) (array length=n_basins) (transfer full): the measurements of every basin, by
 *   increasing label, to be freed with g_free(); %NULL if there is none
 * @n_basins: (out): how many basins there are
 * @error: %WF_ERROR_INVALID, %WF_ERROR_LABELS for more than 2³¹ − 1 basins,
 *   %WF_ERROR_MEMORY, %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Measures every basin; see the top of basins.c for the definitions.
 *
 * Time: that of wf_hierarchy_new() and a step for each pixel.  Memory: that of
 * wf_hierarchy_new(), and for each basin some 300 bytes.  Cancelling takes effect within a tenth of
 * a second.
 *
 * Returns: %FALSE with @error set; then @basins and @n_basins are as they were.
 */
gboolean
wf_basins_measure (WfContext      *context,
                   const WfImage  *image,
                   const WfImage  *relief,
                   const WfImage  *labels,
                   int             connectivity,
                   WfBasin       **basins,
                   guint32        *n_basins,
                   GError        **error)
{
  g_autoptr (WfContext)    own       = NULL;
  g_autoptr (WfHierarchy)  hierarchy = NULL;
  WfHierarchyOptions       options;
  Survey                   survey    = { .image = image, .relief = relief ? relief : image,
                                         .labels = labels };
  gboolean                 labelled;
  gboolean                 success;

  g_return_val_if_fail (basins != NULL && n_basins != NULL, FALSE);

  if (! check_images (survey.image, survey.relief, labels, error))
    return FALSE;
  own                = wf_context_ensure (context);
  survey.cancellable = wf_context_get_cancellable (own);
  survey.n_threads   = wf_context_count_threads (own);
  if (! find_label (&survey, &labelled, error))
    return FALSE;
  if (! labelled)
    {
      *basins   = NULL;
      *n_basins = 0;
      return TRUE;
    }

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.connectivity = connectivity;
  hierarchy = wf_hierarchy_new (own, survey.relief, labels, &options, error);
  if (! hierarchy)
    return FALSE;

  survey.tree = wf_hierarchy_get_tree (hierarchy);
  success     = survey_basins (&survey, error);
  g_free (survey.floors);
  if (! success)
    {
      g_free (survey.basins);
      return FALSE;
    }
  *basins   = survey.basins;
  *n_basins = survey.tree->n_basins;
  return TRUE;
}
