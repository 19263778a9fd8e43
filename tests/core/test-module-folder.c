/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the module for CUDA is looked for, and paces: WAVEFRONT_MODULE_DIR and WAVEFRONT_PACE
 * count, but not in a program that has more rights than its user, nor does a cache folder.  The
 * test runs a copy of itself with another group.
 */

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "tests/support/tiers.h"
#include "wavefront.h"


#define OTHER_GROUP 23456

/* What no processor does in a second, in a file of paces. */
#define RATE "777000000000"

/* Prints whether the process has more rights than its user, the pace of a distance map, and why
 * there is no module.
 */
static int
report (void)
{
  g_autoptr (GError)    problem = NULL;
  g_autoptr (GPtrArray) devices = wf_list_devices (&problem);
  g_autoptr (GPtrArray) paces   = wf_list_paces ();

  printf ("%d %.0f %s\n", getauxval (AT_SECURE) != 0,
          wf_pace_get_rate (paces->pdata[0], WF_OPERATION_DISTANCE, 1),
          problem ? problem->message : "");
  return devices->len > 0 ? 0 : 1;
}

static char *
run_report (const char *program,
            const char *folder,
            const char *paces)
{
  const char         *words[]     = { program, "--report", NULL };
  g_auto (GStrv)      environment = g_environ_setenv (g_get_environ (), "WAVEFRONT_MODULE_DIR",
                                                      folder, TRUE);
  g_autoptr (GError)  error       = NULL;
  char               *out         = NULL;

  environment = g_environ_setenv (environment, "LC_ALL", "C.UTF-8", TRUE);
  environment = g_environ_setenv (environment, "WAVEFRONT_PACE", paces, TRUE);
  g_spawn_sync (NULL, (char **) words, environment, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL,
                &error);
  g_assert_no_error (error);
  return out;
}

static void
test_folder (void)
{
  g_autofree char *self   = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_dir_make_tmp ("wavefront-test-XXXXXX", NULL);
  g_autofree char *copy   = g_build_filename (folder, "copy", NULL);
  g_autofree char *paces  = g_build_filename (folder, "paces", NULL);
  g_autofree char *plain  = NULL;
  g_autofree char *bytes  = NULL;
  g_autofree char *secure = NULL;
  gsize            length;

  g_assert_true (g_file_set_contents (paces, "[cpu]\ndistance/local=0 1:" RATE "\n", -1, NULL));
  plain = run_report (self, folder, paces);
  g_assert_true (g_str_has_prefix (plain, "0 " RATE " "));
  g_assert_nonnull (strstr (plain, folder));

  g_assert_true (g_file_get_contents (self, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) length, NULL));
  if (chown (copy, (uid_t) -1, OTHER_GROUP) == 0 && g_chmod (copy, 02755) == 0)
    secure = run_report (copy, folder, paces);
  g_unlink (copy);
  g_unlink (paces);
  g_rmdir (folder);

  if (! secure || ! g_str_has_prefix (secure, "1 "))
    g_test_skip ("only root can give a program another group, on a disk that allows it");
  else
    {
      g_assert_null (strstr (secure, folder));
      g_assert_null (strstr (secure, RATE));
    }
}


int
main (int    argc,
      char **argv)
{
  if (argc > 1 && strcmp (argv[1], "--report") == 0)
    return report ();

  tests_begin (&argc, &argv);
  g_test_add_func ("/module-folder", test_folder);
  return g_test_run ();
}
