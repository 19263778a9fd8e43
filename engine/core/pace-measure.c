/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures the paces of devices.
 *
 * A rate is measured on corners of the picture, each with four times the pixels of the one before,
 * until one takes a few milliseconds; the smaller ones warm up what that needs.  On a GPU the
 * smallest one gives the latency, and the device's own time the rate.
 *
 * wf_context_measure_paces() measures everything, in a few seconds.  wf_pace_measure_missing()
 * measures what one decision lacks, in a tenth of a second.  One thread measures at a
 * time: two would slow down each other.  What nobody asked for and was measured while others
 * kept the processors busy is true for the moment, and is not kept.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context-private.h"
#include "pace.h"
#include "record.h"

/* Sides of the corners: the first one, and the last one that is wanted. */
#define FIRST_SIDE 250
#define LAST_SIDE  4000

/* With less than this many threads the last one would take too long. */
#define FEW_THREADS 8

/* A run of this length is long enough for a clock of a microsecond, beside other work. */
#define ENOUGH       4e-3
#define ENOUGH_GPU   20e-3

/* A run of this length is not repeated. */
#define LONG         50e-3

/* Runs of which the shortest counts. */
#define N_RUNS       3

/* Main memory for each pixel of the picture: its images, and what an operation needs. */
#define BYTES_A_PIXEL 24

static GMutex      measuring;
static GHashTable *tried;      /* what lacks, and failed or was measured in vain */


/*  One rate  */

/**
 * Timing:
 * @seconds: of a run, by the clock
 * @device_seconds: those of them that a GPU worked; 0 if that is not known
 * @algorithm: that ran
 */
typedef struct
{
  double      seconds;
  double      device_seconds;
  const char *algorithm;
} Timing;

static WfContext *
make_context (WfContext      *context,
              const WfPlace  *place,
              GError        **error)
{
  g_autoptr (WfContext)  own  = wf_context_new ();
  g_autofree char       *name = wf_device_name (place->backend, place->device);
  WfContextOptions       options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device   = name;
  options.threads  = place->backend == wf_backend_cpu () ? (int) place->threads : 0;
  options.fallback = WF_FALLBACK_NONE;
  wf_context_set_memory_limit (own, context->memory_limit);
  wf_context_set_partial_outputs (own, TRUE);
  wf_context_set_cancellable (own, wf_context_get_cancellable (context));
  return wf_context_configure (own, &options, error) ? g_steal_pointer (&own) : NULL;
}

/* Lowers the times of @timing to those of one more run. */
static gboolean
run_again (WfContext            *own,
           const WfPacePicture  *picture,
           gint64                side,
           const WfPlace        *place,
           Timing               *timing,
           GError              **error)
{
  const WfReport *report;
  double          seconds;

  if (! wf_pace_picture_run (picture, side, place, own, &seconds, error))
    return FALSE;
  report                 = wf_context_get_report (own);
  timing->seconds        = MIN (timing->seconds, seconds);
  timing->device_seconds = MIN (timing->device_seconds, report->device_seconds);
  timing->algorithm      = report->algorithm;
  return TRUE;
}

static gboolean
run_some (WfContext            *own,
          const WfPacePicture  *picture,
          gint64                side,
          const WfPlace        *place,
          Timing               *timing,
          GError              **error)
{
  for (int i = 0; i < N_RUNS && (i == 0 || timing->seconds < LONG); i++)
    if (! run_again (own, picture, side, place, timing, error))
      return FALSE;
  return TRUE;
}

/* Runs the corners up to the one that takes @enough.  Threads that the system lets wait make one
 * a hundred times slower, so a corner of which a pixel takes twice as long as of the one before is
 * run once more, and does not end the climb.
 */
static gboolean
climb (WfContext            *own,
       const WfPacePicture  *picture,
       const WfPlace        *place,
       double                enough,
       gint64               *side,
       Timing               *last,
       GError              **error)
{
  gboolean slower = FALSE;

  while ((last->seconds < enough || slower) && *side * 2 <= picture->side)
    {
      const double before = last->seconds;

      *side *= 2;
      *last  = (Timing) { G_MAXDOUBLE, G_MAXDOUBLE, NULL };
      if (! run_some (own, picture, *side, place, last, error) ||
          (last->seconds > 8 * before && ! run_some (own, picture, *side, place, last, error)))
        return FALSE;
      slower = last->seconds > 8 * before;
    }
  return TRUE;
}

/* The time that images of a picture of @side travel. */
static double
travel_time (const WfPlace *place,
             gint64         side)
{
  const WfShape shape = { side, side, 1 };
  const WfImage image = wf_image_without_pixels (WF_TYPE_U8, &shape);
  WfWorkload    workload;
  WfLinkPace    link;

  wf_pace_find_link (place, &link);
  wf_workload_imagine (&workload, place->operation, &image);
  return (double) workload.up / link.up[0] + (double) workload.down / link.down[0];
}

static void
add_rate (const WfPlace *place,
          const Timing  *first,
          const Timing  *last,
          gint64         side)
{
  WfPlace here    = *place;
  double  latency = 0.0;
  double  work    = last->seconds;

  here.algorithm = last->algorithm;
  if (place->backend != wf_backend_cpu ())
    {
      latency = MAX (0.0, first->seconds - travel_time (place, FIRST_SIDE));
      work    = last->device_seconds > 0.0 && place->operation != WF_TASK_MEASURE
                ? last->device_seconds
                : MAX (last->seconds - latency - travel_time (place, side), last->seconds / 100);
    }
  wf_pace_add_rate (&here, (double) (side * side) / MAX (work, 1e-6), latency);
}

/* Measures @place's algorithm, or "auto", by as many threads as @place says. */
gboolean
wf_pace_measure_rate (WfContext            *context,
                      const WfPacePicture  *picture,
                      const WfPlace        *place,
                      GError              **error)
{
  const gboolean         on_cpu = place->backend == wf_backend_cpu ();
  const double           enough = on_cpu ? ENOUGH : ENOUGH_GPU;
  g_autoptr (WfContext)  own    = make_context (context, place, error);
  gint64                 side   = FIRST_SIDE;
  Timing                 first  = { G_MAXDOUBLE, G_MAXDOUBLE, NULL };
  Timing                 last;

  if (! own || ! run_some (own, picture, side, place, &first, error))
    return FALSE;
  last = first;
  if (! climb (own, picture, place, enough, &side, &last, error))
    return FALSE;
  add_rate (place, &first, &last, side);
  return TRUE;
}

gboolean
wf_pace_measure_link (WfContext      *context,
                      const WfPlace  *place,
                      GError        **error)
{
  const WfBackend *backend = place->backend;
  gpointer         state   = backend->open (place->device, error);
  WfRun            run;
  WfLinkPace       link;
  gboolean         done;

  if (! state)
    return FALSE;
  wf_run_init (&run, wf_context_get_cancellable (context), NULL, NULL, 0.0);
  run.device       = place->device;
  run.device_state = state;
  done = backend->measure_link (&run, &link, error);
  backend->close (state);
  if (done)
    wf_pace_add_link (place, &link);
  return done;
}


/*  What a decision lacks  */

/* Whether this has not been tried before. */
static gboolean
take_turn (const WfPlace *place,
           const char    *what)
{
  g_autofree char *name      = wf_device_name (place->backend, place->device);
  const char      *operation = wf_task_name (place->operation);

  if (! tried)
    tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return g_hash_table_add (tried, g_strdup_printf ("%s %u %s %s", name, place->threads, operation,
                                                   what));
}

static gboolean
is_cancelled (WfContext *context)
{
  return g_cancellable_is_cancelled (wf_context_get_cancellable (context));
}

/* A failure leaves the estimate; the task itself reports what is wrong. */
static gboolean
measure_place (WfContext           *context,
               const WfPacePicture *picture,
               const WfPlace       *place)
{
  gboolean   done = FALSE;
  double     rate;
  double     latency;
  WfLinkPace link;

  if (place->backend->measure_link && ! wf_pace_find_link (place, &link) &&
      ! is_cancelled (context) && take_turn (place, "link"))
    done |= wf_pace_measure_link (context, place, NULL);
  if (! wf_pace_find_rate (place, &rate, &latency) &&
      ! is_cancelled (context) && take_turn (place, place->algorithm))
    done |= wf_pace_measure_rate (context, picture, place, NULL);
  return done;
}

/* Whether other threads of the machine run on more than a quarter of the processors. */
static gboolean
is_busy (void)
{
  g_autofree char *text = NULL;
  unsigned int     running;

  return g_file_get_contents ("/proc/loadavg", &text, NULL, NULL) &&
         sscanf (text, "%*s %*s %*s %u/", &running) == 1 &&
         (running - 1) * 4 > g_get_num_processors () &&
         g_strcmp0 (secure_getenv ("WAVEFRONT_PACE_KEEP"), "always") != 0;
}

static gint64
choose_side (WfContext     *context,
             const WfPlace *places,
             guint          n_places)
{
  const guint64 memory = wf_context_get_memory (context);
  gint64        side   = LAST_SIDE / 2;

  for (guint i = 0; i < n_places; i++)
    if (places[i].backend != wf_backend_cpu () || places[i].threads > FEW_THREADS)
      side = LAST_SIDE;
  while (side > 2 * FIRST_SIDE && memory > 0 && (guint64) (side * side) * BYTES_A_PIXEL > memory)
    side /= 2;
  return side;
}

/* Measures those of @places, which do the same operation, whose paces are estimates.  It fails
 * silently.
 */
void
wf_pace_measure_missing (WfContext     *context,
                         const WfPlace *places,
                         guint          n_places)
{
  g_auto (WfPacePicture) picture = { 0 };
  gboolean               busy    = is_busy ();
  gboolean               done    = FALSE;

  g_mutex_lock (&measuring);
  if (wf_pace_picture_init (&picture, choose_side (context, places, n_places),
                            places[0].operation == WF_OPERATION_HIERARCHY ||
                            places[0].operation == WF_TASK_MEASURE, NULL))
    for (guint i = 0; i < n_places; i++)
      done |= measure_place (context, &picture, &places[i]);
  g_mutex_unlock (&measuring);
  if (done && ! busy && ! is_busy ())
    wf_pace_store_save (NULL);
}


/*  Everything  */

static void
report_progress (WfContext *context,
                 guint      done,
                 guint      total)
{
  if (context->progress)
    context->progress ((double) done / total, context->progress_data);
}

/* 1, 4, 16, … and all. */
static guint
next_team (guint threads,
           guint all)
{
  return threads < all ? MIN (threads * 4, all) : 0;
}

static gboolean
measure_operation (WfContext            *context,
                   const WfPacePicture  *picture,
                   const WfBackend      *backend,
                   guint                 device,
                   WfOperation           operation,
                   GError              **error)
{
  WfPlace     place = { backend, device, operation, "auto", 1 };
  const guint all   = backend == wf_backend_cpu () ? g_get_num_processors () : 1;

  if (! backend->variants[operation])
    return TRUE;
  for (guint team = 1; team > 0; team = next_team (team, all))
    {
      place.threads = team;
      if (! wf_pace_measure_rate (context, picture, &place, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
measure_backend (WfContext            *context,
                 const WfPacePicture  *picture,
                 const WfBackend      *backend,
                 guint                *n_done,
                 guint                 total,
                 GError              **error)
{
  for (guint device = 0; device < backend->n_devices; device++)
    {
      const WfPlace place = { backend, device, WF_OPERATION_RECONSTRUCT, "auto", 1 };

      if (backend->measure_link && ! wf_pace_measure_link (context, &place, error))
        return FALSE;
      for (guint i = 0; i < WF_N_TASKS; i++)
        {
          if (! measure_operation (context, picture, backend, device, (WfOperation) i, error))
            return FALSE;
          report_progress (context, ++*n_done, total);
        }
    }
  return TRUE;
}

/**
 * wf_context_measure_paces:
 * @context: (nullable): its memory limit, cancellable and progress callback are used; %NULL for a
 *   context of its own
 * @problem: (out) (optional) (transfer full): why the paces cannot be kept for other processes,
 *   which is no failure
 * @error: %WF_ERROR_DEVICE, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED; what was measured before
 *   is used and kept all the same
 *
 * Measures the pace of every operation, and of tables of regions, on every device, with one
 * thread, with all and with some numbers in between, and the pace of the links to the GPUs.  The
 * paces are used by automatic
 * choice from then on, in place of those that were measured before or of built-in estimates, and
 * kept in the user's cache folder, wavefront/pace.ini, for this version of the library on this
 * processor, GPU and driver.  A program that runs with more rights than its user does not keep
 * them.
 *
 * Time: about two seconds, and one more for each GPU; other work on the machine spoils the result.
 * Memory: 400 MB, or what the memory limit leaves.
 *
 * Returns: %FALSE with @error set.
 */
gboolean
wf_context_measure_paces (WfContext  *context,
                          GError    **problem,
                          GError    **error)
{
  g_autoptr (WfContext)   own     = wf_context_ensure (context);
  const WfBackend        *cpu     = wf_backend_cpu ();
  const WfBackend        *loaded  = wf_backend_loaded (NULL);
  const guint             total   = WF_N_TASKS * (1 + (loaded ? loaded->n_devices : 0));
  const WfPlace           widest  = { cpu, 0, WF_OPERATION_RECONSTRUCT, NULL, FEW_THREADS + 1 };
  g_auto (WfPacePicture)  picture = { 0 };
  guint                   n_done  = 0;
  gboolean                done;

  g_mutex_lock (&measuring);
  done = wf_pace_picture_init (&picture, choose_side (own, &widest, 1), TRUE, error) &&
         measure_backend (own, &picture, cpu, &n_done, total, error) &&
         (! loaded || measure_backend (own, &picture, loaded, &n_done, total, error));
  g_mutex_unlock (&measuring);
  wf_pace_store_save (problem);
  return done;
}
