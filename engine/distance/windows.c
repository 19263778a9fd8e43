/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A distance map of a large image in memory by GPUs, in windows.
 *
 * A window is a square of the image with a margin around it.  What lies beyond the margin is
 * farther from a pixel of the square than the margin is wide; so a distance up to that is right,
 * whatever lies there.  Objects are narrower than the margin in nearly all images.  The first
 * window with a longer distance ends the attempt, and the map is made in another way.
 *
 * Windows need nothing of each other, and each is uploaded once: several are on their way at the
 * same time, on one GPU as well as on several.  The algorithm for whole images has limits to the
 * sides of the image, which a window never reaches.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/blocks/sources.h"
#include "engine/blocks/workers.h"
#include "engine/core/context-private.h"
#include "engine/core/memory.h"
#include "windows.h"

/* The part of the windows that the rest of the work counts as: little if there is none. */
#define REST_PART 8

/* Pixels from which on transfers and work are long enough to go on side by side. */
#define WORTH_WINDOWS ((gint64) 1 << 28)

/* The side of a window's square, and its part that the margin is wide. */
#define SIDE          16384
#define LEAST_SIDE    2048
#define MARGIN_PART   16

/* The margin of small windows, which only a tile size makes. */
#define LEAST_MARGIN  4

/**
 * Work:
 * @side: of a window's square; @margin: around it
 * @n_across: windows beside each other
 * @is_exceeded: a distance is longer than the margin
 * @pass: over the windows
 * @n_visited: windows
 */
typedef struct
{
  const WfDistanceTask *task;
  const char           *algorithm;
  WfWorkers            *workers;
  gint64                side;
  gint64                margin;
  gint64                n_across;
  gint                  is_exceeded;
  WfPass                pass;
  gint64                n_visited;
} Work;

typedef struct
{
  WfImage          image;
  WfImage          out;
  WfDistanceWindow window;
  gboolean         no_background;
  WfDistanceTask   task;
} Window;


/*  Windows  */

/* The part of a view from column @x and row @y on. */
static WfImage
cut_out (const WfImage *image,
         gint64         x,
         gint64         y,
         gint64         width,
         gint64         height)
{
  WfImage part = *image;

  part.data   = (guint8 *) wf_image_row (image, y) + x * wf_type_size (image->type);
  part.width  = width;
  part.height = height;
  return part;
}

static void
window_init (Window     *window,
             const Work *work,
             gint64      number)
{
  const WfDistanceTask *task   = work->task;
  const gint64          x      = number % work->n_across * work->side;
  const gint64          y      = number / work->n_across * work->side;
  const gint64          width  = MIN (work->side, task->shape.width - x);
  const gint64          height = MIN (work->side, task->shape.height - y);
  const gint64          left   = MIN (work->margin, x);
  const gint64          top    = MIN (work->margin, y);
  const gint64          right  = MIN (work->margin, task->shape.width - x - width);
  const gint64          bottom = MIN (work->margin, task->shape.height - y - height);

  window->image  = cut_out (task->image, x - left, y - top, left + width + right,
                            top + height + bottom);
  window->out    = cut_out (task->out, x, y, width, height);
  window->window = (WfDistanceWindow) { .left = left, .top = top, .reach = work->margin };
  window->task   = *task;
  window->task.shape         = wf_image_shape (&window->image);
  window->task.image         = &window->image;
  window->task.out           = &window->out;
  window->task.window        = &window->window;
  window->task.no_background = &window->no_background;
}

/* Of WfBlockDoneFunc: no more windows after one that is exceeded. */
static void
follow_window (gpointer       data,
               const WfLane  *lane,
               gint64         number)
{
  Work *work = data;

  work->n_visited++;
  if (g_atomic_int_get (&work->is_exceeded))
    work->pass.most = work->n_visited;
}

/* Of WfBlockFunc. */
static gboolean
visit_window (gpointer       data,
              const WfLane  *lane,
              gint64         number,
              GError       **error)
{
  Work   *work = data;
  Window  window;
  WfPlan  plan;

  if (g_atomic_int_get (&work->is_exceeded))
    return TRUE;
  window_init (&window, work, number);
  if (! wf_workers_plan (lane, WF_OPERATION_DISTANCE, work->algorithm, &window.task, &plan,
                         error) ||
      ! wf_context_run (lane->context, WF_OPERATION_DISTANCE, &plan, &window.task, error))
    return wf_workers_blame_device (work->workers, lane);
  if (window.window.is_exceeded)
    g_atomic_int_set (&work->is_exceeded, TRUE);
  return TRUE;
}

/*  The device that automatic choice takes  */

typedef struct
{
  WfContext    *context;
  DeviceChoice  device;
  WfDeviceList  devices;
  WfFallback    fallback;
  char         *reason;
} Choice;

static void
choice_clear (Choice *choice)
{
  if (! choice->context)
    return;
  choice->context->device   = choice->device;
  choice->context->devices  = choice->devices;
  choice->context->fallback = choice->fallback;
  g_free (choice->reason);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

/* Names the GPU that automatic choice takes, if it takes one, until choice_clear(). */
static void
choose (Choice               *choice,
        WfContext            *context,
        const WfDistanceTask *task,
        const char           *algorithm)
{
  WfPlan plan;

  if (context->device != DEVICE_AUTO ||
      ! wf_context_plan (context, WF_OPERATION_DISTANCE, algorithm, task,
                         wf_image_n_pixels (task->image), &plan, NULL) ||
      plan.backend == wf_backend_cpu ())
    return;
  *choice = (Choice) { context, context->device, context->devices, context->fallback,
                       wf_plan_explain (context, &plan) };
  context->device   = DEVICE_CUDA;
  context->devices  = (WfDeviceList) { .gpus = { plan.device }, .n_gpus = 1 };
  context->fallback = wf_context_may_fall_back (context) ? WF_FALLBACK_CPU : WF_FALLBACK_NONE;
}


/*  The whole  */

static WfWorkers *
find_workers (WfContext            *context,
              const WfDistanceTask *task,
              const char           *algorithm)
{
  const gint64     least = MIN (SIDE, MIN (task->shape.width, task->shape.height));
  WfDistanceTask   part  = *task;
  WfDistanceWindow none  = { 0 };

  part.shape  = (WfShape) { least, least, 1 };
  part.window = &none;
  return wf_workers_new (context, WF_OPERATION_DISTANCE, algorithm, &part, task->image);
}

/* Whether windows may be written before all of them are right, and none is read after it was
 * written.
 */
static gboolean
is_possible (const WfContext      *context,
             const WfDistanceTask *task)
{
  WfMemory memory;

  return ! context->in_blocks && context->partial_outputs && task->out && ! task->nearest &&
         task->shape.depth == 1 && ! task->border_background && task->exact_integers &&
         task->out->type == WF_TYPE_F32 && ! wf_image_overlaps (task->out, task->image) &&
         (context->tile_size > 0 || wf_image_n_pixels (task->image) >= WORTH_WINDOWS) &&
         wf_task_find_memory (WF_OPERATION_DISTANCE, task, &memory, NULL) &&
         memory == WF_MEMORY_HOST;
}

/* The largest windows that all lanes have memory for. */
static void
choose_side (Work            *work,
             const WfContext *context)
{
  WfImage block = wf_image_without_pixels (work->task->image->type,
                                           &(WfShape) { SIDE, SIDE, 1 });

  work->side = context->tile_size > 0 ? context->tile_size : SIDE;
  while (context->tile_size == 0 && work->side > LEAST_SIDE)
    {
      block.width = block.height = work->side + work->side / 2;
      if (wf_workers_fit (work->workers, WF_OPERATION_DISTANCE, NULL, &block))
        break;
      work->side /= 2;
    }
  work->margin   = MAX (work->side / MARGIN_PART, LEAST_MARGIN);
  work->n_across = (work->task->shape.width + work->side - 1) / work->side;
}

/* Visits the windows until all have been, or one is exceeded. */
static gboolean
visit_all (Work       *work,
           WfContext  *context,
           GError    **error)
{
  const WfBlockSource  source = wf_source_in_memory (work->task->image);
  g_autofree gboolean *waits  = NULL;
  g_auto (WfSteps)     steps  = { 0 };
  WfPass              *pass   = &work->pass;

  if (! wf_source_check_nan (context, &source, _("image"), error))
    return FALSE;
  *pass = (WfPass) { .in_order = TRUE, .visit = visit_window, .done = follow_window,
                     .data = work };
  pass->n        = work->n_across * ((work->task->shape.height + work->side - 1) / work->side);
  pass->n_pixels = work->side * work->side;
  pass->n_later  = 1 + pass->n / REST_PART;
  pass->waits    = waits = g_new0 (gboolean, pass->n);
  for (gint64 i = 0; i < pass->n; i++)
    wf_pass_set_waiting (pass, i, TRUE);
  wf_steps_begin (&steps, context, pass->n + pass->n_later);
  if (! wf_workers_run (work->workers, pass, &steps, error))
    return FALSE;
  if (! work->is_exceeded)
    wf_steps_set_left (&steps, 0);
  return TRUE;
}

/* @done: result: whether the map has been made.  It is not if it does not suit windows, or if a
 * distance is too long; then the output has to be written once more.
 */
gboolean
wf_distance_windows (WfContext             *context,
                     const WfDistanceTask  *task,
                     const char            *algorithm,
                     gboolean              *done,
                     GError               **error)
{
  g_auto (Choice)       choice  = { 0 };
  g_autoptr (WfWorkers) workers = NULL;
  Work                  work    = { .task = task, .algorithm = algorithm };

  *done = FALSE;
  if (! is_possible (context, task))
    return TRUE;
  choose (&choice, context, task, algorithm);
  work.workers = workers = find_workers (context, task, algorithm);
  if (! wf_workers_have_gpu (workers))
    return TRUE;
  choose_side (&work, context);
  if (! visit_all (&work, context, error))
    return FALSE;
  *done = ! work.is_exceeded;
  if (choice.reason)
    wf_context_set_reason (context, g_steal_pointer (&choice.reason));
  return TRUE;
}
