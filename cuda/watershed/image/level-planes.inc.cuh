/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds which neighbours of a pixel are its lowest, for images of 8 and 16 bits, by planes of the
 * bits of their levels.
 *
 * A warp has a tile.  Each lane loads two rows and transposes them: plane b has bit b of the level
 * of each pixel.  So the planes lie as all others of a tile do (tile.inc.cuh), and a few shifts and
 * shuffles give those of a neighbour.  Of a pixel and its neighbours, the candidates, the lowest
 * are found bit by bit from the most significant one: if any candidate that is left has a 0, those
 * with a 1 are dropped.  This takes two operations a candidate and bit for 32 pixels, where a
 * comparison of levels takes three a candidate and pixel.  (Radix selection; planes of bits:
 * O'Neil and Quass, Improved query performance with variant indexes, SIGMOD 1997.)
 *
 * Neighbours outside the image are no candidates from the start, so levels need no value above
 * all others.  L2 within the tile follows in the same registers.  There is no shared memory and no
 * barrier.
 *
 * Levels of 16 bits are processed as two bytes, the high one first; the second is loaded from the
 * cache.  f32 would take four, and the transposition of the keys, so it takes the other way
 * (lowest-neighbours.inc.cuh), and so do images whose rows are not whole words.
 *
 * A lane takes 14 instructions a pixel of 8 bits with 4 neighbours, 3 of them for L2; with
 * comparisons of levels they are 42.  Nearly all are for the integer unit, which takes one every
 * other cycle, so that unit determines the time.  Bytes a pixel as there.
 */

#pragma once

#include "byte-planes.inc.cuh"
#include "lowest-neighbours.inc.cuh"

namespace image_flood
{

/*  Bits of levels  */

/* Loads byte BYTE of the levels of 32 pixels from (x, y) on, x inside a tile; 0 outside the image.
 * WIDE: 16 bytes at once, else four; these are all in the image or all outside.
 */
template <int BYTE, bool WIDE, typename Pixel>
__device__ __forceinline__ void
load_level_bytes (const WfTiling &tiling,
                  const Pixel    *image,
                  gint64          x,
                  gint64          y,
                  guint32       (&bytes)[8])
{
  constexpr int PIXELS = 4 / sizeof (Pixel);    /* a word */
  constexpr int WORDS  = 32 / PIXELS;

  const bool   is_inside = y >= 0 && y < tiling.height;
  const Pixel *from      = image + y * tiling.width + x;
  guint32      words[WORDS];

  if constexpr (WIDE)
    {
#pragma unroll
      for (int k = 0; k < WORDS / 4; k++)
        {
          const uint4 four = is_inside && x + k * 4 * PIXELS < tiling.width
                             ? __ldg ((const uint4 *) from + k) : make_uint4 (0, 0, 0, 0);

          words[4 * k]     = four.x;
          words[4 * k + 1] = four.y;
          words[4 * k + 2] = four.z;
          words[4 * k + 3] = four.w;
        }
    }
  else
    {
#pragma unroll
      for (int k = 0; k < WORDS; k++)
        words[k] = is_inside && x + k * PIXELS < tiling.width
                   ? __ldg ((const guint32 *) from + k) : 0;
    }
#pragma unroll
  for (int i = 0; i < 8; i++)
    if constexpr (PIXELS == 4)
      bytes[i] = words[i];
    else
      bytes[i] = __byte_perm (words[2 * i], words[2 * i + 1], BYTE ? 0x7531 : 0x6420);
}

template <int BYTE, typename Pixel>
__device__ __forceinline__ guint32
level_byte (const WfTiling &tiling,
            const Pixel    *image,
            gint64          x,
            gint64          y)
{
  if (x < 0 || x >= tiling.width || y < 0 || y >= tiling.height)
    return 0;
  return __ldg (&image[y * tiling.width + x]) >> (8 * BYTE) & 255;
}

/* The bytes beside the ends of two rows: those on the left in their highest bits, as they enter a
 * row that is shifted.
 */
struct WfRowEnds
{
  guint32 left[2];
  guint32 right[2];
};

/* A lane's part of the eight planes of a byte of the levels. */
struct WfLevelPlanes
{
  guint32   words[4][8];    /* by the word of the lane's uint4 */
  guint32   halo[8];        /* lanes 0 and 1: the row above; 2 and 3: the row below */
  WfRowEnds ends;
  WfRowEnds above;          /* of the rows of the pixels above, and below; with 8 neighbours */
  WfRowEnds below;
};

template <int N, int BYTE, bool WIDE, typename Pixel>
__device__ __forceinline__ void
load_level_planes (const WfTiling &tiling,
                   const WfPlace  &place,
                   const Pixel    *image,
                   int             lane,
                   WfLevelPlanes  *levels)
{
  const gint64 y = place.y + 2 * lane;
  guint32      bytes[5][8];

#pragma unroll
  for (int k = 0; k < 4; k++)
    load_level_bytes<BYTE, WIDE> (tiling, image, place.x + k % 2 * 32, y + k / 2, bytes[k]);
  load_level_bytes<BYTE, WIDE> (tiling, image, place.x + lane % 2 * 32,
                                lane >= 4 ? -1 : lane < 2 ? place.y - 1 : place.y + 64, bytes[4]);
#pragma unroll
  for (int k = 0; k < 2; k++)
    {
      levels->ends.left[k]  = level_byte<BYTE> (tiling, image, place.x - 1, y + k) << 24;
      levels->ends.right[k] = level_byte<BYTE> (tiling, image, place.x + 64, y + k);
    }
  if constexpr (N == 8)
    {
      const WfRowEnds &own  = levels->ends;
      const gint64     over = lane == 0 ? place.y - 1 : lane == 31 ? place.y + 64 : -1;
      const guint32    left  = level_byte<BYTE> (tiling, image, place.x - 1, over) << 24;
      const guint32    right = level_byte<BYTE> (tiling, image, place.x + 64, over);

      levels->above = { { __shfl_up_sync (WF_ALL_LANES, own.left[1], 1), own.left[0] },
                        { __shfl_up_sync (WF_ALL_LANES, own.right[1], 1), own.right[0] } };
      levels->below = { { own.left[1], __shfl_down_sync (WF_ALL_LANES, own.left[0], 1) },
                        { own.right[1], __shfl_down_sync (WF_ALL_LANES, own.right[0], 1) } };
      if (lane == 0)
        {
          levels->above.left[0]  = left;
          levels->above.right[0] = right;
        }
      if (lane == 31)
        {
          levels->below.left[1]  = left;
          levels->below.right[1] = right;
        }
    }
#pragma unroll
  for (int k = 0; k < 4; k++)
    wf_planes_of_bytes (bytes[k], levels->words[k]);
  wf_planes_of_bytes (bytes[4], levels->halo);
}

/* Bit B of the levels at DX from each pixel of two rows. */
template <int DX, int B>
__device__ __forceinline__ uint4
level_bits_beside (uint4            rows,
                   const WfRowEnds &ends)
{
  if constexpr (DX == 0)
    return rows;
  else if constexpr (DX < 0)
    return make_uint4 (__funnelshift_l (ends.left[0] << (7 - B), rows.x, 1),
                       __funnelshift_l (rows.x, rows.y, 1),
                       __funnelshift_l (ends.left[1] << (7 - B), rows.z, 1),
                       __funnelshift_l (rows.z, rows.w, 1));
  else
    return make_uint4 (__funnelshift_r (rows.x, rows.y, 1),
                       __funnelshift_r (rows.y, ends.right[0] >> B, 1),
                       __funnelshift_r (rows.z, rows.w, 1),
                       __funnelshift_r (rows.w, ends.right[1] >> B, 1));
}


/*  Candidates  */

/* The neighbours, and the pixel itself, that may still be the lowest. */
template <int N>
struct WfCandidates
{
  uint4 beside[N];
  uint4 self;
};

/* Which of 32 columns from @x on, which may be −1, are in the image. */
__device__ __forceinline__ guint32
columns_inside (const WfTiling &tiling,
                gint64          x)
{
  const gint64  left = tiling.width - x;
  const guint32 all  = left <= 0 ? 0 : left >= 32 ? ~0u : (1u << left) - 1;

  return x < 0 ? all & ~1u : all;
}

/* All pixels in the image and their neighbours in it. */
template <int N>
__device__ __forceinline__ WfCandidates<N>
all_candidates (const WfTiling &tiling,
                const WfPlace  &place,
                int             lane)
{
  typedef WfDirections<N> To;

  const gint64    y = place.y + 2 * lane;
  guint32         columns[3][2];
  guint32         rows[4];      /* from the one above the lane's on: all bits or none */
  WfCandidates<N> result;

#pragma unroll
  for (int dx = 0; dx < 3; dx++)
    for (int k = 0; k < 2; k++)
      columns[dx][k] = columns_inside (tiling, place.x + 32 * k + dx - 1);
#pragma unroll
  for (int k = 0; k < 4; k++)
    rows[k] = y + k - 1 >= 0 && y + k - 1 < tiling.height ? ~0u : 0;

  result.self = make_uint4 (columns[1][0] & rows[1], columns[1][1] & rows[1],
                            columns[1][0] & rows[2], columns[1][1] & rows[2]);
#pragma unroll
  for (int d = 0; d < N; d++)
    {
      const guint32 left   = columns[To::dx (d) + 1][0];
      const guint32 right  = columns[To::dx (d) + 1][1];
      const guint32 first  = rows[1 + To::dy (d)];
      const guint32 second = rows[2 + To::dy (d)];

      result.beside[d] = result.self & make_uint4 (left & first, right & first,
                                                   left & second, right & second);
    }
  return result;
}

/* Drops the candidates with a 1 in bit B where one that is left has a 0. */
template <int N, int B>
__device__ __forceinline__ void
drop_candidates (const WfLevelPlanes &levels,
                 int                  lane,
                 WfCandidates<N>     *candidates)
{
  typedef WfDirections<N> To;

  const uint4   own    = make_uint4 (levels.words[0][B], levels.words[1][B],
                                     levels.words[2][B], levels.words[3][B]);
  const guint32 first  = __shfl_sync (WF_ALL_LANES, levels.halo[B], lane == 0 ? 0 : 2);
  const guint32 second = __shfl_sync (WF_ALL_LANES, levels.halo[B], lane == 0 ? 1 : 3);
  uint4         above  = wf_rows_beside<-1> (own, lane);
  uint4         below  = wf_rows_beside<1> (own, lane);
  uint4         zero   = candidates->self & ~own;
  uint4         bits[N];

  if (lane == 0)
    above = make_uint4 (first, second, above.z, above.w);
  if (lane == 31)
    below = make_uint4 (below.x, below.y, first, second);
  each_direction<0, N> ([&] (auto direction)
    {
      constexpr int d  = decltype (direction)::value;
      constexpr int DX = To::dx (d);
      constexpr int DY = To::dy (d);

      if constexpr (DY < 0)
        bits[d] = level_bits_beside<DX, B> (above, levels.above);
      else if constexpr (DY > 0)
        bits[d] = level_bits_beside<DX, B> (below, levels.below);
      else
        bits[d] = level_bits_beside<DX, B> (own, levels.ends);
      zero = zero | (candidates->beside[d] & ~bits[d]);
    });
#pragma unroll
  for (int d = 0; d < N; d++)
    candidates->beside[d] = candidates->beside[d] & ~(bits[d] & zero);
  candidates->self = candidates->self & ~(own & zero);
}

/* Drops by all bits of the bytes from BYTE down to the lowest. */
template <int N, int BYTE, bool WIDE, typename Pixel>
__device__ __forceinline__ void
select_lowest (const WfTiling  &tiling,
               const WfPlace   &place,
               const Pixel     *image,
               int              lane,
               WfCandidates<N> *candidates)
{
  WfLevelPlanes levels;

  load_level_planes<N, BYTE, WIDE> (tiling, place, image, lane, &levels);
  each_direction<0, 8> ([&] (auto number)
    {
      drop_candidates<N, 7 - decltype (number)::value> (levels, lane, candidates);
    });
  if constexpr (BYTE > 0)
    select_lowest<N, BYTE - 1, WIDE> (tiling, place, image, lane, candidates);
}


/*  Tiles  */

/* Returns the pixels of the tile that are markers. */
template <int N>
__device__ __forceinline__ uint4
marked_pixels (const WfTiling &tiling,
               const WfPlace  &place,
               const guint32  *markers,
               int             lane)
{
  uint4 result = wf_no_bits ();

#pragma unroll 4
  for (int l = 0; l < 32; l++)
    {
      guint32 words[4];

#pragma unroll
      for (int k = 0; k < 4; k++)
        {
          const gint64 p = wf_pixel_index<N> (tiling, place, (l * 4 + k) * 32 + lane);

          words[k] = __ballot_sync (WF_ALL_LANES, p >= 0 && markers[p] != 0);
        }
      if (lane == l)
        result = make_uint4 (words[0], words[1], words[2], words[3]);
    }
  return result;
}

static constexpr int LEVEL_WARPS = 4;

/* One warp a tile, from tile @first up to @end. */
template <int N, bool WIDE, typename Pixel>
static __global__ void __launch_bounds__ (LEVEL_WARPS * 32)
find_lowest_in_planes (WfTiling       tiling,
                       guint32        first,
                       guint32        end,
                       const Pixel   *image,
                       const guint32 *markers,
                       WfPlanes<N>    planes,
                       guint32       *border_depths)
{
  const int     lane = threadIdx.x % 32;
  const guint32 tile = first + blockIdx.x * LEVEL_WARPS + threadIdx.x / 32;

  if (tile >= end)
    return;

  const WfPlace    place  = wf_tile_place<N> (tiling, tile);
  const uint4      marked = markers ? marked_pixels<N> (tiling, place, markers, lane)
                                    : wf_no_bits ();
  WfCandidates<N>  lowest = all_candidates<N> (tiling, place, lane);
  const uint4      open   = lowest.self & ~marked;
  uint4            low;
  uint4            rest;

  select_lowest<N, sizeof (Pixel) - 1, WIDE> (tiling, place, image, lane, &lowest);
  low = open & ~lowest.self;
#pragma unroll
  for (int d = 0; d < N; d++)
    {
      lowest.beside[d] = lowest.beside[d] & open;
      planes.at (tile, d)[lane] = lowest.beside[d];
    }
  planes.at (tile, WfPlanes<N>::LOW)[lane] = low;

  const WfLowest<N> held (lowest.beside, 1);

  rest = find_inner_distances<N> (held, held.all () & ~low, low | marked,
                                  border_depths + (gint64) tile * WfTile<N>::N_SLOTS, lane);
  planes.at (tile, WfPlanes<N>::ROOT)[lane] = markers ? marked : (open & ~held.all ()) | rest;
}

} /* namespace image_flood */
