/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by propagation: where they are exact, and how large their errors are
 * elsewhere.  test-distance.c tests that they follow their definition.
 */

#include <math.h>
#include <string.h>

#include "tests/support/configurations.h"
#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* The largest error of a step along the nearest axis, with 4 and with 6 neighbours.
 * Danielsson (1980) shows the first one for two scans with 4 neighbours.
 */
#define BOUND_IN_IMAGE (1 - sqrt (1.0 / 2))
#define BOUND_IN_STACK (1 - sqrt (1.0 / 3))

typedef struct
{
  RefSize  size;
  gint64   n;
  double  *levels;
  double  *distance;
  guint64 *nearest;
} Map;

static void
map_init (Map           *map,
          const RefSize *size)
{
  map->size     = *size;
  map->n        = ref_n_pixels (size);
  map->levels   = g_new (double, map->n);
  map->distance = g_new (double, map->n);
  map->nearest  = g_new (guint64, map->n);
  for (gint64 p = 0; p < map->n; p++)
    map->levels[p] = 1;
}

static void
map_clear (Map *map)
{
  g_free (map->levels);
  g_free (map->distance);
  g_free (map->nearest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Map, map_clear)

static void
init_options (WfDistanceOptions *options,
              const char        *algorithm,
              int                connectivity)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
  options->algorithm    = algorithm;
  options->connectivity = connectivity;
}

/* Runs an algorithm on the map's levels and keeps its results. */
static void
measure (Map                     *map,
         WfContext               *context,
         const WfDistanceOptions *options)
{
  g_autoptr (GuardedImage)  image   = guarded_image_new_levels (WF_TYPE_U8, &map->size,
                                                                map->levels);
  g_autoptr (GuardedImage)  out     = guarded_image_new (WF_TYPE_F32, &map->size, FALSE);
  g_autoptr (GuardedImage)  nearest = guarded_image_new (WF_TYPE_U64, &map->size, FALSE);
  GError                   *error   = NULL;

  wf_distance (context, &image->view, &out->view, &nearest->view, options, &error);
  g_assert_no_error (error);
  for (gint64 p = 0; p < map->n; p++)
    map->distance[p] = ((const float *) out->view.data)[p];
  memcpy (map->nearest, nearest->view.data, map->n * sizeof *map->nearest);
}

static void
copy_levels (Map       *map,
             const Map *from)
{
  memcpy (map->levels, from->levels, map->n * sizeof *map->levels);
}

/* Runs propagation and an exact algorithm on the same levels; sets the algorithm in
 * @options.
 */
static void
measure_both (Map               *map,
              WfContext         *context,
              WfDistanceOptions *options,
              Map               *exact)
{
  map_init (exact, &map->size);
  copy_levels (exact, map);
  options->algorithm = "envelope";
  measure (exact, NULL, options);
  options->algorithm = "propagation";
  measure (map, context, options);
}

static void
assert_same_maps (const Map *is,
                  const Map *should)
{
  for (gint64 p = 0; p < is->n; p++)
    {
      if (is->distance[p] != should->distance[p] || is->nearest[p] != should->nearest[p])
        g_test_message ("pixel %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT
                        "×%" G_GINT64_FORMAT,
                        p, is->size.width, is->size.height, is->size.depth);
      g_assert_cmpfloat (is->distance[p], ==, should->distance[p]);
      g_assert_cmpuint (is->nearest[p], ==, should->nearest[p]);
    }
}

/* The largest error of the distances. */
static double
worst_error (const Map *is,
             const Map *should)
{
  double worst = 0;

  for (gint64 p = 0; p < is->n; p++)
    {
      g_assert_cmpfloat (is->distance[p], >=, should->distance[p]);
      if (is->distance[p] > should->distance[p])
        worst = MAX (worst, is->distance[p] - should->distance[p]);
    }
  return worst;
}

static void
scatter_sites (Map *map,
               int  n_sites)
{
  for (; n_sites > 0; n_sites--)
    map->levels[g_test_rand_int_range (0, (gint32) map->n)] = 0;
}

/* From a few sites, far from each other, to images full of them. */
static void
random_map (Map      *map,
            gboolean  stack)
{
  RefSize size = stack ? (RefSize) { g_test_rand_int_range (1, 30), g_test_rand_int_range (1, 30),
                                     g_test_rand_int_range (2, 30) }
                       : (RefSize) { g_test_rand_int_range (1, 200), g_test_rand_int_range (1, 200),
                                     1 };

  map_init (map, &size);
  scatter_sites (map, g_test_rand_bit () ? g_test_rand_int_range (1, 8)
                                         : g_test_rand_int_range (1, (gint32) map->n / 3 + 2));
}


/*  With all neighbours  */

static void
check_exact (const Configurations *configurations,
             gboolean              stack)
{
  g_auto (Map)      map   = { 0 };
  g_auto (Map)      exact = { 0 };
  WfDistanceOptions options;

  random_map (&map, stack);
  init_options (&options, "propagation", 0);
  options.border_background = g_test_rand_bit ();
  options.signed_distance   = g_test_rand_bit ();
  measure_both (&map, configurations_pick_coarse (configurations)->context, &options, &exact);
  assert_same_maps (&map, &exact);
}

static void
test_exact (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (60, 300); i++)
    check_exact (configurations, i % 3 == 0);
}

/* An image whose result depends on the order without rounds: (11, 0) gets its nearest site
 * in one order of visits, but not in another.
 */
static void
test_without_order (void)
{
  static const gint64 sites[][2] = { { 24, 1 }, { 23, 5 }, { 0, 7 }, { 22, 7 } };
  g_auto (Map)        map        = { 0 };
  WfDistanceOptions   options;

  map_init (&map, &(RefSize) { 25, 8, 1 });
  for (guint i = 0; i < G_N_ELEMENTS (sites); i++)
    map.levels[sites[i][1] * 25 + sites[i][0]] = 0;
  init_options (&options, "propagation", 8);
  measure (&map, NULL, &options);
  g_assert_cmpfloat (map.distance[11], ==, 13);
  g_assert_cmpuint (map.nearest[11], ==, 5 * 25 + 23);
}

/* A row so long that squared distances and coordinates do not fit one number. */
static void
test_long_row (void)
{
  const gint64      length = 3 << 20;
  g_auto (Map)      map    = { 0 };
  g_auto (Map)      exact  = { 0 };
  WfDistanceOptions options;

  map_init (&map, &(RefSize) { length, 1, 1 });
  scatter_sites (&map, 30000);
  init_options (&options, "propagation", 0);
  options.border_background = TRUE;
  options.signed_distance   = TRUE;
  measure_both (&map, NULL, &options, &exact);
  assert_same_maps (&map, &exact);
}


/*  With neighbours along the axes alone  */

static void
test_bound (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (60, 300); i++)
    {
      const gboolean    stack = i % 3 == 0;
      g_auto (Map)      map   = { 0 };
      g_auto (Map)      exact = { 0 };
      WfDistanceOptions options;

      random_map (&map, stack);
      init_options (&options, "propagation", stack ? 6 : 4);
      measure_both (&map, configurations_pick_coarse (configurations)->context, &options, &exact);
      g_assert_cmpfloat (worst_error (&map, &exact), <, stack ? BOUND_IN_STACK : BOUND_IN_IMAGE);
    }
}

/* One site on a diagonal near the middle, and sites everywhere beyond some radius: the
 * largest errors known.
 */
static double
error_in_ball (gint64 diagonal,
               gint64 squared_radius,
               int    dimensions)
{
  const gint64      reach = (gint64) sqrt ((double) squared_radius) + 3;
  const gint64      side  = 2 * reach + 1;
  const gint64      depth = dimensions == 3 ? side : 1;
  const gint64      mid_z = dimensions == 3 ? reach : 0;
  const RefSize     size  = { side, side, depth };
  const gint64      site  = ref_index (&size, reach + diagonal, reach + diagonal,
                                       dimensions == 3 ? reach + diagonal : 0);
  const gint64      middle = ref_index (&size, reach, reach, mid_z);
  g_auto (Map)      map   = { 0 };
  WfDistanceOptions options;

  map_init (&map, &size);
  for (gint64 p = 0; p < map.n; p++)
    {
      const gint64 x = p % side - reach;
      const gint64 y = p / side % side - reach;
      const gint64 z = p / side / side - mid_z;

      map.levels[p] = p != site && x * x + y * y + z * z <= squared_radius;
    }
  init_options (&options, "propagation", dimensions == 3 ? 6 : 4);
  measure (&map, NULL, &options);
  return map.distance[middle] - (float) sqrt ((double) (dimensions * diagonal * diagonal));
}

static void
test_worst_cases (void)
{
  for (int dimensions = 2; dimensions <= 3; dimensions++)
    {
      const double bound = dimensions == 3 ? BOUND_IN_STACK : BOUND_IN_IMAGE;
      double       worst = 0;

      for (gint64 diagonal = 1; diagonal <= (dimensions == 3 ? 5 : 26); diagonal++)
        {
          const gint64 squared = dimensions * diagonal * diagonal;
          const gint64 most    = (gint64) pow (sqrt ((double) squared) + bound, 2) + 1;

          for (gint64 radius = squared; radius <= most; radius++)
            {
              double error = error_in_ball (diagonal, radius, dimensions);

              g_assert_cmpfloat (error, <, bound);
              worst = MAX (worst, error);
            }
        }
      g_test_message ("%d dimensions: %f", dimensions, worst);
      g_assert_cmpfloat (worst, >, dimensions == 3 ? 0.39 : 0.28);
    }
}

/* Each of two sites spreads over its own half of the image in straight steps. */
static void
test_two_sites (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (40, 200); i++)
    {
      const gboolean    stack = i % 3 == 0;
      g_auto (Map)      map   = { 0 };
      g_auto (Map)      exact = { 0 };
      WfDistanceOptions options;

      map_init (&map, stack ? &(RefSize) { 11, 17, 13 } : &(RefSize) { 90, 70, 1 });
      scatter_sites (&map, 1 + i % 2);
      init_options (&options, "propagation", stack ? 6 : 4);
      measure_both (&map, configurations_pick_coarse (configurations)->context, &options, &exact);
      assert_same_maps (&map, &exact);
    }
}


/*  The outside  */

/* An outside that is background is equivalent to a frame of background pixels. */
static void
test_frame (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (20, 100); i++)
    {
      g_auto (Map)      map    = { 0 };
      g_auto (Map)      framed = { 0 };
      WfDistanceOptions options;

      random_map (&map, FALSE);
      map_init (&framed, &(RefSize) { map.size.width + 2, map.size.height + 2, 1 });
      for (gint64 p = 0; p < framed.n; p++)
        {
          gint64 x = p % framed.size.width - 1;
          gint64 y = p / framed.size.width - 1;

          framed.levels[p] = x >= 0 && x < map.size.width && y >= 0 && y < map.size.height
                             ? map.levels[ref_index (&map.size, x, y, 0)] : 0;
        }
      init_options (&options, "propagation", i % 2 ? 4 : 8);
      measure (&framed, NULL, &options);
      options.border_background = TRUE;
      measure (&map, configurations_pick_coarse (configurations)->context, &options);
      for (gint64 p = 0; p < map.n; p++)
        g_assert_cmpfloat (map.distance[p], ==,
                           framed.distance[ref_index (&framed.size, p % map.size.width + 1,
                                                      p / map.size.width + 1, 0)]);
    }
}


/*  As an operation  */

static void
test_refused (void)
{
  for (int metric = WF_METRIC_CITY_BLOCK; metric <= WF_METRIC_CHESSBOARD; metric++)
    {
      const RefSize            size  = { 4, 3, 1 };
      g_autoptr (GuardedImage) image = guarded_image_new (WF_TYPE_U8, &size, FALSE);
      g_autoptr (GuardedImage) out   = guarded_image_new (WF_TYPE_F32, &size, FALSE);
      WfDistanceOptions        options;

      init_options (&options, "propagation", 0);
      options.metric = metric;
      assert_refused (wf_distance (NULL, &image->view, &out->view, NULL, &options, &refusal),
                      WF_ERROR_UNSUPPORTED);
      g_assert_true (guarded_image_is_untouched (out));
    }
}

typedef struct
{
  GCancellable *cancellable;
  double        before;
  double        enough;
  guint         n_calls;
} Watch;

static void
watch_progress (double   fraction,
                gpointer data)
{
  Watch *watch = data;

  g_assert_cmpfloat (fraction, >=, watch->before);
  g_assert_cmpfloat (fraction, <=, 1);
  watch->before = fraction;
  watch->n_calls++;
  if (fraction >= watch->enough)
    g_cancellable_cancel (watch->cancellable);
}

#define CANCEL_SIDE 2500

/* One site: as many rounds as the image is wide. */
static void
test_cancel (void)
{
  for (int i = 0; i < 2; i++)
    {
      const RefSize              size        = { CANCEL_SIDE, CANCEL_SIDE, 1 };
      g_autoptr (GCancellable)   cancellable = g_cancellable_new ();
      g_autoptr (WfContext)      context     = wf_context_new ();
      g_autoptr (GuardedImage)   image       = guarded_image_new (WF_TYPE_U8, &size, FALSE);
      g_autoptr (GuardedImage)   out         = guarded_image_new (WF_TYPE_F32, &size, FALSE);
      const WfContextOptions     two_threads = { sizeof (WfContextOptions), "cpu", 2, 0, 0 };
      Watch                      watch       = { cancellable, 0, i == 0 ? 0.001 : 2, 0 };
      WfDistanceOptions          options;
      g_autoptr (GError)         error       = NULL;

      memset (image->view.data, 1, CANCEL_SIDE * CANCEL_SIDE);
      ((guint8 *) image->view.data)[0] = 0;
      init_options (&options, "propagation", 0);
      options.signed_distance = TRUE;
      g_assert_true (wf_context_configure (context, &two_threads, NULL));
      wf_context_set_cancellable (context, cancellable);
      wf_context_set_progress (context, watch_progress, &watch);
      wf_distance (context, &image->view, &out->view, NULL, &options, &error);
      g_assert_cmpuint (watch.n_calls, >=, i == 0 ? 1 : 2);   /* the first may cancel */
      if (i == 0)
        {
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
          g_assert_true (guarded_image_is_untouched (out));
        }
      else
        {
          g_assert_no_error (error);
          g_assert_cmpfloat (((const float *) out->view.data)[4 * CANCEL_SIDE + 3], ==, 5);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/propagation/exact", test_exact);
  g_test_add_func ("/propagation/without-order", test_without_order);
  g_test_add_func ("/propagation/long-row", test_long_row);
  g_test_add_func ("/propagation/bound", test_bound);
  g_test_add_func ("/propagation/worst-cases", test_worst_cases);
  g_test_add_func ("/propagation/two-sites", test_two_sites);
  g_test_add_func ("/propagation/frame", test_frame);
  g_test_add_func ("/propagation/refused", test_refused);
  g_test_add_func ("/propagation/cancel", test_cancel);

  return g_test_run ();
}
