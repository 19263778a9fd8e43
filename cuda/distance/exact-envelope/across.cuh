/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pass along y in a stack whose columns are not long: see envelope.cu.
 *
 * The field keeps its rows in order, so nothing is transposed.  A warp has four rows of 32
 * columns, a lane four positions of a column, which are searched outwards as near positions
 * are in search.cuh.  A warp reads whole pieces of rows.  Where 32 steps are not enough, whole
 * blocks of 32 rows are compared, as groups of a line are there: for each band of slices and
 * block of 32 × 32 columns a bound says how near to the band there is any background.
 *
 * Bytes a pixel: a value read, again from the cache for each four steps; a value and 1/32
 * written, with positions 4 more.  The bounds: 1/4 read, 1/16384 written.
 */

#pragma once

#include "search.cuh"

namespace distance_envelope
{

#define ACROSS_THREADS 128
#define ACROSS_WARPS (ACROSS_THREADS / 32)

/* Columns that are longer are transposed. */
#define MOST_ACROSS 512

/* Rows of a block. */
#define BLOCK_ROWS 32

/**
 * Bounds:
 * @steps: for each band of slices, block of rows and group of columns, the least number of
 *   steps from one of the band's slices to background, or less; %WF_NO_ROW if there is none
 * @n_blocks: blocks of rows
 * @n_groups: groups of columns
 */
typedef struct
{
  guint16 *steps;
  guint32  n_blocks;
  guint32  n_groups;
} Bounds;

/* How many slices from a band of slices the nearest background of a column is, or fewer, given
 * those inside the stack and the ends beyond it.
 */
__device__ __forceinline__ guint32
rows_to_any (const WfColumnEnds &ends,
             int                 column,
             int                 band,
             int                 above,
             int                 below)
{
  int rows;

  if (above == WF_NO_ROW)
    above = wf_rows_before (ends, column, band * WF_BAND);
  if (below == WF_NO_ROW)
    below = wf_rows_after (ends, column, band * WF_BAND + 31);
  rows = min (above, below);
  return rows == G_MAXINT ? WF_NO_ROW : (guint32) min (max (rows, 0), (int) WF_NO_ROW - 1);
}

/* A warp has a block.  @above, @below: see wf_cuda_distance_carry() */
template <bool ENDS>
__global__ void
__launch_bounds__ (ACROSS_THREADS)
bound_blocks (WfColumns      columns,
              WfColumnEnds   ends,
              const guint16 *above,
              const guint16 *below,
              int            width,
              int            height,
              Bounds         bounds)
{
  const int     lane   = wf_lane ();
  const gint64  number = (gint64) blockIdx.x * ACROSS_WARPS + threadIdx.x / 32;
  const gint64  piece  = number / bounds.n_groups;
  const int     x      = (int) (number - piece * bounds.n_groups) * GROUP + lane;
  const int     band   = (int) (piece / bounds.n_blocks);
  const int     top    = (int) (piece - (gint64) band * bounds.n_blocks) * BLOCK_ROWS;
  const int     end    = min (top + BLOCK_ROWS, height);
  guint32       least  = WF_NO_ROW;

  if (band >= columns.n_bands)
    return;

  for (int y = top; y < end && x < width; y++)
    {
      const int    column = y * width + x;
      const gint64 at     = band * columns.pitch + column + WF_REACH;

      if (*wf_column_word (columns, band, column))
        least = 0;
      else if (ENDS)
        least = min (least, rows_to_any (ends, column, band, above[at], below[at]));
      else
        least = min (least, (guint32) min (above[at], below[at]));
    }
  least = wf_warp_min (least);
  if (lane == 0)
    bounds.steps[number] = (guint16) least;
}

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
    const V *values = column + position * step;
    Four<V>  four   = { Limits<V>::far (), Limits<V>::far (), Limits<V>::far (),
                        Limits<V>::far () };

    if (inside && position >= 0)
      {
#pragma unroll
        for (int i = 0; i < 4; i++)
          {
            if (position + i < length)
              four.values[i] = *values;
            values += step;
          }
      }
    return four;
  }
};

/**
 * Across:
 * @lines: the columns
 * @width: values of a row of the field
 * @field, @least: what the pass along x starts from, in rows of @pitch values
 * @from: for each pixel of the image; or %NULL
 * @wanted: for each four rows of a slice whether they are; or %NULL, if all are
 * @spacing: of slices
 */
template <typename V>
struct Across
{
  Lines         lines;
  gint64        width;
  gint64        depth;
  const V      *values;
  gint64        pitch;
  V            *field;
  V            *least;
  gint32       *from;
  const guint8 *wanted;
  Bounds        bounds;
  double        spacing;
};

/* Compares the lane's four positions from @y on with the rows of @block. */
template <typename V, Rule RULE, bool FROM>
__device__ __forceinline__ void
compare_block (const Lines           &lines,
               const ColumnReader<V> &reader,
               int                    block,
               int                    y,
               Found<V>              *found)
{
  const int end    = min ((block + 1) * BLOCK_ROWS, lines.length);
  const V  *values = reader.column + block * BLOCK_ROWS * reader.step;

  if (! reader.inside)
    return;
#pragma unroll 4
  for (int row = block * BLOCK_ROWS; row < end; row++)
    {
      const V value = *values;

#pragma unroll
      for (int i = 0; i < 4; i++)
        compare<V, RULE, FROM> (found[i], value, row, y + i, lines.spacing);
      values += reader.step;
    }
}

/* The worst of the warp's positions. */
template <typename V>
__device__ __forceinline__ V
worst_of (const Found<V> *found,
          int             n,
          bool            inside)
{
  V worst = 0;

#pragma unroll
  for (int i = 0; i < 4; i++)
    if (inside && i < n)
      worst = max (worst, found[i].value);
  return wf_warp_max (worst);
}

/* The least that the values of @block may be; far if all of them are. */
template <typename V, Rule RULE>
__device__ __forceinline__ V
block_bound (const Across<V> &across,
             const guint16   *steps,
             int              block)
{
  guint32 least = WF_NO_ROW;

  if (block >= 0 && block < (int) across.bounds.n_blocks)
    least = steps[block * across.bounds.n_groups];
  return least == WF_NO_ROW ? Limits<V>::far () : step_value<V, RULE> (least, across.spacing);
}

/* Searches on beyond the neighbours of the block that the positions from @y on are in, and
 * again in these.
 */
template <typename V, Rule RULE, bool FROM>
__device__ __forceinline__ void
search_blocks (const Across<V>       &across,
               const ColumnReader<V> &reader,
               const guint16         *steps,
               int                    y,
               Found<V>              *found)
{
  const int own   = y / BLOCK_ROWS;
  const int reach = max (own, (int) across.bounds.n_blocks - 1 - own);
  const int n     = across.lines.length - y;
  V         worst = worst_of (found, n, reader.inside);

  for (int away = 1; away <= reach; away++)
    {
      const int up   = max (y - (own - away) * BLOCK_ROWS - BLOCK_ROWS + 1, 1);
      const int down = max ((own + away) * BLOCK_ROWS - y - 3, 1);

      if (! can_improve<V, FROM> (step_value<V, RULE> (min (up, down), across.lines.spacing),
                                  worst))
        break;
#pragma unroll 1
      for (int side = 0; side < 2; side++)
        {
          const int block = side ? own + away : own - away;
          const V   bound = block_bound<V, RULE> (across, steps, block);

          if (bound < Limits<V>::far () &&
              can_improve<V, FROM> (combine<V, RULE> (step_value<V, RULE> (side ? down : up,
                                                                           across.lines.spacing),
                                                      bound), worst))
            {
              compare_block<V, RULE, FROM> (across.lines, reader, block, y, found);
              worst = worst_of (found, n, reader.inside);
            }
        }
    }
}

/* Pieces of 32 columns by four rows, from number @first up to @end, a warp each. */
template <typename V, Rule RULE, bool FROM>
__global__ void
__launch_bounds__ (ACROSS_THREADS)
pass_across (Across<V> across,
             gint64    first,
             gint64    end)
{
  const int      lane   = wf_lane ();
  const gint64   number = first + (gint64) blockIdx.x * ACROSS_WARPS + threadIdx.x / 32;
  const guint32  groups = (guint32) (across.pitch / GROUP);
  const guint32  fours  = (guint32) (across.lines.length + 3) / 4;
  const gint64   piece  = number / groups;
  const guint32  group  = (guint32) (number - piece * groups);
  const gint64   x      = (gint64) group * GROUP + lane;
  const gint64   z      = piece / fours;
  const int      y      = (int) (piece - z * fours) * 4;
  const gint64   slice  = z * across.lines.length;
  const bool     inside = x < across.width;
  const int      own    = y / BLOCK_ROWS;
  const guint16 *steps  = across.bounds.steps + z / WF_BAND * across.bounds.n_blocks * groups
                          + group;
  bool           near   = false;
  Found<V>       found[4];

  if (number >= end || (across.wanted && ! across.wanted[piece]))
    return;

  const ColumnReader<V> reader = { across.values + slice * across.width + x, across.width,
                                   across.lines.length, inside };

  for (int block = own - 1; block <= own + 1; block++)
    near |= block_bound<V, RULE> (across, steps, block) < Limits<V>::far ();
  if (! __all_sync (WF_ALL_LANES,
                    search_near<V, RULE, FROM> (across.lines, reader, y, inside,
                                                near ? NEAR_STEPS : 0, found)))
    search_blocks<V, RULE, FROM> (across, reader, steps, y, found);
#pragma unroll
  for (int i = 0; i < 4; i++)
    if (y + i < across.lines.length)
      {
        const gint64 row   = slice + y + i;
        const V      value = inside ? min (found[i].value, Limits<V>::far ()) : Limits<V>::far ();
        const V      least = wf_warp_min (value);

        across.field[row * across.pitch + x] = value;
        if (lane == 0)
          across.least[(row * across.pitch + x) / GROUP] = least;
        if (FROM && inside)
          across.from[row * across.width + x] = value == Limits<V>::far () ? -1 : found[i].from;
      }
}

}
