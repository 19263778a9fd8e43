/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every device other than the CPU gives the results of the references, bit for bit, and refuses
 * what it has no variant for with %WF_ERROR_UNSUPPORTED.
 */

#include <string.h>

#include "tests/support/cases.h"
#include "tests/morphology/morphology-call.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"
#include "tests/support/work.h"

static void
check_reconstruction (const Configurations *configurations,
                      WfOperation           operation)
{
  run_reconstruction_cases (configurations, test_count (200, 1000));
}

/* Unit spacing, and no map of nearest pixels. */
static void
check_city_block (const Configurations *configurations,
                  WfOperation           operation)
{
  run_distance_cases (configurations,
                      &(DistanceCases) { .metric = WF_METRIC_CITY_BLOCK,
                                         .spacings = SPACINGS_WHOLE, .distance_alone = TRUE,
                                         .never_signed = TRUE, .may_be_unsupported = TRUE },
                      test_count (200, 1000));
}

static void
check_distance (const Configurations *configurations,
                WfOperation           operation)
{
  run_distance_cases (configurations,
                      &(DistanceCases) { .metric = -1, .spacings = SPACINGS_ANY,
                                         .may_be_unsupported = TRUE },
                      test_count (200, 1000));
}

static void
check_watershed (const Configurations *configurations,
                 WfOperation           operation)
{
  run_watershed_cases (configurations, test_count (200, 1000));
}

static void
check_label (const Configurations *configurations,
             WfOperation           operation)
{
  run_label_cases (configurations, test_count (200, 1000));
}

static void
check_hierarchy (const Configurations *configurations,
                 WfOperation           operation)
{
  run_hierarchy_cases (configurations, test_count (200, 1000));
}

static void
check_derived (const Configurations *configurations,
                WfOperation           operation)
{
  run_morphology_cases (configurations, operation, test_count (60, 300));
}

static void
check_filter (const Configurations *configurations,
              WfOperation           operation)
{
  run_filter_cases (configurations, operation, test_count (60, 300));
}

static void
check_threshold (const Configurations *configurations,
                 WfOperation           operation)
{
  run_threshold_cases (configurations, test_count (200, 1000));
}

static const struct
{
  const char   *name;
  WfOperation   operation;
  int           metric;
  const char   *algorithm;      /* tested by its name; NULL: chosen at random */
  void       (* check) (const Configurations *configurations, WfOperation operation);
} tasks[] =
{
  { "reconstruct", WF_OPERATION_RECONSTRUCT, 0, NULL, check_reconstruction },
  { "city-block", WF_OPERATION_DISTANCE, WF_METRIC_CITY_BLOCK, NULL, check_city_block },
  { "distance", WF_OPERATION_DISTANCE, WF_METRIC_EUCLIDEAN, NULL, check_distance },
  { "watershed", WF_OPERATION_WATERSHED, 0, NULL, check_watershed },
  { "label", WF_OPERATION_LABEL, 0, NULL, check_label },
  { "hierarchy", WF_OPERATION_HIERARCHY, 0, NULL, check_hierarchy },
  { "fill-holes", WF_OPERATION_FILL_HOLES, 0, "tiled", check_derived },
  { "clear-border", WF_OPERATION_CLEAR_BORDER, 0, "tiled", check_derived },
  { "h-maxima", WF_OPERATION_H_MAXIMA, 0, "tiled", check_derived },
  { "h-minima", WF_OPERATION_H_MINIMA, 0, "tiled", check_derived },
  { "h-dome", WF_OPERATION_H_DOME, 0, "tiled", check_derived },
  { "h-basin", WF_OPERATION_H_BASIN, 0, "tiled", check_derived },
  { "regional-maxima", WF_OPERATION_REGIONAL_MAXIMA, 0, "tiled", check_derived },
  { "regional-minima", WF_OPERATION_REGIONAL_MINIMA, 0, "tiled", check_derived },
  { "extended-maxima", WF_OPERATION_EXTENDED_MAXIMA, 0, "tiled", check_derived },
  { "extended-minima", WF_OPERATION_EXTENDED_MINIMA, 0, "tiled", check_derived },
  { "opening-by-reconstruction", WF_OPERATION_OPENING_BY_RECONSTRUCTION, 0, "tiled",
    check_derived },
  { "closing-by-reconstruction", WF_OPERATION_CLOSING_BY_RECONSTRUCTION, 0, "tiled",
    check_derived },
  { "white-top-hat-by-reconstruction", WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION, 0, "tiled",
    check_derived },
  { "black-top-hat-by-reconstruction", WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION, 0, "tiled",
    check_derived },
  { "impose-minima", WF_OPERATION_IMPOSE_MINIMA, 0, "tiled", check_derived },
  { "gaussian", WF_OPERATION_GAUSSIAN, 0, NULL, check_filter },
  { "gradient", WF_OPERATION_GRADIENT, 0, NULL, check_filter },
  { "erosion", WF_OPERATION_EROSION, 0, NULL, check_filter },
  { "dilation", WF_OPERATION_DILATION, 0, NULL, check_filter },
  { "opening", WF_OPERATION_OPENING, 0, NULL, check_filter },
  { "closing", WF_OPERATION_CLOSING, 0, NULL, check_filter },
  { "white-top-hat", WF_OPERATION_WHITE_TOP_HAT, 0, NULL, check_filter },
  { "black-top-hat", WF_OPERATION_BLACK_TOP_HAT, 0, NULL, check_filter },
  { "threshold", WF_OPERATION_THRESHOLD, 0, NULL, check_threshold },
  { "proximate", WF_OPERATION_DISTANCE, WF_METRIC_EUCLIDEAN, "proximate", check_distance },
  { "proximate-strided", WF_OPERATION_DISTANCE, WF_METRIC_EUCLIDEAN, "proximate-strided",
    check_distance },
  { "sync", WF_OPERATION_WATERSHED, 0, "sync", check_watershed },
  { "async", WF_OPERATION_WATERSHED, 0, "async", check_watershed },
  { "balanced", WF_OPERATION_WATERSHED, 0, "balanced", check_watershed },
  { "basins", WF_OPERATION_RECONSTRUCT, 0, "basins", check_reconstruction },
  { "raster", WF_OPERATION_RECONSTRUCT, 0, "raster", check_reconstruction },
  { "queue", WF_OPERATION_RECONSTRUCT, 0, "queue", check_reconstruction },
  { "queue-prefix", WF_OPERATION_RECONSTRUCT, 0, "queue-prefix", check_reconstruction },
  { "queue-naive", WF_OPERATION_RECONSTRUCT, 0, "queue-naive", check_reconstruction },
};

typedef struct
{
  const char *device;
  guint       task;
} Test;

/* The algorithm is named, because an automatic choice may take the CPU. */
static gboolean
builds_hierarchies (WfContext  *context,
                    GError    **error)
{
  const float             level     = 0;
  const guint32           label     = 1;
  WfHierarchyOptions      options   = { .size = sizeof options, .algorithm = "boundaries" };
  WfImage                 image;
  WfImage                 labels;
  g_autoptr (WfHierarchy) hierarchy = NULL;

  wf_image_init (&image, WF_TYPE_F32, 1, 1, 1, (gpointer) &level, NULL);
  wf_image_init (&labels, WF_TYPE_U32, 1, 1, 1, (gpointer) &label, NULL);
  hierarchy = wf_hierarchy_new (context, &image, &labels, &options, error);
  return hierarchy != NULL;
}

/* Whether the device supports the task, tried on a small image. */
static gboolean
is_supported (const Test *test,
              GError    **error)
{
  const WfOperation          operation      = tasks[test->task].operation;
  const char                *algorithm      = tasks[test->task].algorithm;
  g_autoptr (Configurations) configurations = configurations_new (test->device);
  WfContext                 *context        = configurations->items[0].context;
  g_auto (Work)              work           = { 0 };
  WfReconstructOptions       reconstruct;
  WfDistanceOptions          distance;
  WfWatershedOptions         watershed;
  WfMorphologyOptions        morphology;

  if (operation == WF_OPERATION_HIERARCHY)
    return builds_hierarchies (context, error);

  work_init (&work, operation, 20);
  switch (operation)
    {
    case WF_OPERATION_LABEL:
    case WF_OPERATION_GAUSSIAN:
    case WF_OPERATION_GRADIENT:
    case WF_OPERATION_EROSION:
    case WF_OPERATION_DILATION:
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      return work_run (&work, context, error);
    case WF_OPERATION_RECONSTRUCT:
      wf_option_group_init (wf_operation_get_options (operation), &reconstruct);
      reconstruct.algorithm = algorithm;
      return wf_reconstruct (context, &work.image->view, &work.second->view, &work.out->view,
                             &reconstruct, error);
    case WF_OPERATION_DISTANCE:
      wf_option_group_init (wf_operation_get_options (operation), &distance);
      distance.metric    = tasks[test->task].metric;
      distance.algorithm = algorithm;
      return wf_distance (context, &work.image->view, &work.out->view, NULL, &distance, error);
    case WF_OPERATION_WATERSHED:
      wf_option_group_init (wf_operation_get_options (operation), &watershed);
      watershed.algorithm = algorithm;
      return wf_watershed (context, &work.image->view, NULL, &work.out->view, NULL, &watershed,
                           error);
    default:
      morphology           = morphology_options (operation);
      morphology.algorithm = algorithm;
      morphology.height    = 1;
      return operation_call (operation, context, &work.image->view,
                              work.second ? &work.second->view : NULL, &work.out->view,
                              &morphology, error);
    }
}

static void
run_test (gconstpointer data)
{
  const Test                 *test           = data;
  g_autoptr (Configurations)  configurations = NULL;
  g_autoptr (GError)          error          = NULL;

  if (! is_supported (test, &error))
    {
      g_assert_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
      assert_sentence (error->message);
      g_test_skip (error->message);
      return;
    }
  configurations = configurations_new (test->device);
  fix_algorithm (tasks[test->task].algorithm);
  tasks[test->task].check (configurations, tasks[test->task].operation);
  fix_algorithm (NULL);
}

/* An image of several megapixels. */
static void
test_large (gconstpointer data)
{
  const Test        *test    = data;
  WfContextOptions   chosen  = { sizeof (WfContextOptions), test->device, 0, 0, 0 };
  WfContextOptions   cpu     = { sizeof (WfContextOptions), "cpu", 0, 0, 0 };
  WfDistanceOptions  options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  options.metric = WF_METRIC_CITY_BLOCK;

  for (int border = 0; border < 2; border++)
    {
      g_autoptr (WfContext)  cpu_context    = wf_context_new ();
      g_autoptr (WfContext)  device_context = wf_context_new ();
      g_auto (Work)          here           = { 0 };
      g_auto (Work)          there          = { 0 };
      GError                *error          = NULL;

      options.border_background = border;
      work_init (&here, WF_OPERATION_DISTANCE, 3001);
      work_init (&there, WF_OPERATION_DISTANCE, 3001);
      g_assert_true (wf_context_configure (cpu_context, &cpu, NULL));
      g_assert_true (wf_context_configure (device_context, &chosen, NULL));
      wf_distance (cpu_context, &here.image->view, &here.out->view, NULL, &options, &error);
      g_assert_no_error (error);
      wf_distance (device_context, &there.image->view, &there.out->view, NULL, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (there.out, here.out->view.data), ==, -1);
    }
}

static void
test_none (gconstpointer data)
{
  const GError *problem = data;

  g_test_skip (problem ? problem->message : "This machine has no device but the CPU.");
}

static void
add_device (const char *name)
{
  for (guint task = 0; task <= G_N_ELEMENTS (tasks); task++)
    {
      gboolean         large = task == G_N_ELEMENTS (tasks);
      const Test       test  = { name, task };
      g_autofree char *path  = g_strdup_printf ("/devices/%s/%s", name,
                                                large ? "large" : tasks[task].name);

      g_test_add_data_func_full (path, g_memdup2 (&test, sizeof test),
                                 large ? test_large : run_test, g_free);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (GError)    problem = NULL;

  tests_begin (&argc, &argv);

  devices = wf_list_devices (&problem);
  for (guint i = 1; i < devices->len; i++)
    add_device (((const WfDevice *) devices->pdata[i])->name);
  if (devices->len < 2)
    g_test_add_data_func ("/devices/none", problem, test_none);

  return g_test_run ();
}
