/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables and what is gathered for each basin. */

#include <locale.h>
#include <math.h>
#include <string.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "basin-colors.h"
#include "basin-table.h"

static const WfBasin basins[] =
{
  { 1, 12, { 2.25, 1.5, 0 }, { 0, 0, 0 }, { 4, 3, 0 }, 7, 20.125, 31, INFINITY },
  { 4000000000u, 1, { 9, 0, 2 }, { 9, 0, 2 }, { 9, 0, 2 }, 0.1f, 0.1f, 0.1f, 0.05 },
};

static const char flat[] =
  "index,area,centroid_x,centroid_y,left,top,width,height,minimum,mean,depth\n"
  "1,12,12.75,-1,10,-3,5,4,7,20.125,\n"
  "4000000000,1,19.5,-2.5,19,-3,1,1,0.100000001,0.100000001,0.05\n";

static const char stacked[] =
  "index,area,centroid_x,centroid_y,centroid_z,left,top,first,width,height,slices,"
  "minimum,mean,depth\n"
  "1,12,2.75,2,0,0,0,0,5,4,1,7,20.125,\n"
  "4000000000,1,9.5,0.5,2,9,0,2,1,1,1,0.100000001,0.100000001,0.05\n";

static void
test_format (void)
{
  g_autofree char *one = wf_basin_table_format (basins, 2, &(WfTablePlace) { 10, -3, FALSE });
  g_autofree char *two = wf_basin_table_format (basins, 2, &(WfTablePlace) { 0, 0, TRUE });

  g_assert_cmpstr (one, ==, flat);
  g_assert_cmpstr (two, ==, stacked);
}

/* In a language with decimal commas, where there is one. */
static void
test_language (void)
{
  if (! setlocale (LC_ALL, "de_DE.UTF-8"))
    {
      g_test_skip ("there is no locale de_DE.UTF-8");
      return;
    }
  test_format ();
  setlocale (LC_ALL, "C");
}

static void
test_write (void)
{
  g_autofree char    *folder = g_dir_make_tmp ("wavefront-XXXXXX", NULL);
  g_autofree char    *path   = g_build_filename (folder, "basins.csv", NULL);
  g_autofree char    *gone   = g_build_filename (folder, "no", "such.csv", NULL);
  g_autoptr (GFile)   file   = g_file_new_for_path (path);
  g_autoptr (GFile)   lost   = g_file_new_for_path (gone);
  g_autoptr (GError)  error  = NULL;
  g_autofree char    *text   = NULL;
  g_autoptr (GDir)    dir    = NULL;
  WfTablePlace        place  = { 10, -3, FALSE };

  g_assert_true (g_file_set_contents (path, "something longer than a table of no basins has, "
                                            "which must be gone afterwards", -1, NULL));
  g_assert_true (wf_basin_table_write (file, basins, 2, &place, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, flat);

  g_assert_false (wf_basin_table_write (lost, basins, 2, &place, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "such.csv"));

  dir = g_dir_open (folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "basins.csv");
  g_assert_null (g_dir_read_name (dir));
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_colors (void)
{
  static const guint32 labels[] = { 2, 2, 0, 3, 2, 5 };
  static const float   pixels[] = { 1, 0, 0, 1,  0, 1, 0, 1,  1, 1, 1, 1,
                                    1, 1, 1, 0,  0, 0, 1, 0.5f,  0.2f, 0.4f, 0.6f, 0.1f };
  g_autoptr (WfBasinColors) colors = wf_basin_colors_new (5, NULL);
  float                     mean[4];

  wf_basin_colors_add_row (colors, labels, pixels, 3);
  wf_basin_colors_add_row (colors, labels + 3, pixels + 12, 3);
  wf_basin_colors_get_mean (colors, 2, mean);
  for (int i = 0; i < 2; i++)
    g_assert_cmpfloat_with_epsilon (mean[i], 0.4, 1e-6);
  g_assert_cmpfloat_with_epsilon (mean[2], 0.2, 1e-6);
  g_assert_cmpfloat (mean[3], ==, 1);
  for (guint32 label = 1; label <= 4; label += 2)
    {
      wf_basin_colors_get_mean (colors, label, mean);
      g_assert_cmpfloat (mean[3], ==, 0);
    }
  wf_basin_colors_get_mean (colors, 5, mean);
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (mean[i], 0.2 * (i + 1), 1e-6);
}

static void
test_marks (void)
{
  static const guint32 labels[]   = { 2, 2, 0, 3, 5, 5 };
  static const float   selected[] = { 0, 0.5f, 1, 0.4f, 1, 1 };
  static const guint8  expected[] = { 0, 0, 1, 0, 0, 1 };
  g_autofree guint8   *marks      = wf_basin_marks_new (5, NULL);
  WfImage              image;

  g_assert_cmpuint (wf_basin_marks_add_row (marks, labels, selected, 6), ==, 2);
  g_assert_cmpuint (wf_basin_marks_add_row (marks, labels, selected, 6), ==, 0);
  g_assert_cmpmem (marks, 6, expected, 6);

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, 3, 2, 1, (gpointer) labels, NULL));
  g_assert_cmpuint (wf_labels_get_highest (&image), ==, 5);
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
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/basin-table/format", test_format);
  g_test_add_func ("/basin-table/language", test_language);
  g_test_add_func ("/basin-table/write", test_write);
  g_test_add_func ("/basin-colors/means", test_colors);
  g_test_add_func ("/basin-colors/marks", test_marks);
  g_test_add_func ("/basin-colors/exact", test_exact);
  return g_test_run ();
}
