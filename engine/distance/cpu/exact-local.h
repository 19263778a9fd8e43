/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact Euclidean distances of 2-D images: what the steps compiled for different
 * instruction sets share.
 */

#pragma once

#include "distance.h"
#include "engine/cpu/simd.h"

/* Pixels that are searched for together.  Rows are padded to whole blocks. */
#define WF_BLOCK 64

/* How many steps to either side the search goes, and the longest distance that is
 * settled by it.
 */
#define WF_REACH   WF_BLOCK
#define WF_SETTLED (WF_REACH + 1)

/* Pixels of a far block that share their candidates. */
#define WF_GROUP 16

#define WF_GROUPS_A_BLOCK (WF_BLOCK / WF_GROUP)

/* No background in the column; and the tallest image that column distances fit. */
#define WF_NO_COLUMN G_MAXUINT16

/* Squares of column distances stop here: what reaches it is not near.  Kept as the
 * first square of a block, it says that the block was far.
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
 * @heights, @candidates, @candidate_heights: scratch for far blocks; they have room for
 *   WF_GROUP more on both sides, which vectors reach
 * @sites: scratch: which of @candidates is nearest to the first pixel of each group,
 *   and after a run of far blocks, to its last pixel; one more than there are groups
 * @kept: result in short, or %NULL: the squares of blocks that are near, and what
 *   far ones are to be finished from; padded
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
 * @note: notes, counting rows from 0, the first and the last row of a band that has
 *   background in each column; they start as WF_NO_ROW
 * @pass: @here becomes the less of itself and of @before, @n_rows further on
 * @up: column distances to what lies in this row or below
 * @down: takes in what lies above, whose distances it keeps for the next row, and
 *   squares
 * @search: finishes a row, or keeps it in short.  Returns whether a block was far
 * @finish: finishes a row that was kept in short
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
