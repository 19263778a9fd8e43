/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview reads beside the levels that it computes on: levels or colours of some
 * drawables of the image in a region at any scale.
 *
 * They are fetched a little at a time, as those are, into a store of their own, where they
 * are kept for the next region.  A person can change the image while that goes on: so before
 * each piece of work what is read is looked at, and where it is not there any more, or not as
 * it was, it is not asked for pixels that it does not have.
 *
 * All of it asks GIMP, and is for the main thread.
 */

#include "config.h"

#include "block-view.h"
#include "layer-pixels.h"

/**
 * WfLayerPixels:
 * @drawables: what is read
 * @source: of these
 * @colors: whether colours are read, not levels
 * @region: what is fetched now
 * @begun: whether that is so
 * @n_complete: so many slices have been fetched
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
 * @drawables: (element-type GimpDrawable): what to read, which is there
 * @type: of the levels
 * @colors: whether to read colours, not levels
 *
 * Returns: (transfer full): nothing of their pixels yet
 */
WfLayerPixels *
wf_layer_pixels_new (GPtrArray *drawables,
                     WfType     type,
                     gboolean   colors)
{
  WfLayerPixels *pixels = g_new0 (WfLayerPixels, 1);

  pixels->drawables       = g_ptr_array_new_with_free_func (g_object_unref);
  pixels->source.type     = type;
  pixels->source.n_slices = drawables->len;
  pixels->source.slices   = g_new0 (WfSlice, drawables->len);
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
 * Returns: how many drawables they are of
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
 * @bounds: set to where it is in the image
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
 * Returns: whether it is being fetched, or was, and is not doubted
 */
gboolean
wf_layer_pixels_is_begun (WfLayerPixels  *pixels,
                          const WfRegion *region)
{
  return pixels->begun && wf_region_is_same (&pixels->region, region);
}

/**
 * wf_layer_pixels_begin:
 * @pixels: pixels
 * @region: of each drawable, by its place in the image
 *
 * Begins to fetch what is in @region.
 */
void
wf_layer_pixels_begin (WfLayerPixels  *pixels,
                       const WfRegion *region)
{
  pixels->region     = *region;
  pixels->begun      = TRUE;
  pixels->n_complete = 0;
}

/**
 * wf_layer_pixels_fetch:
 * @pixels: pixels that are begun
 * @until: the monotonic time at which to stop; something is fetched, whatever the time is
 * @complete: set to whether all is there, to be read
 *
 * Returns: %FALSE if a drawable is not there any more, or has another place, size or format:
 *   then other pixels are needed
 */
gboolean
wf_layer_pixels_fetch (WfLayerPixels *pixels,
                       gint64         until,
                       gboolean      *complete)
{
  const guint n = pixels->drawables->len;

  *complete = FALSE;
  wf_block_store_begin (pixels->store);
  for (; pixels->n_complete < n; pixels->n_complete++)
    {
      WfBlockView view;

      if (! wf_block_store_slice_is_valid (pixels->store, pixels->n_complete))
        return FALSE;
      wf_block_view_init_in_image (&view, pixels->store, pixels->n_complete, &pixels->region);
      if (! wf_block_view_fetch (&view, pixels->colors, until))
        return TRUE;
    }
  wf_block_store_end (pixels->store);
  *complete = TRUE;
  return TRUE;
}

/**
 * wf_layer_pixels_invalidate:
 * @data: pixels
 *
 * Says that what was fetched may be something else by now, and is to be begun again.
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
 * @region: what to read, within what is fetched and where the drawable is
 * @image: of the size of @region and the type of the levels
 * @index: the slice of @image that they become
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
 * @region: what to read, within what is fetched and where the drawable is
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
