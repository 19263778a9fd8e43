/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps a preview fresh: what a person changes in the image while the dialog is open is
 * seen in the preview after returning to the dialog.
 *
 * When the window gets the keyboard focus again, the source invalidates its pixels, and
 * they are fetched again, a little at a time.  The picture stays as it is meanwhile, and
 * for good where nothing has changed.  The result is computed anew only if pixels that it
 * was computed on differ.
 */

#include "config.h"

#include <string.h>

#include "private.h"


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

/* Sets @changed if pixels to compute on differ from those of the last time, and keeps
 * the new ones then.
 */
static gboolean
reread_inputs (WfPreview  *preview,
               gboolean   *changed,
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
  *changed        = TRUE;
  return TRUE;
}

/**
 * wf_preview_fetch_again:
 * @preview: a preview that is being refreshed, and has all that is visible
 * @fetch: the step
 * @changed: set to whether pixels to compute on have changed, once @fetch is complete
 * @error: as the source sets it
 *
 * Fetches what the preview has again.  Colors that have changed are marked to be read.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_preview_fetch_again (WfPreview  *preview,
                        WfFetch    *fetch,
                        gboolean   *changed,
                        GError    **error)
{
  const WfPreviewSource *source = &preview->source;
  gpointer               data   = preview->source_data;

  *changed = FALSE;
  if (! source->fetch (&preview->colors.region, WF_PREVIEW_COLORS, fetch, data, error) ||
      (fetch->complete && preview->inputs &&
       ! source->fetch (&preview->inputs->region, WF_PREVIEW_INPUTS, fetch, data, error)))
    return FALSE;
  if (! fetch->complete)
    return TRUE;

  preview->refreshing = FALSE;
  if (source->has_changed (WF_PREVIEW_COLORS, data))
    preview->colors_valid = FALSE;
  return ! preview->inputs ||
         ! source->has_changed (WF_PREVIEW_INPUTS, data) ||
         reread_inputs (preview, changed, error);
}
