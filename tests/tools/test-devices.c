/* SPDX-License-Identifier: GPL-3.0-or-later */

/* wavefront devices: the list, the table of paces, and measuring them; and what --stats says of
 * the choice of a device.  The fake device (tests/fake-device) is the GPU.
 */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "harness.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

static char *cache;
static char *kept;


static void
forget_kept (void)
{
  g_autofree char *folder = g_path_get_dirname (kept);

  g_unlink (kept);
  g_rmdir (folder);
}

/* With a cache folder of our own; @fake: with the fake device, whose paces are in "paces". */
static Run *
run_here (const Scratch *scratch,
          const char    *line,
          gboolean       fake)
{
  g_autofree char    *home  = g_strdup_printf ("XDG_CACHE_HOME=%s", cache);
  g_autofree char    *paces = g_strdup_printf ("WAVEFRONT_PACE=%s/paces", scratch->folder);
  const char *const   environment[] = { home, fake ? paces : NULL,
                                        "WAVEFRONT_MODULE_DIR=" FAKE_DEVICE_DIR, NULL };
  const Surroundings  surroundings  = { .environment = environment };

  return run_in (scratch, &surroundings, "%s", line);
}

static void
write_paces (const Scratch *scratch)
{
  static const char text[] =
    "[cpu]\ndistance/local=0 1:5e8 1024:1e9\n"
    "[cuda:0]\nup=2.5e10 5.5e10\ndown=1.25e10 5e10\ndistance/local=0.0005 1:4.4e11\n";

  scratch_write (scratch, "paces", text, strlen (text));
}

static void
test_list (Scratch       *scratch,
           gconstpointer  data)
{
  g_autoptr (GPtrArray)  devices = wf_list_devices (NULL);
  g_autoptr (Run)        result  = run_here (scratch, "devices", FALSE);
  g_auto (GStrv)         lines   = g_strsplit (result->out, "\n", -1);

  assert_success (result);
  g_assert_true (g_str_has_suffix (result->out, "\n"));
  g_assert_cmpuint (g_strv_length (lines), >=, devices->len);
  for (guint i = 0; i < devices->len; i++)
    {
      const WfDevice  *device = devices->pdata[i];
      g_autofree char *start  = g_strdup_printf ("%s: %s, %u ", device->name,
                                                 device->description, device->n_units);

      g_assert_true (g_str_has_prefix (lines[i], start));
      g_assert_nonnull (strstr (lines[i], "of memory"));
    }
  g_assert_true (g_str_has_prefix (lines[0], "cpu: "));
  scratch_assert (scratch, "");
}

/* Without a GPU there is its reason, and no table of estimates. */
static void
test_no_gpu (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree char    *home          = g_strdup_printf ("XDG_CACHE_HOME=%s", cache);
  const char *const   environment[] = { home, "WAVEFRONT_MODULE_DIR=/nowhere", NULL };
  const Surroundings  surroundings  = { .environment = environment };
  g_autoptr (Run)     result        = run_in (scratch, &surroundings, "devices");
  g_auto (GStrv)      lines         = NULL;

  assert_success (result);
  lines = g_strsplit (g_strchomp (result->out), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 2);
  g_assert_true (g_str_has_prefix (lines[1], "no CUDA device: "));
  g_assert_cmpuint (strlen (lines[1]), >, strlen ("no CUDA device: "));
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
}

/* The words of the table's line for @operation. */
static char **
find_row (const char *out,
          const char *operation)
{
  g_auto (GStrv) lines = g_strsplit (out, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    if (g_str_has_prefix (lines[i], operation) && lines[i][strlen (operation)] == ' ')
      return g_regex_split_simple (" +", lines[i], 0, 0);
  g_error ("There is no line for %s in %s", operation, out);
}

static void
test_table (Scratch       *scratch,
            gconstpointer  data)
{
  const gboolean   one    = g_get_num_processors () == 1;
  g_autoptr (Run)  result = NULL;
  g_auto (GStrv)   row    = NULL;
  g_auto (GStrv)   label  = NULL;
  g_auto (GStrv)   none   = NULL;
  g_auto (GStrv)   tables = NULL;

  write_paces (scratch);
  result = run_here (scratch, "devices", TRUE);
  assert_success (result);
  row = find_row (result->out, "distance");
  g_assert_cmpstr (row[1], ==, "500");
  g_assert_cmpstr (row[one ? 2 : 3], ==, "440000");
  label = find_row (result->out, "label");
  g_assert_cmpfloat (g_ascii_strtod (label[one ? 2 : 3], NULL), >, 0);
  none = find_row (result->out, "watershed");
  g_assert_cmpstr (none[one ? 2 : 3], ==, "–");
  g_assert_nonnull (strstr (result->out, "estimated"));
  g_assert_nonnull (strstr (result->out, "Transfers to cuda:0: 25.0 GB/s, back 12.5; from pinned "
                                         "memory 55.0, back 50.0."));
  for (int i = 0; wf_operation_describe ((WfOperation) i); i++)
    g_strfreev (find_row (result->out, wf_operation_get_options ((WfOperation) i)->name));
  tables = find_row (result->out, "measure");
  g_assert_cmpfloat (g_ascii_strtod (tables[1], NULL), >, 0);
  g_assert_cmpstr (tables[one ? 2 : 3], ==, "–");
}

/* What is measured is shown, kept for this user alone, and shown again. */
static void
test_measure (Scratch       *scratch,
              gconstpointer  data)
{
  g_autofree char    *home          = g_strdup_printf ("XDG_CACHE_HOME=%s", cache);
  const char *const   environment[] = { home, "WAVEFRONT_MODULE_DIR=/nowhere", NULL };
  const Surroundings  surroundings  = { .environment = environment };
  g_autoptr (Run)     measured      = NULL;
  g_autoptr (Run)     again         = NULL;
  g_auto (GStrv)      tables        = NULL;
  const char         *table;
  struct stat         found;

  forget_kept ();
  measured = run_in (scratch, &surroundings, "devices --measure");
  assert_success (measured);
  g_assert_cmpstr (measured->err, ==, "");
  table = strstr (measured->out, "as measured");
  g_assert_nonnull (table);
  for (int i = 0; wf_operation_describe ((WfOperation) i); i++)
    {
      g_auto (GStrv) row = find_row (measured->out,
                                     wf_operation_get_options ((WfOperation) i)->name);

      g_assert_cmpfloat (g_ascii_strtod (row[1], NULL), >, 0);
    }
  tables = find_row (measured->out, "measure");
  g_assert_cmpfloat (g_ascii_strtod (tables[1], NULL), >, 0);
  g_assert_cmpint (g_stat (kept, &found), ==, 0);
  g_assert_cmpint (found.st_mode & 022, ==, 0);

  again = run_in (scratch, &surroundings, "devices");
  assert_success (again);
  g_assert_nonnull (strstr (again->out, table));
  forget_kept ();
}

static void
test_unwritable (Scratch       *scratch,
                 gconstpointer  data)
{
  g_autofree char    *home          = g_strdup_printf ("XDG_CACHE_HOME=%s/file", scratch->folder);
  const char *const   environment[] = { home, "WAVEFRONT_MODULE_DIR=/nowhere", NULL };
  const Surroundings  surroundings  = { .environment = environment };
  g_autoptr (Run)     result        = NULL;

  scratch_write (scratch, "file", "", 0);
  result = run_in (scratch, &surroundings, "devices --measure");
  g_assert_cmpint (result->status, ==, 0);
  g_assert_nonnull (strstr (result->out, "as measured"));
  g_assert_nonnull (strstr (result->err, "cannot be kept"));
}

/* The reason of the choice is in the line of --stats. */
static void
test_reason (Scratch       *scratch,
             gconstpointer  data)
{
  const gsize        n      = 3000 * 2000;
  g_autofree guint8 *pixels = g_malloc0 (n);
  g_autoptr (Run)    large  = NULL;
  g_autoptr (Run)    small  = NULL;

  write_paces (scratch);
  scratch_write (scratch, "in.raw", pixels, n);
  large = run_here (scratch, "distance in.raw --raw 3000x2000:u8 --threads 1 -o out.raw --stats",
                    TRUE);
  assert_success (large);
  g_assert_nonnull (strstr (large->out, "\"reason\":\"CPU: 12 ms expected; cuda:0: 2.7 ms, of "
                                        "which 2.2 ms are transfers.\""));
  g_assert_nonnull (strstr (large->out, "\"device\":\"cuda:0\""));
  small = run_here (scratch, "distance in.raw --raw 300x20000:u8 --device cpu -o out.raw --stats",
                    TRUE);
  assert_success (small);
  g_assert_nonnull (strstr (small->out, "\"reason\":\"This device was chosen.\""));
}


int
main (int    argc,
      char **argv)
{
  int status;

  cache = g_dir_make_tmp ("wavefront-test-XXXXXX", NULL);
  kept  = g_build_filename (cache, "wavefront", "pace.ini", NULL);
  g_setenv ("WAVEFRONT_MODULE_DIR", FAKE_DEVICE_DIR, TRUE);
  tests_begin (&argc, &argv);

  add_test ("/devices/list", NULL, test_list);
  add_test ("/devices/no-gpu", NULL, test_no_gpu);
  add_test ("/devices/table", NULL, test_table);
  add_test ("/devices/measure", NULL, test_measure);
  add_test ("/devices/unwritable", NULL, test_unwritable);
  add_test ("/devices/reason", NULL, test_reason);
  status = run_tests (argc, argv);

  forget_kept ();
  g_rmdir (cache);
  g_free (kept);
  g_free (cache);
  return status;
}
