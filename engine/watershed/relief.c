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
 * Inverted, the levels and the gradient are those of wf_image_invert(): bright regions are the
 * basins.  Inverted objects are the pixels that are not above the threshold.
 *
 * Levels and gradient may have a background, the pixels of the smoothed image on one side of the
 * threshold.  The relief is then f32, and infinitely high there; elsewhere its levels are those of
 * the whole image.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/embedding.h"
#include "engine/core/image.h"
#include "engine/core/options.h"


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

  if (keep_levels && ! filtered && ! options->invert)
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
  if (options->invert)
    wf_image_invert (from, relief);
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
  wf_foreground_mark (from, options->threshold, ! options->invert, objects);
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

/* Smooths once; levels that are kept and not filtered are seen through a view. */
static gboolean
make_within (WfContext              *context,
             WfImage                *levels,
             gboolean                keep_levels,
             const WfReliefOptions  *options,
             WfImage                *relief,
             WfImage                *objects,
             GError                **error)
{
  g_autoptr (WfContext) used      = context ? wf_context_ref (context) : wf_context_new ();
  g_auto (WfImage)      smoothed  = { 0 };
  g_auto (WfImage)      made      = { 0 };
  g_auto (WfEmbedding)  embedding = { .image = &made };
  WfReliefOptions       first     = *options;
  WfReliefOptions       second    = *options;

  first.input      = WF_INPUT_LEVELS;
  first.invert     = FALSE;
  second.smoothing = 0;
  if (! make_from_levels (used, levels, keep_levels, &first, &smoothed, error) ||
      ! wf_image_allocate (objects, WF_TYPE_U8, smoothed.width, smoothed.height, smoothed.depth,
                           error))
    return FALSE;
  wf_foreground_mark (&smoothed, options->threshold, options->background == WF_BACKGROUND_DARK,
                      objects);
  if (! make_from_levels (used, &smoothed, keep_levels && ! (options->smoothing > 0), &second,
                          &made, error))
    return FALSE;
  embedding.inside           = *objects;
  embedding.inside.allocated = NULL;
  if (! wf_embedding_make (&embedding, used, WF_TYPE_F32, error))
    return FALSE;
  *relief           = embedding.flooded;
  embedding.flooded = (WfImage) { 0 };
  return TRUE;
}

/* For defaults and checks: neither the options nor their choices are shown from here. */
static const WfChoice inputs[] =
{
  { "levels",   WF_INPUT_LEVELS },
  { "gradient", WF_INPUT_GRADIENT },
  { "objects",  WF_INPUT_OBJECTS },
  { NULL }
};

static const WfChoice backgrounds[] =
{
  { "none",   WF_BACKGROUND_NONE },
  { "dark",   WF_BACKGROUND_DARK },
  { "bright", WF_BACKGROUND_BRIGHT },
  { NULL }
};

static const WfOption relief_options[] =
{
  {
    .name          = "input",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfReliefOptions, input),
    .choices       = inputs,
  },
  {
    .name          = "smoothing",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfReliefOptions, smoothing),
    .maximum       = WF_MAX_SIGMA,
  },
  {
    .name          = "gradient",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfReliefOptions, gradient),
    .maximum       = 1 << 20,
  },
  {
    .name          = "threshold",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .offset        = G_STRUCT_OFFSET (WfReliefOptions, threshold),
    .minimum       = -G_MAXDOUBLE,
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  {
    .name          = "invert",
    .kind          = WF_OPTION_BOOLEAN,
    .offset        = G_STRUCT_OFFSET (WfReliefOptions, invert),
    .maximum       = 1,
  },
  {
    .name          = "background",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfReliefOptions, background),
    .choices       = backgrounds,
  },
};

static const WfOptionGroup relief_group =
{
  .name      = "relief",
  .options   = relief_options,
  .n_options = G_N_ELEMENTS (relief_options),
  .size      = sizeof (WfReliefOptions),
};

/**
 * wf_relief_get_options:
 *
 * Describes the options of wf_relief_make(), for wf_option_group_init().
 *
 * Returns: the description of #WfReliefOptions, constant.
 */
const WfOptionGroup *
wf_relief_get_options (void)
{
  return &relief_group;
}

/**
 * wf_relief_make:
 * @context: (nullable): of the computation; %NULL for a context of its own
 * @levels: u8, u16 or f32, packed, made by wf_image_allocate() unless they are kept
 * @keep_levels: whether @levels are still needed; if not, they may be empty afterwards
 * @options: (nullable): of the relief
 * @relief: set to a new image, to be cleared by the caller before @levels are
 * @objects: set to a new u8 image, 1 in objects and 0 in the background, or left empty
 *   if objects are not flooded and there is no background; to be cleared by the caller
 * @error: as wf_gaussian(), wf_gradient() and wf_distance() set it
 *
 * Makes the image that a watershed of the levels, of their gradient or of objects floods; see
 * the top of relief.c.  wf_relief_flood() floods it.
 *
 * Memory: none for levels and gradient beyond the engine's own if @levels are not kept,
 * otherwise an image of their type; for objects, and with a background, 5 bytes per pixel.
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
  WfReliefOptions taken;

  if (! wf_option_group_take (&relief_group, options, &taken, error) ||
      ! wf_image_check (levels, _("image"), error) ||
      ! wf_image_check_work_type (levels, _("image"), error))
    return FALSE;
  g_return_val_if_fail (wf_image_is_packed (levels), FALSE);

  if (taken.input != WF_INPUT_OBJECTS && taken.background != WF_BACKGROUND_NONE)
    return make_within (context, levels, keep_levels, &taken, relief, objects, error);
  if (taken.input != WF_INPUT_OBJECTS)
    return make_from_levels (context, levels, keep_levels, &taken, relief, error);
  if (! make_from_objects (context, levels, &taken, relief, objects, error))
    return FALSE;
  if (! keep_levels)
    wf_image_clear (levels);
  return TRUE;
}

static gboolean
is_any_marked (const WfImage *objects)
{
  const gint64 n_rows = objects->height * objects->depth;

  for (gint64 row = 0; row < n_rows; row++)
    {
      const guint8 *inside = wf_image_row (objects, row);

      for (gint64 x = 0; x < objects->width; x++)
        if (inside[x])
          return TRUE;
    }
  return FALSE;
}

/* Fills every pixel with 0: there is nothing to flood. */
static void
clear_labels (WfImage *labels)
{
  const gint64 n_rows = labels->height * labels->depth;

  for (gint64 row = 0; row < n_rows; row++)
    memset (wf_image_row (labels, row), 0, (gsize) labels->width * sizeof (guint32));
}

/**
 * wf_relief_flood:
 * @context: (nullable): of the computation; %NULL for a context of its own
 * @relief: as wf_relief_make() makes it
 * @objects: (nullable): u8, size of @relief, 0 in the background, which is not flooded and gets
 *   label 0; %NULL to flood all pixels
 * @from_markers: whether @labels hold markers; otherwise the minima are the markers
 * @labels: u32, size of @relief: the markers, 0 elsewhere, and then the basins
 * @n_basins: (out): how many basins there are; 0 without an object
 * @options: (nullable): of the flooding, without smoothing and gradient
 * @error: as wf_watershed() sets it; also %WF_ERROR_INVALID if no marker lies on an object;
 *   %WF_ERROR_UNSUPPORTED if an image is in the memory of a device
 *
 * Floods a relief, within its objects if it has some.
 *
 * Returns: %FALSE with @error set; then @labels are undefined
 */
gboolean
wf_relief_flood (WfContext                 *context,
                 const WfImage             *relief,
                 const WfImage             *objects,
                 gboolean                   from_markers,
                 WfImage                   *labels,
                 guint32                   *n_basins,
                 const WfWatershedOptions  *options,
                 GError                   **error)
{
  *n_basins = 0;
  if (! wf_image_check (relief, _("image"), error) ||
      (objects && ! wf_image_check (objects, _("mask"), error)) ||
      ! wf_image_check (labels, _("label image"), error))
    return FALSE;
  if (objects && from_markers && ! wf_foreground_limit (objects, labels))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("No marker lies on an object: check the threshold."));
      return FALSE;
    }
  if (objects && ! from_markers && ! is_any_marked (objects))
    {
      clear_labels (labels);
      return TRUE;
    }
  if (! wf_watershed (context, relief, from_markers ? labels : NULL, labels, n_basins, options,
                      error))
    return FALSE;

  if (objects)
    wf_foreground_limit (objects, labels);
  return TRUE;
}
