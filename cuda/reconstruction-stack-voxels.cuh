/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The voxels of a tile of a stack between global and shared memory: see
 * reconstruction-stack-tile.cuh for what a word holds.
 */

#pragma once

#include "reconstruction-stack-tile.cuh"

/**
 * WfStackPlace:
 * @offset: of a tile's first voxel
 * @row, @slice: voxels of the stack from one to the next
 * @columns, @rows, @slices: of the tile that lie in the stack
 */
struct WfStackPlace
{
  int64_t offset;
  int64_t row;
  int64_t slice;
  int     columns;
  int     rows;
  int     slices;
};

/* A lane a column of words: rows are read whole, whatever their alignment. */
template <typename Pixel>
__device__ __forceinline__ void
load_stack_words (const Pixel        *image,
                  WfCudaKeys<Pixel>   keys,
                  const WfStackPlace &place,
                  uint32_t           *words,
                  int                 lane)
{
  typedef WfStackFormat<Pixel> Format;

  const Pixel *voxels = image + place.offset + lane;

#pragma unroll 4
  for (int row = 0; row < WF_TILE_WORDS; row++)
    {
      uint32_t word = 0;

#pragma unroll
      for (int part = 0; part < Format::PARTS; part++)
        {
          const int y   = Format::y (row, part);
          const int z   = Format::z (row, part);
          Pixel     key = 0;

          if (lane < place.columns && y < place.rows && z < place.slices)
            key = keys.of (__ldcg (voxels + z * place.slice + y * place.row));
          word |= (uint32_t) key << (part * 8 * sizeof (Pixel) % 32);
        }
      words[row * WF_TILE_PITCH + lane] = word;
    }
}

template <typename Pixel>
__device__ __forceinline__ void
store_stack_words (Pixel              *image,
                   WfCudaKeys<Pixel>   keys,
                   const WfStackPlace &place,
                   const uint32_t     *words,
                   int                 lane)
{
  typedef WfStackFormat<Pixel> Format;

  Pixel *voxels = image + place.offset + lane;

#pragma unroll 4
  for (int row = 0; row < WF_TILE_WORDS; row++)
    {
      const uint32_t word = words[row * WF_TILE_PITCH + lane];

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
__device__ __forceinline__ int64_t
stack_piece (const WfStackPlace &place,
             int                 i,
             int                 part,
             int                 lane,
             bool               *inside)
{
  const int row = lane / 2 + 16 * i;
  const int y   = WfStackFormat<uint8_t>::y (row, part);
  const int z   = WfStackFormat<uint8_t>::z (row, part);
  const int x   = lane % 2 * 16;

  *inside = x < place.columns && y < place.rows && z < place.slices;
  return place.offset + z * place.slice + y * place.row + x;
}

__device__ __forceinline__ WfTilePieces
read_stack_pieces (const uint8_t      *image,
                   uint8_t             flip,
                   const WfStackPlace &place,
                   int                 lane)
{
  const uint32_t flips = flip * 0x01010101u;
  WfTilePieces   pieces;

#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int part = 0; part < 4; part++)
      {
        bool          inside;
        const int64_t at = stack_piece (place, i, part, lane, &inside);

        pieces.of[i][part] = make_uint4 (flips, flips, flips, flips);
        if (inside)
          pieces.of[i][part] = __ldcg ((const uint4 *) (image + at));
      }
  return pieces;
}

__device__ __forceinline__ void
store_stack_pieces (uint8_t            *image,
                    uint8_t             flip,
                    const WfStackPlace &place,
                    const uint32_t     *words,
                    int                 lane)
{
  const uint32_t flips = flip * 0x01010101u;

#pragma unroll
  for (int i = 0; i < 2; i++)
    {
      const uint32_t *from = words + (lane / 2 + 16 * i) * WF_TILE_PITCH + lane % 2 * 16;
      uint4           parts[4];

#pragma unroll
      for (int k = 0; k < 4; k++)
        parts[k] = transpose_bytes (make_uint4 (from[4 * k] ^ flips, from[4 * k + 1] ^ flips,
                                                from[4 * k + 2] ^ flips,
                                                from[4 * k + 3] ^ flips));
#pragma unroll
      for (int part = 0; part < 4; part++)
        {
          bool          inside;
          const int64_t at = stack_piece (place, i, part, lane, &inside);

          if (inside)
            __stcg ((uint4 *) (image + at),
                    make_uint4 ((&parts[0].x)[part], (&parts[1].x)[part], (&parts[2].x)[part],
                                (&parts[3].x)[part]));
        }
    }
}
