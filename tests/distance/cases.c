/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/random-case.h"

typedef struct
{
  Case               base;
  WfDistanceOptions  options;
  gboolean           no_background;
  WfType             out_type;
  gpointer           expected;
  guint64           *expected_nearest;
} Distance;

/* The outputs that the caller requests. */
typedef enum
{
  DISTANCE_ALONE,
  NEAREST_ALONE,
  BOTH,
  IN_PLACE,
  N_WISHES
} Wish;

void
random_spacing (Spacings  spacings,
                double   *spacing)
{
  static const double any[][3] =
  {
    { 0.1, 0.3, 0.7 }, { 3, 2, 1 }, { 1, 1, 2 }, { 0.5, 0.5, 2 }, { 1, 1e-9, 1 },
    { 1e-9, 1, 1 }, { 1, 1, 1e-9 }, { 1e9, 1, 3 }, { 0.1, 0.1, 0.1 }, { 1.0 / 3, 0.2, 0.6 },
    { 1e-8, 1e8, 1 }, { 7, 5, 3 },
  };
  static const double extreme[] = { 1e-100, 1e-81, 1e-50, 1, 3, 1e50, 1e81, 1e100 };

  for (int axis = 0; axis < 3; axis++)
    spacing[axis] = 1;

  if (spacings == SPACINGS_EXTREME)
    for (int axis = 0; axis < 3; axis++)
      spacing[axis] = extreme[g_test_rand_int_range (0, G_N_ELEMENTS (extreme))];
  else if (spacings == SPACINGS_ANY && g_test_rand_bit ())
    memcpy (spacing, any[g_test_rand_int_range (0, G_N_ELEMENTS (any))], sizeof any[0]);
  else if (spacings == SPACINGS_ANY && g_test_rand_int_range (0, 4) == 0)
    for (int axis = 0; axis < 3; axis++)
      spacing[axis] = g_test_rand_double_range (0.01, 4);
}

/* Mostly a value between grey levels, sometimes one beyond all of them. */
static double
random_threshold (const Palette *palette,
                  WfType         type)
{
  double level = palette->level[g_test_rand_int_range (0, palette->n)];

  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
    case 1:
      return isfinite (level) ? level : 0;
    case 2:
      return isfinite (level) ? level - 0.5 : -0.0;
    case 3:
      return random_value (type);
    case 4:
      return g_test_rand_bit () ? 1e300 : -1e300;
    default:
      return NAN;
    }
}

static void
random_options (Distance            *c,
                const DistanceCases *cases)
{
  c->options.metric            = cases->metric >= 0 ? cases->metric : g_test_rand_int_range (0, 4);
  c->options.threshold         = random_threshold (&c->base.palette, c->base.type);
  c->options.border_background = g_test_rand_bit ();
  c->options.connectivity      = random_connectivity (&c->base.size);
  c->options.signed_distance   = ! cases->never_signed && g_test_rand_int_range (0, 3) == 0 &&
                                 c->options.metric != WF_METRIC_SQUARED;
  random_spacing (cases->spacings, c->options.spacing);

  c->options.algorithm = cases->algorithm ? cases->algorithm
                                          : random_algorithm (WF_OPERATION_DISTANCE);
}

static RefMetric
reference_metric (int metric)
{
  switch (metric)
    {
    case WF_METRIC_CITY_BLOCK:
      return REF_CITY_BLOCK;
    case WF_METRIC_CHESSBOARD:
      return REF_CHESSBOARD;
    default:
      return REF_EUCLIDEAN_SQUARED;
    }
}

static WfType
type_of_result (const WfDistanceOptions *options)
{
  if (options->metric != WF_METRIC_SQUARED)
    return WF_TYPE_F32;
  for (int axis = 0; axis < 3; axis++)
    if (options->spacing[axis] != 1)
      return WF_TYPE_F64;
  return WF_TYPE_U64;
}

static void
measure (const Distance    *c,
         const guint8      *foreground,
         const RefDistance *options,
         double            *distance,
         guint64           *nearest)
{
  if (g_strcmp0 (c->options.algorithm, "propagation") == 0)
    ref_distance_propagated (&c->base.size, c->options.connectivity, foreground, options,
                             distance, nearest);
  else
    (c->base.large ? ref_distance_quick : ref_distance) (&c->base.size, foreground, options,
                                                         distance, nearest);
}

static void
measure_background (const Distance *c,
                    guint8         *foreground,
                    RefDistance    *options,
                    double         *distance)
{
  g_autofree double  *outside  = g_new (double, c->base.n);
  g_autofree guint64 *nearest  = g_new (guint64, c->base.n);
  g_autofree guint8  *inverted = g_new (guint8, c->base.n);

  for (gint64 p = 0; p < c->base.n; p++)
    inverted[p] = ! foreground[p];
  options->margin = 0;
  measure (c, inverted, options, outside, nearest);
  ref_distance_sign (&c->base.size, foreground, outside, nearest, distance, c->expected_nearest);
}

/* A signed distance is rounded before it gets its sign; 0 is always +0. */
static double
root (double squared)
{
  return squared < 0 ? 0 - (double) (float) sqrt (-squared) : sqrt (squared);
}

static void
compute_expected (Distance *c)
{
  g_autofree guint8 *foreground = g_new (guint8, c->base.n);
  g_autofree double *distance   = g_new (double, c->base.n);
  RefDistance        options    = { .metric = reference_metric (c->options.metric),
                                    .margin = c->options.border_background ? 1 : 0 };

  memcpy (options.spacing, c->options.spacing, sizeof options.spacing);
  c->no_background = ! c->options.border_background;
  for (gint64 p = 0; p < c->base.n; p++)
    {
      foreground[p] = isnan (c->options.threshold) ? c->base.image[p] != 0
                                                   : c->base.image[p] > c->options.threshold;
      c->no_background &= foreground[p];
    }

  c->expected_nearest = g_new (guint64, c->base.n);
  measure (c, foreground, &options, distance, c->expected_nearest);
  if (c->options.signed_distance)
    measure_background (c, foreground, &options, distance);
  for (gint64 p = 0; p < c->base.n; p++)
    if (c->options.metric == WF_METRIC_EUCLIDEAN)
      distance[p] = root (distance[p]);
    else if (distance[p] < 0)
      distance[p] = 0 - (double) (float) -distance[p];
  c->out_type = type_of_result (&c->options);
  c->expected = pack_levels (c->out_type, distance, c->base.n);
}

/* The longest distances, along all three axes: few background pixels, sometimes with a whole
 * row or column of them that is far from other pixels.
 */
static void
make_few_sites (Distance *c)
{
  gint64 row    = g_test_rand_int_range (0, 3 * (gint32) c->base.size.height);
  gint64 column = g_test_rand_int_range (0, 3 * (gint32) c->base.size.width);

  for (gint64 p = 0; p < c->base.n; p++)
    c->base.image[p] = p % c->base.size.width != column &&
                       p / c->base.size.width % c->base.size.height != row;
  for (int n_sites = g_test_rand_int_range (1, 5); n_sites > 0; n_sites--)
    c->base.image[g_test_rand_int_range (0, (gint32) c->base.n)] = 0;
  c->base.content      = "few sites";
  c->options.threshold = NAN;
}

static void
distance_init (gpointer data)
{
  Distance *c         = data;
  gboolean  few_sites = g_test_rand_int_range (0, 3) == 0;
  double   *level     = c->base.palette.level;

  case_begin (&c->base, WF_OPERATION_DISTANCE, &c->options, 2 * CASES_A_LARGE_ONE);
  if (few_sites && g_test_rand_bit ())
    c->base.size = c->base.large ? (RefSize) { g_test_rand_int_range (150, 300),
                                               g_test_rand_int_range (100, 250), 1 }
                                 : (RefSize) { g_test_rand_int_range (1, 10),
                                               g_test_rand_int_range (1, 10),
                                               g_test_rand_int_range (2, 8) };
  if (g_test_rand_bit () && level[c->base.palette.n - 1] > 0)
    level[0] = 0;
  case_draw (&c->base);
  random_options (c, c->base.given);
  if (few_sites)
    make_few_sites (c);
  compute_expected (c);
}

static void
distance_clear (gpointer data)
{
  Distance *c = data;

  g_free (c->expected);
  g_free (c->expected_nearest);
}

/* Not every algorithm supports every case; the one that the caller names does. */
static gboolean
may_be_unsupported (const Distance *c)
{
  const DistanceCases *cases = c->base.given;

  return cases->may_be_unsupported ||
         (! cases->algorithm && g_strcmp0 (c->options.algorithm, "auto") != 0 &&
          c->options.algorithm != NULL);
}

static char *
find_background_fault (const Distance      *c,
                       const Configuration *configuration)
{
  if (configuration->context &&
      wf_context_get_report (configuration->context)->no_background != c->no_background)
    return g_strdup ("the context's report is wrong about the background");
  return NULL;
}

static char *
run_distance (gconstpointer        data,
              const Configuration *configuration,
              gboolean            *refused)
{
  const Distance           *c       = data;
  const DistanceCases      *cases   = c->base.given;
  Wish                      wish    = cases->distance_alone ? DISTANCE_ALONE
                                                            : g_test_rand_int_range (0, N_WISHES);
  g_autoptr (GuardedImage)  image   = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                c->base.image);
  g_autoptr (GuardedImage)  apart   = guarded_image_new (c->out_type, &c->base.size,
                                                         g_test_rand_bit ());
  g_autoptr (GuardedImage)  nearest = guarded_image_new (WF_TYPE_U64, &c->base.size,
                                                         g_test_rand_bit ());
  GuardedImage             *out     = apart;
  g_autoptr (GError)        error   = NULL;
  char                     *fault;
  gboolean                  done;

  if (wf_distance_get_type (&c->options) != c->out_type)
    return g_strdup ("wf_distance_get_type() is wrong");
  if (wish == IN_PLACE && c->base.type == c->out_type)
    out = image;

  done = wf_distance (configuration->context, &image->view,
                      wish == NEAREST_ALONE ? NULL : &out->view,
                      wish == DISTANCE_ALONE ? NULL : &nearest->view, &c->options, &error);
  if (! done && may_be_unsupported (c) &&
      g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED) &&
      guarded_image_is_untouched (apart) && guarded_image_is_untouched (nearest))
    {
      *refused = TRUE;
      return find_image_fault (&c->base, image);
    }
  fault = find_call_fault (done, error);
  if (! fault && wish != NEAREST_ALONE)
    fault = find_pixel_fault (out, c->expected, "distance");
  if (! fault && wish != DISTANCE_ALONE)
    fault = find_pixel_fault (nearest, c->expected_nearest, "nearest");
  if (! fault && out != image)
    fault = find_image_fault (&c->base, image);
  if (! fault)
    fault = find_background_fault (c, configuration);
  if (! fault)
    fault = find_report_fault (&c->base, configuration);
  return fault;
}

void
run_distance_cases (const Configurations *configurations,
                    const DistanceCases  *cases,
                    guint                 n_cases)
{
  const CaseKind kind =
  {
    .size                 = sizeof (Distance),
    .needs_all_algorithms = ! cases->algorithm && cases->spacings == SPACINGS_WHOLE,
    .init                 = distance_init,
    .clear                = distance_clear,
    .run                  = run_distance,
  };

  run_cases (&kind, configurations, cases, n_cases);
}
