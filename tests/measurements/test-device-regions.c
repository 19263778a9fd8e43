/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of regions on devices: their bits are those of the CPU, which test-regions.c compares with
 * the definitions.
 */

#include <string.h>

#include "region-cases.h"
#include "tests/support/device-calls.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* Makes the k-th call of those that can fail return an error; see cuda/core/failures.cu. */
#define FAULT "WAVEFRONT_CUDA_FAULT"

/* An upper bound on the calls that a table makes. */
#define MOST_CALLS 1000

#define BIT(measure) (G_GUINT64_CONSTANT (1) << (measure))

/* What follows from sums of whole numbers: of all images, of those that are no stacks, of
 * levels.
 */
#define BY_TOTALS (BIT (WF_REGION_AREA) | BIT (WF_REGION_BOUNDING_BOX) | \
                   BIT (WF_REGION_CENTROID) | BIT (WF_REGION_EQUIVALENT_DIAMETER) | \
                   BIT (WF_REGION_EXTENT) | BIT (WF_REGION_TOUCHES_BORDER))
#define OF_FLAT   (BIT (WF_REGION_PERIMETER) | BIT (WF_REGION_CIRCULARITY) | \
                   BIT (WF_REGION_ELLIPSE) | BIT (WF_REGION_ECCENTRICITY) | \
                   BIT (WF_REGION_ORIENTATION) | BIT (WF_REGION_EULER_NUMBER))
#define OF_LEVELS (BIT (WF_REGION_MEAN) | BIT (WF_REGION_MINIMUM) | BIT (WF_REGION_MAXIMUM) | \
                   BIT (WF_REGION_STANDARD_DEVIATION) | BIT (WF_REGION_SUM) | \
                   BIT (WF_REGION_WEIGHTED_CENTROID))


/*  Cases  */

static guint64
find_measures (const RegionCase *c)
{
  return BY_TOTALS | (c->labels.depth > 1 ? 0 : OF_FLAT) | (c->with_image ? OF_LEVELS : 0);
}

/* The CPU's table, and the device's, which has done it itself. */
static void
check_on_device (const RegionCase *c,
                 guint64           measures,
                 const char       *device)
{
  g_autoptr (WfContext) context  = device_context_new (device);
  g_autoptr (GError)    error    = NULL;
  g_autoptr (WfRegions) expected = region_case_measure (c, measures, 1);
  g_autoptr (WfRegions) regions  = NULL;
  const WfReport       *report   = wf_context_get_report (context);

  regions = wf_regions_measure (context, &c->labels, c->with_image ? &c->image : NULL, measures,
                                &c->options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (report->device, ==, device);
  g_assert_cmpstr (report->algorithm, ==, "runs");
  g_assert_null (report->notice);
  regions_assert_same (expected, regions);
}

/* Levels of whole numbers: none, of 8 bits, of 16 bits by turns; extreme ones are frequent. */
static void
make_whole_levels (RegionCase *c,
                   guint       turn)
{
  const WfType type = turn % 3 == 1 ? WF_TYPE_U8 : WF_TYPE_U16;

  wf_image_clear (&c->image);
  c->with_image = turn % 3 != 0;
  if (! c->with_image)
    return;
  g_assert_true (wf_image_allocate (&c->image, type, c->labels.width, c->labels.height,
                                    c->labels.depth, NULL));
  for (gint64 i = 0; i < wf_image_n_pixels (&c->image); i++)
    {
      const int kind  = g_test_rand_int_range (0, 4);
      const int level = kind == 0 ? 65535 : kind == 1 ? 0 : g_test_rand_int_range (0, 65536);

      if (type == WF_TYPE_U8)
        ((guint8 *) c->image.data)[i] = (guint8) level;
      else
        ((guint16 *) c->image.data)[i] = (guint16) level;
    }
}

/* A view without the last columns and rows, as far as there are any. */
static void
crop (RegionCase *c)
{
  WfImage *images[] = { &c->labels, &c->image };

  for (guint i = 0; i < (c->with_image ? 2u : 1u); i++)
    {
      images[i]->width  = MAX (1, images[i]->width - 3);
      images[i]->height = MAX (1, images[i]->height - 1);
    }
}

static void
test_random (gconstpointer device)
{
  for (guint round = 0; round < test_count (60, 1500); round++)
    {
      g_auto (RegionCase) c = { 0 };
      guint64             measures;

      region_case_make (&c, (RegionLayout) (round % N_LAYOUTS), round / N_LAYOUTS % 4 == 3);
      make_whole_levels (&c, round / 2);
      if (g_test_rand_bit ())
        crop (&c);
      measures = find_measures (&c);
      check_on_device (&c, measures, device);
      measures &= (guint64) g_test_rand_int () << 16 | (guint64) g_test_rand_int ();
      if (measures != 0)
        check_on_device (&c, measures, device);
    }
}

/* Runs from one pixel to the whole row, which end beside or at the end of a warp's 32 pixels and of
 * its strip; the row below has the same labels, moved by one.
 */
static void
fill_rows (RegionCase *c,
           guint       n_labels,
           gint64      longest)
{
  guint32 *labels = c->labels.data;

  for (gint64 y = 0; y < c->labels.height; y++)
    for (gint64 x = 0; x < c->labels.width;)
      {
        const gint64  n     = g_test_rand_int_range (0, 3) == 0
                              ? 32 : g_test_rand_int_range (1, (gint) longest + 1);
        const guint32 label = (guint32) g_test_rand_int_range (0, (gint) n_labels + 1);

        for (gint64 after = MIN (c->labels.width, x + n); x < after; x++)
          {
            guint32 *at = &labels[y * c->labels.width + x];

            *at = y > 0 && x > 0 && g_test_rand_int_range (0, 9) > 0 && y % 2
                  ? at[-c->labels.width - 1] : label;
          }
      }
}

static void
test_rows (gconstpointer device)
{
  static const gint64 widths[] = { 31, 32, 33, 64, 97, 1023, 1024, 1025, 1056, 2050 };

  for (guint round = 0; round < test_count (30, 600); round++)
    {
      g_auto (RegionCase) c     = { 0 };
      const gint64        width = widths[g_test_rand_int_range (0, G_N_ELEMENTS (widths))];

      wf_option_group_init (wf_regions_get_options (), &c.options);
      c.options.connectivity = round % 2 ? 4 : 8;
      g_assert_true (wf_image_allocate (&c.labels, WF_TYPE_U32, width,
                                        g_test_rand_int_range (1, width > 100 ? 4 : 12), 1,
                                        NULL));
      fill_rows (&c, g_test_rand_int_range (1, 4), round % 3 ? 40 : width);
      make_whole_levels (&c, round);
      check_on_device (&c, find_measures (&c), device);
    }
}

/* Labels with gaps: the least and the greatest, those around the borders of pages, many pages. */
static void
test_numbers (gconstpointer device)
{
  static const guint32 numbers[] =
  {
    1, 31, 32, 255, 256, 257, (1u << 18) - 1, 1u << 18, (1u << 18) + 1, 0x7fffffff, 0x80000000,
    0xfffbffff, 0xfffc0000, 0xfffffffe, 0xffffffff, 0
  };

  for (guint round = 0; round < test_count (6, 60); round++)
    {
      g_auto (RegionCase) c = { 0 };

      wf_option_group_init (wf_regions_get_options (), &c.options);
      g_assert_true (wf_image_allocate (&c.labels, WF_TYPE_U32, 37, 8, 1, NULL));
      for (int i = 0; i < 37 * 8; i++)
        ((guint32 *) c.labels.data)[i] = round % 3 == 2 && i % 7 == 0
                                         ? (guint32) g_test_rand_int () & 0x007fffff
                                         : numbers[g_test_rand_int_range (0, 16)];
      make_whole_levels (&c, round);
      check_on_device (&c, find_measures (&c), device);
    }
}

/* No region, and one. */
static void
test_few (gconstpointer device)
{
  for (guint32 label = 0; label <= 1; label++)
    for (gint64 depth = 1; depth <= 2; depth++)
      {
        g_auto (RegionCase) c = { 0 };

        wf_option_group_init (wf_regions_get_options (), &c.options);
        g_assert_true (wf_image_allocate (&c.labels, WF_TYPE_U32, 70, 9, depth, NULL));
        for (gint64 i = 0; i < 70 * 9 * depth; i++)
          ((guint32 *) c.labels.data)[i] = label * 0xffffffffu;
        make_whole_levels (&c, label + (guint) depth);
        check_on_device (&c, find_measures (&c), device);
      }
}


/* All bits but those between two members. */
static void
assert_same_basin (const WfBasin *basin,
                   const WfBasin *other)
{
  const gsize start = G_STRUCT_OFFSET (WfBasin, area);

  g_assert_cmpuint (basin->label, ==, other->label);
  g_assert_cmpmem ((const char *) basin + start, sizeof *basin - start,
                   (const char *) other + start, sizeof *other - start);
}

/* The table of basins, whose depths are those of the hierarchy. */
static void
test_basins (gconstpointer device)
{
  for (guint round = 0; round < test_count (12, 200); round++)
    {
      g_autoptr (WfContext) on_device  = device_context_new (device);
      g_autoptr (WfContext) on_cpu     = device_context_new ("cpu");
      g_autoptr (GError)    error      = NULL;
      g_autofree WfBasin   *basins     = NULL;
      g_autofree WfBasin   *expected   = NULL;
      guint32               n_basins   = 0;
      guint32               n_expected = 0;
      g_auto (RegionCase)   c          = { 0 };
      g_auto (WfImage)      relief     = { 0 };

      region_case_make (&c, (RegionLayout) (round % N_LAYOUTS), round % 5 == 4);
      if (round % 4 < 3)
        make_whole_levels (&c, round % 2 + 1);
      else if (! c.with_image)
        region_case_make_levels (&c);
      g_assert_true (wf_image_allocate (&relief, WF_TYPE_U16, c.labels.width, c.labels.height,
                                        c.labels.depth, NULL));
      for (gint64 i = 0; i < wf_image_n_pixels (&relief); i++)
        ((guint16 *) relief.data)[i] = (guint16) g_test_rand_int_range (0, 9);

      g_assert_true (wf_basins_measure (on_cpu, &c.image, round % 2 ? &relief : NULL, &c.labels, 0,
                                        &expected, &n_expected, &error));
      g_assert_true (wf_basins_measure (on_device, &c.image, round % 2 ? &relief : NULL,
                                        &c.labels, 0, &basins, &n_basins, &error));
      g_assert_cmpuint (n_basins, ==, n_expected);
      for (guint32 i = 0; i < n_basins; i++)
        assert_same_basin (&basins[i], &expected[i]);
    }
}


/*  What devices do not do  */

static void
check_on_cpu (const RegionCase *c,
              guint64           measures,
              const char       *device)
{
  g_autoptr (WfContext) context  = device_context_new (device);
  g_autoptr (GError)    error    = NULL;
  g_autoptr (WfRegions) expected = region_case_measure (c, measures, 1);
  g_autoptr (WfRegions) regions  = NULL;
  const WfReport       *report   = wf_context_get_report (context);

  regions = wf_regions_measure (context, &c->labels, &c->image, measures, &c->options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (report->device, ==, "cpu");
  g_assert_nonnull (strstr (report->notice, "Computed on the CPU"));
  assert_sentence (report->notice);
  regions_assert_same (expected, regions);
}

static void
test_others (gconstpointer device)
{
  static const WfRegionMeasure others[] = { WF_REGION_FERET, WF_REGION_SOLIDITY,
                                            WF_REGION_NEIGHBORS, WF_REGION_MEDIAN,
                                            WF_REGION_INSCRIBED_CIRCLE };
  g_auto (RegionCase)          c        = { 0 };

  region_case_make (&c, LAYOUT_BLOBS, FALSE);
  make_whole_levels (&c, 1);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    check_on_cpu (&c, BIT (others[i]) | BIT (WF_REGION_AREA), device);

  wf_image_clear (&c.image);
  g_assert_true (wf_image_allocate (&c.image, WF_TYPE_F32, c.labels.width, c.labels.height, 1,
                                    NULL));
  for (gint64 i = 0; i < wf_image_n_pixels (&c.image); i++)
    ((float *) c.image.data)[i] = (float) i / 3;
  check_on_cpu (&c, BIT (WF_REGION_MEAN), device);
  check_on_device (&c, BIT (WF_REGION_AREA), device);
}


/*  Failures  */

/* Returns: whether the table failed because the @k-th call did */
static gboolean
fails_at (const RegionCase *c,
          WfContext        *context,
          int               k)
{
  g_autofree char      *text    = g_strdup_printf ("%d", k);
  g_autoptr (GError)    error   = NULL;
  g_autoptr (WfRegions) regions = NULL;

  g_setenv (FAULT, text, TRUE);
  regions = wf_regions_measure (context, &c->labels, &c->image, find_measures (c), &c->options,
                                &error);
  g_unsetenv (FAULT);
  if (regions)
    return FALSE;
  g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
  assert_sentence (error->message);
  return TRUE;
}

static void
test_faults (gconstpointer device)
{
  g_autoptr (WfContext) context = device_context_new (device);
  g_auto (RegionCase)   c       = { 0 };
  int                   k       = 1;

  region_case_make (&c, LAYOUT_BLOBS, FALSE);
  make_whole_levels (&c, 1);
  for (; k < MOST_CALLS && fails_at (&c, context, k); k += test_is_quick () ? 3 : 1)
    check_on_device (&c, find_measures (&c), device);
  g_test_message ("fewer than %d calls can fail", k);
  g_assert_cmpint (k, >, 5);
  g_assert_cmpint (k, <, MOST_CALLS);
}

/* The CPU replaces a device that fails where it may, and the table is the same. */
static void
test_fallback (gconstpointer device)
{
  g_autoptr (WfContext) context  = wf_context_new ();
  WfContextOptions      options  = { sizeof options, device, 2, 0, WF_FALLBACK_CPU };
  g_auto (RegionCase)   c        = { 0 };
  g_autoptr (GError)    error    = NULL;
  g_autoptr (WfRegions) expected = NULL;
  g_autoptr (WfRegions) regions  = NULL;

  g_assert_true (wf_context_configure (context, &options, NULL));
  region_case_make (&c, LAYOUT_BLOBS, FALSE);
  make_whole_levels (&c, 1);
  expected = region_case_measure (&c, find_measures (&c), 1);
  g_setenv (FAULT, "4", TRUE);
  regions = wf_regions_measure (context, &c.labels, &c.image, find_measures (&c), &c.options,
                                &error);
  g_unsetenv (FAULT);
  g_assert_no_error (error);
  g_assert_cmpstr (wf_context_get_report (context)->device, ==, "cpu");
  g_assert_nonnull (strstr (wf_context_get_report (context)->notice, device));
  regions_assert_same (expected, regions);
}

static void
test_cancelled (gconstpointer device)
{
  g_autoptr (WfContext)    context     = device_context_new (device);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (RegionCase)      c           = { 0 };
  g_autoptr (GError)       error       = NULL;

  region_case_make (&c, LAYOUT_ALL_DIFFERENT, FALSE);
  make_whole_levels (&c, 1);
  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_null (wf_regions_measure (context, &c.labels, &c.image, find_measures (&c), &c.options,
                                     &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
add_test (const char     *device,
          const char     *name,
          GTestDataFunc   test)
{
  g_autofree char *path = g_strdup_printf ("/device-regions/%s/%s", device, name);

  g_test_add_data_func (path, device, test);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;

  tests_begin (&argc, &argv);
  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    {
      add_test (names->pdata[i], "random", test_random);
      add_test (names->pdata[i], "rows", test_rows);
      add_test (names->pdata[i], "numbers", test_numbers);
      add_test (names->pdata[i], "few", test_few);
      add_test (names->pdata[i], "basins", test_basins);
      add_test (names->pdata[i], "others", test_others);
      add_test (names->pdata[i], "faults", test_faults);
      add_test (names->pdata[i], "fallback", test_fallback);
      add_test (names->pdata[i], "cancelled", test_cancelled);
    }
  if (problem)
    g_test_add_data_func ("/device-regions/none", problem, device_test_none);
  return g_test_run ();
}
