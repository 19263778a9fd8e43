/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters: against their definitions, on all instruction sets; known properties; refusals;
 * and the watershed of a filtered image.
 */

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "filter-call.h"
#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static const WfType      types[]      = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
static const WfOperation operations[] = { WF_OPERATION_GAUSSIAN, WF_OPERATION_GRADIENT };

static void
test_random (gconstpointer data)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_filter_cases (configurations, (WfOperation) GPOINTER_TO_INT (data),
                    test_count (200, 1500));
}


/*  Results that are known  */

static void
view_row (WfImage  *view,
          WfType    type,
          gint64    n,
          gpointer  data)
{
  g_assert_true (wf_image_init (view, type, n, 1, 1, data, NULL));
}

/* The result for one bright pixel is the weights: 16 bits of them in u16, as 65535 · w / 65536
 * is w − w / 65536, and w is at most 2¹⁵.
 */
static void
test_weights (void)
{
  for (double sigma = 0.5; sigma <= WF_MAX_SIGMA; sigma = 1.37 * sigma + 0.11)
    {
      const gint64         radius = (gint64) ceil (3 * sigma);
      const gint64         n      = 2 * radius + 21;
      g_autofree guint16  *pixels = g_new0 (guint16, n);
      WfFilterOptions      options = { .size = sizeof options, .sigma = sigma };
      WfImage              view;
      guint32              sum     = 0;
      double               all     = 0;

      pixels[n / 2] = G_MAXUINT16;
      view_row (&view, WF_TYPE_U16, n, pixels);
      g_assert_true (wf_gaussian (NULL, &view, &view, &options, NULL));
      for (gint64 k = -radius; k <= radius; k++)
        all += exp (-0.5 * k * k / sigma / sigma);
      for (gint64 i = 0; i < n; i++)
        {
          const double k      = i - n / 2;
          const double weight = fabs (k) > radius ? 0 : exp (-0.5 * k * k / sigma / sigma) / all;

          sum += pixels[i];
          g_assert_cmpuint (pixels[i], ==, pixels[n - 1 - i]);
          g_assert_cmpfloat (fabs (pixels[i] - 65536 * weight), <, 2.6);
        }
      g_assert_cmpuint (sum, >=, 65536 - (guint32) n);
      g_assert_cmpuint (sum, <=, 65536 + (guint32) n);
    }
}

/* Constants do not change, including the least and the greatest value, so sums do not
 * overflow.
 */
static void
test_constants (void)
{
  const double        sigmas[] = { 0, 0.3, 1, 2.5, 20, WF_MAX_SIGMA };
  const double        whole[]  = { 0, 1, 127, 128, 254, 255, 32768, 65534, 65535 };
  const double        real[]   = { 0, FLT_MAX, -FLT_MAX, FLT_MIN, INFINITY };
  const RefSize       sizes[]  = { { 37, 1, 1 }, { 1, 37, 1 }, { 19, 23, 1 }, { 7, 5, 9 } };
  g_autofree double  *levels   = g_new (double, 437);

  for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
    for (guint z = 0; z < G_N_ELEMENTS (sizes); z++)
      for (guint t = 0; t < G_N_ELEMENTS (types); t++)
        for (guint v = 0; v < (types[t] == WF_TYPE_F32 ? G_N_ELEMENTS (real)
                                                       : G_N_ELEMENTS (whole)); v++)
          {
            const double             level   = types[t] == WF_TYPE_F32 ? real[v] : whole[v];
            const double             most    = MIN (fabs (level), FLT_MAX);
            WfFilterOptions          options = { .size = sizeof options, .sigma = sigmas[s] };
            g_autoptr (GuardedImage) image   = NULL;

            if (types[t] == WF_TYPE_U8 && level > 255)
              continue;
            for (gint64 p = 0; p < ref_n_pixels (&sizes[z]); p++)
              levels[p] = level;
            image = guarded_image_new_levels (types[t], &sizes[z], levels);
            g_assert_true (wf_gaussian (NULL, &image->view, &image->view, &options, NULL));
            if (types[t] != WF_TYPE_F32)
              {
                g_autofree gpointer same = pack_levels (types[t], levels,
                                                        ref_n_pixels (&sizes[z]));

                g_assert_cmpint (guarded_image_find_difference (image, same), ==, -1);
                continue;
              }
            for (gint64 p = 0; p < ref_n_pixels (&sizes[z]); p++)
              {
                const float *row   = (const float *) image->view.data
                                     + p / sizes[z].width % sizes[z].height
                                       * image->view.row_stride
                                     + p / sizes[z].width / sizes[z].height
                                       * image->view.slice_stride;
                const float  value = row[p % sizes[z].width];

                g_assert_true (isfinite (value));
                g_assert_true (fabs (fabs (value) - most) <= 1e-5 * most);
                g_assert_true (value == 0 ? ! signbit (value)
                                          : signbit (value) == signbit ((float) level));
              }
          }
}

/* Half of a level is rounded upward, and there is one rounding only. */
static void
test_rounding (void)
{
  const guint8    image[]  = { 0, 0, 0, 255, 255, 255 };
  guint8          out[6];
  WfFilterOptions options  = { .size = sizeof options, .sigma = 0.3 };
  WfImage         in;
  WfImage         view;

  view_row (&in, WF_TYPE_U8, 6, (gpointer) image);
  view_row (&view, WF_TYPE_U8, 6, out);
  g_assert_true (wf_gaussian (NULL, &in, &view, &options, NULL));
  for (int i = 0; i < 6; i++)
    g_assert_cmpint (out[i] + out[5 - i], ==, 255);
  g_assert_cmpint (out[2], ==, 1);
  g_assert_cmpint (out[0], ==, 0);
}

static void
test_gradient (void)
{
  const float     image[]    = { -INFINITY, INFINITY, INFINITY, INFINITY, 5, -0.0f, 0.0f, 0.0f };
  const float     expected[] = { INFINITY, INFINITY, 0, INFINITY, INFINITY, 5, 0, 0 };
  float           out[8];
  WfFilterOptions options    = filter_options (WF_OPERATION_GRADIENT);
  WfImage         in;
  WfImage         view;

  view_row (&in, WF_TYPE_F32, 8, (gpointer) image);
  view_row (&view, WF_TYPE_F32, 8, out);
  g_assert_true (wf_gradient (NULL, &in, &view, &options, NULL));
  g_assert_cmpmem (out, sizeof out, expected, sizeof expected);

  options.radius = 0;
  g_assert_true (wf_gradient (NULL, &in, &view, &options, NULL));
  for (int i = 0; i < 8; i++)
    g_assert_true (out[i] == 0 && ! signbit (out[i]));
}


/*  The watershed of them  */

static void
assert_same_basins (const GuardedImage *image,
                    const RefSize      *size,
                    double              smoothing,
                    int                 gradient,
                    WfContext          *context)
{
  g_autoptr (GuardedImage) relief   = guarded_image_new (image->view.type, size, FALSE);
  g_autoptr (GuardedImage) one      = guarded_image_new (WF_TYPE_U32, size, FALSE);
  g_autoptr (GuardedImage) other    = guarded_image_new (WF_TYPE_U32, size, TRUE);
  WfFilterOptions          filter   = { .size = sizeof filter, .sigma = smoothing,
                                         .radius = gradient };
  WfWatershedOptions       options;
  guint32                  n_one    = 0;
  guint32                  n_other  = 0;
  const WfImage           *from     = &image->view;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  if (smoothing > 0)
    {
      g_assert_true (wf_gaussian (context, from, &relief->view, &filter, NULL));
      from = &relief->view;
    }
  if (gradient > 0)
    {
      g_assert_true (wf_gradient (context, from, &relief->view, &filter, NULL));
      from = &relief->view;
    }
  g_assert_true (wf_watershed (context, from, NULL, &one->view, &n_one, &options, NULL));

  options.smoothing = smoothing;
  options.gradient  = gradient;
  if (smoothing > 0 || gradient > 0)
    {
      g_autoptr (GuardedImage) made = guarded_image_new (image->view.type, size, FALSE);

      g_assert_true (wf_watershed_make_relief (context, &image->view, &made->view, &options,
                                               NULL));
      g_assert_cmpint (guarded_image_find_difference (made, relief->view.data), ==, -1);
    }
  g_assert_true (wf_watershed (context, &image->view, NULL, &other->view, &n_other, &options,
                               NULL));
  g_assert_cmpuint (n_one, ==, n_other);
  g_assert_cmpint (guarded_image_find_difference (other, one->view.data), ==, -1);
}

static void
test_watershed (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (30, 200); i++)
    {
      const WfType              type    = types[i % 3];
      const Configuration      *where   = configurations_pick_coarse (configurations);
      RefSize                   size;
      Palette                   palette;
      g_autofree double        *levels  = NULL;
      g_autoptr (GuardedImage)  image   = NULL;

      random_large_size (&size);
      random_palette (type, &palette);
      levels = g_new (double, ref_n_pixels (&size));
      random_content (&size, &palette, levels);
      image = guarded_image_new_levels (type, &size, levels);
      assert_same_basins (image, &size, i % 4 == 0 ? 0 : 0.4 + 2 * g_test_rand_double (),
                          i % 5 == 0 ? 0 : g_test_rand_int_range (1, 4), where->context);
    }
}

/* Estimates count the memory of filters in addition to that of the flood. */
static void
test_estimate (void)
{
  WfWatershedOptions options;
  WfImage            image;
  guint8             nothing[1];
  guint64            plain;
  guint64            smooth;
  guint64            both;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  wf_image_init (&image, WF_TYPE_U16, 5000, 5000, 1, nothing, NULL);
  plain = wf_estimate_memory (WF_OPERATION_WATERSHED, &image, &options, NULL);
  options.smoothing = 1;
  smooth = wf_estimate_memory (WF_OPERATION_WATERSHED, &image, &options, NULL);
  options.gradient = 1;
  both = wf_estimate_memory (WF_OPERATION_WATERSHED, &image, &options, NULL);
  g_assert_cmpuint (smooth, >=, plain + 2 * 5000 * 5000);
  g_assert_cmpuint (both, >=, smooth);
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      WfFilterOptions filter = filter_options (operations[i]);
      guint64         bytes  = wf_estimate_memory (operations[i], &image, &filter, NULL);

      g_assert_cmpuint (bytes, >=, (i + 1) * 2 * 5000 * 5000);
      filter.sigma  = -1;
      filter.radius = -1;
      assert_refused (wf_estimate_memory (operations[i], &image, &filter, &refusal) != 0,
                      WF_ERROR_INVALID);
    }
}


/*  Refusals  */

static void
test_refuses_images (gconstpointer data)
{
  static const WfType   wrong[]   = { WF_TYPE_U32, WF_TYPE_F64, WF_TYPE_U8 };
  const WfOperation     operation = (WfOperation) GPOINTER_TO_INT (data);
  const WfFilterOptions options   = filter_options (operation);
  const RefSize         size      = { 4, 3, 2 };
  const double          zero[24]  = { 0 };

  for (int i = 0; i < 2 * (N_VIEW_FAULTS + (int) G_N_ELEMENTS (wrong)); i++)
    {
      g_autoptr (GuardedImage)  image = guarded_image_new_levels (WF_TYPE_F32, &size, zero);
      g_autoptr (GuardedImage)  out   = guarded_image_new (WF_TYPE_F32, &size, FALSE);
      WfImage                  *view  = i % 2 ? &image->view : &out->view;

      if (i / 2 < N_VIEW_FAULTS)
        spoil_view (view, i / 2);
      else
        view->type = wrong[i / 2 - N_VIEW_FAULTS];
      assert_refused (filter_call (operation, NULL, &image->view, &out->view, &options, &refusal),
                      WF_ERROR_INVALID);
      g_assert_true (guarded_image_is_untouched (out));
    }
  for (int p = 0; p < 24; p++)
    {
      g_autoptr (GuardedImage) image = guarded_image_new_levels (WF_TYPE_F32, &size, zero);
      g_autoptr (GuardedImage) out   = guarded_image_new (WF_TYPE_F32, &size, FALSE);

      guarded_image_set_float (image, p, p % 2 ? NAN : -NAN);
      assert_refused (filter_call (operation, NULL, &image->view, &out->view, &options, &refusal),
                      WF_ERROR_INVALID);
      g_assert_true (guarded_image_is_untouched (out));
    }
}

#define assert_options_refused(operation, field, value)                                   \
  G_STMT_START                                                                            \
    {                                                                                     \
      WfFilterOptions refused = filter_options (operation);                               \
                                                                                          \
      refused.field = (value);                                                            \
      assert_refused (filter_call (operation, NULL, &image->view, &out->view, &refused,   \
                                   &refusal), WF_ERROR_INVALID);                          \
      g_assert_true (guarded_image_is_untouched (out));                                   \
    }                                                                                     \
  G_STMT_END

static void
test_refuses_options (void)
{
  const RefSize            size    = { 4, 3, 1 };
  const double             zero[]  = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  g_autoptr (GuardedImage) image   = guarded_image_new_levels (WF_TYPE_U8, &size, zero);
  g_autoptr (GuardedImage) out     = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  g_autoptr (GuardedImage) labels  = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  const double             wrong[] = { -1, -1e-300, WF_MAX_SIGMA + 1e-6, 1e300, INFINITY, NAN };
  WfWatershedOptions       options;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      assert_options_refused (WF_OPERATION_GAUSSIAN, sigma, wrong[i]);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
      options.smoothing = wrong[i];
      assert_refused (wf_watershed (NULL, &image->view, NULL, &labels->view, NULL, &options,
                                    &refusal), WF_ERROR_INVALID);
    }
  assert_options_refused (WF_OPERATION_GAUSSIAN, algorithm, "windows");
  assert_options_refused (WF_OPERATION_GRADIENT, algorithm, "separable");
  assert_options_refused (WF_OPERATION_GRADIENT, element, 2);
  assert_options_refused (WF_OPERATION_GRADIENT, radius, -1);
  assert_options_refused (WF_OPERATION_GRADIENT, radius, (1 << 20) + 1);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.gradient = -1;
  assert_refused (wf_watershed (NULL, &image->view, NULL, &labels->view, NULL, &options,
                                &refusal), WF_ERROR_INVALID);
  g_assert_true (guarded_image_is_untouched (labels));
}

/* Filters with wide windows are cancelled soon, too. */
static void
cancel (double   fraction,
        gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
test_cancelled (gconstpointer data)
{
  const WfOperation         operation   = (WfOperation) GPOINTER_TO_INT (data);
  const RefSize             size        = { 1500, 1500, 1 };
  g_autofree double        *levels      = g_new0 (double, ref_n_pixels (&size));
  g_autoptr (GuardedImage)  image       = guarded_image_new_levels (WF_TYPE_U16, &size, levels);
  g_autoptr (GuardedImage)  out         = guarded_image_new (WF_TYPE_U16, &size, FALSE);
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (WfContext)     context     = wf_context_new ();
  const WfFilterOptions     options     = { .size = sizeof options, .sigma = 100,
                                            .element = WF_ELEMENT_DISC,
                                            .radius = 300 };
  const gint64              start       = g_get_monotonic_time ();

  wf_context_set_cancellable (context, cancellable);
  wf_context_set_progress (context, cancel, cancellable);
  assert_refused_with (filter_call (operation, context, &image->view, &out->view, &options,
                                    &refusal), G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_USEC_PER_SEC);
  g_assert_true (guarded_image_is_untouched (out));
}

static void
add (const char    *path,
     WfOperation    operation,
     GTestDataFunc  test)
{
  g_autofree char *full = g_strdup_printf ("/filters/%s/%s", path,
                                           wf_operation_get_options (operation)->name);

  g_test_add_data_func (full, GINT_TO_POINTER (operation), test);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      add ("random", operations[i], test_random);
      add ("refuses-images", operations[i], test_refuses_images);
      add ("cancelled", operations[i], test_cancelled);
    }
  g_test_add_func ("/filters/weights", test_weights);
  g_test_add_func ("/filters/constants", test_constants);
  g_test_add_func ("/filters/rounding", test_rounding);
  g_test_add_func ("/filters/gradient", test_gradient);
  g_test_add_func ("/filters/watershed", test_watershed);
  g_test_add_func ("/filters/estimate", test_estimate);
  g_test_add_func ("/filters/refuses-options", test_refuses_options);

  return g_test_run ();
}
