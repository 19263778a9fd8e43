/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Marks of selected basins, and the largest of their numbers. */

#include <string.h>

#include <glib.h>

#include "plugins/watershed/basin-colors.h"
#include "tests/support/tiers.h"

static void
test_marks (void)
{
  static const guint32 labels[]   = { 2, 2, 0, 3, 5, 5 };
  static const float   selected[] = { 0, 0.5f, 1, 0.4f, 1, 1 };
  static const guint32 expected[] = { 0, 0, 1, 0, 0, 1 };
  g_autofree guint32  *marks      = wf_basin_marks_new (5, NULL);
  WfImage              image;

  g_assert_cmpuint (wf_basin_marks_add_row (marks, labels, selected, 6), ==, 2);
  g_assert_cmpuint (wf_basin_marks_add_row (marks, labels, selected, 6), ==, 0);
  g_assert_cmpmem (marks, sizeof expected, expected, sizeof expected);

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, 3, 2, 1, (gpointer) labels, NULL));
  g_assert_cmpuint (wf_basin_labels_get_highest (&image), ==, 5);
}

static void
test_exact (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (wf_labels_check_exact (0, &error));
  g_assert_true (wf_labels_check_exact (16777216, &error));
  g_assert_cmpuint ((guint32) (float) 16777216, ==, 16777216);
  g_assert_no_error (error);
  g_assert_false (wf_labels_check_exact (16777217, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_LABELS);
  g_assert_nonnull (strstr (error->message, "16777217"));
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/basin-colors/marks", test_marks);
  g_test_add_func ("/basin-colors/exact", test_exact);
  return g_test_run ();
}
