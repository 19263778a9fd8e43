/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marker of a reconstruction: the levels of another drawable, the selection, or the region
 * itself, lowered or raised.
 */

#include "config.h"

#include "marker-levels.h"
#include "plugins/common/marker/marker-pixels.h"
#include "plugins/common/marker/marker.h"
#include "plugins/common/swap/swap.h"
#include "reconstruct-marker.h"


static gboolean
read_selection (WfJob          *run,
                const WfImage  *mask,
                WfDirection     by,
                WfImage        *marker,
                GError        **error)
{
  WfImage coverage = { 0 };

  if (! wf_marker_read_coverage (run, &coverage, error))
    return FALSE;
  wf_marker_from_coverage (mask, coverage.data, by, marker);
  wf_swap_clear (&coverage);
  return TRUE;
}

/**
 * wf_reconstruct_marker_read:
 * @run: the run
 * @mask: the levels of the region, at full resolution
 * @by: the direction of the reconstruction
 * @height: by which to lower or raise @mask if no marker was given
 * @marker: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_INVALID if the marker does not fit, %WF_ERROR_MEMORY
 *
 * Returns: whether there is a marker.
 */
gboolean
wf_reconstruct_marker_read (WfJob          *run,
                            const WfImage  *mask,
                            WfDirection     by,
                            double          height,
                            WfImage        *marker,
                            GError        **error)
{
  g_autoptr (GPtrArray) list = NULL;

  if ((wf_marker_is_given (run) &&
       ! (list = wf_marker_list (run, (guint) mask->depth, error))) ||
      ! wf_swap_allocate (marker, mask->type, mask->width, mask->height, mask->depth, error))
    return FALSE;

  if (! list)
    {
      wf_marker_shift (mask, by == WF_BY_DILATION ? -height : height, marker);
      return TRUE;
    }
  if (wf_marker_takes_selection (run))
    return read_selection (run, mask, by, marker, error);
  return wf_marker_read_levels (run, list, WF_COMPONENT_LUMINANCE, marker, error);
}

/**
 * wf_reconstruct_marker_fetch:
 * @part: a run on the previewed region
 * @fetched: as for wf_marker_fetch()
 * @fetch: likewise
 * @error: likewise
 *
 * Fetches a part of the marker, if it is not the layer itself.
 *
 * Returns: whether there was no error
 */
gboolean
wf_reconstruct_marker_fetch (WfJob     *part,
                             gpointer  *fetched,
                             WfFetch   *fetch,
                             GError   **error)
{
  return ! wf_marker_is_given (part) ||
         wf_marker_fetch (part, fetched, part->type, WF_COMPONENT_LUMINANCE, fetch, error);
}

/**
 * wf_reconstruct_marker_read_fetched:
 * @part: a run on the previewed region
 * @fetched: the data of wf_reconstruct_marker_fetch()
 * @mask: the levels of its region
 * @by: the direction of the reconstruction
 * @marker: set to a new image, to be cleared by the caller; left empty if the marker is
 *   the layer itself
 * @error: %WF_ERROR_INVALID if the marker does not fit, %WF_ERROR_MEMORY
 *
 * Returns: whether there was no error
 */
gboolean
wf_reconstruct_marker_read_fetched (WfJob          *part,
                                    gpointer        fetched,
                                    const WfImage  *mask,
                                    WfDirection     by,
                                    WfImage        *marker,
                                    GError        **error)
{
  g_auto (WfImage) coverage = { 0 };

  if (! wf_marker_is_given (part))
    return TRUE;
  if (! wf_image_allocate (marker, mask->type, mask->width, mask->height, mask->depth, error))
    return FALSE;
  if (! wf_marker_takes_selection (part))
    return wf_marker_read_fetched_levels (part, fetched, marker, error);
  if (! wf_marker_read_fetched_coverage (part, fetched, &coverage, error))
    return FALSE;
  wf_marker_from_coverage (mask, coverage.data, by, marker);
  return TRUE;
}
