/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction on the CPU, `hybrid`: Vincent's fast hybrid algorithm (Vincent
 * 1993, 4.4).  A raster scan and an anti-raster scan carry most values to where
 * they belong; the pixels that could still raise a neighbour are queued, and the
 * queue does the rest, each pixel entering it when it has changed.
 *
 * It runs tile by tile in the pipeline; with one tile it is the algorithm as
 * published.
 */

#include "config.h"

#include "cpu.h"

#define HIGHER(a, b) ((a) > (b))
#define LOWER(a, b)  ((a) < (b))

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_dilate_u8
#define WF_ABOVE       HIGHER
#include "reconstruction.inc.h"

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_erode_u8
#define WF_ABOVE       LOWER
#include "reconstruction.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_dilate_u16
#define WF_ABOVE       HIGHER
#include "reconstruction.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_erode_u16
#define WF_ABOVE       LOWER
#include "reconstruction.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_dilate_f32
#define WF_ABOVE       HIGHER
#include "reconstruction.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_erode_f32
#define WF_ABOVE       LOWER
#include "reconstruction.inc.h"


/* Grows the task's result; takes @share of the run's progress. */
gboolean
wf_cpu_reconstruct (const WfReconstructTask  *task,
                    WfRun                    *run,
                    double                    share,
                    GError                  **error)
{
  gboolean dilation = task->by == WF_BY_DILATION;

  wf_run_begin (run, share, 2 * wf_shape_n_pixels (&task->shape));
  switch (task->type)
    {
    case WF_TYPE_U8:
      return (dilation ? reconstruct_dilate_u8 : reconstruct_erode_u8) (task, run, error);
    case WF_TYPE_U16:
      return (dilation ? reconstruct_dilate_u16 : reconstruct_erode_u16) (task, run, error);
    case WF_TYPE_F32:
      return (dilation ? reconstruct_dilate_f32 : reconstruct_erode_f32) (task, run, error);
    default:
      g_return_val_if_reached (FALSE);
    }
}

/* The queue seldom holds more than a sixteenth of the pixels. */
guint64
wf_cpu_reconstruct_memory (const WfShape *shape)
{
  return wf_shape_n_pixels (shape) / 16 * sizeof (gint64) + wf_pipeline_memory (shape);
}

static gboolean
run_hybrid (gconstpointer   task,
            WfRun          *run,
            GError        **error)
{
  return wf_cpu_reconstruct (task, run, 1.0, error);
}

static guint64
hybrid_memory (gconstpointer task)
{
  return wf_cpu_reconstruct_memory (&((const WfReconstructTask *) task)->shape);
}

const WfVariant wf_cpu_reconstruct_variants[] =
{
  { "hybrid", NULL, hybrid_memory, run_hybrid },
  { NULL, NULL, NULL, NULL }
};
