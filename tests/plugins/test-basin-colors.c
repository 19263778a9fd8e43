/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mean colours of basins, and marks of selected basins. */

#include <string.h>

#include <glib.h>

#include "plugins/watershed/basin-colors.h"
#include "tests/support/tiers.h"

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

/* Many pixels have the bits of the sums in their order. */
static void
test_threads (void)
{
  const guint32             n      = 200000;
  g_autofree guint32       *labels = g_new (guint32, n);
  g_autofree float         *pixels = g_new (float, 4 * n);
  g_autoptr (GRand)         random = g_rand_new_with_seed (3);
  g_autoptr (WfBasinColors) colors = wf_basin_colors_new (8, NULL);
  double                    sums[9][4] = { 0 };
  float                     mean[4];

  for (guint32 i = 0; i < 4 * n; i++)
    pixels[i] = (float) g_rand_double (random);
  for (guint32 i = 0; i < n; i++)
    {
      labels[i] = i > 0 && g_rand_int_range (random, 0, 5) > 0 ? labels[i - 1]
                                                               : g_rand_int_range (random, 0, 9);
      for (int c = 0; c < 4; c++)
        sums[labels[i]][c] += (c < 3 ? (double) pixels[4 * i + 3] : 1) * pixels[4 * i + c];
    }
  wf_basin_colors_add_row (colors, labels, pixels, n);
  for (guint32 label = 0; label <= 8; label++)
    {
      wf_basin_colors_get_mean (colors, label, mean);
      for (int c = 0; c < 3; c++)
        g_assert_cmpfloat (mean[c], ==, (float) (sums[label][c] / sums[label][3]));
    }
}

/* Pixels of 8 bits have the means of the colors that they are. */
static void
test_stored (gconstpointer data)
{
  const int                 n_components = GPOINTER_TO_INT (data);
  const guint32             n            = 70000;
  g_autofree guint32       *labels       = g_new (guint32, n);
  g_autofree guint8        *stored       = g_new (guint8, (gsize) n * n_components);
  g_autofree float         *pixels       = g_new (float, 4 * n);
  g_autoptr (GRand)         random       = g_rand_new_with_seed (4);
  g_autoptr (WfBasinColors) expected     = wf_basin_colors_new (300, NULL);
  g_autoptr (WfBasinColors) colors       = wf_basin_colors_new (300, NULL);

  for (guint32 i = 0; i < n * n_components; i++)
    stored[i] = (guint8) g_rand_int (random);
  for (guint32 i = 0; i < n; i++)
    labels[i] = i > 0 && g_rand_int_range (random, 0, 4) > 0 ? labels[i - 1]
                                                             : g_rand_int_range (random, 0, 301);
  for (guint32 i = 0; i < n; i++)
    for (int c = 0; c < 4; c++)
      {
        const int at = c == 3 ? n_components - 1 : n_components > 2 ? c : 0;

        pixels[4 * i + c] = c == 3 && n_components % 2
                            ? 1 : stored[i * n_components + at] / 255.0f;
      }
  wf_basin_colors_add_row (expected, labels, pixels, n);
  wf_basin_colors_add_stored (colors, labels, stored, n_components, 1000);
  wf_basin_colors_add_stored (colors, labels + 1000, stored + 1000 * n_components, n_components,
                              n - 1000);
  for (guint32 label = 0; label <= 300; label++)
    {
      float mean[4];
      float wanted[4];

      wf_basin_colors_get_mean (expected, label, wanted);
      wf_basin_colors_get_mean (colors, label, mean);
      g_assert_cmpmem (mean, sizeof mean, wanted, sizeof wanted);
    }
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
  tests_begin (&argc, &argv);

  g_test_add_func ("/basin-colors/means", test_colors);
  g_test_add_func ("/basin-colors/threads", test_threads);
  g_test_add_data_func ("/basin-colors/stored/1", GINT_TO_POINTER (1), test_stored);
  g_test_add_data_func ("/basin-colors/stored/2", GINT_TO_POINTER (2), test_stored);
  g_test_add_data_func ("/basin-colors/stored/3", GINT_TO_POINTER (3), test_stored);
  g_test_add_data_func ("/basin-colors/stored/4", GINT_TO_POINTER (4), test_stored);
  g_test_add_func ("/basin-colors/marks", test_marks);
  g_test_add_func ("/basin-colors/exact", test_exact);
  return g_test_run ();
}
