/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One image of a folder after the other.
 *
 * The results of an image are written in a hidden folder inside that of the results, and moved from
 * there when all are complete: an image that fails, or during which the user gives up, leaves
 * nothing.  An image that fails does not end the loop.  The table of all objects is written at the
 * end, also of a loop that was cancelled, of the images that are done.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "joined-table.h"
#include "loop.h"
#include "moves.h"

#define SCRATCH ".wavefront-XXXXXX"

/**
 * Work:
 * @scratch: the hidden folder
 * @joined: (nullable): the table of all objects
 */
typedef struct
{
  const WfFolderPlan *plan;
  const WfFolderLoop *loop;
  GFile              *scratch;
  WfJoinedTable      *joined;
} Work;


/**
 * wf_folder_find_time_left:
 * @elapsed: seconds since the beginning
 * @done: images that are done, with the part of the present one
 * @all: images
 *
 * Returns: the seconds that the others will take, or −1 if that is not known yet
 */
double
wf_folder_find_time_left (double elapsed,
                          double done,
                          double all)
{
  return done > 0 && elapsed > 0 ? elapsed / done * MAX (all - done, 0) : -1;
}

/* Returns: (nullable): a new folder, or %NULL with @error set */
static GFile *
make_scratch (const WfFolderPlan  *plan,
              GError             **error)
{
  g_autofree char *path = g_build_filename (g_file_peek_path (plan->output), SCRATCH, NULL);

  if (g_mkdtemp (path))
    return g_file_new_for_path (path);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               _("Results cannot be written to the folder “%s”: %s"), plan->task->output,
               g_strerror (errno));
  return NULL;
}

/* A table is also made if it is only joined to others. */
static void
choose_places (const Work         *work,
               const WfFolderItem *item,
               WfFolderScratch    *places)
{
  for (int i = 0; i < WF_FOLDER_N_FILES; i++)
    places->files[i] = item->results[i] ? g_file_get_child (work->scratch, item->results[i]) : NULL;
  if (work->joined && ! places->files[WF_FOLDER_TABLE])
    places->files[WF_FOLDER_TABLE] = g_file_get_child (work->scratch, "objects.csv");
}

static void
clear_places (WfFolderScratch *places)
{
  for (int i = 0; i < WF_FOLDER_N_FILES; i++)
    if (places->files[i])
      {
        g_file_delete (places->files[i], NULL, NULL);
        g_clear_object (&places->files[i]);
      }
}

/* What was not made, such as the table of an image without objects, is not moved. */
static gboolean
move_results (const Work             *work,
              const WfFolderItem     *item,
              const WfFolderScratch  *places,
              GString                *names,
              GError                **error)
{
  WfFolderMove         moves[WF_FOLDER_N_FILES];
  guint                n     = 0;
  g_autoptr (GString)  moved = g_string_new (NULL);
  gboolean             success;

  for (int i = 0; i < WF_FOLDER_N_FILES; i++)
    if (item->results[i] && g_file_query_exists (places->files[i], NULL))
      {
        moves[n++] = (WfFolderMove) { places->files[i],
                                      g_file_get_child (work->plan->output, item->results[i]) };
        g_string_append_printf (moved, "%s%s", moved->len ? " " : "", item->results[i]);
      }
  success = wf_folder_moves_make (moves, n, error);
  while (n > 0)
    g_object_unref (moves[--n].to);
  if (success)
    g_string_append (names, moved->str);
  return success;
}

static gboolean
make_results (const Work          *work,
              const WfFolderItem  *item,
              WfFolderOutcome     *outcome,
              GString             *names,
              GError             **error)
{
  const WfFolderLoop *loop   = work->loop;
  WfFolderScratch     places = { 0 };
  g_autofree char    *table  = NULL;
  gboolean            done;

  choose_places (work, item, &places);
  done = loop->process (item, &places, &outcome->n_objects, loop->data, error) &&
         ! g_cancellable_set_error_if_cancelled (loop->cancellable, error) &&
         (! work->joined ||
          (g_file_load_contents (places.files[WF_FOLDER_TABLE], NULL, &table, NULL, NULL, error) &&
           wf_joined_table_accepts (work->joined, item->name, table, error))) &&
         move_results (work, item, &places, names, error);
  clear_places (&places);
  if (done && work->joined)
    wf_joined_table_add (work->joined, item->name, table);
  return done;
}

static WfFolderOutcome *
process (const Work         *work,
         const WfFolderItem *item)
{
  WfFolderOutcome     *outcome = g_new0 (WfFolderOutcome, 1);
  g_autoptr (GString)  names   = g_string_new (NULL);
  g_autoptr (GError)   error   = NULL;
  const gint64         start   = g_get_monotonic_time ();

  outcome->file      = g_strdup (item->name);
  outcome->n_objects = -1;
  if (item->exists && work->plan->task->existing == WF_FOLDER_SKIP)
    outcome->state = WF_FOLDER_SKIPPED;
  else if (! make_results (work, item, outcome, names, &error))
    {
      outcome->state     = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                           ? WF_FOLDER_CANCELLED : WF_FOLDER_FAILED;
      outcome->message   = g_strdup (error->message);
      outcome->n_objects = -1;
    }
  outcome->output  = g_strdup (names->str);
  outcome->seconds = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  return outcome;
}

/**
 * wf_folder_loop_run:
 * @plan: what is to be done; its task does not ask about files that exist
 * @loop: what is done with each image
 * @outcomes: (element-type WfFolderOutcome): gets what became of each image, up to the one in which
 *   the user gave up
 * @error: %G_IO_ERROR if nothing can be written to the folder of the results, or the table of all
 *   objects cannot be written; %WF_ERROR_INVALID if that has other columns
 *
 * Returns: %FALSE with @error set, not if images failed or the user gave up
 */
gboolean
wf_folder_loop_run (const WfFolderPlan  *plan,
                    const WfFolderLoop  *loop,
                    GPtrArray           *outcomes,
                    GError             **error)
{
  Work     work   = { .plan = plan, .loop = loop };
  gboolean missed = FALSE;
  gboolean success;

  if (! wf_folder_plan_check (plan, error))
    return FALSE;
  if (plan->task->joined && ! (work.joined = wf_folder_plan_join (plan, error)))
    return FALSE;
  work.scratch = make_scratch (plan, error);
  if (! work.scratch)
    {
      g_clear_pointer (&work.joined, wf_joined_table_free);
      return FALSE;
    }
  for (guint i = 0; i < plan->items->len && ! g_cancellable_is_cancelled (loop->cancellable); i++)
    {
      WfFolderOutcome *outcome;

      if (loop->begun)
        loop->begun (i, loop->data);
      outcome = process (&work, plan->items->pdata[i]);
      missed |= outcome->state == WF_FOLDER_FAILED;
      g_ptr_array_add (outcomes, outcome);
      if (loop->ended)
        loop->ended (outcome, loop->data);
    }
  success = ! work.joined ||
            wf_joined_table_write (work.joined,
                                   missed || g_cancellable_is_cancelled (loop->cancellable), error);
  g_file_delete (work.scratch, NULL, NULL);
  g_clear_object (&work.scratch);
  g_clear_pointer (&work.joined, wf_joined_table_free);
  return success;
}
