/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The floods' launches, for one connectivity. */

#pragma once

#include "watershed-corridors.cuh"
#include "watershed-flood.cuh"
#include "watershed-labels.cuh"
#include "watershed-lines.cuh"
#include "watershed-slopes.cuh"

/* After so many rounds corridors are contracted, and again after eight times as many. */
#define WF_PATIENCE 28

template <int N>
struct WfFloodOnDevice
{
  typedef WfTile<N> Tile;

  WfCuda               *cuda;
  const WfCudaFlood    *flood;
  WfTiling              tiling;
  gint64                n_slots;
  WfPlanes<N>           planes;
  WfSlots               slots;
  WfRanks               ranks;
  WfStrands             strands;      /* where plateaux are large */

  WfDeviceArray<uint4>   plane_memory;
  WfDeviceArray<guint32> faces;
  WfDeviceArray<guint16> strand_names;
  WfDeviceArray<int>     flags;       /* too deep; unfinished */
  WfDeviceArray<guint16> ends;
  WfDeviceArray<guint32> depths;
  WfDeviceArray<guint32> next;
  WfDeviceArray<guint16> root;
  WfDeviceArray<guint32> joined;
  WfDeviceArray<guint64> first;
  WfDeviceArray<guint32> label;
  WfDeviceArray<guint32> bits;
  WfDeviceArray<guint32> before;
  WfDeviceArray<guint64> blocks;
  gint64                 n_blocks;

  unsigned int
  blocks_for (gint64 n) const
  {
    return wf_cuda_blocks (cuda, n, 256, 8);
  }

  gboolean find_levels     (GError **error);
  gboolean relax           (GError **error);
  gboolean name_strands    (GError **error);
  gboolean contract_corridors
                           (int     *found,
                            GError **error);
  gboolean point           (GError **error);
  gboolean resolve         (GError **error);
  gboolean number_minima   (GError **error);
  gboolean follow          (GError **error);
  gboolean write           (GError **error);
  gboolean run             (GError **error);

  template <typename Pixel>
  gboolean
  find_slopes_of (GError **error)
  {
    const bool whole_words = tiling.width * sizeof (Pixel) % 4 == 0 &&
                             (gsize) flood->level % 4 == 0;

    find_slopes<N, Pixel><<<tiling.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
      (tiling, (const Pixel *) flood->level, whole_words, flood->markers, planes, faces.data);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }

  template <typename Pixel>
  gboolean
  draw_lines_of (GError **error)
  {
    const WfOrder<N, Pixel> order = { tiling, (const Pixel *) flood->level, planes, depths.data };

    draw_lines<N, Pixel><<<tiling.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
      (order, flood->basins, flood->labels);
    WF_CUDA_CHECK_LAUNCH ();
    return TRUE;
  }
};

template <int N>
gboolean
WfFloodOnDevice<N>::find_levels (GError **error)
{
  if (! plane_memory.allocate (cuda, (gint64) tiling.n_tiles * WfPlanes<N>::ALL * 32, error) ||
      ! faces.allocate (cuda, n_slots, error) ||
      ! flags.allocate (cuda, 2, error))
    return FALSE;
  planes.data = plane_memory.data;
  WF_CUDA_CHECK (cudaMemsetAsync (flags.data, 0, 2 * sizeof (int), cuda->stream));
  switch (flood->type)
    {
    case WF_TYPE_U8:
      return find_slopes_of<guint8> (error);
    case WF_TYPE_U16:
      return find_slopes_of<guint16> (error);
    default:
      return find_slopes_of<float> (error);
    }
}

/* Pixels' strands stay where their ends will be. */
template <int N>
gboolean
WfFloodOnDevice<N>::name_strands (GError **error)
{
  if (! strand_names.allocate (cuda, n_slots, error) ||
      ! ends.allocate (cuda, (gint64) tiling.n_tiles * WF_TILE_PIXELS, error))
    return FALSE;
  strands = { strand_names.data, ends.data };
  find_strands<N><<<tiling.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
    (planes, flood->markers != NULL, strands);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* L2 along corridors, if any are @found. */
template <int N>
gboolean
WfFloodOnDevice<N>::contract_corridors (int     *found,
                                        GError **error)
{
  WfDeviceArray<WfLink> links[2];
  WfDeviceArray<int>    changed;
  int                   is_changed = 1;
  int                   current    = 0;

  if ((! strands.slots && ! name_strands (error)) ||
      ! links[0].allocate (cuda, n_slots, error) ||
      ! links[1].allocate (cuda, n_slots, error) ||
      ! changed.allocate (cuda, 1, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMemsetAsync (changed.data, 0, sizeof (int), cuda->stream));
  link_corridors<N><<<(tiling.n_tiles + LINK_WARPS - 1) / LINK_WARPS, LINK_WARPS * 32,
                      0, cuda->stream>>>
    (tiling, planes, faces.data, strands.slots, links[0].data, changed.data);
  WF_CUDA_CHECK_LAUNCH ();
  if (! wf_cuda_read (cuda, found, changed.data, sizeof *found, error))
    return FALSE;
  if (! *found)
    return TRUE;
  cross_gates<N><<<blocks_for (n_slots), 256, 0, cuda->stream>>> (tiling, planes, faces.data,
                                                                  links[0].data);
  WF_CUDA_CHECK_LAUNCH ();

  /* A closed corridor has no beginning, and would be gone round for ever. */
  for (gint64 reach = 1; is_changed && reach < 2 * n_slots; )
    {
      WF_CUDA_CHECK (cudaMemsetAsync (changed.data, 0, sizeof (int), cuda->stream));
      for (int k = 0; k < 4; k++, reach *= 2, current = 1 - current)
        {
          jump_corridors<<<blocks_for (n_slots), 256, 0, cuda->stream>>>
            (n_slots, links[current].data, links[1 - current].data, changed.data);
          WF_CUDA_CHECK_LAUNCH ();
        }
      if (! wf_cuda_read (cuda, &is_changed, changed.data, sizeof is_changed, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  lower_faces<<<blocks_for (n_slots), 256, 0, cuda->stream>>> (n_slots, links[current].data,
                                                              faces.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Round after round, until no tile has news for another. */
template <int N>
gboolean
WfFloodOnDevice<N>::relax (GError **error)
{
  const int          threads = RELAX_WARPS * 32;
  const unsigned int all     = wf_cuda_blocks (cuda, (gint64) tiling.n_tiles * 32, threads, 2);
  const unsigned int some    = MIN (all, (unsigned int) cuda->n_units * 8);

  return wf_cuda_rounds (cuda, tiling.n_tiles, WF_PATIENCE,
                         [&] (bool whole, bool every, const WfTileLists &lists)
                         {
                           relax_plateaux<N><<<whole ? all : some, threads, 0, cuda->stream>>>
                             (tiling, planes, faces.data, flood->markers != NULL, every, lists,
                              strands.slots, flags.data);
                         },
                         [&] (int *found, GError **problem)
                         {
                           return contract_corridors (found, problem);
                         },
                         error);
}

template <int N>
gboolean
WfFloodOnDevice<N>::point (GError **error)
{
  const unsigned int n_blocks  = (tiling.n_tiles + POINT_WARPS - 1) / POINT_WARPS;
  const int          n_threads = POINT_WARPS * 32;

  if (strands.slots)
    point_clocked_arrows<N><<<n_blocks, n_threads, 0, cuda->stream>>>
      (tiling, planes, faces.data, strands, flood->last_index, depths.data);
  else
    point_arrows<N><<<n_blocks, n_threads, 0, cuda->stream>>>
      (tiling, planes, faces.data, flood->last_index, depths.data);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <int N>
gboolean
WfFloodOnDevice<N>::resolve (GError **error)
{
  const gboolean minima = flood->markers == NULL;
  const gint64   rows   = tiling.height;

  n_blocks = (rows * tiling.row_words + WF_BLOCK_WORDS - 1) / WF_BLOCK_WORDS;
  if ((! ends.data && ! ends.allocate (cuda, (gint64) tiling.n_tiles * WF_TILE_PIXELS, error)) ||
      ! next.allocate (cuda, n_slots, error) ||
      ! root.allocate (cuda, n_slots, error) ||
      ! label.allocate (cuda, n_slots, error) ||
      (minima && (! joined.allocate (cuda, n_slots, error) ||
                  ! first.allocate (cuda, n_slots, error) ||
                  ! bits.allocate (cuda, n_blocks * WF_BLOCK_WORDS, error))) ||
      (flood->lines && ! depths.allocate (cuda, (gint64) tiling.n_tiles * WF_TILE_PIXELS, error)))
    return FALSE;

  slots = { next.data, root.data, joined.data, first.data, label.data };
  if (minima)
    {
      const gint64 words = rows * tiling.row_words;

      WF_CUDA_CHECK (cudaMemsetAsync (bits.data + words, 0,
                                      (n_blocks * WF_BLOCK_WORDS - words) * sizeof (guint32),
                                      cuda->stream));
    }
  if (flood->lines)
    WF_CUDA_CHECK (cudaMemsetAsync (depths.data, 0, (gint64) tiling.n_tiles * WF_TILE_PIXELS
                                                    * sizeof (guint32), cuda->stream));
  if (! point (error))
    return FALSE;
  resolve_paths<N><<<tiling.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
    (tiling, planes, minima, ends.data, bits.data, slots);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Puts the count of minima last in @blocks. */
template <int N>
gboolean
WfFloodOnDevice<N>::number_minima (GError **error)
{
  if (! before.allocate (cuda, n_blocks * WF_BLOCK_THREADS, error) ||
      ! blocks.allocate (cuda, n_blocks + 1, error))
    return FALSE;
  ranks = { bits.data, before.data, blocks.data };

  join_minima_over_tiles<N><<<(tiling.n_tiles + 7) / 8, 256, 0, cuda->stream>>>
    (tiling, faces.data, joined.data);
  WF_CUDA_CHECK_LAUNCH ();
  find_first_pixels<<<blocks_for (n_slots / 8), 256, 0, cuda->stream>>> (n_slots, slots);
  WF_CUDA_CHECK_LAUNCH ();
  mark_first_pixels<<<blocks_for (n_slots / 8), 256, 0, cuda->stream>>> (n_slots, slots, bits.data);
  WF_CUDA_CHECK_LAUNCH ();
  count_bits<<<n_blocks, WF_BLOCK_THREADS, 0, cuda->stream>>> (bits.data, before.data, blocks.data);
  WF_CUDA_CHECK_LAUNCH ();
  scan_blocks<<<1, 1024, 0, cuda->stream>>> (blocks.data, n_blocks, blocks.data + n_blocks);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* Most images' exits are followed in one launch. */
template <int N>
gboolean
WfFloodOnDevice<N>::follow (GError **error)
{
  int  found[2] = { 0, 1 };
  bool all      = false;

  for (; found[1]; all = true)
    {
      WF_CUDA_CHECK (cudaMemsetAsync (flags.data + 1, 0, sizeof (int), cuda->stream));
      follow_exits<N><<<blocks_for (n_slots), 256, 0, cuda->stream>>>
        (tiling, slots, ranks, flood->markers, all, flags.data + 1);
      WF_CUDA_CHECK_LAUNCH ();
      if (! wf_cuda_read (cuda, found, flags.data, sizeof found, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
    }
  return ! found[0] || wf_cuda_flood_fail (WF_FLOOD_TOO_DEEP, error);
}

template <int N>
gboolean
WfFloodOnDevice<N>::write (GError **error)
{
  write_labels<N><<<tiling.n_tiles, WF_TILE_THREADS, 0, cuda->stream>>>
    (tiling, ends.data, slots, ranks, flood->markers, planes, flood->minima_only,
     flood->lines ? flood->basins : flood->labels);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <int N>
gboolean
WfFloodOnDevice<N>::run (GError **error)
{
  const gboolean minima   = flood->markers == NULL;
  guint64        n_minima = 0;

  if (! find_levels (error) || ! relax (error) || ! wf_cuda_advance (cuda, 1, error) ||
      ! resolve (error) || (minima && ! number_minima (error)) || ! follow (error))
    return FALSE;
  if (minima && ! wf_cuda_read (cuda, &n_minima, blocks.data + n_blocks, sizeof n_minima, error))
    return FALSE;
  if (n_minima > G_MAXUINT32)
    return wf_cuda_flood_fail (WF_FLOOD_TOO_MANY, error);
  if (minima)
    *flood->n_minima = n_minima;

  if (! write (error))
    return FALSE;
  if (flood->lines)
    switch (flood->type)
      {
      case WF_TYPE_U8:
        return draw_lines_of<guint8> (error);
      case WF_TYPE_U16:
        return draw_lines_of<guint16> (error);
      default:
        return draw_lines_of<float> (error);
      }
  return TRUE;
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
  state.tiling  = wf_tiling (&flood->shape);
  state.n_slots = (gint64) state.tiling.n_tiles * WfTile<N>::N_SLOTS;
  state.ranks   = { NULL, NULL, NULL };
  state.strands = { NULL, NULL };
  return state.run (error);
}
