/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "cases.h"
#include "guarded-image.h"
#include "random-image.h"

typedef struct
{
  WfType             type;
  RefSize            size;
  gint64             n;
  WfDistanceOptions  options;
  const char        *content;
  double            *image;
  gboolean           no_background;
  WfType             out_type;
  gpointer           expected;
  guint64           *expected_nearest;
  gboolean           large;
} Case;

/* What the caller wants. */
typedef enum
{
  DISTANCE_ALONE,
  NEAREST_ALONE,
  BOTH,
  IN_PLACE,
  N_WISHES
} Wish;

static void
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

/* Mostly what divides the grey levels, at times what lies beyond all of them. */
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
random_options (Case                *c,
                const DistanceCases *cases,
                const Palette       *palette)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &c->options);
  c->options.metric            = cases->metric >= 0 ? cases->metric : g_test_rand_int_range (0, 4);
  c->options.threshold         = random_threshold (palette, c->type);
  c->options.border_background = g_test_rand_bit ();
  c->options.connectivity      = random_connectivity (&c->size);
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
measure (const Case        *c,
         const guint8      *foreground,
         const RefDistance *options,
         double            *distance,
         guint64           *nearest)
{
  if (g_strcmp0 (c->options.algorithm, "propagation") == 0)
    ref_distance_propagated (&c->size, c->options.connectivity, foreground, options,
                             distance, nearest);
  else
    (c->large ? ref_distance_quick : ref_distance) (&c->size, foreground, options,
                                                    distance, nearest);
}

static void
measure_background (const Case   *c,
                    guint8       *foreground,
                    RefDistance  *options,
                    double       *distance)
{
  g_autofree double  *outside  = g_new (double, c->n);
  g_autofree guint64 *nearest  = g_new (guint64, c->n);
  g_autofree guint8  *inverted = g_new (guint8, c->n);

  for (gint64 p = 0; p < c->n; p++)
    inverted[p] = ! foreground[p];
  options->margin = 0;
  measure (c, inverted, options, outside, nearest);
  ref_distance_sign (&c->size, foreground, outside, nearest, distance, c->expected_nearest);
}

/* A signed distance is rounded before it gets its sign, and no 0 has one. */
static double
root (double squared)
{
  return squared < 0 ? 0 - (double) (float) sqrt (-squared) : sqrt (squared);
}

static void
compute_expected (Case *c)
{
  g_autofree guint8 *foreground = g_new (guint8, c->n);
  g_autofree double *distance   = g_new (double, c->n);
  RefDistance        options    = { .metric = reference_metric (c->options.metric),
                                    .margin = c->options.border_background ? 1 : 0 };

  memcpy (options.spacing, c->options.spacing, sizeof options.spacing);
  c->no_background = ! c->options.border_background;
  for (gint64 p = 0; p < c->n; p++)
    {
      foreground[p] = isnan (c->options.threshold) ? c->image[p] != 0
                                                   : c->image[p] > c->options.threshold;
      c->no_background &= foreground[p];
    }

  c->expected_nearest = g_new (guint64, c->n);
  measure (c, foreground, &options, distance, c->expected_nearest);
  if (c->options.signed_distance)
    measure_background (c, foreground, &options, distance);
  for (gint64 p = 0; p < c->n; p++)
    if (c->options.metric == WF_METRIC_EUCLIDEAN)
      distance[p] = root (distance[p]);
    else if (distance[p] < 0)
      distance[p] = 0 - (double) (float) -distance[p];
  c->out_type = type_of_result (&c->options);
  c->expected = pack_levels (c->out_type, distance, c->n);
}

/* Distances as long as they come, along all three axes: few background pixels,
 * at times with a whole row or column of them, from which others are far.
 */
static void
make_few_sites (Case *c)
{
  gint64 row    = g_test_rand_int_range (0, 3 * (gint32) c->size.height);
  gint64 column = g_test_rand_int_range (0, 3 * (gint32) c->size.width);

  for (gint64 p = 0; p < c->n; p++)
    c->image[p] = p % c->size.width != column && p / c->size.width % c->size.height != row;
  for (int n_sites = g_test_rand_int_range (1, 5); n_sites > 0; n_sites--)
    c->image[g_test_rand_int_range (0, (gint32) c->n)] = 0;
  c->content           = "few sites";
  c->options.threshold = NAN;
}

static void
case_init (Case                *c,
           const DistanceCases *cases)
{
  gboolean few_sites = g_test_rand_int_range (0, 3) == 0;
  Palette  palette;

  c->type  = random_type ();
  c->large = g_test_rand_int_range (0, 2 * CASES_A_LARGE_ONE) == 0;
  if (c->large)
    random_large_size (&c->size);
  else
    random_size (&c->size);
  if (few_sites && g_test_rand_bit ())
    c->size = c->large ? (RefSize) { g_test_rand_int_range (150, 300),
                                     g_test_rand_int_range (100, 250), 1 }
                       : (RefSize) { g_test_rand_int_range (1, 10), g_test_rand_int_range (1, 10),
                                     g_test_rand_int_range (2, 8) };
  c->n = ref_n_pixels (&c->size);
  random_palette (c->type, &palette);
  if (g_test_rand_bit () && palette.level[palette.n - 1] > 0)
    palette.level[0] = 0;
  c->image   = g_new (double, c->n);
  c->content = random_content (&c->size, &palette, c->image);
  random_options (c, cases, &palette);
  if (few_sites)
    make_few_sites (c);
  compute_expected (c);
}

static void
case_clear (Case *c)
{
  g_free (c->image);
  g_free (c->expected);
  g_free (c->expected_nearest);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
report_failure (const Case          *c,
                const Configuration *configuration,
                const char          *what)
{
  const WfOptionGroup *group = wf_operation_get_options (WF_OPERATION_DISTANCE);
  g_autofree char     *where = configuration_describe (configuration);
  GString             *text  = g_string_new (NULL);

  g_string_append_printf (text,
                          "distance map of %s, %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "×%"
                          G_GINT64_FORMAT " %s (%s",
                          c->content, c->size.width, c->size.height, c->size.depth,
                          wf_type_name (c->type), where);
  for (guint i = 0; i < group->n_options; i++)
    {
      g_autofree char *value = wf_option_format (&group->options[i], &c->options);

      g_string_append_printf (text, ", %s %s", group->options[i].name, value);
    }
  g_string_append_printf (text, "): %s", what);
  append_levels (text, "image", &c->size, c->image);
  g_test_message ("%s", text->str);
  g_test_fail ();
  g_string_free (text, TRUE);
}

/* What is wrong with @image, whose pixels should be @expected; or %NULL. */
static char *
find_fault (const GuardedImage *image,
            gconstpointer       expected,
            const char         *name)
{
  gint64 pixel = guarded_image_find_difference (image, expected);

  if (pixel >= 0)
    {
      g_autofree char *is     = guarded_image_format_pixel (image, pixel);
      g_autofree char *should = format_packed (image->view.type, expected, pixel);

      return g_strdup_printf ("%s %" G_GINT64_FORMAT " is %s, should be %s",
                              name, pixel, is, should);
    }
  if (! guarded_image_is_guarded (image))
    return g_strdup_printf ("bytes beside the pixels of the %s changed", name);
  return NULL;
}

static char *
find_input_fault (const Case         *c,
                  const GuardedImage *image)
{
  g_autofree gpointer pixels = pack_levels (c->type, c->image, c->n);

  return find_fault (image, pixels, "input");
}

static char *
find_report_fault (const Case          *c,
                   const Configuration *configuration)
{
  if (! configuration->context)
    return NULL;
  if (wf_context_get_report (configuration->context)->no_background != c->no_background)
    return g_strdup ("the context's report is wrong about the background");
  if (! configuration_report_is_sane (configuration, WF_OPERATION_DISTANCE,
                                      c->options.algorithm))
    return g_strdup ("the context's report is wrong");
  return NULL;
}

static Outcome
run_case (const Case          *c,
          const Configuration *configuration,
          Wish                 wish,
          gboolean             may_be_unsupported)
{
  g_autoptr (GuardedImage)  image   = guarded_image_new_levels (c->type, &c->size, c->image);
  g_autoptr (GuardedImage)  apart   = guarded_image_new (c->out_type, &c->size,
                                                         g_test_rand_bit ());
  g_autoptr (GuardedImage)  nearest = guarded_image_new (WF_TYPE_U64, &c->size,
                                                         g_test_rand_bit ());
  GuardedImage             *out     = apart;
  g_autoptr (GError)        error   = NULL;
  g_autofree char          *what    = NULL;

  if (wish == IN_PLACE && c->type == c->out_type)
    out = image;

  if (! wf_distance (configuration->context, &image->view,
                     wish == NEAREST_ALONE ? NULL : &out->view,
                     wish == DISTANCE_ALONE ? NULL : &nearest->view,
                     &c->options, &error))
    {
      if (may_be_unsupported && g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED) &&
          guarded_image_is_untouched (apart) && guarded_image_is_untouched (nearest) &&
          (what = find_input_fault (c, image)) == NULL)
        return UNSUPPORTED;
      g_free (what);
      what = g_strdup (error ? error->message : "it failed without an error");
    }
  else if (error)
    what = g_strdup_printf ("it succeeded with an error: %s", error->message);
  if (! what && wish != NEAREST_ALONE)
    what = find_fault (out, c->expected, "distance");
  if (! what && wish != DISTANCE_ALONE)
    what = find_fault (nearest, c->expected_nearest, "nearest");
  if (! what && out != image)
    what = find_input_fault (c, image);
  if (! what)
    what = find_report_fault (c, configuration);

  if (! what)
    return EQUAL;
  report_failure (c, configuration, what);
  return DIFFERENT;
}

/* Not every algorithm knows every case; the one that the caller names does. */
static gboolean
may_be_unsupported (const DistanceCases *cases,
                    const Case          *c)
{
  return cases->may_be_unsupported ||
         (! cases->algorithm && g_strcmp0 (c->options.algorithm, "auto") != 0 &&
          c->options.algorithm != NULL);
}

/* A case in several configurations; whether no result differs. */
static gboolean
run_everywhere (const Configurations *configurations,
                const DistanceCases  *cases,
                const Case           *c,
                GHashTable           *runs)
{
  if (wf_distance_get_type (&c->options) != c->out_type)
    {
      report_failure (c, configurations_pick (configurations), "wf_distance_get_type() is wrong");
      return FALSE;
    }

  for (int k = 0; k < CONFIGURATIONS_A_CASE; k++)
    {
      const Configuration *configuration = c->large ? configurations_pick_coarse (configurations)
                                                    : configurations_pick (configurations);
      Wish                 wish          = cases->distance_alone
                                           ? DISTANCE_ALONE : g_test_rand_int_range (0, N_WISHES);

      switch (run_case (c, configuration, wish, may_be_unsupported (cases, c)))
        {
        case EQUAL:
          count_run (runs, c->options.algorithm);
          break;
        case UNSUPPORTED:
          break;
        case DIFFERENT:
          return FALSE;
        }
    }
  return TRUE;
}

void
run_distance_cases (const Configurations *configurations,
                    const DistanceCases  *cases,
                    guint                 n_cases)
{
  g_autoptr (GHashTable) runs = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_cases; i++)
    {
      g_auto (Case) c = { 0 };

      case_init (&c, cases);
      if (! run_everywhere (configurations, cases, &c, runs))
        return;
    }
  if (! cases->algorithm && cases->spacings == SPACINGS_WHOLE)
    assert_algorithms_ran (configurations, WF_OPERATION_DISTANCE, runs);
}
