/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation of an image by a small rectangle on the CPU.
 *
 * The image is divided into tiles.  The window slides down the lines of a tile into memory that
 * stays in the second-level cache, then along each of its rows into the result (rows.inc.h), so
 * that every pixel is read and written once.  A tile also reads the lines and columns within the
 * radius around it.
 */

#include "config.h"

#include "rows.h"
#include "square-tiles.h"

/* Bytes of the cache that a tile may take, and those that it takes if that is possible. */
#define CACHE     (1 << 20)
#define PREFERRED (1 << 18)

/* A tile is at least this many windows high, and as many windows wide; bytes of its rows. */
#define WINDOWS_IN_TILE 4
#define WIDEST_STRIP    8192
#define NARROW_STRIP    1024

/**
 * Tiling:
 * @radius: along x and y, below the width and the height
 * @height: rows of the result
 * @strip: width of a tile, in pixels
 * @band: its height
 * @stride: pixels from one row in the scratch to the next
 */
typedef struct
{
  const WfElementTask *task;
  const WfRowSteps    *steps;
  gsize                pixel;       /* bytes */
  gint64               radius[2];
  gint64               height;
  gint64               strip;
  gint64               n_strips;
  gint64               band;
  gint64               n_bands;
  gint64               stride;
} Tiling;


static gint64
kept_lines (const Tiling *tiling)
{
  return MIN (2 * tiling->radius[1] + 1, tiling->band);
}

/* The tile, the lines that a window keeps, and six rows to slide along. */
static gsize
scratch_size (const Tiling *tiling)
{
  return (tiling->band + 2 * kept_lines (tiling) + 6) * tiling->stride * tiling->pixel;
}

/* Sets the size of the tiles to strips of at most that width. */
static void
divide (Tiling *tiling,
        gint64  widest)
{
  const WfImage *image  = tiling->task->image;
  const gint64   height = tiling->height;
  gint64         preferred;

  tiling->strip    = MIN (image->width,
                          MAX (widest, WINDOWS_IN_TILE * (2 * tiling->radius[0] + 1)));
  tiling->stride   = tiling->strip + 2 * tiling->radius[0] + 3 * WF_LINE;
  preferred        = PREFERRED / (tiling->stride * (gint64) tiling->pixel);
  tiling->band     = MIN (height,
                          MAX (preferred, WINDOWS_IN_TILE * (2 * tiling->radius[1] + 1)));
  tiling->n_strips = (image->width + tiling->strip - 1) / tiling->strip;
  tiling->n_bands  = (height + tiling->band - 1) / tiling->band;
}

/* @radius_x, @radius_y: of the rectangle; the task's own does not count */
static void
tiling_init (Tiling              *tiling,
             const WfElementTask *task,
             gint64               radius_x,
             gint64               radius_y)
{
  const WfImage *image = task->image;
  gint64         bytes = WIDEST_STRIP;

  tiling->task      = task;
  tiling->pixel     = wf_type_size (image->type);
  tiling->steps     = wf_row_steps (image->type, task->dilation);
  tiling->radius[0] = MIN (radius_x, image->width - 1);
  tiling->radius[1] = MIN (radius_y, image->height - 1);
  tiling->height    = task->target ? task->target->height : image->height;
  divide (tiling, bytes / (gint64) tiling->pixel);
  while (scratch_size (tiling) > 3 * PREFERRED / 2 && bytes > NARROW_STRIP)
    {
      bytes /= 2;
      divide (tiling, bytes / (gint64) tiling->pixel);
    }
}

/* Fills the rows of the scratch with columns @start to @end of the image, whose windows of lines
 * begin at line @y.
 */
static void
slide_down (const Tiling *tiling,
            gint64        start,
            gint64        end,
            gint64        y,
            gint64        n,
            char         *rows,
            char         *scratch)
{
  const WfImage *image  = tiling->task->image;
  const char    *source = (const char *) image->data + start * tiling->pixel;
  const gint64   radius = tiling->radius[1];
  const gsize    room   = kept_lines (tiling) * tiling->stride * tiling->pixel;

  if (radius <= WF_FEW_LINES / 2)
    tiling->steps->few (&(WfFewLines) {
      .source = source, .source_step = image->row_stride, .n_source = image->height,
      .first  = y, .radius = radius,
      .target = rows, .target_step = tiling->stride, .n_target = n, .width = end - start,
    });
  else
    tiling->steps->slide (&(WfSlide) {
      .source = source, .source_step = image->row_stride, .n_source = image->height,
      .window = 2 * radius + 1, .offset = radius - y,
      .target = rows, .target_step = tiling->stride, .n_target = n, .width = end - start,
      .kept   = scratch, .next = scratch + room, .reached = scratch + 2 * room,
    });
}

static gboolean
do_tile (gpointer data,
         WfRow    part)
{
  const Tiling  *tiling = data;
  const WfImage *image  = tiling->task->image;
  const gint64   x0     = part.number % tiling->n_strips * tiling->strip;
  const gint64   y0     = part.number / tiling->n_strips * tiling->band;
  const gint64   x1     = MIN (x0 + tiling->strip, image->width);
  const gint64   first  = tiling->task->first + y0;     /* of the image */
  const gint64   n      = MIN (tiling->band, tiling->height - y0);
  const gint64   radius = tiling->radius[0];
  const gint64   start  = MAX (x0 - radius, 0);
  const gint64   end    = MIN (x1 + radius, image->width);
  const gint64   left   = start - (x0 - radius);    /* outside the image */
  const gint64   right  = x1 + radius - end;
  const gsize    room   = tiling->stride * tiling->pixel;
  char          *rows   = part.scratch;
  char          *lines  = rows + tiling->band * room;

  for (gint64 i = 0; i < n; i++)
    wf_element_watch (tiling->task,
                      (const char *) wf_image_row (image, first + i) + x0 * tiling->pixel, x1 - x0);
  slide_down (tiling, start, end, first, n, rows + left * tiling->pixel, lines);
  for (gint64 i = 0; i < n; i++)
    {
      char           *row    = rows + i * room;
      char           *target = (char *) wf_image_row (tiling->task->target, y0 + i)
                               + x0 * tiling->pixel;
      const WfWindow  window = {
        .n = x1 - x0, .window = 2 * radius + 1,
        .row = row, .other = lines, .kept = lines + room, .next = lines + 2 * room,
        .reached = lines + 3 * room, .target = target,
      };

      wf_element_fill (tiling->task, row, left);
      wf_element_fill (tiling->task, row + (left + end - start) * tiling->pixel, right);
      tiling->steps->window (&window);
      wf_element_finish_row (tiling->task, target, x1 - x0);
    }
  return TRUE;
}

/* Whether tiles of the radius stay in the cache.  A row with windows of its own is no image of
 * tiles, nor is a stack.
 */
gboolean
wf_cpu_square_tiles_suit (const WfElementTask *task,
                          gint64               radius_x,
                          gint64               radius_y)
{
  Tiling tiling;

  if (task->image->depth > 1 || task->image->height == 1)
    return FALSE;
  tiling_init (&tiling, task, radius_x, radius_y);
  return scratch_size (&tiling) <= CACHE;
}

gboolean
wf_cpu_square_tiles (const WfElementTask  *task,
                     gint64                radius_x,
                     gint64                radius_y,
                     WfRun                *run,
                     double                share,
                     GError              **error)
{
  Tiling tiling;
  WfRows parts;

  tiling_init (&tiling, task, radius_x, radius_y);
  parts = (WfRows) {
    .n            = tiling.n_strips * tiling.n_bands,
    .chunk        = 1,
    .amount       = tiling.strip * tiling.band,
    .scratch_size = scratch_size (&tiling),
  };
  wf_run_begin (run, share, parts.n * parts.amount);
  return wf_run_rows (run, &parts, do_tile, &tiling, error);
}

/* Bytes for each thread. */
guint64
wf_cpu_square_tiles_memory (const WfElementTask *task,
                            gint64               radius_x,
                            gint64               radius_y)
{
  Tiling tiling;

  tiling_init (&tiling, task, radius_x, radius_y);
  return scratch_size (&tiling);
}
