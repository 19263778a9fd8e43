/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the module for CUDA is looked for: WAVEFRONT_MODULE_DIR counts, but not in a program that
 * has more rights than its user.  The test runs a copy of itself with another group.
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

/* Prints whether the process has more rights than its user, and why there is no module. */
static int
report (void)
{
  g_autoptr (GError)    problem = NULL;
  g_autoptr (GPtrArray) devices = wf_list_devices (&problem);

  printf ("%d %s\n", getauxval (AT_SECURE) != 0, problem ? problem->message : "");
  return devices->len > 0 ? 0 : 1;
}

static char *
run_report (const char *program,
            const char *folder)
{
  const char         *words[]     = { program, "--report", NULL };
  g_auto (GStrv)      environment = g_environ_setenv (g_get_environ (), "WAVEFRONT_MODULE_DIR",
                                                      folder, TRUE);
  g_autoptr (GError)  error       = NULL;
  char               *out         = NULL;

  environment = g_environ_setenv (environment, "LC_ALL", "C.UTF-8", TRUE);
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
  g_autofree char *plain  = run_report (self, folder);
  g_autofree char *bytes  = NULL;
  g_autofree char *secure = NULL;
  gsize            length;

  g_assert_true (g_str_has_prefix (plain, "0 "));
  g_assert_nonnull (strstr (plain, folder));

  g_assert_true (g_file_get_contents (self, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) length, NULL));
  if (chown (copy, (uid_t) -1, OTHER_GROUP) == 0 && g_chmod (copy, 02755) == 0)
    secure = run_report (copy, folder);
  g_unlink (copy);
  g_rmdir (folder);

  if (! secure || ! g_str_has_prefix (secure, "1 "))
    g_test_skip ("only root can give a program another group, on a disk that allows it");
  else
    g_assert_null (strstr (secure, folder));
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
