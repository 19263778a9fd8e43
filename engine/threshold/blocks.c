/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds of images larger than memory: each band is read with as many rows around it as the
 * thresholds of its pixels depend on (engine/filters/band-filter.c), and its marks are written
 * once.  threshold.c has the definitions; no sum there depends on where a band begins: those of
 * integers are exact, those of floats are made anew for each pixel, and what lies outside the image
 * is outside the band with its rows around it, too.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cpu/threshold.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/filters/band-filter.h"
#include "threshold.h"

/**
 * Work:
 * @task: of the whole image, without pixels
 * @gaussian: its weights, where it has some
 */
typedef struct
{
  WfThresholdTask  task;
  WfGaussian       gaussian;
  WfBandFilter     filter;
} Work;


static void
work_clear (Work *work)
{
  wf_band_filter_clear (&work->filter);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static WfThresholdTask
task_of (const Work    *work,
         const WfImage *image)
{
  WfThresholdTask task = work->task;

  task.shape = wf_image_shape (image);
  task.image = image;
  return task;
}

/* Of WfBandFilterFunc. */
static gboolean
apply (gconstpointer   data,
       const WfImage  *image,
       WfImage        *result,
       gpointer       *memory,
       WfRun          *run,
       GError        **error)
{
  const WfThresholdTask task  = task_of (data, image);
  const WfImage         model = wf_image_without_pixels (WF_TYPE_U8, &task.shape);

  return wf_image_allocate_like (&model, result, memory, error) &&
         wf_cpu_threshold (&task, result, run, error);
}

/* Of WfBandFilterMemoryFunc. */
static guint64
count_memory (gconstpointer  data,
              const WfImage *image,
              guint          n_threads)
{
  const WfThresholdTask task = task_of (data, image);

  return wf_cpu_threshold_memory (&task, n_threads);
}

static gboolean
work_init (Work                *work,
           const WfBlocksCall  *call,
           GError             **error)
{
  const WfBlockSource *image = call->inputs[0];
  const WfImage        whole = wf_source_view (image);
  WfThresholdOptions   options;

  if (! wf_source_check (image, _("image"), error) ||
      ! wf_operation_take (call->operation, call->options, &options, error))
    return FALSE;
  wf_threshold_make_task (&work->task, &work->gaussian, &whole, NULL, &options);
  wf_band_filter_init (&work->filter, call->context, image, WF_TYPE_U8, apply, count_memory, work,
                       wf_cpu_threshold_margin (&work->task));
  return TRUE;
}

/* Of WfOperationRecord. */
gboolean
wf_threshold_blocks (const WfBlocksCall  *call,
                     GError             **error)
{
  g_auto (Work) work = { 0 };

  if (! work_init (&work, call, error) ||
      ! wf_band_filter_write (&work.filter, call->context, call->output, call->rows, error))
    return FALSE;
  wf_context_report_devices (call->context, g_strdup ("cpu"),
                             wf_operation_get_record (call->operation)->cpu->algorithm);
  return TRUE;
}
