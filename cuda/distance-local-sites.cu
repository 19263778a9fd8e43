/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distances and nearest pixels where they are near: as find_near in distance-local-near.cu,
 * but a pixel of its own is kept for each result, in 32 bits: the squared distance in the
 * upper half and the column in the lower, counted from the pixel, so that of equal
 * distances the smallest x wins.  The search goes on until all distances are less than
 * that to the columns that are left, because the left of them could win a tie.
 *
 * In its column a result's pixel is as many rows away as is left of the squared distance,
 * above if there is background, else below.  The words of three bands above tell.
 *
 * Bytes a pixel: 1/8 · (512 / 384) read, mostly from the cache; 8 and 4 written.
 */

#include "distance-local-near.cuh"

#if defined (__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define SITES_BLOCKS 1
#elif defined (__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890)
#define SITES_BLOCKS 2
#else
#define SITES_BLOCKS 4
#endif

/* What stands for the pixel's own column. */
#define HERE 128

/* Of four columns of the rows k and k + 16. */
typedef struct
{
  guint32 upper[4];
  guint32 lower[4];
} Keys;

/**
 * Shared:
 * @squares: as pairs, see square_column()
 * @words: of the columns, in the band itself and the three above it, from above
 * @staged: for each warp the keys that it has found, of upper rows or of lower rows
 */
typedef struct
{
  uint4   squares[16 * NEAR_COLUMNS / 4];
  guint32 words[WF_EMPTY_BANDS + 1][NEAR_COLUMNS];
  uint4   staged[NEAR_WARPS][32];
  int     next;
} Shared;

/* Without a column. */
__device__ __forceinline__ Keys
read_keys (const uint4 *squares)
{
  const Pairs pairs = read_pairs (squares);
  Keys        keys;

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      keys.upper[i] = pairs.v[i] << 16;
      keys.lower[i] = pairs.v[i] & 0xffff0000u;
    }
  return keys;
}

template <int REACHED, int STEP>
__device__ __forceinline__ void
compare_columns (Keys       &best,
                 const Keys &far_left,
                 const Keys &left,
                 const Keys &right,
                 const Keys &far_right)
{
  constexpr int     away     = REACHED + STEP;
  constexpr guint32 to_left  = ((guint32) (away * away) << 16) + HERE - away;
  constexpr guint32 to_right = ((guint32) (away * away) << 16) + HERE + away;

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      const Keys &on_left  = i < STEP ? far_left : left;
      const Keys &on_right = i + STEP < 4 ? right : far_right;

      best.upper[i] = wf_add_min (on_left.upper[(i - STEP) & 3], to_left, best.upper[i]);
      best.lower[i] = wf_add_min (on_left.lower[(i - STEP) & 3], to_left, best.lower[i]);
      best.upper[i] = wf_add_min (on_right.upper[(i + STEP) & 3], to_right, best.upper[i]);
      best.lower[i] = wf_add_min (on_right.lower[(i + STEP) & 3], to_right, best.lower[i]);
    }
}

/* Searches on from @REACHED columns to each side, see distance-local-near.cu. */
template <int REACHED>
__device__ __forceinline__ bool
search (const uint4 *squares,
        Keys        &best,
        const Keys  &left,
        const Keys  &right)
{
  const guint32 most = max (max (max (best.upper[0], best.upper[1]),
                                 max (best.upper[2], best.upper[3])),
                            max (max (best.lower[0], best.lower[1]),
                                 max (best.lower[2], best.lower[3])));

  if (! __any_sync (0xffffffffu, most >= (guint32) ((REACHED + 1) * (REACHED + 1)) << 16))
    return true;

  if constexpr (REACHED < WF_REACH)
    {
      const Keys far_left  = read_keys (squares - REACHED / 4 - 1);
      const Keys far_right = read_keys (squares + REACHED / 4 + 1);

      compare_columns<REACHED, 1> (best, far_left, left, right, far_right);
      compare_columns<REACHED, 2> (best, far_left, left, right, far_right);
      compare_columns<REACHED, 3> (best, far_left, left, right, far_right);
      compare_columns<REACHED, 4> (best, far_left, left, right, far_right);
      return search<REACHED + 4> (squares, best, far_left, far_right);
    }
  else
    return false;
}

/* How many rows the pixel that @key stands for is below row @row of the band; negative
 * above.  @column: the key's own, @away to the left of the pixel's.
 *
 * The root of the square of an integer below 2^8: the estimate is right but for
 * rounding, which adding 2^23 does.
 */
__device__ __forceinline__ int
rows_to_site (const Shared *shared,
              int           column,
              int           away,
              int           row,
              guint32       square)
{
  const float   x    = __uint_as_float (0x4b000000u | (square - (guint32) (away * away)))
                       - 8388608.0f;
  const float   root = x * wf_reciprocal_root (x + 1e-20f);
  const guint32 rows = __float_as_uint (root + 8388608.0f) & 0xff;
  const guint32 bit  = WF_EMPTY_BANDS * WF_BAND + row - rows;

  return shared->words[bit / 32][column + away] >> bit % 32 & 1 ? -(int) rows : (int) rows;
}

/* The usual case is a kernel of its own: floats of all pixels, no background outside. */
enum Case { USUAL, OTHER };

/* The lane has a column, @column of the block, of four rows from @row on. */
template <Case CASE>
__device__ __forceinline__ void
write_keys (const Shared        *shared,
            const WfColumns     &columns,
            const WfLocalOutput &output,
            int                  left,
            int                  top,
            int                  row,
            int                  column,
            const guint32       *keys)
{
  const int    x         = left - WF_REACH + column;
  const int    n         = columns.height - top - row;
  gint64       p         = (gint64) (top + row) * columns.width + x;
  guint64     *nearest   = output.nearest + p;
  float       *distances = (float *) output.pixels + p;

  if (x >= columns.width)
    return;
#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const guint32 key    = keys[k * 32];
      const guint32 square = key >> 16;
      const int     away   = (int) (key & 0xffff) - HERE;
      const int     down   = rows_to_site (shared, column, away, row + k, square);
      guint64       site   = p + (down * columns.width + away);

      if (k < n && CASE == USUAL)
        {
          __stcs ((unsigned long long *) nearest, (unsigned long long) site);
          __stcs (distances, wf_root_16 (square));
        }
      else if (k < n && ! (output.foreground_only && square == 0))
        {
          if (columns.border)
            site = wf_site_index (columns, x + away, top + row + k + down);
          *nearest = site;
          if (output.pixels && output.squared)
            ((guint64 *) output.pixels)[p] = square;
          else if (output.pixels)
            *distances = output.negative ? 0 - wf_root_16 (square) : wf_root_16 (square);
        }
      p         += columns.width;
      nearest   += columns.width;
      distances += columns.width;
    }
}

/* As find_near. */
template <Case CASE>
__global__ void
__launch_bounds__ (NEAR_THREADS, SITES_BLOCKS)
find_near_sites (WfColumns     columns,
                 WfFarTiles    far,
                 WfLocalOutput output)
{
  __shared__ Shared shared;
  const int  lane = threadIdx.x % 32;
  const int  warp = threadIdx.x / 32;
  const int  band = blockIdx.y;
  const int  left = blockIdx.x * NEAR_WIDTH;
  OwnColumns own;
  int        task = warp;

  if (threadIdx.x == 0)
    shared.next = NEAR_WARPS;
  if (! __syncthreads_or (read_columns (columns, band, left, own)))
    {
      mark_all_far (columns, far, band);
      return;
    }
#pragma unroll
  for (int i = 0; i < NEAR_OWN; i++)
    {
      const int column = threadIdx.x + i * NEAR_THREADS;

      for (int k = 0; k < WF_EMPTY_BANDS; k++)
        shared.words[k][column] = *wf_column_word (columns, band - WF_EMPTY_BANDS + k,
                                                   left - WF_REACH + column);
      shared.words[WF_EMPTY_BANDS][column] = own.word[i];
      square_column (own.word[i], own.above[i], own.below[i], (guint32 *) shared.squares + column);
    }
  __syncthreads ();

  while (task < NEAR_TILES * 4)
    {
      const int first = task / 4 * 32;
      int       after = 0;

      if (lane == 0)
        after = atomicAdd (&shared.next, 1);
      if (left + first < columns.width)
        {
          const int    row  = task % 4 * 4 + lane / 8;
          const uint4 *here = shared.squares
                              + (row * NEAR_COLUMNS + WF_REACH + first) / 4 + lane % 8;
          const Keys   own_columns = read_keys (here);
          Keys         best;

#pragma unroll
          for (int i = 0; i < 4; i++)
            {
              best.upper[i] = own_columns.upper[i] + HERE;
              best.lower[i] = own_columns.lower[i] + HERE;
            }
          if (search<0> (here, best, own_columns, own_columns))
            {
              const guint32 *staged = (const guint32 *) shared.staged[warp] + lane;
              const int      column = WF_REACH + first + lane;

              shared.staged[warp][lane] = make_uint4 (best.upper[0], best.upper[1],
                                                      best.upper[2], best.upper[3]);
              __syncwarp ();
              write_keys<CASE> (&shared, columns, output, left, band * WF_BAND, task % 4 * 4,
                                column, staged);
              __syncwarp ();
              shared.staged[warp][lane] = make_uint4 (best.lower[0], best.lower[1],
                                                      best.lower[2], best.lower[3]);
              __syncwarp ();
              write_keys<CASE> (&shared, columns, output, left, band * WF_BAND,
                                task % 4 * 4 + 16, column, staged);
              __syncwarp ();
            }
          else if (lane == 0)
            mark_far (far, band, (left + first) / 32);
        }
      task = __shfl_sync (0xffffffffu, after, 0);
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
  const dim3 grid ((columns->width + NEAR_WIDTH - 1) / NEAR_WIDTH, columns->n_bands);
  const bool usual = ! columns->border && ! output->foreground_only && output->pixels &&
                     ! output->squared;

  (usual ? find_near_sites<USUAL> : find_near_sites<OTHER>)
    <<<grid, NEAR_THREADS, 0, cuda->stream>>> (*columns, *far, *output);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
