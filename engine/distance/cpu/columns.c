/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first or the last pixel of a kind in each column of a band. */

#include "config.h"

#include "exact-local.h"

/* Columns that a thread takes at a time, and rows whose numbers fit a byte. */
#define STRIP 1024
#define CHUNK 64

/* Of a band in one piece, seen as an image: a column is a line along y, in a stack along z. */
typedef struct
{
  const WfDistanceTask *task;
  const WfLocalSteps   *steps;
  gboolean              foreground;
  gboolean              last;
  gint64                offset;
  gint64                n_columns;
  gint64                n_rows;
  gint32               *positions;
} Columns;


/* Notes in which of the chunk's rows each column of a strip has pixels of the kind. */
static void
note_chunk (const Columns *columns,
            gint64         column,
            gint64         n,
            gint64         row,
            guint8        *first,
            guint8        *last)
{
  guint8 marks[STRIP];

  memset (first, WF_NO_ROW, n);
  memset (last, WF_NO_ROW, n);
  for (int i = 0; i < MIN (CHUNK, columns->n_rows - row); i++)
    {
      wf_distance_mark_pixels (columns->task, (row + i) * columns->n_columns + column, n, marks);
      for (gint64 x = 0; columns->foreground && x < n; x++)
        marks[x] ^= TRUE;
      columns->steps->note (marks, 0, i, first, last, n);
    }
}

/* Goes over the chunks until every column has its position. */
static gboolean
note_strip (gpointer data,
            WfRow    strip)
{
  const Columns *columns   = data;
  const gint64   column    = strip.number * STRIP;
  const gint64   n         = MIN (STRIP, columns->n_columns - column);
  const gint64   n_chunks  = (columns->n_rows + CHUNK - 1) / CHUNK;
  gint32        *positions = columns->positions + column;
  gint64         n_found   = 0;
  guint8         first[STRIP], last[STRIP];

  for (gint64 i = 0; i < n_chunks && n_found < n; i++)
    {
      const gint64  row   = (columns->last ? n_chunks - 1 - i : i) * CHUNK;
      const guint8 *found = columns->last ? last : first;

      note_chunk (columns, column, n, row, first, last);
      for (gint64 x = 0; x < n; x++)
        if (found[x] != WF_NO_ROW && positions[x] < columns->offset)
          {
            positions[x] = columns->offset + row + found[x];
            n_found++;
          }
    }
  return TRUE;
}

/* Sets the position of each column's first or last pixel that is foreground or background, as
 * @foreground says, counted from @offset; columns without one stay as they are.  The image of
 * @task is a band in one piece.  @positions: all below @offset.
 */
gboolean
wf_distance_note_columns (const WfDistanceTask  *task,
                          gboolean               foreground,
                          gboolean               last,
                          gint64                 offset,
                          gint32                *positions,
                          WfRun                 *run,
                          GError               **error)
{
  Columns columns = {
    .task       = task,
    .steps      = wf_local_choose_steps (),
    .foreground = foreground,
    .last       = last,
    .offset     = offset,
    .n_columns  = wf_shape_step (&task->shape, task->band->axis),
    .n_rows     = wf_shape_along (&task->shape, task->band->axis),
    .positions  = positions,
  };
  const WfRows strips = { .n = (columns.n_columns + STRIP - 1) / STRIP, .chunk = 1,
                          .amount = STRIP * columns.n_rows };

  wf_run_begin (run, 0.0, strips.n * strips.amount);
  return wf_run_rows (run, &strips, note_strip, &columns, error);
}

/* Finds all positions that the task's band is asked for. */
gboolean
wf_distance_note_band (const WfDistanceTask  *task,
                       WfRun                 *run,
                       GError               **error)
{
  const WfDistanceBand *band      = task->band;
  const gint64          n_columns = wf_shape_step (&task->shape, band->axis);

  for (int kind = 0; kind < wf_distance_count_kinds (task); kind++)
    for (int last = 0; last < 2; last++)
      {
        gint32 *positions = (last ? band->lasts : band->firsts)[kind];

        for (gint64 i = 0; positions && i < n_columns; i++)
          positions[i] = WF_NO_SITE;
        if (positions && ! wf_distance_note_columns (task, kind == 1, last, band->first, positions,
                                                     run, error))
          return FALSE;
      }
  return TRUE;
}
