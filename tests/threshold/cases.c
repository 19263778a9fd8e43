/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <float.h>
#include <math.h>

#include "tests/support/cases.h"
#include "tests/support/random-case.h"

typedef struct
{
  Case                base;
  WfThresholdOptions  options;
  guint8             *expected;
} Threshold;


static int
random_radius (const RefSize *size,
               gboolean       large)
{
  const gint64 longest = MAX (size->width, MAX (size->height, size->depth));

  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
      return 0;
    case 1:
      return large || size->depth > 1 ? 2 : WF_MAX_WINDOW_RADIUS;
    case 2:
      return large ? 7 : (int) MIN (longest, 12);
    default:
      return g_test_rand_int_range (1, 5);
    }
}

/* A level that occurs, one beside it, or none. */
static double
random_threshold (const Palette *palette)
{
  const double found = palette->level[g_test_rand_int_range (0, palette->n)];
  const double level = CLAMP (found, -FLT_MAX, FLT_MAX);   /* infinite ones are refused */

  return g_test_rand_int_range (0, 4) == 0 ? NAN
         : g_test_rand_bit () ? level : level + g_test_rand_double_range (-2, 2);
}

/* All but the algorithm, of an image of @size with levels of @palette. */
void
random_threshold_options (const RefSize      *size,
                          const Palette      *palette,
                          gboolean            large,
                          WfThresholdOptions *options)
{
  options->method    = g_test_rand_int_range (WF_LOCAL_NONE, WF_LOCAL_SAUVOLA + 1);
  options->threshold = random_threshold (palette);
  options->radius    = random_radius (size, large);
  options->sigma     = large ? 1.5 : g_test_rand_double_range (0, 4);
  options->k         = g_test_rand_bit () ? 0.2 : g_test_rand_double_range (-1, 1);
  options->range     = g_test_rand_bit () ? 0 : g_test_rand_double_range (1, 300);
  options->offset    = g_test_rand_bit () ? 0 : g_test_rand_double_range (-3, 3);
  options->below     = g_test_rand_bit ();
}

static void
compute_expected (Threshold *c)
{
  static const RefThresholdMethod methods[] = { REF_THRESHOLD_GLOBAL, REF_THRESHOLD_MEAN,
                                                REF_THRESHOLD_GAUSSIAN, REF_THRESHOLD_SAUVOLA };
  g_autofree double  *result  = g_new (double, c->base.n);
  const double        highest = c->base.type == WF_TYPE_F32 ? 0 : type_highest (c->base.type);
  const RefThreshold  options = {
    .highest   = highest,
    .method    = methods[c->options.method],
    .threshold = c->options.threshold,
    .radius    = c->options.radius,
    .sigma     = c->options.sigma,
    .k         = c->options.k,
    .range     = c->options.range > 0 ? c->options.range : highest > 0 ? highest / 2 : 0.5,
    .offset    = c->options.offset,
    .below     = c->options.below,
  };

  ref_threshold (&c->base.size, &options, c->base.image, result);
  c->expected = pack_levels (WF_TYPE_U8, result, c->base.n);
}

static void
threshold_init (gpointer data)
{
  Threshold *c = data;

  case_begin (&c->base, WF_OPERATION_THRESHOLD, &c->options, CASES_A_LARGE_ONE);
  case_draw (&c->base);
  c->options.algorithm = random_algorithm (WF_OPERATION_THRESHOLD);
  random_threshold_options (&c->base.size, &c->base.palette, c->base.large, &c->options);
  compute_expected (c);
}

static void
threshold_clear (gpointer data)
{
  Threshold *c = data;

  g_free (c->expected);
}

static char *
run_threshold (gconstpointer        data,
               const Configuration *configuration,
               gboolean            *refused)
{
  const Threshold          *c        = data;
  const gboolean            in_place = c->base.type == WF_TYPE_U8 && g_test_rand_bit ();
  g_autoptr (GuardedImage)  image    = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->base.image);
  g_autoptr (GuardedImage)  apart    = guarded_image_new (WF_TYPE_U8, &c->base.size,
                                                          g_test_rand_bit ());
  GuardedImage             *out      = in_place ? image : apart;
  g_autoptr (GError)        error    = NULL;
  g_autofree char          *fault    = NULL;
  gboolean                  done;

  done  = wf_threshold (configuration->context, &image->view, &out->view, &c->options, &error);
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "output");
  if (! fault && ! in_place)
    fault = find_image_fault (&c->base, image);
  if (! fault)
    fault = find_report_fault (&c->base, configuration);
  return fault ? g_strdup_printf ("output %s: %s", in_place ? "on the image" : "apart", fault)
               : NULL;
}

void
run_threshold_cases (const Configurations *configurations,
                     guint                 n_cases)
{
  static const CaseKind kind =
  {
    .size                 = sizeof (Threshold),
    .any_tiles            = TRUE,
    .needs_all_algorithms = TRUE,
    .init                 = threshold_init,
    .clear                = threshold_clear,
    .run                  = run_threshold,
  };

  run_cases (&kind, configurations, NULL, n_cases);
}
