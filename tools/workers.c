/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each worker is a process that was forked before any thread was started.  It reads numbers of
 * tasks from a socket and answers with a pipe; what it prints and the texts of its result are in
 * files in memory, which the first process reads after the answer.  A worker that ends without one
 * has failed its task: another takes its place.  If the first process ends, workers find their
 * socket closed.
 */

#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "files/bytes.h"
#include "files/stream.h"
#include "message.h"
#include "signals.h"
#include "workers.h"

/* Texts of a worker: standard output, standard error, and then its parts. */
#define N_STREAMS 2

typedef struct
{
  pid_t  process;   /* 0: none */
  int    orders;    /* to it; -1 in the worker */
  int    answers;   /* from it */
  int   *stores;
  int    task;      /* -1: none */
} Worker;

typedef struct
{
  guint           n_tasks;
  guint           n_workers;
  guint           n_stores;
  guint           next;
  WorkerFunc      work;
  WorkerDoneFunc  done;
  gpointer        data;
  Worker         *workers;
} Crew;


static gboolean
refuse_system (GError **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("Cannot start a process: %s."),
               g_strerror (errno));
  return FALSE;
}


/*  The worker  */

/* Replaces a text by another. */
static gboolean
store_text (int         store,
            const char *text)
{
  return ftruncate (store, 0) == 0 && lseek (store, 0, SEEK_SET) == 0 &&
         (! text || bytes_write (store, text, strlen (text), 1, NULL));
}

static void
begin_stream (int store)
{
  store_text (store, NULL);
}

static gboolean
do_task (const Crew   *crew,
         const Worker *self,
         guint         task)
{
  const guint        n_parts = crew->n_stores - N_STREAMS;
  char             **parts   = g_new0 (char *, n_parts + 1);
  g_autoptr (GError) error   = NULL;
  gboolean           success;

  begin_stream (self->stores[0]);
  begin_stream (self->stores[1]);
  success = crew->work (crew->data, task, parts, &error);
  fflush (stdout);
  if (! success)
    message_print (error->message);
  for (guint i = 0; i < n_parts; i++)
    {
      success &= store_text (self->stores[N_STREAMS + i], parts[i]);
      g_free (parts[i]);
    }
  g_free (parts);
  return success;
}

/* Does not return. */
static void
be_worker (const Crew   *crew,
           const Worker *self,
           int           orders,
           int           answers)
{
  guint task;

  signals_begin_child ();
  for (guint i = 0; i < crew->n_workers; i++)
    if (crew->workers[i].process)
      {
        close (crew->workers[i].orders);
        close (crew->workers[i].answers);
      }
  dup2 (self->stores[0], STDOUT_FILENO);
  dup2 (self->stores[1], STDERR_FILENO);
  while (read (orders, &task, sizeof task) == sizeof task)
    {
      const char answer = (char) do_task (crew, self, task);

      if (write (answers, &answer, 1) != 1)
        break;
    }
  _exit (EXIT_SUCCESS);
}


/*  The first process  */

static gboolean
start_worker (const Crew  *crew,
              Worker      *worker,
              GError     **error)
{
  int orders[2];
  int answers[2];

  if (socketpair (AF_UNIX, SOCK_STREAM, 0, orders) != 0)
    return refuse_system (error);
  if (pipe (answers) != 0)
    {
      close (orders[0]);
      close (orders[1]);
      return refuse_system (error);
    }
  fflush (NULL);
  worker->process = fork ();
  if (worker->process == 0)
    {
      close (orders[1]);
      close (answers[0]);
      be_worker (crew, worker, orders[0], answers[1]);
    }
  close (orders[0]);
  close (answers[1]);
  worker->orders  = orders[1];
  worker->answers = answers[0];
  worker->task    = -1;
  if (worker->process > 0)
    {
      signals_add_child (worker->process);
      return TRUE;
    }
  worker->process = 0;
  close (orders[1]);
  close (answers[0]);
  return refuse_system (error);
}

/* Returns: the status of waitpid() */
static int
end_worker (Worker *worker)
{
  int status = 0;

  close (worker->orders);
  close (worker->answers);
  while (waitpid (worker->process, &status, 0) < 0 && errno == EINTR)
    continue;
  signals_drop_child (worker->process);
  worker->process = 0;
  return status;
}

static char *
read_store (int store)
{
  const off_t  n    = lseek (store, 0, SEEK_END);
  char        *text = g_malloc0 ((gsize) MAX (n, 0) + 1);

  if (n > 0 && pread (store, text, (gsize) n, 0) != n)
    text[0] = '\0';
  return text;
}

static void
report (const Crew *crew,
        Worker     *worker,
        gboolean    success,
        const char *reason)
{
  const guint  task   = (guint) worker->task;
  WorkerResult result = { success, read_store (worker->stores[0]), read_store (worker->stores[1]),
                          g_new0 (char *, crew->n_stores - N_STREAMS + 1) };

  if (reason)
    {
      g_autofree char *before = result.err;
      g_autofree char *line   = message_format (reason);

      result.err = g_strconcat (before, line, NULL);
    }
  for (guint i = N_STREAMS; i < crew->n_stores; i++)
    result.parts[i - N_STREAMS] = success ? read_store (worker->stores[i]) : g_strdup ("");
  worker->task = -1;
  crew->done (crew->data, task, &result);
  g_free (result.out);
  g_free (result.err);
  g_strfreev (result.parts);
}

/* Gives it the next task, or ends it where there is none. */
static void
order (Crew   *crew,
       Worker *worker)
{
  const guint task = crew->next;

  if (task == crew->n_tasks)
    {
      end_worker (worker);
      return;
    }
  crew->next++;
  worker->task = (int) task;
  /* A worker that has died meanwhile is found by its answer; no SIGPIPE ends this process. */
  if (send (worker->orders, &task, sizeof task, MSG_NOSIGNAL) != sizeof task)
    return;
}

/* It has ended within a task. */
static gboolean
replace_worker (Crew    *crew,
                Worker  *worker,
                GError **error)
{
  const int        status = end_worker (worker);
  g_autofree char *reason = NULL;

  if (WIFSIGNALED (status))
    reason = g_strdup_printf (_("The process was ended by signal %d (%s)."), WTERMSIG (status),
                              strsignal (WTERMSIG (status)));
  report (crew, worker, FALSE, reason);
  if (crew->next == crew->n_tasks)
    return TRUE;
  if (! start_worker (crew, worker, error))
    return FALSE;
  order (crew, worker);
  return TRUE;
}

static gboolean
take_answer (Crew    *crew,
             Worker  *worker,
             GError **error)
{
  char    answer;
  ssize_t n = read (worker->answers, &answer, 1);

  if (n < 0 && errno == EINTR)
    return TRUE;
  if (n != 1)
    return replace_worker (crew, worker, error);
  report (crew, worker, answer != 0, NULL);
  order (crew, worker);
  return TRUE;
}

static gboolean
wait_for_answers (Crew    *crew,
                  GError **error)
{
  g_autofree struct pollfd *fds = g_new0 (struct pollfd, crew->n_workers);

  for (;;)
    {
      guint n = 0;

      for (guint i = 0; i < crew->n_workers; i++)
        {
          const Worker *worker = &crew->workers[i];

          fds[i] = (struct pollfd) { worker->process ? worker->answers : -1, POLLIN, 0 };
          n     += worker->process != 0;
        }
      if (n == 0)
        return TRUE;
      if (poll (fds, crew->n_workers, -1) < 0 && errno != EINTR)
        return refuse_system (error);
      for (guint i = 0; i < crew->n_workers; i++)
        if (fds[i].fd >= 0 && fds[i].revents != 0 &&
            ! take_answer (crew, &crew->workers[i], error))
          return FALSE;
    }
}

static gboolean
open_stores (Crew    *crew,
             Worker  *worker,
             GError **error)
{
  worker->stores = g_new (int, crew->n_stores);
  memset (worker->stores, -1, crew->n_stores * sizeof (int));
  for (guint i = 0; i < crew->n_stores; i++)
    {
      worker->stores[i] = stream_open_store (error);
      if (worker->stores[i] < 0)
        return FALSE;
    }
  return TRUE;
}

static void
clear_crew (Crew *crew)
{
  for (guint i = 0; i < crew->n_workers; i++)
    {
      Worker *worker = &crew->workers[i];

      if (worker->process)
        {
          kill (worker->process, SIGTERM);
          end_worker (worker);
        }
      for (guint k = 0; worker->stores && k < crew->n_stores; k++)
        if (worker->stores[k] >= 0)
          close (worker->stores[k]);
      g_free (worker->stores);
    }
  g_free (crew->workers);
}

/**
 * workers_run:
 * @n_tasks: how many there are
 * @n_workers: how many processes do them, at most %WORKERS_MOST
 * @n_parts: texts that a task gives
 * @work: does a task
 * @done: learns what it gave
 * @data: for both
 * @error: %TOOL_ERROR_FILE, where the system gives no process; a task that fails is no error
 *
 * Does all tasks.
 *
 * Returns: whether they were all tried
 */
gboolean
workers_run (guint            n_tasks,
             guint            n_workers,
             guint            n_parts,
             WorkerFunc       work,
             WorkerDoneFunc   done,
             gpointer         data,
             GError         **error)
{
  Crew     crew    = { n_tasks, MIN (n_workers, n_tasks), N_STREAMS + n_parts, 0, work, done, data,
                       NULL };
  gboolean success = TRUE;

  crew.workers = g_new0 (Worker, crew.n_workers);
  for (guint i = 0; i < crew.n_workers && success; i++)
    success = open_stores (&crew, &crew.workers[i], error) &&
              start_worker (&crew, &crew.workers[i], error);
  for (guint i = 0; i < crew.n_workers && success; i++)
    order (&crew, &crew.workers[i]);
  success = success && wait_for_answers (&crew, error);
  clear_crew (&crew);
  return success;
}
