/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Near distances beside distances that are far from all background: a device uses different
 * searches for them, which must agree.
 */

#include <string.h>

#include "tests/support/device-calls.h"
#include "tests/support/tiers.h"

/* Low and high, narrow and deep: searches end at different borders. */
static const RefSize sizes[] =
{
  { 40, 5, 31 },    { 33, 12, 64 },   { 90, 30, 7 },  { 300, 17, 3 },
  { 16, 150, 9 },   { 150, 140, 20 }, { 9, 11, 300 }, { 20, 600, 5 },
  { 140, 20, 140 }, { 700, 300, 1 },  { 64, 2000, 1 },
};

typedef enum
{
  CORNERS,          /* two background pixels, in opposite corners */
  OTHER_CORNERS,
  ONE_AND_NOISE,    /* one pixel far from a cluster of many */
  HOLE,             /* background around a ball */
  SPARSE,
  PLANE,
  N_CONTENTS
} Content;

static const char *const content_names[N_CONTENTS] =
{
  "corners", "other-corners", "one-and-noise", "hole", "sparse", "plane"
};

static gboolean
is_background (Content        content,
               const RefSize *size,
               gint64         x,
               gint64         y,
               gint64         z)
{
  const gint64  right = size->width - 1;
  const gint64  below = size->height - 1;
  const gint64  last  = size->depth - 1;
  const guint32 noise = (guint32) (x * 2654435761u ^ y * 2246822519u ^ z * 3266489917u) >> 9;
  const gint64  dx    = x - size->width / 2;
  const gint64  dy    = y - size->height / 2;
  const gint64  dz    = z - size->depth / 2;

  switch (content)
    {
    case CORNERS:
      return (x == 0 && y == 0 && z == 0) || (x == right && y == below && z == last);
    case OTHER_CORNERS:
      return (x == right && y == 0 && z == last) || (x == 0 && y == below && z == 0);
    case ONE_AND_NOISE:
      return (x == right && y == below / 2 && z == last) || (x < size->width / 5 && noise % 7 == 0);
    case HOLE:
      return dx * dx + dy * dy + dz * dz > 60 * 60;
    case SPARSE:
      return noise % 20011 == 0;
    default:
      return x == size->width / 3 && noise % 3 != 0;
    }
}

static GuardedImage *
make_image (Content        content,
            const RefSize *size)
{
  const gint64       n      = ref_n_pixels (size);
  g_autofree guint8 *pixels = g_new (guint8, n);
  GuardedImage      *image  = guarded_image_new (WF_TYPE_U8, size, FALSE);

  for (gint64 p = 0; p < n; p++)
    pixels[p] = ! is_background (content, size, p % size->width,
                                 p / size->width % size->height,
                                 p / size->width / size->height);
  guarded_image_write (image, pixels);
  return image;
}

typedef struct
{
  const char *device;
  Content     content;
} Test;

static void
check (const Test       *test,
       const DeviceCall *call,
       const RefSize    *size)
{
  g_autoptr (WfContext)    device   = device_context_new (test->device);
  g_autoptr (WfContext)    cpu      = device_context_new ("cpu");
  g_autoptr (GuardedImage) image    = make_image (test->content, size);
  g_auto (DeviceResult)    expected = { 0 };
  g_auto (DeviceResult)    result   = { 0 };
  g_autoptr (GError)       error    = NULL;

  device_result_init (&expected, call, WF_TYPE_U8, size, FALSE);
  device_result_init (&result, call, WF_TYPE_U8, size, TRUE);
  device_call_run (call, cpu, &image->view, NULL, &expected, &error);
  g_assert_no_error (error);
  device_call_run (call, device, &image->view, NULL, &result, &error);
  g_assert_no_error (error);
  if (! device_result_is_equal (&result, &expected))
    {
      g_test_message ("%s, %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT,
                      call->name, size->width, size->height, size->depth);
      g_test_fail ();
    }
}

static void
run_test (gconstpointer data)
{
  const Test *test = data;

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (const DeviceCall *call = device_calls; call->name; call++)
      if (call->operation == WF_OPERATION_DISTANCE && device_size_is_wanted (&sizes[s]))
        check (test, call, &sizes[s]);
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
    for (Content content = 0; content < N_CONTENTS; content++)
      {
        g_autofree char *path = g_strdup_printf ("/device-distance/%s/%s",
                                                 (const char *) names->pdata[i],
                                                 content_names[content]);
        const Test       test = { names->pdata[i], content };

        g_test_add_data_func_full (path, g_memdup2 (&test, sizeof test), run_test, g_free);
      }
  if (problem)
    g_test_add_data_func ("/device-distance/none", problem, device_test_none);

  return g_test_run ();
}
