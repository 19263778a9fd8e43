/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "filter-call.h"
#include "tests/support/random-case.h"

typedef struct
{
  Case             base;
  WfFilterOptions  options;
  gpointer         expected;
} Filter;

/* None, one that reaches no pixel, common ones, and the largest one. */
double
random_sigma (gboolean large)
{
  switch (g_test_rand_int_range (0, large ? 6 : 8))
    {
    case 0:
      return g_test_rand_bit () ? 0 : 1e-3 + 0.3 * g_test_rand_double ();
    case 1:
      return g_test_rand_bit () ? 1e-300 : 1.0 / 3;
    case 2:
      return 3 + 9 * g_test_rand_double ();
    case 3:
      return g_test_rand_int_range (1, 5);
    case 6:
      return g_test_rand_bit () ? WF_MAX_SIGMA : WF_MAX_SIGMA * g_test_rand_double ();
    case 7:
      return 40 * g_test_rand_double ();
    default:
      return 3 * g_test_rand_double ();
    }
}

static int
random_radius (const Filter *c)
{
  const RefSize *size    = &c->base.size;
  const gint64   longest = MAX (size->width, MAX (size->height, size->depth));

  if (c->base.large)
    return g_test_rand_int_range (0, size->depth > 1 ? 4 : 8);
  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      return g_test_rand_int_range (0, (gint32) longest + 3);
    case 1:
      return g_test_rand_bit () ? 1 << 20 : (int) (longest * 3 + g_test_rand_int_range (0, 70));
    default:
      return g_test_rand_int_range (0, 5);
    }
}

/* Up to the widest one where there are few pixels: the reference sorts each window. */
static int
random_median_radius (const Filter *c)
{
  const gboolean stack = c->base.size.depth > 1;

  if (c->base.large)
    return g_test_rand_int_range (0, stack ? 3 : 7);
  if (c->base.n < 200 && g_test_rand_int_range (0, 8) == 0)
    return stack ? WF_MAX_MEDIAN_RADIUS_IN_STACKS : WF_MAX_MEDIAN_RADIUS;
  return g_test_rand_int_range (0, stack ? 4 : 9);
}

/* Along the axes and the diagonals, and between them. */
static double
random_angle (void)
{
  return g_test_rand_bit () ? 45 * g_test_rand_int_range (-4, 5)
                            : -180 + 360 * g_test_rand_double ();
}

static void
compute_expected (Filter *c)
{
  g_autofree double *result  = g_new (double, c->base.n);
  const RefFilter    options = {
    .highest = c->base.type == WF_TYPE_F32 ? 0 : type_highest (c->base.type),
    .sigma   = c->options.sigma,
    .disc    = c->options.element == WF_ELEMENT_DISC,
    .radius  = c->options.radius,
    .line    = c->options.element == WF_ELEMENT_LINE,
    .angle   = c->options.angle,
  };

  (c->base.operation == WF_OPERATION_GAUSSIAN        ? ref_gaussian
   : c->base.operation == WF_OPERATION_GRADIENT      ? ref_gradient
   : c->base.operation == WF_OPERATION_EROSION       ? ref_erosion
   : c->base.operation == WF_OPERATION_DILATION      ? ref_dilation
   : c->base.operation == WF_OPERATION_OPENING       ? ref_plain_opening
   : c->base.operation == WF_OPERATION_CLOSING       ? ref_plain_closing
   : c->base.operation == WF_OPERATION_WHITE_TOP_HAT ? ref_plain_white_top_hat
   : c->base.operation == WF_OPERATION_BLACK_TOP_HAT ? ref_plain_black_top_hat
                                                     : ref_median)
    (&c->base.size, &options, c->base.image, result);
  c->expected = pack_levels (c->base.type, result, c->base.n);
}

static void
filter_init (gpointer data)
{
  Filter            *c         = data;
  const WfOperation  operation = *(const WfOperation *) c->base.given;

  case_begin (&c->base, operation, &c->options, CASES_A_LARGE_ONE);
  c->options.algorithm = random_algorithm (operation);
  c->options.sigma     = random_sigma (c->base.large);
  case_draw (&c->base);
  if (operation != WF_OPERATION_GAUSSIAN)
    {
      c->options.element = g_test_rand_bit () ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
      c->options.radius  = random_radius (c);
    }
  if (operation == WF_OPERATION_MEDIAN)
    {
      c->options.element = WF_ELEMENT_SQUARE;
      c->options.radius  = random_median_radius (c);
    }
  else if (operation != WF_OPERATION_GAUSSIAN && operation != WF_OPERATION_GRADIENT &&
           g_test_rand_int_range (0, 5) < 2)
    {
      c->options.element = WF_ELEMENT_LINE;
      c->options.angle   = random_angle ();
    }
  compute_expected (c);
}

static void
filter_clear (gpointer data)
{
  Filter *c = data;

  g_free (c->expected);
}

/* Lines are computed on the CPU, whatever the device, and the report says so. */
static char *
find_device_fault (const Filter        *c,
                   const Configuration *configuration)
{
  const WfReport *report;

  if (c->options.element != WF_ELEMENT_LINE || ! configuration->context ||
      strcmp (configuration->device, "cpu") == 0)
    return find_report_fault (&c->base, configuration);
  report = wf_context_get_report (configuration->context);
  return report->notice && strcmp (report->device, "cpu") == 0
         ? NULL : g_strdup ("the report does not say that the CPU has computed a line");
}

static char *
run_filter (gconstpointer        data,
            const Configuration *configuration,
            gboolean            *refused)
{
  const Filter             *c        = data;
  const gboolean            in_place = g_test_rand_bit ();
  g_autoptr (GuardedImage)  image    = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->base.image);
  g_autoptr (GuardedImage)  apart    = guarded_image_new (c->base.type, &c->base.size,
                                                          g_test_rand_bit ());
  GuardedImage             *out      = in_place ? image : apart;
  g_autoptr (GError)        error    = NULL;
  g_autofree char          *fault    = NULL;
  gboolean                  done;

  done  = filter_call (c->base.operation, configuration->context, &image->view, &out->view,
                       &c->options, &error);
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "output");
  if (! fault && ! in_place)
    fault = find_image_fault (&c->base, image);
  if (! fault)
    fault = find_device_fault (c, configuration);
  return fault ? g_strdup_printf ("output %s: %s", in_place ? "on the image" : "apart", fault)
               : NULL;
}

void
run_filter_cases (const Configurations *configurations,
                  WfOperation           operation,
                  guint                 n_cases)
{
  static const CaseKind kind =
  {
    .size                 = sizeof (Filter),
    .any_tiles            = TRUE,
    .needs_all_algorithms = TRUE,
    .init                 = filter_init,
    .clear                = filter_clear,
    .run                  = run_filter,
  };

  run_cases (&kind, configurations, &operation, n_cases);
}
