/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds: against their definitions; what is known of some pictures; the largest windows;
 * refusals.
 */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"


static WfThresholdOptions
options_of (WfLocalMethod method)
{
  WfThresholdOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_THRESHOLD), &options);
  options.method = method;
  return options;
}

static void
test_random (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_threshold_cases (configurations, test_count (200, 2000));
}

static guint
count_marks (const WfImage            *image,
             const WfThresholdOptions *options)
{
  g_auto (WfImage) marks = { 0 };
  guint            n     = 0;

  g_assert_true (wf_image_allocate (&marks, WF_TYPE_U8, image->width, image->height, image->depth,
                                    NULL));
  g_assert_true (wf_threshold (NULL, image, &marks, options, NULL));
  for (gint64 p = 0; p < wf_image_n_pixels (image); p++)
    n += ((const guint8 *) marks.data)[p] == 255;
  return n;
}

/* No pixel of a flat image of integers is above its surroundings, all are above a lower level. */
static void
test_flat (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (int method = WF_LOCAL_MEAN; method <= WF_LOCAL_GAUSSIAN; method++)
      {
        WfThresholdOptions options = options_of ((WfLocalMethod) method);
        g_auto (WfImage)   image   = { 0 };

        g_assert_true (wf_image_allocate (&image, types[i], 150, 140, 1, NULL));
        memset (image.data, 201, 150 * 140 * wf_type_size (types[i]));
        g_assert_cmpuint (count_marks (&image, &options), ==, 0);
        options.below = TRUE;
        g_assert_cmpuint (count_marks (&image, &options), ==, 150 * 140);
        options.below  = FALSE;
        options.offset = 1.0 / 256;
        g_assert_cmpuint (count_marks (&image, &options), ==, 150 * 140);
      }
}

/* A background that rises along x hides disks from any one threshold, not from local ones. */
static void
test_shading (void)
{
  const int                width  = 600;
  const int                height = 80;
  g_autofree guint8       *pixels = g_new (guint8, width * height);
  const WfThresholdOptions mean   = { .size = sizeof mean, .method = WF_LOCAL_MEAN, .radius = 20,
                                      .offset = -10 };
  guint                    inside = 0;
  WfImage                  image;

  for (int p = 0; p < width * height; p++)
    {
      const int      x       = p % width;
      const gboolean is_disk = hypot (x % 60 - 30, p / width - 40) < 6;

      pixels[p] = (guint8) (20 + x / 4 + (is_disk ? 40 : 0));
      inside   += is_disk;
    }
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, width, height, 1, pixels, NULL));
  g_assert_cmpuint (count_marks (&image, &mean), ==, inside);
}

/* Sums of the largest window and levels have 62 bits. */
static void
test_largest (void)
{
  const int                side    = 1200;
  g_autofree guint16      *pixels  = g_new (guint16, side * side);
  const WfThresholdOptions options = { .size = sizeof options, .method = WF_LOCAL_SAUVOLA,
                                       .radius = WF_MAX_WINDOW_RADIUS, .k = 0.5, .range = 32767.5 };
  WfImage                  image;

  /* Half of the pixels are 0, half 65535: s is half the range, so T is the mean. */
  for (int p = 0; p < side * side; p++)
    pixels[p] = (p + p / side) % 2 ? G_MAXUINT16 : 0;
  g_assert_true (wf_image_init (&image, WF_TYPE_U16, side, side, 1, pixels, NULL));
  g_assert_cmpuint (count_marks (&image, &options), ==, side * side / 2);
}

static void
test_refusals (void)
{
  WfThresholdOptions options   = options_of (WF_LOCAL_MEAN);
  guint8             pixels[6] = { 1, 2, 3, 4, 5, 6 };
  float              floats[6] = { 0, 1, NAN, 3, 4, 5 };
  guint32            labels[6];
  WfImage            image, wrong, other;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 2, 1, pixels, NULL));
  g_assert_true (wf_image_init (&other, WF_TYPE_U8, 2, 3, 1, pixels, NULL));
  g_assert_true (wf_image_init (&wrong, WF_TYPE_U32, 3, 2, 1, labels, NULL));
  assert_refused (wf_threshold (NULL, &wrong, &image, &options, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_threshold (NULL, &image, &wrong, &options, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_threshold (NULL, &image, &other, &options, &refusal), WF_ERROR_INVALID);
  options.radius = WF_MAX_WINDOW_RADIUS + 1;
  assert_refused (wf_threshold (NULL, &image, &image, &options, &refusal), WF_ERROR_INVALID);
  options.radius = 1;
  options.range  = -1;
  assert_refused (wf_threshold (NULL, &image, &image, &options, &refusal), WF_ERROR_INVALID);
  options.range  = 0;
  options.method = WF_LOCAL_SAUVOLA + 1;
  assert_refused (wf_threshold (NULL, &image, &image, &options, &refusal), WF_ERROR_INVALID);
  g_assert_cmpuint (pixels[5], ==, 6);

  options = options_of (WF_LOCAL_MEAN);
  g_assert_true (wf_image_init (&wrong, WF_TYPE_F32, 3, 2, 1, floats, NULL));
  assert_refused (wf_threshold (NULL, &wrong, &image, &options, &refusal), WF_ERROR_INVALID);
  g_assert_cmpuint (pixels[5], ==, 6);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/threshold/random", test_random);
  g_test_add_func ("/threshold/flat", test_flat);
  g_test_add_func ("/threshold/shading", test_shading);
  g_test_add_func ("/threshold/largest", test_largest);
  g_test_add_func ("/threshold/refusals", test_refusals);

  return g_test_run ();
}
