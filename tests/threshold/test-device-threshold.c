/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds on every device other than the CPU mark the pixels that the CPU marks: images whose
 * strips take more than one launch, rows longer than a block, windows beyond the image.  Small
 * images are compared with the reference by test-devices.
 */

#include "tests/support/device-calls.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"


static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static void
check_against_cpu (WfContext                *context,
                   WfContext                *cpu,
                   const GuardedImage       *image,
                   const RefSize            *size,
                   const WfThresholdOptions *options)
{
  g_autoptr (GuardedImage)  out      = guarded_image_new (WF_TYPE_U8, size, TRUE);
  g_autoptr (GuardedImage)  expected = guarded_image_new (WF_TYPE_U8, size, FALSE);
  GError                   *error    = NULL;

  wf_threshold (cpu, &image->view, &expected->view, options, &error);
  g_assert_no_error (error);
  wf_threshold (context, &image->view, &out->view, options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wf_context_get_report (context)->device, !=, "cpu");
  if (guarded_image_find_difference (out, expected->view.data) >= 0 ||
      ! guarded_image_is_guarded (out))
    {
      g_test_message ("%s, method %d, radius %d, %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
                      " × %" G_GINT64_FORMAT ": differs", wf_type_name (image->view.type),
                      options->method, options->radius, size->width, size->height, size->depth);
      g_test_fail ();
    }
}

/* All methods, of random levels, where half of the pixels is flat. */
static void
check_size (const char    *device,
            const RefSize *size,
            const int     *radii,
            guint          n_radii)
{
  g_autoptr (WfContext) context = device_context_new (device);
  g_autoptr (WfContext) cpu     = device_context_new ("cpu");

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    {
      const gsize              bytes  = (gsize) ref_n_pixels (size) * wf_type_size (types[t]);
      g_autoptr (GuardedImage) image  = guarded_image_new (types[t], size, FALSE);
      g_autoptr (GRand)        random = g_rand_new_with_seed ((guint32) g_test_rand_int ());
      guint8                  *pixels = image->view.data;

      for (gsize i = 0; i < bytes; i++)
        pixels[i] = i < bytes / 2 ? (guint8) g_rand_int (random) >> 1 : 77;   /* no f32 is NaN */
      for (int method = WF_LOCAL_NONE; method <= WF_LOCAL_SAUVOLA; method++)
        for (guint r = 0; r < n_radii; r++)
          {
            WfThresholdOptions options;

            wf_option_group_init (wf_operation_get_options (WF_OPERATION_THRESHOLD), &options);
            options.method    = (WfLocalMethod) method;
            options.threshold = 100.5;
            options.sigma     = 1.5 + r;
            options.radius    = radii[r];
            options.offset    = g_test_rand_bit () ? 0 : -1;
            options.below     = g_test_rand_bit ();
            check_against_cpu (context, cpu, image, size, &options);
          }
    }
}

/* A stack of many small slices has more strips than a launch. */
static void
test_strips (gconstpointer device)
{
  static const RefSize size    = { 2, 34, 65 };
  static const int     radii[] = { 0, 1, 7 };

  check_size (device, &size, radii, G_N_ELEMENTS (radii));
}

static void
test_large (gconstpointer device)
{
  static const RefSize sizes[] = { { 2048, 1500, 1 }, { 2051, 777, 1 }, { 70001, 40, 1 },
                                   { 300, 217, 30 } };
  static const int     radii[] = { 0, 1, 15, 300 };

  if (! device_size_is_wanted (&sizes[0]))
    {
      g_test_skip ("The device is slow.");
      return;
    }
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    check_size (device, &sizes[s], radii, sizes[s].depth > 1 ? 2 : G_N_ELEMENTS (radii));
}

static void
add_test (const char    *device,
          const char    *name,
          GTestDataFunc  test)
{
  g_autofree char *path = g_strdup_printf ("/device-threshold/%s/%s", device, name);

  g_test_add_data_func_full (path, g_strdup (device), test, g_free);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char       *problem = NULL;
  g_autoptr (GPtrArray)  names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    {
      add_test (names->pdata[i], "strips", test_strips);
      add_test (names->pdata[i], "large", test_large);
    }
  if (names->len == 0)
    g_test_add_data_func ("/device-threshold/none", problem, device_test_none);
  return g_test_run ();
}
