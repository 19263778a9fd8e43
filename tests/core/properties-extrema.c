/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Properties of the operations by reconstruction. */

#include <math.h>

#include "properties.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"

static WfMorphologyOptions
options_with (double    height,
              WfElement element,
              int       radius)
{
  WfMorphologyOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_FILL_HOLES), &options);
  options.height  = height;
  options.element = element;
  options.radius  = radius;
  return options;
}

static double *
apply (const Operand             *o,
       MorphologyFunc             function,
       const WfMorphologyOptions *options,
       const double              *levels)
{
  return apply_morphology (o, function, o->type, options, levels);
}

static double *
apply_map (const Operand             *o,
           MorphologyFunc             function,
           const WfMorphologyOptions *options,
           const double              *levels)
{
  return apply_morphology (o, function, WF_TYPE_U8, options, levels);
}


/*  Heights  */

/* h-maxima lowers levels by at most the height; the h-dome is the difference; h-minima and
 * h-basin are the same on the complement; two heights in sequence equal their sum.
 */
static void
check_heights (const Operand *o)
{
  int                 first  = g_test_rand_int_range (0, 60);
  int                 second = g_test_rand_int_range (0, 60);
  WfMorphologyOptions one    = options_with (first, WF_ELEMENT_SQUARE, 1);
  WfMorphologyOptions two    = options_with (second, WF_ELEMENT_SQUARE, 1);
  WfMorphologyOptions both   = options_with (first + second, WF_ELEMENT_SQUARE, 1);
  g_autofree double  *image  = operand_tame_levels (o);
  g_autofree double  *cut    = apply (o, wf_h_maxima, &one, image);
  g_autofree double  *dome   = apply (o, wf_h_dome, &one, image);
  g_autofree double  *twice  = apply (o, wf_h_maxima, &two, cut);
  g_autofree double  *once   = apply (o, wf_h_maxima, &both, image);
  g_autofree double  *below  = levels_complement (o, image);
  g_autofree double  *filled = apply (o, wf_h_minima, &one, below);
  g_autofree double  *basin  = apply (o, wf_h_basin, &one, below);

  assert_everywhere (o, p, cut[p] <= image[p] && image[p] - cut[p] <= first);
  assert_everywhere (o, p, dome[p] == image[p] - cut[p]);
  assert_everywhere (o, p, twice[p] == once[p]);
  assert_everywhere (o, p, filled[p] == level_complement (o, cut[p]));
  assert_everywhere (o, p, basin[p] == dome[p]);
}

/* The maxima of the image are the minima of its complement; extended maxima of height 0 are
 * the regional maxima; a larger height gives no more of them, and each contains a regional
 * maximum.
 */
static void
check_extrema (const Operand *o)
{
  int                 height   = g_test_rand_int_range (0, 30);
  WfMorphologyOptions none     = options_with (0, WF_ELEMENT_SQUARE, 1);
  WfMorphologyOptions some     = options_with (height, WF_ELEMENT_SQUARE, 1);
  WfMorphologyOptions more     = options_with (2 * height + 1, WF_ELEMENT_SQUARE, 1);
  g_autofree double  *image    = g_test_rand_bit () ? operand_tame_levels (o) : operand_levels (o);
  g_autofree double  *below    = levels_complement (o, image);
  g_autofree double  *maxima   = apply_map (o, wf_regional_maxima, &none, image);
  g_autofree double  *minima   = apply_map (o, wf_regional_minima, &none, below);
  g_autofree double  *flat     = apply_map (o, wf_extended_maxima, &none, image);
  g_autofree double  *extended = apply_map (o, wf_extended_maxima, &some, image);
  g_autofree double  *higher   = apply_map (o, wf_extended_maxima, &more, image);
  guint32             n, n_extended, n_higher;
  Operand             map       = *o;
  g_autofree guint32 *labels    = NULL;
  g_autofree guint32 *of_peaks  = NULL;
  g_autofree guint32 *of_higher = NULL;
  g_autofree guint8  *found     = NULL;

  map.type  = WF_TYPE_U8;
  of_peaks  = apply_label (&map, maxima, &n);
  labels    = apply_label (&map, extended, &n_extended);
  of_higher = apply_label (&map, higher, &n_higher);
  found     = g_new0 (guint8, n_extended + 1);

  assert_everywhere (o, p, maxima[p] == 0 || maxima[p] == 255);
  assert_everywhere (o, p, minima[p] == maxima[p] && flat[p] == maxima[p]);
  g_assert_cmpuint (n, >=, 1);
  g_assert_cmpuint (n_extended, <=, n);
  g_assert_cmpuint (n_higher, <=, n_extended);
  g_assert_cmpuint (n_higher, >=, 1);
  for (gint64 p = 0; p < o->n; p++)
    if (maxima[p] > 0)
      found[labels[p]] = 1;
  for (guint32 label = 1; label <= n_extended; label++)
    g_assert_cmpuint (found[label], ==, 1);
}

/* The regional minima of the result are exactly the marked pixels. */
static void
check_imposed (const Operand *o)
{
  WfMorphologyOptions none   = options_with (0, WF_ELEMENT_SQUARE, 1);
  g_autofree double  *image  = operand_tame_levels (o);
  g_autofree guint32 *marks  = operand_marks (o, 100000);
  g_autofree double  *imposed = NULL;
  g_autofree double  *minima  = NULL;

  for (gint64 p = 0; p < o->n; p++)
    image[p] += 1;
  imposed = apply_impose_minima (o, image, marks);
  minima  = apply_map (o, wf_regional_minima, &none, imposed);
  assert_everywhere (o, p, (minima[p] != 0) == (marks[p] != 0));
  assert_everywhere (o, p, marks[p] != 0 || imposed[p] > image[p]);
}


/*  Holes and borders  */

static gboolean
is_border (const Operand *o,
           gint64         p)
{
  gint64 x = p % o->size.width;
  gint64 y = p / o->size.width % o->size.height;
  gint64 z = p / o->size.width / o->size.height;

  return x == 0 || x == o->size.width - 1 || y == 0 || y == o->size.height - 1 ||
         (o->size.depth > 1 && (z == 0 || z == o->size.depth - 1));
}

/* Filling holes is extensive, idempotent and increasing, and does not change the border of the
 * image.
 */
static void
check_holes (const Operand *o)
{
  WfMorphologyOptions options = options_with (NAN, WF_ELEMENT_SQUARE, 1);
  g_autofree double  *image   = operand_levels (o);
  g_autofree double  *other   = operand_levels (o);
  g_autofree double  *higher  = levels_higher (o, image, other);
  g_autofree double  *filled  = apply (o, wf_fill_holes, &options, image);
  g_autofree double  *again   = apply (o, wf_fill_holes, &options, filled);
  g_autofree double  *above   = apply (o, wf_fill_holes, &options, higher);

  assert_everywhere (o, p, filled[p] >= image[p] && above[p] >= filled[p]);
  assert_everywhere (o, p, again[p] == filled[p]);
  assert_everywhere (o, p, ! is_border (o, p) || filled[p] == image[p]);
}

/* Clearing the border is anti-extensive and idempotent, and leaves 0 on the border. */
static void
check_border (const Operand *o)
{
  WfMorphologyOptions options = options_with (NAN, WF_ELEMENT_SQUARE, 1);
  g_autofree double  *image   = operand_tame_levels (o);
  g_autofree double  *cleared = apply (o, wf_clear_border, &options, image);
  g_autofree double  *again   = apply (o, wf_clear_border, &options, cleared);

  assert_everywhere (o, p, cleared[p] >= 0 && cleared[p] <= image[p]);
  assert_everywhere (o, p, ! is_border (o, p) || cleared[p] == 0);
  assert_everywhere (o, p, again[p] == cleared[p]);
}


/*  Openings  */

/* Opening by reconstruction is anti-extensive, idempotent and increasing; the top-hat is the
 * difference; closing is the same on the complement; a larger structuring element gives no
 * higher result, and radius 0 changes nothing.
 */
static void
check_openings (const Operand *o)
{
  WfElement           element = g_test_rand_bit () ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
  int                 radius  = g_test_rand_int_range (0, 8);
  WfMorphologyOptions options = options_with (NAN, element, radius);
  WfMorphologyOptions wide    = options_with (NAN, element, radius + 3);
  WfMorphologyOptions point   = options_with (NAN, element, 0);
  g_autofree double  *image   = operand_tame_levels (o);
  g_autofree double  *other   = operand_tame_levels (o);
  g_autofree double  *higher  = levels_higher (o, image, other);
  g_autofree double  *below   = levels_complement (o, image);
  g_autofree double  *opened  = apply (o, wf_opening_by_reconstruction, &options, image);
  g_autofree double  *again   = apply (o, wf_opening_by_reconstruction, &options, opened);
  g_autofree double  *above   = apply (o, wf_opening_by_reconstruction, &options, higher);
  g_autofree double  *wider   = apply (o, wf_opening_by_reconstruction, &wide, image);
  g_autofree double  *whole   = apply (o, wf_opening_by_reconstruction, &point, image);
  g_autofree double  *gone    = apply (o, wf_white_top_hat_by_reconstruction, &options, image);
  g_autofree double  *closed  = apply (o, wf_closing_by_reconstruction, &options, below);
  g_autofree double  *added   = apply (o, wf_black_top_hat_by_reconstruction, &options, below);

  assert_everywhere (o, p, opened[p] <= image[p] && above[p] >= opened[p]);
  assert_everywhere (o, p, again[p] == opened[p]);
  assert_everywhere (o, p, gone[p] == image[p] - opened[p]);
  assert_everywhere (o, p, closed[p] == level_complement (o, opened[p]));
  assert_everywhere (o, p, added[p] == gone[p]);
  assert_everywhere (o, p, whole[p] == image[p]);
  assert_everywhere (o, p, wider[p] <= opened[p]);
}


static void
run_heights (void)
{
  run_properties (check_heights, test_count (25, 100));
}

static void
run_extrema (void)
{
  run_properties (check_extrema, test_count (25, 100));
}

static void
run_imposed (void)
{
  run_properties (check_imposed, test_count (25, 100));
}

static void
run_holes (void)
{
  run_properties (check_holes, test_count (25, 100));
}

static void
run_border (void)
{
  run_properties (check_border, test_count (25, 100));
}

static void
run_openings (void)
{
  run_properties (check_openings, test_count (25, 100));
}

void
add_extrema_properties (void)
{
  g_test_add_func ("/properties/extrema/heights", run_heights);
  g_test_add_func ("/properties/extrema/maps",    run_extrema);
  g_test_add_func ("/properties/extrema/imposed", run_imposed);
  g_test_add_func ("/properties/holes",           run_holes);
  g_test_add_func ("/properties/border",          run_border);
  g_test_add_func ("/properties/openings",        run_openings);
}
