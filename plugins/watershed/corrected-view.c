/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The corrections by hand in the preview: what the slider leaves is corrected, and shown instead of
 * the basins that were computed.  That takes some milliseconds, and is done at once, in the main
 * thread.  The objects of the whole image are corrected where they are measured
 * (object-measuring.c).
 */

#include "config.h"

#include "corrected-basins.h"
#include "corrected-view.h"
#include "hand-corrections.h"

/**
 * WfCorrectedView:
 * @list: (nullable): what is corrected, in pixels of the procedure's region; %NULL for nothing
 * @basins: (nullable): the last ones
 * @problem: (nullable): why the last list cannot be followed
 * @changed: is told of another list
 * @shown: is told when the preview shows the corrections, or none
 */
struct _WfCorrectedView
{
  WfJob             *run;
  WfPreview         *preview;
  WfObjectView      *objects;
  WfContext         *context;
  WfCorrections     *list;
  WfCorrectedBasins *basins;
  GError            *problem;
  WfCorrectedFunc    changed;
  gpointer           changed_data;
  WfCorrectedFunc    shown;
  gpointer           shown_data;
};


static void
read_list (WfCorrectedView *view)
{
  g_autoptr (WfCorrections) list = NULL;

  g_clear_pointer (&view->list, wf_corrections_free);
  if (wf_hand_corrections_read (G_OBJECT (view->run->config), &list, NULL) && list)
    view->list = wf_corrections_transform (list, 1, view->run->region.image_x,
                                           view->run->region.image_y, 0);
}

static void
list_changed (WfCorrectedView *view)
{
  read_list (view);
  wf_object_view_correct (view->objects, view->list);
  if (view->changed)
    view->changed (view->changed_data);
}

/* The corner of what is previewed may be another. */
static void
source_changed (WfCorrectedView *view)
{
  read_list (view);
  wf_object_view_correct (view->objects, view->list);
}

static void
view_free (gpointer  data,
           GObject  *preview)
{
  WfCorrectedView *view = data;

  g_clear_pointer (&view->basins, wf_corrected_basins_free);
  g_clear_pointer (&view->list, wf_corrections_free);
  g_clear_error (&view->problem);
  wf_context_unref (view->context);
  g_free (view);
}

/**
 * wf_corrected_view_new:
 * @dialog: a dialog with a preview
 * @objects: of its preview
 *
 * Returns: (transfer none): the corrections of the preview, which exist as long as that
 */
WfCorrectedView *
wf_corrected_view_new (WfDialog     *dialog,
                       WfObjectView *objects)
{
  WfCorrectedView *view = g_new0 (WfCorrectedView, 1);
  GClosure        *closure;

  view->run     = wf_dialog_get_run (dialog);
  view->preview = wf_dialog_get_preview (dialog);
  view->objects = objects;
  view->context = wf_context_new ();
  wf_context_set_partial_outputs (view->context, TRUE);   /* then they are not shown */
  read_list (view);
  wf_object_view_correct (objects, view->list);
  closure = g_cclosure_new_swap (G_CALLBACK (list_changed), view, NULL);
  g_object_watch_closure (G_OBJECT (view->preview), closure);
  g_signal_connect_closure (view->run->config, "notify::corrections", closure, FALSE);
  g_signal_connect_swapped (view->preview, "source-changed", G_CALLBACK (source_changed), view);
  g_object_weak_ref (G_OBJECT (view->preview), view_free, view);
  return view;
}

/**
 * wf_corrected_view_set_changed:
 * @view: a view
 * @changed: shows the basins again, as there is another list
 * @data: for @changed
 */
void
wf_corrected_view_set_changed (WfCorrectedView *view,
                               WfCorrectedFunc  changed,
                               gpointer         data)
{
  view->changed      = changed;
  view->changed_data = data;
}

/**
 * wf_corrected_view_set_shown:
 * @view: a view
 * @shown: called when the preview shows the corrections of other basins, or none
 * @data: for @shown
 */
void
wf_corrected_view_set_shown (WfCorrectedView *view,
                             WfCorrectedFunc  shown,
                             gpointer         data)
{
  view->shown      = shown;
  view->shown_data = data;
}

/* The result that shows the corrections of merged basins, or %NULL if they cannot be made. */
static WfPreviewResult *
correct (WfCorrectedView *view,
         WfPreviewResult *result,
         guint32          count)
{
  if (view->basins && ! wf_corrected_basins_are_of (view->basins, result))
    g_clear_pointer (&view->basins, wf_corrected_basins_free);
  if (! view->basins)
    view->basins = wf_corrected_basins_new (view->context, result, count, &view->problem);
  if (! view->basins ||
      ! wf_corrected_basins_merge (view->basins, count, &view->problem) ||
      ! wf_corrected_basins_follow (view->basins, view->list, &view->problem))
    {
      g_clear_pointer (&view->basins, wf_corrected_basins_free);
      return NULL;
    }
  return wf_corrected_basins_get_result (view->basins, &view->problem);
}

/**
 * wf_corrected_view_show:
 * @view: a view
 * @result: complete basins, which the preview computed
 * @count: the number of basins that merging leaves
 *
 * Shows the corrections of the merged basins, if there are any.
 *
 * Returns: whether it does; otherwise the preview shows @result
 */
gboolean
wf_corrected_view_show (WfCorrectedView *view,
                        WfPreviewResult *result,
                        guint32          count)
{
  const gint64                start     = g_get_monotonic_time ();
  g_autoptr (WfPreviewResult) corrected = NULL;

  g_clear_error (&view->problem);
  corrected = view->list ? correct (view, result, count) : NULL;
  if (! corrected)
    g_clear_pointer (&view->basins, wf_corrected_basins_free);
  wf_preview_set_shown (view->preview, corrected);
  if (corrected)
    wf_object_view_show (view->objects, corrected, count, NULL);
  if (view->shown)
    view->shown (view->shown_data);
  if (corrected)
    g_debug ("corrections: shown in %.1f ms", (g_get_monotonic_time () - start) / 1e3);
  return corrected != NULL;
}

/**
 * wf_corrected_view_get_problem:
 * @view: a view
 *
 * Returns: (transfer none) (nullable): why the corrections could not be made in the preview
 */
const char *
wf_corrected_view_get_problem (WfCorrectedView *view)
{
  return view->problem ? view->problem->message : NULL;
}

/**
 * wf_corrected_view_count_effective:
 * @view: a view
 * @n_effective: (out): how many corrections have an effect in the preview
 *
 * Returns: whether that is known
 */
gboolean
wf_corrected_view_count_effective (WfCorrectedView *view,
                                   guint           *n_effective)
{
  *n_effective = view->basins ? wf_corrected_basins_get_n_effective (view->basins) : 0;
  return view->basins != NULL;
}
