/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The meaning of merge values, and the stops of a slider. */

#include <math.h>
#include <string.h>

#include "ui/options/level-entry.h"
#include "merge-scene.h"
#include "ui/options/number-entry.h"
#include "tests/support/tiers.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };


/* The number of basins that the engine leaves for a script with @value. */
static guint32
count_as_script (const Scene *scene,
                 WfMergeBy    by,
                 double       value)
{
  const WfHierarchy *hierarchy = scene_get_hierarchy (scene, by);
  WfType             type      = scene->image.type;

  switch (by)
    {
    case WF_MERGE_BY_COUNT:
      return value == 0 ? scene->n_basins
                        : wf_hierarchy_cut_to_count (hierarchy, (guint32) value, NULL);
    case WF_MERGE_BY_AREA:
      return wf_hierarchy_cut_at_depth (hierarchy, value, NULL);
    case WF_MERGE_BY_VOLUME:
      return wf_hierarchy_cut_at_depth (hierarchy, value * wf_level_maximum (type), NULL);
    default:
      return wf_hierarchy_cut_at_depth (hierarchy, wf_level_from_fraction (value, type), NULL);
    }
}


/*  Stops  */

static void
test_stops (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (Scene) scene = { 0 };

      scene_init (&scene, types[i], 150);
      for (int by = 0; by <= WF_MERGE_BY_COUNT; by++)
        for (guint most = 100; most <= 400; most *= 2)
          {
            g_autoptr (GArray)  stops = wf_merge_list_stops (scene_get_hierarchy (&scene, by), by,
                                                             types[i], most);
            const WfMergeStop  *stop  = (const WfMergeStop *) stops->data;

            g_assert_cmpuint (stops->len, <=, most);
            g_assert_cmpuint (stops->len, >, 10);
            g_assert_cmpfloat (stop[0].value, ==, 0);
            g_assert_cmpuint (stop[0].count, ==, scene.n_basins);
            g_assert_cmpuint (stop[stops->len - 1].count, ==, 1);
            for (guint j = 0; j < stops->len; j++)
              {
                g_autofree char *text  = wf_number_format (stop[j].value);
                double           value = -1;

                g_assert_cmpuint (stop[j].count, ==, count_as_script (&scene, by,
                                                                      stop[j].value));
                g_assert_true (wf_number_parse (text, &value));
                g_assert_cmpfloat (value, ==, stop[j].value);
                g_assert_cmpuint (strlen (text), <=, 12);
                g_assert_cmpfloat (wf_merge_find_stop (stops, stop[j].count), ==, j);
                if (j > 0)
                  {
                    g_assert_cmpuint (stop[j].count, <, stop[j - 1].count);
                    if (by != WF_MERGE_BY_COUNT)
                      g_assert_cmpfloat (stop[j].value, >, stop[j - 1].value);
                  }
              }
          }
    }
}

/* Each tenth of the stops merges about the same fraction. */
static void
test_stops_are_even (void)
{
  g_auto (Scene)      scene = { 0 };
  g_autoptr (GArray)  stops = NULL;
  const WfMergeStop  *stop;

  scene_init (&scene, WF_TYPE_F32, 400);
  stops = wf_merge_list_stops (scene.hierarchies[0], WF_MERGE_BY_DYNAMICS, WF_TYPE_F32, 400);
  stop  = (const WfMergeStop *) stops->data;
  g_assert_cmpuint (scene.n_basins, >, 5000);
  for (guint j = stops->len / 10; j < stops->len; j += stops->len / 10)
    g_assert_cmpfloat (stop[j].count, <, 0.85 * stop[j - stops->len / 10].count);
}

/* Few depths are all stops. */
static void
test_all_stops (void)
{
  g_auto (Scene)         scene = { 0 };
  g_autoptr (GArray)     stops = NULL;
  g_autoptr (GHashTable) seen  = g_hash_table_new (NULL, NULL);

  scene_init (&scene, WF_TYPE_U8, 300);
  stops = wf_merge_list_stops (scene.hierarchies[0], WF_MERGE_BY_DYNAMICS, WF_TYPE_U8, 400);
  for (int depth = 0; depth <= 255; depth++)
    g_hash_table_add (seen, GUINT_TO_POINTER (wf_hierarchy_cut_at_depth (scene.hierarchies[0],
                                                                         depth, NULL)));
  g_assert_cmpuint (stops->len, ==, g_hash_table_size (seen));
}

static void
test_find_stop (void)
{
  g_autoptr (GArray)  stops = g_array_new (FALSE, FALSE, sizeof (WfMergeStop));
  const WfMergeStop   all[] = { { 0, 1000 }, { 1, 100 }, { 2, 10 }, { 3, 2 } };

  g_array_append_vals (stops, all, G_N_ELEMENTS (all));
  g_assert_cmpfloat (wf_merge_find_stop (stops, 5000), ==, 0);
  g_assert_cmpfloat (wf_merge_find_stop (stops, 1000), ==, 0);
  g_assert_cmpfloat_with_epsilon (wf_merge_find_stop (stops, 316), 0.5, 0.001);
  g_assert_cmpfloat (wf_merge_find_stop (stops, 100), ==, 1);
  g_assert_cmpfloat (wf_merge_find_stop (stops, 2), ==, 3);
  g_assert_cmpfloat (wf_merge_find_stop (stops, 1), ==, 3);
}

/* Values are the least ones, and short: no smaller value leaves as few basins. */
static void
test_find_value (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (Scene) scene = { 0 };

      scene_init (&scene, types[i], 120);
      for (int by = 0; by <= WF_MERGE_BY_COUNT; by++)
        for (guint32 count = scene.n_basins + 2; count > 0; count -= 1 + count / 20)
          {
            const WfHierarchy *hierarchy = scene_get_hierarchy (&scene, by);
            double             value     = wf_merge_find_value (hierarchy, by, count, types[i]);
            guint32            left      = wf_merge_count (hierarchy, by, value, types[i]);

            g_assert_cmpuint (left, <=, count);
            g_assert_cmpuint (left, ==, count_as_script (&scene, by, value));
            if (by == WF_MERGE_BY_COUNT)
              g_assert_cmpuint (left, ==, MIN (count, scene.n_basins));
            else if (value > 0)
              {
                double depth = wf_hierarchy_get_depth (hierarchy, count);

                g_assert_cmpuint (left, ==, wf_hierarchy_cut_at_depth (hierarchy, depth, NULL));
              }
          }
    }
}

/* Between markers on a plain the depth is the least possible. */
static void
check_plain (WfType type)
{
  static const guint8  levels[] = { 7, 7, 7, 7, 9, 3, 3, 3 };
  static const guint32 labels[] = { 1, 1, 2, 2, 3, 3, 3, 3 };
  g_auto (Scene)       scene    = { 0 };

  g_assert_true (wf_image_allocate (&scene.image, type, 8, 1, 1, NULL));
  g_assert_true (wf_image_allocate (&scene.labels, WF_TYPE_U32, 8, 1, 1, NULL));
  memcpy (scene.labels.data, labels, sizeof labels);
  for (int i = 0; i < 8; i++)
    if (type == WF_TYPE_U8)
      ((guint8 *) scene.image.data)[i] = levels[i];
    else if (type == WF_TYPE_U16)
      ((guint16 *) scene.image.data)[i] = levels[i];
    else
      ((float *) scene.image.data)[i] = levels[i];
  scene_add_hierarchies (&scene);

  for (int by = 0; by < WF_MERGE_BY_COUNT; by++)
    {
      const WfHierarchy  *hierarchy = scene_get_hierarchy (&scene, by);
      g_autoptr (GArray)  stops     = wf_merge_list_stops (hierarchy, by, type, 100);

      for (guint i = 0; i < stops->len; i++)
        {
          const WfMergeStop *stop = &g_array_index (stops, WfMergeStop, i);

          g_assert_cmpuint (stop->count, ==, 3 - i);
          g_assert_cmpuint (stop->count, ==, count_as_script (&scene, by, stop->value));
        }
      g_assert_cmpuint (stops->len, ==, 3);
      for (guint32 count = 1; count <= 3; count++)
        g_assert_cmpuint (wf_merge_count (hierarchy, by,
                                          wf_merge_find_value (hierarchy, by, count, type),
                                          type), ==, count);
    }
}

static void
test_plain (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    check_plain (types[i]);
}

/* Nothing is merged across a background, by whichever measure. */
static void
test_parts (void)
{
  static const float   levels[] = { 0.1F, 0.3F, 0.2F, INFINITY, 0.5F, 0.7F, 0.6F, INFINITY, 0.4F };
  static const guint32 labels[] = { 1, 1, 2, 0, 3, 3, 4, 0, 5 };
  g_auto (Scene)       scene    = { 0 };

  g_assert_true (wf_image_allocate (&scene.image, WF_TYPE_F32, 9, 1, 1, NULL));
  g_assert_true (wf_image_allocate (&scene.labels, WF_TYPE_U32, 9, 1, 1, NULL));
  memcpy (scene.image.data, levels, sizeof levels);
  memcpy (scene.labels.data, labels, sizeof labels);
  scene_add_hierarchies (&scene);

  for (int by = 0; by <= WF_MERGE_BY_COUNT; by++)
    {
      const WfHierarchy  *hierarchy = scene_get_hierarchy (&scene, by);
      g_autoptr (GArray)  stops     = wf_merge_list_stops (hierarchy, by, WF_TYPE_F32, 100);
      const WfMergeStop  *last      = &g_array_index (stops, WfMergeStop, stops->len - 1);

      g_assert_cmpuint (last->count, ==, 3);
      g_assert_cmpuint (wf_merge_count (hierarchy, by, last->value, WF_TYPE_F32), ==, 3);
      for (double value = 1; value <= 7; value++)
        g_assert_cmpuint (wf_merge_count (hierarchy, by, value, WF_TYPE_F32), ==,
                          by == WF_MERGE_BY_COUNT ? (guint32) CLAMP (value, 3, 5) : 3);
    }
  g_assert_cmpfloat (wf_merge_find_value (scene_get_hierarchy (&scene, WF_MERGE_BY_COUNT),
                                          WF_MERGE_BY_COUNT, 1, WF_TYPE_F32), ==, 3);
}

static void
test_texts (void)
{
  const struct { double value; const char *text; } cases[] =
  {
    { 0, "0" }, { 3, "3" }, { 0.1, "0.1" }, { 0.012, "0.012" }, { 1234567, "1234567" },
    { 1.0 / 3, "0.3333333333333333" }, { 1e300, "1.0000000000000001e+300" },
  };
  const char *const bad[] = { "", " ", "x", "-1", "1x", "1 2", "nan", "inf", "0,5x" };
  double            value = -1;
  WfMergeBy         by;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = wf_number_format (cases[i].value);

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_true (wf_number_parse (text, &value));
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (wf_number_parse (bad[i], &value));
  g_assert_true (wf_number_parse (" 0.50 ", &value));
  g_assert_cmpfloat (value, ==, 0.5);
  g_assert_true (wf_merge_by_parse ("volume", &by) && by == WF_MERGE_BY_VOLUME);
  g_assert_false (wf_merge_by_parse ("depth", &by) || wf_merge_by_parse (NULL, &by));
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/merge/stops", test_stops);
  g_test_add_func ("/merge/stops-are-even", test_stops_are_even);
  g_test_add_func ("/merge/all-stops", test_all_stops);
  g_test_add_func ("/merge/find-stop", test_find_stop);
  g_test_add_func ("/merge/find-value", test_find_value);
  g_test_add_func ("/merge/plain", test_plain);
  g_test_add_func ("/merge/parts", test_parts);
  g_test_add_func ("/merge/texts", test_texts);

  return g_test_run ();
}
