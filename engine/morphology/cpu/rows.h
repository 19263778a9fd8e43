/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over rows of pixels that the derived operations spend their time in,
 * compiled for each instruction set: windows that slide over lines and along a row,
 * discs, and the pixels that no neighbour exceeds.
 *
 * Each exists for the three types of pixel and for both directions.  Where a comment
 * says the extreme, it is the least value for an erosion and the greatest for a
 * dilation; what lies outside the image has no part in it.
 */

#pragma once

#include "engine/core/image.h"
#include "engine/cpu/simd.h"

/* Pixels that are one line to wf_slide() when a window along a row is wide. */
#define WF_LINE 64

/* What is known of a pixel that may be a regional extremum. */
#define WF_EXTREMUM_NO      0
#define WF_EXTREMUM_PLATEAU 1     /* no neighbour exceeds it, but some equal it */
#define WF_EXTREMUM_YES     255

/**
 * WfSlide:
 * @source: the first line
 * @source_step: pixels from one line to the next
 * @n_source: lines
 * @window: lines in the window
 * @offset: the window of target line i begins at source line i − @offset; lines
 *   outside the source are left out
 * @target: the first line; a line may be written over the source's line of the
 *   same number once the windows need it no more, if @offset is at least 0
 * @target_step: pixels from one line to the next
 * @n_target: lines
 * @width: pixels in a line
 * @kept, @next: scratch: MIN (@window, @n_target) lines of @width pixels each
 * @reached: scratch: a line
 *
 * The extreme of each window of lines, pixel by pixel.
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

/**
 * WfWindow:
 * @n: pixels of the result
 * @window: pixels of the window
 * @row: @n + @window − 1 pixels, and room for three lines more; is overwritten
 * @other: scratch of the same size
 * @target: result: pixel x is the extreme of the row's pixels from x to
 *   x + @window − 1; not in @row or @other
 * @kept, @next: scratch: @n pixels and a line more, where @window is longer than two
 *   lines
 * @reached: scratch: a line
 */
typedef struct
{
  gint64   n;
  gint64   window;
  gpointer row;
  gpointer other;
  gpointer target;
  gpointer kept;
  gpointer next;
  gpointer reached;
} WfWindow;

/**
 * WfDisc:
 * @image: what is eroded or dilated
 * @y, @z: the row
 * @x0, @x1: the part of it
 * @radius: of the disc, or in a stack of the ball
 * @reach: scratch: MIN (@radius, depth − 1) + 1 numbers
 * @row, @other: scratch: @x1 − @x0 and twice MIN (@radius, width − 1) pixels, and
 *   three lines more
 * @kept, @next: scratch as long
 * @reached: scratch: a line
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
  gpointer       reached;
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
 * Plateau pixels become WF_EXTREMUM_NO where they touch an equal one that is, in the
 * rows beside; then those that touch one in their own row.  The first and the last
 * pixel of the row are left as they are.
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

typedef struct
{
  void (* slide)    (const WfSlide *slide);
  void (* window)   (const WfWindow *window);
  void (* disc)     (const WfDisc *disc);
  void (* extremum) (const WfExtremumRow *row);
  void (* spread)   (const WfSpreadRow *row);
} WfRowSteps;

/* By direction: [0] the least, of erosion and minima, [1] the greatest, of dilation
 * and maxima.
 */
typedef struct
{
  WfRowSteps of_u8[2];
  WfRowSteps of_u16[2];
  WfRowSteps of_f32[2];
} WfRowTable;

WF_SIMD_DECLARE (WfRowTable, wf_rows);

const WfRowSteps * wf_row_steps (WfType   type,
                                 gboolean greatest);
