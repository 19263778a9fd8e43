/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marker of a reconstruction: the levels of another drawable, the selection, or the region
 * itself, lowered or raised.
 */

#include "config.h"

#include "filter-colors.h"
#include "marker-levels.h"
#include "plugins/common/marker/marker-pixels.h"
#include "plugins/common/marker/marker.h"
#include "plugins/common/preview/layer-pixels.h"
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

/* The luminance that wf_colors_filter() takes of the image. */
static gboolean
read_luminance (WfJob      *run,
                GPtrArray  *list,
                WfImage    *marker,
                GError    **error)
{
  WfImage  components[3] = { 0 };
  gboolean success       = TRUE;

  for (int i = 0; i < 3 && success; i++)
    success = wf_swap_allocate (&components[i], run->type, run->region.width, run->region.height,
                                run->source->n_slices, error) &&
              wf_marker_read_levels (run, list, (WfComponent) (WF_COMPONENT_RED + i),
                                     &components[i], error);
  success = success &&
            wf_colors_find_luminance (wf_job_get_format (run), components, marker, error);
  wf_components_clear (components);
  return success;
}

/**
 * wf_reconstruct_marker_read:
 * @run: the run
 * @mask: the levels of the region, at full resolution
 * @component: that they are, where colors are kept; else the luminance
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
                            WfComponent     component,
                            WfDirection     by,
                            double          height,
                            WfImage        *marker,
                            GError        **error)
{
  g_autoptr (GPtrArray) list = NULL;

  if (wf_marker_is_given (run) && ! (list = wf_marker_list (run, (guint) mask->depth, error)))
    return FALSE;
  if (list && ! wf_marker_takes_selection (run) && component == WF_COMPONENT_LUMINANCE &&
      wf_job_keeps_colors (run))
    return read_luminance (run, list, marker, error);
  if (! wf_swap_allocate (marker, mask->type, mask->width, mask->height, mask->depth, error))
    return FALSE;

  if (! list)
    {
      wf_marker_shift (mask, by == WF_BY_DILATION ? -height : height, marker);
      return TRUE;
    }
  if (wf_marker_takes_selection (run))
    return read_selection (run, mask, by, marker, error);
  return wf_marker_read_levels (run, list, component, marker, error);
}

/*  A little at a time  */

/**
 * Fetched:
 * @levels: the pixels of the marker: its luminance or the selection, or red, green and blue
 *
 * What a preview keeps of a marker.
 */
typedef struct
{
  gpointer levels[3];
} Fetched;


/* A selection has no colors. */
static gboolean
has_components (WfJob *part)
{
  return wf_job_keeps_colors (part) && ! wf_marker_takes_selection (part);
}

/**
 * wf_reconstruct_marker_fetch:
 * @part: a run on the previewed region
 * @fetched: set to data for the functions below; %NULL at first
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
  Fetched *kept;

  if (! wf_marker_is_given (part))
    return TRUE;
  if (! *fetched)
    *fetched = g_new0 (Fetched, 1);
  kept = *fetched;
  if (! has_components (part))
    return wf_marker_fetch (part, &kept->levels[0], part->type, WF_COMPONENT_LUMINANCE, fetch,
                            error);
  for (int c = 0; c < 3 && fetch->complete; c++)
    if (! wf_marker_fetch (part, &kept->levels[c], part->type,
                           (WfComponent) (WF_COMPONENT_RED + c), fetch, error))
      return FALSE;
  return TRUE;
}

/**
 * wf_reconstruct_marker_invalidate:
 * @fetched: the data of wf_reconstruct_marker_fetch()
 *
 * Has its pixels fetched again, as they may have changed.
 */
void
wf_reconstruct_marker_invalidate (gpointer fetched)
{
  Fetched *kept = fetched;

  for (int c = 0; c < 3; c++)
    if (kept->levels[c])
      wf_layer_pixels_invalidate (kept->levels[c]);
}

/**
 * wf_reconstruct_marker_free:
 * @fetched: (transfer full): the data of wf_reconstruct_marker_fetch()
 */
void
wf_reconstruct_marker_free (gpointer fetched)
{
  Fetched *kept = fetched;

  for (int c = 0; c < 3; c++)
    g_clear_pointer (&kept->levels[c], wf_layer_pixels_free);
  g_free (kept);
}

/* @levels: of the mask; @pixels: of the marker */
static gboolean
read_fetched (WfJob          *part,
              gpointer        pixels,
              const WfImage  *levels,
              WfDirection     by,
              WfImage        *marker,
              GError        **error)
{
  g_auto (WfImage) coverage = { 0 };

  if (! wf_image_allocate (marker, levels->type, levels->width, levels->height, levels->depth,
                           error))
    return FALSE;
  if (! wf_marker_takes_selection (part))
    return wf_marker_read_fetched_levels (part, pixels, marker, error);
  if (! wf_marker_read_fetched_coverage (part, pixels, &coverage, error))
    return FALSE;
  wf_marker_from_coverage (levels, coverage.data, by, marker);
  return TRUE;
}

/**
 * wf_reconstruct_marker_read_fetched:
 * @part: a run on the previewed region
 * @fetched: the data of wf_reconstruct_marker_fetch()
 * @mask: the levels of its region
 * @by: the direction of the reconstruction
 * @marker: set to a new image, to be cleared by the caller; left empty if the marker is
 *   the layer itself, or if its components are read
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
  const Fetched *kept = fetched;

  return ! wf_marker_is_given (part) || has_components (part) ||
         read_fetched (part, kept->levels[0], mask, by, marker, error);
}

/**
 * wf_reconstruct_marker_read_fetched_component:
 * @part: a run on the previewed region, which keeps colors
 * @fetched: the data of wf_reconstruct_marker_fetch()
 * @component: 0, 1 or 2: red, green or blue
 * @mask: that component of its region
 * @by: the direction of the reconstruction
 * @marker: set to a new image, as above; left empty if the marker is the layer itself
 * @error: as above
 *
 * Returns: whether there was no error
 */
gboolean
wf_reconstruct_marker_read_fetched_component (WfJob          *part,
                                              gpointer        fetched,
                                              int             component,
                                              const WfImage  *mask,
                                              WfDirection     by,
                                              WfImage        *marker,
                                              GError        **error)
{
  const Fetched *kept = fetched;

  return ! wf_marker_is_given (part) ||
         read_fetched (part, kept->levels[has_components (part) ? component : 0], mask, by, marker,
                       error);
}
