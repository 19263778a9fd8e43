/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Properties that hold for every image: relations between results for different inputs that
 * follow from the definitions.  A reference could contain the same misreading of a definition
 * as the library; these relations do not depend on such a reading.
 *
 * This file has those of reconstruction and the distance map.
 */

#include <math.h>

#include "properties.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"

void
run_properties (void (* check) (const Operand *operand),
                guint   n_cases)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < n_cases; i++)
    {
      Operand operand;

      operand_init (&operand, configurations);
      check (&operand);
    }
}


/*  Reconstruction  */

/* The result lies between the minimum of marker and mask, and the mask.  Reconstruction is
 * idempotent, a marker above the mask counts as the mask, and a mask below the marker is the
 * result.
 */
static void
check_bounds (const Operand *o)
{
  g_autofree double *mask    = operand_levels (o);
  g_autofree double *marker  = operand_levels (o);
  g_autofree double *within  = levels_lower (o, mask, marker);
  g_autofree double *result  = apply_reconstruct (o, WF_BY_DILATION, mask, marker);
  g_autofree double *again   = apply_reconstruct (o, WF_BY_DILATION, mask, result);
  g_autofree double *same    = apply_reconstruct (o, WF_BY_DILATION, mask, within);
  g_autofree double *swapped = apply_reconstruct (o, WF_BY_DILATION, within, mask);

  assert_everywhere (o, p, within[p] <= result[p] && result[p] <= mask[p]);
  assert_everywhere (o, p, again[p] == result[p]);
  assert_everywhere (o, p, same[p] == result[p]);
  assert_everywhere (o, p, swapped[p] == within[p]);
}

/* A higher mask gives no lower result, and the result for the maximum of two markers is the
 * maximum of their results.
 */
static void
check_monotone (const Operand *o)
{
  g_autofree double *mask         = operand_levels (o);
  g_autofree double *other_mask   = operand_levels (o);
  g_autofree double *marker       = operand_levels (o);
  g_autofree double *other_marker = operand_levels (o);
  g_autofree double *low_mask     = levels_lower (o, mask, other_mask);
  g_autofree double *high_marker  = levels_higher (o, marker, other_marker);
  g_autofree double *result       = apply_reconstruct (o, WF_BY_DILATION, mask, marker);
  g_autofree double *other        = apply_reconstruct (o, WF_BY_DILATION, mask, other_marker);
  g_autofree double *under        = apply_reconstruct (o, WF_BY_DILATION, low_mask, marker);
  g_autofree double *both         = apply_reconstruct (o, WF_BY_DILATION, mask, high_marker);

  assert_everywhere (o, p, under[p] <= result[p]);
  assert_everywhere (o, p, both[p] == MAX (result[p], other[p]));
}

/* Reconstruction by erosion is the complement of reconstruction by dilation of the complements. */
static void
check_dual (const Operand *o)
{
  g_autofree double *mask     = operand_levels (o);
  g_autofree double *marker   = operand_levels (o);
  g_autofree double *result   = apply_reconstruct (o, WF_BY_EROSION, mask, marker);
  g_autofree double *mask_c   = levels_complement (o, mask);
  g_autofree double *marker_c = levels_complement (o, marker);
  g_autofree double *result_c = apply_reconstruct (o, WF_BY_DILATION, mask_c, marker_c);

  assert_everywhere (o, p, result[p] == level_complement (o, result_c[p]));
}

/* Flipping or transposing the inputs flips or transposes the result. */
static void
check_directions (const Operand *o)
{
  WfDirection        by       = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
  Operand            turned   = *o;
  g_autofree double *mask     = operand_levels (o);
  g_autofree double *marker   = operand_levels (o);
  g_autofree double *result   = apply_reconstruct (o, by, mask, marker);
  g_autofree double *mask_t   = levels_transposed (o, mask);
  g_autofree double *marker_t = levels_transposed (o, marker);
  g_autofree double *result_t = levels_transposed (o, result);
  g_autofree double *of_turned = NULL;

  for (int axis = 0; axis < 3; axis++)
    {
      g_autofree double *mask_f   = levels_flipped (o, mask, axis);
      g_autofree double *marker_f = levels_flipped (o, marker, axis);
      g_autofree double *result_f = levels_flipped (o, result, axis);
      g_autofree double *flipped  = apply_reconstruct (o, by, mask_f, marker_f);

      assert_everywhere (o, p, flipped[p] == result_f[p]);
    }
  turned.size.width  = o->size.height;
  turned.size.height = o->size.width;
  of_turned = apply_reconstruct (&turned, by, mask_t, marker_t);
  assert_everywhere (o, p, of_turned[p] == result_t[p]);
}

/* The pixels of the result at or above a level are the binary reconstruction of the mask
 * thresholded at that level from the thresholded marker.
 */
static void
check_thresholds (const Operand *o)
{
  g_autofree double *mask          = operand_levels (o);
  g_autofree double *marker        = operand_levels (o);
  g_autofree double *result        = apply_reconstruct (o, WF_BY_DILATION, mask, marker);
  g_autofree double *mask_set      = g_new (double, o->n);
  g_autofree double *marker_set    = g_new (double, o->n);
  g_autofree double *set           = NULL;
  double             level         = mask[g_test_rand_int_range (0, o->n)];

  for (gint64 p = 0; p < o->n; p++)
    {
      mask_set[p]   = mask[p] >= level;
      marker_set[p] = marker[p] >= level;
    }
  set = apply_reconstruct (o, WF_BY_DILATION, mask_set, marker_set);
  assert_everywhere (o, p, set[p] == (result[p] >= level));
}


/*  Distance  */

static void
random_distance_options (WfDistanceOptions *options,
                         int                metric)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
  options->metric            = metric;
  options->border_background = g_test_rand_int_range (0, 4) == 0;
  if (g_test_rand_int_range (0, 3) == 0)
    for (int axis = 0; axis < 3; axis++)
      options->spacing[axis] = g_test_rand_int_range (1, 9) / 4.0;
}

static double *
random_binary (const Operand *o)
{
  double *levels = g_new (double, o->n);
  double  share  = g_test_rand_bit () ? 0.5 : 2.0 / o->n;

  for (gint64 p = 0; p < o->n; p++)
    levels[p] = g_test_rand_double () < share ? 0 : 1;
  return levels;
}

static void
check_distance_directions (const Operand *o)
{
  WfDistanceOptions  options;
  WfDistanceOptions  turned_options;
  Operand            turned    = *o;
  g_autofree double *image     = random_binary (o);
  g_autofree double *image_t   = levels_transposed (o, image);
  g_autofree double *result    = NULL;
  g_autofree double *result_t  = NULL;
  g_autofree double *of_turned = NULL;

  random_distance_options (&options, g_test_rand_int_range (0, 4));
  result   = apply_distance (o, &options, image, NULL);
  result_t = levels_transposed (o, result);
  for (int axis = 0; axis < 3; axis++)
    {
      g_autofree double *image_f  = levels_flipped (o, image, axis);
      g_autofree double *result_f = levels_flipped (o, result, axis);
      g_autofree double *flipped  = apply_distance (o, &options, image_f, NULL);

      assert_everywhere (o, p, flipped[p] == result_f[p]);
    }

  /* random spacings are multiples of 1/4, so sums of squares are exact in any order of the axes */
  turned_options            = options;
  turned_options.spacing[0] = options.spacing[1];
  turned_options.spacing[1] = options.spacing[0];
  turned.size.width         = o->size.height;
  turned.size.height        = o->size.width;
  of_turned = apply_distance (&turned, &turned_options, image_t, NULL);
  assert_everywhere (o, p, of_turned[p] == result_t[p]);
}

/* The distance is 0 exactly on the background, and between neighbours along an axis it changes by
 * at most the spacing, up to the rounding of two single-precision numbers.
 */
static void
check_lipschitz (const Operand *o)
{
  static const int   metrics[] = { WF_METRIC_EUCLIDEAN, WF_METRIC_CITY_BLOCK,
                                   WF_METRIC_CHESSBOARD };
  WfDistanceOptions  options;
  g_autofree double *image = random_binary (o);
  g_autofree double *d     = NULL;
  const gint64       steps[3] = { 1, o->size.width, o->size.width * o->size.height };
  const gint64       sides[3] = { o->size.width, o->size.height, o->size.depth };

  random_distance_options (&options, metrics[g_test_rand_int_range (0, 3)]);
  d = apply_distance (o, &options, image, NULL);
  assert_everywhere (o, p, (d[p] == 0) == (image[p] == 0));
  for (int axis = 0; axis < 3; axis++)
    assert_everywhere (o, p,
                       p / steps[axis] % sides[axis] == sides[axis] - 1 ||
                       (isinf (d[p]) && isinf (d[p + steps[axis]])) ||
                       fabs (d[p] - d[p + steps[axis]]) <= options.spacing[axis]
                                                           + 1e-6 * (d[p] + 1));
}

/* The distance to the union of two backgrounds is the minimum of the distances to each. */
static void
check_union (const Operand *o)
{
  WfDistanceOptions  options;
  g_autofree double *a      = random_binary (o);
  g_autofree double *b      = random_binary (o);
  g_autofree double *either = levels_lower (o, a, b);
  g_autofree double *to_a   = NULL;
  g_autofree double *to_b   = NULL;
  g_autofree double *to_any = NULL;

  random_distance_options (&options, g_test_rand_int_range (0, 4));
  to_a   = apply_distance (o, &options, a, NULL);
  to_b   = apply_distance (o, &options, b, NULL);
  to_any = apply_distance (o, &options, either, NULL);
  assert_everywhere (o, p, to_any[p] == MIN (to_a[p], to_b[p]));
}

/* The chessboard distance is at most the Euclidean, which is at most the city-block distance;
 * the Euclidean distance is the root of the squared one, rounded once.
 */
static void
check_metrics (const Operand *o)
{
  WfDistanceOptions  options;
  g_autofree double *image = random_binary (o);
  g_autofree double *d[4]  = { NULL };

  random_distance_options (&options, WF_METRIC_EUCLIDEAN);
  for (int metric = 0; metric < 4; metric++)
    {
      options.metric = metric;
      d[metric]      = apply_distance (o, &options, image, NULL);
    }
  for (gint64 p = 0; p < o->n; p++)
    if (wf_distance_get_type (&options) != WF_TYPE_F64 && d[WF_METRIC_SQUARED][p] >= 1e18)
      d[WF_METRIC_SQUARED][p] = INFINITY;    /* integers have their largest value instead */
  assert_everywhere (o, p, d[WF_METRIC_EUCLIDEAN][p] == (float) sqrt (d[WF_METRIC_SQUARED][p]));
  assert_everywhere (o, p,
                     d[WF_METRIC_CHESSBOARD][p] <= d[WF_METRIC_EUCLIDEAN][p] * (1 + 1e-6) &&
                     d[WF_METRIC_EUCLIDEAN][p] <= d[WF_METRIC_CITY_BLOCK][p] * (1 + 1e-6));
  for (int metric = 0; metric < 4; metric++)
    g_free (g_steal_pointer (&d[metric]));
}

/* The nearest pixel is a background pixel, and its distance is that of the map. */
static void
check_nearest (const Operand *o)
{
  WfDistanceOptions  options;
  g_autofree double *image   = random_binary (o);
  g_autofree double *nearest = NULL;
  g_autofree double *squares = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  options.metric = WF_METRIC_SQUARED;
  squares = apply_distance (o, &options, image, &nearest);
  for (gint64 p = 0; p < o->n; p++)
    {
      gint64 site;
      double dx, dy, dz;

      if (nearest[p] >= o->n)
        {
          g_assert_cmpfloat (squares[p], >, 1e18);
          continue;
        }
      site = (gint64) nearest[p];
      dx   = p % o->size.width - site % o->size.width;
      dy   = p / o->size.width % o->size.height - site / o->size.width % o->size.height;
      dz   = p / o->size.width / o->size.height - site / o->size.width / o->size.height;
      g_assert_cmpfloat (image[site], ==, 0);
      g_assert_cmpfloat (squares[p], ==, dx * dx + dy * dy + dz * dz);
    }
}

/* Counting the outside as background equals a frame of background pixels around the image. */
static void
check_frame (const Operand *o)
{
  WfDistanceOptions  options;
  Operand            framed = *o;
  g_autofree double *image  = random_binary (o);
  g_autofree double *wide   = NULL;
  g_autofree double *inside = NULL;
  g_autofree double *around = NULL;
  gint64             dz     = o->size.depth > 1 ? 1 : 0;

  random_distance_options (&options, g_test_rand_int_range (0, 4));
  options.border_background = TRUE;
  inside = apply_distance (o, &options, image, NULL);

  framed.size = (RefSize) { o->size.width + 2, o->size.height + 2, o->size.depth + 2 * dz };
  framed.n    = ref_n_pixels (&framed.size);
  wide        = g_new0 (double, framed.n);
  for (gint64 p = 0; p < o->n; p++)
    wide[ref_index (&framed.size, p % o->size.width + 1, p / o->size.width % o->size.height + 1,
                    p / o->size.width / o->size.height + dz)] = image[p];
  options.border_background = FALSE;
  around = apply_distance (&framed, &options, wide, NULL);
  assert_everywhere (o, p,
                     inside[p] == around[ref_index (&framed.size, p % o->size.width + 1,
                                                    p / o->size.width % o->size.height + 1,
                                                    p / o->size.width / o->size.height + dz)]);
}

/* A signed map is the map of the foreground minus the map of the inverted image. */
static void
check_signed (const Operand *o)
{
  static const int   metrics[] = { WF_METRIC_EUCLIDEAN, WF_METRIC_CITY_BLOCK,
                                   WF_METRIC_CHESSBOARD };
  WfDistanceOptions  options;
  g_autofree double *image   = random_binary (o);
  g_autofree double *inverse = g_new (double, o->n);
  g_autofree double *both    = NULL;
  g_autofree double *in      = NULL;
  g_autofree double *out     = NULL;

  for (gint64 p = 0; p < o->n; p++)
    inverse[p] = 1 - image[p];
  random_distance_options (&options, metrics[g_test_rand_int_range (0, 3)]);
  options.signed_distance = TRUE;
  both = apply_distance (o, &options, image, NULL);
  options.signed_distance = FALSE;
  in = apply_distance (o, &options, image, NULL);
  options.border_background = FALSE;
  out = apply_distance (o, &options, inverse, NULL);
  assert_everywhere (o, p, both[p] == (image[p] != 0 ? in[p] : -out[p]));
}


typedef void (* CheckFunc) (const Operand *operand);

static void
run_check (gconstpointer data)
{
  run_properties (*(const CheckFunc *) data, test_count (30, 120));
}

int
main (int    argc,
      char **argv)
{
  static const struct
  {
    const char *path;
    CheckFunc   check;
  } checks[] =
  {
    { "/properties/reconstruction/bounds",     check_bounds },
    { "/properties/reconstruction/monotone",   check_monotone },
    { "/properties/reconstruction/dual",       check_dual },
    { "/properties/reconstruction/directions", check_directions },
    { "/properties/reconstruction/thresholds", check_thresholds },
    { "/properties/distance/directions",       check_distance_directions },
    { "/properties/distance/lipschitz",        check_lipschitz },
    { "/properties/distance/union",            check_union },
    { "/properties/distance/metrics",          check_metrics },
    { "/properties/distance/nearest",          check_nearest },
    { "/properties/distance/frame",            check_frame },
    { "/properties/distance/signed",           check_signed },
  };

  tests_begin (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    g_test_add_data_func (checks[i].path, &checks[i].check, run_check);
  add_extrema_properties ();
  add_basin_properties ();

  return g_test_run ();
}
