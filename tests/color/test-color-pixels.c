/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The luminance of pixels, and pixels with another one, in all types and encodings: by the
 * definitions, in double precision, where a level of whole numbers is found among all of them.
 */

#include <math.h>
#include <string.h>

#include "color-reference.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define N 700

static const double weights[] = { 0.22248840, 0.71690369, 0.06060791 };

/**
 * Kind:
 * @step: from a pixel to the next, in components; 1: three planes
 */
typedef struct
{
  WfType           type;
  WfColorEncoding  encoding;
  guint            step;
} Kind;

static const Kind kinds[] =
{
  { WF_TYPE_U8,  WF_ENCODING_SRGB,   1 },
  { WF_TYPE_U8,  WF_ENCODING_SRGB,   3 },
  { WF_TYPE_U8,  WF_ENCODING_LINEAR, 4 },
  { WF_TYPE_U16, WF_ENCODING_SRGB,   4 },
  { WF_TYPE_U16, WF_ENCODING_LINEAR, 1 },
  { WF_TYPE_F32, WF_ENCODING_SRGB,   3 },
  { WF_TYPE_F32, WF_ENCODING_LINEAR, 1 },
};

static double
get_white (WfType type)
{
  return type == WF_TYPE_U8 ? G_MAXUINT8 : type == WF_TYPE_U16 ? G_MAXUINT16 : 1;
}

static double
get (WfType        type,
     gconstpointer levels,
     gsize         i)
{
  return type == WF_TYPE_U8    ? ((const guint8 *) levels)[i]
         : type == WF_TYPE_U16 ? ((const guint16 *) levels)[i]
                               : (double) ((const float *) levels)[i];
}

static void
set (WfType   type,
     gpointer levels,
     gsize    i,
     double   level)
{
  if (type == WF_TYPE_U8)
    ((guint8 *) levels)[i] = (guint8) level;
  else if (type == WF_TYPE_U16)
    ((guint16 *) levels)[i] = (guint16) level;
  else
    ((float *) levels)[i] = (float) level;
}

/* Light, where 1 is white. */
static double
decode (const Kind *kind,
        double      level)
{
  const double share = level / get_white (kind->type);

  if (kind->encoding == WF_ENCODING_LINEAR)
    return share;
  return share <= 0.04045 ? share / 12.92 : pow ((share + 0.055) / 1.055, 2.4);
}

/* The level of light, not rounded. */
static double
encode (const Kind *kind,
        double      light)
{
  const double share = kind->encoding == WF_ENCODING_LINEAR ? light
                       : light <= 0.0031308 ? light * 12.92
                                            : 1.055 * pow (light, 1 / 2.4) - 0.055;

  return share * get_white (kind->type);
}

/* Black, gray, pure and random colors; in alpha whatever. */
static double
make_component (const Kind *kind,
                int         which,
                int         c)
{
  const double white = get_white (kind->type);
  double       share = which == 0 ? 0 : which == 1 ? 0.6 : which < 5 ? c == which - 2
                       : g_test_rand_double ();

  if (kind->type == WF_TYPE_F32)
    return which == 5 ? 2 * share : share;
  return floor (share * white + 0.5);
}

/* Three planes, or pixels; places[c]: component c of the first pixel. */
static guint8 *
make_pixels (const Kind *kind,
             gpointer    places[3])
{
  const gsize  size   = wf_type_size (kind->type);
  const gsize  n      = (gsize) N * MAX (kind->step, 3);
  guint8      *pixels = g_malloc (n * size);

  for (gsize i = 0; i < n; i++)
    set (kind->type, pixels, i, make_component (kind, 6, 0));
  for (int c = 0; c < 3; c++)
    places[c] = pixels + size * (kind->step == 1 ? (gsize) c * N : (gsize) c);
  for (gsize i = 0; i < N; i++)
    {
      const int which = g_test_rand_int_range (0, 9);

      for (int c = 0; c < 3; c++)
        set (kind->type, places[c], i * kind->step,
             which == 1 && i % 2 ? get (kind->type, places[0], i * kind->step)
                                 : make_component (kind, which, c));
    }
  return pixels;
}

static double
find_light (const Kind     *kind,
            const gpointer  places[3],
            gsize           i,
            double         *light)
{
  double sum = 0;

  for (int c = 0; c < 3; c++)
    {
      light[c] = decode (kind, get (kind->type, places[c], i * kind->step));
      sum     += weights[c] * light[c];
    }
  return light[0] == light[1] && light[1] == light[2] ? light[0] : sum;
}

/* Whole levels are the nearest ones; half of a level and the weights' last digit decide nothing. */
static void
check_level (const Kind *kind,
             double      got,
             double      expected)
{
  if (kind->type == WF_TYPE_F32)
    g_assert_cmpfloat_with_epsilon (got, expected, 1e-5 * (1 + fabs (expected)));
  else
    g_assert_cmpfloat (fabs (got - expected), <=, 0.5 + 1e-4 * get_white (kind->type) / 255);
}

/* The light halfway to the next level decides. */
static void
check_nearest (const Kind *kind,
               double      got,
               double      light)
{
  const double white = get_white (kind->type);

  if (kind->type == WF_TYPE_F32)
    return;
  if (got > 0)
    g_assert_cmpfloat (light, >=, decode (kind, got - 0.5) - 1e-6);
  if (got < white)
    g_assert_cmpfloat (light, <=, decode (kind, got + 0.5) + 1e-6);
}

static void
check_luminance (const Kind *kind)
{
  gpointer            places[3];
  g_autofree guint8  *pixels = make_pixels (kind, places);
  g_autofree gpointer levels = g_malloc (N * wf_type_size (kind->type));

  wf_colors_take_luminance (kind->type, kind->encoding, places, kind->step, N, levels);
  for (gsize i = 0; i < N; i++)
    {
      const double got = get (kind->type, levels, i);
      double       light[3];
      const double luminance = find_light (kind, places, i, light);

      check_level (kind, got, encode (kind, luminance));
      check_nearest (kind, got, luminance);
      if (light[0] == light[1] && light[1] == light[2])
        g_assert_cmpfloat (got, ==, get (kind->type, places[0], i * kind->step));
    }
}

/* Every third level stays. */
static gpointer
change (const Kind    *kind,
        gconstpointer  before)
{
  gpointer after = g_memdup2 (before, N * wf_type_size (kind->type));

  for (gsize i = 0; i < N; i++)
    if (i % 3)
      set (kind->type, after, i, floor (g_test_rand_double () * get_white (kind->type) * 8) / 8);
  return after;
}

static void
check_colors (const Kind *kind)
{
  const gsize         size    = wf_type_size (kind->type);
  const gsize         n_bytes = (gsize) N * MAX (kind->step, 3) * size;
  gpointer            places[3];
  gpointer            were[3];
  g_autofree guint8  *pixels  = make_pixels (kind, places);
  g_autofree guint8  *old     = g_memdup2 (pixels, n_bytes);
  g_autofree gpointer before  = g_malloc (N * size);
  g_autofree gpointer after   = NULL;

  for (int c = 0; c < 3; c++)
    were[c] = old + ((guint8 *) places[c] - pixels);
  wf_colors_take_luminance (kind->type, kind->encoding, places, kind->step, N, before);
  after = change (kind, before);
  wf_colors_keep (kind->type, kind->encoding, places, kind->step, before, after, N);

  for (gsize i = 0; i < N; i++)
    {
      const gboolean same = get (kind->type, before, i) == get (kind->type, after, i);
      double         light[3];
      double         wanted[3];

      color_reference_set (light, find_light (kind, were, i, light),
                           decode (kind, get (kind->type, after, i)), kind->type != WF_TYPE_F32,
                           wanted);
      for (int c = 0; c < 3; c++)
        {
          const gsize  place = i * kind->step;
          const double got   = get (kind->type, places[c], place);

          if (same)
            g_assert_cmpfloat (got, ==, get (kind->type, were[c], place));
          else
            check_level (kind, got, encode (kind, wanted[c]));
        }
      for (gsize c = 3; c < kind->step; c++)   /* alpha */
        g_assert_cmpmem (pixels + (i * kind->step + c) * size, size,
                         old + (i * kind->step + c) * size, size);
    }
}

static void
test_luminance (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    check_luminance (&kinds[i]);
}

static void
test_colors (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    check_colors (&kinds[i]);
}

/* White, a third of the light of a red, and gray that becomes lighter. */
static void
test_examples (void)
{
  guint8         pixels[] = { 255, 255, 255, 255, 0, 0, 100, 100, 100 };
  const gpointer places[] = { pixels, pixels + 1, pixels + 2 };
  const guint8   after[]  = { 255, 72, 180 };
  guint8         levels[3];

  wf_colors_take_luminance (WF_TYPE_U8, WF_ENCODING_SRGB, places, 3, 3, levels);
  g_assert_cmpint (levels[0], ==, 255);
  g_assert_cmpint (levels[1], ==, 130);   /* of 0.2225 */
  g_assert_cmpint (levels[2], ==, 100);
  wf_colors_keep (WF_TYPE_U8, WF_ENCODING_SRGB, places, 3, levels, after, 3);
  g_assert_cmpint (pixels[0], ==, 255);
  g_assert_cmpint (pixels[3], ==, 147);   /* 0.0648 ∕ 0.2225 of the light */
  g_assert_cmpint (pixels[4], ==, 0);
  for (int c = 6; c < 9; c++)
    g_assert_cmpint (pixels[c], ==, 180);
  wf_colors_take_luminance (WF_TYPE_F64, WF_ENCODING_LINEAR, places, 3, 0, NULL);
}

/* Filters of levels take colors; what makes marks, labels or distances, or reads them, does not. */
static void
test_operations (void)
{
  static const WfOperation with[] =
  {
    WF_OPERATION_RECONSTRUCT, WF_OPERATION_FILL_HOLES, WF_OPERATION_H_DOME,
    WF_OPERATION_AREA_OPENING, WF_OPERATION_MEDIAN, WF_OPERATION_GAUSSIAN
  };
  static const WfOperation without[] =
  {
    WF_OPERATION_REGIONAL_MAXIMA, WF_OPERATION_IMPOSE_MINIMA, WF_OPERATION_WATERSHED,
    WF_OPERATION_DISTANCE, WF_OPERATION_LABEL, WF_OPERATION_THRESHOLD
  };
  const WfOption *option = wf_option_group_find (wf_colors_get_options (), "colors");
  WfColorOptions  colors;

  for (guint i = 0; i < G_N_ELEMENTS (with); i++)
    g_assert_true (wf_operation_takes_colors (with[i]));
  for (guint i = 0; i < G_N_ELEMENTS (without); i++)
    g_assert_false (wf_operation_takes_colors (without[i]));

  wf_option_group_init (wf_colors_get_options (), &colors);
  g_assert_cmpint (colors.colors, ==, WF_COLORS_GRAY);
  g_assert_true (wf_option_parse (option, &colors, "luminance", NULL));
  g_assert_cmpint (colors.colors, ==, WF_COLORS_LUMINANCE);
  g_assert_false (wf_option_parse (option, &colors, "hue", NULL));
}

int
main (int   argc,
      char *argv[])
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/color-pixels/luminance", test_luminance);
  g_test_add_func ("/color-pixels/colors", test_colors);
  g_test_add_func ("/color-pixels/examples", test_examples);
  g_test_add_func ("/color-pixels/operations", test_operations);
  return g_test_run ();
}
