/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion, dilation, opening, closing and top-hats of wide images, by squares of many pixels,
 * discs of 5 and diagonals: windows of which blocks and groups of lines are made, windows longer
 * than the image, images of few rows or columns, and large results, on all instruction sets and
 * numbers of threads; also zeros of both signs, and one NaN.  The references here are windows along
 * one axis after the other, and lists of few pixels, from their definition: images can be larger
 * than with the reference for all elements.
 */

#include <math.h>
#include <string.h>

#include "filter-call.h"
#include "tests/support/configurations.h"
#include "tests/support/tiers.h"

#define LONGEST 300

static const WfOperation operations[] = { WF_OPERATION_EROSION, WF_OPERATION_DILATION,
                                          WF_OPERATION_OPENING, WF_OPERATION_CLOSING,
                                          WF_OPERATION_WHITE_TOP_HAT,
                                          WF_OPERATION_BLACK_TOP_HAT };


/*  The reference  */

/* The extremes of windows along a line of @n levels, @step apart. */
static void
find_windows (const double *levels,
              gint64        n,
              gint64        step,
              gint64        radius,
              gboolean      greatest,
              double       *result)
{
  for (gint64 i = 0; i < n; i++)
    {
      double value = levels[i * step];

      for (gint64 k = MAX (i - radius, 0); k <= MIN (i + radius, n - 1); k++)
        value = greatest ? MAX (value, levels[k * step]) : MIN (value, levels[k * step]);
      result[i * step] = value;
    }
}

/* @dx, @dy: where the pixels of the element are */
static void
find_listed (double       *levels,
             gint64        width,
             gint64        height,
             const gint64 *dx,
             const gint64 *dy,
             gint64        n,
             gboolean      greatest)
{
  g_autofree double *image = g_memdup2 (levels, width * height * sizeof *levels);

  for (gint64 y = 0; y < height; y++)
    for (gint64 x = 0; x < width; x++)
      for (gint64 k = 0; k < n; k++)
        if (x + dx[k] >= 0 && x + dx[k] < width && y + dy[k] >= 0 && y + dy[k] < height)
          {
            const double other = image[(y + dy[k]) * width + x + dx[k]];
            double      *level = levels + y * width + x;

            *level = greatest ? MAX (*level, other) : MIN (*level, other);
          }
}

static void
find_discs (double   *levels,
            gint64    width,
            gint64    height,
            gboolean  greatest)
{
  const gint64 dx[] = { 0, -1, 1, 0 };
  const gint64 dy[] = { -1, 0, 0, 1 };

  find_listed (levels, width, height, dx, dy, G_N_ELEMENTS (dx), greatest);
}

/* Lines at 45°, which rise to the right. */
static void
find_diagonals (double   *levels,
                gint64    width,
                gint64    height,
                gint64    radius,
                gboolean  greatest)
{
  const gint64       reach = MIN (radius, MAX (width, height));
  g_autofree gint64 *dx    = g_new (gint64, 2 * reach + 1);
  g_autofree gint64 *dy    = g_new (gint64, 2 * reach + 1);

  for (gint64 k = -reach; k <= reach; k++)
    {
      dx[k + reach] = k;
      dy[k + reach] = -k;
    }
  find_listed (levels, width, height, dx, dy, 2 * reach + 1, greatest);
}

static void
find_squares (double   *levels,
              gint64    width,
              gint64    height,
              gint64    radius,
              gboolean  greatest)
{
  g_autofree double *along = g_new (double, width * height);

  for (gint64 y = 0; y < height; y++)
    find_windows (levels + y * width, width, 1, radius, greatest, along + y * width);
  for (gint64 x = 0; x < width; x++)
    find_windows (along + x, height, width, radius, greatest, levels + x);
}

static void
find_extremes (double    *levels,
               gint64     width,
               gint64     height,
               WfElement  element,
               gint64     radius,
               gboolean   greatest)
{
  if (element == WF_ELEMENT_SQUARE)
    find_squares (levels, width, height, radius, greatest);
  else if (element == WF_ELEMENT_DISC)
    find_discs (levels, width, height, greatest);
  else
    find_diagonals (levels, width, height, radius, greatest);
}

static void
find_expected (WfOperation  operation,
               double      *levels,
               gint64       width,
               gint64       height,
               WfElement    element,
               gint64       radius)
{
  const gboolean     greatest   = operation == WF_OPERATION_DILATION ||
                                  operation == WF_OPERATION_CLOSING ||
                                  operation == WF_OPERATION_BLACK_TOP_HAT;
  const gboolean     is_top_hat = operation == WF_OPERATION_WHITE_TOP_HAT ||
                                  operation == WF_OPERATION_BLACK_TOP_HAT;
  g_autofree double *image      = g_memdup2 (levels, width * height * sizeof *levels);

  find_extremes (levels, width, height, element, radius, greatest);
  if (operation == WF_OPERATION_EROSION || operation == WF_OPERATION_DILATION)
    return;
  find_extremes (levels, width, height, element, radius, ! greatest);
  for (gint64 i = 0; is_top_hat && i < width * height; i++)
    levels[i] = (float) fabs (levels[i] - image[i]);
}


/*  The cases  */

typedef struct
{
  WfOperation operation;
  WfType      type;
  gint64      width;
  gint64      height;
  WfElement   element;
  int         radius;
} Filtering;

static double
get_level (const Filtering *filtering,
           const void   *pixels,
           gint64        i)
{
  switch (filtering->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) pixels)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) pixels)[i];
    default:
      return ((const float *) pixels)[i];
    }
}

static void
set_level (const Filtering *filtering,
           void         *pixels,
           gint64        i,
           double        level)
{
  switch (filtering->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) pixels)[i] = (guint8) level;
      break;
    case WF_TYPE_U16:
      ((guint16 *) pixels)[i] = (guint16) level;
      break;
    default:
      ((float *) pixels)[i] = (float) level;
      break;
    }
}

/* Few levels in large areas, many, or one extreme pixel; zeros of both signs. */
static double
random_level (const Filtering *filtering,
              int           content)
{
  const gint32 highest = filtering->type == WF_TYPE_U8 ? G_MAXUINT8 : G_MAXUINT16;

  switch (content)
    {
    case 0:
      return g_test_rand_int_range (0, highest + 1);
    case 1:
      return g_test_rand_int_range (0, 1000) ? 7 : g_test_rand_int_range (0, highest + 1);
    case 2:
      if (g_test_rand_int_range (0, 20) == 0)
        return filtering->type == WF_TYPE_F32 && g_test_rand_bit () ? -1 : 1;
      return g_test_rand_bit () ? -0.0 : 0.0;
    default:
      return filtering->type == WF_TYPE_F32 ? g_test_rand_double_range (-1e6, 1e6)
                                         : g_test_rand_int_range (highest - 3, highest + 1);
    }
}

static gint64
random_length (void)
{
  return g_test_rand_int_range (0, 6) ? g_test_rand_int_range (1, LONGEST)
                                      : g_test_rand_int_range (1, 4);
}

static int
random_radius (void)
{
  return g_test_rand_int_range (0, 4) ? g_test_rand_int_range (4, LONGEST / 2)
                                      : g_test_rand_int_range (1, 3 * LONGEST);
}

static void
check_filtering (const Filtering     *filtering,
              const Configuration *configuration)
{
  const gint64        n         = filtering->width * filtering->height;
  const int           content   = g_test_rand_int_range (0, 4);
  g_autofree double  *expected  = g_new (double, n);
  g_autofree gpointer pixels    = g_malloc0 (n * wf_type_size (filtering->type));
  g_autofree gpointer results   = g_malloc0 (n * wf_type_size (filtering->type));
  WfFilterOptions     options   = filter_options (filtering->operation);
  g_autoptr (GError)  error     = NULL;
  WfImage             image;
  WfImage             out;

  for (gint64 i = 0; i < n; i++)
    {
      set_level (filtering, pixels, i, random_level (filtering, content));
      expected[i] = get_level (filtering, pixels, i);
    }
  options.element = filtering->element;
  options.radius  = filtering->radius;
  options.angle   = 45;
  g_assert_true (wf_image_init (&image, filtering->type, filtering->width, filtering->height, 1,
                                pixels, NULL));
  g_assert_true (wf_image_init (&out, filtering->type, filtering->width, filtering->height, 1,
                                results, NULL));
  configuration_note (configuration);
  g_assert_true (filter_call (filtering->operation, configuration->context, &image, &out, &options,
                              &error));
  g_assert_no_error (error);

  find_expected (filtering->operation, expected, filtering->width, filtering->height,
                 filtering->element, filtering->radius);
  for (gint64 i = 0; i < n; i++)
    if (get_level (filtering, results, i) != expected[i] ||
        (expected[i] == 0 && signbit (get_level (filtering, results, i))))
      g_error ("%s, type %d, %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT ", radius %d: pixel %"
               G_GINT64_FORMAT " is %g, not %g",
               wf_operation_get_options (filtering->operation)->name, filtering->type,
               filtering->width, filtering->height, filtering->radius, i,
               get_level (filtering, results, i), expected[i]);
}

static void
test_wide_squares (void)
{
  static const WfType        types[]        = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (40, 250); i++)
    check_filtering (&(Filtering) {
                       .operation = operations[g_test_rand_int_range (0,
                                                                      G_N_ELEMENTS (operations))],
                       .type      = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))],
                       .width     = random_length (),
                       .height    = random_length (),
                       .radius    = random_radius (),
                     }, configurations_pick (configurations));
}

/* Discs of 5 pixels and diagonals, of which many pixels of the result are made at once. */
static void
test_few_pixels (void)
{
  static const WfType        types[]        = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (90, 600); i++)
    check_filtering (&(Filtering) {
                       .operation = operations[g_test_rand_int_range (0,
                                                                      G_N_ELEMENTS (operations))],
                       .type      = types[i % 3],
                       .width     = random_length () + (g_test_rand_bit () ? 300 : 0),
                       .height    = i % 5 ? random_length () / 4 + 1 : 1 + i % 3,
                       .element   = i % 2 ? WF_ELEMENT_DISC : WF_ELEMENT_LINE,
                       .radius    = i % 2 ? 1 : g_test_rand_int_range (1, 40),
                     }, configurations_pick (configurations));
}

/* Wherever the pixel lies, the step that reads its line has to find it. */
static void
check_nan (const Filtering     *filtering,
           const Configuration *configuration)
{
  const gint64        n       = filtering->width * filtering->height;
  g_autofree float   *pixels  = g_new0 (float, n);
  g_autofree float   *results = g_new0 (float, n);
  WfFilterOptions     options = filter_options (filtering->operation);
  g_autoptr (GError)  error   = NULL;
  WfImage             image;
  WfImage             out;

  pixels[g_test_rand_int_range (0, (gint32) n)] = g_test_rand_bit () ? NAN : -NAN;
  options.element = filtering->element;
  options.radius  = filtering->radius;
  options.angle   = 45;
  g_assert_true (wf_image_init (&image, WF_TYPE_F32, filtering->width, filtering->height, 1,
                                pixels, NULL));
  g_assert_true (wf_image_init (&out, WF_TYPE_F32, filtering->width, filtering->height, 1,
                                results, NULL));
  configuration_note (configuration);
  g_assert_false (filter_call (filtering->operation, configuration->context, &image, &out, &options,
                               &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
}

static void
test_nan (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (400, 4000); i++)
    check_nan (&(Filtering) {
                 .operation = operations[g_test_rand_int_range (0, G_N_ELEMENTS (operations))],
                 .type      = WF_TYPE_F32,
                 .width     = random_length (),
                 .height    = random_length (),
                 .element   = i % 4 ? WF_ELEMENT_SQUARE : WF_ELEMENT_DISC,
                 .radius    = i % 4 == 0 ? 1 : g_test_rand_bit () ? g_test_rand_int_range (1, 6)
                                                                  : random_radius (),
               }, configurations_pick (configurations));
}

/* Results of more than 16 MB, which bypass the caches, or are made in several bands; rows begin at
 * any place of a cache line.
 */
static void
test_large (void)
{
  static const WfOperation   large[]        = { WF_OPERATION_EROSION, WF_OPERATION_DILATION,
                                                WF_OPERATION_WHITE_TOP_HAT,
                                                WF_OPERATION_BLACK_TOP_HAT };
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (4, 24); i++)
    check_filtering (&(Filtering) {
                       .operation = large[i % 4],
                       .type      = WF_TYPE_F32,
                       .width     = g_test_rand_int_range (2501, 2600),
                       .height    = 1700,
                       .radius    = i % 2 ? g_test_rand_int_range (4, 30) : 2 + i / 4 % 2,
                     }, configurations_pick (configurations));
}

/* Top-hats by the smallest square and disc, which are made in several strips and bands. */
static void
test_strips (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (int i = 0; i < test_count (2, 12); i++)
    check_filtering (&(Filtering) {
                       .operation = i % 2 ? WF_OPERATION_WHITE_TOP_HAT : WF_OPERATION_BLACK_TOP_HAT,
                       .type      = WF_TYPE_F32,
                       .width     = g_test_rand_int_range (4101, 9000),
                       .height    = 300,
                       .element   = g_test_rand_bit () ? WF_ELEMENT_SQUARE : WF_ELEMENT_DISC,
                       .radius    = 1,
                     }, configurations_pick (configurations));
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/filters/wide-squares", test_wide_squares);
  g_test_add_func ("/filters/few-pixels", test_few_pixels);
  g_test_add_func ("/filters/large-squares", test_large);
  g_test_add_func ("/filters/strips", test_strips);
  g_test_add_func ("/filters/nan", test_nan);
  return g_test_run ();
}
