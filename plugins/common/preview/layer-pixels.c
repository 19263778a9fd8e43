/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview reads in addition to the levels that it computes on: levels or colours of
 * drawables of the image, in a region at any scale.
 *
 * They are fetched a little at a time into a block store of their own, which keeps them for
 * the next region.  A person can change the image meanwhile.  So before each step the
 * drawables are checked, and pixels that do not exist any more are not requested.
 *
 * All functions are for the main thread, as they call GIMP.
 */

#include "config.h"

#include "block-view.h"
#include "layer-pixels.h"

/**
 * WfLayerPixels:
 * @drawables: what is read
 * @source: of these
 * @colors: whether colors are read, not levels
 * @region: what is fetched now
 * @begun: whether @region and @n_complete are valid
 * @n_complete: how many slices have been fetched
 */
struct _WfLayerPixels
{
  GPtrArray    *drawables;
  WfSource      source;
  WfBlockStore *store;
  gboolean      colors;
  WfRegion      region;
  gboolean      begun;
  guint         n_complete;
};


/**
 * wf_layer_pixels_new:
 * @drawables: (element-type GimpDrawable): what to read; they exist
 * @type: of the levels
 * @component: which component is the level
 * @colors: whether to read colors, not levels
 *
 * Returns: (transfer full): pixels of which none are fetched
 */
WfLayerPixels *
wf_layer_pixels_new (GPtrArray   *drawables,
                     WfType       type,
                     WfComponent  component,
                     gboolean     colors)
{
  WfLayerPixels *pixels = g_new0 (WfLayerPixels, 1);

  pixels->drawables        = g_ptr_array_new_with_free_func (g_object_unref);
  pixels->source.type      = type;
  pixels->source.component = component;
  pixels->source.n_slices  = drawables->len;
  pixels->source.slices    = g_new0 (WfSlice, drawables->len);
  for (guint i = 0; i < drawables->len; i++)
    {
      g_ptr_array_add (pixels->drawables, g_object_ref (drawables->pdata[i]));
      wf_slice_open (&pixels->source.slices[i], drawables->pdata[i]);
    }
  pixels->store  = wf_block_store_new (&pixels->source);
  pixels->colors = colors;
  return pixels;
}

/**
 * wf_layer_pixels_free:
 * @data: (transfer full): pixels
 */
void
wf_layer_pixels_free (gpointer data)
{
  WfLayerPixels *pixels = data;

  wf_block_store_free (pixels->store);
  for (guint i = 0; i < pixels->source.n_slices; i++)
    wf_slice_close (&pixels->source.slices[i]);
  g_free (pixels->source.slices);
  g_ptr_array_unref (pixels->drawables);
  g_free (pixels);
}

/**
 * wf_layer_pixels_get_n:
 * @pixels: pixels
 *
 * Returns: the number of drawables
 */
guint
wf_layer_pixels_get_n (WfLayerPixels *pixels)
{
  return pixels->drawables->len;
}

/**
 * wf_layer_pixels_are_of:
 * @pixels: pixels
 * @drawables: (element-type GimpDrawable): drawables
 *
 * Returns: whether these are what is read
 */
gboolean
wf_layer_pixels_are_of (WfLayerPixels *pixels,
                        GPtrArray     *drawables)
{
  if (pixels->drawables->len != drawables->len)
    return FALSE;
  for (guint i = 0; i < drawables->len; i++)
    if (pixels->drawables->pdata[i] != drawables->pdata[i])
      return FALSE;
  return TRUE;
}

/**
 * wf_layer_pixels_get_bounds:
 * @pixels: pixels
 * @slice: which drawable
 * @bounds: set to its size and its place in the image
 */
void
wf_layer_pixels_get_bounds (WfLayerPixels *pixels,
                            guint          slice,
                            GeglRectangle *bounds)
{
  wf_block_store_get_size (pixels->store, slice, 0, bounds);
}


/*  Fetching  */

/**
 * wf_layer_pixels_is_begun:
 * @pixels: pixels
 * @region: a region
 *
 * Returns: whether @region is being fetched, or is fetched, and not invalidated since
 */
gboolean
wf_layer_pixels_is_begun (WfLayerPixels  *pixels,
                          const WfRegion *region)
{
  return pixels->begun && wf_region_is_same (&pixels->region, region);
}

static void
begin (WfLayerPixels  *pixels,
       const WfRegion *region)
{
  pixels->region     = *region;
  pixels->begun      = TRUE;
  pixels->n_complete = 0;
}

/* Returns %FALSE if a drawable was deleted, or has another place, size or format. */
static gboolean
fetch_slices (WfLayerPixels *pixels,
              WfFetch       *fetch)
{
  const guint n = pixels->drawables->len;

  wf_block_store_begin (pixels->store, fetch);
  for (; pixels->n_complete < n; pixels->n_complete++)
    {
      WfBlockView view;

      if (! wf_block_store_slice_is_valid (pixels->store, pixels->n_complete))
        return FALSE;
      wf_block_view_init_in_image (&view, pixels->store, pixels->n_complete, &pixels->region);
      wf_block_view_fetch (&view, pixels->colors, fetch);
      if (! fetch->complete)
        return TRUE;
    }
  wf_block_store_end (pixels->store);
  return TRUE;
}

/**
 * wf_layer_pixels_fetch:
 * @kept: (inout): a #WfLayerPixels; freed and set to %NULL if a drawable was deleted, or has
 *   another place, size or format: the next step needs others
 * @region: of each drawable, by its place in the image
 * @fetch: the step
 *
 * Fetches some of @region.
 */
void
wf_layer_pixels_fetch (gpointer       *kept,
                       const WfRegion *region,
                       WfFetch        *fetch)
{
  WfLayerPixels *pixels = *kept;

  if (! wf_layer_pixels_is_begun (pixels, region))
    begin (pixels, region);
  if (fetch_slices (pixels, fetch))
    return;

  g_clear_pointer (kept, wf_layer_pixels_free);
  fetch->complete = FALSE;
}

/**
 * wf_layer_pixels_invalidate:
 * @data: pixels
 *
 * Has them fetched again, as they may have changed.
 */
void
wf_layer_pixels_invalidate (gpointer data)
{
  WfLayerPixels *pixels = data;

  wf_block_store_invalidate (pixels->store);
  pixels->begun = FALSE;
}


/*  Reading  */

/**
 * wf_layer_pixels_read_levels:
 * @pixels: pixels
 * @slice: which drawable
 * @region: what to read, within the drawable and what is fetched
 * @image: of the size of @region and the type of the levels
 * @index: the slice of @image to set
 */
void
wf_layer_pixels_read_levels (WfLayerPixels  *pixels,
                             guint           slice,
                             const WfRegion *region,
                             WfImage        *image,
                             gint64          index)
{
  WfBlockView view;

  wf_block_view_init_in_image (&view, pixels->store, slice, region);
  wf_block_view_read_levels (&view, image, index);
}

/**
 * wf_layer_pixels_read_colors:
 * @pixels: pixels
 * @slice: which drawable
 * @region: what to read, within the drawable and what is fetched
 * @colors: set to red, green, blue and alpha, 8 bits of non-linear sRGB
 */
void
wf_layer_pixels_read_colors (WfLayerPixels  *pixels,
                             guint           slice,
                             const WfRegion *region,
                             guint8         *colors)
{
  WfBlockView view;

  wf_block_view_init_in_image (&view, pixels->store, slice, region);
  wf_block_view_read_colors (&view, colors);
}
