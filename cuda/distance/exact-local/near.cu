/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances of near pixels: see local.cu.
 *
 * Bytes a pixel: 1/8 · (512 / 384) read, mostly from the cache; 4 written, or 8 of squares.
 * The kernel is bound by integer instructions, not by memory: about 30 a pixel.
 */

#include "near.cuh"

/* Blocks that a multiprocessor should hold: 32 KB of shared memory each. */
#if defined (__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define NEAR_BLOCKS 2
#elif defined (__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890)
#define NEAR_BLOCKS 3
#else
#define NEAR_BLOCKS 6
#endif

/* Searches on from @REACHED columns to each side.  Returns FALSE once %WF_REACH columns
 * are not enough.  Unrolled by recursion, because loops with votes are not.
 */
template <int REACHED>
__device__ __forceinline__ bool
search (const uint4 *squares,
        Pairs       &best,
        const Pairs &left,
        const Pairs &right)
{
  constexpr guint32 limit = (REACHED + 1) * (REACHED + 1) * 0x10001;
  const guint32     most  = __vmaxu2 (__vmaxu2 (best.v[0], best.v[1]),
                                      __vmaxu2 (best.v[2], best.v[3]));

  if (! __any_sync (WF_ALL_LANES, __vmaxu2 (most, limit) != limit))
    return true;

  if constexpr (REACHED < WF_REACH)
    {
      const Pairs far_left  = read_pairs (squares - REACHED / 4 - 1);
      const Pairs far_right = read_pairs (squares + REACHED / 4 + 1);

      compare_columns<1> (best, far_left, left, right, far_right,
                          (REACHED + 1) * (REACHED + 1) * 0x10001);
      compare_columns<2> (best, far_left, left, right, far_right,
                          (REACHED + 2) * (REACHED + 2) * 0x10001);
      compare_columns<3> (best, far_left, left, right, far_right,
                          (REACHED + 3) * (REACHED + 3) * 0x10001);
      compare_columns<4> (best, far_left, left, right, far_right,
                          (REACHED + 4) * (REACHED + 4) * 0x10001);
      return search<REACHED + 4> (squares, best, far_left, far_right);
    }
  else
    return false;
}

/*  Writing  */

/* Four pixels of the rows @y and @y + 16. */
__device__ __forceinline__ void
write_fours (const WfLocalOutput &output,
             const WfColumns     &columns,
             int                  x,
             int                  y,
             const Pairs         &squares)
{
  float *pixels = (float *) output.pixels + (gint64) y * columns.width + x;

  if (x >= columns.width)
    return;
  if (y < columns.height)
    __stcs ((float4 *) pixels,
            make_float4 (wf_root_16 (squares.v[0] & 0xffff), wf_root_16 (squares.v[1] & 0xffff),
                         wf_root_16 (squares.v[2] & 0xffff), wf_root_16 (squares.v[3] & 0xffff)));
  if (y + 16 < columns.height)
    __stcs ((float4 *) (pixels + 16 * (gint64) columns.width),
            make_float4 (wf_root_16 (squares.v[0] >> 16), wf_root_16 (squares.v[1] >> 16),
                         wf_root_16 (squares.v[2] >> 16), wf_root_16 (squares.v[3] >> 16)));
}

/* Rows that do not begin at multiples of 16 bytes, and all other kinds of output, go
 * through shared memory, so that a warp writes neighbouring pixels at once: @y is the row
 * of the warp's first lane.
 */
template <bool SQUARES>
__device__ __forceinline__ void
write_rows (const WfLocalOutput &output,
            const WfColumns     &columns,
            int                  left,
            int                  y,
            const Pairs         &squares,
            uint4               *staged,
            int                  lane)
{
  const int      x     = left + lane;
  const guint32 *words = (const guint32 *) staged;

  staged[lane] = make_uint4 (squares.v[0], squares.v[1], squares.v[2], squares.v[3]);
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      const guint32 pair   = words[k / 2 * 32 + lane];
      const guint32 square = k % 2 ? pair >> 16 : pair & 0xffff;
      const int     row    = y + k / 2 + k % 2 * 16;
      const gint64  p      = (gint64) row * columns.width + x;

      if (x < columns.width && row < columns.height && ! (output.foreground_only && square == 0))
        {
          if (SQUARES)
            __stcs ((unsigned long long *) output.pixels + p, (unsigned long long) square);
          else
            __stcs ((float *) output.pixels + p,
                    output.negative ? 0 - wf_root_16 (square) : wf_root_16 (square));
        }
    }
  __syncwarp ();
}

/* A warp takes 32 columns by 4 pairs of rows at a time, a lane four columns of a pair. */
template <WriteMode MODE>
__global__ void
__launch_bounds__ (NEAR_THREADS, NEAR_BLOCKS)
find_near (WfColumns     columns,
           WfFarTiles    far,
           WfLocalOutput output)
{
  __shared__ uint4 shared[16 * NEAR_COLUMNS / 4];
  __shared__ uint4 staged[MODE == WRITE_FOURS ? 1 : NEAR_WARPS][32];
  __shared__ int   next;
  guint32   *squares = (guint32 *) shared;
  const int  lane    = wf_lane ();
  const int  band    = blockIdx.y;
  const int  left    = blockIdx.x * NEAR_WIDTH;
  OwnColumns own;
  int        task    = threadIdx.x / 32;

  if (threadIdx.x == 0)
    next = NEAR_WARPS;
  if (! __syncthreads_or (read_columns (columns, band, left, own)))
    {
      mark_all_far (columns, far, band);
      return;
    }
#pragma unroll
  for (int i = 0; i < NEAR_OWN; i++)
    square_column (own.word[i], own.above[i], own.below[i], [=] (int row, guint32 pair)
      {
        squares[row * NEAR_COLUMNS + threadIdx.x + i * NEAR_THREADS] = pair;
      });
  __syncthreads ();

  while (task < NEAR_TILES * 4)
    {
      const int first = left + task / 4 * 32;
      const int y     = band * WF_BAND + task % 4 * 4;
      int       after = 0;

      if (lane == 0)
        after = atomicAdd (&next, 1);
      if (first < columns.width)
        {
          const int    x           = first + lane % 8 * 4;
          const int    row         = task % 4 * 4 + lane / 8;
          const uint4 *here        = shared + (row * NEAR_COLUMNS + WF_REACH + x - left) / 4;
          const Pairs  own_columns = read_pairs (here);
          Pairs        best        = own_columns;

          if (! search<0> (here, best, own_columns, own_columns))
            {
              if (lane == 0)
                mark_far (far, band, first / 32);
            }
          else if (MODE == WRITE_FOURS)
            write_fours (output, columns, x, band * WF_BAND + row, best);
          else
            write_rows<MODE == WRITE_SQUARES> (output, columns, first, y, best,
                                               staged[threadIdx.x / 32], lane);
        }
      task = __shfl_sync (WF_ALL_LANES, after, 0);
    }
}


/*  Host  */

gboolean
wf_cuda_distance_near (WfCuda               *cuda,
                       const WfColumns      *columns,
                       const WfFarTiles     *far,
                       const WfLocalOutput  *output,
                       GError              **error)
{
  const dim3 grid ((columns->width + NEAR_WIDTH - 1) / NEAR_WIDTH, columns->n_bands);
  const bool fours = columns->width % 4 == 0 && (guintptr) output->pixels % 16 == 0 &&
                     ! output->foreground_only;

  (output->squared ? find_near<WRITE_SQUARES>
   : fours ? find_near<WRITE_FOURS> : find_near<WRITE_FLOATS>)
    <<<grid, NEAR_THREADS, 0, cuda->stream>>> (*columns, *far, *output);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
