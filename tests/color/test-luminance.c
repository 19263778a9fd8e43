/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Luminance changed and colors kept: by the definition, in double precision, and by what it is for:
 * the luminance is the wanted one, ratios stay where they can, and nothing exceeds white.
 */

#include <math.h>
#include <string.h>

#include "color-reference.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

#define N 2048

/* Of sRGB; the definition holds for any. */
static const double weights[] = { 0.2126, 0.7152, 0.0722 };

static double
find_luminance (const float *color)
{
  double sum = 0;

  for (int c = 0; c < 3; c++)
    sum += weights[c] * (double) color[c];
  return sum;
}

/* Black, gray, pure and random colors. */
static void
make_color (float *color)
{
  const int kind = g_test_rand_int_range (0, 8);

  for (int c = 0; c < 3; c++)
    color[c] = kind == 0 ? 0 : kind == 1 ? 0.5f : kind < 5 ? c == kind - 2
                         : (float) g_test_rand_double ();
}

static void
check_random (guint    n_components,
              gboolean limited)
{
  g_autofree float *colors    = g_new (float, N * n_components);
  g_autofree float *before    = NULL;
  g_autofree float *luminance = g_new (float, N);
  g_autofree float *wanted    = g_new (float, N);

  for (guint i = 0; i < N; i++)
    {
      float *color = colors + i * n_components;

      make_color (color);
      for (guint c = 3; c < n_components; c++)
        color[c] = (float) g_test_rand_double ();
      luminance[i] = (float) find_luminance (color);
      wanted[i]    = i % 5 == 0 ? luminance[i] : (float) g_test_rand_double () *
                                                 (limited ? 1 : 3);
    }
  before = g_memdup2 (colors, sizeof (float) * N * n_components);
  wf_colors_set_luminance (colors, n_components, luminance, wanted, N, limited);

  for (guint i = 0; i < N; i++)
    {
      const float *was = before + i * n_components;
      const float *now = colors + i * n_components;
      double       color[3];
      double       expected[3];

      if (wanted[i] == luminance[i])
        {
          g_assert_cmpmem (now, n_components * sizeof (float), was, n_components * sizeof (float));
          continue;
        }
      for (int c = 0; c < 3; c++)
        color[c] = was[c];
      color_reference_set (color, luminance[i], wanted[i], limited, expected);
      for (int c = 0; c < 3; c++)
        {
          g_assert_cmpfloat_with_epsilon (now[c], expected[c], 1e-5 * (1 + fabs (expected[c])));
          g_assert_true (! limited || now[c] <= 1);
        }
      g_assert_cmpfloat_with_epsilon (find_luminance (now), wanted[i], 2e-5);
      g_assert_true (n_components == 3 || now[3] == was[3]);
    }
}

static void
test_random (void)
{
  for (guint n_components = 3; n_components <= 5; n_components++)
    for (int limited = 0; limited < 2; limited++)
      check_random (n_components, limited);
}

/* Half the light of a red; blue that would have to be brighter than white; black; no pixels. */
static void
test_examples (void)
{
  const float luminance[] = { 0.4252f, 0.0722f, 0 };
  const float wanted[]    = { 0.2126f, 0.5f, 0.25f };
  float       colors[]    = { 1, 0.25f, 0.4685f, 0, 0, 1, 0, 0, 0 };

  wf_colors_set_luminance (colors, 3, luminance, wanted, 3, TRUE);
  g_assert_cmpfloat_with_epsilon (colors[0], 0.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (colors[1], 0.125, 1e-6);
  g_assert_cmpfloat (colors[5], ==, 1);
  g_assert_cmpfloat_with_epsilon (colors[3], colors[4], 1e-6);
  g_assert_cmpfloat_with_epsilon (find_luminance (colors + 3), 0.5, 1e-5);
  for (int c = 0; c < 3; c++)
    g_assert_cmpfloat (colors[6 + c], ==, 0.25f);
  wf_colors_set_luminance (NULL, 3, NULL, NULL, 0, TRUE);
}

int
main (int   argc,
      char *argv[])
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/luminance/random", test_random);
  g_test_add_func ("/luminance/examples", test_examples);
  return g_test_run ();
}
