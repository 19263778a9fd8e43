/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Inputs that a device refuses before it computes: images that exceed its memory, and pixels
 * that are NaN.
 */

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/support/device-calls.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* An image larger than the device's memory.  None of its pages is ever touched. */
static void
test_too_large (gconstpointer data)
{
  const char                     *device  = data;
  g_autoptr (WfContext)           context = device_context_new (device);
  g_autoptr (GPtrArray)           devices = wf_list_devices (NULL);
  guint64                         total   = 0;
  gint64                          side    = 1;
  WfImage                         image   = { .type = WF_TYPE_U8, .depth = 1 };
  WfImage                         out;
  GError                         *error   = NULL;
  g_autofree WfDistanceOptions   *options = g_new0 (WfDistanceOptions, 1);

  for (guint i = 0; i < devices->len; i++)
    if (strcmp (((const WfDevice *) devices->pdata[i])->name, device) == 0)
      total = ((const WfDevice *) devices->pdata[i])->memory_total;
  while ((guint64) side * side < total)
    side *= 2;

  image.width        = image.height = image.row_stride = side;
  image.slice_stride = side * side;
  image.data         = mmap (NULL, side * side, PROT_READ,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  out                = image;
  out.type           = WF_TYPE_F32;
  out.data           = mmap (NULL, side * side * 4, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (image.data == MAP_FAILED || out.data == MAP_FAILED)
    {
      g_test_skip ("The system does not give so many addresses.");
      return;
    }

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
  g_assert_false (wf_distance (context, &image, &out, NULL, options, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
  assert_sentence (error->message);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "missing"));
  g_clear_error (&error);
  munmap (image.data, side * side);
  munmap (out.data, side * side * 4);
}


/*  NaN  */

/* @spoiled: index of the pixel that is NaN, in the second image if @in_second.  Returns the
 * error message.
 */
static char *
run_with_nan (const DeviceCall *call,
              const char       *device,
              const RefSize    *size,
              gint64            spoiled,
              gboolean          in_second)
{
  const gint64             n       = ref_n_pixels (size);
  const gboolean           labels  = call->operation == WF_OPERATION_WATERSHED ||
                                     call->operation == WF_OPERATION_IMPOSE_MINIMA;
  g_autoptr (WfContext)    context = device_context_new (device);
  g_autofree double       *levels  = g_new (double, n);
  g_autofree guint32      *marks   = g_new0 (guint32, n);
  g_autoptr (GuardedImage) image   = NULL;
  g_autoptr (GuardedImage) second  = NULL;
  g_auto (DeviceResult)    result  = { 0 };
  GError                  *error   = NULL;
  char                    *message;

  for (gint64 p = 0; p < n; p++)
    levels[p] = p * 37 % 101;
  marks[n / 2] = 1;
  second = labels ? guarded_image_new_labels (size, marks)
                  : guarded_image_new_levels (WF_TYPE_F32, size, levels);
  if (! in_second)
    levels[spoiled] = NAN;
  image = guarded_image_new_levels (WF_TYPE_F32, size, levels);
  if (in_second)
    {
      levels[spoiled] = NAN;
      g_clear_pointer (&second, guarded_image_free);
      second = guarded_image_new_levels (WF_TYPE_F32, size, levels);
    }

  device_result_init (&result, call, WF_TYPE_F32, size, TRUE);
  g_assert_false (device_call_run (call, context, &image->view, &second->view, &result, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  assert_sentence (error->message);
  g_assert_true (device_result_untouched (&result));
  message = g_strdup (error->message);
  g_clear_error (&error);
  return message;
}

/* The device and the CPU refuse NaN with the same message. */
static void
test_nan (gconstpointer data)
{
  const RefSize sizes[] = { { 1, 1, 1 }, { 301, 70, 1 }, { 20, 11, 9 } };

  for (const DeviceCall *call = device_calls; call->name; call++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (int k = 0; k < 4; k++)
        {
          const gint64     n      = ref_n_pixels (&sizes[s]);
          const gboolean   second = k == 3 && (call->operation == WF_OPERATION_RECONSTRUCT ||
                                               call->operation == WF_OPERATION_IMPOSE_MINIMA);
          const gint64     at     = k == 0 ? 0 : k == 1 ? n - 1 : g_test_rand_int_range (0, n);
          g_autofree char *there  = run_with_nan (call, data, &sizes[s], at, second);
          g_autofree char *here   = run_with_nan (call, "cpu", &sizes[s], at, second);

          g_assert_cmpstr (there, ==, here);
          g_assert_nonnull (strstr (there, "NaN"));
        }
}


/*  Tests  */

static void
add_test (const char     *device,
          const char     *name,
          GTestDataFunc   test)
{
  g_autofree char *path = g_strdup_printf ("/device-refusals/%s/%s", device, name);

  g_test_add_data_func (path, device, test);
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
    {
      add_test (names->pdata[i], "too-large", test_too_large);
      add_test (names->pdata[i], "nan", test_nan);
    }
  if (problem)
    g_test_add_data_func ("/device-refusals/none", problem, device_test_none);

  return g_test_run ();
}
