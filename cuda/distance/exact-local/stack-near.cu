/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances of near voxels, in pairs of 16 bits: see stack.cu.
 *
 * Bytes a voxel: 1/8 read and 2 written along z; 2 read, many times from the first-level
 * cache, and 2 written along y; 2 read and 4 written along x, or 8 of squares.
 */

#include "stack.cuh"

/* Squared, for two slices: no background near enough. */
#define UNKNOWN_PAIR (UNKNOWN * UNKNOWN * 0x10001u)

/* The same of what is just near enough. */
#define LIMIT_PAIR ((STACK_REACH + 1) * (STACK_REACH + 1) * 0x10001u)

/* Steps of a search that are unrolled. */
#define UNROLLED 24

/* What searches along y and x read. */
typedef FourRows<Pairs, UNKNOWN_PAIR>    PairRows;
typedef FourColumns<Pairs, UNKNOWN_PAIR> PairColumns;

static_assert ((UNKNOWN + WF_BAND - 1) * (UNKNOWN + WF_BAND - 1) + STACK_REACH * STACK_REACH
               <= G_MAXUINT16, "sums fit 16 bits");

/* A pair of slices of a band that is worked on. */
typedef struct
{
  gint64 number;        /* in the fields */
  int    slice;         /* the first of the two, in the stack */
  bool   inside;
  bool   second_inside; /* or there is only the first */
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

  own = read_column (stack, first_band + blockIdx.z, tile, y, lane, blockIdx.z);
  square_column (own.word, own.above, own.below, [=] (int row, guint32 pair)
    {
      field[row * step] = pair;
    });
}


/*  Searches  */

/* Compares four neighbours with what @reader has on both sides of them between @reached
 * and four more steps; @left and @right are what is at @reached.
 */
template <typename READER>
__device__ __forceinline__ void
compare_fours (const READER &reader,
               int           reached,
               Pairs        &left,
               Pairs        &right,
               Pairs        &best)
{
  const Pairs far_left  = reader.read (-reached - 4);
  const Pairs far_right = reader.read (reached + 4);

  compare_columns<1> (best, far_left, left, right, far_right,
                      (guint32) ((reached + 1) * (reached + 1)) * 0x10001u);
  compare_columns<2> (best, far_left, left, right, far_right,
                      (guint32) ((reached + 2) * (reached + 2)) * 0x10001u);
  compare_columns<3> (best, far_left, left, right, far_right,
                      (guint32) ((reached + 3) * (reached + 3)) * 0x10001u);
  compare_columns<4> (best, far_left, left, right, far_right,
                      (guint32) ((reached + 4) * (reached + 4)) * 0x10001u);
  left  = far_left;
  right = far_right;
}

/* Whether none of the warp's halves in @mask is more than @limit. */
__device__ __forceinline__ bool
are_within (const Pairs &best,
            guint32      mask,
            guint32      limit)
{
  const guint32 worst = __vmaxu2 (__vmaxu2 (best.v[0], best.v[1]),
                                  __vmaxu2 (best.v[2], best.v[3])) & mask;

  return ! __any_sync (WF_ALL_LANES, __vmaxu2 (worst, limit) != limit);
}

/* Searches on from @REACHED steps to each side, until the halves in @mask of none can change.
 * There is nothing behind @most steps, or they are %STACK_REACH.  Returns whether that
 * was enough.  The first steps are unrolled by recursion, because loops with votes are not.
 */
template <int REACHED, typename READER>
__device__ __forceinline__ bool
search_from (const READER &reader,
             guint32       mask,
             int           most,
             Pairs         left,
             Pairs         right,
             Pairs        &best)
{
  if (are_within (best, mask, (REACHED + 1) * (REACHED + 1) * 0x10001u))
    return true;
  if (REACHED >= most)
    return are_within (best, mask, LIMIT_PAIR);

  if constexpr (REACHED < UNROLLED)
    {
      compare_fours (reader, REACHED, left, right, best);
      return search_from<REACHED + 4> (reader, mask, most, left, right, best);
    }
  else
    for (int reached = REACHED; ;)
      {
        compare_fours (reader, reached, left, right, best);
        reached += 4;
        if (are_within (best, mask, (guint32) ((reached + 1) * (reached + 1)) * 0x10001u))
          return true;
        if (reached >= most)
          return are_within (best, mask, LIMIT_PAIR);
      }
}

/* Where the outside is background, the positions before the first and behind the last of
 * @length are.
 */
__device__ __forceinline__ void
compare_outside (Pairs &best,
                 int    here,
                 int    length)
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      const int     steps  = min (min (here + i + 1, length - here - i), UNKNOWN);
      const guint32 square = (guint32) (max (steps, 0) * max (steps, 0)) * 0x10001u;

      best.v[i] = __vminu2 (best.v[i], square);
    }
}

/* A warp has a tile of four rows, for the pair of slices that is the block's. */
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
  const Pairs      own    = reader.read (0);
  Pairs            best   = own;

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
  search_from<0> (reader, mask, most, own, own, best);
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

__device__ __forceinline__ void
write_four (float   *pixels,
            guint32  a,
            guint32  b,
            guint32  c,
            guint32  d)
{
  __stcs ((float4 *) pixels,
          make_float4 (wf_root_16 (a), wf_root_16 (b), wf_root_16 (c), wf_root_16 (d)));
}

/* Through shared memory, so that a warp writes 32 neighbours at once. */
template <WriteMode MODE>
__device__ __forceinline__ void
write_rows (const Stack         &stack,
            const WfLocalOutput &output,
            const SlicePair     &pair,
            int                  y,
            int                  left,
            const Pairs         &squares,
            uint4               *staged)
{
  const int      lane  = wf_lane ();
  const int      x     = left + lane;
  const guint32 *words = (const guint32 *) staged;

  __syncwarp ();
  staged[lane] = make_uint4 (squares.v[0], squares.v[1], squares.v[2], squares.v[3]);
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      const guint32 both   = words[k / 2 * 32 + lane];
      const guint32 square = k % 2 ? both >> 16 : both & 0xffff;
      const int     row    = y + k / 2;
      const int     slice  = pair.slice + k % 2 * 16;
      const gint64  p      = ((gint64) slice * stack.height + row) * stack.width + x;

      if (x < stack.width && row < stack.height && slice < stack.columns.height &&
          ! (output.foreground_only && square == 0))
        {
          if (MODE == WRITE_SQUARES)
            __stcs ((unsigned long long *) output.pixels + p, (unsigned long long) square);
          else
            __stcs ((float *) output.pixels + p,
                    output.negative ? 0 - wf_root_16 (square) : wf_root_16 (square));
        }
    }
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
  const Pairs       own    = reader.read (0);
  Pairs             best   = own;
  bool              found;

  /* Columns and rows beyond the last. */
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
  found = search_from<0> (reader, mask, most, own, own, best);
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
          write_four (pixels, best.v[0] & 0xffff, best.v[1] & 0xffff, best.v[2] & 0xffff,
                      best.v[3] & 0xffff);
          if (pair.second_inside)
            write_four (pixels + 16 * (gint64) stack.columns.width, best.v[0] >> 16,
                        best.v[1] >> 16, best.v[2] >> 16, best.v[3] >> 16);
        }
    }
  else
    write_rows<MODE> (stack, output, pair, four * 4, tile * 32, best, staged[warp]);
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
  const bool fours = stack->width % 4 == 0 && (guintptr) output->pixels % 16 == 0 &&
                     ! output->foreground_only;

  step_bands<<<grids->bands, STACK_THREADS, 0, cuda->stream>>> (*stack, first);
  WF_CUDA_CHECK_LAUNCH ();
  search_columns<<<grids->columns, STACK_THREADS, 0, cuda->stream>>> (*stack, first);
  WF_CUDA_CHECK_LAUNCH ();
  (output->squared ? search_rows<WRITE_SQUARES>
   : fours ? search_rows<WRITE_FOURS> : search_rows<WRITE_FLOATS>)
    <<<grids->rows, STACK_THREADS, 0, cuda->stream>>> (*stack, *output, first, grids->across);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
