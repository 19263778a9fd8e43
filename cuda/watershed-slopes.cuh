/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which neighbours of a pixel are its lowest, for the watershed on a GPU.
 *
 * find_slopes reads the levels once and turns them into planes of bits; nothing after
 * it but lines knows levels or their type.  A parent is always one of the lowest
 * neighbours, so those are kept, one plane a direction, and whether they are lower than
 * the pixel.  A pixel whose lowest neighbours are as high as itself lies inside a
 * plateau, and those are all its plateau neighbours.
 *
 * A thread makes a word of each plane: it goes along 32 pixels of a row in shared memory
 * with a window of three columns, so that what is known of a pixel goes into a bit of a
 * register without any exchange between threads.
 *
 * Bytes a pixel of an image of bytes, 4 neighbours: 1 read, 0.75 and 0.25 for the faces
 * written; with 8 neighbours 1.25 and 0.25.
 */

#pragma once

#include "watershed-frame.cuh"

/* A row of planes in shared memory, apart enough that a warp's lanes may write one word
 * each of as many planes.
 */
#define WF_PLANE_PITCH 132


/*  Levels in a tile  */

/* Levels become integers in the same order, with one above all of them for what lies
 * outside the image.
 */
template <typename Pixel> struct WfLevel;

template <> struct WfLevel<guint8>
{
  typedef guint16 Key;
  static __device__ Key key (guint8 level) { return level; }
};

template <> struct WfLevel<guint16>
{
  typedef guint32 Key;
  static __device__ Key key (guint16 level) { return level; }
};

template <> struct WfLevel<float>
{
  typedef guint32 Key;

  static __device__ Key
  key (float level)
  {
    const guint32 bits = __float_as_uint (level + 0.0f);    /* −0 becomes +0 */

    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  }
};

/* A tile's levels with a rim of one pixel, in rows an odd number of words long, so that
 * a warp's lanes may look at a row each.  Pixels lie two before a row's start.
 */
template <int N, typename Key>
struct WfRim
{
  typedef WfTile<N> Tile;

  static constexpr int START = 2;
  static constexpr int ROW   = sizeof (Key) == 4 ? Tile::X + 3 : Tile::X + 6;
  static constexpr int SLICE = ROW * (Tile::Y + 2);
  static constexpr int ROWS  = (Tile::Y + 2) * (Tile::STACK ? Tile::Z + 2 : 1);
  static constexpr int ALL   = ROW * ROWS;
  static constexpr int FIRST = (Tile::STACK ? SLICE : 0) + ROW + START;
};

/* The start of a row of the rim in the image; whether there is one. */
template <int N>
static __device__ inline bool
find_row (const WfTiling &tiling,
          const WfPlace  &place,
          int             row,
          gint64         *start)
{
  typedef WfTile<N> Tile;

  const gint64 y = place.y + (Tile::STACK ? row % (Tile::Y + 2) : row) - 1;
  const gint64 z = place.z + (Tile::STACK ? row / (Tile::Y + 2) - 1 : 0);

  *start = (z * tiling.height + y) * tiling.width + place.x;
  return y >= 0 && y < tiling.height && z >= 0 && z < tiling.depth;
}

/* Keys of the VEC pixels that a word of 32 bits holds. */
static __device__ inline void
put_keys (guint32  word,
          guint16 *keys,
          guint8)
{
  ((guint32 *) keys)[0] = __byte_perm (word, 0, 0x4140);
  ((guint32 *) keys)[1] = __byte_perm (word, 0, 0x4342);
}

static __device__ inline void
put_keys (guint32  word,
          guint32 *keys,
          guint16)
{
  keys[0] = word & 0xffff;
  keys[1] = word >> 16;
}

static __device__ inline void
put_keys (guint32  word,
          guint32 *keys,
          float)
{
  *keys = WfLevel<float>::key (__uint_as_float (word));
}

/* With @whole_words, four bytes of pixels lie in the image or outside together. */
template <int N, typename Pixel>
static __device__ inline void
load_levels (const WfTiling                &tiling,
             const WfPlace                 &place,
             const Pixel                   *image,
             bool                           whole_words,
             typename WfLevel<Pixel>::Key  *levels)
{
  typedef WfTile<N>                          Tile;
  typedef typename WfLevel<Pixel>::Key       Key;
  typedef WfRim<N, Key>                      Rim;

  constexpr int VEC   = 4 / sizeof (Pixel);
  constexpr Key OUTER = (Key) ~(Key) 0;

  if (whole_words && ! Tile::STACK)
    {
      /* A thread stays in its columns. */
      constexpr int WORDS = Tile::X / VEC;
      constexpr int STEP  = WF_TILE_THREADS / WORDS;

      const int     column    = threadIdx.x % WORDS * VEC;
      const int     first     = threadIdx.x / WORDS;
      const bool    is_inside = place.x + column < tiling.width;
      const gint64  top       = place.y - 1 + first;
      const Pixel  *from      = image + top * tiling.width + place.x + column;
      Key          *keys      = levels + first * Rim::ROW + Rim::START + column;

#pragma unroll
      for (int k = 0; k < Rim::ROWS; k += STEP)
        if (first + k < Rim::ROWS)
          {
            const gint64 y = top + k;

            if (is_inside && y >= 0 && y < tiling.height)
              put_keys (*(const guint32 *) (from + k * tiling.width), keys + k * Rim::ROW, Pixel ());
            else
              for (int j = 0; j < VEC; j++)
                keys[k * Rim::ROW + j] = OUTER;
          }
    }
  else if (whole_words)
    {
      constexpr int WORDS = Tile::X / VEC;

#pragma unroll 8
      for (int k = threadIdx.x; k < Rim::ROWS * WORDS; k += WF_TILE_THREADS)
        {
          const int  row    = k / WORDS;
          const int  column = k % WORDS * VEC;
          Key       *keys   = levels + row * Rim::ROW + Rim::START + column;
          gint64     start;

          if (find_row<N> (tiling, place, row, &start) && place.x + column < tiling.width)
            put_keys (*(const guint32 *) (image + start + column), keys, Pixel ());
          else
            for (int j = 0; j < VEC; j++)
              keys[j] = OUTER;
        }
    }
  else
#pragma unroll 8
    for (int k = threadIdx.x; k < Rim::ROWS * Tile::X; k += WF_TILE_THREADS)
      {
        const int row    = k / Tile::X;
        const int column = k % Tile::X;
        gint64    start;
        Key       key    = OUTER;

        if (find_row<N> (tiling, place, row, &start) && place.x + column < tiling.width)
          key = WfLevel<Pixel>::key (image[start + column]);
        levels[row * Rim::ROW + Rim::START + column] = key;
      }

  for (int k = threadIdx.x; k < 2 * Rim::ROWS; k += WF_TILE_THREADS)
    {
      const int    row    = k / 2;
      const int    column = k % 2 ? Tile::X : -1;
      const gint64 x      = place.x + column;
      gint64       start;
      Key          key    = OUTER;

      if (find_row<N> (tiling, place, row, &start) && x >= 0 && x < tiling.width)
        key = WfLevel<Pixel>::key (image[start + column]);
      levels[row * Rim::ROW + Rim::START + column] = key;
    }
}


/*  Slopes, and L2 as far as each tile knows it alone  */

/* The word of each plane for 32 pixels in a row, by one thread, which sees a window of
 * three columns pass.  A neighbour is one of the lowest, and no higher than the pixel, if
 * it is as high as the least of all of them.  @inside: the pixels that lie in the image;
 * @markers: those that are markers.
 */
template <int N, typename Key>
static __device__ inline void
slopes_of_word (const Key *levels,
                guint32    inside,
                guint32    markers,
                bool       markers_given,
                guint32  (&planes)[WfPlanes<N>::ALL])
{
  typedef WfDirections<N> To;
  typedef WfRim<N, Key>   Rim;

  constexpr int LOW  = WfPlanes<N>::LOW;
  constexpr int ROOT = WfPlanes<N>::ROOT;

  guint32 window[3][3][3];
  guint32 flowing = 0;

#pragma unroll
  for (int plane = 0; plane < WfPlanes<N>::ALL; plane++)
    planes[plane] = 0;
#pragma unroll
  for (int z = To::STACK ? 0 : 1; z < (To::STACK ? 3 : 2); z++)
#pragma unroll
    for (int y = 0; y < 3; y++)
      {
        window[z][y][1] = levels[(z - 1) * Rim::SLICE + (y - 1) * Rim::ROW - 1];
        window[z][y][2] = levels[(z - 1) * Rim::SLICE + (y - 1) * Rim::ROW];
      }

#pragma unroll 8
  for (int x = 0; x < 32; x++)
    {
      const guint32 bit = 1u << x;
      guint32       least;

#pragma unroll
      for (int z = To::STACK ? 0 : 1; z < (To::STACK ? 3 : 2); z++)
#pragma unroll
        for (int y = 0; y < 3; y++)
          {
            window[z][y][0] = window[z][y][1];
            window[z][y][1] = window[z][y][2];
            window[z][y][2] = levels[(z - 1) * Rim::SLICE + (y - 1) * Rim::ROW + x + 1];
          }
      least = window[1][1][1];
#pragma unroll
      for (int d = 0; d < N; d++)
        least = min (least, window[To::dz (d) + 1][To::dy (d) + 1][To::dx (d) + 1]);

#pragma unroll
      for (int d = 0; d < N; d++)
        if (window[To::dz (d) + 1][To::dy (d) + 1][To::dx (d) + 1] == least)
          planes[d] |= bit;
      if (window[1][1][1] != least)
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

/* The pixels of a word of 32 that lie in the image. */
template <int N>
static __device__ inline guint32
word_inside (const WfTiling &tiling,
             const WfPlace  &place,
             int             i)
{
  typedef WfTile<N> Tile;

  const gint64 left = tiling.width - place.x - Tile::x (i);

  if (left <= 0 || place.y + Tile::y (i) >= tiling.height || place.z + Tile::z (i) >= tiling.depth)
    return 0;
  return left >= 32 ? ~0u : (1u << left) - 1;
}

/* Grows in an image's tile as if it were all of the image, and writes its frame. */
template <int N>
static __device__ inline uint4
grow_alone (const WfSlopes<N> &slopes,
            uint4              waiting,
            uint4              known,
            guint32           *slots,
            int                lane)
{
  const guint32 bits   = wf_frame_bits (known, lane);
  WfFrameGrowth growth = { wf_frame_of (WF_FAR), wf_frame_of (WF_FAR) };
  const uint4   rest   = grow_image<N, false> (slopes, growth, waiting, known, lane);

#pragma unroll
  for (int k = 0; k < 8; k++)
    slots[wf_frame_slot (k, lane)] = bits >> k & 1 ? 0 : growth.reached.at[k];
  return rest;
}

/* One block a tile, one thread a word. */
template <int N, typename Pixel>
static __global__ void __launch_bounds__ (WF_TILE_THREADS)
find_slopes (WfTiling       tiling,
             const Pixel   *image,
             bool           whole_words,
             const guint32 *markers,
             WfPlanes<N>    planes,
             guint32       *faces,
             int           *too_deep)
{
  typedef WfTile<N>                    Tile;
  typedef typename WfLevel<Pixel>::Key Key;
  typedef WfRim<N, Key>                Rim;

  __shared__ __align__ (16) Key     levels[Rim::ALL];
  __shared__ __align__ (16) guint32 words[WfPlanes<N>::ALL * WF_PLANE_PITCH];
  __shared__ guint32               shared_faces[Tile::STACK ? Tile::N_SLOTS : 1];

  const int      lane  = threadIdx.x % 32;
  const int      warp  = threadIdx.x / 32;
  const guint32  tile  = blockIdx.x;
  const WfPlace  place = wf_tile_place<N> (tiling, tile);

  load_levels<N> (tiling, place, image, whole_words, levels);
  for (int word = warp; markers && word < WF_TILE_WORDS; word += WF_TILE_THREADS / 32)
    {
      const gint64  p    = wf_pixel_index<N> (tiling, place, word * 32 + lane);
      const guint32 mine = __ballot_sync (WF_WARP, p >= 0 && markers[p] != 0);

      if (lane == 0)
        words[WfPlanes<N>::ROOT * WF_PLANE_PITCH + word] = mine;
    }
  __syncthreads ();

  {
    /* A warp's threads look at different rows. */
    const int  word = Tile::STACK ? threadIdx.x : threadIdx.x % 64 * 2 + threadIdx.x / 64;
    const int  i    = word * 32;
    guint32    marked = markers ? words[WfPlanes<N>::ROOT * WF_PLANE_PITCH + word] : 0;
    guint32    mine[WfPlanes<N>::ALL];

    slopes_of_word<N> (levels + Rim::FIRST + Tile::z (i) * Rim::SLICE + Tile::y (i) * Rim::ROW
                       + Tile::x (i), word_inside<N> (tiling, place, i), marked, markers != NULL,
                       mine);
#pragma unroll
    for (int plane = 0; plane < WfPlanes<N>::ALL; plane++)
      words[plane * WF_PLANE_PITCH + word] = mine[plane];
  }
  __syncthreads ();

  if constexpr (Tile::STACK)
    {
      for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
        {
          const int i     = Tile::pixel (slot);
          guint32   known = words[WfPlanes<N>::LOW * WF_PLANE_PITCH + i / 32];

          if (markers)
            known |= words[WfPlanes<N>::ROOT * WF_PLANE_PITCH + i / 32];
          shared_faces[slot] = known >> (i % 32) & 1 ? 0 : WF_FAR;
        }
      __syncthreads ();
    }

  if (warp == 0)
    {
      const uint4       *mine  = (const uint4 *) words + lane;
      const int          pitch = WF_PLANE_PITCH / 4;
      const uint4        low   = mine[WfPlanes<N>::LOW * pitch];
      uint4             *root  = (uint4 *) words + WfPlanes<N>::ROOT * pitch + lane;
      const uint4        known = markers ? low | *root : low;
      const WfSlopes<N>  slopes (mine, pitch);
      uint4              rest;

      if constexpr (Tile::STACK)
        {
          const WfGrowth growth = { shared_faces, NULL, NULL };

          rest = grow<N> (slopes, growth, slopes.all () & ~low, known, too_deep, lane);
        }
      else
        rest = grow_alone<N> (slopes, slopes.all () & ~low, known,
                              faces + (gint64) tile * Tile::N_SLOTS, lane);
      if (! markers)
        *root = *root | rest;
    }
  __syncthreads ();

  for (int k = threadIdx.x; k < WfPlanes<N>::ALL * 32; k += WF_TILE_THREADS)
    planes.at (tile, 0)[k] = ((const uint4 *) words)[k / 32 * (WF_PLANE_PITCH / 4) + k % 32];
  if constexpr (Tile::STACK)
    for (int slot = threadIdx.x; slot < Tile::N_SLOTS; slot += WF_TILE_THREADS)
      faces[(gint64) tile * Tile::N_SLOTS + slot] = shared_faces[slot];
}
