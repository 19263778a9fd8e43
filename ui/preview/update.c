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
 * Pixels that are long in coming are fetched a little at a time, whenever the main loop
 * has nothing else to do, and always those that the present view wants: what another one
 * wanted is not waited for.  What there is of the image is shown every now and then,
 * the rest as it was.
 *
 * Until the new result is there the old one stays, moved and stretched as the image is.
 *
 * What is computed on: an image of moderate size as a whole and at full resolution,
 * whatever part is seen: then the preview is exactly what the operation will make.  Of a
 * larger one what is seen, with a margin, as what lies beyond an edge can change the
 * result beside it: at full resolution from 1:1 on, below at the scale that is shown.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "private.h"

/* Changes are collected for so many milliseconds. */
#define UPDATE_DELAY 3
/* What takes longer than so many is called busy. */
#define BUSY_DELAY   200
/* So many of them pixels are fetched at a time ... */
#define FETCH_TIME   8
/* ... and what has come of the image is shown after so many. */
#define PATCH_TIME   120

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

  preview->busy_id = 0;
  wf_preview_set_busy (preview, TRUE);
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

/* Now basins can be merged, and have measurements. */
static void
complete (WfPreview *preview)
{
  g_signal_emit_by_name (preview, "completed", preview->result);
  wf_preview_update_hovered (preview, preview->measurements == NULL);
}

/**
 * wf_preview_take_result:
 * @result: (nullable): a result
 * @error: (nullable): why not
 * @data: a preview
 *
 * The worker's answer; the same result a second time once it is complete.
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
  if (result && result == preview->result)
    {
      complete (preview);
      return;
    }
  wf_preview_forget_result (preview);
  wf_preview_set_error (preview, error);
  if (! result)
    return;

  preview->result = wf_preview_result_ref (result);
  g_signal_emit_by_name (preview, "computed", result);
  if (result->complete)
    complete (preview);
  else
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
  whole.slice = viewport->slice;
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
  whole.slice = preview->viewport.slice;
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

#pragma omp parallel for simd reduction (&: all)
  for (gint64 i = 0; i < n; i++)
    all &= pixels[4 * i + 3];
  return all == 255;
}

/* Where @pixels has nothing yet the old ones stay, moved and stretched. */
static void
fill_gaps (const WfPreviewColors *old,
           const WfPreviewRegion *region,
           guint8                *pixels)
{
  const double factor = old->region.scale / region->scale;

  if (! old->pixels)
    return;
  for (int j = 0; j < region->height; j++)
    {
      const double y   = floor ((region->y + j + 0.5) * factor) - old->region.y;
      guint8      *row = pixels + 4 * (gsize) j * region->width;

      if (y < 0 || y >= old->region.height)
        continue;
      for (int i = 0; i < region->width; i++)
        {
          const double x = floor ((region->x + i + 0.5) * factor) - old->region.x;

          if (row[4 * i + 3] == 0 && x >= 0 && x < old->region.width)
            memcpy (row + 4 * i,
                    old->pixels + 4 * ((gsize) y * old->region.width + (gsize) x), 4);
        }
    }
}

/* Memory that was written to before is much sooner written to again. */
static guint8 *
make_room (WfPreview *preview,
           gint64     n_pixels,
           gboolean   complete)
{
  if (complete && preview->colors.pixels &&
      wf_preview_region_n_pixels (&preview->colors.region) == n_pixels)
    return g_steal_pointer (&preview->colors.pixels);
  return g_new (guint8, 4 * n_pixels);
}

static gboolean
read_colors (WfPreview              *preview,
             const WfPreviewRegion  *wanted,
             gboolean                complete,
             GError                **error)
{
  const gint64       n_pixels = wf_preview_region_n_pixels (wanted);
  g_autofree guint8 *pixels   = make_room (preview, n_pixels, complete);

  if (! preview->source.read_colors (wanted, pixels, preview->source_data, error))
    return FALSE;
  if (! complete)
    fill_gaps (&preview->colors, wanted, pixels);

  g_free (preview->colors.pixels);
  preview->colors.region = *wanted;
  preview->colors.opaque = is_opaque (pixels, n_pixels);
  preview->colors.pixels = g_steal_pointer (&pixels);
  preview->patchy        = ! complete;
  preview->colors_old    = FALSE;
  preview->before_dirty  = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
  return TRUE;
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


/*  What is done next  */

/**
 * Step:
 * @wanted: the region that is best had now
 * @needed: the part of it that must be
 * @missing: whether it is not
 * @complete: whether it could be read now
 *
 * What the present view asks for, of the image or to compute on.
 */
typedef struct
{
  WfPreviewRegion wanted;
  WfPreviewRegion needed;
  gboolean        missing;
  gboolean        complete;
} Step;

static gboolean
fetch (WfPreview      *preview,
       WfPreviewPart   part,
       gint64          until,
       Step           *step,
       GError        **error)
{
  step->complete = TRUE;
  return ! preview->source.fetch ||
         preview->source.fetch (&step->wanted, part, until, &step->complete,
                                preview->source_data, error);
}

static void
look_at_colors (WfPreview *preview,
                Step      *step)
{
  get_wanted (preview, &step->wanted, &step->needed);
  step->missing = ! preview->colors.pixels || preview->colors_old || preview->patchy ||
                  ! wf_preview_region_holds (&preview->colors.region, &step->needed);
}

static void
look_at_inputs (WfPreview *preview,
                Step      *step)
{
  get_wanted_inputs (preview, &step->wanted, &step->needed);
  step->missing  = preview->computation &&
                   (preview->stale ||
                    ! wf_preview_region_holds (&preview->requested, &step->needed));
  step->complete = preview->inputs &&
                   wf_preview_region_holds (&preview->inputs->region, &step->needed);
}

/* What is computed meanwhile is not of this view. */
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

/* Sets @more if there is something left to be done. */
static gboolean
make_progress (WfPreview  *preview,
               gboolean   *more,
               GError    **error)
{
  const gint64 until  = g_get_monotonic_time () + FETCH_TIME * 1000;
  Step         colors = { 0 };
  Step         inputs = { 0 };

  look_at_colors (preview, &colors);
  look_at_inputs (preview, &inputs);
  if ((colors.missing && ! fetch (preview, WF_PREVIEW_COLORS, until, &colors, error)) ||
      (inputs.missing && ! inputs.complete &&
       ! fetch (preview, WF_PREVIEW_INPUTS, until, &inputs, error)))
    return FALSE;

  /* what is shown is read the next time, while the worker is at work */
  if (inputs.missing && inputs.complete)
    {
      *more = TRUE;
      return start_computing (preview, &inputs.wanted, &inputs.needed, error);
    }
  if (inputs.missing)
    await_inputs (preview);
  if (colors.missing && (colors.complete || is_time_to_patch (preview)) &&
      ! read_colors (preview, &colors.wanted, colors.complete, error))
    return FALSE;

  *more = (colors.missing && ! colors.complete) || (inputs.missing && ! inputs.complete);
  return *more || ! preview->refreshing || wf_preview_look_again (preview, until, more, error);
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
  g_debug ("preview: %s after %.1f ms", more ? "more to do" : "all is there",
           (g_get_monotonic_time () - start) / 1e3);
  if (! done)
    {
      wf_preview_worker_cancel (preview->worker);
      stop_waiting (preview);
      wf_preview_forget_result (preview);
      wf_preview_set_error (preview, error);
      g_clear_pointer (&preview->inputs, wf_preview_inputs_unref);   /* may be others by now */
      preview->stale      = TRUE;
      preview->refreshing = FALSE;
      return G_SOURCE_REMOVE;
    }
  if (more && ! preview->update_id)
    preview->update_id = g_idle_add (update, preview);
  else if (! more && ! wf_preview_worker_is_busy (preview->worker))
    stop_waiting (preview);
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
  if (! preview->update_id && preview->source.read_colors && preview->worker &&
      gtk_widget_get_realized (GTK_WIDGET (preview)))
    {
      preview->patched_at    = g_get_monotonic_time ();
      preview->update_id = g_timeout_add (UPDATE_DELAY, update, preview);
    }
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
  preview->colors_old = TRUE;
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
