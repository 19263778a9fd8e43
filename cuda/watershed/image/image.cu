/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Floods of images, with 4 and 8 neighbours: memory and launches.
 *
 * An image in transfer is processed band by band: the lowest neighbours and the first rounds of
 * its tiles are found while the next band is in transfer.  Labels that are sent in bands are
 * written band by band.  A band of a larger image has the rows beside it as a halo (band.inc.cuh).
 * Small results (whether rounds are left, whether exits are left, the
 * number of minima) are read while the device works on.
 */

#include "cuda/core/dispatch.cuh"
#include "engine/core/refusals.h"
#include "cuda/watershed/flood.cuh"
#include "chain-contraction.inc.cuh"
#include "labels.inc.cuh"
#include "level-planes.inc.cuh"
#include "lines.inc.cuh"
#include "lowest-neighbours.inc.cuh"

namespace image_flood
{

/* Rounds after which chains are contracted, and again after eight times as many. */
#define WF_PATIENCE 28

/* Rounds that are queued for each band, while the next one is in transfer. */
#define BAND_ROUNDS 3

/* Divides one piece of memory into arrays, or only counts their bytes if there is none. */
struct WfCarver
{
  guint8  *memory;
  guint64  used;

  template <typename T>
  T *
  take (guint64 n)
  {
    const guint64 at = used;

    used += (n * sizeof (T) + 255) / 256 * 256;
    return memory ? (T *) (memory + at) : NULL;
  }
};

/* Results that the host reads at the end. */
struct WfNews
{
  int     too_deep;
  int     unfinished;
  guint64 n_minima;
};

template <int N>
struct WfFloodOnDevice
{
  typedef WfTile<N> Tile;

  WfCuda            *cuda;
  const WfCudaFlood *flood;
  WfTiling           tiling;
  gint64             n_slots;
  gint64             n_blocks;     /* of the map of first pixels */
  WfPlanes<N>        planes;
  WfSlots            slots;
  WfRanks            ranks;
  WfTilePlateaux     tile_plateaux;   /* only if plateaux are large */

  WfDeviceArray<guint8>   memory;
  WfDeviceArray<guint16>  plateau_names;
  WfTileRounds            rounds;
  guint32                *border_depths;
  WfNews                 *news;
  guint16                *ends;
  guint32                *depths;      /* only if lines are drawn */
  guint32                *bits;
  guint32                *before;
  guint64                *blocks;

  unsigned int
  blocks_for (gint64 n) const
  {
    return wf_cuda_blocks (cuda, n, 256, 8);
  }

  /* Whether L2 is all that is wanted. */
  bool
  measures_only (void) const
  {
    const WfFloodBand *band = flood->task->band;

    return band && band->step == WF_FLOOD_MEASURE;
  }

  guint64  lay_out                (guint8 *start);
  guint64  count_bytes            (void);
  void     find_arrays            (guint8 *start);
  gboolean allocate               (GError **error);
  gboolean find_lowest_neighbours (guint32   first,
                                   guint32   end,
                                   GError  **error);
  gboolean name_tile_plateaux     (GError **error);
  gboolean contract_chains        (int     *found,
                                   GError **error);
  gboolean visit                  (const WfTileLists  &lists,
                                   const WfTileRange  &range,
                                   bool                every,
                                   unsigned int        most,
                                   GError            **error);
  gboolean finish_rounds          (bool     whole,
                                   int      n_rounds,
                                   GError **error);
  gboolean point                  (const guint32  *left,
                                   GError        **error);
  gboolean resolve                (const guint32  *left,
                                   GError        **error);
  gboolean begin_band             (int       i,
                                   guint32  *n_classified,
                                   guint32  *n_visited,
                                   GError  **error);
  gboolean take_bands             (GError **error);
  gboolean take_whole             (GError **error);
  gboolean find_paths             (GError **error);
  gboolean number_minima          (GError **error);
  gboolean count_minima           (GError **error);
  gboolean write                  (GError **error);
  gboolean finish                 (GError **error);
  gboolean run                    (GError **error);

  template <typename Pixel>
  gboolean
  find_lowest_neighbours_of (guint32   first,
                             guint32   end,
                             GError  **error)
  {
    const guint64      alignment   = tiling.width * sizeof (Pixel) | (gsize) flood->level;
    const bool         whole_words = alignment % 4 == 0;
    const unsigned int n_blocks    = (end - first + LEVEL_WARPS - 1) / LEVEL_WARPS;
    const gint64       before      = tiling.first > 0 ? 63 * tiling.width : 0;    /* of a halo */
    const Pixel       *level       = (const Pixel *) flood->level - before;

    if constexpr (sizeof (Pixel) < 4)
      if (whole_words)
        {
          if (alignment % 16 == 0)
            find_lowest_in_planes<N, true><<<n_blocks, LEVEL_WARPS * 32, 0, cuda->stream>>>
              (tiling, first, end, level, flood->markers, planes, border_depths);
          else
            find_lowest_in_planes<N, false><<<n_blocks, LEVEL_WARPS * 32, 0, cuda->stream>>>
              (tiling, first, end, level, flood->markers, planes, border_depths);
          WF_CUDA_CHECK_LAUNCH ();
          return TRUE;
        }
    image_flood::find_lowest_neighbours<N, Pixel><<<end - first, WF_TILE_THREADS, 0, cuda->stream>>>
      (tiling, first, level, whole_words, flood->markers, planes, border_depths);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }

  template <typename Pixel>
  gboolean
  draw_lines_of (GError **error)
  {
    const WfOrder<N, Pixel> order = { tiling, (const Pixel *) flood->level, planes, depths };

    draw_lines<N, Pixel><<<tiling.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
      (order, flood->basins, flood->labels);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }
};

/* Returns the bytes that all arrays take. */
template <int N>
guint64
WfFloodOnDevice<N>::lay_out (guint8 *start)
{
  const guint64 n_tiles = tiling.n_tiles;
  const bool    minima  = flood->markers == NULL;
  WfCarver      carver  = { start, 0 };

  planes.data  = carver.take<uint4> (n_tiles * WfPlanes<N>::ALL * 32);
  border_depths        = carver.take<guint32> (n_slots);
  news         = carver.take<WfNews> (1);
  ends         = carver.take<guint16> (n_tiles * WF_TILE_PIXELS);
  depths       = flood->draws_lines () ? carver.take<guint32> (n_tiles * WF_TILE_PIXELS) : NULL;
  slots.next   = carver.take<guint32> (n_slots);
  slots.root   = carver.take<guint16> (n_slots);
  slots.label  = carver.take<guint32> (n_slots);
  slots.joined = minima ? carver.take<guint32> (n_slots) : NULL;
  slots.first  = minima ? carver.take<guint64> (n_slots) : NULL;
  bits         = minima ? carver.take<guint32> (n_blocks * WF_BLOCK_WORDS) : NULL;
  before       = minima ? carver.take<guint32> (n_blocks * WF_BLOCK_THREADS) : NULL;
  blocks       = minima ? carver.take<guint64> (n_blocks) : NULL;
  ranks        = { bits, before, blocks };
  return carver.used;
}

template <int N>
guint64
WfFloodOnDevice<N>::count_bytes (void)
{
  const gint64 words = tiling.height * tiling.row_words;

  n_blocks = (words + WF_BLOCK_WORDS - 1) / WF_BLOCK_WORDS;
  return lay_out (NULL);
}

template <int N>
void
WfFloodOnDevice<N>::find_arrays (guint8 *start)
{
  count_bytes ();
  lay_out (start);
}

template <int N>
gboolean
WfFloodOnDevice<N>::allocate (GError **error)
{
  const gint64 words = tiling.height * tiling.row_words;

  if (! memory.allocate (cuda, count_bytes (), error) ||
      ! rounds.open (cuda, tiling.n_tiles, error))
    return FALSE;
  find_arrays (memory.data);

  WF_CUDA_CHECK (cudaMemsetAsync (news, 0, sizeof *news, cuda->stream));
  if (bits)
    WF_CUDA_CHECK (cudaMemsetAsync (bits + words, 0,
                                    (n_blocks * WF_BLOCK_WORDS - words) * sizeof (guint32),
                                    cuda->stream));
  if (depths)
    WF_CUDA_CHECK (cudaMemsetAsync (depths, 0, (gint64) tiling.n_tiles * WF_TILE_PIXELS
                                               * sizeof (guint32), cuda->stream));
  /* Tiles that are not classified yet have no L2. */
  if (flood->coming)
    WF_CUDA_CHECK (cudaMemsetAsync (border_depths, 0xff, n_slots * sizeof (guint32), cuda->stream));
  return TRUE;
}

/* Finds the lowest neighbours in the tiles from @first up to @end. */
template <int N>
gboolean
WfFloodOnDevice<N>::find_lowest_neighbours (guint32   first,
                                            guint32   end,
                                            GError  **error)
{
  if (first >= end)
    return TRUE;
  return wf_dispatch_pixels (flood->task->type, [&] (auto pixel)
    {
      return find_lowest_neighbours_of<decltype (pixel)> (first, end, error);
    });
}

/* The tile plateaux of pixels use the memory of their ends. */
template <int N>
gboolean
WfFloodOnDevice<N>::name_tile_plateaux (GError **error)
{
  if (! plateau_names.allocate (cuda, n_slots, error))
    return FALSE;
  tile_plateaux = { plateau_names.data, ends };
  find_tile_plateaux<N><<<tiling.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
    (planes, flood->markers != NULL, tile_plateaux);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Carries L2 along chains.  @found is set if there are any. */
template <int N>
gboolean
WfFloodOnDevice<N>::contract_chains (int     *found,
                                     GError **error)
{
  WfDeviceArray<WfLink>  links[2];
  WfDeviceArray<int>     changed;
  const WfLink          *ranked;

  if ((! tile_plateaux.slots && ! name_tile_plateaux (error)) ||
      ! links[0].allocate (cuda, n_slots, error) ||
      ! links[1].allocate (cuda, n_slots, error) ||
      ! changed.allocate (cuda, 1, error))
    return FALSE;

  WfLink *const arrays[] = { links[0].data, links[1].data };

  WF_CUDA_CHECK (cudaMemsetAsync (changed.data, 0, sizeof (int), cuda->stream));
  link_chains<N><<<(tiling.n_tiles + LINK_WARPS - 1) / LINK_WARPS, LINK_WARPS * 32, 0,
                   cuda->stream>>>
    (tiling, planes, border_depths, tile_plateaux.slots, links[0].data, changed.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, found, changed.data, sizeof *found, error))
    return FALSE;
  if (! *found)
    return TRUE;
  cross_tile_borders<N><<<blocks_for (n_slots), 256, 0, cuda->stream>>>
    (tiling, planes, border_depths, links[0].data);
  WF_CUDA_CHECK_LAUNCH ();

  if (! wf_cuda_rank_chains (cuda, n_slots, arrays, changed.data, &ranked, error))
    return FALSE;
  lower_border_depths<<<blocks_for (n_slots), 256, 0, cuda->stream>>>
    (n_slots, ranked, border_depths);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Runs one round with @most blocks of threads. */
template <int N>
gboolean
WfFloodOnDevice<N>::visit (const WfTileLists  &lists,
                           const WfTileRange  &range,
                           bool                every,
                           unsigned int        most,
                           GError            **error)
{
  relax_plateaux<N><<<most, RELAX_WARPS * 32, 0, cuda->stream>>>
    (tiling, planes, border_depths, flood->markers != NULL, every, lists, range,
     tile_plateaux.slots, &news->too_deep);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Runs rounds until no tile is listed, then finds arrows and paths, if they are wanted. */
template <int N>
gboolean
WfFloodOnDevice<N>::finish_rounds (bool     whole,
                                   int      n_rounds,
                                   GError **error)
{
  const guint32      n    = tiling.end - tiling.first;
  const unsigned int all  = wf_cuda_blocks (cuda, (gint64) n * 32, RELAX_WARPS * 32, 2);
  const unsigned int some = MIN (all, (unsigned int) cuda->n_units * 8);

  return wf_cuda_finish_rounds (&rounds, whole, n_rounds, WF_PATIENCE,
                                [&] (bool of_all, bool every, const WfTileLists &lists,
                                     GError **problem)
                                {
                                  const WfTileRange range = { tiling.first, of_all ? n : 0,
                                                              tiling.end };

                                  return visit (lists, range, every, of_all ? all : some, problem);
                                },
                                [&] (int *found, GError **problem)
                                {
                                  return contract_chains (found, problem);
                                },
                                [&] (const guint32 *left, GError **problem)
                                {
                                  return measures_only () || resolve (left, problem);
                                },
                                error);
}

template <int N>
gboolean
WfFloodOnDevice<N>::point (const guint32  *left,
                           GError        **error)
{
  const unsigned int n_blocks  = (tiling.end - tiling.first + POINT_WARPS - 1) / POINT_WARPS;
  const int          n_threads = POINT_WARPS * 32;
  const bool         join      = flood->markers == NULL;

  if (tile_plateaux.slots)
    point_clocked_arrows<N><<<n_blocks, n_threads, 0, cuda->stream>>>
      (left, tiling, planes, border_depths, tile_plateaux, join,
       flood->task->last_index, depths);
  else
    point_arrows<N><<<n_blocks, n_threads, 0, cuda->stream>>>
      (left, tiling, planes, border_depths, join, flood->task->last_index, depths);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* The kernels do nothing if there are rounds @left. */
template <int N>
gboolean
WfFloodOnDevice<N>::resolve (const guint32  *left,
                             GError        **error)
{
  if (! point (left, error))
    return FALSE;
  resolve_paths<N><<<tiling.end - tiling.first, WF_TILE_THREADS, 0, cuda->stream>>>
    (left, tiling, planes, flood->markers == NULL, ends, bits, slots);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}


/*  While the image is in transfer  */

/* Processes the tiles of the bands that have arrived.  The lowest neighbours of a tile need the row
 * of pixels below it, and its first visit needs the lowest neighbours of the tiles below it.
 */
template <int N>
gboolean
WfFloodOnDevice<N>::begin_band (int       i,
                                guint32  *n_classified,
                                guint32  *n_visited,
                                GError  **error)
{
  const bool    last   = i == flood->coming->n - 1;
  const gint64  rows   = flood->coming->end[i] / Tile::Y;
  const guint32 ready  = last ? tiling.n_tiles : MAX (rows - 1, 0) * tiling.across;
  const guint32 beyond = last ? ready : MAX (rows - 2, 0) * tiling.across;
  const guint32 most   = cuda->n_units * 8;
  WfTileRange   range  = { *n_visited, beyond - *n_visited, ready };

  if (! wf_cuda_await_band (cuda, flood->coming, i, error) ||
      ! find_lowest_neighbours (*n_classified, ready, error))
    return FALSE;
  for (int k = 0; k < BAND_ROUNDS; k++, range.n = 0)
    {
      const guint32 wanted = MAX (range.n, 4 * tiling.across) / RELAX_WARPS + 1;

      if (! visit (rounds.next (false), range, false, MIN (most, wanted), error))
        return FALSE;
    }
  *n_classified = ready;
  *n_visited    = beyond;
  return TRUE;
}

template <int N>
gboolean
WfFloodOnDevice<N>::take_bands (GError **error)
{
  guint32 n_classified = 0;
  guint32 n_visited    = 0;

  for (int i = 0; i < flood->coming->n; i++)
    if (! begin_band (i, &n_classified, &n_visited, error))
      return FALSE;
  return finish_rounds (false, 0, error);
}

template <int N>
gboolean
WfFloodOnDevice<N>::take_whole (GError **error)
{
  return find_lowest_neighbours (tiling.first, tiling.end, error) &&
         finish_rounds (true, WF_FIRST_ROUNDS, error);
}


/*  Labels  */

template <int N>
gboolean
WfFloodOnDevice<N>::number_minima (GError **error)
{
  join_minima_over_tiles<N><<<(tiling.end - tiling.first + 7) / 8, 256, 0, cuda->stream>>>
    (tiling, border_depths, slots.joined);
  WF_CUDA_CHECK_LAUNCH ();
  find_first_pixels<<<blocks_for (n_slots / 2), 256, 0, cuda->stream>>> (n_slots, slots);
  WF_CUDA_CHECK_LAUNCH ();
  mark_first_pixels<<<blocks_for (n_slots / 2), 256, 0, cuda->stream>>> (n_slots, slots, bits);
  WF_CUDA_CHECK_LAUNCH ();
  return count_minima (error);
}

/* Counts the first pixels of minima. */
template <int N>
gboolean
WfFloodOnDevice<N>::count_minima (GError **error)
{
  wf_count_bits<<<n_blocks, WF_BLOCK_THREADS, 0, cuda->stream>>> (bits, before, blocks);
  WF_CUDA_CHECK_LAUNCH ();
  wf_scan_blocks<<<1, 1024, 0, cuda->stream>>> (blocks, n_blocks, &news->n_minima);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Writes the labels, in bands if they are sent in bands. */
template <int N>
gboolean
WfFloodOnDevice<N>::write (GError **error)
{
  const WfCudaBands *going  = flood->going;
  const int          n      = going ? going->n : 1;
  const gint64       before = tiling.first > 0 ? 64 * tiling.width : 0;     /* rows of a halo */
  guint32            first  = tiling.first;

  for (int i = 0; i < n; i++)
    {
      const guint32 end = i == n - 1 ? tiling.end
                                     : tiling.first + going->end[i] / Tile::Y * tiling.across;

      write_labels<N><<<end - first, WF_TILE_THREADS, 0, cuda->stream>>>
        (tiling, first, ends, slots, ranks, flood->markers, planes, flood->minima_only,
         (flood->draws_lines () ? flood->basins : flood->labels) - before);
      WF_CUDA_CHECK_LAUNCH ();
      if (going && ! wf_cuda_send_band (cuda, i, error))
        return FALSE;
      first = end;
    }
  return TRUE;
}

/* Follows all exits and writes the labels, if they are wanted.  In most images one launch follows
 * all exits, so labels that are sent in bands are written before the host knows whether it did.
 */
template <int N>
gboolean
WfFloodOnDevice<N>::finish (GError **error)
{
  WfNews found;
  bool   all = false;

  do
    {
      WF_CUDA_CHECK (cudaMemsetAsync (&news->unfinished, 0, sizeof (int), cuda->stream));
      follow_exits<N><<<(tiling.n_tiles + FOLLOW_WARPS - 1) / FOLLOW_WARPS, FOLLOW_WARPS * 32, 0,
                        cuda->stream>>>
        (tiling, slots, ranks, flood->markers, all, &news->unfinished);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_ask (cuda, news, sizeof found, error) ||
          (flood->going && ! write (error)) ||
          ! wf_cuda_answer (cuda, &found, sizeof found, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
      all = true;
    }
  while (found.unfinished);

  if (found.too_deep)
    return wf_cuda_flood_fail (WF_FLOOD_TOO_DEEP, error);
  if (found.n_minima > G_MAXUINT32)
    return wf_cuda_flood_fail (WF_FLOOD_TOO_MANY, error);
  if (! flood->markers)
    *flood->n_minima = found.n_minima;
  return flood->going || ! flood->labels || write (error);
}

/* When all memory is there: up to the exits of all tiles, and the numbers of minima. */
template <int N>
gboolean
WfFloodOnDevice<N>::find_paths (GError **error)
{
  return (flood->coming ? take_bands (error) : take_whole (error)) &&
         wf_cuda_advance (cuda, 1, error) &&
         (flood->markers || number_minima (error));
}

template <int N>
gboolean
WfFloodOnDevice<N>::run (GError **error)
{
  if (! allocate (error) || ! find_paths (error) || ! finish (error))
    return FALSE;
  return ! flood->draws_lines () || wf_dispatch_pixels (flood->task->type, [&] (auto pixel)
           {
             return draw_lines_of<decltype (pixel)> (error);
           });
}

template <int N>
static gboolean
flood_tiles (WfCuda             *cuda,
             const WfCudaFlood  *flood,
             GError            **error)
{
  WfFloodOnDevice<N> state;

  state.cuda    = cuda;
  state.flood   = flood;
  state.tiling  = wf_tiling (flood->task->shape.width, flood->task->shape.height);
  state.n_slots = (gint64) state.tiling.n_tiles * WfTile<N>::N_SLOTS;
  state.tile_plateaux = { NULL, NULL };
  return state.run (error);
}

} /* namespace image_flood */

#include "band.inc.cuh"

gboolean
wf_cuda_flood_image (WfCuda             *cuda,
                     const WfCudaFlood  *flood,
                     GError            **error)
{
  return wf_dispatch_value<4, 8> (flood->task->connectivity, [&] (auto connectivity)
    {
      return image_flood::flood_tiles<decltype (connectivity)::value> (cuda, flood, error);
    });
}

gboolean
wf_cuda_upload_flood_rows (WfCuda                 *cuda,
                           const WfWatershedTask  *task,
                           guint32                *rows,
                           GError                **error)
{
  return image_flood::upload_all_rows (cuda, task, rows, error);
}

gboolean
wf_cuda_flood_band (WfCuda             *cuda,
                    const WfCudaFlood  *flood,
                    guint32            *rows,
                    GError            **error)
{
  return wf_dispatch_value<4, 8> (flood->task->connectivity, [&] (auto connectivity)
    {
      return image_flood::flood_band<decltype (connectivity)::value> (cuda, flood, rows, error);
    });
}
