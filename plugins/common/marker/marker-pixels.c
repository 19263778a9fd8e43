/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels of a marker: levels of one drawable for all slices or of one for each, or how far each
 * pixel is selected.  A run reads them all at once, a preview fetches them a little at a time.
 */

#include "config.h"

#include <string.h>

#include "marker-pixels.h"
#include "marker.h"
#include "plugins/common/preview/layer-pixels.h"
#include "plugins/common/swap/swap.h"


/*  All at once  */

static gboolean
read_one (WfJob         *run,
          GimpDrawable  *drawable,
          WfComponent    component,
          WfImage       *levels,
          gint64         index,
          GError       **error)
{
  const WfRegion      *region = &run->region;
  const GeglRectangle  part   = { region->image_x, region->image_y,
                                  region->width, region->height };
  gboolean             success;
  WfSlice              slice;

  wf_slice_open (&slice, drawable);
  success = wf_slice_copy (&slice, &part, error);
  if (success)
    wf_slice_read_parts (&slice, region, component, levels, index);
  wf_slice_close (&slice);
  return success;
}

static void
repeat_first (WfImage *levels)
{
  const gsize size = (gsize) levels->slice_stride * wf_type_size (levels->type);

  for (gint64 i = 1; i < levels->depth; i++)
    {
      memcpy ((char *) levels->data + i * size, levels->data, size);
      wf_swap_release ();
    }
}

/**
 * wf_marker_read_levels:
 * @run: a run whose marker is no selection
 * @list: of wf_marker_list()
 * @component: which component is the level
 * @levels: an image of the size of the source; set
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_marker_read_levels (WfJob        *run,
                       GPtrArray    *list,
                       WfComponent   component,
                       WfImage      *levels,
                       GError      **error)
{
  for (guint i = 0; i < list->len; i++)
    if (! read_one (run, list->pdata[i], component, levels, i, error))
      return FALSE;
  if (list->len == 1)
    repeat_first (levels);
  return TRUE;
}

/**
 * wf_marker_read_coverage:
 * @run: a run whose marker is the selection
 * @coverage: set to a new image of one slice, f32: how far each pixel is selected, from 0 to 1; to
 *   be cleared by the caller
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_marker_read_coverage (WfJob    *run,
                         WfImage  *coverage,
                         GError  **error)
{
  WfRegion region = run->region;

  if (! wf_swap_allocate (coverage, WF_TYPE_F32, region.width, region.height, 1, error))
    return FALSE;
  region.selection = GIMP_DRAWABLE (gimp_image_get_selection (run->image));
  WF_FOR_PARTS (part, coverage)
    wf_region_read_selection (&region, (int) part.row, (int) part.n_rows,
                              (float *) coverage->data + part.first);
  return TRUE;
}


/*  A little at a time  */

static gboolean
open_pixels (WfJob        *part,
             gpointer     *pixels,
             WfType        type,
             WfComponent   component,
             GError      **error)
{
  g_autoptr (GPtrArray) list = wf_marker_list (part, part->source->n_slices, error);

  if (! list || (*pixels && ! wf_layer_pixels_are_of (*pixels, list)))
    g_clear_pointer (pixels, wf_layer_pixels_free);
  if (! list)
    return FALSE;
  if (wf_marker_takes_selection (part))
    {
      type      = WF_TYPE_F32;
      component = WF_COMPONENT_LUMINANCE;
    }
  if (! *pixels)
    *pixels = wf_layer_pixels_new (list, type, component, FALSE);
  return TRUE;
}

/**
 * wf_marker_fetch:
 * @part: a run on the previewed region, whose marker is given
 * @fetched: the data to keep, for functions of #WfLayerPixels; %NULL at first
 * @type: of the levels, if the marker is no selection
 * @component: likewise, which one is the level
 * @fetch: the step
 * @error: %WF_ERROR_INVALID if the marker does not fit
 *
 * Fetches a part of the marker.
 *
 * Returns: whether there was no error
 */
gboolean
wf_marker_fetch (WfJob        *part,
                 gpointer     *fetched,
                 WfType        type,
                 WfComponent   component,
                 WfFetch      *fetch,
                 GError      **error)
{
  if ((! *fetched || ! wf_layer_pixels_is_begun (*fetched, &part->region)) &&
      ! open_pixels (part, fetched, type, component, error))
    return FALSE;
  wf_layer_pixels_fetch (fetched, &part->region, fetch);
  return TRUE;
}

/**
 * wf_marker_read_fetched_levels:
 * @part: a run on the previewed region, whose marker is no selection
 * @fetched: the data of wf_marker_fetch()
 * @levels: an image of the size of what is previewed; set
 * @error: %WF_ERROR_INVALID if the marker does not fit: a preview of a very large stack has only
 *   some of the slices
 *
 * Returns: whether there was no error
 */
gboolean
wf_marker_read_fetched_levels (WfJob     *part,
                               gpointer   fetched,
                               WfImage   *levels,
                               GError   **error)
{
  const guint n = wf_layer_pixels_get_n (fetched);

  if (n > 1 && ! wf_marker_check_number (part, n, (guint) levels->depth, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    wf_layer_pixels_read_levels (fetched, i, &part->region, levels, i);
  if (n == 1)
    repeat_first (levels);
  return TRUE;
}

/**
 * wf_marker_read_fetched_coverage:
 * @part: a run on the previewed region, whose marker is the selection
 * @fetched: the data of wf_marker_fetch()
 * @coverage: set to a new image, as by wf_marker_read_coverage()
 * @error: %WF_ERROR_MEMORY
 *
 * Pixels outside the image, and thus outside the selection, are not selected.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_marker_read_fetched_coverage (WfJob     *part,
                                 gpointer   fetched,
                                 WfImage   *coverage,
                                 GError   **error)
{
  const WfRegion   *region = &part->region;
  WfRegion          inside = *region;
  g_auto (WfImage)  image  = { 0 };
  GeglRectangle     bounds;
  int               right;
  int               bottom;

  if (! wf_image_allocate (coverage, WF_TYPE_F32, region->width, region->height, 1, error))
    return FALSE;
  wf_layer_pixels_get_bounds (fetched, 0, &bounds);
  right  = MIN (region->image_x + region->width, wf_region_to_scale (region, bounds.width));
  bottom = MIN (region->image_y + region->height, wf_region_to_scale (region, bounds.height));
  inside.image_x = MAX (region->image_x, 0);
  inside.image_y = MAX (region->image_y, 0);
  inside.width   = right - inside.image_x;
  inside.height  = bottom - inside.image_y;
  memset (coverage->data, 0, (gsize) region->width * region->height * sizeof (float));
  if (inside.width <= 0 || inside.height <= 0)
    return TRUE;

  if (! wf_image_allocate (&image, WF_TYPE_F32, inside.width, inside.height, 1, error))
    return FALSE;
  wf_layer_pixels_read_levels (fetched, 0, &inside, &image, 0);
  for (int row = 0; row < inside.height; row++)
    memcpy ((float *) coverage->data +
            (gsize) (inside.image_y - region->image_y + row) * region->width +
            inside.image_x - region->image_x,
            (const float *) image.data + row * image.row_stride,
            inside.width * sizeof (float));
  return TRUE;
}
