/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paths of the watershed on a GPU: where in its tile each pixel's path ends.
 *
 * A path ends in the tile at a root (a marker, or the first pixel of the tile's part of a minimum)
 * or at an exit, a pixel of the border whose path leaves the tile.  resolve_paths() begins with the
 * pixels' arrows in shared memory.  Each pixel replaces the pixel that it points to by the one that
 * that pixel points to, so paths become half as long each time (Wyllie's pointer jumping), until
 * all are at their ends.  This works in place, because any later pixel of the path is right.  A
 * pixel with a slot represents a minimum that reaches the border.
 *
 * The pixels of a minimum are joined by union-find, run by run.  Paths are shortened on the way,
 * since the rows of a plateau would make a path of 64, and the slowest tile determines the time of
 * the kernel.  Diagonal neighbours are joined only where no pixel beside both does.
 *
 * Reducing paths to ends inside parts of the image, and then between parts, is from Bieniek and
 * Moga, An efficient watershed algorithm based on connected components, Pattern Recognition 33
 * (2000).
 *
 * Bytes a pixel of an image, 4 neighbours: 0.5 read; 2 for the ends and 0.7 for slots and roots
 * written.
 */

#pragma once

#include "cuda/core/union-find.cuh"
#include "arrows.inc.cuh"

namespace image_flood
{

/* The properties of slots, each an array with one element a slot. */
struct WfSlots
{
  guint32 *next;        /* the slot where the path goes on; itself if it ends here */
  guint16 *root;        /* in that case the root's index in the tile, with flags */
  guint32 *joined;      /* parts of minima with slots: union-find over tiles */
  guint64 *first;       /* of a whole minimum: number of its first pixel's bit */
  guint32 *label;
};

/* Values in @root.  WF_ON_BORDER: a part of a minimum that has slots; the index is that of its
 * first pixel.  WF_WANTED: the pixel is an end, so its label is wanted.  WF_NO_ROOT: no root.
 */
#define WF_ON_BORDER 0x8000u
#define WF_WANTED  0x4000u
#define WF_NO_ROOT 0x3fffu


/*  Planes in a block, a word a thread  */

/* Returns the word of the neighbours in direction D of the pixels of word @w. */
template <int N, int D>
__device__ __forceinline__ guint32
word_beside (const guint32 *words,
             int            w)
{
  typedef WfDirections<N> To;

  constexpr int DX = To::dx (D);
  constexpr int DY = To::dy (D);

  const int row = w / 2 + DY;
  const int at  = w + DY * 2;
  guint32   result;

  if (row < 0 || row >= WfTile<N>::Y)
    return 0;
  result = words[at];
  if constexpr (DX < 0)
    result = __funnelshift_l (w % 2 == 1 ? words[at - 1] : 0, result, 1);
  else if constexpr (DX > 0)
    result = __funnelshift_r (result, w % 2 == 0 ? words[at + 1] : 0, 1);
  return result;
}

/* Calls visit (i) for the pixels of a thread's word. */
template <typename Visit>
__device__ __forceinline__ void
each_pixel_of_word (guint32 word,
                    Visit &&visit)
{
  for (; word != 0; word &= word - 1)
    visit ((int) threadIdx.x * 32 + __ffs (word) - 1);
}

/* A step in local indices. */
template <int N, int D>
static constexpr int STEP = WfDirections<N>::dy (D) * WfTile<N>::X + WfDirections<N>::dx (D);


/* A block's tile in shared memory. */
template <int N>
struct WfResolution
{
  guint16     ends[WF_TILE_PIXELS];
  WfArrows<N> arrows;
  guint16     slot_ends[WfTile<N>::N_SLOTS];
  guint16     slot_firsts[WfTile<N>::N_SLOTS];
};


/*  Minima in a tile  */

/* Sets an end if it has the expected value.  Returns whether it had. */
__device__ __forceinline__ bool
replace_end (guint16 *ends,
             int      i,
             int      expected,
             int      end)
{
  return atomicCAS ((unsigned short *) &ends[i], (unsigned short) expected,
                    (unsigned short) end) == expected;
}

/* Each pixel is its own end. */
__device__ __forceinline__ void
start_ends (guint16 *ends)
{
#pragma unroll
  for (int k = threadIdx.x; k < WF_TILE_PIXELS / 8; k += WF_TILE_THREADS)
    {
      const guint32 two = (k * 8) | (k * 8 + 1) << 16;

      ((uint4 *) ends)[k] = make_uint4 (two, two + 0x20002u, two + 0x40004u, two + 0x60006u);
    }
}

/* Joins neighbours among @pixels, which are all on plateaux and each its own end so far. */
template <int N>
__device__ __forceinline__ void
join_pixels (guint16       *ends,
             const guint32 *pixels)
{
  const int     w   = threadIdx.x;
  const guint32 own = pixels[w];

  /* Runs inside a word, from the left to the right. */
  each_pixel_of_word (own & own << 1, [&] (int i) { ends[i] = ends[i - 1]; });
  __syncthreads ();
  each_direction<0, N / 2> ([&] (auto direction)
    {
      constexpr int d     = decltype (direction)::value;
      constexpr int other = d == 0 ? 3 : 4;
      guint32       both  = own & word_beside<N, d> (pixels, w);

      /* Not if a pixel beside both joins them. */
      if constexpr (N == 8 && (d == 0 || d == 2))
        both &= ~(word_beside<N, 1> (pixels, w) | word_beside<N, other> (pixels, w));

      /* Two runs are joined once, at the first pixel that touches. */
      each_pixel_of_word (STEP<N, d> == -1 ? both & 1 : both & ~(both << 1),
                          [&] (int i)
                          {
                            wf_join_sets (WfForest<guint16> (ends), i, i + STEP<N, d>);
                          });
    });
  __syncthreads ();
}

/* The end of each part of a minimum that reaches the border becomes a pixel with a slot, and
 * that slot keeps the part's first pixel.
 */
template <int N>
__device__ __forceinline__ void
move_ends_to_border (WfResolution<N> *here)
{
  typedef WfTile<N> Tile;

  for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    {
      const int  i   = Tile::pixel (slot);
      const bool own = (here->arrows.root[i / 32] >> (i % 32) & 1) && Tile::slot (i) == slot;

      here->slot_ends[slot]   = own ? wf_look_up_root (WfForest<guint16> (here->ends), i)
                                    : WF_NO_ROOT;
      here->slot_firsts[slot] = WF_NO_ROOT;
    }
  __syncthreads ();
#pragma unroll 1
  for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    {
      const int end = here->slot_ends[slot];
      const int i   = Tile::pixel (slot);

      if (end != WF_NO_ROOT &&
          (end == i || (Tile::slot (end) < 0 && replace_end (here->ends, end, end, i))))
        here->slot_firsts[slot] = end;
    }
  __syncthreads ();
  for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    if (here->slot_firsts[slot] != WF_NO_ROOT)
      here->ends[Tile::pixel (slot)] = Tile::pixel (slot);
  __syncthreads ();
}


/*  Ends in a tile  */

/* Returns byte d of @high and @low with its sign. */
__device__ __forceinline__ int
signed_byte (guint32 low,
             guint32 high,
             int     d)
{
  int result;

  asm ("prmt.b32 %0, %1, %2, %3;"
       : "=r" (result) : "r" (low), "r" (high), "r" (d * 0x1111 + 0x8880));
  return result;
}

/* A direction's step in local indices fits a byte. */
template <int N>
__device__ __forceinline__ int
step_of (int d)
{
  return N == 4 ? signed_byte (0x4001ffc0u, 0, d) : signed_byte (0xffc1c0bfu, 0x41403f01u, d);
}

/* A thread has 16 pairs of pixels, so that a warp's lie side by side in a row of an image. */
#define WF_PAIRS (WF_TILE_PIXELS / 2 / WF_TILE_THREADS)

/* The first end of each pixel is where its arrow leads. */
template <int N>
__device__ __forceinline__ void
follow_arrows (WfResolution<N> *here)
{
  constexpr int BITS = WfArrows<N>::BITS;

  const WfArrows<N> *arrows = &here->arrows;
  const int          bit    = threadIdx.x % 16 * 2;

#pragma unroll 4
  for (int k = 0; k < WF_PAIRS; k++)
    {
      const int     pair = threadIdx.x + k * WF_TILE_THREADS;
      const guint32 stay = arrows->end[pair / 16] >> bit;
      guint32       ends[2];
      guint32       code[BITS];

#pragma unroll
      for (int b = 0; b < BITS; b++)
        code[b] = arrows->code[b][pair / 16] >> bit;
#pragma unroll
      for (int j = 0; j < 2; j++)
        {
          int d = 0;

#pragma unroll
          for (int b = 0; b < BITS; b++)
            d |= (code[b] >> j & 1) << b;
          ends[j] = pair * 2 + j + (stay >> j & 1 ? 0 : step_of<N> (d));
        }
      ((guint32 *) here->ends)[pair] = ends[0] | ends[1] << 16;
    }
}

/* Replaces each pixel's end by its end's end until nothing changes.  Each step goes twice as far,
 * or farther if another thread was faster.  @mine: the thread's pairs.
 */
__device__ __forceinline__ void
jump_to_ends (guint16  *ends,
              guint32 (&mine)[WF_PAIRS])
{
  const volatile guint16 *all   = ends;
  guint32                *pairs = (guint32 *) ends + threadIdx.x;
  guint32                 open  = (1u << WF_PAIRS) - 1;    /* bit k: pair k is not at its ends */

#pragma unroll
  for (int k = 0; k < WF_PAIRS; k++)
    mine[k] = pairs[k * WF_TILE_THREADS];
  while (__syncthreads_or (open != 0))
    {
      const guint32 of_warp = wf_warp_or (open);

#pragma unroll
      for (int k = 0; k < WF_PAIRS; k++)
        if (of_warp >> k & 1)
          {
            const guint32 over = all[mine[k] & 0xffff] | (guint32) all[mine[k] >> 16] << 16;

            if (over == mine[k])
              open &= ~(1u << k);
            else
              {
                mine[k] = over;
                pairs[k * WF_TILE_THREADS] = over;
              }
          }
    }
}

/* Writes the slots, which other tiles read. */
template <int N>
__device__ __forceinline__ void
write_slots (const WfTiling        &tiling,
             const WfPlace         &place,
             const WfResolution<N> *here,
             bool                   join,
             guint32                tile,
             const WfSlots         &slots)
{
  typedef WfTile<N> Tile;

  const WfArrows<N> *arrows = &here->arrows;
  const guint32      base   = tile * Tile::N_SLOTS;

  for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    {
      const int i    = Tile::pixel (slot);
      guint32   next = base + slot;
      guint32   root = WF_NO_ROOT;

      if (Tile::slot (i) == slot && place.x + Tile::x (i) < tiling.width &&
          place.y + Tile::y (i) < tiling.height)
        {
          const int  end     = here->ends[i];
          const bool is_root = arrows->root[end / 32] >> (end % 32) & 1;

          if (! is_root)
            {
              const WfBeside beside = wf_beside<N> (tiling, tile, end, arrows->direction (end));

              next = beside.tile * Tile::N_SLOTS + Tile::slot (beside.i);
            }
          else if (join && Tile::slot (end) >= 0)
            {
              next = base + Tile::slot (end);
              if (end == i)
                {
                  root = here->slot_firsts[slot] | WF_ON_BORDER;
                  slots.first[base + slot] = wf_bit_index<N> (tiling, place,
                                                              here->slot_firsts[slot]);
                }
              if (arrows->root[i / 32] >> (i % 32) & 1)
                slots.joined[base + slot] = next;
            }
          else
            root = end;
          if (end == i)
            root |= WF_WANTED;
        }
      slots.next[base + slot] = next;
      slots.root[base + slot] = root;
    }
}

/* Writes the ends, and marks the first pixels of minima that lie within the tile. */
template <int N>
__device__ __forceinline__ void
write_ends (const WfTiling        &tiling,
            const WfPlace         &place,
            const WfResolution<N> *here,
            const guint32        (&mine)[WF_PAIRS],
            bool                   join,
            guint32                tile,
            guint16               *image_ends,
            guint32               *first_bits)
{
  typedef WfTile<N> Tile;

  guint32   *out   = (guint32 *) (image_ends + (gint64) tile * WF_TILE_PIXELS) + threadIdx.x;
  const int  first = threadIdx.x * 32;
  guint32    bits  = 0;

#pragma unroll
  for (int k = 0; k < WF_PAIRS; k++)
    out[k * WF_TILE_THREADS] = mine[k];
  if (! join || place.y + Tile::y (first) >= tiling.height)
    return;

  each_pixel_of_word (here->arrows.root[threadIdx.x], [&] (int i)
    {
      if (here->ends[i] == i && Tile::slot (i) < 0)
        bits |= 1u << (i % 32);
    });
  first_bits[wf_bit_index<N> (tiling, place, first) / 32] = bits;
}

/* One block a tile.  Does nothing if there are @rounds_left. */
template <int N>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
resolve_paths (const guint32 *rounds_left,
               WfTiling       tiling,
               WfPlanes<N>    planes,
               bool           join,
               guint16       *image_ends,
               guint32       *first_bits,
               WfSlots        slots)
{
  typedef WfArrows<N> Arrows;

  __shared__ __align__ (16) WfResolution<N> here;

  if (*rounds_left > 0)
    return;

  const guint32  tile   = blockIdx.x;
  const int      w      = threadIdx.x;
  const guint32 *memory = (const guint32 *) planes.at (tile, 0);
  const WfPlace  place  = wf_tile_place<N> (tiling, tile);
  const guint32  root   = memory[WfPlanes<N>::ROOT * WF_TILE_WORDS + w];
  const guint32  inner  = ~wf_word (wf_all_border_pixels (w / 4), w % 4);
  guint32        mine[WF_PAIRS];

#pragma unroll
  for (int b = 0; b < Arrows::BITS; b++)
    here.arrows.code[b][w] = memory[b * WF_TILE_WORDS + w];
  here.arrows.end[w]  = memory[Arrows::END * WF_TILE_WORDS + w];
  here.arrows.root[w] = root;
  __syncthreads ();
  follow_arrows<N> (&here);

  if (__syncthreads_or (join && root != 0))
    {
      join_pixels<N> (here.ends, here.arrows.root);
      if (__syncthreads_or ((root & ~inner) != 0))
        move_ends_to_border<N> (&here);
    }
  jump_to_ends (here.ends, mine);
  write_slots<N> (tiling, place, &here, join, tile, slots);
  write_ends<N> (tiling, place, &here, mine, join, tile, image_ends, first_bits);
}

} /* namespace image_flood */
