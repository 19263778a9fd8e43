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

#include "engine/core/context.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/cpu/union-find.h"
#include "engine/core/image.h"
#include "basins.h"

/* Pixels between two checks for cancellation. */
#define WORTH_A_LOOK (1 << 16)


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
find_label (WfContext      *context,
            const WfImage  *labels,
            gboolean       *found,
            GError        **error)
{
  GCancellable *cancellable = wf_context_get_cancellable (context);

  *found = FALSE;
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    for (gint64 x = 0; x < labels->width; x += WORTH_A_LOOK)
      {
        const gint64 n = MIN (labels->width - x, WORTH_A_LOOK);

        *found = has_label ((const guint32 *) wf_image_row (labels, row) + x, n);
        if (*found)
          return TRUE;
        if (g_cancellable_is_cancelled (cancellable))
          return wf_run_set_cancelled (error);
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
          (wf_image_check (relief, _("relief"), error) &&
           wf_image_check_work_type (relief, _("relief"), error) &&
           wf_image_check_size (relief, _("relief"), labels, _("label image"), error)));
}

/* The least level of @relief in each basin. */
static double *
find_floors (WfBasinSurvey      *survey,
             const WfBasinTree  *tree,
             const WfImage      *image,
             const WfImage      *relief,
             const WfImage      *labels,
             GError            **error)
{
  const guint32           n      = tree->n_basins;
  g_auto (WfBasinSurvey)  own    = { 0 };
  g_autofree double      *floors = wf_allocate (n, sizeof (double), error);

  if (! floors)
    return NULL;
  if (relief != image)
    {
      if (! wf_basin_survey_init (&own, n, relief->type, survey->cancellable, error) ||
          ! wf_basin_survey_add (&own, tree, relief, labels, 0, 0, error))
        return NULL;
      survey = &own;
    }
  for (guint32 i = 0; i < n; i++)
    floors[i] = survey->sums[i].minimum;
  return g_steal_pointer (&floors);
}

static WfBasin *
measure (WfContext          *context,
         const WfBasinTree  *tree,
         const WfImage      *image,
         const WfImage      *relief,
         const WfImage      *labels,
         GError            **error)
{
  g_auto (WfBasinSurvey)  survey = { 0 };
  g_autofree double      *floors = NULL;

  if (! wf_basin_survey_init (&survey, tree->n_basins, image->type,
                              wf_context_get_cancellable (context), error) ||
      ! wf_basin_survey_add (&survey, tree, image, labels, 0, 0, error) ||
      ! (floors = find_floors (&survey, tree, image, relief, labels, error)))
    return NULL;
  return wf_basins_finish (&survey, tree, floors, error);
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
  WfHierarchyOptions       options;
  const WfBasinTree       *tree;
  WfBasin                 *measured;
  gboolean                 labelled;

  g_return_val_if_fail (basins != NULL && n_basins != NULL, FALSE);

  if (! relief)
    relief = image;
  if (! check_images (image, relief, labels, error))
    return FALSE;
  own = wf_context_ensure (context);
  if (! find_label (own, labels, &labelled, error))
    return FALSE;
  if (! labelled)
    {
      *basins   = NULL;
      *n_basins = 0;
      return TRUE;
    }

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.connectivity = connectivity;
  hierarchy = wf_hierarchy_new (own, relief, labels, &options, error);
  if (! hierarchy)
    return FALSE;

  tree     = wf_hierarchy_get_tree (hierarchy);
  measured = measure (own, tree, image, relief, labels, error);
  if (! measured)
    return FALSE;
  *basins   = measured;
  *n_basins = tree->n_basins;
  return TRUE;
}
