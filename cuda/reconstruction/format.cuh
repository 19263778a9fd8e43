/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the words of a tile hold for each type, and how its pixels are compared: see
 * image/tile.inc.cuh for images, stack/tile.inc.cuh for stacks.
 */

#pragma once

#include "cuda/core/lanes.cuh"
#include "cuda/core/ordered-key.cuh"

#define WF_TILE_WORDS 32
#define WF_TILE_PITCH 33
#define WF_TILE_SIZE  (WF_TILE_WORDS * WF_TILE_PITCH)

/* The sides of a tile; also the order of everything that there are four of. */
enum
{
  WF_TOP,
  WF_BOTTOM,
  WF_LEFT,
  WF_RIGHT,
  WF_N_SIDES
};

__device__ __forceinline__ guint32
max_pair (guint32 a,
          guint32 b)
{
  return __vmaxu2 (a, b);
}

__device__ __forceinline__ guint32
min_pair (guint32 a,
          guint32 b)
{
  return __vminu2 (a, b);
}

/* WfTileFormat:
 *   COLUMNS, ROWS    of the tile, in pixels
 *   Edge             what a lane stores of a side
 *   Wave             the values of a sweep at one word, all its pixels
 *   far<VERTICAL>    the wave in front of the first word, given the last word: the far
 *                    quadrants follow the near ones
 *   near<VERTICAL>   the wave behind the last word, given the first
 *   linked<VERTICAL> whether near and far quadrants agree where they meet
 *   along<FORWARD>   the wave behind a word of an image's row: of bytes it has two columns
 *   spread           the largest of each pixel of an image and those beside it in its row
 *   edge<SIDE>       of a word: its pixels at that side, as one or two 16-bit or one
 *                    32-bit number for max () and min (); two when is_double<SIDE>
 */
template <typename Pixel>
struct WfTileFormat;

template <>
struct WfTileFormat<guint8>
{
  static constexpr int COLUMNS = 64;
  static constexpr int ROWS    = 64;

  typedef guint16 Side;

  struct Wave
  {
    guint32 odd;
    guint32 even;
  };

  static __device__ __forceinline__ guint32
  max (guint32 a, guint32 b)
  {
    return max_pair (a, b);
  }

  static __device__ __forceinline__ guint32
  min (guint32 a, guint32 b)
  {
    return min_pair (a, b);
  }

  static __device__ __forceinline__ Wave
  wave (guint32 word)
  {
    return { word, word << 8 };
  }

  static __device__ __forceinline__ Wave
  max (Wave a, Wave b)
  {
    return { max_pair (a.odd, b.odd), max_pair (a.even, b.even) };
  }

  static __device__ __forceinline__ Wave
  min (Wave a, Wave b)
  {
    return { min_pair (a.odd, b.odd), min_pair (a.even, b.even) };
  }

  static __device__ __forceinline__ guint32
  word (Wave wave)
  {
    return __byte_perm (wave.even, wave.odd, 0x7351);
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ Wave
  far (guint32 last)
  {
    return wave (VERTICAL ? last << 16 : (last & 0x00ff00ffu) << 8);
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ Wave
  near (guint32 first)
  {
    return wave (VERTICAL ? first >> 16 : first >> 8 & 0x00ff00ffu);
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ bool
  linked (guint32 first, guint32 last, guint32 first_mask, guint32 last_mask)
  {
    const unsigned near_half = VERTICAL ? 0x1100 : 0x2200;
    const unsigned far_half  = VERTICAL ? 0x3322 : 0x3311;
    const guint32  before    = __byte_perm (last, 0, near_half);
    const guint32  behind    = __byte_perm (first, 0, far_half);

    return max (behind, min (__byte_perm (first_mask, 0, far_half), before)) == behind &&
           max (before, min (__byte_perm (last_mask, 0, near_half), behind)) == before;
  }

  /* The wave behind a word of a row: its two columns one after the other. */
  template <bool FORWARD>
  static __device__ __forceinline__ Wave
  along (Wave wave, Wave marker, Wave mask)
  {
    if (FORWARD)
      wave.even = min_pair (mask.even, max_pair (marker.even, wave.odd));
    wave.odd = min_pair (mask.odd, max_pair (marker.odd, wave.even));
    if (! FORWARD)
      wave.even = min_pair (mask.even, max_pair (marker.even, wave.odd));
    return wave;
  }

  /* The largest of each pixel and those left and right of it.  The shuffles give a lane
   * at the end its own pixel, which is beside the other one anyway.
   */
  static __device__ __forceinline__ Wave
  spread (Wave wave)
  {
    const guint32 left  = __shfl_up_sync (WF_ALL_LANES, wave.odd, 1);
    const guint32 right = __shfl_down_sync (WF_ALL_LANES, wave.even, 1);
    const guint32 both  = max_pair (wave.odd, wave.even);

    return { max_pair (both, right), max_pair (both, left) };
  }

  /* An edge's 16-bit numbers are bytes doubled. */
  template <int SIDE>
  static __device__ __forceinline__ constexpr bool
  is_double ()
  {
    return true;
  }

  template <int SIDE>
  static __device__ __forceinline__ guint32
  side (guint32 word)
  {
    return __byte_perm (word, 0, SIDE == WF_TOP ? 0x1100 : SIDE == WF_BOTTOM ? 0x3322 :
                                 SIDE == WF_LEFT ? 0x2200 : 0x3311);
  }

  template <int SIDE>
  static __device__ __forceinline__ guint32
  with_side (guint32 word, guint32 side)
  {
    return __byte_perm (side, word, SIDE == WF_TOP ? 0x7631 : SIDE == WF_BOTTOM ? 0x3154 :
                                    SIDE == WF_LEFT ? 0x7351 : 0x3614);
  }

  static __device__ __forceinline__ Side
  stored (guint32 side)
  {
    return (Side) __byte_perm (side, 0, 0x4420);
  }

  static __device__ __forceinline__ guint32
  restored (Side side)
  {
    return __byte_perm (side, 0, 0x1100);
  }

  /* First and last pixel of a row of the tile, of what lanes 0 and 31 store. */
  static __device__ __forceinline__ guint32
  first_pixel (Side side)
  {
    return (side & 0xffu) * 0x101u;
  }

  static __device__ __forceinline__ guint32
  last_pixel (Side side)
  {
    return (side >> 8) * 0x101u;
  }
};

template <>
struct WfTileFormat<guint16>
{
  static constexpr int COLUMNS = 32;
  static constexpr int ROWS    = 64;

  typedef guint32 Side;
  typedef guint32 Wave;

  static __device__ __forceinline__ guint32
  max (guint32 a, guint32 b)
  {
    return max_pair (a, b);
  }

  static __device__ __forceinline__ guint32
  min (guint32 a, guint32 b)
  {
    return min_pair (a, b);
  }

  static __device__ __forceinline__ Wave
  wave (guint32 word)
  {
    return word;
  }

  static __device__ __forceinline__ guint32
  word (Wave wave)
  {
    return wave;
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ Wave
  far (guint32 last)
  {
    return VERTICAL ? last << 16 : 0;
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ Wave
  near (guint32 first)
  {
    return VERTICAL ? first >> 16 : 0;
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ bool
  linked (guint32 first, guint32 last, guint32 first_mask, guint32 last_mask)
  {
    const guint32 before = last & 0xffffu;
    const guint32 behind = first >> 16;

    return ! VERTICAL ||
           (::max (behind, ::min (first_mask >> 16, before)) == behind &&
            ::max (before, ::min (last_mask & 0xffffu, behind)) == before);
  }

  template <bool FORWARD>
  static __device__ __forceinline__ Wave
  along (Wave wave, Wave marker, Wave mask)
  {
    return min (mask, max (marker, wave));
  }

  static __device__ __forceinline__ Wave
  spread (Wave wave)
  {
    return max (wave, max (__shfl_up_sync (WF_ALL_LANES, wave, 1),
                           __shfl_down_sync (WF_ALL_LANES, wave, 1)));
  }

  static __device__ __forceinline__ guint32
  from_left (guint32 word, int lane)
  {
    word = __shfl_up_sync (WF_ALL_LANES, word, 1);
    return lane == 0 ? 0 : word;
  }

  static __device__ __forceinline__ guint32
  from_right (guint32 word, int lane)
  {
    word = __shfl_down_sync (WF_ALL_LANES, word, 1);
    return lane == 31 ? 0 : word;
  }

  template <int SIDE>
  static __device__ __forceinline__ constexpr bool
  is_double ()
  {
    return SIDE == WF_LEFT || SIDE == WF_RIGHT;
  }

  template <int SIDE>
  static __device__ __forceinline__ guint32
  side (guint32 word)
  {
    return SIDE == WF_TOP ? word & 0xffffu : SIDE == WF_BOTTOM ? word >> 16 : word;
  }

  template <int SIDE>
  static __device__ __forceinline__ guint32
  with_side (guint32 word, guint32 side)
  {
    return SIDE == WF_TOP ? (word & 0xffff0000u) | side :
           SIDE == WF_BOTTOM ? (word & 0xffffu) | side << 16 : side;
  }

  static __device__ __forceinline__ Side
  stored (guint32 side)
  {
    return side;
  }

  static __device__ __forceinline__ guint32
  restored (Side side)
  {
    return side;
  }

  static __device__ __forceinline__ guint32
  first_pixel (Side side)
  {
    return side;
  }

  static __device__ __forceinline__ guint32
  last_pixel (Side side)
  {
    return side;
  }
};

template <>
struct WfTileFormat<guint32>
{
  static constexpr int COLUMNS = 32;
  static constexpr int ROWS    = 32;

  typedef guint32 Side;
  typedef guint32 Wave;

  static __device__ __forceinline__ guint32
  max (guint32 a, guint32 b)
  {
    return ::max (a, b);
  }

  static __device__ __forceinline__ guint32
  min (guint32 a, guint32 b)
  {
    return ::min (a, b);
  }

  static __device__ __forceinline__ Wave
  wave (guint32 word)
  {
    return word;
  }

  static __device__ __forceinline__ guint32
  word (Wave wave)
  {
    return wave;
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ Wave
  far (guint32)
  {
    return 0;
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ Wave
  near (guint32)
  {
    return 0;
  }

  template <bool VERTICAL>
  static __device__ __forceinline__ bool
  linked (guint32, guint32, guint32, guint32)
  {
    return true;
  }

  template <bool FORWARD>
  static __device__ __forceinline__ Wave
  along (Wave wave, Wave marker, Wave mask)
  {
    return min (mask, max (marker, wave));
  }

  static __device__ __forceinline__ Wave
  spread (Wave wave)
  {
    return max (wave, max (__shfl_up_sync (WF_ALL_LANES, wave, 1),
                           __shfl_down_sync (WF_ALL_LANES, wave, 1)));
  }

  template <int SIDE>
  static __device__ __forceinline__ constexpr bool
  is_double ()
  {
    return false;
  }

  template <int SIDE>
  static __device__ __forceinline__ guint32
  side (guint32 word)
  {
    return word;
  }

  template <int SIDE>
  static __device__ __forceinline__ guint32
  with_side (guint32, guint32 side)
  {
    return side;
  }

  static __device__ __forceinline__ Side
  stored (guint32 side)
  {
    return side;
  }

  static __device__ __forceinline__ guint32
  restored (Side side)
  {
    return side;
  }

  static __device__ __forceinline__ guint32
  first_pixel (Side side)
  {
    return side;
  }

  static __device__ __forceinline__ guint32
  last_pixel (Side side)
  {
    return side;
  }
};
