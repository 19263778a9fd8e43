/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances of near voxels, in pairs of 16 bits: see stack.cu.
 *
 * Bytes a voxel: 1/8 read and 2 written along z; 2 read, many times from the first-level cache, and
 * 2 written along y; 2 read and 4 written along x, or 8 for squares.
 */

#include "stack.cuh"

/* No background near enough: the squared distance, for two slices. */
#define UNKNOWN_PAIR (UNKNOWN * UNKNOWN * 0x10001u)

/* The largest squared distance that is near enough, for two slices. */
#define LIMIT_PAIR ((STACK_REACH + 1) * (STACK_REACH + 1) * 0x10001u)

namespace distance_local::stack_squares
{

/* The first steps of a search are unrolled. */
typedef Squares<STACK_REACH, 24> Values;

/* The readers of the searches along y and x. */
typedef FourRows<UNKNOWN_PAIR>    PairRows;
typedef FourColumns<UNKNOWN_PAIR> PairColumns;

static_assert ((UNKNOWN + WF_BAND - 1) * (UNKNOWN + WF_BAND - 1) + STACK_REACH * STACK_REACH
               <= G_MAXUINT16, "sums fit 16 bits");

/* A pair of slices, k and k + 16 of a band. */
typedef struct
{
  gint64 number;        /* of the pair in the fields */
  int    slice;         /* the first of the two, in the stack */
  bool   inside;
  bool   second_inside; /* if not, there is only the first */
} SlicePair;

__device__ __forceinline__ SlicePair
slice_pair (const Stack &stack,
            int          first_band,
            int          number)
{
  const int slice = (first_band + number / 16) * WF_BAND + number % 16;

  return { number, slice, slice < stack.columns.height, slice + 16 < stack.columns.height };
}


/*  Along z  */

/* A warp has 32 columns of a row in a band. */
template <bool ENDS>
__global__ void
__launch_bounds__ (STACK_THREADS)
step_bands (Stack stack,
            int   first_band)
{
  const int      lane  = wf_lane ();
  const int      y     = blockIdx.x * STACK_WARPS + threadIdx.x / 32;
  const int      tile  = blockIdx.y;
  const gint64   step  = (gint64) stack.n_tiles * stack.rows * 32;
  guint32       *field = stack.steps + blockIdx.z * 16 * step
                         + ((gint64) tile * stack.rows + y) * 32 + lane;
  OwnColumn      own;

  if (y >= stack.rows)
    return;

  own = read_column<ENDS> (stack, first_band + blockIdx.z, tile, y, lane, blockIdx.z);
  square_column (own.word, own.above, own.below, [=] (int row, guint32 pair)
    {
      field[row * step] = pair;
    });
}


/*  Searches  */

/* If the outside is background: compares with the positions before the first and after the last of
 * @length.  @here is the first of the four.
 */
__device__ __forceinline__ void
compare_outside (Four &best,
                 int   here,
                 int   length)
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      const int     steps  = min (min (here + i + 1, length - here - i), UNKNOWN);
      const guint32 square = (guint32) (max (steps, 0) * max (steps, 0)) * 0x10001u;

      best.v[i] = __vminu2 (best.v[i], square);
    }
}

/* A warp has a tile of four rows, for the block's pair of slices. */
__global__ void
__launch_bounds__ (STACK_THREADS)
search_columns (Stack stack,
                int   first_band)
{
  const int       lane = wf_lane ();
  const int       y    = (blockIdx.x * STACK_WARPS + threadIdx.x / 32) * 4;
  const int       tile = blockIdx.y;
  const SlicePair pair = slice_pair (stack, first_band, blockIdx.z);
  const gint64    here = ((pair.number * stack.n_tiles + tile) * stack.rows + y) * 32 + lane;
  guint32        *field = stack.planes
                          + ((pair.number * stack.rows + y) * stack.n_tiles + tile) * 32 + lane;
  guint32         mask = pair.second_inside ? 0xffffffffu : 0xffffu;
  int             most = min (max (y + 4, stack.rows - y), STACK_REACH);
  bool            near = false;

  if (y >= stack.rows || ! pair.inside)
    return;

  const PairRows reader = { stack.steps + here, y, stack.rows };
  const Four       own    = reader.read (0);
  Four             best   = own;

  if (tile == 0 && lane < 2 && (lane == 0 || pair.second_inside))
    stack.far.rows[(pair.slice + lane * 16) * (gint64) (stack.rows / 4) + y / 4] = 0;
  if (stack.columns.border)
    compare_outside (best, y, stack.height);
  if (tile * 32 + lane >= stack.width)
    mask = 0;
  if (! is_any_row_near (stack.near_rows
                         + ((gint64) (blockIdx.z / 16) * stack.n_tiles + tile) * stack.rows + y,
                         y, stack.rows, lane))
    most = 0;
  search_from<Values, 0> (reader, mask, most, own, own, best);
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      field[(gint64) i * stack.n_tiles * 32] = best.v[i];
      near |= __vminu2 (best.v[i], LIMIT_PAIR + 0x10001u) != LIMIT_PAIR + 0x10001u;
    }
  near = __any_sync (WF_ALL_LANES, near);
  if (lane == 0)
    stack.near_fours[(pair.number * (stack.rows / 4) + y / 4) * stack.n_tiles + tile] = near;
}


/*  Writing  */

/* Writes a tile whose first row is @y. */
template <bool SQUARED>
__device__ __forceinline__ void
write_rows (const Stack         &stack,
            const WfLocalOutput &output,
            const SlicePair     &pair,
            int                  y,
            int                  left,
            const Four          &squares,
            uint4               *staged)
{
  const int x = left + wf_lane ();

  write_pairs<SQUARED> (output, squares, staged, [&] (int row, bool second, gint64 *p)
    {
      const int slice = pair.slice + (second ? 16 : 0);

      row += y;
      *p   = ((gint64) slice * stack.height + row) * stack.width + x;
      return x < stack.width && row < stack.height && slice < stack.columns.height;
    });
}

/* A warp has a tile of four rows, a lane four columns of one of them; a block has
 * 2^@across tiles side by side.
 */
template <WriteMode MODE>
__global__ void
__launch_bounds__ (STACK_THREADS)
search_rows (Stack         stack,
             WfLocalOutput output,
             int           first_band,
             int           across)
{
  __shared__ uint4 staged[MODE == WRITE_FOURS ? 1 : STACK_WARPS][32];
  const int       lane  = wf_lane ();
  const int       warp  = threadIdx.x / 32;
  const int       tile  = (blockIdx.x << across) + (warp & ((1 << across) - 1));
  const int       four  = blockIdx.y * (STACK_WARPS >> across) + (warp >> across);
  const int       y     = four * 4 + lane / 8;
  const int       x     = tile * 32 + lane % 8 * 4;
  const int       pitch = stack.n_tiles * 32;
  const SlicePair pair  = slice_pair (stack, first_band, blockIdx.z);
  guint32         mask  = pair.second_inside ? 0xffffffffu : 0xffffu;
  int             most  = min (pitch, STACK_REACH);

  if (tile >= stack.n_tiles || four * 4 >= stack.rows || ! pair.inside)
    return;

  const PairColumns reader = { stack.planes + (pair.number * stack.rows + y) * pitch, x, pitch };
  const Four        own    = reader.read (0);
  Four              best   = own;
  bool              found;

  /* Pixels beyond the last column or row do not prolong the search. */
#pragma unroll
  for (int i = 0; i < 4; i++)
    if (x + i >= stack.width)
      best.v[i] = 0;
  if (y >= stack.height)
    mask = 0;
  if (stack.columns.border)
    compare_outside (best, x, stack.width);
  if (! is_any_four_near (stack, pair.number, four, tile, lane))
    most = 0;
  found = search_from<Values, 0> (reader, mask, most, own, own, best);
  if (lane == 0)
    note_far (stack, pair.slice, four, tile, ! found);
  if (lane == 0 && pair.second_inside)
    note_far (stack, pair.slice + 16, four, tile, ! found);
  if (! found)
    return;

  if (MODE == WRITE_FOURS)
    {
      float *pixels = (float *) output.pixels
                      + ((gint64) pair.slice * stack.height + y) * stack.width + x;

      if (x < stack.width && y < stack.height)
        {
          write_roots<0> (pixels, best);
          if (pair.second_inside)
            write_roots<16> (pixels + 16 * (gint64) stack.columns.width, best);
        }
    }
  else
    write_rows<MODE == WRITE_SQUARES> (stack, output, pair, four * 4, tile * 32, best,
                                       staged[warp]);
}

}


/*  Host  */

gboolean
wf_cuda_distance_stack_near (WfCuda               *cuda,
                             const Stack          *stack,
                             const StackGrids     *grids,
                             const WfLocalOutput  *output,
                             int                   first,
                             GError              **error)
{
  using namespace distance_local;
  using namespace distance_local::stack_squares;

  const bool fours = stack->width % 4 == 0 && (guintptr) output->pixels % 16 == 0 &&
                     ! output->foreground_only;

  (stack->ends.before ? step_bands<true> : step_bands<false>)
    <<<grids->bands, STACK_THREADS, 0, cuda->stream>>> (*stack, first);
  WF_CUDA_CHECK_LAUNCH ();
  search_columns<<<grids->columns, STACK_THREADS, 0, cuda->stream>>> (*stack, first);
  WF_CUDA_CHECK_LAUNCH ();
  (output->squared ? search_rows<WRITE_SQUARES>
   : fours ? search_rows<WRITE_FOURS> : search_rows<WRITE_FLOATS>)
    <<<grids->rows, STACK_THREADS, 0, cuda->stream>>> (*stack, *output, first, grids->across);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
