/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distance map `local`: what its near and far halves share.  See local.cu. */

#pragma once

#include "cuda/core/lanes.cuh"
#include "cuda/distance/distance.cuh"

/* Rows of a band: the bits of a word. */
#define WF_BAND 32

/* How many columns to each side a near pixel is compared with. */
#define WF_REACH 64

/* Empty bands above and below an image, so that the search for the nearest rows of a column
 * needs no check of the image's ends.
 */
#define WF_EMPTY_BANDS 3

/* Tiles of 32 × 32 pixels in a supertile, the unit of work of the far half. */
#define WF_FAR_TILES 8

/* No background above or below a band in a column; also the limit of rows. */
#define WF_NO_ROW 0xffffu

/**
 * WfColumns:
 * @words: for each band and column a word whose bit k is set where row k of the band is
 *   background; the first is that of column −%WF_REACH in the first empty band
 * @pitch: words of a band
 * @width, @height: of the image
 * @n_bands: without the empty ones
 * @n_empty: empty bands above, and as many below
 * @border: whether the outside is background, the empty bands and columns included
 */
typedef struct
{
  guint32 *words;
  gint64   pitch;
  int      width;
  int      height;
  int      n_bands;
  int      n_empty;
  bool     border;
} WfColumns;

/**
 * WfFarTiles:
 * @tiles: for each band and supertile a bit for each of its tiles that is far
 * @bands: for each band whether it has far tiles
 * @count: how many supertiles have far tiles
 * @next: the first of them that no block has taken
 * @absent: result: set if there is no background at all
 * @supertiles: those @count supertiles, as band × @across + supertile
 * @across: supertiles of a band
 *
 * Far tiles: those with a pixel whose nearest background is more than %WF_REACH + 1 away.
 */
typedef struct
{
  guint32 *tiles;
  int     *bands;
  int     *count;
  int     *next;
  int     *absent;
  int     *supertiles;
  int      across;
} WfFarTiles;

/**
 * WfLocalOutput:
 * @pixels: distances, floats or @squared integers of 64 bits; with @nearest maybe %NULL
 * @nearest: indices, or %NULL
 * @foreground_only, @negative: the second half of a signed map, see local.cu
 */
typedef struct
{
  void    *pixels;
  guint64 *nearest;
  bool     squared;
  bool     foreground_only;
  bool     negative;
} WfLocalOutput;

gboolean wf_cuda_distance_pack       (WfCuda                *cuda,
                                      const WfCudaDistance  *distance,
                                      bool                   inverted,
                                      const WfColumns       *columns,
                                      guint32               *cleared,
                                      gint64                 n_cleared,
                                      GError               **error);
gboolean wf_cuda_distance_near       (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const WfFarTiles      *far,
                                      const WfLocalOutput   *output,
                                      GError               **error);
gboolean wf_cuda_distance_near_sites (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const WfFarTiles      *far,
                                      const WfLocalOutput   *output,
                                      GError               **error);

/**
 * WfFarLists:
 * @above: for each band and column from the band's first row to the nearest background
 *   above, or %WF_NO_ROW
 * @below: the same from its last row, below
 * @columns: for each band with far tiles its columns with background, in order: the
 *   column, from 1 on, in the lower half of x, above it whether there is background in the
 *   band; y: above and below
 * @counts: for each of these bands how many they are
 *
 * A band has a pitch of entries in each, those of @above and @below starting with column
 * −%WF_REACH.
 */
typedef struct
{
  guint16 *above;
  guint16 *below;
  uint2   *columns;
  int     *counts;
} WfFarLists;

/* For each band and column how far the nearest background above and below is, unless
 * there is a @count on the device and it is 0.
 */
gboolean wf_cuda_distance_carry      (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const int             *count,
                                      guint16               *above,
                                      guint16               *below,
                                      GError               **error);

/* Bytes beside the words and the far tiles that the far half takes. */
guint64  wf_cuda_distance_far_memory (const WfColumns       *columns);
gboolean wf_cuda_distance_far_lists  (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const WfFarTiles      *far,
                                      void                  *memory,
                                      WfFarLists            *lists,
                                      GError               **error);
gboolean wf_cuda_distance_far        (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const WfFarTiles      *far,
                                      const WfLocalOutput   *output,
                                      void                  *memory,
                                      GError               **error);

/*  Stacks  */

gboolean wf_cuda_distance_local_stack_supports
                                     (const WfDistanceTask  *task);
guint64  wf_cuda_distance_local_stack_memory
                                     (const WfDistanceTask  *task);
gboolean wf_cuda_distance_local_stack
                                     (WfCuda                *cuda,
                                      const WfCudaDistance  *distance,
                                      WfDeviceArray<guint8> *memory,
                                      int                  **absent,
                                      GError               **error);

static inline guint64
wf_cuda_align (guint64 offset)
{
  return (offset + 255) / 256 * 256;
}


/*  Integers, and exact roots of them  */

/* The word of @column in @band; both may be outside by what is padded. */
__device__ __forceinline__ const guint32 *
wf_column_word (const WfColumns &columns,
                int              band,
                int              column)
{
  return columns.words + (band + columns.n_empty) * columns.pitch + column + WF_REACH;
}

/* The index of a pixel, unless it is outside. */
__device__ __forceinline__ guint64
wf_site_index (const WfColumns &columns,
               int              x,
               int              y)
{
  return (unsigned int) x < (unsigned int) columns.width &&
         (unsigned int) y < (unsigned int) columns.height
         ? (guint64) y * (guint64) columns.width + (guint64) x : WF_NEAREST_NONE;
}

__device__ __forceinline__ guint32
wf_add_min (guint32 a,
            guint32 b,
            guint32 c)
{
  return min (a + b, c);
}

/* In each half of the words; the sums stay below 2^16. */
__device__ __forceinline__ guint32
wf_add_min_pairs (guint32 a,
                  guint32 b,
                  guint32 c)
{
#if __CUDA_ARCH__ >= 900
  return __viaddmin_u16x2 (a, b, c);
#else
  return __vminu2 (a + b, c);
#endif
}

__device__ __forceinline__ float
wf_reciprocal_root (float x)
{
  float y;

  asm ("rsqrt.approx.ftz.f32 %0, %1;" : "=f" (y) : "f" (x));
  return y;
}

/* Of an integer below 2^16, rounded correctly: one step of Newton's iteration, whose
 * residual is exact, from an estimate with a relative error of 2^-22.  The addend keeps
 * 0 from becoming 0 × ∞; it vanishes in every other sum.
 */
__device__ __forceinline__ float
wf_root_16 (guint32 half)
{
  float x = __uint_as_float (0x4b000000u | half) - 8388608.0f;
  float y = wf_reciprocal_root (x + 1e-20f);
  float s = x * y;

  return __fmaf_rn (__fmaf_rn (-s, s, x), 0.5f * y, s);
}

/* Of any integer, rounded correctly, which is what rounding the correctly rounded double
 * gives, too: √n is never nearer to the middle between two floats than 2^-19 of its
 * square.  The integer is taken as the sum of two floats; a root that is off by one unit
 * in the last place is seen by comparing with the middles, whose squares differ from
 * s² by s × unit, but for unit² / 4, which is below what can occur.
 */
__device__ __forceinline__ float
wf_root_32 (guint32 n)
{
  float   upper = __uint_as_float (0x4b000000u | n >> 16) - 8388608.0f;
  float   lower = __uint_as_float (0x4b000000u | (n & 0xffff)) - 8388608.0f;
  float   x     = __fmaf_rn (upper, 65536.0f, lower);
  float   rest  = __fmaf_rn (upper, 65536.0f, -x) + lower;
  float   y     = wf_reciprocal_root (x + 1e-20f);
  float   s     = x * y;
  float   residual;
  float   unit;
  guint32 bits;

  s        = __fmaf_rn (__fmaf_rn (-s, s, x), 0.5f * y, s);
  residual = __fmaf_rn (-s, s, x);
  bits     = __float_as_uint (s);
  unit     = __uint_as_float ((bits & 0x7f800000u) - (23u << 23));
  if (__fmaf_rn (-s, unit, residual) + rest > 0.0f)
    bits++;
  if (__fmaf_rn (s, unit, residual) + rest <= 0.0f)
    bits--;
  return n == 0 ? 0.0f : __uint_as_float (bits);
}
