/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What part of the image a preview shows: zoom, place, slice, and the edge of the split.
 *
 * Of a stack one slice is shown.  Its result depends on the neighbouring slices as well,
 * but only this slice of the result is kept, so another slice is read and computed anew.
 */

#include "config.h"

#include "private.h"


/* Device pixels for a pixel of the widget. */
static int
device_scale (WfPreview *preview)
{
  return gtk_widget_get_scale_factor (GTK_WIDGET (preview));
}

/**
 * wf_preview_view_changed:
 * @preview: a preview
 * @zoomed: whether the zoom has changed
 *
 * Shows the part of the image that the viewport describes now.
 */
void
wf_preview_view_changed (WfPreview *preview,
                         gboolean   zoomed)
{
  preview->before_dirty = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  wf_preview_queue_update (preview);
  wf_preview_update_hovered (preview, FALSE);
  wf_preview_update_description (preview);
  if (zoomed)
    g_object_notify (G_OBJECT (preview), "zoom");
}

/**
 * wf_preview_set_split:
 * @preview: a preview
 * @split: position of the edge, clamped to 0 … 1
 */
void
wf_preview_set_split (WfPreview *preview,
                      double     split)
{
  split = CLAMP (split, 0, 1);
  if (split == preview->split)
    return;

  preview->split = split;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  g_object_notify (G_OBJECT (preview), "split");
}


/*  Zoom and place  */

/**
 * wf_preview_zoom_at:
 * @preview: a preview
 * @zoom: device pixels for a pixel of the image
 * @x: a point of the widget, under which the image stays in place
 * @y: likewise
 */
void
wf_preview_zoom_at (WfPreview *preview,
                    double     zoom,
                    double     x,
                    double     y)
{
  const int scale = device_scale (preview);

  if (wf_viewport_zoom_at (&preview->viewport, zoom, x * scale, y * scale))
    wf_preview_view_changed (preview, TRUE);
}

/**
 * wf_preview_zoom_at_middle:
 * @preview: a preview
 * @zoom: device pixels for a pixel of the image
 */
void
wf_preview_zoom_at_middle (WfPreview *preview,
                           double     zoom)
{
  if (wf_viewport_zoom_at (&preview->viewport, zoom,
                           preview->viewport.view_width / 2.0,
                           preview->viewport.view_height / 2.0))
    wf_preview_view_changed (preview, TRUE);
}

/**
 * wf_preview_pan:
 * @preview: a preview
 * @dx: how far the image moves, in pixels of the widget
 * @dy: likewise
 */
void
wf_preview_pan (WfPreview *preview,
                double     dx,
                double     dy)
{
  const int scale = device_scale (preview);

  if (wf_viewport_pan (&preview->viewport, dx * scale, dy * scale))
    wf_preview_view_changed (preview, FALSE);
}

/**
 * wf_preview_show_place:
 * @preview: a preview
 * @x: a place in the image, in its pixels
 * @y: likewise
 *
 * Moves the image so that it is in the middle, as far as the image reaches.
 */
void
wf_preview_show_place (WfPreview *preview,
                       double     x,
                       double     y)
{
  WfViewport *viewport = &preview->viewport;

  g_return_if_fail (WF_IS_PREVIEW (preview));

  if (wf_viewport_pan (viewport, (viewport->center_x - x) * viewport->zoom,
                       (viewport->center_y - y) * viewport->zoom))
    wf_preview_view_changed (preview, FALSE);
}

/**
 * wf_preview_zoom_in:
 * @preview: a preview
 *
 * Enlarges by one step; the middle stays in place.
 */
void
wf_preview_zoom_in (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  wf_preview_zoom_at_middle (preview, wf_viewport_next_zoom (&preview->viewport, 1));
}

/**
 * wf_preview_zoom_out:
 * @preview: a preview
 *
 * Reduces by one step; the middle stays in place.
 */
void
wf_preview_zoom_out (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  wf_preview_zoom_at_middle (preview, wf_viewport_next_zoom (&preview->viewport, -1));
}

/**
 * wf_preview_fit:
 * @preview: a preview
 *
 * Shows the whole image, also after the preview's size changes.
 */
void
wf_preview_fit (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  if (wf_viewport_fit (&preview->viewport))
    wf_preview_view_changed (preview, TRUE);
}


/*  Slices  */

/**
 * wf_preview_init_slices:
 * @preview: a preview that was given another source
 *
 * Shows the source's initial slice.
 */
void
wf_preview_init_slices (WfPreview *preview)
{
  const int last = wf_preview_get_n_slices (preview) - 1;

  preview->viewport.slice = CLAMP (preview->source.slice, 0, last);
  g_object_notify (G_OBJECT (preview), "n-slices");
  g_object_notify (G_OBJECT (preview), "slice");
}

/**
 * wf_preview_get_n_slices:
 * @preview: a preview
 *
 * Returns: the number of slices of the image, at least 1
 */
int
wf_preview_get_n_slices (WfPreview *preview)
{
  g_return_val_if_fail (WF_IS_PREVIEW (preview), 1);

  return MAX (preview->source.n_slices, 1);
}

/**
 * wf_preview_set_slice:
 * @preview: a preview
 * @slice: of the stack, from 0, clamped to those there are
 *
 * Shows this slice.
 */
void
wf_preview_set_slice (WfPreview *preview,
                      int        slice)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  slice = CLAMP (slice, 0, wf_preview_get_n_slices (preview) - 1);
  if (slice == preview->viewport.slice)
    return;

  preview->viewport.slice = slice;
  wf_preview_view_changed (preview, FALSE);
  g_object_notify (G_OBJECT (preview), "slice");
}
