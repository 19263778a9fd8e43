/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/guarded-image.h"
#include "tests/support/landscape.h"
#include "tests/reference/stored.h"
#include "tests/support/tiers.h"

static void
init_options (WfDistanceOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
}

static void
run_random (const DistanceCases *cases,
            guint                n)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_distance_cases (configurations, cases, n);
}

static void
test_random_whole (void)
{
  run_random (&(DistanceCases) { .metric = -1, .spacings = SPACINGS_WHOLE },
              test_count (500, 4000));
}

static void
test_random_spacings (void)
{
  run_random (&(DistanceCases) { .metric = -1, .spacings = SPACINGS_ANY },
              test_count (500, 4000));
}

/* Without the nearest pixels, for which there are faster algorithms. */
static void
test_random_alone (void)
{
  run_random (&(DistanceCases) { .metric = WF_METRIC_EUCLIDEAN, .spacings = SPACINGS_WHOLE,
                                 .distance_alone = TRUE },
              test_count (250, 2000));
  run_random (&(DistanceCases) { .metric = WF_METRIC_SQUARED, .spacings = SPACINGS_WHOLE,
                                 .distance_alone = TRUE },
              test_count (250, 2000));
}

/* The largest and smallest spacings that are allowed, together. */
static void
test_random_extremes (void)
{
  run_random (&(DistanceCases) { .metric = -1, .spacings = SPACINGS_EXTREME },
              test_count (150, 1000));
}


/*  Results that are known  */

static int
metric_of (const RefDistance *options)
{
  return options->metric == REF_CITY_BLOCK ? WF_METRIC_CITY_BLOCK
         : options->metric == REF_CHESSBOARD ? WF_METRIC_CHESSBOARD : WF_METRIC_SQUARED;
}

static void
check_stored (const StoredDistance *stored,
              const Configuration  *configuration)
{
  gint64                    n = ref_n_pixels (&stored->size);
  WfDistanceOptions         options;
  g_autoptr (GuardedImage)  image    = NULL;
  g_autoptr (GuardedImage)  out      = NULL;
  g_autoptr (GuardedImage)  nearest  = guarded_image_new (WF_TYPE_U64, &stored->size, TRUE);
  g_autofree gpointer       expected = NULL;
  double                    levels[STORED_MOST];
  GError                   *error    = NULL;

  init_options (&options);
  options.metric            = metric_of (&stored->options);
  options.border_background = stored->options.margin > 0;
  memcpy (options.spacing, stored->options.spacing, sizeof options.spacing);
  for (gint64 p = 0; p < n; p++)
    levels[p] = stored->picture[p] == '#' ? 77 : 0;

  image    = guarded_image_new_levels (WF_TYPE_U8, &stored->size, levels);
  out      = guarded_image_new (wf_distance_get_type (&options), &stored->size, FALSE);
  expected = pack_levels (out->view.type, stored->distance, n);
  g_assert_true (wf_distance (configuration->context, &image->view, &out->view, &nearest->view,
                              &options, &error));
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (out, expected), ==, -1);
  /* −1 is WF_NEAREST_NONE. */
  g_assert_cmpint (guarded_image_find_difference (nearest, stored->nearest), ==, -1);
}

static void
test_stored (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < stored_n_distances; i++)
    {
      g_test_message ("%s", stored_distances[i].name);
      for (guint c = 0; c < configurations->n; c++)
        check_stored (&stored_distances[i], &configurations->items[c]);
    }
}

/* Around a single background pixel the distances up to r make a ball of radius r. */
static void
test_balls (void)
{
  for (guint i = 0; i < stored_n_balls; i++)
    {
      const StoredBall       *ball = &stored_balls[i];
      gint64                  side = 2 * STORED_RADII - 1;
      g_auto (WfImage)        image    = { 0 };
      g_auto (WfImage)        distance = { 0 };
      WfDistanceOptions       options;
      gint64                  n;

      init_options (&options);
      options.metric = ball->metric == REF_EUCLIDEAN_SQUARED ? WF_METRIC_EUCLIDEAN
                       : ball->metric == REF_CITY_BLOCK ? WF_METRIC_CITY_BLOCK
                                                        : WF_METRIC_CHESSBOARD;
      g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, side, side,
                                        ball->dimensions == 3 ? side : 1, NULL));
      g_assert_true (wf_image_allocate (&distance, WF_TYPE_F32, side, side, image.depth, NULL));
      n = wf_image_n_pixels (&image);
      memset (image.data, 1, n);
      ((guint8 *) image.data)[n / 2] = 0;
      g_assert_true (wf_distance (NULL, &image, &distance, NULL, &options, NULL));

      for (int radius = 0; radius < STORED_RADII; radius++)
        {
          guint n_within = 0;

          for (gint64 p = 0; p < n; p++)
            n_within += ((const float *) distance.data)[p] <= radius;
          g_assert_cmpuint (n_within, ==, ball->n[radius]);
        }
    }
}

static void
test_result_types (void)
{
  WfDistanceOptions options;

  g_assert_cmpint (wf_distance_get_type (NULL), ==, WF_TYPE_F32);
  init_options (&options);
  for (int metric = WF_METRIC_EUCLIDEAN; metric <= WF_METRIC_CHESSBOARD; metric++)
    for (int axis = 0; axis < 3; axis++)
      {
        gboolean squared = metric == WF_METRIC_SQUARED;

        options.metric = metric;
        g_assert_cmpint (wf_distance_get_type (&options), ==,
                         squared ? WF_TYPE_U64 : WF_TYPE_F32);
        options.spacing[axis] = 0.5;
        g_assert_cmpint (wf_distance_get_type (&options), ==,
                         squared ? WF_TYPE_F64 : WF_TYPE_F32);
        options.spacing[axis] = 1;
      }
}

/* Nothing is background: success, infinity everywhere, and the report says so. */
static void
test_no_background (void)
{
  g_autoptr (WfContext)  context = wf_context_new ();
  guint8                 pixels[6] = { 1, 2, 3, 4, 5, 255 };
  guint64                squared[6];
  guint64                nearest[6];
  WfImage                views[3];
  WfDistanceOptions      options;

  init_options (&options);
  options.metric = WF_METRIC_SQUARED;
  wf_image_init (&views[0], WF_TYPE_U8, 3, 2, 1, pixels, NULL);
  wf_image_init (&views[1], WF_TYPE_U64, 3, 2, 1, squared, NULL);
  wf_image_init (&views[2], WF_TYPE_U64, 3, 2, 1, nearest, NULL);

  g_assert_true (wf_distance (context, &views[0], &views[1], &views[2], &options, NULL));
  g_assert_true (wf_context_get_report (context)->no_background);
  for (int p = 0; p < 6; p++)
    {
      g_assert_cmpuint (squared[p], ==, G_MAXUINT64);
      g_assert_cmpuint (nearest[p], ==, WF_NEAREST_NONE);
    }

  /* The next run has background: the report no longer says so. */
  pixels[0] = 0;
  g_assert_true (wf_distance (context, &views[0], &views[1], &views[2], &options, NULL));
  g_assert_false (wf_context_get_report (context)->no_background);
  g_assert_cmpuint (squared[5], ==, 5);
  g_assert_cmpuint (nearest[5], ==, 0);
}

/* Nothing is foreground: minus infinity everywhere in a signed map. */
static void
test_no_foreground (void)
{
  static const char *const algorithms[] = { "auto", "local", "envelope", "propagation" };

  for (guint i = 0; i < G_N_ELEMENTS (algorithms); i++)
    for (int border = 0; border < 2; border++)
      {
        g_autoptr (WfContext)  context   = wf_context_new ();
        const gboolean         nearest   = strcmp (algorithms[i], "local") != 0;
        guint8                 pixels[6] = { 0 };
        float                  distances[6];
        guint64                sites[6];
        WfImage                views[3];
        WfDistanceOptions      options;

        init_options (&options);
        options.signed_distance   = TRUE;
        options.border_background = border;
        options.algorithm         = algorithms[i];
        wf_image_init (&views[0], WF_TYPE_U8, 3, 2, 1, pixels, NULL);
        wf_image_init (&views[1], WF_TYPE_F32, 3, 2, 1, distances, NULL);
        wf_image_init (&views[2], WF_TYPE_U64, 3, 2, 1, sites, NULL);
        g_assert_true (wf_distance (context, &views[0], &views[1], nearest ? &views[2] : NULL,
                                    &options, NULL));
        g_assert_false (wf_context_get_report (context)->no_background);
        for (int p = 0; p < 6; p++)
          {
            g_assert_cmpfloat (distances[p], ==, -INFINITY);
            if (nearest)
              g_assert_cmpuint (sites[p], ==, WF_NEAREST_NONE);
          }
      }
}


/*  Images of ordinary size: some pixels against all background pixels  */

typedef struct
{
  WfType     type;
  RefSize    size;
  int        metric;
  double     spacing[3];
  gboolean   border_background;
  int        rarity; /* of background pixels; 0: below the middle of a landscape */
} Medium;

static const Medium media[] =
{
  { WF_TYPE_U8,  { 700, 500, 1 }, WF_METRIC_EUCLIDEAN,  { 1, 1, 1 },         FALSE, 0 },
  { WF_TYPE_F32, { 701, 499, 1 }, WF_METRIC_SQUARED,    { 1, 1, 1 },         TRUE,  0 },
  { WF_TYPE_U16, { 500, 700, 1 }, WF_METRIC_CITY_BLOCK, { 1, 1, 1 },         FALSE, 500 },
  { WF_TYPE_U8,  { 700, 500, 1 }, WF_METRIC_CHESSBOARD, { 1, 1, 1 },         FALSE, 20000 },
  { WF_TYPE_U8,  { 700, 500, 1 }, WF_METRIC_SQUARED,    { 0.1, 0.3, 1 },     FALSE, 2000 },
  { WF_TYPE_F32, { 499, 701, 1 }, WF_METRIC_EUCLIDEAN,  { 3, 0.7, 1 },       TRUE,  100000 },
  { WF_TYPE_U8,  { 2000, 3, 1 },  WF_METRIC_CHESSBOARD, { 0.7, 0.1, 1 },     FALSE, 300 },
  { WF_TYPE_U8,  { 3, 2000, 1 },  WF_METRIC_CITY_BLOCK, { 0.1, 0.7, 1 },     TRUE,  300 },
  { WF_TYPE_U8,  { 70000, 2, 1 }, WF_METRIC_EUCLIDEAN,  { 1, 1, 1 },         FALSE, 40000 },
  { WF_TYPE_F32, { 2, 70000, 1 }, WF_METRIC_SQUARED,    { 1, 1, 1 },         FALSE, 40000 },
  { WF_TYPE_U8,  { 33000, 4, 1 }, WF_METRIC_SQUARED,    { 1, 1, 1 },         FALSE, 60000 },
  { WF_TYPE_U16, { 4, 33000, 1 }, WF_METRIC_EUCLIDEAN,  { 1, 1, 1 },         TRUE,  60000 },
  { WF_TYPE_U8,  { 900, 700, 1 }, WF_METRIC_EUCLIDEAN,  { 1, 1, 1 },         FALSE, 300000 },
  { WF_TYPE_U8,  { 90, 70, 50 },  WF_METRIC_SQUARED,    { 1, 1, 1 },         FALSE, 5000 },
  { WF_TYPE_U8,  { 90, 70, 50 },  WF_METRIC_EUCLIDEAN,  { 0.1, 0.3, 0.7 },   TRUE,  20000 },
  { WF_TYPE_U16, { 50, 70, 90 },  WF_METRIC_CITY_BLOCK, { 3, 2, 1 },         FALSE, 3000 },
  { WF_TYPE_F32, { 50, 90, 70 },  WF_METRIC_CHESSBOARD, { 1, 1, 1 },         FALSE, 0 },
};

static void
make_medium (const Medium *medium,
             double       *levels,
             guint8       *foreground)
{
  gint64 n      = ref_n_pixels (&medium->size);
  double middle = 0;

  make_landscape (medium->type, &medium->size, medium->size.depth > 1 ? 3 : 15, levels);
  for (gint64 p = 0; p < n; p++)
    middle += levels[p] / n;
  for (gint64 p = 0; p < n; p++)
    {
      foreground[p] = medium->rarity ? g_test_rand_int_range (0, medium->rarity) != 0
                                     : levels[p] > middle;
      levels[p]     = ! foreground[p] ? 0 : medium->rarity && levels[p] != 0 ? levels[p] : 1;
    }
  foreground[n / 3] = FALSE;
  levels[n / 3]     = 0;
}

/* The expected value of pixel @p.  @inverted: the image in which foreground and background
 * are exchanged
 */
static double
reference_at (const Medium            *medium,
              const WfDistanceOptions *options,
              const guint8            *foreground,
              const guint8            *inverted,
              gint64                   p,
              guint64                 *site)
{
  const gboolean outside   = options->signed_distance && ! foreground[p];
  RefDistance    reference = { .metric = options->metric == WF_METRIC_CITY_BLOCK ? REF_CITY_BLOCK
                                         : options->metric == WF_METRIC_CHESSBOARD ? REF_CHESSBOARD
                                                                        : REF_EUCLIDEAN_SQUARED,
                               .margin = options->border_background && ! outside ? 1 : 0 };
  double         distance;

  memcpy (reference.spacing, options->spacing, sizeof reference.spacing);
  ref_distance_at (&medium->size, outside ? inverted : foreground, &reference, p, &distance, site);
  if (options->metric == WF_METRIC_EUCLIDEAN)
    distance = sqrt (distance);
  return outside ? -distance : distance;
}

static void
check_samples (const Medium            *medium,
               const WfDistanceOptions *options,
               const guint8            *foreground,
               const GuardedImage      *out,
               const GuardedImage      *nearest)
{
  gint64             n        = ref_n_pixels (&medium->size);
  g_autofree guint8 *inverted = g_new (guint8, n);

  for (gint64 p = 0; p < n; p++)
    inverted[p] = ! foreground[p];
  for (guint i = 0; i < test_count (15, 60); i++)
    {
      gint64              p = g_test_rand_int_range (0, (gint32) ref_n_pixels (&medium->size));
      double              distance;
      guint64             site;
      g_autofree gpointer expected = NULL;
      g_autofree char    *should   = NULL;
      g_autofree char    *is       = guarded_image_format_pixel (out, p);
      g_autofree char    *is_site  = guarded_image_format_pixel (nearest, p);
      g_autofree char    *site_should = NULL;

      distance    = reference_at (medium, options, foreground, inverted, p, &site);
      expected    = pack_levels (wf_distance_get_type (options), &distance, 1);
      should      = format_packed (out->view.type, expected, 0);
      site_should = format_packed (WF_TYPE_U64, &site, 0);
      g_assert_cmpstr (is, ==, should);
      g_assert_cmpstr (is_site, ==, site_should);
    }
}

/* Every second image that can have one gets a signed map.
 *
 * The first configuration is compared with the definition at some pixels; the others, every
 * second one without the nearest pixels, are compared with the first one at all pixels.
 */
static void
check_medium (gconstpointer data)
{
  const Medium               *medium         = data;
  gint64                      n              = ref_n_pixels (&medium->size);
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree double          *levels         = g_new (double, n);
  g_autofree guint8          *foreground     = g_new (guint8, n);
  g_autoptr (GuardedImage)    image          = NULL;
  g_autoptr (GuardedImage)    first_out      = NULL;
  g_autoptr (GuardedImage)    first_nearest  = NULL;
  WfDistanceOptions           options;

  make_medium (medium, levels, foreground);
  image = guarded_image_new_levels (medium->type, &medium->size, levels);
  init_options (&options);
  options.metric            = medium->metric;
  options.border_background = medium->border_background;
  options.signed_distance   = medium->metric != WF_METRIC_SQUARED && (medium - media) % 2 == 0;
  memcpy (options.spacing, medium->spacing, sizeof options.spacing);

  for (guint i = 0; i < test_count (3, 6); i++)
    {
      gboolean                  both          = i % 2 == 0;
      const Configuration      *configuration = configurations_pick_coarse (configurations);
      g_autoptr (GuardedImage)  out           = guarded_image_new (wf_distance_get_type (&options),
                                                                   &medium->size, FALSE);
      g_autoptr (GuardedImage)  nearest       = guarded_image_new (WF_TYPE_U64, &medium->size,
                                                                   FALSE);
      GError                   *error = NULL;

      configuration_note (configuration);
      wf_distance (configuration->context, &image->view, &out->view,
                   both ? &nearest->view : NULL, &options, &error);
      g_assert_no_error (error);
      if (i > 0)
        {
          g_assert_cmpint (guarded_image_find_difference (out, first_out->view.data), ==, -1);
          if (both)
            g_assert_cmpint (guarded_image_find_difference (nearest, first_nearest->view.data),
                             ==, -1);
          continue;
        }
      check_samples (medium, &options, foreground, out, nearest);
      first_out     = g_steal_pointer (&out);
      first_nearest = g_steal_pointer (&nearest);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/distance/stored", test_stored);
  g_test_add_func ("/distance/balls", test_balls);
  g_test_add_func ("/distance/random/whole", test_random_whole);
  g_test_add_func ("/distance/random/alone", test_random_alone);
  g_test_add_func ("/distance/random/spacings", test_random_spacings);
  g_test_add_func ("/distance/random/extremes", test_random_extremes);
  g_test_add_func ("/distance/result-types", test_result_types);
  g_test_add_func ("/distance/no-background", test_no_background);
  g_test_add_func ("/distance/no-foreground", test_no_foreground);
  for (guint i = 0; i < G_N_ELEMENTS (media); i++)
    {
      g_autofree char *path = g_strdup_printf ("/distance/medium/%u", i + 1);

      g_test_add_data_func (path, &media[i], check_medium);
    }

  return g_test_run ();
}
