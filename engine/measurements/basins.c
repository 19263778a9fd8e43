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
 * The depths come from the tree of merges.  Before each merge every region has one basin
 * that has not given way yet, the lowest of the region; of the two that meet, the higher
 * one gives way, at the depth of the merge.
 */

#include "config.h"

#include <float.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/cpu/union-find.h"
#include "engine/core/image.h"
#include "basins.h"
#include "region-task.h"


/*  The depths  */

/* Basins of the same ground are parted by nothing: the tree says the least float. */
static double
depth_of (double merge)
{
  return merge <= FLT_TRUE_MIN ? 0 : merge;
}

/* @floors: for each basin the least level of what was flooded */
static gboolean
find_depths (WfBasinSurvey      *survey,
             const WfBasinTree  *tree,
             const double       *floors,
             WfBasin            *basins,
             GError            **error)
{
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
      if (! wf_basin_survey_advance (survey, 1, error))
        return FALSE;
    }
  for (guint32 k = 0; k + 1 < n; k++)
    {
      guint32  gone   = order[k];
      guint32  stays  = wf_find_root (parents, tree->joined[gone]);
      guint32  deeper = lowest[stays];
      guint32  higher = lowest[gone];
      gboolean turn   = floors[higher] < floors[deeper] ||
                        (floors[higher] == floors[deeper] && higher < deeper);

      if (turn)
        {
          deeper = lowest[gone];
          higher = lowest[stays];
        }
      basins[higher].depth = depth_of (tree->depths[k]);
      lowest[stays]                = deeper;
      parents[gone]                = stays;
      if (! wf_basin_survey_advance (survey, 1, error))
        return FALSE;
    }
  basins[lowest[0]].depth = INFINITY;
  return TRUE;
}

/* Measures the basins of @tree; see the top of this file.  Returns NULL with @error set; else to be
 * freed with g_free().
 */
WfBasin *
wf_basins_finish (WfBasinSurvey      *survey,
                  const WfBasinTree  *tree,
                  const double       *floors,
                  GError            **error)
{
  g_autofree WfBasin *basins = wf_allocate (tree->n_basins, sizeof (WfBasin), error);

  if (! basins)
    return NULL;
  for (guint32 i = 0; i < tree->n_basins; i++)
    {
      basins[i] = (WfBasin) { .label = tree->labels ? tree->labels[i] : i + 1 };
      wf_basin_survey_finish (survey, i, &basins[i]);
      if (! wf_basin_survey_advance (survey, 1, error))
        return NULL;
    }
  return find_depths (survey, tree, floors, basins, error) ? g_steal_pointer (&basins) : NULL;
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
          (wf_image_check_view (relief, _("relief"), error) &&
           wf_image_check_work_type (relief, _("relief"), error) &&
           wf_image_check_size (relief, _("relief"), labels, _("label image"), error)));
}

/* Of WfMeasureTask: fills the survey that is its data; the basins of a tree are the regions in the
 * order of their labels.
 */
static gboolean
take_sums (const WfMeasureTask   *task,
           WfRun                 *run,
           const WfRegionTotals  *totals,
           GError               **error)
{
  WfBasinSurvey         *survey      = task->data;
  GCancellable          *cancellable = survey->cancellable;
  g_auto (WfRegionScan)  scan        = { 0 };

  if (! wf_measure_scan (task, run, totals, &scan, error))
    return FALSE;
  wf_basin_survey_clear (survey);
  if (! wf_basin_survey_init (survey, (guint32) scan.n_regions, task->image->type, cancellable,
                              error))
    return FALSE;
  for (guint32 i = 0; i < survey->n; i++)
    {
      WfRegionSums sums;
      WfLevelSums  levels;

      wf_region_scan_merge (&scan, i, &sums, NULL, &levels);
      wf_basin_survey_take (survey, i, &sums, &levels, (task->parts & WF_SCAN_SUMS) != 0);
      if (! wf_basin_survey_advance (survey, 1, error))
        return FALSE;
    }
  return TRUE;
}

/* Surveys the levels of @image in the basins, on the device that suits that.  The progress is that
 * of the hierarchy.
 */
static gboolean
survey_image (WfContext      *context,
              const WfImage  *image,
              const WfImage  *labels,
              guint           parts,
              WfBasinSurvey  *survey,
              GError        **error)
{
  const WfProgressFunc progress = context->progress;
  WfMeasureTask        task     = { .labels       = labels,
                                    .image        = image,
                                    .parts        = parts,
                                    .connectivity = labels->depth > 1 ? 6 : 4,
                                    .work         = take_sums,
                                    .data         = survey };
  gboolean             done;

  survey->cancellable = context->cancellable;
  context->progress   = NULL;
  done                = wf_measure_run (context, &task, error);
  context->progress   = progress;
  return done;
}

/* Surveys @image, and finds the least level of @relief in each basin. */
static double *
survey_all (WfContext      *context,
            const WfImage  *image,
            const WfImage  *relief,
            const WfImage  *labels,
            WfBasinSurvey  *survey,
            GError        **error)
{
  g_auto (WfBasinSurvey)  own    = { 0 };
  const WfBasinSurvey    *of     = relief == image ? survey : &own;
  g_autofree double      *floors = NULL;

  if (! survey_image (context, image, labels, WF_SCAN_EXTREMES | WF_SCAN_SUMS, survey, error) ||
      (relief != image && survey->n > 0 &&
       ! survey_image (context, relief, labels, WF_SCAN_EXTREMES, &own, error)) ||
      ! (floors = wf_allocate (survey->n, sizeof (double), error)))
    return NULL;
  for (guint32 i = 0; i < survey->n; i++)
    floors[i] = of->sums[i].minimum;
  return g_steal_pointer (&floors);
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
 *   %WF_ERROR_MEMORY, %WF_ERROR_UNSUPPORTED, %WF_ERROR_DEVICE, %G_IO_ERROR_CANCELLED
 *
 * Measures every basin; see the top of basins.c for the definitions.
 *
 * Time: that of wf_hierarchy_new() and a step for each pixel, on all threads or on the device that
 * suits it: GPUs survey levels of 8 and 16 bits.  Memory: that of
 * wf_hierarchy_new(), and for each basin some 300 bytes, in f32 400, and about 200 more with a
 * @relief.  Cancelling takes effect within a tenth of a second.
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
  g_auto (WfBasinSurvey)   survey    = { 0 };
  g_autofree double       *floors    = NULL;
  g_autofree char         *notice    = NULL;
  WfHierarchyOptions       options;
  WfBasin                 *measured;

  g_return_val_if_fail (basins != NULL && n_basins != NULL, FALSE);

  if (! relief)
    relief = image;
  if (! check_images (image, relief, labels, error))
    return FALSE;
  own = wf_context_ensure (context);
  floors = survey_all (own, image, relief, labels, &survey, error);
  if (! floors)
    return FALSE;
  if (survey.n == 0)   /* there is no tree */
    {
      *basins   = NULL;
      *n_basins = 0;
      return TRUE;
    }

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.connectivity = connectivity;
  notice    = g_strdup (own->notice);
  hierarchy = wf_hierarchy_new (own, relief, labels, &options, error);
  if (! hierarchy)
    return FALSE;
  if (notice && g_strcmp0 (notice, own->notice) != 0)
    wf_context_add_notice (own, notice);

  measured = wf_basins_finish (&survey, wf_hierarchy_get_tree (hierarchy), floors, error);
  if (! measured)
    return FALSE;
  *basins   = measured;
  *n_basins = survey.n;
  return TRUE;
}
