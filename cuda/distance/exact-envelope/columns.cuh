/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first pass, along lines that cross the rows: see envelope.cu.
 *
 * Its input is background or foreground, so a position's value is the step to the nearest
 * background of its line.  The lines are columns of an image; of a stack, each slice counts as
 * a row.  The image is packed to one bit a pixel, and for each band of 32 rows the distances to
 * the nearest background above and below are computed, as in
 * cuda/distance/exact-local/local.cu.  From these and its column's word a pixel needs a few
 * instructions.  In a band of a larger image the nearest background above and below may be beyond
 * it.
 *
 * Bytes a pixel: the image's own and 1/8 written in packing; 2/8 and 1/8 in carrying; 1/4
 * read and a value written here, with positions 4 more.
 */

#pragma once

#include "envelope.cuh"

namespace distance_envelope
{

#define COLUMN_THREADS 256

/**
 * Steps:
 * @above, @below: of each band and column, see wf_cuda_distance_carry()
 * @pitch: values of a row of the field
 * @least: for each row of the field the least value of each group; or %NULL
 * @from: for each pixel of the image the position that its value comes from; or %NULL
 * @ends: what is beyond a band
 */
template <typename V>
struct Steps
{
  const guint16 *above;
  const guint16 *below;
  gint64         pitch;
  double         spacing;
  V             *field;
  V             *least;
  gint32        *from;
  WfColumnEnds   ends;
};

/* A block has a band of 256 columns, a thread one of them.  @ENDS: what is beyond the image is in
 * the steps' ends
 */
template <typename V, Rule RULE, bool ENDS>
__global__ void
__launch_bounds__ (COLUMN_THREADS)
step_columns (WfColumns  columns,
              Steps<V>   steps,
              int       *absent)
{
  const int     column = blockIdx.x * COLUMN_THREADS + threadIdx.x;
  const int     top    = blockIdx.y * WF_BAND;
  const bool    inside = column < columns.width;
  const int     n      = min (WF_BAND, columns.height - top);
  const gint64  at     = blockIdx.y * columns.pitch + column + WF_REACH;
  const guint32 word   = inside ? *wf_column_word (columns, blockIdx.y, column) : 0;
  const int     none   = ENDS ? G_MAXINT : WF_NO_ROW;
  int           above  = inside ? steps.above[at] : WF_NO_ROW;
  int           below  = inside ? steps.below[at] : WF_NO_ROW;

  if (ENDS && above == WF_NO_ROW)
    above = inside ? wf_rows_before (steps.ends, column, top) : none;
  if (ENDS && below == WF_NO_ROW)
    below = inside ? wf_rows_after (steps.ends, column, top + 31) : none;

  if (__syncthreads_or (word) && threadIdx.x == 0)
    *absent = 0;

#pragma unroll 4
  for (int row = 0; row < n; row++)
    {
      const guint32 before = word << (31 - row);
      const guint32 after  = word >> row;
      const int     up     = before ? __clz (before)
                             : above == none ? G_MAXINT : above + row;
      const int     down   = after ? __ffs (after) - 1
                             : below == none ? G_MAXINT : below + 31 - row;
      const int     rows   = min (up, down);
      const bool    far    = rows == G_MAXINT;
      const gint64  y      = top + row;
      V             value  = far ? Limits<V>::far () : step_value<V, RULE> (rows, steps.spacing);

      if (column < steps.pitch)
        steps.field[y * steps.pitch + column] = value;
      if (inside && steps.from)
        steps.from[y * columns.width + column] = far ? -1
                                                 : (gint32) (up <= down ? y - up : y + down);
      if (steps.least)
        {
          value = wf_warp_min (value);
          if (wf_lane () == 0 && column < steps.pitch)
            steps.least[(y * steps.pitch + column) / GROUP] = value;
        }
    }
}

}
