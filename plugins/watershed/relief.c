/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is flooded.
 *
 *   levels    the layer's levels, smoothed if asked for;
 *   gradient  their morphological gradient: high where they change, so that basins are what
 *             is even and lines are its edges;
 *   objects   for objects that touch, the classic: minus the distance of each pixel of
 *             an object to the nearest that is of none.  Every object has a hollow in
 *             its middle, and two that touch have a ridge where they are narrowest.  The
 *             background is infinitely high, so that no water passes over it.
 *
 * Turned upside down, whole numbers stay within their range and real numbers change their
 * sign: both is exact.
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

/* Gives @relief the pixels of @levels if they are not needed any more, or a place of its
 * own for new ones.
 */
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

/* One of both, or both, are more than 0. */
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

/* What has nothing to be done to it is flooded as it is: @relief is then a second view of
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

/* Smoothed levels are not needed once it is known what lies above the threshold. */
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
 * @context: where it is computed
 * @levels: u8, u16 or f32, packed, made by wf_image_allocate()
 * @keep_levels: whether @levels are still needed; if not, they may be empty afterwards
 * @options: what is to be flooded
 * @relief: set to a new image, to be cleared by the caller before @levels are
 * @objects: set to a new u8 image, 1 in objects and 0 in the background, or left empty
 *   where not objects are flooded; to be cleared by the caller
 * @error: as the engine sets it
 *
 * Memory: where @levels are not kept, none for levels and gradient, but what the engine
 * needs meanwhile; else an image of their type; for objects 5 bytes a pixel.
 *
 * Returns: %FALSE with @error set; then @levels may be spoilt unless they are kept
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
