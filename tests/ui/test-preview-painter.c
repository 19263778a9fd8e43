/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The image and levels in the preview: each pixel of the view against the definition, for
 * random images and zooms.
 */

#include <string.h>

#include "tests/support/tiers.h"
#include "ui/preview/array.h"
#include "preview-painting.h"


static WfPreviewColors
make_colors (const WfPreviewRegion *region,
             gboolean               opaque)
{
  WfPreviewColors colors = { .region = *region, .opaque = opaque };
  gint64          n      = wf_preview_region_n_pixels (region);

  colors.pixels = g_new (guint8, 4 * n);
  for (gint64 i = 0; i < 4 * n; i++)
    colors.pixels[i] = i % 4 == 3 && opaque ? 255 : (guint8) g_test_rand_int ();
  return colors;
}

static void
test_colors (void)
{
  static const double zooms[] = { 1, 1.5, 2, 3, 8, 5.37 };

  for (guint i = 0; i < test_count (24, 60); i++)
    {
      const gboolean   opaque   = i % 2;
      WfViewport       viewport = make_view (g_test_rand_int_range (1, 90),
                                             g_test_rand_int_range (1, 90),
                                             g_test_rand_int_range (1, 130),
                                             g_test_rand_int_range (1, 130),
                                             zooms[i % G_N_ELEMENTS (zooms)]);
      WfPreviewRegion  region;
      WfPreviewColors  colors;
      cairo_surface_t *surface = make_surface (&viewport);

      wf_viewport_pan (&viewport, g_test_rand_double_range (-100, 100), 17);
      wf_viewport_get_region (&viewport, i % 3, &region);
      colors = make_colors (&region, opaque);
      wf_preview_paint_colors (surface, &viewport, &colors, CHECK);

      for (int y = 0; y < viewport.view_height; y++)
        for (int x = 0; x < viewport.view_width; x++)
          {
            guint32 got = pixel_of (surface, x, y);
            int     column, row;

            if (! image_pixel_at (&viewport, x, y, &column, &row))
              {
                g_assert_cmphex (got, ==, 0);
                continue;
              }
            for (int j = 0; j < 3; j++)
              {
                const guint8 *pixel = colors.pixels + 4 * ((row - region.y) * region.width +
                                                           column - region.x);
                double        check = (x / CHECK + y / CHECK) % 2 ? 0x66 : 0x99;
                double        share = pixel[3] / 255.0;
                double        shown = pixel[j] * share + check * (1 - share);

                g_assert_cmpfloat (fabs ((got >> (16 - 8 * j) & 0xff) - shown), <=,
                                   opaque ? 0 : 1.6);
              }
            g_assert_cmphex (got >> 24, ==, 0xff);
          }
      g_free (colors.pixels);
      cairo_surface_destroy (surface);
    }
}

/* A region at another scale, as before the next one is read, is stretched. */
static void
test_colors_stretched (void)
{
  WfViewport       viewport = make_view (200, 200, 100, 100, 1);
  WfPreviewRegion  region;
  WfPreviewColors  colors;
  cairo_surface_t *surface = make_surface (&viewport);

  wf_preview_region_whole (&region, 200, 200, 0.25);
  colors = make_colors (&region, TRUE);
  wf_preview_paint_colors (surface, &viewport, &colors, CHECK);
  for (int y = 0; y < 100; y++)
    for (int x = 0; x < 100; x++)
      {
        const guint8 *pixel = colors.pixels + 4 * (y / 4 * 50 + x / 4);

        g_assert_cmphex (pixel_of (surface, x, y), ==,
                         OPAQUE ((guint32) pixel[0] << 16 | (guint32) pixel[1] << 8 | pixel[2]));
      }
  g_free (colors.pixels);
  cairo_surface_destroy (surface);
}

/* Outside the mask the picture is shown, at any zoom. */
static void
test_levels_masked (void)
{
  static const double zooms[] = { 0.5, 1, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      WfViewport                   viewport = make_view (40, 30, 90, 70, zooms[i]);
      WfPreviewRegion              region   = { 1, 0, 0, 40, 30, 0 };
      g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
      cairo_surface_t             *under    = make_surface (&viewport);
      cairo_surface_t             *surface  = make_surface (&viewport);

      g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U8, 40, 30, 1, NULL));
      g_assert_true (wf_image_allocate (&result->mask, WF_TYPE_U8, 40, 30, 1, NULL));
      for (int p = 0; p < 40 * 30; p++)
        {
          ((guint8 *) result->mask.data)[p]  = p % 40 >= 20;
          ((guint8 *) result->image.data)[p] = p % 40 >= 20 ? 100 : 200;
        }
      result->white = 255;
      memset (cairo_image_surface_get_data (under), 0x77,
              (gsize) cairo_image_surface_get_stride (under) * 70);
      wf_preview_paint_levels (surface, under, &viewport, result, NULL, CHECK);
      for (int y = 0; y < 70; y++)
        for (int x = 0; x < 90; x++)
          {
            int column, row;

            if (image_pixel_at (&viewport, x, y, &column, &row))
              g_assert_cmphex (pixel_of (surface, x, y), ==,
                               column >= 20 ? OPAQUE (0x646464) : 0x77777777);
          }
      cairo_surface_destroy (under);
      cairo_surface_destroy (surface);
    }
}

static void
test_levels (void)
{
  static const WfType types[]  = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  static const double whites[] = { 255, 65535, 1 };

  for (guint i = 0; i < test_count (24, 60); i++)
    {
      const int                    kind     = i % 3;
      WfViewport                   viewport = make_view (40, 30, 90, 70, i % 2 ? 1 : 2);
      WfPreviewRegion              region   = { 1, 3, 4, 31, 22, 0 };
      g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
      cairo_surface_t             *under    = make_surface (&viewport);
      cairo_surface_t             *surface  = make_surface (&viewport);

      g_assert_true (wf_image_allocate (&result->image, types[kind], 31, 22, 1, NULL));
      fill_random (&result->image);
      result->white = whites[kind];
      if (kind == 2)
        ((float *) result->image.data)[5] = INFINITY;
      memset (cairo_image_surface_get_data (under), 0x77,
              (gsize) cairo_image_surface_get_stride (under) * 70);
      wf_preview_paint_levels (surface, under, &viewport, result, NULL, CHECK);

      for (int y = 0; y < 70; y++)
        for (int x = 0; x < 90; x++)
          {
            int     column, row, shade;
            guint32 got = pixel_of (surface, x, y);

            if (! image_pixel_at (&viewport, x, y, &column, &row) ||
                column < 3 || row < 4 || column >= 34 || row >= 26)
              {
                g_assert_cmphex (got, ==, 0x77777777);
                continue;
              }
            shade = (int) CLAMP (floor (level_of (&result->image, (row - 4) * 31 + column - 3) /
                                        whites[kind] * 255 + 0.5), 0, 255);
            g_assert_cmpint (abs ((int) (got & 0xff) - shade), <=, kind == 0 ? 0 : 1);
            g_assert_cmphex (got, ==, OPAQUE ((got & 0xff) * 0x010101));
          }
      cairo_surface_destroy (surface);
      cairo_surface_destroy (under);
    }
}

/* Reduced levels are means. */
static void
test_levels_averaged (void)
{
  WfViewport                   viewport = make_view (64, 64, 16, 16, 0.25);
  WfPreviewRegion              region   = { 1, 0, 0, 64, 64, 0 };
  g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
  cairo_surface_t             *surface  = make_surface (&viewport);

  g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U8, 64, 64, 1, NULL));
  fill_random (&result->image);
  result->white = 255;
  wf_preview_paint_levels (surface, surface, &viewport, result, NULL, CHECK);
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++)
      {
        double sum = 0;

        for (int i = 0; i < 16; i++)
          sum += level_of (&result->image, (4 * y + i / 4) * 64 + 4 * x + i % 4);
        g_assert_cmpfloat (fabs ((pixel_of (surface, x, y) & 0xff) - sum / 16), <=, 0.51);
      }
  cairo_surface_destroy (surface);
}

/* Where the image is transparent, so are the levels. */
static void
test_levels_transparent (void)
{
  WfViewport                   viewport = make_view (32, 32, 32, 32, 1);
  WfPreviewRegion              region   = { 1, 0, 0, 32, 32, 0 };
  WfPreviewColors              colors   = make_colors (&region, FALSE);
  g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
  cairo_surface_t             *surface  = make_surface (&viewport);

  g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U8, 32, 32, 1, NULL));
  fill_random (&result->image);
  result->white = 255;
  wf_preview_paint_levels (surface, surface, &viewport, result, &colors, CHECK);
  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 32; x++)
      {
        double share = colors.pixels[4 * (y * 32 + x) + 3] / 255.0;
        double check = (x / CHECK + y / CHECK) % 2 ? 0x66 : 0x99;
        double shown = level_of (&result->image, y * 32 + x) * share + check * (1 - share);

        g_assert_cmpfloat (fabs ((pixel_of (surface, x, y) & 0xff) - shown), <=, 1.6);
      }
  g_free (colors.pixels);
  cairo_surface_destroy (surface);
}

/* Each pixel counts once; a scaled pixel is the mean of those under it. */
static void
test_array (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (guint i = 0; i < test_count (24, 60); i++)
    {
      g_auto (WfImage) levels = { 0 };
      g_auto (WfImage) out    = { 0 };
      WfPreviewRegion  region;
      const int        factor = g_test_rand_int_range (1, 6);
      const int        width  = factor * g_test_rand_int_range (2, 20);
      const int        height = factor * g_test_rand_int_range (2, 20);

      g_assert_true (wf_image_allocate (&levels, types[i % 3], width, height, 1, NULL));
      fill_random (&levels);
      wf_preview_region_whole (&region, width, height, 1.0 / factor);
      region.x++;
      region.width--;
      g_assert_true (wf_preview_array_read_levels (&levels, &region, &out, NULL));
      g_assert_cmpint (out.width, ==, width / factor - 1);
      g_assert_cmpint (out.height, ==, height / factor);
      for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++)
          {
            double sum = 0;

            for (int j = 0; j < factor * factor; j++)
              sum += level_of (&levels, (gint64) (y * factor + j / factor) * width +
                                        (x + 1) * factor + j % factor);
            g_assert_cmpfloat (fabs (level_of (&out, y * out.width + x) -
                                     sum / (factor * factor)), <=, i % 3 == 2 ? 1e-5 : 0.5);
          }
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/painter/colors", test_colors);
  g_test_add_func ("/painter/colors-stretched", test_colors_stretched);
  g_test_add_func ("/painter/levels-masked", test_levels_masked);
  g_test_add_func ("/painter/levels", test_levels);
  g_test_add_func ("/painter/levels-averaged", test_levels_averaged);
  g_test_add_func ("/painter/levels-transparent", test_levels_transparent);
  g_test_add_func ("/painter/array", test_array);

  return g_test_run ();
}
