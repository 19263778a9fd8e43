/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Geodesic distances: against the definition; what is known of corridors and spirals; sums of more
 * than 32 bits; costs that differ very much; refusals.
 */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/guarded-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static WfGeodesicOptions
options_of (int metric)
{
  WfGeodesicOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_GEODESIC_DISTANCE), &options);
  options.metric = metric;
  return options;
}

static WfImage
view_of (WfType   type,
         gint64   width,
         gint64   height,
         gpointer pixels)
{
  WfImage image;

  g_assert_true (wf_image_init (&image, type, width, height, 1, pixels, NULL));
  return image;
}

static void
test_random (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_geodesic_cases (configurations, test_count (300, 2500));
}


/*  Results that are known  */

/* On a plain the sum of the steps of a way that first goes diagonally. */
static void
test_plain (void)
{
  static const struct
  {
    int    metric;
    double diagonal;
  } cases[] =
  {
    { WF_GEODESIC_QUASI_EUCLIDEAN, 396.0 / 280 }, { WF_GEODESIC_CITY_BLOCK, 2 },
    { WF_GEODESIC_CHESSBOARD, 1 }, { WF_GEODESIC_CHAMFER_3_4, 4.0 / 3 },
    { WF_GEODESIC_CHAMFER_5_7, 7.0 / 5 },
  };
  const int           width   = 300;
  const int           height  = 170;
  g_autofree guint8  *mask    = g_malloc (width * height);
  g_autofree guint8  *markers = g_malloc0 (width * height);
  g_autofree float   *out     = g_new (float, width * height);

  memset (mask, 1, width * height);
  markers[40 * width + 210] = 9;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const WfGeodesicOptions options = options_of (cases[i].metric);
      WfImage                 images[] = { view_of (WF_TYPE_U8, width, height, mask),
                                           view_of (WF_TYPE_U8, width, height, markers),
                                           view_of (WF_TYPE_F32, width, height, out) };

      g_assert_true (wf_geodesic_distance (NULL, &images[0], &images[1], NULL, &images[2], &options,
                                           NULL));
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          {
            const int along  = ABS (x - 210);
            const int across = ABS (y - 40);

            g_assert_cmpfloat_with_epsilon (out[y * width + x],
                                            cases[i].diagonal * MIN (along, across) +
                                            ABS (along - across), 1e-4);
          }
    }
}

/* A square spiral from the outside to the middle, one pixel wide with one pixel between its turns;
 * its pixels in order.  Its legs are side, side − 1, side − 1, side − 3, side − 3, … pixels long.
 */
static GArray *
make_spiral (int     side,
             guint8 *mask)
{
  GArray *way    = g_array_new (FALSE, FALSE, sizeof (int));
  int     p      = -1;
  int     step   = 1;
  int     length = side;

  memset (mask, 0, side * side);
  for (int leg = 0; length > 0; leg++)
    {
      for (int i = 0; i < length; i++)
        {
          mask[p += step] = 1;
          g_array_append_val (way, p);
        }
      step    = step == 1 ? side : step == side ? -1 : step == -1 ? -side : 1;
      length -= leg == 0 ? 1 : leg % 2 ? 0 : 2;
    }
  return way;
}

/* The distance along a corridor is the number of its pixels, whatever threads and tiles are. */
static void
test_spiral (void)
{
  const int               side    = test_count (203, 803);
  g_autofree guint8      *mask    = g_malloc (side * side);
  g_autofree guint32     *markers = g_new0 (guint32, side * side);
  g_autofree float       *out     = g_new (float, side * side);
  g_autoptr (GArray)      way     = make_spiral (side, mask);
  const WfGeodesicOptions options = options_of (WF_GEODESIC_CITY_BLOCK);

  markers[0] = 1;
  for (int threads = 1; threads <= 4; threads++)
    for (int tile = 0; tile <= 64; tile += 16)
      {
        g_autoptr (WfContext) context = NULL;
        WfContextOptions      wanted;
        WfImage               images[] = { view_of (WF_TYPE_U8, side, side, mask),
                                           view_of (WF_TYPE_U32, side, side, markers),
                                           view_of (WF_TYPE_F32, side, side, out) };

        wf_option_group_init (wf_context_get_options (), &wanted);
        wanted.threads   = threads;
        wanted.tile_size = tile;
        context          = wf_context_new ();
        g_assert_true (wf_context_configure (context, &wanted, NULL));
        g_assert_true (wf_geodesic_distance (context, &images[0], &images[1], NULL, &images[2],
                                             &options, NULL));
        for (guint i = 0; i < way->len; i++)
          g_assert_cmpfloat (out[g_array_index (way, int, i)], ==, i);
        for (int p = 0; p < side * side; p++)
          g_assert_true (mask[p] || isinf (out[p]));
      }
}

/* Costs whose sums need 33 bits and more, which is found only on the way. */
static void
test_wide (void)
{
  const int               n       = 40000;
  g_autofree guint8      *mask    = g_malloc (2 * n);
  g_autofree guint8      *markers = g_malloc0 (2 * n);
  g_autofree guint8      *costs   = g_malloc (2 * n);
  g_autofree float       *out     = g_new (float, 2 * n);
  const WfGeodesicOptions options = options_of (WF_GEODESIC_QUASI_EUCLIDEAN);
  WfImage                 images[] = { view_of (WF_TYPE_U8, n, 2, mask),
                                       view_of (WF_TYPE_U8, n, 2, markers),
                                       view_of (WF_TYPE_U8, n, 2, costs),
                                       view_of (WF_TYPE_F32, n, 2, out) };

  memset (mask, 1, 2 * n);
  memset (costs, 255, 2 * n);
  markers[0] = markers[n] = 1;
  g_assert_true (wf_geodesic_distance (NULL, &images[0], &images[1], &images[2], &images[3],
                                       &options, NULL));
  for (int p = 0; p < 2 * n; p++)
    g_assert_cmpfloat (out[p], ==, (float) (255.0 * (p % n)));
}

/* A wide field of the least cost beside one of the greatest: a bucket is many steps wide there. */
static void
test_uneven (void)
{
  const int               width   = 700;
  const int               height  = 600;
  g_autofree guint8      *mask    = g_malloc (width * height);
  g_autofree guint8      *markers = g_malloc0 (width * height);
  g_autofree guint16     *costs   = g_new (guint16, width * height);
  g_autofree float       *out     = g_new (float, width * height);
  const WfGeodesicOptions options = options_of (WF_GEODESIC_CHESSBOARD);
  WfImage                 images[] = { view_of (WF_TYPE_U8, width, height, mask),
                                       view_of (WF_TYPE_U8, width, height, markers),
                                       view_of (WF_TYPE_U16, width, height, costs),
                                       view_of (WF_TYPE_F32, width, height, out) };

  memset (mask, 1, width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      costs[y * width + x] = y < height / 2 ? 1 : G_MAXUINT16;
  markers[0] = 1;
  g_assert_true (wf_geodesic_distance (NULL, &images[0], &images[1], &images[2], &images[3],
                                       &options, NULL));
  for (int y = 0; y < height / 2; y++)
    for (int x = 0; x < width; x++)
      g_assert_cmpfloat (out[y * width + x], ==, MAX (x, y));
  for (int y = height / 2; y < height; y++)
    {
      const double last = height / 2 - 1;
      const double down = (y - height / 2) * (double) G_MAXUINT16 + (G_MAXUINT16 + 1) / 2.0;

      g_assert_cmpfloat (out[y * width], ==, (float) (last + down));
    }
}

/* What is marked outside the mask is no source. */
static void
test_unreached (void)
{
  guint8                  mask[8]    = { 0 };
  guint8                  markers[8] = { 1, 0, 0, 0, 0, 0, 0, 1 };
  float                   out[8];
  const WfGeodesicOptions options    = options_of (WF_GEODESIC_CHESSBOARD);
  WfImage                 images[]   = { view_of (WF_TYPE_U8, 8, 1, mask),
                                         view_of (WF_TYPE_U8, 8, 1, markers),
                                         view_of (WF_TYPE_F32, 8, 1, out) };

  g_assert_true (wf_geodesic_distance (NULL, &images[0], &images[1], NULL, &images[2], &options,
                                       NULL));
  for (int p = 0; p < 8; p++)
    g_assert_true (isinf (out[p]));
  mask[2] = mask[3] = mask[6] = mask[7] = 5;
  g_assert_true (wf_geodesic_distance (NULL, &images[0], &images[1], NULL, &images[2], &options,
                                       NULL));
  g_assert_true (isinf (out[0]) && isinf (out[2]) && isinf (out[3]) && isinf (out[5]));
  g_assert_true (out[6] == 1 && out[7] == 0);
}


/*  Refusals  */

static void
test_refusals (void)
{
  guint8            pixels[6] = { 1, 2, 3, 4, 5, 6 };
  guint8            none[6]   = { 0 };
  float             floats[6] = { 0, 1, NAN, 3, 4, 5 };
  float             out[6]    = { 7, 7, 7, 7, 7, 7 };
  guint64           wide[6]   = { 1 };
  WfGeodesicOptions options   = options_of (WF_GEODESIC_CHESSBOARD);
  WfImage           image     = view_of (WF_TYPE_U8, 3, 2, pixels);
  WfImage           other     = view_of (WF_TYPE_U8, 2, 3, pixels);
  WfImage           unmarked  = view_of (WF_TYPE_U8, 3, 2, none);
  WfImage           real      = view_of (WF_TYPE_F32, 3, 2, floats);
  WfImage           large     = view_of (WF_TYPE_U64, 3, 2, wide);
  WfImage           result    = view_of (WF_TYPE_F32, 3, 2, out);

#define REFUSED(mask, markers, costs, result) \
  assert_refused (wf_geodesic_distance (NULL, mask, markers, costs, result, &options, &refusal), \
                  WF_ERROR_INVALID)

  REFUSED (&large, &image, NULL, &result);
  REFUSED (&image, &large, NULL, &result);
  REFUSED (&image, &other, NULL, &result);
  REFUSED (&image, &image, &other, &result);
  REFUSED (&image, &image, &real, &result);
  REFUSED (&image, &image, NULL, &image);
  REFUSED (&image, &unmarked, NULL, &result);
  REFUSED (&real, &image, NULL, &result);
  REFUSED (&image, &real, NULL, &result);
  options.metric = 5;
  REFUSED (&image, &image, NULL, &result);
  for (int p = 0; p < 6; p++)
    g_assert_true (out[p] == 7);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/geodesic/random", test_random);
  g_test_add_func ("/geodesic/plain", test_plain);
  g_test_add_func ("/geodesic/spiral", test_spiral);
  g_test_add_func ("/geodesic/wide", test_wide);
  g_test_add_func ("/geodesic/uneven", test_uneven);
  g_test_add_func ("/geodesic/unreached", test_unreached);
  g_test_add_func ("/geodesic/refusals", test_refusals);

  return g_test_run ();
}
