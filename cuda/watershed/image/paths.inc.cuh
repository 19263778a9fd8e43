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
 * Most accesses to shared memory would be those of the jumps, so only the pixels that others point
 * to take part, half of all, and the others read their ends at last.  With 4 neighbours it is a
 * quarter: only pixels with an even x + y, which start with two steps.  The first steps are found
 * in planes of bits, which become indices by a transposition (byte-planes.inc.cuh).
 *
 * The pixels of minima have arrows to corners (minima-arrows.inc.cuh).  Where a part has several,
 * these are joined by union-find, which shortens paths on its way.
 *
 * Reducing paths to ends inside parts of the image, and then between parts, is from Bieniek and
 * Moga, An efficient watershed algorithm based on connected components, Pattern Recognition 33
 * (2000).
 *
 * Bytes a pixel of an image, 4 neighbours: 0.75 read; 2 for the ends and 0.7 for slots and roots
 * written.
 */

#pragma once

#include "cuda/core/union-find.cuh"
#include "arrows.inc.cuh"
#include "byte-planes.inc.cuh"

namespace image_flood
{

/* The properties of slots, each an array with one element a slot. */
struct WfSlots
{
  guint32 *next;        /* the slot where the path goes on; itself if it ends here */
  guint16 *root;        /* in that case the root's index in the tile, with flags */
  guint32 *joined;      /* parts of minima with slots: union-find over tiles */
  guint64 *first;       /* of a whole minimum: number of its first pixel's bit, or WF_GIVEN */
  guint32 *label;
};

/* Values in @root.  WF_ON_BORDER: a part of a minimum that has slots; the index is that of its
 * first pixel.  WF_WANTED: the pixel is an end, so its label is wanted.  WF_NO_ROOT: no root.
 */
#define WF_ON_BORDER 0x8000u
#define WF_WANTED  0x4000u
#define WF_NO_ROOT 0x3fffu

/* In @first, of a band: the lower half is the label. */
#define WF_GIVEN ((guint64) 1 << 63)


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
  /* The pixels of a warp's words whose ends other pixels need, as offsets in bytes. */
  static constexpr int LISTED = WF_TILE_PIXELS / (WF_TILE_THREADS / 32) / (N == 4 ? 2 : 1);

  guint16     ends[WF_TILE_PIXELS];
  WfArrows<N> arrows;
  guint16     slot_ends[WfTile<N>::N_SLOTS];
  guint16     slot_firsts[WfTile<N>::N_SLOTS];
  __align__ (4) guint16 list[WF_TILE_THREADS / 32][LISTED];
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

/* Joins the parts of minima that touch and have separate corners.  @joins: a thread's words, by
 * direction.
 */
template <int N>
__device__ __forceinline__ void
join_corners (guint16        *ends,
              const guint32 (&joins)[N_ABOVE<N>])
{
  each_direction<0, N_ABOVE<N>> ([&] (auto direction)
    {
      constexpr int d = decltype (direction)::value;

      each_pixel_of_word (joins[d], [&] (int i)
        {
          wf_join_sets (WfForest<guint16> (ends), i, i + STEP<N, d>);
        });
    });
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
        {
          here->slot_firsts[slot] = end;
          here->ends[i]           = i;
        }
    }
  __syncthreads ();
}

/* Gives all corners the ends of their parts, and marks the first pixels of the parts that lie
 * within the tile.  @corners: a thread's word.
 */
template <int N>
__device__ __forceinline__ void
finish_corners (const WfTiling &tiling,
                const WfPlace  &place,
                guint16        *ends,
                guint32         corners,
                guint32        *first_bits)
{
  typedef WfTile<N> Tile;

  const int first = threadIdx.x * 32;
  guint32   bits  = 0;

  each_pixel_of_word (corners, [&] (int i)
    {
      const int end = wf_look_up_root (WfForest<guint16> (ends), i);

      if (end != i)
        ends[i] = end;
      else if (Tile::slot (i) < 0)
        bits |= 1u << (i % 32);
    });
  if (place.y + Tile::y (first) < tiling.height)
    first_bits[wf_bit_index<N> (tiling, place, first) / 32] = bits;
}


/*  First steps  */

/* How far a step leads, as planes of bits: bits 0 to 2 have dx + 2, bits 4 to 6 dy + 2. */
__device__ __forceinline__ void
put_steps (guint32  once_back,
           guint32  once_forth,
           guint32  twice_back,
           guint32  twice_forth,
           guint32 *planes)
{
  planes[0] = once_back ^ once_forth ^ twice_back ^ twice_forth;
  planes[1] = ~(once_back | twice_back | (once_forth & twice_forth));
  planes[2] = once_forth & twice_forth;
  planes[3] = 0;
}

/* Finds where the arrows of a thread's word lead.  With 4 neighbours x + y changes by one in a
 * step.  So a pixel with an even sum takes two steps, unless the first one reaches an end, and
 * comes to another one with an even sum, or to an end.
 */
template <int N>
__device__ __forceinline__ void
find_steps (const WfArrows<N> &arrows,
            guint32            even,
            guint32          (&planes)[8])
{
  typedef WfDirections<N> To;

  const int     w    = threadIdx.x;
  const guint32 open = ~arrows.end[w];

  if constexpr (N == 4)
    {
      const guint32 code0   = arrows.code[0][w];
      const guint32 code1   = arrows.code[1][w];
      const guint32 up      = open & ~code0 & ~code1;
      const guint32 left    = open & code0 & ~code1;
      const guint32 right   = open & ~code0 & code1;
      const guint32 down    = open & code0 & code1;
      guint32       next[3];

      /* Arrows do not leave the tile, so what is read beyond its border is not used. */
#pragma unroll
      for (int k = 0; k < 3; k++)
        {
          const guint32 *words = k < 2 ? arrows.code[k] : arrows.end;
          const guint32  own   = words[w];
          const guint32  other = words[w ^ 1];

          next[k] = (up & words[(w - 2) & (WF_TILE_WORDS - 1)])
                    | (left & __funnelshift_l (other, own, 1))
                    | (right & __funnelshift_r (own, other, 1))
                    | (down & words[(w + 2) & (WF_TILE_WORDS - 1)]);
        }

      const guint32 again = open & even & ~next[2];

      put_steps (left, right, again & next[0] & ~next[1], again & ~next[0] & next[1], planes);
      put_steps (up, down, again & ~next[0] & ~next[1], again & next[0] & next[1], planes + 4);
    }
  else
    {
      guint32 back[2]  = { 0, 0 };
      guint32 forth[2] = { 0, 0 };

#pragma unroll
      for (int d = 0; d < N; d++)
        {
          guint32 arrow = open;

#pragma unroll
          for (int b = 0; b < To::BITS; b++)
            arrow &= d >> b & 1 ? arrows.code[b][w] : ~arrows.code[b][w];
          if (To::dx (d) < 0)
            back[0] |= arrow;
          if (To::dx (d) > 0)
            forth[0] |= arrow;
          if (To::dy (d) < 0)
            back[1] |= arrow;
          if (To::dy (d) > 0)
            forth[1] |= arrow;
        }
      put_steps (back[0], forth[0], 0, 0, planes);
      put_steps (back[1], forth[1], 0, 0, planes + 4);
    }
}

/* Initialises the ends of the pixels of a thread's word by their steps.  The planes become bytes,
 * and each byte the difference of two indices, in halves of words.  The threads begin with
 * different parts of their words, without bank conflicts.
 */
__device__ __forceinline__ void
put_first_ends (guint32 (&planes)[8],
                guint16  *ends)
{
  constexpr guint32 ORIGIN = 2 * 64 + 2;

  const int w     = threadIdx.x;
  const int first = w / 2 % 4;
  guint32   halves[2][8];     /* of each byte 0 and 2, and of each byte 1 and 3 */

#pragma unroll
  for (int j = 0; j < 8; j++)
    planes[j] = __funnelshift_r (planes[j], planes[j], 8 * first);
  wf_transpose_bits (planes);
#pragma unroll
  for (int j = 0; j < 8; j++)
    {
      const guint32 odd = planes[j] >> 8;

      halves[0][j] = (planes[j] & 0x000f000fu) + ((planes[j] & 0x00f000f0u) << 2);
      halves[1][j] = (odd & 0x000f000fu) + ((odd & 0x00f000f0u) << 2);
    }
#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const int     i    = w * 32 + (k + first) % 4 * 8;
      const guint32 base = i * 0x10001u + 0x10000u - ORIGIN * 0x10001u;
      guint32       pairs[4];

#pragma unroll
      for (int j = 0; j < 4; j++)
        pairs[j] = __byte_perm (halves[k % 2][2 * j], halves[k % 2][2 * j + 1],
                                k < 2 ? 0x5410 : 0x7632) + base + j * 0x20002u;
      *(uint4 *) (ends + i) = make_uint4 (pairs[0], pairs[1], pairs[2], pairs[3]);
    }
}


/*  Ends in a tile  */

/* A pixel's end, by the pixel's offset in bytes. */
__device__ __forceinline__ volatile guint16 *
end_at (guint16 *ends,
        guint32  offset)
{
  return (volatile guint16 *) ((char *) ends + offset);
}

/* The most pixels of a lane that are left to walk at last. */
#define WF_FEW 4

/* Replaces the end of each of the @n listed pixels by its end's end.  Each step goes twice as far,
 * or farther if another warp was faster; no warp waits for another.  After a few steps most pixels
 * are at their ends, and the others walk there, one after the other.
 */
template <int N>
__device__ __forceinline__ void
jump_to_ends (guint16 *ends,
              guint16 *list,
              int      n)
{
  constexpr int PAIRS = WfResolution<N>::LISTED / 64;

  const int lane = threadIdx.x % 32;
  guint32   pairs[PAIRS];       /* of the list */
  guint32   to[PAIRS][2];       /* their ends so far */
  guint32   open = 0;           /* bit k: pixel k of the lane is not at its end */

  /* Only whole parts of 128 are processed. */
  for (int k = n + lane; k < (n + 127) / 128 * 128; k += 32)
    list[k] = list[0];
  __syncwarp ();

#pragma unroll
  for (int p = 0; p < PAIRS; p++)
    if (p / 2 * 128 < n)
      {
        pairs[p] = ((const guint32 *) list)[p * 32 + lane];
        to[p][0] = *end_at (ends, pairs[p] & 0xffff);
        to[p][1] = *end_at (ends, pairs[p] >> 16);
        open    |= 3u << (2 * p);
      }
  while (__any_sync (WF_ALL_LANES, __popc (open) > WF_FEW))
    {
#pragma unroll
      for (int p = 0; p < PAIRS; p += 2)
        if (p / 2 * 128 < n)
          {
            guint32 over[2][2];

#pragma unroll
            for (int j = 0; j < 4; j++)
              over[j / 2][j % 2] = *end_at (ends, to[p + j / 2][j % 2] * 2);
#pragma unroll
            for (int j = 0; j < 4; j++)
              if (over[j / 2][j % 2] == to[p + j / 2][j % 2])
                open &= ~(1u << (2 * p + j));
              else
                {
                  const guint32 pair = pairs[p + j / 2];

                  to[p + j / 2][j % 2] = over[j / 2][j % 2];
                  *end_at (ends, j % 2 ? pair >> 16 : pair & 0xffff) = over[j / 2][j % 2];
                }
          }
    }
  for (; open != 0; open &= open - 1)
    {
      const int     k    = __ffs (open) - 1;
      const guint32 at   = list[(k / 2 * 32 + lane) * 2 + k % 2];
      guint32       end  = *end_at (ends, at);
      guint32       over = *end_at (ends, end * 2);

      while (over != end)
        {
          end                = over;
          *end_at (ends, at) = end;
          over               = *end_at (ends, end * 2);
        }
    }
}

/* The end of any pixel: listed or not, it points to one that is at its end. */
template <int N>
__device__ __forceinline__ int
end_of (const WfResolution<N> *here,
        int                    i)
{
  return here->ends[here->ends[i]];
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
          const int  end     = end_of (here, i);
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

template <int N>
__device__ __forceinline__ void
write_ends (const WfResolution<N> *here,
            guint32                tile,
            guint16               *image_ends)
{
  uint2 *out = (uint2 *) (image_ends + (gint64) tile * WF_TILE_PIXELS) + threadIdx.x;

#pragma unroll
  for (int k = 0; k < WF_TILE_PIXELS / 4 / WF_TILE_THREADS; k++)
    {
      const uint2 next = ((const uint2 *) here->ends)[k * WF_TILE_THREADS + threadIdx.x];

      out[k * WF_TILE_THREADS]
        = make_uint2 (here->ends[next.x & 0xffff] | (guint32) here->ends[next.x >> 16] << 16,
                      here->ends[next.y & 0xffff] | (guint32) here->ends[next.y >> 16] << 16);
    }
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

  const guint32  tile   = tiling.first + blockIdx.x;
  const int      w      = threadIdx.x;
  const guint32 *memory = (const guint32 *) planes.at (tile, 0);
  const WfPlace  place  = wf_tile_place<N> (tiling, tile);
  const guint32  root   = memory[WfPlanes<N>::ROOT * WF_TILE_WORDS + w];
  const guint32  end    = memory[Arrows::END * WF_TILE_WORDS + w];
  const guint32  passed = memory[Arrows::PASSED * WF_TILE_WORDS + w];
  const guint32  inner  = ~wf_word (wf_all_border_pixels (w / 4), w % 4);
  const guint32  even   = N == 8 ? ~0u : w / 2 % 2 ? 0xaaaaaaaau : 0x55555555u;
  guint16       *list   = here.list[w / 32];
  guint32        joins[N_ABOVE<N>];
  guint32        steps[8];
  guint32        any = 0;
  int            n;

#pragma unroll
  for (int b = 0; b < Arrows::BITS; b++)
    here.arrows.code[b][w] = memory[b * WF_TILE_WORDS + w];
#pragma unroll
  for (int d = 0; d < N_ABOVE<N>; d++)
    {
      joins[d] = memory[(Arrows::JOINS + d) * WF_TILE_WORDS + w];
      any     |= joins[d];
    }
  here.arrows.end[w]  = end;
  here.arrows.root[w] = root;
  n = wf_list_bits<2> (passed & even, w * 64, list);
  __syncthreads ();
  find_steps<N> (here.arrows, even, steps);
  put_first_ends (steps, here.ends);

  if (__syncthreads_or (any != 0))
    {
      join_corners<N> (here.ends, joins);
      __syncthreads ();
    }
  if (join)
    {
      if (__syncthreads_or ((root & ~inner) != 0))
        move_ends_to_border<N> (&here);
      finish_corners<N> (tiling, place, here.ends, end & root, first_bits);
    }
  jump_to_ends<N> (here.ends, list, n);
  __syncthreads ();
  write_slots<N> (tiling, place, &here, join, tile, slots);
  write_ends<N> (&here, tile, image_ends);
}

} /* namespace image_flood */
