/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The components of what is previewed, and its alpha if there is any, for a preview in colors.
 * Each is read like the levels of a component that is chosen as the only one (source-pixels.c).
 */

#include "config.h"

#include "color-pixels.h"
#include "plugins/common/color/color-filter.h"

#define N_COMPONENTS 4

/**
 * WfColorPixels:
 * @components: red, green, blue, and alpha or %NULL
 * @format: of the pixels of the source
 */
struct _WfColorPixels
{
  WfSourcePixels *components[N_COMPONENTS];
  const Babl     *format;
};


static const WfComponent components[N_COMPONENTS] =
{
  WF_COMPONENT_RED, WF_COMPONENT_GREEN, WF_COMPONENT_BLUE, WF_COMPONENT_ALPHA
};

/**
 * wf_color_pixels_new:
 * @run: a run whose dialog is open, and that keeps colors
 * @error: as wf_source_pixels_new() sets it
 *
 * Returns: (transfer full) (nullable): the components that @run would work on first
 */
WfColorPixels *
wf_color_pixels_new (WfJob   *run,
                     GError **error)
{
  g_autoptr (WfColorPixels) pixels = g_new0 (WfColorPixels, 1);

  for (int i = 0; i < 3; i++)
    {
      pixels->components[i] = wf_source_pixels_new_of (run, components[i], error);
      if (! pixels->components[i])
        return NULL;
    }
  if (gimp_drawable_has_alpha (run->drawables[0]))   /* of a stack, that of all slices */
    pixels->components[3] = wf_source_pixels_new_of (run, components[3], NULL);
  pixels->format = wf_source_pixels_get_format (pixels->components[0]);
  return g_steal_pointer (&pixels);
}

/**
 * wf_color_pixels_free:
 * @pixels: (transfer full): pixels
 */
void
wf_color_pixels_free (WfColorPixels *pixels)
{
  for (int i = 0; i < N_COMPONENTS; i++)
    g_clear_pointer (&pixels->components[i], wf_source_pixels_free);
  g_free (pixels);
}

/**
 * wf_color_pixels_invalidate:
 * @pixels: pixels
 * @run: the run that they were opened for
 *
 * As wf_source_pixels_invalidate().
 *
 * Returns: %FALSE if new pixels are needed
 */
gboolean
wf_color_pixels_invalidate (WfColorPixels *pixels,
                            WfJob         *run)
{
  for (int i = 0; i < N_COMPONENTS && pixels->components[i]; i++)
    if (! wf_source_pixels_invalidate (pixels->components[i], run))
      return FALSE;
  return TRUE;
}

/**
 * wf_color_pixels_has_changed:
 * @pixels: pixels
 *
 * As wf_source_pixels_has_changed().
 *
 * Returns: whether any component differs
 */
gboolean
wf_color_pixels_has_changed (const WfColorPixels *pixels)
{
  for (int i = 0; i < N_COMPONENTS && pixels->components[i]; i++)
    if (wf_source_pixels_has_changed (pixels->components[i]))
      return TRUE;
  return FALSE;
}

/**
 * wf_color_pixels_fetch:
 * @pixels: pixels
 * @region: what is to be read
 * @fetch: the step
 * @error: as wf_source_pixels_fetch() sets it
 *
 * Fetches some of the pixels from GIMP.
 *
 * Returns: whether there was no error
 */
gboolean
wf_color_pixels_fetch (WfColorPixels          *pixels,
                       const WfPreviewRegion  *region,
                       WfFetch                *fetch,
                       GError                **error)
{
  for (int i = 0; i < N_COMPONENTS && pixels->components[i] && fetch->complete; i++)
    if (! wf_source_pixels_fetch (pixels->components[i], region, WF_PREVIEW_INPUTS, fetch, error))
      return FALSE;
  return TRUE;
}

/**
 * wf_color_pixels_read:
 * @pixels: pixels
 * @region: what to read, fetched
 * @inputs: of the preview; components and alpha are set to new images, and the levels to the
 *   luminance of these
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was memory for all
 */
gboolean
wf_color_pixels_read (WfColorPixels          *pixels,
                      const WfPreviewRegion  *region,
                      WfImage                 inputs[WF_PREVIEW_N_INPUTS],
                      GError                **error)
{
  for (int i = 0; i < N_COMPONENTS && pixels->components[i]; i++)
    if (! wf_source_pixels_read_levels (pixels->components[i], region,
                                        &inputs[WF_PREVIEW_COMPONENTS + i], error))
      return FALSE;
  wf_image_clear (&inputs[0]);
  return wf_colors_find_luminance (pixels->format, &inputs[WF_PREVIEW_COMPONENTS], &inputs[0],
                                   error);
}
