/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which slice of a stack a preview shows.  The result is computed on its neighbours as
 * well, but of all that one slice is kept, so another one is read and computed anew.
 */

#include "config.h"

#include "private.h"


/**
 * wf_preview_init_slices:
 * @preview: a preview that has another source
 *
 * Shows the slice that the source says.
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
 * Returns: how many slices there are to be seen, at least 1
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
 * @slice: of its stack, from 0; what is beyond is clamped
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
