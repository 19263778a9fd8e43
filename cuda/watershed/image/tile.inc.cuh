/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tiles of the watershed of images on a GPU: 64 × 64 pixels as bits.
 *
 * A property of the pixels of a tile is a plane of 128 words of 32 bits: bit b of word w is for
 * the pixel with the local index 32 w + b, in raster order inside the tile.  A warp holds a
 * plane as four words a lane, the rows 2 l and 2 l + 1 in lane l.  So one instruction processes
 * 32 pixels, and the plane of the neighbours in a direction takes a few shifts and shuffles.
 *
 * The pixels of a tile's border have slots: numbers by which other tiles address them.  A
 * formula gives the pixel of a slot.  A corner has the slot of its row, and its place in the
 * column is not used.
 */

#pragma once

#include "cuda/core/lanes.cuh"
#include "cuda/watershed/directions.cuh"
#include "cuda/watershed/flood.cuh"

namespace image_flood
{

#define WF_TILE_PIXELS  4096
#define WF_TILE_WORDS   128
#define WF_TILE_THREADS 128     /* of a block that has a tile to itself */

/*  Places in a tile  */

template <int N>
struct WfTile
{
  static constexpr int X       = 64;
  static constexpr int Y       = 64;
  static constexpr int N_SLOTS = 256;

  static __device__ int x (int i) { return i & (X - 1); }
  static __device__ int y (int i) { return i / X; }

  /* Returns -1 inside the tile. */
  static __device__ int
  slot (int i)
  {
    const int x = WfTile::x (i);
    const int y = WfTile::y (i);

    return y == 0 ? x : y == 63 ? 64 + x : x == 0 ? 128 + y : x == 63 ? 192 + y : -1;
  }

  static __device__ int
  pixel (int slot)
  {
    const int k = slot & 63;

    return slot < 64 ? k : slot < 128 ? 63 * 64 + k : slot < 192 ? k * 64 : k * 64 + 63;
  }
};

/* An image divided into tiles.  Of a band of a larger image, the rows beside it, its halo, have
 * tiles of their own: those before @first, of which only the last row is in the image, and those
 * from @end on, of which only the first is.  They are given, and take no part in the work.
 */
struct WfTiling
{
  gint64  width;
  gint64  height;
  guint32 across;
  guint32 down;
  guint32 n_tiles;
  guint32 first;
  guint32 end;
  gint64  row_words;    /* words of bits that a row of whole tiles has */
};

/* @before, @after: whether there are rows beside the @height ones; with some after them, @height
 * must be a multiple of 64
 */
static inline WfTiling
wf_tiling (gint64 width,
           gint64 height,
           bool   before = false,
           bool   after = false)
{
  const guint32 down = (height + 63) / 64;
  WfTiling      tiling;

  tiling.width     = width;
  tiling.height    = 64 * before + height + after;
  tiling.across    = (width + 63) / 64;
  tiling.down      = before + down + after;
  tiling.n_tiles   = tiling.across * tiling.down;
  tiling.first     = before * tiling.across;
  tiling.end       = tiling.first + tiling.across * down;
  tiling.row_words = (gint64) tiling.across * 2;
  return tiling;
}

/* A tile's first pixel. */
struct WfPlace
{
  gint64 x;
  gint64 y;
};

template <int N>
__device__ __forceinline__ WfPlace
wf_tile_place (const WfTiling &tiling,
               guint32         tile)
{
  typedef WfTile<N> Tile;

  const guint32 row = tile / tiling.across;

  return { (gint64) (tile - row * tiling.across) * Tile::X, (gint64) row * Tile::Y };
}

/* Returns the linear index in the image of a tile's pixel, or -1 outside. */
template <int N>
__device__ __forceinline__ gint64
wf_pixel_index (const WfTiling &tiling,
                const WfPlace  &place,
                int             i)
{
  const gint64 x = place.x + WfTile<N>::x (i);
  const gint64 y = place.y + WfTile<N>::y (i);

  return x >= tiling.width || y >= tiling.height ? -1 : y * tiling.width + x;
}

/* Returns the number of a pixel's bit in a map of whole rows of tiles, which is in raster order,
 * too.
 */
template <int N>
__device__ __forceinline__ gint64
wf_bit_index (const WfTiling &tiling,
              const WfPlace  &place,
              int             i)
{
  return (place.y + WfTile<N>::y (i)) * (tiling.row_words * 32) + place.x + WfTile<N>::x (i);
}

/* A neighbour that may lie in another tile. */
struct WfBeside
{
  guint32 tile;
  int     i;
  bool    elsewhere;
};

/* Returns neighbour d of pixel i.  The caller checks whether it is in the image. */
template <int N>
__device__ __forceinline__ WfBeside
wf_beside (const WfTiling &tiling,
           guint32         tile,
           int             i,
           int             d)
{
  typedef WfTile<N>       Tile;
  typedef WfDirections<N> To;

  const int x     = Tile::x (i) + To::dx (d);
  const int y     = Tile::y (i) + To::dy (d);
  const int right = x < 0 ? -1 : x >= Tile::X;
  const int below = y < 0 ? -1 : y >= Tile::Y;

  return { tile + right + below * (int) tiling.across,
           (y & (Tile::Y - 1)) * Tile::X + (x & (Tile::X - 1)), right != 0 || below != 0 };
}

/*  Planes  */

__device__ __forceinline__ uint4
operator& (uint4 a,
           uint4 b)
{
  return make_uint4 (a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}

__device__ __forceinline__ uint4
operator| (uint4 a,
           uint4 b)
{
  return make_uint4 (a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}

__device__ __forceinline__ uint4
operator~ (uint4 a)
{
  return make_uint4 (~a.x, ~a.y, ~a.z, ~a.w);
}

__device__ __forceinline__ uint4
wf_no_bits (void)
{
  return make_uint4 (0, 0, 0, 0);
}

/* Returns whether any pixel of the warp's tile has its bit set. */
__device__ __forceinline__ bool
wf_any_bit (uint4 a)
{
  return __any_sync (WF_ALL_LANES, (a.x | a.y | a.z | a.w) != 0);
}

__device__ __forceinline__ guint32
wf_word (uint4 a,
         int   k)
{
  return k == 0 ? a.x : k == 1 ? a.y : k == 2 ? a.z : a.w;
}

/* The bits of the row at dy from each row; 0 outside the tile. */
template <int DY>
__device__ __forceinline__ uint4
wf_rows_beside (uint4 a,
                int   lane)
{
  if constexpr (DY < 0)
    {
      const guint32 z = __shfl_up_sync (WF_ALL_LANES, a.z, 1);
      const guint32 w = __shfl_up_sync (WF_ALL_LANES, a.w, 1);

      a = make_uint4 (lane == 0 ? 0 : z, lane == 0 ? 0 : w, a.x, a.y);
    }
  else if constexpr (DY > 0)
    {
      const guint32 x = __shfl_down_sync (WF_ALL_LANES, a.x, 1);
      const guint32 y = __shfl_down_sync (WF_ALL_LANES, a.y, 1);

      a = make_uint4 (a.z, a.w, lane == 31 ? 0 : x, lane == 31 ? 0 : y);
    }
  return a;
}

/* The bits of the column at dx from each column. */
template <int DX>
__device__ __forceinline__ uint4
wf_columns_beside (uint4 a)
{
  if constexpr (DX == 0)
    return a;
  else
    return DX < 0 ? make_uint4 (a.x << 1, __funnelshift_l (a.x, a.y, 1),
                                a.z << 1, __funnelshift_l (a.z, a.w, 1))
                  : make_uint4 (__funnelshift_r (a.x, a.y, 1), a.y >> 1,
                                __funnelshift_r (a.z, a.w, 1), a.w >> 1);
}

/* Calls visit (d, bits) for each direction d, a constant, in raster order: the bits
 * that each pixel's neighbour d has in @a.
 */
template <int N, int D = 0, int END = N, typename Visit>
__device__ __forceinline__ void
wf_each_beside (uint4   a,
                int     lane,
                Visit &&visit,
                uint4   row = uint4 ())
{
  typedef WfDirections<N> To;

  if constexpr (D < END)
    {
      if constexpr (D == 0 || To::dy (D) != To::dy (D > 0 ? D - 1 : 0))
        row = wf_rows_beside<To::dy (D)> (a, lane);
      visit (std::integral_constant<int, D> (), wf_columns_beside<To::dx (D)> (row));
      wf_each_beside<N, D + 1, END> (a, lane, visit, row);
    }
}

/* The pixels that have a slot. */
__device__ __forceinline__ uint4
wf_all_border_pixels (int lane)
{
  return make_uint4 (lane == 0 ? ~0u : 1u, lane == 0 ? ~0u : 0x80000000u,
                     lane == 31 ? ~0u : 1u, lane == 31 ? ~0u : 0x80000000u);
}

/* Calls visit (i) for the pixels of a lane's bits. */
template <typename Visit>
__device__ __forceinline__ void
wf_each_pixel (uint4   a,
               int     lane,
               Visit &&visit)
{
#pragma unroll
  for (int k = 0; k < 4; k++)
    for (guint32 word = wf_word (a, k); word != 0; word &= word - 1)
      visit ((lane * 4 + k) * 32 + __ffs (word) - 1);
}

/* Lists the bits of the lanes' words as numbers from each lane's @first on, in steps of @SCALE.
 * Returns how many they are.  Called by a whole warp.
 */
template <int SCALE>
__device__ __forceinline__ int
wf_list_bits (guint32  word,
              int      first,
              guint16 *list)
{
  const int own  = __popc (word);
  const int lane = threadIdx.x % 32;
  int       last = own;

#pragma unroll
  for (int reach = 1; reach < 32; reach *= 2)
    {
      const int before = __shfl_up_sync (WF_ALL_LANES, last, reach);

      if (lane >= reach)
        last += before;
    }
  list += last - own;
  for (; word != 0; word &= word - 1)
    *list++ = first + SCALE * (__ffs (word) - 1);
  __syncwarp ();
  return __shfl_sync (WF_ALL_LANES, last, 31);
}

/*  The planes of a tile in memory  */

/* N planes: whether the neighbour in that direction is one of the pixel's lowest, and not higher
 * than the pixel.  LOW: the pixels that have a lower neighbour.  ROOT: markers or pixels of minima.
 */
template <int N>
struct WfPlanes
{
  static constexpr int LOW  = N;
  static constexpr int ROOT = N + 1;
  static constexpr int ALL  = N + 2;

  uint4 *data;

  __device__ uint4 *
  at (guint32 tile,
      int     plane) const
  {
    return data + ((gint64) tile * ALL + plane) * 32;
  }

  __device__ bool
  bit (guint32 tile,
       int     plane,
       int     i) const
  {
    return ((const guint32 *) at (tile, plane))[i / 32] >> (i % 32) & 1;
  }
};

/* A lane's part of the N planes of lowest neighbours, in registers. */
template <int N>
struct WfLowest
{
  uint4 held[N];

  __device__
  WfLowest (const uint4 *first,
            int          pitch)
  {
#pragma unroll
    for (int d = 0; d < N; d++)
      held[d] = first[d * pitch];
  }

  template <int D>
  __device__ uint4
  get (void) const
  {
    return held[D];
  }

  /* The pixels that have a neighbour no higher. */
  __device__ uint4
  all (void) const
  {
    uint4 result = wf_no_bits ();

#pragma unroll
    for (int d = 0; d < N; d++)
      result = result | held[d];
    return result;
  }
};

} /* namespace image_flood */
