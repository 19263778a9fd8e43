/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Standard input and output in the place of files, and outputs that are a stream of the command
 * itself.
 */

#include "config.h"

#include <unistd.h>

#include "pixels.h"
#include "tests/support/tiers.h"


#define RAW " --raw 4x3:u8 "

/* Runs the command as "$@" in a shell script, which redirects its streams. */
static Run *
through (const Scratch *scratch,
         const char    *script,
         const char    *line)
{
  const Surroundings shell = { .through = script };

  return run_in (scratch, &shell, "%s", line);
}

static void
succeed_through (const Scratch *scratch,
                 const char    *script,
                 const char    *line)
{
  g_autoptr (Run) result = through (scratch, script, line);

  assert_success (result);
  g_assert_cmpstr (result->out, ==, "");
}

static void
assert_equal_files (const Scratch *scratch,
                    const char    *name,
                    const char    *expected)
{
  g_autofree char *path           = scratch_path (scratch, name);
  g_autofree char *expected_path  = scratch_path (scratch, expected);
  g_autofree char *bytes          = NULL;
  g_autofree char *expected_bytes = NULL;
  gsize            length;
  gsize            expected_length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_true (g_file_get_contents (expected_path, &expected_bytes, &expected_length, NULL));
  g_assert_cmpmem (bytes, length, expected_bytes, expected_length);
}


/*  Input  */

static void
test_input (Scratch       *scratch,
            gconstpointer  data)
{
  static const char * const scripts[] =
  {
    "\"$@\" <in.raw",
    "cat in.raw | \"$@\"",
    /* Not from its beginning: the shell has read a line of the same file. */
    "{ echo; cat in.raw; } >longer; { read -r line; \"$@\"; } <longer",
  };
  g_autoptr (Run) result = NULL;

  scratch_write_inputs (scratch);
  succeed (scratch, "distance in.raw" RAW "-o expected.raw");
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      succeed_through (scratch, scripts[i], "distance -" RAW "-o out.raw");
      assert_equal_files (scratch, "out.raw", "expected.raw");
    }

  /* Each input can be the one. */
  succeed_counting (scratch, "watershed in.raw" RAW "--markers markers.raw -o expected.raw");
  result = through (scratch, "\"$@\" <markers.raw",
                    "watershed in.raw" RAW "--markers - -o out.raw");
  g_assert_cmpuint (printed_number (result), ==, 1);
  assert_equal_files (scratch, "out.raw", "expected.raw");
}

/* PFM and, with libvips, all formats are told by their contents. */
static void
test_input_formats (Scratch       *scratch,
                    gconstpointer  data)
{
  static const char * const suffixes[] =
  {
    "pfm",
#ifdef HAVE_VIPS
    "tif", "v",
#endif
  };
  g_autoptr (Pixels) image = pixels_random ("f32", 7, 5, 1, 50);

  pixels_write (scratch, "in.raw", image);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *script = g_strdup_printf ("cat in.%s | \"$@\"", suffixes[i]);

      succeed (scratch, "reconstruct in.raw in.raw --raw 7x5:f32 -o in.%s", suffixes[i]);
      succeed_through (scratch, script, "gaussian - --sigma 0.5 -o out.raw");
      succeed (scratch, "gaussian in.%s --sigma 0.5 -o expected.raw", suffixes[i]);
      assert_equal_files (scratch, "out.raw", "expected.raw");
    }
}

static void
test_input_refusals (Scratch       *scratch,
                     gconstpointer  data)
{
  static const struct
  {
    int         status;
    const char *culprit;
    const char *script;
    const char *line;
  } cases[] =
  {
    { 2, "Only one", "\"$@\" <in.raw", "reconstruct - -" RAW "-o out.raw" },
    { 2, "Only one", "\"$@\" <in.raw", "watershed - --markers -" RAW "-o out.raw" },
    { 1, "“standard input” is too short: it has 0 bytes", "\"$@\" </dev/null",
      "distance -" RAW "-o out.raw" },
    { 1, "“standard input” is too short", "\"$@\" <&-", "distance -" RAW "-o out.raw" },
    { 1, "“standard input” is too long: it has 48 bytes", "cat markers.raw | \"$@\"",
      "distance -" RAW "-o out.raw" },
    { 1, "Cannot read “standard input”", "\"$@\" </", "distance -" RAW "-o out.raw" },
    { 1, "Cannot read “standard input”: it takes", "\"$@\" </dev/zero",
      "distance -" RAW "-o out.raw --memory-limit 5M" },
    { 1, "Cannot read “standard input”", "echo text | \"$@\"", "distance - -o out.raw" },
  };

  scratch_write_inputs (scratch);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Run) result = through (scratch, cases[i].script, cases[i].line);

      assert_refused (result, cases[i].status, cases[i].culprit);
      scratch_assert (scratch, "in.raw marker.raw markers.raw");
    }
}


/*  Output  */

static void
test_output (Scratch       *scratch,
             gconstpointer  data)
{
  scratch_write_inputs (scratch);
  succeed (scratch, "distance in.raw" RAW "-o expected.raw");
  succeed_through (scratch, "\"$@\" >out.raw", "distance in.raw" RAW "-o - --format raw");
  assert_equal_files (scratch, "out.raw", "expected.raw");
  succeed_through (scratch, "\"$@\" | cat >out.raw", "distance in.raw" RAW "-o - --format RAW");
  assert_equal_files (scratch, "out.raw", "expected.raw");

  succeed (scratch, "distance in.raw" RAW "-o expected.pfm");
  succeed_through (scratch, "\"$@\" >out.pfm", "distance in.raw" RAW "-o - --format pfm");
  assert_equal_files (scratch, "out.pfm", "expected.pfm");

  succeed (scratch, "distance in.raw" RAW "-o near.raw --nearest expected.raw");
  succeed_through (scratch, "\"$@\" >out.raw",
                   "distance in.raw" RAW "-o near.raw --nearest - --format raw");
  assert_equal_files (scratch, "out.raw", "expected.raw");
#ifdef HAVE_VIPS
  succeed (scratch, "distance in.raw" RAW "-o expected.tif");
  succeed_through (scratch, "\"$@\" >out.tif", "distance in.raw" RAW "-o -");
  assert_equal_files (scratch, "out.tif", "expected.tif");
  succeed (scratch, "regional-maxima in.raw" RAW "-o expected.png");
  succeed_through (scratch, "\"$@\" >out.png", "regional-maxima in.raw" RAW "-o - --format png");
  assert_equal_files (scratch, "out.png", "expected.png");
  refuse (scratch, 1, "libvips", "distance in.raw" RAW "-o - --format v --progress");
#endif
}

static void
test_pipeline (Scratch       *scratch,
               gconstpointer  data)
{
  g_autoptr (Pixels) image = pixels_random ("u8", 30, 20, 1, 5);

  pixels_write (scratch, "in.raw", image);
  succeed (scratch, "distance in.raw --raw 30x20:u8 -o middle.pfm");
  succeed (scratch, "gaussian middle.pfm --sigma 1 -o expected.pfm");
  succeed_through (scratch, "\"$@\" | \"$1\" gaussian - --sigma 1 -o - --format pfm >out.pfm",
                   "distance in.raw --raw 30x20:u8 -o - --format pfm");
  assert_equal_files (scratch, "out.pfm", "expected.pfm");
}

/* Numbers and statistics leave standard output to the result. */
static void
test_reports (Scratch       *scratch,
              gconstpointer  data)
{
  g_autoptr (Run) counted = NULL;
  g_autoptr (Run) timed   = NULL;

  scratch_write_inputs (scratch);
  counted = run (scratch, "label in.raw" RAW "-o expected.raw");
  assert_success (counted);
  g_assert_cmpstr (counted->out, ==, "1\n");
  g_clear_pointer (&counted, run_free);

  counted = through (scratch, "\"$@\" >out.raw", "label in.raw" RAW "-o - --format raw");
  g_assert_cmpint (counted->status, ==, 0);
  g_assert_cmpstr (counted->err, ==, "1\n");
  assert_equal_files (scratch, "out.raw", "expected.raw");

  timed = through (scratch, "\"$@\" >out.raw", "label in.raw" RAW "-o - --format raw --stats");
  g_assert_cmpint (timed->status, ==, 0);
  g_assert_true (g_str_has_prefix (timed->err, "{\"operation\":\"label\""));
  assert_equal_files (scratch, "out.raw", "expected.raw");
}

static void
test_table (Scratch       *scratch,
            gconstpointer  data)
{
  g_autofree char *path   = scratch_path (scratch, "expected.csv");
  g_autofree char *text   = NULL;
  g_autoptr (Run)  result = NULL;

  scratch_write_inputs (scratch);
  result = run (scratch, "label in.raw" RAW "-o out.raw --table expected.csv");
  assert_success (result);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  run_free (result);

  result = run (scratch, "label in.raw" RAW "-o out.raw --table -");
  g_assert_cmpint (result->status, ==, 0);
  g_assert_cmpstr (result->out, ==, text);
  g_assert_cmpstr (result->err, ==, "1\n");
}

static void
test_output_refusals (Scratch       *scratch,
                      gconstpointer  data)
{
  scratch_write_inputs (scratch);
  refuse (scratch, 2, "standard output", "label in.raw" RAW "-o - --format raw --table -");
  refuse (scratch, 2, "standard output", "distance in.raw" RAW "-o - --format raw --nearest -");
  refuse (scratch, 2, "--format", "distance in.raw" RAW "-o out.raw --format raw");
  refuse (scratch, 2, "“xyz”", "distance in.raw" RAW "-o - --format xyz");
  refuse (scratch, 1, "PFM", "label in.raw" RAW "-o - --format pfm --progress");
}

/* What fails writes nothing, and a reader that has gone is an error like any other. */
static void
test_failed_output (Scratch       *scratch,
                    gconstpointer  data)
{
  g_autoptr (Run) full   = NULL;
  g_autoptr (Run) closed = NULL;
  g_autoptr (Run) broken = NULL;

  scratch_write_inputs (scratch);
  refuse (scratch, 1, "gone.raw", "reconstruct in.raw gone.raw" RAW "-o - --format raw");
  full = through (scratch, "\"$@\" >/dev/full", "distance in.raw" RAW "-o - --format raw");
  assert_refused (full, 1, "Cannot write “standard output”: No space left");
  closed = through (scratch, "\"$@\" >&-", "distance in.raw" RAW "-o - --format raw");
  assert_refused (closed, 1, "Cannot write “standard output”");

  /* The table is not left behind as a temporary file. */
  broken = through (scratch, "{ \"$@\"; echo $? >status; } | true; cat status; rm status",
                    "label in.raw" RAW "-o - --format raw --table table.csv");
  g_assert_cmpstr (broken->out, !=, "0\n");
  scratch_assert (scratch, "in.raw marker.raw markers.raw");
}


/*  A stream of the command as an output  */

static void
test_own_streams (Scratch       *scratch,
                  gconstpointer  data)
{
  static const struct
  {
    const char *script;
    const char *line;
  } cases[] =
  {
    { "\"$@\" >>out.raw", "label in.raw" RAW "-o /dev/stdout" },
    { "\"$@\" >>out.raw", "label in.raw" RAW "-o out.raw" },
    { "\"$@\" >>out.raw", "label in.raw" RAW "-o labels.raw --table /dev/stdout" },
    { "\"$@\" >>out.raw", "label in.raw" RAW "-o labels.raw --table /dev/fd/1" },
    { "\"$@\" >>out.raw", "label in.raw" RAW "-o labels.raw --table out.raw" },
    { "\"$@\" >>out.raw", "label in.raw" RAW "-o labels.raw --table link" },
    { "\"$@\" >>out.raw", "distance in.raw" RAW "-o labels.raw --nearest out.raw" },
    { "\"$@\" <out.raw", "label -" RAW "-o out.raw" },
    { "\"$@\" 3>>out.raw", "label in.raw" RAW "-o /dev/fd/3" },
    { "\"$@\" 3>>out.raw", "label in.raw" RAW "-o labels.raw --table /proc/self/fd/3" },
  };
  g_autofree char *link = scratch_path (scratch, "link");

  scratch_write_inputs (scratch);
  g_assert_cmpint (symlink ("out.raw", link), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Run)  result = NULL;
      g_autofree char *kept   = NULL;

      scratch_write (scratch, "out.raw", "mine", 4);
      result = through (scratch, cases[i].script, cases[i].line);
      assert_refused (result, 1, "Cannot write “");
      kept = scratch_read (scratch, "out.raw", 4);
      g_assert_cmpmem (kept, 4, "mine", 4);
      scratch_assert (scratch, "in.raw link marker.raw markers.raw out.raw");
    }

  {
    g_autoptr (Run)  errors = through (scratch, "\"$@\" 2>out.raw; status=$?; cat out.raw >&2; "
                                                "exit $status",
                                       "label in.raw" RAW "-o out.raw");

    assert_refused (errors, 1, "standard stream");
  }
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/input/streams", NULL, test_input);
  add_test ("/input/formats", NULL, test_input_formats);
  add_test ("/input/refusals", NULL, test_input_refusals);
  add_test ("/output/files-and-pipes", NULL, test_output);
  add_test ("/output/pipeline", NULL, test_pipeline);
  add_test ("/output/reports", NULL, test_reports);
  add_test ("/output/table", NULL, test_table);
  add_test ("/output/refusals", NULL, test_output_refusals);
  add_test ("/output/failures", NULL, test_failed_output);
  add_test ("/output/own-streams", NULL, test_own_streams);
  return run_tests (argc, argv);
}
