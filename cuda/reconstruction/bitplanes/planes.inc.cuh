/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction by levels: from pixels to planes of bits and back.  See
 * bitplanes.inc.cuh.
 */

#pragma once

#include "bitplanes.inc.cuh"

/**
 * LevelPixels:
 * @value: v, and at last R
 * @shift: of the keys' bits that the planes hold
 * @mask_planes, @value_planes: GROUP of them, from the lowest bit on
 */
template <typename Pixel>
struct LevelPixels
{
  const Pixel      *mask;
  Pixel            *value;
  WfCudaKeys<Pixel> keys;
  int               shift;
  uint32_t         *mask_planes;
  uint32_t         *value_planes;
};

/* Bits that are 1 in any pixel of mask or v, and in all. */
struct Range
{
  uint32_t any;
  uint32_t all;
};

/* The pixels of a thread's word: the first one, and how many are in the image. */
struct Stretch
{
  int64_t first;
  int     n;
};

template <bool STACK>
__device__ __forceinline__ Stretch
stretch_of (const Levels &levels)
{
  const Place   place = place_in_image<STACK> (levels, threadIdx.x);
  const int64_t x     = (int64_t) place.x * 32;

  if (x >= levels.width || place.y >= levels.height || place.z >= levels.depth)
    return { 0, 0 };
  return { (place.z * levels.height + place.y) * levels.width + x,
           (int) min ((int64_t) 32, levels.width - x) };
}

/* Another lane's. */
__device__ __forceinline__ Stretch
stretch_at (Stretch own,
            int     lane)
{
  return { __shfl_sync (ALL, own.first, lane), __shfl_sync (ALL, own.n, lane) };
}

__device__ __forceinline__ void
note_range (Range        *range,
            const Range  &own)
{
  Range all = own;

  for (int reach = 16; reach; reach /= 2)
    {
      all.any |= __shfl_xor_sync (ALL, all.any, reach);
      all.all &= __shfl_xor_sync (ALL, all.all, reach);
    }
  if (threadIdx.x % 32)
    return;

  /* seldom anything new */
  if (all.any & ~__ldcg (&range->any))
    atomicOr (&range->any, all.any);
  if (~all.all & __ldcg (&range->all))
    atomicAnd (&range->all, all.all);
}

/* A matrix of 8 × 8 bits, four rows a word, with rows for columns. */
__device__ __forceinline__ void
transpose_bits (uint32_t *low,
                uint32_t *high)
{
  uint32_t swapped;

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
transpose_bytes (uint32_t *a,
                 uint32_t *b,
                 uint32_t *c,
                 uint32_t *d)
{
  const uint32_t first  = __byte_perm (*a, *b, 0x5140);
  const uint32_t second = __byte_perm (*a, *b, 0x7362);
  const uint32_t third  = __byte_perm (*c, *d, 0x5140);
  const uint32_t fourth = __byte_perm (*c, *d, 0x7362);

  *a = __byte_perm (first, third, 0x5410);
  *b = __byte_perm (first, third, 0x7632);
  *c = __byte_perm (second, fourth, 0x5410);
  *d = __byte_perm (second, fourth, 0x7632);
}

/* 32 pixels' bytes become the words of eight planes. */
__device__ __forceinline__ void
planes_of_bytes (uint32_t words[GROUP])
{
  uint32_t *w = words;

#pragma unroll
  for (int i = 0; i < GROUP; i += 2)
    transpose_bits (&w[i], &w[i + 1]);
  transpose_bytes (&w[0], &w[2], &w[4], &w[6]);
  transpose_bytes (&w[1], &w[3], &w[5], &w[7]);
}

/* Which plane a word is of then: the low halves of the matrices are every other word. */
__device__ __forceinline__ constexpr int
word_of_plane (int bit)
{
  return bit % 4 * 2 + bit / 4;
}

__device__ __forceinline__ void
bytes_of_planes (uint32_t words[GROUP])
{
  uint32_t *w = words;

  transpose_bytes (&w[0], &w[2], &w[4], &w[6]);
  transpose_bytes (&w[1], &w[3], &w[5], &w[7]);
#pragma unroll
  for (int i = 0; i < GROUP; i += 2)
    transpose_bits (&w[i], &w[i + 1]);
}

/* The bytes of a warp's 32 words: all lanes go through them together, so that they read
 * and write neighbouring pixels, and each lane has its own word's.  One word of room
 * between them keeps the banks of shared memory apart.
 */
struct WarpBytes
{
  uint32_t words[32][GROUP + 1];
};

__device__ __forceinline__ uint8_t *
byte_of (WarpBytes &bytes,
         int        word,
         int        x)
{
  return (uint8_t *) bytes.words[word] + x;
}

template <typename Pixel, bool STACK>
__global__ void
__launch_bounds__ (THREADS)
split_pixels (Levels              levels,
              LevelPixels<Pixel>  pixels,
              Range              *range)
{
  __shared__ WarpBytes bytes[2][THREADS / 32];

  const int64_t  p      = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  const int      lane   = threadIdx.x % 32;
  const Stretch  own    = stretch_of<STACK> (levels);
  const uint32_t inside = own.n ? ALL >> (32 - own.n) : 0;
  WarpBytes     &limits = bytes[0][threadIdx.x / 32];
  WarpBytes     &knowns = bytes[1][threadIdx.x / 32];
  uint32_t       mask[GROUP];
  uint32_t       value[GROUP];
  Range          seen = { 0, 0 };

#pragma unroll 8
  for (int k = 0; k < 32; k++)
    {
      const Stretch row   = stretch_at (own, k);
      uint32_t      limit = 0;
      uint32_t      known = 0;

      if (lane < row.n)
        {
          limit = pixels.keys.of (pixels.mask[row.first + lane]);
          known = pixels.keys.of_written (pixels.value[row.first + lane]);
        }
      *byte_of (limits, k, lane) = (uint8_t) (limit >> pixels.shift);
      *byte_of (knowns, k, lane) = (uint8_t) (known >> pixels.shift);
    }
  __syncwarp ();

#pragma unroll
  for (int i = 0; i < GROUP; i++)
    {
      mask[i]  = limits.words[lane][i];
      value[i] = knowns.words[lane][i];
    }
  planes_of_bytes (mask);
  planes_of_bytes (value);
#pragma unroll
  for (int bit = 0; bit < GROUP; bit++)
    {
      const uint32_t limit = mask[word_of_plane (bit)];
      const uint32_t known = value[word_of_plane (bit)];

      pixels.mask_planes[bit * levels.n_words + p]  = limit;
      pixels.value_planes[bit * levels.n_words + p] = known;
      seen.any |= (uint32_t) ((limit | known) != 0) << bit;
      seen.all |= (uint32_t) ((limit & known) == inside) << bit;
    }
  note_range (range, seen);
}

/* The other way round. */
template <typename Pixel, bool STACK>
__global__ void
__launch_bounds__ (THREADS)
merge_pixels (Levels             levels,
              LevelPixels<Pixel> pixels)
{
  __shared__ WarpBytes bytes[THREADS / 32];

  const int64_t p     = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  const int     lane  = threadIdx.x % 32;
  const Stretch own   = stretch_of<STACK> (levels);
  WarpBytes    &found = bytes[threadIdx.x / 32];
  uint32_t      value[GROUP];

#pragma unroll
  for (int bit = 0; bit < GROUP; bit++)
    value[word_of_plane (bit)] = pixels.value_planes[bit * levels.n_words + p];
  bytes_of_planes (value);
#pragma unroll
  for (int i = 0; i < GROUP; i++)
    found.words[lane][i] = value[i];
  __syncwarp ();

#pragma unroll 8
  for (int k = 0; k < 32; k++)
    {
      const Stretch row = stretch_at (own, k);
      Pixel        *to  = pixels.value + row.first + lane;
      uint32_t      key = (uint32_t) *byte_of (found, k, lane) << pixels.shift;

      if (lane >= row.n)
        continue;
      if (sizeof (Pixel) > 1)
        key |= pixels.keys.of_written (*to) & ~(0xffu << pixels.shift);
      *to = pixels.keys.back ((Pixel) key);
    }
}
