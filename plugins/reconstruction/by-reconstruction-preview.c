/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The previews in the dialogs of the filters: the new layer.
 *
 * On a scaled image structuring elements and windows are scaled, too, and so are areas and volumes;
 * heights are not.
 */

#include "config.h"

#include <string.h>

#include "by-reconstruction-preview.h"
#include "color-preview.h"
#include "filter-colors.h"
#include "filter.h"
#include "marker-levels.h"
#include "masked-filter.h"
#include "plugins/common/dialog/threshold-control.h"
#include "plugins/common/input/mask.h"
#include "reconstruct-marker.h"
#include "ui/options/level-entry.h"


/*  One operation from an image to an image  */

/* The options of all operations that are previewed so. */
typedef union
{
  WfMorphologyOptions morphology;
  WfFilterOptions     filter;
  WfAttributeOptions  attribute;
  WfThresholdOptions  threshold;
} FilterOptions;

/* Lengths on a scaled image. */
static void
scale_length (const WfOption *option,
              double          scale,
              FilterOptions  *options)
{
  gpointer length = G_STRUCT_MEMBER_P (options, option->offset);

  if (option->kind == WF_OPTION_INT)
    *(int *) length = wf_preview_scale_radius (*(int *) length, scale);
  else
    *(double *) length *= scale;
}

static void
take_options (const WfPreviewSettings *settings,
              double                   scale,
              FilterOptions           *options)
{
  const WfOptionGroup *group = wf_operation_get_options (settings->procedure->operation);

  memcpy (options, settings->operation, group->size);
  for (guint i = 0; i < group->n_options; i++)
    if (group->options[i].meaning == WF_OPTION_LENGTH)
      scale_length (&group->options[i], scale, options);
    else if (group->options[i].meaning == WF_OPTION_AREA ||
             group->options[i].meaning == WF_OPTION_VOLUME)
      G_STRUCT_MEMBER (double, options, group->options[i].offset) *= scale * scale;
}

static gboolean
compute_colors (WfContext                *context,
                const WfPreviewInputs    *inputs,
                const WfPreviewSettings  *settings,
                const FilterOptions      *options,
                WfPreviewResult          *result,
                GError                  **error)
{
  WfFilterStep step = { context, settings->procedure->operation, &inputs->images[2], options,
                        FALSE };

  return wf_color_preview_compute (inputs, settings, wf_filter_step, &step, result, error);
}

static gboolean
compute_filter (WfContext                *context,
                const WfPreviewInputs    *inputs,
                const WfPreviewSettings  *settings,
                WfPreviewResult          *result,
                GError                  **error)
{
  const WfImage       *image   = &inputs->images[0];
  const WfFilter      *filter  = settings->procedure->data;
  const gboolean       marks   = wf_filter_gives_marks (settings->procedure);
  FilterOptions        options;
  g_auto (WfImage)     out     = { 0 };

  take_options (settings, inputs->region.scale, &options);
  if (settings->colors != WF_COLORS_GRAY)
    return compute_colors (context, inputs, settings, &options, result, error);
  if (filter->adapt &&
      ! filter->adapt (settings->own, image, &inputs->images[2], &options, error))
    return FALSE;
  if (! wf_image_allocate (&out, marks ? WF_TYPE_U8 : image->type, image->width, image->height,
                           image->depth, error) ||
      ! wf_masked_filter_run (context, settings->procedure->operation, &inputs->images[2], image,
                              &out, &options, error))
    return FALSE;

  result->white = marks ? 1 : wf_level_maximum (image->type);
  return wf_preview_take_slice (&out, settings->slice, &result->image, error);
}

static const char *const layers_made[] = { "filtered", "dome", "basin", NULL };

const WfPreviewKind wf_filter_preview =
{
  .ignored = layers_made,
  .compute = compute_filter,
};

static gboolean
compute_threshold (WfContext                *context,
                   const WfPreviewInputs    *inputs,
                   const WfPreviewSettings  *settings,
                   WfPreviewResult          *result,
                   GError                  **error)
{
  return wf_threshold_control_keep_histogram (inputs, result, error) &&
         compute_filter (context, inputs, settings, result, error);
}

const WfPreviewKind wf_threshold_preview =
{
  .compute = compute_threshold,
};


/*  Reconstruction  */

/* The thread that computes makes the marker from the levels if it is the lowered or raised layer.
 */
static gboolean
read_marker (WfJob          *part,
             gpointer        fetched,
             const WfImage  *mask,
             WfImage        *marker,
             GError        **error)
{
  const WfReconstructOptions *options = part->operation;

  return wf_reconstruct_marker_read_fetched (part, fetched, mask, options->by, marker, error);
}

/* Likewise of each component. */
static gboolean
read_color_markers (WfJob          *part,
                    gpointer        fetched,
                    const WfImage   components[3],
                    WfImage         markers[3],
                    GError        **error)
{
  const WfReconstructOptions *options = part->operation;

  for (int c = 0; c < 3; c++)
    if (! wf_reconstruct_marker_read_fetched_component (part, fetched, c, &components[c],
                                                        options->by, &markers[c], error))
      return FALSE;
  return TRUE;
}

/**
 * Reconstruction:
 *
 * One in colors.
 */
typedef struct
{
  WfContext               *context;
  const WfPreviewInputs   *inputs;
  const WfPreviewSettings *settings;
} Reconstruction;

/* The marker of the luminance or a component. */
static gboolean
make_marker (const Reconstruction  *reconstruction,
             WfComponent            component,
             const WfImage         *levels,
             WfImage               *marker,
             GError               **error)
{
  const WfReconstructOptions    *options   = reconstruction->settings->operation;
  const WfReconstructOwnOptions *own       = reconstruction->settings->own;
  const WfImage                 *images    = reconstruction->inputs->images;
  const gboolean                 luminance = component == WF_COMPONENT_LUMINANCE;
  const WfImage                 *second    = &images[WF_PREVIEW_SECOND];

  if (luminance && images[1].data)
    return wf_mask_copy (&images[1], marker, error);
  if (luminance && second->data)
    return wf_colors_find_luminance (reconstruction->settings->format, second, marker, error);
  if (second->data)
    return wf_mask_copy (&second[component - WF_COMPONENT_RED], marker, error);
  if (! wf_mask_copy (levels, marker, error))
    return FALSE;
  wf_marker_shift (levels, options->by == WF_BY_DILATION ? -own->height : own->height, marker);
  return TRUE;
}

/* Of WfColorFilter. */
static gboolean
reconstruct_levels (WfComponent   component,
                    WfImage      *levels,
                    gpointer      data,
                    GError      **error)
{
  const Reconstruction *reconstruction = data;
  g_auto (WfImage)      marker         = { 0 };

  if (! make_marker (reconstruction, component, levels, &marker, error) ||
      ! wf_masked_reconstruct (reconstruction->context, &reconstruction->inputs->images[2], levels,
                               &marker, reconstruction->settings->operation, error))
    return FALSE;
  wf_image_clear (levels);
  *levels = marker;
  marker  = (WfImage) { 0 };
  return TRUE;
}

static gboolean
compute_reconstruction (WfContext                *context,
                        const WfPreviewInputs    *inputs,
                        const WfPreviewSettings  *settings,
                        WfPreviewResult          *result,
                        GError                  **error)
{
  const WfReconstructOptions   *options = settings->operation;
  const WfReconstructOwnOptions *own    = settings->own;
  const WfImage                *marker  = &inputs->images[1];
  const WfImage                *mask    = &inputs->images[2];
  g_auto (WfImage)              levels  = { 0 };
  g_auto (WfImage)              out     = { 0 };
  Reconstruction                colored = { context, inputs, settings };

  if (settings->colors != WF_COLORS_GRAY)
    return wf_color_preview_compute (inputs, settings, reconstruct_levels, &colored, result, error);
  if (! wf_mask_copy (&inputs->images[0], &levels, error) ||
      ! wf_mask_copy (marker->data ? marker : &levels, &out, error))
    return FALSE;
  if (! marker->data)
    wf_marker_shift (&levels, options->by == WF_BY_DILATION ? -own->height : own->height, &out);
  if (! wf_masked_reconstruct (context, mask, &levels, &out, options, error))
    return FALSE;

  result->white = wf_level_maximum (levels.type);
  return wf_preview_take_slice (&out, settings->slice, &result->image, error);
}

static const char *const marker_arguments[] = { "marker", "by", NULL };
static const char *const memories[]         = { "marker-name", "marker-kind", NULL };

const WfPreviewKind wf_reconstruct_preview =
{
  .reads              = marker_arguments,
  .ignored            = memories,
  .fetch_second       = wf_reconstruct_marker_fetch,
  .invalidate_second  = wf_reconstruct_marker_invalidate,
  .free_second        = wf_reconstruct_marker_free,
  .read_second        = read_marker,
  .read_second_colors = read_color_markers,
  .compute            = compute_reconstruction,
};
