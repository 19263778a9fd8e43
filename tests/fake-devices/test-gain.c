/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which of several devices work, by paces that were set (paces.ini): all that are about equally
 * fast, and none that is much slower.
 */

#include "sharing.h"
#include "tests/support/random-image.h"

/* Pixels that are worth sharing. */
#define SIDE 4096


static void
check_devices (WfContext  *context,
               const char *expected)
{
  g_assert_cmpstr (wf_context_get_report (context)->device, ==, expected);
}

static GuardedImage *
new_squares (const RefSize *size)
{
  GuardedImage *image  = guarded_image_new (WF_TYPE_U8, size, FALSE);
  guint8       *pixels = image->view.data;

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    pixels[p] = (p / 64 + p / size->width / 64) % 2;
  return image;
}

static void
test_equal (void)
{
  const RefSize         size    = { SIDE, SIDE, 1 };
  g_autoptr (WfContext) context = new_context ("cuda:0,cuda:1,cuda:2", 0, WF_FALLBACK_NONE, TRUE);
  GuardedImage         *image   = new_squares (&size);
  GuardedImage         *out     = guarded_image_new (WF_TYPE_F32, &size, FALSE);
  GError               *error   = NULL;

  set_disturbance (0, 2000);    /* so that each has its turn */
  wf_distance (context, &image->view, &out->view, NULL, NULL, &error);
  g_assert_no_error (error);
  set_disturbance (0, 0);
  check_devices (context, "cuda:0,cuda:1,cuda:2");
  guarded_image_free (image);
  guarded_image_free (out);
}

static void
test_slow (void)
{
  const RefSize         size    = { SIDE, SIDE, 1 };
  g_autoptr (WfContext) context = new_context ("cuda:0,cuda:1,cuda:2", 0, WF_FALLBACK_NONE, TRUE);
  GuardedImage         *image   = new_squares (&size);
  GuardedImage         *out     = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  GError               *error   = NULL;

  set_disturbance (0, 2000);
  wf_label (context, &image->view, &out->view, NULL, NULL, &error);
  g_assert_no_error (error);
  set_disturbance (0, 0);
  check_devices (context, "cuda:0,cuda:1");
  guarded_image_free (image);
  guarded_image_free (out);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gain/equal", test_equal);
  g_test_add_func ("/gain/slow", test_slow);
  return g_test_run ();
}
