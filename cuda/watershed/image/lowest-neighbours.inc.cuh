/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds which neighbours of a pixel are its lowest, for the watershed on a GPU.
 *
 * find_lowest_neighbours() reads the levels once and makes planes of bits.  Later steps do not use
 * levels, except to draw lines.  A parent is always one of the lowest neighbours, so these are
 * kept, one plane a direction, and whether they are lower than the pixel.  A pixel whose lowest
 * neighbours are as high as itself is inside a plateau, and they are all its plateau neighbours.
 *
 * A thread makes a word of each plane.  It goes along 32 pixels of a row in shared memory with a
 * window of three columns, so the bits of a pixel go into registers without exchange between
 * threads.
 *
 * Bytes a pixel of an image of bytes, 4 neighbours: 1 read, 0.75 and 0.25 for the borders written;
 * with 8 neighbours 1.25 and 0.25.
 */

#pragma once

#include "cuda/watershed/level-key.cuh"
#include "plateau-distance.inc.cuh"

namespace image_flood
{

/* Words from a plane to the next in shared memory: more than a plane has, so that the lanes of
 * a warp can write one word of each plane without bank conflicts.
 */
#define WF_PLANE_PITCH 132


/*  Levels in a tile  */

/* A tile's levels with a halo of one pixel.  Rows have an odd number of words, so that the
 * lanes of a warp can read a row each without bank conflicts.
 */
template <typename Key>
struct WfLevelRows
{
  static constexpr int START = 2;
  static constexpr int ROW   = sizeof (Key) == 4 ? 64 + 3 : 64 + 6;
  static constexpr int ROWS  = 64 + 2;
  static constexpr int ALL   = ROW * ROWS;
  static constexpr int FIRST = ROW + START;
};

/* Writes the keys of the pixels that a word of 32 bits holds. */
__device__ __forceinline__ void
put_keys (guint32  word,
          guint16 *keys,
          guint8)
{
  ((guint32 *) keys)[0] = __byte_perm (word, 0, 0x4140);
  ((guint32 *) keys)[1] = __byte_perm (word, 0, 0x4342);
}

__device__ __forceinline__ void
put_keys (guint32  word,
          guint32 *keys,
          guint16)
{
  keys[0] = word & 0xffff;
  keys[1] = word >> 16;
}

__device__ __forceinline__ void
put_keys (guint32  word,
          guint32 *keys,
          float)
{
  *keys = WfLevel<float>::key (__uint_as_float (word));
}

/* With VEC > 1, the pixels of four bytes are loaded together; they must be all in the image or all
 * outside.  A thread stays in its columns.
 */
template <typename Pixel, int VEC>
__device__ __forceinline__ void
load_inner_levels (const WfTiling                &tiling,
                   const WfPlace                 &place,
                   const Pixel                   *image,
                   typename WfLevel<Pixel>::Key  *levels)
{
  typedef typename WfLevel<Pixel>::Key Key;
  typedef WfLevelRows<Key>                   LevelRows;

  constexpr Key OUTER = (Key) ~(Key) 0;
  constexpr int WORDS = 64 / VEC;
  constexpr int STEP  = WF_TILE_THREADS / WORDS;

  const int     column    = threadIdx.x % WORDS * VEC;
  const int     first     = threadIdx.x / WORDS;
  const bool    is_inside = place.x + column < tiling.width;
  const gint64  top       = place.y - 1 + first;
  const Pixel  *from      = image + top * tiling.width + place.x + column;
  Key          *keys      = levels + first * LevelRows::ROW + LevelRows::START + column;

#pragma unroll (VEC > 1 ? 17 : 8)
  for (int k = 0; k < LevelRows::ROWS; k += STEP)
    {
      if (first + k >= LevelRows::ROWS)
        continue;
      if (! is_inside || top + k < 0 || top + k >= tiling.height)
        for (int j = 0; j < VEC; j++)
          keys[k * LevelRows::ROW + j] = OUTER;
      else if constexpr (VEC * sizeof (Pixel) == 4)
        put_keys (*(const guint32 *) (from + k * tiling.width), keys + k * LevelRows::ROW,
                  Pixel ());
      else
        keys[k * LevelRows::ROW] = WfLevel<Pixel>::key (from[k * tiling.width]);
    }
}

template <typename Pixel>
__device__ __forceinline__ void
load_levels (const WfTiling                &tiling,
             const WfPlace                 &place,
             const Pixel                   *image,
             bool                           whole_words,
             typename WfLevel<Pixel>::Key  *levels)
{
  typedef typename WfLevel<Pixel>::Key Key;
  typedef WfLevelRows<Key>                   LevelRows;

  if (whole_words)
    load_inner_levels<Pixel, 4 / sizeof (Pixel)> (tiling, place, image, levels);
  else
    load_inner_levels<Pixel, 1> (tiling, place, image, levels);

  for (int k = threadIdx.x; k < 2 * LevelRows::ROWS; k += WF_TILE_THREADS)
    {
      const int    column = k % 2 ? 64 : -1;
      const gint64 x      = place.x + column;
      const gint64 y      = place.y + k / 2 - 1;
      Key          key    = (Key) ~(Key) 0;

      if (x >= 0 && x < tiling.width && y >= 0 && y < tiling.height)
        key = WfLevel<Pixel>::key (image[y * tiling.width + x]);
      levels[k / 2 * LevelRows::ROW + LevelRows::START + column] = key;
    }
}


/*  Lowest neighbours, and L2 within the tile  */

/* Makes the word of each plane for 32 pixels in a row, in one thread with a window of three
 * columns.  A neighbour is one of the lowest, and not higher than the pixel, if it equals the least
 * of the pixel and all neighbours.  @inside: the pixels in the image; @markers: those that are
 * markers.
 */
template <int N, typename Key>
__device__ __forceinline__ void
lowest_of_word (const Key *levels,
                guint32    inside,
                guint32    markers,
                bool       markers_given,
                guint32  (&planes)[WfPlanes<N>::ALL])
{
  typedef WfDirections<N> To;
  typedef WfLevelRows<Key>      LevelRows;

  constexpr int LOW  = WfPlanes<N>::LOW;
  constexpr int ROOT = WfPlanes<N>::ROOT;

  guint32 window[3][3];
  guint32 flowing = 0;

#pragma unroll
  for (int plane = 0; plane < WfPlanes<N>::ALL; plane++)
    planes[plane] = 0;
#pragma unroll
  for (int y = 0; y < 3; y++)
    {
      window[y][1] = levels[(y - 1) * LevelRows::ROW - 1];
      window[y][2] = levels[(y - 1) * LevelRows::ROW];
    }

#pragma unroll 8
  for (int x = 0; x < 32; x++)
    {
      const guint32 bit = 1u << x;
      guint32       least;

#pragma unroll
      for (int y = 0; y < 3; y++)
        {
          window[y][0] = window[y][1];
          window[y][1] = window[y][2];
          window[y][2] = levels[(y - 1) * LevelRows::ROW + x + 1];
        }
      least = window[1][1];
#pragma unroll
      for (int d = 0; d < N; d++)
        least = min (least, window[To::dy (d) + 1][To::dx (d) + 1]);

#pragma unroll
      for (int d = 0; d < N; d++)
        if (window[To::dy (d) + 1][To::dx (d) + 1] == least)
          planes[d] |= bit;
      if (window[1][1] != least)
        planes[LOW] |= bit;
    }

#pragma unroll
  for (int d = 0; d < N; d++)
    {
      planes[d] &= inside & ~markers;
      flowing   |= planes[d];
    }
  planes[LOW] &= inside & ~markers;
  planes[ROOT] = markers_given ? markers : inside & ~flowing;
}

/* Returns the pixels of a word of 32 that lie in the image. */
template <int N>
__device__ __forceinline__ guint32
word_inside (const WfTiling &tiling,
             const WfPlace  &place,
             int             i)
{
  typedef WfTile<N> Tile;

  const gint64 left = tiling.width - place.x - Tile::x (i);

  if (left <= 0 || place.y + Tile::y (i) >= tiling.height)
    return 0;
  return left >= 32 ? ~0u : (1u << left) - 1;
}

/* Finds L2 as if the tile were the whole image, and writes that of the border.  Returns the pixels
 * that are not reached.
 */
template <int N>
__device__ __forceinline__ uint4
find_inner_distances (const WfLowest<N> &lowest,
                      uint4              waiting,
                      uint4              known,
                      guint32           *slots,
                      int                lane)
{
  const guint32 bits      = wf_border_bits (known, lane);
  WfDistances   distances = { wf_border_of (WF_FAR), wf_border_of (WF_FAR) };
  const uint4   rest      = find_distances<N, false> (lowest, distances, waiting, known, lane);

#pragma unroll
  for (int k = 0; k < 8; k++)
    slots[wf_border_slot (k, lane)] = bits >> k & 1 ? 0 : distances.reached.at[k];
  return rest;
}

/* One block a tile, from tile @first on; one thread a word. */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
find_lowest_neighbours (WfTiling       tiling,
                        guint32        first,
                        const Pixel   *image,
                        bool           whole_words,
                        const guint32 *markers,
                        WfPlanes<N>    planes,
                        guint32       *border_depths)
{
  typedef WfTile<N>                    Tile;
  typedef typename WfLevel<Pixel>::Key Key;
  typedef WfLevelRows<Key>                   LevelRows;

  constexpr int LOW  = WfPlanes<N>::LOW;
  constexpr int ROOT = WfPlanes<N>::ROOT;

  __shared__ __align__ (16) Key     levels[LevelRows::ALL];
  __shared__ __align__ (16) guint32 words[WfPlanes<N>::ALL * WF_PLANE_PITCH];

  const int      lane  = threadIdx.x % 32;
  const int      warp  = threadIdx.x / 32;
  const guint32  tile  = first + blockIdx.x;
  const WfPlace  place = wf_tile_place<N> (tiling, tile);

  load_levels (tiling, place, image, whole_words, levels);
  for (int word = warp; markers && word < WF_TILE_WORDS; word += WF_TILE_THREADS / 32)
    {
      const gint64  p    = wf_pixel_index<N> (tiling, place, word * 32 + lane);
      const guint32 mine = __ballot_sync (WF_ALL_LANES, p >= 0 && markers[p] != 0);

      if (lane == 0)
        words[ROOT * WF_PLANE_PITCH + word] = mine;
    }
  __syncthreads ();

  {
    /* The threads of a warp read different rows. */
    const int  word   = threadIdx.x % 64 * 2 + threadIdx.x / 64;
    const int  i      = word * 32;
    guint32    marked = markers ? words[ROOT * WF_PLANE_PITCH + word] : 0;
    guint32    mine[WfPlanes<N>::ALL];

    lowest_of_word<N> (levels + LevelRows::FIRST + Tile::y (i) * LevelRows::ROW + Tile::x (i),
                       word_inside<N> (tiling, place, i), marked, markers != NULL, mine);
#pragma unroll
    for (int plane = 0; plane < WfPlanes<N>::ALL; plane++)
      words[plane * WF_PLANE_PITCH + word] = mine[plane];
  }
  __syncthreads ();

  if (warp == 0)
    {
      const uint4       *mine  = (const uint4 *) words + lane;
      const int          pitch = WF_PLANE_PITCH / 4;
      const uint4        low   = mine[LOW * pitch];
      uint4             *root  = (uint4 *) words + ROOT * pitch + lane;
      const WfLowest<N>  lowest (mine, pitch);
      const uint4        rest  = find_inner_distances<N> (lowest, lowest.all () & ~low,
                                                          markers ? low | *root : low,
                                                          border_depths
                                                          + (gint64) tile * Tile::N_SLOTS,
                                                          lane);

      if (! markers)
        *root = *root | rest;
    }
  __syncthreads ();

  for (int k = threadIdx.x; k < WfPlanes<N>::ALL * 32; k += WF_TILE_THREADS)
    planes.at (tile, 0)[k] = ((const uint4 *) words)[k / 32 * (WF_PLANE_PITCH / 4) + k % 32];
}

} /* namespace image_flood */
