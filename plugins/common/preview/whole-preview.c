/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The whole of an image that is too large for the preview, computed in the background.
 *
 * The preview of a large image is computed from the visible part, often at a smaller scale; a
 * number of basins and the values of a merge slider are those of that part.  When the preview is
 * complete and nothing else is to be done, the whole image is read, and computed by a worker of its
 * own with the same settings.  Its result goes to the handlers of WfPreview::whole-changed.  The
 * picture stays that of the preview.  Where the result cannot be computed, the preview says why,
 * until a setting changes; what only completes it is not needed by all settings.
 *
 * Levels are read in bands, a few milliseconds at a time, while the main loop is idle.  They are
 * kept for other settings.  If the image may have changed they are read again, and the result
 * stays if they are the same.
 *
 * An image whose computation would not fit into half of the memory is left out.
 */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include "whole-preview.h"
#include "ui/preview/worker.h"

#define STEP_TIME       8     /* milliseconds of reading ... */
#define STEP_PAUSE      2     /* ... and between two steps */
#define BAND            256   /* rows, as many as a stored block has */
#define BYTES_OF_PIXEL  32    /* about: levels, relief, labels, and what computing takes */

/**
 * WfWholePreview:
 * @inputs: read completely, or %NULL
 * @next: being read, or %NULL
 * @n_rows: how many rows of its levels have been read
 * @again: whether @inputs may be outdated
 * @stale: whether there is nothing computed from @inputs with the present settings, nor being
 *   computed
 * @there: whether the present result was reported
 * @failed: whether it could not be computed
 */
struct _WfWholePreview
{
  WfPreview                  *preview;
  const WfWholeReader        *reader;
  const WfPreviewComputation *computation;
  gpointer                    data;
  WfPreviewWorker            *worker;
  WfPreviewInputs            *inputs;
  WfPreviewInputs            *next;
  int                         n_rows;
  gboolean                    again;
  gboolean                    stale;
  gboolean                    there;
  gboolean                    failed;
  guint                       step_id;
  gint64                      began;
};


static gboolean
fits_memory (const WfPreviewRegion *region)
{
  const double bytes = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);

  return (double) wf_preview_region_n_pixels (region) * BYTES_OF_PIXEL < bytes / 2;
}

/* Why the operation could not work with the present settings, or %NULL. */
static void
set_error (WfWholePreview *whole,
           const GError   *error)
{
  if (! error && ! whole->failed)
    return;
  whole->failed = error != NULL;
  wf_preview_set_whole_error (whole->preview, error);
}

static void
forget_result (WfWholePreview *whole)
{
  const gboolean was_there = whole->there;

  wf_preview_worker_cancel (whole->worker);
  whole->stale = TRUE;
  whole->there = FALSE;
  /* a setting may change while the dialog is being destroyed */
  if (gtk_widget_in_destruction (gtk_widget_get_toplevel (GTK_WIDGET (whole->preview))))
    return;
  set_error (whole, NULL);
  if (was_there)
    g_signal_emit_by_name (whole->preview, "whole-changed", NULL);
}

static void
fail (WfWholePreview *whole,
      const char     *message)
{
  g_debug ("whole image: %s", message);
  g_signal_emit_by_name (whole->preview, "whole-failed");
}

static void
taken (WfPreviewResult *result,
       const GError    *error,
       gpointer         data)
{
  WfWholePreview *whole = data;

  set_error (whole, result && result->image.data ? NULL : error);
  if (error)
    fail (whole, error->message);
  if (! result || ! result->complete)
    return;
  g_debug ("whole image: complete after %.1f ms", (g_get_monotonic_time () - whole->began) / 1e3);
  whole->there = TRUE;
  g_signal_emit_by_name (whole->preview, "whole-changed", result);
}


/*  Reading  */

static gboolean
copy_rows (const WfPreviewRegion  *band,
           const WfImage          *from,
           gint64                  height,
           WfImage                *all,
           GError                **error)
{
  const gsize row = (gsize) from->width * wf_type_size (from->type);

  if (! all->data && ! wf_image_allocate (all, from->type, from->width, height, 1, error))
    return FALSE;
  memcpy ((char *) all->data + (gsize) band->y * row, from->data, (gsize) band->height * row);
  return TRUE;
}

static gboolean
copy_band (WfWholePreview         *whole,
           const WfPreviewRegion  *band,
           GError                **error)
{
  const gint64      height = whole->next->region.height;
  g_auto (WfImage)  levels = { 0 };
  g_auto (WfImage)  mask   = { 0 };

  return whole->reader->read_levels (band, &levels, whole->data, error) &&
         whole->reader->read_mask (band, &mask, whole->data, error) &&
         copy_rows (band, &levels, height, &whole->next->images[0], error) &&
         (! mask.data || copy_rows (band, &mask, height, &whole->next->images[2], error));
}

/* Sets @complete once everything has been read. */
static gboolean
read_more (WfWholePreview  *whole,
           gboolean        *complete,
           GError         **error)
{
  const WfPreviewRegion *all = &whole->next->region;
  WfFetch                fetch;

  *complete = FALSE;
  wf_fetch_init (&fetch, g_get_monotonic_time () + STEP_TIME * 1000);
  while (whole->n_rows < all->height)
    {
      WfPreviewRegion band = *all;

      band.y      = whole->n_rows;
      band.height = MIN (BAND, all->height - band.y);
      if (! whole->reader->fetch_levels (&band, &fetch, whole->data, error))
        return FALSE;
      if (! fetch.complete)
        return TRUE;
      if (! copy_band (whole, &band, error))
        return FALSE;
      whole->n_rows += band.height;
      if (! wf_fetch_has_time (&fetch))
        return TRUE;
    }
  if (! whole->reader->fetch_second (all, &fetch, whole->data, error))
    return FALSE;
  *complete = fetch.complete;
  return ! fetch.complete ||
         whole->reader->read_besides (all, whole->next->images, whole->data, error);
}

static gboolean
are_same (const WfPreviewInputs *one,
          const WfPreviewInputs *other)
{
  if (! one || memcmp (&one->region, &other->region, sizeof one->region) != 0)
    return FALSE;
  for (int i = 0; i < WF_PREVIEW_N_INPUTS; i++)
    {
      const WfImage *first  = &one->images[i];
      const WfImage *second = &other->images[i];

      if (! first->data != ! second->data || first->type != second->type ||
          (first->data && memcmp (first->data, second->data,
                                  (gsize) wf_image_n_pixels (first) *
                                  wf_type_size (first->type)) != 0))
        return FALSE;
    }
  return TRUE;
}

static void
take_next (WfWholePreview *whole)
{
  whole->again = FALSE;
  if (are_same (whole->inputs, whole->next))
    {
      g_clear_pointer (&whole->next, wf_preview_inputs_unref);
      return;
    }
  forget_result (whole);
  g_clear_pointer (&whole->inputs, wf_preview_inputs_unref);
  whole->inputs = g_steal_pointer (&whole->next);
}

static void
give_up (WfWholePreview *whole,
         const GError   *error)
{
  g_clear_pointer (&whole->next, wf_preview_inputs_unref);
  g_clear_pointer (&whole->inputs, wf_preview_inputs_unref);
  forget_result (whole);
  set_error (whole, error);
  fail (whole, error->message);
}

static void
compute (WfWholePreview *whole)
{
  if (! whole->stale)
    return;
  whole->stale = FALSE;
  wf_preview_worker_start (whole->worker, whole->computation, whole->data, whole->inputs);
}

/* The preview comes first. */
static gboolean
step (gpointer data)
{
  WfWholePreview     *whole = data;
  WfPreviewRegion     region;
  gboolean            complete;
  g_autoptr (GError)  error = NULL;

  if (! wf_preview_is_settled (whole->preview))
    return G_SOURCE_CONTINUE;
  if (! whole->reader->get_region (&region, whole->data) || ! fits_memory (&region))
    {
      fail (whole, "not computed");
      whole->step_id = 0;
      return G_SOURCE_REMOVE;
    }

  if (! whole->next && (! whole->inputs || whole->again))
    {
      whole->next   = wf_preview_inputs_new_empty (&region);
      whole->n_rows = 0;
      whole->began  = g_get_monotonic_time ();
    }
  if (whole->next)
    {
      if (! read_more (whole, &complete, &error))
        {
          give_up (whole, error);
          whole->step_id = 0;
          return G_SOURCE_REMOVE;
        }
      if (! complete)
        return G_SOURCE_CONTINUE;
      take_next (whole);
    }
  compute (whole);
  whole->step_id = 0;
  return G_SOURCE_REMOVE;
}

static void
queue_step (WfWholePreview *whole)
{
  if (! whole->step_id)
    whole->step_id = g_timeout_add_full (G_PRIORITY_LOW, STEP_PAUSE, step, whole, NULL);
}

/**
 * wf_whole_preview_new:
 * @preview: the preview, which emits the signal
 * @reader: how the image is read
 * @computation: of the preview
 * @data: for @reader and @computation
 *
 * Returns: (transfer full): the computation of the whole image, which begins by itself
 */
WfWholePreview *
wf_whole_preview_new (WfPreview                  *preview,
                      const WfWholeReader        *reader,
                      const WfPreviewComputation *computation,
                      gpointer                    data)
{
  WfWholePreview *whole = g_new0 (WfWholePreview, 1);

  whole->preview     = preview;
  whole->reader      = reader;
  whole->computation = computation;
  whole->data        = data;
  whole->stale       = TRUE;
  whole->worker      = wf_preview_worker_new (taken, whole);
  queue_step (whole);
  return whole;
}

/**
 * wf_whole_preview_free:
 * @whole: (transfer full): a computation of the whole image
 *
 * Cancels it.
 */
void
wf_whole_preview_free (WfWholePreview *whole)
{
  g_clear_handle_id (&whole->step_id, g_source_remove);
  wf_preview_worker_free (whole->worker);
  g_clear_pointer (&whole->next, wf_preview_inputs_unref);
  g_clear_pointer (&whole->inputs, wf_preview_inputs_unref);
  g_free (whole);
}

/**
 * wf_whole_preview_settings_changed:
 * @whole: a computation of the whole image
 *
 * Cancels it, and computes again from the same pixels.
 */
void
wf_whole_preview_settings_changed (WfWholePreview *whole)
{
  forget_result (whole);
  queue_step (whole);
}

/**
 * wf_whole_preview_try_again:
 * @whole: a computation of the whole image
 *
 * Computes again if that failed before: to be called when a setting has changed of which the result
 * does not depend, but perhaps whether there is one.
 */
void
wf_whole_preview_try_again (WfWholePreview *whole)
{
  if (whole->failed)
    wf_whole_preview_settings_changed (whole);
}

/**
 * wf_whole_preview_forget_pixels:
 * @whole: a computation of the whole image
 *
 * Cancels it, and begins anew: other pixels are read.
 */
void
wf_whole_preview_forget_pixels (WfWholePreview *whole)
{
  g_clear_pointer (&whole->next, wf_preview_inputs_unref);
  g_clear_pointer (&whole->inputs, wf_preview_inputs_unref);
  wf_whole_preview_settings_changed (whole);
}

/**
 * wf_whole_preview_look_again:
 * @whole: a computation of the whole image
 *
 * Reads the pixels again, as they may have changed; if they have, or if computing failed, as there
 * may be more memory now, computes again.
 */
void
wf_whole_preview_look_again (WfWholePreview *whole)
{
  g_clear_pointer (&whole->next, wf_preview_inputs_unref);
  whole->again  = TRUE;
  whole->stale |= whole->failed;
  queue_step (whole);
}
