/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pass along y in a stack whose columns are not long: see distance-envelope.cu.
 *
 * The field stays as it is, its rows in order, so that nothing need be transposed.  A warp
 * has four rows of 32 columns, a lane four positions of a column; they are searched
 * outwards as near positions are in distance-envelope-search.cuh, but to the end.  A
 * warp reads whole pieces of rows.
 *
 * Bytes a pixel: a value read, again from the cache for each four steps; a value and 1/32
 * written, with positions 4 more.
 */

#pragma once

#include "distance-envelope-search.cuh"

#define ACROSS_THREADS 128
#define ACROSS_WARPS (ACROSS_THREADS / 32)

/* In longer columns a search to the end may take too long. */
#define MOST_ACROSS 512

/* Four positions of a column, rows of which are @step apart; none is outside. */
template <typename V>
struct ColumnReader
{
  const V *column;
  gint64   step;
  int      length;
  bool     inside;

  __device__ __forceinline__ Four<V>
  read (int position) const
  {
    Four<V> four;

#pragma unroll
    for (int i = 0; i < 4; i++)
      four.values[i] = inside && position + i >= 0 && position + i < length
                       ? column[(position + i) * step] : Limits<V>::far ();
    return four;
  }
};

/**
 * Across:
 * @lines: the columns
 * @width: values of a row of the field
 * @field, @least: what the pass along x starts from, in rows of @pitch values
 * @from: for each pixel of the image; or %NULL
 */
template <typename V>
struct Across
{
  Lines    lines;
  gint64   width;
  gint64   depth;
  const V *values;
  gint64   pitch;
  V       *field;
  V       *least;
  gint32  *from;
};

/* Pieces of 32 columns by four rows, from number @first up to @end, a warp each. */
template <typename V, Rule RULE, bool FROM>
__global__ void
__launch_bounds__ (ACROSS_THREADS)
pass_across (Across<V> across,
             gint64    first,
             gint64    end)
{
  const int     lane   = threadIdx.x % 32;
  const gint64  number = first + (gint64) blockIdx.x * ACROSS_WARPS + threadIdx.x / 32;
  const guint32 groups = (guint32) (across.pitch / GROUP);
  const guint32 fours  = (guint32) (across.lines.length + 3) / 4;
  const gint64  piece  = number / groups;
  const gint64  x      = (number - piece * groups) * GROUP + lane;
  const gint64  z      = piece / fours;
  const int     y      = (int) (piece - z * fours) * 4;
  const gint64  slice  = z * across.lines.length;
  const bool    inside = x < across.width;
  Found<V>      found[4];

  if (number >= end)
    return;

  search_near<V, RULE, FROM> (across.lines,
                              ColumnReader<V> { across.values + slice * across.width + x,
                                                across.width, across.lines.length, inside },
                              y, inside, across.lines.length, found);
#pragma unroll
  for (int i = 0; i < 4; i++)
    if (y + i < across.lines.length)
      {
        const gint64 row   = slice + y + i;
        const V      value = inside ? min (found[i].value, Limits<V>::far ()) : Limits<V>::far ();
        const V      least = warp_reduce_min (value);

        across.field[row * across.pitch + x] = value;
        if (lane == 0)
          across.least[(row * across.pitch + x) / GROUP] = least;
        if (FROM && inside)
          across.from[row * across.width + x] = value == Limits<V>::far () ? -1 : found[i].from;
      }
}
