/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which of the devices that were named help with an image, by the time that each of them would take
 * alone.  Paces that are not known are measured first, once on a machine; where one cannot be
 * measured, all devices work.
 */

#include "config.h"

#include "engine/core/pace.h"
#include "engine/core/record.h"
#include "workers-private.h"

/* Seconds that the fastest device takes alone, from which on others help: joining what several
 * have done takes time, too.
 */
#define LONG_ENOUGH 0.03

/* The same for a CPU beside GPUs: it uses the memory that the transfers need. */
#define LONG_ENOUGH_FOR_A_CPU 0.25

/* A device that takes more than so many times as long as all faster ones together is no help: it
 * takes up memory and links, and its last block ends after all others.  Devices whose times differ
 * by less than a quarter are equally fast: measured times of equal ones differ, too.
 */
#define TOO_LONG 2.0
#define AS_FAST  0.8

/* Returns: whether the worker's device can do the task */
static gboolean
find_place (const WfContext *context,
            WfOperation      operation,
            const char      *algorithm,
            gconstpointer    task,
            WfPlace         *place)
{
  const gboolean   on_gpu  = context->device == DEVICE_CUDA;
  const WfBackend *backend = on_gpu ? wf_backend_loaded (NULL) : wf_backend_cpu ();
  const WfVariant *variant = wf_backend_find_variant (backend, operation, algorithm, task);

  *place = (WfPlace) { backend, on_gpu ? context->device_index : 0, operation,
                       variant ? variant->algorithm : NULL,
                       on_gpu ? 1 : wf_context_count_threads (context) };
  return variant != NULL;
}

/* Finds where each worker works. */
static gboolean
find_places (const WfWorkers *workers,
             WfOperation      operation,
             const char      *algorithm,
             gconstpointer    task,
             WfPlace         *places)
{
  guint n = 0;

  for (guint i = 0; i < workers->lanes->len; i++)
    {
      const Lane *lane = workers->lanes->pdata[i];

      if (lane->worker == workers->workers->pdata[n] &&
          ! find_place (lane->public.context, operation, algorithm, task, &places[n++]))
        return FALSE;
      if (n == workers->workers->len)
        return TRUE;
    }
  return FALSE;
}

/* The time that each place takes alone; FALSE if it is not known. */
static gboolean
expect (WfContext     *context,
        const WfPlace *places,
        guint          n,
        const WfImage *image,
        double        *seconds)
{
  WfWorkload    workload;
  WfExpectation expected;
  gboolean      known = FALSE;

  wf_workload_imagine (&workload, places[0].operation, image);
  for (int attempt = 0; attempt < 2 && ! known; attempt++)
    {
      if (attempt > 0)
        wf_pace_measure_missing (context, places, n);
      known = TRUE;
      for (guint i = 0; i < n; i++)
        {
          wf_pace_expect (&places[i], &workload, &expected);
          seconds[i] = expected.seconds;
          known     &= expected.measured;
        }
    }
  return known;
}

/* The time that those which take less than @limit take together; G_MAXDOUBLE without any. */
static double
expect_together (const double *seconds,
                 guint         n,
                 double        limit)
{
  double rate = 0.0;

  for (guint i = 0; i < n; i++)
    if (seconds[i] < limit)
      rate += 1.0 / seconds[i];
  return rate > 0.0 ? 1.0 / rate : G_MAXDOUBLE;
}

/* Puts those in reserve that are too slow beside the faster ones; returns the time of the others
 * together.
 */
static double
choose (WfWorkers     *workers,
        const WfPlace *places,
        double        *seconds,
        guint          n,
        double         least)
{
  for (guint i = 0; i < n; i++)
    {
      Worker *worker = workers->workers->pdata[i];

      worker->reserve |= seconds[i] > TOO_LONG * expect_together (seconds, n,
                                                                  AS_FAST * seconds[i]) ||
                         (places[i].backend == wf_backend_cpu () &&
                          least < LONG_ENOUGH_FOR_A_CPU);
      g_debug ("%s: %.4f s expected%s", worker->name, seconds[i],
               worker->reserve ? ", in reserve" : "");
    }
  for (guint i = 0; i < n; i++)
    if (((Worker *) workers->workers->pdata[i])->reserve)
      seconds[i] = G_MAXDOUBLE;
  return expect_together (seconds, n, G_MAXDOUBLE);
}

/* Puts the workers in reserve that are no help with an image.  @task: of a block; @image: the
 * whole, with its pixels if they are in memory.  A tile size that was set lets all work.
 */
void
wf_workers_judge (WfWorkers     *workers,
                  WfOperation    operation,
                  const char    *algorithm,
                  gconstpointer  task,
                  const WfImage *image)
{
  const guint         n       = workers->workers->len;
  g_autofree WfPlace *places  = g_new0 (WfPlace, n);
  g_autofree double  *seconds = g_new0 (double, n);
  double              least   = G_MAXDOUBLE;

  workers->is_worth_several = workers->context->tile_size > 0 ||
                              wf_image_n_pixels (image) >= WF_WORTH_SHARING;
  if (workers->context->tile_size > 0 || ! workers->is_worth_several ||
      wf_workers_count_active (workers) < 2 ||
      ! find_places (workers, operation, algorithm, task, places) ||
      ! expect (workers->context, places, n, image, seconds))
    return;
  for (guint i = 0; i < n; i++)
    least = MIN (least, seconds[i]);
  workers->is_worth_several = least >= LONG_ENOUGH &&
                              wf_operation_get_record (operation)->share_cost *
                              choose (workers, places, seconds, n, least) < least;
}
