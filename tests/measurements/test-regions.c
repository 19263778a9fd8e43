/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measurements of regions, compared with their definitions (region-reference.c) on random and
 * hostile images, and the bits of several numbers of threads with each other.
 */

#include <math.h>
#include <string.h>

#include "region-cases.h"
#include "region-reference.h"
#include "tests/support/canceller.h"
#include "tests/support/tiers.h"
#include "tests/support/work.h"

#define TOLERANCE 1e-11


static const double *
find_values (const WfRegions *regions,
             const char      *name)
{
  for (guint i = 0; i < wf_regions_get_n_columns (regions); i++)
    if (strcmp (wf_regions_get_column (regions, i)->name, name) == 0)
      return wf_regions_get_values (regions, i);
  return NULL;
}

static void
check (const WfRegions *regions,
       gint64           region,
       const char      *name,
       double           expected)
{
  const double *values = find_values (regions, name);
  double        found;

  g_assert_nonnull (values);
  found = values[region];
  if (isnan (expected) ? ! isnan (found)
                       : fabs (found - expected) > TOLERANCE * fmax (1, fabs (expected)))
    g_error ("%s of label %.0f is %.17g, not %.17g", name, find_values (regions, "label")[region],
             found, expected);
}

static void
check_exactly (const WfRegions *regions,
               gint64           region,
               const char      *name,
               double           expected)
{
  check (regions, region, name, expected);
  g_assert_cmpfloat (find_values (regions, name)[region], ==, expected);
}

/* An ellipse that is a circle has no orientation but that of rounding. */
static void
check_orientation (const WfRegions *regions,
                   gint64           region,
                   const RefRegion *expected)
{
  const double turned = fmod (fabs (find_values (regions, "orientation")[region]
                                    - expected->orientation), 180);

  if (expected->eccentricity > 1e-3)
    g_assert_cmpfloat (MIN (turned, 180 - turned), <, 1e-4);
}

/* The square root of a rounded difference near 0 is far from 0. */
static void
check_eccentricity (const WfRegions *regions,
                    gint64           region,
                    const RefRegion *expected)
{
  const double found = find_values (regions, "eccentricity")[region];

  g_assert_cmpfloat_with_epsilon (found * found, expected->eccentricity * expected->eccentricity,
                                  1e-10);
}

static void
check_flat (const RegionCase *c,
            const WfRegions  *regions,
            gint64            region,
            const RefRegion  *expected)
{
  const guint32 label = (guint32) find_values (regions, "label")[region];

  check (regions, region, "perimeter", expected->perimeter);
  check (regions, region, "circularity", expected->circularity);
  check_exactly (regions, region, "euler_number", expected->euler_number);
  check (regions, region, "convex_area", expected->convex_area);
  check (regions, region, "solidity", expected->solidity);
  check (regions, region, "feret_max", expected->feret_max);
  check (regions, region, "feret_min", expected->feret_min);
  g_assert_cmpfloat_with_epsilon (ref_region_width (&c->labels, label, c->options.spacing,
                                                    find_values (regions,
                                                                 "feret_max_angle")[region]),
                                  expected->feret_max, 1e-9);
  g_assert_cmpfloat_with_epsilon (ref_region_width (&c->labels, label, c->options.spacing,
                                                    find_values (regions,
                                                                 "feret_min_angle")[region]),
                                  expected->feret_min, 1e-9);
  check (regions, region, "ellipse_major", expected->ellipse_major);
  check (regions, region, "ellipse_minor", expected->ellipse_minor);
  check_eccentricity (regions, region, expected);
  check_orientation (regions, region, expected);
  check (regions, region, "inscribed_circle_x", expected->circle[0]);
  check (regions, region, "inscribed_circle_y", expected->circle[1]);
  check (regions, region, "inscribed_circle_radius", expected->circle_radius);
}

static void
check_levels (const RegionCase *c,
              const WfRegions  *regions,
              gint64            region,
              const RefRegion  *expected)
{
  static const char * const places[] = { "weighted_centroid_x", "weighted_centroid_y",
                                         "weighted_centroid_z" };

  check_exactly (regions, region, "minimum", expected->minimum);
  check_exactly (regions, region, "maximum", expected->maximum);
  check_exactly (regions, region, "median", expected->median);
  check_exactly (regions, region, "sum", expected->sum);
  check (regions, region, "mean", expected->mean);
  check (regions, region, "standard_deviation", expected->standard_deviation);
  for (int axis = 0; axis < (c->labels.depth > 1 ? 3 : 2); axis++)
    if (fabs (expected->mean) > 0.01)
      check (regions, region, places[axis], expected->weighted_centroid[axis]);
}

static void
check_region (const RegionCase *c,
              const WfRegions  *regions,
              gint64            region)
{
  static const char * const firsts[]    = { "left", "top", "first" };
  static const char * const sizes[]     = { "width", "height", "slices" };
  static const char * const centroids[] = { "centroid_x", "centroid_y", "centroid_z" };
  const double             *pixels      = find_values (regions, "pixels");
  RefRegion                 expected;

  ref_region (&c->labels, c->with_image ? &c->image : NULL,
              (guint32) find_values (regions, "label")[region], &c->options, &expected);
  g_assert_cmpfloat (expected.pixels, >, 0);
  check (regions, region, "area", expected.area);
  if (pixels)
    g_assert_cmpfloat (pixels[region], ==, expected.pixels);
  for (int axis = 0; axis < (c->labels.depth > 1 ? 3 : 2); axis++)
    {
      check_exactly (regions, region, firsts[axis], expected.first[axis]);
      check_exactly (regions, region, sizes[axis], expected.size[axis]);
      check (regions, region, centroids[axis], expected.centroid[axis]);
    }
  check (regions, region, "equivalent_diameter", expected.equivalent_diameter);
  check (regions, region, "extent", expected.extent);
  check_exactly (regions, region, "neighbors", expected.neighbors);
  check_exactly (regions, region, "touches_border", expected.touches_border);
  if (c->labels.depth == 1)
    check_flat (c, regions, region, &expected);
  if (c->with_image)
    check_levels (c, regions, region, &expected);
}

/* Each label of the image once, by increasing label. */
static void
check_labels (const RegionCase *c,
              const WfRegions  *regions)
{
  const double  *labels  = find_values (regions, "label");
  const guint32 *pixels  = c->labels.data;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (gint64 row = 0; row < c->labels.height * c->labels.depth; row++)
    for (gint64 x = 0; x < c->labels.width; x++)
      if (pixels[row * c->labels.row_stride + x] != 0)
        g_hash_table_add (seen, GUINT_TO_POINTER (pixels[row * c->labels.row_stride + x]));
  g_assert_cmpint (g_hash_table_size (seen), ==, wf_regions_get_n_regions (regions));
  for (gint64 i = 0; i < wf_regions_get_n_regions (regions); i++)
    {
      g_assert_true (g_hash_table_contains (seen, GUINT_TO_POINTER ((guint32) labels[i])));
      g_assert_true (i == 0 || labels[i - 1] < labels[i]);
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < test_count (120, 3000); round++)
    {
      g_auto (RegionCase)   c       = { 0 };
      g_autoptr (WfRegions) regions = NULL;

      region_case_make (&c, (RegionLayout) (round % N_LAYOUTS), round / N_LAYOUTS % 4 == 3);
      regions = region_case_measure (&c, 0, 1);
      check_labels (&c, regions);
      for (gint64 i = 0; i < wf_regions_get_n_regions (regions); i++)
        check_region (&c, regions, i);
      for (int threads = 2; threads <= 7; threads += 5)
        {
          g_autoptr (WfRegions) others = region_case_measure (&c, 0, threads);

          regions_assert_same (regions, others);
        }
    }
}

/* Each measure alone has the values that it has together with the others. */
static void
test_alone (void)
{
  for (int round = 0; round < 8; round++)
    {
      g_auto (RegionCase)        c   = { 0 };
      g_autoptr (WfRegions)      all = NULL;
      const WfRegionMeasureInfo *info;

      region_case_make (&c, LAYOUT_BLOBS, round % 2);
      if (! c.with_image)
        region_case_make_levels (&c);
      c.with_image = TRUE;
      all          = region_case_measure (&c, 0, 1);
      for (int i = 0; (info = wf_region_measure_describe ((WfRegionMeasure) i)); i++)
        {
          g_autoptr (WfRegions) one = NULL;

          if (c.labels.depth > 1 && ! info->is_for_stacks)
            continue;
          one = region_case_measure (&c, G_GUINT64_CONSTANT (1) << i, 2);
          for (guint k = 0; k < wf_regions_get_n_columns (one); k++)
            {
              const char *name = wf_regions_get_column (one, k)->name;

              for (gint64 r = 0; r < wf_regions_get_n_regions (one); r++)
                {
                  const double a = find_values (all, name)[r];
                  const double b = wf_regions_get_values (one, k)[r];

                  g_assert_true (a == b || (isnan (a) && isnan (b)));
                }
            }
        }
    }
}

/* Shapes whose measures are known, so that the reference is not the only judge. */
static void
test_by_hand (void)
{
  /* a ring of 3 × 3, two pixels at a corner, and one pixel */
  static guint32        pixels[5 * 6] = { 7, 7, 7, 0, 0, 0,
                                          7, 0, 7, 0, 2, 0,
                                          7, 7, 7, 0, 0, 2,
                                          0, 0, 0, 0, 0, 0,
                                          9, 0, 0, 0, 0, 0 };
  static guint8         levels[5 * 6];
  RegionCase            c             = { .with_image = TRUE };
  g_autoptr (WfRegions) regions       = NULL;

  for (int i = 0; i < 30; i++)
    levels[i] = i;
  g_assert_true (wf_image_init (&c.labels, WF_TYPE_U32, 6, 5, 1, pixels, NULL));
  g_assert_true (wf_image_init (&c.image, WF_TYPE_U8, 6, 5, 1, levels, NULL));
  wf_option_group_init (wf_regions_get_options (), &c.options);
  regions = region_case_measure (&c, 0, 1);

  g_assert_cmpint (wf_regions_get_n_regions (regions), ==, 3);
  check_exactly (regions, 0, "label", 2);
  check_exactly (regions, 0, "euler_number", 1);
  check_exactly (regions, 0, "area", 2);
  check_exactly (regions, 0, "orientation", 135);
  check_exactly (regions, 0, "feret_max_angle", 135);
  check_exactly (regions, 0, "convex_area", 3);
  check_exactly (regions, 0, "feret_max", sqrt (8));
  check_exactly (regions, 0, "mean", (10 + 17) / 2.0);
  check_exactly (regions, 0, "neighbors", 1);
  check_exactly (regions, 1, "label", 7);
  check_exactly (regions, 1, "euler_number", 0);
  check_exactly (regions, 1, "extent", 8 / 9.0);
  check_exactly (regions, 1, "solidity", 8 / 9.0);
  check_exactly (regions, 1, "centroid_x", 1.5);
  check_exactly (regions, 1, "feret_min", 3);
  check_exactly (regions, 1, "neighbors", 2);
  check_exactly (regions, 1, "touches_border", 1);
  check_exactly (regions, 1, "sum", 0 + 1 + 2 + 6 + 8 + 12 + 13 + 14);
  check_exactly (regions, 2, "inscribed_circle_radius", 0.5);
  check (regions, 2, "perimeter", G_PI / 4 * (2 + sqrt (2)));
  check (regions, 2, "ellipse_major", 4 * sqrt (1.0 / 12));
  check_exactly (regions, 2, "eccentricity", 0);
  check_exactly (regions, 2, "orientation", 0);
  check_exactly (regions, 2, "median", 24);
}

/* A line of one pixel, label 0, parts neighbors; wider ones do not make them. */
static void
test_lines (void)
{
  static guint32        pixels[] = { 1, 1, 0, 2, 2, 0, 0, 3, 3 };
  RegionCase            c        = { 0 };
  g_autoptr (WfRegions) regions  = NULL;

  g_assert_true (wf_image_init (&c.labels, WF_TYPE_U32, 9, 1, 1, pixels, NULL));
  wf_option_group_init (wf_regions_get_options (), &c.options);
  regions = region_case_measure (&c, 0, 1);
  check_exactly (regions, 0, "neighbors", 1);
  check_exactly (regions, 1, "neighbors", 1);
  check_exactly (regions, 2, "neighbors", 0);
}

/* Sums that cancel in floating point: the exact ones are known. */
static void
test_sums (void)
{
  static float          levels[] = { 1e30f, 1, -1e30f, 16777216, 1, 1, -3.4e38f, 3.4e38f };
  static guint32        pixels[] = { 1, 1, 1, 2, 2, 2, 3, 3 };
  RegionCase            c        = { .with_image = TRUE };
  g_autoptr (WfRegions) regions  = NULL;

  g_assert_true (wf_image_init (&c.labels, WF_TYPE_U32, 8, 1, 1, pixels, NULL));
  g_assert_true (wf_image_init (&c.image, WF_TYPE_F32, 8, 1, 1, levels, NULL));
  wf_option_group_init (wf_regions_get_options (), &c.options);
  regions = region_case_measure (&c, 0, 1);
  check_exactly (regions, 0, "sum", 1);
  check_exactly (regions, 1, "sum", 16777218);
  check_exactly (regions, 2, "sum", 0);
  g_assert_true (isnan (find_values (regions, "weighted_centroid_x")[2]));

  levels[0] = INFINITY;
  levels[3] = NAN;
  g_clear_pointer (&regions, wf_regions_free);
  regions = region_case_measure (&c, 0, 1);
  check_exactly (regions, 0, "sum", INFINITY);
  check_exactly (regions, 0, "median", 1);
  g_assert_true (isnan (find_values (regions, "standard_deviation")[0]));
  for (guint i = 0; i < 4; i++)
    g_assert_true (isnan (find_values (regions, ((const char *[]) { "mean", "minimum", "maximum",
                                                                    "median" })[i])[1]));
}

/* The levels of a region hardly differ: what naive sums make of them is noise. */
static void
test_small_variance (void)
{
  g_auto (RegionCase)   c       = { .with_image = TRUE };
  g_autoptr (WfRegions) regions = NULL;

  g_assert_true (wf_image_allocate (&c.labels, WF_TYPE_U32, 1000, 4, 1, NULL));
  g_assert_true (wf_image_allocate (&c.image, WF_TYPE_F32, 1000, 4, 1, NULL));
  for (int i = 0; i < 4000; i++)
    {
      ((guint32 *) c.labels.data)[i] = 5;
      ((float *) c.image.data)[i]    = i % 2 ? 1 : nextafterf (1, 2);
    }
  wf_option_group_init (wf_regions_get_options (), &c.options);
  regions = region_case_measure (&c, 0, 2);
  check_exactly (regions, 0, "standard_deviation", ldexp (1, -24));
}

static void
refuse (const WfImage         *labels,
        const WfImage         *image,
        guint64                measures,
        const WfRegionOptions *options,
        const char            *culprit)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (wf_regions_measure (NULL, labels, image, measures, options, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, culprit));
}

static void
test_refusals (void)
{
  g_auto (WfImage)   labels   = { 0 };
  g_auto (WfImage)   image    = { 0 };
  WfRegionOptions    options;
  guint64            measures = 77;
  g_autoptr (GError) error    = NULL;

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 4, 3, 2, NULL));
  g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, 4, 3, 3, NULL));
  memset (labels.data, 0, 24 * sizeof (guint32));
  refuse (&labels, &image, 0, NULL, "4 × 3 × 2");
  refuse (&labels, NULL, G_GUINT64_CONSTANT (1) << WF_REGION_MEDIAN, NULL, "median");
  refuse (&labels, NULL, G_GUINT64_CONSTANT (1) << WF_REGION_FERET, NULL, "feret");
  refuse (&labels, NULL, G_GUINT64_CONSTANT (1) << 50, NULL, "50");
  refuse (&image, NULL, 0, NULL, "u32");
  wf_option_group_init (wf_regions_get_options (), &options);
  options.connectivity = 8;
  refuse (&labels, NULL, 0, &options, "8");
  options.connectivity = 0;
  options.spacing[1]   = 0;
  refuse (&labels, NULL, 0, &options, "spacing");

  g_assert_false (wf_region_measures_parse ("area,volume", &measures, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "“volume”"));
  g_clear_error (&error);
  g_assert_false (wf_region_measures_parse ("", &measures, &error));
  g_assert_cmpuint (measures, ==, 77);
  g_assert_true (wf_region_measures_parse ("sum,area", &measures, NULL));
  g_assert_cmpuint (measures, ==, 1 << WF_REGION_AREA | 1 << WF_REGION_SUM);
  g_assert_true (wf_region_measures_parse ("all", &measures, NULL));
  g_assert_cmpuint (measures, ==, 0);
}

/* No regions are no error. */
static void
test_nothing (void)
{
  static guint32        pixels[6];
  RegionCase            c       = { 0 };
  g_autoptr (WfRegions) regions = NULL;
  g_autofree char      *csv     = NULL;
  g_autofree char      *json    = NULL;

  g_assert_true (wf_image_init (&c.labels, WF_TYPE_U32, 3, 2, 1, pixels, NULL));
  wf_option_group_init (wf_regions_get_options (), &c.options);
  regions = region_case_measure (&c, 1 << WF_REGION_AREA, 2);
  csv     = wf_regions_format (regions, WF_TABLE_CSV, NULL, NULL);
  json    = wf_regions_format (regions, WF_TABLE_JSON, NULL, NULL);
  g_assert_cmpstr (csv, ==, "label,area\n");
  g_assert_cmpstr (json, ==, "{\"unit\":\"pixel\",\"spacing\":[1,1],\"regions\":[]}\n");
}

/* Every column has a name of its own, as programs find columns by it. */
static void
test_descriptions (void)
{
  g_autoptr (GHashTable)     names = g_hash_table_new (g_str_hash, g_str_equal);
  const WfRegionMeasureInfo *info;
  int                        n     = 0;

  for (; (info = wf_region_measure_describe ((WfRegionMeasure) n)); n++)
    {
      guint64 parsed = 0;

      g_assert_cmpint (info->measure, ==, n);
      g_assert_true (wf_region_measures_parse (info->name, &parsed, NULL));
      g_assert_cmpuint (parsed, ==, G_GUINT64_CONSTANT (1) << n);
      g_assert_cmpuint (info->n_columns, >, 0);
      for (guint i = 0; i < info->n_columns; i++)
        g_assert_true (g_hash_table_add (names, (gpointer) info->columns[i].name));
    }
  g_assert_cmpint (n, ==, WF_REGION_TOUCHES_BORDER + 1);
}

static void
test_place (void)
{
  static guint32        pixels[] = { 0, 3, 3 };
  const WfTablePlace    place    = { .size = sizeof (WfTablePlace), .left = 10, .top = -2 };
  RegionCase            c        = { 0 };
  g_autoptr (WfRegions) regions  = NULL;
  g_autofree char      *csv      = NULL;
  g_autofree char      *json     = NULL;

  g_assert_true (wf_image_init (&c.labels, WF_TYPE_U32, 3, 1, 1, pixels, NULL));
  wf_option_group_init (wf_regions_get_options (), &c.options);
  c.options.spacing[0] = 0.5;
  regions = region_case_measure (&c, 1 << WF_REGION_AREA | 1 << WF_REGION_BOUNDING_BOX
                         | 1 << WF_REGION_CENTROID, 1);
  csv     = wf_regions_format (regions, WF_TABLE_CSV, "a,\"b\"", &place);
  json    = wf_regions_format (regions, WF_TABLE_JSON, "a,\"b\"", &place);
  g_assert_cmpstr (csv, ==,
                   "label,area,pixels,left,top,width,height,centroid_x,centroid_y,unit\n"
                   "3,1,2,11,-2,2,1,6,-1.5,\"a,\"\"b\"\"\"\n");
  g_assert_cmpstr (json, ==,
                   "{\"unit\":\"a,\\\"b\\\"\",\"spacing\":[0.5,1],\"regions\":[\n"
                   "{\"label\":3,\"area\":1,\"pixels\":2,\"left\":11,\"top\":-2,\"width\":2,"
                   "\"height\":1,\"centroid_x\":6,\"centroid_y\":-1.5}\n"
                   "]}\n");
}

/* A table of some measures is as one of which no others were measured. */
static void
test_chosen (void)
{
  static guint32        pixels[12] = { 1, 1, 0, 2, 2, 2, 2, 0, 3, 3, 3, 0 };
  static guint8         levels[12] = { 7, 2, 0, 9, 9, 8, 1, 0, 3, 4, 5, 0 };
  const guint64         end        = G_GUINT64_CONSTANT (1) << (WF_REGION_TOUCHES_BORDER + 1);
  WfTablePlace          place      = { .size = sizeof place, .left = 4, .top = 3 };
  WfImage               labels, image;
  WfRegionOptions       options;
  g_autoptr (WfRegions) all = NULL;

  g_assert_true (wf_image_init (&labels, WF_TYPE_U32, 12, 1, 1, pixels, NULL));
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 12, 1, 1, levels, NULL));
  wf_option_group_init (wf_regions_get_options (), &options);
  options.spacing[0] = 0.5;
  all = wf_regions_measure (NULL, &labels, &image, 0, &options, NULL);
  for (guint64 measures = 1; measures < end; measures *= 3)
    for (int i = 0; i < 4; i++)
      {
        g_autoptr (WfRegions) some     = wf_regions_measure (NULL, &labels, &image, measures,
                                                             &options, NULL);
        const WfTableFormat   format   = i % 2 ? WF_TABLE_JSON : WF_TABLE_CSV;
        const char           *unit     = i / 2 ? "a, \"b\"" : NULL;
        g_autofree char      *expected = NULL;
        g_autofree char      *text     = NULL;

        place.measures = 0;
        expected       = wf_regions_format (some, format, unit, &place);
        place.measures = measures;
        text           = wf_regions_format (all, format, unit, &place);
        g_assert_cmpstr (text, ==, expected);
        g_assert_true (wf_region_column_is_of (wf_regions_get_column (all, 0), measures));
        g_assert_cmpint (wf_region_column_is_of (wf_regions_get_column (all, 1), measures), ==,
                         (int) (measures & 1));
      }
}

static void
test_memory_limit (void)
{
  g_auto (WfImage)      labels  = { 0 };
  g_autoptr (WfContext) context = wf_context_new ();
  g_autoptr (GError)    error   = NULL;

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 1000, 1000, 1, NULL));
  memset (labels.data, 0, 4000000);
  wf_context_set_memory_limit (context, 1000000);
  g_assert_null (wf_regions_measure (context, &labels, NULL, 0, NULL, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
}

/* It stops soon whatever it is doing. */
static void
test_cancelled (void)
{
  static const double parts[] = { 0.6, 0.2, 0.9, 0.4, 0.1, 0.97 };
  g_auto (RegionCase) c       = { .with_image = TRUE };
  const int           side    = SLOWNESS == 1 ? 1000 : 500;
  guint               stopped = 0;
  double              taken;

  g_assert_true (wf_image_allocate (&c.labels, WF_TYPE_U32, side, side, 1, NULL));
  g_assert_true (wf_image_allocate (&c.image, WF_TYPE_F32, side, side, 1, NULL));
  for (int i = 0; i < side * side; i++)
    {
      ((guint32 *) c.labels.data)[i] = g_test_rand_int_range (0, 3) * 1000u
                                       + (i % side < side / 2 ? 0u : (guint32) i);
      ((float *) c.image.data)[i]    = g_test_rand_int_range (0, 1000);
    }
  wf_option_group_init (wf_regions_get_options (), &c.options);
  taken = work_clock ();
  wf_regions_free (region_case_measure (&c, 0, 0));
  taken = work_clock () - taken;
  for (guint i = 0; i < test_count (2, G_N_ELEMENTS (parts)); i++)
    {
      g_autoptr (WfContext)    context     = wf_context_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError)       error       = NULL;
      g_autoptr (WfRegions)    regions     = NULL;
      Canceller                canceller   = { .cancellable = cancellable };
      double                   seconds;

      wf_context_set_cancellable (context, cancellable);
      canceller_start (&canceller, parts[i] * taken);
      regions = wf_regions_measure (context, &c.labels, &c.image, 0, NULL, &error);
      seconds = canceller_stop (&canceller);
      g_test_message ("cancelled after %.3f of %.3f s: returned after another %.3f s",
                      parts[i] * taken, taken, seconds);
      g_assert_cmpfloat (seconds, <, CANCEL_SECONDS);
      if (regions)
        continue;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      stopped++;
    }
  g_assert_cmpuint (stopped, >, 0);
}

/* Large enough for threads by itself; strides that are larger than the image. */
static void
test_large (void)
{
  g_auto (RegionCase)   c      = { .with_image = TRUE };
  g_autoptr (WfRegions) one    = NULL;
  g_autoptr (WfRegions) two    = NULL;

  g_assert_true (wf_image_allocate (&c.labels, WF_TYPE_U32, 610, 700, 1, NULL));
  g_assert_true (wf_image_allocate (&c.image, WF_TYPE_F32, 610, 700, 1, NULL));
  for (int i = 0; i < 610 * 700; i++)
    {
      ((guint32 *) c.labels.data)[i] = (guint32) ((i % 610 / 40 + i / 610 / 37 * 3) % 50)
                                       * 50000000u;
      ((float *) c.image.data)[i]    = ldexpf ((float) g_test_rand_double_range (-1, 1),
                                               g_test_rand_int_range (-100, 100));
    }
  c.labels.width = c.image.width = 600;
  wf_option_group_init (wf_regions_get_options (), &c.options);
  one = region_case_measure (&c, 0, 1);
  two = region_case_measure (&c, 0, 3);
  regions_assert_same (one, two);
  check_labels (&c, one);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/regions/random", test_random);
  g_test_add_func ("/regions/alone", test_alone);
  g_test_add_func ("/regions/by-hand", test_by_hand);
  g_test_add_func ("/regions/lines", test_lines);
  g_test_add_func ("/regions/sums", test_sums);
  g_test_add_func ("/regions/small-variance", test_small_variance);
  g_test_add_func ("/regions/refusals", test_refusals);
  g_test_add_func ("/regions/nothing", test_nothing);
  g_test_add_func ("/regions/descriptions", test_descriptions);
  g_test_add_func ("/regions/place", test_place);
  g_test_add_func ("/regions/chosen", test_chosen);
  g_test_add_func ("/regions/memory-limit", test_memory_limit);
  g_test_add_func ("/regions/cancelled", test_cancelled);
  g_test_add_func ("/regions/large", test_large);
  return g_test_run ();
}
