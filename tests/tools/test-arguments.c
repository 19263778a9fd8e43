/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line: help, version, and errors that it alone causes. */

#include <locale.h>
#include <string.h>

#include "harness.h"
#include "tests/support/tiers.h"
#include "wavefront.h"


/*  Help and version  */

static void
assert_fits_terminal (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line; line++)
    {
      gboolean example = g_str_has_prefix (*line, "  wavefront ");

      if (! example)
        g_assert_cmpint (g_utf8_strlen (*line, -1), <=, 80);
      g_assert_false (g_str_has_suffix (*line, " "));
    }
}

/* The help lists exactly the algorithms for comparison after "for comparison:". */
static void
assert_compares (const char     *help,
                 const WfOption *option)
{
  g_autoptr (GRegex)  spaces  = g_regex_new ("\\s+", 0, 0, NULL);
  g_autofree char    *line    = g_regex_replace_literal (spaces, help, -1, 0, " ", 0, NULL);
  GString            *usual   = g_string_new (NULL);
  GString            *compare = g_string_new (NULL);

  if (option->meaning == WF_OPTION_ALGORITHM)
    {
      for (const WfChoice *choice = option->choices; choice->name; choice++)
        {
          GString *list = choice->for_comparison ? compare : usual;

          g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", choice->name);
        }
      if (compare->len > 0)
        g_string_append_printf (usual, "; for comparison: %s", compare->str);
      g_string_append (usual, " (default: auto)");
      g_string_prepend (usual, ": ");
      g_assert_nonnull (strstr (line, usual->str));
    }
  g_string_free (usual, TRUE);
  g_string_free (compare, TRUE);
}

static void
assert_describes (const char          *help,
                  const WfOptionGroup *group)
{
  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption  *option = &group->options[i];
      g_autofree char *name   = g_strdup_printf ("      --%s", option->name);

      g_assert_nonnull (strstr (help, name));
      for (const WfChoice *choice = option->choices; choice && choice->name; choice++)
        g_assert_nonnull (strstr (help, choice->name));
      assert_compares (help, option);
    }
}

static void
test_help (Scratch       *scratch,
           gconstpointer  data)
{
  static const char * const own[] =
  {
    "-o, --output OUT", "--raw WxH", "--repeat N", "--stats", "--progress", "-h, --help",
    "--version", "Examples:", "exit status",
  };
  g_autoptr (Run) overview = run (scratch, "--help");

  assert_success (overview);
  assert_fits_terminal (overview->out);
  g_assert_nonnull (strstr (overview->out, "devices"));

  for (int operation = 0; operation < WF_N_OPERATIONS; operation++)
    {
      const WfOptionGroup *group = wf_operation_get_options (operation);
      g_autoptr (Run)      help  = run (scratch, "%s --help", group->name);
      g_autoptr (Run)      brief = run (scratch, "%s -h", group->name);

      assert_success (help);
      assert_fits_terminal (help->out);
      assert_describes (help->out, group);
      assert_describes (help->out, wf_context_get_options ());
      for (guint i = 0; i < G_N_ELEMENTS (own); i++)
        g_assert_nonnull (strstr (help->out, own[i]));
      g_assert_cmpstr (help->out, ==, brief->out);
      g_assert_nonnull (strstr (overview->out, group->name));
    }
}

static void
test_help_of_own_options (Scratch       *scratch,
                          gconstpointer  data)
{
  g_autoptr (Run) reconstruct = run (scratch, "reconstruct --help");
  g_autoptr (Run) distance    = run (scratch, "distance --help");
  g_autoptr (Run) watershed   = run (scratch, "watershed --help");
  g_autoptr (Run) hierarchy   = run (scratch, "hierarchy --help");
  g_autoptr (Run) devices     = run (scratch, "devices --help");

  g_assert_null (strstr (reconstruct->out, "--nearest"));
  g_assert_null (strstr (reconstruct->out, "--markers"));
  g_assert_nonnull (strstr (distance->out, "--nearest FILE"));
  g_assert_null (strstr (distance->out, "--markers"));
  g_assert_null (strstr (distance->out, "--table"));
  g_assert_nonnull (strstr (watershed->out, "--markers FILE"));
  g_assert_nonnull (strstr (watershed->out, "--table FILE"));
  g_assert_nonnull (strstr (watershed->out, "A table has a header and a line"));
  g_assert_null (strstr (watershed->out, "--nearest"));
  g_assert_null (strstr (watershed->out, "--count"));
  g_assert_nonnull (strstr (hierarchy->out, "--count N"));
  g_assert_nonnull (strstr (hierarchy->out, "--depth D"));
  g_assert_nonnull (strstr (hierarchy->out, "--saliency "));
  assert_success (devices);
  g_assert_null (strstr (devices->out, "--output"));
  assert_fits_terminal (devices->out);
}

static void
test_version (Scratch       *scratch,
              gconstpointer  data)
{
  static const char * const  lines[]  = { "--version", "distance --version",
                                          "devices --version" };
  g_autofree char           *expected = g_strdup_printf ("wavefront %s\n", wf_version ());

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Run) result = run (scratch, "%s", lines[i]);

      assert_success (result);
      g_assert_cmpstr (result->out, ==, expected);
    }
}


/*  Errors  */

typedef struct
{
  const char *line;
  const char *culprit;
} Wrong;

#define RAW " --raw 4x3:u8 -o out.raw "

static const Wrong wrong[] =
{
  { "",                                             "command is missing" },
  { "frobnicate",                                   "frobnicate" },
  { "Distance in.raw" RAW,                          "Distance" },
  { "--device cpu distance in.raw" RAW,             "--device" },
  { "--stats",                                      "--stats" },

  { "distance" RAW,                                 "wavefront distance IMAGE" },
  { "reconstruct in.raw" RAW,                       "wavefront reconstruct MASK MARKER" },
  { "watershed" RAW,                                "wavefront watershed IMAGE" },
  { "h-dome --height 3" RAW,                        "wavefront h-dome IMAGE" },
  { "label" RAW,                                    "wavefront label IMAGE" },
  { "impose-minima in.raw" RAW,                     "wavefront impose-minima IMAGE MARKERS" },
  { "hierarchy in.raw --count 2" RAW,               "wavefront hierarchy IMAGE LABELS" },
  { "fill-holes in.raw marker.raw" RAW,             "{name}" },
  { "fill-holes in.raw --raw 4x3:u8",               "wavefront fill-holes IMAGE -o OUT" },
  { "distance in.raw marker.raw" RAW,               "{name}" },
  { "reconstruct in.raw marker.raw third.raw" RAW,  "third.raw" },
  { "devices in.raw",                               "in.raw" },
  { "distance in.raw --raw 4x3:u8",                 "wavefront distance IMAGE -o OUT" },
  { "distance in.raw --raw 4x3:u8 -o",              "-o" },
  { "distance in.raw --raw 4x3:u8 -o ''",           "output" },
  { "distance in.raw --format raw" RAW,             "standard output" },
  { "reconstruct - -" RAW,                          "standard input" },
  { "distance ''" RAW,                              "input" },

  { "distance in.raw --frobnicate" RAW,             "--frobnicate" },
  { "distance in.raw -z" RAW,                       "-z" },
  { "reconstruct in.raw marker.raw --metric squared" RAW, "--metric" },
  { "distance in.raw --lines" RAW,                  "--lines" },
  { "distance in.raw --markers markers.raw" RAW,    "--markers" },
  { "watershed in.raw --nearest near.raw" RAW,      "--nearest" },
  { "devices --threads 2",                          "--threads" },
  { "fill-holes in.raw --height 3" RAW,             "--height" },
  { "h-maxima in.raw --height 3 --radius 2" RAW,    "--radius" },
  { "opening-by-reconstruction in.raw --height 3" RAW,                "--height" },
  { "label in.raw --count 3" RAW,                   "--count" },
  { "distance in.raw --signed=no" RAW,              "--signed" },
  { "hierarchy in.raw markers.raw --saliency=1" RAW, "--saliency" },
  { "devices -o out.raw",                           "-o" },
  { "watershed in.raw --lines=maybe" RAW,           "--lines" },

  { "distance in.raw --metric manhattan" RAW,       "manhattan" },
  { "distance in.raw --metric ''" RAW,              "metric" },
  { "distance in.raw --algorithm magic" RAW,        "magic" },
  { "reconstruct in.raw marker.raw --algorithm scan" RAW, "scan" },
  { "reconstruct in.raw marker.raw --by opening" RAW, "opening" },
  { "distance in.raw --connectivity 5" RAW,         "connectivity" },
  { "watershed in.raw --connectivity eight" RAW,    "eight" },
  { "distance in.raw --device gpu" RAW,             "gpu" },
  { "distance in.raw --device cuda:" RAW,           "cuda:" },
  { "distance in.raw --device cuda:x" RAW,          "cuda:x" },
  { "distance in.raw --device cuda:-1" RAW,         "cuda:-1" },
  { "distance in.raw --device ''" RAW,              "device" },
  { "distance in.raw --fallback gpu" RAW,           "gpu" },
  { "distance in.raw --threads two" RAW,            "two" },
  { "distance in.raw --threads -1" RAW,             "-1" },
  { "distance in.raw --threads 99999999999" RAW,    "99999999999" },
  { "distance in.raw --tile-size 1.5" RAW,          "1.5" },
  { "distance in.raw --tile-size -5" RAW,           "-5" },
  { "distance in.raw --threshold high" RAW,         "high" },
  { "distance in.raw --threshold 1,5" RAW,          "1,5" },
  { "distance in.raw --threshold nan" RAW,          "threshold" },
  { "distance in.raw --threshold 1e999" RAW,        "threshold" },
  { "distance in.raw --spacing 1" RAW,              "spacing" },
  { "distance in.raw --spacing 1,0" RAW,            "spacing" },
  { "distance in.raw --spacing 1,-2" RAW,           "spacing" },
  { "distance in.raw --spacing 1,inf" RAW,          "spacing" },
  { "distance in.raw --spacing 1,2,3,4" RAW,        "spacing" },
  { "distance in.raw --spacing 1,x" RAW,            "spacing" },
  { "opening-by-reconstruction in.raw --radius -1" RAW,               "radius" },
  { "opening-by-reconstruction in.raw --radius 1.5" RAW,              "1.5" },
  { "opening-by-reconstruction in.raw --radius 1048577" RAW,          "1048577" },
  { "closing-by-reconstruction in.raw --element hexagon" RAW,         "hexagon" },
  { "h-dome in.raw --height -1" RAW,                "height" },
  { "h-dome in.raw --height high" RAW,              "high" },
  { "h-dome in.raw --height inf" RAW,               "height" },
  { "label in.raw --algorithm sweeps" RAW,          "sweeps" },
  { "hierarchy in.raw markers.raw --count 2 --measure size" RAW, "size" },
  { "hierarchy in.raw markers.raw --count 0" RAW,   "“0”" },
  { "hierarchy in.raw markers.raw --count -1" RAW,  "-1" },
  { "hierarchy in.raw markers.raw --count many" RAW, "many" },
  { "hierarchy in.raw markers.raw --depth -1" RAW,  "depth" },
  { "hierarchy in.raw markers.raw --depth nan" RAW, "depth" },
  { "watershed in.raw --tolerance -1" RAW,          "tolerance" },
  { "watershed in.raw --tolerance deep" RAW,        "deep" },
  { "distance in.raw --repeat 0" RAW,               "repeat" },
  { "distance in.raw --repeat -3" RAW,              "-3" },
  { "distance in.raw --repeat often" RAW,           "often" },

  { "watershed in.raw --markers markers.raw --tolerance 1" RAW, "--tolerance" },
  { "watershed in.raw --markers markers.raw --tolerance 0" RAW, "--markers" },
  { "watershed - --markers -" RAW,                  "standard input" },
  { "h-maxima in.raw" RAW,                          "--height" },
  { "area-opening in.raw" RAW,                      "--area" },
  { "height-closing in.raw" RAW,                    "--height" },
  { "volume-opening in.raw" RAW,                    "--volume" },
  { "area-opening in.raw --height 3" RAW,           "--height" },
  { "area-opening in.raw --area -1" RAW,            "area" },
  { "h-minima in.raw" RAW,                          "--height" },
  { "h-dome in.raw" RAW,                            "wavefront h-dome" },
  { "h-basin in.raw" RAW,                           "--height" },
  { "extended-maxima in.raw" RAW,                   "--height" },
  { "extended-minima in.raw --connectivity 4" RAW,  "wavefront extended-minima" },
  { "distance in.raw --signed --metric squared" RAW, "--signed" },
  { "hierarchy in.raw markers.raw" RAW,             "--saliency" },
  { "hierarchy in.raw markers.raw --count 2 --depth 3" RAW, "exactly one" },
  { "hierarchy in.raw markers.raw --count 2 --saliency" RAW, "exactly one" },
  { "hierarchy in.raw markers.raw --depth 0 --saliency" RAW, "exactly one" },
  { "impose-minima - -" RAW,                        "standard input" },
  { "distance in.raw --nearest out.raw" RAW,        "out.raw" },
  { "distance in.raw --nearest ./out.raw" RAW,      "out.raw" },
  { "distance in.raw --raw 4x3:u8 --nearest - -o - --format raw", "standard output" },

  { "distance in.raw -o out.raw",                   "--raw" },
  { "reconstruct in.tif marker.raw -o out.raw",     "marker.raw" },
  { "watershed in.tif --markers markers.raw -o out.raw", "markers.raw" },
  { "impose-minima in.tif markers.raw -o out.raw",  "markers.raw" },
  { "hierarchy in.tif markers.raw -o out.raw --count 2", "markers.raw" },
  { "distance in.raw -o out.raw --raw",             "--raw" },
  { "distance in.raw -o out.raw --raw ''",          "--raw" },
  { "distance in.raw -o out.raw --raw 4x3",         "4x3" },
  { "distance in.raw -o out.raw --raw u8",          "u8" },
  { "distance in.raw -o out.raw --raw 12:u8",       "12:u8" },
  { "distance in.raw -o out.raw --raw 4x:u8",       "4x:u8" },
  { "distance in.raw -o out.raw --raw x3:u8",       "x3:u8" },
  { "distance in.raw -o out.raw --raw 4x3x1x1:u8",  "4x3x1x1:u8" },
  { "distance in.raw -o out.raw --raw 4x3:",        "4x3:" },
  { "distance in.raw -o out.raw --raw 4x3:u32",     "4x3:u32" },
  { "distance in.raw -o out.raw --raw 4x3:U8",      "4x3:U8" },
  { "distance in.raw -o out.raw --raw 4x3:u8x",     "4x3:u8x" },
  { "distance in.raw -o out.raw --raw 0x3:u8",      "0x3:u8" },
  { "distance in.raw -o out.raw --raw 4x0:u8",      "4x0:u8" },
  { "distance in.raw -o out.raw --raw 4x3x0:u8",    "4x3x0:u8" },
  { "distance in.raw -o out.raw --raw -4x3:u8",     "-4x3:u8" },
  { "distance in.raw -o out.raw --raw 4x-3:u8",     "4x-3:u8" },
  { "distance in.raw -o out.raw --raw 4.0x3:u8",    "4.0x3:u8" },
  { "distance in.raw -o out.raw --raw ' 4x3:u8'",   " 4x3:u8" },
  { "distance in.raw -o out.raw --raw 1073741825x1:u8", "1073741825x1:u8" },
  { "distance in.raw -o out.raw --raw 99999999999999999999x1:u8",
    "99999999999999999999x1:u8" },
  { "distance in.raw -o out.raw --raw 1073741824x1073741824x1073741824:u8",
    "1073741824x1073741824x1073741824:u8" },
  { "distance in.raw -o out.raw --raw 1073741824x1073741824x4:f32",
    "1073741824x1073741824x4:f32" },
};

static void
test_wrong (Scratch       *scratch,
            gconstpointer  data)
{
  const Wrong *item = data;

  scratch_write_inputs (scratch);
  refuse (scratch, 2, item->culprit, "%s", item->line);
}

/* Arguments that are invalid text in the locale. */
static void
test_wrong_encoding (Scratch       *scratch,
                     gconstpointer  data)
{
  g_autoptr (Run) result = NULL;

  scratch_write_inputs (scratch);
  result = run (scratch, "distance in.raw --metric 'caf\351'" RAW);
  assert_refused (result, 2, "caf");
  scratch_assert (scratch, "in.raw marker.raw markers.raw");
}

/* A line break in a name does not break the message into two lines. */
static void
test_control_characters (Scratch       *scratch,
                         gconstpointer  data)
{
  refuse (scratch, 1, "“two\\nlines.raw”", "distance 'two\nlines.raw' --raw 4x3:u8 -o out.raw");
  refuse (scratch, 2, "“two\\nlines”", "'two\nlines'");
  /* What a terminal would obey: a title, a sequence of one byte in Latin 1, reversed text. */
  refuse (scratch, 1, "“\\x1b]0;title\\x07”",
          "distance '\033]0;title\007' --raw 4x3:u8 -o out.raw");
  refuse (scratch, 1, "“\\x9b2J”", "distance '\302\2332J' --raw 4x3:u8 -o out.raw");
  refuse (scratch, 1, "“\\u202efit.raw”", "distance '\342\200\256fit.raw' --raw 4x3:u8 -o out.raw");
  refuse (scratch, 1, "“\\r\\t\\x7f.raw”", "distance '\r\t\177.raw' --raw 4x3:u8 -o out.raw");
  refuse (scratch, 2, "\\x1b[1m", "distance in.raw --'\033[1m' -o out.raw");
}


/*  Choices  */

/* Returns the arguments that a command requires. */
static const char *
least_words (const WfOptionGroup *operation)
{
  static const struct { const char *name; const char *words; } several[] =
  {
    { "reconstruct",       "in.raw marker.raw" },
    { "impose-minima",     "in.raw marker.raw" },
    { "geodesic-distance", "in.raw marker.raw" },
    { "hierarchy",         "in.raw markers.raw --count 2" },
    { "remove-small",      "markers.raw --area 2" },
    { "keep-largest",      "markers.raw" },
    { "expand-labels",     "markers.raw" },
    { "relabel",           "markers.raw" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (several); i++)
    if (strcmp (operation->name, several[i].name) == 0)
      return several[i].words;
  return wf_option_group_find (operation, "height")   ? "in.raw --height 2"
         : wf_option_group_find (operation, "area")   ? "in.raw --area 2"
         : wf_option_group_find (operation, "volume") ? "in.raw --volume 2"
                                                      : "in.raw";
}

/* The quick tier tries one in this many choices, beginning at another one for each operation. */
#define TURNS 4

static void
try_choices (const Scratch       *scratch,
             const WfOptionGroup *operation,
             const WfOptionGroup *group,
             guint                turn)
{
  const char *files = least_words (operation);

  for (guint i = 0; i < group->n_options; i++)
    for (const WfChoice *choice = group->options[i].choices; choice && choice->name; choice++)
      {
        g_autoptr (Run) result = NULL;

        if (! test_takes_turn (turn++, TURNS))
          continue;
        result = run (scratch, "%s %s" RAW "--%s %s", operation->name, files,
                      group->options[i].name, choice->name);
        /* A choice that this image or this machine does not support is no usage error. */
        if (result->status == 0)
          {
            assert_success (result);
            scratch_remove (scratch, "out.raw");
          }
        else
          {
            assert_refused (result, 1, choice->name);
          }
      }
}

/* The command accepts every choice in the library's tables, including new ones. */
static void
test_choices (Scratch       *scratch,
              gconstpointer  data)
{
  scratch_write_inputs (scratch);
  for (int operation = 0; operation < WF_N_OPERATIONS; operation++)
    {
      try_choices (scratch, wf_operation_get_options (operation),
                   wf_operation_get_options (operation), operation);
      try_choices (scratch, wf_operation_get_options (operation), wf_context_get_options (),
                   operation);
    }
}

/* Options may be anywhere, with a space or an equals sign; the last one counts; every argument
 * after -- is a file.
 */
static void
test_order (Scratch       *scratch,
            gconstpointer  data)
{
  g_autofree gpointer first  = NULL;
  g_autofree gpointer second = NULL;
  static const guint8 levels[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

  scratch_write_inputs (scratch);
  scratch_write (scratch, "-in.raw", levels, sizeof levels);
  succeed (scratch, "distance --metric=city-block --raw=4x3:u8 --output=out.raw in.raw");
  first = scratch_read (scratch, "out.raw", 48);
  succeed (scratch, "distance -o other.raw --metric squared --raw 9x9:f32 -o out.raw "
                    "--raw 4x3:u8 --metric city-block -- -in.raw");
  second = scratch_read (scratch, "out.raw", 48);
  g_assert_cmpmem (first, 48, second, 48);
  scratch_assert (scratch, "-in.raw in.raw marker.raw markers.raw out.raw");
}


/*  Languages  */

static void
test_decimal_comma (Scratch       *scratch,
                    gconstpointer  data)
{
  static const char * const environment[] = { "LC_ALL=de_DE.UTF-8", NULL };
  const Surroundings        german        = { .environment = environment };
  g_autofree gpointer       expected      = NULL;
  g_autofree gpointer       found         = NULL;
  g_autoptr (Run)           result        = NULL;
  g_autoptr (Run)           refused       = NULL;
  g_autofree char          *old           = g_strdup (setlocale (LC_ALL, NULL));

  if (! setlocale (LC_ALL, "de_DE.UTF-8"))
    {
      g_test_skip ("the locale de_DE.UTF-8 is not installed");
      return;
    }
  setlocale (LC_ALL, old);

  scratch_write_inputs (scratch);
  succeed (scratch, "distance in.raw --spacing 0.5,2.25 --threshold 1.5" RAW);
  expected = scratch_read (scratch, "out.raw", 48);

  result = run_in (scratch, &german,
                   "distance in.raw --spacing 0.5,2.25 --threshold 1.5 --stats" RAW);
  assert_success (result);
  g_assert_true (g_regex_match_simple ("\"seconds\":[0-9]+\\.[0-9]+,", result->out, 0, 0));
  found = scratch_read (scratch, "out.raw", 48);
  g_assert_cmpmem (found, 48, expected, 48);

  refused = run_in (scratch, &german, "distance in.raw --threshold 1,5" RAW);
  assert_refused (refused, 2, "1,5");
  run_free (refused);
  refused = run_in (scratch, &german, "watershed in.raw --tolerance -0.5" RAW);
  assert_refused (refused, 2, "-0.5");
}

/* In a locale without typographic quotation marks the command prints ASCII ones. */
static void
test_plain_locale (Scratch       *scratch,
                   gconstpointer  data)
{
  static const char * const environment[] = { "LC_ALL=C", NULL };
  const Surroundings        plain         = { .environment = environment };
  g_autoptr (Run)           result        = run_in (scratch, &plain, "frobnicate");
  g_autoptr (Run)           help          = run_in (scratch, &plain, "--help");

  assert_refused (result, 2, "\"frobnicate\"");
  assert_success (help);
  for (const char *c = help->out; *c; c++)
    g_assert_true (g_ascii_isprint (*c) || *c == '\n');
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/help/options", NULL, test_help);
  add_test ("/help/own-options", NULL, test_help_of_own_options);
  add_test ("/version", NULL, test_version);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/wrong/%u", i);

      add_test (path, &wrong[i], test_wrong);
    }
  add_test ("/wrong/encoding", NULL, test_wrong_encoding);
  add_test ("/wrong/control-characters", NULL, test_control_characters);
  add_test ("/choices", NULL, test_choices);
  add_test ("/order", NULL, test_order);
  add_test ("/language/decimal-comma", NULL, test_decimal_comma);
  add_test ("/language/plain", NULL, test_plain_locale);
  return run_tests (argc, argv);
}
