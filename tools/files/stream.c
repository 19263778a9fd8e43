/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Standard input is made a file before it is read: readers of images need a length, go back
 * and open the file more than once.  A pipe is copied to memory; a regular file that nothing
 * has been read from is used as it is.  Both have a name in /proc, so what reads files needs
 * no second variant for streams.
 *
 * A result for standard output is kept in memory until it is complete, for the same reasons,
 * and because a result is written completely or not at all.
 */

#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "bytes.h"
#include "stream.h"
#include "tools/memory.h"
#include "tools/message.h"


#define BUFFER_BYTES ((gsize) 1 << 20)

/* There is one standard input, hence one state. */
static gboolean  input_is_claimed;
static char     *input_path;


/**
 * stream_is_named:
 * @path: a name on the command line
 *
 * Returns: whether it means a standard stream; a file of this name is “./-”.
 */
gboolean
stream_is_named (const char *path)
{
  return strcmp (path, "-") == 0;
}

/**
 * stream_claim_input:
 * @error: %TOOL_ERROR_USAGE
 *
 * Called for each “-” among the inputs.
 *
 * Returns: %FALSE if another input is standard input already.
 */
gboolean
stream_claim_input (GError **error)
{
  if (input_is_claimed)
    return refuse_usage (_("Only one of the inputs can be standard input (“-”)."), error);
  input_is_claimed = TRUE;
  return TRUE;
}

/* @is_counted: whether @to is memory; @error: the reason alone */
static gboolean
copy (int        from,
      int        to,
      gboolean   is_counted,
      GError   **error)
{
  g_autofree char *buffer = g_malloc (BUFFER_BYTES);

  for (;;)
    {
      gssize           n      = read (from, buffer, BUFFER_BYTES);
      g_autofree char *reason = NULL;

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n == 0 || refuse_because (g_strerror (errno), error);
      if (is_counted)
        reason = memory_claim ((guint64) n);
      if (reason)
        return refuse_because (reason, error);
      if (! bytes_write (to, buffer, (gsize) n, 1, error))
        return FALSE;
    }
}

static gboolean
is_fresh_file (void)
{
  struct stat status;

  return fstat (STDIN_FILENO, &status) == 0 && S_ISREG (status.st_mode) &&
         lseek (STDIN_FILENO, 0, SEEK_CUR) == 0 &&
         access ("/proc/self/fd/0", R_OK) == 0;
}

/**
 * stream_find_input:
 * @error: %TOOL_ERROR_FILE
 *
 * Reads standard input to its end, if it is a pipe.
 *
 * Returns: the name of a regular file with its contents, or %NULL.
 */
const char *
stream_find_input (GError **error)
{
  g_autoptr (GError) problem = NULL;
  int                memory;

  if (input_path)
    return input_path;
  if (isatty (STDIN_FILENO))
    {
      refuse_to_read ("-", _("it is a terminal"), error);
      return NULL;
    }
  if (is_fresh_file ())
    return input_path = g_strdup ("/proc/self/fd/0");

  memory = stream_open_store (&problem);
  if (memory < 0 || ! copy (STDIN_FILENO, memory, TRUE, &problem))
    {
      if (memory >= 0)
        close (memory);
      refuse_to_read ("-", problem->message, error);
      return NULL;
    }
  return input_path = g_strdup_printf ("/proc/self/fd/%d", memory);
}

/**
 * stream_is_own:
 * @status: of a file
 *
 * Returns: whether a standard stream of this process is that regular file.
 */
gboolean
stream_is_own (const struct stat *status)
{
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    {
      struct stat own;

      if (fstat (stream, &own) == 0 && S_ISREG (own.st_mode) &&
          own.st_dev == status->st_dev && own.st_ino == status->st_ino)
        return TRUE;
    }
  return FALSE;
}

/**
 * stream_open_store:
 * @error: %TOOL_ERROR_FILE, the system's reason alone
 *
 * Returns: a file in memory, to be closed, or -1.
 */
int
stream_open_store (GError **error)
{
  int memory = memfd_create ("wavefront", MFD_CLOEXEC);

  if (memory < 0)
    refuse_because (g_strerror (errno), error);
  return memory;
}

/**
 * stream_send:
 * @store: with a complete result
 * @error: %TOOL_ERROR_FILE, the system's reason alone
 *
 * Copies a result to standard output.
 *
 * Returns: success.
 */
gboolean
stream_send (int      store,
             GError **error)
{
  if (lseek (store, 0, SEEK_SET) != 0)
    return refuse_because (g_strerror (errno), error);
  return copy (store, STDOUT_FILENO, FALSE, error);
}

/**
 * stream_show_name:
 * @path: an input: a file, “-”, or what stream_find_input() returned
 *
 * Returns: (transfer full): the name for messages.
 */
char *
stream_show_name (const char *path)
{
  if (stream_is_named (path) || g_strcmp0 (path, input_path) == 0)
    return g_strdup (_("standard input"));
  return g_filename_display_name (path);
}
