/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hierarchies of small images: random ones against the reference, and known results. */

#include <float.h>
#include <math.h>

#include "tests/support/cases.h"
#include "tests/support/scene.h"
#include "tests/support/tiers.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static void
test_random (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_hierarchy_cases (configurations, test_count (300, 2000));
}

static void
test_masked (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_masked_hierarchy_cases (configurations, test_count (300, 2000));
}


/*  Results that are known  */

static void
assert_depths_in (WfType         type,
                  const double  *levels,
                  const guint32 *labels,
                  gint64         width,
                  WfMeasure      measure,
                  const double  *depths,
                  guint32        n_basins)
{
  const RefSize            size   = { width, 1, 1 };
  g_autoptr (GuardedImage) image  = guarded_image_new_levels (type, &size, levels);
  g_autoptr (GuardedImage) basins = guarded_image_new_labels (&size, labels);
  g_autoptr (WfHierarchy)  tree   = new_hierarchy (NULL, image, basins, measure, 0);

  g_assert_cmpuint (wf_hierarchy_get_n_basins (tree), ==, n_basins);
  for (guint32 n = 1; n < n_basins; n++)
    g_assert_cmpfloat (wf_hierarchy_get_depth (tree, n), ==, depths[n - 1]);
  g_assert_cmpfloat (wf_hierarchy_get_depth (tree, n_basins), ==, 0);
  g_assert_cmpfloat (wf_hierarchy_get_depth (tree, n_basins + 7), ==, 0);
}

static void
assert_depths (const double  *levels,
               const guint32 *labels,
               gint64         width,
               WfMeasure      measure,
               const double  *depths,
               guint32        n_basins)
{
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    assert_depths_in (types[k], levels, labels, width, measure, depths, n_basins);
}

/* Three basins in a row with passes at 6 and 9: by hand.
 *
 *   at 6  the second gives way to the first: 6 − 4; 3 pixels of 4; 2 + 1 of 5 + 3 + 1
 *   at 9  the third meets both: 9 − 2 against 9 − 1; 3 pixels against 7; 7 + 3 of what
 *         the others hold
 */
static void
test_by_hand (void)
{
  const double  levels[] = { 1, 3, 5, 6, 4, 5, 9, 2, 6, 9 };
  const guint32 labels[] = { 1, 1, 1, 1, 2, 2, 2, 3, 3, 3 };

  assert_depths (levels, labels, 10, WF_MEASURE_DYNAMICS, (double[]) { 7, 2 }, 3);
  assert_depths (levels, labels, 10, WF_MEASURE_AREA, (double[]) { 3, 3 }, 3);
  assert_depths (levels, labels, 10, WF_MEASURE_VOLUME, (double[]) { 10, 3 }, 3);
}

/* Three basins that meet at one level: each merge has the measure of a single basin, not of
 * a region that was made at that level.
 */
static void
test_meeting_at_once (void)
{
  const double  levels[] = { 2, 2, 5, 3, 5, 1, 1, 1, 5 };
  const guint32 labels[] = { 7, 7, 7, 3, 3, 5, 5, 5, 5 };

  assert_depths (levels, labels, 9, WF_MEASURE_DYNAMICS, (double[]) { 3, 2 }, 3);
  assert_depths (levels, labels, 9, WF_MEASURE_AREA, (double[]) { 3, 2 }, 3);
  assert_depths (levels, labels, 9, WF_MEASURE_VOLUME, (double[]) { 6, 2 }, 3);
}

/* A line, a wide unlabelled zone with a minimum in it, and unlabelled pixels at an end. */
static void
test_ground (void)
{
  const double  levels[] = { 1, 4, 2, 7, 5, 6, 8, 3, 9 };
  const guint32 labels[] = { 1, 0, 2, 0, 0, 0, 0, 4, 0 };

  assert_depths (levels, labels, 9, WF_MEASURE_DYNAMICS, (double[]) { 5, 2 }, 3);
  assert_depths (levels, labels, 9, WF_MEASURE_AREA, (double[]) { 1, 1 }, 3);
  assert_depths (levels, labels, 9, WF_MEASURE_VOLUME, (double[]) { 5, 2 }, 3);
}

/* Basins with nothing between them are one region only at a positive depth. */
static void
test_nothing_between (void)
{
  const double             levels[] = { 3, 3, 3, 3 };
  const guint32            labels[] = { 2, 2, 9, 9 };
  const RefSize            size     = { 4, 1, 1 };
  g_autoptr (GuardedImage) image    = guarded_image_new_levels (WF_TYPE_U8, &size, levels);
  g_autoptr (GuardedImage) basins   = guarded_image_new_labels (&size, labels);
  g_autoptr (WfHierarchy)  tree     = new_hierarchy (NULL, image, basins, WF_MEASURE_DYNAMICS, 4);

  assert_depths (levels, labels, 4, WF_MEASURE_DYNAMICS, (double[]) { FLT_TRUE_MIN }, 2);
  assert_depths (levels, labels, 4, WF_MEASURE_VOLUME, (double[]) { FLT_TRUE_MIN }, 2);
  assert_depths (levels, labels, 4, WF_MEASURE_AREA, (double[]) { 2 }, 2);
  g_assert_cmpuint (wf_hierarchy_cut_at_depth (tree, 0, NULL), ==, 2);
  g_assert_cmpuint (wf_hierarchy_cut_at_depth (tree, FLT_TRUE_MIN, NULL), ==, 1);
}

/* Infinite levels and passes; sums whose intermediate values no double holds. */
static void
test_floats (void)
{
  const guint32 labels[]  = { 1, 1, 1, 2, 2, 2, 2 };
  const double  walls[]   = { -INFINITY, 0, INFINITY, INFINITY, 3, -0.0, 1 };
  const double  low[]     = { -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 1, 2 };
  const double  high[]    = { 5, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
  const double  closest[] = { 0, FLT_TRUE_MIN, FLT_MAX, FLT_MAX, FLT_MAX, -FLT_MAX,
                              -FLT_TRUE_MIN };

  assert_depths_in (WF_TYPE_F32, walls, labels, 7, WF_MEASURE_DYNAMICS, (double[]) { INFINITY }, 2);
  assert_depths_in (WF_TYPE_F32, walls, labels, 7, WF_MEASURE_VOLUME, (double[]) { INFINITY }, 2);
  assert_depths_in (WF_TYPE_F32, low, labels, 7, WF_MEASURE_DYNAMICS,
                    (double[]) { FLT_TRUE_MIN }, 2);
  assert_depths_in (WF_TYPE_F32, low, labels, 7, WF_MEASURE_VOLUME, (double[]) { FLT_TRUE_MIN }, 2);
  assert_depths_in (WF_TYPE_F32, high, labels, 7, WF_MEASURE_DYNAMICS,
                    (double[]) { FLT_TRUE_MIN }, 2);
  assert_depths_in (WF_TYPE_F32, high, labels, 7, WF_MEASURE_VOLUME,
                    (double[]) { FLT_TRUE_MIN }, 2);
  assert_depths_in (WF_TYPE_F32, high, labels, 7, WF_MEASURE_AREA, (double[]) { INFINITY }, 2);

  /* 2 FLT_MAX − FLT_TRUE_MIN rounds to 2 FLT_MAX, 3 FLT_MAX + FLT_TRUE_MIN is more. */
  assert_depths_in (WF_TYPE_F32, closest, labels, 7, WF_MEASURE_VOLUME,
                    (double[]) { 2.0 * FLT_MAX }, 2);
}

/* Ones that a sum of doubles in order would lose beside 2^53. */
static void
test_exact_volume (void)
{
  enum { N = 4099 };
  const RefSize       size   = { 2 * N, 1, 1 };
  g_autofree double  *levels = g_new (double, 2 * N);
  g_autofree guint32 *labels = g_new (guint32, 2 * N);

  for (int i = 0; i < N; i++)
    {
      levels[i]     = i == 0 ? -ldexp (1, 53) : i == N - 1 ? 0 : -1;
      levels[N + i] = i == 0 ? 0 : -ldexp (1, 60);
      labels[i]     = 1;
      labels[N + i] = 2;
    }
  for (int turned = 0; turned < 2; turned++)
    {
      g_autoptr (GuardedImage) image  = guarded_image_new_levels (WF_TYPE_F32, &size, levels);
      g_autoptr (GuardedImage) basins = guarded_image_new_labels (&size, labels);
      g_autoptr (WfHierarchy)  tree   = new_hierarchy (NULL, image, basins, WF_MEASURE_VOLUME, 4);

      /* 2^53 + 4097 is odd, and is rounded to the even one of its neighbours. */
      g_assert_cmpfloat (wf_hierarchy_get_depth (tree, 1), ==, ldexp (1, 53) + 4096);
      for (int i = 0; i < N; i++)
        {
          double level = levels[i];

          levels[i]             = levels[2 * N - 1 - i];
          levels[2 * N - 1 - i] = level;
        }
    }
}

/* Half of the last place of 2^100 is a tie, which the least of all floats breaks. */
static void
test_tie_in_volume (void)
{
  const guint32 labels[] = { 1, 1, 1, 1, 2, 2 };
  const double  tie[]    = { -ldexp (1, 100), -ldexp (1, 47), 0, 0, 0, -ldexp (1, 110) };
  const double  broken[] = { -ldexp (1, 100), -ldexp (1, 47), -FLT_TRUE_MIN, 0, 0,
                             -ldexp (1, 110) };

  assert_depths_in (WF_TYPE_F32, tie, labels, 6, WF_MEASURE_VOLUME,
                    (double[]) { ldexp (1, 100) }, 2);
  assert_depths_in (WF_TYPE_F32, broken, labels, 6, WF_MEASURE_VOLUME,
                    (double[]) { ldexp (1, 100) + ldexp (1, 48) }, 2);
}

/* Above @depth the map shows what the cut at @depth leaves. */
static void
assert_agrees (const WfHierarchy *tree,
               const guint32     *labels,
               const float       *map,
               gint64             n,
               float              depth)
{
  g_autofree guint32 *regions = g_new (guint32, wf_hierarchy_get_n_basins (tree));

  wf_hierarchy_cut_at_depth (tree, depth, regions);
  for (gint64 p = 0; p < n; p++)
    {
      const guint32 own    = regions[labels[p] - 1];
      const guint32 before = regions[labels[MAX (p - 1, 0)] - 1];
      const guint32 after  = regions[labels[MIN (p + 1, n - 1)] - 1];

      g_assert_true ((own != before || own != after) == (map[p] > depth));
    }
}

/* Depths that no float is: the map in f32 and cuts agree for every float all the same. */
static void
test_saliency_of_floats (void)
{
  enum { N = 60 };
  const RefSize size = { N, 1, 1 };
  double        levels[N];
  guint32       labels[N];

  for (guint i = 0; i < test_count (60, 600); i++)
    {
      const WfMeasure          measure = i % 3;
      const int                range   = g_test_rand_int_range (1, 60);
      g_autoptr (GuardedImage) image   = NULL;
      g_autoptr (GuardedImage) basins  = NULL;
      g_autoptr (GuardedImage) out     = guarded_image_new (WF_TYPE_F32, &size, FALSE);
      g_autoptr (WfHierarchy)  tree    = NULL;
      const float             *map     = out->view.data;

      for (int p = 0; p < N; p++)
        {
          levels[p] = (float) ldexp (g_test_rand_double () - 0.5,
                                     g_test_rand_int_range (-range, range));
          labels[p] = 1 + p / 4;
        }
      image  = guarded_image_new_levels (WF_TYPE_F32, &size, levels);
      basins = guarded_image_new_labels (&size, labels);
      tree   = new_hierarchy (NULL, image, basins, measure, 0);
      g_assert_true (wf_hierarchy_saliency (NULL, tree, &basins->view, &out->view, NULL));
      for (int p = 0; p < N; p++)
        {
          assert_agrees (tree, labels, map, N, map[p]);
          assert_agrees (tree, labels, map, N, nextafterf (map[p], INFINITY));
          assert_agrees (tree, labels, map, N, MAX (nextafterf (map[p], -INFINITY), 0));
        }
    }
}

static void
test_one_basin (void)
{
  const RefSize sizes[] = { { 1, 1, 1 }, { 5, 1, 1 }, { 1, 5, 1 }, { 3, 3, 1 }, { 2, 3, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int measure = 0; measure < 3; measure++)
      {
        gint64                   n         = ref_n_pixels (&sizes[i]);
        g_autofree double       *levels    = g_new0 (double, n);
        g_autofree guint32      *labels    = g_new0 (guint32, n);
        g_autoptr (GuardedImage) image     = guarded_image_new_levels (WF_TYPE_F32, &sizes[i],
                                                                       levels);
        g_autoptr (GuardedImage) basins    = NULL;
        g_autoptr (GuardedImage) map       = guarded_image_new (WF_TYPE_F32, &sizes[i], FALSE);
        g_autoptr (WfHierarchy)  hierarchy = NULL;
        guint32                  region    = 0;

        labels[n / 2] = G_MAXUINT32;
        basins        = guarded_image_new_labels (&sizes[i], labels);
        hierarchy     = new_hierarchy (NULL, image, basins, (WfMeasure) measure, 0);
        g_assert_cmpuint (wf_hierarchy_get_n_basins (hierarchy), ==, 1);
        g_assert_cmpuint (wf_hierarchy_get_label (hierarchy, 0), ==, G_MAXUINT32);
        g_assert_cmpuint (wf_hierarchy_cut_at_depth (hierarchy, 1e9, &region), ==, 1);
        g_assert_cmpuint (region, ==, 1);
        g_assert_cmpuint (wf_hierarchy_cut_to_count (hierarchy, 1, &region), ==, 1);
        g_assert_cmpfloat (wf_hierarchy_get_depth (hierarchy, 1), ==, 0);
        g_assert_true (wf_hierarchy_saliency (NULL, hierarchy, &basins->view, &map->view, NULL));
        g_assert_cmpint (guarded_image_find_difference (map, (float[27]) { 0 }), ==, -1);
      }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/hierarchy/by-hand", test_by_hand);
  g_test_add_func ("/hierarchy/meeting-at-once", test_meeting_at_once);
  g_test_add_func ("/hierarchy/ground", test_ground);
  g_test_add_func ("/hierarchy/nothing-between", test_nothing_between);
  g_test_add_func ("/hierarchy/floats", test_floats);
  g_test_add_func ("/hierarchy/exact-volume", test_exact_volume);
  g_test_add_func ("/hierarchy/tie-in-volume", test_tie_in_volume);
  g_test_add_func ("/hierarchy/saliency-of-floats", test_saliency_of_floats);
  g_test_add_func ("/hierarchy/one-basin", test_one_basin);
  g_test_add_func ("/hierarchy/random", test_random);
  g_test_add_func ("/hierarchy/masked", test_masked);

  return g_test_run ();
}
