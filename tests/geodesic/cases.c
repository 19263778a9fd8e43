/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/random-case.h"

/* One case of so many is large: the reference takes long. */
#define A_LARGE_ONE 60

typedef struct
{
  Case               base;
  WfGeodesicOptions  options;
  WfType             marker_type;
  double            *markers;
  WfType             cost_type;     /* 0: no costs */
  double            *costs;
  float             *expected;
} Geodesic;

/* Some pixels, one of them, all; not all of them need lie in the mask. */
static void
make_markers (Geodesic *c)
{
  static const WfType types[]   = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32, WF_TYPE_F32 };
  const int           a_part    = g_test_rand_int_range (0, 8);
  const int           n_marked  = a_part == 0   ? (int) c->base.n
                                  : a_part == 1 ? (int) c->base.n / 2 + 1
                                                : g_test_rand_int_range (1, 6);

  c->marker_type = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
  c->markers     = g_new0 (double, c->base.n);
  for (int i = 0; i < n_marked; i++)
    {
      const double mark = c->marker_type == WF_TYPE_F32 ? -0.25 : g_test_rand_int_range (1, 256);

      c->markers[a_part == 0 ? i : g_test_rand_int_range (0, (gint32) c->base.n)] = mark;
    }
}

/* Few different ones, any, the highest of all, none at all; low ones beside high ones, few high
 * ones among low ones.
 */
static void
make_costs (Geodesic *c)
{
  const gint64 half = c->base.size.width / 2;
  const int    kind = g_test_rand_int_range (0, 7);
  const double most = (c->cost_type = g_test_rand_bit () ? WF_TYPE_U8 : WF_TYPE_U16) == WF_TYPE_U8
                      ? G_MAXUINT8 : G_MAXUINT16;

  c->costs = g_new (double, c->base.n);
  for (gint64 p = 0; p < c->base.n; p++)
    c->costs[p] = kind == 0   ? most
                  : kind == 1 ? g_test_rand_int_range (0, 3)
                  : kind == 2 ? (g_test_rand_bit () ? most : 0)
                  : kind == 3 ? 0
                  : kind == 4 ? (p % c->base.size.width < half ? 1 : most)
                  : kind == 5 ? (g_test_rand_int_range (0, 20) ? p % 3 : most)
                              : g_test_rand_int_range (0, (gint32) most + 1);
}

static void
compute_expected (Geodesic *c)
{
  g_autofree gboolean *marked = g_new (gboolean, c->base.n);
  g_autofree guint32  *costs  = c->costs ? g_new (guint32, c->base.n) : NULL;

  for (gint64 p = 0; p < c->base.n; p++)
    {
      marked[p] = c->markers[p] != 0;
      if (costs)
        costs[p] = (guint32) c->costs[p];
    }
  c->expected = g_new (float, c->base.n);
  ref_geodesic (&c->base.size, c->options.metric, c->options.threshold, c->base.image, marked,
                costs, c->expected);
}

static void
geodesic_init (gpointer data)
{
  Geodesic *c = data;

  case_begin (&c->base, WF_OPERATION_GEODESIC_DISTANCE, &c->options, A_LARGE_ONE);
  case_draw (&c->base);
  c->options.algorithm = random_algorithm (WF_OPERATION_GEODESIC_DISTANCE);
  c->options.metric    = g_test_rand_int_range (0, WF_GEODESIC_CHAMFER_5_7 + 1);
  if (g_test_rand_int_range (0, 3) > 0)
    c->options.threshold = c->base.palette.level[g_test_rand_int_range (0, c->base.palette.n)];
  if (! isfinite (c->options.threshold))
    c->options.threshold = NAN;
  make_markers (c);
  if (g_test_rand_bit ())
    make_costs (c);
  compute_expected (c);
}

static void
geodesic_clear (gpointer data)
{
  Geodesic *c = data;

  g_free (c->markers);
  g_free (c->costs);
  g_free (c->expected);
}

static GuardedImage *
new_output (const Geodesic *c,
            GuardedImage   *markers)
{
  return markers->view.type == WF_TYPE_F32 && g_test_rand_bit ()
         ? markers : guarded_image_new (WF_TYPE_F32, &c->base.size, g_test_rand_bit ());
}

static char *
run_geodesic (gconstpointer        data,
              const Configuration *configuration,
              gboolean            *refused)
{
  const Geodesic           *c       = data;
  g_autoptr (GuardedImage)  mask    = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                c->base.image);
  g_autoptr (GuardedImage)  markers = guarded_image_new_levels (c->marker_type, &c->base.size,
                                                                c->markers);
  g_autoptr (GuardedImage)  costs   = NULL;
  GuardedImage             *out     = new_output (c, markers);
  g_autoptr (GError)        error   = NULL;
  char                     *fault;
  gboolean                  done;

  if (c->costs)
    costs = guarded_image_new_levels (c->cost_type, &c->base.size, c->costs);
  done  = wf_geodesic_distance (configuration->context, &mask->view, &markers->view,
                                costs ? &costs->view : NULL, &out->view, &c->options, &error);
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "distances");
  if (! fault)
    fault = find_image_fault (&c->base, mask);
  if (! fault && out != markers)
    fault = find_level_fault (markers, c->markers, "markers");
  if (! fault && costs)
    fault = find_level_fault (costs, c->costs, "costs");
  if (! fault)
    fault = find_report_fault (&c->base, configuration);
  if (out != markers)
    guarded_image_free (out);
  return fault;
}

static void
append_inputs (GString       *text,
               gconstpointer  data)
{
  const Geodesic *c = data;

  append_levels (text, "markers", &c->base.size, c->markers);
  if (c->costs)
    append_levels (text, "costs", &c->base.size, c->costs);
}

void
run_geodesic_cases (const Configurations *configurations,
                    guint                 n_cases)
{
  static const CaseKind kind =
  {
    .size                 = sizeof (Geodesic),
    .any_tiles            = TRUE,
    .needs_all_algorithms = TRUE,
    .init                 = geodesic_init,
    .clear                = geodesic_clear,
    .run                  = run_geodesic,
    .append               = append_inputs,
  };

  run_cases (&kind, configurations, NULL, n_cases);
}
