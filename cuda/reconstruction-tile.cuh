/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tile of an image in shared memory, and sweeps over it by one warp.
 *
 * A tile is 32 × 32 words of marker and as many of mask; rows of words are 33 apart,
 * so that a warp reads a row or a column without bank conflicts.  What a word holds
 * depends on the type (sides are those of the tile in pixels):
 *
 *   u8    64 × 64   word (r, c): the pixels (r, c), (r, c + 32), (r + 32, c) and
 *                   (r + 32, c + 32), from the lowest byte up: one of each quadrant
 *   u16   32 × 64   (r, c) in the lower half, (r + 32, c) in the upper one
 *   f32   32 × 32   the pixel's key
 *
 * A sweep runs v ← min (mask, max (marker, v)) along columns, a lane a column, or
 * along rows, a lane a row, down and back.  All quadrants go at once; the far ones
 * start from where the near ones stood, and a pass back starts from what the far ones
 * have come to.  Bytes are handled as 16-bit pairs: the odd ones as they stand, the
 * even ones shifted up.  What is then in the lower byte does no harm: the order of
 * 16-bit numbers is lexicographic, so that the upper byte of a minimum or maximum is
 * that of the upper bytes.  With 8 neighbours the columns go in step and a row takes
 * the largest of three pixels of the row before, two of them shuffled in from the
 * lanes beside; rows need no more than themselves then.
 *
 * Sweeps along columns and rows alternate until neither can change anything.
 */

#pragma once

#include <cstdint>

#include "reconstruction-format.cuh"


/*  Sweeps  */

/* A word that has been read before: to read it again costs less than the registers that
 * would keep it, or than the minima and maxima that the compiler would rather repeat.
 */
__device__ __forceinline__ uint32_t
read_again (const uint32_t *word)
{
  return *(const volatile uint32_t *) word;
}

/* Down a line of words and back, without neighbours beside it.  Returns the bits that
 * changed; a second pass would change nothing if @linked.
 */
template <typename Pixel, bool VERTICAL>
__device__ __forceinline__ uint32_t
sweep_lines (uint32_t       *marker,
             const uint32_t *mask,
             bool           *linked)
{
  typedef WfTileFormat<Pixel> Format;
  typedef typename Format::Wave Wave;
  constexpr int STEP = VERTICAL ? WF_TILE_PITCH : 1;

  Wave     there[WF_TILE_WORDS];
  Wave     wave    = Format::template far<VERTICAL> (marker[(WF_TILE_WORDS - 1) * STEP]);
  uint32_t changed = 0;
  uint32_t first   = 0;
  uint32_t last    = 0;

#pragma unroll
  for (int k = 0; k < WF_TILE_WORDS; k++)
    {
      wave = Format::min (Format::wave (mask[k * STEP]),
                          Format::max (Format::wave (marker[k * STEP]), wave));
      there[k] = wave;
    }
  wave = Format::template near<VERTICAL> (Format::word (there[0]));
#pragma unroll
  for (int k = WF_TILE_WORDS - 1; k >= 0; k--)
    {
      uint32_t word;

      wave     = Format::min (Format::wave (read_again (mask + k * STEP)),
                              Format::max (there[k], wave));
      word     = Format::word (wave);
      changed |= marker[k * STEP] ^ word;
      marker[k * STEP] = word;
      if (k == 0)
        first = word;
      if (k == WF_TILE_WORDS - 1)
        last = word;
    }

  *linked = Format::template linked<VERTICAL> (first, last, mask[0],
                                               mask[(WF_TILE_WORDS - 1) * STEP]);
  return changed;
}

/* One word of columns in step: from the row before, @before, which is @wave too, and the
 * words beside that one.
 */
template <typename Pixel>
__device__ __forceinline__ typename WfTileFormat<Pixel>::Wave
follow_row (typename WfTileFormat<Pixel>::Wave wave,
            uint32_t                           before,
            uint32_t                           marker,
            uint32_t                           mask,
            int                                lane)
{
  typedef WfTileFormat<Pixel> Format;

  const uint32_t left  = Format::from_left (before, lane);
  const uint32_t right = Format::from_right (before, lane);

  wave = Format::max (Format::max (wave, Format::wave (left)), Format::wave (right));
  return Format::min (Format::wave (mask), Format::max (Format::wave (marker), wave));
}

/* Down all columns in step and back, with neighbours across the corners.  Returns the
 * bits that changed; it is stable once nothing does.
 */
template <typename Pixel>
__device__ __forceinline__ uint32_t
sweep_columns (uint32_t       *marker,
               const uint32_t *mask,
               int             lane)
{
  typedef WfTileFormat<Pixel> Format;

  typedef typename Format::Wave Wave;

  uint32_t there[WF_TILE_WORDS];
  uint32_t changed = 0;
  uint32_t word    = sizeof (Pixel) == 4 ? 0 : marker[(WF_TILE_WORDS - 1) * WF_TILE_PITCH] << 16;
  Wave     wave    = Format::wave (word);

#pragma unroll
  for (int k = 0; k < WF_TILE_WORDS; k++)
    {
      const uint32_t old = marker[k * WF_TILE_PITCH];

      wave     = follow_row<Pixel> (wave, word, old, mask[k * WF_TILE_PITCH], lane);
      word     = Format::word (wave);
      changed |= word ^ old;
      there[k] = word;
    }
  word = sizeof (Pixel) == 4 ? 0 : there[0] >> 16;
  wave = Format::wave (word);
#pragma unroll
  for (int k = WF_TILE_WORDS - 1; k >= 0; k--)
    {
      wave     = follow_row<Pixel> (wave, word, there[k], mask[k * WF_TILE_PITCH], lane);
      word     = Format::word (wave);
      changed |= word ^ there[k];
      marker[k * WF_TILE_PITCH] = word;
    }
  return changed;
}

/* Sweeps until the tile is stable, rows first if @rows_first, but not more than
 * @most times.  Returns whether it is stable.  All lanes of the warp.
 */
template <typename Pixel, int CONNECTIVITY>
__device__ __forceinline__ bool
settle_tile (uint32_t       *marker,
             const uint32_t *mask,
             int             lane,
             bool            rows_first,
             int             most)
{
  bool columns = true;      /* these may still change something */
  bool rows    = true;
  bool row     = rows_first;

  for (; (columns || rows) && most > 0; most--)
    {
      uint32_t changed;
      bool     linked;

      if (row)
        {
          changed  = sweep_lines<Pixel, false> (marker + lane * WF_TILE_PITCH,
                                                mask + lane * WF_TILE_PITCH, &linked);
          columns |= __any_sync (WF_ALL_LANES, changed != 0);
          rows     = __any_sync (WF_ALL_LANES, ! linked);
        }
      else if (CONNECTIVITY == 4)
        {
          changed = sweep_lines<Pixel, true> (marker + lane, mask + lane, &linked);
          rows   |= __any_sync (WF_ALL_LANES, changed != 0);
          columns = __any_sync (WF_ALL_LANES, ! linked);
        }
      else
        {
          changed = sweep_columns<Pixel> (marker + lane, mask + lane, lane);
          columns = __any_sync (WF_ALL_LANES, changed != 0);
          rows   |= columns;
        }
      __syncwarp ();
      row = columns && rows ? ! row : rows;
    }
  return ! columns && ! rows;
}


/*  Between global and shared memory  */

/**
 * WfTilePlace:
 * @offset: of its first pixel
 * @width: of the image
 * @columns, @rows: of the tile that lie in the image
 */
struct WfTilePlace
{
  int64_t offset;
  int64_t width;
  int     columns;
  int     rows;
};

/* The pixel at (row, lane + 32 · right), 0 outside the image. */
template <typename Pixel>
__device__ __forceinline__ uint32_t
load_pixel (const Pixel      *pixels,
            WfCudaKeys<Pixel> keys,
            WfTilePlace       place,
            int               row,
            int               column)
{
  if (row < place.rows && column < place.columns)
    return keys.of (__ldcg (pixels + row * place.width + column));
  return 0;
}

template <typename Pixel>
__device__ __forceinline__ uint32_t
load_word (const Pixel      *pixels,
           WfCudaKeys<Pixel> keys,
           WfTilePlace       place,
           int               row,
           int               lane)
{
  uint32_t word = load_pixel (pixels, keys, place, row, lane);

  if (sizeof (Pixel) == 2)
    word |= load_pixel (pixels, keys, place, row + 32, lane) << 16;
  if (sizeof (Pixel) == 1)
    word |= load_pixel (pixels, keys, place, row, lane + 32) << 8 |
            load_pixel (pixels, keys, place, row + 32, lane) << 16 |
            load_pixel (pixels, keys, place, row + 32, lane + 32) << 24;
  return word;
}

/* Marker and mask.  One lane a column: rows are read whole, whatever their alignment. */
template <typename Pixel>
__device__ __forceinline__ void
load_tile (const Pixel      *marker_image,
           const Pixel      *mask_image,
           WfCudaKeys<Pixel> keys,
           WfTilePlace       place,
           uint32_t         *marker,
           uint32_t         *mask,
           int               lane)
{
#pragma unroll 8
  for (int row = 0; row < WF_TILE_WORDS; row++)
    {
      const uint32_t limit = load_word (mask_image + place.offset, keys, place, row, lane);
      const uint32_t word  = load_word (marker_image + place.offset, keys, place, row, lane);

      mask[row * WF_TILE_PITCH + lane]   = limit;
      marker[row * WF_TILE_PITCH + lane] = word;
    }
}

template <typename Pixel>
__device__ __forceinline__ void
store_pixel (Pixel            *pixels,
             WfCudaKeys<Pixel> keys,
             WfTilePlace       place,
             int               row,
             int               column,
             uint32_t          key)
{
  if (row < place.rows && column < place.columns)
    __stcg (pixels + row * place.width + column, keys.back ((Pixel) key));
}

template <typename Pixel>
__device__ __forceinline__ void
store_tile (Pixel            *image,
            WfCudaKeys<Pixel> keys,
            WfTilePlace       place,
            const uint32_t   *words,
            int               lane)
{
  Pixel *pixels = image + place.offset;

#pragma unroll 8
  for (int r = 0; r < WF_TILE_WORDS; r++)
    {
      const uint32_t word = words[r * WF_TILE_PITCH + lane];

      store_pixel (pixels, keys, place, r, lane, word);
      if (sizeof (Pixel) == 2)
        store_pixel (pixels, keys, place, r + 32, lane, word >> 16);
      if (sizeof (Pixel) == 1)
        {
          store_pixel (pixels, keys, place, r, lane + 32, word >> 8);
          store_pixel (pixels, keys, place, r + 32, lane, word >> 16);
          store_pixel (pixels, keys, place, r + 32, lane + 32, word >> 24);
        }
    }
}

/* Four words of bytes in rows of quadrants to four words of a tile, and back: the
 * transposed matrix of bytes.
 */
__device__ __forceinline__ uint4
transpose_bytes (uint4 rows)
{
  const uint32_t a = __byte_perm (rows.x, rows.y, 0x5140);
  const uint32_t b = __byte_perm (rows.x, rows.y, 0x7362);
  const uint32_t c = __byte_perm (rows.z, rows.w, 0x5140);
  const uint32_t d = __byte_perm (rows.z, rows.w, 0x7362);

  return make_uint4 (__byte_perm (a, c, 0x5410), __byte_perm (a, c, 0x7632),
                     __byte_perm (b, d, 0x5410), __byte_perm (b, d, 0x7632));
}

/* Bytes whose rows begin at multiples of 16 bytes: a lane takes 16 pixels of a row of
 * each quadrant, twice.
 */
struct WfTilePieces
{
  uint4 of[2][4];
};

__device__ __forceinline__ WfTilePieces
read_pieces (const uint8_t *image,
             uint8_t        flip,
             WfTilePlace    place,
             int            lane)
{
  const uint32_t flips = flip * 0x01010101u;
  WfTilePieces   pieces;

#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int q = 0; q < 4; q++)
      {
        const int      r      = lane / 2 + 16 * i + q / 2 * 32;
        const int      c      = lane % 2 * 16 + q % 2 * 32;
        const uint8_t *pixels = image + place.offset + r * place.width + c;

        pieces.of[i][q] = make_uint4 (flips, flips, flips, flips);
        if (r < place.rows && c < place.columns)
          pieces.of[i][q] = __ldcg ((const uint4 *) pixels);
      }
  return pieces;
}

__device__ __forceinline__ void
place_pieces (const WfTilePieces &pieces,
              uint8_t             flip,
              uint32_t           *words,
              int                 lane)
{
  const uint32_t flips = flip * 0x01010101u;

#pragma unroll
  for (int i = 0; i < 2; i++)
    {
      uint32_t *to = words + (lane / 2 + 16 * i) * WF_TILE_PITCH + lane % 2 * 16;

#pragma unroll
      for (int k = 0; k < 4; k++)
        {
          const uint32_t *a = &pieces.of[i][0].x + k;
          const uint4     w = transpose_bytes (make_uint4 (a[0], a[4], a[8], a[12]));

          to[4 * k]     = w.x ^ flips;
          to[4 * k + 1] = w.y ^ flips;
          to[4 * k + 2] = w.z ^ flips;
          to[4 * k + 3] = w.w ^ flips;
        }
    }
}

/* Both images are under way before either is waited for. */
__device__ __forceinline__ void
load_tile_aligned (const uint8_t *marker_image,
                   const uint8_t *mask_image,
                   uint8_t        flip,
                   WfTilePlace    place,
                   uint32_t      *marker,
                   uint32_t      *mask,
                   int            lane)
{
  const WfTilePieces limits = read_pieces (mask_image, flip, place, lane);
  const WfTilePieces pieces = read_pieces (marker_image, flip, place, lane);

  place_pieces (limits, flip, mask, lane);
  place_pieces (pieces, flip, marker, lane);
}

__device__ __forceinline__ void
store_tile_aligned (uint8_t        *image,
                    uint8_t         flip,
                    WfTilePlace     place,
                    const uint32_t *words,
                    int             lane)
{
  const uint32_t flips  = flip * 0x01010101u;
  const int      column = lane % 2 * 16;

#pragma unroll
  for (int i = 0; i < 2; i++)
    {
      const uint32_t *from = words + (lane / 2 + 16 * i) * WF_TILE_PITCH + column;
      uint4           parts[4];

#pragma unroll
      for (int k = 0; k < 4; k++)
        parts[k] = transpose_bytes (make_uint4 (from[4 * k] ^ flips, from[4 * k + 1] ^ flips,
                                                from[4 * k + 2] ^ flips,
                                                from[4 * k + 3] ^ flips));
#pragma unroll
      for (int q = 0; q < 4; q++)
        {
          const int r      = lane / 2 + 16 * i + q / 2 * 32;
          const int c      = column + q % 2 * 32;
          uint8_t  *pixels = image + place.offset + r * place.width + c;

          if (r < place.rows && c < place.columns)
            __stcg ((uint4 *) pixels, make_uint4 ((&parts[0].x)[q], (&parts[1].x)[q],
                                                  (&parts[2].x)[q], (&parts[3].x)[q]));
        }
    }
}
