/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Marking, limiting and inverting, compared pixel by pixel, on views with gaps between rows. */

#include <math.h>
#include <string.h>

#include "tests/support/pixel-value.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

enum { WIDTH = 13, HEIGHT = 7, DEPTH = 3, ROW = 17, SLICE = 150, N = SLICE * DEPTH };

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };


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

static void
fill (WfImage *image)
{
  for (int i = 0; i < N; i++)
    {
      const int level = g_test_rand_int_range (-3, 4);

      switch (image->type)
        {
        case WF_TYPE_U8:
          ((guint8 *) image->data)[i] = (guint8) MAX (level, 0);
          break;
        case WF_TYPE_U16:
          ((guint16 *) image->data)[i] = (guint16) (level < 0 ? 65535 : level);
          break;
        default:
          ((float *) image->data)[i] = level < -2 ? -INFINITY : (float) level / 2;
          break;
        }
    }
}

static void
test_mark (void)
{
  static const double thresholds[] = { NAN, 0, 1, -1, 70000 };

  for (int round = 0; round < 30; round++)
    {
      const double   threshold = thresholds[round % 5];
      const gboolean above     = round / 5 % 2;
      float          levels[N];
      guint8         marks[N];
      WfImage        image;
      WfImage        foreground;

      init_view (&image, types[round / 10], levels);
      init_view (&foreground, WF_TYPE_U8, marks);
      fill (&image);
      memset (marks, 9, sizeof marks);
      wf_foreground_mark (&image, threshold, above, &foreground);
      for (int i = 0; i < N; i++)
        {
          const double level = pixel_value (&image, i);
          const int    right = (isnan (threshold) ? level != 0 : level > threshold) == above;

          g_assert_cmpint (marks[i], ==, is_inside (i) ? right : 9);
        }
    }
}

static void
test_limit (void)
{
  guint8  marks[N];
  guint32 pixels[N];
  WfImage foreground;
  WfImage labels;

  init_view (&foreground, WF_TYPE_U8, marks);
  init_view (&labels, WF_TYPE_U32, pixels);
  for (int i = 0; i < N; i++)
    {
      marks[i]  = i % 3 == 0 ? 200 : 0;
      pixels[i] = 1u << (i % 32);
    }
  g_assert_true (wf_foreground_limit (&foreground, &labels));
  for (int i = 0; i < N; i++)
    g_assert_cmpuint (pixels[i], ==, is_inside (i) && i % 3 != 0 ? 0 : 1u << (i % 32));

  memset (marks, 0, sizeof marks);
  g_assert_false (wf_foreground_limit (&foreground, &labels));
}

static void
test_invert (void)
{
  for (int round = 0; round < 3; round++)
    {
      const double white = round == 0 ? 255 : round == 1 ? 65535 : 0;
      float        levels[N];
      float        before[N];
      WfImage      image;
      WfImage      old;

      init_view (&image, types[round], levels);
      init_view (&old, types[round], before);
      memset (levels, 0, sizeof levels);
      fill (&image);
      memcpy (before, levels, sizeof levels);
      wf_image_invert (&image, &image);
      for (int i = 0; i < N; i++)
        g_assert_cmpfloat (pixel_value (&image, i), ==,
                           is_inside (i) ? white - pixel_value (&old, i) : pixel_value (&old, i));
      wf_image_invert (&image, &image);
      g_assert_cmpmem (levels, sizeof levels, before, sizeof before);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/foreground/mark", test_mark);
  g_test_add_func ("/foreground/limit", test_limit);
  g_test_add_func ("/foreground/invert", test_invert);
  return g_test_run ();
}
