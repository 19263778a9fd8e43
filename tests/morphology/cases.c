/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "morphology-call.h"
#include "tests/support/random-case.h"

typedef struct
{
  Case                 base;
  WfMorphologyOptions  options;
  WfType               out_type;
  double              *marked;        /* where minima are imposed */
  WfType               marked_type;
  gpointer             expected;
} Derived;

/* The memory of the output. */
typedef enum
{
  APART,
  ON_IMAGE,
  ON_MARKERS,
  N_PLACES
} Place;

static gboolean
has_option (WfOperation  operation,
            const char  *name)
{
  return wf_option_group_find (wf_operation_get_options (operation), name) != NULL;
}

/* 0, a step between levels, about their range, beyond their range; with and without a
 * fraction.
 */
static double
random_height (const Palette *palette)
{
  double range = palette->level[palette->n - 1] - palette->level[0];

  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      return 0;
    case 1:
      return isfinite (range) ? range * g_test_rand_double () : 1.5;
    case 2:
      return isfinite (range) ? range : 1000;
    case 3:
      return g_test_rand_int_range (1, 5) + 0.75;
    case 4:
      return g_test_rand_bit () ? 1e-3 : 1e300;
    default:
      return g_test_rand_int_range (1, 4);
    }
}

/* Small ones, about the image's size, and far beyond it. */
static int
random_radius (const RefSize *size)
{
  gint64 longest = MAX (size->width, MAX (size->height, size->depth));

  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      return g_test_rand_int_range (0, (gint32) longest + 3);
    case 1:
      return g_test_rand_bit () ? 1 << 20 : (int) (longest * 3 + g_test_rand_int_range (0, 70));
    default:
      return g_test_rand_int_range (0, 8);
    }
}

/* A few pixels, many, or all of them, marked by any values. */
static void
make_markers (Derived *c)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32, WF_TYPE_F32 };
  int                 rarity  = g_test_rand_int_range (1, 40);

  c->marked_type = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
  c->marked      = g_new (double, c->base.n);
  for (gint64 p = 0; p < c->base.n; p++)
    {
      gboolean mark = g_test_rand_int_range (0, rarity) == 0;

      c->marked[p] = mark ? g_test_rand_int_range (1, 256) : 0;
      if (c->marked_type == WF_TYPE_F32)
        c->marked[p] = mark ? (g_test_rand_bit () ? -1e-40f : INFINITY) : -0.0;
      else if (c->marked_type == WF_TYPE_U32 && mark)
        c->marked[p] *= 1 << 24;
    }
  c->marked[g_test_rand_int_range (0, (gint32) c->base.n)] = 1;
}

static void
compute (const Derived       *c,
         const RefMorphology *o,
         double              *result)
{
  const double *image = c->base.image;

  switch ((int) c->base.operation)
    {
    case WF_OPERATION_FILL_HOLES:
      ref_from_border (&c->base.size, o, TRUE, image, result);
      break;
    case WF_OPERATION_CLEAR_BORDER:
      ref_from_border (&c->base.size, o, FALSE, image, result);
      ref_difference (image, result, c->base.n, result);
      break;
    case WF_OPERATION_H_MAXIMA:
    case WF_OPERATION_H_MINIMA:
      ref_h_extrema (&c->base.size, o, c->base.operation == WF_OPERATION_H_MINIMA, image, result);
      break;
    case WF_OPERATION_H_DOME:
    case WF_OPERATION_H_BASIN:
      ref_h_extrema (&c->base.size, o, c->base.operation == WF_OPERATION_H_BASIN, image, result);
      ref_difference (image, result, c->base.n, result);
      break;
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
      ref_regional_extrema (&c->base.size, o->connectivity,
                            c->base.operation == WF_OPERATION_REGIONAL_MINIMA, image, result);
      break;
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
      {
        gboolean           minima  = c->base.operation == WF_OPERATION_EXTENDED_MINIMA;
        g_autofree double *cut_off = g_new (double, c->base.n);

        ref_h_extrema (&c->base.size, o, minima, image, cut_off);
        ref_regional_extrema (&c->base.size, o->connectivity, minima, cut_off, result);
        break;
      }
    case WF_OPERATION_OPENING_BY_RECONSTRUCTION:
    case WF_OPERATION_CLOSING_BY_RECONSTRUCTION:
      ref_opening (&c->base.size, o, c->base.operation == WF_OPERATION_CLOSING_BY_RECONSTRUCTION,
                   image, result);
      break;
    case WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION:
    case WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION:
      ref_opening (&c->base.size, o,
                   c->base.operation == WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION, image,
                   result);
      ref_difference (image, result, c->base.n, result);
      break;
    case WF_OPERATION_IMPOSE_MINIMA:
      ref_impose_minima (&c->base.size, o, image, c->marked, result);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* The dark parts of holes have the dual connectivity by default. */
static int
reference_connectivity (const Derived *c)
{
  if (c->options.connectivity != 0 || c->base.operation != WF_OPERATION_FILL_HOLES)
    return c->options.connectivity;
  return c->base.size.depth > 1 ? 6 : 4;
}

static void
compute_expected (Derived *c)
{
  g_autofree double *result  = g_new (double, c->base.n);
  RefMorphology      options = {
    .connectivity = reference_connectivity (c),
    .highest      = c->base.type == WF_TYPE_F32 ? 0 : type_highest (c->base.type),
    .height       = c->options.height,
    .disc         = c->options.element == WF_ELEMENT_DISC,
    .radius       = c->options.radius,
    .quick        = c->base.large,
  };

  compute (c, &options, result);
  c->expected = pack_levels (c->out_type, result, c->base.n);
}

static WfType
type_of_result (const Derived *c)
{
  switch ((int) c->base.operation)
    {
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
      return WF_TYPE_U8;
    default:
      return c->base.type;
    }
}

static void
derived_init (gpointer data)
{
  Derived           *c         = data;
  const WfOperation  operation = *(const WfOperation *) c->base.given;

  case_begin (&c->base, operation, &c->options, CASES_A_LARGE_ONE);
  c->out_type             = type_of_result (c);
  c->options.connectivity = random_connectivity (&c->base.size);
  c->options.algorithm    = random_algorithm (operation);
  if (has_option (operation, "height"))
    c->options.height = random_height (&c->base.palette);
  if (has_option (operation, "radius"))
    {
      c->options.element = g_test_rand_bit () ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
      c->options.radius  = c->base.large
                           ? g_test_rand_int_range (0, c->base.size.depth > 1 ? 4 : 12)
                           : random_radius (&c->base.size);
    }

  case_draw (&c->base);
  if (operation == WF_OPERATION_IMPOSE_MINIMA)
    make_markers (c);
  compute_expected (c);
}

static void
derived_clear (gpointer data)
{
  Derived *c = data;

  g_free (c->marked);
  g_free (c->expected);
}

static void
append_markers (GString       *text,
                gconstpointer  data)
{
  const Derived *c = data;

  if (c->marked)
    append_levels (text, "markers", &c->base.size, c->marked);
}

static char *
find_input_fault (const Derived      *c,
                  const GuardedImage *image,
                  const GuardedImage *markers,
                  Place               place)
{
  char *fault = NULL;

  if (place != ON_IMAGE)
    fault = find_image_fault (&c->base, image);
  if (! fault && place != ON_MARKERS && markers)
    fault = find_level_fault (markers, c->marked, "markers");
  return fault;
}

static Place
random_place (const Derived *c)
{
  Place place = g_test_rand_int_range (0, N_PLACES);

  if ((place == ON_IMAGE && c->out_type != c->base.type) ||
      (place == ON_MARKERS && (! c->marked || c->marked_type != c->out_type)))
    return APART;
  return place;
}

static char *
run_derived (gconstpointer        data,
             const Configuration *configuration,
             gboolean            *refused)
{
  static const char *const  places[] = { "apart", "on the image", "on the markers" };
  const Derived            *c        = data;
  Place                     place    = random_place (c);
  g_autoptr (GuardedImage)  image    = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->base.image);
  g_autoptr (GuardedImage)  markers  = c->marked ? guarded_image_new_levels (c->marked_type,
                                                                             &c->base.size,
                                                                             c->marked)
                                                 : NULL;
  g_autoptr (GuardedImage)  apart    = guarded_image_new (c->out_type, &c->base.size,
                                                          g_test_rand_bit ());
  GuardedImage             *out      = place == ON_IMAGE ? image
                                       : place == ON_MARKERS ? markers : apart;
  g_autoptr (GError)        error    = NULL;
  g_autofree char          *fault    = NULL;
  gboolean                  done;

  done = operation_call (c->base.operation, configuration->context, &image->view,
                          markers ? &markers->view : NULL, &out->view, &c->options, &error);
  if (! done && is_refused_algorithm (c->options.algorithm, error) &&
      guarded_image_is_untouched (apart))
    {
      *refused = TRUE;
      return find_input_fault (c, image, markers, APART);
    }
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "output");
  if (! fault)
    fault = find_input_fault (c, image, markers, place);
  if (! fault)
    fault = find_report_fault (&c->base, configuration);
  return fault ? g_strdup_printf ("output %s: %s", places[place], fault) : NULL;
}

void
run_morphology_cases (const Configurations *configurations,
                      WfOperation           operation,
                      guint                 n_cases)
{
  static const CaseKind kind =
  {
    .size                 = sizeof (Derived),
    .needs_all_algorithms = TRUE,
    .init                 = derived_init,
    .clear                = derived_clear,
    .run                  = run_derived,
    .append               = append_markers,
  };

  run_cases (&kind, configurations, &operation, n_cases);
}
