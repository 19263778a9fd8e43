/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Consecutive labels have clearly different colours, and many labels have unique colours. */

#include <math.h>

#include <glib.h>

#include "plugins/common/results/palette.h"
#include "tests/support/tiers.h"

#define N_NEAR 1000000
#define N_OWN  2000


static double
distance (const float *a,
          const float *b)
{
  return sqrt (pow (a[0] - b[0], 2) + pow (a[1] - b[1], 2) + pow (a[2] - b[2], 2));
}

static void
check_range (const float *color)
{
  for (int i = 0; i < 3; i++)
    {
      g_assert_cmpfloat (color[i], >=, 0);
      g_assert_cmpfloat (color[i], <=, 1);
    }
  g_assert_cmpfloat (MAX (color[0], MAX (color[1], color[2])), >=, 0.59);
}

static void
test_neighbours_are_far_apart (void)
{
  double least = 1;

  for (guint32 label = 1; label < N_NEAR; label++)
    {
      float here[3];
      float next[3];

      wf_palette_get_color (label, here);
      wf_palette_get_color (label + 1, next);
      check_range (here);
      least = MIN (least, distance (here, next));
    }
  g_assert_cmpfloat (least, >, 0.3);
}

static guint
bytes_of (guint32 label)
{
  float color[3];

  wf_palette_get_color (label, color);
  return (guint) lroundf (color[0] * 255) << 16 | (guint) lroundf (color[1] * 255) << 8
         | (guint) lroundf (color[2] * 255);
}

static void
test_colors_of_their_own (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint32 label = 1; label <= N_OWN; label++)
    g_assert_true (g_hash_table_add (seen, GUINT_TO_POINTER (bytes_of (label))));
}

/* Consecutive labels differ clearly up to the largest label: precision suffices for all. */
static void
test_large_labels (void)
{
  for (guint32 label = G_MAXUINT32 - 1000; label < G_MAXUINT32; label++)
    {
      float here[3];
      float next[3];

      wf_palette_get_color (label, here);
      wf_palette_get_color (label + 1, next);
      check_range (here);
      g_assert_cmpfloat (distance (here, next), >, 0.3);
    }
}

static void
test_greys (void)
{
  for (guint32 label = 1; label < N_NEAR; label++)
    {
      float here = wf_palette_get_grey (label);
      float next = wf_palette_get_grey (label + 1);

      g_assert_cmpfloat (here, >=, 0.149);
      g_assert_cmpfloat (here, <=, 1);
      g_assert_cmpfloat (fabs (here - next), >, 0.3);
    }
}

/* The colours must not change, so that results of different versions can be compared. */
static void
test_stays_as_it_is (void)
{
  g_assert_cmphex (bytes_of (1), ==, 0xa08646);
  g_assert_cmphex (bytes_of (2), ==, 0xa077da);
  g_assert_cmpint (lroundf (wf_palette_get_grey (1) * 255), ==, 64);
  g_assert_cmpint (lroundf (wf_palette_get_grey (2) * 255), ==, 198);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/palette/neighbors-are-far-apart", test_neighbours_are_far_apart);
  g_test_add_func ("/palette/colors-of-their-own", test_colors_of_their_own);
  g_test_add_func ("/palette/large-labels", test_large_labels);
  g_test_add_func ("/palette/grays", test_greys);
  g_test_add_func ("/palette/stays-as-it-is", test_stays_as_it_is);
  return g_test_run ();
}
