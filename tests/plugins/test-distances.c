/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Processing of distance maps: ranges, levels, contours, thresholds, nearest pixels. */

#include <math.h>
#include <string.h>

#include <glib.h>

#include "plugins/distance-map/distances.h"
#include "plugins/common/input/foreground.h"
#include "plugins/common/input/spacing.h"
#include "tests/support/tiers.h"

#define WIDTH  31
#define HEIGHT 22

static void
test_range (void)
{
  float   reals[]   = { 3, -2.5f, INFINITY, 7, -INFINITY, 0 };
  guint64 squares[] = { 3, G_MAXUINT64, 49, 0, 1, 1 };
  double  doubles[] = { 0.5, 0.25, INFINITY, 0.75, 0.125, 0.25 };
  WfImage image;
  double  minimum;
  double  maximum;

  g_assert_true (wf_image_init (&image, WF_TYPE_F32, 3, 2, 1, reals, NULL));
  wf_distances_find_range (&image, &minimum, &maximum);
  g_assert_cmpfloat (minimum, ==, -2.5);
  g_assert_cmpfloat (maximum, ==, 7);

  g_assert_true (wf_image_init (&image, WF_TYPE_U64, 3, 2, 1, squares, NULL));
  wf_distances_find_range (&image, &minimum, &maximum);
  g_assert_cmpfloat (minimum, ==, 0);
  g_assert_cmpfloat (maximum, ==, 49);

  g_assert_true (wf_image_init (&image, WF_TYPE_F64, 3, 2, 1, doubles, NULL));
  wf_distances_find_range (&image, &minimum, &maximum);
  g_assert_cmpfloat (minimum, ==, 0);
  g_assert_cmpfloat (maximum, ==, 0.75);
}

static void
assert_levels (const WfImage         *image,
               const WfDistanceScale *scale,
               const float           *expected)
{
  float levels[3];

  wf_distances_get_levels (image, 1, scale, levels);
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (levels[i], ==, expected[i]);
}

static void
test_levels (void)
{
  float                 pixels[]  = { 0, 0, 0, 2.4f, INFINITY, -1 };
  const WfDistanceScale whole     = { 0, 1, 255, TRUE, FALSE };
  const WfDistanceScale real      = { 0, 1, 1, FALSE, FALSE };
  const WfDistanceScale clipped   = { 0, 0.5, 1, FALSE, TRUE };
  const WfDistanceScale stretched = { -1, 10, 255, TRUE, FALSE };
  WfImage               image;

  g_assert_true (wf_image_init (&image, WF_TYPE_F32, 3, 2, 1, pixels, NULL));
  assert_levels (&image, &whole, (const float[]) { 2, 255, 0 });
  assert_levels (&image, &real, (const float[]) { 2.4f, INFINITY, -1 });
  assert_levels (&image, &clipped, (const float[]) { 1, 1, 0 });
  assert_levels (&image, &stretched, (const float[]) { 34, 255, 0 });
}

/* Compares contours with the definition: on a cone, in a stack of two slices, which do not affect
 * each other.
 */
static void
test_contours (void)
{
  static const double steps[] = { 1, 2.5, 7 };
  float               pixels[2][HEIGHT][WIDTH];
  guint8              marks[WIDTH];
  WfImage             image;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        pixels[0][y][x] = hypotf (x - 12.0f, y - 9.0f) - 6;
        pixels[1][y][x] = x < 5 ? INFINITY : 100 - y;
      }
  g_assert_true (wf_image_init (&image, WF_TYPE_F32, WIDTH, HEIGHT, 2, pixels, NULL));
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    for (int row = 0; row < 2 * HEIGHT; row++)
      {
        float (* slice)[WIDTH] = pixels[row / HEIGHT];
        int      y             = row % HEIGHT;

        wf_distances_mark_contours (&image, row, steps[k], marks);
        for (int x = 0; x < WIDTH; x++)
          {
            gboolean line = FALSE;

            for (int d = 0; d < 4; d++)
              {
                int u = x + (d == 0) - (d == 1);
                int v = y + (d == 2) - (d == 3);

                if (u < 0 || u >= WIDTH || v < 0 || v >= HEIGHT || isinf (slice[y][x]) ||
                    isinf (slice[v][u]))
                  continue;
                line |= floor (slice[y][x] / steps[k]) > floor (slice[v][u] / steps[k]);
              }
            g_assert_cmpuint (marks[x], ==, line);
          }
      }
}

static void
test_spacing (void)
{
  double spacing[3];

  wf_spacing_from_resolution (100, 50, 25.4, spacing);
  g_assert_cmpfloat (spacing[0], ==, 25.4 / 100);
  g_assert_cmpfloat (spacing[1], ==, 25.4 / 50);
  g_assert_cmpfloat (spacing[2], ==, spacing[0]);
}

static void
test_foreground (void)
{
  guint8  bytes[]   = { 0, 100, 101, 255 };
  guint16 words[]   = { 0, 100, 101, 65535 };
  float   reals[]   = { -1, 100, 100.5f, INFINITY };
  void   *pixels[]  = { bytes, words, reals };
  WfType  types[]   = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  guint8  marks[4];
  WfImage image;
  WfImage foreground;

  g_assert_true (wf_image_init (&foreground, WF_TYPE_U8, 4, 1, 1, marks, NULL));
  for (int i = 0; i < 3; i++)
    {
      g_assert_true (wf_image_init (&image, types[i], 4, 1, 1, pixels[i], NULL));
      wf_foreground_mark (&image, 100, TRUE, &foreground);
      g_assert_cmpmem (marks, 4, ((guint8[]) { 0, 0, 1, 1 }), 4);
      wf_foreground_mark (&image, 100, FALSE, &foreground);
      g_assert_cmpmem (marks, 4, ((guint8[]) { 1, 1, 0, 0 }), 4);
    }
}

/* With two groups of levels, a given threshold is kept, and an automatic one is between them. */
static void
test_threshold (void)
{
  guint8             bytes[] = { 10, 12, 11, 200, 210, 205 };
  float              reals[] = { 0.25f, 0.25f, 0.25f, 0.75f, 0.75f, 0.75f };
  double             level   = 33;
  double             fraction;
  WfImage            image;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 6, 1, 1, bytes, NULL));
  g_assert_true (wf_foreground_find_threshold (&image, NULL, FALSE, &level, &fraction, NULL));
  g_assert_cmpfloat (level, ==, 33);
  g_assert_cmpfloat (fraction, ==, 33 / 255.0);
  g_assert_true (wf_foreground_find_threshold (&image, NULL, TRUE, &level, &fraction, NULL));
  g_assert_cmpfloat (level, >=, 12);
  g_assert_cmpfloat (level, <, 200);
  g_assert_cmpfloat (fraction, ==, level / 255);

  g_assert_true (wf_image_init (&image, WF_TYPE_F32, 6, 1, 1, reals, NULL));
  g_assert_true (wf_foreground_find_threshold (&image, NULL, TRUE, &level, &fraction, NULL));
  g_assert_cmpfloat (level, >=, 0.25);
  g_assert_cmpfloat (level, <, 0.75);
  g_assert_cmpfloat (fraction, ==, level);
}

static void
test_nearest (void)
{
  guint64      indices[] = { 0, 0, 0, 5, WF_NEAREST_NONE, 2 };
  const guint8 pixels[]  = "aaabbbcccdddeeefff";
  guint8       copy[9];
  WfImage      nearest;

  g_assert_true (wf_image_init (&nearest, WF_TYPE_U64, 3, 2, 1, indices, NULL));
  wf_nearest_copy_row (&nearest, 1, pixels, 3, copy);
  g_assert_cmpmem (copy, 9, "fff\0\0\0ccc", 9);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/distances/range", test_range);
  g_test_add_func ("/distances/levels", test_levels);
  g_test_add_func ("/distances/contours", test_contours);
  g_test_add_func ("/distances/spacing", test_spacing);
  g_test_add_func ("/distances/foreground", test_foreground);
  g_test_add_func ("/distances/threshold", test_threshold);
  g_test_add_func ("/distances/nearest", test_nearest);
  return g_test_run ();
}
