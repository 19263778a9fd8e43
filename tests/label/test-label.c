/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/guarded-image.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static void
init_options (WfLabelOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), options);
}

static void
mark_foreground (gint64        n,
                 const double *levels,
                 double        threshold,
                 guint8       *foreground)
{
  for (gint64 p = 0; p < n; p++)
    foreground[p] = isnan (threshold) ? levels[p] != 0 : levels[p] > threshold;
}

static void
test_random (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_label_cases (configurations, test_count (800, 8000));
}

/* The two references, and the components of minima in the reference of the watershed. */
static void
test_reference (void)
{
  for (guint i = 0; i < test_count (300, 2000); i++)
    {
      g_autofree double  *levels     = NULL;
      g_autofree guint8  *foreground = NULL;
      g_autofree guint32 *plain      = NULL;
      g_autofree guint32 *quick      = NULL;
      RefSize             size;
      Palette             palette;
      int                 connectivity;
      gint64              n;

      random_size (&size);
      n = ref_n_pixels (&size);
      random_palette (WF_TYPE_U8, &palette);
      connectivity = random_connectivity (&size);
      levels       = g_new (double, n);
      foreground   = g_new (guint8, n);
      plain        = g_new (guint32, n);
      quick        = g_new (guint32, n);
      random_content (&size, &palette, levels);
      mark_foreground (n, levels, palette.level[palette.n / 2], foreground);
      g_assert_cmpuint (ref_label (&size, connectivity, foreground, plain), ==,
                        ref_label_quick (&size, connectivity, foreground, quick));
      g_assert_cmpmem (plain, n * sizeof *plain, quick, n * sizeof *quick);

      ref_minima (&size, connectivity, levels, plain);
      for (gint64 p = 0; p < n; p++)
        foreground[p] = plain[p] != 0;
      ref_label (&size, connectivity, foreground, quick);
      g_assert_cmpmem (plain, n * sizeof *plain, quick, n * sizeof *quick);
    }
}


/*  Results that are known  */

static void
check_rows (const char *const *rows,
            int                connectivity,
            const char *const *expected)
{
  const RefSize            size   = { strlen (rows[0]), g_strv_length ((char **) rows), 1 };
  g_autofree double       *levels = g_new (double, ref_n_pixels (&size));
  g_autofree guint32      *labels = g_new (guint32, ref_n_pixels (&size));
  WfLabelOptions           options;

  for (gint64 y = 0; y < size.height; y++)
    for (gint64 x = 0; x < size.width; x++)
      {
        levels[y * size.width + x] = rows[y][x] == '.' ? 0 : 1;
        labels[y * size.width + x] = expected[y][x] == '.' ? 0 : expected[y][x] - '0';
      }
  init_options (&options);
  options.connectivity = connectivity;
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_autoptr (GuardedImage) image = guarded_image_new_levels (types[k], &size, levels);
      g_autoptr (GuardedImage) out   = guarded_image_new (WF_TYPE_U32, &size, FALSE);
      GError                  *error = NULL;

      wf_label (NULL, &image->view, &out->view, NULL, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (out, labels), ==, -1);
    }
}

/* Components are numbered by their first pixels, not by where they are joined. */
static void
test_known (void)
{
  static const char *const image[]   = { "#..#.#", ".#.###", "..#...", "#.#.##", "##...#", NULL };
  static const char *const by_four[] = { "1..2.2", ".3.222", "..4...", "5.4.66", "55...6", NULL };
  static const char *const by_all[]  = { "1..1.1", ".1.111", "..1...", "1.1.22", "11...2", NULL };
  static const char *const comb[]    = { "#.#.#.#", "#.#.#.#", "#.###.#", "#.....#", "#######",
                                         NULL };
  static const char *const combed[]  = { "1.2.2.1", "1.2.2.1", "1.222.1", "1.....1", "1111111",
                                         NULL };

  check_rows (image, 4, by_four);
  check_rows (image, 8, by_all);
  check_rows (comb, 4, combed);
  check_rows (comb, 8, combed);
}

static guint32
count_components (const RefSize *size,
                  WfType         type,
                  const double  *levels,
                  int            connectivity,
                  double         threshold)
{
  g_autoptr (GuardedImage) image = guarded_image_new_levels (type, size, levels);
  g_autoptr (GuardedImage) out   = guarded_image_new (WF_TYPE_U32, size, FALSE);
  guint32                  n     = 4711;
  GError                  *error = NULL;
  WfLabelOptions           options;

  init_options (&options);
  options.connectivity = connectivity;
  options.threshold    = threshold;
  wf_label (NULL, &image->view, &out->view, &n, &options, &error);
  g_assert_no_error (error);
  return n;
}

/* −0 is background, and so is what equals the threshold; infinities are levels. */
static void
test_reals (void)
{
  const RefSize size     = { 7, 1, 1 };
  const double  levels[] = { -0.0, -INFINITY, 0, INFINITY, 0.1f, -1, 0 };
  const double  tenths[] = { 0.1f, 0, 0.1f, 0, nextafterf (0.1f, 1), 0, 0 };

  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, levels, 4, NAN), ==, 2);
  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, levels, 4, 0), ==, 1);
  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, levels, 4, -0.0), ==, 1);
  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, levels, 4, -1), ==, 3);
  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, levels, 4, -1e300), ==, 2);
  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, levels, 4, 1e300), ==, 1);
  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, tenths, 4, 0.1), ==, 3);
  g_assert_cmpuint (count_components (&size, WF_TYPE_F32, tenths, 4, 0.1f), ==, 1);
}

static void
test_checkerboard (void)
{
  const RefSize image = { 131, 67, 1 };
  const RefSize stack = { 67, 7, 5 };
  double        levels[131 * 67];

  for (gint64 p = 0; p < 131 * 67; p++)
    levels[p] = (p % 131 + p / 131) % 2 == 0;
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_assert_cmpuint (count_components (&image, types[k], levels, 4, NAN), ==,
                        (131 * 67 + 1) / 2);
      g_assert_cmpuint (count_components (&image, types[k], levels, 8, NAN), ==, 1);
    }
  for (gint64 p = 0; p < 67 * 7 * 5; p++)
    levels[p] = (p % 67 + p / 67 % 7 + p / 469) % 2 == 0;
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_assert_cmpuint (count_components (&stack, types[k], levels, 6, NAN), ==,
                        (67 * 7 * 5 + 1) / 2);
      g_assert_cmpuint (count_components (&stack, types[k], levels, 26, NAN), ==, 1);
    }
}


/*  Images of ordinary size  */

typedef struct
{
  WfType   type;
  RefSize  size;
  int      connectivity;
  gboolean noise;
} Medium;

static const Medium media[] =
{
  { WF_TYPE_U8,  { 1000, 701, 1 },  4,  FALSE },
  { WF_TYPE_U8,  { 1000, 701, 1 },  8,  TRUE },
  { WF_TYPE_U16, { 701, 1000, 1 },  4,  TRUE },
  { WF_TYPE_F32, { 640, 800, 1 },   8,  FALSE },
  { WF_TYPE_U8,  { 130, 90, 50 },   6,  TRUE },
  { WF_TYPE_F32, { 90, 130, 50 },   26, FALSE },
};

static void
check_medium (gconstpointer data)
{
  const Medium               *medium         = data;
  gint64                      n              = ref_n_pixels (&medium->size);
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree double          *levels         = g_new (double, n);
  g_autofree guint8          *foreground     = g_new (guint8, n);
  g_autofree guint32         *expected       = g_new (guint32, n);
  g_autoptr (GuardedImage)    image          = NULL;
  double                      threshold      = medium->noise ? 0.5
                                             : medium->type == WF_TYPE_U8 ? 128
                                             : medium->type == WF_TYPE_U16 ? 33000 : 0.02;
  guint32                     n_expected;

  if (medium->noise)
    for (gint64 p = 0; p < n; p++)
      levels[p] = g_test_rand_int_range (0, 100) < (medium->size.depth > 1 ? 30 : 50);
  else
    make_landscape (medium->type, &medium->size, medium->size.depth > 1 ? 2 : 4, levels);
  mark_foreground (n, levels, threshold, foreground);
  n_expected = ref_label_quick (&medium->size, medium->connectivity, foreground, expected);
  image      = guarded_image_new_levels (medium->type, &medium->size, levels);
  g_test_message ("%u components", n_expected);
  g_assert_cmpuint (n_expected, >, 0);

  for (guint i = 0; i < test_count (4, 12); i++)
    {
      const Configuration      *configuration = configurations_pick (configurations);
      g_autoptr (GuardedImage)  labels        = guarded_image_new (WF_TYPE_U32, &medium->size,
                                                                   i % 2);
      guint32                   count         = 0;
      WfLabelOptions            options;
      GError                   *error         = NULL;

      configuration_note (configuration);
      init_options (&options);
      options.connectivity = medium->connectivity;
      options.threshold    = threshold;
      wf_label (configuration->context, &image->view, &labels->view, &count, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (labels, expected), ==, -1);
      g_assert_true (guarded_image_is_guarded (labels));
      g_assert_cmpuint (count, ==, n_expected);
    }
}


/*  Refusals  */

typedef struct
{
  GuardedImage   *image;
  GuardedImage   *labels;
  WfLabelOptions  options;
} Arguments;

static void
arguments_init (Arguments *a,
                gint64     depth)
{
  const RefSize size     = { 4, 3, depth };
  const double  levels[] = { 1, 0, 2, [3 * 4 * 3 - 1] = 0 };

  a->image  = guarded_image_new_levels (WF_TYPE_F32, &size, levels);
  a->labels = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  init_options (&a->options);
}

static void
arguments_clear (Arguments *a)
{
  guarded_image_free (a->image);
  guarded_image_free (a->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

#define assert_arguments_refused(a)                                                       \
  G_STMT_START                                                                            \
    {                                                                                     \
      guint32 n_components = 4711;                                                        \
                                                                                          \
      assert_refused (wf_label (NULL, &(a)->image->view, &(a)->labels->view,              \
                                &n_components, &(a)->options, &refusal),                  \
                      WF_ERROR_INVALID);                                                  \
      g_assert_true (guarded_image_is_untouched ((a)->labels));                           \
      g_assert_cmpuint (n_components, ==, 4711);                                          \
    }                                                                                     \
  G_STMT_END

static void
test_refusals (void)
{
  static const WfType all[]            = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32,
                                           WF_TYPE_U64, WF_TYPE_F64, 7 };
  const int           connectivities[] = { 6, 26, 5, 1, -8, 18 };

  for (gint64 index = 0; index < 12; index++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      guarded_image_set_float (a.image, index, NAN);
      assert_arguments_refused (&a);
    }
  for (guint i = 0; i < G_N_ELEMENTS (connectivities); i++)
    {
      g_auto (Arguments) a     = { 0 };
      g_auto (Arguments) stack = { 0 };

      arguments_init (&a, 1);
      a.options.connectivity = connectivities[i];
      assert_arguments_refused (&a);
      arguments_init (&stack, 2);
      stack.options.connectivity = i % 2 ? 4 : 8;
      assert_arguments_refused (&stack);
    }
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_auto (Arguments) input  = { 0 };
      g_auto (Arguments) output = { 0 };

      arguments_init (&input, 1);
      arguments_init (&output, 1);
      input.image->view.type   = all[i];
      output.labels->view.type = all[i];
      if (! (all[i] >= WF_TYPE_U8 && all[i] <= WF_TYPE_F32))
        assert_arguments_refused (&input);
      if (all[i] != WF_TYPE_U32)
        assert_arguments_refused (&output);
    }
  {
    g_auto (Arguments) a = { 0 };

    arguments_init (&a, 1);
    a.options.algorithm = "steepest";
    assert_arguments_refused (&a);
  }
}

/* The message names the first row of the stack that holds a NaN, with any number of threads
 * and of further NaNs.
 */
static void
test_first_nan (void)
{
  enum { WIDTH = 128, HEIGHT = 300, DEPTH = 4 };
  static const gint64 rows[] = { 1199, 1100, 870, 641, 640, 413, 299, 0 };

  g_auto (WfImage)      image   = { 0 };
  g_auto (WfImage)      labels  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();
  WfContextOptions      options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.threads = 3;
  g_assert_true (wf_context_configure (context, &options, NULL));
  g_assert_true (wf_image_allocate (&image, WF_TYPE_F32, WIDTH, HEIGHT, DEPTH, NULL));
  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, WIDTH, HEIGHT, DEPTH, NULL));
  memset (image.data, 0, WIDTH * HEIGHT * DEPTH * sizeof (float));

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char    *row   = g_strdup_printf ("in row %d.", (int) (rows[i] % HEIGHT));
      g_autoptr (GError)  error = NULL;

      ((float *) image.data)[rows[i] * WIDTH + i * 7] = NAN;
      g_assert_false (wf_label (context, &image, &labels, NULL, NULL, &error));
      g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
      g_assert_true (g_str_has_suffix (error->message, row));
    }
}

static void
test_sizes_refused (void)
{
  for (int which = 0; which < 2; which++)
    for (int fault = 0; fault < N_VIEW_FAULTS; fault++)
      {
        g_auto (Arguments) a = { 0 };

        arguments_init (&a, 2);
        spoil_view (which == 0 ? &a.image->view : &a.labels->view, fault);
        assert_arguments_refused (&a);
      }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/label/reference", test_reference);
  g_test_add_func ("/label/known", test_known);
  g_test_add_func ("/label/reals", test_reals);
  g_test_add_func ("/label/checkerboard", test_checkerboard);
  g_test_add_func ("/label/random", test_random);
  for (guint i = 0; i < G_N_ELEMENTS (media); i++)
    {
      g_autofree char *path = g_strdup_printf ("/label/medium/%u", i + 1);

      g_test_add_data_func (path, &media[i], check_medium);
    }
  g_test_add_func ("/label/refuses/arguments", test_refusals);
  g_test_add_func ("/label/refuses/first-nan", test_first_nan);
  g_test_add_func ("/label/refuses/sizes", test_sizes_refused);

  return g_test_run ();
}
