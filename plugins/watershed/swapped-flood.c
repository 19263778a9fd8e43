/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The relief and the flooding of images in the swap, as engine/watershed/relief.c defines them:
 * filters, distances and the watershed are computed in blocks, all else part by part.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "plugins/common/input/foreground.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/operations.h"
#include "plugins/common/swap/swap.h"
#include "swapped-flood.h"


/*  The relief  */

/* Replaces @levels by the result of a filter. */
static gboolean
filter (WfContext              *context,
        WfOperation             operation,
        const WfFilterOptions  *options,
        WfImage                *levels,
        GError                **error)
{
  WfImage filtered = { 0 };

  if (! wf_swap_allocate (&filtered, levels->type, levels->width, levels->height, levels->depth,
                          error) ||
      ! wf_swap_run (context, operation, levels, &filtered, options, error))
    return FALSE;
  wf_swap_clear (levels);
  *levels = filtered;
  return TRUE;
}

static gboolean
smooth (WfContext  *context,
        double      sigma,
        WfImage    *levels,
        GError    **error)
{
  WfFilterOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_GAUSSIAN), &options);
  options.sigma = sigma;
  return filter (context, WF_OPERATION_GAUSSIAN, &options, levels, error);
}

static gboolean
find_gradient (WfContext  *context,
               int         radius,
               WfImage    *levels,
               GError    **error)
{
  WfFilterOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_GRADIENT), &options);
  options.element = WF_ELEMENT_SQUARE;
  options.radius  = radius;
  return filter (context, WF_OPERATION_GRADIENT, &options, levels, error);
}

static gboolean
make_from_objects (WfContext              *context,
                   WfImage                *levels,
                   const WfReliefOptions  *options,
                   WfImage                *relief,
                   WfImage                *objects,
                   GError                **error)
{
  WfDistanceOptions  distance;
  const guint8      *inside;
  float             *heights;

  if (! wf_swap_allocate (objects, WF_TYPE_U8, levels->width, levels->height, levels->depth,
                          error))
    return FALSE;
  wf_foreground_mark_parts (levels, options->threshold, ! options->invert, objects);
  wf_swap_clear (levels);

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &distance);
  if (! wf_swap_allocate (relief, WF_TYPE_F32, objects->width, objects->height, objects->depth,
                          error) ||
      ! wf_swap_distance (context, objects, relief, NULL, &distance, error))
    return FALSE;
  inside  = objects->data;
  heights = relief->data;
  WF_FOR_PARTS (part, relief)
    for (gint64 i = part.first; i < part.end; i++)
      heights[i] = inside[i] ? -heights[i] : INFINITY;
  return TRUE;
}

/* Of levels after smoothing. */
static gboolean
mark_background (const WfImage          *levels,
                 const WfReliefOptions  *options,
                 WfImage                *objects,
                 GError                **error)
{
  if (! wf_swap_allocate (objects, WF_TYPE_U8, levels->width, levels->height, levels->depth,
                          error))
    return FALSE;
  wf_foreground_mark_parts (levels, options->threshold,
                            options->background == WF_BACKGROUND_DARK, objects);
  return TRUE;
}

static gboolean
raise_background (const WfImage  *objects,
                  WfImage        *relief,
                  GError        **error)
{
  WfImage raised = { 0 };

  if (! wf_mask_to_floats (objects, relief, INFINITY, &raised, error))
    return FALSE;
  wf_swap_clear (relief);
  *relief = raised;
  return TRUE;
}

/**
 * wf_swapped_relief_make:
 * @context: of the computation
 * @levels: an image in the swap; freed
 * @options: as for wf_relief_make()
 * @relief: set to a new image
 * @objects: set to a new image, or left empty, as by wf_relief_make()
 * @error: as wf_swap_run() and wf_swap_distance() set it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swapped_relief_make (WfContext              *context,
                        WfImage                *levels,
                        const WfReliefOptions  *options,
                        WfImage                *relief,
                        WfImage                *objects,
                        GError                **error)
{
  if (options->smoothing > 0 && ! smooth (context, options->smoothing, levels, error))
    return FALSE;
  if (options->input == WF_INPUT_OBJECTS)
    return make_from_objects (context, levels, options, relief, objects, error);
  if (options->background != WF_BACKGROUND_NONE &&
      ! mark_background (levels, options, objects, error))
    return FALSE;
  if (options->input == WF_INPUT_GRADIENT &&
      ! find_gradient (context, MAX (options->gradient, 1), levels, error))
    return FALSE;
  if (options->invert)
    wf_swap_invert (levels);
  *relief = *levels;
  *levels = (WfImage) { 0 };
  return options->background == WF_BACKGROUND_NONE || raise_background (objects, relief, error);
}


/*  The flooding  */

static gboolean
is_any_marked (const WfImage *objects)
{
  const guint8 *inside = objects->data;
  guint8        any    = 0;

  WF_FOR_PARTS (part, objects)
    for (gint64 i = part.first; i < part.end; i++)
      any |= inside[i];
  return any != 0;
}

/**
 * wf_swapped_relief_flood:
 * @context: of the computation
 * @relief: as wf_swapped_relief_make() makes it
 * @objects: (nullable): as for wf_relief_flood()
 * @from_markers: whether @labels hold markers
 * @labels: an image in the swap: the markers, 0 elsewhere, and then the basins
 * @n_basins: (out): how many basins there are
 * @options: as for wf_relief_flood()
 * @error: as wf_relief_flood() and wf_swap_watershed() set it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swapped_relief_flood (WfContext                 *context,
                         const WfImage             *relief,
                         const WfImage             *objects,
                         gboolean                   from_markers,
                         WfImage                   *labels,
                         guint32                   *n_basins,
                         const WfWatershedOptions  *options,
                         GError                   **error)
{
  *n_basins = 0;
  if (objects && from_markers && ! wf_foreground_limit_parts (objects, labels))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("No marker lies on an object: check the threshold."));
      return FALSE;
    }
  if (objects && ! from_markers && ! is_any_marked (objects))
    return TRUE;   /* the labels are all 0 */
  if (! wf_swap_watershed (context, relief, from_markers, labels, n_basins, options, error))
    return FALSE;
  if (objects)
    wf_foreground_limit_parts (objects, labels);
  return TRUE;
}
