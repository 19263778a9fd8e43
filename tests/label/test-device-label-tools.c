/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools for labels on every device other than the CPU give the labels and the numbers of
 * regions that the CPU gives: all types, few and many labels, any numbers, equal areas, stacks,
 * and results on the labels themselves.
 */

#include <math.h>
#include <string.h>

#include "tests/support/device-calls.h"
#include "tests/support/guarded-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static const WfOperation operations[] = { WF_OPERATION_REMOVE_SMALL, WF_OPERATION_KEEP_LARGEST,
                                          WF_OPERATION_EXPAND_LABELS, WF_OPERATION_RELABEL };
static const WfType      types[]      = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32 };


/* Runs of labels, of @n_labels numbers that are spread as far as the type goes. */
static GuardedImage *
draw_labels (WfType         type,
             const RefSize *size,
             guint          n_labels)
{
  const guint32       most   = type == WF_TYPE_U8 ? G_MAXUINT8 : type == WF_TYPE_U16 ? G_MAXUINT16
                                                                                     : G_MAXUINT32;
  const gboolean      dense  = g_test_rand_bit ();
  const int           length = g_test_rand_int_range (1, 70);
  g_autofree guint32 *number = g_new (guint32, n_labels);
  GuardedImage       *image  = guarded_image_new (type, size, g_test_rand_bit ());
  g_autofree gpointer pixels = g_malloc (ref_n_pixels (size) * wf_type_size (type));
  guint32             label  = 0;

  for (guint i = 0; i < n_labels; i++)
    number[i] = dense ? MIN (i + 1, most) : MAX (1, (guint32) g_test_rand_int () & most);
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    {
      if (g_test_rand_int_range (0, length) == 0)
        label = g_test_rand_int_range (0, 3) == 0
                ? 0 : number[g_test_rand_int_range (0, (gint32) n_labels)];
      if (type == WF_TYPE_U8)
        ((guint8 *) pixels)[p] = (guint8) label;
      else if (type == WF_TYPE_U16)
        ((guint16 *) pixels)[p] = (guint16) label;
      else
        ((guint32 *) pixels)[p] = label;
    }
  guarded_image_write (image, pixels);
  return image;
}

static void
check (WfContext      *context,
       WfContext      *cpu,
       const char     *device,
       WfOperation     operation,
       WfType          type,
       const RefSize  *size,
       guint           n_labels)
{
  g_autoptr (GuardedImage)  labels   = draw_labels (type, size, n_labels);
  g_autoptr (GuardedImage)  apart    = guarded_image_new (type, size, g_test_rand_bit ());
  g_autoptr (GuardedImage)  expected = guarded_image_new (type, size, FALSE);
  GuardedImage             *out      = g_test_rand_bit () ? labels : apart;
  const WfImage            *inputs[WF_MAX_OPERANDS] = { &labels->view };
  WfImage                  *made[WF_MAX_OPERANDS]   = { &expected->view };
  WfImage                  *on_gpu[WF_MAX_OPERANDS] = { &out->view };
  WfLabelToolOptions        options;
  guint32                   n        = 0;
  guint32                   n_wanted = 0;
  GError                   *error    = NULL;

  wf_option_group_init (wf_operation_get_options (operation), &options);
  options.area     = g_test_rand_double_range (0, 60);
  options.count    = g_test_rand_int_range (1, 12);
  options.distance = g_test_rand_bit () ? NAN : g_test_rand_double_range (0, 9);
  wf_operation_run (cpu, operation, inputs, made, &n_wanted, &options, &error);
  g_assert_no_error (error);
  wf_operation_run (context, operation, inputs, on_gpu, &n, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wf_context_get_report (context)->device, ==, device);
  g_assert_cmpuint (n, ==, n_wanted);
  if (guarded_image_find_difference (out, expected->view.data) >= 0 ||
      ! guarded_image_is_guarded (out))
    {
      g_test_message ("%s of %s, %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
                      ", %u labels: differs", wf_operation_get_options (operation)->name,
                      wf_type_name (type), size->width, size->height, size->depth, n_labels);
      g_test_fail ();
    }
}

static void
check_all (const char    *device,
           const RefSize *size,
           guint          n_labels)
{
  g_autoptr (WfContext) context = device_context_new (device);
  g_autoptr (WfContext) cpu     = device_context_new ("cpu");

  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    for (guint t = 0; t < G_N_ELEMENTS (types) && ! g_test_failed (); t++)
      check (context, cpu, device, operations[o], types[t], size, n_labels);
}

static void
test_random (gconstpointer device)
{
  for (guint i = 0; i < test_count (6, 15) && ! g_test_failed (); i++)
    {
      const RefSize size = { g_test_rand_int_range (1, 90), g_test_rand_int_range (1, 12),
                             g_test_rand_int_range (0, 3) ? 1 : g_test_rand_int_range (2, 4) };

      check_all (device, &size, g_test_rand_bit () ? 3 : 200);
    }
}

static void
test_large (gconstpointer device)
{
  static const RefSize sizes[] = { { 2048, 1500, 1 }, { 2051, 777, 1 }, { 300, 217, 30 } };

  if (! device_size_is_wanted (&sizes[0]))
    {
      g_test_skip ("The device is slow.");
      return;
    }
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      check_all (device, &sizes[s], 1);
      check_all (device, &sizes[s], 100000);
    }
}

/* Without any label, and with a list of regions that stay, of the right length and of another. */
static void
test_special (gconstpointer device)
{
  const RefSize             size     = { 40, 6, 1 };
  const guint8              kept[]   = { 1, 0, 1 };
  g_autoptr (WfContext)     context  = device_context_new (device);
  g_autoptr (GuardedImage)  labels   = guarded_image_new (WF_TYPE_U16, &size, TRUE);
  g_autoptr (GuardedImage)  out      = guarded_image_new (WF_TYPE_U16, &size, FALSE);
  g_autofree guint16       *pixels   = g_new0 (guint16, ref_n_pixels (&size));
  g_autofree guint16       *expected = g_new0 (guint16, ref_n_pixels (&size));
  guint32                   n        = 7;
  GError                   *error    = NULL;

  guarded_image_write (labels, pixels);
  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    {
      const WfImage      *inputs[WF_MAX_OPERANDS]  = { &labels->view, NULL, NULL, NULL };
      WfImage            *outputs[WF_MAX_OPERANDS] = { &out->view };
      WfLabelToolOptions  options;

      wf_option_group_init (wf_operation_get_options (operations[o]), &options);
      options.area = 3;
      wf_operation_run (context, operations[o], inputs, outputs, &n, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, 0);
      g_assert_cmpint (guarded_image_find_difference (out, expected), <, 0);
    }

  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    {
      pixels[p]   = (guint16[]) { 0, 9, 300, 65535 }[p % 13 / 4];
      expected[p] = (guint16[]) { 0, 1, 0, 2 }[p % 13 / 4];
    }
  guarded_image_write (labels, pixels);
  wf_labels_keep (context, &labels->view, &out->view, kept, 3, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (guarded_image_find_difference (out, expected), <, 0);
  guarded_image_wipe (out);
  assert_refused (wf_labels_keep (context, &labels->view, &out->view, kept, 2, &n, &refusal),
                  WF_ERROR_LABELS);
  g_assert_true (guarded_image_is_untouched (out));
}

static void
add_test (const char    *device,
          const char    *name,
          GTestDataFunc  test)
{
  g_autofree char *path = g_strdup_printf ("/device-label-tools/%s/%s", device, name);

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
      add_test (names->pdata[i], "random", test_random);
      add_test (names->pdata[i], "special", test_special);
      add_test (names->pdata[i], "large", test_large);
    }
  if (names->len == 0)
    g_test_add_data_func ("/device-label-tools/none", problem, device_test_none);
  return g_test_run ();
}
