/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters: against their definitions, on all instruction sets; known properties; refusals;
 * and the watershed of a filtered image.
 */

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "filter-call.h"
#include "tests/support/estimate.h"
#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static const WfType      types[]      = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
static const WfOperation operations[] = { WF_OPERATION_GAUSSIAN, WF_OPERATION_GRADIENT,
                                          WF_OPERATION_EROSION, WF_OPERATION_DILATION,
                                          WF_OPERATION_OPENING, WF_OPERATION_CLOSING,
                                          WF_OPERATION_WHITE_TOP_HAT,
                                          WF_OPERATION_BLACK_TOP_HAT, WF_OPERATION_MEDIAN };

/* Those that take a line. */
static const WfOperation by_lines[]   = { WF_OPERATION_EROSION, WF_OPERATION_DILATION,
                                          WF_OPERATION_OPENING, WF_OPERATION_CLOSING,
                                          WF_OPERATION_WHITE_TOP_HAT,
                                          WF_OPERATION_BLACK_TOP_HAT };

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

/* The window reaches 3 sigma to either side, rounded up to whole pixels.  The result for one bright
 * pixel is the weights, within half a level.
 */
static void
test_weights (void)
{
  for (double sigma = 0.5; sigma <= WF_MAX_SIGMA; sigma = 1.37 * sigma + 0.11)
    {
      const gint64         radius  = (gint64) ceil (3 * sigma);
      const gint64         n       = 2 * radius + 21;
      g_autofree guint16  *pixels  = g_new0 (guint16, n);
      g_autofree float    *floats  = g_new0 (float, n);
      WfFilterOptions      options = { .size = sizeof options, .sigma = sigma };
      WfImage              view;
      double               all     = 0;

      pixels[n / 2] = G_MAXUINT16;
      view_row (&view, WF_TYPE_U16, n, pixels);
      g_assert_true (wf_gaussian (NULL, &view, &view, &options, NULL));
      floats[n / 2] = 1;
      view_row (&view, WF_TYPE_F32, n, floats);
      g_assert_true (wf_gaussian (NULL, &view, &view, &options, NULL));
      for (gint64 k = -radius; k <= radius; k++)
        all += exp (-0.5 * k * k / sigma / sigma);
      for (gint64 i = 0; i < n; i++)
        {
          const double k      = i - n / 2;
          const double weight = fabs (k) > radius ? 0 : exp (-0.5 * k * k / sigma / sigma) / all;

          g_assert_cmpuint (pixels[i], ==, pixels[n - 1 - i]);
          g_assert_cmpfloat (fabs (pixels[i] - 65535 * weight), <, 0.5001);
          g_assert_true ((floats[i] > 0) == (fabs (k) <= radius));
        }
    }
}


/*  Against the exact result, of weights that are not rounded  */

static void
smooth_exactly (const RefSize *size,
                double         sigma,
                long double   *levels)
{
  const gint64            n         = ref_n_pixels (size);
  const gint64            lengths[] = { size->width, size->height, size->depth };
  const gint64            steps[]   = { 1, size->width, size->width * size->height };
  const gint64            radius    = (gint64) ceil (3 * sigma);
  g_autofree long double *from      = g_new (long double, n);
  g_autofree long double *weights   = g_new (long double, radius + 1);
  long double             all       = 0;

  for (gint64 k = radius; k >= 0; k--)
    {
      const long double ratio = k == 0 ? 0 : k / (long double) sigma;

      weights[k] = expl (-ratio * ratio / 2);
      all       += k == 0 ? 1 : 2 * weights[k];
    }
  for (int axis = 0; axis < 3; axis++)
    {
      memcpy (from, levels, n * sizeof *levels);
      for (gint64 p = 0; p < n; p++)
        {
          const gint64 at  = p / steps[axis] % lengths[axis];
          long double  sum = 0;

          for (gint64 k = -radius; k <= radius; k++)
            sum += weights[ABS (k)]
                   * from[p + (CLAMP (at + k, 0, lengths[axis] - 1) - at) * steps[axis]];
          levels[p] = sum / all;
        }
    }
}

/* Noise, extremes, edges, single pixels; and rows for which rounded weights are worst: the highest
 * level at all distances at which rounding to 16 or 31 bits makes a weight too large, or too small.
 */
static void
draw_hostile (const RefSize *size,
              double         sigma,
              int            kind,
              double         highest,
              double        *levels)
{
  const gint64 n    = ref_n_pixels (size);
  const int    bits = kind % 2 ? 16 : 31;
  long double  all  = 0;

  for (gint64 k = -(gint64) ceil (3 * sigma); k <= ceil (3 * sigma); k++)
    all += expl (-0.5L * k * k / sigma / sigma);
  for (gint64 p = 0; p < n; p++)
    {
      const gint64      x      = p % size->width - size->width / 2;
      const long double scaled = ldexpl (expl (-0.5L * x * x / sigma / sigma) / all, bits);
      const gboolean    large  = scaled - floorl (scaled) >= 0.5L;

      switch (kind)
        {
        case 0:
          levels[p] = g_test_rand_int_range (0, (int) highest + 1);
          break;
        case 1:
          levels[p] = g_test_rand_bit () ? highest : 0;
          break;
        case 2:
          levels[p] = x < 0 ? 0 : highest;
          break;
        case 3:
          levels[p] = p == n / 2 ? 0 : highest;
          break;
        case 4:
          levels[p] = p % 2 ? highest : 0;
          break;
        case 5:
        case 6:
          levels[p] = large ? highest : 0;
          break;
        default:
          levels[p] = large ? 0 : highest;
          break;
        }
    }
}

static void
assert_nearly_exact (WfType         type,
                     const RefSize *size,
                     double         sigma,
                     int            kind)
{
  const gint64              n        = ref_n_pixels (size);
  const double              window   = 2 * ceil (3 * sigma) + 1;
  const double              allowed  = 0.5 + 3 * window / (type == WF_TYPE_U8 ? 512 : 32768);
  const WfFilterOptions     options  = { .size = sizeof options, .sigma = sigma };
  g_autofree double        *levels   = g_new (double, n);
  g_autofree long double   *expected = g_new (long double, n);
  g_autoptr (GuardedImage)  image    = NULL;

  draw_hostile (size, sigma, kind, type_highest (type), levels);
  for (gint64 p = 0; p < n; p++)
    expected[p] = levels[p];
  image = guarded_image_new_levels (type, size, levels);
  g_assert_true (wf_gaussian (NULL, &image->view, &image->view, &options, NULL));
  smooth_exactly (size, sigma, expected);
  for (gint64 p = 0; p < n; p++)
    {
      const gint64 offset = p % size->width + p / size->width % size->height
                            * image->view.row_stride
                            + p / size->width / size->height * image->view.slice_stride;
      const double level  = type == WF_TYPE_U8 ? ((const guint8 *) image->view.data)[offset]
                                               : ((const guint16 *) image->view.data)[offset];

      g_assert_cmpfloat (fabs ((double) (level - expected[p])), <=, allowed);
    }
}

static void
test_exact (void)
{
  static const struct { RefSize size; double most; } cases[] =
  {
    { { 61, 1, 1 },   30 },
    { { 1, 53, 1 },   30 },
    { { 1601, 1, 1 }, WF_MAX_SIGMA },
    { { 41, 37, 1 },  6 },
    { { 15, 13, 11 }, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int kind = 0; kind < 9; kind++)
      for (guint j = 0; j < test_count (2, 12); j++)
        {
          const double most  = cases[i].most;
          const double sigma = j == 0 ? most : most * (0.02 + 0.98 * g_test_rand_double ());

          assert_nearly_exact (WF_TYPE_U16, &cases[i].size, sigma, kind);
          assert_nearly_exact (WF_TYPE_U8, &cases[i].size, sigma, kind);
        }
}

/* Sigma 0, and one so small that no other pixel counts, leave all as it is. */
static void
test_identity (void)
{
  const float   row[]    = { INFINITY, -INFINITY, 0.0f, -0.0f, FLT_MAX, -FLT_MAX, 1e-45f, 3,
                             INFINITY, -3 };
  const double  sigmas[] = { 0, 1e-300, 0.01 };
  const RefSize sizes[]  = { { 10, 1, 1 }, { 1, 10, 1 }, { 5, 2, 1 }, { 1, 1, 10 }, { 5, 1, 2 } };

  for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
    for (guint z = 0; z < G_N_ELEMENTS (sizes); z++)
      {
        const WfFilterOptions options = { .size = sizeof options, .sigma = sigmas[s] };
        float                 out[10] = { 0 };
        WfImage               from;
        WfImage               to;

        g_assert_true (wf_image_init (&from, WF_TYPE_F32, sizes[z].width, sizes[z].height,
                                      sizes[z].depth, (gpointer) row, NULL));
        g_assert_true (wf_image_init (&to, WF_TYPE_F32, sizes[z].width, sizes[z].height,
                                      sizes[z].depth, out, NULL));
        g_assert_true (wf_gaussian (NULL, &from, &to, &options, NULL));
        g_assert_cmpmem (out, sizeof out, row, sizeof row);
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

                if (sigmas[s] == 0)
                  {
                    g_assert_true (value == (float) level);
                    continue;
                  }
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


/*  Erosion and dilation  */

/* A bright pixel becomes the element. */
static void
assert_element (int          element,
                int          radius,
                double       angle,
                const char  *expected)
{
  WfFilterOptions options = filter_options (WF_OPERATION_DILATION);
  guint8          pixels[49] = { 0 };
  char            shape[50]  = { 0 };
  WfImage         view;

  options.element = element;
  options.radius  = radius;
  options.angle   = angle;
  pixels[24]      = 200;
  g_assert_true (wf_image_init (&view, WF_TYPE_U8, 7, 7, 1, pixels, NULL));
  g_assert_true (wf_dilation (NULL, &view, &view, &options, NULL));
  for (int p = 0; p < 49; p++)
    shape[p] = pixels[p] == 200 ? '#' : pixels[p] == 0 ? '.' : '?';
  g_assert_cmpstr (shape, ==, expected);
}

static void
test_elements (void)
{
  assert_element (WF_ELEMENT_SQUARE, 1, 0,
                  "......." "......." "..###.." "..###.." "..###.." "......." ".......");
  assert_element (WF_ELEMENT_DISC, 2, 0,
                  "......." "...#..." "..###.." ".#####." "..###.." "...#..." ".......");
  assert_element (WF_ELEMENT_DISC, 3, 0,
                  "...#..." ".#####." ".#####." "#######" ".#####." ".#####." "...#...");
  assert_element (WF_ELEMENT_LINE, 2, 0,
                  "......." "......." "......." ".#####." "......." "......." ".......");
  assert_element (WF_ELEMENT_LINE, 2, 90,
                  "......." "...#..." "...#..." "...#..." "...#..." "...#..." ".......");
  assert_element (WF_ELEMENT_LINE, 2, -180,
                  "......." "......." "......." ".#####." "......." "......." ".......");
  assert_element (WF_ELEMENT_LINE, 2, 45,
                  "......." ".....#." "....#.." "...#..." "..#...." ".#....." ".......");
  assert_element (WF_ELEMENT_LINE, 3, 135,
                  "#......" ".#....." "..#...." "...#..." "....#.." ".....#." "......#");
  assert_element (WF_ELEMENT_LINE, 3, 30,
                  "......." "......#" "....##." "...#..." ".##...." "#......" ".......");
  assert_element (WF_ELEMENT_LINE, 3, -60,
                  ".#....." "..#...." "..#...." "...#..." "....#.." "....#.." ".....#.");
  assert_element (WF_ELEMENT_LINE, 0, 20,
                  "......." "......." "......." "...#..." "......." "......." ".......");
}

/* Zeros leave as +0, and infinities are levels like others. */
static void
test_zeros (void)
{
  static const int elements[] = { WF_ELEMENT_SQUARE, WF_ELEMENT_DISC, WF_ELEMENT_LINE };
  const float      image[]    = { -0.0f, 0.0f, INFINITY, INFINITY, -INFINITY, -0.0f, 0.0f, -0.0f };
  const float      expected[] = { 0, 0, 0, -INFINITY, -INFINITY, -INFINITY, 0, 0 };

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++)
    for (gint64 width = 1; width <= 8; width *= 8)
      {
        WfFilterOptions options = filter_options (WF_OPERATION_EROSION);
        float           out[8];
        WfImage         in;
        WfImage         view;

        options.element = elements[e];
        options.angle   = width == 1 ? 90 : 0;
        g_assert_true (wf_image_init (&in, WF_TYPE_F32, width, 8 / width, 1, (gpointer) image,
                                      NULL));
        g_assert_true (wf_image_init (&view, WF_TYPE_F32, width, 8 / width, 1, out, NULL));
        g_assert_true (wf_erosion (NULL, &in, &view, &options, NULL));
        g_assert_cmpmem (out, sizeof out, expected, sizeof expected);
        options.radius = 0;
        g_assert_true (wf_dilation (NULL, &in, &view, &options, NULL));
        for (int i = 0; i < 8; i++)
          g_assert_true (out[i] == image[i] && ! (out[i] == 0 && signbit (out[i])));
      }
}

/* A dilation is an erosion of the inverse; a dilation of the erosion is the opening: it lowers, and
 * changes nothing the second time; a top-hat is the rest; a closing is an opening of the inverse.
 * Tiles of several strips and bands, and elements beyond them.
 */
static void
test_laws (void)
{
  const gint64       width  = test_count (4400, 9000);
  const gint64       height = 300;
  const gint64       n      = width * height;
  g_autofree guint8 *image  = g_new (guint8, n);
  g_autofree guint8 *other  = g_new (guint8, n);
  g_autofree guint8 *once   = g_new (guint8, n);
  g_autofree guint8 *twice  = g_new (guint8, n);
  static const int   radii[] = { 1, 2, 7, 31, 400, 5000 };
  WfImage            views[4];

  for (gint64 p = 0; p < n; p++)
    image[p] = (guint8) (g_test_rand_int () | (p / 64 % 3 ? 0 : 128));
  for (int i = 0; i < 4; i++)
    g_assert_true (wf_image_init (&views[i], WF_TYPE_U8, width, height, 1,
                                  (guint8 *[]) { image, other, once, twice }[i], NULL));
  for (guint i = 0; i < 2 * G_N_ELEMENTS (radii); i++)
    {
      WfFilterOptions options = filter_options (WF_OPERATION_EROSION);

      options.element = i % 2 ? WF_ELEMENT_LINE : WF_ELEMENT_SQUARE;
      options.angle   = 90 - 10 * (int) (i / 4);
      options.radius  = radii[i / 2];
      g_assert_true (wf_erosion (NULL, &views[0], &views[2], &options, NULL));
      for (gint64 p = 0; p < n; p++)
        other[p] = (guint8) ~image[p];
      g_assert_true (wf_dilation (NULL, &views[1], &views[1], &options, NULL));
      for (gint64 p = 0; p < n; p++)
        other[p] = (guint8) ~other[p];
      g_assert_cmpmem (once, n, other, n);

      g_assert_true (wf_dilation (NULL, &views[2], &views[2], &options, NULL));
      for (gint64 p = 0; p < n; p++)
        g_assert_cmpuint (once[p], <=, image[p]);
      g_assert_true (wf_erosion (NULL, &views[2], &views[3], &options, NULL));
      g_assert_true (wf_dilation (NULL, &views[3], &views[3], &options, NULL));
      g_assert_cmpmem (once, n, twice, n);
      g_assert_true (wf_opening (NULL, &views[0], &views[3], &options, NULL));
      g_assert_cmpmem (once, n, twice, n);
      g_assert_true (wf_white_top_hat (NULL, &views[0], &views[3], &options, NULL));
      for (gint64 p = 0; p < n; p++)
        g_assert_cmpuint (twice[p] + once[p], ==, image[p]);
      for (gint64 p = 0; p < n; p++)
        other[p] = (guint8) ~image[p];
      g_assert_true (wf_closing (NULL, &views[1], &views[3], &options, NULL));
      for (gint64 p = 0; p < n; p++)
        twice[p] = (guint8) ~twice[p];
      g_assert_cmpmem (once, n, twice, n);
    }
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
  plain = estimate_memory (WF_OPERATION_WATERSHED, &image, &options, NULL);
  options.smoothing = 1;
  smooth = estimate_memory (WF_OPERATION_WATERSHED, &image, &options, NULL);
  options.gradient = 1;
  both = estimate_memory (WF_OPERATION_WATERSHED, &image, &options, NULL);
  g_assert_cmpuint (smooth, >=, plain + 2 * 5000 * 5000);
  g_assert_cmpuint (both, >=, smooth);
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      WfFilterOptions filter = filter_options (operations[i]);
      guint64         bytes  = estimate_memory (operations[i], &image, &filter, NULL);

      g_assert_cmpuint (bytes, >=, (operations[i] == WF_OPERATION_GRADIENT ? 2 : 1)
                                   * 2 * 5000 * 5000);
      filter.sigma  = -1;
      filter.radius = -1;
      assert_refused (estimate_memory (operations[i], &image, &filter, &refusal) != 0,
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
  assert_options_refused (WF_OPERATION_MEDIAN, algorithm, "windows");
  assert_options_refused (WF_OPERATION_MEDIAN, radius, -1);
  assert_options_refused (WF_OPERATION_MEDIAN, radius, WF_MAX_MEDIAN_RADIUS + 1);
  for (guint i = 0; i < G_N_ELEMENTS (by_lines); i++)
    {
      const WfOperation operation = by_lines[i];

      assert_options_refused (operation, algorithm, "separable");
      assert_options_refused (operation, element, 3);
      assert_options_refused (operation, radius, -1);
      assert_options_refused (operation, radius, (1 << 20) + 1);
      assert_options_refused (operation, angle, 180.5);
      assert_options_refused (operation, angle, -1e300);
      assert_options_refused (operation, angle, NAN);
    }
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.gradient = -1;
  assert_refused (wf_watershed (NULL, &image->view, NULL, &labels->view, NULL, &options,
                                &refusal), WF_ERROR_INVALID);
  g_assert_true (guarded_image_is_untouched (labels));
}

/* A cube has more pixels than a square. */
static void
test_refuses_cubes (void)
{
  const RefSize            size    = { 4, 3, 2 };
  const double             zero[]  = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  g_autoptr (GuardedImage) image   = guarded_image_new_levels (WF_TYPE_U8, &size, zero);
  g_autoptr (GuardedImage) out     = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  WfFilterOptions          options = filter_options (WF_OPERATION_MEDIAN);

  options.radius = WF_MAX_MEDIAN_RADIUS_IN_STACKS + 1;
  assert_refused (wf_median (NULL, &image->view, &out->view, &options, &refusal),
                  WF_ERROR_INVALID);
  g_assert_true (guarded_image_is_untouched (out));
  assert_refused (estimate_memory (WF_OPERATION_MEDIAN, &image->view, &options, &refusal) != 0,
                  WF_ERROR_INVALID);
  options.radius = WF_MAX_MEDIAN_RADIUS_IN_STACKS;
  g_assert_true (wf_median (NULL, &image->view, &out->view, &options, NULL));
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
                                            .radius = operation == WF_OPERATION_MEDIAN
                                                      ? WF_MAX_MEDIAN_RADIUS : 300 };
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
  g_test_add_func ("/filters/exact", test_exact);
  g_test_add_func ("/filters/identity", test_identity);
  g_test_add_func ("/filters/constants", test_constants);
  g_test_add_func ("/filters/rounding", test_rounding);
  g_test_add_func ("/filters/gradient", test_gradient);
  g_test_add_func ("/filters/elements", test_elements);
  g_test_add_func ("/filters/zeros", test_zeros);
  g_test_add_func ("/filters/laws", test_laws);
  g_test_add_func ("/filters/watershed", test_watershed);
  g_test_add_func ("/filters/estimate", test_estimate);
  g_test_add_func ("/filters/refuses-options", test_refuses_options);
  g_test_add_func ("/filters/refuses-cubes", test_refuses_cubes);

  return g_test_run ();
}
