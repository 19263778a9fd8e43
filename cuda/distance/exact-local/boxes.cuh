/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Boxes of pixels in a band, and the test whether a column can hold the nearest background of any
 * pixel in a box: see far.cu.
 */

#pragma once

#include "local.cuh"

namespace distance_local
{

/* A column that has background in some band.  @word: its bits in this band; @above, @below: rows
 * from the band's first row up, and from its last row down, to the nearest background outside the
 * band, or %WF_NO_ROW.
 */
typedef struct
{
  int     x;
  guint32 word;
  int     above;
  int     below;
} Column;

__device__ __forceinline__ Column
unpack_column (uint2          entry,
               const guint32 *words)
{
  const int x = (int) (entry.x & 0xffff) - 1;

  return { x, entry.x >> 16 ? words[x] : 0, (int) (entry.y & 0xffff), (int) (entry.y >> 16) };
}

__device__ __forceinline__ Column
column_of_four (uint4 four)
{
  return { (int) four.x, four.y, (int) four.z, (int) four.w };
}

/* Returns the offset from row @row of the band to the column's nearest background: negative
 * upwards, which is preferred if both directions are equally far.
 */
__device__ __forceinline__ int
rows_to_site (const Column &column,
              int           row)
{
  const guint32 before = column.word << (31 - row);
  const guint32 after  = column.word >> row;
  const int     up     = before ? __clz (before)
                         : column.above == WF_NO_ROW ? G_MAXINT : column.above + row;
  const int     down   = after ? __ffs (after) - 1
                         : column.below == WF_NO_ROW ? G_MAXINT : column.below + 31 - row;

  return up <= down ? -up : down;
}

/* For the corners of a box, (left, top), (right, top), (left, bottom) and (right, bottom): the
 * nearest site and its squared distance.  A site is x + 1 in the upper half and y + 1 in the lower.
 */
typedef struct
{
  guint32 least[4];
  guint32 site[4];
} Corners;

/* @square: squared distances of the four sites to the four corners; @reach: an upper bound for the
 *   squared distance of any pixel of the box to its nearest background.
 */
typedef struct
{
  guint32 square[4][4];
  guint32 reach;
} Rivals;

__device__ __forceinline__ void
corners_init (Corners &corners)
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      corners.least[i] = G_MAXUINT32;
      corners.site[i]  = 0;
    }
}

__device__ __forceinline__ void
corners_add (Corners      &corners,
             const Column &column,
             int           left,
             int           right,
             int           top)
{
  const int     rows[2]    = { rows_to_site (column, 0), rows_to_site (column, 31) };
  const int     across[2]  = { column.x - left, column.x - right };

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      const int     row    = rows[i / 2];
      const guint32 square = (guint32) (row * row) + (guint32) (across[i % 2] * across[i % 2]);

      if (square < corners.least[i])
        {
          corners.least[i] = square;
          corners.site[i]  = (guint32) (column.x + 1) << 16
                             | (guint32) (top + (i / 2) * 31 + row + 1);
        }
    }
}

/* @sites are the four that Corners holds for the box.  Called by a whole warp. */
__device__ __forceinline__ void
find_rivals (Rivals        *rivals,
             const guint32 *sites,
             int            left,
             int            right,
             int            top,
             int            lane)
{
  const guint32 site = sites[lane / 4 % 4];
  const int     x    = (int) (site >> 16) - 1 - (lane % 2 ? right : left);
  const int     y    = (int) (site & 0xffff) - 1 - (top + lane / 2 % 2 * 31);
  const guint32 square = (guint32) (x * x) + (guint32) (y * y);
  guint32       reach  = square;

  reach = max (reach, __shfl_xor_sync (WF_ALL_LANES, reach, 1));
  reach = max (reach, __shfl_xor_sync (WF_ALL_LANES, reach, 2));
  reach = min (reach, __shfl_xor_sync (WF_ALL_LANES, reach, 4));
  reach = min (reach, __shfl_xor_sync (WF_ALL_LANES, reach, 8));
  if (lane < 16)
    rivals->square[lane / 4][lane % 4] = square;
  if (lane == 0)
    rivals->reach = reach;
}

/* Returns whether one of the rivals is at least as near to all corners as something with these
 * squared distances along x (@left, @right) and y (@top, @bottom), and nearer to one of them, so
 * that no site rules out itself.  With @TIES the rival must be nearer to all corners.
 */
template <bool TIES>
__device__ __forceinline__ bool
is_beaten (const Rivals &rivals,
           guint32       left,
           guint32       right,
           guint32       top,
           guint32       bottom)
{
  const guint32 squares[4] = { left + top, right + top, left + bottom, right + bottom };
  bool          beaten     = false;

#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      bool nowhere_worse = true;
      bool equal         = true;

#pragma unroll
      for (int i = 0; i < 4; i++)
        {
          nowhere_worse &= TIES ? rivals.square[k][i] < squares[i]
                                : rivals.square[k][i] <= squares[i];
          equal         &= rivals.square[k][i] == squares[i];
        }
      beaten |= nowhere_worse & ! equal;
    }
  return beaten;
}

/* Returns whether the column can hold the nearest background of any pixel of the box. */
template <bool TIES>
__device__ __forceinline__ bool
can_win (const Rivals &rivals,
         int           x,
         bool          has_background,
         int           above,
         int           below,
         int           left,
         int           right)
{
  const int     across = max (0, max (left - x, x - right));
  const int     rows   = has_background ? 0 : min (above, below);
  const guint32 from_left  = (guint32) ((x - left) * (x - left));
  const guint32 from_right = (guint32) ((x - right) * (x - right));

  if ((guint32) (across * across) + (guint32) (rows * rows) > rivals.reach)
    return false;
  if (has_background)
    return ! is_beaten<TIES> (rivals, from_left, from_right, 0, 0);
  return (above != WF_NO_ROW &&
          ! is_beaten<TIES> (rivals, from_left, from_right, (guint32) (above * above),
                       (guint32) ((above + 31) * (above + 31)))) ||
         (below != WF_NO_ROW &&
          ! is_beaten<TIES> (rivals, from_left, from_right, (guint32) ((below + 31) * (below + 31)),
                       (guint32) (below * below)));
}

}
