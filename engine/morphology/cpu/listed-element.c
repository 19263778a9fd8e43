/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation by an element of few pixels on the CPU: a line, or a disc of a radius
 * of 2 in an image.
 *
 * A line along y is a rectangle of one column where there are tiles for it, and one along x is done
 * by structuring-element.c.  For all others the element is a list of pixels, and each row of the
 * result is gathered from the rows under it: one comparison a pixel for each pixel of the element,
 * while many pixels of the result are in registers.  The rows under an element of usual length stay
 * in the cache while one row after the other is made.
 */

#include "config.h"

#include <string.h>

#include "listed-element.h"
#include "rows.h"
#include "square-tiles.h"

/* Consecutive rows that one worker gathers: they read mostly the same rows. */
#define ROWS_TOGETHER 32

/* In the scratch for each pixel of the element: a row under it, and where it is there. */
#define POINTERS 2

/* The largest disc in the list. */
#define SMALL_DISC 2

/* A pixel of the element, from its middle. */
typedef struct
{
  gint64 x;
  gint64 y;
} Pixel;

typedef struct
{
  const WfElementTask *task;
  const WfRowSteps    *steps;
  gint64               size;        /* bytes of a pixel */
  Pixel               *pixels;
  gint64               n;
  gint64               side;        /* the farthest along x */
} Pass;


/* The rows under the pixels of the element whose middle is in row @target_row of the target; NULL
 * where there is none in the image.
 */
static void
find_rows (const Pass  *pass,
           gint64       target_row,
           const char **under)
{
  const WfImage *image = pass->task->image;
  const gint64   row   = target_row + pass->task->first;
  const gint64   y     = row % image->height;

  for (gint64 i = 0; i < pass->n; i++)
    under[i] = y + pass->pixels[i].y < 0 || y + pass->pixels[i].y >= image->height
               ? NULL : wf_image_row (image, row + pass->pixels[i].y);
}

/* Pixels @x0 to @x1 of a row, for which the element does not leave the image along x.  @pixels:
 * scratch
 */
static void
gather (const Pass        *pass,
        const char *const *under,
        char              *target,
        gint64             x0,
        gint64             x1,
        gconstpointer     *pixels)
{
  const gint64 size = pass->size;
  WfGather     rows = { .rows = pixels, .n = x1 - x0, .target = target + x0 * size };

  for (gint64 i = 0; i < pass->n; i++)
    if (under[i])
      pixels[rows.n_rows++] = under[i] + (x0 + pass->pixels[i].x) * size;
  pass->steps->gather (&rows);
}

/* Any pixels @x0 to @x1 of a row.  @here: the row of the image in the middle */
static void
gather_at_ends (const Pass        *pass,
                const char *const *under,
                const char        *here,
                char              *target,
                gint64             x0,
                gint64             x1)
{
  const gint64 size  = pass->size;
  const gint64 width = pass->task->image->width;

  memcpy (target + x0 * size, here + x0 * size, (x1 - x0) * size);
  for (gint64 i = 0; i < pass->n; i++)
    {
      const gint64 shift = pass->pixels[i].x;
      const gint64 start = MAX (x0, -shift);
      const gint64 end   = MIN (x1, width - shift);

      if (under[i] && start < end)
        pass->steps->join (target + start * size, under[i] + (start + shift) * size, end - start);
    }
  pass->steps->finish (target + x0 * size, x1 - x0);
}

static gboolean
do_row (gpointer data,
        WfRow    row)
{
  const Pass  *pass   = data;
  const gint64 width  = pass->task->image->width;
  const gint64 side   = pass->side;
  const char  *here   = wf_image_row (pass->task->image, row.number + pass->task->first);
  char        *target = wf_image_row (pass->task->target, row.number);
  const char **under  = row.scratch;

  wf_element_watch (pass->task, pass->steps, here, width);
  find_rows (pass, row.number, under);
  if (width <= 2 * side)
    gather_at_ends (pass, under, here, target, 0, width);
  else
    {
      gather_at_ends (pass, under, here, target, 0, side);
      gather (pass, under, target, side, width - side, (gconstpointer *) (under + pass->n));
      gather_at_ends (pass, under, here, target, width - side, width);
    }
  wf_element_finish (pass->task, pass->steps, 0, row.number, target, width);
  return TRUE;
}


/*  The list  */

static gint64
count_pixels (const WfElementTask *task,
              const WfLine        *line)
{
  const gint64 side = 2 * task->radius + 1;

  return task->element == WF_ELEMENT_LINE ? 2 * line->reach + 1 : side * side;
}

static void
list_pixels (Pass         *pass,
             const WfLine *line)
{
  const gint64 radius = pass->task->radius;

  if (pass->task->element == WF_ELEMENT_LINE)
    for (gint64 k = -line->reach; k <= line->reach; k++)
      pass->pixels[pass->n++] = (Pixel) { wf_line_x (line, k), wf_line_y (line, k) };
  else
    for (gint64 y = -radius; y <= radius; y++)
      for (gint64 x = -radius; x <= radius; x++)
        if (x * x + y * y <= radius * radius)
          pass->pixels[pass->n++] = (Pixel) { x, y };
  for (gint64 i = 0; i < pass->n; i++)
    pass->side = MAX (pass->side, ABS (pass->pixels[i].x));
}

static gboolean
is_column (const WfElementTask *task,
           const WfLine        *line)
{
  return task->element == WF_ELEMENT_LINE && wf_line_x (line, line->reach) == 0 &&
         wf_cpu_square_tiles_suit (task, 0, line->reach);
}

/* Whether the element is a line, or a disc that is small enough. */
gboolean
wf_cpu_listed_suits (const WfElementTask *task)
{
  return task->element == WF_ELEMENT_LINE ||
         (task->element == WF_ELEMENT_DISC && task->radius <= SMALL_DISC &&
          task->image->depth == 1);
}

gboolean
wf_cpu_listed (const WfElementTask  *task,
               WfRun                *run,
               double                share,
               GError              **error)
{
  const WfLine        line   = wf_element_line (task);
  const gint64        most   = count_pixels (task, &line);
  g_autofree gpointer pixels = NULL;
  Pass                pass   = {
    .task  = task,
    .steps = wf_row_steps (task->image->type, task->dilation),
    .size  = (gint64) wf_type_size (task->image->type),
  };
  const WfRows        rows   = {
    .n            = task->target->height * task->image->depth,
    .chunk        = ROWS_TOGETHER,
    .amount       = task->image->width,
    .scratch_size = POINTERS * most * sizeof (gconstpointer),
  };

  if (is_column (task, &line))
    return wf_cpu_square_tiles (task, 0, line.reach, run, share, error);
  pixels = wf_allocate (most, sizeof (Pixel), error);
  if (! pixels)
    return FALSE;
  pass.pixels = pixels;
  list_pixels (&pass, &line);
  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, do_row, &pass, error);
}

/* Bytes for each thread, those of the list included. */
guint64
wf_cpu_listed_memory (const WfElementTask *task)
{
  const WfLine line = wf_element_line (task);

  return is_column (task, &line) ? wf_cpu_square_tiles_memory (task, 0, line.reach)
                                 : count_pixels (task, &line)
                                   * (POINTERS * sizeof (gconstpointer) + sizeof (Pixel));
}
