/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact Euclidean distances of 2-D images (exact-local.c): the interface of the steps
 * compiled for each instruction set.
 */

#pragma once

#include "distance.h"
#include "engine/cpu/simd.h"

/* Pixels of a block, which is searched as a whole.  Rows are padded to whole blocks. */
#define WF_BLOCK 64

/* The steps of the search to either side, and the longest distance that it settles. */
#define WF_REACH   WF_BLOCK
#define WF_SETTLED (WF_REACH + 1)

/* Pixels of a far block that share their candidates. */
#define WF_GROUP 16

#define WF_GROUPS_A_BLOCK (WF_BLOCK / WF_GROUP)

/* No background in the column.  Images must be less tall than this. */
#define WF_NO_COLUMN G_MAXUINT16

/* Squares of column distances are clamped to this: such a pixel is far.  As the first kept
 * square of a block it marks a far block.
 */
#define WF_FAR_SQUARE G_MAXUINT16

/* The site where there is no background at all. */
#define WF_NO_SITE_AT_ALL (-2)

/**
 * WfLocalRow:
 * @width: pixels
 * @columns: distance to the nearest background in each pixel's column, or
 *   WF_NO_COLUMN; padded with it
 * @squares: @columns squared, up to WF_FAR_SQUARE, which also fills the padding and
 *   WF_REACH more on both sides; points to the first pixel
 * @heights, @candidates, @candidate_heights: scratch for far blocks, with room for
 *   WF_GROUP more on both sides, which vectors access
 * @sites: scratch: which of @candidates is nearest to the first pixel of each group,
 *   and after a run of far blocks, to its last pixel; one more than there are groups
 * @kept: result in short form, or %NULL: the squares of near blocks, and the sites from
 *   which far blocks are finished; padded
 * @distances: result, or %NULL
 * @squared: result, or %NULL
 */
typedef struct
{
  gint64         width;
  gboolean       border_background;
  const guint16 *columns;
  guint16       *squares;
  double        *heights;
  double        *candidates;
  double        *candidate_heights;
  gint32        *sites;
  guint16       *kept;
  float         *distances;
  guint64       *squared;
} WfLocalRow;

/**
 * WfLocalSteps:
 * @note: notes for each column the first and the last row of a band with background,
 *   counting from 0; they start as WF_NO_ROW
 * @pass: sets @here to the minimum of itself and @before + @n_rows
 * @up: column distances to background in this row or below
 * @down: takes in the distances to background above, which it updates for the next row,
 *   and squares the result
 * @search: finishes a row, or stores its short form.  Returns whether a block was far
 * @finish: finishes a row from its short form
 *
 * Pixels are foreground above @most.
 */
typedef struct
{
  void     (* note)   (const guint8 *pixels, guint8 most, guint8 row, guint8 *first,
                       guint8 *last, gint64 n);
  void     (* pass)   (const guint16 *before, gint64 n_rows, guint16 *here, gint64 n);
  void     (* up)     (const guint8 *pixels, guint8 most, const guint16 *below, guint16 *here,
                       gint64 n);
  void     (* down)   (const guint8 *pixels, guint8 most, guint16 *above, guint16 *here,
                       guint16 *squares, gint64 n);
  gboolean (* search) (const WfLocalRow *row);
  void     (* finish) (const WfLocalRow *row);
} WfLocalSteps;

#define WF_NO_ROW G_MAXUINT8

WF_SIMD_DECLARE (WfLocalSteps, wf_local);

const WfLocalSteps * wf_local_choose_steps (void);
