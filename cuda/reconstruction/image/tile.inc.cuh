/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tile of an image in shared memory: 32 × 32 words of marker, and SIZE words further as many of
 * mask.  Rows of words are 34 apart, so that a warp reads a row, or of a column of pairs of words
 * 8 bytes a lane, without bank conflicts.  What a word holds depends on the type (sides are those
 * of the tile in pixels):
 *
 *   u8    64 × 64   word (r, c): the pixels (r, 2 c), (r, 2 c + 1), (r + 32, 2 c) and
 *                   (r + 32, 2 c + 1), from the lowest byte up
 *   u16   32 × 64   (r, c) in the lower half, (r + 32, c) in the upper one
 *   f32   32 × 32   the pixel's key
 *
 * So a word of small pixels is two bytes of a row and two of the row 32 below, whatever
 * the type.
 *
 * Images whose rows begin at multiples of 16 bytes are read and written 16 bytes at a time.  In
 * other images, tiles inside are read and written in words of 4 bytes, shifted into place; the
 * rest pixel by pixel.
 */

#pragma once

#include "cuda/reconstruction/format.cuh"

namespace image_tiles
{

constexpr int PITCH = WF_TILE_WORDS + 2;
constexpr int SIZE  = WF_TILE_WORDS * PITCH;

/**
 * WfTilePlace:
 * @offset: of its first pixel
 * @width: of the image
 * @columns, @rows: of the tile that lie in the image
 * @whole: all of it does, and so do the words of 4 bytes that hold its pixels
 */
struct Place
{
  gint64 offset;
  gint64 width;
  int    columns;
  int    rows;
  bool   whole;
};

/* The pixel there, 0 outside the image. */
template <typename Pixel>
__device__ __forceinline__ guint32
load_pixel (const Pixel       *pixels,
            WfCudaKeys<Pixel>  keys,
            Place              place,
            int                row,
            int                column)
{
  if (row < place.rows && column < place.columns)
    return keys.of (__ldcg (pixels + row * place.width + column));
  return 0;
}

template <typename Pixel>
__device__ __forceinline__ guint32
load_word (const Pixel       *pixels,
           WfCudaKeys<Pixel>  keys,
           Place              place,
           int                row,
           int                lane)
{
  if (sizeof (Pixel) == 1)
    return load_pixel (pixels, keys, place, row, 2 * lane) |
           load_pixel (pixels, keys, place, row, 2 * lane + 1) << 8 |
           load_pixel (pixels, keys, place, row + 32, 2 * lane) << 16 |
           load_pixel (pixels, keys, place, row + 32, 2 * lane + 1) << 24;

  guint32 word = load_pixel (pixels, keys, place, row, lane);

  if (sizeof (Pixel) == 2)
    word |= load_pixel (pixels, keys, place, row + 32, lane) << 16;
  return word;
}

/* One lane a column of words: rows are read whole, whatever their alignment. */
template <typename Pixel>
__device__ __forceinline__ void
load_tile_pixels (const Pixel       *image,
                  WfCudaKeys<Pixel>  keys,
                  Place              place,
                  guint32           *words,
                  int                lane)
{
#pragma unroll 8
  for (int row = 0; row < WF_TILE_WORDS; row++)
    words[row * PITCH + lane] = load_word (image + place.offset, keys, place, row, lane);
}

template <typename Pixel>
__device__ __forceinline__ void
store_pixel (Pixel             *pixels,
             WfCudaKeys<Pixel>  keys,
             Place              place,
             int                row,
             int                column,
             guint32            key)
{
  if (row < place.rows && column < place.columns)
    __stcg (pixels + row * place.width + column, keys.back ((Pixel) key));
}

template <typename Pixel>
__device__ __forceinline__ void
store_tile_pixels (Pixel             *image,
                   WfCudaKeys<Pixel>  keys,
                   Place              place,
                   const guint32     *words,
                   int                lane)
{
  Pixel *pixels = image + place.offset;

#pragma unroll 8
  for (int r = 0; r < WF_TILE_WORDS; r++)
    {
      const guint32 word = words[r * PITCH + lane];

      if (sizeof (Pixel) == 1)
        {
          store_pixel (pixels, keys, place, r, 2 * lane, word);
          store_pixel (pixels, keys, place, r, 2 * lane + 1, word >> 8);
          store_pixel (pixels, keys, place, r + 32, 2 * lane, word >> 16);
          store_pixel (pixels, keys, place, r + 32, 2 * lane + 1, word >> 24);
          continue;
        }
      store_pixel (pixels, keys, place, r, lane, word);
      if (sizeof (Pixel) == 2)
        store_pixel (pixels, keys, place, r + 32, lane, word >> 16);
    }
}

/* What turns words of small pixels into words of keys, and back. */
template <typename Pixel>
__device__ __forceinline__ guint32
flips_of (WfCudaKeys<Pixel> keys)
{
  return sizeof (Pixel) == 1 ? keys.flip * 0x01010101u : keys.flip * 0x00010001u;
}

/* Small pixels of whole tiles.  Half a warp takes a row, a lane 4 bytes of it, which the
 * image has at any distance from a multiple of 4.
 */
__device__ __forceinline__ guint32
read_bytes (const guint8 *bytes)
{
  const int      shift = (int) ((guintptr) bytes & 3);
  const guint32 *word  = (const guint32 *) (bytes - shift);
  const guint32  low   = __ldcg (word);
  const guint32  high  = shift ? __ldcg (word + 1) : 0;

  return (guint32) (((guint64) high << 32 | low) >> 8 * shift);
}

template <typename Pixel>
__device__ __forceinline__ void
load_tile_whole (const Pixel       *image,
                 WfCudaKeys<Pixel>  keys,
                 Place              place,
                 guint32           *words,
                 int                lane)
{
  const guint8  *bytes = (const guint8 *) (image + place.offset) + lane % 16 * 4;
  const gint64   pitch = place.width * sizeof (Pixel);
  const guint32  flips = flips_of (keys);

#pragma unroll 4
  for (int r = lane / 16; r < WF_TILE_WORDS; r += 2)
    {
      const guint32  near = read_bytes (bytes + r * pitch) ^ flips;
      const guint32  far  = read_bytes (bytes + (r + WF_TILE_WORDS) * pitch) ^ flips;
      guint32       *to   = words + r * PITCH + lane % 16 * 2;

      to[0] = __byte_perm (near, far, 0x5410);
      to[1] = __byte_perm (near, far, 0x7632);
    }
}

/* A word of the image has bytes of two lanes; those at the ends of the row share theirs
 * with other tiles.
 */
__device__ __forceinline__ void
write_bytes (guint8  *bytes,
             guint32  value,
             int      lane)
{
  const int     shift  = (int) ((guintptr) bytes & 3);
  const guint32 before = __shfl_up_sync (WF_ALL_LANES, value, 1, 16);

  if (shift == 0 || lane % 16)
    __stcg ((guint32 *) (bytes - shift),
            (guint32) (((guint64) value << 32 | before) >> (32 - 8 * shift)));
  if (shift && (lane % 16 == 0 || lane % 16 == 15))
    for (int i = 0; i < 4; i++)
      if ((i < 4 - shift) == (lane % 16 == 0))
        __stcg (bytes + i, (guint8) (value >> 8 * i));
}

template <typename Pixel>
__device__ __forceinline__ void
store_tile_whole (Pixel             *image,
                  WfCudaKeys<Pixel>  keys,
                  Place              place,
                  const guint32     *words,
                  int                lane)
{
  guint8        *bytes = (guint8 *) (image + place.offset) + lane % 16 * 4;
  const gint64   pitch = place.width * sizeof (Pixel);
  const guint32  flips = flips_of (keys);

#pragma unroll 4
  for (int r = lane / 16; r < WF_TILE_WORDS; r += 2)
    {
      const guint32 *from = words + r * PITCH + lane % 16 * 2;

      write_bytes (bytes + r * pitch, __byte_perm (from[0], from[1], 0x5410) ^ flips, lane);
      write_bytes (bytes + (r + WF_TILE_WORDS) * pitch,
                   __byte_perm (from[0], from[1], 0x7632) ^ flips, lane);
    }
}

/* Images whose rows begin at multiples of 16 bytes.  A lane takes 16 bytes of each row that
 * has a part in its words, four times.
 */
template <typename Pixel>
struct AlignedRows
{
  static constexpr int HALVES   = WfTileFormat<Pixel>::ROWS / WF_TILE_WORDS;
  static constexpr int AT_ONCE  = 16 / sizeof (Pixel);
  static constexpr int A_ROW    = WfTileFormat<Pixel>::COLUMNS / AT_ONCE;
  static constexpr int ROWS     = 32 / A_ROW;
  static constexpr int N        = WF_TILE_WORDS / ROWS;
  static constexpr int WORDS    = WF_TILE_WORDS / A_ROW;
};

template <typename Pixel>
__device__ __forceinline__ void
load_tile_aligned (const Pixel       *image,
                   WfCudaKeys<Pixel>  keys,
                   Place              place,
                   guint32           *words,
                   int                lane)
{
  typedef AlignedRows<Pixel> Rows;

  const int     c     = lane % Rows::A_ROW * Rows::AT_ONCE;
  const guint32 flips = flips_of (keys);
  const guint32 none  = sizeof (Pixel) == 4 ? keys.back (0) : flips;    /* has the key 0 */
  uint4         pieces[Rows::N][Rows::HALVES];

#pragma unroll
  for (int i = 0; i < Rows::N; i++)
#pragma unroll
    for (int half = 0; half < Rows::HALVES; half++)
      {
        const int    r      = lane / Rows::A_ROW + Rows::ROWS * i + WF_TILE_WORDS * half;
        const Pixel *pixels = image + place.offset + r * place.width + c;

        pieces[i][half] = make_uint4 (none, none, none, none);
        if (r < place.rows && c < place.columns)
          pieces[i][half] = __ldcg ((const uint4 *) pixels);
      }
#pragma unroll
  for (int i = 0; i < Rows::N; i++)
    {
      guint32 *to = words + (lane / Rows::A_ROW + Rows::ROWS * i) * PITCH +
                     lane % Rows::A_ROW * Rows::WORDS;

#pragma unroll
      for (int k = 0; k < 4; k++)
        if (sizeof (Pixel) == 4)
          to[k] = keys.of ((&pieces[i][0].x)[k]);
        else
          {
            const guint32 near = (&pieces[i][0].x)[k] ^ flips;
            const guint32 far  = (&pieces[i][Rows::HALVES - 1].x)[k] ^ flips;

            ((uint2 *) to)[k] = make_uint2 (__byte_perm (near, far, 0x5410),
                                            __byte_perm (near, far, 0x7632));
          }
    }
}

template <typename Pixel>
__device__ __forceinline__ void
store_tile_aligned (Pixel             *image,
                    WfCudaKeys<Pixel>  keys,
                    Place              place,
                    const guint32     *words,
                    int                lane)
{
  typedef AlignedRows<Pixel> Rows;

  const int     c     = lane % Rows::A_ROW * Rows::AT_ONCE;
  const guint32 flips = flips_of (keys);

#pragma unroll
  for (int i = 0; i < Rows::N; i++)
    {
      const guint32 *from = words + (lane / Rows::A_ROW + Rows::ROWS * i) * PITCH +
                             lane % Rows::A_ROW * Rows::WORDS;
      uint4          pieces[Rows::HALVES];

#pragma unroll
      for (int k = 0; k < 4; k++)
        if (sizeof (Pixel) == 4)
          (&pieces[0].x)[k] = keys.back (from[k]);
        else
          {
            const uint2 pair = ((const uint2 *) from)[k];

            (&pieces[0].x)[k]                = __byte_perm (pair.x, pair.y, 0x5410) ^ flips;
            (&pieces[Rows::HALVES - 1].x)[k] = __byte_perm (pair.x, pair.y, 0x7632) ^ flips;
          }
#pragma unroll
      for (int half = 0; half < Rows::HALVES; half++)
        {
          const int r      = lane / Rows::A_ROW + Rows::ROWS * i + WF_TILE_WORDS * half;
          Pixel    *pixels = image + place.offset + r * place.width + c;

          if (r < place.rows && c < place.columns)
            __stcg ((uint4 *) pixels, pieces[half]);
        }
    }
}


/* In the fastest way that the image allows; @aligned: every row begins at a multiple of 16
 * bytes.
 */
template <typename Pixel>
__device__ __forceinline__ void
load_tile (const Pixel       *image,
           WfCudaKeys<Pixel>  keys,
           Place              place,
           bool               aligned,
           guint32           *words,
           int                lane)
{
  if (aligned)
    load_tile_aligned (image, keys, place, words, lane);
  else if (sizeof (Pixel) < 4 && place.whole)
    load_tile_whole (image, keys, place, words, lane);
  else
    load_tile_pixels (image, keys, place, words, lane);
}

template <typename Pixel>
__device__ __forceinline__ void
store_tile (Pixel             *image,
            WfCudaKeys<Pixel>  keys,
            Place              place,
            bool               aligned,
            const guint32     *words,
            int                lane)
{
  if (aligned)
    store_tile_aligned (image, keys, place, words, lane);
  else if (sizeof (Pixel) < 4 && place.whole)
    store_tile_whole (image, keys, place, words, lane);
  else
    store_tile_pixels (image, keys, place, words, lane);
}

} /* namespace image_tiles */
