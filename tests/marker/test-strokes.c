/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers drawn by strokes: random ones against their definition, pixel by pixel; examples; strokes
 * that are far out, wide or many; refusals; the background's label; and the time at four
 * megapixels.
 */

#include <string.h>

#include "stroke-texts.h"
#include "tests/correction/line-reference.h"
#include "tests/reference/reference.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define FURTHEST ((1 << 24) - 1)

static void
allocate (WfImage *image,
          WfType   type,
          gint64   width,
          gint64   height,
          gint64   depth)
{
  g_assert_true (wf_image_allocate (image, type, width, height, depth, NULL));
  memset (image->data, 0x5a, (gsize) wf_image_n_pixels (image) * wf_type_size (type));
}

static guint32
look (const WfImage *image,
      gint64         x,
      gint64         y)
{
  return ((const guint32 *) image->data)[y * image->row_stride + x];
}


/*  The definition  */

/* Sets what a stroke makes of each pixel. */
static void
ref_draw_stroke (const RefSize      *size,
                 guint8              kind,
                 gint64              width,
                 const WfPixelPlace *points,
                 guint               n,
                 guint8             *kinds)
{
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));

  if (n == 1)
    ref_draw_line (line, points, points);
  for (guint i = 0; i + 1 < n; i++)
    ref_draw_line (line, &points[i], &points[i + 1]);
  if (points->z >= size->depth)
    return;
  for (gint64 y = 0; y < size->height; y++)
    for (gint64 x = 0; x < size->width; x++)
      for (guint i = 0; i < line->len; i++)
        {
          const WfPixelPlace *p  = &g_array_index (line, WfPixelPlace, i);
          const gint64        dx = x - p->x;
          const gint64        dy = y - p->y;

          if (4 * (dx * dx + dy * dy) < width * width)
            {
              kinds[ref_index (size, x, y, points->z)] = kind;
              break;
            }
        }
}

static void
ref_draw (const RefSize   *size,
          const WfStrokes *strokes,
          int              connectivity,
          guint32         *markers,
          guint32         *n_objects)
{
  const gint64       n_pixels = ref_n_pixels (size);
  g_autofree guint8 *kinds    = g_new0 (guint8, n_pixels);
  g_autofree guint8 *objects  = g_new (guint8, n_pixels);

  for (guint i = 0; i < wf_strokes_get_n (strokes); i++)
    {
      const WfPixelPlace *points;
      guint               n;
      int                 width;
      WfStrokeKind        kind = wf_strokes_get (strokes, i, &width, &points, &n);

      ref_draw_stroke (size, kind == WF_STROKE_OBJECT ? 1 : kind == WF_STROKE_BACKGROUND ? 2 : 0,
                       width, points, n, kinds);
    }
  for (gint64 p = 0; p < n_pixels; p++)
    objects[p] = kinds[p] == 1;
  *n_objects = ref_label (size, connectivity, objects, markers);
  for (gint64 p = 0; p < n_pixels; p++)
    if (kinds[p] == 2)
      markers[p] = WF_STROKES_BACKGROUND;
}

static void
test_random (void)
{
  for (guint k = 0; k < test_count (300, 3000); k++)
    {
      const gint64          depth   = g_test_rand_int_range (0, 4) ? 1
                                                                   : g_test_rand_int_range (2, 4);
      const RefSize         size    = { g_test_rand_int_range (1, 40),
                                        g_test_rand_int_range (1, 30), depth };
      const int             places  = g_test_rand_int_range (0, 8) ? 60 : 2000;
      const gboolean        faces   = g_test_rand_bit ();
      const int             given   = depth > 1 ? (faces ? 6 : 26) : faces ? 4 : 8;
      const int             passed  = ! faces && g_test_rand_bit () ? 0 : given;
      g_autoptr (WfStrokes) strokes = random_strokes (6, places, (int) depth);
      g_auto (WfImage)      markers = { 0 };
      g_autofree guint32   *wanted  = g_new (guint32, ref_n_pixels (&size));
      guint32               n_objects, n_wanted;

      allocate (&markers, WF_TYPE_U32, size.width, size.height, size.depth);
      g_assert_true (wf_strokes_draw (NULL, strokes, passed, &markers, &n_objects, NULL));
      ref_draw (&size, strokes, given, wanted, &n_wanted);
      g_assert_cmpuint (n_objects, ==, n_wanted);
      g_assert_cmpmem (markers.data, (gsize) wf_image_n_pixels (&markers) * sizeof (guint32),
                       wanted, (gsize) ref_n_pixels (&size) * sizeof (guint32));
    }
}


/*  Examples  */

static void
draw_text (const char *text,
           gint64      width,
           gint64      height,
           WfImage    *markers,
           guint32    *n_objects)
{
  g_autoptr (WfStrokes) strokes = wf_strokes_parse (text, NULL);

  g_assert_nonnull (strokes);
  allocate (markers, WF_TYPE_U32, width, height, 1);
  g_assert_true (wf_strokes_draw (NULL, strokes, 0, markers, n_objects, NULL));
}

/* Two strokes that touch are one marker; an eraser divides another. */
static void
test_example (void)
{
  g_auto (WfImage) markers = { 0 };
  guint32          n_objects;

  draw_text ("[{\"object\":[[2,2],[9,2]],\"width\":3}, {\"object\":[[9,2],[9,8]]},"
             " {\"object\":[[2,15],[17,15]],\"width\":5}, {\"erase\":[[9,19],[9,11]],\"width\":2},"
             " {\"background\":[[19,0]]}, {\"background\":[[0,19]]}]",
             20, 20, &markers, &n_objects);
  g_assert_cmpuint (n_objects, ==, 3);
  g_assert_cmpuint (look (&markers, 1, 1), ==, 1);
  g_assert_cmpuint (look (&markers, 0, 2), ==, 0);
  g_assert_cmpuint (look (&markers, 9, 8), ==, 1);
  g_assert_cmpuint (look (&markers, 8, 15), ==, 2);
  g_assert_cmpuint (look (&markers, 9, 15), ==, 0);
  g_assert_cmpuint (look (&markers, 10, 15), ==, 3);
  g_assert_cmpuint (look (&markers, 19, 0), ==, WF_STROKES_BACKGROUND);
  g_assert_cmpuint (look (&markers, 0, 19), ==, WF_STROKES_BACKGROUND);
}

static void
test_nothing (void)
{
  g_auto (WfImage) markers = { 0 };
  guint32          n_objects;

  draw_text ("[{\"object\":[[40,40]],\"width\":9}]", 20, 20, &markers, &n_objects);
  g_assert_cmpuint (n_objects, ==, 0);
  for (gint64 y = 0; y < 20; y++)
    for (gint64 x = 0; x < 20; x++)
      g_assert_cmpuint (look (&markers, x, y), ==, 0);
}

/* From one end of all places to the other one, and from a corner to the other one. */
static void
test_far (void)
{
  const WfPixelPlace    across[] = { { -FURTHEST, 5, 0 }, { FURTHEST, 5, 0 } };
  const WfPixelPlace    slanted[] = { { -FURTHEST, -FURTHEST, 0 }, { FURTHEST, FURTHEST, 0 } };
  g_autoptr (WfStrokes) strokes  = wf_strokes_new ();
  g_auto (WfImage)      markers  = { 0 };
  guint32               n_objects;

  allocate (&markers, WF_TYPE_U32, 30, 20, 1);
  wf_strokes_add (strokes, WF_STROKE_OBJECT, 7, across, 2);
  wf_strokes_add (strokes, WF_STROKE_BACKGROUND, 1, slanted, 2);
  g_assert_true (wf_strokes_draw (NULL, strokes, 8, &markers, &n_objects, NULL));
  g_assert_cmpuint (n_objects, ==, 2);
  for (gint64 y = 0; y < 20; y++)
    {
      g_assert_cmpuint (look (&markers, 29, y), ==, y >= 2 && y <= 8 ? 2 : 0);
      g_assert_cmpuint (look (&markers, y, y), ==, WF_STROKES_BACKGROUND);
    }
  wf_strokes_add (strokes, WF_STROKE_ERASE, 1000, slanted, 2);
  g_assert_true (wf_strokes_draw (NULL, strokes, 8, &markers, &n_objects, NULL));
  g_assert_cmpuint (n_objects, ==, 0);
}

static void
test_cancelled (void)
{
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (WfStrokes)    strokes     = wf_strokes_new ();
  g_autoptr (GError)       error       = NULL;
  g_auto (WfImage)         markers     = { 0 };
  guint32                  n_objects;

  allocate (&markers, WF_TYPE_U32, 10, 10, 1);
  wf_strokes_add (strokes, WF_STROKE_OBJECT, 3, &(WfPixelPlace) { 4, 4, 0 }, 1);
  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_false (wf_strokes_draw (context, strokes, 0, &markers, &n_objects, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (look (&markers, 4, 4), ==, 0x5a5a5a5a);
}

static void
test_refusals (void)
{
  g_autoptr (WfStrokes) strokes = wf_strokes_new ();
  g_auto (WfImage)      markers = { 0 };
  g_auto (WfImage)      bytes   = { 0 };
  guint32               n_objects;

  allocate (&markers, WF_TYPE_U32, 10, 10, 1);
  allocate (&bytes, WF_TYPE_U8, 10, 10, 1);
  assert_refused (wf_strokes_draw (NULL, strokes, 8, &bytes, &n_objects, &refusal),
                  WF_ERROR_INVALID);
  assert_refused (wf_strokes_draw (NULL, strokes, 6, &markers, &n_objects, &refusal),
                  WF_ERROR_INVALID);
}

static void
test_drop (void)
{
  const guint32    labels[] = { 1, 3, 3, 0, 2, 3 };
  const guint32    wanted[] = { 1, 0, 0, 0, 2, 0 };
  const guint8     marks[]  = { 1, 0, 0, 1, 1, 0 };
  g_auto (WfImage) image    = { 0 };
  g_auto (WfImage) inside   = { 0 };

  allocate (&image, WF_TYPE_U32, 3, 1, 2);
  allocate (&inside, WF_TYPE_U8, 3, 1, 2);
  memcpy (image.data, labels, sizeof labels);
  memset (inside.data, 1, 6);
  g_assert_cmpint (wf_labels_drop (&image, 3, &inside), ==, 3);
  g_assert_cmpmem (image.data, sizeof wanted, wanted, sizeof wanted);
  g_assert_cmpmem (inside.data, sizeof marks, marks, sizeof marks);
  g_assert_cmpint (wf_labels_drop (&image, 3, NULL), ==, 0);
}


/*  Time  */

/* As a hand draws: a hundred strokes of a hundred points each, close to each other. */
static WfStrokes *
scribble (int width)
{
  WfStrokes *strokes = wf_strokes_new ();

  for (int i = 0; i < 100; i++)
    {
      WfPixelPlace points[100];
      gint64       x = g_test_rand_int_range (0, 2000);
      gint64       y = g_test_rand_int_range (0, 2000);

      for (guint k = 0; k < G_N_ELEMENTS (points); k++)
        {
          x        += g_test_rand_int_range (-4, 7);
          y        += g_test_rand_int_range (-6, 5);
          points[k] = (WfPixelPlace) { x, y, 0 };
        }
      wf_strokes_add (strokes, (WfStrokeKind) (i % 3), width, points, G_N_ELEMENTS (points));
    }
  return strokes;
}

static void
test_time (void)
{
  static const int widths[] = { 1, 9, 40 };
  g_auto (WfImage) markers  = { 0 };

  allocate (&markers, WF_TYPE_U32, 2000, 2000, 1);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (WfStrokes) strokes = scribble (widths[i]);
      gint64                best    = G_MAXINT64;
      guint32               n_objects;

      for (int repeat = 0; repeat < 3; repeat++)
        {
          const gint64 start = g_get_monotonic_time ();

          g_assert_true (wf_strokes_draw (NULL, strokes, 8, &markers, &n_objects, NULL));
          best = MIN (best, g_get_monotonic_time () - start);
        }
      g_test_message ("100 strokes of width %d: %.1f ms", widths[i], (double) best / 1e3);
    }
}

/* Thousands of the widest strokes take a time that can be waited for. */
static void
test_many (void)
{
  g_autoptr (WfStrokes) strokes = random_strokes (0, 1, 1);
  g_auto (WfImage)      markers = { 0 };
  guint32               n_objects;

  allocate (&markers, WF_TYPE_U32, 300, 200, 1);
  for (int i = 0; i < 5000; i++)
    {
      const WfPixelPlace points[] = { { g_test_rand_int_range (-FURTHEST, FURTHEST),
                                        g_test_rand_int_range (-FURTHEST, FURTHEST), 0 },
                                      { g_test_rand_int_range (0, 300),
                                        g_test_rand_int_range (0, 200), 0 } };

      wf_strokes_add (strokes, WF_STROKE_OBJECT, 1 + i % 1000, points, 2);
    }
  g_assert_true (wf_strokes_draw (NULL, strokes, 8, &markers, &n_objects, NULL));
  g_assert_cmpuint (n_objects, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  add_stroke_text_tests ();
  g_test_add_func ("/strokes/random", test_random);
  g_test_add_func ("/strokes/drawn-example", test_example);
  g_test_add_func ("/strokes/nothing", test_nothing);
  g_test_add_func ("/strokes/far", test_far);
  g_test_add_func ("/strokes/cancelled", test_cancelled);
  g_test_add_func ("/strokes/drawn-refusals", test_refusals);
  g_test_add_func ("/strokes/drop", test_drop);
  g_test_add_func ("/strokes/time", test_time);
  g_test_add_func ("/strokes/many", test_many);
  return g_test_run ();
}
