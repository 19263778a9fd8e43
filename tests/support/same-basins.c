/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "same-basins.h"

/* All that a program can learn of them. */
void
assert_same_hierarchies (const WfHierarchy *found,
                         const WfHierarchy *expected)
{
  const guint32       n        = wf_hierarchy_get_n_basins (expected);
  const gsize         bytes    = n * sizeof (guint32);
  const guint32       step     = MAX (1, n / 20);
  g_autofree guint32 *regions  = g_new (guint32, n);
  g_autofree guint32 *expected_regions = g_new (guint32, n);

  g_assert_cmpuint (wf_hierarchy_get_n_basins (found), ==, n);
  g_assert_cmpuint (wf_hierarchy_get_highest_label (found), ==,
                    wf_hierarchy_get_highest_label (expected));
  for (guint32 i = 0; i < n; i++)
    {
      g_assert_cmpuint (wf_hierarchy_get_label (found, i), ==,
                        wf_hierarchy_get_label (expected, i));
      g_assert_cmpfloat (wf_hierarchy_get_depth (found, i + 1), ==,
                         wf_hierarchy_get_depth (expected, i + 1));
    }
  for (guint32 k = 1; k <= n; k += step)
    {
      wf_hierarchy_cut_to_count (found, k, regions);
      wf_hierarchy_cut_to_count (expected, k, expected_regions);
      g_assert_cmpmem (regions, bytes, expected_regions, bytes);
    }
}

static void
assert_same_number (double found,
                    double expected)
{
  g_assert_cmpmem (&found, sizeof found, &expected, sizeof expected);
}

void
assert_same_basins (const WfBasin *found,
                    guint32        n_found,
                    const WfBasin *expected,
                    guint32        n_expected)
{
  g_assert_cmpuint (n_found, ==, n_expected);
  for (guint32 i = 0; i < n_expected; i++)
    {
      g_assert_cmpuint (found[i].label, ==, expected[i].label);
      g_assert_cmpuint (found[i].area, ==, expected[i].area);
      for (int k = 0; k < 3; k++)
        {
          assert_same_number (found[i].centroid[k], expected[i].centroid[k]);
          g_assert_cmpint (found[i].first[k], ==, expected[i].first[k]);
          g_assert_cmpint (found[i].last[k], ==, expected[i].last[k]);
        }
      g_assert_cmpint (isnan (found[i].mean), ==, isnan (expected[i].mean));
      if (! isnan (expected[i].mean))
        assert_same_number (found[i].mean, expected[i].mean);
      g_assert_cmpint (isnan (found[i].minimum), ==, isnan (expected[i].minimum));
      if (! isnan (expected[i].minimum))
        {
          assert_same_number (found[i].minimum, expected[i].minimum);
          assert_same_number (found[i].maximum, expected[i].maximum);
        }
      assert_same_number (found[i].depth, expected[i].depth);
    }
}
