/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The voxels of a tile of a stack between global and shared memory: see
 * tile.inc.cuh for what a word holds.
 */

#pragma once

#include "tile.inc.cuh"

namespace stack_tiles
{

/**
 * WfStackPlace:
 * @offset: of a tile's first voxel
 * @row, @slice: voxels of the stack from one to the next
 * @columns, @rows, @slices: of the tile that lie in the stack
 */
struct Place
{
  gint64 offset;
  gint64 row;
  gint64 slice;
  int    columns;
  int    rows;
  int    slices;
};

/* Asks for the tile's voxels, a lane a row of words, so that they are on the way while it
 * waits for other things.  No more than a hint.
 */
template <typename Pixel>
__device__ __forceinline__ void
prefetch_voxels (const Pixel *image,
                 const Place &place,
                 int          lane)
{
#ifdef __NVCC__
  typedef StackFormat<Pixel> Format;

#pragma unroll
  for (int part = 0; part < Format::PARTS; part++)
    {
      const int y = Format::y (lane, part);
      const int z = Format::z (lane, part);

      if (y < place.rows && z < place.slices)
        asm volatile ("prefetch.global.L2 [%0];"
                      :: "l" (image + place.offset + z * place.slice + y * place.row));
    }
#endif
}

/* A row of words of @image, a lane a column: rows are read whole, whatever their alignment. */
template <typename Pixel>
__device__ __forceinline__ guint32
read_word (const Pixel       *image,
           WfCudaKeys<Pixel>  keys,
           const Place       &place,
           int                row,
           int                lane)
{
  typedef StackFormat<Pixel> Format;

  guint32 word = 0;

#pragma unroll
  for (int part = 0; part < Format::PARTS; part++)
    {
      const int y   = Format::y (row, part);
      const int z   = Format::z (row, part);
      Pixel     key = 0;

      if (lane < place.columns && y < place.rows && z < place.slices)
        key = keys.of (__ldcg (image + place.offset + z * place.slice + y * place.row + lane));
      word |= (guint32) key << (part * 8 * sizeof (Pixel) % 32);
    }
  return word;
}

template <typename Pixel>
__device__ __forceinline__ void
load_words (const Pixel       *mask_image,
            const Pixel       *marker_image,
            WfCudaKeys<Pixel>  keys,
            const Place       &place,
            guint32           *marker,
            guint32           *mask,
            int                lane)
{
#pragma unroll (sizeof (Pixel) == 1 ? 1 : 2 * sizeof (Pixel))
  for (int row = 0; row < WF_TILE_WORDS; row++)
    {
      const guint32 limit = read_word (mask_image, keys, place, row, lane);
      const guint32 word  = read_word (marker_image, keys, place, row, lane);

      mask[row * WF_TILE_PITCH + lane]   = limit;
      marker[row * WF_TILE_PITCH + lane] = word;
    }
}

template <typename Pixel>
__device__ __forceinline__ void
store_words (Pixel             *image,
             WfCudaKeys<Pixel>  keys,
             const Place       &place,
             const guint32     *words,
             int                lane)
{
  typedef StackFormat<Pixel> Format;

  Pixel *voxels = image + place.offset + lane;

#pragma unroll (sizeof (Pixel) == 1 ? 2 : 4)
  for (int row = 0; row < WF_TILE_WORDS; row++)
    {
      const guint32 word = words[row * WF_TILE_PITCH + lane];

#pragma unroll
      for (int part = 0; part < Format::PARTS; part++)
        {
          const int y = Format::y (row, part);
          const int z = Format::z (row, part);

          if (lane < place.columns && y < place.rows && z < place.slices)
            __stcg (voxels + z * place.slice + y * place.row,
                    keys.back ((Pixel) (word >> (part * 8 * sizeof (Pixel) % 32))));
        }
    }
}

/* Bytes whose rows begin at multiples of 16 bytes: a lane takes 16 voxels of a row of each
 * part, twice.
 */
struct Pieces
{
  uint4 of[4];
};

__device__ __forceinline__ gint64
piece_at (const Place &place,
          int          row,
          int          part,
          int          lane,
          bool        *inside)
{
  const int y = StackFormat<guint8>::y (row, part);
  const int z = StackFormat<guint8>::z (row, part);
  const int x = lane % 2 * 16;

  *inside = x < place.columns && y < place.rows && z < place.slices;
  return place.offset + z * place.slice + y * place.row + x;
}

__device__ __forceinline__ Pieces
read_pieces (const guint8 *image,
             guint32       flips,
             const Place  &place,
             int           row,
             int           lane)
{
  Pieces pieces;

#pragma unroll
  for (int part = 0; part < 4; part++)
    {
      bool         inside;
      const gint64 at = piece_at (place, row, part, lane, &inside);

      pieces.of[part] = make_uint4 (flips, flips, flips, flips);
      if (inside)
        pieces.of[part] = __ldcg ((const uint4 *) (image + at));
    }
  return pieces;
}

__device__ __forceinline__ void
place_pieces (const Pieces &pieces,
              guint32       flips,
              guint32      *to)
{
#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const uint4 words = transpose_bytes (make_uint4 ((&pieces.of[0].x)[k], (&pieces.of[1].x)[k],
                                                       (&pieces.of[2].x)[k],
                                                       (&pieces.of[3].x)[k]));

      to[4 * k]     = words.x ^ flips;
      to[4 * k + 1] = words.y ^ flips;
      to[4 * k + 2] = words.z ^ flips;
      to[4 * k + 3] = words.w ^ flips;
    }
}

/* A quarter at a time: all at once the code would not fit the cache of instructions. */
__device__ __forceinline__ void
load_pieces (const guint8 *mask_image,
             const guint8 *marker_image,
             guint8        flip,
             const Place  &place,
             guint32      *marker,
             guint32      *mask,
             int           lane)
{
  const guint32 flips = flip * 0x01010101u;

#pragma unroll 1
  for (int i = 0; i < 4; i++)
    {
      const int     row    = lane / 2 + i % 2 * 16;
      guint32      *words  = i < 2 ? mask : marker;
      const Pieces  pieces = read_pieces (i < 2 ? mask_image : marker_image, flips,
                                          place, row, lane);

      place_pieces (pieces, flips, words + row * WF_TILE_PITCH + lane % 2 * 16);
    }
}

__device__ __forceinline__ void
store_pieces (guint8        *image,
              guint8         flip,
              const Place   &place,
              const guint32 *words,
              int            lane)
{
  const guint32 flips = flip * 0x01010101u;

#pragma unroll 1
  for (int row = lane / 2; row < WF_TILE_WORDS; row += 16)
    {
      const guint32 *from = words + row * WF_TILE_PITCH + lane % 2 * 16;
      uint4          parts[4];

#pragma unroll
      for (int k = 0; k < 4; k++)
        parts[k] = transpose_bytes (make_uint4 (from[4 * k] ^ flips, from[4 * k + 1] ^ flips,
                                                from[4 * k + 2] ^ flips,
                                                from[4 * k + 3] ^ flips));
#pragma unroll
      for (int part = 0; part < 4; part++)
        {
          bool         inside;
          const gint64 at = piece_at (place, row, part, lane, &inside);

          if (inside)
            __stcg ((uint4 *) (image + at),
                    make_uint4 ((&parts[0].x)[part], (&parts[1].x)[part], (&parts[2].x)[part],
                                (&parts[3].x)[part]));
        }
    }
}

} /* namespace stack_tiles */
