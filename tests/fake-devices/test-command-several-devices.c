/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command with several devices: --device with lists, --stats, --trace. */

#include <string.h>

#include <json-glib/json-glib.h>

#include "tests/support/tiers.h"
#include "tests/tools/harness.h"

#define SIDE  5000
#define SMALL 512
#define LINE "reconstruct mask.raw marker.raw --raw 5000x5000:u8 -o out.raw"

/* Large enough to be shared: noise, and what of it is above a level. */
static void
write_images (const Scratch *scratch)
{
  g_autofree guint8 *mask   = g_new (guint8, SIDE * SIDE);
  g_autofree guint8 *marker = g_new (guint8, SIDE * SIDE);

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      mask[i]   = (guint8) (((guint32) i * 2654435761u) >> 24);
      marker[i] = mask[i] > 250 ? mask[i] : 0;
    }
  scratch_write (scratch, "mask.raw", mask, SIDE * SIDE);
  scratch_write (scratch, "marker.raw", marker, SIDE * SIDE);
}

static JsonObject *
parse (JsonParser *parser,
       const char *text)
{
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

/* The blocks that the workers have visited, by the line of --stats. */
static gint64
count_blocks (JsonArray *workers)
{
  gint64 n = 0;

  for (guint i = 0; i < json_array_get_length (workers); i++)
    {
      JsonObject *worker = json_array_get_object_element (workers, i);

      n += json_object_get_int_member (worker, "blocks");
      g_assert_cmpfloat (json_object_get_double_member (worker, "busy_seconds"), >=,
                         json_object_get_double_member (worker, "compute_seconds"));
      g_assert_false (json_object_get_boolean_member (worker, "failed"));
    }
  return n;
}

static void
test_shared (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (Run)        one    = NULL;
  g_autoptr (Run)        shared = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree gpointer    result = NULL;
  g_autofree gpointer    again  = NULL;
  JsonObject            *stats;

  write_images (scratch);
  one    = run (scratch, LINE " --device cpu --stats");
  result = scratch_read (scratch, "out.raw", SIDE * SIDE);
  shared = run (scratch, LINE " --device cuda:0,cpu,cuda:2 --stats --trace trace.json");
  again  = scratch_read (scratch, "out.raw", SIDE * SIDE);
  assert_success (one);
  assert_success (shared);
  g_assert_true (memcmp (result, again, SIDE * SIDE) == 0);

  g_assert_null (strstr (one->out, "workers"));
  stats = parse (parser, shared->out);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (stats, "workers")), ==, 3);
  g_assert_cmpint (count_blocks (json_object_get_array_member (stats, "workers")), >=, 6);
  g_assert_nonnull (strstr (json_object_get_string_member (stats, "device"), "cuda:"));
}

/* One device, and several, in blocks of a file. */
static void
test_blocks (Scratch       *scratch,
             gconstpointer  data)
{
  static const char * const works[]   = { "label --threshold 90", "distance --threshold 90" };
  static const char * const devices[] = { "cuda:0", "cuda:1,cuda:2", "all" };
  g_autofree guint8        *levels    = g_new (guint8, SMALL * SMALL);

  for (int i = 0; i < SMALL * SMALL; i++)
    levels[i] = (guint8) (((guint32) i * 2654435761u) >> 24);
  scratch_write (scratch, "small.raw", levels, SMALL * SMALL);
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      g_autofree gpointer expected = NULL;
      g_autoptr (Run)     whole    = run (scratch, "%s small.raw --raw 512x512:u8 -o out.raw "
                                                   "--device cpu", works[i]);

      assert_success (whole);
      expected = scratch_read (scratch, "out.raw", 4 * SMALL * SMALL);
      for (guint k = 0; k < G_N_ELEMENTS (devices); k++)
        {
          g_autofree gpointer found = NULL;
          g_autoptr (Run)     done  = run (scratch, "%s small.raw --raw 512x512:u8 -o out.raw "
                                                    "--stats --blocks auto --device %s",
                                           works[i], devices[k]);

          assert_success (done);
          g_assert_nonnull (strstr (done->out, "cuda:"));
          found = scratch_read (scratch, "out.raw", 4 * SMALL * SMALL);
          g_assert_true (memcmp (found, expected, 4 * SMALL * SMALL) == 0);
        }
    }
}

/* Each lane has its name, and spans of reading, computing and writing that do not overlap. */
static void
test_trace (Scratch       *scratch,
            gconstpointer  data)
{
  g_autoptr (JsonParser) parser  = json_parser_new ();
  g_autofree char       *path    = scratch_path (scratch, "trace.json");
  g_autofree char       *text    = NULL;
  gint64                 ends[16] = { 0 };
  guint                  n_reads = 0, n_writes = 0;
  JsonArray             *events;

  write_images (scratch);
  succeed (scratch, LINE " --device all --trace trace.json");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  events = json_object_get_array_member (parse (parser, text), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      const char *name  = json_object_get_string_member (event, "name");
      gint64      lane, begin;

      if (! g_str_equal (json_object_get_string_member (event, "ph"), "X"))
        continue;
      n_reads  += g_str_equal (name, "read");
      n_writes += g_str_equal (name, "write");
      lane      = json_object_get_int_member (event, "tid");
      begin     = json_object_get_int_member (event, "ts");
      g_assert_cmpint (lane, <, (gint64) G_N_ELEMENTS (ends));
      g_assert_cmpint (begin, >=, ends[lane]);
      ends[lane] = begin + json_object_get_int_member (event, "dur");
    }
  g_assert_cmpuint (n_reads, >=, 6);
  g_assert_cmpuint (n_reads, ==, n_writes);
}

static void
test_trace_of_one (Scratch       *scratch,
                   gconstpointer  data)
{
  scratch_write_inputs (scratch);
  succeed (scratch, "distance in.raw --raw 4x3:u8 -o out.raw --device cpu --trace trace.json");
  scratch_remove (scratch, "trace.json");
}

static void
test_refusals (Scratch       *scratch,
               gconstpointer  data)
{
  scratch_write_inputs (scratch);
  refuse (scratch, 2, "out.raw", "distance in.raw --raw 4x3:u8 -o out.raw --trace out.raw");
  refuse (scratch, 1, "nowhere", "distance in.raw --raw 4x3:u8 -o out.raw --trace nowhere/t.json");
  refuse (scratch, 2, "cpu,", "distance in.raw --raw 4x3:u8 -o out.raw --device cpu,");
  refuse (scratch, 1, "cuda:7", "distance in.raw --raw 4x3:u8 -o out.raw --device cpu,cuda:7");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  add_test ("/shared", NULL, test_shared);
  add_test ("/blocks", NULL, test_blocks);
  add_test ("/trace", NULL, test_trace);
  add_test ("/trace-of-one", NULL, test_trace_of_one);
  add_test ("/refusals", NULL, test_refusals);
  return run_tests (argc, argv);
}
