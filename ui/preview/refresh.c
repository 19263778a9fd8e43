/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps a preview fresh: whoever goes from the dialog to the image and changes it there
 * finds the change in the preview on coming back.
 *
 * When the window gets the keyboard again the pixels that are there are doubted, and
 * fetched a second time, a little at a time as always; the picture stays as it is
 * meanwhile, and for good where nothing has changed.  Only pixels that are computed on and
 * are others than they were have the result computed anew.
 */

#include "config.h"

#include <string.h>

#include "private.h"


static gboolean
fetch (WfPreview              *preview,
       const WfPreviewRegion  *region,
       WfPreviewPart           part,
       gint64                  until,
       gboolean               *complete,
       GError                **error)
{
  return preview->source.fetch (region, part, until, complete, preview->source_data, error);
}

static gboolean
are_same (const WfImage *one,
          const WfImage *other)
{
  if (! one->data || ! other->data)
    return one->data == other->data;
  return one->type == other->type && one->width == other->width &&
         one->height == other->height && one->depth == other->depth &&
         memcmp (one->data, other->data,
                 (gsize) wf_image_n_pixels (one) * wf_type_size (one->type)) == 0;
}

static gboolean
look_at_inputs (WfPreview  *preview,
                GError    **error)
{
  WfPreviewInputs            *old = preview->inputs;
  g_autoptr (WfPreviewInputs) now = wf_preview_inputs_new (&preview->source,
                                                           preview->source_data, &old->region,
                                                           error);
  gboolean                    same = TRUE;

  if (! now)
    return FALSE;
  for (int i = 0; i < WF_PREVIEW_N_INPUTS; i++)
    same &= are_same (&old->images[i], &now->images[i]);
  if (same)
    return TRUE;

  wf_preview_inputs_unref (old);
  preview->inputs = g_steal_pointer (&now);
  wf_preview_recompute (preview);
  return TRUE;
}

/**
 * wf_preview_look_again:
 * @preview: a preview that is refreshed, and has all that is seen now
 * @until: the monotonic time at which to stop fetching
 * @more: set if there is something left to be done
 * @error: as the source sets it
 *
 * Fetches again what is there, and shows it where it has changed.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_preview_look_again (WfPreview  *preview,
                       gint64      until,
                       gboolean   *more,
                       GError    **error)
{
  const WfPreviewSource *source   = &preview->source;
  gboolean               complete = TRUE;

  if (! fetch (preview, &preview->colors.region, WF_PREVIEW_COLORS, until, &complete, error) ||
      (complete && preview->inputs &&
       ! fetch (preview, &preview->inputs->region, WF_PREVIEW_INPUTS, until, &complete, error)))
    return FALSE;
  if (! complete)
    {
      *more = TRUE;
      return TRUE;
    }

  preview->refreshing = FALSE;
  if (source->has_changed (WF_PREVIEW_COLORS, preview->source_data))
    preview->colors_old = *more = TRUE;
  return ! preview->inputs ||
         ! source->has_changed (WF_PREVIEW_INPUTS, preview->source_data) ||
         look_at_inputs (preview, error);
}

/**
 * wf_preview_refresh:
 * @preview: a preview
 *
 * To be called when the source's pixels may be others: has a look, while what is shown
 * stays.
 */
void
wf_preview_refresh (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  if (! preview->worker || ! preview->source.invalidate ||
      ! preview->source.invalidate (preview->source_data))
    return;

  preview->refreshing = TRUE;
  wf_preview_queue_update (preview);
}

static void
active_changed (GtkWindow  *window,
                GParamSpec *pspec,
                WfPreview  *preview)
{
  const gboolean away = ! gtk_window_is_active (window);

  if (preview->away && ! away)
    wf_preview_refresh (preview);
  preview->away = away;
}

/**
 * wf_preview_hierarchy_changed:
 * @widget: a preview
 * @previous: (nullable): the window that it was in
 *
 * Follows the window that it is in now.
 */
void
wf_preview_hierarchy_changed (GtkWidget *widget,
                              GtkWidget *previous)
{
  GtkWidget *window = gtk_widget_get_toplevel (widget);

  if (previous)
    g_signal_handlers_disconnect_by_func (previous, active_changed, widget);
  if (! GTK_IS_WINDOW (window))
    return;

  WF_PREVIEW (widget)->away = FALSE;
  g_signal_connect_object (window, "notify::is-active", G_CALLBACK (active_changed), widget, 0);
}
