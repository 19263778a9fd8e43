/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Signed distance maps from `local`, which makes unsigned ones: first of the background,
 * with a mask in which foreground and background are exchanged, then of the foreground,
 * directly to the output.  The background's distances are added when nothing can fail any
 * more.
 *
 * Bytes a pixel in addition to those of `local`: 1 for the mask, 4 for the background's
 * distances.
 */

#include "config.h"

#include "distance.h"

/* A run whose phases take half of the share in another run. */
typedef struct
{
  WfRun  run;
  WfRun *whole;
} Half;


static void
begin_half (WfRun  *run,
            double  share,
            gint64  total)
{
  wf_run_begin (((Half *) run)->whole, share / 2, total);
}

static gboolean
advance_half (WfRun  *run,
              gint64  amount)
{
  return wf_run_advance (((Half *) run)->whole, amount);
}

static Half
half_of (WfRun *run)
{
  Half half = { *run, run };

  half.run.begin   = begin_half;
  half.run.advance = advance_half;
  return half;
}

/* 1 on the background, which is the foreground of the first half. */
static gboolean
make_mask (const WfDistanceTask  *task,
           WfImage               *mask,
           guint                  n_threads,
           GError               **error)
{
  const WfShape *shape = &task->shape;

  if (! wf_image_allocate (mask, WF_TYPE_U8, shape->width, shape->height, shape->depth, error))
    return FALSE;
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 row = 0; row < shape->height * shape->depth; row++)
    {
      guint8 *marks = wf_image_row (mask, row);

      wf_distance_mark_pixels (task, wf_image_row_offset (task->image, row), shape->width, marks);
      for (gint64 x = 0; x < shape->width; x++)
        marks[x] ^= TRUE;
    }
  return TRUE;
}

static gboolean
measure_background (const WfDistanceTask  *task,
                    const WfImage         *mask,
                    WfImage               *distances,
                    WfRun                 *run,
                    GError               **error)
{
  WfDistanceTask background    = *task;
  WfDistanceBand band          = { 0 };
  gboolean       no_foreground = FALSE;
  Half           half          = half_of (run);

  if (! wf_image_allocate (distances, WF_TYPE_F32, mask->width, mask->height, mask->depth, error))
    return FALSE;

  background.signed_distance   = FALSE;
  background.border_background = FALSE;
  background.threshold         = 0;
  background.image             = mask;
  background.out               = distances;
  background.no_background     = &no_foreground;
  if (task->band)
    {
      band            = *task->band;
      band.before[0]  = task->band->before[1];
      band.after[0]   = task->band->after[1];
      background.band = &band;
    }
  half.run.partial_outputs     = TRUE;
  return wf_distance_local (&background, &half.run, error);
}

static gboolean
measure_foreground (const WfDistanceTask  *task,
                    WfRun                 *run,
                    GError               **error)
{
  WfDistanceTask foreground = *task;
  Half           half       = half_of (run);

  foreground.signed_distance = FALSE;
  return wf_distance_local (&foreground, &half.run, error);
}

static void
write_background (const WfDistanceTask *task,
                  const WfImage        *mask,
                  const WfImage        *distances,
                  guint                 n_threads)
{
  const WfShape *shape = &task->shape;

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 row = 0; row < shape->height * shape->depth; row++)
    {
      const guint8 *marks = wf_image_row (mask, row);
      const float  *found = wf_image_row (distances, row);
      float        *out   = wf_image_row (task->out, row);

      for (gint64 x = 0; x < shape->width; x++)
        out[x] = marks[x] ? 0 - found[x] : out[x];
    }
}

gboolean
wf_distance_signed_local (gconstpointer   data,
                          WfRun          *run,
                          GError        **error)
{
  const WfDistanceTask *task      = data;
  g_auto (WfImage)      mask      = { 0 };
  g_auto (WfImage)      distances = { 0 };

  if (! make_mask (task, &mask, run->n_threads, error) ||
      ! measure_background (task, &mask, &distances, run, error) ||
      ! measure_foreground (task, run, error))
    return FALSE;
  write_background (task, &mask, &distances, run->n_threads);
  return TRUE;
}

/* In addition to the memory of `local`. */
guint64
wf_distance_signed_local_memory (const WfDistanceTask *task)
{
  return wf_shape_n_pixels (&task->shape) * (1 + sizeof (float));
}
