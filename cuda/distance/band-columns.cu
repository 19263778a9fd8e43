/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of a band of a larger image: which sites they tell the other bands, and which sites
 * these have told them.
 *
 * Summary: the band is packed to one bit a pixel (exact-local/pack.cu), and a thread looks at the
 * words of its column, from the first on and from the last on, until one holds a site.  Foreground
 * is what is not background.
 *
 * Bytes a pixel: the image's own read, 1/8 written in packing; at most 2/8 read, 4 or 8 for each
 * column written.
 */

#include "cuda/distance/exact-envelope/plan.cuh"

namespace distance_columns
{

#define THREADS 256

/* The bits of @band's rows that the image has. */
__device__ __forceinline__ guint32
rows_inside (const WfColumns &columns,
             int              band)
{
  const int n = columns.height - band * WF_BAND;

  return n >= WF_BAND ? 0xffffffffu : (1u << n) - 1;
}

/* The sites of a column in @band; of a kind, 1 for foreground. */
__device__ __forceinline__ guint32
sites_of (const WfColumns &columns,
          int              band,
          int              column,
          int              kind)
{
  const guint32 background = *wf_column_word (columns, band, column);

  return kind ? ~background & rows_inside (columns, band) : background;
}

/* @first: position of the band in the whole */
__global__ void
__launch_bounds__ (THREADS)
note_columns (WfColumns  columns,
              int        kind,
              int        first,
              gint32    *firsts,
              gint32    *lasts)
{
  const int column = blockIdx.x * THREADS + threadIdx.x;
  guint32   sites  = 0;
  int       band;

  if (column >= columns.width)
    return;

  for (band = 0; band < columns.n_bands && ! sites; band++)
    sites = sites_of (columns, band, column, kind);
  firsts[column] = sites ? first + (band - 1) * WF_BAND + __ffs (sites) - 1 : WF_NO_SITE;
  if (! sites)
    {
      lasts[column] = WF_NO_SITE;
      return;
    }
  sites = 0;
  for (band = columns.n_bands - 1; ! sites; band--)
    sites = sites_of (columns, band, column, kind);
  lasts[column] = first + (band + 1) * WF_BAND + 31 - __clz (sites);
}

/* The bit of @row in the word of @band, if it is there. */
__device__ __forceinline__ guint32
bit_of (int row,
        int band)
{
  return row >> 5 == band ? 1u << (row & 31) : 0;
}

__global__ void
__launch_bounds__ (THREADS)
enter_ends (WfColumns    columns,
            WfColumnEnds ends)
{
  const int column = blockIdx.x * THREADS + threadIdx.x;
  const int last   = columns.n_bands - 1;

  if (column >= columns.width)
    return;

  const int before = -wf_rows_before (ends, column, 0);
  const int after  = wf_rows_after (ends, column, 0);
  guint32  *words  = (guint32 *) wf_column_word (columns, 0, column);

  for (int band = -columns.n_empty; band < 0; band++)
    words[band * columns.pitch] = bit_of (before, band);
  words[last * columns.pitch] = (words[last * columns.pitch] & rows_inside (columns, last))
                                | bit_of (after, last);
  for (int band = last + 1; band <= last + columns.n_empty; band++)
    words[band * columns.pitch] = bit_of (after, band);
}

static dim3
blocks_of (const WfColumns *columns)
{
  return dim3 ((columns->width + THREADS - 1) / THREADS);
}

}

using namespace distance_columns;

gboolean
wf_cuda_distance_enter_ends (WfCuda              *cuda,
                             const WfColumns     *columns,
                             const WfColumnEnds  *ends,
                             GError             **error)
{
  enter_ends<<<blocks_of (columns), THREADS, 0, cuda->stream>>> (*columns, *ends);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* The words. */
guint64
wf_cuda_distance_summary_memory (const WfDistanceTask *task)
{
  return distance_envelope::make_packed (task).above_at;
}

gboolean
wf_cuda_distance_summary (WfCuda                 *cuda,
                          const WfCudaDistance   *distance,
                          WfDeviceArray<guint8>  *memory,
                          gint32                 *positions,
                          GError                **error)
{
  const WfDistanceTask *task    = distance->task;
  const int             n_kinds = wf_distance_count_kinds (task);
  WfColumns             columns = distance_envelope::make_packed (task).columns;

  if (! memory->allocate (cuda, wf_cuda_distance_summary_memory (task), error))
    return FALSE;
  columns.words = (guint32 *) memory->data;
  if (! wf_cuda_distance_pack (cuda, distance, false, &columns, NULL, 0, error))
    return FALSE;
  for (int kind = 0; kind < n_kinds; kind++)
    {
      gint32 *firsts = positions + 2 * kind * (gint64) columns.width;

      note_columns<<<blocks_of (&columns), THREADS, 0, cuda->stream>>>
        (columns, kind, (int) task->band->first, firsts, firsts + columns.width);
      WF_CUDA_CHECK_LAUNCH ();
    }
  return TRUE;
}
