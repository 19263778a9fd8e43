/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search for near background, with nearest pixels: as find_near in near.cu, but each pixel has
 * a key of 32 bits that also identifies the nearest pixel.  The upper half of a key is the squared
 * distance; below it are a byte with the number of columns to the nearest pixel and one with the
 * number of rows, both signed by an offset.  At equal distances the smallest key is the one with
 * the smallest x; within a column each row has only one nearest pixel, the upper of two.  The
 * search goes on until all distances are less than that to the remaining columns, because those on
 * the left could win a tie.
 *
 * A block has half a band, because keys take twice the space of squares.
 *
 * Bytes a pixel: 1/4 · (512 / 384) read, mostly from the cache; 8 and 4 written.
 */

#include "near.cuh"

#if defined (__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define SITES_BLOCKS 1
#elif defined (__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890)
#define SITES_BLOCKS 2
#else
#define SITES_BLOCKS 6
#endif

#define HALF (WF_BAND / 2)

/* The bytes of a key whose nearest pixel is in the same column and row. */
#define COLUMN_HERE 64
#define ROW_HERE 128
#define SITE_HERE (COLUMN_HERE << 8 | ROW_HERE)

namespace distance_local::sites
{

typedef Keys<WF_REACH, 16, 8> Values;

/* USUAL: floats, rows of a multiple of four pixels, no background outside.  OTHER: all else. */
enum Case { USUAL, OTHER };

/**
 * Shared:
 * @keys: of all columns, row by row
 * @staged: for each warp the keys that it has found
 */
template <Case CASE>
struct Shared
{
  uint4 keys[HALF * NEAR_COLUMNS / 4];
  uint4 staged[CASE == USUAL ? 1 : NEAR_WARPS][32];
  int   next;
};

/* @above: rows to the nearest background above, for a row and, in the upper half, the one 8 below
 *   it; @nearest: rows to the nearest background in either direction
 */
__device__ __forceinline__ void
write_keys_of_rows (guint32  above,
                    guint32  nearest,
                    guint32 *keys)
{
#pragma unroll
  for (int k = 0; k < 2; k++)
    {
      const guint32 rows = k ? nearest >> 16 : nearest & 0xffff;
      const bool    up   = rows == (k ? above >> 16 : above & 0xffff);

      keys[k * HALF / 2 * NEAR_COLUMNS] = rows * ((rows << 16) + (up ? -1 : 1)) + SITE_HERE;
    }
}

/* Writes the keys of a column of half a band, whose bits are @rows: as square_column(), for rows k
 * and k + 8.
 */
__device__ __forceinline__ void
write_column (guint32  rows,
              int      above,
              int      below,
              guint32 *keys)
{
  const guint32 upper   = rows & 0xff;
  const guint32 lower   = rows >> 8;
  const int     above_8 = upper ? __clz (upper) - 24 : above + 7;
  const int     below_7 = lower ? __ffs (lower) - 1 : below + 7;
  guint32       found[HALF / 2];
  guint32       nearest;

  walk_down<0, HALF / 2> (~(upper | lower << 16), (guint32) (above - 1) | (guint32) above_8 << 16,
                           found);
  nearest = (guint32) below_7 | (guint32) (below - 1) << 16;
#pragma unroll
  for (int row = HALF / 2 - 1; row >= 0; row--)
    {
      nearest = wf_add_min_pairs (nearest, 0x10001, found[row]);
      write_keys_of_rows (found[row], nearest, keys + row * NEAR_COLUMNS);
    }
}

/* Writes the keys of a column of the band's upper or lower half. */
__device__ __forceinline__ void
write_half_column (guint32  word,
                   int      above,
                   int      below,
                   bool     lower_half,
                   guint32 *keys)
{
  const guint32 upper = word & 0xffff;
  const guint32 lower = word >> 16;

  if (lower_half)
    write_column (lower, upper ? __clz (upper) - 15 : above + HALF, below, keys);
  else
    write_column (upper, above, lower ? __ffs (lower) : below + HALF, keys);
}


/*  Writing  */

/* @y is the row of the warp's first lane. */
__device__ __forceinline__ void
write_rows (const WfColumns     &columns,
            const WfLocalOutput &output,
            int                  left,
            int                  y,
            const Four          &keys,
            uint4               *staged)
{
  const int      x     = left + wf_lane ();
  const guint32 *words = stage (keys, staged);

#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const guint32 key    = words[k * 32 + wf_lane ()];
      const guint32 square = key >> 16;
      const gint64  p      = (gint64) (y + k) * columns.width + x;

      if (x < columns.width && y + k < columns.height && ! (output.foreground_only && square == 0))
        {
          const int across = (int) (key >> 8 & 0xff) - COLUMN_HERE;
          const int down   = (int) (key & 0xff) - ROW_HERE;

          __stcs ((unsigned long long *) output.nearest + p,
                  (unsigned long long) wf_site_index (columns, x + across, y + k + down));
          if (output.pixels && output.squared)
            write_square<true> (output, p, square);
          else if (output.pixels)
            write_square<false> (output, p, square);
        }
    }
}

/* As find_near.  A warp takes 32 columns by four rows at a time, a lane four columns. */
template <Case CASE>
__global__ void
__launch_bounds__ (NEAR_THREADS, SITES_BLOCKS)
find_near_sites (WfColumns     columns,
                 WfFarTiles    far,
                 WfLocalOutput output)
{
  __shared__ Shared<CASE> shared;
  guint32   *keys = (guint32 *) shared.keys;
  const int  lane = wf_lane ();
  const int  warp = threadIdx.x / 32;
  const int  band = blockIdx.y;
  const int  top  = band * WF_BAND + blockIdx.z * HALF;
  const int  left = blockIdx.x * NEAR_WIDTH;
  OwnColumns columns_here;
  int        task = warp;

  if (top >= columns.height)
    return;
  if (threadIdx.x == 0)
    shared.next = NEAR_WARPS;
  if (! __syncthreads_or (read_columns (columns, band, left, columns_here)))
    {
      mark_all_far (columns, far, band);
      return;
    }
#pragma unroll
  for (int i = 0; i < NEAR_OWN; i++)
    write_half_column (columns_here.word[i], columns_here.above[i], columns_here.below[i],
                       blockIdx.z, keys + threadIdx.x + i * NEAR_THREADS);
  __syncthreads ();

  while (task < NEAR_TILES * (HALF / 4))
    {
      const int first = task / (HALF / 4) * 32;
      int       after = 0;

      if (lane == 0)
        after = atomicAdd (&shared.next, 1);
      if (left + first < columns.width)
        {
          const int       row    = task % (HALF / 4) * 4 + lane / 8;
          const int       x      = left + first + lane % 8 * 4;
          const int       y      = top + row;
          const SharedRow reader = { shared.keys + (row * NEAR_COLUMNS + WF_REACH + first) / 4
                                     + lane % 8 };
          const Four      own    = reader.read (0);
          Four            best   = own;

          if (! search_from<Values, 0> (reader, WF_ALL_LANES, WF_REACH, own, own, best))
            {
              if (lane == 0)
                mark_far (far, band, (left + first) / 32);
            }
          else if (CASE == USUAL)
            write_sites<16> (output, columns.width, x, y < columns.height,
                             (gint64) y * columns.width + x, best,
                             [width = (guint32) columns.width,
                              less  = (gint64) ROW_HERE * columns.width + COLUMN_HERE]
                             (guint32 key, gint64 here)
              {
                return here - less + (gint64) ((key & 0xff) * width + (key >> 8 & 0xff));
              });
          else
            write_rows (columns, output, left + first, y - lane / 8, best, shared.staged[warp]);
        }
      task = __shfl_sync (WF_ALL_LANES, after, 0);
    }
}

}


/*  Host  */

gboolean
wf_cuda_distance_near_sites (WfCuda               *cuda,
                             const WfColumns      *columns,
                             const WfFarTiles     *far,
                             const WfLocalOutput  *output,
                             GError              **error)
{
  using namespace distance_local::sites;

  const dim3 grid ((columns->width + NEAR_WIDTH - 1) / NEAR_WIDTH, columns->n_bands, 2);
  const bool usual = ! columns->border && ! output->foreground_only && output->pixels &&
                     ! output->squared && columns->width % 4 == 0 &&
                     (guintptr) output->pixels % 16 == 0 && (guintptr) output->nearest % 16 == 0;

  (usual ? find_near_sites<USUAL> : find_near_sites<OTHER>)
    <<<grid, NEAR_THREADS, 0, cuda->stream>>> (*columns, *far, *output);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
