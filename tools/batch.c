/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each input is a task of a process of its own (workers.c), so that a file that ends the process is
 * one failure among others.  The first process shows the progress of all, prints what the others
 * have printed, in the order of the inputs, and joins their tables.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "batch.h"
#include "batch-names.h"
#include "batch-table.h"
#include "command.h"
#include "file-names.h"
#include "files/ome-image.h"
#include "files/pixel-size.h"
#include "files/store.h"
#include "files/tiff-storage.h"
#include "memory.h"
#include "message.h"
#include "progress.h"
#include "ranks.h"
#include "workers.h"

/* Of failed inputs in the last message. */
#define MOST_NAMED 10

/* Of an input. */
typedef struct
{
  gboolean   success;
  char      *out;       /* NULL: not yet, or printed */
  char     **parts;
} Outcome;

typedef struct
{
  const Arguments *arguments;
  GPtrArray       *tables;      /* their names */
  Outcome         *outcomes;
  guint            n_printed;   /* of the inputs, whose output is printed */
} Batch;


/* Runs the command for one input. */
static gboolean
run_one (const Arguments  *all,
         guint             i,
         const GPtrArray  *tables,
         GError          **error)
{
  const NamePlace   place = { all->files[i], i + 1, all->n_files, tables };
  g_auto (Arguments) one  = { 0 };

  arguments_choose (&one, all, &place);
  return one.command->run (&one, error);
}


/*  In the process of a worker  */

/* Of WorkerFunc. */
static gboolean
do_file (gpointer   data,
         guint      task,
         char     **parts,
         GError   **error)
{
  const Batch *batch = data;
  gboolean     success;

  progress_stop ();
  memory_keep (0);
  pixel_size_forget ();
  tiff_storage_forget ();
  ome_image_forget ();
  store_open (batch->arguments->files[task]);
  success = run_one (batch->arguments, task, batch->tables, error);
  for (guint i = 0; i < batch->tables->len && success; i++)
    {
      g_autofree char *name  = file_names_of_table (i, batch->tables->pdata[i]);
      GBytes          *bytes = store_find_bytes (name);

      if (bytes)
        parts[i] = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    }
  store_close ();
  return success;
}


/*  In the first process  */

/* What the inputs have printed, as far as none is missing before. */
static void
print_outputs (Batch *batch)
{
  for (; batch->n_printed < batch->arguments->n_files; batch->n_printed++)
    {
      Outcome *outcome = &batch->outcomes[batch->n_printed];

      if (! outcome->out)
        return;
      fputs (outcome->out, stdout_for_reports ());
      g_clear_pointer (&outcome->out, g_free);
    }
}

/* Of WorkerDoneFunc. */
static void
file_is_done (gpointer      data,
              guint         task,
              WorkerResult *result)
{
  Batch   *batch   = data;
  Outcome *outcome = &batch->outcomes[task];

  if (result->err[0])
    {
      progress_end_line ();
      fputs (result->err, stderr);
    }
  outcome->success = result->success;
  outcome->out     = g_steal_pointer (&result->out);
  outcome->parts   = g_steal_pointer (&result->parts);
  print_outputs (batch);
  progress_next_step ();
}

static void
add_part (const Batch *batch,
          BatchTable  *table,
          guint        number,
          guint        i)
{
  Outcome         *outcome = &batch->outcomes[i];
  g_autofree char *name    = g_filename_display_name (batch->arguments->files[i]);

  if (outcome->success && outcome->parts[number][0])
    batch_table_add (table, name, g_strdup (outcome->parts[number]));
}

static gboolean
write_tables (Batch       *batch,
              BatchTable  *tables,
              GError     **error)
{
  for (guint table = 0; table < batch->tables->len; table++)
    {
      for (guint i = 0; i < batch->arguments->n_files; i++)
        add_part (batch, &tables[table], table, i);
      if (! batch_table_write (&tables[table], error))
        return FALSE;
    }
  return TRUE;
}

static char *
list_failures (const Batch *batch,
               guint       *n)
{
  GString *names = g_string_new (NULL);

  *n = 0;
  for (guint i = 0; i < batch->arguments->n_files; i++)
    {
      g_autofree char *name = g_filename_display_name (batch->arguments->files[i]);

      if (batch->outcomes[i].success)
        continue;
      if (*n < MOST_NAMED)
        g_string_append_printf (names, *n > 0 ? ", “%s”" : "“%s”", name);
      ++*n;
    }
  if (*n > MOST_NAMED)
    g_string_append_printf (names, ", …");
  return g_string_free (names, FALSE);
}

static gboolean
conclude (const Batch  *batch,
          GError      **error)
{
  const guint      n = batch->arguments->n_files;
  guint            n_failed;
  g_autofree char *names = list_failures (batch, &n_failed);
  g_autofree char *done  = g_strdup_printf (_("All %u inputs are done."), n);

  progress_end_line ();
  if (n_failed > 0)
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE, _("%u of %u inputs failed: %s."), n_failed,
                   n, names);
      return FALSE;
    }
  if (batch->arguments->progress)
    message_print (done);
  return stdout_finish (error);
}

static gboolean
run_batch (Batch       *batch,
           BatchTable  *tables,
           GError     **error)
{
  const Arguments *arguments = batch->arguments;

  for (guint i = 0; i < batch->tables->len; i++)
    if (! batch_table_prepare (&tables[i], batch->tables->pdata[i], arguments->format, error))
      return FALSE;
  memory_share ((guint) MIN (arguments->jobs, (int) arguments->n_files));
  if (arguments->progress)
    progress_begin (command_get_name (arguments->command), (int) arguments->n_files);
  return workers_run (arguments->n_files, (guint) arguments->jobs, batch->tables->len, do_file,
                      file_is_done, batch, error) &&
         write_tables (batch, tables, error) &&
         conclude (batch, error);
}

/**
 * batch_run:
 * @arguments: with one input, or several
 * @error: of one input: the command's; else a summary
 *
 * Runs a command for all of its inputs, and goes on where one fails.
 *
 * Returns: whether it has succeeded for all
 */
gboolean
batch_run (const Arguments  *arguments,
           GError          **error)
{
  const guint                 n     = arguments->n_files;
  Batch                       batch = { .arguments = arguments };
  g_auto (BatchNames)         names = { 0 };
  g_autofree BatchTable      *tables = NULL;
  gboolean                    success;

  if (n == 1)
    return run_one (arguments, 0, NULL, error);
  if (ranks_are_several ())
    return refuse_usage (_("Several inputs cannot be divided among several processes: start the "
                           "command without an MPI launcher, or with --distributed no."), error);
  if (! batch_names_find (&names, arguments, error))
    return FALSE;
  batch.tables   = names.tables;
  batch.outcomes = g_new0 (Outcome, n);
  tables         = g_new0 (BatchTable, names.tables->len + 1);
  success        = run_batch (&batch, tables, error);
  for (guint i = 0; i < names.tables->len; i++)
    batch_table_clear (&tables[i]);
  for (guint i = 0; i < n; i++)
    {
      g_free (batch.outcomes[i].out);
      g_strfreev (batch.outcomes[i].parts);
    }
  g_free (batch.outcomes);
  return success;
}
