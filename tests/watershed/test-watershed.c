/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/guarded-image.h"
#include "tests/support/landscape.h"
#include "tests/support/refusals.h"
#include "tests/reference/stored.h"
#include "tests/support/tiers.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static void
init_options (WfWatershedOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), options);
}

static void
test_random (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_watershed_cases (configurations, test_count (800, 8000));
}

static void
test_masked (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_masked_watershed_cases (configurations, test_count (200, 3000));
}


/*  Results that are known  */

static void
check_stored (const StoredWatershed *stored,
              WfType                 type,
              const Configuration   *configuration)
{
  g_autoptr (GuardedImage) image   = guarded_image_new_levels (type, &stored->size, stored->image);
  g_autoptr (GuardedImage) markers = guarded_image_new_labels (&stored->size, stored->markers);
  g_autoptr (GuardedImage) labels  = guarded_image_new (WF_TYPE_U32, &stored->size,
                                                        g_test_rand_bit ());
  WfWatershedOptions       options;
  guint32                  n_basins = 0;
  GError                  *error    = NULL;

  init_options (&options);
  options.connectivity = stored->options.connectivity;
  options.tolerance    = stored->options.tolerance;
  options.lines        = stored->options.lines;
  options.last_index   = stored->options.last_index;
  g_assert_true (wf_watershed (configuration->context, &image->view,
                               stored->marked ? &markers->view : NULL, &labels->view, &n_basins,
                               &options, &error));
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (labels, stored->labels), ==, -1);
  g_assert_cmpuint (n_basins, ==, stored->n_basins);
}

static void
test_stored (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < stored_n_watersheds; i++)
    {
      g_test_message ("%s", stored_watersheds[i].name);
      for (guint k = 0; k < G_N_ELEMENTS (types); k++)
        for (guint c = 0; c < configurations->n; c++)
          check_stored (&stored_watersheds[i], types[k], &configurations->items[c]);
    }
}

static guint32
count_basins (WfType         type,
              const RefSize *size,
              const double  *levels,
              int            connectivity,
              double         tolerance)
{
  g_autoptr (GuardedImage) image  = guarded_image_new_levels (type, size, levels);
  g_autoptr (GuardedImage) labels = guarded_image_new (WF_TYPE_U32, size, FALSE);
  WfWatershedOptions       options;
  guint32                  n_basins = 0;
  GError                  *error    = NULL;

  init_options (&options);
  options.connectivity = connectivity;
  options.tolerance    = tolerance;
  wf_watershed (NULL, &image->view, NULL, &labels->view, &n_basins, &options, &error);
  g_assert_no_error (error);
  return n_basins;
}

/* The image of MATLAB's manual page of imregionalmax, inverted (45 less each level): two
 * blocks, and a peak of 45 with 44 at two of its corners.
 */
static void
test_count_matlab (void)
{
  const RefSize size = { 10, 10, 1 };
  double        levels[100];

  for (int p = 0; p < 100; p++)
    {
      int x = p % 10;
      int y = p / 10;

      levels[p] = 45 - 10;
      if (x >= 1 && x <= 3 && y >= 1 && y <= 3)
        levels[p] = 45 - 22;
      if (x >= 5 && x <= 7 && y >= 5 && y <= 7)
        levels[p] = 45 - 33;
      if ((x == 6 && y == 1) || (x == 8 && y == 3))
        levels[p] = 45 - 44;
      if (x == 7 && y == 2)
        levels[p] = 45 - 45;
    }
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_assert_cmpuint (count_basins (types[k], &size, levels, 8, 0), ==, 3);
      g_assert_cmpuint (count_basins (types[k], &size, levels, 4, 0), ==, 5);
      /* Depths: 12 for the first block, 23 for the second, the peak is deepest. */
      g_assert_cmpuint (count_basins (types[k], &size, levels, 8, 11), ==, 3);
      g_assert_cmpuint (count_basins (types[k], &size, levels, 8, 12), ==, 2);
      g_assert_cmpuint (count_basins (types[k], &size, levels, 8, 22.5), ==, 2);
      g_assert_cmpuint (count_basins (types[k], &size, levels, 8, 23), ==, 1);
    }
}

/* On a chessboard each black square is a minimum, if corners do not connect. */
static void
test_count_checkerboard (void)
{
  const RefSize image = { 31, 17, 1 };
  const RefSize stack = { 9, 7, 5 };
  double        levels[31 * 17];

  for (gint64 p = 0; p < 31 * 17; p++)
    levels[p] = (p % 31 + p / 31) % 2;
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_assert_cmpuint (count_basins (types[k], &image, levels, 4, 0), ==, (31 * 17 + 1) / 2);
      g_assert_cmpuint (count_basins (types[k], &image, levels, 8, 0), ==, 1);
      g_assert_cmpuint (count_basins (types[k], &image, levels, 4, 1), ==, 1);
    }
  for (gint64 p = 0; p < 9 * 7 * 5; p++)
    levels[p] = (p % 9 + p / 9 % 7 + p / 63) % 2;
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_assert_cmpuint (count_basins (types[k], &stack, levels, 6, 0), ==, (9 * 7 * 5 + 1) / 2);
      g_assert_cmpuint (count_basins (types[k], &stack, levels, 26, 0), ==, 1);
    }
}

/* cos x + cos y over 6 × 4 periods has a minimum in the middle of each, and all
 * its passes are at the same height.
 */
static void
test_count_waves (void)
{
  const RefSize      size   = { 240, 160, 1 };
  g_autofree double *levels = g_new (double, 240 * 160);

  for (int p = 0; p < 240 * 160; p++)
    levels[p] = (float) (cos (2 * G_PI * (p % 240 + 0.5) / 40) +
                         cos (2 * G_PI * (p / 240 + 0.5) / 40));
  g_assert_cmpuint (count_basins (WF_TYPE_F32, &size, levels, 8, 0.01), ==, 24);
  g_assert_cmpuint (count_basins (WF_TYPE_F32, &size, levels, 4, 0.01), ==, 24);
  g_assert_cmpuint (count_basins (WF_TYPE_F32, &size, levels, 8, 4), ==, 1);
}

/* A tolerance is a real number: its whole part counts for integer levels, and levels do not
 * overflow.
 */
static void
test_tolerance_limits (void)
{
  const RefSize size     = { 5, 1, 1 };
  const double  bytes[]  = { 252, 255, 253, 255, 200 };
  const double  words[]  = { 65532, 65535, 65533, 65535, 0 };
  const double  floats[] = { -INFINITY, INFINITY, 3e38, INFINITY, -INFINITY };

  g_assert_cmpuint (count_basins (WF_TYPE_U8, &size, bytes, 0, 1.9999999999999998), ==, 3);
  g_assert_cmpuint (count_basins (WF_TYPE_U8, &size, bytes, 0, 2), ==, 2);
  g_assert_cmpuint (count_basins (WF_TYPE_U8, &size, bytes, 0, 2.9999999999999996), ==, 2);
  g_assert_cmpuint (count_basins (WF_TYPE_U8, &size, bytes, 0, 3), ==, 1);
  g_assert_cmpuint (count_basins (WF_TYPE_U8, &size, bytes, 0, 1e300), ==, 1);
  g_assert_cmpuint (count_basins (WF_TYPE_U16, &size, words, 0, 1.9999999999999998), ==, 3);
  g_assert_cmpuint (count_basins (WF_TYPE_U16, &size, words, 0, 2), ==, 2);
  g_assert_cmpuint (count_basins (WF_TYPE_U16, &size, words, 0, 4294967296.0), ==, 1);
  g_assert_cmpuint (count_basins (WF_TYPE_F32, &size, floats, 0, 0), ==, 3);
  /* 3e38 + 1e38 is +infinity as a float; −infinity plus anything is −infinity. */
  g_assert_cmpuint (count_basins (WF_TYPE_F32, &size, floats, 0, 1e38), ==, 2);
  g_assert_cmpuint (count_basins (WF_TYPE_F32, &size, floats, 0, 1e300), ==, 2);
}

/* −0 and +0 are one level. */
static void
test_negative_zero (void)
{
  const RefSize size     = { 5, 1, 1 };
  const double  levels[] = { -0.0, 0.0, 1, 0.0, -0.0 };

  g_assert_cmpuint (count_basins (WF_TYPE_F32, &size, levels, 0, 0), ==, 2);
}


/*  Images of ordinary size  */

typedef struct
{
  WfType    type;
  RefSize   size;
  int       connectivity;
  double    tolerance;
  int       rarity; /* of markers; 0: none, minima */
  gboolean  lines;
  gboolean  last_index;
  gboolean  flat;
} Medium;

static const Medium media[] =
{
  { WF_TYPE_U8,  { 700, 500, 1 }, 8,  0,     0,     FALSE, FALSE, FALSE },
  { WF_TYPE_U8,  { 700, 500, 1 }, 4,  5.5,   0,     TRUE,  FALSE, FALSE },
  { WF_TYPE_F32, { 701, 499, 1 }, 8,  0.07,  0,     TRUE,  TRUE,  FALSE },
  { WF_TYPE_F32, { 700, 500, 1 }, 4,  0,     2000,  FALSE, FALSE, FALSE },
  { WF_TYPE_U16, { 500, 701, 1 }, 8,  0,     10000, TRUE,  FALSE, FALSE },
  { WF_TYPE_U8,  { 700, 500, 1 }, 8,  0,     10000, TRUE,  TRUE,  TRUE },
  { WF_TYPE_U8,  { 700, 500, 1 }, 4,  0,     50,    FALSE, TRUE,  TRUE },
  { WF_TYPE_U8,  { 90, 70, 40 },  26, 3,     0,     TRUE,  FALSE, FALSE },
  { WF_TYPE_F32, { 70, 90, 40 },  6,  0,     3000,  FALSE, TRUE,  FALSE },
};

static void
check_medium (gconstpointer data)
{
  const Medium               *medium         = data;
  const RefWatershed          reference      = { medium->connectivity, medium->tolerance,
                                                 medium->type == WF_TYPE_F32, medium->lines,
                                                 medium->last_index };
  gint64                      n              = ref_n_pixels (&medium->size);
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree double          *levels         = g_new0 (double, n);
  g_autofree guint32         *markers        = g_new0 (guint32, n);
  g_autofree guint32         *expected       = g_new (guint32, n);
  g_autoptr (GuardedImage)    image          = NULL;
  g_autoptr (GuardedImage)    marker_image   = NULL;
  guint32                     n_expected;

  if (! medium->flat)
    make_landscape (medium->type, &medium->size, medium->size.depth > 1 ? 2 : 4, levels);
  for (gint64 p = 0; p < n && medium->rarity; p++)
    if (p == n / 2 || g_test_rand_int_range (0, medium->rarity) == 0)
      markers[p] = 1 + (guint32) (p * 7919 % 1000003);
  n_expected   = ref_watershed_quick (&medium->size, levels, medium->rarity ? markers : NULL,
                                      &reference, expected);
  image        = guarded_image_new_levels (medium->type, &medium->size, levels);
  marker_image = guarded_image_new_labels (&medium->size, markers);
  g_test_message ("%u basins", n_expected);
  g_assert_cmpuint (n_expected, >, 5);

  for (guint i = 0; i < test_count (2, 6); i++)
    {
      const Configuration      *configuration = configurations_pick_coarse (configurations);
      g_autoptr (GuardedImage)  labels        = guarded_image_new (WF_TYPE_U32, &medium->size,
                                                                   i % 2);
      guint32                   n_basins      = 0;
      WfWatershedOptions        options;
      GError                   *error         = NULL;

      configuration_note (configuration);
      init_options (&options);
      options.connectivity = medium->connectivity;
      options.tolerance    = medium->tolerance;
      options.lines        = medium->lines;
      options.last_index   = medium->last_index;
      wf_watershed (configuration->context, &image->view,
                    medium->rarity ? &marker_image->view : NULL, &labels->view, &n_basins,
                    &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (labels, expected), ==, -1);
      g_assert_true (guarded_image_is_guarded (labels));
      g_assert_cmpuint (n_basins, ==, n_expected);
    }
}

/* Basins divided by lines never touch; other pixels have the labels of the result without
 * lines.
 */
static void
test_lines_divide (void)
{
  const RefSize       size   = { 200, 150, 1 };
  gint64              n      = ref_n_pixels (&size);
  g_autofree double  *levels = g_new (double, n);
  g_autofree guint32 *plain  = g_new (guint32, n);
  g_autofree guint32 *lined  = g_new (guint32, n);
  g_autofree gpointer pixels = NULL;
  WfImage             image, without, with;
  WfWatershedOptions  options;
  guint32             n_without, n_with;
  gint64              n_lines = 0;

  make_landscape (WF_TYPE_U8, &size, 3, levels);
  pixels = pack_levels (WF_TYPE_U8, levels, n);
  wf_image_init (&image, WF_TYPE_U8, size.width, size.height, 1, pixels, NULL);
  wf_image_init (&without, WF_TYPE_U32, size.width, size.height, 1, plain, NULL);
  wf_image_init (&with, WF_TYPE_U32, size.width, size.height, 1, lined, NULL);

  for (int connectivity = 4; connectivity <= 8; connectivity += 4)
    {
      init_options (&options);
      options.connectivity = connectivity;
      g_assert_true (wf_watershed (NULL, &image, NULL, &without, &n_without, &options, NULL));
      options.lines = TRUE;
      g_assert_true (wf_watershed (NULL, &image, NULL, &with, &n_with, &options, NULL));
      g_assert_cmpuint (n_with, ==, n_without);

      for (gint64 p = 0; p < n; p++)
        {
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = ref_neighbours (&size, connectivity, p, neighbours);

          g_assert_cmpuint (plain[p], !=, 0);
          g_assert_true (lined[p] == 0 || lined[p] == plain[p]);
          n_lines += lined[p] == 0;
          for (int i = 0; i < n_neighbours; i++)
            g_assert_true (lined[p] == 0 || lined[neighbours[i]] == 0 ||
                           lined[p] == lined[neighbours[i]]);
        }
      g_assert_cmpint (n_lines, >, 0);
    }
}


/*  Refusals  */

typedef struct
{
  GuardedImage       *image;
  GuardedImage       *markers;
  GuardedImage       *labels;
  WfWatershedOptions  options;
} Arguments;

static void
arguments_init (Arguments *a,
                gint64     depth)
{
  const RefSize  size    = { 4, 3, depth };
  const double   zeros[] = { [3 * 4 * 3 - 1] = 0 };
  const guint32  marks[] = { 1, 0, 0, 2, [3 * 4 * 3 - 1] = 0 };

  a->image   = guarded_image_new_levels (WF_TYPE_F32, &size, zeros);
  a->markers = guarded_image_new_labels (&size, marks);
  a->labels  = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  init_options (&a->options);
}

static void
arguments_clear (Arguments *a)
{
  guarded_image_free (a->image);
  guarded_image_free (a->markers);
  guarded_image_free (a->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

#define assert_arguments_refused(a, marked)                                               \
  G_STMT_START                                                                            \
    {                                                                                     \
      guint32 n_basins = 4711;                                                            \
                                                                                          \
      assert_refused (wf_watershed (NULL, &(a)->image->view,                              \
                                    (marked) ? &(a)->markers->view : NULL,                \
                                    &(a)->labels->view, &n_basins, &(a)->options,         \
                                    &refusal), WF_ERROR_INVALID);                         \
      g_assert_true (guarded_image_is_untouched ((a)->labels));                           \
      g_assert_cmpuint (n_basins, ==, 4711);                                              \
    }                                                                                     \
  G_STMT_END

static void
test_nan (void)
{
  for (gint64 index = 0; index < 12; index++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      guarded_image_set_float (a.image, index, NAN);
      assert_arguments_refused (&a, TRUE);
      assert_arguments_refused (&a, FALSE);
    }
}

static void
test_no_markers (void)
{
  const RefSize      size    = { 4, 3, 1 };
  const guint32      marks[] = { [4 * 3 - 1] = 0 };
  g_auto (Arguments) a       = { 0 };

  arguments_init (&a, 1);
  guarded_image_free (a.markers);
  a.markers = guarded_image_new_labels (&size, marks);
  assert_arguments_refused (&a, TRUE);
}

static void
test_tolerance_with_markers (void)
{
  g_auto (Arguments) a = { 0 };

  arguments_init (&a, 1);
  a.options.tolerance = 0.5;
  assert_arguments_refused (&a, TRUE);
}

static void
test_options_refused (void)
{
  const double tolerances[]     = { -1, -1e-300, NAN, INFINITY, -INFINITY };
  const int    connectivities[] = { 6, 26, 5, 1, -8, 18 };

  for (guint i = 0; i < G_N_ELEMENTS (tolerances); i++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      a.options.tolerance = tolerances[i];
      assert_arguments_refused (&a, FALSE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (connectivities); i++)
    {
      g_auto (Arguments) a     = { 0 };
      g_auto (Arguments) stack = { 0 };

      arguments_init (&a, 1);
      a.options.connectivity = connectivities[i];
      assert_arguments_refused (&a, FALSE);
      assert_arguments_refused (&a, TRUE);

      arguments_init (&stack, 2);
      stack.options.connectivity = i % 2 ? 4 : 8;
      assert_arguments_refused (&stack, FALSE);
    }
  {
    g_auto (Arguments) a = { 0 };

    arguments_init (&a, 1);
    a.options.algorithm = "scan";
    assert_arguments_refused (&a, FALSE);
  }
}

static void
test_types_refused (void)
{
  static const WfType all[] = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32, WF_TYPE_U64,
                                WF_TYPE_F64, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_auto (Arguments) input   = { 0 };
      g_auto (Arguments) markers = { 0 };
      g_auto (Arguments) output  = { 0 };

      arguments_init (&input, 1);
      arguments_init (&markers, 1);
      arguments_init (&output, 1);
      input.image->view.type     = all[i];
      markers.markers->view.type = all[i];
      output.labels->view.type   = all[i];
      if (! (all[i] >= WF_TYPE_U8 && all[i] <= WF_TYPE_F32))
        assert_arguments_refused (&input, FALSE);
      if (all[i] != WF_TYPE_U32)
        {
          assert_arguments_refused (&markers, TRUE);
          assert_arguments_refused (&output, FALSE);
        }
    }
}

static void
test_sizes_refused (void)
{
  for (int which = 0; which < 3; which++)
    for (int fault = 0; fault < N_VIEW_FAULTS; fault++)
      {
        g_auto (Arguments) a = { 0 };

        arguments_init (&a, 2);
        spoil_view (which == 0 ? &a.image->view
                    : which == 1 ? &a.markers->view : &a.labels->view, fault);
        assert_arguments_refused (&a, TRUE);
      }
}

/* Compactness needs markers and has no lines; a mask must hold a marker, and no infinite level. */
static void
test_compact_and_masked_refused (void)
{
  guint8             pixels[6] = { 1, 2, 3, 4, 5, 6 };
  float              floats[6] = { 1, 2, 3, INFINITY, 5, 6 };
  guint32            labels[6] = { 7, 0, 0, 0, 0, 0 };
  guint8             inside[6] = { 0, 0, 1, 1, 1, 1 };
  WfWatershedOptions options;
  WfImage            image, real, mask, markers, other;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 2, 1, pixels, NULL) &&
                 wf_image_init (&real, WF_TYPE_F32, 3, 2, 1, floats, NULL) &&
                 wf_image_init (&mask, WF_TYPE_U8, 3, 2, 1, inside, NULL) &&
                 wf_image_init (&other, WF_TYPE_U8, 2, 3, 1, inside, NULL) &&
                 wf_image_init (&markers, WF_TYPE_U32, 3, 2, 1, labels, NULL));
  init_options (&options);
  options.compactness = 1;
  assert_refused (wf_watershed (NULL, &image, NULL, &markers, NULL, &options, &refusal),
                  WF_ERROR_INVALID);
  options.lines = TRUE;
  assert_refused (wf_watershed (NULL, &image, &markers, &markers, NULL, &options, &refusal),
                  WF_ERROR_INVALID);
  options.lines      = FALSE;
  options.last_index = TRUE;
  assert_refused (wf_watershed (NULL, &image, &markers, &markers, NULL, &options, &refusal),
                  WF_ERROR_INVALID);
  options.last_index = FALSE;
  options.algorithm  = "sync";
  assert_refused (wf_watershed (NULL, &image, &markers, &markers, NULL, &options, &refusal),
                  WF_ERROR_UNSUPPORTED);

  init_options (&options);
  assert_refused (wf_watershed_masked (NULL, &image, &markers, &mask, &markers, NULL, &options,
                                       &refusal), WF_ERROR_INVALID);
  assert_refused (wf_watershed_masked (NULL, &image, NULL, &other, &markers, NULL, &options,
                                       &refusal), WF_ERROR_INVALID);
  assert_refused (wf_watershed_masked (NULL, &real, NULL, &mask, &markers, NULL, &options,
                                       &refusal), WF_ERROR_UNSUPPORTED);
  g_assert_cmpuint (labels[0], ==, 7);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/watershed/stored", test_stored);
  g_test_add_func ("/watershed/random", test_random);
  g_test_add_func ("/watershed/masked", test_masked);
  g_test_add_func ("/watershed/count/matlab", test_count_matlab);
  g_test_add_func ("/watershed/count/checkerboard", test_count_checkerboard);
  g_test_add_func ("/watershed/count/waves", test_count_waves);
  g_test_add_func ("/watershed/tolerance-limits", test_tolerance_limits);
  g_test_add_func ("/watershed/negative-zero", test_negative_zero);
  g_test_add_func ("/watershed/lines-divide", test_lines_divide);
  for (guint i = 0; i < G_N_ELEMENTS (media); i++)
    {
      g_autofree char *path = g_strdup_printf ("/watershed/medium/%u", i + 1);

      g_test_add_data_func (path, &media[i], check_medium);
    }
  g_test_add_func ("/watershed/refuses/nan", test_nan);
  g_test_add_func ("/watershed/refuses/no-markers", test_no_markers);
  g_test_add_func ("/watershed/refuses/tolerance-with-markers", test_tolerance_with_markers);
  g_test_add_func ("/watershed/refuses/options", test_options_refused);
  g_test_add_func ("/watershed/refuses/types", test_types_refused);
  g_test_add_func ("/watershed/refuses/sizes", test_sizes_refused);
  g_test_add_func ("/watershed/refuses/compact-and-masked", test_compact_and_masked_refused);

  return g_test_run ();
}
