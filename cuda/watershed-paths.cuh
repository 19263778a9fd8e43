/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paths of the watershed on a GPU: where in its tile each pixel's path ends.
 *
 * Where the paths of a tile end is a root (a marker, or the first pixel of a minimum's
 * part in the tile) or an exit, a pixel on a face whose path leaves the tile.
 * resolve_paths goes from these ends back up the arrows, a plane of pixels with paths of
 * the same length at a time, so that each pixel reads the end of its path, 12 bits in
 * shared memory, once, from its neighbour.  Minima that reach a face are represented by a
 * pixel with a slot.
 *
 * That paths are reduced to ends inside parts of the image, and then between parts, is
 * from Bieniek and Moga, An efficient watershed algorithm based on connected components,
 * Pattern Recognition 33 (2000).
 *
 * Bytes a pixel of an image, 4 neighbours: 0.5 read; 2 for the ends and 0.7 for slots and
 * roots written.
 */

#pragma once

#include "watershed-arrows.cuh"

/* What is known of slots, each in an array as long as there are slots. */
struct WfSlots
{
  guint32 *next;        /* the slot where the path comes out; itself: at a root */
  guint16 *root;        /* then: the root's index in the tile, with flags */
  guint32 *joined;      /* parts of minima on faces: union-find over tiles */
  guint64 *first;       /* of a whole minimum: number of its first pixel's bit */
  guint32 *label;
};

/* In @root: a part of a minimum that has slots, whose root's index is that of its first
 * pixel; the pixel is an end, whose label is wanted; no root.
 */
#define WF_ON_FACE 0x8000u
#define WF_WANTED  0x4000u
#define WF_NO_ROOT 0x3fffu


/*  Planes by a block, a word a thread  */

/* The word of each thread's pixels' neighbours in direction D. */
template <int N, int D>
static __device__ inline guint32
word_beside (const guint32 *words,
             int            w)
{
  typedef WfDirections<N> To;

  constexpr int DX = To::dx (D);
  constexpr int DY = To::dy (D);
  constexpr int DZ = To::dz (D);

  const int row = To::STACK ? w % 8 + DY : w / 2 + DY;
  const int z   = To::STACK ? w / 8 + DZ : 0;
  const int at  = w + DZ * 8 + DY * (To::STACK ? 1 : 2);
  guint32   result;

  if (row < 0 || row >= WfTile<N>::Y || z < 0 || z >= WfTile<N>::Z)
    return 0;
  result = words[at];
  if constexpr (DX < 0)
    result = __funnelshift_l (! To::STACK && w % 2 == 1 ? words[at - 1] : 0, result, 1);
  else if constexpr (DX > 0)
    result = __funnelshift_r (result, ! To::STACK && w % 2 == 0 ? words[at + 1] : 0, 1);
  return result;
}

/* Calls visit (d), a constant, for each direction from D up to END. */
template <int D, int END, typename Visit>
static __device__ inline void
each_direction (Visit &&visit)
{
  if constexpr (D < END)
    {
      visit (std::integral_constant<int, D> ());
      each_direction<D + 1, END> (visit);
    }
}

/* Calls visit (i) for the pixels of a thread's word. */
template <typename Visit>
static __device__ inline void
each_pixel_of_word (guint32 word,
                    Visit &&visit)
{
  for (; word != 0; word &= word - 1)
    visit ((int) threadIdx.x * 32 + __ffs (word) - 1);
}

template <int N, int D>
static constexpr int STEP = (WfDirections<N>::dz (D) * WfTile<N>::Y + WfDirections<N>::dy (D))
                            * WfTile<N>::X + WfDirections<N>::dx (D);


/* What a block has of its tile in shared memory. */
template <int N>
struct WfResolution
{
  guint16     ends[WF_TILE_PIXELS];
  WfArrows<N> arrows;
  guint32     fronts[2][WF_TILE_WORDS];
  guint16     slot_ends[WfTile<N>::N_SLOTS];
  guint16     slot_firsts[WfTile<N>::N_SLOTS];
  gint16      steps[32];                /* of each direction, in local indices */
};


/*  Minima in a tile  */

static __device__ inline int
find_end (const volatile guint16 *ends,
          int                     i)
{
  for (int next = ends[i]; next != i; next = ends[i])
    i = next;
  return i;
}

/* Sets an end if it is what was expected. */
static __device__ inline bool
replace_end (guint16 *ends,
             int      i,
             int      expected,
             int      end)
{
  return atomicCAS ((unsigned short *) &ends[i], (unsigned short) expected,
                    (unsigned short) end) == expected;
}

/* The one with the smaller index becomes the end of both. */
static __device__ inline void
join_in_tile (guint16 *ends,
              int      a,
              int      b)
{
  for (;;)
    {
      a = find_end (ends, a);
      b = find_end (ends, b);
      if (a == b)
        return;

      const int high = max (a, b);
      const int low  = min (a, b);

      if (replace_end (ends, high, high, low))
        return;
    }
}

/* Joins the pixels of minima, each an end by itself so far. */
template <int N>
static __device__ inline void
join_minima (WfResolution<N> *here)
{
  guint16      *ends = here->ends;
  const int     w    = threadIdx.x;
  const guint32 own  = here->arrows.root[w];

  /* Runs inside a word, from the left to the right. */
  each_pixel_of_word (own & own << 1, [&] (int i) { ends[i] = ends[i - 1]; });
  __syncthreads ();
  each_direction<0, N / 2> ([&] (auto direction)
    {
      constexpr int d    = decltype (direction)::value;
      const guint32 both = own & word_beside<N, d> (here->arrows.root, w);

      /* Runs are joined by their first common pixel; within one they are joined. */
      each_pixel_of_word (STEP<N, d> == -1 ? both & 1 : both & ~(both << 1),
                          [&] (int i) { join_in_tile (ends, i, i + STEP<N, d>); });
    });
  __syncthreads ();
}

/* Each part of a minimum that reaches a face gets a pixel with a slot for its end, and
 * that slot notes the part's first pixel.
 */
template <int N>
static __device__ inline void
move_ends_to_faces (WfResolution<N> *here)
{
  typedef WfTile<N> Tile;

  for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
    {
      const int  i   = Tile::pixel (slot);
      const bool own = (here->arrows.root[i / 32] >> (i % 32) & 1) && Tile::slot (i) == slot;

      here->slot_ends[slot]   = own ? find_end (here->ends, i) : WF_NO_ROOT;
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

/* Byte d of @high and @low with its sign. */
static __device__ inline int
signed_byte (guint32 low,
             guint32 high,
             int     d)
{
  int result;

  asm ("prmt.b32 %0, %1, %2, %3;" : "=r" (result) : "r" (low), "r" (high), "r" (d * 0x1111 + 0x8880));
  return result;
}

/* A direction's step in local indices; in images steps fit a byte. */
template <int N>
static __device__ inline int
step_of (const WfResolution<N> *here,
         int                    d)
{
  if constexpr (N == 4)
    return signed_byte (0x4001ffc0u, 0, d);
  else if constexpr (N == 8)
    return signed_byte (0xffc1c0bfu, 0x41403f01u, d);
  else
    return here->steps[d];
}

/* Carries ends up the arrows: pixels whose paths are one step longer each time. */
template <int N>
static __device__ inline void
carry_ends_up (WfResolution<N> *here)
{
  constexpr int BITS = WfArrows<N>::BITS;

  guint16 *ends    = here->ends;
  const int w      = threadIdx.x;
  guint32  waiting = ~here->arrows.end[w];
  int      current = 0;
  guint32  code[BITS];

#pragma unroll
  for (int b = 0; b < BITS; b++)
    code[b] = here->arrows.code[b][w];
  here->fronts[0][w] = ~waiting;

  while (__syncthreads_or (waiting != 0))
    {
      const guint32 *front   = here->fronts[current];
      guint32        reached = 0;

      each_direction<0, N> ([&] (auto direction)
        {
          constexpr int d    = decltype (direction)::value;
          guint32       bits = word_beside<N, d> (front, w);

#pragma unroll
          for (int b = 0; b < BITS; b++)
            bits &= d >> b & 1 ? code[b] : ~code[b];
          reached |= bits;
        });
      reached &= waiting;
      waiting &= ~reached;
      current  = 1 - current;
      here->fronts[current][w] = reached;

      for (guint32 word = reached; word != 0; word &= word - 1)
        {
          const int bit = __ffs (word) - 1;
          int       d   = 0;

#pragma unroll
          for (int b = 0; b < BITS; b++)
            d |= (code[b] >> bit & 1) << b;
          ends[w * 32 + bit] = ends[w * 32 + bit + step_of<N> (here, d)];
        }
    }
}

/* What other tiles are to know. */
template <int N>
static __device__ inline void
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
          place.y + Tile::y (i) < tiling.height && place.z + Tile::z (i) < tiling.depth)
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
                  root = here->slot_firsts[slot] | WF_ON_FACE;
                  slots.first[base + slot] = wf_bit_index<N> (tiling, place, here->slot_firsts[slot]);
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
static __device__ inline void
write_ends (const WfTiling        &tiling,
            const WfPlace         &place,
            const WfResolution<N> *here,
            bool                   join,
            guint32                tile,
            guint16               *image_ends,
            guint32               *first_bits)
{
  typedef WfTile<N> Tile;

  uint4     *out   = (uint4 *) (image_ends + (gint64) tile * WF_TILE_PIXELS);
  const int  first = threadIdx.x * 32;
  guint32    bits  = 0;

#pragma unroll
  for (int k = threadIdx.x; k < WF_TILE_PIXELS / 8; k += WF_TILE_THREADS)
    out[k] = ((const uint4 *) here->ends)[k];
  if (! join || place.y + Tile::y (first) >= tiling.height || place.z + Tile::z (first) >= tiling.depth)
    return;

  each_pixel_of_word (here->arrows.root[threadIdx.x], [&] (int i)
    {
      if (here->ends[i] == i && Tile::slot (i) < 0)
        bits |= 1u << (i % 32);
    });
  first_bits[wf_bit_index<N> (tiling, place, first) / 32] = bits;
}

/* One block a tile. */
template <int N>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
resolve_paths (WfTiling     tiling,
               WfPlanes<N>  planes,
               bool         join,
               guint16     *image_ends,
               guint32     *first_bits,
               WfSlots      slots)
{
  typedef WfArrows<N> Arrows;

  __shared__ __align__ (16) WfResolution<N> here;

  const guint32  tile   = blockIdx.x;
  const int      w      = threadIdx.x;
  const guint32 *memory = (const guint32 *) planes.at (tile, 0);
  const WfPlace  place  = wf_tile_place<N> (tiling, tile);
  const guint32  root   = memory[WfPlanes<N>::ROOT * WF_TILE_WORDS + w];
  const guint32  inner  = ~wf_word (wf_faces<N> (w / 4), w % 4);

#pragma unroll
  for (int b = 0; b < Arrows::BITS; b++)
    here.arrows.code[b][w] = memory[b * WF_TILE_WORDS + w];
  here.arrows.end[w]  = memory[Arrows::END * WF_TILE_WORDS + w];
  here.arrows.root[w] = root;
#pragma unroll
  for (int k = w; k < WF_TILE_PIXELS / 8; k += WF_TILE_THREADS)
    {
      const guint32 two = (k * 8) | (k * 8 + 1) << 16;

      ((uint4 *) here.ends)[k] = make_uint4 (two, two + 0x20002u, two + 0x40004u, two + 0x60006u);
    }
  each_direction<0, N> ([&] (auto direction)
    {
      constexpr int d = decltype (direction)::value;

      if (w == d)
        here.steps[d] = STEP<N, d>;
    });

  if (__syncthreads_or (join && root != 0))
    {
      join_minima<N> (&here);
      if (__syncthreads_or ((root & ~inner) != 0))
        move_ends_to_faces<N> (&here);
      each_pixel_of_word (root, [&] (int i) { here.ends[i] = find_end (here.ends, i); });
    }
  carry_ends_up<N> (&here);
  __syncthreads ();
  write_slots<N> (tiling, place, &here, join, tile, slots);
  write_ends<N> (tiling, place, &here, join, tile, image_ends, first_bits);
}
