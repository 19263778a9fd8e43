/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Other output of the command: --stats, --progress. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pixels.h"
#include "tools/stats.h"
#include "tests/support/tiers.h"
#include "wavefront.h"


/*  --stats  */

#define STRING "\"(?:[^\"\\\\]|\\\\[\"\\\\])*\""
#define MEMBER "\"([a-z_]+)\":(" STRING "|[0-9]+(?:\\.[0-9]+)?|true|false)"

/* Returns the members of one line of flat JSON as strings. */
static GHashTable *
parse_stats (const char *text)
{
  GHashTable            *members = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GRegex)     member  = g_regex_new (MEMBER, 0, 0, NULL);
  g_autoptr (GMatchInfo) match   = NULL;

  g_assert_true (g_regex_match_simple ("^\\{" MEMBER "(," MEMBER ")*\\}\\n$", text,
                                       G_REGEX_DOLLAR_ENDONLY, 0));
  for (g_regex_match (member, text, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    g_assert_true (g_hash_table_insert (members, g_match_info_fetch (match, 1),
                                        g_match_info_fetch (match, 2)));
  return members;
}

static void
assert_member (GHashTable *members,
               const char *name,
               const char *value)
{
  g_assert_cmpstr (g_hash_table_lookup (members, name), ==, value);
}

static double
number (GHashTable *members,
        const char *name)
{
  const char *text = g_hash_table_lookup (members, name);

  g_assert_nonnull (text);
  return g_ascii_strtod (text, NULL);
}

static GHashTable *
run_stats (const Scratch *scratch,
           const char    *line)
{
  gint64          start  = g_get_monotonic_time ();
  g_autoptr (Run) result = run (scratch, "%s --stats", line);
  double          wall   = (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
  GHashTable     *members;

  assert_success (result);
  members = parse_stats (result->out);
  g_assert_cmpfloat (number (members, "seconds"), >, 0);
  g_assert_cmpfloat (number (members, "seconds"), <, wall);
  return members;
}

static void
test_members (Scratch       *scratch,
              gconstpointer  data)
{
  g_autoptr (Pixels)      image       = pixels_random ("u16", 70, 50, 1, 9);
  g_autoptr (GHashTable)  reconstruct = NULL;
  g_autoptr (GHashTable)  distance    = NULL;
  g_autoptr (GHashTable)  stack       = NULL;
  static const char      *steps[]     = { "plateaux", "minima", "paths", "labels" };
  double                  sum         = 0;

  image->values[0] = 0;
  pixels_write (scratch, "in.raw", image);
  reconstruct = run_stats (scratch, "reconstruct in.raw in.raw --raw 70x50:u16 -o out.raw "
                                    "--device cpu --threads 2 --algorithm hybrid");
  assert_member (reconstruct, "operation", "\"reconstruct\"");
  assert_member (reconstruct, "algorithm", "\"hybrid\"");
  assert_member (reconstruct, "device", "\"cpu\"");
  assert_member (reconstruct, "pixels", "3500");
  assert_member (reconstruct, "width", "70");
  assert_member (reconstruct, "height", "50");
  assert_member (reconstruct, "depth", "1");
  assert_member (reconstruct, "type", "\"u16\"");
  assert_member (reconstruct, "repeat", "1");
  assert_member (reconstruct, "executions", "1");
  assert_member (reconstruct, "reason", "\"This device was chosen.\"");
  g_assert_cmpfloat (number (reconstruct, "device_seconds"), ==, 0);
  g_assert_cmpfloat (number (reconstruct, "threads"), >=, 1);
  g_assert_cmpfloat (number (reconstruct, "threads"), <=, 2);

  distance = run_stats (scratch, "distance in.raw --raw 70x50:u16 -o out.raw --device cpu "
                                 "--threads 1 --repeat 4");
  assert_member (distance, "operation", "\"distance\"");
  assert_member (distance, "threads", "1");
  assert_member (distance, "repeat", "4");
  assert_member (distance, "no_background", "false");

  stack = run_stats (scratch, "watershed in.raw --raw 10x50x7:u16 -o out.raw "
                              "--device cpu");
  assert_member (stack, "operation", "\"watershed\"");
  assert_member (stack, "pixels", "3500");
  assert_member (stack, "depth", "7");
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_seconds", steps[i]);

      sum += number (stack, name);
    }
  g_assert_cmpfloat (sum, >, 0);
  g_assert_cmpfloat (sum, <=, number (stack, "seconds"));
}

static void
test_basins (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (Pixels)      image  = pixels_random ("u8", 40, 30, 1, 9);
  g_autofree guint32     *minima = g_new (guint32, image->n);
  guint32                 n      = ref_minima (&image->size, 8, image->values, minima);
  g_autofree char        *text   = g_strdup_printf ("%u", n);
  g_autoptr (GHashTable)  stats  = NULL;

  pixels_write (scratch, "in.raw", image);
  stats = run_stats (scratch, "watershed in.raw --raw 40x30:u8 -o out.raw --repeat 2");
  assert_member (stats, "basins", text);
}

static void
test_no_background (Scratch       *scratch,
                    gconstpointer  data)
{
  g_autoptr (Run)        result  = NULL;
  g_autoptr (GHashTable) members = NULL;

  scratch_write (scratch, "in.raw", "123456", 6);
  result = run (scratch, "distance in.raw --raw 3x2:u8 -o out.raw --stats");
  assert_message (result->err, "in.raw");
  g_assert_cmpint (result->status, ==, 0);
  members = parse_stats (result->out);
  assert_member (members, "no_background", "true");
}

/* With --fallback cpu a missing device is replaced by the CPU, and a message says so. */
static void
test_fallback (Scratch       *scratch,
               gconstpointer  data)
{
  g_autoptr (Run)        result  = NULL;
  g_autoptr (GHashTable) members = NULL;

  scratch_write (scratch, "in.raw", "12345", 6);
  result = run (scratch, "distance in.raw --raw 3x2:u8 -o out.raw --stats --device cuda:9999 "
                "--fallback cpu");
  assert_message (result->err, "cuda:9999");
  g_assert_cmpint (result->status, ==, 0);
  members = parse_stats (result->out);
  assert_member (members, "device", "\"cpu\"");
  scratch_assert (scratch, "in.raw out.raw");
}

/* The peak memory is that of the command: at least the image and its distances, without the
 * memory of its parent process.
 */
static void
test_memory (Scratch       *scratch,
             gconstpointer  data)
{
  const gsize             held  = (gsize) 400 << 20;
  g_autofree guint8      *mine  = g_malloc (held);
  g_autoptr (Pixels)      image = pixels_random ("u8", 1000, 1000, 1, 9);
  g_autoptr (GHashTable)  stats = NULL;

  memset (mine, 1, held);
  pixels_write (scratch, "in.raw", image);
  stats = run_stats (scratch, "distance in.raw --raw 1000x1000:u8 -o out.raw");
  g_assert_cmpfloat (number (stats, "peak_rss_bytes"), >, 5e6);
  g_assert_cmpfloat (number (stats, "peak_rss_bytes"), <, 300e6);
  g_assert_cmpint (mine[held - 1], ==, 1);
}

/* Without a result there are no statistics. */
static void
test_no_stats (Scratch       *scratch,
               gconstpointer  data)
{
  refuse (scratch, 1, "gone.raw", "distance gone.raw --raw 3x2:u8 -o out.raw --stats");
}

static void
test_median (void)
{
  double one[]   = { 4 };
  double two[]   = { 3, 1 };
  double three[] = { 9, 1, 2 };
  double four[]  = { 8, 1, 2, 4 };

  g_assert_cmpfloat (stats_median (one, 1), ==, 4);
  g_assert_cmpfloat (stats_median (two, 2), ==, 2);
  g_assert_cmpfloat (stats_median (three, 3), ==, 2);
  g_assert_cmpfloat (stats_median (four, 4), ==, 3);
}


/*  --progress  */

static void
test_progress (Scratch       *scratch,
               gconstpointer  data)
{
  g_autoptr (Pixels)  image  = pixels_random ("u8", 300, 200, 1, 9);
  g_autoptr (Run)     result = NULL;
  g_auto (GStrv)      lines  = NULL;
  int                 before = -1;

  pixels_write (scratch, "in.raw", image);
  result = run (scratch, "watershed in.raw --raw 300x200:u8 -o out.raw --progress --repeat 5");
  g_assert_cmpint (result->status, ==, 0);
  g_assert_cmpuint (g_ascii_strtoull (result->out, NULL, 10), >, 1);
  g_assert_true (g_str_has_prefix (result->err, "wavefront: watershed 0 %\n"));
  g_assert_true (g_str_has_suffix (result->err, "wavefront: watershed 100 %\n"));

  lines = g_strsplit (g_strchomp (result->err), "\n", -1);
  for (char **line = lines; *line; line++)
    {
      int percent = -1;
      int length  = 0;

      g_assert_cmpint (sscanf (*line, "wavefront: watershed %d %%%n", &percent, &length), ==, 1);
      g_assert_cmpint (length, ==, (int) strlen (*line));
      g_assert_cmpint (percent, >, before);
      before = percent;
    }
  scratch_assert (scratch, "in.raw out.raw");
}

static void
use_terminal (gpointer name)
{
  int terminal = open (name, O_RDWR | O_NOCTTY);

  if (terminal < 0 || dup2 (terminal, STDERR_FILENO) < 0)
    _exit (77);
}

static char *
read_terminal (int terminal)
{
  GString *text = g_string_new (NULL);
  char     part[256];
  gssize   n;

  fcntl (terminal, F_SETFL, O_NONBLOCK);
  while ((n = read (terminal, part, sizeof part)) > 0)
    g_string_append_len (text, part, n);
  return g_string_free (text, FALSE);
}

/* On a terminal progress rewrites one line, which ends before any message. */
static void
test_progress_on_terminal (Scratch       *scratch,
                           gconstpointer  data)
{
  int                 terminal = posix_openpt (O_RDWR | O_NOCTTY);
  Surroundings        there    = { .prepare = use_terminal };
  g_autoptr (Run)     result   = NULL;
  g_autofree char    *shown    = NULL;
  g_autofree char    *device   = NULL;
  const char         *end;

  if (terminal < 0 || grantpt (terminal) != 0 || unlockpt (terminal) != 0)
    {
      g_test_skip ("this machine has no pseudo-terminals");
      return;
    }
  device     = g_strdup (ptsname (terminal));
  there.data = device;

  scratch_write (scratch, "in.raw", "123456", 6);
  result = run_in (scratch, &there, "distance in.raw --raw 3x2:u8 -o out.raw --progress");
  shown  = read_terminal (terminal);
  close (terminal);
  g_assert_cmpint (result->status, ==, 0);
  g_assert_true (g_str_has_prefix (shown, "\rwavefront: distance   0 %\rwavefront: distance "));
  end = strstr (shown, "\rwavefront: distance 100 %\r\n");
  g_assert_nonnull (end);
  end = strchr (end, '\n') + 1;
  g_assert_true (g_str_has_prefix (end, "wavefront: in.raw: "));
  g_assert_true (g_str_has_suffix (end, ".\r\n"));
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add_test ("/stats/members", NULL, test_members);
  add_test ("/stats/basins", NULL, test_basins);
  add_test ("/stats/no-background", NULL, test_no_background);
  add_test ("/stats/fallback", NULL, test_fallback);
  add_test ("/stats/memory", NULL, test_memory);
  add_test ("/stats/failure", NULL, test_no_stats);
  g_test_add_func ("/stats/median", test_median);
  add_test ("/progress/lines", NULL, test_progress);
  add_test ("/progress/terminal", NULL, test_progress_on_terminal);
  return run_tests (argc, argv);
}
