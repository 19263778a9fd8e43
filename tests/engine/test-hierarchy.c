/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <float.h>
#include <math.h>
#include <string.h>

#include "cases.h"
#include "guarded-image.h"
#include "landscape.h"
#include "refusals.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static void
init_options (WfHierarchyOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), options);
}

static WfHierarchy *
new_hierarchy (WfContext          *context,
               const GuardedImage *image,
               const GuardedImage *labels,
               WfMeasure           measure,
               int                 connectivity)
{
  WfHierarchyOptions  options;
  WfHierarchy        *hierarchy;
  GError             *error = NULL;

  init_options (&options);
  options.measure      = measure;
  options.connectivity = connectivity;
  hierarchy = wf_hierarchy_new (context, &image->view, &labels->view, &options, &error);
  g_assert_no_error (error);
  g_assert_nonnull (hierarchy);
  return hierarchy;
}

static void
test_random (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_hierarchy_cases (configurations, 2000);
}


/*  Results that are known  */

static void
assert_depths (const double  *levels,
               const guint32 *labels,
               gint64         width,
               WfMeasure      measure,
               const double  *depths,
               guint32        n_basins)
{
  const RefSize size = { width, 1, 1 };

  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_autoptr (GuardedImage) image     = guarded_image_new_levels (types[k], &size, levels);
      g_autoptr (GuardedImage) basins    = guarded_image_new_labels (&size, labels);
      g_autoptr (WfHierarchy)  hierarchy = new_hierarchy (NULL, image, basins, measure, 0);

      g_assert_cmpuint (wf_hierarchy_get_n_basins (hierarchy), ==, n_basins);
      for (guint32 n = 1; n < n_basins; n++)
        g_assert_cmpfloat (wf_hierarchy_get_depth (hierarchy, n), ==, depths[n - 1]);
      g_assert_cmpfloat (wf_hierarchy_get_depth (hierarchy, n_basins), ==, 0);
      g_assert_cmpfloat (wf_hierarchy_get_depth (hierarchy, n_basins + 7), ==, 0);
    }
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

/* Three basins that meet at one level: each gives way with what it has itself, not with
 * what it is part of by then.
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

/* A line, thick ground with a hollow in it, and ground at an end. */
static void
test_ground (void)
{
  const double  levels[] = { 1, 4, 2, 7, 5, 6, 8, 3, 9 };
  const guint32 labels[] = { 1, 0, 2, 0, 0, 0, 0, 4, 0 };

  assert_depths (levels, labels, 9, WF_MEASURE_DYNAMICS, (double[]) { 5, 2 }, 3);
  assert_depths (levels, labels, 9, WF_MEASURE_AREA, (double[]) { 1, 1 }, 3);
  assert_depths (levels, labels, 9, WF_MEASURE_VOLUME, (double[]) { 5, 2 }, 3);
}

/* What nothing divides is not one region before something positive is asked for. */
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

static void
assert_float_depths (const double  *levels,
                     const guint32 *labels,
                     gint64         width,
                     WfMeasure      measure,
                     const double  *depths,
                     guint32        n_basins)
{
  const RefSize            size   = { width, 1, 1 };
  g_autoptr (GuardedImage) image  = guarded_image_new_levels (WF_TYPE_F32, &size, levels);
  g_autoptr (GuardedImage) basins = guarded_image_new_labels (&size, labels);
  g_autoptr (WfHierarchy)  tree   = new_hierarchy (NULL, image, basins, measure, 4);

  for (guint32 n = 1; n < n_basins; n++)
    g_assert_cmpfloat (wf_hierarchy_get_depth (tree, n), ==, depths[n - 1]);
}

/* Infinite levels and passes; sums that no double holds on the way. */
static void
test_floats (void)
{
  const guint32 labels[]  = { 1, 1, 1, 2, 2, 2, 2 };
  const double  walls[]   = { -INFINITY, 0, INFINITY, INFINITY, 3, -0.0, 1 };
  const double  low[]     = { -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 1, 2 };
  const double  high[]    = { 5, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
  const double  closest[] = { 0, FLT_TRUE_MIN, FLT_MAX, FLT_MAX, FLT_MAX, -FLT_MAX,
                              -FLT_TRUE_MIN };

  assert_float_depths (walls, labels, 7, WF_MEASURE_DYNAMICS, (double[]) { INFINITY }, 2);
  assert_float_depths (walls, labels, 7, WF_MEASURE_VOLUME, (double[]) { INFINITY }, 2);
  assert_float_depths (low, labels, 7, WF_MEASURE_DYNAMICS, (double[]) { FLT_TRUE_MIN }, 2);
  assert_float_depths (low, labels, 7, WF_MEASURE_VOLUME, (double[]) { FLT_TRUE_MIN }, 2);
  assert_float_depths (high, labels, 7, WF_MEASURE_DYNAMICS, (double[]) { FLT_TRUE_MIN }, 2);
  assert_float_depths (high, labels, 7, WF_MEASURE_VOLUME, (double[]) { FLT_TRUE_MIN }, 2);
  assert_float_depths (high, labels, 7, WF_MEASURE_AREA, (double[]) { 3 }, 2);

  /* 2 FLT_MAX − FLT_TRUE_MIN rounds to 2 FLT_MAX, 3 FLT_MAX + FLT_TRUE_MIN is more. */
  assert_float_depths (closest, labels, 7, WF_MEASURE_VOLUME, (double[]) { 2.0 * FLT_MAX }, 2);
}

/* Ones that doubles, summed in order, would lose beside 2^53 add up. */
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

  assert_float_depths (tie, labels, 6, WF_MEASURE_VOLUME, (double[]) { ldexp (1, 100) }, 2);
  assert_float_depths (broken, labels, 6, WF_MEASURE_VOLUME,
                       (double[]) { ldexp (1, 100) + ldexp (1, 48) }, 2);
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


/*  Basins of watersheds, of images of ordinary size  */

typedef struct
{
  WfType  type;
  RefSize size;
  int     connectivity;
} Medium;

static const Medium media[] =
{
  { WF_TYPE_U8,  { 200, 150, 1 }, 8 },
  { WF_TYPE_U8,  { 200, 150, 1 }, 4 },
  { WF_TYPE_U16, { 150, 201, 1 }, 8 },
  { WF_TYPE_F32, { 201, 150, 1 }, 4 },
  { WF_TYPE_U8,  { 40, 30, 20 },  26 },
  { WF_TYPE_U16, { 30, 40, 20 },  6 },
};

typedef struct
{
  GuardedImage *image;
  GuardedImage *labels;
  guint32       n_basins;
} Scene;

static guint32
flood (const Medium *medium,
       GuardedImage *image,
       double        tolerance,
       gboolean      lines,
       GuardedImage *labels)
{
  WfWatershedOptions  options;
  guint32             n_basins = 0;
  GError             *error    = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.connectivity = medium->connectivity;
  options.tolerance    = tolerance;
  options.lines        = lines;
  wf_watershed (NULL, &image->view, NULL, &labels->view, &n_basins, &options, &error);
  g_assert_no_error (error);
  return n_basins;
}

static void
scene_init (Scene        *scene,
            const Medium *medium,
            gboolean      lines)
{
  g_autofree double *levels = g_new (double, ref_n_pixels (&medium->size));

  make_landscape (medium->type, &medium->size, 1, levels);
  scene->image    = guarded_image_new_levels (medium->type, &medium->size, levels);
  scene->labels   = guarded_image_new (WF_TYPE_U32, &medium->size, g_test_rand_bit ());
  scene->n_basins = flood (medium, scene->image, 0, lines, scene->labels);
  g_assert_cmpuint (scene->n_basins, >, 50);
}

static void
scene_clear (Scene *scene)
{
  guarded_image_free (scene->image);
  guarded_image_free (scene->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

/* As many regions are left at a depth as basins at a tolerance.  (Not the same ones,
 * pixel by pixel: a flood from fewer markers divides the slopes in its own way.)
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

/* Lines change nothing of how deep basins are. */
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

/* How the basins are numbered makes no difference to their depths. */
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

/* What the map shows above a depth are the boundaries at that depth.  Regions do not
 * touch where basins did not, and at a depth of 0 nothing changes.
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

/* Threads, bands and instructions change nothing. */
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


/*  Cancelling, memory  */

typedef struct
{
  GCancellable *cancellable;
  double        at;
  double        last;
  gboolean      wrong_order;
} Watcher;

static void
watch (double   fraction,
       gpointer data)
{
  Watcher *watcher = data;

  watcher->wrong_order |= ! (fraction >= watcher->last && fraction <= 1);
  watcher->last         = fraction;
  if (fraction >= watcher->at)
    g_cancellable_cancel (watcher->cancellable);
}

/* What is cancelled leaves its output alone. */
static void
test_cancelled (void)
{
  g_auto (Scene)            scene       = { 0 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (GuardedImage)  out         = guarded_image_new (WF_TYPE_U32, &media[0].size, TRUE);
  g_autoptr (GuardedImage)  map         = guarded_image_new (WF_TYPE_F32, &media[0].size, TRUE);
  g_autoptr (WfHierarchy)   hierarchy   = NULL;
  g_autofree guint32       *regions     = NULL;

  scene_init (&scene, &media[0], TRUE);
  hierarchy = new_hierarchy (context, scene.image, scene.labels, WF_MEASURE_VOLUME, 0);
  regions   = g_new (guint32, scene.n_basins);
  wf_hierarchy_cut_to_count (hierarchy, 10, regions);

  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (wf_hierarchy_new (context, &scene.image->view, &scene.labels->view, NULL,
                                         &refusal) != NULL, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_refused_with (wf_hierarchy_relabel (context, hierarchy, regions, &scene.labels->view,
                                             &out->view, &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_refused_with (wf_hierarchy_saliency (context, hierarchy, &scene.labels->view, &map->view,
                                              &refusal), G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (guarded_image_is_untouched (out));
  g_assert_true (guarded_image_is_untouched (map));

  g_cancellable_reset (cancellable);
  g_assert_true (wf_hierarchy_relabel (context, hierarchy, regions, &scene.labels->view,
                                       &out->view, NULL));
  g_assert_false (guarded_image_is_untouched (out));
}

/* Stops where progress says to, as far as it is told of it; never goes back. */
static void
test_progress (void)
{
  const Medium              medium  = { WF_TYPE_F32, { 1500, 1200, 1 }, 8 };
  g_auto (Scene)            scene   = { 0 };
  g_autoptr (WfContext)     context = wf_context_new ();

  scene_init (&scene, &medium, TRUE);
  for (int measure = 0; measure < 3; measure++)
    for (double at = 0; at <= 1.2; at += 0.15)
      {
        g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
        g_autoptr (GError)        error       = NULL;
        g_autoptr (WfHierarchy)   hierarchy   = NULL;
        WfHierarchyOptions        options;
        Watcher                   watcher     = { cancellable, at, 0, FALSE };

        init_options (&options);
        options.measure = measure;
        wf_context_set_cancellable (context, cancellable);
        wf_context_set_progress (context, watch, &watcher);
        hierarchy = wf_hierarchy_new (context, &scene.image->view, &scene.labels->view, &options,
                                      &error);
        g_assert_false (watcher.wrong_order);
        if (at > 1)
          g_assert_nonnull (hierarchy);
        if (at == 0)
          g_assert_null (hierarchy);
        if (hierarchy)
          g_assert_cmpfloat (watcher.last, ==, 1);
        else
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      }
}

static void
test_memory (void)
{
  g_auto (Scene)            scene     = { 0 };
  g_autoptr (WfContext)     context   = wf_context_new ();
  g_autoptr (GuardedImage)  out       = guarded_image_new (WF_TYPE_U32, &media[0].size, FALSE);
  g_autoptr (WfHierarchy)   hierarchy = NULL;
  g_autofree guint32       *regions   = NULL;
  guint64                   estimate;

  scene_init (&scene, &media[0], FALSE);
  estimate = wf_estimate_memory (WF_OPERATION_HIERARCHY, &scene.image->view, NULL, NULL);
  g_assert_cmpuint (estimate, >, 0);
  wf_context_set_memory_limit (context, 1000);
  assert_refused (wf_hierarchy_new (context, &scene.image->view, &scene.labels->view, NULL,
                                    &refusal) != NULL, WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, estimate);
  hierarchy = new_hierarchy (context, scene.image, scene.labels, WF_MEASURE_DYNAMICS, 0);
  regions   = g_new (guint32, scene.n_basins);
  wf_hierarchy_cut_to_count (hierarchy, 1, regions);
  wf_context_set_memory_limit (context, 1000);
  assert_refused (wf_hierarchy_relabel (context, hierarchy, regions, &scene.labels->view,
                                        &out->view, &refusal), WF_ERROR_MEMORY);
  g_assert_true (guarded_image_is_untouched (out));
}


/*  Refusals  */

typedef struct
{
  GuardedImage       *image;
  GuardedImage       *labels;
  GuardedImage       *out;
  GuardedImage       *map;
  WfHierarchyOptions  options;
} Arguments;

static void
arguments_init (Arguments *a,
                gint64     depth)
{
  const RefSize size    = { 4, 3, depth };
  const double  zeros[] = { [3 * 4 * 3 - 1] = 0 };
  const guint32 marks[] = { 1, 0, 0, 2, [3 * 4 * 3 - 1] = 0 };

  a->image  = guarded_image_new_levels (WF_TYPE_F32, &size, zeros);
  a->labels = guarded_image_new_labels (&size, marks);
  a->out    = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  a->map    = guarded_image_new (WF_TYPE_F32, &size, FALSE);
  init_options (&a->options);
}

static void
arguments_clear (Arguments *a)
{
  guarded_image_free (a->image);
  guarded_image_free (a->labels);
  guarded_image_free (a->out);
  guarded_image_free (a->map);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

#define assert_new_refused(a)                                                             \
  assert_refused (wf_hierarchy_new (NULL, &(a)->image->view, &(a)->labels->view,          \
                                    &(a)->options, &refusal) != NULL, WF_ERROR_INVALID)

static void
test_input_refused (void)
{
  static const WfType all[]            = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32,
                                           WF_TYPE_U64, WF_TYPE_F64, 7 };
  const int           connectivities[] = { 6, 26, 5, 1, -8, 18 };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_auto (Arguments) image  = { 0 };
      g_auto (Arguments) labels = { 0 };

      arguments_init (&image, 1);
      arguments_init (&labels, 1);
      image.image->view.type   = all[i];
      labels.labels->view.type = all[i];
      if (! (all[i] >= WF_TYPE_U8 && all[i] <= WF_TYPE_F32))
        assert_new_refused (&image);
      if (all[i] != WF_TYPE_U32)
        assert_new_refused (&labels);
    }
  for (guint i = 0; i < G_N_ELEMENTS (connectivities); i++)
    {
      g_auto (Arguments) a     = { 0 };
      g_auto (Arguments) stack = { 0 };

      arguments_init (&a, 1);
      a.options.connectivity = connectivities[i];
      assert_new_refused (&a);
      arguments_init (&stack, 2);
      stack.options.connectivity = i % 2 ? 4 : 8;
      assert_new_refused (&stack);
    }
  for (int measure = -1; measure <= 3; measure += 4)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      a.options.measure = measure;
      assert_new_refused (&a);
    }
  for (gint64 p = 0; p < 12; p++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      guarded_image_set_float (a.image, p, NAN);
      assert_new_refused (&a);
    }
  {
    const RefSize      size   = { 4, 3, 1 };
    const guint32      none[] = { [4 * 3 - 1] = 0 };
    g_auto (Arguments) a      = { 0 };

    arguments_init (&a, 1);
    guarded_image_free (a.labels);
    a.labels = guarded_image_new_labels (&size, none);
    assert_new_refused (&a);
  }
}

static void
test_sizes_refused (void)
{
  for (int which = 0; which < 4; which++)
    for (int fault = 0; fault < N_VIEW_FAULTS; fault++)
      {
        g_auto (Arguments)       a         = { 0 };
        g_autoptr (WfHierarchy)  hierarchy = NULL;
        const guint32            regions[] = { 1, 1 };

        arguments_init (&a, 2);
        hierarchy = new_hierarchy (NULL, a.image, a.labels, WF_MEASURE_DYNAMICS, 0);
        spoil_view (which == 0 ? &a.image->view : which == 1 ? &a.labels->view
                    : which == 2 ? &a.out->view : &a.map->view, fault);
        if (which < 2)
          assert_new_refused (&a);
        if (which == 1 || which == 2)
          assert_refused (wf_hierarchy_relabel (NULL, hierarchy, regions, &a.labels->view,
                                                &a.out->view, &refusal), WF_ERROR_INVALID);
        if (which == 1 || which == 3)
          assert_refused (wf_hierarchy_saliency (NULL, hierarchy, &a.labels->view, &a.map->view,
                                                 &refusal), WF_ERROR_INVALID);
        g_assert_true (guarded_image_is_untouched (a.out));
        g_assert_true (guarded_image_is_untouched (a.map));
      }
}

static void
test_outputs_refused (void)
{
  static const WfType     all[]     = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32,
                                        WF_TYPE_U64, WF_TYPE_F64 };
  const guint32           regions[] = { 1, 1 };
  g_auto (Arguments)      a         = { 0 };
  g_autoptr (WfHierarchy) hierarchy = NULL;

  arguments_init (&a, 1);
  hierarchy = new_hierarchy (NULL, a.image, a.labels, WF_MEASURE_DYNAMICS, 0);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      a.out->view.type = a.map->view.type = all[i];
      if (all[i] != WF_TYPE_U32)
        assert_refused (wf_hierarchy_relabel (NULL, hierarchy, regions, &a.labels->view,
                                              &a.out->view, &refusal), WF_ERROR_INVALID);
      if (all[i] != WF_TYPE_F32 && all[i] != WF_TYPE_F64)
        assert_refused (wf_hierarchy_saliency (NULL, hierarchy, &a.labels->view, &a.map->view,
                                               &refusal), WF_ERROR_INVALID);
    }
  a.out->view.type = WF_TYPE_U32;
  a.map->view.type = WF_TYPE_F32;

  /* A label that the hierarchy does not have. */
  ((guint32 *) a.labels->view.data)[1] = 5;
  assert_refused (wf_hierarchy_relabel (NULL, hierarchy, regions, &a.labels->view, &a.out->view,
                                        &refusal), WF_ERROR_INVALID);
  assert_refused (wf_hierarchy_saliency (NULL, hierarchy, &a.labels->view, &a.map->view,
                                         &refusal), WF_ERROR_INVALID);
  g_assert_true (guarded_image_is_untouched (a.out));
  g_assert_true (guarded_image_is_untouched (a.map));
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
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/hierarchy/by-hand", test_by_hand);
  g_test_add_func ("/hierarchy/meeting-at-once", test_meeting_at_once);
  g_test_add_func ("/hierarchy/ground", test_ground);
  g_test_add_func ("/hierarchy/nothing-between", test_nothing_between);
  g_test_add_func ("/hierarchy/floats", test_floats);
  g_test_add_func ("/hierarchy/exact-volume", test_exact_volume);
  g_test_add_func ("/hierarchy/tie-in-volume", test_tie_in_volume);
  g_test_add_func ("/hierarchy/one-basin", test_one_basin);
  g_test_add_func ("/hierarchy/random", test_random);
  add ("tolerance", check_tolerance);
  add ("lines", check_lines);
  add ("renumbering", check_renumbering);
  add ("nested", check_nested);
  add ("saliency", check_saliency_plain);
  add ("saliency-lines", check_saliency_lines);
  add ("configurations", check_configurations);
  g_test_add_func ("/hierarchy/concurrent-cuts", test_concurrent_cuts);
  g_test_add_func ("/hierarchy/cancelled", test_cancelled);
  g_test_add_func ("/hierarchy/progress", test_progress);
  g_test_add_func ("/hierarchy/memory", test_memory);
  g_test_add_func ("/hierarchy/input-refused", test_input_refused);
  g_test_add_func ("/hierarchy/sizes-refused", test_sizes_refused);
  g_test_add_func ("/hierarchy/outputs-refused", test_outputs_refused);

  return g_test_run ();
}
