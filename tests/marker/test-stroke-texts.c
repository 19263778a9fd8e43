/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of strokes: printed and parsed without loss; texts that are none, also from random
 * changes of one that is; changes of the list; parts of an image.  What it shares with the list of
 * corrections has its cases in tests/correction/test-corrections.c, too.
 */

#include <math.h>
#include <string.h>

#include "stroke-texts.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define N_KINDS  3
#define WIDEST   1000
#define FURTHEST (1 << 24)


/**
 * random_strokes:
 * @most: how many strokes there are at most
 * @end: places are nearer to 0
 * @n_slices: of points, some of which are beyond
 *
 * Returns: (transfer full): a list
 */
WfStrokes *
random_strokes (guint most,
                int   end,
                int   n_slices)
{
  static const int  widths[] = { 1, 2, 3, 4, 5, 9, 20, WIDEST };
  WfStrokes        *strokes  = wf_strokes_new ();

  for (guint i = g_test_rand_int_range (0, (int) most + 1); i > 0; i--)
    {
      const guint   n      = g_test_rand_int_range (0, 4) ? g_test_rand_int_range (1, 4)
                                                          : g_test_rand_int_range (1, 12);
      const guint   width  = g_test_rand_int_range (0, 2 * G_N_ELEMENTS (widths));
      WfPixelPlace *points = g_newa (WfPixelPlace, n);

      for (guint k = 0; k < n; k++)
        points[k] = (WfPixelPlace) { g_test_rand_int_range (1 - end, end),
                                     g_test_rand_int_range (1 - end, end),
                                     g_test_rand_int_range (0, n_slices + 1) };
      wf_strokes_add (strokes, (WfStrokeKind) g_test_rand_int_range (0, N_KINDS),
                      width < G_N_ELEMENTS (widths) ? widths[width]
                                                    : g_test_rand_int_range (1, 12),
                      points, n);
    }
  return strokes;
}

static void
assert_same (const WfStrokes *a,
             const WfStrokes *b,
             guint            n)
{
  for (guint i = 0; i < n; i++)
    {
      const WfPixelPlace *first, *second;
      guint               n_first, n_second;
      int                 width, other_width;

      g_assert_cmpint (wf_strokes_get (a, i, &width, &first, &n_first), ==,
                       wf_strokes_get (b, i, &other_width, &second, &n_second));
      g_assert_cmpint (width, ==, other_width);
      g_assert_cmpmem (first, n_first * sizeof *first, second, n_second * sizeof *second);
    }
}

static void
test_text (void)
{
  for (guint k = 0; k < test_count (100, 1000); k++)
    {
      g_autoptr (WfStrokes) made  = random_strokes (8, FURTHEST, 3);
      g_autofree char      *text  = wf_strokes_print (made);
      g_autoptr (WfStrokes) read  = wf_strokes_parse (text, NULL);
      g_autofree char      *again = NULL;

      g_assert_nonnull (read);
      g_assert_cmpuint (wf_strokes_get_n (read), ==, wf_strokes_get_n (made));
      assert_same (made, read, wf_strokes_get_n (made));
      again = wf_strokes_print (read);
      g_assert_cmpstr (again, ==, text);
    }
}

static void
test_example (void)
{
  const char           *text   = "[{\"object\":[[12,7],[30,-9]],\"width\":5}, "
                                 "{\"background\":[[5,5,2]]}, {\"erase\":[[1,2]],\"width\":1000}]";
  const char           *spaced = " [ {\"object\" : [[12, 7], [30 ,-9]] , \"width\" :\n5}, "
                                 "{\"background\": [[5,5,2]], \"width\": 1 },"
                                 "{\"erase\":[[1,2,0]],\"width\":1000}] ";
  g_autoptr (WfStrokes) read   = wf_strokes_parse (spaced, NULL);
  g_autofree char      *out    = wf_strokes_print (read);
  const WfPixelPlace   *points;
  guint                 n;
  int                   width;

  g_assert_cmpstr (out, ==, text);
  g_assert_cmpint (wf_strokes_get (read, 0, &width, &points, &n), ==, WF_STROKE_OBJECT);
  g_assert_cmpint (width, ==, 5);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (points[1].y, ==, -9);
  g_assert_cmpint (wf_strokes_get (read, 1, NULL, &points, &n), ==, WF_STROKE_BACKGROUND);
  g_assert_cmpint (points[0].z, ==, 2);
}

static void
assert_no_list (const char *text)
{
  assert_refused (wf_strokes_parse (text, &refusal) != NULL, WF_ERROR_INVALID);
}

static void
test_refusals (void)
{
  static const char *const texts[] =
  {
    "", "null", "{}", "[{}]", "[{\"object\":[]}]", "[{\"objects\":[[1,2]]}]",
    "[{\"join\":[[1,2]]}]", "[{\"object\":[[NaN,2]]}]", "[{\"object\":[[1,Infinity]]}]",
    "[{\"object\":[[1.5,2]]}]", "[{\"object\":[[16777216,2]]}]", "[{\"object\":[[1,2]]}",
    "[{\"object\":[[1,2]],}]", "[{\"object\":[[1,2]],\"width\"}]",
    "[{\"object\":[[1,2]],\"width\":}]", "[{\"object\":[[1,2]],\"width\":0}]",
    "[{\"object\":[[1,2]],\"width\":-3}]", "[{\"object\":[[1,2]],\"width\":1001}]",
    "[{\"object\":[[1,2]],\"width\":99999999999999999999}]",
    "[{\"object\":[[1,2]],\"width\":2.5}]", "[{\"object\":[[1,2]],\"width\":NaN}]",
    "[{\"object\":[[1,2]],\"width\":3,\"width\":3}]", "[{\"object\":[[1,2]],\"wide\":3}]",
    "[{\"width\":3,\"object\":[[1,2]]}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_no_list (texts[i]);
}

static void
test_sentence (void)
{
  g_autoptr (GError) wrong = NULL;
  g_autoptr (GError) wide  = NULL;

  g_assert_null (wf_strokes_parse ("[{\"object\":[[1,x]]}]", &wrong));
  g_assert_cmpstr (wrong->message, ==,
                   "The list of strokes is wrong at character 16: “whole number” is expected.");
  g_assert_null (wf_strokes_parse ("[{\"object\":[[1,2]],\"width\": 5000}]", &wide));
  g_assert_cmpstr (wide->message, ==,
                   "The list of strokes is wrong at character 29: “1…1000” is expected.");
}

/* What is read of a changed text is a list, whose text is one. */
static void
test_changed (void)
{
  static const char signs[] = "[]{}:,\"0123456789 -.eobjctackgrundwh\n";

  for (guint k = 0; k < test_count (300, 3000); k++)
    {
      g_autoptr (WfStrokes) made  = random_strokes (3, 300, 1);
      g_autofree char      *text  = wf_strokes_print (made);
      const gsize           n     = strlen (text);
      g_autoptr (GError)    error = NULL;
      g_autoptr (WfStrokes) read  = NULL;

      for (int changes = g_test_rand_int_range (1, 4); changes > 0; changes--)
        text[g_test_rand_int_range (0, (int) n)] = signs[g_test_rand_int_range (0,
                                                                                sizeof signs - 1)];
      read = wf_strokes_parse (text, &error);
      if (read)
        {
          g_autofree char      *out   = wf_strokes_print (read);
          g_autoptr (WfStrokes) again = wf_strokes_parse (out, NULL);

          g_assert_cmpuint (wf_strokes_get_n (again), ==, wf_strokes_get_n (read));
          assert_same (again, read, wf_strokes_get_n (read));
        }
      else
        assert_sentence (error->message);
    }
}

static void
test_changes (void)
{
  for (guint k = 0; k < test_count (50, 500); k++)
    {
      g_autoptr (WfStrokes) made  = random_strokes (8, 300, 1);
      g_autoptr (WfStrokes) copy  = wf_strokes_copy (made);
      const guint           n     = wf_strokes_get_n (made);
      const guint           stays = g_test_rand_int_range (0, (int) n + 1);

      wf_strokes_truncate (copy, stays);
      g_assert_cmpuint (wf_strokes_get_n (copy), ==, stays);
      assert_same (made, copy, stays);
      wf_strokes_add (copy, WF_STROKE_ERASE, 7, &(WfPixelPlace) { 1, 2, 0 }, 1);
      g_assert_cmpuint (wf_strokes_get_n (copy), ==, stays + 1);
      assert_same (made, copy, stays);
      g_assert_cmpuint (wf_strokes_get_n (made), ==, n);
    }
}

static void
test_parts (void)
{
  const WfPixelPlace    points[] = { { 0, 0, 0 }, { 7, 9, 4 } };
  const WfPixelPlace    half[]   = { { -2, -1, -1 }, { 1, 3, 3 } };
  g_autoptr (WfStrokes) made     = wf_strokes_new ();
  g_autoptr (WfStrokes) scaled   = NULL;
  const WfPixelPlace   *places;
  guint                 n;
  int                   width;

  wf_strokes_add (made, WF_STROKE_OBJECT, 5, points, G_N_ELEMENTS (points));
  wf_strokes_add (made, WF_STROKE_ERASE, 1, points, 1);
  scaled = wf_strokes_transform (made, 0.5, 2, 1, 1);
  wf_strokes_get (scaled, 0, &width, &places, &n);
  g_assert_cmpint (width, ==, 3);
  g_assert_cmpmem (places, n * sizeof *places, half, sizeof half);
  wf_strokes_get (scaled, 1, &width, &places, &n);
  g_assert_cmpint (width, ==, 1);
}

/* Places beyond the range become its ends, however far they are. */
static void
test_far_parts (void)
{
  const int             most     = FURTHEST - 1;
  const WfPixelPlace    points[] = { { -1, 7, 2 } };
  g_autoptr (WfStrokes) made     = wf_strokes_new ();

  wf_strokes_add (made, WF_STROKE_OBJECT, 5, points, 1);
  for (int exponent = 20; exponent < 300; exponent += 40)
    {
      g_autoptr (WfStrokes)  scaled = wf_strokes_transform (made, pow (10, exponent), 0, 0, 0);
      const WfPixelPlace    *places;
      guint                  n;
      int                    width;

      wf_strokes_get (scaled, 0, &width, &places, &n);
      g_assert_cmpint (places[0].x, ==, -most);
      g_assert_cmpint (places[0].y, ==, most);
      g_assert_cmpint (places[0].z, ==, 2);
    }
}

void
add_stroke_text_tests (void)
{
  g_test_add_func ("/strokes/text", test_text);
  g_test_add_func ("/strokes/example", test_example);
  g_test_add_func ("/strokes/refusals", test_refusals);
  g_test_add_func ("/strokes/sentence", test_sentence);
  g_test_add_func ("/strokes/changed-texts", test_changed);
  g_test_add_func ("/strokes/changes", test_changes);
  g_test_add_func ("/strokes/parts", test_parts);
  g_test_add_func ("/strokes/far-parts", test_far_parts);
}
