/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "cases.h"
#include "guarded-image.h"
#include "random-image.h"

typedef struct
{
  WfOperation          operation;
  WfType               type;
  WfType               out_type;
  RefSize              size;
  gint64               n;
  WfMorphologyOptions  options;
  const char          *content;
  double              *image;
  double              *marked;        /* where minima are to be imposed */
  WfType               marked_type;
  gpointer             expected;
  gboolean             large;
} Case;

/* Where the output lies. */
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

/* None at all, a step of the levels, about their range, all that there is; with and
 * without a fraction.
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

/* Small ones, about the image's sides, and far beyond them. */
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

/* A few pixels, many, all of them; whatever value marks one. */
static void
make_markers (Case *c)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32, WF_TYPE_F32 };
  int                 rarity  = g_test_rand_int_range (1, 40);

  c->marked_type = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
  c->marked      = g_new (double, c->n);
  for (gint64 p = 0; p < c->n; p++)
    {
      gboolean mark = g_test_rand_int_range (0, rarity) == 0;

      c->marked[p] = mark ? g_test_rand_int_range (1, 256) : 0;
      if (c->marked_type == WF_TYPE_F32)
        c->marked[p] = mark ? (g_test_rand_bit () ? -1e-40f : INFINITY) : -0.0;
      else if (c->marked_type == WF_TYPE_U32 && mark)
        c->marked[p] *= 1 << 24;
    }
  c->marked[g_test_rand_int_range (0, (gint32) c->n)] = 1;
}

static void
compute (const Case          *c,
         const RefMorphology *o,
         double              *result)
{
  const double *image = c->image;

  switch ((int) c->operation)
    {
    case WF_OPERATION_FILL_HOLES:
      ref_from_border (&c->size, o, TRUE, image, result);
      break;
    case WF_OPERATION_CLEAR_BORDER:
      ref_from_border (&c->size, o, FALSE, image, result);
      ref_difference (image, result, c->n, result);
      break;
    case WF_OPERATION_H_MAXIMA:
    case WF_OPERATION_H_MINIMA:
      ref_h_extrema (&c->size, o, c->operation == WF_OPERATION_H_MINIMA, image, result);
      break;
    case WF_OPERATION_H_DOME:
    case WF_OPERATION_H_BASIN:
      ref_h_extrema (&c->size, o, c->operation == WF_OPERATION_H_BASIN, image, result);
      ref_difference (image, result, c->n, result);
      break;
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
      ref_regional_extrema (&c->size, o->connectivity,
                            c->operation == WF_OPERATION_REGIONAL_MINIMA, image, result);
      break;
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
      {
        gboolean           minima  = c->operation == WF_OPERATION_EXTENDED_MINIMA;
        g_autofree double *cut_off = g_new (double, c->n);

        ref_h_extrema (&c->size, o, minima, image, cut_off);
        ref_regional_extrema (&c->size, o->connectivity, minima, cut_off, result);
        break;
      }
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
      ref_opening (&c->size, o, c->operation == WF_OPERATION_CLOSING, image, result);
      break;
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      ref_opening (&c->size, o, c->operation == WF_OPERATION_BLACK_TOP_HAT, image, result);
      ref_difference (image, result, c->n, result);
      break;
    case WF_OPERATION_IMPOSE_MINIMA:
      ref_impose_minima (&c->size, o, image, c->marked, result);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
compute_expected (Case *c)
{
  g_autofree double *result  = g_new (double, c->n);
  RefMorphology      options = {
    .connectivity = c->options.connectivity,
    .highest      = c->type == WF_TYPE_F32 ? 0 : type_highest (c->type),
    .height       = c->options.height,
    .disc         = c->options.element == WF_ELEMENT_DISC,
    .radius       = c->options.radius,
    .quick        = c->large,
  };

  compute (c, &options, result);
  c->expected = pack_levels (c->out_type, result, c->n);
}

static WfType
type_of_result (const Case *c)
{
  switch ((int) c->operation)
    {
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
      return WF_TYPE_U8;
    default:
      return c->type;
    }
}

static void
case_init (Case        *c,
           WfOperation  operation)
{
  Palette palette;

  c->operation = operation;
  c->type      = random_type ();
  c->out_type  = type_of_result (c);
  c->large     = g_test_rand_int_range (0, CASES_A_LARGE_ONE) == 0;
  if (c->large)
    random_large_size (&c->size);
  else
    random_size (&c->size);
  c->n = ref_n_pixels (&c->size);

  random_palette (c->type, &palette);
  wf_option_group_init (wf_operation_get_options (operation), &c->options);
  c->options.connectivity = random_connectivity (&c->size);
  c->options.algorithm    = random_algorithm (operation);
  if (has_option (operation, "height"))
    c->options.height = random_height (&palette);
  if (has_option (operation, "radius"))
    {
      c->options.element = g_test_rand_bit () ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
      c->options.radius  = c->large ? g_test_rand_int_range (0, c->size.depth > 1 ? 4 : 12)
                                    : random_radius (&c->size);
    }

  c->image   = g_new (double, c->n);
  c->content = random_content (&c->size, &palette, c->image);
  if (operation == WF_OPERATION_IMPOSE_MINIMA)
    make_markers (c);
  compute_expected (c);
}

static void
case_clear (Case *c)
{
  g_free (c->image);
  g_free (c->marked);
  g_free (c->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
report_failure (const Case          *c,
                const Configuration *configuration,
                Place                place,
                const char          *what)
{
  g_autofree char *where = configuration_describe (configuration);
  GString         *text  = g_string_new (NULL);

  g_string_append_printf (text,
                          "%s of %s, %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "×%"
                          G_GINT64_FORMAT " %s, height %g, %s of radius %d, connectivity %d, "
                          "algorithm %s (%s, output %s): %s",
                          wf_operation_get_options (c->operation)->name, c->content,
                          c->size.width, c->size.height, c->size.depth, wf_type_name (c->type),
                          c->options.height,
                          c->options.element == WF_ELEMENT_DISC ? "disc" : "square",
                          c->options.radius, c->options.connectivity,
                          c->options.algorithm ? c->options.algorithm : "none", where,
                          place == APART ? "apart"
                          : place == ON_IMAGE ? "on the image" : "on the markers",
                          what);
  append_levels (text, "image", &c->size, c->image);
  if (c->marked)
    append_levels (text, "markers", &c->size, c->marked);
  g_test_message ("%s", text->str);
  g_test_fail ();
  g_string_free (text, TRUE);
}

typedef gboolean (* Operation) (WfContext *, const WfImage *, WfImage *,
                                const WfMorphologyOptions *, GError **);

static gboolean
run (const Case    *c,
     WfContext     *context,
     const WfImage *image,
     const WfImage *markers,
     WfImage       *out,
     GError       **error)
{
  static const Operation operations[WF_N_OPERATIONS] =
  {
    [WF_OPERATION_FILL_HOLES]      = wf_fill_holes,
    [WF_OPERATION_CLEAR_BORDER]    = wf_clear_border,
    [WF_OPERATION_H_MAXIMA]        = wf_h_maxima,
    [WF_OPERATION_H_MINIMA]        = wf_h_minima,
    [WF_OPERATION_H_DOME]          = wf_h_dome,
    [WF_OPERATION_H_BASIN]         = wf_h_basin,
    [WF_OPERATION_REGIONAL_MAXIMA] = wf_regional_maxima,
    [WF_OPERATION_REGIONAL_MINIMA] = wf_regional_minima,
    [WF_OPERATION_EXTENDED_MAXIMA] = wf_extended_maxima,
    [WF_OPERATION_EXTENDED_MINIMA] = wf_extended_minima,
    [WF_OPERATION_OPENING]         = wf_opening_by_reconstruction,
    [WF_OPERATION_CLOSING]         = wf_closing_by_reconstruction,
    [WF_OPERATION_WHITE_TOP_HAT]   = wf_white_top_hat_by_reconstruction,
    [WF_OPERATION_BLACK_TOP_HAT]   = wf_black_top_hat_by_reconstruction,
  };

  if (c->operation == WF_OPERATION_IMPOSE_MINIMA)
    return wf_impose_minima (context, image, markers, out, &c->options, error);
  return operations[c->operation] (context, image, out, &c->options, error);
}

static gboolean
inputs_are_unchanged (const Case         *c,
                      const GuardedImage *image,
                      const GuardedImage *markers,
                      Place               place)
{
  g_autofree gpointer packed = pack_levels (c->type, c->image, c->n);
  g_autofree gpointer marked = c->marked ? pack_levels (c->marked_type, c->marked, c->n) : NULL;

  return (place == ON_IMAGE || guarded_image_find_difference (image, packed) < 0) &&
         (place == ON_MARKERS || ! marked ||
          guarded_image_find_difference (markers, marked) < 0) &&
         guarded_image_is_guarded (image) && (! markers || guarded_image_is_guarded (markers));
}

static Place
random_place (const Case *c)
{
  Place place = g_test_rand_int_range (0, N_PLACES);

  if ((place == ON_IMAGE && c->out_type != c->type) ||
      (place == ON_MARKERS && (! c->marked || c->marked_type != c->out_type)))
    return APART;
  return place;
}

static Outcome
run_case (const Case          *c,
          const Configuration *configuration,
          Place                place)
{
  g_autoptr (GuardedImage)  image   = guarded_image_new_levels (c->type, &c->size, c->image);
  g_autoptr (GuardedImage)  markers = c->marked ? guarded_image_new_levels (c->marked_type,
                                                                            &c->size, c->marked)
                                                : NULL;
  g_autoptr (GuardedImage)  apart   = guarded_image_new (c->out_type, &c->size,
                                                         g_test_rand_bit ());
  GuardedImage             *out     = place == ON_IMAGE ? image
                                    : place == ON_MARKERS ? markers : apart;
  g_autoptr (GError)        error   = NULL;
  g_autofree char          *what    = NULL;
  gint64                    pixel;

  if (! run (c, configuration->context, &image->view, markers ? &markers->view : NULL, &out->view,
             &error))
    {
      if (is_refused_algorithm (c->options.algorithm, error) &&
          guarded_image_is_untouched (apart) && inputs_are_unchanged (c, image, markers, APART))
        return UNSUPPORTED;
      what = g_strdup (error ? error->message : "it failed without an error");
    }
  else if (error)
    what = g_strdup_printf ("it succeeded with an error: %s", error->message);
  else if ((pixel = guarded_image_find_difference (out, c->expected)) >= 0)
    {
      g_autofree char *is     = guarded_image_format_pixel (out, pixel);
      g_autofree char *should = format_packed (c->out_type, c->expected, pixel);

      what = g_strdup_printf ("pixel %" G_GINT64_FORMAT " is %s, should be %s", pixel, is, should);
    }
  else if (! guarded_image_is_guarded (out))
    what = g_strdup ("bytes beside the output's pixels changed");
  else if (! inputs_are_unchanged (c, image, markers, place))
    what = g_strdup ("an input changed");
  else if (! configuration_report_is_sane (configuration, c->operation, c->options.algorithm))
    what = g_strdup ("the context's report is wrong");

  if (! what)
    return EQUAL;
  report_failure (c, configuration, place, what);
  return DIFFERENT;
}

void
run_morphology_cases (const Configurations *configurations,
                      WfOperation           operation,
                      guint                 n_cases)
{
  g_autoptr (GHashTable) runs = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_cases; i++)
    {
      g_auto (Case) c = { 0 };

      case_init (&c, operation);
      for (int k = 0; k < CONFIGURATIONS_A_CASE; k++)
        {
          const Configuration *configuration = c.large ? configurations_pick_coarse (configurations)
                                                       : configurations_pick (configurations);
          Outcome              outcome       = run_case (&c, configuration, random_place (&c));

          if (outcome == DIFFERENT)
            return;
          if (outcome == EQUAL)
            count_run (runs, c.options.algorithm);
        }
    }
  assert_algorithms_ran (configurations, operation, runs);
}
