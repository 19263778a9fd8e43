/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner loops of the median: the interface of the functions compiled for each instruction
 * set.
 */

#pragma once

#include "engine/cpu/simd.h"
#include "wavefront.h"

/* A histogram of 256 bins: how many are in each 16 bins, then in each bin. */
#define WF_MEDIAN_GROUPS  16
#define WF_MEDIAN_COUNTS  (WF_MEDIAN_GROUPS + 256)

/* The widest row of windows of 3 or 5 pixels. */
#define WF_MEDIAN_SMALL 2

/**
 * WfMedianRow:
 * @rows: 3 or 5 rows of @n and 2 or 4 pixels more
 * @n: pixels of the result
 * @target: result: pixel x is the median of the 3² or 5² pixels of the rows from x on
 */
typedef struct
{
  gconstpointer rows[2 * WF_MEDIAN_SMALL + 1];
  gint64        n;
  gpointer      target;
} WfMedianRow;

/**
 * WfMedianBins:
 * @bins: a number below 256 for each pixel, packed
 * @size: of @bins along x, y and z
 * @radius: of the window, along x, y and z
 * @columns: scratch: WF_MEDIAN_COUNTS for each x, kept from row to row
 * @bin: result: the bin of the median for each window of a row
 * @rank: result: how many of that bin come before the median
 *
 * Windows of bins.
 */
typedef struct
{
  const guint8 *bins;
  gint64        size[3];
  gint64        radius[3];
  guint16      *columns;
  guint8       *bin;
  guint16      *rank;
} WfMedianBins;

/* Places after the end of a list, which are in no window. */
#define WF_MEDIAN_AT_ONCE 16

/**
 * WfMedianList:
 * @at: x, y and z of each place, in order, and of WF_MEDIAN_AT_ONCE further ones
 * @start: the least x, y and z in a window
 * @length: how much greater they are in the window at most
 */
typedef struct
{
  const guint16 *at[3];
  guint16        start[3];
  guint16        length[3];
} WfMedianList;

/**
 * WfMedianSteps:
 * @small: by type (u8, u16, f32) and radius less 1: a row of small windows
 * @row: the windows that begin in row @y of slice @z.  Rows of a slice come in order, from 0.
 * @find_in_image: the number of the place of @list in the window before which there are @rank in
 *   it; z does not count
 * @find_in_stack: the same, with z
 */
typedef struct
{
  void   (* small[3][WF_MEDIAN_SMALL]) (const WfMedianRow  *row);
  void   (* row)           (const WfMedianBins *bins, gint64 y, gint64 z);
  gint64 (* find_in_image) (const WfMedianList *list, gint64 rank);
  gint64 (* find_in_stack) (const WfMedianList *list, gint64 rank);
} WfMedianSteps;

WF_SIMD_DECLARE (WfMedianSteps, wf_median);

const WfMedianSteps * wf_median_steps (void);
