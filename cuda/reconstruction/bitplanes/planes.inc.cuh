/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by bit planes: from pixels to planes and back.  See
 * bitplanes.inc.cuh.
 */

#pragma once

#include "settle.inc.cuh"

namespace bitplanes
{

/**
 * PlanePixels:
 * @known: v, and in u8 what it is below the mask; else the same as @value
 * @value: in the end R; before, if pixels are of several bytes, its bits that have been found, and
 *   the others of v
 * @shift: of the keys' bits that the planes hold
 * @mask_planes, @value_planes: GROUP of them, from the lowest bit on
 * @aligned: u8, and every row begins at a multiple of 16 bytes
 */
template <typename Pixel>
struct PlanePixels
{
  const Pixel       *mask;
  const Pixel       *known;
  Pixel             *value;
  WfCudaKeys<Pixel>  keys;
  int                shift;
  guint32           *mask_planes;
  guint32           *value_planes;
  bool               aligned;
};

/* The pixels of a thread's word: the first one, and how many are in the image. */
struct Stretch
{
  gint64 first;
  int    n;
};

template <bool STACK>
__device__ __forceinline__ Stretch
stretch_of (const Bitplanes &planes)
{
  const WordPlace place = place_in_image<STACK> (planes, threadIdx.x);
  const gint64    x     = (gint64) place.x * 32;

  if (x >= planes.width || place.y >= planes.height || place.z >= planes.depth)
    return { 0, 0 };
  return { (place.z * planes.height + place.y) * planes.width + x,
           (int) min ((gint64) 32, planes.width - x) };
}

/* Another lane's. */
__device__ __forceinline__ Stretch
stretch_at (Stretch own,
            int     lane)
{
  return { __shfl_sync (WF_ALL_LANES, own.first, lane), __shfl_sync (WF_ALL_LANES, own.n, lane) };
}

__device__ __forceinline__ void
note_range (Range        *range,
            const Range  &own)
{
  const Range all = { wf_warp_or (own.ones), wf_warp_or (own.zeros) };

  if (wf_lane ())
    return;

  /* seldom changes anything */
  if (all.ones & ~__ldcg (&range->ones))
    atomicOr (&range->ones, all.ones);
  if (all.zeros & ~__ldcg (&range->zeros))
    atomicOr (&range->zeros, all.zeros);
}

/* A matrix of 8 × 8 bits, four rows a word, with rows for columns. */
__device__ __forceinline__ void
transpose_bits (guint32 *low,
                guint32 *high)
{
  guint32 swapped;

  swapped = (*low ^ *low >> 7) & 0x00aa00aau;
  *low   ^= swapped ^ swapped << 7;
  swapped = (*high ^ *high >> 7) & 0x00aa00aau;
  *high  ^= swapped ^ swapped << 7;
  swapped = (*low ^ *low >> 14) & 0x0000ccccu;
  *low   ^= swapped ^ swapped << 14;
  swapped = (*high ^ *high >> 14) & 0x0000ccccu;
  *high  ^= swapped ^ swapped << 14;
  swapped = (*low ^ *high << 4) & 0xf0f0f0f0u;
  *low   ^= swapped;
  *high  ^= swapped >> 4;
}

/* 4 × 4 bytes. */
__device__ __forceinline__ void
transpose_bytes (guint32 *a,
                 guint32 *b,
                 guint32 *c,
                 guint32 *d)
{
  const guint32 first  = __byte_perm (*a, *b, 0x5140);
  const guint32 second = __byte_perm (*a, *b, 0x7362);
  const guint32 third  = __byte_perm (*c, *d, 0x5140);
  const guint32 fourth = __byte_perm (*c, *d, 0x7362);

  *a = __byte_perm (first, third, 0x5410);
  *b = __byte_perm (first, third, 0x7632);
  *c = __byte_perm (second, fourth, 0x5410);
  *d = __byte_perm (second, fourth, 0x7632);
}

/* 32 pixels' bytes become the words of eight planes. */
__device__ __forceinline__ void
planes_of_bytes (guint32 words[GROUP])
{
  guint32 *w = words;

#pragma unroll
  for (int i = 0; i < GROUP; i += 2)
    transpose_bits (&w[i], &w[i + 1]);
  transpose_bytes (&w[0], &w[2], &w[4], &w[6]);
  transpose_bytes (&w[1], &w[3], &w[5], &w[7]);
}

/* Which word has a plane then: the low halves of the matrices are every other word. */
__device__ __forceinline__ constexpr int
word_of_plane (int bit)
{
  return bit % 4 * 2 + bit / 4;
}

__device__ __forceinline__ void
bytes_of_planes (guint32 words[GROUP])
{
  guint32 *w = words;

  transpose_bytes (&w[0], &w[2], &w[4], &w[6]);
  transpose_bytes (&w[1], &w[3], &w[5], &w[7]);
#pragma unroll
  for (int i = 0; i < GROUP; i += 2)
    transpose_bits (&w[i], &w[i + 1]);
}

/* The bytes of a warp's 32 words.  All lanes process a word together, so that they read and
 * write neighbouring pixels.  One word of padding avoids bank conflicts.
 */
struct WarpBytes
{
  guint32 words[32][GROUP + 1];
};

__device__ __forceinline__ guint8 *
byte_of (WarpBytes &bytes,
         int        word,
         int        x)
{
  return (guint8 *) bytes.words[word] + x;
}

/* The keys of a stretch of u8 at a multiple of 16 bytes; 0 beyond it. */
__device__ __forceinline__ void
read_stretch (const guint8       *pixels,
              WfCudaKeys<guint8>  keys,
              Stretch             stretch,
              guint32             words[GROUP])
{
  const guint32 flips = keys.flip * 0x01010101u;

#pragma unroll
  for (int half = 0; half < 2; half++)
    {
      uint4 piece = make_uint4 (flips, flips, flips, flips);

      if (stretch.n > 16 * half)
        piece = *(const uint4 *) (pixels + stretch.first + 16 * half);
      words[4 * half]     = piece.x ^ flips;
      words[4 * half + 1] = piece.y ^ flips;
      words[4 * half + 2] = piece.z ^ flips;
      words[4 * half + 3] = piece.w ^ flips;
    }
}

/* Eight bits of the keys of a warp's stretches, in any images: each lane's own as words. */
template <typename Pixel>
__device__ __forceinline__ void
read_stretches (const PlanePixels<Pixel> &pixels,
                Stretch                   own,
                WarpBytes                &limits,
                WarpBytes                &knowns,
                guint32                   mask[GROUP],
                guint32                   value[GROUP])
{
  const int lane = threadIdx.x % 32;

#pragma unroll 8
  for (int k = 0; k < 32; k++)
    {
      const Stretch row   = stretch_at (own, k);
      guint32       limit = 0;
      guint32       known = 0;

      if (lane < row.n)
        {
          limit = pixels.keys.of (pixels.mask[row.first + lane]);
          known = pixels.keys.of_written (pixels.known[row.first + lane]);
          if (sizeof (Pixel) == 1)
            known = min (limit, known);
        }
      *byte_of (limits, k, lane) = (guint8) (limit >> pixels.shift);
      *byte_of (knowns, k, lane) = (guint8) (known >> pixels.shift);
    }
  __syncwarp ();

#pragma unroll
  for (int i = 0; i < GROUP; i++)
    {
      mask[i]  = limits.words[lane][i];
      value[i] = knowns.words[lane][i];
    }
}

template <typename Pixel, bool STACK>
__global__ void
__launch_bounds__ (THREADS)
split_pixels (Bitplanes           planes,
              PlanePixels<Pixel>  pixels,
              Range              *range)
{
  __shared__ WarpBytes bytes[2][THREADS / 32];

  const gint64   p      = (gint64) blockIdx.x * THREADS + threadIdx.x;
  const Stretch  own    = stretch_of<STACK> (planes);
  const guint32  inside = own.n ? WF_ALL_LANES >> (32 - own.n) : 0;
  guint32        mask[GROUP];
  guint32        value[GROUP];
  Range          seen   = { 0, 0 };

  if (sizeof (Pixel) == 1 && pixels.aligned)
    {
      const WfCudaKeys<guint8> keys = { (guint8) pixels.keys.flip };

      read_stretch ((const guint8 *) pixels.mask, keys, own, mask);
      read_stretch ((const guint8 *) pixels.known, keys, own, value);
#pragma unroll
      for (int i = 0; i < GROUP; i++)
        value[i] = __vminu4 (mask[i], value[i]);
    }
  else
    read_stretches (pixels, own, bytes[0][threadIdx.x / 32], bytes[1][threadIdx.x / 32], mask,
                    value);
  planes_of_bytes (mask);
  planes_of_bytes (value);
#pragma unroll
  for (int bit = 0; bit < GROUP; bit++)
    {
      const guint32 limit = mask[word_of_plane (bit)];
      const guint32 known = value[word_of_plane (bit)];

      pixels.mask_planes[bit * planes.n_words + p]  = limit;
      pixels.value_planes[bit * planes.n_words + p] = known;
      seen.ones  |= (guint32) ((limit | known) != 0) << bit;
      seen.zeros |= (guint32) ((limit & known) != inside) << bit;
    }
  note_range (range, seen);
}

/* The other way round, for a warp's stretches of u8 at multiples of 16 bytes: two lanes have a
 * row.
 */
__device__ __forceinline__ void
write_stretches (guint8              *pixels,
                 WfCudaKeys<guint8>   keys,
                 Stretch              own,
                 const WarpBytes     &found)
{
  const int     lane  = threadIdx.x % 32;
  const int     half  = lane % 2;
  const guint32 flips = keys.flip * 0x01010101u;

#pragma unroll
  for (int k = lane / 2; k < 32; k += 16)
    {
      const Stretch  row   = stretch_at (own, k);
      const guint32 *words = found.words[k] + 4 * half;

      if (row.n > 16 * half)
        *(uint4 *) (pixels + row.first + 16 * half) =
          make_uint4 (words[0] ^ flips, words[1] ^ flips, words[2] ^ flips, words[3] ^ flips);
    }
}

union SettledBytes
{
  TileRoots roots;
  WarpBytes bytes[THREADS / 32];
};

/* Settles the last bit, and makes pixels of the planes. */
template <typename Pixel, bool STACK>
__global__ void
__launch_bounds__ (THREADS)
settle_and_merge_pixels (Bitplanes          planes,
                         PlanePixels<Pixel> pixels)
{
  __shared__ SettledBytes shared;

  const gint64   p     = (gint64) blockIdx.x * THREADS + threadIdx.x;
  const int      lane  = threadIdx.x % 32;
  const Stretch  own   = stretch_of<STACK> (planes);
  WarpBytes     &found = shared.bytes[threadIdx.x / 32];
  guint32        value[GROUP];

  settle_tile (planes, shared.roots);
  __syncthreads ();
#pragma unroll
  for (int bit = 0; bit < GROUP; bit++)
    value[word_of_plane (bit)] = pixels.value_planes[bit * planes.n_words + p];
  bytes_of_planes (value);
#pragma unroll
  for (int i = 0; i < GROUP; i++)
    found.words[lane][i] = value[i];
  __syncwarp ();

  if (sizeof (Pixel) == 1 && pixels.aligned)
    {
      write_stretches ((guint8 *) pixels.value, { (guint8) pixels.keys.flip }, own,
                       found);
      return;
    }
#pragma unroll 8
  for (int k = 0; k < 32; k++)
    {
      const Stretch  row = stretch_at (own, k);
      Pixel         *to  = pixels.value + row.first + lane;
      guint32        key = (guint32) *byte_of (found, k, lane) << pixels.shift;

      if (lane >= row.n)
        continue;
      if (sizeof (Pixel) > 1)
        key |= pixels.keys.of_written (*to) & ~(0xffu << pixels.shift);
      *to = pixels.keys.back ((Pixel) key);
    }
}

} /* namespace bitplanes */
