/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers from colours and from points. */

#include <string.h>

#include <glib.h>

#include "plugins/watershed/markers.h"
#include "tests/support/tiers.h"

static void
add (WfColorMarkers *markers,
     const float    *pixels,
     gboolean        alpha,
     guint32        *labels)
{
  memset (labels, 0xff, 6 * sizeof *labels);
  wf_color_markers_add_row (markers, pixels, alpha, 6, labels);
}

static void
test_colors (void)
{
  static const float first[] = { 1, 0, 0, 1,  0, 0, 0, 0,  0, 0, 0, 1,
                                 1, 0, 0, 0.5f,  0, 1, 0, 1,  0, 1, 0, 0.4f };
  static const float second[] = { 0, 1, 0, 1,  -0.0f, 0, 0, 1,  0, 0, 1, 0.3f,
                                  1, 0, 0, 1,  0, 0, 1, 1,  1, 0, 1e-7f, 1 };
  static const guint32       first_labels[]  = { 1, 0, 2, 1, 3, 0 };
  static const guint32       second_labels[] = { 3, 2, 0, 1, 4, 5 };
  g_autoptr (WfColorMarkers) markers         = wf_color_markers_new ();
  guint32                    labels[6];

  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, 0);
  add (markers, first, TRUE, labels);
  g_assert_cmpmem (labels, sizeof labels, first_labels, sizeof labels);
  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, 3);
  add (markers, second, TRUE, labels);
  g_assert_cmpmem (labels, sizeof labels, second_labels, sizeof labels);
  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, 5);
}

/* In a layer without alpha, black is not a marker. */
static void
test_black (void)
{
  static const float row[] = { 0, 0, 0, 1,  0.5f, 0.5f, 0.5f, 1,  -0.0f, 0, 0, 1,
                               1, 1, 1, 0,  0.5f, 0.5f, 0.5f, 1,  0, 0, 1, 1 };
  static const guint32       expected[] = { 0, 1, 0, 2, 1, 3 };
  g_autoptr (WfColorMarkers) markers    = wf_color_markers_new ();
  guint32                    labels[6];

  add (markers, row, FALSE, labels);
  g_assert_cmpmem (labels, sizeof labels, expected, sizeof labels);
}

/* Colours are numbered in the order of their first occurrence, as a linear search gives them. */
static void
test_many_colors (void)
{
  const guint                n_rows  = test_count (100, 300);
  g_autoptr (WfColorMarkers) markers = wf_color_markers_new ();
  g_autofree float          *known   = g_new (float, 3 * 6 * n_rows);
  guint32                    n       = 0;

  for (guint row = 0; row < n_rows; row++)
    {
      float   pixels[24];
      guint32 labels[6];

      for (int i = 0; i < 24; i++)
        pixels[i] = i % 4 == 3 ? 1 : (float) g_test_rand_int_range (0, 9) / 255;
      add (markers, pixels, TRUE, labels);
      for (int i = 0; i < 6; i++)
        {
          guint32 k = 0;

          while (k < n && memcmp (&known[3 * k], &pixels[4 * i], 3 * sizeof (float)) != 0)
            k++;
          if (k == n)
            memcpy (&known[3 * n++], &pixels[4 * i], 3 * sizeof (float));
          g_assert_cmpuint (labels[i], ==, k + 1);
        }
    }
  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, n);
}

static void
test_points (void)
{
  /* inside, the same pixel, outside on each side, the last pixel, the first pixel, NaN */
  static const double points[] = { 12.3, 20.9,  12.9, 20.1,  9.99, 21,  14, 21,  11, 19.9,
                                   11, 23,  13.99, 22.99,  10, 20,  0.0 / 0.0, 21 };
  guint32             pixels[3][4] = { 0 };
  WfImage             labels;

  g_assert_true (wf_image_init (&labels, WF_TYPE_U32, 4, 3, 1, pixels, NULL));
  g_assert_cmpuint (wf_point_markers_draw (points, 9, 10, 20, &labels), ==, 3);
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 4; x++)
      g_assert_cmpuint (pixels[y][x], ==, x == 2 && y == 0 ? 1 : x == 3 && y == 2 ? 2 :
                                          x == 0 && y == 0 ? 3 : 0);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/markers/colors", test_colors);
  g_test_add_func ("/markers/black", test_black);
  g_test_add_func ("/markers/many-colors", test_many_colors);
  g_test_add_func ("/markers/points", test_points);
  return g_test_run ();
}
