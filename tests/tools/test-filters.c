/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters, from file to file, compared with their definitions, and the filters of watershed. */

#include <string.h>

#include "pixels.h"
#include "tests/support/tiers.h"

typedef struct
{
  const char *line;
  void     (* filter) (const RefSize *size, const RefFilter *options, const double *image,
                       double *out);
  RefFilter   options;      /* without the highest level of the type */
} Case;

static const Case cases[] =
{
  { "gaussian",                         ref_gaussian, { .sigma = 1 } },
  { "gaussian --sigma 0",               ref_gaussian, { .sigma = 0 } },
  { "gaussian --sigma=2.5",             ref_gaussian, { .sigma = 2.5 } },
  { "gaussian --algorithm separable",   ref_gaussian, { .sigma = 1 } },
  { "gradient",                         ref_gradient, { .radius = 1 } },
  { "gradient --radius 0",              ref_gradient, { .radius = 0 } },
  { "gradient --radius 3",              ref_gradient, { .radius = 3 } },
  { "gradient --radius=3 --element disc", ref_gradient, { .radius = 3, .disc = TRUE } },
  { "gradient --algorithm windows",     ref_gradient, { .radius = 1 } },
  { "erosion",                          ref_erosion,  { .radius = 1 } },
  { "erosion --radius 2 --element disc", ref_erosion, { .radius = 2, .disc = TRUE } },
  { "erosion --radius 4 --element line --angle=-30", ref_erosion,
    { .radius = 4, .line = TRUE, .angle = -30 } },
  { "dilation --radius 5",              ref_dilation, { .radius = 5 } },
  { "dilation --radius 3 --element line --algorithm windows", ref_dilation,
    { .radius = 3, .line = TRUE } },
  { "opening",                          ref_plain_opening, { .radius = 1 } },
  { "opening --radius 3 --element disc", ref_plain_opening, { .radius = 3, .disc = TRUE } },
  { "closing --radius 4 --algorithm windows", ref_plain_closing, { .radius = 4 } },
  { "closing --radius 5 --element line --angle 70", ref_plain_closing,
    { .radius = 5, .line = TRUE, .angle = 70 } },
  { "white-top-hat",                    ref_plain_white_top_hat, { .radius = 1 } },
  { "white-top-hat --radius 2 --algorithm windows", ref_plain_white_top_hat, { .radius = 2 } },
  { "black-top-hat --radius 3 --element disc", ref_plain_black_top_hat,
    { .radius = 3, .disc = TRUE } },
  { "black-top-hat --radius 4 --element line --angle 20", ref_plain_black_top_hat,
    { .radius = 4, .line = TRUE, .angle = 20 } },
  { "median",                           ref_median,   { .radius = 1 } },
  { "median --radius=2 --algorithm columns", ref_median, { .radius = 2 } },
  { "median --radius 4",                ref_median,   { .radius = 4 } },
};

static void
apply (const Case   *item,
       const Pixels *image,
       double       *result)
{
  RefFilter options = item->options;

  options.highest = strcmp (image->type, "u8") == 0 ? 255
                    : strcmp (image->type, "u16") == 0 ? 65535 : 0;
  item->filter (&image->size, &options, image->values, result);
}

static void
test_case (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const types[]    = { "u8", "u16", "f32" };
  static const RefSize      sizes[]    = { { 41, 33, 1 }, { 1, 9, 1 }, { 12, 11, 7 } };
  const Case               *item       = data;

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        g_autoptr (Pixels)  image    = pixels_random (types[t], sizes[s].width, sizes[s].height,
                                                      sizes[s].depth, 200);
        g_autoptr (Pixels)  result   = NULL;
        g_autofree double  *expected = g_new (double, image->n);
        g_autofree char    *spec     = pixels_spec (image);

        apply (item, image, expected);
        pixels_write (scratch, "in.raw", image);
        succeed (scratch, "%s in.raw --raw %s -o out.raw", item->line, spec);
        result = pixels_read (scratch, "out.raw", types[t], &image->size);
        pixels_assert_equal (result, expected);
        scratch_assert (scratch, "in.raw out.raw");
      }
}

/* watershed with --smoothing and --gradient gives the result of three separate commands. */
static void
test_watershed (Scratch       *scratch,
                gconstpointer  data)
{
  g_autoptr (Pixels)   image = pixels_random ("u8", 90, 70, 1, 200);
  const gsize          bytes = 90 * 70 * sizeof (guint32);
  g_autofree gpointer  one   = NULL;
  g_autofree gpointer  three = NULL;
  g_autofree gpointer  plain = NULL;

  pixels_write (scratch, "in.raw", image);
  succeed (scratch, "gaussian in.raw --raw 90x70:u8 --sigma 1.5 -o smooth.raw");
  succeed (scratch, "gradient smooth.raw --raw 90x70:u8 --radius 2 -o gradient.raw");
  succeed_counting (scratch, "watershed gradient.raw --raw 90x70:u8 -o three.raw");
  succeed_counting (scratch, "watershed in.raw --raw 90x70:u8 --smoothing 1.5 --gradient 2 "
                             "-o one.raw");
  succeed_counting (scratch, "watershed in.raw --raw 90x70:u8 -o plain.raw");
  one   = scratch_read (scratch, "one.raw", bytes);
  three = scratch_read (scratch, "three.raw", bytes);
  plain = scratch_read (scratch, "plain.raw", bytes);
  g_assert_cmpmem (one, bytes, three, bytes);
  g_assert_true (memcmp (one, plain, bytes) != 0);
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("u8", 4, 3, 1, 9);

  pixels_write (scratch, "in.raw", image);
  refuse (scratch, 2, "sigma", "gaussian in.raw --raw 4x3:u8 -o out.raw --sigma -1");
  refuse (scratch, 2, "257", "gaussian in.raw --raw 4x3:u8 -o out.raw --sigma 257");
  refuse (scratch, 2, "nan", "gaussian in.raw --raw 4x3:u8 -o out.raw --sigma nan");
  refuse (scratch, 2, "radius", "gradient in.raw --raw 4x3:u8 -o out.raw --radius -1");
  refuse (scratch, 2, "ball", "gradient in.raw --raw 4x3:u8 -o out.raw --element ball");
  refuse (scratch, 2, "angle", "erosion in.raw --raw 4x3:u8 -o out.raw --angle 200");
  refuse (scratch, 2, "line", "gradient in.raw --raw 4x3:u8 -o out.raw --element line");
  refuse (scratch, 2, "element", "dilation in.raw --raw 4x3:u8 -o out.raw --element ring");
  refuse (scratch, 2, "radius", "median in.raw --raw 4x3:u8 -o out.raw --radius 128");
  refuse (scratch, 2, "smoothing", "watershed in.raw --raw 4x3:u8 -o out.raw --smoothing 300");
  refuse (scratch, 2, "gradient", "watershed in.raw --raw 4x3:u8 -o out.raw --gradient x");
  refuse (scratch, 1, "gone.raw", "gaussian gone.raw --raw 4x3:u8 -o out.raw");
  scratch_assert (scratch, "in.raw");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    add_case ("/filters/", cases[i].line, &cases[i], test_case);
  add_test ("/watershed", NULL, test_watershed);
  add_test ("/refusals", NULL, test_refusals);
  return run_tests (argc, argv);
}
