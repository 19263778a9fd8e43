/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner loops over rows of the morphological operations: the interface of the functions
 * compiled for each instruction set.  They slide windows over lines and along a row, gather
 * discs, and find the pixels that no neighbour exceeds.
 *
 * Each exists for the three types of pixel and for both directions.  The extreme is the
 * least value for an erosion and the greatest for a dilation; pixels outside the image are
 * ignored.
 */

#pragma once

#include "engine/core/image.h"
#include "engine/cpu/simd.h"

/* Pixels by whole numbers of which rows are divided. */
#define WF_LINE 64

/* The states of a pixel in the search for regional extrema. */
#define WF_EXTREMUM_NO      0
#define WF_EXTREMUM_PLATEAU 1     /* no neighbour exceeds it, but some equal it */
#define WF_EXTREMUM_YES     255

/* Line @number of @n, @step bytes from one to the next.  Instead of those beyond them the first and
 * the last one are taken: a window that reaches beyond them holds these as well.
 */
static inline gconstpointer
wf_line_within (gconstpointer lines,
                gint64        number,
                gint64        n,
                gint64        step)
{
  return (const char *) lines + CLAMP (number, 0, n - 1) * step;
}

/**
 * WfSlide:
 * @source: the first line
 * @source_step: pixels from one line to the next
 * @n_source: lines
 * @window: lines in the window
 * @offset: the window of target line i begins at source line i − @offset; lines
 *   outside the source are ignored
 * @target: the first line; may be @source if @offset is at least 0: a line of the source is
 *   overwritten when no window needs it any more
 * @target_step: pixels from one line to the next
 * @n_target: lines
 * @width: pixels in a line
 * @kept, @next: scratch: MIN (@window, @n_target) lines of @width pixels each
 * @reached: scratch: a line
 *
 * The extreme of each window of lines, for each pixel.
 */
typedef struct
{
  gconstpointer source;
  gint64        source_step;
  gint64        n_source;
  gint64        window;
  gint64        offset;
  gpointer      target;
  gint64        target_step;
  gint64        n_target;
  gint64        width;
  gpointer      kept;
  gpointer      next;
  gpointer      reached;
} WfSlide;

/* Results of a block of windows that are made at once. */
#define WF_BLOCK_LINES 4

/**
 * WfLineBlock:
 * @source: lines as in #WfSlide
 * @first: the line of the source where the first window begins; beyond the source its first and
 *   last line are repeated
 * @block: lines of the block where all windows begin
 * @window: lines in the window, at least @block
 * @n: windows, at most @block
 * @kept: scratch: @n lines, @kept_step pixels from one to the next
 * @middle: (nullable): a line: the extremes of those after the block and before the last one of
 *   the first window
 * @reached: scratch: a line; when @block windows are made, the extremes of as many lines, from the
 *   last one of the first window on
 *
 * Consecutive windows of lines.
 */
typedef struct
{
  gconstpointer source;
  gint64        source_step;
  gint64        n_source;
  gint64        first;
  gint64        block;
  gint64        window;
  gint64        n;
  gint64        width;
  gpointer      kept;
  gint64        kept_step;
  gconstpointer middle;
  gpointer      reached;
} WfLineBlock;

/* Bytes of a piece of a row that is made at once, at least. */
#define WF_PIECE 4096

/**
 * WfWindow:
 * @n: pixels of the result
 * @window: pixels of the window
 * @from, @to: those of the result that were made last; first 0
 * @row: @n + @window − 1 pixels, and room for three more lines
 * @target: result: its first pixel is number @to, as it is before the call: the extreme of
 *   @window pixels of the row, from that number on; not in the scratch or @row
 * @kept, @next: scratch of the size of @row
 */
typedef struct
{
  gint64        n;
  gint64        window;
  gint64        from;
  gint64        to;
  gconstpointer row;
  gpointer      target;
  gpointer      kept;
  gpointer      next;
} WfWindow;

/* The lines of a window that is not slid. */
#define WF_FEW_LINES 7

/**
 * WfFewLines:
 * @source: lines as in #WfSlide
 * @radius: of the window, at most WF_FEW_LINES / 2
 * @target: result: line i is the extreme of the source's lines from @first + i − @radius to
 *   @first + i + @radius, as far as there are some; not the source
 *
 * A window of a few lines, of which two at a time share all comparisons but one.
 */
typedef struct
{
  gconstpointer source;
  gint64        source_step;
  gint64        n_source;
  gint64        first;
  gint64        radius;
  gpointer      target;
  gint64        target_step;
  gint64        n_target;
  gint64        width;
} WfFewLines;

/**
 * WfSquareRows:
 * @lines: of the windows: the first three of the first row, the last three of the second one
 * @n: pixels of a row
 * @has_left: whether lines have a pixel before the first one
 * @has_right: likewise after the last one
 * @targets: result: two rows, which may be the same one if the second does not count; not in the
 *   lines
 *
 * Windows of 3 × 3 pixels, or the discs in them.  Beyond the first and the last line of an image
 * that line is repeated.
 */
typedef struct
{
  gconstpointer lines[4];
  gint64        n;
  gboolean      has_left;
  gboolean      has_right;
  gpointer      targets[2];
} WfSquareRows;

/**
 * WfGather:
 * @rows: pixels to be compared, at least one
 * @n_rows: how many
 * @n: pixels of each
 * @target: result: their extremes, for each pixel, f32 zeros +0; not in the rows
 */
typedef struct
{
  gconstpointer *rows;
  gint64         n_rows;
  gint64         n;
  gpointer       target;
} WfGather;

/**
 * WfDisc:
 * @image: the image to erode or dilate
 * @y, @z: the row
 * @x0, @x1: its part
 * @radius: of the disc, or in a stack of the ball
 * @reach: scratch: MIN (@radius, depth − 1) + 1 numbers
 * @row, @other: scratch: @x1 − @x0 and twice MIN (@radius, width − 1) pixels, and
 *   three more lines
 * @kept, @next: scratch of the same size
 * @target: result: pixel @x0 and the following ones
 */
typedef struct
{
  const WfImage *image;
  gint64         y;
  gint64         z;
  gint64         x0;
  gint64         x1;
  gint64         radius;
  gint64        *reach;
  gpointer       row;
  gpointer       other;
  gpointer       kept;
  gpointer       next;
  gpointer       target;
} WfDisc;

/* Rows that touch a row, in the image and in the slices beside it. */
#define WF_MAX_BESIDE 8

/**
 * WfExtremumRow:
 * @n: pixels
 * @here: the row
 * @beside: rows that touch it
 * @n_beside: how many
 * @diagonal: whether a pixel touches three pixels of each of them, not one
 * @state: result: WF_EXTREMUM_NO, _PLATEAU or _YES for each pixel
 */
typedef struct
{
  gint64         n;
  gconstpointer  here;
  gconstpointer  beside[WF_MAX_BESIDE];
  int            n_beside;
  gboolean       diagonal;
  guint8        *state;
} WfExtremumRow;

/**
 * WfSpreadRow:
 * @n: pixels
 * @here: the row
 * @state: of its pixels, to be changed
 * @beside: rows that touch it
 * @states_beside: of their pixels
 * @n_beside: how many
 * @diagonal: whether a pixel touches three pixels of each of them, not one
 *
 * Plateau pixels become WF_EXTREMUM_NO where they touch an equal pixel of that state in the
 * rows beside, then where they touch one in their own row.  The first and the last pixel of
 * the row do not change.
 */
typedef struct
{
  gint64         n;
  gconstpointer  here;
  guint8        *state;
  gconstpointer  beside[WF_MAX_BESIDE];
  const guint8  *states_beside[WF_MAX_BESIDE];
  int            n_beside;
  gboolean       diagonal;
} WfSpreadRow;

/* @ends: keeps the lines of a block that @reach needs
 * @reach: makes @n windows of a block, at most WF_BLOCK_LINES, from window @first on; called for
 *   one after the other, from 0; returns whether the last line of some of them holds NaN
 * @few: returns whether the line in the middle of some window holds NaN; perhaps that of one more
 * @square: likewise; f32 zeros of the result are +0
 * @small_disc: the same of discs of 5 pixels
 * @window: makes the next results, and sets @from and @to; returns whether some are left; f32 zeros
 *   of the result are +0
 * @disc: likewise
 * @join: makes each pixel of a line the extreme of itself and of another line's pixel
 * @watch: returns whether a row holds NaN
 * @finish: makes f32 zeros of a row +0
 * @differ: sets the pixels of a row to how far they are from those of another one, +0 where they
 *   are equal
 *
 * Integers are never NaN.
 */
typedef struct
{
  void     (* slide)    (const WfSlide *slide);
  void     (* ends)     (const WfLineBlock *block);
  gboolean (* reach)    (const WfLineBlock *block, gint64 first, gint64 n, gpointer target,
                         gint64 target_step);
  gboolean (* few)      (const WfFewLines *lines);
  gboolean (* square)   (const WfSquareRows *rows);
  gboolean (* small_disc)
                        (const WfSquareRows *rows);
  gboolean (* window)   (WfWindow *window);
  void     (* gather)   (const WfGather *gather);
  void     (* join)     (gpointer line, gconstpointer other, gint64 n);
  void     (* disc)     (const WfDisc *disc);
  gboolean (* watch)    (gconstpointer row, gint64 n);
  void     (* finish)   (gpointer row, gint64 n);
  void     (* differ)   (gpointer row, gconstpointer other, gint64 n);
  void     (* extremum) (const WfExtremumRow *row);
  void     (* spread)   (const WfSpreadRow *row);
} WfRowSteps;

/* By direction: [0] for erosion and minima, [1] for dilation and maxima. */
typedef struct
{
  WfRowSteps of_u8[2];
  WfRowSteps of_u16[2];
  WfRowSteps of_f32[2];
} WfRowTable;

WF_SIMD_DECLARE (WfRowTable, wf_rows);

const WfRowSteps * wf_row_steps (WfType   type,
                                 gboolean greatest);
