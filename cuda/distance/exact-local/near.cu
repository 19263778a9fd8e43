/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search for near background, for distances alone: see local.cu.
 *
 * Bytes a pixel: 1/8 · (512 / 384) read, mostly from the cache; 4 written, or 8 for squares.
 * The kernel is bound by integer instructions, not by memory: about 30 a pixel.
 */

#include "near.cuh"

/* Blocks that a multiprocessor should hold; each takes 32 KB of shared memory. */
#if defined (__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define NEAR_BLOCKS 2
#elif defined (__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890)
#define NEAR_BLOCKS 3
#else
#define NEAR_BLOCKS 6
#endif

namespace distance_local::squares
{

/*  Writing  */

/* Writes four pixels of each of the rows @y and @y + 16. */
__device__ __forceinline__ void
write_fours (const WfLocalOutput &output,
             const WfColumns     &columns,
             int                  x,
             int                  y,
             const Four          &squares)
{
  float *pixels = (float *) output.pixels + (gint64) y * columns.width + x;

  if (x >= columns.width)
    return;
  if (y < columns.height)
    write_roots<0> (pixels, squares);
  if (y + 16 < columns.height)
    write_roots<16> (pixels + 16 * (gint64) columns.width, squares);
}

/* Writes rows that do not begin at multiples of 16 bytes, and all other kinds of output.  @y is the
 * row of the warp's first lane.
 */
template <bool SQUARED>
__device__ __forceinline__ void
write_rows (const WfLocalOutput &output,
            const WfColumns     &columns,
            int                  left,
            int                  y,
            const Four          &squares,
            uint4               *staged)
{
  const int x = left + wf_lane ();

  write_pairs<SQUARED> (output, squares, staged, [&] (int row, bool second, gint64 *p)
    {
      row += y + (second ? 16 : 0);
      *p   = (gint64) row * columns.width + x;
      return x < columns.width && row < columns.height;
    });
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
  OwnColumns columns_here;
  int        task    = threadIdx.x / 32;

  if (threadIdx.x == 0)
    next = NEAR_WARPS;
  if (! __syncthreads_or (read_columns (columns, band, left, columns_here)))
    {
      mark_all_far (columns, far, band);
      return;
    }
#pragma unroll
  for (int i = 0; i < NEAR_OWN; i++)
    square_column (columns_here.word[i], columns_here.above[i], columns_here.below[i],
                   [=] (int row, guint32 pair)
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
          typedef Squares<WF_REACH, WF_REACH> Values;

          const int       x      = first + lane % 8 * 4;
          const int       row    = task % 4 * 4 + lane / 8;
          const SharedRow reader = { shared + (row * NEAR_COLUMNS + WF_REACH + x - left) / 4 };
          const Four      own    = reader.read (0);
          Four            best   = own;

          if (! search_from<Values, 0> (reader, WF_ALL_LANES, WF_REACH, own, own, best))
            {
              if (lane == 0)
                mark_far (far, band, first / 32);
            }
          else if (MODE == WRITE_FOURS)
            write_fours (output, columns, x, band * WF_BAND + row, best);
          else
            write_rows<MODE == WRITE_SQUARES> (output, columns, first, y, best,
                                               staged[threadIdx.x / 32]);
        }
      task = __shfl_sync (WF_ALL_LANES, after, 0);
    }
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
  using namespace distance_local;
  using namespace distance_local::squares;

  const dim3 grid ((columns->width + NEAR_WIDTH - 1) / NEAR_WIDTH, columns->n_bands);
  const bool fours = columns->width % 4 == 0 && (guintptr) output->pixels % 16 == 0 &&
                     ! output->foreground_only;

  (output->squared ? find_near<WRITE_SQUARES>
   : fours ? find_near<WRITE_FOURS> : find_near<WRITE_FLOATS>)
    <<<grid, NEAR_THREADS, 0, cuda->stream>>> (*columns, *far, *output);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
