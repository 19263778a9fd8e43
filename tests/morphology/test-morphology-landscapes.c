/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations by reconstruction in landscapes of ordinary size: against the references,
 * and properties that follow from the definitions.
 */

#include <math.h>

#include "tests/support/configurations.h"
#include "tests/support/guarded-image.h"
#include "tests/support/landscape.h"
#include "morphology-call.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"


/*  Images of ordinary size  */

typedef struct
{
  const char *name;
  WfType      type;
  RefSize     size;
  int         connectivity;
  gboolean    corridor;
} Medium;

static const Medium media[] =
{
  { "hills of bytes, 8 neighbors",    WF_TYPE_U8,  { 500, 300, 1 }, 8,  FALSE },
  { "hills of bytes, 4 neighbors",    WF_TYPE_U8,  { 301, 500, 1 }, 4,  FALSE },
  { "hills of words",                  WF_TYPE_U16, { 400, 300, 1 }, 8,  FALSE },
  { "hills of floats",                 WF_TYPE_F32, { 300, 400, 1 }, 4,  FALSE },
  { "a corridor",                      WF_TYPE_U8,  { 201, 200, 1 }, 8,  TRUE },
  { "a corridor up and down a stack",  WF_TYPE_U16, { 21, 22, 90 },  6,  TRUE },
  { "hills in a stack, 26 neighbors", WF_TYPE_U8,  { 70, 60, 40 },  26, FALSE },
  { "hills in a stack, 6 neighbors",  WF_TYPE_F32, { 60, 70, 40 },  6,  FALSE },
};

/* Images with wide plateaux that are crossed by the borders between threads' bands: clamped
 * at a level, with one pixel higher or lower than that.
 */
static void
make_plateaux (const Medium *medium,
               double       *levels)
{
  gint64 n = ref_n_pixels (&medium->size);

  if (medium->corridor)
    {
      make_corridor (&medium->size, 100, 50, levels);
      levels[n / 2] = 101;
      return;
    }
  make_landscape (medium->type, &medium->size, 4, levels);
  if (medium->type == WF_TYPE_F32)
    for (gint64 p = 0; p < n; p++)
      levels[p] = (float) (floor (levels[p] * 8) / 8);
  else
    for (gint64 p = 0; p < n; p++)
      levels[p] = floor (levels[p] / 30) * 30;
}

static void
check_medium_extrema (gconstpointer data)
{
  const Medium               *medium         = data;
  gint64                      n              = ref_n_pixels (&medium->size);
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree double          *levels         = g_new (double, n);
  g_autofree double          *result         = g_new (double, n);
  g_autoptr (GuardedImage)    image          = NULL;

  make_plateaux (medium, levels);
  image = guarded_image_new_levels (medium->type, &medium->size, levels);
  for (int minima = 0; minima < 2; minima++)
    {
      g_autofree gpointer expected = NULL;

      ref_regional_extrema (&medium->size, medium->connectivity, minima, levels, result);
      expected = pack_levels (WF_TYPE_U8, result, n);
      for (guint i = 0; i < 8; i++)
        {
          const Configuration      *configuration = configurations_pick_coarse (configurations);
          g_autoptr (GuardedImage)  out = guarded_image_new (WF_TYPE_U8, &medium->size, i % 2);
          WfMorphologyOptions       options = morphology_options (WF_OPERATION_REGIONAL_MAXIMA);
          GError                   *error   = NULL;

          if (! test_takes_turn (i, 3))
            continue;
          configuration_note (configuration);
          options.connectivity = medium->connectivity;
          options.algorithm    = i < 6 ? "plateaux" : "tiled";
          (minima ? wf_regional_minima : wf_regional_maxima) (configuration->context,
                                                              &image->view, &out->view, &options,
                                                              &error);
          g_assert_no_error (error);
          g_assert_cmpint (guarded_image_find_difference (out, expected), ==, -1);
          g_assert_true (guarded_image_is_guarded (out));
        }
    }
}

/* Openings and closings by elements that reach over several tiles. */
static void
check_medium_openings (gconstpointer data)
{
  const Medium               *medium         = data;
  gint64                      n              = ref_n_pixels (&medium->size);
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree double          *levels         = g_new (double, n);
  g_autofree double          *result         = g_new (double, n);
  g_autoptr (GuardedImage)    image          = NULL;

  make_plateaux (medium, levels);
  image = guarded_image_new_levels (medium->type, &medium->size, levels);
  for (int i = 0; i < 4; i++)
    {
      g_autofree gpointer  expected  = NULL;
      RefMorphology        reference = {
        .connectivity = medium->connectivity,
        .highest = medium->type == WF_TYPE_F32 ? 0 : type_highest (medium->type),
        .disc = i / 2, .quick = TRUE,
        .radius = g_test_rand_int_range (5, medium->size.depth > 1 ? 9 : 25),
      };
      WfMorphologyOptions  options = morphology_options (WF_OPERATION_OPENING_BY_RECONSTRUCTION);

      ref_opening (&medium->size, &reference, i % 2, levels, result);
      expected = pack_levels (medium->type, result, n);
      options.element      = reference.disc ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
      options.radius       = (int) reference.radius;
      options.connectivity = medium->connectivity;
      for (guint k = 0; k < test_count (1, 3); k++)
        {
          const Configuration      *configuration = configurations_pick_coarse (configurations);
          g_autoptr (GuardedImage)  out = guarded_image_new (medium->type, &medium->size, k % 2);
          GError                   *error = NULL;

          configuration_note (configuration);
          (i % 2 ? wf_closing_by_reconstruction : wf_opening_by_reconstruction)
            (configuration->context, &image->view, &out->view, &options, &error);
          g_assert_no_error (error);
          g_assert_cmpint (guarded_image_find_difference (out, expected), ==, -1);
          g_assert_true (guarded_image_is_guarded (out));
        }
    }
}


/*  Properties  */

/* The tests below share one landscape of bytes, @image, and an output. */
typedef struct
{
  WfImage image;
  WfImage out;
  WfImage again;
} Landscape;

static void
landscape_init (Landscape *l)
{
  const RefSize       size   = { 150, 120, 1 };
  g_autofree double  *levels = g_new (double, ref_n_pixels (&size));

  make_landscape (WF_TYPE_U8, &size, 4, levels);
  g_assert_true (wf_image_allocate (&l->image, WF_TYPE_U8, 150, 120, 1, NULL));
  g_assert_true (wf_image_allocate (&l->out, WF_TYPE_U8, 150, 120, 1, NULL));
  g_assert_true (wf_image_allocate (&l->again, WF_TYPE_U8, 150, 120, 1, NULL));
  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    ((guint8 *) l->image.data)[p] = (guint8) levels[p];
}

static void
landscape_clear (Landscape *l)
{
  wf_image_clear (&l->image);
  wf_image_clear (&l->out);
  wf_image_clear (&l->again);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Landscape, landscape_clear)

static guint8
pixel (const WfImage *image,
       gint64         p)
{
  return ((const guint8 *) image->data)[p];
}

/* The operations are idempotent, and they only lower, or only raise, levels. */
static void
test_idempotent (void)
{
  static const struct
  {
    MorphologyFunc operation;
    gboolean       raises;
  } filters[] = { { wf_fill_holes, TRUE }, { wf_opening_by_reconstruction, FALSE },
                  { wf_closing_by_reconstruction, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    for (int element = WF_ELEMENT_SQUARE; element <= WF_ELEMENT_DISC; element++)
      {
        g_auto (Landscape)   l       = { 0 };
        WfMorphologyOptions  options = morphology_options (WF_OPERATION_OPENING_BY_RECONSTRUCTION);
        gint64               n_changed = 0;

        landscape_init (&l);
        options.element = element;
        options.radius  = 5;
        g_assert_true (filters[i].operation (NULL, &l.image, &l.out, &options, NULL));
        g_assert_true (filters[i].operation (NULL, &l.out, &l.again, &options, NULL));
        g_assert_cmpmem (l.out.data, 150 * 120, l.again.data, 150 * 120);
        for (gint64 p = 0; p < 150 * 120; p++)
          {
            n_changed += pixel (&l.out, p) != pixel (&l.image, p);
            if (filters[i].raises)
              g_assert_cmpuint (pixel (&l.out, p), >=, pixel (&l.image, p));
            else
              g_assert_cmpuint (pixel (&l.out, p), <=, pixel (&l.image, p));
          }
        g_assert_cmpint (n_changed, >, 0);
      }
}

/* The regional minima of the result are the markers, where there is room for them. */
static void
test_imposed_are_minima (void)
{
  g_auto (Landscape) l       = { 0 };
  g_auto (WfImage)   markers = { 0 };
  gint64             n_found = 0;

  landscape_init (&l);
  g_assert_true (wf_image_allocate (&markers, WF_TYPE_U16, 150, 120, 1, NULL));
  for (gint64 p = 0; p < 150 * 120; p++)
    ((guint16 *) markers.data)[p] = p % 1237 == 5 ? 256 : 0;
  g_assert_true (wf_impose_minima (NULL, &l.image, &markers, &l.out, NULL, NULL));
  g_assert_true (wf_regional_minima (NULL, &l.out, &l.again, NULL, NULL));
  for (gint64 p = 0; p < 150 * 120; p++)
    {
      g_assert_cmpuint (pixel (&l.again, p), ==, p % 1237 == 5 ? 255 : 0);
      n_found += pixel (&l.again, p) == 255;
    }
  g_assert_cmpint (n_found, ==, 15);
}

/* h-maxima are below the image by no more than the height; domes add up to it; with a
 * height of 0 extended maxima are the regional ones.
 */
static void
test_heights (void)
{
  g_auto (Landscape)  l       = { 0 };
  WfMorphologyOptions options = morphology_options (WF_OPERATION_H_MAXIMA);
  int                 most    = 0;

  landscape_init (&l);
  options.height = 17;
  g_assert_true (wf_h_maxima (NULL, &l.image, &l.out, &options, NULL));
  g_assert_true (wf_h_dome (NULL, &l.image, &l.again, &options, NULL));
  for (gint64 p = 0; p < 150 * 120; p++)
    {
      g_assert_cmpint (pixel (&l.out, p) + pixel (&l.again, p), ==, pixel (&l.image, p));
      most = MAX (most, pixel (&l.again, p));
    }
  g_assert_cmpint (most, ==, 17);

  options.height = 0;
  g_assert_true (wf_extended_maxima (NULL, &l.image, &l.out, &options, NULL));
  g_assert_true (wf_regional_maxima (NULL, &l.image, &l.again, NULL, NULL));
  g_assert_cmpmem (l.out.data, 150 * 120, l.again.data, 150 * 120);
}

static void
add_medium (const char    *path,
            const Medium  *medium,
            GTestDataFunc  test)
{
  g_autofree char *full = g_strdup_printf ("/morphology/%s/%s", path, medium->name);

  g_test_add_data_func (full, medium, test);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (media); i++)
    {
      add_medium ("extrema", &media[i], check_medium_extrema);
      add_medium ("openings", &media[i], check_medium_openings);
    }
  g_test_add_func ("/morphology/idempotent", test_idempotent);
  g_test_add_func ("/morphology/imposed-are-minima", test_imposed_are_minima);
  g_test_add_func ("/morphology/heights", test_heights);

  return g_test_run ();
}
