/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles of an image in the registers of a block, for elements of up to some dozen pixels: each
 * warp has some rows, each lane adjacent pixels of them.  A tile has margins as wide as the
 * element reaches, above and below by rows, and on either side rounded up to the pixels of a
 * lane.
 *
 * Pixels are keys in words (words.cuh), those of a byte widened to 16 bits, of which two are
 * compared at once.  What lies in no row of the image has the greatest key; beyond the ends of
 * a row the pixel at the end is repeated.  A tile inside an image whose rows begin at lanes is
 * read and written by as many bytes as a lane has.
 */

#pragma once

#include <type_traits>

#include "words.cuh"
#include "cuda/core/lanes.cuh"

namespace tile_rows
{

using morphology::Order;
using morphology::Pixels;

constexpr int WARPS     = 16;
constexpr int ROWS      = 8;               /* of a warp */
constexpr int TILE_ROWS = WARPS * ROWS;
constexpr int WORDS     = 4;               /* of a lane in a row */
constexpr int THREADS   = WARPS * WF_LANES;

/* Of shared memory, for a tile. */
constexpr gsize TILE_BYTES = TILE_ROWS * WF_LANES * WORDS * sizeof (guint32);

/* Pixels in a lane's words: guint32 stands for f32. */
template <typename Pixel>
constexpr int in_lane = sizeof (Pixel) == 4 ? WORDS : 2 * WORDS;

template <typename Pixel>
constexpr int in_row = WF_LANES * in_lane<Pixel>;

/* The words that pixels are compared in. */
template <typename Pixel>
using Wide = Order<std::conditional_t<sizeof (Pixel) == 4, guint32, guint16>>;

struct Row
{
  guint32 words[WORDS];
};

/**
 * Tiles:
 * @radius: of the element: the margin above and below
 * @margin: columns on either side
 * @aligned: rows begin at lanes
 */
struct Tiles
{
  gint64 width;
  gint64 height;
  gint64 n;
  gint64 n_across;
  int    radius;
  int    margin;
  bool   aligned;
};

/**
 * Place:
 * @x, @y: of a lane's first pixel, in the image
 * @x_in_tile, @y_in_tile: the same in its tile
 * @inner: the tile lies in the image, and is aligned
 */
struct Place
{
  gint64 x;
  gint64 y;
  int    x_in_tile;
  int    y_in_tile;
  bool   inner;
};

template <typename Pixel>
__device__ __forceinline__ Place
find_place (const Tiles &tiles,
            gint64       tile)
{
  const gint64 x0 = tile % tiles.n_across * (in_row<Pixel> - 2 * tiles.margin) - tiles.margin;
  const gint64 y0 = tile / tiles.n_across * (TILE_ROWS - 2 * tiles.radius) - tiles.radius;
  Place        place;

  place.x_in_tile = wf_lane () * in_lane<Pixel>;
  place.y_in_tile = threadIdx.x / WF_LANES * ROWS;
  place.x         = x0 + place.x_in_tile;
  place.y         = y0 + place.y_in_tile;
  place.inner     = tiles.aligned && x0 >= 0 && x0 + in_row<Pixel> <= tiles.width && y0 >= 0 &&
                    y0 + TILE_ROWS <= tiles.height;
  return place;
}

/* Keys of a byte as two words of keys of 16 bits. */
__device__ __forceinline__ void
spread (guint32  word,
        guint32 *words)
{
  words[0] = __byte_perm (word, 0, 0x4140);
  words[1] = __byte_perm (word, 0, 0x4342);
}

__device__ __forceinline__ guint32
unite (const guint32 *words)
{
  return __byte_perm (words[0], words[1], 0x6420);
}

/* All of a lane's pixels at once. */
template <typename Pixel>
__device__ __forceinline__ Row
load_lane (const Pixel        *pixels,
           const Order<Pixel> &order)
{
  Row row;

  if constexpr (sizeof (Pixel) == 1)
    {
      const uint2 loaded = __ldg ((const uint2 *) pixels);

      spread (order.key (loaded.x), row.words);
      spread (order.key (loaded.y), row.words + 2);
    }
  else
    {
      const uint4 loaded = __ldg ((const uint4 *) pixels);

      row.words[0] = order.key (loaded.x);
      row.words[1] = order.key (loaded.y);
      row.words[2] = order.key (loaded.z);
      row.words[3] = order.key (loaded.w);
    }
  return row;
}

template <typename Pixel>
__device__ __forceinline__ void
store_lane (Pixel              *pixels,
            const Order<Pixel> &order,
            const Row          &row)
{
  if constexpr (sizeof (Pixel) == 1)
    *(uint2 *) pixels = make_uint2 (order.back (unite (row.words)),
                                    order.back (unite (row.words + 2)));
  else
    *(uint4 *) pixels = make_uint4 (order.back (row.words[0]), order.back (row.words[1]),
                                    order.back (row.words[2]), order.back (row.words[3]));
}

/* The same by words, as far as they lie in the image. */
template <typename Pixel>
__device__ __forceinline__ Row
load_words (const Pixels<Pixel> &in,
            const Tiles         &tiles,
            gint64               x,
            gint64               y,
            const Order<Pixel>  &order)
{
  constexpr int per_word = Order<Pixel>::per_word;
  const gint64  begin    = y * tiles.width;
  Row           row      = { { ~0u, ~0u, ~0u, ~0u } };

  if (y < 0 || y >= tiles.height)
    return row;
  if constexpr (sizeof (Pixel) == 1)
    for (int i = 0; i < WORDS; i += 2)
      spread (order.key (in.load (begin, tiles.width, x + i / 2 * per_word)), row.words + i);
  else
    for (int i = 0; i < WORDS; i++)
      row.words[i] = order.key (in.load (begin, tiles.width, x + i * per_word));
  return row;
}

template <typename Pixel>
__device__ __forceinline__ void
store_words (const Pixels<Pixel> &out,
             const Tiles         &tiles,
             gint64               x,
             gint64               y,
             const Order<Pixel>  &order,
             const Row           &row)
{
  constexpr int per_word = Order<Pixel>::per_word;
  constexpr int step     = sizeof (Pixel) == 1 ? 2 : 1;

#pragma unroll
  for (int i = 0; i < WORDS; i += step)
    {
      const gint64  at   = x + i / step * per_word;
      const guint32 word = step == 2 ? unite (row.words + i) : row.words[i];

      if (at < tiles.width)
        out.store (y * tiles.width, tiles.width, at, order.back (word));
    }
}

template <typename Pixel>
__device__ __forceinline__ void
load_rows (const Pixels<Pixel> &in,
           const Tiles         &tiles,
           const Place         &place,
           const Order<Pixel>  &order,
           Row                 *rows)
{
  if (place.inner)
    {
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        rows[i] = load_lane<Pixel> (in.data + (place.y + i) * tiles.width + place.x, order);
    }
  else
    {
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        rows[i] = load_words (in, tiles, place.x, place.y + i, order);
    }
}

/* Writes those that lie in no margin. */
template <typename Pixel>
__device__ __forceinline__ void
store_rows (const Pixels<Pixel> &out,
            const Tiles         &tiles,
            const Place         &place,
            const Order<Pixel>  &order,
            const Row           *rows)
{
  if (place.x_in_tile < tiles.margin || place.x_in_tile >= in_row<Pixel> - tiles.margin)
    return;
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    {
      const int y = place.y_in_tile + i;

      if (y < tiles.radius || y >= TILE_ROWS - tiles.radius || place.y + i >= tiles.height)
        continue;
      if (place.inner)
        store_lane<Pixel> (out.data + (place.y + i) * tiles.width + place.x, order, rows[i]);
      else
        store_words (out, tiles, place.x, place.y + i, order, rows[i]);
    }
}

/* Makes the windows in @row longer by a pixel at both ends, the first ones from the pixels.  At the
 * ends of the tile they become wrong, in its margin.
 */
template <typename Pixel>
__device__ __forceinline__ void
widen (Row  *row,
       bool  first)
{
  Row     wider;
  guint32 around[WORDS + 2];

  around[0]         = __shfl_up_sync (WF_ALL_LANES, row->words[WORDS - 1], 1);
  around[WORDS + 1] = __shfl_down_sync (WF_ALL_LANES, row->words[0], 1);
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    around[1 + i] = row->words[i];
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    {
      if constexpr (sizeof (Pixel) == 4)
        wider.words[i] = min (around[i], around[i + 2]);
      else
        wider.words[i] = Wide<Pixel>::least (Wide<Pixel>::across (around[i], around[i + 1], 16),
                                             Wide<Pixel>::across (around[i + 1], around[i + 2],
                                                                  16));
      if (first)
        wider.words[i] = Wide<Pixel>::least (wider.words[i], row->words[i]);
    }
  *row = wider;
}

/* A row of a tile in shared memory: of a lane one vector. */
__device__ __forceinline__ void
keep (uint4     *tile,
      int        y,
      const Row &row)
{
  tile[y * WF_LANES + wf_lane ()] = make_uint4 (row.words[0], row.words[1], row.words[2],
                                                row.words[3]);
}

/* Adds a row of the tile that is kept; one beyond it, of which only a margin makes use, is that at
 * its end.
 */
template <typename Pixel>
__device__ __forceinline__ void
add (const uint4 *tile,
     int          y,
     Row         *least)
{
  const uint4 kept = tile[min (max (y, 0), TILE_ROWS - 1) * WF_LANES + wf_lane ()];

  least->words[0] = Wide<Pixel>::least (least->words[0], kept.x);
  least->words[1] = Wide<Pixel>::least (least->words[1], kept.y);
  least->words[2] = Wide<Pixel>::least (least->words[2], kept.z);
  least->words[3] = Wide<Pixel>::least (least->words[3], kept.w);
}

template <typename Pixel>
static Tiles
divide (const WfShape *shape,
        gint64         radius)
{
  const gint64 lane  = in_lane<Pixel>;
  Tiles        tiles = {};
  gint64       across;
  gint64       down;

  tiles.width    = shape->width;
  tiles.height   = shape->height;
  tiles.radius   = (int) radius;
  tiles.margin   = (int) ((radius + lane - 1) / lane * lane);
  tiles.aligned  = tiles.width % lane == 0;
  across         = in_row<Pixel> - 2 * tiles.margin;
  down           = TILE_ROWS - 2 * radius;
  tiles.n_across = (tiles.width + across - 1) / across;
  tiles.n        = tiles.n_across * ((tiles.height + down - 1) / down);
  return tiles;
}

}
