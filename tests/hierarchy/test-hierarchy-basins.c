/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hierarchies of the basins of watersheds in images of ordinary size: properties that follow
 * from the definitions.
 */

#include <math.h>
#include <string.h>

#include "tests/support/configurations.h"
#include "tests/support/scene.h"
#include "tests/support/tiers.h"

static const Medium media[] =
{
  { WF_TYPE_U8,  { 200, 150, 1 }, 8 },
  { WF_TYPE_U8,  { 200, 150, 1 }, 4 },
  { WF_TYPE_U16, { 150, 201, 1 }, 8 },
  { WF_TYPE_F32, { 201, 150, 1 }, 4 },
  { WF_TYPE_U8,  { 40, 30, 20 },  26 },
  { WF_TYPE_U16, { 30, 40, 20 },  6 },
};

/* There are as many regions at a depth as basins at a tolerance.  (They are not equal pixel
 * by pixel: a flood from fewer markers divides the slopes differently.)
 */
static void
check_tolerance (gconstpointer data)
{
  const Medium             *medium     = data;
  const double              shares[]   = { 0.004, 0.01, 0.02, 0.04, 0.1, 0.3, 2 };
  g_auto (Scene)            scene      = { 0 };
  g_autoptr (GuardedImage)  fewer      = guarded_image_new (WF_TYPE_U32, &medium->size, FALSE);
  g_autoptr (WfHierarchy)   hierarchy  = NULL;
  guint32                   n_previous;
  guint                     n_steps    = 0;

  scene_init (&scene, medium, FALSE);
  hierarchy  = new_hierarchy (NULL, scene.image, scene.labels, WF_MEASURE_DYNAMICS,
                              medium->connectivity);
  n_previous = scene.n_basins;
  g_assert_cmpuint (wf_hierarchy_cut_at_depth (hierarchy, 0, NULL), ==, scene.n_basins);
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      /* In f32 a level plus the tolerance is rounded; at these no basin ends so closely. */
      double  range     = medium->type == WF_TYPE_U8 ? 255
                          : medium->type == WF_TYPE_U16 ? 65535 : 2;
      double  tolerance = medium->type == WF_TYPE_F32 ? shares[i] * range
                                                      : floor (shares[i] * range);
      guint32 n_regions = wf_hierarchy_cut_at_depth (hierarchy, tolerance, NULL);

      g_assert_cmpuint (n_regions, ==, flood (medium, scene.image, tolerance, FALSE, fewer));
      n_steps   += n_regions < n_previous;
      n_previous = n_regions;
    }
  g_assert_cmpuint (n_previous, ==, 1);
  g_assert_cmpuint (n_steps, >=, 3);
}

/* Lines do not change the depths of basins. */
static void
check_lines (gconstpointer data)
{
  const Medium             *medium = data;
  g_auto (Scene)            scene  = { 0 };
  g_autoptr (GuardedImage)  lined  = guarded_image_new (WF_TYPE_U32, &medium->size, TRUE);
  g_autoptr (WfHierarchy)   plain  = NULL;
  g_autoptr (WfHierarchy)   with   = NULL;

  scene_init (&scene, medium, FALSE);
  g_assert_cmpuint (flood (medium, scene.image, 0, TRUE, lined), ==, scene.n_basins);
  plain = new_hierarchy (NULL, scene.image, scene.labels, WF_MEASURE_DYNAMICS,
                         medium->connectivity);
  with  = new_hierarchy (NULL, scene.image, lined, WF_MEASURE_DYNAMICS, medium->connectivity);
  for (guint32 n = 1; n < scene.n_basins; n++)
    g_assert_cmpfloat (wf_hierarchy_get_depth (plain, n), ==, wf_hierarchy_get_depth (with, n));
}

/* The depths do not depend on the labels of the basins. */
static void
check_renumbering (gconstpointer data)
{
  const Medium        *medium  = data;
  gint64               n       = ref_n_pixels (&medium->size);
  g_auto (Scene)       scene   = { 0 };
  g_autofree guint32  *numbers = NULL;
  g_autofree guint32  *changed = g_new (guint32, n);

  scene_init (&scene, medium, TRUE);
  numbers = g_new (guint32, scene.n_basins + 1);
  numbers[0] = 0;
  for (guint32 i = 1; i <= scene.n_basins; i++)
    {
      guint32 k = g_test_rand_int_range (1, i + 1);

      numbers[i] = numbers[k];
      numbers[k] = i;
    }
  for (gint64 p = 0; p < n; p++)
    changed[p] = numbers[guarded_image_get_label (scene.labels, p)];

  for (int measure = 0; measure < 3; measure++)
    {
      g_autoptr (GuardedImage) other  = guarded_image_new_labels (&medium->size, changed);
      g_autoptr (WfHierarchy)  first  = new_hierarchy (NULL, scene.image, scene.labels,
                                                       (WfMeasure) measure, medium->connectivity);
      g_autoptr (WfHierarchy)  second = new_hierarchy (NULL, scene.image, other,
                                                       (WfMeasure) measure, medium->connectivity);

      for (guint32 i = 1; i < scene.n_basins; i++)
        g_assert_cmpfloat (wf_hierarchy_get_depth (first, i), ==,
                           wf_hierarchy_get_depth (second, i));
    }
}

/* Every region of a partition is a union of regions of every finer one, and its number
 * is that of its first basin among those.
 */
static void
check_nested (gconstpointer data)
{
  const Medium   *medium = data;
  g_auto (Scene)  scene  = { 0 };

  scene_init (&scene, medium, FALSE);
  for (int measure = 0; measure < 3; measure++)
    {
      g_autoptr (WfHierarchy)  hierarchy = new_hierarchy (NULL, scene.image, scene.labels,
                                                          (WfMeasure) measure,
                                                          medium->connectivity);
      g_autofree guint32      *finer     = g_new (guint32, scene.n_basins);
      g_autofree guint32      *coarser   = g_new (guint32, scene.n_basins);
      g_autofree guint32      *around    = g_new (guint32, scene.n_basins + 1);

      wf_hierarchy_cut_to_count (hierarchy, scene.n_basins, finer);
      for (guint32 i = 0; i < scene.n_basins; i++)
        g_assert_cmpuint (finer[i], ==, i + 1);
      for (guint32 wished = scene.n_basins; wished > 0; wished = wished * 3 / 4)
        {
          guint32 highest = 0;
          double  depth   = wf_hierarchy_get_depth (hierarchy, wished);

          g_assert_cmpuint (wf_hierarchy_cut_to_count (hierarchy, wished, coarser), ==, wished);
          g_assert_cmpuint (wf_hierarchy_cut_at_depth (hierarchy, depth, NULL), <=, wished);
          if (depth > 0)
            g_assert_cmpuint (wf_hierarchy_cut_at_depth (hierarchy, nextafter (depth, 0), NULL),
                              >, wished);
          memset (around, 0, (scene.n_basins + 1) * sizeof *around);
          for (guint32 i = 0; i < scene.n_basins; i++)
            {
              g_assert_cmpuint (coarser[i], <=, highest + 1);
              highest = MAX (highest, coarser[i]);
              if (around[finer[i]] == 0)
                around[finer[i]] = coarser[i];
              g_assert_cmpuint (around[finer[i]], ==, coarser[i]);
            }
          g_assert_cmpuint (highest, ==, wished);
          memcpy (finer, coarser, scene.n_basins * sizeof *finer);
        }
    }
}

/* The pixels of the map above a depth are the boundaries at that depth.  Regions do not
 * touch if basins do not, and a depth of 0 changes nothing.
 */
static void
check_saliency (const Medium *medium,
                gboolean      lines)
{
  gint64                    n         = ref_n_pixels (&medium->size);
  g_auto (Scene)            scene     = { 0 };
  g_autoptr (GuardedImage)  map       = guarded_image_new (WF_TYPE_F64, &medium->size, FALSE);
  g_autoptr (GuardedImage)  partition = guarded_image_new (WF_TYPE_U32, &medium->size, FALSE);
  g_autoptr (WfHierarchy)   hierarchy = NULL;
  g_autofree guint32       *regions   = NULL;
  const double             *depths    = map->view.data;
  gint64                    n_edges   = 0;

  scene_init (&scene, medium, lines);
  regions   = g_new (guint32, scene.n_basins);
  hierarchy = new_hierarchy (NULL, scene.image, scene.labels, WF_MEASURE_VOLUME,
                             medium->connectivity);
  g_assert_true (wf_hierarchy_saliency (NULL, hierarchy, &scene.labels->view, &map->view, NULL));
  for (guint32 wished = scene.n_basins; wished > 0; wished /= 2)
    {
      double depth = wf_hierarchy_get_depth (hierarchy, wished);

      wf_hierarchy_cut_at_depth (hierarchy, depth, regions);
      g_assert_true (wf_hierarchy_relabel (NULL, hierarchy, regions, &scene.labels->view,
                                           &partition->view, NULL));
      for (gint64 p = 0; p < n; p++)
        {
          gint64   neighbours[REF_MAX_NEIGHBOURS];
          int      n_neighbours = ref_neighbours (&medium->size, medium->connectivity, p,
                                                  neighbours);
          guint32  label        = guarded_image_get_label (scene.labels, p);
          guint32  region       = guarded_image_get_label (partition, p);
          gboolean on_edge      = FALSE;

          for (int i = 0; i < n_neighbours; i++)
            {
              guint32 other = guarded_image_get_label (partition, neighbours[i]);

              on_edge |= region != 0 && other != 0 && other != region;
            }
          if (wished == scene.n_basins)
            g_assert_cmpuint (region, ==, label);
          if (lines)
            g_assert_false (on_edge);
          if (label != 0)
            g_assert_true (on_edge == (depths[p] > depth));
          else if (region == 0 && depths[p] != 0)
            g_assert_cmpfloat (depths[p], >, depth);
          else if (region != 0)
            g_assert_true (depths[p] > 0 && depths[p] <= depth);
          n_edges += depths[p] > depth;
        }
    }
  g_assert_cmpint (n_edges, >, n / 10);
}

static void
check_saliency_plain (gconstpointer data)
{
  check_saliency (data, FALSE);
}

static void
check_saliency_lines (gconstpointer data)
{
  check_saliency (data, TRUE);
}

/* Threads, bands and instruction sets do not change the result. */
static void
check_configurations (gconstpointer data)
{
  const Medium               *medium         = data;
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_auto (Scene)              scene          = { 0 };

  scene_init (&scene, medium, g_test_rand_bit ());
  for (int measure = 0; measure < 3; measure++)
    {
      g_autoptr (WfHierarchy)  model    = new_hierarchy (NULL, scene.image, scene.labels,
                                                         (WfMeasure) measure,
                                                         medium->connectivity);
      g_autofree guint32      *expected = g_new (guint32, scene.n_basins);
      g_autofree guint32      *regions  = g_new (guint32, scene.n_basins);

      for (int i = 0; i < 12; i++)
        {
          const Configuration     *configuration = configurations_pick (configurations);
          g_autoptr (WfHierarchy)  hierarchy     = NULL;

          configuration_note (configuration);
          hierarchy = new_hierarchy (configuration->context, scene.image, scene.labels,
                                     (WfMeasure) measure, medium->connectivity);
          for (guint32 n = 1; n <= scene.n_basins; n++)
            g_assert_cmpfloat (wf_hierarchy_get_depth (hierarchy, n), ==,
                               wf_hierarchy_get_depth (model, n));
          for (guint32 n = 1; n <= scene.n_basins; n += 1 + n / 4)
            {
              wf_hierarchy_cut_to_count (model, n, expected);
              wf_hierarchy_cut_to_count (hierarchy, n, regions);
              g_assert_cmpmem (regions, scene.n_basins * sizeof *regions, expected,
                               scene.n_basins * sizeof *expected);
            }
        }
    }
}

typedef struct
{
  const WfHierarchy *hierarchy;
  guint32            n_wrong;
} Reader;

static gpointer
read_cuts (gpointer data)
{
  Reader              *reader   = data;
  guint32              n        = wf_hierarchy_get_n_basins (reader->hierarchy);
  g_autofree guint32  *regions  = g_new (guint32, n);
  g_autofree guint32  *expected = g_new (guint32, n);

  wf_hierarchy_cut_to_count (reader->hierarchy, n / 2, expected);
  for (guint32 i = 0; i < 200; i++)
    {
      reader->n_wrong += wf_hierarchy_cut_to_count (reader->hierarchy, 1 + i % n, regions)
                         != 1 + i % n;
      wf_hierarchy_cut_to_count (reader->hierarchy, n / 2, regions);
      reader->n_wrong += memcmp (regions, expected, n * sizeof *regions) != 0;
    }
  return NULL;
}

static void
test_concurrent_cuts (void)
{
  g_auto (Scene)          scene     = { 0 };
  g_autoptr (WfHierarchy) hierarchy = NULL;
  Reader                  readers[4];
  GThread                *threads[4];

  scene_init (&scene, &media[0], FALSE);
  hierarchy = new_hierarchy (NULL, scene.image, scene.labels, WF_MEASURE_AREA, 0);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      readers[i] = (Reader) { wf_hierarchy_ref (hierarchy), 0 };
      threads[i] = g_thread_new ("reader", read_cuts, &readers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_thread_join (threads[i]);
      wf_hierarchy_unref ((WfHierarchy *) readers[i].hierarchy);
      g_assert_cmpuint (readers[i].n_wrong, ==, 0);
    }
}

static void
add (const char    *name,
     GTestDataFunc  test)
{
  for (guint i = 0; i < G_N_ELEMENTS (media); i++)
    {
      g_autofree char *path = g_strdup_printf ("/hierarchy/%s/%u", name, i);

      g_test_add_data_func (path, &media[i], test);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add ("tolerance", check_tolerance);
  add ("lines", check_lines);
  add ("renumbering", check_renumbering);
  add ("nested", check_nested);
  add ("saliency", check_saliency_plain);
  add ("saliency-lines", check_saliency_lines);
  add ("configurations", check_configurations);
  g_test_add_func ("/hierarchy/concurrent-cuts", test_concurrent_cuts);

  return g_test_run ();
}
