/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ranks as processes of MPI, 3.1 or later.
 *
 * Messages go point to point.  A rank that waits for one looks between whether another rank has
 * failed, and sleeps, so that more ranks than processors do not hold each other up.
 *
 * A rank that has failed tells all others with messages of their own kind.  From then on every
 * rank takes in what is sent to it and drops it, until all have come to their end; so no rank
 * waits for one that will not listen.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <mpi.h>

#include "engine/ranks/mpi.h"

/* Counts of MPI have 31 bits. */
#define MOST_BYTES (1 << 30)

#define MOST_FAILURE 2000

/* A rank that waits looks again at once as often as this, then after a pause that grows up to
 * LONGEST_PAUSE microseconds.
 */
#define QUICK_LOOKS    2000
#define LONGEST_PAUSE  500

enum { TAG_DATA = 1, TAG_FAILURE };

/* Held by one thread at a time while others may call MPI, too: blocks are read and written by
 * threads, one at a time, while the one that follows them looks for failures.
 */
static GMutex calls;

/**
 * Ranks:
 * @failure: of the first rank that has failed, as far as this one knows
 * @told: messages that tell the others of it; @requests: of their sending
 */
typedef struct
{
  int          rank;
  int          n_ranks;
  char        *failure;
  char        *told;
  MPI_Request *requests;
} Ranks;


/*  Failures  */

/* Takes in a message of a rank that has failed, if there is one. */
static void
look_for_failure (Ranks *ranks)
{
  char       text[MOST_FAILURE + 1];
  int        found = FALSE;
  int        n;
  MPI_Status status;

  MPI_Iprobe (MPI_ANY_SOURCE, TAG_FAILURE, MPI_COMM_WORLD, &found, &status);
  if (! found)
    return;
  MPI_Get_count (&status, MPI_CHAR, &n);
  n = MIN (n, MOST_FAILURE);
  MPI_Recv (text, n, MPI_CHAR, status.MPI_SOURCE, TAG_FAILURE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  text[n] = '\0';
  if (! ranks->failure)
    ranks->failure = g_strdup (text);
}

/* Of WfRankLinks.  Waits for no file: what comes meanwhile is found later. */
static gboolean
look (gpointer   state,
      GError   **error)
{
  Ranks *ranks = state;

  if (g_mutex_trylock (&calls))
    {
      look_for_failure (ranks);
      g_mutex_unlock (&calls);
    }
  if (! ranks->failure)
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_RANK, ranks->failure);
  return FALSE;
}

/* Of WfRankLinks. */
static void
fail (gpointer    state,
      const char *message)
{
  Ranks *ranks = state;

  if (ranks->failure)
    return;
  ranks->failure  = g_strdup (message);
  ranks->told     = g_strndup (message, MOST_FAILURE);
  ranks->requests = g_new (MPI_Request, ranks->n_ranks);
  for (int i = 0; i < ranks->n_ranks; i++)
    {
      ranks->requests[i] = MPI_REQUEST_NULL;
      if (i != ranks->rank)
        MPI_Isend (ranks->told, strlen (ranks->told), MPI_CHAR, i, TAG_FAILURE,
                   MPI_COMM_WORLD, &ranks->requests[i]);
    }
}

/* Takes in and drops a message, if there is one. */
static void
drop_message (void)
{
  int                  found = FALSE;
  int                  n;
  MPI_Status           status;
  g_autofree gpointer  dropped = NULL;

  MPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
  if (! found)
    return;
  MPI_Get_count (&status, MPI_BYTE, &n);
  dropped = g_malloc (MAX (n, 1));
  MPI_Recv (dropped, n, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
}


/*  Messages  */

static void
pause_look (guint n_looks)
{
  if (n_looks > QUICK_LOOKS)
    g_usleep (MIN (n_looks - QUICK_LOOKS, LONGEST_PAUSE));
  else
    g_thread_yield ();
}

/* Waits until a message has been sent.  If a rank fails meanwhile, the others still take it in. */
static gboolean
await_sent (Ranks        *ranks,
            MPI_Request  *request,
            GError      **error)
{
  int sent = FALSE;

  for (guint n = 0; ; n++)
    {
      MPI_Test (request, &sent, MPI_STATUS_IGNORE);
      if (sent)
        return look (ranks, error);
      look_for_failure (ranks);
      if (ranks->failure)
        drop_message ();
      pause_look (n);
    }
}

/* Waits until a message has been received, or a rank has failed. */
static gboolean
await_received (Ranks        *ranks,
                MPI_Request  *request,
                GError      **error)
{
  int received = FALSE;

  for (guint n = 0; ; n++)
    {
      MPI_Test (request, &received, MPI_STATUS_IGNORE);
      if (received)
        return TRUE;
      if (! look (ranks, error))
        {
          MPI_Cancel (request);
          MPI_Wait (request, MPI_STATUS_IGNORE);
          return FALSE;
        }
      pause_look (n);
    }
}

/* Of WfRankLinks. */
static gboolean
send (gpointer        state,
      guint           to,
      gconstpointer   data,
      gsize           n,
      GError        **error)
{
  Ranks       *ranks = state;
  MPI_Request  request;

  if (! look (ranks, error))
    return FALSE;
  for (gsize at = 0; at < n; at += MOST_BYTES)
    {
      MPI_Isend ((const guint8 *) data + at, MIN (n - at, MOST_BYTES), MPI_BYTE, to, TAG_DATA,
                 MPI_COMM_WORLD, &request);
      if (! await_sent (ranks, &request, error))
        return FALSE;
    }
  return TRUE;
}

/* Of WfRankLinks. */
static gboolean
receive (gpointer   state,
         guint      from,
         gpointer   data,
         gsize      n,
         GError   **error)
{
  Ranks       *ranks = state;
  MPI_Request  request;

  for (gsize at = 0; at < n; at += MOST_BYTES)
    {
      MPI_Irecv ((guint8 *) data + at, MIN (n - at, MOST_BYTES), MPI_BYTE, from, TAG_DATA,
                 MPI_COMM_WORLD, &request);
      if (! await_received (ranks, &request, error))
        return FALSE;
    }
  return TRUE;
}


/*  Files: each rank opens them for itself, so that an error is its own  */

typedef struct
{
  MPI_File file;
  gboolean writable;
} File;

/* Returns FALSE, with the system's sentence where it has failed since errno was 0: MPI's says
 * little of a full disk.
 */
static gboolean
refuse_file (int      problem,
             GError **error)
{
  const int reason                     = errno;
  char      text[MPI_MAX_ERROR_STRING] = "";
  int       n;

  if (reason != 0)
    {
      g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (reason),
                           g_strerror (reason));
      return FALSE;
    }
  MPI_Error_string (problem, text, &n);
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_IO, text);
  return FALSE;
}

/* Of WfRankLinks. */
static gpointer
open_file (gpointer     state,
           const char  *path,
           gboolean     writable,
           GError     **error)
{
  File file = { .writable = writable };
  int  problem;

  problem = MPI_File_open (MPI_COMM_SELF, path, writable ? MPI_MODE_RDWR : MPI_MODE_RDONLY,
                           MPI_INFO_NULL, &file.file);
  if (problem == MPI_SUCCESS)
    return g_memdup2 (&file, sizeof file);
  errno = 0;
  refuse_file (problem, error);
  return NULL;
}

/* Of WfRankLinks. */
static gboolean
read_file (gpointer   data,
           gint64     offset,
           gpointer   bytes,
           gsize      n,
           GError   **error)
{
  File       *file = data;
  MPI_Status  status;
  int         n_read = 0;

  for (gsize at = 0; at < n; at += MOST_BYTES)
    {
      const int part = MIN (n - at, MOST_BYTES);
      int       problem;

      g_mutex_lock (&calls);
      errno   = 0;
      problem = MPI_File_read_at (file->file, offset + at, (guint8 *) bytes + at, part, MPI_BYTE,
                                  &status);

      if (problem == MPI_SUCCESS)
        MPI_Get_count (&status, MPI_BYTE, &n_read);
      g_mutex_unlock (&calls);
      if (problem != MPI_SUCCESS)
        return refuse_file (problem, error);
      if (n_read == part)
        continue;
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _("The file is too short."));
      return FALSE;
    }
  return TRUE;
}

/* Of WfRankLinks. */
static gboolean
write_file (gpointer        data,
            gint64          offset,
            gconstpointer   bytes,
            gsize           n,
            GError        **error)
{
  File       *file = data;
  MPI_Status  status;
  int         n_written = 0;

  for (gsize at = 0; at < n; at += MOST_BYTES)
    {
      const int part = MIN (n - at, MOST_BYTES);
      int       problem;

      g_mutex_lock (&calls);
      errno   = 0;
      problem = MPI_File_write_at (file->file, offset + at, (const guint8 *) bytes + at, part,
                                   MPI_BYTE, &status);

      if (problem == MPI_SUCCESS)
        MPI_Get_count (&status, MPI_BYTE, &n_written);
      g_mutex_unlock (&calls);
      if (problem != MPI_SUCCESS)
        return refuse_file (problem, error);
      if (n_written == part)
        continue;
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, g_strerror (ENOSPC));
      return FALSE;
    }
  return TRUE;
}

/* Of WfRankLinks. */
static gboolean
close_file (gpointer   data,
            GError   **error)
{
  File *file = data;
  int   problem;
  int   closed;

  errno   = 0;
  problem = file->writable ? MPI_File_sync (file->file) : MPI_SUCCESS;
  if (problem != MPI_SUCCESS)
    refuse_file (problem, error);
  errno  = 0;
  closed = MPI_File_close (&file->file);
  g_free (file);
  if (closed != MPI_SUCCESS && problem == MPI_SUCCESS)
    refuse_file (closed, error);
  return problem == MPI_SUCCESS && closed == MPI_SUCCESS;
}


/*  Beginning and end  */

/* Of WfRankLinks. */
static void
end (gpointer state)
{
  Ranks       *ranks = state;
  MPI_Request  barrier;
  int          all = FALSE;

  MPI_Ibarrier (MPI_COMM_WORLD, &barrier);
  for (guint n = 0; ! all; n++)
    {
      MPI_Test (&barrier, &all, MPI_STATUS_IGNORE);
      drop_message ();
      pause_look (n);
    }
  if (ranks->requests)
    MPI_Waitall (ranks->n_ranks, ranks->requests, MPI_STATUSES_IGNORE);
  MPI_Finalize ();
  g_free (ranks->requests);
  g_free (ranks->told);
  g_free (ranks->failure);
  g_free (ranks);
}

static void
count_host (WfMpiLinks *mpi)
{
  MPI_Comm host;
  int      rank, n;

  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, mpi->rank, MPI_INFO_NULL, &host);
  MPI_Comm_rank (host, &rank);
  MPI_Comm_size (host, &n);
  MPI_Comm_free (&host);
  mpi->host_rank    = rank;
  mpi->n_host_ranks = n;
}

gboolean wf_mpi_open (WfMpiLinks  *mpi,
                      GError     **error);

/* Of WfMpiOpenFunc. */
__attribute__ ((visibility ("default")))
gboolean
wf_mpi_open (WfMpiLinks  *mpi,
             GError     **error)
{
  Ranks *ranks;
  int    threads;

  mpi->abi = WF_MPI_ABI;
  if (MPI_Init_thread (NULL, NULL, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS ||
      threads < MPI_THREAD_SERIALIZED)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_RANK,
                           _("MPI cannot be called from threads here."));
      return FALSE;
    }
  ranks = g_new0 (Ranks, 1);
  MPI_Comm_rank (MPI_COMM_WORLD, &ranks->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks->n_ranks);
  mpi->links   = (WfRankLinks) { sizeof (WfRankLinks), send, receive, look, fail, end,
                                 open_file, read_file, write_file, close_file };
  mpi->state   = ranks;
  mpi->rank    = ranks->rank;
  mpi->n_ranks = ranks->n_ranks;
  count_host (mpi);
  return TRUE;
}
