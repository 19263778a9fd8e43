/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the command's temporary files and then end it in the
 * usual way, so that the parent process sees the signal.  Only functions that POSIX allows in a
 * signal handler are called.
 *
 * The handler does its work in the main thread alone.  Temporary files are made
 * in that thread too, so none can appear after the handler has looked.
 *
 * SIGBUS comes in any thread that reads a mapped file beyond its end, which happens if another
 * process truncates it, or for an error of its disk.  Nothing can go on then; the handler says so
 * with a text that was prepared when the file was mapped.
 */

#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/folder.h"
#include "signals.h"


#define MAX_TEMPORARIES 64

#define MAX_CHILDREN 256

static pthread_t              main_thread;
static char * volatile        temporaries[MAX_TEMPORARIES];
static volatile sig_atomic_t  line_open;
static volatile sig_atomic_t  children[MAX_CHILDREN];

/* A mapped input.  Slots are filled in turn and never emptied: of several that overlap, the last
 * one is in use.
 */
typedef struct
{
  const char *start;
  gsize       length;
  char       *text;
} Mapping;

#define MAX_MAPPINGS 8

static Mapping                mappings[MAX_MAPPINGS];
static volatile sig_atomic_t  n_mappings;
static char                  *fault_text;


static void
remove_temporaries (void)
{
  for (int slot = 0; slot < MAX_TEMPORARIES; slot++)
    if (temporaries[slot])
      folder_remove (temporaries[slot]);
}

static const char *
find_text (const char *address)
{
  for (int i = n_mappings - 1; i >= MAX (0, n_mappings - MAX_MAPPINGS); i--)
    {
      const Mapping *mapping = &mappings[i % MAX_MAPPINGS];

      if (address >= mapping->start && address < mapping->start + mapping->length)
        return mapping->text;
    }
  return fault_text;
}

/* They remove what is theirs before this process removes what is left. */
static void
end_children (int number)
{
  for (int slot = 0; slot < MAX_CHILDREN; slot++)
    if (children[slot])
      kill (children[slot], number);
  for (int slot = 0; slot < MAX_CHILDREN; slot++)
    if (children[slot])
      while (waitpid (children[slot], NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* The main thread may be waiting for this one: the process ends here. */
static void
on_fault (int        number,
          siginfo_t *info,
          void      *unused)
{
  const char *text = find_text (info->si_addr);

  if (info->si_code != BUS_ADRERR || ! text)
    {
      signal (number, SIG_DFL);
      raise (number);
      return;
    }
  remove_temporaries ();
  if ((line_open && write (STDERR_FILENO, "\n", 1) < 0) ||
      write (STDERR_FILENO, text, strlen (text)) < 0)
    _exit (EXIT_FAILURE);
  _exit (EXIT_FAILURE);
}

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

  end_children (number);
  remove_temporaries ();
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
 * @text: (transfer full): the line for standard error if a file cannot be read that
 *   signals_add_mapping() does not know
 *
 * To be called once, by the main thread.  A signal that was ignored when the
 * command started, as under nohup, stays ignored.  A file that grows over the
 * user's limit is an error of write(), not a signal.
 */
void
signals_install (char *text)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
  struct sigaction fault     = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

  main_thread = pthread_self ();
  g_free (fault_text);
  fault_text = text;
  signal (SIGXFSZ, SIG_IGN);
  sigemptyset (&fault.sa_mask);
  sigaction (SIGBUS, &fault, NULL);

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
 * signals_add_mapping:
 * @start: of a file in memory
 * @length: its bytes
 * @text: (transfer full): the line for standard error if its pages cannot be read
 */
void
signals_add_mapping (gconstpointer  start,
                     gsize          length,
                     char          *text)
{
  Mapping *mapping  = &mappings[n_mappings % MAX_MAPPINGS];
  char    *old_text = mapping->text;

  mapping->start  = start;
  mapping->length = length;
  mapping->text   = text;
  n_mappings++;
  g_free (old_text);
}

/**
 * signals_add_temporary:
 * @path: a file or a folder that is about to be made
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
 * signals_add_child:
 * @child: a process that this one has started, and will wait for
 *
 * A signal ends it, too.
 */
void
signals_add_child (int child)
{
  for (int slot = 0; slot < MAX_CHILDREN; slot++)
    if (! children[slot])
      {
        children[slot] = child;
        return;
      }

  g_return_if_reached ();
}

void
signals_drop_child (int child)
{
  for (int slot = 0; slot < MAX_CHILDREN; slot++)
    if (children[slot] == child)
      children[slot] = 0;
}

/**
 * signals_begin_child:
 *
 * In a process that was just started: what is temporary so far is its parent's.
 */
void
signals_begin_child (void)
{
  for (int slot = 0; slot < MAX_TEMPORARIES; slot++)
    temporaries[slot] = NULL;
  for (int slot = 0; slot < MAX_CHILDREN; slot++)
    children[slot] = 0;
  line_open = FALSE;
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
