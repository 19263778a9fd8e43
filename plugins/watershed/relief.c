/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The relief, which is the image to flood.
 *
 *   levels    the layer's levels, smoothed if requested;
 *   gradient  their morphological gradient: high where levels change, so that basins are
 *             homogeneous regions and lines are their edges;
 *   objects   for touching objects, the classic approach: minus the distance of each pixel of
 *             an object to the nearest background pixel.  Every object has a minimum in
 *             its centre, and touching objects have a ridge at their narrowest place.  The
 *             background is infinitely high, so that no flood crosses it.
 *
 * Inverted integers stay within their range, and inverted real numbers change their sign:
 * both are exact.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "plugins/common/input/foreground.h"
#include "relief.h"


#define TURN(Type, expression) \
  for (gint64 i = 0; i < n; i++) \
    { \
      const Type level = ((const Type *) from->data)[i]; \
\
      ((Type *) to->data)[i] = (Type) (expression); \
    }

static void
turn_over (const WfImage *from,
           WfImage       *to)
{
  const gint64 n = wf_image_n_pixels (from);

  switch (from->type)
    {
    case WF_TYPE_U8:
      TURN (guint8, G_MAXUINT8 - level)
      break;
    case WF_TYPE_U16:
      TURN (guint16, G_MAXUINT16 - level)
      break;
    default:
      TURN (float, -level)
      break;
    }
}

/* Moves the pixels of @levels to @relief if they are not kept, or allocates new ones. */
static gboolean
make_room (WfImage   *levels,
           gboolean   keep_levels,
           WfImage   *relief,
           GError   **error)
{
  if (keep_levels)
    return wf_image_allocate (relief, levels->type, levels->width, levels->height,
                              levels->depth, error);

  *relief = *levels;
  memset (levels, 0, sizeof *levels);
  return TRUE;
}

/* Returns whether one of them, or both, is greater than 0. */
static gboolean
filter (WfContext      *context,
        const WfImage  *from,
        WfImage        *to,
        double          smoothing,
        int             gradient,
        GError        **error)
{
  WfWatershedOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.smoothing = smoothing;
  options.gradient  = gradient;
  return wf_watershed_make_relief (context, from, to, &options, error);
}

/* Levels that need no processing are flooded directly: @relief is then a second view of
 * @levels if these are kept.
 */
static gboolean
make_from_levels (WfContext              *context,
                  WfImage                *levels,
                  gboolean                keep_levels,
                  const WfReliefOptions  *options,
                  WfImage                *relief,
                  GError                **error)
{
  const int      gradient = options->input == WF_INPUT_GRADIENT ? MAX (options->gradient, 1) : 0;
  const gboolean filtered = options->smoothing > 0 || gradient > 0;
  const WfImage *from     = levels;

  if (keep_levels && ! filtered && ! options->bright)
    return wf_image_init (relief, levels->type, levels->width, levels->height, levels->depth,
                          levels->data, error);
  if (! make_room (levels, keep_levels, relief, error))
    return FALSE;
  if (! keep_levels)
    from = relief;

  if (filtered)
    {
      if (! filter (context, from, relief, options->smoothing, gradient, error))
        return FALSE;
      from = relief;
    }
  if (options->bright)
    turn_over (from, relief);
  return TRUE;
}

/* Smoothed levels are freed after the threshold has been applied. */
static gboolean
mark_objects (WfContext              *context,
              const WfImage          *levels,
              const WfReliefOptions  *options,
              WfImage                *objects,
              GError                **error)
{
  g_auto (WfImage)  smoothed = { 0 };
  const WfImage    *from     = levels;

  if (! wf_image_allocate (objects, WF_TYPE_U8, levels->width, levels->height, levels->depth,
                           error))
    return FALSE;
  if (options->smoothing > 0)
    {
      if (! wf_image_allocate (&smoothed, levels->type, levels->width, levels->height,
                               levels->depth, error) ||
          ! filter (context, levels, &smoothed, options->smoothing, 0, error))
        return FALSE;
      from = &smoothed;
    }
  wf_foreground_mark (from, options->threshold, ! options->dark, objects);
  return TRUE;
}

static gboolean
make_from_objects (WfContext              *context,
                   const WfImage          *levels,
                   const WfReliefOptions  *options,
                   WfImage                *relief,
                   WfImage                *objects,
                   GError                **error)
{
  WfDistanceOptions  distance;
  const guint8      *inside;
  float             *heights;
  gint64             n;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &distance);
  if (! mark_objects (context, levels, options, objects, error) ||
      ! wf_image_allocate (relief, WF_TYPE_F32, levels->width, levels->height, levels->depth,
                           error) ||
      ! wf_distance (context, objects, relief, NULL, &distance, error))
    return FALSE;

  n       = wf_image_n_pixels (relief);
  inside  = objects->data;
  heights = relief->data;
  for (gint64 i = 0; i < n; i++)
    heights[i] = inside[i] ? -heights[i] : INFINITY;
  return TRUE;
}

/**
 * wf_relief_make:
 * @context: of the computation
 * @levels: u8, u16 or f32, packed, made by wf_image_allocate()
 * @keep_levels: whether @levels are still needed; if not, they may be empty afterwards
 * @options: of the relief
 * @relief: set to a new image, to be cleared by the caller before @levels are
 * @objects: set to a new u8 image, 1 in objects and 0 in the background, or left empty
 *   if objects are not flooded; to be cleared by the caller
 * @error: as the engine sets it
 *
 * Memory: none for levels and gradient beyond the engine's own if @levels are not kept,
 * otherwise an image of their type; for objects 5 bytes per pixel.
 *
 * Returns: %FALSE with @error set; then @levels are undefined unless they are kept
 */
gboolean
wf_relief_make (WfContext              *context,
                WfImage                *levels,
                gboolean                keep_levels,
                const WfReliefOptions  *options,
                WfImage                *relief,
                WfImage                *objects,
                GError                **error)
{
  if (options->input != WF_INPUT_OBJECTS)
    return make_from_levels (context, levels, keep_levels, options, relief, error);
  if (! make_from_objects (context, levels, options, relief, objects, error))
    return FALSE;
  if (! keep_levels)
    wf_image_clear (levels);
  return TRUE;
}
