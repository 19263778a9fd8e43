/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stains: levels by the definition, of all types; mixtures of known amounts; what is no stain. */

#include <math.h>
#include <string.h>

#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define N 4096

/* An amount so near to the border of two levels that both are right. */
#define NEAR 1e-6

typedef struct
{
  double vectors[3][3];
  guint  n;
  char  *text;
} Example;

static void
example_clear (Example *example)
{
  g_free (example->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Example, example_clear)

/* Densities that are far from each other. */
static void
random_example (Example *example)
{
  GString *text = g_string_new (NULL);

  example->n = g_test_rand_int_range (1, 4);
  for (guint i = 0; i < example->n; i++)
    {
      double length = 0.0;

      for (guint c = 0; c < 3; c++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          example->vectors[i][c] = g_test_rand_double_range (0.05, 0.4) + (c == i ? 1.0 : 0.0);
          g_ascii_dtostr (number, sizeof number, example->vectors[i][c]);
          g_string_append_printf (text, "%s%s", c > 0 ? "," : i > 0 ? " ; " : "", number);
          length += example->vectors[i][c] * example->vectors[i][c];
        }
      for (guint c = 0; c < 3; c++)
        example->vectors[i][c] /= sqrt (length);
    }
  example->text = g_string_free (text, FALSE);
}

/* The amount of the first stain by least squares, by elimination. */
static double
find_amount (const Example *example,
             const double  *density)
{
  const guint n = example->n;
  double      rows[3][4];

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < n; j++)
        {
          rows[i][j] = 0.0;
          for (guint c = 0; c < 3; c++)
            rows[i][j] += example->vectors[i][c] * example->vectors[j][c];
        }
      rows[i][n] = 0.0;
      for (guint c = 0; c < 3; c++)
        rows[i][n] += example->vectors[i][c] * density[c];
    }
  for (guint i = n; i-- > 1;)   /* clears what is above the diagonal */
    for (guint k = 0; k < i; k++)
      {
        const double factor = rows[k][i] / rows[i][i];

        for (guint j = 0; j <= n; j++)
          rows[k][j] -= factor * rows[i][j];
      }
  return rows[0][n] / rows[0][0];
}

static double
expect_level (const Example *example,
              const double  *color)
{
  double density[3];

  for (int c = 0; c < 3; c++)
    density[c] = -log10 (MAX (color[c], 1e-6));
  return pow (10.0, -MAX (find_amount (example, density), 0.0));
}

#define TEST_INTEGERS(Type, name, wf_type, highest) \
  static void \
  test_##name (void) \
  { \
    const int n_examples = (int) test_count (20, 200); \
\
    for (int round = 0; round < n_examples; round++) \
      { \
        const int            n_components = g_test_rand_int_range (3, 5); \
        g_auto (Example)     example      = { 0 }; \
        g_autoptr (WfStain)  stain        = NULL; \
        g_autofree Type     *colors       = g_new (Type, N * n_components); \
        g_autofree Type     *levels       = g_new (Type, N); \
\
        random_example (&example); \
        stain = wf_stain_new (example.text, NULL); \
        g_assert_nonnull (stain); \
        for (int i = 0; i < N * n_components; i++) \
          colors[i] = (Type) (g_test_rand_int_range (0, 20) == 0 \
                              ? g_test_rand_int_range (0, 2) * (highest) \
                              : g_test_rand_int_range (0, (highest) + 1)); \
        wf_stain_take_levels (stain, wf_type, colors, n_components, N, levels); \
        for (int i = 0; i < N; i++) \
          { \
            const Type   *at       = colors + i * n_components; \
            const double  color[3] = { at[0] / (double) (highest), at[1] / (double) (highest), \
                                       at[2] / (double) (highest) }; \
            const double  exact    = (highest) * expect_level (&example, color); \
\
            g_assert_cmpfloat (fabs (levels[i] - exact), <=, 0.5 + NEAR); \
          } \
      } \
  }

TEST_INTEGERS (guint8, u8, WF_TYPE_U8, G_MAXUINT8)
TEST_INTEGERS (guint16, u16, WF_TYPE_U16, G_MAXUINT16)

static void
test_f32 (void)
{
  for (int round = 0; round < 20; round++)
    {
      g_auto (Example)    example = { 0 };
      g_autoptr (WfStain) stain   = NULL;

      random_example (&example);
      stain = wf_stain_new (example.text, NULL);
      for (int i = 0; i < N; i++)
        {
          const float  given[3] = { (float) g_test_rand_double_range (-0.1, 1.2),
                                    (float) g_test_rand_double_range (-0.1, 1.2),
                                    (float) g_test_rand_double_range (-0.1, 1.2) };
          const double color[3] = { given[0], given[1], given[2] };
          const double exact    = expect_level (&example, color);
          float        level;

          wf_stain_take_levels (stain, WF_TYPE_F32, given, 3, 1, &level);
          g_assert_cmpfloat (fabs (level - exact), <=, 1e-6 * exact + 1e-30);
        }
    }
}

/* What is not a number stays so, that it is refused as in other images. */
static void
test_nan (void)
{
  g_autoptr (WfStain) stain    = wf_stain_new ("eosin", NULL);
  const float         color[3] = { 0.5f, NAN, 0.5f };
  float               level    = 0.0f;

  wf_stain_take_levels (stain, WF_TYPE_F32, color, 3, 1, &level);
  g_assert_true (isnan (level));
}

/* A slide with known amounts of both stains. */
static void
test_mixture (gconstpointer data)
{
  static const double vectors[][2][3] = { { { 0.65, 0.70, 0.29 }, { 0.07, 0.99, 0.11 } },
                                          { { 0.650, 0.704, 0.286 }, { 0.268, 0.570, 0.776 } } };
  const WfChoice      *choice = data;
  const int            set    = choice->value / 2;
  const int            first  = choice->value % 2;
  g_autoptr (WfStain)  stain  = wf_stain_new (choice->name, NULL);

  g_assert_nonnull (stain);
  for (int i = 0; i < 1000; i++)
    {
      const double amounts[2] = { g_test_rand_double_range (0, 1.5),
                                  g_test_rand_double_range (0, 1.5) };
      float        color[3];
      float        level;

      for (int c = 0; c < 3; c++)
        {
          double density = 0.0;

          for (int s = 0; s < 2; s++)
            {
              const double *vector = vectors[set][s];
              const double  length = sqrt (vector[0] * vector[0] + vector[1] * vector[1] +
                                           vector[2] * vector[2]);

              density += amounts[s] * vector[c] / length;
            }
          color[c] = (float) pow (10.0, -density);
        }
      wf_stain_take_levels (stain, WF_TYPE_F32, color, 3, 1, &level);
      g_assert_cmpfloat_with_epsilon (-log10 (level), amounts[first], 1e-4);
    }
}

/* A color and its densities are the same stain; white has none of it. */
static void
test_color (void)
{
  g_autoptr (WfStain) by_color     = wf_stain_new ("#6b3FA0", NULL);
  g_autofree char    *text         = g_strdup_printf ("%.17g,%.17g,%.17g", -log10 (0x6b / 255.0),
                                                      -log10 (0x3f / 255.0),
                                                      -log10 (0xa0 / 255.0));
  g_autoptr (WfStain) by_densities = wf_stain_new (text, NULL);

  g_assert_nonnull (by_color);
  g_assert_nonnull (by_densities);
  for (int i = 0; i < N; i++)
    {
      const guint8 color[3] = { (guint8) g_test_rand_int (), (guint8) g_test_rand_int (),
                                (guint8) g_test_rand_int () };
      const guint8 white[3] = { 255, 255, 255 };
      guint8       levels[3];

      wf_stain_take_levels (by_color, WF_TYPE_U8, color, 3, 1, &levels[0]);
      wf_stain_take_levels (by_densities, WF_TYPE_U8, color, 3, 1, &levels[1]);
      wf_stain_take_levels (by_color, WF_TYPE_U8, white, 3, 1, &levels[2]);
      g_assert_cmpint (levels[0], ==, levels[1]);
      g_assert_cmpint (levels[2], ==, 255);
    }
}

/* What pixels absorb, where black counts as half a level of 8 bits; its text is read again. */
static void
test_pick (void)
{
  static const guint16 colors[][4] = { { 65535, 0, 6554, 1 }, { 65535, 65535, 655, 2 } };
  const float          real[]      = { 1.0f, 0.0f, 0.1f, 1.0f, 1.0f, 0.01f };
  const guint8         bytes[]     = { 255, 0, 51 };
  const double         black       = -log10 (0.5 / 255);
  double               densities[9];
  double               read[9];
  g_autofree char     *text = NULL;

  wf_stain_pick (WF_TYPE_U16, colors, 4, 2, densities);
  g_assert_cmpfloat_with_epsilon (densities[0], 0.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (densities[1], black / 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (densities[2], -log10 (6554 / 65535.0 * 655 / 65535.0) / 2, 1e-12);
  wf_stain_pick (WF_TYPE_F32, real, 3, 2, densities + 3);
  g_assert_cmpfloat_with_epsilon (densities[4], black / 2, 1e-7);
  g_assert_cmpfloat_with_epsilon (densities[5], 1.5, 1e-7);
  wf_stain_pick (WF_TYPE_U8, bytes, 3, 1, densities + 6);
  g_assert_cmpfloat_with_epsilon (densities[7], black, 1e-12);
  g_assert_cmpfloat_with_epsilon (densities[8], log10 (5.0), 1e-12);

  text = wf_stain_format (densities, 3);
  g_assert_cmpuint (wf_stain_parse (text, read, NULL), ==, 3);
  g_assert_cmpmem (read, sizeof read, densities, sizeof densities);
}

/* A text has the digits that its number needs, and gives the same bits. */
static void
test_format (void)
{
  const double     densities[] = { 0.65, 0.704, 0, 0.1, -2e-7, 1e22 };
  g_autofree char *text        = wf_stain_format (densities, 2);

  g_assert_cmpstr (text, ==, "0.65,0.704,0;0.1,-2e-07,1e+22");
  for (int i = 0; i < N; i++)
    {
      const double     made[] = { g_test_rand_double (), g_test_rand_double_range (0, 3),
                                  ldexp (g_test_rand_double (), g_test_rand_int_range (-60, 60)) };
      double           read[9];
      g_autofree char *once   = wf_stain_format (made, 1);

      g_assert_cmpuint (wf_stain_parse (once, read, NULL), ==, 1);
      g_assert_cmpmem (read, sizeof made, made, sizeof made);
    }
}

/* A name stands for its densities, and a color for its own. */
static void
test_parse (void)
{
  double densities[9];

  g_assert_cmpuint (wf_stain_parse ("dab", densities, NULL), ==, 2);
  g_assert_cmpfloat (densities[2], ==, 0.776);
  g_assert_cmpfloat (densities[3], ==, 0.650);
  g_assert_cmpuint (wf_stain_parse ("#ff33ff", densities, NULL), ==, 1);
  g_assert_cmpfloat_with_epsilon (densities[0], 0.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (densities[1], log10 (5.0), 1e-12);
}

/* scikit-image's definition: the inverse of the directions and their cross product, applied to the
 * densities, for stains whose directions are not orthogonal.
 */
static void
test_cross_product (void)
{
  static const double one[3]   = { 0.6, 0.3, 0.2 };
  static const double other[3] = { 0.2, 0.5, 0.7 };
  g_autoptr (WfStain) stain    = wf_stain_new ("0.6,0.3,0.2;0.2,0.5,0.7", NULL);
  const double        length   = sqrt (0.6 * 0.6 + 0.3 * 0.3 + 0.2 * 0.2);

  for (int i = 0; i < 1000; i++)
    {
      const double a = g_test_rand_double_range (0, 1);
      const double b = g_test_rand_double_range (0, 1);
      const double r = g_test_rand_double_range (-0.2, 0.2);   /* along the cross product */
      float        color[3];
      float        level;

      for (int c = 0; c < 3; c++)
        {
          const int    k     = (c + 1) % 3;
          const int    l     = (c + 2) % 3;
          const double third = one[k] * other[l] - one[l] * other[k];

          color[c] = (float) pow (10.0, -(a * one[c] + b * other[c] + r * third));
        }
      wf_stain_take_levels (stain, WF_TYPE_F32, color, 3, 1, &level);
      g_assert_cmpfloat_with_epsilon (-log10 (level), a * length, 1e-4);
    }
}

static void
test_refusals (void)
{
  static const char * const texts[] =
  {
    "", "blood", "Eosin", "#12345", "#1234567", "#12345g", "1,2", "1,2,3,4", "1,2,x", "1,,2",
    "1,2,nan", "1,2,inf", "0,0,0", "-1,-2,-1", "#ffffff", "1,0,0;", ";1,0,0",
    "1,0,0;0,1,0;0,0,1;1,1,1", "1,0,0;2,0,0", "#6b3fa0;#6b3fa0", "1,0,0;0,1,0;1,1,0", "eosin;dab",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError)  error = NULL;
      g_autoptr (WfStain) stain = wf_stain_new (texts[i], &error);

      g_assert_null (stain);
      g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
      assert_sentence (error->message);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/stain/u8", test_u8);
  g_test_add_func ("/stain/u16", test_u16);
  g_test_add_func ("/stain/f32", test_f32);
  g_test_add_func ("/stain/nan", test_nan);
  for (const WfChoice *choice = wf_stain_get_choices (); choice->name; choice++)
    {
      g_autofree char *path = g_strdup_printf ("/stain/mixture/%s", choice->name);

      g_test_add_data_func (path, choice, test_mixture);
    }
  g_test_add_func ("/stain/color", test_color);
  g_test_add_func ("/stain/pick", test_pick);
  g_test_add_func ("/stain/format", test_format);
  g_test_add_func ("/stain/parse", test_parse);
  g_test_add_func ("/stain/cross-product", test_cross_product);
  g_test_add_func ("/stain/refusals", test_refusals);

  return g_test_run ();
}
