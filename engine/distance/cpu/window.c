/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances of an image with a margin: all of them are made, and those of the output are copied. */

#include "config.h"

#include <math.h>
#include <string.h>

#include "distance.h"
#include "engine/core/context-private.h"


/* On top of what the algorithm needs. */
guint64
wf_distance_window_memory (const WfDistanceTask *task)
{
  return task->window ? wf_shape_n_pixels (&task->shape) * sizeof (float) : 0;
}

/* Copies the output's part of @whole; returns whether a distance is too long. */
static gboolean
copy_part (const WfDistanceTask *task,
           const WfImage        *whole,
           int                   n_threads)
{
  const WfDistanceWindow *window   = task->window;
  const float             reach    = (float) window->reach;
  const gint64            width    = task->out->width;
  gboolean                exceeded = FALSE;

#pragma omp parallel for num_threads (n_threads) reduction (|| : exceeded)
  for (gint64 y = 0; y < task->out->height; y++)
    {
      const float *from = (const float *) wf_image_row (whole, window->top + y) + window->left;

      for (gint64 x = 0; x < width; x++)
        exceeded = exceeded || ! (fabsf (from[x]) <= reach);
      memcpy (wf_image_row (task->out, y), from, width * sizeof (float));
    }
  return exceeded;
}

/* Runs an algorithm that knows nothing of windows. */
gboolean
wf_distance_in_window (const WfDistanceTask *task,
                       gboolean           (* measure) (gconstpointer   task,
                                                       WfRun          *run,
                                                       GError        **error),
                       WfRun                *run,
                       GError              **error)
{
  WfDistanceTask   part  = *task;
  g_auto (WfImage) whole = { 0 };

  if (! task->window)
    return measure (task, run, error);
  part.window = NULL;
  part.out    = &whole;
  if (! wf_image_allocate (&whole, WF_TYPE_F32, task->shape.width, task->shape.height, 1, error) ||
      ! measure (&part, run, error))
    return FALSE;
  task->window->is_exceeded = copy_part (task, &whole, run->n_threads);
  return TRUE;
}
