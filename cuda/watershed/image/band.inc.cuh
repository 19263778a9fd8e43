/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A band of a larger image (#WfFloodBand), for the watershed of images on a GPU.
 *
 * Its halo, the rows beside it, is in tiles of its own (tile.inc.cuh), in which nothing is found:
 * L2 of the halo is given, and each of its pixels is an end of paths.  So for the other tiles it is
 * as any tile beside them.  The last row before the band is the last of a tile, and the first row
 * after it is the first of a tile: so a band with a row after it must have whole tiles.
 *
 * The slots of the halo get labels as minima have them, at first the numbers of the pixels, from
 * the greatest label down.  What follows the summary needs neither the image nor L2: the arrays of
 * the flood stay on the device.  For the finish the minima that are joined to others lose their
 * first pixels in the map, so that all others are numbered by it, and get labels that are given.
 */

#pragma once

#include "cuda/core/kept.cuh"
#include "labels.inc.cuh"

namespace image_flood
{

/*  The halo  */

/* Where the pixel at slot @k of the halo's tiles, in their order, is in its two rows, or −1 if it
 * is not in the image.  @tile: result: its tile
 */
__device__ __forceinline__ gint64
halo_pixel (const WfTiling &tiling,
            gint64          k,
            guint32        *tile)
{
  const guint32 number   = k / 256;
  const int     slot     = k % 256;
  const bool    is_after = number >= tiling.first;
  const int     first    = is_after ? 0 : 64;
  const gint64  x        = (gint64) (number % tiling.across) * 64 + slot - first;

  *tile = is_after ? tiling.end + number - tiling.first : number;
  return slot < first || slot >= first + 64 || x >= tiling.width
         ? -1 : is_after * tiling.width + x;
}

/* Calls visit (s, i) for each slot of the halo's tiles, i as above. */
template <typename Visit>
__device__ __forceinline__ void
each_halo_slot (const WfTiling &tiling,
                Visit         &&visit)
{
  const gint64 n = (gint64) (tiling.n_tiles - (tiling.end - tiling.first)) * 256;

  for (gint64 k = blockIdx.x * (gint64) blockDim.x + threadIdx.x; k < n;
       k += (gint64) gridDim.x * blockDim.x)
    {
      guint32      tile;
      const gint64 i = halo_pixel (tiling, k, &tile);

      visit (tile * 256 + (guint32) (k % 256), i);
    }
}

/* @outside: L2 of the two rows */
static __global__ void
open_halo (WfTiling       tiling,
           const guint32 *outside,
           WfSlots        slots,
           guint32       *border_depths)
{
  each_halo_slot (tiling, [&] (guint32 s, gint64 i)
    {
      border_depths[s] = i < 0 ? WF_FAR : outside[i];
      slots.next[s]    = s;
      slots.root[s]    = WF_NO_ROOT;
      slots.joined[s]  = s;
      slots.first[s]   = 0;
    });
}

/* When minima have been found, to which the halo does not belong.  @labels: of the two rows; NULL
 * for numbers from the greatest label down
 */
static __global__ void
label_halo (WfTiling       tiling,
            const guint32 *labels,
            WfSlots        slots)
{
  each_halo_slot (tiling, [&] (guint32 s, gint64 i)
    {
      if (i < 0)
        return;
      slots.root[s]  = WF_ON_BORDER;
      slots.first[s] = WF_GIVEN | (labels ? labels[i] : WF_FAR - (guint32) i);
    });
}


/*  The rims  */

/* The rows of the image in whole tiles that are told, or −1; each is the first or the last of its
 * tiles.
 */
struct WfRimRows
{
  gint64 y[2];
};

/* Calls visit (i, tile, p) for the pixels of both rows: pixel p of a tile. */
template <int N, typename Visit>
__device__ __forceinline__ void
each_rim_pixel (const WfTiling  &tiling,
                const WfRimRows &rows,
                Visit          &&visit)
{
  typedef WfTile<N> Tile;

  for (gint64 i = blockIdx.x * (gint64) blockDim.x + threadIdx.x; i < 2 * tiling.width;
       i += (gint64) gridDim.x * blockDim.x)
    {
      const int    side = i >= tiling.width;
      const gint64 x    = i - side * tiling.width;
      const gint64 y    = rows.y[side];

      if (y >= 0)
        visit (i, (guint32) (y / Tile::Y * tiling.across + x / Tile::X),
               (int) (y % Tile::Y * Tile::X + x % Tile::X));
    }
}

template <int N>
static __global__ void
tell_depths (WfTiling       tiling,
             WfRimRows      rows,
             const guint32 *border_depths,
             guint32       *inside)
{
  each_rim_pixel<N> (tiling, rows, [&] (gint64 i, guint32 tile, int p)
    {
      inside[i] = border_depths[(gint64) tile * WfTile<N>::N_SLOTS + WfTile<N>::slot (p)];
    });
}

/* The minima of the rims, 0 elsewhere, and where paths end: for the halo as label_halo() has it. */
template <int N>
static __global__ void
tell_rims (WfTiling       tiling,
           WfRimRows      rows,
           WfPlanes<N>    planes,
           const guint16 *image_ends,
           WfSlots        slots,
           WfRanks        ranks,
           guint32       *minima,
           guint32       *ends)
{
  typedef WfTile<N> Tile;

  each_rim_pixel<N> (tiling, rows, [&] (gint64 i, guint32 tile, int p)
    {
      const guint32 base = tile * Tile::N_SLOTS;
      const int     end  = image_ends[(gint64) tile * WF_TILE_PIXELS + p];
      const int     slot = Tile::slot (end);

      minima[i] = planes.bit (tile, WfPlanes<N>::ROOT, p)
                  ? label_of_minimum (slots, ranks, base + Tile::slot (p)) : 0;
      ends[i]   = slot >= 0 ? slots.label[base + slot]
                            : wf_rank (ranks, wf_bit_index<N> (tiling,
                                                               wf_tile_place<N> (tiling, tile),
                                                               end));
    });
}

/* Gives the minima of the rims that are joined to others their @numbers, which are 0 elsewhere. */
template <int N>
static __global__ void
give_numbers (WfTiling       tiling,
              WfRimRows      rows,
              const guint32 *numbers,
              WfSlots        slots,
              guint32       *bits)
{
  each_rim_pixel<N> (tiling, rows, [&] (gint64 i, guint32 tile, int p)
    {
      if (numbers[i] == 0)
        return;

      const guint32 s    = tile * WfTile<N>::N_SLOTS + WfTile<N>::slot (p);
      const guint32 root = wf_find_root (WfForest<guint32> (slots.joined), s);
      const guint64 old  = atomicExch ((unsigned long long *) &slots.first[root],
                                       (unsigned long long) (WF_GIVEN | numbers[i]));

      if (! (old & WF_GIVEN))
        atomicAnd (&bits[old / 32], ~(1u << (old % 32)));
    });
}

static __global__ void
add_before (guint64 *blocks,
            gint64   n,
            guint32  before)
{
  for (gint64 k = blockIdx.x * (gint64) blockDim.x + threadIdx.x; k < n;
       k += (gint64) gridDim.x * blockDim.x)
    blocks[k] += before;
}


/*  What stays on the device  */

/**
 * KeptFlood:
 * @kept: what is common to all that is kept
 * @memory: the arrays of the flood
 */
struct KeptFlood
{
  WfCudaKept  kept;
  guint8     *memory;
};

static void
release_flood (gpointer data)
{
  KeptFlood *flood = (KeptFlood *) data;

  wf_cuda_free_kept (&flood->kept, flood->memory);
  wf_cuda_end_kept (&flood->kept);
  g_free (flood);
}

template <int N>
static void
keep_flood (WfFloodOnDevice<N> *state,
            WfFloodBand        *band)
{
  KeptFlood *flood = g_new (KeptFlood, 1);

  *flood = { wf_cuda_begin_kept (state->cuda, release_flood), state->memory.take () };
  band->on_device = flood;
}


/*  The steps  */

/* Rows of values between the host and the device: two of each kind. */
static WfImage
view_of_row (const guint32 *values,
             gint64         n)
{
  return { WF_TYPE_U32, n, 1, 1, n, n, (gpointer) values };
}

static gboolean
upload_rows (WfCuda         *cuda,
             const guint32  *first,
             const guint32  *last,
             gint64          n,
             guint32        *rows,
             GError        **error)
{
  for (int side = 0; side < 2; side++)
    {
      const guint32 *from = side == 0 ? first : last;
      const WfImage  view = view_of_row (from, n);

      if (from && ! wf_cuda_upload (cuda, &view, NULL, rows + side * n, error))
        return FALSE;
    }
  return TRUE;
}

/* What the step is given, before the image, behind which it would wait: L2 of the halo, or for a
 * finish from what was kept the numbers of minima and the labels of the halo; for one from the
 * image L2, too, after the others.
 */
static gboolean
upload_all_rows (WfCuda                 *cuda,
                 const WfWatershedTask  *task,
                 guint32                *rows,
                 GError                **error)
{
  const WfFloodBand *band  = task->band;
  const gint64       width = task->shape.width;

  if (band->step == WF_FLOOD_FINISH &&
      (! upload_rows (cuda, band->minima[0], band->minima[1], width, rows, error) ||
       ! upload_rows (cuda, band->beyond[0], band->beyond[1], width, rows + 2 * width, error)))
    return FALSE;
  return band->on_device ||
         upload_rows (cuda, band->halo[0] ? band->outside[0] : NULL,
                      band->halo[1] ? band->outside[1] : NULL, width, rows + 4 * width, error);
}

static gboolean
download_rows (WfCuda         *cuda,
               const guint32  *rows,
               gint64          n,
               guint32 *const *sides,
               GError        **error)
{
  for (int side = 0; side < 2; side++)
    {
      WfImage view = view_of_row (sides[side], n);

      if (sides[side] && ! wf_cuda_download (cuda, rows + side * n, &view, error))
        return FALSE;
    }
  return TRUE;
}

/* The rows that are told, in whole tiles with the halo before. */
template <int N>
static WfRimRows
find_rim_rows (const WfFloodOnDevice<N> *state)
{
  const WfFloodBand *band = state->flood->task->band;
  WfRimRows          rows;

  for (int side = 0; side < 2; side++)
    rows.y[side] = band->inside[side] ? band->rows[side] + (band->halo[0] ? 63 : 0) : -1;
  return rows;
}

/* Up to the exits of the band's tiles, and its minima.  @outside: L2 of the halo */
template <int N>
static gboolean
find_paths_of_band (WfFloodOnDevice<N>  *state,
                    const guint32       *outside,
                    GError             **error)
{
  WfCuda            *cuda   = state->cuda;
  const WfTiling    &tiling = state->tiling;
  const gint64       n_halo = tiling.n_tiles - (tiling.end - tiling.first);
  const gint64       tile   = WfPlanes<N>::ALL * 32 * sizeof (uint4);

  if (! state->allocate (error))
    return FALSE;
  if (n_halo > 0)
    {
      WF_CUDA_CHECK (cudaMemsetAsync (state->planes.data, 0, tiling.first * tile, cuda->stream));
      WF_CUDA_CHECK (cudaMemsetAsync ((guint8 *) state->planes.data + tiling.end * tile, 0,
                                      (tiling.n_tiles - tiling.end) * tile, cuda->stream));
      WF_CUDA_CHECK (cudaMemsetAsync (state->bits, 0,
                                      tiling.height * tiling.row_words * sizeof (guint32),
                                      cuda->stream));
      open_halo<<<state->blocks_for (n_halo * 256), 256, 0, cuda->stream>>>
        (tiling, outside, state->slots, state->border_depths);
      WF_CUDA_CHECK_LAUNCH ();
    }
  if (! state->find_paths (error))
    return FALSE;
  if (n_halo > 0)
    {
      label_halo<<<state->blocks_for (n_halo * 256), 256, 0, cuda->stream>>>
        (tiling, NULL, state->slots);
      WF_CUDA_CHECK_LAUNCH ();
    }
  return TRUE;
}

/* Ends in the halo are numbered after the minima. */
static void
number_halo (const WfFloodBand *band,
             gint64             width)
{
  for (int side = 0; side < 2; side++)
    for (gint64 i = 0; band->ends[side] && i < width; i++)
      {
        const guint32 from_last = WF_FAR - band->ends[side][i];

        if (from_last < 2 * width)
          band->ends[side][i] = band->n_minima + 1 + from_last;
      }
}

/* L2 of two rows of an image without a halo.  Its kernels are short, so what counts is how few are
 * launched.
 */
template <int N>
static gboolean
measure_strip (WfFloodOnDevice<N>  *state,
               guint32             *rows,
               GError             **error)
{
  WfCuda       *cuda  = state->cuda;
  const gint64  width = state->tiling.width;
  WfNews        found;

  if (! state->allocate (error) || ! state->take_whole (error))
    return FALSE;
  tell_depths<N><<<state->blocks_for (2 * width), 256, 0, cuda->stream>>>
    (state->tiling, find_rim_rows (state), state->border_depths, rows);
  WF_CUDA_CHECK_LAUNCH ();
  wf_cuda_time_end (cuda);
  if (! wf_cuda_read (cuda, &found, state->news, sizeof found, error))
    return FALSE;
  if (found.too_deep)
    return wf_cuda_flood_fail (WF_FLOOD_TOO_DEEP, error);
  return download_rows (cuda, rows, width, state->flood->task->band->inside, error);
}

template <int N>
static gboolean
summarize_band (WfFloodOnDevice<N>  *state,
                guint32             *rows,
                GError             **error)
{
  WfCuda          *cuda  = state->cuda;
  WfFloodBand     *band  = state->flood->task->band;
  const gint64     width = state->tiling.width;
  const WfRimRows  rims  = find_rim_rows (state);

  if (! find_paths_of_band (state, rows + 4 * width, error) || ! state->finish (error))
    return FALSE;
  tell_depths<N><<<state->blocks_for (2 * width), 256, 0, cuda->stream>>>
    (state->tiling, rims, state->border_depths, rows);
  WF_CUDA_CHECK_LAUNCH ();
  tell_rims<N><<<state->blocks_for (2 * width), 256, 0, cuda->stream>>>
    (state->tiling, rims, state->planes, state->ends, state->slots, state->ranks,
     rows + 2 * width, rows + 4 * width);
  WF_CUDA_CHECK_LAUNCH ();
  wf_cuda_time_end (cuda);
  if (! download_rows (cuda, rows, width, band->inside, error) ||
      ! download_rows (cuda, rows + 2 * width, width, band->minima, error) ||
      ! download_rows (cuda, rows + 4 * width, width, band->ends, error))
    return FALSE;
  band->is_complete = TRUE;
  band->n_minima    = *state->flood->n_minima;
  number_halo (band, width);
  if (band->may_keep)
    keep_flood (state, band);
  return TRUE;
}

/* The numbers of minima and the labels of the halo are those of the whole from here on. */
template <int N>
static gboolean
take_numbers (WfFloodOnDevice<N>  *state,
              const guint32       *rows,
              GError             **error)
{
  WfCuda            *cuda   = state->cuda;
  const WfTiling    &tiling = state->tiling;
  const WfFloodBand *band   = state->flood->task->band;
  const gint64       n_halo = tiling.n_tiles - (tiling.end - tiling.first);

  if (n_halo > 0)
    {
      give_numbers<N><<<state->blocks_for (2 * tiling.width), 256, 0, cuda->stream>>>
        (tiling, find_rim_rows (state), rows, state->slots, state->bits);
      WF_CUDA_CHECK_LAUNCH ();
      label_halo<<<state->blocks_for (n_halo * 256), 256, 0, cuda->stream>>>
        (tiling, rows + 2 * tiling.width, state->slots);
      WF_CUDA_CHECK_LAUNCH ();
      if (! state->count_minima (error))
        return FALSE;
    }
  add_before<<<state->blocks_for (state->n_blocks), 256, 0, cuda->stream>>>
    (state->blocks, state->n_blocks, band->n_before);
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

/* From what was kept, or from the image. */
template <int N>
static gboolean
finish_band (WfFloodOnDevice<N>  *state,
             const guint32       *rows,
             GError             **error)
{
  const WfFloodBand *band = state->flood->task->band;
  WfNews             found;

  if (band->on_device)
    state->find_arrays (((const KeptFlood *) band->on_device)->memory);
  else if (! find_paths_of_band (state, rows + 4 * state->tiling.width, error) ||
           ! wf_cuda_read (state->cuda, &found, state->news, sizeof found, error) ||
           ! wf_check_unchanged ((guint32) found.n_minima, band->n_minima, error))
    return FALSE;
  if (! take_numbers (state, rows, error) || ! state->finish (error))
    return FALSE;
  wf_cuda_time_end (state->cuda);
  return TRUE;
}

template <int N>
static gboolean
flood_band (WfCuda             *cuda,
            const WfCudaFlood  *flood,
            guint32            *rows,
            GError            **error)
{
  const WfFloodBand  *band = flood->task->band;
  WfFloodOnDevice<N>  state;

  state.cuda          = cuda;
  state.flood         = flood;
  state.tiling        = wf_tiling (flood->task->shape.width, wf_flood_band_length (flood->task),
                                   band->halo[0], band->halo[1]);
  state.n_slots       = (gint64) state.tiling.n_tiles * WfTile<N>::N_SLOTS;
  state.tile_plateaux = { NULL, NULL };
  switch (band->step)
    {
    case WF_FLOOD_MEASURE:
      return measure_strip (&state, rows, error);
    case WF_FLOOD_SUMMARY:
      return summarize_band (&state, rows, error);
    default:
      return finish_band (&state, rows, error);
    }
}

} /* namespace image_flood */
