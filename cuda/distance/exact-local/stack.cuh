/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks: what the search for distances alone and the search with nearest voxels share, see
 * stack.cu.
 */

#pragma once

#include "near.cuh"

/* The most steps of a search to each side, along y and along x. */
#define STACK_REACH 128

/* Bands above and below that are searched for a column's nearest background. */
#define STACK_BANDS 5

#define STACK_THREADS 256
#define STACK_WARPS (STACK_THREADS / 32)

static_assert (STACK_REACH <= 32 * 4, "a lane looks at four rows to each side");
static_assert (UNKNOWN > STACK_REACH + 1 && STACK_BANDS * WF_BAND >= UNKNOWN,
               "what is near is known");

/**
 * Stack:
 * @columns: the words along z; @width is the number of pixels in a slice, @height that of slices
 * @width, @height: of a slice
 * @n_tiles: tiles of 32 columns in a row
 * @rows: @height, rounded up to a multiple of four
 * @steps: results of the pass along z, as [plane][tile][row][column of the tile]; a plane is a
 *   slice or a pair of slices
 * @planes: results of the passes along z and y, as [plane][row][tile][column of the tile]
 * @near_rows: for each band, tile and row whether any of its columns has near background
 * @near_fours: for each plane, four rows and tile whether @planes has anything near there
 * @far: result
 * @any_far: result: not 0 if any voxel is far
 * @ends: what is beyond a band of slices
 */
typedef struct
{
  WfColumns       columns;
  int             width;
  int             height;
  int             n_tiles;
  int             rows;
  guint32        *steps;
  guint32        *planes;
  guint8         *near_rows;
  guint8         *near_fours;
  WfFarGroups     far;
  int            *any_far;
  WfColumnEnds    ends;
} Stack;

/**
 * StackGrids:
 * @bands, @columns, @rows: grids of the kernels for the passes along z, y and x
 * @across: a block of the pass along x has 2^@across tiles side by side
 */
typedef struct
{
  dim3 bands;
  dim3 columns;
  dim3 rows;
  int  across;
} StackGrids;

/* Compute the bands that @grids cover, from number @first on.  Each of their voxels is either
 * written or marked as far.
 */
gboolean wf_cuda_distance_stack_near  (WfCuda               *cuda,
                                       const Stack          *stack,
                                       const StackGrids     *grids,
                                       const WfLocalOutput  *output,
                                       int                   first,
                                       GError              **error);
gboolean wf_cuda_distance_stack_sites (WfCuda               *cuda,
                                       const Stack          *stack,
                                       const StackGrids     *grids,
                                       const WfLocalOutput  *output,
                                       int                   first,
                                       GError              **error);


namespace distance_local
{


/*  Along z  */

/* Searches the @bands words beyond @word, which are @step apart, for the nearest background.
 * Returns its distance in rows from the band's first row (@ABOVE) or last row; %UNKNOWN if it is
 * further than %STACK_BANDS bands or there is none.  The outside follows the words; with @border it
 * counts as background.  A site beyond all words is @beyond rows away.
 */
template <bool ABOVE>
__device__ __forceinline__ int
rows_to_edge (const guint32 *word,
              gint64         step,
              int            bands,
              bool           border,
              int            beyond = UNKNOWN)
{
  for (int i = 0; i < STACK_BANDS; i++)
    {
      guint32 rows;

      if (i >= bands && ! border)
        break;
      word += step;
      rows  = i >= bands ? 0xffffffffu : *word;
      if (rows)
        return min (i * WF_BAND + (ABOVE ? __clz (rows) + 1 : __ffs (rows)), UNKNOWN);
    }
  return min (beyond, UNKNOWN);
}

/* @above, @below: rows from the band's first row up, and from its last row down, to the nearest
 *   background, or %UNKNOWN.
 */
typedef struct
{
  guint32 word;
  int     above;
  int     below;
} OwnColumn;

/* The same for a stack that is a band of another one.  The site after it may be among the 32 slices
 * of the last word.
 */
__device__ __forceinline__ OwnColumn
read_column_of_band (const Stack &stack,
                     int          band,
                     int          column)
{
  const guint32 *here  = wf_column_word (stack.columns, band, column);
  const int      after = wf_rows_after (stack.ends, column, band * WF_BAND + 31);
  OwnColumn      own   = { *here };

  if (after <= 0)
    own.word |= 1u << (31 + after);
  own.above = rows_to_edge<true> (here, -stack.columns.pitch, band, false,
                                  wf_rows_before (stack.ends, column, band * WF_BAND));
  own.below = rows_to_edge<false> (here, stack.columns.pitch, stack.columns.n_bands - 1 - band,
                                   false, after > 0 ? after : UNKNOWN);
  return own;
}

/* Reads the lane's column of a tile in row @y.  Also records for band number @worked_on of the
 * fields whether anything is near.  Called by a whole warp.
 */
template <bool ENDS>
__device__ __forceinline__ OwnColumn
read_column (const Stack &stack,
             int          band,
             int          tile,
             int          y,
             int          lane,
             int          worked_on)
{
  const int    x     = tile * 32 + lane;
  const gint64 pitch = stack.columns.pitch;
  OwnColumn    own   = { 0, UNKNOWN, UNKNOWN };
  bool         near;

  if (ENDS && x < stack.width && y < stack.height)
    own = read_column_of_band (stack, band, y * stack.width + x);
  else if (! ENDS && x < stack.width && y < stack.height)
    {
      const guint32 *here = wf_column_word (stack.columns, band, y * stack.width + x);

      own.word  = *here;
      own.above = rows_to_edge<true> (here, -pitch, band, stack.columns.border);
      own.below = rows_to_edge<false> (here, pitch, stack.columns.n_bands - 1 - band,
                                       stack.columns.border);
    }
  near = __any_sync (WF_ALL_LANES, own.word != 0 || min (own.above, own.below) < UNKNOWN);
  if (lane == 0)
    stack.near_rows[((gint64) worked_on * stack.n_tiles + tile) * stack.rows + y] = near;
  return own;
}


/*  Searches that can be skipped  */

/* Returns whether any column has near background in the rows that four rows can reach.  @y is the
 * first of the four, and @near points to its flag.  Called by a whole warp.
 */
__device__ __forceinline__ bool
is_any_row_near (const guint8 *near,
                 int           y,
                 int           rows,
                 int           lane)
{
  const int before = y - 4 - lane * 4;
  const int after  = y + 4 + lane * 4;
  guint32   any    = *(const guint32 *) near;

  if (before >= 0)
    any |= *(const guint32 *) (near + before - y);
  if (after < rows)
    any |= *(const guint32 *) (near + after - y);
  return __any_sync (WF_ALL_LANES, any != 0);
}

/* Returns whether anything is near in a plane's rows number @four, in the tiles that @tile can
 * reach.  Called by a whole warp.
 */
__device__ __forceinline__ bool
is_any_four_near (const Stack &stack,
                  gint64       plane,
                  int          four,
                  int          tile,
                  int          lane)
{
  const int other = tile + lane - STACK_REACH / 32;
  bool      near  = false;

  if (lane <= 2 * STACK_REACH / 32 && other >= 0 && other < stack.n_tiles)
    near = stack.near_fours[(plane * (stack.rows / 4) + four) * stack.n_tiles + other];
  return __any_sync (WF_ALL_LANES, near);
}

/* Records whether a tile of four rows is far. */
__device__ __forceinline__ void
note_far (const Stack &stack,
          int          slice,
          int          four,
          int          tile,
          bool         far)
{
  const gint64 at = (gint64) slice * (stack.rows / 4) + four;

  stack.far.groups[at * stack.n_tiles + tile] = far;
  if (far)
    {
      stack.far.rows[at] = 1;
      if (*(volatile int *) stack.any_far == 0)
        *(volatile int *) stack.any_far = 1;
    }
}


/*  Along y and x  */

/* Reads four rows of a column of @steps, which has @rows rows; beyond them it returns @NONE. */
template <guint32 NONE>
struct FourRows
{
  const guint32 *here;
  int            y;
  int            rows;

  __device__ __forceinline__ Four
  read (int away) const
  {
    const guint32 *four = here + away * 32;

    /* All lanes of the warp have the same rows. */
    if (y + away < 0 || y + away >= rows)
      return { NONE, NONE, NONE, NONE };
    return { four[0], four[32], four[64], four[96] };
  }
};

/* Reads four columns of a row of @planes; beyond its ends it returns @NONE. */
template <guint32 NONE>
struct FourColumns
{
  const guint32 *row;
  int            x;
  int            pitch;

  __device__ __forceinline__ Four
  read (int away) const
  {
    if (x + away < 0 || x + away >= pitch)
      return { NONE, NONE, NONE, NONE };

    const uint4 four = *(const uint4 *) (row + x + away);

    return make_four (four);
  }
};

}
