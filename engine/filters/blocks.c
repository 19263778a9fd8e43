/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters, of images larger than memory: each band is read with as many rows around it as the
 * filter looks at (band-filter.c), and written once.  filters.c has the definitions.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "band-filter.h"
#include "blocks.h"
#include "cpu/filters.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "filters.h"
#include "gaussian.h"

/**
 * Work:
 * @weights: of the Gaussian
 */
typedef struct
{
  const WfBlocksCall  *call;
  WfFilterOptions      options;
  WfGaussian           weights;
  WfBandFilter         filter;
} Work;


static void
work_clear (Work *work)
{
  wf_band_filter_clear (&work->filter);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static WfFilterTask
task_of (const Work    *work,
         const WfImage *image)
{
  return (WfFilterTask) {
    .operation = work->call->operation,
    .shape     = wf_image_shape (image),
    .type      = image->type,
    .gaussian  = &work->weights,
    .element   = work->options.element,
    .radius    = work->options.radius,
    .angle     = work->options.angle,
    .image     = image,
  };
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
  const Work         *work = data;
  const WfFilterTask  task = task_of (work, image);

  return wf_image_allocate_like (image, result, memory, error) &&
         wf_cpu_filter (&task, result, run, error);
}

/* Of WfBandFilterMemoryFunc. */
static guint64
count_memory (gconstpointer  data,
              const WfImage *image,
              guint          n_threads)
{
  const Work         *work = data;
  const WfFilterTask  task = task_of (work, image);

  return wf_cpu_filter_memory (&task, n_threads);
}

static gint64
find_margin (const Work *work)
{
  const WfBlockSource *source = work->call->inputs[0];
  const WfShape        shape  = { source->width, source->height, source->depth };
  const WfImage        image  = wf_image_without_pixels (source->type, &shape);
  const WfFilterTask   task   = task_of (work, &image);

  return wf_cpu_filter_margin (&task);
}

static gboolean
work_init (Work    *work,
           GError **error)
{
  const WfBlocksCall  *call  = work->call;
  const WfBlockSource *image = call->inputs[0];

  if (! wf_source_check (image, _("image"), error) ||
      ! wf_filter_take (call->operation, image->depth, call->options, &work->options, error))
    return FALSE;
  if (call->operation == WF_OPERATION_GAUSSIAN)
    wf_gaussian_init (&work->weights, image->type, work->options.sigma);
  wf_band_filter_init (&work->filter, call->context, image, image->type, apply, count_memory,
                       work, find_margin (work));
  return TRUE;
}

/* Of WfOperationRecord. */
gboolean
wf_filter_blocks (const WfBlocksCall  *call,
                  GError             **error)
{
  g_auto (Work) work = { .call = call };

  if (! work_init (&work, error) ||
      ! wf_band_filter_write (&work.filter, call->context, call->output, call->rows, error))
    return FALSE;
  wf_context_report_devices (call->context, g_strdup ("cpu"),
                             wf_operation_get_record (call->operation)->cpu->algorithm);
  return TRUE;
}
