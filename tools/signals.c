/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SIGINT, SIGTERM and SIGHUP remove the command's temporary files and then end it in the
 * usual way, so that the parent process sees the signal.  Only functions that POSIX allows in a
 * signal handler are called.
 *
 * The handler does its work in the main thread alone.  Temporary files are made
 * in that thread too, so none can appear after the handler has looked.
 */

#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "signals.h"


#define MAX_TEMPORARIES 4

static pthread_t              main_thread;
static char * volatile        temporaries[MAX_TEMPORARIES];
static volatile sig_atomic_t  line_open;


static void
on_signal (int number)
{
  int saved = errno;

  if (! pthread_equal (pthread_self (), main_thread))
    {
      pthread_kill (main_thread, number);
      errno = saved;
      return;
    }

  for (int slot = 0; slot < MAX_TEMPORARIES; slot++)
    if (temporaries[slot])
      unlink (temporaries[slot]);
  if (line_open && write (STDERR_FILENO, "\n", 1) < 0)
    errno = saved;

  /* The signal is blocked while its handler runs: it ends the process when
   * the handler returns.
   */
  signal (number, SIG_DFL);
  raise (number);
  errno = saved;
}

/**
 * signals_install:
 *
 * To be called once, by the main thread.  A signal that was ignored when the
 * command started, as under nohup, stays ignored.  A file that grows over the
 * user's limit is an error of write(), not a signal.
 */
void
signals_install (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

  main_thread = pthread_self ();
  signal (SIGXFSZ, SIG_IGN);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
      struct sigaction old;

      sigemptyset (&action.sa_mask);
      if (sigaction (numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction (numbers[i], &action, NULL);
    }
}

/**
 * signals_add_temporary:
 * @path: a file that is about to be made
 *
 * Returns: the slot to drop when the file is renamed or removed.
 */
int
signals_add_temporary (const char *path)
{
  for (int slot = 0; slot < MAX_TEMPORARIES; slot++)
    if (! temporaries[slot])
      {
        temporaries[slot] = g_strdup (path);
        return slot;
      }

  g_return_val_if_reached (-1);
}

void
signals_drop (int slot)
{
  char *path;

  g_return_if_fail (slot >= 0 && slot < MAX_TEMPORARIES);

  path = temporaries[slot];
  temporaries[slot] = NULL;
  g_free (path);
}

/**
 * signals_set_line_open:
 * @open: whether the cursor stands behind a line of progress
 */
void
signals_set_line_open (gboolean open)
{
  line_open = open;
}
