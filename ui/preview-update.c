/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview reads and computes, and when.
 *
 * Three things happen when the view or the settings change, each no more often than
 * needed and none of them while an event is handled, but a moment later for all events
 * that have come until then:
 *
 *   - pixels to compute on are read;
 *   - the worker computes, and what it was at is cancelled;
 *   - pixels to show are read, at the scale at which they are shown, with a margin.
 *
 * Until the new result is there the old one stays, moved and stretched as the image is.
 *
 * What is computed on: an image of moderate size as a whole and at full resolution,
 * whatever part is seen: then the preview is exactly what the operation will make.  Of a
 * larger one what is seen, with a margin, as what lies beyond an edge can change the
 * result beside it: at full resolution from 1:1 on, below at the scale that is shown.
 */

#include "config.h"

#include "preview-private.h"

/* Changes are collected for so many milliseconds. */
#define UPDATE_DELAY 10
/* What takes longer than so many is called busy. */
#define BUSY_DELAY   200

/* Pixels read beyond what is seen, on each side. */
#define MARGIN       64
/* How few of them may be left before they are read and computed again. */
#define LEAST_MARGIN 24
/* So many pixels are read, or computed on, as a whole. */
#define WHOLE_LIMIT  (G_GINT64_CONSTANT (1) << 21)


/*  Being busy  */

static gboolean
be_busy (gpointer data)
{
  WfPreview *preview = data;

  preview->busy_source = 0;
  wf_preview_set_busy (preview, TRUE);
  return G_SOURCE_REMOVE;
}

static void
start_waiting (WfPreview *preview)
{
  if (! preview->busy && ! preview->busy_source)
    preview->busy_source = g_timeout_add (BUSY_DELAY, be_busy, preview);
}

static void
stop_waiting (WfPreview *preview)
{
  g_clear_handle_id (&preview->busy_source, g_source_remove);
  wf_preview_set_busy (preview, FALSE);
}


/*  Results  */

/**
 * wf_preview_forget_result:
 * @preview: a preview
 *
 * Shows the image alone.
 */
void
wf_preview_forget_result (WfPreview *preview)
{
  wf_preview_set_hovered (preview, 0, FALSE);
  g_clear_pointer (&preview->result, wf_preview_result_unref);
  g_clear_pointer (&preview->map, g_free);
  wf_preview_result_changed (preview);
}

/**
 * wf_preview_take_result:
 * @result: (nullable): a result
 * @error: (nullable): why not
 * @data: a preview
 *
 * The worker's answer.
 */
void
wf_preview_take_result (WfPreviewResult *result,
                        const GError    *error,
                        gpointer         data)
{
  WfPreview *preview = data;

  g_return_if_fail (result == NULL || (result->image.data != NULL &&
                                       result->image.width == result->region.width &&
                                       result->image.height == result->region.height));

  stop_waiting (preview);
  wf_preview_forget_result (preview);
  wf_preview_set_error (preview, error);
  if (! result)
    return;

  preview->result = wf_preview_result_ref (result);
  g_signal_emit_by_name (preview, "computed", result);
  wf_preview_update_hovered (preview, FALSE);
}


/*  Reading and computing  */

/* What is best computed, and what of it at least, for the present view. */
static void
get_wanted (WfPreview       *preview,
            WfPreviewRegion *wanted,
            WfPreviewRegion *needed)
{
  const WfViewport *viewport = &preview->viewport;
  WfPreviewRegion   whole;

  wf_viewport_get_region (viewport, MARGIN, wanted);
  wf_viewport_get_region (viewport, LEAST_MARGIN, needed);
  wf_preview_region_whole (&whole, viewport->image_width, viewport->image_height, wanted->scale);
  if (wf_preview_region_n_pixels (&whole) <= WHOLE_LIMIT)
    *wanted = whole;
}

static void
get_wanted_inputs (WfPreview       *preview,
                   WfPreviewRegion *wanted,
                   WfPreviewRegion *needed)
{
  WfPreviewRegion whole;

  wf_preview_region_whole (&whole, preview->viewport.image_width,
                           preview->viewport.image_height, 1);
  if (wf_preview_region_n_pixels (&whole) <= WHOLE_LIMIT)
    *wanted = *needed = whole;
  else
    get_wanted (preview, wanted, needed);
}

static gboolean
is_opaque (const guint8 *pixels,
           gint64        n)
{
  guint8 all = 255;

#pragma omp simd reduction (&: all)
  for (gint64 i = 0; i < n; i++)
    all &= pixels[4 * i + 3];
  return all == 255;
}

static gboolean
read_colors (WfPreview  *preview,
             GError    **error)
{
  WfPreviewRegion    wanted, needed;
  g_autofree guint8 *pixels = NULL;
  gint64             n_pixels;

  get_wanted (preview, &wanted, &needed);
  if (preview->colors.pixels && wf_preview_region_holds (&preview->colors.region, &needed))
    return TRUE;

  n_pixels = wf_preview_region_n_pixels (&wanted);
  pixels   = g_new (guint8, 4 * n_pixels);
  if (! preview->source.read_colors (&wanted, pixels, preview->source_data, error))
    return FALSE;

  g_free (preview->colors.pixels);
  preview->colors.region = wanted;
  preview->colors.opaque = is_opaque (pixels, n_pixels);
  preview->colors.pixels = g_steal_pointer (&pixels);
  preview->before_dirty  = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  return TRUE;
}

static gboolean
start_computing (WfPreview  *preview,
                 GError    **error)
{
  WfPreviewRegion wanted, needed;

  get_wanted_inputs (preview, &wanted, &needed);
  if (! preview->stale && wf_preview_region_holds (&preview->requested, &needed))
    return TRUE;

  if (! preview->inputs || ! wf_preview_region_holds (&preview->inputs->region, &needed))
    {
      g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);
      preview->inputs = wf_preview_inputs_new (&preview->source, preview->source_data,
                                               &wanted, error);
      if (! preview->inputs)
        return FALSE;
    }
  preview->requested = preview->inputs->region;
  preview->stale     = FALSE;
  start_waiting (preview);
  wf_preview_worker_start (preview->worker, preview->computation, preview->computation_data,
                           preview->inputs);
  return TRUE;
}

static gboolean
update (gpointer data)
{
  WfPreview         *preview = data;
  g_autoptr (GError) error   = NULL;

  preview->update_source = 0;
  /* what is shown is read while the worker is at work */
  if ((preview->computation && ! start_computing (preview, &error)) ||
      ! read_colors (preview, &error))
    {
      wf_preview_worker_cancel (preview->worker);
      stop_waiting (preview);
      wf_preview_forget_result (preview);
      wf_preview_set_error (preview, error);
      preview->stale = TRUE;
    }
  return G_SOURCE_REMOVE;
}

/**
 * wf_preview_queue_update:
 * @preview: a preview
 *
 * Reads and computes what is missing for what is to be seen now; before the preview has
 * a size that is nothing.
 */
void
wf_preview_queue_update (WfPreview *preview)
{
  if (! preview->update_source && preview->source.read_colors && preview->worker &&
      gtk_widget_get_realized (GTK_WIDGET (preview)))
    preview->update_source = g_timeout_add (UPDATE_DELAY, update, preview);
}

/**
 * wf_preview_reload:
 * @preview: a preview
 *
 * To be called when the source's pixels are others: reads them again and recomputes.
 */
void
wf_preview_reload (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);
  g_clear_pointer (&preview->colors.pixels, g_free);
  wf_preview_recompute (preview);
}

/**
 * wf_preview_recompute:
 * @preview: a preview
 *
 * To be called when a setting has changed: cancels what is being computed, and starts
 * anew within a few hundredths of a second.
 */
void
wf_preview_recompute (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  /* a dialog that is being closed may still say so */
  if (! preview->worker)
    return;

  preview->stale = TRUE;
  wf_preview_worker_cancel (preview->worker);
  if (! preview->computation)
    stop_waiting (preview);
  wf_preview_queue_update (preview);
}
