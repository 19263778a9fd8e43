/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lists of columns that far tiles are compared with: see far.cu.  The device skips all of this
 * if no tile is far.
 *
 * Bytes a pixel: carry_rows reads 2/8 and writes 1/8; list_columns reads 2/8 and writes at most
 * 1/4.
 */

#include "local.cuh"

namespace distance_local
{

#define CARRY_SIDE 32
#define LIST_THREADS 512


/* No background in that direction.  Rows are numbered from 0; those of the border are −1 and the
 * height.
 */
#define NO_SITE (-2)

/* A block has 32 columns.  In each, 32 threads have a stretch of bands each.  Does nothing if
 * @count is given and 0.
 */
__global__ void
__launch_bounds__ (CARRY_SIDE * CARRY_SIDE)
carry_rows (WfColumns  columns,
            const int *count,
            guint16   *above,
            guint16   *below)
{
  __shared__ int lasts[CARRY_SIDE][CARRY_SIDE];
  __shared__ int firsts[CARRY_SIDE][CARRY_SIDE];
  const int column  = blockIdx.x * CARRY_SIDE + threadIdx.x;
  const int stretch = (columns.n_bands + CARRY_SIDE - 1) / CARRY_SIDE;
  const int begin   = min (columns.n_bands, (int) threadIdx.y * stretch);
  const int end     = min (columns.n_bands, begin + stretch);
  int       last    = NO_SITE;
  int       first   = NO_SITE;

  if (count && *count == 0)
    return;

#pragma unroll 4
  for (int band = begin; band < end; band++)
    {
      guint32 word = *wf_column_word (columns, band, column - WF_REACH);

      if (word && first == NO_SITE)
        first = band * WF_BAND + __ffs (word) - 1;
      if (word)
        last = band * WF_BAND + 31 - __clz (word);
    }
  lasts[threadIdx.y][threadIdx.x]  = last;
  firsts[threadIdx.y][threadIdx.x] = first;
  __syncthreads ();

  last = first = NO_SITE;
  for (int k = threadIdx.y - 1; k >= 0 && last == NO_SITE; k--)
    last = lasts[k][threadIdx.x];
  for (int k = threadIdx.y + 1; k < CARRY_SIDE && first == NO_SITE; k++)
    first = firsts[k][threadIdx.x];
  if (columns.border && last == NO_SITE)
    last = -1;
  if (columns.border && first == NO_SITE)
    first = columns.height;

#pragma unroll 4
  for (int band = begin; band < end; band++)
    {
      guint32 word = *wf_column_word (columns, band, column - WF_REACH);

      above[band * columns.pitch + column] = last == NO_SITE ? WF_NO_ROW
                                                                   : band * WF_BAND - last;
      if (word)
        last = band * WF_BAND + 31 - __clz (word);
    }
#pragma unroll 4
  for (int band = end - 1; band >= begin; band--)
    {
      guint32 word = *wf_column_word (columns, band, column - WF_REACH);

      below[band * columns.pitch + column] = first == NO_SITE
                                                   ? WF_NO_ROW : first - (band * WF_BAND + 31);
      if (word)
        first = band * WF_BAND + __ffs (word) - 1;
    }
}

/* The same with the sites beyond an image that is a band.  The words of its last rows hold those
 * that lie in the band's last 32 rows, if it has fewer.
 */
__device__ __forceinline__ void
look_beyond (const WfColumns    &columns,
             const WfColumnEnds &ends,
             int                 band,
             int                 column,
             guint32            *above,
             guint32            *below)
{
  if (*above == WF_NO_ROW && wf_rows_before (ends, column, 0) <= ends.reach)
    *above = wf_rows_before (ends, column, band * WF_BAND);
  if (*below == WF_NO_ROW && wf_rows_after (ends, column, columns.height - 1) <= ends.reach &&
      wf_rows_after (ends, column, columns.n_bands * WF_BAND - 1) > 0)
    *below = wf_rows_after (ends, column, band * WF_BAND + 31);
}

/* Returns the list entry of @column, which may be −1 to the width.  Its y is %G_MAXUINT32 if there
 * is no background above or below.  @has_background is set if there is any in the column.
 */
template <bool ENDS>
__device__ __forceinline__ uint2
column_entry (const WfColumns    &columns,
              const WfFarLists   &lists,
              const WfColumnEnds &ends,
              int                 band,
              int                 column,
              bool               *has_background)
{
  const gint64  at    = band * columns.pitch + column + WF_REACH;
  guint32       above = lists.above[at];
  guint32       below = lists.below[at];
  const bool    here  = *wf_column_word (columns, band, column) != 0;

  if (ENDS && column >= 0 && column < columns.width)
    look_beyond (columns, ends, band, column, &above, &below);

  *has_background = here || (above & below) != WF_NO_ROW;
  return make_uint2 ((guint32) (column + 1) | (here ? 0x10000u : 0), above | below << 16);
}

/* A block lists the columns of a band in order.  Each warp handles a stretch of them. */
template <bool ENDS>
__global__ void
__launch_bounds__ (LIST_THREADS)
list_columns (WfColumns    columns,
              WfFarTiles   far,
              WfFarLists   lists,
              WfColumnEnds ends)
{
  __shared__ int counts[LIST_THREADS / 32];
  const int band    = blockIdx.x;
  const int lane    = wf_lane ();
  const int warp    = threadIdx.x / 32;
  const int border  = columns.border;
  const int n       = columns.width + 2 * border;
  const int stretch = ((n + 31) / 32 + LIST_THREADS / 32 - 1) / (LIST_THREADS / 32) * 32;
  const int begin   = min (n, warp * stretch);
  const int end     = min (n, begin + stretch);
  int       at      = 0;

  if (! far.bands[band])
    return;

  for (int k = begin; k < end; k += 32)
    {
      bool listed = false;

      if (k + lane < end)
        column_entry<ENDS> (columns, lists, ends, band, k + lane - border, &listed);
      at += __popc (__ballot_sync (WF_ALL_LANES, listed));
    }
  if (lane == 0)
    counts[warp] = at;
  __syncthreads ();

  at = 0;
  for (int k = 0; k < warp; k++)
    at += counts[k];
  for (int k = begin; k < end; k += 32)
    {
      bool    listed = false;
      uint2   entry  = { };
      guint32 votes;

      if (k + lane < end)
        entry = column_entry<ENDS> (columns, lists, ends, band, k + lane - border, &listed);
      votes = __ballot_sync (WF_ALL_LANES, listed);
      if (listed)
        lists.columns[band * columns.pitch + at + __popc (votes & wf_lanes_before (lane))] = entry;
      at += __popc (votes);
    }
  if (threadIdx.x == LIST_THREADS - 1)
    lists.counts[band] = at;
}


/*  Host  */

static WfFarLists
make_lists (const WfColumns *columns,
            guint8          *memory,
            guint64         *bytes)
{
  const guint64 n       = (guint64) columns->n_bands * columns->pitch;
  const guint64 rows    = wf_cuda_align (n * sizeof (guint16));
  const guint64 entries = wf_cuda_align (n * sizeof (uint2));
  const guint64 at[4]   = { 0, rows, 2 * rows, 2 * rows + entries };

  *bytes = at[3] + wf_cuda_align (columns->n_bands * sizeof (int));
  return { (guint16 *) (memory + at[0]), (guint16 *) (memory + at[1]), (uint2 *) (memory + at[2]),
           (int *) (memory + at[3]), 0 };
}

}

using namespace distance_local;

guint64
wf_cuda_distance_far_memory (const WfColumns *columns)
{
  guint64 bytes;

  make_lists (columns, NULL, &bytes);
  return bytes;
}

gboolean
wf_cuda_distance_carry (WfCuda           *cuda,
                        const WfColumns  *columns,
                        const int        *count,
                        guint16          *above,
                        guint16          *below,
                        GError          **error)
{
  carry_rows<<<columns->pitch / CARRY_SIDE, dim3 (CARRY_SIDE, CARRY_SIDE), 0, cuda->stream>>>
    (*columns, count, above, below);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* The outside is background only beside a band; that above and below is among the ends. */
gboolean
wf_cuda_distance_far_lists (WfCuda              *cuda,
                            const WfColumns     *columns,
                            const WfFarTiles    *far,
                            const WfColumnEnds  *ends,
                            void                *memory,
                            WfFarLists          *lists,
                            GError             **error)
{
  WfColumns inside = *columns;
  guint64   bytes;

  inside.border = columns->border && ! ends->before;
  *lists        = make_lists (columns, (guint8 *) memory, &bytes);
  lists->bias   = ends->reach;
  if (! wf_cuda_distance_carry (cuda, &inside, far->count, lists->above, lists->below, error))
    return FALSE;
  (ends->before ? list_columns<true> : list_columns<false>)
    <<<columns->n_bands, LIST_THREADS, 0, cuda->stream>>> (*columns, *far, *lists, *ends);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
