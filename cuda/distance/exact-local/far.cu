/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact Euclidean distances: the tiles of `local` whose background is far away.
 *
 * 1. lists.cu: for each band and column the distances from the band to the nearest background above
 *    and below it, and for each band with far tiles a list of the columns that have any background.
 * 2. search_far: a block has a supertile of 256 × 32 pixels, each of its warps a tile.  Columns
 *    that cannot hold the nearest background of any pixel in a box are dropped, first for the
 *    supertile, then for the tile.  The test uses the sites (background pixels) nearest to the
 *    four corners of the box.  A column is dropped
 *    – if its distance to the box is greater than that of one of these sites to any point of the
 *      box;
 *    – if one of these sites is at least as near as the column's site to all four corners: the
 *      points nearer to one of two sites form a half plane, so if it contains the corners it
 *      contains the box.  If the column has background inside the band, the whole column is treated
 *      as background: the squared distance to a site minus that to a column is linear along x and
 *      convex along y, so its maximum is at a corner, too.
 *    The remaining columns are compared with every pixel of the tile, with one addition and one
 *    minimum each.
 *
 * For nearest pixels, a column that is only as near as another may still be the result, because its
 * x is smaller.  So it is dropped only if a site is strictly nearer to all four corners.
 *
 * In a band of a larger image, columns have sites above and below it as well; rows are numbered
 * from the first in which a site may lie.
 *
 * The device skips all of this if no tile is far.  Bytes a pixel of a far tile: 4 written; the
 * lists are read from the cache.
 */

#include "boxes.cuh"

namespace distance_local
{

#define FAR_THREADS (32 * WF_FAR_TILES)

#if defined (__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define FAR_BLOCKS 2
#else
#define FAR_BLOCKS 4
#endif

/* Columns that a block can keep at a time. */
#define CAPACITY 1024

/* Up to this many columns in a list, or kept for a supertile, comparing all of them is faster than
 * selecting first.
 */
#define FEW_COLUMNS 16
#define FEW_KEPT 6


/*  The search  */

/* Shared memory of a block of search_far. */
typedef struct
{
  uint4              kept[CAPACITY];
  unsigned long long least[4];                /* squared distance << 32 | site */
  __align__ (16) guint32 rows[WF_FAR_TILES][32];
  __align__ (16) guint32 row_sites[WF_FAR_TILES][32];
  guint32            sites[WF_FAR_TILES][4];
  Rivals             supertile;
  Rivals             tile[WF_FAR_TILES];
  int                n_kept;
  int                item;
} Shared;

/* Finds the supertile's rivals.  Returns the range [x, y) of the list, which is sorted by column,
 * that contains all columns within reach of the supertile.  Called by all threads of the block.
 */
__device__ __forceinline__ int2
choose_range (Shared        *shared,
              const uint2   *list,
              int            n,
              const guint32 *words,
              int            left,
              int            top)
{
  const int lane  = wf_lane ();
  const int right = left + FAR_THREADS - 1;
  const int step  = n > 8192 ? 16 : n > 4096 ? 8 : n > 2048 ? 4 : 1;
  const int probe = (int) ((gint64) threadIdx.x * n / FAR_THREADS);
  Corners   corners;
  int       reach;
  int       column;
  int       before;
  int       up_to;

  corners_init (corners);
  for (int k = threadIdx.x * step; k < n; k += FAR_THREADS * step)
    corners_add (corners, unpack_column (list[k], words), left, right, top);
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      const guint32 least = wf_warp_min (corners.least[i]);
      const guint32 votes = __ballot_sync (WF_ALL_LANES, corners.least[i] == least);

      if (least != G_MAXUINT32 && lane == __ffs (votes) - 1)
        atomicMin (&shared->least[i], (unsigned long long) least << 32 | corners.site[i]);
    }
  __syncthreads ();
  if (threadIdx.x < 32)
    {
      if (lane < 4)
        shared->sites[0][lane] = (guint32) shared->least[lane];
      __syncwarp ();
      find_rivals (&shared->supertile, shared->sites[0], left, right, top, lane);
    }
  __syncthreads ();

  reach  = (int) sqrtf ((float) shared->supertile.reach) + 2;
  column = (int) (list[probe].x & 0xffff) - 1;
  before = __syncthreads_count (column < left - reach);
  up_to  = __syncthreads_count (column <= right + reach);
  return make_int2 (before ? (int) ((gint64) (before - 1) * n / FAR_THREADS) : 0,
                    up_to == FAR_THREADS ? n : (int) ((gint64) up_to * n / FAR_THREADS));
}

/* Keeps columns that can win in the supertile, from @at up to @end, until there is no room.
 * Returns where it stopped.  Called by all threads of the block.
 */
template <bool TIES>
__device__ __forceinline__ int
keep_columns (Shared        *shared,
              const uint2   *list,
              int            at,
              int            end,
              const guint32 *words,
              int            left)
{
  const int lane  = wf_lane ();
  const int right = left + FAR_THREADS - 1;
  int       n     = 0;

  if (threadIdx.x == 0)
    shared->n_kept = 0;
  __syncthreads ();
  do
    {
      const int k      = at + threadIdx.x;
      bool      kept   = false;
      uint2     entry  = { };
      int       place;

      if (k < end)
        {
          entry = list[k];
          kept  = can_win<TIES> (shared->supertile, (int) (entry.x & 0xffff) - 1, entry.x >> 16,
                                 entry.y & 0xffff, entry.y >> 16, left, right);
        }
      place = wf_warp_append (kept, &shared->n_kept);
      if (kept)
        {
          const Column column = unpack_column (entry, words);

          shared->kept[place] = make_uint4 (column.x, column.word, column.above, column.below);
        }
      at += FAR_THREADS;
      __syncthreads ();
      n = shared->n_kept;
      __syncthreads ();
    }
  while (at < end && n <= CAPACITY - FAR_THREADS);
  return at;
}

/* Results of a lane for the 32 rows of its column of a tile.  @site is used only for nearest
 * pixels: x + 1 in the upper half and y + 1 in the lower, so that of equally near sites the
 * smallest value is the result.
 */
template <bool TIES>
struct Best
{
  guint32 square[32];
  guint32 site[TIES ? 32 : 1];
};

/* Compares all pixels of the warp's tile with a column.  Called by a whole warp. */
template <bool TIES>
__device__ __forceinline__ void
compare_column (Shared       *shared,
                Best<TIES>   &best,
                const Column &column,
                int           left,
                int           top)
{
  const int     lane   = wf_lane ();
  const int     warp   = threadIdx.x / 32;
  const int     rows   = rows_to_site (column, lane);
  const int     across = column.x - (left + lane);
  const guint32 square = (guint32) (across * across);
  const uint4  *squares = (const uint4 *) shared->rows[warp];
  const uint4  *sites   = (const uint4 *) shared->row_sites[warp];

  __syncwarp ();
  shared->rows[warp][lane] = (guint32) (rows * rows);
  if (TIES)
    shared->row_sites[warp][lane] = (guint32) (column.x + 1) << 16
                                    | (guint32) (top + lane + rows + 1);
  __syncwarp ();
#pragma unroll
  for (int row = 0; row < 32; row += 4)
    {
      const uint4   four    = squares[row / 4];
      const guint32 down[4] = { four.x, four.y, four.z, four.w };

      if constexpr (TIES)
        {
          const uint4   of_four = sites[row / 4];
          const guint32 site[4] = { of_four.x, of_four.y, of_four.z, of_four.w };

#pragma unroll
          for (int k = 0; k < 4; k++)
            {
              const guint32 sum = down[k] + square;

              if (sum < best.square[row + k] ||
                  (sum == best.square[row + k] && site[k] < best.site[row + k]))
                {
                  best.square[row + k] = sum;
                  best.site[row + k]   = site[k];
                }
            }
        }
      else
        {
#pragma unroll
          for (int k = 0; k < 4; k++)
            best.square[row + k] = wf_add_min (down[k], square, best.square[row + k]);
        }
    }
}

/* Compares a tile with those kept columns that can win in it.  Called by a whole warp. */
template <bool TIES>
__device__ __forceinline__ void
compare_tile (Shared     *shared,
              Corners    &corners,
              Best<TIES> &best,
              int         left,
              int         top)
{
  const int  lane  = wf_lane ();
  const int  warp  = threadIdx.x / 32;
  const int  right = left + 31;
  const int  n     = shared->n_kept;
  const bool all   = n <= FEW_KEPT;

  if (! all)
    {
      for (int k = lane; k < n; k += 32)
        corners_add (corners, column_of_four (shared->kept[k]), left, right, top);
#pragma unroll
      for (int i = 0; i < 4; i++)
        {
          const guint32 least = wf_warp_min (corners.least[i]);
          const guint32 votes = __ballot_sync (WF_ALL_LANES, corners.least[i] == least);

          if (lane == __ffs (votes) - 1)
            shared->sites[warp][i] = corners.site[i];
        }
      __syncwarp ();
      find_rivals (&shared->tile[warp], shared->sites[warp], left, right, top, lane);
      __syncwarp ();
    }

  for (int k = 0; k < n; k += 32)
    {
      bool    kept = false;
      guint32 votes;

      if (k + lane < n)
        {
          const Column column = column_of_four (shared->kept[k + lane]);

          kept = all || can_win<TIES> (shared->tile[warp], column.x, column.word != 0,
                                       column.above, column.below, left, right);
        }
      votes = __ballot_sync (WF_ALL_LANES, kept);
      for (; votes; votes &= votes - 1)
        compare_column (shared, best, column_of_four (shared->kept[k + __ffs (votes) - 1]),
                        left, top);
    }
  __syncwarp ();
}

/* Compares the block's far tiles with all columns within reach of the supertile.  @mine is whether
 * the warp's tile is far.  Called by all threads of the block.
 */
template <bool TIES>
__device__ __forceinline__ void
search_supertile (Shared        *shared,
                  Best<TIES>    &best,
                  const uint2   *list,
                  int            n,
                  const guint32 *words,
                  int            left,
                  int            top,
                  bool           mine)
{
  const int  warp  = threadIdx.x / 32;
  const int2 range = choose_range (shared, list, n, words, left, top);
  Corners    corners;

  corners_init (corners);
  for (int at = range.x; at < range.y;)
    {
      at = keep_columns<TIES> (shared, list, at, range.y, words, left);
      if (mine && shared->n_kept > 0)
        compare_tile (shared, corners, best, left + warp * 32, top);
      __syncthreads ();
    }
}

__device__ __forceinline__ void
write_square (const WfLocalOutput &output,
              gint64               p,
              guint32              square,
              bool                 absent)
{
  if (output.squared)
    __stcs ((unsigned long long *) output.pixels + p,
            absent ? G_MAXUINT64 : (unsigned long long) square);
  else
    {
      const float root = absent ? __int_as_float (0x7f800000) : wf_root_32 (square);

      __stcs ((float *) output.pixels + p, output.negative ? 0 - root : root);
    }
}

template <bool TIES>
__device__ __forceinline__ void
write_column (const WfLocalOutput &output,
              const WfColumns     &columns,
              const Best<TIES>    &best,
              int                  x,
              int                  top,
              bool                 absent)
{
  if (x >= columns.width)
    return;

#pragma unroll
  for (int row = 0; row < 32; row++)
    {
      const gint64 p = (gint64) (top + row) * columns.width + x;

      if (top + row < columns.height && ! (output.foreground_only && best.square[row] == 0))
        {
          if (! TIES || output.pixels)
            write_square (output, p, best.square[row], absent);
          if constexpr (TIES)
            output.nearest[p] = absent ? WF_NEAREST_NONE
                                       : wf_site_index (columns, (int) (best.site[row] >> 16) - 1,
                                                        (int) (best.site[row] & 0xffff) - 1);
        }
    }
}

/* Takes the next supertile with far tiles.  Returns −1 if none is left. */
__device__ __forceinline__ int
take_supertile (const WfFarTiles &far,
                int               count)
{
  const int taken = atomicAdd (far.next, 1);

  return taken < count ? far.supertiles[taken] : -1;
}

/* Blocks take supertiles until none is left.  A block takes the next one before it searches the
 * present one.
 */
template <bool TIES>
__global__ void
__launch_bounds__ (FAR_THREADS, TIES ? FAR_BLOCKS / 2 : FAR_BLOCKS)
search_far (WfColumns     columns,
            WfFarTiles    far,
            WfFarLists    lists,
            WfLocalOutput output)
{
  __shared__ Shared shared;
  const int warp   = threadIdx.x / 32;
  const int count  = *far.count;
  int       coming = threadIdx.x == 0 ? take_supertile (far, count) : -1;

  for (;;)
    {
      Best<TIES> best;

      __syncthreads ();
      if (threadIdx.x == 0)
        shared.item = coming;
      if (threadIdx.x < 4)
        shared.least[threadIdx.x] = G_MAXUINT64;
      __syncthreads ();
      if (shared.item < 0)
        return;

      const int      item  = shared.item;
      const int      band  = item / far.across;
      const int      left  = item % far.across * FAR_THREADS;
      const int      top   = band * WF_BAND;
      const bool     mine  = far.tiles[item] >> warp & 1;
      const guint32 *words = wf_column_word (columns, band, 0);
      const uint2   *list  = lists.columns + band * columns.pitch;
      const int      n     = lists.counts[band];

      if (threadIdx.x == 0)
        {
          coming = take_supertile (far, count);
          if (n == 0)
            *far.absent = 1;
        }
#pragma unroll
      for (int row = 0; row < 32; row++)
        best.square[row] = best.site[TIES ? row : 0] = G_MAXUINT32;
      if (n > FEW_COLUMNS)
        search_supertile (&shared, best, list, n, words, left, top + lists.bias, mine);
      else if (mine)
        for (int k = 0; k < n; k++)
          compare_column (&shared, best, unpack_column (list[k], words), left + warp * 32, top);
      if (mine)
        write_column (output, columns, best, left + (int) threadIdx.x, top, n == 0);
    }
}


/*  Host  */

}

using namespace distance_local;

gboolean
wf_cuda_distance_far (WfCuda               *cuda,
                      const WfColumns      *columns,
                      const WfFarTiles     *far,
                      const WfColumnEnds   *ends,
                      const WfLocalOutput  *output,
                      void                 *memory,
                      GError              **error)
{
  const int  blocks = cuda->n_units * FAR_BLOCKS;
  WfFarLists lists;

  if (! wf_cuda_distance_far_lists (cuda, columns, far, ends, memory, &lists, error))
    return FALSE;
  (output->nearest ? search_far<true> : search_far<false>)
    <<<blocks, FAR_THREADS, 0, cuda->stream>>> (*columns, *far, lists, *output);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
