/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations by reconstruction: random cases against the references, small examples with
 * known results, and structuring elements of all sizes.
 */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/guarded-image.h"
#include "morphology-call.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"

static void
test_random (gconstpointer data)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_morphology_cases (configurations, (WfOperation) GPOINTER_TO_INT (data),
                        test_count (100, 500));
}


/*  Examples  */

/* Images of u8, one digit a pixel; f32 is tried with the same numbers. */
typedef struct
{
  const char     *name;
  MorphologyFunc  operation;
  double          height;
  int             element;
  int             radius;
  int             connectivity;
  const char     *image[6];
  const char     *result[6];
  int             mark;          /* the value of a 1 in the result */
} Example;

static const Example examples[] =
{
  {
    "a hole", wf_fill_holes, NAN, 0, 0, 8,
    { "1111111", "1555551", "1523251", "1555451", "1111111" },
    { "1111111", "1555551", "1544451", "1555451", "1111111" }, 1
  },
  {
    "a hole that a corner opens", wf_fill_holes, NAN, 0, 0, 8,
    { "00000", "05500", "05050", "00500", "00000" },
    { "00000", "05500", "05050", "00500", "00000" }, 1
  },
  {
    "a hole that only corners open", wf_fill_holes, NAN, 0, 0, 4,
    { "00000", "05500", "05050", "00500", "00000" },
    { "00000", "05500", "05550", "00500", "00000" }, 1
  },
  {
    "a hole that only corners open, by default", wf_fill_holes, NAN, 0, 0, 0,
    { "00000", "05500", "05050", "00500", "00000" },
    { "00000", "05500", "05550", "00500", "00000" }, 1
  },
  {
    "a hole that a side opens, by default", wf_fill_holes, NAN, 0, 0, 0,
    { "00000", "05500", "05000", "00500", "00000" },
    { "00000", "05500", "05000", "00500", "00000" }, 1
  },
  {
    "what touches the border", wf_clear_border, NAN, 0, 0, 8,
    { "0000000", "9903300", "0003400", "0100000", "0000099" },
    { "0000000", "0003300", "0003400", "0100000", "0000000" }, 1
  },
  {
    "maxima of heights 1, 2 and 3", wf_h_maxima, 2, 0, 0, 8,
    { "0001", "2000", "0003" },
    { "0000", "0000", "0001" }, 1
  },
  {
    "the whole part of a height", wf_h_maxima, 1.99, 0, 0, 8,
    { "15151" },
    { "14141" }, 1
  },
  {
    "minima of depths 1, 2 and 3", wf_h_minima, 2, 0, 0, 8,
    { "5554", "3555", "5552" },
    { "5555", "5555", "5554" }, 1
  },
  {
    "domes", wf_h_dome, 2, 0, 0, 8,
    { "0001", "2000", "0003" },
    { "0001", "2000", "0002" }, 1
  },
  {
    "basins", wf_h_basin, 2, 0, 0, 8,
    { "5554", "3555", "5552" },
    { "0001", "2000", "0002" }, 1
  },
  {
    "plateaux, one with a higher neighbor at its end", wf_regional_maxima, NAN, 0, 0, 8,
    { "2220333", "0000004", "1000000" },
    { "1110000", "0000001", "1000000" }, 255
  },
  {
    "a peak beside a plateau's corner", wf_regional_maxima, NAN, 0, 0, 4,
    { "330", "330", "004" },
    { "110", "110", "001" }, 255
  },
  {
    "an image of one level has a maximum", wf_regional_maxima, NAN, 0, 0, 8,
    { "000", "000" },
    { "111", "111" }, 255
  },
  {
    "and a minimum", wf_regional_minima, NAN, 0, 0, 8,
    { "000", "000" },
    { "111", "111" }, 255
  },
  {
    "minima", wf_regional_minima, NAN, 0, 0, 8,
    { "2221", "5552", "3545" },
    { "0001", "0000", "1000" }, 255
  },
  {
    "maxima higher than 1", wf_extended_maxima, 2, 0, 0, 8,
    { "0100030", "0000023" },
    { "0000010", "0000011" }, 255
  },
  {
    "minima deeper than 1", wf_extended_minima, 2, 0, 0, 8,
    { "5455525", "5555532" },
    { "0000010", "0000011" }, 255
  },
  {
    "an opening keeps all of what holds a square", wf_opening_by_reconstruction,
    NAN, WF_ELEMENT_SQUARE, 1, 8,
    { "000000000", "055500040", "055555000", "055500000", "000000000" },
    { "000000000", "055500000", "055555000", "055500000", "000000000" }, 1
  },
  {
    "a disc fits where a square does not", wf_opening_by_reconstruction,
    NAN, WF_ELEMENT_DISC, 1, 8,
    { "00000000", "00500330", "05550330", "00500000", "00000000" },
    { "00000000", "00500000", "05550000", "00500000", "00000000" }, 1
  },
  {
    "at the border part of an element is enough", wf_opening_by_reconstruction,
    NAN, WF_ELEMENT_SQUARE, 1, 8,
    { "55000", "55000", "00000" },
    { "55000", "55000", "00000" }, 1
  },
  {
    "a closing", wf_closing_by_reconstruction, NAN, WF_ELEMENT_SQUARE, 1, 8,
    { "9999999", "9949009", "9999009", "9999999" },
    { "9999999", "9999999", "9999999", "9999999" }, 1
  },
  {
    "a white top-hat", wf_white_top_hat_by_reconstruction, NAN, WF_ELEMENT_SQUARE, 1, 8,
    { "000000000", "055500040", "055555000", "055500000", "000000000" },
    { "000000000", "000000040", "000000000", "000000000", "000000000" }, 1
  },
  {
    "a black top-hat", wf_black_top_hat_by_reconstruction, NAN, WF_ELEMENT_SQUARE, 1, 8,
    { "9999999", "9949009", "9999009", "9999999" },
    { "0000000", "0050990", "0000990", "0000000" }, 1
  },
};

static gint64
read_levels (const char *const *rows,
             RefSize           *size,
             int                factor,
             double            *levels)
{
  gint64 n = 0;

  *size = (RefSize) { strlen (rows[0]), 0, 1 };
  for (; rows[size->height]; size->height++)
    for (gint64 x = 0; x < size->width; x++)
      levels[n++] = (rows[size->height][x] - '0') * factor;
  return n;
}

static void
check_example (const Example       *example,
               WfType               type,
               const Configuration *configuration)
{
  double                    levels[64];
  double                    results[64];
  RefSize                   size;
  gint64                    n          = read_levels (example->image, &size, 1, levels);
  gboolean                  marks      = example->mark == 255;
  g_autoptr (GuardedImage)  image      = guarded_image_new_levels (type, &size, levels);
  g_autofree gpointer       expected   = NULL;
  g_autoptr (GuardedImage)  out        = NULL;
  WfMorphologyOptions       options    =
    morphology_options (WF_OPERATION_OPENING_BY_RECONSTRUCTION);
  GError                   *error      = NULL;

  read_levels (example->result, &size, example->mark, results);
  expected = pack_levels (marks ? WF_TYPE_U8 : type, results, n);
  out      = guarded_image_new (marks ? WF_TYPE_U8 : type, &size, FALSE);
  options.height       = example->height;
  options.element      = example->element;
  options.radius       = example->radius;
  options.connectivity = example->connectivity;
  /* Only integer levels differ by whole numbers. */
  if (type == WF_TYPE_F32 && ! isnan (options.height))
    options.height = floor (options.height);

  example->operation (configuration->context, &image->view, &out->view, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (out, expected), ==, -1);
}

static void
test_examples (void)
{
  static const WfType        types[]        = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_test_message ("%s", examples[i].name);
      for (guint k = 0; k < G_N_ELEMENTS (types); k++)
        for (guint c = 0; c < configurations->n; c++)
          check_example (&examples[i], types[k], &configurations->items[c]);
    }
}

/* Fills a stack of 3 × 3 × 3 pixels whose middle has bright neighbours at all faces or, but for
 * one of them, at all faces; returns whether the middle is bright then.
 */
static gboolean
fills_middle (int      connectivity,
              gboolean is_open)
{
  static const int     faces[]  = { 4, 10, 12, 14, 16, 22 };
  guint8               pixels[27] = { 0 };
  WfMorphologyOptions  options  = morphology_options (WF_OPERATION_FILL_HOLES);
  WfImage              image;
  GError              *error    = NULL;

  for (guint i = is_open; i < G_N_ELEMENTS (faces); i++)
    pixels[faces[i]] = 200;
  options.connectivity = connectivity;
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 3, 3, pixels, NULL));
  wf_fill_holes (NULL, &image, &image, &options, &error);
  g_assert_no_error (error);
  return pixels[13] == 200;
}

static void
test_holes_in_stacks (void)
{
  g_assert_true (fills_middle (0, FALSE));
  g_assert_true (fills_middle (6, FALSE));
  g_assert_false (fills_middle (26, FALSE));
  g_assert_false (fills_middle (0, TRUE));
}

/* The pixels on a circle, by Bresenham's algorithm: a line of 8-connected pixels. */
static void
draw_circle (guint8 *pixels,
             int     side,
             int     radius)
{
  const int middle = side / 2;

  for (int x = 0, y = radius, error = 1 - radius; x <= y; x++)
    {
      for (int octant = 0; octant < 8; octant++)
        {
          int across = octant & 1 ? x : y;
          int down   = octant & 1 ? y : x;

          pixels[(middle + (octant & 2 ? down : -down)) * side
                 + middle + (octant & 4 ? across : -across)] = 255;
        }
      if (error >= 0)
        error -= 2 * y-- - 2;
      error += 2 * x + 3;
    }
}

/* A thin circle is one component by default, and by default it is filled. */
static void
test_thin_circles (void)
{
  for (int radius = 1; radius < 60; radius++)
    {
      const int           side       = 2 * radius + 5;
      g_autofree guint8  *pixels     = g_new0 (guint8, side * side);
      g_autofree guint32 *components = g_new0 (guint32, side * side);
      guint32             n          = 0;
      WfImage             image;
      WfImage             labels;

      draw_circle (pixels, side, radius);
      g_assert_true (wf_image_init (&image, WF_TYPE_U8, side, side, 1, pixels, NULL));
      g_assert_true (wf_image_init (&labels, WF_TYPE_U32, side, side, 1, components, NULL));
      g_assert_true (wf_label (NULL, &image, &labels, &n, NULL, NULL));
      g_assert_cmpuint (n, ==, 1);
      g_assert_true (wf_fill_holes (NULL, &image, &image, NULL, NULL));
      for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
          {
            const int square = (x - side / 2) * (x - side / 2) + (y - side / 2) * (y - side / 2);

            if (square <= (radius - 1) * (radius - 1))
              g_assert_cmpuint (pixels[y * side + x], ==, 255);
            else if (square > (radius + 1) * (radius + 1))
              g_assert_cmpuint (pixels[y * side + x], ==, 0);
          }
    }
}

/* One row of floats through an operation. */
static void
assert_row (MorphologyFunc  operation,
            double          height,
            const float    *image,
            const float    *expected,
            int             n)
{
  WfMorphologyOptions  options = morphology_options (WF_OPERATION_H_MAXIMA);
  g_autofree float    *out     = g_new (float, n);
  WfImage              views[2];
  GError              *error = NULL;

  options.height = height;
  g_assert_true (wf_image_init (&views[0], WF_TYPE_F32, n, 1, 1, (gpointer) image, NULL));
  g_assert_true (wf_image_init (&views[1], WF_TYPE_F32, n, 1, 1, out, NULL));
  operation (NULL, &views[0], &views[1], &options, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (out, n * sizeof *out, expected, n * sizeof *expected);
}

static void
test_infinities (void)
{
  const float image[]  = { -INFINITY, INFINITY, 0, 5, -0.0f, INFINITY, 3 };
  const float nothing[7] = { 0 };
  const float kept[]   = { -INFINITY, INFINITY, 0, 4, 0, INFINITY, 3 };
  const float domes[]  = { 0, 0, 0, 1, 0, 0, 0 };
  const float filled[] = { -INFINITY, INFINITY, 1, 5, 1, INFINITY, 4 };
  const float basins[] = { 0, 0, 1, 0, 1, 0, 1 };

  assert_row (wf_clear_border, NAN, image, nothing, 7);
  assert_row (wf_h_maxima, 1, image, kept, 7);
  assert_row (wf_h_dome, 1, image, domes, 7);
  assert_row (wf_h_minima, 1, image, filled, 7);
  assert_row (wf_h_basin, 1, image, basins, 7);
}

/* A height is subtracted in double precision and the result rounded once. */
static void
test_rounding (void)
{
  const float image[]    = { 16777216.0f, 0, 1.0f };
  const float expected[] = { 16777214.0f, 0, 0 };
  const float tenth[]    = { 0.3f, 0.2f, 0.7f };
  const float less[]     = { (float) (0.3f - 0.05), 0.2f, (float) (0.7f - 0.05) };

  assert_row (wf_h_maxima, 2.25, image, expected, 3);
  assert_row (wf_h_maxima, 0.05, tenth, less, 3);
}

/* The example of Soille's book in one dimension: three minima, of which one is wanted. */
static void
test_impose (void)
{
  const guint8 image[]    = { 5, 2, 6, 1, 7, 3, 8, 255 };
  const guint8 markers[]  = { 0, 0, 0, 0, 0, 9, 0, 0 };
  const guint8 expected[] = { 8, 8, 8, 8, 8, 0, 9, 255 };
  guint8       out[8];
  WfImage      views[3];
  GError      *error = NULL;

  wf_image_init (&views[0], WF_TYPE_U8, 8, 1, 1, (gpointer) image, NULL);
  wf_image_init (&views[1], WF_TYPE_U8, 8, 1, 1, (gpointer) markers, NULL);
  wf_image_init (&views[2], WF_TYPE_U8, 8, 1, 1, out, NULL);
  wf_impose_minima (NULL, &views[0], &views[1], &views[2], NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (out, sizeof out, expected, sizeof expected);
}


/*  Elements of all sizes  */

/* A dark image with one bright structuring element, which an opening keeps. */
static void
draw_element (const RefSize *size,
              int            element,
              gint64         radius,
              gboolean       with_hole,
              double        *levels)
{
  gint64 p = 0;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++, p++)
        {
          gint64 dx = x - size->width / 2;
          gint64 dy = y - size->height / 2;
          gint64 dz = z - size->depth / 2;

          if (element == WF_ELEMENT_DISC)
            levels[p] = dx * dx + dy * dy + dz * dz <= radius * radius ? 200 : 0;
          else
            levels[p] = MAX (ABS (dx), MAX (ABS (dy), ABS (dz))) <= radius ? 200 : 0;
        }
  /* Without the end of its longest chord the image does not hold the element. */
  if (with_hole)
    levels[ref_index (size, size->width / 2 + radius, size->height / 2, size->depth / 2)] = 0;
}

static void
check_element (const RefSize       *size,
               int                  element,
               gint64               radius,
               gboolean             with_hole,
               const Configuration *configuration)
{
  gint64                   n        = ref_n_pixels (size);
  g_autofree double       *levels   = g_new0 (double, n);
  g_autofree gpointer      expected = NULL;
  g_autoptr (GuardedImage) image    = NULL;
  WfMorphologyOptions      options  = morphology_options (WF_OPERATION_OPENING_BY_RECONSTRUCTION);
  GError                  *error    = NULL;

  draw_element (size, element, radius, with_hole, levels);
  image = guarded_image_new_levels (WF_TYPE_U8, size, levels);
  for (gint64 p = 0; p < n && with_hole; p++)
    levels[p] = 0;
  expected = pack_levels (WF_TYPE_U8, levels, n);

  options.element = element;
  options.radius  = (int) radius;
  wf_opening_by_reconstruction (configuration->context, &image->view, &image->view, &options,
                                &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (image, expected), ==, -1);
}

static void
test_elements (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (gint64 radius = 1; radius <= 80; radius += radius < 30 ? 1 : 7)
    for (int element = WF_ELEMENT_SQUARE; element <= WF_ELEMENT_DISC; element++)
      for (int with_hole = 0; with_hole < 2; with_hole++)
        {
          const RefSize image = { 2 * radius + 3 + g_test_rand_int_range (0, 70),
                                  2 * radius + 3 + g_test_rand_int_range (0, 5), 1 };
          const RefSize stack = { 2 * radius + 3, 2 * radius + 5, 2 * radius + 3 };

          check_element (&image, element, radius, with_hole,
                         configurations_pick_coarse (configurations));
          if (radius <= 14)
            check_element (&stack, element, radius, with_hole,
                           configurations_pick_coarse (configurations));
        }
}

/* In a line both elements are intervals, whose extremes are easily found. */
static void
check_line (WfType               type,
            const RefSize       *size,
            int                  element,
            int                  radius,
            gboolean             closing,
            const Configuration *configuration)
{
  gint64                   n        = ref_n_pixels (size);
  g_autofree double       *levels   = g_new (double, n);
  g_autofree double       *marker   = g_new (double, n);
  g_autofree gpointer      expected = NULL;
  g_autoptr (GuardedImage) image    = NULL;
  WfMorphologyOptions      options  = morphology_options (WF_OPERATION_OPENING_BY_RECONSTRUCTION);
  GError                  *error    = NULL;

  for (gint64 p = 0; p < n; p++)
    levels[p] = g_test_rand_int_range (0, 20) ? 100 : g_test_rand_int_range (0, 201);
  for (gint64 p = 0; p < n; p++)
    {
      marker[p] = levels[p];
      for (gint64 q = MAX (p - radius, 0); q <= MIN (p + radius, n - 1); q++)
        marker[p] = closing ? MAX (marker[p], levels[q]) : MIN (marker[p], levels[q]);
    }
  ref_reconstruct_quick (size, 0, closing, levels, marker, marker);
  expected = pack_levels (type, marker, n);
  image    = guarded_image_new_levels (type, size, levels);

  options.element = element;
  options.radius  = radius;
  (closing ? wf_closing_by_reconstruction : wf_opening_by_reconstruction)
    (configuration->context, &image->view, &image->view, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (image, expected), ==, -1);
}

static void
test_lines (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (60, 300); i++)
    {
      gint64        length  = g_test_rand_int_range (1, 1500);
      const RefSize sizes[] = { { length, 1, 1 }, { 1, length, 1 }, { 1, 1, length } };

      check_line (random_type (), &sizes[i % 3], i % 2 ? WF_ELEMENT_SQUARE : WF_ELEMENT_DISC,
                  g_test_rand_int_range (0, g_test_rand_bit () ? 300 : 2000), g_test_rand_bit (),
                  configurations_pick_coarse (configurations));
    }
}

static void
add (const char    *path,
     WfOperation    operation,
     GTestDataFunc  test)
{
  g_autofree char *full = g_strdup_printf ("/morphology/%s/%s", path,
                                           wf_operation_get_options (operation)->name);

  g_test_add_data_func (full, GINT_TO_POINTER (operation), test);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/morphology/examples", test_examples);
  g_test_add_func ("/morphology/holes-in-stacks", test_holes_in_stacks);
  g_test_add_func ("/morphology/thin-circles", test_thin_circles);
  g_test_add_func ("/morphology/infinities", test_infinities);
  g_test_add_func ("/morphology/rounding", test_rounding);
  g_test_add_func ("/morphology/impose", test_impose);
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    if (wf_operation_describe ((WfOperation) i)->flags & WF_WORKS_BY_RECONSTRUCTION)
      add ("random", (WfOperation) i, test_random);
  g_test_add_func ("/morphology/elements", test_elements);
  g_test_add_func ("/morphology/lines", test_lines);

  return g_test_run ();
}
