/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "bytes.h"
#include "folder.h"
#include "tools/message.h"
#include "tools/ranks.h"
#include "unfinished.h"

#define JOURNAL "rows-"

/* The part of the time that may go by until rows are on the disk. */
#define SYNC_PART 20

/* Rows from @first to before @end. */
typedef struct
{
  gint64 first;
  gint64 end;
} Interval;

/**
 * Unfinished:
 * @finished: intervals of rows that were finished before, in order, none touching another
 * @task: the file, locked by the first process; −1 in others
 * @journal: of this process
 * @waiting: intervals that are written, but not known to be on the disk
 * @next: when they are to be written there, by g_get_monotonic_time()
 */
struct _Unfinished
{
  char    *name;
  char    *folder;
  char    *image;
  GArray  *finished;
  int      task;
  int      journal;
  GString *waiting;
  gint64   next;
};


static gboolean
refuse (const Unfinished  *unfinished,
        int                number,
        GError           **error)
{
  return refuse_to_write (unfinished->name, g_strerror (number), error);
}


/* Calls fdatasync(), or syncfs(), which takes folders as well.  Some file systems cannot: EINVAL.
 */
static gboolean
sync_to_disk (int      descriptor,
              gboolean all)
{
  int result;

  do
    result = all ? syncfs (descriptor) : fdatasync (descriptor);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}


/*  The task  */

/* A file that another process may be using. */
static gboolean
lock_task (Unfinished  *unfinished,
           GError     **error)
{
  g_autofree char *path = g_build_filename (unfinished->folder, "task", NULL);

  unfinished->task = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (unfinished->task < 0)
    return refuse (unfinished, errno, error);
  if (flock (unfinished->task, LOCK_EX | LOCK_NB) == 0)
    return TRUE;
  if (errno != EWOULDBLOCK)
    return refuse (unfinished, errno, error);
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("“%s” is in use: another process works on this result."), unfinished->name);
  return FALSE;
}

/* Removes what says which rows are finished, so that it is gone from the disk as well. */
static gboolean
remove_journals (Unfinished  *unfinished,
                 GError     **error)
{
  g_autoptr (GError)  problem = NULL;
  g_autoptr (GDir)    folder  = g_dir_open (unfinished->folder, 0, &problem);
  const char         *name;

  if (! folder)
    return refuse_to_write (unfinished->name, problem->message, error);
  while ((name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (unfinished->folder, name, NULL);

      if (g_str_has_prefix (name, JOURNAL) && unlink (path) != 0 && errno != ENOENT)
        return refuse (unfinished, errno, error);
    }
  return sync_to_disk (unfinished->task, TRUE) || refuse (unfinished, errno, error);
}

/* A task that is not complete on the disk is a new one. */
static gboolean
write_task (Unfinished  *unfinished,
            const char  *task,
            GError     **error)
{
  g_autoptr (GError) problem = NULL;

  if (! remove_journals (unfinished, error))
    return FALSE;
  if (! bytes_write (unfinished->task, task, strlen (task), 1, &problem))
    return refuse_to_write (unfinished->name, problem->message, error);
  return sync_to_disk (unfinished->task, FALSE) || refuse (unfinished, errno, error);
}

/* Rows of an image that is not there any more are none: it got its name already. */
static gboolean
check_image (Unfinished  *unfinished,
             GError     **error)
{
  return g_file_test (unfinished->image, G_FILE_TEST_EXISTS) || remove_journals (unfinished, error);
}

static gboolean
check_task (Unfinished  *unfinished,
            const char  *task,
            GError     **error)
{
  g_autofree char    *path    = g_build_filename (unfinished->folder, "task", NULL);
  g_autofree char    *text    = NULL;
  g_autoptr (GError)  problem = NULL;

  if (! g_file_get_contents (path, &text, NULL, &problem))
    return refuse_to_write (unfinished->name, problem->message, error);
  if (*text == '\0')
    return write_task (unfinished, task, error);
  if (strcmp (text, task) == 0)
    return check_image (unfinished, error);
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("“%s” was left by a run with other options or other inputs: repeat those, or "
                 "remove it to begin anew."), unfinished->name);
  return FALSE;
}

/* The first process makes the folder, or takes what is there. */
static gboolean
take_folder (Unfinished  *unfinished,
             const char  *task,
             GError     **error)
{
  if (! ranks_is_first ())
    return TRUE;
  if (mkdir (unfinished->folder, 0700) != 0 && errno != EEXIST)
    return refuse (unfinished, errno, error);
  return lock_task (unfinished, error) && check_task (unfinished, task, error);
}


/*  Rows  */

/* A last line that is not complete is none. */
static void
read_lines (Unfinished *unfinished,
            char       *text)
{
  char *line = text;

  for (char *end = strchr (line, '\n'); end; line = end + 1, end = strchr (line, '\n'))
    {
      Interval rows;

      *end = '\0';
      if (sscanf (line, "%" SCNd64 " %" SCNd64, &rows.first, &rows.end) == 2 &&
          rows.first < rows.end)
        g_array_append_val (unfinished->finished, rows);
    }
}

static int
compare_intervals (gconstpointer a,
                   gconstpointer b)
{
  const Interval *left  = a;
  const Interval *right = b;

  return (left->first > right->first) - (left->first < right->first);
}

/* Makes one of intervals that touch. */
static void
join_intervals (GArray *intervals)
{
  Interval *all = (Interval *) (gpointer) intervals->data;
  guint     n   = 0;

  g_array_sort (intervals, compare_intervals);
  for (guint i = 0; i < intervals->len; i++)
    if (n > 0 && all[i].first <= all[n - 1].end)
      all[n - 1].end = MAX (all[n - 1].end, all[i].end);
    else
      all[n++] = all[i];
  g_array_set_size (intervals, n);
}

/* Of all processes that have worked on the result. */
static gboolean
read_journals (Unfinished  *unfinished,
               GError     **error)
{
  g_autoptr (GError)  problem = NULL;
  g_autoptr (GDir)    folder  = g_dir_open (unfinished->folder, 0, &problem);
  const char         *name;

  if (! folder)
    return refuse_to_write (unfinished->name, problem->message, error);
  while ((name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (unfinished->folder, name, NULL);
      g_autofree char *text = NULL;

      if (! g_str_has_prefix (name, JOURNAL))
        continue;
      if (! g_file_get_contents (path, &text, NULL, &problem))
        return refuse_to_write (unfinished->name, problem->message, error);
      read_lines (unfinished, text);
    }
  join_intervals (unfinished->finished);
  return TRUE;
}

/* A line that was not complete ends here. */
static gboolean
open_journal (Unfinished  *unfinished,
              GError     **error)
{
  const guint      rank = ranks_are_several () ? wf_communicator_get_rank (ranks_get ()) : 0;
  g_autofree char *path = g_strdup_printf ("%s/" JOURNAL "%u", unfinished->folder, rank);

  unfinished->journal = open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  return unfinished->journal >= 0 ? bytes_write (unfinished->journal, "\n", 1, 1, error)
                                  : refuse (unfinished, errno, error);
}

/**
 * unfinished_open:
 * @target: the output
 * @suffix: of its format
 * @task: what is computed, as text
 * @error: %TOOL_ERROR_FILE
 *
 * Makes the folder, or takes that of an earlier run of the same task, together with the other
 * processes, if there are several.
 *
 * Returns: (transfer full) (nullable): the result
 */
Unfinished *
unfinished_open (const char  *target,
                 const char  *suffix,
                 const char  *task,
                 GError     **error)
{
  Unfinished *unfinished = g_new0 (Unfinished, 1);

  unfinished->folder   = g_strconcat (target, UNFINISHED_SUFFIX, NULL);
  unfinished->name     = g_filename_display_name (unfinished->folder);
  unfinished->image    = g_strconcat (unfinished->folder, "/image", suffix, NULL);
  unfinished->finished = g_array_new (FALSE, FALSE, sizeof (Interval));
  unfinished->waiting  = g_string_new (NULL);
  unfinished->task     = unfinished->journal = -1;
  if (! take_folder (unfinished, task, error) ||
      ! ranks_wait (error) ||
      ! read_journals (unfinished, error) ||
      ! ranks_wait (error) ||
      ! open_journal (unfinished, error))
    g_clear_pointer (&unfinished, unfinished_free);
  return unfinished;
}

/* Returns: (transfer none): where the image is written. */
const char *
unfinished_get_image (const Unfinished *unfinished)
{
  return unfinished->image;
}

/**
 * unfinished_count_rows:
 * @unfinished: a result
 * @first: a row, counted over all slices
 * @end: the one after the last
 *
 * Returns: how many of these rows were finished when it was opened
 */
gint64
unfinished_count_rows (const Unfinished *unfinished,
                       gint64            first,
                       gint64            end)
{
  gint64 n = 0;

  for (guint i = 0; i < unfinished->finished->len; i++)
    {
      const Interval *rows = &g_array_index (unfinished->finished, Interval, i);

      n += MAX (0, MIN (end, rows->end) - MAX (first, rows->first));
    }
  return n;
}

/**
 * unfinished_flush:
 * @unfinished: a result
 * @image: as for unfinished_add()
 * @folder: likewise
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether all rows that were added are on the disk, and known to be
 */
gboolean
unfinished_flush (Unfinished  *unfinished,
                  int          image,
                  gboolean     folder,
                  GError     **error)
{
  const gint64 start = g_get_monotonic_time ();
  gint64       end;

  if (! sync_to_disk (image, folder))
    return refuse_because (g_strerror (errno), error);
  if (! bytes_write (unfinished->journal, unfinished->waiting->str, unfinished->waiting->len, 1,
                     error))
    {
      /* a part of a line may have been written, to which the next attempt must not add */
      g_string_prepend_c (unfinished->waiting, '\n');
      return FALSE;
    }
  g_string_truncate (unfinished->waiting, 0);
  end              = g_get_monotonic_time ();
  unfinished->next = end + SYNC_PART * (end - start);
  return TRUE;
}

/**
 * unfinished_add:
 * @unfinished: a result
 * @first: the first row that is finished
 * @end: the one after the last
 * @image: descriptor of the file, or of the folder, that they were written to
 * @folder: which of them
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Keeps rows: those that an interrupted run would lose take some twentieth of its time, and those
 * of a moment.  Of several threads one at a time may call this.
 *
 * Returns: success
 */
gboolean
unfinished_add (Unfinished  *unfinished,
                gint64       first,
                gint64       end,
                int          image,
                gboolean     folder,
                GError     **error)
{
  g_string_append_printf (unfinished->waiting, "%" PRId64 " %" PRId64 "\n", first, end);
  return g_get_monotonic_time () < unfinished->next ||
         unfinished_flush (unfinished, image, folder, error);
}

/**
 * unfinished_forget:
 * @unfinished: a result that is complete, in the first process
 * @error: %TOOL_ERROR_FILE
 *
 * Forgets which rows are finished, before the image gets its name: another image may then lie where
 * it was.
 *
 * Returns: success
 */
gboolean
unfinished_forget (Unfinished  *unfinished,
                   GError     **error)
{
  return remove_journals (unfinished, error);
}

/**
 * unfinished_recall:
 * @unfinished: a forgotten result, whose image is where it was
 * @n_rows: of all slices
 *
 * Says again that all rows are finished.
 */
void
unfinished_recall (Unfinished *unfinished,
                   gint64      n_rows)
{
  g_autofree char *path = g_build_filename (unfinished->folder, JOURNAL "0", NULL);
  g_autofree char *text = g_strdup_printf ("0 %" PRId64 "\n", n_rows);

  g_file_set_contents (path, text, -1, NULL);
}

/**
 * unfinished_remove:
 * @unfinished: a result
 * @if_empty: whether only if no rows are finished
 *
 * Removes the folder, with what is in it: when the image has its name, or nothing was done.
 */
void
unfinished_remove (Unfinished *unfinished,
                   gboolean    if_empty)
{
  if (ranks_is_first () &&
      (! if_empty || (read_journals (unfinished, NULL) && unfinished->finished->len == 0)))
    folder_remove (unfinished->folder);
}

void
unfinished_free (Unfinished *unfinished)
{
  if (unfinished->task >= 0)
    close (unfinished->task);
  if (unfinished->journal >= 0)
    close (unfinished->journal);
  g_array_unref (unfinished->finished);
  g_string_free (unfinished->waiting, TRUE);
  g_free (unfinished->name);
  g_free (unfinished->folder);
  g_free (unfinished->image);
  g_free (unfinished);
}
