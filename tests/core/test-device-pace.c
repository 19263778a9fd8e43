/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a decision lacks is measured on a real device, its link included, and the result is that of
 * the CPU, whichever is taken.
 */

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* The least side of an image that is worth a measurement. */
#define SIDE 2048

static void
check_speed (double speed)
{
  g_assert_true (isfinite (speed));
  g_assert_cmpfloat (speed, >, 0);
}

static WfContext *
compute (const char    *device,
         const WfImage *image,
         WfImage       *out)
{
  WfContextOptions  options = { sizeof options, device, 2, 0, WF_FALLBACK_NONE };
  WfContext        *context = wf_context_new ();
  GError           *error   = NULL;

  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
  wf_distance (context, image, out, NULL, NULL, &error);
  g_assert_no_error (error);
  return context;
}

static void
test_measuring (void)
{
  g_autoptr (GPtrArray)  before    = wf_list_paces ();
  g_autoptr (GPtrArray)  after     = NULL;
  g_autoptr (WfContext)  automatic = NULL;
  g_autoptr (WfContext)  cpu       = NULL;
  g_auto (WfImage)       image     = { 0 };
  g_auto (WfImage)       map       = { 0 };
  g_auto (WfImage)       expected  = { 0 };
  const WfPace          *gpu;
  const char            *reason;
  double                 estimate;

  if (before->len < 2)
    {
      g_test_skip ("There is no GPU.");
      return;
    }
  estimate = wf_pace_get_rate (before->pdata[1], WF_OPERATION_DISTANCE, 1);
  g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, SIDE, SIDE, 1, NULL));
  g_assert_true (wf_image_allocate (&map, WF_TYPE_F32, SIDE, SIDE, 1, NULL));
  g_assert_true (wf_image_allocate (&expected, WF_TYPE_F32, SIDE, SIDE, 1, NULL));
  for (int i = 0; i < SIDE * SIDE; i++)
    ((guint8 *) image.data)[i] = i % 1009 != 0;

  automatic = compute ("auto", &image, &map);
  cpu       = compute ("cpu", &image, &expected);
  g_assert_cmpmem (map.data, SIDE * SIDE * sizeof (float), expected.data,
                   SIDE * SIDE * sizeof (float));
  reason = wf_context_get_report (automatic)->reason;
  g_test_message ("%s", reason);
  assert_sentence (reason);
  g_assert_nonnull (strstr (reason, "expected"));

  after = wf_list_paces ();
  gpu   = after->pdata[1];
  g_assert_false (gpu->measured);   /* as one operation of many was */
  check_speed (gpu->upload);
  check_speed (gpu->download);
  check_speed (gpu->upload_pinned);
  check_speed (gpu->download_pinned);
  g_assert_cmpfloat (gpu->upload, !=, ((WfPace *) before->pdata[1])->upload);
  check_speed (wf_pace_get_rate (gpu, WF_OPERATION_DISTANCE, 1));
  g_assert_cmpfloat (wf_pace_get_rate (gpu, WF_OPERATION_DISTANCE, 1), !=, estimate);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *cache  = g_dir_make_tmp ("wavefront-test-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (cache, "wavefront", NULL);
  g_autofree char *path   = g_build_filename (folder, "pace.ini", NULL);
  int              status;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_unsetenv ("WAVEFRONT_PACE");
  tests_begin (&argc, &argv);
  g_test_add_func ("/device-pace/measuring", test_measuring);
  status = g_test_run ();
  g_unlink (path);
  g_rmdir (folder);
  g_rmdir (cache);
  return status;
}
