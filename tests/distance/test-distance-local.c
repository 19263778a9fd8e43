/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by `local`, on images with all cases that it distinguishes: blocks settled
 * early and late, runs of far blocks inside a row and along a whole row, columns with and
 * without background; and with outputs that overlap their inputs.
 */

#include <math.h>
#include <string.h>

#include "tests/support/configurations.h"
#include "tests/support/guarded-image.h"
#include "tests/support/tiers.h"

#define WIDTH  330
#define HEIGHT 150

typedef gboolean (* Picture) (gint64 x,
                              gint64 y);

static gboolean
nothing (gint64 x,
         gint64 y)
{
  return TRUE;
}

static gboolean
one_site (gint64 x,
          gint64 y)
{
  return x != WIDTH / 3 || y != HEIGHT / 3;
}

static gboolean
two_corners (gint64 x,
             gint64 y)
{
  return ! (x == 0 && y == HEIGHT - 1) && ! (x == WIDTH - 1 && y == 0);
}

static gboolean
disc (gint64 x,
      gint64 y)
{
  return hypot (x - WIDTH / 2, y - HEIGHT / 2) < 73;
}

static gboolean
rings (gint64 x,
       gint64 y)
{
  return fmod (hypot (x - 20, y), 150) >= 1;
}

static gboolean
diagonal (gint64 x,
          gint64 y)
{
  return x != 2 * y;
}

static gboolean
last_column (gint64 x,
             gint64 y)
{
  return x != WIDTH - 1;
}

static gboolean
first_row (gint64 x,
           gint64 y)
{
  return y != 0;
}

static gboolean
corridors (gint64 x,
           gint64 y)
{
  return y % 13 != 0 || (y / 13 % 2 ? x < 5 : x >= WIDTH - 5);
}

static gboolean
checkerboard (gint64 x,
              gint64 y)
{
  return (x + y) % 2 != 0;
}

/* Dust to the left and right of a void three blocks wide. */
static gboolean
void_in_dust (gint64 x,
              gint64 y)
{
  return (x > 60 && x < 250) || (x * 7 + y * 31) % 97 != 0;
}

/* Alternately settled and far blocks. */
static gboolean
pillars (gint64 x,
         gint64 y)
{
  return y > 3 || x / 64 % 2 == 0 || x % 9 != 0;
}

static const struct
{
  const char *name;
  Picture     is_foreground;
} pictures[] =
{
  { "nothing",      nothing },
  { "one-site",     one_site },
  { "two-corners",  two_corners },
  { "disc",         disc },
  { "rings",        rings },
  { "diagonal",     diagonal },
  { "last-column",  last_column },
  { "first-row",    first_row },
  { "corridors",    corridors },
  { "checkerboard", checkerboard },
  { "void-in-dust", void_in_dust },
  { "pillars",      pillars },
};

static double *
squared_distances (const RefSize *size,
                   gboolean       border_background,
                   const guint8  *foreground)
{
  const gint64        n        = ref_n_pixels (size);
  double             *distance = g_new (double, n);
  g_autofree guint64 *nearest  = g_new (guint64, n);
  RefDistance         map      = { REF_EUCLIDEAN_SQUARED, { 1, 1, 1 }, border_background };

  ref_distance_quick (size, foreground, &map, distance, nearest);
  return distance;
}

static gpointer
pack_distances (const WfDistanceOptions *options,
                const double            *squared,
                gint64                   n)
{
  g_autofree double *distance = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    distance[p] = options->metric == WF_METRIC_EUCLIDEAN ? sqrt (squared[p]) : squared[p];
  return pack_levels (wf_distance_get_type (options), distance, n);
}

static void
init_options (WfDistanceOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
  options->algorithm = "local";
}

/* All types in several configurations. */
static void
check_picture (const Configurations    *configurations,
               const WfDistanceOptions *options,
               const double            *levels,
               const double            *squared)
{
  const WfType        types[]  = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const RefSize       size     = { WIDTH, HEIGHT, 1 };
  g_autofree gpointer expected = pack_distances (options, squared, WIDTH * HEIGHT);

  for (guint i = 0; i < test_count (3, 12); i++)
    {
      const Configuration     *configuration = configurations_pick (configurations);
      g_autoptr (GuardedImage) image         = guarded_image_new_levels (types[i % 3], &size,
                                                                         levels);
      g_autoptr (GuardedImage) out           = guarded_image_new (wf_distance_get_type (options),
                                                                  &size, g_test_rand_bit ());
      GError                  *error         = NULL;

      configuration_note (configuration);
      g_assert_true (wf_distance (configuration->context, &image->view, &out->view, NULL,
                                  options, &error));
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (out, expected), ==, -1);
      g_assert_true (guarded_image_is_guarded (out));
    }
}

static void
test_picture (gconstpointer data)
{
  const Picture               is_foreground  = pictures[GPOINTER_TO_INT (data)].is_foreground;
  const RefSize               size           = { WIDTH, HEIGHT, 1 };
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree double          *levels         = g_new (double, WIDTH * HEIGHT);
  g_autofree guint8          *foreground     = g_new (guint8, WIDTH * HEIGHT);
  WfDistanceOptions           options;

  init_options (&options);
  for (gint64 p = 0; p < WIDTH * HEIGHT; p++)
    levels[p] = foreground[p] = is_foreground (p % WIDTH, p / WIDTH);

  for (int border = 0; border < 2; border++)
    {
      g_autofree double *squared = squared_distances (&size, border, foreground);

      options.border_background = border;
      options.metric            = WF_METRIC_EUCLIDEAN;
      check_picture (configurations, &options, levels, squared);
      options.metric            = WF_METRIC_SQUARED;
      check_picture (configurations, &options, levels, squared);
    }
}

/* The output begins some rows or pixels after the input, in the same memory. */
static void
test_overlap (void)
{
  const int                   shifts[]       = { 0, 1, WIDTH, 40 * WIDTH + 3 };
  const RefSize               size           = { WIDTH, HEIGHT, 1 };
  const gint64                n              = WIDTH * HEIGHT;
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree float           *memory         = g_new (float, 2 * n);
  g_autofree guint8          *foreground     = g_new (guint8, n);
  g_autofree double          *squared        = NULL;
  g_autofree gpointer         expected       = NULL;
  WfDistanceOptions           options;

  init_options (&options);
  for (gint64 p = 0; p < n; p++)
    foreground[p] = void_in_dust (p % WIDTH, p / WIDTH);
  squared  = squared_distances (&size, options.border_background, foreground);
  expected = pack_distances (&options, squared, n);

  for (guint i = 0; i < test_count (2, 10) * G_N_ELEMENTS (shifts); i++)
    {
      const Configuration *configuration = configurations_pick (configurations);
      const int            shift         = shifts[i % G_N_ELEMENTS (shifts)];
      const gboolean       before        = i / G_N_ELEMENTS (shifts) % 2;
      float               *in            = before ? memory + shift : memory;
      float               *out           = before ? memory : memory + shift;
      WfImage              views[2];
      GError              *error = NULL;

      for (gint64 p = 0; p < n; p++)
        in[p] = foreground[p];
      wf_image_init (&views[0], WF_TYPE_F32, WIDTH, HEIGHT, 1, in, NULL);
      wf_image_init (&views[1], WF_TYPE_F32, WIDTH, HEIGHT, 1, out, NULL);
      configuration_note (configuration);
      g_assert_true (wf_distance (configuration->context, &views[0], &views[1], NULL, &options,
                                  &error));
      g_assert_no_error (error);
      g_assert_cmpmem (out, n * sizeof *out, expected, n * sizeof *out);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autofree char *path = g_strdup_printf ("/distance-local/%s", pictures[i].name);

      g_test_add_data_func (path, GINT_TO_POINTER (i), test_picture);
    }
  g_test_add_func ("/distance-local/overlap", test_overlap);
  return g_test_run ();
}
