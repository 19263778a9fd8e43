/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The relief of a watershed in bands: the filters of engine/filters/cpu/filters.c with the margin
 * that both together look at.
 */

#include "config.h"

#include "band-relief.h"
#include "engine/filters/cpu/filters.h"


static WfWatershedTask
task_of (const WfBandRelief *relief,
         const WfImage      *image)
{
  return (WfWatershedTask) {
    .shape     = wf_image_shape (image),
    .type      = image->type,
    .smoothing = relief->is_smoothed ? &relief->smoothing : NULL,
    .gradient  = relief->gradient,
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
  const WfWatershedTask task = task_of (data, image);

  return wf_cpu_relief (&task, result, memory, run, 1.0, error);
}

/* Of WfBandFilterMemoryFunc. */
static guint64
count_memory (gconstpointer  data,
              const WfImage *image,
              guint          n_threads)
{
  const WfWatershedTask task = task_of (data, image);

  return wf_cpu_relief_memory (&task, n_threads);
}

/* @image is kept.  Of @options only smoothing and gradient count. */
void
wf_band_relief_init (WfBandRelief             *relief,
                     WfContext                *context,
                     const WfBlockSource      *image,
                     const WfWatershedOptions *options)
{
  gint64 margin = options->gradient;

  relief->is_smoothed = options->smoothing > 0;
  relief->gradient    = options->gradient;
  if (relief->is_smoothed)
    {
      wf_gaussian_init (&relief->smoothing, image->type, options->smoothing);
      margin += relief->smoothing.radius;
    }
  wf_band_filter_init (&relief->filter, context, image, image->type,
                       relief->is_smoothed || relief->gradient > 0 ? apply : NULL, count_memory,
                       relief, margin);
}

void
wf_band_relief_clear (WfBandRelief *relief)
{
  wf_band_filter_clear (&relief->filter);
}

/* Bytes that reading a block takes beside it. */
guint64
wf_band_relief_memory (const WfBandRelief *relief)
{
  return wf_band_filter_memory (&relief->filter);
}
