/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "work.h"

#define SIDE_FIRST 256
#define SIDE_LAST  20000
#define WAVE       60

const char *
work_name (WfOperation operation)
{
  return wf_operation_get_options (operation)->name;
}

static guint
noise_at (gint64 x,
          gint64 y)
{
  guint noise = (guint) x * 2654435761u ^ (guint) y * 2246822519u;

  noise ^= noise >> 15;
  noise *= 2246822519u;
  noise ^= noise >> 13;
  noise *= 3266489917u;
  return noise ^ noise >> 16;
}

/* For a watershed waves and some noise: basins, slopes and plateaux everywhere.
 * For a distance map scattered points.  For a reconstruction one corridor
 * that runs to and fro through all of the image, which keeps the fastest
 * algorithms busy in an image of moderate size.
 */
static guint8
level_at (WfOperation   operation,
          gint64        side,
          gint64        x,
          gint64        y,
          const double *waves)
{
  guint noise = noise_at (x, y);

  switch (operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      return y % 2 == 0 || x == (y / 2 % 2 ? 0 : side - 1) ? 200 : noise % 7;
    case WF_OPERATION_DISTANCE:
      return noise % 500 != 0;
    default:
      return (guint8) (100 + 50 * waves[x % WAVE] + 40 * waves[y % WAVE] + noise % 20);
    }
}

void
work_init (Work        *work,
           WfOperation  operation,
           gint64       side)
{
  const RefSize size = { side, side, 1 };
  double        waves[WAVE];

  for (int i = 0; i < WAVE; i++)
    waves[i] = sin (2 * G_PI * i / WAVE);

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
        gint64 p = y * side + x;

        ((guint8 *) work->image->view.data)[p]  = level_at (operation, side, x, y, waves);
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

static double
seconds_of (Work      *work,
            WfContext *context)
{
  gint64  start = g_get_monotonic_time ();
  GError *error = NULL;

  work_run (work, context, &error);
  g_assert_no_error (error);
  return (g_get_monotonic_time () - start) / 1e6;
}

/* The side of an image that keeps two CPU threads busy for about @seconds or
 * more, found out once for each operation.  Twice, since a machine that has
 * other things to do may be slow once.
 */
gint64
work_side_taking (WfOperation  operation,
                  double       seconds,
                  double      *taken)
{
  static gint64          known_side[WF_N_OPERATIONS];
  static double          known_taken[WF_N_OPERATIONS];
  const WfContextOptions options = { "cpu", 2, 0 };
  g_autoptr (WfContext)  context = wf_context_new ();

  g_assert_true (wf_context_configure (context, &options, NULL));

  for (gint64 side = SIDE_FIRST; known_taken[operation] < seconds; side += side / 4)
    {
      g_auto (Work) work = { 0 };
      double        first;
      double        second;

      g_assert_cmpint (side, <, SIDE_LAST);
      work_init (&work, operation, side);
      first  = seconds_of (&work, context);
      second = first < seconds ? first : seconds_of (&work, context);
      known_taken[operation] = MIN (first, second);
      known_side[operation]  = side;
    }
  *taken = known_taken[operation];
  return known_side[operation];
}
