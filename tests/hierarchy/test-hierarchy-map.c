/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Maps from labels to labels: the partitions of a hierarchy as tables. */

#include <string.h>

#include "tests/support/refusals.h"
#include "tests/support/scene.h"
#include "tests/support/tiers.h"

#define SLACK 3
#define MARK  0xABCDEF01u

static const Medium media[] =
{
  { WF_TYPE_U8,  { 120, 90, 1 },  8 },
  { WF_TYPE_U8,  { 120, 90, 1 },  4 },
  { WF_TYPE_U16, { 90, 121, 1 },  8 },
  { WF_TYPE_F32, { 121, 90, 1 },  8 },
  { WF_TYPE_U8,  { 30, 24, 16 },  26 },
};

/* Labels 1 to n; with gaps; and in no order, which the hierarchy sorts. */
static guint32
change_label (int     way,
              guint32 label,
              guint32 n_basins)
{
  switch (way)
    {
    case 0:
      return label;
    case 1:
      return 5 + 3 * label;
    default:
      return 1 + 2 * (n_basins - label);
    }
}

/* In packed pixels, too. */
static void
change_labels (Scene         *scene,
               const RefSize *size,
               int            way)
{
  gint64              n      = ref_n_pixels (size);
  g_autofree guint32 *labels = g_new (guint32, n);

  for (gint64 p = 0; p < n; p++)
    {
      labels[p] = guarded_image_get_label (scene->labels, p);
      if (labels[p] != 0)
        labels[p] = change_label (way, labels[p], scene->n_basins);
    }
  guarded_image_free (scene->labels);
  scene->labels = guarded_image_new_labels (size, labels);
}

/* Each region has one label, that of its first basin; the table holds nothing else. */
static void
check_map (const WfHierarchy *hierarchy,
           guint32            n_regions,
           const guint32     *regions,
           const guint32     *map,
           gsize              n_entries)
{
  guint32             n_basins = wf_hierarchy_get_n_basins (hierarchy);
  g_autofree guint32 *first    = g_new0 (guint32, n_regions + 1);
  gsize               n_filled = 0;

  for (guint32 i = 0; i < n_basins; i++)
    {
      guint32 label = wf_hierarchy_get_label (hierarchy, i);

      if (first[regions[i]] == 0)
        first[regions[i]] = label;
      g_assert_cmpuint (map[label], ==, first[regions[i]]);
    }
  for (gsize i = 0; i < n_entries; i++)
    n_filled += map[i] != 0;
  g_assert_cmpuint (n_filled, ==, n_basins);
}

/* Where wf_hierarchy_relabel() gives a region to a labelled pixel, the map gives the label
 * of that region's first basin.
 */
static void
check_pixels (const WfHierarchy *hierarchy,
              const Scene       *scene,
              const guint32     *regions,
              const guint32     *map)
{
  g_auto (WfImage)  out    = { 0 };
  const WfImage    *labels = &scene->labels->view;
  const guint32    *after;
  guint32           n_seen = 0;

  g_assert_true (wf_image_allocate (&out, WF_TYPE_U32, labels->width, labels->height,
                                    labels->depth, NULL));
  g_assert_true (wf_hierarchy_relabel (NULL, hierarchy, regions, labels, &out, NULL));
  after = out.data;
  for (gint64 p = 0; p < wf_image_n_pixels (labels); p++)
    if (guarded_image_get_label (scene->labels, p) != 0)
      {
        guint32 before = guarded_image_get_label (scene->labels, p);
        guint32 first  = 0;

        while (regions[first] != after[p])
          first++;
        g_assert_cmpuint (map[before], ==, wf_hierarchy_get_label (hierarchy, first));
        n_seen++;
      }
  g_assert_cmpuint (n_seen, >, 0);
}

static void
check_cuts (const WfHierarchy *hierarchy,
            const Scene       *scene)
{
  guint32             n_basins  = wf_hierarchy_get_n_basins (hierarchy);
  gsize               n_entries = (gsize) wf_hierarchy_get_highest_label (hierarchy) + 1;
  g_autofree guint32 *regions   = g_new (guint32, n_basins);
  g_autofree guint32 *map       = g_new (guint32, n_entries + SLACK);
  GError             *error     = NULL;

  g_assert_cmpuint (n_entries - 1, ==, wf_hierarchy_get_label (hierarchy, n_basins - 1));
  for (int i = 0; i < 8; i++)
    {
      guint32 wished = i == 0 ? 1 : i == 1 ? n_basins : i == 2 ? n_basins + 7
                       : g_test_rand_int_range (1, n_basins + 1);
      double  depth  = wf_hierarchy_get_depth (hierarchy, wished);
      guint32 n_regions;

      memset (map, 0xEE, (n_entries + SLACK) * sizeof *map);
      map[n_entries] = MARK;
      n_regions = wf_hierarchy_cut_to_count (hierarchy, wished, regions);
      g_assert_true (wf_hierarchy_get_map (hierarchy, wished, map, n_entries, &error));
      g_assert_no_error (error);
      check_map (hierarchy, n_regions, regions, map, n_entries);
      check_pixels (hierarchy, scene, regions, map);
      g_assert_cmpuint (map[n_entries], ==, MARK);

      /* at a depth, and in a table that has room to spare */
      n_regions = wf_hierarchy_cut_at_depth (hierarchy, depth, regions);
      g_assert_true (wf_hierarchy_get_map (hierarchy, n_regions, map, n_entries + SLACK, &error));
      g_assert_no_error (error);
      check_map (hierarchy, n_regions, regions, map, n_entries + SLACK);
    }
}

static void
test_cuts (gconstpointer data)
{
  const Medium *medium = data;

  for (int way = 0; way < 3; way++)
    for (int measure = 0; measure < 3; measure++)
      {
        g_auto (Scene)           scene     = { 0 };
        g_autoptr (WfHierarchy)  hierarchy = NULL;

        scene_init (&scene, medium, g_test_rand_bit ());
        change_labels (&scene, &medium->size, way);
        hierarchy = new_hierarchy (NULL, scene.image, scene.labels, (WfMeasure) measure,
                                   medium->connectivity);
        check_cuts (hierarchy, &scene);
      }
}

static void
test_too_small (void)
{
  g_auto (Scene)           scene     = { 0 };
  g_autoptr (WfHierarchy)  hierarchy = NULL;
  g_autofree guint32      *map       = NULL;
  guint32                  highest;

  scene_init (&scene, &media[0], FALSE);
  hierarchy = new_hierarchy (NULL, scene.image, scene.labels, WF_MEASURE_AREA, 8);
  highest   = wf_hierarchy_get_highest_label (hierarchy);
  map       = g_new (guint32, highest + 1);
  for (guint32 i = 0; i <= highest; i++)
    map[i] = MARK;
  assert_refused (wf_hierarchy_get_map (hierarchy, 2, map, highest, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_hierarchy_get_map (hierarchy, 2, map, 0, &refusal), WF_ERROR_INVALID);
  for (guint32 i = 0; i <= highest; i++)
    g_assert_cmpuint (map[i], ==, MARK);
}

/* The time of a map of many basins, as a slider needs it. */
static void
test_speed (void)
{
  const gint64             side      = 900;
  g_auto (WfImage)         image     = { 0 };
  g_auto (WfImage)         labels    = { 0 };
  g_autoptr (WfHierarchy)  hierarchy = NULL;
  g_autofree guint32      *map       = NULL;
  guint32                  n_basins  = 0;
  double                   best      = G_MAXDOUBLE;
  GError                  *error     = NULL;

  g_assert_true (wf_image_allocate (&image, WF_TYPE_U16, side, side, 1, NULL));
  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, side, side, 1, NULL));
  for (gint64 p = 0; p < side * side; p++)
    ((guint16 *) image.data)[p] = (guint16) g_test_rand_int_range (0, 65536);
  g_assert_true (wf_watershed (NULL, &image, NULL, &labels, &n_basins, NULL, &error));
  hierarchy = wf_hierarchy_new (NULL, &image, &labels, NULL, &error);
  g_assert_no_error (error);
  map = g_new (guint32, n_basins + 1);
  for (int i = 0; i < 9; i++)
    {
      gint64 start = g_get_monotonic_time ();

      g_assert_true (wf_hierarchy_get_map (hierarchy, n_basins / (i + 1), map, n_basins + 1,
                                           NULL));
      best = MIN (best, (g_get_monotonic_time () - start) / 1e3);
    }
  g_test_message ("a map of %u basins: %.3f ms", n_basins, best);
  g_assert_cmpuint (n_basins, >, 80000);
  g_assert_cmpfloat (best, <, 50);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (media); i++)
    {
      g_autofree char *path = g_strdup_printf ("/hierarchy-map/cuts/%u", i);

      g_test_add_data_func (path, &media[i], test_cuts);
    }
  g_test_add_func ("/hierarchy-map/too-small", test_too_small);
  g_test_add_func ("/hierarchy-map/speed", test_speed);

  return g_test_run ();
}
