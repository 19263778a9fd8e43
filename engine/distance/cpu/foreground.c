/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The foreground of a distance map's image, as a byte for each pixel. */

#include "config.h"

#include <math.h>

#include "distance.h"


/* A whole number is above a threshold if it is above its whole part; unset, the
 * threshold is 0.  −1 stands for all that are below every pixel.
 */
static int
whole_threshold (double threshold)
{
  if (isnan (threshold))
    return 0;
  return threshold < 0 ? -1 : threshold >= G_MAXUINT16 ? G_MAXUINT16 : (int) threshold;
}

static void
mark_u8 (const guint8 *pixels,
         gint64        n,
         int           threshold,
         guint8       *foreground)
{
  const guint8 most = MIN (threshold, G_MAXUINT8);

  if (threshold < 0)
    memset (foreground, TRUE, n);
  else
    for (gint64 i = 0; i < n; i++)
      foreground[i] = pixels[i] > most;
}

static void
mark_u16 (const guint16 *pixels,
          gint64         n,
          int            threshold,
          guint8        *foreground)
{
  for (gint64 i = 0; i < n; i++)
    foreground[i] = pixels[i] > threshold;
}

static void
mark_f32 (const float *pixels,
          gint64       n,
          double       threshold,
          guint8      *foreground)
{
  if (isnan (threshold))
    for (gint64 i = 0; i < n; i++)
      foreground[i] = pixels[i] != 0;
  else
    for (gint64 i = 0; i < n; i++)
      foreground[i] = (double) pixels[i] > threshold;
}

/* @first: of the task's image, in pixels from its start. */
void
wf_distance_mark_pixels (const WfDistanceTask *task,
                         gint64                first,
                         gint64                n,
                         guint8               *foreground)
{
  switch (task->image->type)
    {
    case WF_TYPE_U8:
      mark_u8 ((const guint8 *) task->image->data + first, n,
               whole_threshold (task->threshold), foreground);
      break;
    case WF_TYPE_U16:
      mark_u16 ((const guint16 *) task->image->data + first, n,
                whole_threshold (task->threshold), foreground);
      break;
    default:
      mark_f32 ((const float *) task->image->data + first, n, task->threshold, foreground);
      break;
    }
}

void
wf_distance_mark (const WfDistanceTask *task,
                  guint8               *foreground)
{
  const WfImage *image = task->image;

  for (gint64 z = 0; z < image->depth; z++)
    for (gint64 y = 0; y < image->height; y++, foreground += image->width)
      wf_distance_mark_pixels (task, wf_image_offset (image, 0, y, z), image->width, foreground);
}
