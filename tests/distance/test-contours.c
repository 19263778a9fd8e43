/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Contour lines of distance maps of each type, pixel by pixel, also of maps with gaps between rows;
 * some rows at a time.
 */

#include <math.h>

#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"

static gboolean
is_line (const RefSize *size,
         const double  *distances,
         gint64         i,
         double         step)
{
  static const int moves[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
  const gint64     x           = i % size->width;
  const gint64     y           = i / size->width % size->height;

  for (int k = 0; k < 4; k++)
    {
      const gint64 u = x + moves[k][0];
      const gint64 v = y + moves[k][1];
      const gint64 j = i + moves[k][0] + moves[k][1] * size->width;

      if (u >= 0 && u < size->width && v >= 0 && v < size->height && isfinite (distances[i]) &&
          isfinite (distances[j]) && floor (distances[i] / step) > floor (distances[j] / step))
        return TRUE;
    }
  return FALSE;
}

static void
set (WfImage *image,
     gint64   at,
     double   distance)
{
  if (image->type == WF_TYPE_U64)
    ((guint64 *) image->data)[at] = isinf (distance) ? G_MAXUINT64 : (guint64) distance;
  else if (image->type == WF_TYPE_F64)
    ((double *) image->data)[at] = distance;
  else
    ((float *) image->data)[at] = (float) distance;
}

/* Cones, steps and infinities; of u64 squares. */
static void
check (const RefSize *size,
       WfType         type)
{
  const gint64             n         = ref_n_pixels (size);
  const double             step      = g_test_rand_double_range (0.3, 9);
  const int                infinite  = g_test_rand_int_range (0, 4);
  const double             slope     = g_test_rand_double_range (0.1, 3);
  const gint64             n_rows    = size->height * size->depth;
  const gint64             first     = g_test_rand_int_range (0, (int) n_rows);
  g_autofree double       *distances = g_new (double, n);
  g_autofree guint8       *pixels    = g_new (guint8, n);
  g_autoptr (GuardedImage) image     = guarded_image_new (type, size, g_test_rand_bit ());
  WfImage                  marks;

  for (gint64 i = 0; i < n; i++)
    {
      const double d = slope * hypot ((double) (i % size->width) - 4,
                                      (double) (i / size->width % size->height) - 3);

      distances[i] = g_test_rand_int_range (0, 12) < infinite ? (double) INFINITY
                     : type == WF_TYPE_U64 ? floor (d * d)
                     : type == WF_TYPE_F32 ? (double) (float) (d - 2) : d - 2;
      set (&image->view, i / size->width % size->height * image->view.row_stride +
                         i / size->width / size->height * image->view.slice_stride +
                         i % size->width, distances[i]);
    }
  g_assert_true (wf_image_init (&marks, WF_TYPE_U8, size->width, n_rows - first, 1, pixels, NULL));
  wf_distance_mark_contours (&image->view, first, step, &marks);
  for (gint64 i = first * size->width; i < n; i++)
    g_assert_cmpuint (pixels[i - first * size->width], ==, is_line (size, distances, i, step));
}

static void
test_random (void)
{
  static const WfType types[] = { WF_TYPE_F32, WF_TYPE_F64, WF_TYPE_U64 };

  for (guint i = 0; i < test_count (150, 1500); i++)
    {
      RefSize size;

      random_size (&size);
      check (&size, types[i % 3]);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/contours/random", test_random);
  return g_test_run ();
}
