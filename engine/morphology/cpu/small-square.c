/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation, opening and closing of an image by a square of 3 × 3 pixels, or by the
 * disc in it, on the CPU, so that each pixel is read once and written once from the caches of the
 * image.
 *
 * Two rows are made at a time, as their windows share two lines of the four (small-square.inc.h).
 * An opening makes some rows of the erosion in memory that stays in the second-level cache, and
 * from them those of the result; the last rows of the erosion, which the next ones need as well,
 * are moved to its begin.
 */

#include "config.h"

#include <string.h>

#include "rows.h"
#include "small-square.h"

/* Bytes of a row in a strip, and of a part of the result, between two checks for cancelling. */
#define WIDEST_STRIP  (1 << 14)
#define BYTES_IN_PART (1 << 20)

/* Bytes of the first step of an opening that are kept, and the least rows that are made at once. */
#define KEPT_BYTES (1 << 16)
#define LEAST_ROWS 4

/**
 * Square:
 * @tasks: one, or two of which the second one works on the result of the first one
 * @steps: of them
 * @strip: width of a part, in pixels
 * @band: its height
 * @at_once: rows that are made of those that are kept
 * @stride: pixels from one row that is kept to the next
 */
typedef struct
{
  const WfElementTask *tasks[2];
  const WfRowSteps    *steps[2];
  const WfImage       *image;
  WfImage             *target;
  gsize                pixel;       /* bytes */
  gint64               strip;
  gint64               n_strips;
  gint64               band;
  gint64               n_bands;
  gint64               at_once;
  gint64               stride;
} Square;

/**
 * Lines:
 * @data: column @start of the first line
 * @step: bytes from one line to the next
 * @n: lines; beyond the first and the last one the image ends
 * @start, @end: columns of the image
 *
 * What windows slide over.
 */
typedef struct
{
  const char *data;
  gint64      step;
  gint64      n;
  gint64      start;
  gint64      end;
} Lines;

/* A part of the result, and the rows of the first step that are kept on the way. */
typedef struct
{
  gint64  x0;
  gint64  x1;
  gint64  y0;
  gint64  y1;
  char   *kept;
} Part;


/* Parts are strips of equal width, in whole cache lines, and bands. */
static void
square_init (Square              *square,
             const WfElementTask *task,
             gint64               height)
{
  const WfImage *image  = task->image;
  const gint64   pixel  = (gint64) wf_type_size (image->type);
  const gint64   widest = WIDEST_STRIP / pixel;
  const gint64   n      = (image->width + widest - 1) / widest;
  const gint64   strip  = (image->width + n - 1) / n;

  *square = (Square) {
    .tasks = { task },
    .image = image,
    .pixel = (gsize) pixel,
    .strip = MIN ((strip + WF_LINE - 1) / WF_LINE * WF_LINE, image->width),
  };
  square->n_strips = (image->width + square->strip - 1) / square->strip;
  square->band     = MAX (1, BYTES_IN_PART / (square->strip * pixel));
  square->n_bands  = (height + square->band - 1) / square->band;
  square->stride   = square->strip + WF_LINE;
  square->at_once  = MAX (KEPT_BYTES / (square->stride * pixel), LEAST_ROWS);
}

static gsize
kept_size (const Square *square)
{
  return (square->at_once + 2) * square->stride * square->pixel;
}

/* Makes @n rows of columns @x0 to @x1 of a result.  @first: the line in the middle of the first
 * window; @target_step: bytes
 */
static void
make_rows (const Square *square,
           int           which,
           const Lines  *lines,
           gint64        first,
           gint64        n,
           gint64        x0,
           gint64        x1,
           char         *target,
           gint64        target_step)
{
  const WfElementTask *task  = square->tasks[which];
  const WfRowSteps    *steps = square->steps[which];
  const char          *data  = lines->data + (x0 - lines->start) * (gint64) square->pixel;
  WfSquareRows         rows  = { .n = x1 - x0, .has_left = x0 > lines->start,
                                 .has_right = x1 < lines->end };

  for (gint64 t = 0; t < n; t += 2)
    {
      const int here = (int) MIN (2, n - t);

      for (int i = 0; i < 4; i++)
        rows.lines[i] = wf_line_within (data, first + t + i - 1, lines->n, lines->step);
      for (int i = 0; i < 2; i++)
        rows.targets[i] = target + (t + i % here) * target_step;
      if (here == 1)
        rows.lines[3] = rows.lines[0];      /* the same row twice */
      wf_element_note_nan (task, (task->element == WF_ELEMENT_DISC ? steps->small_disc
                                                                   : steps->square) (&rows));
    }
}

static Lines
image_lines (const Square *square)
{
  const WfImage *image = square->image;

  return (Lines) { image->data, image->row_stride * (gint64) square->pixel, image->height, 0,
                   image->width };
}

/* Makes rows of the result, from column x0 of the part on, two at a time. */
static void
make_result (const Square *square,
             const Part   *part,
             int           which,
             const Lines  *lines,
             gint64        first,
             gint64        y,
             gint64        n)
{
  const gint64 pixel = (gint64) square->pixel;
  const gint64 step  = square->target->row_stride * pixel;

  for (gint64 t = 0; t < n; t += 2)
    {
      const gint64 here   = MIN (2, n - t);
      char        *target = (char *) wf_image_row (square->target, y + t) + part->x0 * pixel;

      make_rows (square, which, lines, first + t, here, part->x0, part->x1, target, step);
      for (gint64 i = 0; i < here; i++)
        wf_element_finish (square->tasks[which], square->steps[which], part->x0, y + t + i,
                           target + i * step, part->x1 - part->x0);
    }
}

static void
do_twice (const Square *square,
          const Part   *part)
{
  const gint64 row    = square->stride * (gint64) square->pixel;
  const gint64 height = square->image->height;
  const Lines  lines  = image_lines (square);
  Lines        kept   = { part->kept, row, 0, MAX (part->x0 - 1, 0),
                          MIN (part->x1 + 1, square->image->width) };
  gint64       from   = MAX (part->y0 - 1, 0);     /* rows that are kept */
  gint64       to     = from;

  for (gint64 y = part->y0; y < part->y1; y += square->at_once)
    {
      const gint64 n     = MIN (square->at_once, part->y1 - y);
      const gint64 first = MAX (y - 1, 0);
      const gint64 end   = MIN (y + n + 1, height);

      memmove (part->kept, part->kept + (first - from) * row, (to - first) * row);
      make_rows (square, 0, &lines, to, end - to, kept.start, kept.end,
                 part->kept + (to - first) * row, row);
      from   = first;
      to     = end;
      kept.n = to - from;
      make_result (square, part, 1, &kept, y - from, y, n);
    }
}

static gboolean
do_part (gpointer data,
         WfRow    row)
{
  const Square *square = data;
  const Lines   lines  = image_lines (square);
  const gint64  x0     = row.number % square->n_strips * square->strip;
  const gint64  y0     = row.number / square->n_strips * square->band;
  const Part    part   = {
    .x0   = x0, .x1 = MIN (x0 + square->strip, square->image->width),
    .y0   = y0, .y1 = MIN (y0 + square->band, square->target->height),
    .kept = row.scratch,
  };

  if (square->tasks[1])
    do_twice (square, &part);
  else
    make_result (square, &part, 0, &lines, square->tasks[0]->first + y0, y0, part.y1 - y0);
  return TRUE;
}

/* Whether the element is such a square or disc, and the image no stack. */
gboolean
wf_cpu_small_square_suits (const WfElementTask *task)
{
  return task->element != WF_ELEMENT_LINE && task->radius == 1 &&
         task->image->depth == 1 && task->image->height > 1;
}

/* Erodes or dilates the image of @first into @target.  @second: (nullable): what is done to the
 * result; then @first is done to a whole image, and targets in the tasks do not count
 */
gboolean
wf_cpu_small_square (const WfElementTask  *first,
                     const WfElementTask  *second,
                     WfImage              *target,
                     WfRun                *run,
                     double                share,
                     GError              **error)
{
  Square square;
  WfRows parts;

  square_init (&square, first, target->height);
  square.tasks[1] = second;
  square.target   = target;
  for (int i = 0; i < 2 && square.tasks[i]; i++)
    square.steps[i] = wf_row_steps (first->image->type, square.tasks[i]->dilation);
  parts = (WfRows) {
    .n            = square.n_strips * square.n_bands,
    .chunk        = 1,
    .amount       = square.strip * square.band,
    .scratch_size = second ? kept_size (&square) : 0,
  };
  wf_run_begin (run, share, parts.n * parts.amount);
  return wf_run_rows (run, &parts, do_part, &square, error);
}

/* Bytes for each thread where there is a second task, at most; else there are none.  Strips of
 * equal width are narrower in some wider images; this counts no less for these.
 */
guint64
wf_cpu_small_square_memory (const WfElementTask *task)
{
  const gint64 pixel = (gint64) wf_type_size (task->image->type);
  const gint64 strip = MIN (task->image->width, WIDEST_STRIP / pixel + WF_LINE);
  const gint64 row   = (strip + WF_LINE) * pixel;

  return MAX (KEPT_BYTES, LEAST_ROWS * row) + 2 * row;
}
