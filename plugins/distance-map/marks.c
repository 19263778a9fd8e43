/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pixels that geodesic distances are measured from: of a layer those that are at least half
 * opaque, as in the watershed; of a layer without alpha, or of a channel, those that are not black;
 * of the selection those of which at least half is selected.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "marks.h"
#include "plugins/common/marker/marker-pixels.h"
#include "plugins/common/marker/marker.h"
#include "plugins/common/swap/swap.h"

/* The least opacity or coverage of a mark, and the least level. */
#define HALF  0.5f
#define BLACK 0.0f


static gboolean
check_given (WfJob   *run,
             GError **error)
{
  if (wf_marker_is_given (run))
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("Choose what distances are measured from: a layer, a channel or the "
                         "selection."));
  return FALSE;
}

/* Alpha, if all drawables have it. */
static gboolean
find_component (WfJob        *run,
                guint         n_slices,
                GPtrArray   **list,
                WfComponent  *component,
                GError      **error)
{
  if (! check_given (run, error) || ! (*list = wf_marker_list (run, n_slices, error)))
    return FALSE;
  *component = WF_COMPONENT_ALPHA;
  for (guint i = 0; i < (*list)->len; i++)
    if (! gimp_drawable_has_alpha ((*list)->pdata[i]))
      *component = WF_COMPONENT_LUMINANCE;
  return TRUE;
}

/* @values: f32: of one slice that is repeated, or of all */
static gboolean
mark_all (const WfImage  *values,
          const WfImage  *levels,
          gboolean        black,
          WfImage        *marks,
          GError        **error)
{
  /* at least half is above the greatest float below that */
  const double above = (double) (black ? BLACK : nextafterf (HALF, 0));

  if (! wf_swap_allocate (marks, WF_TYPE_U8, levels->width, levels->height, levels->depth, error))
    return FALSE;
  for (gint64 slice = 0; slice < levels->depth; slice += values->depth)
    {
      WfImage view = *marks;

      view.data  = (guint8 *) marks->data + slice * marks->slice_stride;
      view.depth = values->depth;
      wf_foreground_mark (values, above, TRUE, &view);
    }
  return TRUE;
}

/**
 * wf_marks_read:
 * @run: the run, with a marker
 * @levels: of the region
 * @marks: set to a new image of its size: u8, not 0 where the marker is; to be cleared by the
 *   caller
 * @error: %WF_ERROR_INVALID if the marker does not fit, %WF_ERROR_MEMORY
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_marks_read (WfJob          *run,
               const WfImage  *levels,
               WfImage        *marks,
               GError        **error)
{
  g_autoptr (GPtrArray) list   = NULL;
  g_auto (WfImage)      values = { 0 };
  WfComponent           component;

  if (! find_component (run, (guint) levels->depth, &list, &component, error))
    return FALSE;
  if (wf_marker_takes_selection (run))
    return wf_marker_read_coverage (run, &values, error) &&
           mark_all (&values, levels, FALSE, marks, error);
  return wf_swap_allocate (&values, WF_TYPE_F32, levels->width, levels->height, levels->depth,
                           error) &&
         wf_marker_read_levels (run, list, component, &values, error) &&
         mark_all (&values, levels, component == WF_COMPONENT_LUMINANCE, marks, error);
}

/**
 * wf_marks_fetch:
 * @part: a run on the previewed region
 * @fetched: as for wf_marker_fetch()
 * @fetch: likewise
 * @error: likewise, or if there is no marker
 *
 * Returns: whether there was no error
 */
gboolean
wf_marks_fetch (WfJob     *part,
                gpointer  *fetched,
                WfFetch   *fetch,
                GError   **error)
{
  g_autoptr (GPtrArray) list = NULL;
  WfComponent           component;

  return find_component (part, part->source->n_slices, &list, &component, error) &&
         wf_marker_fetch (part, fetched, WF_TYPE_F32, component, fetch, error);
}

/**
 * wf_marks_read_fetched:
 * @part: a run on the previewed region
 * @fetched: the data of wf_marks_fetch()
 * @levels: of its region
 * @marks: as by wf_marks_read()
 * @error: likewise
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_marks_read_fetched (WfJob          *part,
                       gpointer        fetched,
                       const WfImage  *levels,
                       WfImage        *marks,
                       GError        **error)
{
  g_autoptr (GPtrArray) list   = NULL;
  g_auto (WfImage)      values = { 0 };
  WfComponent           component;

  if (! find_component (part, part->source->n_slices, &list, &component, error))
    return FALSE;
  if (wf_marker_takes_selection (part))
    return wf_marker_read_fetched_coverage (part, fetched, &values, error) &&
           mark_all (&values, levels, FALSE, marks, error);
  return wf_image_allocate (&values, WF_TYPE_F32, levels->width, levels->height, levels->depth,
                            error) &&
         wf_marker_read_fetched_levels (part, fetched, &values, error) &&
         mark_all (&values, levels, component == WF_COMPONENT_LUMINANCE, marks, error);
}
