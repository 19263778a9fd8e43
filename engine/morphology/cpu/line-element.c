/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation by a line on the CPU.
 *
 * A line along y is a rectangle of one column where there are tiles for it, and one along x is done
 * by structuring-element.c.  For all others each row of the result is gathered from the rows under
 * the line: one comparison a pixel for each pixel of the line, many pixels at a time.  The rows
 * under a line of usual length stay in the cache while one row after the other is made.
 */

#include "config.h"

#include <string.h>

#include "line-element.h"
#include "rows.h"
#include "square-tiles.h"

/* Consecutive rows that one worker gathers: they read mostly the same rows. */
#define ROWS_TOGETHER 32

typedef struct
{
  const WfElementTask *task;
  const WfRowSteps    *steps;
  gint64               pixel;       /* bytes */
  WfLine               line;
} Pass;


/* The row under pixel @k of the line whose middle is in row @target_row of the target, or NULL if
 * it lies outside the image.
 */
static const char *
row_under (const Pass *pass,
           gint64      target_row,
           gint64      k)
{
  const WfImage *image = pass->task->image;
  const gint64   row   = target_row + pass->task->first;
  const gint64   y     = row % image->height + wf_line_y (&pass->line, k);

  return y < 0 || y >= image->height
         ? NULL : wf_image_row (image, row / image->height * image->height + y);
}

/* Pixels @x0 to @x1 of a row, for which the line does not leave the image along x. */
static void
gather (const Pass    *pass,
        gint64         row,
        gint64         x0,
        gint64         x1,
        gconstpointer *pixels)
{
  const gint64 size = pass->pixel;
  WfGather     rows = {
    .rows   = pixels,
    .n      = x1 - x0,
    .target = (char *) wf_image_row (pass->task->target, row) + x0 * size,
  };

  for (gint64 k = -pass->line.reach; k <= pass->line.reach; k++)
    {
      const char *under = row_under (pass, row, k);

      if (under)
        pixels[rows.n_rows++] = under + (x0 + wf_line_x (&pass->line, k)) * size;
    }
  pass->steps->gather (&rows);
}

/* Any pixels @x0 to @x1 of a row. */
static void
gather_at_ends (const Pass *pass,
                gint64      row,
                gint64      x0,
                gint64      x1)
{
  const gint64  size   = pass->pixel;
  const gint64  width  = pass->task->image->width;
  char         *target = wf_image_row (pass->task->target, row);

  memcpy (target + x0 * size, row_under (pass, row, 0) + x0 * size, (x1 - x0) * size);
  for (gint64 k = -pass->line.reach; k <= pass->line.reach; k++)
    {
      const char   *under = row_under (pass, row, k);
      const gint64  shift = wf_line_x (&pass->line, k);
      const gint64  start = MAX (x0, -shift);
      const gint64  end   = MIN (x1, width - shift);

      if (under && start < end)
        pass->steps->join (target + start * size, under + (start + shift) * size, end - start);
    }
}

static gboolean
do_row (gpointer data,
        WfRow    row)
{
  const Pass   *pass   = data;
  const gint64  width  = pass->task->image->width;
  const gint64  margin = wf_line_x (&pass->line, pass->line.reach);
  const gint64  side   = ABS (margin);

  if (width <= 2 * side)
    gather_at_ends (pass, row.number, 0, width);
  else
    {
      gather_at_ends (pass, row.number, 0, side);
      gather (pass, row.number, side, width - side, row.scratch);
      gather_at_ends (pass, row.number, width - side, width);
    }
  wf_element_finish_row (pass->task, wf_image_row (pass->task->target, row.number), width);
  return TRUE;
}

static gsize
scratch_size (const WfLine *line)
{
  return (2 * line->reach + 1) * sizeof (gconstpointer);
}

static gboolean
is_column (const WfElementTask *task,
           const WfLine        *line)
{
  return wf_line_x (line, line->reach) == 0 && wf_cpu_square_tiles_suit (task, 0, line->reach);
}

gboolean
wf_cpu_line (const WfElementTask  *task,
             WfRun                *run,
             double                share,
             GError              **error)
{
  const WfImage *image = task->image;
  Pass           pass  = {
    .task  = task,
    .steps = wf_row_steps (image->type, task->dilation),
    .pixel = (gint64) wf_type_size (image->type),
    .line  = wf_element_line (task),
  };
  const WfRows   rows  = {
    .n            = task->target->height * image->depth,
    .chunk        = ROWS_TOGETHER,
    .amount       = image->width,
    .scratch_size = scratch_size (&pass.line),
  };

  if (is_column (task, &pass.line))
    return wf_cpu_square_tiles (task, 0, pass.line.reach, run, share, error);
  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, do_row, &pass, error);
}

/* Bytes for each thread. */
guint64
wf_cpu_line_memory (const WfElementTask *task)
{
  const WfLine line = wf_element_line (task);

  return is_column (task, &line) ? wf_cpu_square_tiles_memory (task, 0, line.reach)
                                 : scratch_size (&line);
}
