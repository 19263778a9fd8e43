/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact Euclidean distances of 2-D images, mostly by a local search: what the
 * steps compiled for different instruction sets share.
 */

#pragma once

#include "distance.h"
#include "simd.h"

/* Pixels that are searched for together; a step of the search reaches no further. */
#define WF_BLOCK 64

/* How far the search goes before a block is left to the envelope of its row. */
#define WF_REACH 32

/* Squares of column distances are cut off here, so that the square of the reach
 * may be added within 16 bits; what is cut off is not near.
 */
#define WF_FAR_SQUARE (65535 - WF_REACH * WF_REACH)

/* No background in the column; and the tallest image that column distances fit. */
#define WF_NO_COLUMN G_MAXUINT16

/**
 * WfLocalRow:
 * @width: pixels
 * @columns: distance to the nearest background in each pixel's column, or
 *   WF_NO_COLUMN
 * @squares: scratch: @width rounded up to whole blocks, and a block more at both
 *   ends, cut off at WF_FAR_SQUARE; points to the first pixel
 * @least: scratch: the least square of each block
 * @sites, @site_squares, @starts: scratch for the envelope, @width + 2 each
 * @done: scratch: a byte a block
 * @distances: result, or %NULL
 * @squared: result, or %NULL
 */
typedef struct
{
  gint64         width;
  const guint16 *columns;
  gboolean       border_background;
  guint16       *squares;
  guint16       *least;
  gint64        *sites;
  gint64        *site_squares;
  gint64        *starts;
  guint8        *done;
  float         *distances;
  guint64       *squared;
} WfLocalRow;

/**
 * WfLocalSteps:
 * @down: takes a row of column distances from the row above: 0 on the background,
 *   else one more, but not more than WF_NO_COLUMN
 * @up: takes it the other way
 * @row: finishes a row
 */
typedef struct
{
  void (* down) (const guint8 *foreground, const guint16 *above, guint16 *here, gint64 n);
  void (* up)   (const guint16 *below, guint16 *here, gint64 n);
  void (* row)  (const WfLocalRow *row);
} WfLocalSteps;

extern const WfLocalSteps wf_local_plain;
extern const WfLocalSteps wf_local_sse2;
extern const WfLocalSteps wf_local_avx2;
extern const WfLocalSteps wf_local_avx512;
