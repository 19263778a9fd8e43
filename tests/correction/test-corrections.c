/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of corrections: printed and parsed without loss; texts that are none, also from random
 * changes of one that is; changes of the list; parts of an image.
 */

#include <string.h>

#include "wavefront.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define N_KINDS 6

static void
add_random (WfCorrections *corrections)
{
  const guint   n      = g_test_rand_int_range (0, 4) ? g_test_rand_int_range (1, 4)
                                                      : g_test_rand_int_range (1, 60);
  const int     end    = g_test_rand_bit () ? 300 : 1 << 24;
  WfPixelPlace *points = g_newa (WfPixelPlace, n);

  for (guint i = 0; i < n; i++)
    points[i] = (WfPixelPlace) { g_test_rand_int_range (1 - end, end),
                                 g_test_rand_int_range (1 - end, end),
                                 g_test_rand_bit () ? 0 : g_test_rand_int_range (0, end) };
  wf_corrections_add (corrections, (WfCorrectionKind) g_test_rand_int_range (0, N_KINDS), points,
                      n);
}

static WfCorrections *
make_random (guint most)
{
  WfCorrections *corrections = wf_corrections_new ();

  for (guint n = g_test_rand_int_range (0, most + 1); n > 0; n--)
    add_random (corrections);
  return corrections;
}

static void
assert_same (const WfCorrections *a,
             const WfCorrections *b,
             guint                n)
{
  for (guint i = 0; i < n; i++)
    {
      const WfPixelPlace *first, *second;
      guint               n_first, n_second;

      g_assert_cmpint (wf_corrections_get (a, i, &first, &n_first), ==,
                       wf_corrections_get (b, i, &second, &n_second));
      g_assert_cmpmem (first, n_first * sizeof *first, second, n_second * sizeof *second);
    }
}

/* The same with spaces between all signs. */
static char *
spread (const char *text)
{
  static const char *const spaces[] = { "", " ", "\n", "\t\r ", "  " };
  GString                 *spaced   = g_string_new (NULL);

  for (const char *at = text; *at; at++)
    {
      g_string_append_c (spaced, *at);
      if (! g_ascii_isalnum (at[0]) && at[0] != '-' && at[0] != '"')
        g_string_append (spaced, spaces[g_test_rand_int_range (0, G_N_ELEMENTS (spaces))]);
    }
  return g_string_free (spaced, FALSE);
}

static void
test_text (void)
{
  for (guint k = 0; k < test_count (100, 1000); k++)
    {
      g_autoptr (WfCorrections) made   = make_random (8);
      g_autofree char          *text   = wf_corrections_print (made);
      g_autofree char          *spaced = spread (text);
      g_autoptr (WfCorrections) read   = wf_corrections_parse (spaced, NULL);
      g_autofree char          *again  = NULL;

      g_assert_nonnull (read);
      g_assert_cmpuint (wf_corrections_get_n (read), ==, wf_corrections_get_n (made));
      assert_same (made, read, wf_corrections_get_n (made));
      again = wf_corrections_print (read);
      g_assert_cmpstr (again, ==, text);
    }
}

static void
test_example (void)
{
  const char               *text = "[{\"join\":[[12,7],[30,9]]}, {\"delete\":[[5,5,2]]}]";
  g_autoptr (WfCorrections) read = wf_corrections_parse (text, NULL);
  g_autofree char          *out  = wf_corrections_print (read);
  const WfPixelPlace       *points;
  guint                     n;

  g_assert_cmpstr (out, ==, text);
  g_assert_cmpint (wf_corrections_get (read, 0, &points, &n), ==, WF_CORRECTION_JOIN);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (points[1].x, ==, 30);
  g_assert_cmpint (wf_corrections_get (read, 1, &points, &n), ==, WF_CORRECTION_DELETE);
  g_assert_cmpint (points[0].z, ==, 2);
}


/*  Texts that are none  */

static void
assert_no_list (const char *text)
{
  assert_refused (wf_corrections_parse (text, &refusal) != NULL, WF_ERROR_INVALID);
}

static void
test_refusals (void)
{
  static const char *const texts[] =
  {
    "", " ", "[", "]", "{}", "null", "[[]]", "[{}]", "[{\"join\"}]", "[{\"join\":[]}]",
    "[{\"join\":[[1,2]]}", "[{\"join\":[[1,2]]}] x", "[{\"join\":[[1,2]]},]", "[{\"join\":[[1]]}]",
    "[{\"join\":[[1,2,3,4]]}]", "[{\"join\":[[1,2],]}]", "[{\"join\":[[--1,2]]}]",
    "[{\"join\":[[-,2]]}]", "[{\"join\":[[1,2,-3]]}]", "[{\"join\":[[- 1,2]]}]",
    "[{\"join\":[[-16777216,2]]}]",
    "[{\"join\":[[1.5,2]]}]", "[{\"join\":[[1e3,2]]}]", "[{\"join\":[[01,2]]}]",
    "[{\"join\":[[16777216,2]]}]", "[{\"join\":[[99999999999999999999999,2]]}]",
    "[{\"joint\":[[1,2]]}]", "[{\"join\" [[1,2]]}]", "[{join:[[1,2]]}]", "[{\"join\":[[1 2]]}]",
    "[{\"join\":[1,2]}]", "[{\"join\":[[1,2]],\"split\":[[1,2]]}]", "[{\"jo\xff\":[[1,2]]}]",
    "[{\"\":[[1,2]]}]", "[{\"join", "[{\"join\":[[", "\xef\xbb\xbf[]",
  };
  g_autofree char *deep = g_strnfill (1000000, '[');

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_no_list (texts[i]);
  assert_no_list (deep);
}

/* What is read of a changed text is a list, whose text is one. */
static void
test_changed (void)
{
  static const char signs[] = "[]{}:,\"0123456789 -.ejoinsplt\n";

  for (guint k = 0; k < test_count (300, 3000); k++)
    {
      g_autoptr (WfCorrections) made  = make_random (3);
      g_autofree char          *text  = wf_corrections_print (made);
      const gsize               n     = strlen (text);
      g_autoptr (GError)        error = NULL;
      g_autoptr (WfCorrections) read  = NULL;

      for (int changes = g_test_rand_int_range (1, 4); changes > 0; changes--)
        text[g_test_rand_int_range (0, (int) n)] = signs[g_test_rand_int_range (0,
                                                                                sizeof signs - 1)];
      if (g_test_rand_int_range (0, 4) == 0)
        text[g_test_rand_int_range (0, (int) n)] = '\0';
      read = wf_corrections_parse (text, &error);
      if (read)
        {
          g_autofree char          *out   = wf_corrections_print (read);
          g_autoptr (WfCorrections) again = wf_corrections_parse (out, NULL);

          g_assert_cmpuint (wf_corrections_get_n (again), ==, wf_corrections_get_n (read));
          assert_same (again, read, wf_corrections_get_n (read));
        }
      else
        assert_sentence (error->message);
    }
}

static void
test_too_many (void)
{
  g_autoptr (GString) text = g_string_new ("[{\"split\":[[0,0]");

  for (guint i = 0; i < 1000000; i++)
    g_string_append (text, ",[0,0]");
  g_string_append (text, "]}]");
  assert_no_list (text->str);
}


/*  Changes  */

static void
test_changes (void)
{
  for (guint k = 0; k < test_count (50, 500); k++)
    {
      g_autoptr (WfCorrections) made  = make_random (8);
      g_autoptr (WfCorrections) copy  = wf_corrections_copy (made);
      const guint               n     = wf_corrections_get_n (made);
      const guint               stays = g_test_rand_int_range (0, (int) n + 1);

      wf_corrections_truncate (copy, stays);
      g_assert_cmpuint (wf_corrections_get_n (copy), ==, stays);
      assert_same (made, copy, stays);
      add_random (copy);
      g_assert_cmpuint (wf_corrections_get_n (copy), ==, stays + 1);
      assert_same (made, copy, stays);
      g_assert_cmpuint (wf_corrections_get_n (made), ==, n);
    }
}

static void
test_parts (void)
{
  const WfPixelPlace        points[] = { { 0, 0, 0 }, { 7, 9, 4 }, { 3, 2, 1 } };
  const WfPixelPlace        part[]   = { { -2, -5, -3 }, { 5, 4, 1 }, { 1, -3, -2 } };
  const WfPixelPlace        half[]   = { { 0, 0, 0 }, { 3, 4, 4 }, { 1, 1, 1 } };
  g_autoptr (WfCorrections) made     = wf_corrections_new ();
  g_autoptr (WfCorrections) moved    = NULL;
  g_autoptr (WfCorrections) scaled   = NULL;
  const WfPixelPlace       *places;
  guint                     n;

  wf_corrections_add (made, WF_CORRECTION_SPLIT, points, G_N_ELEMENTS (points));
  moved  = wf_corrections_transform (made, 1, 2, 5, 3);
  scaled = wf_corrections_transform (made, 0.5, 0, 0, 0);
  g_assert_cmpint (wf_corrections_get (moved, 0, &places, &n), ==, WF_CORRECTION_SPLIT);
  g_assert_cmpmem (places, n * sizeof *places, part, sizeof part);
  wf_corrections_get (scaled, 0, &places, &n);
  g_assert_cmpmem (places, n * sizeof *places, half, sizeof half);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/corrections/text", test_text);
  g_test_add_func ("/corrections/example", test_example);
  g_test_add_func ("/corrections/refusals", test_refusals);
  g_test_add_func ("/corrections/changed-texts", test_changed);
  g_test_add_func ("/corrections/too-many", test_too_many);
  g_test_add_func ("/corrections/changes", test_changes);
  g_test_add_func ("/corrections/parts", test_parts);
  return g_test_run ();
}
