/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The algorithms for reconstruction that devices have besides their default give the CPU's
 * result, bit for bit, also with queues so short that pixels are dropped and the propagation
 * is executed again.
 */

#include "tests/support/device-calls.h"
#include "tests/support/tiers.h"

static const char *const algorithms[] = { "raster", "queue", "queue-prefix", "queue-naive" };
/* The option "queue-size". */
static const int         places[]     = { 0, 1, 5 };
static const WfType      types[]      = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static const RefSize sizes[] =
{
  { 1, 1, 1 },   { 1, 37, 1 },   { 70, 1, 1 },   { 31, 33, 1 },  { 128, 64, 1 }, { 257, 300, 1 },
  { 3, 900, 1 }, { 4000, 3, 1 }, { 640, 512, 1 },
  { 1, 1, 5 },   { 33, 31, 3 },  { 32, 64, 8 },  { 7, 6, 40 },   { 129, 35, 6 },
};

typedef struct
{
  const char *device;
  const char *algorithm;
} Test;

/* Slopes and steps with noise: levels propagate far and in every direction. */
static GuardedImage *
make_mask (WfType         type,
           const RefSize *size)
{
  const gint64       n      = ref_n_pixels (size);
  g_autofree double *levels = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    {
      const gint64 x   = p % size->width;
      const gint64 row = p / size->width;

      levels[p] = 60 + (x / 7 * 5 + row / 9 * 3) % 17 * 6
                  + (double) ((guint32) ((x + 1) * 2654435761u ^ row * 2246822519u) >> 27);
    }
  return guarded_image_new_levels (type, size, levels);
}

/* Seeds far above the mask, and nothing else. */
static GuardedImage *
make_marker (WfType         type,
             const RefSize *size,
             WfDirection    by)
{
  const gint64       n      = ref_n_pixels (size);
  g_autofree double *levels = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    levels[p] = (p % 211 == n / 2 % 211) == (by == WF_BY_DILATION) ? 250 : 0;
  return guarded_image_new_levels (type, size, levels);
}

/* How often the propagation was executed. */
static guint
check (const char    *algorithm,
       WfContext     *device,
       WfContext     *cpu,
       WfType         type,
       const RefSize *size,
       WfDirection    by,
       gboolean       faces,
       int            queue_size)
{
  const int                connectivity = size->depth > 1 ? (faces ? 6 : 26) : (faces ? 4 : 8);
  WfReconstructOptions     options      = { .size = sizeof options, .by = by,
                                            .connectivity = connectivity };
  g_autoptr (GuardedImage) mask         = make_mask (type, size);
  g_autoptr (GuardedImage) marker       = make_marker (type, size, by);
  g_autoptr (GuardedImage) expected     = guarded_image_new (type, size, FALSE);
  g_autoptr (GuardedImage) result       = guarded_image_new (type, size, faces);
  g_autoptr (GError)       error        = NULL;
  const WfReport          *report;

  wf_reconstruct (cpu, &mask->view, &marker->view, &expected->view, &options, &error);
  g_assert_no_error (error);
  options.algorithm  = algorithm;
  options.queue_size = queue_size;
  options.scans      = faces ? 0 : 1 + queue_size;
  wf_reconstruct (device, &mask->view, &marker->view, &result->view, &options, &error);
  g_assert_no_error (error);
  report = wf_context_get_report (device);
  g_assert_cmpstr (report->algorithm, ==, algorithm);
  g_assert_cmpint (report->executions, >, 0);
  g_assert_cmpint (report->executions > 1, ==, report->notice != NULL);
  g_assert_cmpuint (report->queued, >=, report->queued_first);
  if (report->executions > 1)
    g_assert_cmpuint (report->queued_first, >, 0);
  if (g_str_has_prefix (algorithm, "queue"))
    {
      g_assert_cmpuint (report->n_steps, ==, 2);
      g_assert_cmpstr (report->steps[0].name, ==, "scans");
      g_assert_cmpstr (report->steps[1].name, ==, "queues");
    }
  else
    g_assert_cmpuint (report->queued, ==, 0);
  g_assert_cmpint (guarded_image_find_difference (result, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (result));
  return report->executions;
}

static void
run_test (gconstpointer data)
{
  const Test            *test   = data;
  g_autoptr (WfContext)  device = device_context_new (test->device);
  g_autoptr (WfContext)  cpu    = device_context_new ("cpu");
  const gboolean         queues = g_str_has_prefix (test->algorithm, "queue");

  for (guint k = 0; k < (queues ? G_N_ELEMENTS (places) : 1); k++)
    {
      guint n_again = 0;

      for (guint t = 0; t < G_N_ELEMENTS (types); t++)
        for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
          for (guint way = 0; way < 4 && device_size_is_wanted (&sizes[s]); way++)
            if (test_takes_turn (t + s + way, 2))
              n_again += check (test->algorithm, device, cpu, types[t], &sizes[s],
                                way / 2 ? WF_BY_EROSION : WF_BY_DILATION, way % 2,
                                places[k]) > 1;

      g_test_message ("%d places: propagated again for %u images", places[k], n_again);
      if (places[k] > 0)
        g_assert_cmpuint (n_again, >, 0);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (algorithms); k++)
      {
        g_autofree char *path = g_strdup_printf ("/device-reconstruction/%s/%s",
                                                 (const char *) names->pdata[i], algorithms[k]);
        const Test       test = { names->pdata[i], algorithms[k] };

        g_test_add_data_func_full (path, g_memdup2 (&test, sizeof test), run_test, g_free);
      }
  if (problem)
    g_test_add_data_func ("/device-reconstruction/none", problem, device_test_none);

  return g_test_run ();
}
