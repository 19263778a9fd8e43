/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of the watershed on a GPU: minima are numbered, exits are followed, and every
 * pixel gets its label.
 *
 * First pixels of minima are bits of a map of the whole image; a minimum's number is that
 * of the bits up to its own, found by sums over words and a scan over blocks of them.
 *
 * Bytes a pixel: slots 0.06 times some 20, the map 0.125 written and read and as much for
 * sums; write_labels reads 2 and writes 4.
 */

#pragma once

#include "minima.inc.cuh"

#define WF_BLOCK_WORDS   1024       /* of the map, to a sum */
#define WF_BLOCK_THREADS 256        /* four words each */

/* Steps of a walk over slots in the first launch, and in those that follow. */
#define WF_FIRST_WALK 64
#define WF_WALK       4

/* The map of first pixels, and how many lie before each four words of it. */
struct WfRanks
{
  const guint32 *bits;
  const guint32 *before;    /* in the block */
  const guint64 *blocks;    /* before the block */
};

static __device__ inline guint32
wf_rank (const WfRanks &ranks,
         gint64         bit)
{
  const gint64 word  = bit / 32;
  guint64      count = ranks.blocks[word / WF_BLOCK_WORDS] + ranks.before[word / 4];

  for (gint64 w = word & ~(gint64) 3; w < word; w++)
    count += __popc (ranks.bits[w]);
  return (guint32) count + __popc (ranks.bits[word] & ((1u << (bit % 32)) - 1)) + 1;
}


/*  Numbers  */

/* The sum of @value over the threads of a block before this one, and over all. */
template <typename T>
static __device__ inline T
sum_before (T  value,
            T *total)
{
  __shared__ T warps[32];

  const int lane    = threadIdx.x % 32;
  const int warp    = threadIdx.x / 32;
  const int n_warps = blockDim.x / 32;
  T         sum     = value;

  for (int reach = 1; reach < 32; reach *= 2)
    {
      const T before = __shfl_up_sync (WF_WARP, sum, reach);

      if (lane >= reach)
        sum += before;
    }
  __syncthreads ();
  if (lane == 31)
    warps[warp] = sum;
  __syncthreads ();
  if (warp == 0)
    {
      T of_warp = lane < n_warps ? warps[lane] : 0;

      for (int reach = 1; reach < 32; reach *= 2)
        {
          const T before = __shfl_up_sync (WF_WARP, of_warp, reach);

          if (lane >= reach)
            of_warp += before;
        }
      if (lane < n_warps)
        warps[lane] = of_warp;
    }
  __syncthreads ();
  *total = warps[n_warps - 1];
  return sum - value + (warp > 0 ? warps[warp - 1] : 0);
}

/* One block of threads a block of words. */
static __global__ void __launch_bounds__ (WF_BLOCK_THREADS)
count_bits (const guint32 *bits,
            guint32       *before,
            guint64       *blocks)
{
  const gint64  four  = blockIdx.x * (gint64) WF_BLOCK_THREADS + threadIdx.x;
  const uint4   words = ((const uint4 *) bits)[four];
  const guint32 count = __popc (words.x) + __popc (words.y) + __popc (words.z) + __popc (words.w);
  guint32       total;

  before[four] = sum_before (count, &total);
  if (threadIdx.x == 0)
    blocks[blockIdx.x] = total;
}

/* One block of threads; in place, and the sum of all in @total. */
static __global__ void __launch_bounds__ (1024)
scan_blocks (guint64 *blocks,
             gint64   n,
             guint64 *total)
{
  guint64 sum = 0;

  for (gint64 start = 0; start < n; start += blockDim.x)
    {
      const gint64  k     = start + threadIdx.x;
      const guint64 count = k < n ? blocks[k] : 0;
      guint64       all;
      const guint64 before = sum_before (count, &all);

      if (k < n)
        blocks[k] = sum + before;
      sum += all;
    }
  if (threadIdx.x == 0)
    *total = sum;
}


/*  Slots' labels  */

/* The label of the root that the slot @s itself notes. */
template <int N>
static __device__ inline guint32
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
  return wf_rank (ranks, root & WF_ON_FACE ? (gint64) slots.first[find_joined (slots.joined, s)]
                                           : wf_bit_index<N> (tiling, place, i));
}

/* Walks from the slots whose labels are wanted; sets @unfinished where one does not come
 * to a root in a few steps.  Then @all slots must walk, so that each launch goes WF_WALK
 * times as far as the one before.
 */
template <int N>
static __global__ void
follow_exits (WfTiling       tiling,
              WfSlots        slots,
              WfRanks        ranks,
              const guint32 *markers,
              bool           all,
              int           *unfinished)
{
  const gint64      n    = (gint64) tiling.n_tiles * WfTile<N>::N_SLOTS;
  volatile guint32 *next = slots.next;
  const int         most = all ? WF_WALK : WF_FIRST_WALK;

  for (gint64 start = blockIdx.x * (gint64) blockDim.x + threadIdx.x; start < n;
       start += (gint64) gridDim.x * blockDim.x)
    {
      const bool wanted = slots.root[start] & WF_WANTED;

      if (! wanted && ! all)
        continue;

      guint32 s    = start;
      guint32 then = next[s];
      int     step = 0;

      for (; then != s && step < most; step++)
        {
          s    = then;
          then = next[s];
        }
      if (then != s)
        *unfinished = 1;
      else if (wanted)
        slots.label[start] = label_of_root<N> (tiling, slots, ranks, markers, s);
      if (all && s != start)
        next[start] = s;
    }
}


/*  Pixels' labels  */

/* Labels of the roots within the tile, by one thread a word. */
template <int N>
static __device__ inline void
take_root_labels (const WfTiling &tiling,
                  const WfPlace  &place,
                  const WfRanks  &ranks,
                  const guint32  *markers,
                  guint32         roots,
                  guint32        *labels)
{
  typedef WfTile<N> Tile;

  const int i = threadIdx.x * 32;

  if (markers)
    {
      for (const gint64 p = wf_pixel_index<N> (tiling, place, i); roots != 0; roots &= roots - 1)
        labels[i + __ffs (roots) - 1] = markers[p + __ffs (roots) - 1];
    }
  else if (place.y + Tile::y (i) < tiling.height)
    {
      const gint64 first = wf_bit_index<N> (tiling, place, i);
      guint32      word  = ranks.bits[first / 32];

      if (word != 0)
        for (guint32 label = wf_rank (ranks, first); word != 0; word &= word - 1)
          labels[i + __ffs (word) - 1] = label++;
    }
}

/* One block a tile, from the @first on.  With @minima_only, what is no minimum gets 0. */
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

  __shared__ guint32 end_labels[WF_TILE_PIXELS];    /* at ends; elsewhere undefined */

  const guint32  tile  = first + blockIdx.x;
  const gint64   base  = (gint64) tile * Tile::N_SLOTS;
  const WfPlace  place = wf_tile_place<N> (tiling, tile);
  const guint32 *roots = (const guint32 *) planes.at (tile, WfPlanes<N>::ROOT);
  const bool     whole = ! minima_only && tiling.width % 4 == 0 && (gsize) labels % 16 == 0;
  uint2          ends[FOURS];

#pragma unroll
  for (int k = 0; k < FOURS; k++)
    ends[k] = ((const uint2 *) (image_ends + (gint64) tile * WF_TILE_PIXELS))
              [k * WF_TILE_THREADS + threadIdx.x];
  take_root_labels<N> (tiling, place, ranks, markers, markers ? roots[threadIdx.x] : 0, end_labels);
  __syncthreads ();
  for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    if (slots.root[base + slot] & WF_WANTED)
      end_labels[Tile::pixel (slot)] = slots.label[base + slot];
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
