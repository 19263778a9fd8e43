/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ranges and differences of images, pixel by pixel, on views with gaps between rows. */

#include <math.h>
#include <string.h>

#include "tests/support/tiers.h"
#include "wavefront.h"

enum { WIDTH = 11, HEIGHT = 6, DEPTH = 2, ROW = 14, SLICE = 90, N = SLICE * DEPTH };

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32, WF_TYPE_U64, WF_TYPE_F32,
                                WF_TYPE_F64 };


static void
init_view (WfImage  *view,
           WfType    type,
           gpointer  data)
{
  g_assert_true (wf_image_init (view, type, WIDTH, HEIGHT, DEPTH, data, NULL));
  view->row_stride   = ROW;
  view->slice_stride = SLICE;
}

static gboolean
is_inside (int i)
{
  return i % SLICE % ROW < WIDTH && i % SLICE / ROW < HEIGHT;
}

static double
get (const WfImage *image,
     int            i)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) image->data)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) image->data)[i];
    case WF_TYPE_U32:
      return ((const guint32 *) image->data)[i];
    case WF_TYPE_U64:
      return ((const guint64 *) image->data)[i] == G_MAXUINT64
             ? INFINITY : (double) ((const guint64 *) image->data)[i];
    case WF_TYPE_F64:
      return ((const double *) image->data)[i];
    default:
      return (double) ((const float *) image->data)[i];
    }
}

/* @share: of 8 pixels those that are not finite */
static double
choose_real (int share)
{
  static const double others[] = { INFINITY, -INFINITY, NAN };

  return g_test_rand_int_range (0, 8) < share ? others[g_test_rand_int_range (0, 3)]
                                              : g_test_rand_double_range (-1e6, 1e6);
}

static void
fill (WfImage *image,
      int      share)
{
  for (int i = 0; i < N; i++)
    {
      const guint32 number = (guint32) g_test_rand_int ();

      switch (image->type)
        {
        case WF_TYPE_U8:
          ((guint8 *) image->data)[i] = (guint8) number;
          break;
        case WF_TYPE_U16:
          ((guint16 *) image->data)[i] = (guint16) number;
          break;
        case WF_TYPE_U32:
          ((guint32 *) image->data)[i] = number;
          break;
        case WF_TYPE_U64:
          ((guint64 *) image->data)[i] = g_test_rand_int_range (0, 8) < share ? G_MAXUINT64
                                                                              : number;
          break;
        case WF_TYPE_F64:
          ((double *) image->data)[i] = choose_real (share);
          break;
        default:
          ((float *) image->data)[i] = (float) choose_real (share);
          break;
        }
    }
}

static void
test_range (void)
{
  for (guint round = 0; round < test_count (120, 1200); round++)
    {
      const int share  = (int) (round / G_N_ELEMENTS (types) % 3) * 4;
      double    pixels[N];
      double    low    = INFINITY;
      double    high   = -INFINITY;
      double    least;
      double    most;
      gboolean  found;
      WfImage   image;

      init_view (&image, types[round % G_N_ELEMENTS (types)], pixels);
      fill (&image, share);
      for (int i = 0; i < N; i++)
        if (is_inside (i) && isfinite (get (&image, i)))
          {
            low  = MIN (low, get (&image, i));
            high = MAX (high, get (&image, i));
          }
      found = wf_image_find_range (&image, &least, &most);
      g_assert_cmpint (found, ==, low <= high);
      g_assert_cmpfloat (least, ==, low);
      g_assert_cmpfloat (most, ==, high);
    }
}

/* The ends of integers count as levels. */
static void
test_ends (void)
{
  static const double highest[] = { G_MAXUINT8, G_MAXUINT16, G_MAXUINT32 };

  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++)
      {
        guint32 pixels[2];
        double  least;
        double  most;
        WfImage image;

        memset (pixels, k ? 255 : 0, sizeof pixels);
        g_assert_true (wf_image_init (&image, types[i], 2, 1, 1, pixels, NULL));
        g_assert_true (wf_image_find_range (&image, &least, &most));
        g_assert_cmpfloat (least, ==, k ? highest[i] : 0);
        g_assert_cmpfloat (most, ==, least);
      }
}

/* @into: the difference goes into an image of its own, the first or the second */
static void
check_difference (WfType type,
                  int    into)
{
  float   pixels[3][N];
  float   before[3][N];
  WfImage images[3];
  WfImage old[3];

  for (int k = 0; k < 3; k++)
    {
      init_view (&images[k], type, pixels[k]);
      init_view (&old[k], type, before[k]);
      fill (&images[k], 4);
    }
  for (int i = 0; i < N; i += 3)
    memcpy (&pixels[1][i], &pixels[0][i], sizeof (float));
  memcpy (before, pixels, sizeof pixels);
  wf_image_find_difference (&images[0], &images[1], &images[into]);
  for (int i = 0; i < N; i++)
    {
      const double a     = get (&old[0], i);
      const double b     = get (&old[1], i);
      const double found = get (&images[into], i);

      if (! is_inside (i))
        g_assert_true (found == get (&old[into], i) || isnan (found));
      else if (isnan (a) || isnan (b))
        g_assert_true (isnan (found));
      else
        g_assert_cmpfloat (found, ==, a == b ? 0 : type == WF_TYPE_F32
                                      ? (double) (float) fabs (a - b) : fabs (a - b));
    }
}

static void
test_difference (void)
{
  static const WfType levels[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (guint round = 0; round < test_count (60, 600); round++)
    check_difference (levels[round % 3], (int) (round / 3 % 3));
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/levels/range", test_range);
  g_test_add_func ("/levels/ends", test_ends);
  g_test_add_func ("/levels/difference", test_difference);
  return g_test_run ();
}
