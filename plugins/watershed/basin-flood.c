/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview of the watershed's dialog: the basins before merging, and the data with which
 * they are merged immediately and described.  The basins are shown as soon as they are
 * computed, unless basins are merged: then the hierarchy is needed first.
 *
 * Where objects are divided by lines, the background is label 0 as the lines are; it is left out by
 * the result's mask.  So it is where strokes draw a background.
 *
 * For a scaled image, lengths and the merge values that are counted in pixels are scaled;
 * arguments refer to the full image.  For a part of the image, merging to a number of basins
 * keeps the fraction of the number that corresponds to the part.
 */

#include "config.h"

#include <math.h>

#include "basin-flood.h"
#include "boundary.h"
#include "flooding.h"
#include "marker-source.h"
#include "masked-flood.h"
#include "options.h"
#include "plugins/common/input/foreground.h"
#include "plugins/common/input/mask.h"
#include "ui/merge/region-memory.h"

/**
 * WfPreviewFlood:
 * @levels: the input, which exists as long as the computation
 * @mask: likewise: 0 where nothing is selected; empty if all is
 * @labels: of a stack; the result gets a single slice
 * @connectivity: of the basins
 *
 * The data of the computation, freed at its end.
 */
struct _WfPreviewFlood
{
  WfImage levels;
  WfImage mask;
  WfImage relief;
  WfImage objects;
  WfImage labels;
  int     connectivity;
};


static void
flood_free (WfPreviewFlood *flood)
{
  wf_image_clear (&flood->relief);
  wf_image_clear (&flood->objects);
  wf_image_clear (&flood->labels);
  g_free (flood);
}

/**
 * wf_preview_basins_new_like:
 * @like: basins
 *
 * Returns: (transfer full): of the same inputs, without labels and what is computed of them
 */
WfPreviewBasins *
wf_preview_basins_new_like (const WfPreviewBasins *like)
{
  WfPreviewBasins *basins = g_new0 (WfPreviewBasins, 1);

  basins->inputs       = wf_preview_inputs_ref (like->inputs);
  basins->covers       = like->covers;
  basins->measure      = like->measure;
  basins->type         = like->type;
  basins->part         = like->part;
  basins->value_factor = like->value_factor;
  return basins;
}

/**
 * wf_preview_basins_free:
 * @data: (transfer full): #WfPreviewBasins
 */
void
wf_preview_basins_free (gpointer data)
{
  WfPreviewBasins *basins = data;

  g_clear_pointer (&basins->flood, flood_free);
  g_clear_pointer (&basins->inputs, wf_preview_inputs_unref);
  wf_image_clear (&basins->labels);
  g_clear_pointer (&basins->hierarchy, wf_hierarchy_unref);
  g_clear_pointer (&basins->histogram, wf_histogram_free);
  wf_image_clear (&basins->relief);
  wf_image_clear (&basins->objects);
  g_free (basins->measurements);
  g_free (basins->verdicts);
  g_free (basins);
}

static gboolean
make_relief (WfContext                *context,
             const WfPreviewInputs    *inputs,
             const WfPreviewSettings  *settings,
             WfPreviewFlood           *flood,
             double                   *smoothing,
             GError                  **error)
{
  const double    scale = inputs->region.scale;
  WfReliefOptions relief;
  double          fraction;

  flood->levels           = inputs->images[0];
  flood->levels.allocated = NULL;
  flood->mask             = inputs->images[2];
  flood->mask.allocated   = NULL;
  if (! wf_basin_options_get_relief (settings->own, settings->operation, &flood->levels,
                                     &flood->mask, &relief, &fraction, error))
    return FALSE;
  relief.smoothing *= scale;
  *smoothing        = relief.smoothing;
  relief.gradient   = wf_preview_scale_radius (relief.gradient, scale);
  return wf_masked_relief_make (context, &flood->mask, &flood->levels, TRUE, &relief,
                                &flood->relief, &flood->objects, error);
}

/* For the threshold control. */
static gboolean
find_histogram (const WfPreviewInputs    *inputs,
                const WfPreviewSettings  *settings,
                WfPreviewBasins          *basins,
                GError                  **error)
{
  const WfBasinOptions *own = settings->own;

  if (! wf_basin_options_find_objects (own))
    return TRUE;
  basins->histogram = wf_mask_histogram (&inputs->images[2], &inputs->images[0], error);
  return basins->histogram != NULL;
}

/* Of strokes in pixels of the whole; some slices of a stack may have been read only. */
static WfStrokes *
move_strokes (const WfPreviewRegion   *region,
              const WfPreviewSettings *settings)
{
  return settings->strokes
         ? wf_strokes_transform (settings->strokes, region->scale, region->x, region->y,
                                 region->slice - settings->slice) : NULL;
}

static gboolean
flood_relief (WfContext                *context,
              const WfPreviewInputs    *inputs,
              const WfPreviewSettings  *settings,
              WfPreviewFlood           *flood,
              WfWatershedOptions       *options,
              GError                  **error)
{
  const WfBasinOptions *own      = settings->own;
  const WfImage        *markers  = &inputs->images[1];
  WfImage              *relief   = &flood->relief;
  g_autoptr (WfStrokes) strokes  = move_strokes (&inputs->region, settings);
  WfFlooding            flooding = {
    .mask    = wf_basin_options_get_mask (own, &flood->mask, &flood->objects),
    .relief  = relief,
    .objects = &flood->objects,
    .labels  = &flood->labels,
    .markers = markers->data != NULL,
    .strokes = strokes,
    .options = options,
    .type    = wf_basin_options_get_unit (own, flood->levels.type),
  };

  wf_basin_options_get_flood (own, settings->operation, flood->levels.type, options);
  if (own->input == WF_INPUT_OBJECTS)
    options->tolerance *= inputs->region.scale;
  else
    options->compactness /= inputs->region.scale;
  if (markers->data ? ! wf_preview_copy_image (markers, &flood->labels, error)
                    : ! wf_image_allocate (&flood->labels, WF_TYPE_U32, relief->width,
                                           relief->height, relief->depth, error))
    return FALSE;
  return wf_flooding_flood (&flooding, context, error);
}

/* The factor from values of the full image to values of the computed one. */
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
is_part (const WfPreviewInputs   *inputs,
         const WfPreviewSettings *settings)
{
  const WfPreviewRegion *region = &inputs->region;

  return region->scale < 1 || region->width < settings->size[0] ||
         region->height < settings->size[1] || inputs->images[0].depth < settings->size[2];
}

/* A side of a scaled image is rounded. */
static gboolean
covers_all (const WfPreviewRegion   *region,
            const WfPreviewSettings *settings)
{
  return region->width > region->scale * (double) settings->size[0] - 1 &&
         region->height > region->scale * (double) settings->size[1] - 1;
}

static gboolean
find_hierarchy (WfContext                *context,
                const WfPreviewInputs    *inputs,
                const WfPreviewSettings  *settings,
                const WfPreviewFlood     *flood,
                const WfImage            *labels,
                WfPreviewBasins          *basins,
                GError                  **error)
{
  WfMergeBy          by = WF_MERGE_BY_DYNAMICS;
  WfHierarchyOptions options;

  wf_merge_by_parse (settings->merge_by, &by);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  basins->measure      = wf_merge_by_measure (by);
  basins->type         = wf_basin_options_get_unit (settings->own, flood->levels.type);
  basins->part         = is_part (inputs, settings);
  basins->value_factor = find_factor (&inputs->region, settings, by);
  options.measure      = (int) basins->measure;
  options.connectivity = flood->connectivity;
  basins->hierarchy    = wf_hierarchy_new (context, &flood->relief, labels, &options, error);
  return basins->hierarchy &&
         wf_basins_measure (context, wf_preview_get_measured (inputs), &flood->relief, labels,
                            flood->connectivity, &basins->measurements, &basins->n_measurements,
                            error);
}

/* Leaves the background out, if label 0 is a line elsewhere. */
static gboolean
leave_background (const WfImage    *objects,
                  WfPreviewResult  *result,
                  GError          **error)
{
  if (! result->lines || ! objects->data)
    return TRUE;
  wf_image_clear (&result->mask);
  return wf_preview_copy_slice (objects, result->slice, &result->mask, error);
}

static gboolean
show (const WfPreviewSettings   *settings,
      WfPreviewFlood            *flood,
      const WfWatershedOptions  *options,
      WfPreviewResult           *result,
      GError                   **error)
{
  result->n_labels = wf_labels_get_highest (&flood->labels);
  if (! wf_preview_take_slice (&flood->labels, settings->slice, &result->image, error))
    return FALSE;

  result->lines       = options->lines;
  result->diagonals   = wf_boundary_has_diagonals (options->connectivity);
  flood->connectivity = options->connectivity;
  return leave_background (&flood->objects, result, error);
}

/**
 * wf_preview_get_measured:
 * @inputs: of a preview
 *
 * Returns: (transfer none): the levels that are measured: other ones, or those that are flooded
 */
const WfImage *
wf_preview_get_measured (const WfPreviewInputs *inputs)
{
  return inputs->images[3].data ? &inputs->images[3] : &inputs->images[0];
}

/**
 * wf_preview_find_lines:
 * @context: of the computation
 * @result: labels; gets the basins around lines, if it has lines
 * @error: as wf_label_lines_new() sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_preview_find_lines (WfContext        *context,
                       WfPreviewResult  *result,
                       GError          **error)
{
  if (! result->lines)
    return TRUE;
  result->label_lines = wf_label_lines_new (context, &result->image, result->diagonals ? 8 : 4,
                                            error);
  return result->label_lines != NULL;
}

/**
 * wf_preview_flood:
 * @context: of the computation
 * @inputs: levels, and markers if there are any
 * @settings: the arguments
 * @result: set to labels with #WfPreviewBasins; completed if basins are merged
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
  const WfBasinOptions *own    = settings->own;
  WfPreviewBasins      *basins = g_new0 (WfPreviewBasins, 1);
  WfWatershedOptions    options;

  basins->flood      = g_new0 (WfPreviewFlood, 1);
  basins->inputs     = wf_preview_inputs_ref ((WfPreviewInputs *) inputs);
  basins->covers     = covers_all (&inputs->region, settings);
  result->extra      = basins;
  result->free_extra = wf_preview_basins_free;
  if (! make_relief (context, inputs, settings, basins->flood, &basins->smoothing, error) ||
      ! flood_relief (context, inputs, settings, basins->flood, &options, error) ||
      ! show (settings, basins->flood, &options, result, error))
    return FALSE;

  basins->last_index = options.last_index;
  result->complete   = own->merge_value > 0;
  return ! result->complete ||
         wf_preview_complete_flood (context, inputs, settings, result, error);
}

/**
 * wf_preview_complete_flood:
 * @context: of the computation
 * @inputs: as in wf_preview_flood()
 * @settings: as in wf_preview_flood()
 * @result: the result of wf_preview_flood(); its #WfPreviewBasins get hierarchy, measurements
 *   and histogram
 * @error: as the engine sets it
 *
 * Computes the data that is needed to merge and describe basins.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_preview_complete_flood (WfContext                *context,
                           const WfPreviewInputs    *inputs,
                           const WfPreviewSettings  *settings,
                           WfPreviewResult          *result,
                           GError                  **error)
{
  WfPreviewBasins      *basins = result->extra;
  WfPreviewFlood       *flood  = basins->flood;
  const WfImage        *labels = flood->labels.data ? &flood->labels : &result->image;

  if (! find_histogram (inputs, settings, basins, error) ||
      (result->n_labels > 0 &&
       ! find_hierarchy (context, inputs, settings, flood, labels, basins, error)))
    return FALSE;
  if (! wf_preview_find_lines (context, result, error))
    return FALSE;
  basins->labels       = flood->labels;
  basins->relief       = flood->relief;
  basins->objects      = flood->objects;
  basins->connectivity = flood->connectivity;
  flood->labels = flood->relief = flood->objects = (WfImage) { 0 };
  g_clear_pointer (&basins->flood, flood_free);
  return TRUE;
}


/*  Merging  */

/**
 * wf_preview_find_regions:
 * @basins: with a hierarchy
 * @count: to how many they are merged
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (transfer full): for each basin the region that it becomes a part of, from 1, or %NULL
 *   with @error set
 */
guint32 *
wf_preview_find_regions (const WfPreviewBasins  *basins,
                         guint32                 count,
                         GError                **error)
{
  const guint32  n       = wf_hierarchy_get_n_basins (basins->hierarchy);
  guint32       *regions = wf_region_memory_new (n, sizeof *regions, error);

  if (regions)
    wf_hierarchy_cut_to_count (basins->hierarchy, count, regions);
  return regions;
}

/**
 * wf_preview_relabel:
 * @context: of the computation
 * @basins: with a hierarchy
 * @regions: for each basin its label afterwards
 * @labels: of the basins
 * @merged: u32, of the same size: set; may be @labels
 * @error: as wf_hierarchy_relabel() sets it
 *
 * Merges basins as a run does: without the background between objects.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_preview_relabel (WfContext              *context,
                    const WfPreviewBasins  *basins,
                    const guint32          *regions,
                    const WfImage          *labels,
                    WfImage                *merged,
                    GError                **error)
{
  if (! wf_hierarchy_relabel (context, basins->hierarchy, regions, labels, merged, error))
    return FALSE;
  if (basins->objects.data)
    wf_foreground_limit_parts (&basins->objects, merged);
  return TRUE;
}

/**
 * wf_preview_list_merged:
 * @map: for each label, from 0, the one that represents its region
 * @n_labels: the highest label
 *
 * Returns: (transfer full): the representatives of regions, from 1, in their order; 0 after the
 *   last
 */
guint32 *
wf_preview_list_merged (const guint32 *map,
                                 guint32        n_labels)
{
  guint32 *list = g_new0 (guint32, (gsize) n_labels + 2);
  guint32  n    = 0;

  for (guint32 label = 1; label <= n_labels; label++)
    if (map[label] == label)
      list[++n] = label;
  return list;
}
