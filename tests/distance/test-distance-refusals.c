/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arguments that distance maps refuse. */

#include <math.h>

#include "tests/support/guarded-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static void
init_options (WfDistanceOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
}

typedef struct
{
  GuardedImage      *image;
  GuardedImage      *out;
  GuardedImage      *nearest;
  WfDistanceOptions  options;
} Arguments;

static void
arguments_init (Arguments *a,
                gint64     depth)
{
  const RefSize size    = { 4, 3, depth };
  const double  zeros[] = { [3 * 4 * 3 - 1] = 0 };

  a->image   = guarded_image_new_levels (WF_TYPE_F32, &size, zeros);
  a->out     = guarded_image_new (WF_TYPE_F32, &size, FALSE);
  a->nearest = guarded_image_new (WF_TYPE_U64, &size, FALSE);
  init_options (&a->options);
}

static void
arguments_clear (Arguments *a)
{
  guarded_image_free (a->image);
  guarded_image_free (a->out);
  guarded_image_free (a->nearest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

#define assert_arguments_refused(a)                                                   \
  G_STMT_START                                                                        \
    {                                                                                 \
      assert_refused (wf_distance (NULL, &(a)->image->view, &(a)->out->view,          \
                                   &(a)->nearest->view, &(a)->options, &refusal),     \
                      WF_ERROR_INVALID);                                              \
      g_assert_true (guarded_image_is_untouched ((a)->out));                          \
      g_assert_true (guarded_image_is_untouched ((a)->nearest));                      \
    }                                                                                 \
  G_STMT_END

static void
test_nan (void)
{
  for (gint64 index = 0; index < 12; index++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      guarded_image_set_float (a.image, index, NAN);
      assert_arguments_refused (&a);
      a.options.threshold = 0.5;
      assert_arguments_refused (&a);
    }
}

static void
test_nothing_wanted (void)
{
  g_auto (Arguments) a = { 0 };

  arguments_init (&a, 1);
  assert_refused (wf_distance (NULL, &a.image->view, NULL, NULL, &a.options, &refusal),
                  WF_ERROR_INVALID);
}

static void
test_options_refused (void)
{
  g_auto (Arguments) image = { 0 };
  g_auto (Arguments) stack = { 0 };

  arguments_init (&image, 1);
  image.options.metric = 4;
  assert_arguments_refused (&image);
  init_options (&image.options);
  image.options.threshold = INFINITY;
  assert_arguments_refused (&image);
  init_options (&image.options);
  image.options.algorithm = "hybrid";
  assert_arguments_refused (&image);
  init_options (&image.options);
  image.options.signed_distance = TRUE;
  image.options.metric          = WF_METRIC_SQUARED;
  assert_refused (wf_distance (NULL, &image.image->view, NULL, &image.nearest->view,
                               &image.options, &refusal), WF_ERROR_INVALID);
  for (int axis = 0; axis < 3; axis++)
    {
      const double bad[] = { 0, -0.0, -1, 1e-101, 1e101, NAN, INFINITY };

      for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
        {
          init_options (&image.options);
          image.options.spacing[axis] = bad[i];
          assert_arguments_refused (&image);
        }
    }

  /* Connectivity is checked although the exact algorithms have no use for it. */
  init_options (&image.options);
  image.options.connectivity = 6;
  assert_arguments_refused (&image);
  arguments_init (&stack, 2);
  stack.options.connectivity = 8;
  assert_arguments_refused (&stack);
}

/* Row and column scans are for GPUs: on the CPU they are refused by name. */
static void
test_scan_on_cpu (void)
{
  const WfContextOptions cpu     = { sizeof (WfContextOptions), "cpu", 0, 0, 0 };
  g_autoptr (WfContext)  context = wf_context_new ();

  g_assert_true (wf_context_configure (context, &cpu, NULL));
  for (int metric = WF_METRIC_EUCLIDEAN; metric <= WF_METRIC_CHESSBOARD; metric++)
    {
      g_auto (Arguments) a = { 0 };

      if (metric == WF_METRIC_SQUARED)
        continue;
      arguments_init (&a, 1);
      a.options.metric    = metric;
      a.options.algorithm = "scan";
      assert_refused (wf_distance (context, &a.image->view, &a.out->view, &a.nearest->view,
                                   &a.options, &refusal), WF_ERROR_UNSUPPORTED);
      g_assert_true (guarded_image_is_untouched (a.out));
      g_assert_true (guarded_image_is_untouched (a.nearest));
    }
}

static void
test_types_refused (void)
{
  static const WfType all[] = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32, WF_TYPE_U64,
                                WF_TYPE_F64, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_auto (Arguments) input   = { 0 };
      g_auto (Arguments) output  = { 0 };
      g_auto (Arguments) squared = { 0 };
      g_auto (Arguments) spaced  = { 0 };
      g_auto (Arguments) nearest = { 0 };

      arguments_init (&input, 1);
      arguments_init (&output, 1);
      arguments_init (&squared, 1);
      arguments_init (&spaced, 1);
      arguments_init (&nearest, 1);
      input.image->view.type     = all[i];
      output.out->view.type      = all[i];
      squared.out->view.type     = all[i];
      spaced.out->view.type      = all[i];
      nearest.nearest->view.type = all[i];
      squared.options.metric     = WF_METRIC_SQUARED;
      spaced.options.metric      = WF_METRIC_SQUARED;
      spaced.options.spacing[2]  = 2;

      if (! (all[i] >= WF_TYPE_U8 && all[i] <= WF_TYPE_F32))
        assert_arguments_refused (&input);
      if (all[i] != WF_TYPE_F32)
        assert_arguments_refused (&output);
      if (all[i] != WF_TYPE_U64)
        assert_arguments_refused (&squared);
      if (all[i] != WF_TYPE_F64)
        assert_arguments_refused (&spaced);
      if (all[i] != WF_TYPE_U64)
        assert_arguments_refused (&nearest);
    }
}

static void
test_sizes_refused (void)
{
  for (int which = 0; which < 3; which++)
    for (int fault = 0; fault < N_VIEW_FAULTS; fault++)
      {
        g_auto (Arguments) a = { 0 };

        arguments_init (&a, 2);
        spoil_view (which == 0 ? &a.image->view
                    : which == 1 ? &a.out->view : &a.nearest->view, fault);
        assert_arguments_refused (&a);
      }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/distance/refuses/nan", test_nan);
  g_test_add_func ("/distance/refuses/nothing-wanted", test_nothing_wanted);
  g_test_add_func ("/distance/refuses/options", test_options_refused);
  g_test_add_func ("/distance/refuses/scan-on-cpu", test_scan_on_cpu);
  g_test_add_func ("/distance/refuses/types", test_types_refused);
  g_test_add_func ("/distance/refuses/sizes", test_sizes_refused);

  return g_test_run ();
}
