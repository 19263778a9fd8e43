/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Erosion, dilation, opening, closing and top-hats on every device other than the CPU give the
 * results of the references, bit for bit: lines of pixels, widths that are no multiple of a word,
 * stacks, and elements from one pixel to larger than the image, at and beside the lengths at which
 * a device goes on in another way.  Large images are compared with the CPU.  Lines are computed on
 * the CPU.
 */

#include <math.h>
#include <string.h>

#include "filter-call.h"
#include "tests/support/device-calls.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* Pixels of an image that is compared with the reference, and times those under the element. */
#define PIXELS 1700
#define WORK   2000000

static const WfOperation operations[] = { WF_OPERATION_EROSION, WF_OPERATION_DILATION,
                                          WF_OPERATION_OPENING, WF_OPERATION_CLOSING,
                                          WF_OPERATION_WHITE_TOP_HAT,
                                          WF_OPERATION_BLACK_TOP_HAT };

static const char *
name_of (WfOperation operation)
{
  return wf_operation_get_options (operation)->name;
}


/*  Random images  */

/* Rows and columns of one pixel, stacks, and any widths. */
static void
draw_size (RefSize *size)
{
  gint64 shortest;

  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      *size = (RefSize) { g_test_rand_int_range (1, PIXELS), 1, 1 };
      break;
    case 1:
      *size = (RefSize) { 1, g_test_rand_int_range (1, PIXELS), 1 };
      break;
    case 2:
      shortest = g_test_rand_int_range (1, 9);
      *size    = (RefSize) { g_test_rand_int_range (1, PIXELS / 64), shortest,
                             g_test_rand_int_range (1, 8) };
      break;
    default:
      shortest = g_test_rand_int_range (1, 40);
      *size    = (RefSize) { shortest, g_test_rand_int_range (1, PIXELS / (gint32) shortest), 1 };
      if (g_test_rand_bit ())
        *size = (RefSize) { size->height, size->width, 1 };
    }
}

/* Both zeros and infinities are frequent. */
static double
draw_level (WfType type)
{
  static const double few[] = { -0.0, 0.0, INFINITY, -INFINITY, 1e-42, -1e-42 };

  if (type != WF_TYPE_F32)
    return g_test_rand_int_range (0, 4) ? (double) random_value (type) : type_highest (type);
  return g_test_rand_int_range (0, 3) ? (float) random_value (type)
                                      : (float) few[g_test_rand_int_range (0, G_N_ELEMENTS (few))];
}

/* Levels that the reference keeps, few of them different from most. */
static double *
draw_levels (WfType         type,
             const RefSize *size)
{
  const gint64 n      = ref_n_pixels (size);
  const int    rarity = g_test_rand_bit () ? 1 : g_test_rand_int_range (2, 200);
  const double most   = draw_level (type);
  double      *levels = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    levels[p] = g_test_rand_int_range (0, rarity) ? most : draw_level (type);
  return levels;
}

/* Beside the lengths of windows that are one pass, or two, and beyond the image. */
static int
draw_radius (const RefSize *size)
{
  static const int hard[]  = { 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 511,
                               1 << 20 };
  const gint64     longest = MAX (size->width, MAX (size->height, size->depth));

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      return hard[g_test_rand_int_range (0, G_N_ELEMENTS (hard))];
    case 1:
      return g_test_rand_int_range (0, (gint32) longest + 3);
    default:
      return g_test_rand_int_range (0, 6);
    }
}

/* How many levels the reference looks at. */
static double
work_of (const RefSize *size,
         int            radius)
{
  const double side = 2.0 * radius + 1;

  return (double) ref_n_pixels (size) * MIN (side, (double) size->width)
         * MIN (side, (double) size->height) * MIN (side, (double) size->depth);
}


/*  Comparison  */

static void
make_expected (WfOperation             operation,
               WfType                  type,
               const RefSize          *size,
               const WfFilterOptions  *options,
               const double           *levels,
               double                 *result)
{
  const RefFilter reference = {
    .highest = type == WF_TYPE_F32 ? 0 : type_highest (type),
    .disc    = options->element == WF_ELEMENT_DISC,
    .radius  = options->radius,
  };

  (operation == WF_OPERATION_EROSION         ? ref_erosion
   : operation == WF_OPERATION_DILATION      ? ref_dilation
   : operation == WF_OPERATION_OPENING       ? ref_plain_opening
   : operation == WF_OPERATION_CLOSING       ? ref_plain_closing
   : operation == WF_OPERATION_WHITE_TOP_HAT ? ref_plain_white_top_hat
                                             : ref_plain_black_top_hat)
    (size, &reference, levels, result);
}

static void
assert_equal (const GuardedImage    *result,
              gconstpointer          expected,
              WfOperation            operation,
              const RefSize         *size,
              const WfFilterOptions *options)
{
  const gint64 at = guarded_image_find_difference (result, expected);

  if (at >= 0 || ! guarded_image_is_guarded (result))
    {
      g_test_message ("%s of %s, %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
                      ", element %d, radius %d: differs at %" G_GINT64_FORMAT,
                      name_of (operation), wf_type_name (result->view.type), size->width,
                      size->height, size->depth, options->element, options->radius, at);
      g_test_fail ();
    }
}

static void
check_random (WfContext   *context,
              const char  *device,
              WfOperation  operation,
              WfType       type,
              WfElement    element)
{
  g_autofree double        *levels   = NULL;
  g_autofree double        *result   = NULL;
  g_autofree gpointer       expected = NULL;
  g_autoptr (GuardedImage)  image    = NULL;
  g_autoptr (GuardedImage)  apart    = NULL;
  GuardedImage             *out;
  WfFilterOptions           options  = filter_options (operation);
  GError                   *error    = NULL;
  RefSize                   size;

  options.element = element;
  do
    {
      draw_size (&size);
      options.radius = draw_radius (&size);
    }
  while (work_of (&size, options.radius) > WORK);

  levels   = draw_levels (type, &size);
  result   = g_new (double, ref_n_pixels (&size));
  image    = guarded_image_new_levels (type, &size, levels);
  apart    = guarded_image_new (type, &size, g_test_rand_bit ());
  out      = g_test_rand_bit () ? image : apart;
  make_expected (operation, type, &size, &options, levels, result);
  expected = pack_levels (type, result, ref_n_pixels (&size));

  filter_call (operation, context, &image->view, &out->view, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wf_context_get_report (context)->device, ==, device);
  g_assert_cmpstr (wf_context_get_report (context)->algorithm, ==, "windows");
  assert_equal (out, expected, operation, &size, &options);
}

static void
test_random (gconstpointer device)
{
  static const WfType    types[]    = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  static const WfElement elements[] = { WF_ELEMENT_SQUARE, WF_ELEMENT_DISC };
  g_autoptr (WfContext)  context    = device_context_new (device);
  const guint            n_cases    = test_count (5, 15);

  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (guint e = 0; e < G_N_ELEMENTS (elements); e++)
        for (guint i = 0; i < n_cases && ! g_test_failed (); i++)
          check_random (context, device, operations[o], types[t], elements[e]);
}


/*  Large images  */

static void
check_large (WfContext              *context,
             WfContext              *cpu,
             WfOperation             operation,
             WfType                  type,
             const RefSize          *size,
             const WfFilterOptions  *options)
{
  const gint64             n        = ref_n_pixels (size);
  const gsize              bytes    = (gsize) n * wf_type_size (type);
  g_autoptr (GuardedImage) image    = guarded_image_new (type, size, FALSE);
  g_autoptr (GuardedImage) out      = guarded_image_new (type, size, TRUE);
  g_autoptr (GuardedImage) expected = guarded_image_new (type, size, FALSE);
  g_autoptr (GRand)        random   = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  guint8                  *pixels   = image->view.data;
  GError                  *error    = NULL;

  for (gsize i = 0; i < bytes; i++)
    pixels[i] = (guint8) g_rand_int (random) >> 1;   /* no f32 of them is NaN */
  filter_call (operation, cpu, &image->view, &expected->view, options, &error);
  g_assert_no_error (error);
  filter_call (operation, context, &image->view, &out->view, options, &error);
  g_assert_no_error (error);
  assert_equal (out, expected->view.data, operation, size, options);
}

/* Images with whole tiles in them. */
static void
test_tiles (gconstpointer device)
{
  static const WfType   types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const RefSize         size    = { 640, 300, 1 };
  g_autoptr (WfContext) context = device_context_new (device);
  g_autoptr (WfContext) cpu     = device_context_new ("cpu");

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (int disc = 0; disc < 2; disc++)
      {
        const WfOperation operation = operations[g_test_rand_int_range (0, 2)];
        WfFilterOptions   options   = filter_options (operation);

        options.element = disc ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
        options.radius  = g_test_rand_int_range (1, disc ? 10 : 25);
        check_large (context, cpu, operation, types[t], &size, &options);
      }
}

/* Every way of every type, with rows that begin at words and rows that do not. */
static void
test_large (gconstpointer device)
{
  static const WfType   types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  static const int      radii[] = { 1, 2, 3, 4, 5, 7, 8, 10, 16, 23, 24, 25, 31, 32, 40, 41, 50,
                                    127, 128, 300, 5000 };
  static const RefSize  sizes[] = { { 2048, 1500, 1 }, { 2051, 777, 1 }, { 300, 217, 30 } };
  g_autoptr (WfContext) context = device_context_new (device);
  g_autoptr (WfContext) cpu     = device_context_new ("cpu");
  guint                 turn    = 0;

  if (! device_size_is_wanted (&sizes[0]))
    {
      g_test_skip ("The device is slow.");
      return;
    }
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
        for (int disc = 0; disc < 2; disc++)
          {
            const WfOperation operation = operations[turn++ % G_N_ELEMENTS (operations)];
            WfFilterOptions   options   = filter_options (operation);

            options.element = disc ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
            options.radius  = radii[r];
            if (disc && radii[r] > (sizes[s].depth > 1 ? 4 : 50))
              continue;
            check_large (context, cpu, operation, types[t], &sizes[s], &options);
          }
}


/*  Lines  */

/* The CPU does them, and says so, unless that is to be an error. */
static void
test_lines (gconstpointer device)
{
  const RefSize     size    = { 61, 40, 1 };
  WfContextOptions  strict;

  wf_option_group_init (wf_context_get_options (), &strict);
  strict.device   = device;
  strict.fallback = WF_FALLBACK_NONE;
  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    {
      g_autoptr (WfContext)     context  = device_context_new (device);
      g_autoptr (WfContext)     cpu      = device_context_new ("cpu");
      g_autofree double        *levels   = draw_levels (WF_TYPE_U8, &size);
      g_autoptr (GuardedImage)  image    = guarded_image_new_levels (WF_TYPE_U8, &size, levels);
      g_autoptr (GuardedImage)  out      = guarded_image_new (WF_TYPE_U8, &size, FALSE);
      g_autoptr (GuardedImage)  expected = guarded_image_new (WF_TYPE_U8, &size, FALSE);
      WfFilterOptions           options  = filter_options (operations[o]);
      const WfReport           *report   = wf_context_get_report (context);
      GError                   *error    = NULL;

      options.element = WF_ELEMENT_LINE;
      options.radius  = 5;
      options.angle   = 30;
      filter_call (operations[o], cpu, &image->view, &expected->view, &options, &error);
      g_assert_no_error (error);
      filter_call (operations[o], context, &image->view, &out->view, &options, &error);
      g_assert_no_error (error);
      report = wf_context_get_report (context);
      g_assert_cmpstr (report->device, ==, "cpu");
      assert_sentence (report->notice);
      assert_equal (out, expected->view.data, operations[o], &size, &options);

      guarded_image_wipe (out);
      g_assert_true (wf_context_configure (context, &strict, NULL));
      g_assert_false (filter_call (operations[o], context, &image->view, &out->view, &options,
                                   &error));
      g_assert_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
      assert_sentence (error->message);
      g_assert_true (guarded_image_is_untouched (out));
      g_clear_error (&error);
    }
}


/*  Tests  */

static void
add_test (const char    *device,
          const char    *name,
          GTestDataFunc  test)
{
  g_autofree char *path = g_strdup_printf ("/device-erosion/%s/%s", device, name);

  g_test_add_data_func_full (path, g_strdup (device), test, g_free);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char       *problem = NULL;
  g_autoptr (GPtrArray)  names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    {
      add_test (names->pdata[i], "random", test_random);
      add_test (names->pdata[i], "tiles", test_tiles);
      add_test (names->pdata[i], "large", test_large);
      add_test (names->pdata[i], "lines", test_lines);
    }
  if (names->len == 0)
    g_test_add_data_func ("/device-erosion/none", problem, device_test_none);
  return g_test_run ();
}
