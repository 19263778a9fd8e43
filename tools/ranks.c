/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <glib/gi18n.h>

#include "message.h"
#include "ranks.h"

/* Microseconds for a line. */
#define TIME_TO_SPEAK (G_USEC_PER_SEC / 2)

typedef enum
{
  WISH_AUTO,
  WISH_YES,
  WISH_NO
} Wish;

/* There is one process, hence one rank. */
static Wish            wish;
static WfCommunicator *communicator;


/**
 * ranks_parse_wish:
 * @text: the value of --distributed
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether it is one.
 */
gboolean
ranks_parse_wish (const char  *text,
                  GError     **error)
{
  static const char * const names[] = { "auto", "yes", "no" };

  for (wish = WISH_AUTO; wish <= WISH_NO; wish++)
    if (strcmp (text, names[wish]) == 0)
      return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Bad value “%s” for --distributed: it takes %s."), text, "auto, yes, no");
  return FALSE;
}

/* What the launchers of Open MPI, of MPICH and its relatives, and of Slurm tell their processes:
 * how many there are, and the number of this one.
 */
static gboolean
is_launched (guint *rank,
             guint *n_ranks)
{
  static const char * const names[][2] =
  {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
    { "PMI_SIZE",             "PMI_RANK" },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *n      = g_getenv (names[i][0]);
      const char *number = g_getenv (names[i][1]);

      if (! n || ! number || g_ascii_strtoull (n, NULL, 10) < 2)
        continue;
      *rank    = (guint) g_ascii_strtoull (number, NULL, 10);
      *n_ranks = (guint) g_ascii_strtoull (n, NULL, 10);
      return TRUE;
    }
  return FALSE;
}

/* A launcher of another MPI starts processes that do not know of each other: each would do all the
 * work, and write the same file.
 */
static gboolean
refuse_launcher (guint    n_ranks,
                 GError **error)
{
  g_clear_pointer (&communicator, wf_communicator_unref);
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("%u processes were started, but by a launcher that MPI does not know here: start "
                 "them with mpirun, or srun --mpi=pmix."), n_ranks);
  return FALSE;
}

/**
 * ranks_open:
 * @error: without the MPI module, or where it does not know the other processes
 *
 * Joins the other ranks, where there are some and --distributed allows it.
 *
 * Returns: success
 */
gboolean
ranks_open (GError **error)
{
  guint          rank;
  guint          n_ranks  = 1;
  const gboolean launched = is_launched (&rank, &n_ranks);

  if (wish == WISH_NO || (wish == WISH_AUTO && ! launched))
    return TRUE;
  communicator = wf_communicator_open_mpi (error);
  return communicator &&
         (! launched || ranks_are_several () || refuse_launcher (n_ranks, error));
}

/**
 * ranks_close:
 *
 * Waits for all others.  A launcher ends them when the first one to fail has ended: where they were
 * not joined, that must be the one that says why.
 */
void
ranks_close (void)
{
  if (! communicator && ! ranks_is_first ())
    g_usleep (TIME_TO_SPEAK);
  g_clear_pointer (&communicator, wf_communicator_unref);
}

guint
ranks_count (void)
{
  return communicator ? wf_communicator_get_n_ranks (communicator) : 1;
}

gboolean
ranks_are_several (void)
{
  return ranks_count () > 1;
}

/* Also before ranks_open(). */
gboolean
ranks_is_first (void)
{
  guint rank = 0;
  guint n_ranks;

  if (communicator)
    rank = wf_communicator_get_rank (communicator);
  else if (wish != WISH_NO)
    is_launched (&rank, &n_ranks);
  return rank == 0;
}

/* Returns: (transfer none) (nullable): %NULL for a process alone. */
WfCommunicator *
ranks_get (void)
{
  return communicator;
}

/* How many share the memory and the processors of this host. */
guint
ranks_count_on_host (void)
{
  guint n = 1;

  if (communicator)
    wf_communicator_get_host_rank (communicator, &n);
  return n;
}

/* What this rank does of @n pieces of work: those from @first to before @end. */
void
ranks_deal (gint64  n,
            gint64 *first,
            gint64 *end)
{
  const gint64 rank = communicator ? wf_communicator_get_rank (communicator) : 0;

  *first = n / ranks_count () * rank + MIN (rank, n % ranks_count ());
  *end   = *first + n / ranks_count () + (rank < n % ranks_count ());
}

/* The rows of this rank's part of an image, or stack, counted over all slices. */
void
ranks_find_rows (gint64  height,
                 gint64  depth,
                 gint64 *first,
                 gint64 *end)
{
  const gint64 unit = depth > 1 ? height : 1;

  *first = 0;
  *end   = height * depth;
  if (! communicator)
    return;
  wf_communicator_find_part (communicator, height * depth / unit, first, end);
  *first *= unit;
  *end   *= unit;
}

/* Waits until all ranks have come here; fails if one has failed. */
gboolean
ranks_wait (GError **error)
{
  return ! communicator || wf_communicator_broadcast (communicator, NULL, 0, error);
}

/**
 * ranks_share_path:
 * @path: of the first rank's temporary file
 * @name: of the file that it is to become, for messages
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: (transfer full): the first rank's path, in all ranks, or %NULL
 */
char *
ranks_share_path (const char  *path,
                  const char  *name,
                  GError     **error)
{
  char shared[PATH_MAX] = "";

  if (ranks_is_first () && g_strlcpy (shared, path, sizeof shared) >= sizeof shared)
    {
      refuse_to_write (name, g_strerror (ENAMETOOLONG), error);
      return NULL;
    }
  if (communicator &&
      ! wf_communicator_broadcast (communicator, shared, sizeof shared, error))
    return NULL;
  return g_strdup (shared);
}

/**
 * ranks_tell_failure:
 * @error: why this rank has failed
 *
 * Tells the others, unless they know it.
 *
 * Returns: whether this rank is to print the message
 */
gboolean
ranks_tell_failure (GError *error)
{
  if (ranks_are_several () && ! g_error_matches (error, TOOL_ERROR, TOOL_ERROR_USAGE))
    wf_communicator_fail (communicator, error);
  return ranks_is_first ();
}
