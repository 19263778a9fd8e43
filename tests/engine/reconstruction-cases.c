/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "cases.h"
#include "guarded-image.h"
#include "random-image.h"

typedef struct
{
  WfType                type;
  RefSize               size;
  gint64                n;
  WfReconstructOptions  options;
  const char           *content;
  double               *mask;
  double               *marker;
  gpointer              expected;
  gboolean              large;
} Case;

/* Where the output lies. */
typedef enum
{
  APART,
  ON_MASK,
  ON_MARKER,
  N_PLACES
} Place;

/* A level moved by @by towards where reconstruction comes from. */
static double
shifted (const Case *c,
         double      level,
         double      by)
{
  double moved = c->options.by == WF_BY_DILATION ? level - by : level + by;

  if (c->type == WF_TYPE_F32)
    return (float) moved;
  return CLAMP (moved, type_lowest (c->type), type_highest (c->type));
}

static gboolean
is_on_border (const Case *c,
              gint64      p)
{
  gint64 x = p % c->size.width;
  gint64 y = p / c->size.width % c->size.height;
  gint64 z = p / c->size.width / c->size.height;

  return x == 0 || x == c->size.width - 1 || y == 0 || y == c->size.height - 1 ||
         (c->size.depth > 1 && (z == 0 || z == c->size.depth - 1));
}

/* The markers people use: any image, the mask less a height, a few pixels or
 * the border of the mask, one pixel only.
 */
static void
make_marker (Case          *c,
             const Palette *palette)
{
  double nothing = c->options.by == WF_BY_DILATION ? type_lowest (c->type)
                                                   : type_highest (c->type);
  double height  = g_test_rand_bit () ? 1 : fabs (palette->level[palette->n - 1] -
                                                  palette->level[0]) / 2;
  int    rarity  = g_test_rand_int_range (2, 60);
  int    kind    = g_test_rand_int_range (0, 5);
  gint64 chosen  = g_test_rand_int_range (0, c->n);

  if (kind == 0)
    random_content (&c->size, palette, c->marker);
  if (! isfinite (height))
    height = 1;

  for (gint64 p = 0; p < c->n && kind > 0; p++)
    {
      if (kind == 1)
        c->marker[p] = shifted (c, c->mask[p], c->type == WF_TYPE_F32 ? height : floor (height));
      else if (kind == 2)
        c->marker[p] = g_test_rand_int_range (0, rarity) ? nothing : c->mask[p];
      else if (kind == 3)
        c->marker[p] = is_on_border (c, p) ? c->mask[p] : nothing;
      else
        c->marker[p] = p == chosen ? c->mask[p] : nothing;
    }
}

static void
case_init (Case *c)
{
  g_autofree double *result = NULL;
  Palette            palette;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &c->options);
  c->type  = random_type ();
  c->large = g_test_rand_int_range (0, CASES_A_LARGE_ONE) == 0;
  if (c->large)
    random_large_size (&c->size);
  else
    random_size (&c->size);
  c->n                    = ref_n_pixels (&c->size);
  c->options.by           = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
  c->options.connectivity = random_connectivity (&c->size);
  c->options.algorithm    = random_algorithm (WF_OPERATION_RECONSTRUCT);

  random_palette (c->type, &palette);
  c->mask    = g_new (double, c->n);
  c->marker  = g_new (double, c->n);
  c->content = random_content (&c->size, &palette, c->mask);
  make_marker (c, &palette);

  result = g_new (double, c->n);
  (c->large ? ref_reconstruct_quick : ref_reconstruct) (&c->size, c->options.connectivity,
                                                        c->options.by == WF_BY_EROSION,
                                                        c->mask, c->marker, result);
  c->expected = pack_levels (c->type, result, c->n);
}

static void
case_clear (Case *c)
{
  g_free (c->mask);
  g_free (c->marker);
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
                          "reconstruction of %s, %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "×%"
                          G_GINT64_FORMAT " %s, by %s, connectivity %d, algorithm %s (%s, output "
                          "%s): %s",
                          c->content, c->size.width, c->size.height, c->size.depth,
                          wf_type_name (c->type),
                          c->options.by == WF_BY_DILATION ? "dilation" : "erosion",
                          c->options.connectivity,
                          c->options.algorithm ? c->options.algorithm : "none",
                          where,
                          place == APART ? "apart" : place == ON_MASK ? "on mask" : "on marker",
                          what);
  append_levels (text, "mask", &c->size, c->mask);
  append_levels (text, "marker", &c->size, c->marker);
  g_test_message ("%s", text->str);
  g_test_fail ();
  g_string_free (text, TRUE);
}

static gboolean
inputs_are_unchanged (const Case         *c,
                      const GuardedImage *mask,
                      const GuardedImage *marker,
                      Place               place)
{
  g_autofree gpointer packed_mask   = pack_levels (c->type, c->mask, c->n);
  g_autofree gpointer packed_marker = pack_levels (c->type, c->marker, c->n);

  return (place == ON_MASK || guarded_image_find_difference (mask, packed_mask) < 0) &&
         (place == ON_MARKER || guarded_image_find_difference (marker, packed_marker) < 0) &&
         guarded_image_is_guarded (mask) && guarded_image_is_guarded (marker);
}

static Outcome
run_case (const Case          *c,
          const Configuration *configuration,
          Place                place)
{
  g_autoptr (GuardedImage)  mask    = guarded_image_new_levels (c->type, &c->size, c->mask);
  g_autoptr (GuardedImage)  marker  = guarded_image_new_levels (c->type, &c->size, c->marker);
  g_autoptr (GuardedImage)  apart   = guarded_image_new (c->type, &c->size, g_test_rand_bit ());
  GuardedImage             *out     = place == ON_MASK ? mask : place == ON_MARKER ? marker : apart;
  g_autoptr (GError)        error   = NULL;
  g_autofree char          *what    = NULL;
  gint64                    pixel;

  if (! wf_reconstruct (configuration->context, &mask->view, &marker->view, &out->view,
                        &c->options, &error))
    {
      if (is_refused_algorithm (c->options.algorithm, error) &&
          guarded_image_is_untouched (apart) && inputs_are_unchanged (c, mask, marker, APART))
        return UNSUPPORTED;
      what = g_strdup (error ? error->message : "it failed without an error");
    }
  else if (error)
    what = g_strdup_printf ("it succeeded with an error: %s", error->message);
  else if ((pixel = guarded_image_find_difference (out, c->expected)) >= 0)
    {
      g_autofree char *is     = guarded_image_format_pixel (out, pixel);
      g_autofree char *should = format_packed (c->type, c->expected, pixel);

      what = g_strdup_printf ("pixel %" G_GINT64_FORMAT " is %s, should be %s", pixel, is, should);
    }
  else if (! guarded_image_is_guarded (out))
    what = g_strdup ("bytes beside the output's pixels changed");
  else if (! inputs_are_unchanged (c, mask, marker, place))
    what = g_strdup ("an input changed");
  else if (! configuration_report_is_sane (configuration, WF_OPERATION_RECONSTRUCT,
                                           c->options.algorithm))
    what = g_strdup ("the context's report is wrong");

  if (! what)
    return EQUAL;
  report_failure (c, configuration, place, what);
  return DIFFERENT;
}

void
run_reconstruction_cases (const Configurations *configurations,
                          guint                 n_cases)
{
  g_autoptr (GHashTable) runs = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_cases; i++)
    {
      g_auto (Case) c = { 0 };

      case_init (&c);
      for (int k = 0; k < CONFIGURATIONS_A_CASE; k++)
        {
          const Configuration *configuration = c.large ? configurations_pick_coarse (configurations)
                                                       : configurations_pick (configurations);
          Outcome              outcome       = run_case (&c, configuration,
                                                         g_test_rand_int_range (0, N_PLACES));

          if (outcome == DIFFERENT)
            return;
          if (outcome == EQUAL)
            count_run (runs, c.options.algorithm);
        }
    }
  assert_algorithms_ran (configurations, WF_OPERATION_RECONSTRUCT, runs);
}
