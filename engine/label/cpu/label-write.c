/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image of labels is written again, with the label that a table has for each. */

#include "config.h"

#include "label-tools.h"

/* @scratch: of each thread */
typedef struct
{
  WfLabelTable   *table;
  WfImage        *out;
  WfLabelScratch *scratch;
} Writing;

/* The labels that those of runs become. */
static void
look_up (const WfLabelTable *table,
         const WfLabelPiece *piece,
         guint32            *labels)
{
  const guint64 *entries = table->entries;
  const guint32 *others  = table->others;

  if (wf_label_table_is_sparse (table))
    for (gint64 i = 0; i < piece->n_runs; i++)
      labels[i] = piece->labels[i]
                  ? (guint32) entries[wf_label_index_find (&table->index, piece->labels[i])] : 0;
  else
    for (gint64 i = 0; i < piece->n_runs; i++)
      labels[i] = others[piece->labels[i]];
}

static void
write_piece (const Writing  *writing,
             gint64          number,
             WfLabelScratch *scratch)
{
  WfLabelTable *table = writing->table;
  WfLabelPiece  piece;

  if (! wf_label_table_is_sparse (table) &&
      wf_label_runs_look_up (&table->runs, number, table->others, writing->out))
    return;
  wf_label_runs_get (&table->runs, number, &piece, scratch);
  look_up (table, &piece, scratch->others);
  wf_label_runs_write (&table->runs, number, &piece, scratch->others, writing->out, scratch);
}

static gboolean
write_group (gpointer data,
             WfRow    row)
{
  const Writing  *writing = data;

  for (int i = 0; i < WF_GROUP; i++)
    {
      const gint64 number = wf_label_runs_piece (&writing->table->runs, row.number, i);

      if (number >= 0)
        write_piece (writing, number, &writing->scratch[row.worker]);
    }
  wf_label_runs_finish (&writing->table->runs);
  return TRUE;
}

/* Writes the label that each pixel gets.  What is needed for that is allocated before the first
 * pixel is written.
 */
gboolean
wf_label_table_write (WfLabelTable  *table,
                      WfImage       *out,
                      double         share,
                      GError       **error)
{
  g_autofree WfLabelScratch *scratch = wf_allocate (MAX (table->run->n_threads, 1),
                                                    sizeof *scratch, error);
  WfRows                     rows    = wf_label_runs_rows (&table->runs);
  Writing                    writing = { table, out, scratch };

  if (! scratch)
    return FALSE;
  rows.scratch_size = 0;
  wf_run_commit (table->run);
  wf_run_begin (table->run, share, rows.n * rows.amount);
  return wf_run_rows (table->run, &rows, write_group, &writing, error);
}
