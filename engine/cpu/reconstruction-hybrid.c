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

#include "reconstruction.h"

#define HIGHER(a, b) ((a) > (b))
#define LOWER(a, b)  ((a) < (b))

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_dilate_u8
#define WF_ABOVE       HIGHER
#include "reconstruction-hybrid.inc.h"

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_erode_u8
#define WF_ABOVE       LOWER
#include "reconstruction-hybrid.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_dilate_u16
#define WF_ABOVE       HIGHER
#include "reconstruction-hybrid.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_erode_u16
#define WF_ABOVE       LOWER
#include "reconstruction-hybrid.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_dilate_f32
#define WF_ABOVE       HIGHER
#include "reconstruction-hybrid.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_erode_f32
#define WF_ABOVE       LOWER
#include "reconstruction-hybrid.inc.h"



/* result = marker, clamped by the mask. */
#define CLAMP_BODY(type, below) \
  for (gint64 p = 0; p < n; p++) \
    { \
      type m = ((const type *) mask)[p]; \
      type j = ((const type *) marker)[p]; \
\
      ((type *) result)[p] = ((below) ? m < j : m > j) ? m : j; \
    }

static void
clamp_marker (WfType        type,
              gboolean      below,
              gconstpointer mask,
              gconstpointer marker,
              gpointer      result,
              gint64        n)
{
  switch (type)
    {
    case WF_TYPE_U8:
      CLAMP_BODY (guint8, below)
      break;
    case WF_TYPE_U16:
      CLAMP_BODY (guint16, below)
      break;
    default:
      CLAMP_BODY (float, below)
      break;
    }
}

static void
clear_signs_of_zero (float  *pixels,
                     gint64  n)
{
  for (gint64 p = 0; p < n; p++)
    pixels[p] += 0.0f;
}

static gboolean
grow (const WfReconstructTask  *task,
      gconstpointer             mask,
      gpointer                  result,
      WfRun                    *run,
      GError                  **error)
{
  gboolean dilation = task->by == WF_BY_DILATION;

  switch (task->type)
    {
    case WF_TYPE_U8:
      return (dilation ? grow_dilate_u8 : grow_erode_u8) (task, mask, result, run, error);
    case WF_TYPE_U16:
      return (dilation ? grow_dilate_u16 : grow_erode_u16) (task, mask, result, run, error);
    case WF_TYPE_F32:
      return (dilation ? grow_dilate_f32 : grow_erode_f32) (task, mask, result, run, error);
    default:
      g_return_val_if_reached (FALSE);
    }
}

gboolean
wf_reconstruct_hybrid (const WfReconstructTask  *task,
                       WfRun                    *run,
                       double                    share,
                       GError                  **error)
{
  gint64              n           = wf_shape_n_pixels (&task->shape);
  g_autofree gpointer mask_copy   = NULL;
  g_autofree gpointer marker_copy = NULL;
  g_autofree gpointer result      = NULL;
  gconstpointer       mask;
  gconstpointer       marker;

  if (! wf_image_pack (task->mask, &mask, &mask_copy, error) ||
      ! wf_image_pack (task->marker, &marker, &marker_copy, error) ||
      ! (result = wf_allocate (n, wf_type_size (task->type), error)))
    return FALSE;

  wf_run_begin (run, share, 2 * n);
  clamp_marker (task->type, task->by == WF_BY_DILATION, mask, marker, result, n);
  if (! grow (task, mask, result, run, error))
    return FALSE;

  if (task->type == WF_TYPE_F32)
    clear_signs_of_zero (result, n);
  wf_image_unpack (task->out, result);
  return TRUE;
}

/* The result, what is not packed, and a queue that seldom holds more than a
 * sixteenth of the pixels.
 */
guint64
wf_reconstruct_hybrid_memory (const WfReconstructTask *task)
{
  guint64 n      = wf_shape_n_pixels (&task->shape);
  guint   copies = 1 + ! wf_image_is_packed (task->mask) + ! wf_image_is_packed (task->marker);

  return n * copies * wf_type_size (task->type) + n / 16 * sizeof (gint64)
         + wf_pipeline_memory (&task->shape);
}
