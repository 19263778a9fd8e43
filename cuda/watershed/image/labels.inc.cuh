/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of the watershed on a GPU: minima are numbered, exits are followed, and every
 * pixel gets its label.
 *
 * Minima are numbered by a map of their first pixels (cuda/watershed/ranks.cuh).
 *
 * Bytes a pixel: 0.06 slots of about 20 bytes; the map, 0.125 written and read, and as much for
 * sums; write_labels() reads 2 and writes 4.
 */

#pragma once

#include "cuda/watershed/ranks.cuh"
#include "minima.inc.cuh"

namespace image_flood
{

/* Steps of a walk over slots in the first launch, and in those that follow. */
#define WF_FIRST_WALK 64
#define WF_WALK       4

/*  Slots' labels  */

/* The label of the minimum of which slot @s represents a part. */
__device__ __forceinline__ guint32
label_of_minimum (const WfSlots &slots,
                  const WfRanks &ranks,
                  guint32        s)
{
  const guint64 first = slots.first[wf_find_root (WfForest<guint32> (slots.joined), s)];

  return first & WF_GIVEN ? (guint32) first : wf_rank (ranks, first);
}

/* The label of the root at slot @s. */
template <int N>
__device__ __forceinline__ guint32
label_of_root (const WfTiling &tiling,
               const WfSlots  &slots,
               const WfRanks  &ranks,
               const guint32  *markers,
               guint32         s)
{
  const guint32 root  = slots.root[s];
  const int     i     = root & (WF_TILE_PIXELS - 1);
  const WfPlace place = wf_tile_place<N> (tiling, s / WfTile<N>::N_SLOTS);

  if (markers)
    return markers[wf_pixel_index<N> (tiling, place, i)];
  if (root & WF_ON_BORDER)
    return label_of_minimum (slots, ranks, s);
  return wf_rank (ranks, wf_bit_index<N> (tiling, place, i));
}

static constexpr int FOLLOW_WARPS = 8;

/* Follows the paths of the slots whose labels are wanted, and sets @unfinished if one does not
 * reach a root in a few steps.  With @all, it follows and shortens the paths of all slots, so that
 * each launch goes WF_WALK times as far as the one before.
 *
 * One warp a tile.  About a quarter of the slots are wanted, so these are listed first.
 */
template <int N>
static __global__ void __launch_bounds__ (FOLLOW_WARPS * 32)
follow_exits (WfTiling       tiling,
              WfSlots        slots,
              WfRanks        ranks,
              const guint32 *markers,
              bool           all,
              int           *unfinished)
{
  typedef WfTile<N> Tile;

  __shared__ guint16 lists[FOLLOW_WARPS][Tile::N_SLOTS];

  const int         lane = threadIdx.x % 32;
  const guint32     tile = blockIdx.x * FOLLOW_WARPS + threadIdx.x / 32;
  const guint32     base = tile * Tile::N_SLOTS;
  guint16          *list = lists[threadIdx.x / 32];
  volatile guint32 *next = slots.next;
  const int         most = all ? WF_WALK : WF_FIRST_WALK;
  guint32           mine = 0;
  int               n;

  if (tile >= tiling.n_tiles)
    return;

  /* Eight slots a lane. */
  {
    const uint4 eight = ((const uint4 *) (slots.root + base))[lane];

#pragma unroll
    for (int k = 0; k < 4; k++)
      {
        if (all || (wf_word (eight, k) & WF_WANTED))
          mine |= 1u << (2 * k);
        if (all || (wf_word (eight, k) & WF_WANTED << 16))
          mine |= 2u << (2 * k);
      }
  }
  n = wf_list_bits<1> (mine, lane * 8, list);

  for (int first = 0; first < n; first += 32)
    {
      const bool    is_one = first + lane < n;
      const guint32 start  = base + (is_one ? list[first + lane] : 0);
      guint32       s      = start;
      guint32       then   = is_one ? next[s] : s;
      int           step   = 0;

      for (; then != s && step < most; step++)
        {
          s    = then;
          then = next[s];
        }
      __syncwarp ();
      if (then != s)
        *unfinished = 1;
      else if (is_one && (slots.root[start] & WF_WANTED))
        slots.label[start] = label_of_root<N> (tiling, slots, ranks, markers, s);
      if (all && s != start)
        next[start] = s;
      __syncwarp ();
    }
}


/*  Pixels' labels  */

/* One block a tile, from tile @first on.  With @minima_only, pixels outside minima get 0. */
template <int N>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
write_labels (WfTiling       tiling,
              guint32        first,
              const guint16 *image_ends,
              const WfSlots  slots,
              WfRanks        ranks,
              const guint32 *markers,
              WfPlanes<N>    planes,
              bool           minima_only,
              guint32       *labels)
{
  typedef WfTile<N> Tile;

  constexpr int FOURS = WF_TILE_PIXELS / 4 / WF_TILE_THREADS;
  constexpr int SLOTS = Tile::N_SLOTS / WF_TILE_THREADS;

  __shared__ guint32 end_labels[WF_TILE_PIXELS];    /* at ends; elsewhere undefined */

  const guint32  tile   = first + blockIdx.x;
  const gint64   base   = (gint64) tile * Tile::N_SLOTS;
  const WfPlace  place  = wf_tile_place<N> (tiling, tile);
  const guint32 *roots  = (const guint32 *) planes.at (tile, WfPlanes<N>::ROOT);
  const bool     whole  = ! minima_only && tiling.width % 4 == 0 && (gsize) labels % 16 == 0;
  const int      word   = threadIdx.x;
  guint32        marks  = 0;
  guint32        firsts = 0;
  guint32        label  = 0;
  guint32        slot_roots[SLOTS];
  guint32        slot_labels[SLOTS];
  uint2          ends[FOURS];

  /* All loads whose addresses are known come first. */
#pragma unroll
  for (int k = 0; k < SLOTS; k++)
    slot_roots[k] = slots.root[base + k * WF_TILE_THREADS + threadIdx.x];
  if (markers)
    marks = roots[word];
  else if (place.y + Tile::y (word * 32) < tiling.height)
    firsts = ranks.bits[wf_bit_index<N> (tiling, place, word * 32) / 32];
#pragma unroll
  for (int k = 0; k < FOURS; k++)
    ends[k] = ((const uint2 *) (image_ends + (gint64) tile * WF_TILE_PIXELS))
              [k * WF_TILE_THREADS + threadIdx.x];

#pragma unroll
  for (int k = 0; k < SLOTS; k++)
    slot_labels[k] = slot_roots[k] & WF_WANTED
                     ? slots.label[base + k * WF_TILE_THREADS + threadIdx.x] : 0;
  if (firsts != 0)
    label = wf_rank (ranks, wf_bit_index<N> (tiling, place, word * 32));

  /* The labels of the roots within the tile, one thread a word. */
  for (guint32 left = markers ? marks : firsts; left != 0; left &= left - 1)
    {
      const int i = word * 32 + __ffs (left) - 1;

      end_labels[i] = markers ? markers[wf_pixel_index<N> (tiling, place, i)] : label++;
    }
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < SLOTS; k++)
    if (slot_roots[k] & WF_WANTED)
      end_labels[Tile::pixel (k * WF_TILE_THREADS + threadIdx.x)] = slot_labels[k];
  __syncthreads ();

#pragma unroll
  for (int k = 0; k < FOURS; k++)
    {
      const int     i       = (k * WF_TILE_THREADS + threadIdx.x) * 4;
      const gint64  p       = wf_pixel_index<N> (tiling, place, i);
      const guint32 four[4] = { end_labels[ends[k].x & 0xffff], end_labels[ends[k].x >> 16],
                                end_labels[ends[k].y & 0xffff], end_labels[ends[k].y >> 16] };

      if (p < 0)
        continue;
      if (whole)
        *(uint4 *) (labels + p) = make_uint4 (four[0], four[1], four[2], four[3]);
      else
        for (int j = 0; j < 4; j++)
          if (place.x + Tile::x (i) + j < tiling.width)
            labels[p + j] = ! minima_only || (roots[i / 32] >> (i % 32 + j) & 1) ? four[j] : 0;
    }
}

} /* namespace image_flood */
