/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The row of a dialog for a threshold, with the histogram of the previewed levels:
 * for the arguments "threshold" and "automatic-threshold".  A preview that keeps nothing else with
 * its result keeps the histogram there.
 */

#include "config.h"

#include "plugins/common/input/mask.h"
#include "plugins/common/input/threshold-scale.h"
#include "threshold-control.h"
#include "ui/threshold/histogram.h"

/**
 * Link:
 *
 * The data of the preview's handler.
 */
typedef struct
{
  WfThresholdHistogram *threshold;
  WfFindHistogramFunc   find;
} Link;


static void
completed (Link            *link,
           WfPreviewResult *result)
{
  wf_threshold_histogram_set_histogram (link->threshold, link->find (result));
}

/* A threshold with which there is no result can be corrected by its histogram. */
static void
partly_computed (Link            *link,
                 WfPreviewResult *result)
{
  const WfHistogram *histogram = link->find (result);

  if (histogram)
    wf_threshold_histogram_set_histogram (link->threshold, histogram);
}

static void
link_free (gpointer  data,
           GObject  *threshold)
{
  g_free (data);
}

static void
follow_preview (WfPreview            *preview,
                WfThresholdHistogram *threshold,
                WfFindHistogramFunc   find)
{
  Link     *link    = g_new (Link, 1);
  GClosure *whole   = g_cclosure_new_swap (G_CALLBACK (completed), link, NULL);
  GClosure *in_part = g_cclosure_new_swap (G_CALLBACK (partly_computed), link, NULL);

  *link = (Link) { threshold, find };
  g_object_watch_closure (G_OBJECT (threshold), whole);
  g_object_watch_closure (G_OBJECT (threshold), in_part);
  g_signal_connect_closure (preview, "completed", whole, FALSE);
  g_signal_connect_closure (preview, "partly-computed", in_part, FALSE);
  g_object_weak_ref (G_OBJECT (threshold), link_free, link);
}

/**
 * wf_threshold_control_add:
 * @dialog: a dialog with a preview
 * @grid: of a frame
 * @find: finds the histogram in the result of a preview
 *
 * Adds a row with the histogram.
 *
 * Returns: (transfer none): the #WfThresholdHistogram
 */
GtkWidget *
wf_threshold_control_add (WfDialog            *dialog,
                          WfOptionGrid        *grid,
                          WfFindHistogramFunc  find)
{
  WfJob     *run       = wf_dialog_get_run (dialog);
  GtkWidget *threshold = wf_threshold_histogram_new (run->type);

  g_object_bind_property (run->config, "threshold", threshold, "fraction",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (run->config, "automatic-threshold", threshold, "automatic",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  if (wf_threshold_scale_is_linear (run))
    wf_threshold_histogram_set_linear (WF_THRESHOLD_HISTOGRAM (threshold),
                                       wf_threshold_scale_encode, run);
  wf_dialog_add_argument (dialog, grid, "threshold", threshold);
  follow_preview (wf_dialog_get_preview (dialog), WF_THRESHOLD_HISTOGRAM (threshold), find);
  return threshold;
}

static void
free_histogram (gpointer histogram)
{
  wf_histogram_free (histogram);
}

/**
 * wf_threshold_control_keep_histogram:
 * @inputs: of a preview
 * @result: gets the histogram of the levels inside the mask
 * @error: as wf_mask_histogram() sets it
 *
 * May be called in the preview's thread.
 *
 * Returns: whether there is a histogram
 */
gboolean
wf_threshold_control_keep_histogram (const WfPreviewInputs  *inputs,
                                     WfPreviewResult        *result,
                                     GError                **error)
{
  result->extra      = wf_mask_histogram (&inputs->images[2], &inputs->images[0], error);
  result->free_extra = free_histogram;
  return result->extra != NULL;
}

/**
 * wf_threshold_control_find_histogram:
 * @result: of a preview that keeps its histogram so
 *
 * A #WfFindHistogramFunc.
 *
 * Returns: (transfer none): the histogram
 */
const WfHistogram *
wf_threshold_control_find_histogram (const WfPreviewResult *result)
{
  return result->extra;
}
