/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances and nearest pixels where they are near: as find_near in near.cu,
 * but a key of 32 bits is kept for each pixel that tells the nearest pixel, too: the squared
 * distance in its upper half, below that a byte with how many columns to the left or right the
 * nearest pixel is, and one with how many rows.  Of equal distances the least key is the one
 * of the smallest x; and in a column a row has one nearest pixel, above if there are two.  The
 * search goes on until all distances are less than that to the columns that are left,
 * because the left of them could win a tie.
 *
 * A block has half a band, as keys take twice the room of squares.
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

/* The bytes of a key whose pixel is in its own column and row. */
#define COLUMN_HERE 64
#define ROW_HERE 128
#define SITE_HERE (COLUMN_HERE << 8 | ROW_HERE)

/* Floats in rows of fours, no background outside; or any other output. */
enum Case { USUAL, OTHER };

/**
 * Shared:
 * @keys: of all columns, a row after the other
 * @staged: for each warp the keys that it has found
 */
template <Case CASE>
struct Shared
{
  uint4 keys[HALF * NEAR_COLUMNS / 4];
  uint4 staged[CASE == USUAL ? 1 : NEAR_WARPS][32];
  int   next;
};

/* Of four columns of a row. */
typedef struct
{
  guint32 v[4];
} Keys;

__device__ __forceinline__ Keys
read_keys (const uint4 *keys)
{
  const uint4 four = *keys;

  return { four.x, four.y, four.z, four.w };
}

/* @above: of the row and the one 8 below it, the rows to the nearest background above;
 * @nearest: to the nearest at all
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

template <int ROW>
__device__ __forceinline__ void
walk_half_down (guint32  foreground,
                guint32  above,
                guint32 *found)
{
  if constexpr (ROW < HALF / 2)
    {
      found[ROW] = wf_add_min_pairs (above, 0x10001, spread_bits<ROW> (foreground));
      walk_half_down<ROW + 1> (foreground, found[ROW], found);
    }
}

/* The keys of a column of half a band, of which @rows are the bits: as square_column(),
 * of rows k and k + 8.
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

  walk_half_down<0> (~(upper | lower << 16), (guint32) (above - 1) | (guint32) above_8 << 16,
                     found);
  nearest = (guint32) below_7 | (guint32) (below - 1) << 16;
#pragma unroll
  for (int row = HALF / 2 - 1; row >= 0; row--)
    {
      nearest = wf_add_min_pairs (nearest, 0x10001, found[row]);
      write_keys_of_rows (found[row], nearest, keys + row * NEAR_COLUMNS);
    }
}

/* The upper half of the band, or the lower. */
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


/*  The search  */

template <int REACHED, int STEP>
__device__ __forceinline__ void
compare_keys (Keys       &best,
              const Keys &far_left,
              const Keys &left,
              const Keys &right,
              const Keys &far_right)
{
  constexpr int     away     = REACHED + STEP;
  constexpr guint32 to_left  = (guint32) ((away * away << 16) - (away << 8));
  constexpr guint32 to_right = (guint32) ((away * away << 16) + (away << 8));

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      best.v[i] = wf_add_min (i < STEP ? far_left.v[(i - STEP) & 3] : left.v[(i - STEP) & 3],
                              to_left, best.v[i]);
      best.v[i] = wf_add_min (i + STEP < 4 ? right.v[(i + STEP) & 3]
                                           : far_right.v[(i + STEP) & 3],
                              to_right, best.v[i]);
    }
}

/* Searches on from @REACHED columns to each side, see near.cu. */
template <int REACHED>
__device__ __forceinline__ bool
search (const uint4 *keys,
        Keys        &best,
        const Keys  &left,
        const Keys  &right)
{
  const guint32 most = max (max (best.v[0], best.v[1]), max (best.v[2], best.v[3]));

  if (! __any_sync (WF_ALL_LANES, most >= (guint32) ((REACHED + 1) * (REACHED + 1)) << 16))
    return true;

  if constexpr (REACHED < WF_REACH)
    {
      const Keys far_left  = read_keys (keys - REACHED / 4 - 1);
      const Keys far_right = read_keys (keys + REACHED / 4 + 1);

      compare_keys<REACHED, 1> (best, far_left, left, right, far_right);
      compare_keys<REACHED, 2> (best, far_left, left, right, far_right);
      compare_keys<REACHED, 3> (best, far_left, left, right, far_right);
      compare_keys<REACHED, 4> (best, far_left, left, right, far_right);
      return search<REACHED + 4> (keys, best, far_left, far_right);
    }
  else
    return false;
}


/*  Writing  */

/* Of pixels side by side; @here is the index of the first less that of the bytes of
 * %SITE_HERE.
 */
__device__ __forceinline__ uint4
two_sites (guint32 first,
           guint32 second,
           gint64  here,
           guint32 width)
{
  const gint64 a = here + (gint64) ((first & 0xff) * width + (first >> 8 & 0xff));
  const gint64 b = here + 1 + (gint64) ((second & 0xff) * width + (second >> 8 & 0xff));

  return make_uint4 ((guint32) a, (guint32) (a >> 32), (guint32) b, (guint32) (b >> 32));
}

/* The lane has four columns of a row.  Two lanes exchange two keys each, so that together
 * they write whole sectors of 32 bytes.
 */
__device__ __forceinline__ void
write_fours (const WfColumns     &columns,
             const WfLocalOutput &output,
             int                  x,
             int                  y,
             const Keys          &keys)
{
  const guint32 width = (guint32) columns.width;
  const bool    odd   = threadIdx.x % 2;
  const gint64  p     = (gint64) y * columns.width + x;
  const gint64  here  = p - (odd ? 2 : 0) - ((gint64) ROW_HERE * columns.width + COLUMN_HERE);
  const guint32 first  = __shfl_xor_sync (WF_ALL_LANES, odd ? keys.v[0] : keys.v[2], 1);
  const guint32 second = __shfl_xor_sync (WF_ALL_LANES, odd ? keys.v[1] : keys.v[3], 1);
  const guint32 own[4] = { odd ? first : keys.v[0], odd ? second : keys.v[1],
                           odd ? keys.v[2] : first, odd ? keys.v[3] : second };
  guint64      *nearest = output.nearest + (p - (odd ? 2 : 0));

  if (y >= columns.height)
    return;
  if (x - (odd ? 4 : 0) < columns.width)
    __stcs ((uint4 *) nearest,
            two_sites (own[0], own[1], here, width));
  if (x + (odd ? 0 : 4) < columns.width)
    __stcs ((uint4 *) (nearest + 4),
            two_sites (own[2], own[3], here + 4, width));
  if (x < columns.width)
    __stcs ((float4 *) ((float *) output.pixels + p),
            make_float4 (wf_root_16 (keys.v[0] >> 16), wf_root_16 (keys.v[1] >> 16),
                         wf_root_16 (keys.v[2] >> 16), wf_root_16 (keys.v[3] >> 16)));
}

/* Through shared memory, so that a warp writes neighbouring pixels at once: @y is the row
 * of its first lane.
 */
__device__ __forceinline__ void
write_rows (const WfColumns     &columns,
            const WfLocalOutput &output,
            int                  left,
            int                  y,
            const Keys          &keys,
            uint4               *staged)
{
  const int      lane  = wf_lane ();
  const int      x     = left + lane;
  const guint32 *words = (const guint32 *) staged;

  __syncwarp ();
  staged[lane] = make_uint4 (keys.v[0], keys.v[1], keys.v[2], keys.v[3]);
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const guint32 key    = words[k * 32 + lane];
      const guint32 square = key >> 16;
      const gint64  p      = (gint64) (y + k) * columns.width + x;

      if (x < columns.width && y + k < columns.height && ! (output.foreground_only && square == 0))
        {
          const int across = (int) (key >> 8 & 0xff) - COLUMN_HERE;
          const int down   = (int) (key & 0xff) - ROW_HERE;

          __stcs ((unsigned long long *) output.nearest + p,
                  (unsigned long long) wf_site_index (columns, x + across, y + k + down));
          if (output.pixels && output.squared)
            __stcs ((unsigned long long *) output.pixels + p, (unsigned long long) square);
          else if (output.pixels)
            __stcs ((float *) output.pixels + p,
                    output.negative ? 0 - wf_root_16 (square) : wf_root_16 (square));
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
  OwnColumns own;
  int        task = warp;

  if (top >= columns.height)
    return;
  if (threadIdx.x == 0)
    shared.next = NEAR_WARPS;
  if (! __syncthreads_or (read_columns (columns, band, left, own)))
    {
      mark_all_far (columns, far, band);
      return;
    }
#pragma unroll
  for (int i = 0; i < NEAR_OWN; i++)
    write_half_column (own.word[i], own.above[i], own.below[i], blockIdx.z,
                       keys + threadIdx.x + i * NEAR_THREADS);
  __syncthreads ();

  while (task < NEAR_TILES * (HALF / 4))
    {
      const int first = task / (HALF / 4) * 32;
      int       after = 0;

      if (lane == 0)
        after = atomicAdd (&shared.next, 1);
      if (left + first < columns.width)
        {
          const int    row  = task % (HALF / 4) * 4 + lane / 8;
          const uint4 *here = shared.keys + (row * NEAR_COLUMNS + WF_REACH + first) / 4 + lane % 8;
          const Keys   own_columns = read_keys (here);
          Keys         best        = own_columns;

          if (! search<0> (here, best, own_columns, own_columns))
            {
              if (lane == 0)
                mark_far (far, band, (left + first) / 32);
            }
          else if (CASE == USUAL)
            write_fours (columns, output, left + first + lane % 8 * 4, top + row, best);
          else
            write_rows (columns, output, left + first, top + row - lane / 8, best,
                        shared.staged[warp]);
        }
      task = __shfl_sync (WF_ALL_LANES, after, 0);
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
  const dim3 grid ((columns->width + NEAR_WIDTH - 1) / NEAR_WIDTH, columns->n_bands, 2);
  const bool usual = ! columns->border && ! output->foreground_only && output->pixels &&
                     ! output->squared && columns->width % 4 == 0 &&
                     (guintptr) output->pixels % 16 == 0 && (guintptr) output->nearest % 16 == 0;

  (usual ? find_near_sites<USUAL> : find_near_sites<OTHER>)
    <<<grid, NEAR_THREADS, 0, cuda->stream>>> (*columns, *far, *output);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
