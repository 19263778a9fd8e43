/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "work.h"

#define SIDE_FIRST 256
#define SIDE_LAST  20000

const char *
work_name (WfOperation operation)
{
  return wf_operation_get_options (operation)->name;
}

/* Waves and some noise: basins, slopes and plateaux everywhere. */
static guint8
level_at (gint64 x,
          gint64 y)
{
  guint noise = (guint) x * 2654435761u ^ (guint) y * 2246822519u;

  noise ^= noise >> 15;
  noise *= 2246822519u;
  noise ^= noise >> 13;
  return (guint8) (100 + 50 * sin (x / 9.0) + 40 * sin (y / 7.0) + noise % 20);
}

void
work_init (Work        *work,
           WfOperation  operation,
           gint64       side)
{
  const RefSize size = { side, side, 1 };

  work->operation = operation;
  work->image     = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  work->second    = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  work->out       = guarded_image_new (operation == WF_OPERATION_RECONSTRUCT ? WF_TYPE_U8
                                       : operation == WF_OPERATION_DISTANCE ? WF_TYPE_F32
                                                                            : WF_TYPE_U32,
                                       &size, FALSE);
  for (gint64 y = 0; y < side; y++)
    for (gint64 x = 0; x < side; x++)
      {
        gint64 p     = y * side + x;
        guint8 level = level_at (x, y);

        if (operation == WF_OPERATION_DISTANCE)
          level = level > 20;
        ((guint8 *) work->image->view.data)[p]  = level;
        ((guint8 *) work->second->view.data)[p] = p == 0 ? 255 : 0;
      }
}

void
work_clear (Work *work)
{
  g_clear_pointer (&work->image, guarded_image_free);
  g_clear_pointer (&work->second, guarded_image_free);
  g_clear_pointer (&work->out, guarded_image_free);
}

gboolean
work_run (Work       *work,
          WfContext  *context,
          GError    **error)
{
  switch (work->operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      return wf_reconstruct (context, &work->image->view, &work->second->view, &work->out->view,
                             NULL, error);
    case WF_OPERATION_DISTANCE:
      return wf_distance (context, &work->image->view, &work->out->view, NULL, NULL, error);
    case WF_OPERATION_WATERSHED:
      return wf_watershed (context, &work->image->view, NULL, &work->out->view, NULL, NULL, error);
    }
  g_return_val_if_reached (FALSE);
}

/* The side of an image that keeps this machine busy for about @seconds or more,
 * found out once for each operation.
 */
gint64
work_side_taking (WfOperation  operation,
                  double       seconds,
                  double      *taken)
{
  static gint64 known_side[WF_N_OPERATIONS];
  static double known_taken[WF_N_OPERATIONS];

  for (gint64 side = SIDE_FIRST; known_taken[operation] < seconds; side += side / 2)
    {
      g_auto (Work)  work  = { 0 };
      GError        *error = NULL;
      gint64         start;

      g_assert_cmpint (side, <, SIDE_LAST);
      work_init (&work, operation, side);
      start = g_get_monotonic_time ();
      work_run (&work, NULL, &error);
      g_assert_no_error (error);
      known_taken[operation] = (g_get_monotonic_time () - start) / 1e6;
      known_side[operation]  = side;
    }
  *taken = known_taken[operation];
  return known_side[operation];
}
