/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loaded before libgimp (LD_PRELOAD).  Writes each progress call of a plug-in with its time in
 * seconds to the file $WORK/progress and passes it on to GIMP.  In GIMP 3.0 a script cannot
 * listen to progress, because GIMP refuses the procedure that gimp_progress_install_vtable()
 * creates.
 *
 * If the file $WORK/stop contains a fraction, the plug-in stops (SIGSTOP) at that progress.
 */

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>


static void
note (const char *what,
      const char *details)
{
  g_autofree char *path = g_build_filename (g_getenv ("WORK"), "progress", NULL);
  FILE            *file = fopen (path, "a");
  gint64           now  = g_get_monotonic_time ();

  if (! file)
    abort ();
  fprintf (file, "%s %" G_GINT64_FORMAT ".%06d %s\n", what, now / G_USEC_PER_SEC,
           (int) (now % G_USEC_PER_SEC), details);
  fclose (file);
}

static void
stop_where_asked (double fraction)
{
  g_autofree char *path  = g_build_filename (g_getenv ("WORK"), "stop", NULL);
  g_autofree char *share = NULL;

  if (g_file_get_contents (path, &share, NULL, NULL) &&
      fraction >= g_ascii_strtod (share, NULL))
    raise (SIGSTOP);
}

gboolean gimp_progress_init   (const char *message);
gboolean gimp_progress_update (double      fraction);
gboolean gimp_progress_pulse  (void);
gboolean gimp_progress_end    (void);

gboolean
gimp_progress_init (const char *message)
{
  gboolean (* next) (const char *) = dlsym (RTLD_NEXT, "gimp_progress_init");

  note ("init", message);
  return next (message);
}

gboolean
gimp_progress_update (double fraction)
{
  gboolean (* next) (double) = dlsym (RTLD_NEXT, "gimp_progress_update");
  char        text[G_ASCII_DTOSTR_BUF_SIZE];

  gboolean     success;

  note ("update", g_ascii_dtostr (text, sizeof text, fraction));
  success = next (fraction);
  stop_where_asked (fraction);
  return success;
}

gboolean
gimp_progress_pulse (void)
{
  gboolean (* next) (void) = dlsym (RTLD_NEXT, "gimp_progress_pulse");

  note ("pulse", "");
  return next ();
}

gboolean
gimp_progress_end (void)
{
  gboolean (* next) (void) = dlsym (RTLD_NEXT, "gimp_progress_end");

  note ("end", "");
  return next ();
}
