/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers from points. */

#include <glib.h>

#include "plugins/watershed/markers.h"
#include "tests/support/tiers.h"

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

  g_test_add_func ("/markers/points", test_points);
  return g_test_run ();
}
