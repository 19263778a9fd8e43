/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The distance map `local`: what its searches for near and far background share.  See local.cu. */

#pragma once

#include "cuda/core/lanes.cuh"
#include "cuda/distance/distance.cuh"

/* Rows of a band: the bits of a word. */
#define WF_BAND 32

/* Columns to each side that the search for near background compares a pixel with. */
#define WF_REACH 64

/* Empty bands above and below an image, so that the search for the nearest rows of a column
 * needs no check of the image's ends.
 */
#define WF_EMPTY_BANDS 3

/* Tiles of 32 × 32 pixels in a supertile, the unit of work of the search for far background. */
#define WF_FAR_TILES 8

/* No background above or below a band in a column; also limits the number of rows. */
#define WF_NO_ROW 0xffffu

/**
 * WfColumns:
 * @words: for each band and column a word whose bit k is set if row k of the band is background;
 *   the first is that of column −%WF_REACH in the first empty band
 * @pitch: words of a band
 * @width, @height: of the image
 * @n_bands: without the empty ones
 * @n_empty: empty bands above, and as many below
 * @border: whether the outside is background; the empty bands and columns are then full
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
 * WfColumnEnds:
 * @before, @after: of WfDistanceBand, for one kind of sites; %NULL if the image is no band
 * @first: position of the band in the whole
 * @reach: rows beyond the band in which sites are seen by the search for far background
 */
typedef struct
{
  const gint32 *before;
  const gint32 *after;
  int           first;
  int           reach;
} WfColumnEnds;

/**
 * WfFarTiles:
 * @tiles: for each band and supertile a word with one bit for each tile, set if the tile is far
 * @bands: for each band whether it has far tiles
 * @count: number of supertiles with far tiles
 * @next: the first of them that no block has taken
 * @absent: result: set if there is no background at all
 * @supertiles: these @count supertiles, as band × @across + supertile
 * @across: supertiles of a band
 *
 * A tile is far if it has a pixel whose nearest background is more than %WF_REACH + 1 away.
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
 * @pixels: distances as floats, or squared distances as integers of 64 bits; may be %NULL if there
 *   is @nearest
 * @nearest: indices, or %NULL
 * @squared: whether @pixels are squared distances
 * @foreground_only, @negative: set for the second half of a signed map, see local.cu
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

/* Enters sites beyond a band to the words of its empty bands, and to those of its last rows. */
gboolean wf_cuda_distance_enter_ends (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const WfColumnEnds    *ends,
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
 * @above: for each band and column the rows from the band's first row to the nearest background
 *   above, or %WF_NO_ROW
 * @below: the rows from the band's last row to the nearest background below, or %WF_NO_ROW
 * @columns: for each band with far tiles its columns with background, in order; x: the column + 1
 *   in the lower half, and in the upper half whether it has background in the band; y: @above in
 *   the lower half, @below in the upper
 * @counts: for each of these bands the number of its columns
 * @bias: added to rows where sites may lie above the first
 *
 * A band has as many entries in @above, @below and @columns as a pitch; those of @above and @below
 * start with column −%WF_REACH.
 */
typedef struct
{
  guint16 *above;
  guint16 *below;
  uint2   *columns;
  int     *counts;
  int      bias;
} WfFarLists;

/* Writes for each band and column the distances to the nearest background above and below.  Does
 * nothing if @count, on the device, is given and 0.
 */
gboolean wf_cuda_distance_carry      (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const int             *count,
                                      guint16               *above,
                                      guint16               *below,
                                      GError               **error);

/* Bytes that the search for far background needs besides the words and the far tiles. */
guint64  wf_cuda_distance_far_memory (const WfColumns       *columns);
gboolean wf_cuda_distance_far_lists  (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const WfFarTiles      *far,
                                      const WfColumnEnds    *ends,
                                      void                  *memory,
                                      WfFarLists            *lists,
                                      GError               **error);
gboolean wf_cuda_distance_far        (WfCuda                *cuda,
                                      const WfColumns       *columns,
                                      const WfFarTiles      *far,
                                      const WfColumnEnds    *ends,
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

static inline WfColumnEnds
wf_column_ends (const WfCudaDistance *distance,
                bool                  inverted)
{
  const WfDistanceBand *band = distance->task->band;

  return { distance->before[inverted], distance->after[inverted], band ? (int) band->first : 0, 0 };
}


/*  Integers, and exact roots of them  */

/* The word of @column in @band; both may lie outside the image, in the padding. */
__device__ __forceinline__ const guint32 *
wf_column_word (const WfColumns &columns,
                int              band,
                int              column)
{
  return columns.words + (band + columns.n_empty) * columns.pitch + column + WF_REACH;
}

/* Rows from row @row of a band up to the site before it in @column; %G_MAXINT if there is none. */
__device__ __forceinline__ int
wf_rows_before (const WfColumnEnds &ends,
                int                 column,
                int                 row)
{
  const int before = ends.before[column];

  return before == WF_NO_SITE ? G_MAXINT : row + ends.first - before;
}

/* The same down to the site after it.  @row may be beyond that. */
__device__ __forceinline__ int
wf_rows_after (const WfColumnEnds &ends,
               int                 column,
               int                 row)
{
  const int after = ends.after[column];

  return after == WF_NO_SITE ? G_MAXINT : after - ends.first - row;
}

/* Returns the index of a pixel, or %WF_NEAREST_NONE if it is outside. */
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

/* As wf_add_min(), in each half of the words; the sums stay below 2^16. */
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

/* Returns the root of an integer below 2^16, rounded correctly: one step of Newton's iteration,
 * whose residual is exact, from an estimate with a relative error of 2^-22.  The addend keeps 0
 * from becoming 0 × ∞; in every other sum it is lost by rounding.
 */
__device__ __forceinline__ float
wf_root_16 (guint32 half)
{
  float x = __uint_as_float (0x4b000000u | half) - 8388608.0f;
  float y = wf_reciprocal_root (x + 1e-20f);
  float s = x * y;

  return __fmaf_rn (__fmaf_rn (-s, s, x), 0.5f * y, s);
}

/* Returns the root of any integer, rounded correctly.  Rounding the correctly rounded double gives
 * the same, because n is never closer than unit² / 4 to the square of the middle between two
 * floats, where unit is one unit in the last place.  The integer is taken as the sum of two floats.
 * A root that is off by one unit is found by comparing with the middles, whose squares are
 * s² ± s × unit + unit² / 4; the last term can be left out, because n, s² and s × unit are
 * multiples of unit².
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
