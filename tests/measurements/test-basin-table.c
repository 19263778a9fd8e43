/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of basins, compared as text. */

#include <locale.h>
#include <math.h>
#include <string.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "tests/support/tiers.h"
#include "wavefront.h"

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

static const char plain[] =
  "index,area,centroid_x,centroid_y,left,top,width,height,minimum,mean\n"
  "1,12,2.75,2,0,0,5,4,7,20.125\n";

static const char sized[] =
  "index,area,pixels,centroid_x,centroid_y,left,top,width,height,minimum,mean,depth,unit\n"
  "1,1.5,12,6.375,-0.25,10,-3,5,4,7,20.125,,\"a, b\"\n"
  "4000000000,0.125,1,9.75,-0.625,19,-3,1,1,0.100000001,0.100000001,0.05,\"a, b\"\n";

static const char sized_stack[] =
  "index,area,pixels,centroid_x,centroid_y,centroid_z,left,top,first,width,height,slices,"
  "minimum,mean,depth\n"
  "1,36,12,2.75,2,0,0,0,0,5,4,1,7,20.125,\n";

static const char of_one[] =
  "index,area,centroid_x,centroid_y,left,top,width,height,minimum,mean,depth,unit\n"
  "1,12,2.75,2,0,0,5,4,7,20.125,,µm\n";

static void
test_format (void)
{
  const WfTablePlace  moved     = { .size = sizeof (WfTablePlace), .left = 10, .top = -3 };
  const WfTablePlace  stack     = { .size = sizeof (WfTablePlace), .stack = TRUE };
  const WfTablePlace  component = { .size = sizeof (WfTablePlace), .without_depths = TRUE };
  g_autofree char    *one       = wf_basin_table_format (basins, 2, &moved);
  g_autofree char    *two       = wf_basin_table_format (basins, 2, &stack);
  g_autofree char    *three     = wf_basin_table_format (basins, 1, &component);
  g_autofree char    *none      = wf_basin_table_format (NULL, 0, &component);

  g_assert_cmpstr (one, ==, flat);
  g_assert_cmpstr (two, ==, stacked);
  g_assert_cmpstr (three, ==, plain);
  g_assert_true (g_str_has_prefix (plain, none) && g_str_has_suffix (none, "mean\n"));
}

/* In a locale with decimal commas, if the system has one. */
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

/* Areas and places are in the unit, boxes in pixels; a size of 1 needs no other area. */
static void
test_unit (void)
{
  const WfTablePlace  moved = { .size = sizeof (WfTablePlace), .left = 10, .top = -3,
                                .unit = "a, b", .spacing = { 0.5, 0.25, 7 } };
  const WfTablePlace  stack = { .size = sizeof (WfTablePlace), .stack = TRUE,
                                .spacing = { 1, 1, 3 } };
  const WfTablePlace  one   = { .size = sizeof (WfTablePlace), .unit = "µm",
                                .spacing = { 1, 1, 3 } };
  g_autofree char    *first  = wf_basin_table_format (basins, 2, &moved);
  g_autofree char    *second = wf_basin_table_format (basins, 1, &stack);
  g_autofree char    *third  = wf_basin_table_format (basins, 1, &one);

  g_assert_cmpstr (first, ==, sized);
  g_assert_cmpstr (second, ==, sized_stack);
  g_assert_cmpstr (third, ==, of_one);
}

/* A program that was compiled with an older version knows nothing of the unit. */
static void
test_short (void)
{
  const WfTablePlace  place = { .size = G_STRUCT_OFFSET (WfTablePlace, unit), .left = 10, .top = -3,
                                .unit = "a, b", .spacing = { 0.5, 0.25, 7 } };
  g_autofree char    *text  = wf_basin_table_format (basins, 2, &place);

  g_assert_cmpstr (text, ==, flat);
}

/* Without a place it is that of a whole image; no basins need no array. */
static void
test_null (void)
{
  const WfTablePlace  whole    = { .size = sizeof (WfTablePlace) };
  g_autofree char    *expected = wf_basin_table_format (basins, 2, &whole);
  g_autofree char    *text     = wf_basin_table_format (basins, 2, NULL);
  g_autofree char    *none     = wf_basin_table_format (NULL, 0, NULL);

  g_assert_cmpstr (text, ==, expected);
  g_assert_nonnull (none);
  g_assert_true (g_str_has_prefix (text, none));
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
  const WfTablePlace  place  = { .size = sizeof (WfTablePlace), .left = 10, .top = -3 };

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


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/basin-table/format", test_format);
  g_test_add_func ("/basin-table/language", test_language);
  g_test_add_func ("/basin-table/unit", test_unit);
  g_test_add_func ("/basin-table/short", test_short);
  g_test_add_func ("/basin-table/null", test_null);
  g_test_add_func ("/basin-table/write", test_write);
  return g_test_run ();
}
