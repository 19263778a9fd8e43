/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in packed images: inputs that are not packed are copied, the result
 * starts as the marker clamped by the mask, an algorithm lets it grow, and the output
 * is written last.
 */

#include "config.h"

#include "packed.h"

typedef struct
{
  const WfPacked *packed;
  gint64          width;
} Rows;


#define CLAMP_ROW(Pixel, beyond) \
  { \
    const Pixel *mask   = (const Pixel *) packed->mask + start; \
    const Pixel *marker = (const Pixel *) packed->marker + start; \
    Pixel       *result = (Pixel *) packed->result + start; \
\
    for (gint64 x = 0; x < width; x++) \
      result[x] = marker[x] beyond mask[x] ? mask[x] : marker[x]; \
  }

#define CLAMP_ROW_BY(Pixel) \
  if (packed->task->by == WF_BY_DILATION) \
    CLAMP_ROW (Pixel, >) \
  else \
    CLAMP_ROW (Pixel, <)

static gboolean
clamp_row (gpointer data,
           WfRow    row)
{
  const Rows     *rows   = data;
  const WfPacked *packed = rows->packed;
  const gint64    width  = rows->width;
  const gint64    start  = row.number * width;

  switch (packed->task->type)
    {
    case WF_TYPE_U8:
      CLAMP_ROW_BY (guint8)
      break;
    case WF_TYPE_U16:
      CLAMP_ROW_BY (guint16)
      break;
    default:
      CLAMP_ROW_BY (float)
      break;
    }
  return TRUE;
}

static gboolean
clear_signs_of_zero (gpointer data,
                     WfRow    row)
{
  const Rows *rows   = data;
  float      *pixels = (float *) rows->packed->result + row.number * rows->width;

  for (gint64 x = 0; x < rows->width; x++)
    pixels[x] += 0.0f;
  return TRUE;
}

gboolean
wf_reconstruct_packed (const WfReconstructTask  *task,
                       const WfGrowTable        *table,
                       WfRun                    *run,
                       double                    share,
                       GError                  **error)
{
  const WfShape       *shape       = &task->shape;
  const gint64         n           = wf_shape_n_pixels (shape);
  g_autofree gpointer  mask_copy   = NULL;
  g_autofree gpointer  marker_copy = NULL;
  g_autofree gpointer  result      = NULL;
  WfPacked             packed      = { .task = task };
  Rows                 data        = { &packed, shape->width };
  const WfRows         rows        = { .n = shape->height * shape->depth, .amount = shape->width };

  if (! wf_image_pack (task->mask, &packed.mask, &mask_copy, error) ||
      ! wf_image_pack (task->marker, &packed.marker, &marker_copy, error) ||
      ! (result = wf_allocate (n, wf_type_size (task->type), error)))
    return FALSE;
  packed.result = result;

  wf_run_begin (run, 0.05 * share, n);
  if (! wf_run_rows (run, &rows, clamp_row, &data, error))
    return FALSE;

  wf_run_begin (run, 0.95 * share, table->n_passes * n);
  if (! table->grow[task->type - WF_TYPE_U8][task->by] (&packed, run, error))
    return FALSE;
  if (task->type == WF_TYPE_F32 &&
      ! wf_run_rows (run, &rows, clear_signs_of_zero, &data, error))
    return FALSE;

  wf_image_unpack (task->out, result, run);
  return TRUE;
}

/* The result, what is not packed, and queues that seldom hold more than a sixteenth
 * of the pixels.
 */
guint64
wf_reconstruct_packed_memory (const WfReconstructTask *task)
{
  guint64 n      = wf_shape_n_pixels (&task->shape);
  guint   copies = 1 + ! wf_image_is_packed (task->mask) + ! wf_image_is_packed (task->marker);

  return n * copies * wf_type_size (task->type) + n / 16 * sizeof (gint64);
}
