/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <float.h>
#include <math.h>

#include "tests/support/cases.h"
#include "tests/support/operation-call.h"
#include "tests/support/random-case.h"

typedef struct
{
  WfOperation operation;
  gboolean    two_levels;
} Given;

typedef struct
{
  Case                base;
  WfAttributeOptions  options;
  gpointer            expected;
} Opening;

static RefAttributeKind
kind_of (WfOperation operation)
{
  return operation == WF_OPERATION_AREA_OPENING || operation == WF_OPERATION_AREA_CLOSING
         ? REF_BY_AREA
         : operation == WF_OPERATION_HEIGHT_OPENING || operation == WF_OPERATION_HEIGHT_CLOSING
         ? REF_BY_HEIGHT : REF_BY_VOLUME;
}

static gboolean
is_closing (WfOperation operation)
{
  return operation == WF_OPERATION_AREA_CLOSING || operation == WF_OPERATION_HEIGHT_CLOSING ||
         operation == WF_OPERATION_VOLUME_CLOSING;
}

/* None, some, all, more than all; not only whole numbers. */
static double
random_area (gint64 n)
{
  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
      return g_test_rand_bit () ? 0 : 1;
    case 1:
      return g_test_rand_bit () ? n : n + 1;
    case 2:
      return g_test_rand_bit () ? 1e18 : G_MAXDOUBLE;
    case 3:
      return n * g_test_rand_double ();
    default:
      return g_test_rand_int_range (1, 12);
    }
}

/* Differences between levels that occur, and others. */
static double
random_height (const Opening *c)
{
  const Palette *palette = &c->base.palette;
  const double   most    = c->base.type == WF_TYPE_F32 ? FLT_MAX : type_highest (c->base.type);
  const double   a       = palette->level[g_test_rand_int_range (0, palette->n)];
  const double   b       = palette->level[g_test_rand_int_range (0, palette->n)];
  const double   exact   = fabs (CLAMP (a, -most, most) - CLAMP (b, -most, most));

  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      return g_test_rand_bit () ? 0 : 1e300;
    case 1:
      return exact * (1 + 1e-9);
    default:
      return exact;
    }
}

/* Of f32 no volume that occurs: sums are rounded. */
static double
random_volume (const Opening *c)
{
  const double volume = random_height (c) * random_area (c->base.n);

  return MIN (c->base.type == WF_TYPE_F32 ? volume * (1 + 1e-4 * (0.1 + g_test_rand_double ()))
                                          : round (volume), G_MAXDOUBLE);
}

static double
get_least (const Opening *c)
{
  switch (kind_of (c->base.operation))
    {
    case REF_BY_AREA:
      return c->options.area;
    case REF_BY_HEIGHT:
      return c->options.height;
    default:
      return c->options.volume;
    }
}

static void
compute_expected (Opening *c)
{
  g_autofree double  *result  = g_new (double, c->base.n);
  const WfOperation   which   = c->base.operation;
  const RefAttribute  options = {
    .kind         = kind_of (which),
    .least        = get_least (c),
    .connectivity = c->options.connectivity ? c->options.connectivity
                    : c->base.size.depth > 1 ? 26 : 8,
    .most         = c->base.type == WF_TYPE_F32 ? FLT_MAX : 0,
    .quick        = c->base.large,
  };

  (is_closing (which) ? ref_attribute_closing : ref_attribute_opening)
    (&c->base.size, &options, c->base.image, result);
  for (gint64 p = 0; p < c->base.n; p++)
    result[p] += 0.0;    /* makes −0 +0 */
  c->expected = pack_levels (c->base.type, result, c->base.n);
}

/* One level, or two, of f32 also −0 and what is near it. */
static void
choose_two_levels (Case *base)
{
  Palette *palette = &base->palette;
  int      a       = g_test_rand_int_range (0, palette->n);
  int      b       = g_test_rand_int_range (0, palette->n);

  palette->level[0] = palette->level[MIN (a, b)];
  palette->level[1] = palette->level[MAX (a, b)];
  palette->n        = 2;
  if (base->type == WF_TYPE_F32 && ! g_test_rand_int_range (0, 4))
    {
      const double levels[] = { -INFINITY, -1, -0.0, 0.0, 1e-45, 1, INFINITY };

      a = g_test_rand_int_range (0, G_N_ELEMENTS (levels));
      b = g_test_rand_int_range (0, G_N_ELEMENTS (levels));
      palette->level[0] = (float) levels[MIN (a, b)];
      palette->level[1] = (float) levels[MAX (a, b)];
    }
}

/* Wide, thin, thick; most are wider than a word of bits. */
static void
choose_wide_size (Case *base)
{
  const int width = g_test_rand_int_range (1, g_test_rand_bit () ? 40 : 300);
  const int depth = g_test_rand_int_range (0, 3) ? 1 : g_test_rand_int_range (2, 6);

  base->large = TRUE;
  base->size  = (RefSize) { width, g_test_rand_int_range (1, 60 / depth + 2), depth };
}

/* Noise of any density, or a checkerboard, of two levels. */
static void
draw_noise (Case *base)
{
  const double  density = g_test_rand_double ();
  const double *level   = base->palette.level;
  const gint64  width   = base->size.width;
  const int     board   = g_test_rand_int_range (0, 4);

  for (gint64 p = 0; p < base->n; p++)
    base->image[p] = level[board == 0 ? (p % width + p / width) % 2
                                      : g_test_rand_double () < density];
  base->content = board == 0 ? "checkerboard" : "noise";
}

static void
draw_two_levels (Case *base)
{
  if (g_test_rand_bit ())
    choose_wide_size (base);
  choose_two_levels (base);
  case_draw (base);
  if (g_test_rand_bit ())
    draw_noise (base);
  if (! g_test_rand_int_range (0, 6))
    base->image[g_test_rand_bit () ? base->n - 1 : g_test_rand_int_range (0, (int) base->n)] =
      random_value (base->type);
  for (gint64 p = 0; p < base->n; p++)
    if (base->type == WF_TYPE_F32 && base->image[p] == 0 && g_test_rand_bit ())
      base->image[p] = -0.0;
}

static void
opening_init (gpointer data)
{
  Opening           *c         = data;
  const Given       *given     = c->base.given;
  const WfOperation  operation = given->operation;

  case_begin (&c->base, operation, &c->options, CASES_A_LARGE_ONE);
  if (given->two_levels)
    draw_two_levels (&c->base);
  else
    case_draw (&c->base);
  c->options.algorithm    = random_algorithm (operation);
  c->options.connectivity = g_test_rand_int_range (0, 4) ? random_connectivity (&c->base.size) : 0;
  c->options.area         = random_area (c->base.n);
  c->options.height       = random_height (c);
  c->options.volume       = random_volume (c);
  compute_expected (c);
}

static void
opening_clear (gpointer data)
{
  Opening *c = data;

  g_free (c->expected);
}

/* The same by the tree of all components; volumes of f32 have none. */
static char *
find_tree_fault (const Opening       *c,
                 const Configuration *configuration)
{
  const gboolean               none  = kind_of (c->base.operation) == REF_BY_VOLUME &&
                                       c->base.type == WF_TYPE_F32;
  g_autoptr (GuardedImage)     image = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->base.image);
  g_autoptr (GuardedImage)     out   = guarded_image_new (c->base.type, &c->base.size,
                                                          g_test_rand_bit ());
  g_autoptr (WfAttributeTree)  tree  = NULL;
  g_autoptr (GError)           error = NULL;
  g_autofree char             *fault = NULL;
  gboolean                     done;

  tree = wf_attribute_tree_new (configuration->context, c->base.operation, &image->view,
                                &c->options, &error);
  if (none)
    return ! tree && g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED)
           ? NULL : g_strdup ("tree of volumes of f32");
  done = tree && wf_attribute_tree_cut (configuration->context, tree, get_least (c), &out->view,
                                        &error);
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "output");
  if (! fault)
    fault = find_image_fault (&c->base, image);
  return fault ? g_strdup_printf ("tree: %s", fault) : NULL;
}

static char *
run_opening (gconstpointer        data,
             const Configuration *configuration,
             gboolean            *refused)
{
  const Opening            *c        = data;
  const gboolean            in_place = g_test_rand_bit ();
  g_autoptr (GuardedImage)  image    = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->base.image);
  g_autoptr (GuardedImage)  apart    = guarded_image_new (c->base.type, &c->base.size,
                                                          g_test_rand_bit ());
  GuardedImage             *out      = in_place ? image : apart;
  g_autoptr (GError)        error    = NULL;
  g_autofree char          *fault    = NULL;
  gboolean                  done;

  done  = operation_call (c->base.operation, configuration->context, &image->view, NULL,
                          &out->view, &c->options, &error);
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "output");
  if (! fault && ! in_place)
    fault = find_image_fault (&c->base, image);
  if (! fault)
    fault = find_report_fault (&c->base, configuration);
  if (! fault)
    return find_tree_fault (c, configuration);
  return fault ? g_strdup_printf ("output %s: %s", in_place ? "on the image" : "apart", fault)
               : NULL;
}

void
run_attribute_cases (const Configurations *configurations,
                     WfOperation           operation,
                     gboolean              two_levels,
                     guint                 n_cases)
{
  const Given           given = { operation, two_levels };
  static const CaseKind kind =
  {
    .size                 = sizeof (Opening),
    .any_tiles            = TRUE,
    .needs_all_algorithms = TRUE,
    .init                 = opening_init,
    .clear                = opening_clear,
    .run                  = run_opening,
  };

  run_cases (&kind, configurations, &given, n_cases);
}
