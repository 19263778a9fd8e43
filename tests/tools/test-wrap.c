/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Line breaks of help texts, in scripts with and without spaces. */

#include <string.h>

#include <glib.h>

#include "tests/support/tiers.h"
#include "tools/wrap.h"


typedef struct
{
  const char *text;
  int         width;
  const char *lines;
} Case;

/* A width of 1 breaks the text wherever possible. */
static const Case cases[] =
{
  { "",                          1,  "\n" },
  { "one",                       1,  "one\n" },
  { "one two, three",            1,  "one\ntwo,\nthree\n" },
  { " one two",                  9,  "one two\n" },
  { "one two",                   7,  "one two\n" },
  { "one two",                   6,  "one\ntwo\n" },
  { "a-b (c) --lines=2 50%",     1,  "a-b\n(c)\n--lines=2\n50%\n" },
  { "“x y” … z",                 1,  "“x\ny”\n…\nz\n" },

  { "画像を読む",                1,  "画\n像\nを\n読\nむ\n" },
  { "画像を読む",                5,  "画像\nを読\nむ\n" },
  { "画像を読む",                10, "画像を読む\n" },
  { "読む。書く、消す",          1,  "読\nむ。\n書\nく、\n消\nす\n" },
  { "読む。書く",                4,  "読\nむ。\n書く\n" },
  { "「図」と（表）",            1,  "「図」\nと\n（表）\n" },
  { "データ、ファイル",          1,  "デー\nタ、\nファ\nイ\nル\n" },
  { "“一”，‘二’：三！",          1,  "“一”，\n‘二’：\n三！\n" },
  { "使用--help选项",            1,  "使\n用\n--help\n选\n项\n" },
  { "最多 65535个, 或 -1.5",     1,  "最\n多\n65535\n个,\n或\n-1.5\n" },
  { "図 (表) 50%。",             1,  "図\n(表)\n50%。\n" },
  { "二〇二六年",                4,  "二〇\n二六\n年\n" },
};

static void
test_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      wrap_append (out, cases[i].text, 0, 0, cases[i].width);
      g_assert_cmpstr (out->str, ==, cases[i].lines);
    }
}

static void
test_indent (void)
{
  g_autoptr (GString) out = g_string_new ("ab: ");

  wrap_append (out, "one two 三四五", 4, 2, 8);
  g_assert_cmpstr (out->str, ==, "ab: one\n  two 三\n  四五\n");
}

static void
test_columns (void)
{
  g_assert_cmpint (wrap_count_columns (""), ==, 0);
  g_assert_cmpint (wrap_count_columns ("größer"), ==, 6);
  g_assert_cmpint (wrap_count_columns ("e\314\201"), ==, 1);
  g_assert_cmpint (wrap_count_columns ("図(1)、"), ==, 7);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/wrap/lines", test_lines);
  g_test_add_func ("/wrap/indent", test_indent);
  g_test_add_func ("/wrap/columns", test_columns);
  return g_test_run ();
}
