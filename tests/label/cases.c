/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "tests/support/cases.h"
#include "tests/support/random-case.h"

typedef struct
{
  Case            base;
  WfLabelOptions  options;
  guint32        *expected;
  guint32         n_expected;
} Components;

/* None, a level, a value between two levels, one below 0, one beyond all levels. */
static double
random_threshold (const Palette *palette)
{
  double level = palette->level[g_test_rand_int_range (0, palette->n)];

  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
      return isfinite (level) ? level : 0;
    case 1:
      return isfinite (level) ? level + 0.5 : 0.5;
    case 2:
      return isfinite (level) ? level * (1 - 1e-12) : -0.0;
    case 3:
      return -g_test_rand_double ();
    case 4:
      return g_test_rand_bit () ? 1e300 : -1e300;
    default:
      return NAN;
    }
}

static void
compute_expected (Components *c)
{
  g_autofree guint8 *foreground = g_new (guint8, c->base.n);

  for (gint64 p = 0; p < c->base.n; p++)
    foreground[p] = isnan (c->options.threshold) ? c->base.image[p] != 0
                                                 : c->base.image[p] > c->options.threshold;
  c->expected   = g_new (guint32, c->base.n);
  c->n_expected = (c->base.large ? ref_label_quick : ref_label) (&c->base.size,
                                                                 c->options.connectivity,
                                                                 foreground, c->expected);
}

static void
components_init (gpointer data)
{
  Components *c = data;

  case_begin (&c->base, WF_OPERATION_LABEL, &c->options, CASES_A_LARGE_ONE);
  case_draw (&c->base);
  if (g_test_rand_bit ())
    for (gint64 p = 0; p < c->base.n; p++)
      if (g_test_rand_bit ())
        c->base.image[p] = 0;

  c->options.connectivity = random_connectivity (&c->base.size);
  c->options.threshold    = random_threshold (&c->base.palette);
  c->options.algorithm    = random_algorithm (WF_OPERATION_LABEL);
  compute_expected (c);
}

static void
components_clear (gpointer data)
{
  Components *c = data;

  g_free (c->expected);
}

/* Labels in other memory than the image or, if a pixel is as large as a label, in the same. */
static char *
run_label (gconstpointer        data,
           const Configuration *configuration,
           gboolean            *refused)
{
  const Components         *c        = data;
  g_autoptr (GuardedImage)  image    = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->base.image);
  g_autoptr (GuardedImage)  apart    = guarded_image_new (WF_TYPE_U32, &c->base.size,
                                                          g_test_rand_bit ());
  gboolean                  in_place = c->base.type == WF_TYPE_F32 && g_test_rand_bit ();
  GuardedImage             *out      = in_place ? image : apart;
  WfImage                   view     = out->view;
  guint32                   count    = 12345;
  g_autoptr (GError)        error    = NULL;
  char                     *fault;
  gboolean                  done;

  view.type = WF_TYPE_U32;
  done      = wf_label (configuration->context, &image->view, &view, &count, &c->options, &error);
  fault     = find_call_fault (done, error);
  out->view.type = WF_TYPE_U32;
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "labels");
  if (! fault && count != c->n_expected)
    fault = g_strdup_printf ("%u components are counted, should be %u", count, c->n_expected);
  if (! fault && ! in_place)
    fault = find_image_fault (&c->base, image);
  if (! fault)
    fault = find_report_fault (&c->base, configuration);
  return fault;
}

void
run_label_cases (const Configurations *configurations,
                 guint                 n_cases)
{
  static const CaseKind kind =
  {
    .size                 = sizeof (Components),
    .any_tiles            = TRUE,
    .needs_all_algorithms = TRUE,
    .init                 = components_init,
    .clear                = components_clear,
    .run                  = run_label,
  };

  run_cases (&kind, configurations, NULL, n_cases);
}
