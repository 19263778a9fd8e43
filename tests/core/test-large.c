/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Results of more than 128 MB, which are written with non-temporal stores: each worker fills
 * buffers and writes whole cache lines, whatever the alignment of the rows.  The expected
 * results follow from the pixels' coordinates.
 */

#include <math.h>
#include <string.h>

#include "tests/support/tiers.h"
#include "wavefront.h"

/* Odd, so that rows begin at all offsets within a cache line. */
#define SIDE   5801
#define STRIDE (SIDE + 2)

/* Each cell has one background pixel, or one square of foreground, of these sides. */
#define CELL   24
#define SQUARE 9

#define GUARD 0xa5

/* An image whose rows are separated by guard bytes, which must not change. */
typedef struct
{
  WfImage  view;
  guint8  *memory;
  gsize    n_bytes;
} Canvas;

static void
canvas_init (Canvas *canvas,
             WfType  type)
{
  GError *error = NULL;

  canvas->n_bytes = (gsize) STRIDE * (SIDE + 1) * wf_type_size (type);
  canvas->memory  = g_malloc (canvas->n_bytes);
  memset (canvas->memory, GUARD, canvas->n_bytes);
  wf_image_init (&canvas->view, type, SIDE, SIDE, 1, canvas->memory + wf_type_size (type), &error);
  g_assert_no_error (error);
  canvas->view.row_stride   = STRIDE;
  canvas->view.slice_stride = STRIDE * SIDE;
}

static gboolean
is_guard (const Canvas *canvas,
          gsize         start,
          gsize         end)
{
  for (gsize i = start; i < end; i++)
    if (canvas->memory[i] != GUARD)
      return FALSE;
  return TRUE;
}

static void
check_guards (const Canvas *canvas)
{
  const gsize pixel = wf_type_size (canvas->view.type);

  g_assert_true (is_guard (canvas, 0, pixel));
  for (gsize y = 0; y < SIDE; y++)
    {
      gsize end  = pixel * (1 + y * STRIDE + SIDE);
      gsize next = y < SIDE - 1 ? pixel * (1 + (y + 1) * STRIDE) : canvas->n_bytes;

      g_assert_true (is_guard (canvas, end, next));
    }
}

/* The distance from @x to the nearest multiple of CELL inside the image. */
static gint64
gap (gint64 x)
{
  gint64 before = x % CELL;

  return x - before + CELL < SIDE ? MIN (before, CELL - before) : before;
}

static void
run_distance (gboolean partial,
              guint    threads,
              WfMetric metric)
{
  g_autoptr (WfContext) context = wf_context_new ();
  WfContextOptions      working = { sizeof (WfContextOptions), "cpu", threads, 0, 0 };
  WfDistanceOptions     options;
  GError               *error   = NULL;
  g_autofree guint8    *pixels  = g_malloc ((gsize) SIDE * SIDE);
  WfImage               image;
  Canvas                out;

  memset (pixels, 255, (gsize) SIDE * SIDE);
  for (gint64 y = 0; y < SIDE; y += CELL)
    for (gint64 x = 0; x < SIDE; x += CELL)
      pixels[y * SIDE + x] = 0;
  wf_image_init (&image, WF_TYPE_U8, SIDE, SIDE, 1, pixels, &error);
  g_assert_no_error (error);

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  options.metric = metric;
  canvas_init (&out, wf_distance_get_type (&options));
  wf_context_configure (context, &working, &error);
  wf_context_set_partial_outputs (context, partial);
  wf_distance (context, &image, &out.view, NULL, &options, &error);
  g_assert_no_error (error);

  for (gint64 y = 0; y < SIDE; y++)
    for (gint64 x = 0; x < SIDE; x++)
      {
        const gint64 p      = y * STRIDE + x;
        const gint64 square = gap (x) * gap (x) + gap (y) * gap (y);

        if (metric == WF_METRIC_SQUARED ? ((guint64 *) out.view.data)[p] != (guint64) square
                                        : ((float *) out.view.data)[p] != (float) sqrt (square))
          g_error ("Wrong at %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ".", x, y);
      }
  check_guards (&out);
  g_free (out.memory);
}

static void
test_distance (void)
{
  run_distance (TRUE, 1, WF_METRIC_EUCLIDEAN);
  run_distance (FALSE, 2, WF_METRIC_EUCLIDEAN);
  run_distance (FALSE, 1, WF_METRIC_SQUARED);
}

static void
run_label (gboolean partial,
           guint    threads)
{
  g_autoptr (WfContext) context = wf_context_new ();
  WfContextOptions      working = { sizeof (WfContextOptions), "cpu", threads, 0, 0 };
  WfLabelOptions        options;
  const gint64          across  = (SIDE + CELL - 1) / CELL;
  GError               *error   = NULL;
  g_autofree guint8    *pixels  = g_malloc ((gsize) SIDE * SIDE);
  WfImage               image;
  Canvas                out;
  guint32               n;

  for (gint64 y = 0; y < SIDE; y++)
    for (gint64 x = 0; x < SIDE; x++)
      pixels[y * SIDE + x] = x % CELL < SQUARE && y % CELL < SQUARE;
  wf_image_init (&image, WF_TYPE_U8, SIDE, SIDE, 1, pixels, &error);
  g_assert_no_error (error);

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  canvas_init (&out, WF_TYPE_U32);
  wf_context_configure (context, &working, &error);
  wf_context_set_partial_outputs (context, partial);
  wf_label (context, &image, &out.view, &n, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, across * across);

  for (gint64 y = 0; y < SIDE; y++)
    for (gint64 x = 0; x < SIDE; x++)
      {
        const guint32 expected = pixels[y * SIDE + x] ? y / CELL * across + x / CELL + 1 : 0;

        if (((guint32 *) out.view.data)[y * STRIDE + x] != expected)
          g_error ("Wrong at %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ".", x, y);
      }
  check_guards (&out);
  g_free (out.memory);
}

static void
test_label (void)
{
  run_label (TRUE, 2);
  run_label (FALSE, 1);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/large/distance", test_distance);
  g_test_add_func ("/large/label", test_label);
  return g_test_run ();
}
