/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the dialog of the watershed previews: the basins before any is merged, and what is
 * needed to merge them at once and to tell their figures.
 *
 * Objects are divided without lines of their own here: what is left of the background is
 * in no basin, and as the preview draws a boundary around it anyway, lines would be drawn
 * twice.
 *
 * Of a scaled image lengths are scaled, and so are values of merging that are counted in
 * pixels: the value is the image's.  Of a part of the image as many basins are left as the
 * part is of the whole, where basins are merged until a number is left.
 */

#include "config.h"

#include <math.h>

#include "basin-flood.h"
#include "flooding.h"
#include "marker-source.h"
#include "options.h"

/**
 * Flood:
 *
 * What is in the work, to be cleared at the end of it.
 */
typedef struct
{
  WfImage levels;
  WfImage relief;
  WfImage objects;
  WfImage labels;
} Flood;


static void
flood_clear (Flood *flood)
{
  wf_image_clear (&flood->relief);
  wf_image_clear (&flood->objects);
  wf_image_clear (&flood->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Flood, flood_clear)

static void
basins_free (gpointer data)
{
  WfPreviewBasins *basins = data;

  g_clear_pointer (&basins->hierarchy, wf_hierarchy_unref);
  g_clear_pointer (&basins->histogram, wf_histogram_free);
  g_free (basins->figures);
  g_free (basins);
}

static gboolean
make_relief (WfContext                *context,
             const WfPreviewInputs    *inputs,
             const WfPreviewSettings  *settings,
             Flood                    *flood,
             GError                  **error)
{
  const double    scale = inputs->region.scale;
  WfReliefOptions relief;
  double          fraction;

  flood->levels           = inputs->images[0];
  flood->levels.allocated = NULL;
  if (! wf_basin_options_get_relief (settings->own, settings->operation, &flood->levels, &relief,
                                     &fraction, error))
    return FALSE;
  relief.smoothing *= scale;
  relief.gradient   = wf_preview_scale_radius (relief.gradient, scale);
  return wf_relief_make (context, &flood->levels, TRUE, &relief, &flood->relief,
                         &flood->objects, error);
}

/* To set the threshold on. */
static gboolean
find_histogram (const WfImage            *levels,
                const WfPreviewSettings  *settings,
                WfPreviewBasins          *basins,
                GError                  **error)
{
  const WfBasinOptions *own = settings->own;

  if (own->input != WF_INPUT_OBJECTS)
    return TRUE;
  basins->histogram = wf_histogram_new (levels, error);
  return basins->histogram != NULL;
}

static gboolean
copy_markers (const WfImage  *markers,
              WfImage        *labels,
              GError        **error)
{
  if (! wf_image_allocate (labels, WF_TYPE_U32, markers->width, markers->height,
                           markers->depth, error))
    return FALSE;
  memcpy (labels->data, markers->data, (gsize) wf_image_n_pixels (markers) * sizeof (guint32));
  return TRUE;
}

static gboolean
flood_relief (WfContext                *context,
              const WfPreviewInputs    *inputs,
              const WfPreviewSettings  *settings,
              Flood                    *flood,
              WfWatershedOptions       *options,
              guint32                  *n_basins,
              GError                  **error)
{
  const WfBasinOptions *own      = settings->own;
  const WfImage        *markers  = &inputs->images[1];
  const WfImage        *relief   = &flood->relief;
  WfFlooding            flooding = {
    .relief  = relief,
    .objects = flood->objects.data ? &flood->objects : NULL,
    .labels  = &flood->labels,
    .markers = markers->data != NULL,
    .options = options,
    .type    = relief->type,
  };

  wf_basin_options_get_flood (own, settings->operation, options);
  if (own->input == WF_INPUT_OBJECTS)
    {
      options->tolerance *= inputs->region.scale;
      options->lines      = FALSE;
    }
  if (markers->data ? ! copy_markers (markers, &flood->labels, error)
                    : ! wf_image_allocate (&flood->labels, WF_TYPE_U32, relief->width,
                                           relief->height, relief->depth, error))
    return FALSE;
  if (! wf_flooding_flood (&flooding, context, error))
    return FALSE;
  *n_basins = flooding.n_basins;
  return TRUE;
}

/* How much smaller values are on what was computed. */
static double
find_factor (const WfPreviewRegion   *region,
             const WfPreviewSettings *settings,
             WfMergeBy                by)
{
  const WfBasinOptions *own  = settings->own;
  const double          unit = own->input == WF_INPUT_OBJECTS ? region->scale : 1;
  const double          area = region->scale * region->scale;

  switch (by)
    {
    case WF_MERGE_BY_AREA:
      return area;
    case WF_MERGE_BY_VOLUME:
      return area * unit;
    case WF_MERGE_BY_COUNT:
      return MIN (wf_preview_region_n_pixels (region) /
                  (area * (double) settings->size[0] * (double) settings->size[1]), 1);
    default:
      return unit;
    }
}

static gboolean
find_hierarchy (WfContext                *context,
                const WfPreviewInputs    *inputs,
                const WfPreviewSettings  *settings,
                const Flood              *flood,
                int                       connectivity,
                WfPreviewBasins          *basins,
                GError                  **error)
{
  WfMergeBy          by = WF_MERGE_BY_DYNAMICS;
  WfHierarchyOptions options;

  wf_merge_by_parse (settings->merge_by, &by);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  basins->measure      = wf_merge_by_measure (by);
  basins->type         = flood->relief.type;
  basins->value_factor = find_factor (&inputs->region, settings, by);
  options.measure      = (int) basins->measure;
  options.connectivity = connectivity;
  basins->hierarchy    = wf_hierarchy_new (context, &flood->relief, &flood->labels, &options,
                                           error);
  return basins->hierarchy &&
         wf_basins_measure (context, &flood->levels, &flood->relief, &flood->labels,
                            connectivity, &basins->figures, &basins->n_figures, error);
}

static gboolean
show (const WfPreviewSettings   *settings,
      Flood                     *flood,
      const WfWatershedOptions  *options,
      WfPreviewResult           *result,
      GError                   **error)
{
  if (! wf_preview_take_slice (&flood->labels, settings->slice, &result->image, error))
    return FALSE;

  result->lines     = options->lines;
  result->diagonals = options->connectivity != 4 && options->connectivity != 6;
  if (options->lines)
    result->seams = wf_preview_seams_new (&result->image, result->diagonals ? 8 : 4);
  return TRUE;
}

/**
 * wf_preview_flood:
 * @context: where it is computed
 * @inputs: levels, and markers where there are any
 * @settings: the arguments
 * @result: set to labels, with #WfPreviewBasins
 * @error: as the engine sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_preview_flood (WfContext                *context,
                  const WfPreviewInputs    *inputs,
                  const WfPreviewSettings  *settings,
                  WfPreviewResult          *result,
                  GError                  **error)
{
  WfPreviewBasins    *basins = g_new0 (WfPreviewBasins, 1);
  g_auto (Flood)      flood  = { 0 };
  WfWatershedOptions  options;
  guint32             n_basins;

  result->extra      = basins;
  result->free_extra = basins_free;
  if (! find_histogram (&inputs->images[0], settings, basins, error) ||
      ! make_relief (context, inputs, settings, &flood, error) ||
      ! flood_relief (context, inputs, settings, &flood, &options, &n_basins, error))
    return FALSE;
  if (n_basins > 0)
    {
      if (! find_hierarchy (context, inputs, settings, &flood, options.connectivity, basins,
                            error))
        return FALSE;
      result->n_labels = wf_hierarchy_get_highest_label (basins->hierarchy);
    }
  return show (settings, &flood, &options, result, error);
}
