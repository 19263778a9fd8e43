/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation of an image by a rectangle on the CPU.
 *
 * The image is divided into tiles.  Windows of lines are made a few rows at a time, and along each
 * of these rows the windows of the result, while they are in the first-level cache (rows.inc.h):
 * every pixel is read and written once.
 *
 * Windows of more than a few lines are made in blocks, as van Herk and Gil and Werman do it: the
 * extremes of the ends of the lines where the windows of a block begin are kept, those of the lines
 * where they end follow.  Blocks of windows of many lines are shorter than a window.  Between its
 * begin and its end lie lines that all windows of the block hold: some groups of as many lines as a
 * block, whose extremes serve all blocks that they lie in, and a few lines that are no group.  The
 * windows of a block reach the lines of a group one after the other, so that its extreme is at
 * hand then.  So far more than the lines of a few blocks need never be in the caches, and lines of
 * the image are read in two streams, whatever the radius; for a pixel there are 3 comparisons, and
 * about one for the groups of its block.
 *
 * A tile also reads the columns within the radius around it, and makes the groups of its first
 * window for itself: it is many windows high.  Its rows are as long as its scratch allows: the
 * processor reads ahead along a row, and not from the end of one to the begin of the next.
 *
 * Rows of a large result are made in the scratch, and bypass the caches from there: else each of
 * their cache lines would be read before it is written, a third of all that memory transfers.
 */

#include "config.h"

#include <math.h>

#include "engine/cpu/stream.h"
#include "rows.h"
#include "square-tiles.h"

/* Bytes that a tile may take, and those that it takes if that is possible. */
#define MOST      (1 << 23)
#define PREFERRED (1 << 20)

/* Bytes of a row of a tile, which is at least as many windows wide, and of a tile. */
#define WIDEST_STRIP    (1 << 14)
#define NARROW_STRIP    1024
#define WINDOWS_IN_ROW  4
#define BYTES_IN_TILE   (1 << 20)

/* Windows in the height of a tile that shares none of its groups with others. */
#define WINDOWS_IN_TILE 16

/* Parts for each thread, if there are tiles enough. */
#define PARTS_OF_THREAD 4

/* Lines of the longest window that is as long as a block, and of the shortest block of others. */
#define LONGEST_BLOCK  32
#define SHORTEST_GROUP 16

/* Rows beside those of a block: two to slide along one of them, one of the result, and the middle
 * of windows or what lines reach.
 */
#define MORE_ROWS 4

/* A result of as many bytes bypasses the caches: with the image it does not fit in them. */
#define STREAM_BYTES ((gint64) 16 << 20)

/**
 * Tiling:
 * @radius: along x and y, below the width and the height
 * @height: rows of the result
 * @block: lines of a block and of a group
 * @n_groups: groups of a window between the block where it begins and that where it ends
 * @strip: width of a tile, in pixels
 * @band: its height
 * @stride: pixels from one row in the scratch to the next
 * @streamed: the result bypasses the caches
 */
typedef struct
{
  const WfElementTask *task;
  const WfRowSteps    *steps;
  gsize                pixel;       /* bytes */
  gboolean             streamed;
  gint64               radius[2];
  gint64               height;
  gint64               block;
  gint64               n_groups;
  gint64               strip;
  gint64               n_strips;
  gint64               band;
  gint64               n_bands;
  gint64               stride;
} Tiling;


static gboolean
has_few_lines (const Tiling *tiling)
{
  return tiling->radius[1] <= WF_FEW_LINES / 2;
}

static gint64
window_lines (const Tiling *tiling)
{
  return 2 * tiling->radius[1] + 1;
}

/* Lines that are kept: ends, and groups. */
static gint64
kept_lines (const Tiling *tiling)
{
  return has_few_lines (tiling) ? 0 : tiling->block + tiling->n_groups;
}

/* Of a strip of @width pixels. */
static gint64
find_stride (const Tiling *tiling,
             gint64        width)
{
  return (width + 2 * tiling->radius[0] + 5 * WF_LINE) / WF_LINE * WF_LINE;
}

static gint64
line_bytes (const Tiling *tiling)
{
  return tiling->stride * (gint64) tiling->pixel;
}

/* Lines whose extreme is found at once, at most. */
static gint64
joined_lines (const Tiling *tiling)
{
  return tiling->n_groups + tiling->block + 1;
}

static gsize
scratch_size (const Tiling *tiling)
{
  return joined_lines (tiling) * sizeof (gpointer)
         + (kept_lines (tiling) + WF_BLOCK_LINES + MORE_ROWS) * line_bytes (tiling);
}

/* Chooses blocks.  For a block there are the lines that are in no group, the groups of a window,
 * and rows that are not made by fours.  The last line of its first window begins a group.
 */
static void
choose_block (Tiling *tiling)
{
  const gint64 window = window_lines (tiling);
  const gint64 before = window - 1;
  const gint64 least  = MAX (SHORTEST_GROUP, (gint64) sqrt ((double) window));
  double       best   = INFINITY;

  tiling->block    = window;
  tiling->n_groups = 0;
  if (window <= LONGEST_BLOCK)
    return;
  for (gint64 n = least; n < 2 * least && 2 * n <= before; n++)
    {
      const double cost = (double) (before % n + before / n + n % WF_BLOCK_LINES) / (double) n;

      if (cost < best)
        {
          best             = cost;
          tiling->block    = n;
          tiling->n_groups = before / n - 1;
        }
    }
}

/* Sets the size of the tiles to strips of equal width, of at most @widest pixels. */
static void
divide (Tiling *tiling,
        gint64  widest)
{
  const gint64 width = tiling->task->image->width;
  const gint64 n     = (width + widest - 1) / widest;
  const gint64 unit  = has_few_lines (tiling) ? WF_BLOCK_LINES : tiling->block;
  const gint64 least = tiling->n_groups > 0 ? WINDOWS_IN_TILE * window_lines (tiling) : unit;
  const gint64 strip = ((width + n - 1) / n + WF_LINE - 1) / WF_LINE * WF_LINE;
  gint64       rows;

  tiling->strip    = MIN (strip, width);
  tiling->stride   = find_stride (tiling, tiling->strip);
  rows             = MAX (BYTES_IN_TILE / line_bytes (tiling) / unit * unit, least);
  tiling->band     = MIN (rows, tiling->height);
  tiling->n_strips = (width + tiling->strip - 1) / tiling->strip;
  tiling->n_bands  = (tiling->height + tiling->band - 1) / tiling->band;
}

/* Of how many pixels a strip is at least; @bytes: of its rows, if windows are not wider. */
static gint64
find_strip (const Tiling *tiling,
            gint64        bytes)
{
  return MAX (bytes / (gint64) tiling->pixel, WINDOWS_IN_ROW * (2 * tiling->radius[0] + 1));
}

/* Windows of many lines read the image in streams that are far apart: what is written there, and
 * read before that, would drive them out of the caches, however large these are.
 */
static gboolean
is_streamed (const Tiling *tiling)
{
  const gint64 bytes = wf_element_result_bytes (tiling->task);

  return has_few_lines (tiling) ? wf_is_streamed (bytes, STREAM_BYTES) : bytes >= STREAM_BYTES;
}

/* @radius_x, @radius_y: of the rectangle; the task's own does not count */
static void
tiling_init (Tiling              *tiling,
             const WfElementTask *task,
             gint64               radius_x,
             gint64               radius_y)
{
  const WfImage *image = task->image;
  const gint64   pixel = (gint64) wf_type_size (image->type);
  gint64         widest, least;

  tiling->task      = task;
  tiling->pixel     = (gsize) pixel;
  tiling->steps     = wf_row_steps (image->type, task->dilation);
  tiling->radius[0] = MIN (radius_x, image->width - 1);
  tiling->radius[1] = MIN (radius_y, image->height - 1);
  tiling->height    = task->target ? task->target->height : image->height;
  tiling->streamed  = is_streamed (tiling);
  choose_block (tiling);
  widest            = find_strip (tiling, WIDEST_STRIP);
  least             = find_strip (tiling, NARROW_STRIP);
  divide (tiling, widest);
  while (kept_lines (tiling) * line_bytes (tiling) > PREFERRED && widest > least)
    {
      widest = MAX (widest / 2, least);
      divide (tiling, widest);
    }
}

/**
 * Tile:
 * @x0, @x1: its columns
 * @y: its first row of the result
 * @start, @end: the columns of the image that it reads
 * @left, @right: those that it reads beyond the image
 * @rows: scratch for WF_BLOCK_LINES rows, whose first pixel is @left before column @start, which is
 *   aligned as vectors are
 * @lines: scratch for the rest
 */
typedef struct
{
  const Tiling *tiling;
  gint64        x0;
  gint64        x1;
  gint64        y;
  gint64        start;
  gint64        end;
  gint64        left;
  gint64        right;
  char         *rows;
  char         *lines;
} Tile;

static Tile
tile_of (const Tiling *tiling,
         WfRow         part)
{
  const gint64 width  = tiling->task->image->width;
  const gint64 radius = tiling->radius[0];
  const gint64 x0     = part.number % tiling->n_strips * tiling->strip;
  const gint64 x1     = MIN (x0 + tiling->strip, width);
  const gint64 left   = MAX (radius - x0, 0);
  const gint64 before = (WF_LINE - left % WF_LINE) % WF_LINE;

  return (Tile) {
    .tiling = tiling,
    .x0     = x0,
    .x1     = x1,
    .y      = part.number / tiling->n_strips * tiling->band,
    .start  = MAX (x0 - radius, 0),
    .end    = MIN (x1 + radius, width),
    .left   = left,
    .right  = MAX (x1 + radius - width, 0),
    .rows   = (char *) part.scratch + before * (gint64) tiling->pixel,
    .lines  = (char *) part.scratch + WF_BLOCK_LINES * line_bytes (tiling),
  };
}

/* Makes pixels of row @y of the result, from @target on, which may be made in the scratch first.
 * Returns whether some are left.
 */
static gboolean
make_piece (const Tile *tile,
            WfWindow   *window,
            gint64      y,
            char       *target)
{
  const Tiling *tiling = tile->tiling;
  gboolean      more;

  target        += window->to * (gint64) tiling->pixel;
  window->target = tiling->streamed ? tile->lines + 2 * line_bytes (tiling) : target;
  more           = tiling->steps->window (window);
  wf_element_finish (tiling->task, tiling->steps, tile->x0 + window->from, y, window->target,
                     window->to - window->from);
  if (tiling->streamed)
    wf_stream_bytes (target, window->target, (window->to - window->from) * tiling->pixel);
  return more;
}

/* Looks at the rows of the image before the one that the first window of all ends with. */
static void
watch_first (const Tile *tile)
{
  const Tiling        *tiling = tile->tiling;
  const WfElementTask *task   = tiling->task;

  for (gint64 y = task->first; y < MIN (task->first + tiling->radius[1], task->image->height); y++)
    wf_element_watch (task, tiling->steps, (char *) wf_image_row (task->image, y)
                                           + tile->x0 * (gint64) tiling->pixel,
                      tile->x1 - tile->x0);
}

/* Makes rows of the result from those of the scratch. */
static void
slide_along (const Tile *tile,
             gint64      y,
             gint64      n)
{
  const Tiling *tiling = tile->tiling;
  const gsize   pixel  = tiling->pixel;
  const gint64  room   = line_bytes (tiling);

  for (gint64 i = 0; i < n; i++)
    {
      char     *row    = tile->rows + i * room;
      char     *target = (char *) wf_image_row (tiling->task->target, y + i) + tile->x0 * pixel;
      WfWindow  window = {
        .n = tile->x1 - tile->x0, .window = 2 * tiling->radius[0] + 1,
        .row = row, .kept = tile->lines, .next = tile->lines + room,
      };

      wf_element_fill (tiling->task, row, tile->left);
      wf_element_fill (tiling->task, row + (tile->left + tile->end - tile->start) * pixel,
                       tile->right);
      while (make_piece (tile, &window, y + i, target))
        ;
    }
}

static void
do_few_lines (const Tile *tile,
              gint64      n)
{
  const Tiling  *tiling = tile->tiling;
  const WfImage *image  = tiling->task->image;
  WfFewLines     lines  = {
    .source = (const char *) image->data + tile->start * tiling->pixel,
    .source_step = image->row_stride, .n_source = image->height, .radius = tiling->radius[1],
    .target = tile->rows + tile->left * tiling->pixel, .target_step = tiling->stride,
    .width  = tile->end - tile->start,
  };

  for (gint64 t = 0; t < n; t += WF_BLOCK_LINES)
    {
      lines.first    = tiling->task->first + tile->y + t;
      lines.n_target = MIN (WF_BLOCK_LINES, n - t);
      wf_element_note_nan (tiling->task, tiling->steps->few (&lines));
      slide_along (tile, tile->y + t, lines.n_target);
    }
}

/* What the blocks of a tile share: @groups is a ring.  @joined: scratch for lines */
typedef struct
{
  WfLineBlock    lines;
  char          *groups;
  gconstpointer *joined;
} Blocks;

static gconstpointer
line_of (const Tiling      *tiling,
         const WfLineBlock *block,
         gint64             line)
{
  return wf_line_within (block->source, line, block->n_source,
                         block->source_step * (gint64) tiling->pixel);
}

/* Where the group is whose first line is the last one of the first window of this block.  There
 * are n_groups before the first block.
 */
static char *
group_of (const Tiling *tiling,
          const Blocks *blocks,
          gint64        number)
{
  const gint64 n = tiling->n_groups;

  return blocks->groups + (number + n) % n * line_bytes (tiling);
}

static void
join_lines (const Tiling *tiling,
            const Blocks *blocks,
            gint64        n,
            gpointer      target)
{
  tiling->steps->gather (&(WfGather) {
    .rows = blocks->joined, .n_rows = n, .n = blocks->lines.width, .target = target,
  });
}

/* @first: the line where the first window of the tile begins */
static void
make_group (const Tiling *tiling,
            const Blocks *blocks,
            gint64        first,
            gint64        number)
{
  const gint64 begin = first + window_lines (tiling) - 1 + number * tiling->block;

  for (gint64 i = 0; i < tiling->block; i++)
    blocks->joined[i] = line_of (tiling, &blocks->lines, begin + i);
  join_lines (tiling, blocks, tiling->block, group_of (tiling, blocks, number));
}

/* Prepares block @number: what lies between it and the end of its first window, and where the
 * group is made that its windows reach.  That takes the place of one that no window needs then.
 */
static void
begin_block (const Tiling *tiling,
             Blocks       *blocks,
             gint64        number,
             gpointer      middle)
{
  WfLineBlock *block = &blocks->lines;
  const gint64 rest  = (window_lines (tiling) - 1) % tiling->block;
  gint64       n     = 0;

  if (tiling->n_groups == 0)
    return;
  for (; n < tiling->n_groups; n++)
    blocks->joined[n] = group_of (tiling, blocks, n);
  for (gint64 i = 0; i < rest; i++)
    blocks->joined[n++] = line_of (tiling, block, block->first + tiling->block + i);
  join_lines (tiling, blocks, n, middle);
  block->middle  = middle;
  block->reached = group_of (tiling, blocks, number);
}

static void
do_blocks (const Tile *tile,
           gint64      n)
{
  const Tiling  *tiling = tile->tiling;
  const WfImage *image  = tiling->task->image;
  const gint64   room   = line_bytes (tiling);
  const gint64   first  = tiling->task->first + tile->y - tiling->radius[1];
  char          *kept   = tile->lines + MORE_ROWS * room;
  char          *line   = tile->lines + (MORE_ROWS - 1) * room;
  Blocks         blocks = {
    .lines  = {
      .source  = (const char *) image->data + tile->start * tiling->pixel,
      .source_step = image->row_stride, .n_source = image->height, .block = tiling->block,
      .window  = window_lines (tiling), .width = tile->end - tile->start,
      .reached = line,
      .kept    = kept, .kept_step = tiling->stride,
    },
    .groups = kept + tiling->block * room,
    .joined = (gconstpointer *) (kept + kept_lines (tiling) * room),
  };
  WfLineBlock   *block  = &blocks.lines;

  if (tile->y == 0)
    watch_first (tile);
  for (gint64 k = -tiling->n_groups; k < 0; k++)
    make_group (tiling, &blocks, first, k);
  for (gint64 k = 0, from = 0; from < n; k++, from += tiling->block)
    {
      block->first = first + from;
      block->n     = MIN (tiling->block, n - from);
      begin_block (tiling, &blocks, k, line);
      tiling->steps->ends (block);
      for (gint64 t = 0; t < block->n; t += WF_BLOCK_LINES)
        {
          const gint64 here = MIN (WF_BLOCK_LINES, block->n - t);

          wf_element_note_nan (tiling->task,
                               tiling->steps->reach (block, t, here,
                                                     tile->rows + tile->left * tiling->pixel,
                                                     tiling->stride));
          slide_along (tile, tile->y + from + t, here);
        }
    }
}

static gboolean
do_tile (gpointer data,
         WfRow    part)
{
  const Tiling *tiling = data;
  const Tile    tile   = tile_of (tiling, part);
  const gint64  n      = MIN (tiling->band, tiling->height - tile.y);

  if (has_few_lines (tiling))
    do_few_lines (&tile, n);
  else
    do_blocks (&tile, n);
  if (tiling->streamed)
    wf_stream_finish ();
  return TRUE;
}

/* Makes tiles less high until there are some for each thread. */
static void
share_out (Tiling *tiling,
           gint64  n_threads)
{
  const gint64 unit = has_few_lines (tiling) ? WF_BLOCK_LINES : tiling->block;
  const gint64 most = (PARTS_OF_THREAD * n_threads + tiling->n_strips - 1) / tiling->n_strips;
  const gint64 band = MAX ((tiling->height + most - 1) / most, window_lines (tiling));

  if (n_threads == 1 || tiling->band <= band)
    return;
  tiling->band    = MIN ((band + unit - 1) / unit * unit, tiling->height);
  tiling->n_bands = (tiling->height + tiling->band - 1) / tiling->band;
}

/* Whether tiles of the radius take little memory.  A row with windows of its own is no image of
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
  return scratch_size (&tiling) <= MOST;
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
  share_out (&tiling, run->n_threads);
  parts = (WfRows) {
    .n            = tiling.n_strips * tiling.n_bands,
    .chunk        = 1,
    .amount       = tiling.strip * tiling.band,
    .scratch_size = scratch_size (&tiling),
  };
  wf_run_begin (run, share, parts.n * parts.amount);
  return wf_run_rows (run, &parts, do_tile, &tiling, error);
}

/* Bytes of a line of a strip of @width pixels, and of what is added to have whole cache lines. */
static gint64
most_line_bytes (const Tiling *tiling,
                 gint64        width)
{
  width = MIN (width + WF_LINE, tiling->task->image->width);
  return find_stride (tiling, width) * (gint64) tiling->pixel;
}

/* Bytes for each thread, at most.  Strips of equal width are narrower in some wider images; this
 * counts no less for these.
 */
guint64
wf_cpu_square_tiles_memory (const WfElementTask *task,
                            gint64               radius_x,
                            gint64               radius_y)
{
  Tiling tiling;
  gint64 wide, narrow;

  tiling_init (&tiling, task, radius_x, radius_y);
  wide   = most_line_bytes (&tiling, find_strip (&tiling, WIDEST_STRIP));
  narrow = most_line_bytes (&tiling, find_strip (&tiling, NARROW_STRIP));
  return joined_lines (&tiling) * sizeof (gpointer)
         + MIN (kept_lines (&tiling) * wide, MAX (PREFERRED, kept_lines (&tiling) * narrow))
         + (WF_BLOCK_LINES + MORE_ROWS) * wide;
}
