/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview reads and computes, and when.
 *
 * When the view or the settings change, up to three things have to be done:
 *
 *   - pixels to compute on are read;
 *   - the worker computes, after its present job is cancelled;
 *   - pixels to show are read, at the scale at which they are shown, with a margin.
 *
 * None of them is done while an event is handled, but a moment later, once for all events
 * until then.
 *
 * Pixels that take long to come are fetched a little at a time (fetch.h), whenever the
 * main loop is idle, and always those that the present view wants: a change of the view
 * ends the fetch for the one before.  The part of the image that has come is shown at
 * intervals, the rest as it was.
 *
 * The old result stays, moved and stretched as the image is, until the new one is there.
 *
 * An image of moderate size is computed on as a whole and at full resolution, whatever part
 * is visible: then the preview is exactly what the operation will make.  Of a larger image
 * the visible part is computed on, with a margin, as what lies beyond an edge can change
 * the result near it: at full resolution from 1:1 on, below at the scale that is shown.
 */

#include "config.h"

#include "private.h"

/* Changes are collected for this many milliseconds. */
#define UPDATE_DELAY 3
/* A computation that takes longer than this many milliseconds is shown as busy. */
#define BUSY_DELAY   200
/* Milliseconds of fetching per step ... */
#define FETCH_TIME   8
/* ... and between two pictures of an image that is being fetched. */
#define PATCH_TIME   120

/* Pixels read beyond the visible part, on each side. */
#define MARGIN       64
/* With fewer than this many left they are read and computed again. */
#define LEAST_MARGIN 24


/*  Being busy  */

static void
set_busy (WfPreview *preview,
          gboolean   busy)
{
  if (preview->busy == busy)
    return;

  preview->busy = busy;
  wf_preview_set_spinning (preview, busy);
  g_object_notify (G_OBJECT (preview), "busy");
}

static gboolean
be_busy (gpointer data)
{
  WfPreview *preview = data;

  preview->busy_id = 0;
  set_busy (preview, TRUE);
  return G_SOURCE_REMOVE;
}

static void
start_waiting (WfPreview *preview)
{
  if (! preview->busy && ! preview->busy_id)
    preview->busy_id = g_timeout_add (BUSY_DELAY, be_busy, preview);
}

static void
stop_waiting (WfPreview *preview)
{
  g_clear_handle_id (&preview->busy_id, g_source_remove);
  set_busy (preview, FALSE);
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
  preview->selected = 0;
  g_clear_pointer (&preview->result, wf_preview_result_unref);
  g_clear_pointer (&preview->computed, wf_preview_result_unref);
  g_clear_pointer (&preview->map, g_free);
  wf_preview_result_changed (preview);
}

/* Only a complete result has basins that can be merged and described. */
static void
complete (WfPreview *preview)
{
  g_signal_emit_by_name (preview, "completed", preview->result);
  wf_preview_update_hovered (preview, preview->measurements == NULL);
}

/**
 * wf_preview_take_result:
 * @result: (nullable): a result
 * @error: (nullable): why not, or why it could not be completed, or computed but for its extra
 *   data: then nothing is shown
 * @data: a preview
 *
 * Takes the worker's answer: a new result, or the same one again once it is complete.
 */
void
wf_preview_take_result (WfPreviewResult *result,
                        const GError    *error,
                        gpointer         data)
{
  WfPreview *preview = data;

  g_return_if_fail (error != NULL || result == NULL ||
                    (result->image.data != NULL &&
                     result->image.width == result->region.width &&
                     result->image.height == result->region.height));

  stop_waiting (preview);
  if (! error && result && result == preview->result)
    {
      complete (preview);
      return;
    }
  wf_preview_forget_result (preview);
  if (error && result)
    g_signal_emit_by_name (preview, "partly-computed", result);
  wf_preview_set_error (preview, error);
  if (error || ! result)
    return;

  preview->result = wf_preview_result_ref (result);
  g_signal_emit_by_name (preview, "computed", result);
  if (result->complete)
    complete (preview);
  else
    wf_preview_update_hovered (preview, FALSE);
}


/*  Reading and computing  */

/* The region to read for the present view, and the part of it that has to be there. */
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
  whole.slice = viewport->slice;
  if (wf_preview_region_n_pixels (&whole) <= WF_PREVIEW_WHOLE_LIMIT)
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
  whole.slice = preview->viewport.slice;
  if (wf_preview_region_n_pixels (&whole) <= WF_PREVIEW_WHOLE_LIMIT)
    *wanted = *needed = whole;
  else
    get_wanted (preview, wanted, needed);
}

static gboolean
start_computing (WfPreview              *preview,
                 const WfPreviewRegion  *wanted,
                 const WfPreviewRegion  *needed,
                 GError                **error)
{
  if (! preview->inputs || ! wf_preview_region_holds (&preview->inputs->region, needed))
    {
      g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);
      preview->inputs = wf_preview_inputs_new (&preview->source, preview->source_data,
                                               wanted, error);
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


/*  Steps  */

/**
 * Step:
 * @wanted: the region to read
 * @needed: the part of it that has to be there
 * @missing: whether it is not
 * @fetch: complete if @wanted can be read now
 *
 * What the present view needs, of the image or to compute on.
 */
typedef struct
{
  WfPreviewRegion wanted;
  WfPreviewRegion needed;
  gboolean        missing;
  WfFetch         fetch;
} Step;

static gboolean
fetch_step (WfPreview      *preview,
            WfPreviewPart   part,
            Step           *step,
            GError        **error)
{
  step->fetch.complete = TRUE;
  return ! preview->source.fetch ||
         preview->source.fetch (&step->wanted, part, &step->fetch, preview->source_data, error);
}

static void
look_at_colors (WfPreview *preview,
                gint64     deadline,
                Step      *step)
{
  get_wanted (preview, &step->wanted, &step->needed);
  step->missing = ! preview->colors.pixels || ! preview->colors_valid ||
                  ! preview->colors_complete ||
                  ! wf_preview_region_holds (&preview->colors.region, &step->needed);
  wf_fetch_init (&step->fetch, deadline);
}

static void
look_at_inputs (WfPreview *preview,
                gint64     deadline,
                Step      *step)
{
  get_wanted_inputs (preview, &step->wanted, &step->needed);
  step->missing = preview->computation &&
                  (preview->stale ||
                   ! wf_preview_region_holds (&preview->requested, &step->needed));
  wf_fetch_init (&step->fetch, deadline);
  step->fetch.complete = preview->inputs &&
                         wf_preview_region_holds (&preview->inputs->region, &step->needed);
}

/* Cancels the computation, which is for another view. */
static void
await_inputs (WfPreview *preview)
{
  preview->stale = TRUE;
  wf_preview_worker_cancel (preview->worker);
  start_waiting (preview);
}

static gboolean
is_time_to_patch (WfPreview *preview)
{
  const gint64 now = g_get_monotonic_time ();

  if (now - preview->patched_at < PATCH_TIME * 1000)
    return FALSE;
  preview->patched_at = now;
  return TRUE;
}

/* Sets @more if changed colours are to be read, or more is to be fetched. */
static gboolean
refresh_step (WfPreview  *preview,
              gint64      deadline,
              gboolean   *more,
              GError    **error)
{
  WfFetch  fetch;
  gboolean changed;

  wf_fetch_init (&fetch, deadline);
  if (! wf_preview_fetch_again (preview, &fetch, &changed, error))
    return FALSE;
  *more = ! fetch.complete || ! preview->colors_valid;
  if (changed)
    wf_preview_recompute (preview);
  return TRUE;
}

/* Sets @more if another step is needed. */
static gboolean
make_progress (WfPreview  *preview,
               gboolean   *more,
               GError    **error)
{
  const gint64 deadline = g_get_monotonic_time () + FETCH_TIME * 1000;
  Step         colors   = { 0 };
  Step         inputs   = { 0 };

  look_at_colors (preview, deadline, &colors);
  look_at_inputs (preview, deadline, &inputs);
  if ((colors.missing && ! fetch_step (preview, WF_PREVIEW_COLORS, &colors, error)) ||
      (inputs.missing && ! inputs.fetch.complete &&
       ! fetch_step (preview, WF_PREVIEW_INPUTS, &inputs, error)))
    return FALSE;

  /* the next step reads what is shown, while the worker computes */
  if (inputs.missing && inputs.fetch.complete)
    {
      *more = TRUE;
      return start_computing (preview, &inputs.wanted, &inputs.needed, error);
    }
  if (inputs.missing)
    await_inputs (preview);
  if (colors.missing && (colors.fetch.complete || is_time_to_patch (preview)) &&
      ! wf_preview_read_colors (preview, &colors.wanted, colors.fetch.complete, error))
    return FALSE;

  *more = (colors.missing && ! colors.fetch.complete) ||
          (inputs.missing && ! inputs.fetch.complete);
  return *more || ! preview->refreshing || refresh_step (preview, deadline, more, error);
}

/* After an error nothing is shown but the message; inputs may be outdated by the next time. */
static void
give_up (WfPreview    *preview,
         const GError *error)
{
  wf_preview_worker_cancel (preview->worker);
  stop_waiting (preview);
  wf_preview_forget_result (preview);
  wf_preview_set_error (preview, error);
  g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);
  preview->stale      = TRUE;
  preview->refreshing = FALSE;
}

static gboolean
update (gpointer data)
{
  WfPreview         *preview = data;
  const gint64       start   = g_get_monotonic_time ();
  gboolean           more    = FALSE;
  gboolean           done;
  g_autoptr (GError) error   = NULL;

  preview->update_id = 0;
  done = make_progress (preview, &more, &error);
  g_debug ("preview: %s after %.1f ms", more ? "more to do" : "all is fetched",
           (g_get_monotonic_time () - start) / 1e3);
  if (! done)
    {
      give_up (preview, error);
      return G_SOURCE_REMOVE;
    }
  if (more && ! preview->update_id)
    preview->update_id = g_idle_add (update, preview);
  else if (! more && ! wf_preview_worker_is_busy (preview->worker))
    stop_waiting (preview);
  return G_SOURCE_REMOVE;
}


/*  What others ask for  */

/**
 * wf_preview_queue_update:
 * @preview: a preview
 *
 * Reads and computes what is missing for the present view; nothing before the preview has
 * a size.
 */
void
wf_preview_queue_update (WfPreview *preview)
{
  if (! preview->update_id && preview->source.read_colors && preview->worker &&
      gtk_widget_get_realized (GTK_WIDGET (preview)))
    {
      preview->patched_at = g_get_monotonic_time ();
      preview->update_id  = g_timeout_add (UPDATE_DELAY, update, preview);
    }
}

/**
 * wf_preview_reload:
 * @preview: a preview
 *
 * Reads pixels again and recomputes: to be called when the source's pixels are different.
 */
void
wf_preview_reload (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);
  preview->colors_valid = FALSE;
  wf_preview_recompute (preview);
}

/**
 * wf_preview_refresh:
 * @preview: a preview
 *
 * Looks for changes, while the picture stays: to be called when the source's pixels may be
 * different.
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

/**
 * wf_preview_recompute:
 * @preview: a preview
 *
 * Cancels the computation and starts it again within a few hundredths of a second: to be
 * called when a setting has changed.
 */
void
wf_preview_recompute (WfPreview *preview)
{
  g_return_if_fail (WF_IS_PREVIEW (preview));

  /* a setting may change while the dialog is being destroyed */
  if (! preview->worker)
    return;

  preview->stale = TRUE;
  wf_preview_worker_cancel (preview->worker);
  if (! preview->computation)
    stop_waiting (preview);
  wf_preview_queue_update (preview);
}

/**
 * wf_preview_is_settled:
 * @preview: a preview
 *
 * Returns: whether it shows a complete result, or why there is none, and nothing is being read or
 *   computed
 */
gboolean
wf_preview_is_settled (WfPreview *preview)
{
  g_return_val_if_fail (WF_IS_PREVIEW (preview), FALSE);

  return preview->worker && ! preview->refreshing && ! preview->update_id &&
         ! wf_preview_worker_is_busy (preview->worker) &&
         (preview->error ||
          (preview->result && preview->result->complete && ! preview->stale));
}
