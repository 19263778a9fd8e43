/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Proposals for scenes whose objects or regions are known. */

#include <math.h>
#include <string.h>

#include "tests/support/tiers.h"
#include "wavefront.h"

#define WIDTH  200
#define HEIGHT 140
#define RADIUS 15

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

/* Two of them touch. */
static const int centers[][2] = { { 30, 30 }, { 58, 30 }, { 120, 35 }, { 165, 30 },
                                  { 40, 100 }, { 100, 95 }, { 160, 100 } };

/* @level: from 0 to 1 */
static void
set_level (WfImage *image,
           gint64   i,
           double   level)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) image->data)[i] = (guint8) (level * G_MAXUINT8);
      break;
    case WF_TYPE_U16:
      ((guint16 *) image->data)[i] = (guint16) (level * G_MAXUINT16);
      break;
    default:
      ((float *) image->data)[i] = (float) level;
      break;
    }
}

static void
allocate (WfImage *image,
          WfType   type,
          gint64   width,
          gint64   height)
{
  GError *error = NULL;

  wf_image_allocate (image, type, width, height, 1, &error);
  g_assert_no_error (error);
}

static gboolean
is_inside (double x,
           double y)
{
  for (guint i = 0; i < G_N_ELEMENTS (centers); i++)
    if (hypot (x - centers[i][0], y - centers[i][1]) <= RADIUS)
      return TRUE;
  return FALSE;
}

/* Discs, @scale times as large as those of the table, with noise and a background that gets
 * brighter by @slope from left to right.
 */
static void
draw_discs (WfImage *image,
            WfType   type,
            int      scale,
            double   inside,
            double   outside,
            double   slope)
{
  allocate (image, type, WIDTH * scale, HEIGHT * scale);
  for (gint64 y = 0; y < image->height; y++)
    for (gint64 x = 0; x < image->width; x++)
      set_level (image, y * image->width + x,
                 (is_inside ((double) x / scale, (double) y / scale) ? inside : outside) +
                 slope * (double) x / (double) image->width +
                 g_test_rand_double_range (-0.04, 0.04));
}

static WfWatershedProposal *
propose (const WfImage *image)
{
  g_autoptr (WfWatershedProposal) again    = NULL;
  WfWatershedProposal            *proposal = NULL;
  GError                         *error    = NULL;

  proposal = wf_watershed_propose (NULL, image, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (proposal->size, ==, sizeof *proposal);
  again = wf_watershed_propose (NULL, image, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (proposal->input, ==, again->input);
  g_assert_cmpint (proposal->invert, ==, again->invert);
  g_assert_true (proposal->smoothing == again->smoothing && proposal->depth == again->depth);
  g_assert_cmpuint (proposal->n_basins, ==, again->n_basins);
  return proposal;
}

/* What the proposal's settings make of the image. */
static guint32
count_basins (const WfImage             *image,
              const WfWatershedProposal *proposal)
{
  g_autoptr (WfHierarchy) hierarchy = NULL;
  g_auto (WfImage)        relief    = { 0 };
  g_auto (WfImage)        objects   = { 0 };
  g_auto (WfImage)        labels    = { 0 };
  WfReliefOptions         options;
  WfWatershedOptions      watershed;
  WfHierarchyOptions      merging;
  guint32                 n_basins;
  GError                 *error = NULL;

  wf_option_group_init (wf_relief_get_options (), &options);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &watershed);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &merging);
  options.input       = proposal->input;
  options.invert      = proposal->invert;
  options.smoothing   = proposal->smoothing;
  options.gradient    = proposal->gradient;
  options.threshold   = proposal->threshold;
  watershed.tolerance = proposal->input == WF_INPUT_OBJECTS ? proposal->tolerance : 0;
  merging.measure     = proposal->measure;
  g_assert_true (wf_relief_make (NULL, (WfImage *) image, TRUE, &options, &relief, &objects,
                                 &error));
  allocate (&labels, WF_TYPE_U32, image->width, image->height);
  g_assert_true (wf_relief_flood (NULL, &relief, objects.data ? &objects : NULL, FALSE, &labels,
                                  &n_basins, &watershed, &error));
  if (proposal->depth == 0)
    return n_basins;
  hierarchy = wf_hierarchy_new (NULL, &relief, &labels, &merging, &error);
  g_assert_no_error (error);
  return wf_hierarchy_cut_at_depth (hierarchy, proposal->depth, NULL);
}

static void
check_discs (WfType   type,
             int      scale,
             gboolean dark,
             double   slope)
{
  g_auto (WfImage)                image    = { 0 };
  g_autoptr (WfWatershedProposal) proposal = NULL;

  draw_discs (&image, type, scale, dark ? 0.2 : 0.7, dark ? 0.6 : 0.2, slope);
  proposal = propose (&image);
  g_assert_cmpint (proposal->input, ==, WF_INPUT_OBJECTS);
  g_assert_cmpint (proposal->invert, ==, dark);
  g_assert_cmpuint (proposal->n_basins, ==, G_N_ELEMENTS (centers));
  g_assert_cmpuint (count_basins (&image, proposal), ==, G_N_ELEMENTS (centers));
}

static void
test_objects (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    for (int dark = 0; dark < 2; dark++)
      {
        check_discs (types[k], 1, dark, 0);
        check_discs (types[k], 1, dark, 0.15);
      }
}

/* Looked at in a smaller copy. */
static void
test_large (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    check_discs (types[k], 8, FALSE, 0);
}

/* A copy at half the scale has the lengths of the image. */
static void
test_scaled (void)
{
  g_auto (WfImage)                image = { 0 };
  g_autoptr (WfWatershedProposal) whole = NULL;
  g_autoptr (WfWatershedProposal) half  = NULL;
  GError                         *error = NULL;

  draw_discs (&image, WF_TYPE_U8, 4, 0.7, 0.2, 0);
  whole = propose (&image);
  wf_image_clear (&image);
  draw_discs (&image, WF_TYPE_U8, 2, 0.7, 0.2, 0);
  half = wf_watershed_propose (NULL, &image, 0.5, &error);
  g_assert_no_error (error);
  g_assert_cmpint (half->input, ==, whole->input);
  g_assert_cmpuint (half->n_basins, ==, whole->n_basins);
  g_assert_cmpfloat_with_epsilon (half->smoothing, whole->smoothing, 1);
}

/* Fields of different levels, without a background. */
static void
test_regions (void)
{
  static const double fields[2][3] = { { 0.15, 0.5, 0.8 }, { 0.6, 0.95, 0.3 } };

  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_auto (WfImage)                image    = { 0 };
      g_autoptr (WfWatershedProposal) proposal = NULL;

      allocate (&image, types[k], 180, 120);
      for (gint64 y = 0; y < 120; y++)
        for (gint64 x = 0; x < 180; x++)
          set_level (&image, y * 180 + x,
                     fields[y / 60][x / 60] + g_test_rand_double_range (-0.04, 0.04));
      proposal = propose (&image);
      g_assert_cmpint (proposal->input, ==, WF_INPUT_GRADIENT);
      g_assert_cmpint (proposal->gradient, ==, 1);
      g_assert_cmpint (proposal->measure, ==, WF_MEASURE_VOLUME);
      g_assert_cmpuint (proposal->n_basins, ==, 6);
      g_assert_cmpuint (count_basins (&image, proposal), ==, 6);
    }
}

/* Noise has no objects, and not thousands of regions either. */
static void
test_noise (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      g_auto (WfImage)                image    = { 0 };
      g_autoptr (WfWatershedProposal) proposal = NULL;

      allocate (&image, types[k], 300, 200);
      for (gint64 i = 0; i < 300 * 200; i++)
        set_level (&image, i, g_test_rand_double ());
      proposal = propose (&image);
      g_assert_cmpint (proposal->input, ==, WF_INPUT_GRADIENT);
      g_assert_cmpuint (proposal->n_basins, >, 1);
      g_assert_cmpuint (proposal->n_basins, <=, 100);
      g_assert_cmpuint (count_basins (&image, proposal), ==, proposal->n_basins);
    }
}

static void
check_nothing (const WfImage *image)
{
  g_autoptr (WfWatershedProposal) proposal = propose (image);

  g_assert_cmpuint (proposal->n_basins, ==, 0);
  g_assert_cmpint (proposal->input, ==, WF_INPUT_LEVELS);
  g_assert_true (proposal->smoothing == 0 && proposal->depth == 0 && proposal->gradient == 0);
}

static void
test_nothing (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 1, 40 }, { 40, 1 }, { 30, 20 }, { 1, 600000 } };

  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (int level = 0; level < 3; level++)
        {
          g_auto (WfImage) image = { 0 };

          allocate (&image, types[k], sizes[s][0], sizes[s][1]);
          for (gint64 i = 0; i < wf_image_n_pixels (&image); i++)
            set_level (&image, i, level / 2.0);
          check_nothing (&image);
        }
}

static void
test_not_finite (void)
{
  static const float              odd[]    = { NAN, INFINITY, -INFINITY };
  g_auto (WfImage)                image    = { 0 };
  g_autoptr (WfWatershedProposal) proposal = NULL;
  float                          *levels;

  draw_discs (&image, WF_TYPE_F32, 1, 0.7, 0.2, 0);
  levels = image.data;
  for (int y = 60; y < 75; y++)
    for (int x = 0; x < WIDTH; x++)
      levels[y * WIDTH + x] = odd[x % 2 * 2];   /* between the discs, NaN and -infinity */
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if (x % 2 == 0 && is_inside (x, y))
        levels[y * WIDTH + x] = INFINITY;   /* as bright as the brightest other */
  proposal = propose (&image);
  g_assert_cmpint (proposal->input, ==, WF_INPUT_OBJECTS);
  g_assert_cmpuint (proposal->n_basins, ==, G_N_ELEMENTS (centers));

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      for (int p = 0; p < WIDTH * HEIGHT; p++)
        levels[p] = odd[i];
      check_nothing (&image);
    }

  /* the widest range there is */
  for (int p = 0; p < WIDTH * HEIGHT; p++)
    levels[p] = p % 7 == 0 ? G_MAXFLOAT : -G_MAXFLOAT;
  wf_watershed_proposal_free (proposal);
  proposal = propose (&image);
  g_assert_true (isfinite (proposal->smoothing) && isfinite (proposal->depth));
}

/* Of a stack its middle slice is looked at. */
static void
test_stack (void)
{
  g_auto (WfImage)                slice    = { 0 };
  g_auto (WfImage)                stack    = { 0 };
  g_autoptr (WfWatershedProposal) proposal = NULL;
  GError                         *error    = NULL;

  draw_discs (&slice, WF_TYPE_U8, 1, 0.7, 0.2, 0);
  g_assert_true (wf_image_allocate (&stack, WF_TYPE_U8, WIDTH, HEIGHT, 3, &error));
  memset (stack.data, 77, 3 * WIDTH * HEIGHT);
  memcpy ((guint8 *) stack.data + WIDTH * HEIGHT, slice.data, WIDTH * HEIGHT);
  proposal = propose (&stack);
  g_assert_cmpint (proposal->input, ==, WF_INPUT_OBJECTS);
  g_assert_cmpuint (proposal->n_basins, ==, G_N_ELEMENTS (centers));
}

static void
test_refused (void)
{
  guint32  labels[4] = { 0 };
  WfImage  image;
  GError  *error = NULL;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, 2, 2, 1, labels, &error));
  g_assert_null (wf_watershed_propose (NULL, &image, 1, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_error_free (error);
}

int
main (int   argc,
      char *argv[])
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/proposal/objects", test_objects);
  g_test_add_func ("/proposal/large", test_large);
  g_test_add_func ("/proposal/scaled", test_scaled);
  g_test_add_func ("/proposal/regions", test_regions);
  g_test_add_func ("/proposal/noise", test_noise);
  g_test_add_func ("/proposal/nothing", test_nothing);
  g_test_add_func ("/proposal/not-finite", test_not_finite);
  g_test_add_func ("/proposal/stack", test_stack);
  g_test_add_func ("/proposal/refused", test_refused);
  return g_test_run ();
}
