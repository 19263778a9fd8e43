/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks: what the search for distances and that for nearest voxels share, see
 * stack.cu.
 */

#pragma once

#include "near.cuh"

/* Steps to each side, along y and along x. */
#define STACK_REACH 128

/* Bands above and below that a column's nearest background is looked for in. */
#define STACK_BANDS 5

#define STACK_THREADS 256
#define STACK_WARPS (STACK_THREADS / 32)

static_assert (STACK_REACH <= 32 * 4, "a lane looks at four rows to each side");
static_assert (UNKNOWN > STACK_REACH + 1 && STACK_BANDS * WF_BAND >= UNKNOWN,
               "what is near is known");

/**
 * Stack:
 * @columns: along z; as wide as a slice has pixels, as high as there are slices
 * @width, @height: of a slice
 * @n_tiles: of 32 columns in a row
 * @rows: @height, rounded up to a multiple of four
 * @steps: what is found along z, for a plane, a tile and a row side by side; a plane is a slice
 *   or a pair of slices
 * @planes: what is found along z and y, for a plane and a row of @n_tiles tiles
 * @near_rows: for each band, tile and row whether any of its columns has near background
 * @near_fours: for each plane, four rows and tile whether @planes have anything near
 * @far: result
 * @any_far: result, not 0 if there is something far
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
} Stack;

/**
 * StackGrids:
 * @bands, @columns, @rows: of the kernels for the passes along z, y and x
 * @across: a block of the last has 2^@across tiles side by side
 */
typedef struct
{
  dim3 bands;
  dim3 columns;
  dim3 rows;
  int  across;
} StackGrids;

/* From band number @first on; each of its voxels, or it is noted as far. */
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

/* Of background in @bands words from @word on, @step apart, how many rows away it is
 * behind the band's edge; %UNKNOWN if it is further or there is none.  Beyond them lies the
 * outside.
 */
template <bool ABOVE>
__device__ __forceinline__ int
rows_to_edge (const guint32 *word,
              gint64         step,
              int            bands,
              bool           border)
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
  return UNKNOWN;
}

/* @above, @below: from the band's first row upwards and from its last downwards, to the
 * nearest background; or %UNKNOWN
 */
typedef struct
{
  guint32 word;
  int     above;
  int     below;
} OwnColumn;

/* The lane's column of a tile, in row @y; also notes for band number @worked_on of the
 * fields whether anything is near.
 */
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

  if (x < stack.width && y < stack.height)
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


/*  Where a search is in vain  */

/* Whether there is background near any column of the rows that can be reached from the four
 * that @near is of; @y is the first of them.
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

/* Whether anything is near in a plane's @four rows of the tiles that can be reached from @tile. */
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

/* Of a warp's tile of four rows. */
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

/* Four rows of a column of @steps, of which @rows are there; @NONE beyond them. */
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

    /* The warp's rows are the same. */
    if (y + away < 0 || y + away >= rows)
      return { NONE, NONE, NONE, NONE };
    return { four[0], four[32], four[64], four[96] };
  }
};

/* Four columns of a row of @planes. */
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
