/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scans of `raster`, down and up, forward and back, right and left; see
 * raster.cu.
 */

#pragma once

#include "cuda/core/lanes.cuh"
#include "padded.cuh"

namespace raster
{

constexpr int THREADS = 256;
constexpr int WARPS   = THREADS / WF_LANES;

/* Rows or planes whose words are loaded together. */
constexpr int ROWS_AHEAD   = 8;
constexpr int PLANES_AHEAD = 4;


/*  Words of pixels  */

template <typename Pixel>
static __device__ __forceinline__ guint32
highest (guint32 a,
         guint32 b)
{
  if (sizeof (Pixel) == 1)
    return __vmaxu4 (a, b);
  return sizeof (Pixel) == 2 ? __vmaxu2 (a, b) : max (a, b);
}

template <typename Pixel>
static __device__ __forceinline__ guint32
lowest (guint32 a,
        guint32 b)
{
  if (sizeof (Pixel) == 1)
    return __vminu4 (a, b);
  return sizeof (Pixel) == 2 ? __vminu2 (a, b) : min (a, b);
}

/* The largest of each pixel of the warp's 32 words @word and the pixels beside it; @edge
 * is, in the first and the last lane, the word beyond.
 */
template <typename Pixel>
static __device__ __forceinline__ guint32
spread (guint32 word,
        guint32 edge,
        int     lane)
{
  constexpr int bits  = 8 * sizeof (Pixel);
  guint32 left  = __shfl_up_sync (WF_ALL_LANES, word, 1);
  guint32 right = __shfl_down_sync (WF_ALL_LANES, word, 1);

  if (lane == 0)
    left = edge;
  if (lane == 31)
    right = edge;
  if (bits < 32)
    {
      left  = __funnelshift_l (left, word, bits % 32);
      right = __funnelshift_r (word, right, bits % 32);
    }
  return highest<Pixel> (word, highest<Pixel> (left, right));
}

/* Where in its rows a warp's lane works. */
struct Strip
{
  gint64 word;        /* within the row */
  int    lane;
  bool   inside;
  gint64 beyond;      /* from the word to the one beyond the strip; 0 if there is none */

  __device__ __forceinline__
  Strip (gint64 strip,
         gint64 words)
  {
    lane   = threadIdx.x % 32;
    word   = strip * 32 + lane;
    inside = word < words;
    beyond = lane == 0 && word > 0 ? -1 : lane == 31 && word + 1 < words ? 1 : 0;
  }
};

/* Others may write it: every read asks memory. */
static __device__ __forceinline__ guint32
look (const guint32 *word)
{
  return *(const volatile guint32 *) word;
}

static __device__ __forceinline__ void
look_both (const guint32 *marker,
           gint64         at,
           const Strip   &strip,
           guint32       *word,
           guint32       *edge)
{
  *word = strip.inside ? look (marker + at) : 0;
  *edge = strip.beyond ? look (marker + at + strip.beyond) : 0;
}


/*  Down and up  */

/* @n rows that begin at word @at and lie @step words apart; the row before the first one
 * is read, too: the frame has one.
 */
template <typename Pixel, bool DIAGONALS>
static __device__ __forceinline__ guint32
scan_band (const guint32 *__restrict__ mask,
           guint32       *marker,
           const Strip    &strip,
           gint64          at,
           gint64          step,
           gint64          n)
{
  guint32 changed = 0;
  guint32 before;
  guint32 before_edge;

  look_both (marker, at - step, strip, &before, &before_edge);
  for (gint64 row = 0; row < n; row += ROWS_AHEAD)
    {
      guint32 masks[ROWS_AHEAD];
      guint32 words[ROWS_AHEAD];
      guint32 edges[ROWS_AHEAD];

#pragma unroll
      for (int k = 0; k < ROWS_AHEAD; k++)
        {
          const gint64 here = at + (row + k) * step;

          masks[k] = words[k] = edges[k] = 0;
          if (row + k < n)
            {
              masks[k] = strip.inside ? mask[here] : 0;
              look_both (marker, here, strip, &words[k], &edges[k]);
            }
        }

#pragma unroll
      for (int k = 0; k < ROWS_AHEAD; k++)
        {
          guint32 raised = DIAGONALS ? spread<Pixel> (before, before_edge, strip.lane) : before;

          raised = lowest<Pixel> (masks[k], highest<Pixel> (words[k], raised));
          if (raised != words[k])
            {
              marker[at + (row + k) * step] = raised;
              changed = 1;
            }
          before      = raised;
          before_edge = edges[k];
        }
    }
  return changed;
}

/* A warp for each strip of each band of each plane. */
template <typename Pixel, bool DIAGONALS>
__global__ void __launch_bounds__ (THREADS)
scan_columns (WfPadding         padding,
              const guint32 *__restrict__ mask,
              guint32       *marker,
              gint64          band_rows,
              guint32        *changed)
{
  constexpr int per_word = 4 / sizeof (Pixel);
  const gint64 words    = padding.pitch / per_word;
  const gint64 n_strips = (words + 31) / 32;
  const gint64 n_bands  = (padding.height + band_rows - 1) / band_rows;
  const gint64 n_tasks  = n_strips * n_bands * padding.depth;
  const gint64 n_warps  = (gint64) gridDim.x * WARPS;
  guint32      any      = 0;

  for (gint64 i = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; i < n_tasks; i += n_warps)
    {
      const gint64 z     = i / (n_strips * n_bands);
      const gint64 band  = i / n_strips % n_bands;
      const Strip  strip (i % n_strips, words);
      const gint64 first = band * band_rows;
      const gint64 n     = min (band_rows, padding.height - first);
      const gint64 top   = (padding.origin + z * padding.plane) / per_word + first * words
                           + strip.word;

      any |= scan_band<Pixel, DIAGONALS> (mask, marker, strip, top, words, n);
      any |= scan_band<Pixel, DIAGONALS> (mask, marker, strip, top + (n - 1) * words, -words, n);
    }
  if (any)
    *changed = 1;
}


/*  Forward and back  */

/* The largest of a pixel and its neighbours in the plane, but for those in its own row. */
template <typename Pixel>
static __device__ __forceinline__ void
look_around (const guint32 *marker,
             gint64         at,
             gint64         words,
             const Strip   &strip,
             guint32       *word,
             guint32       *edge)
{
  guint32 above;
  guint32 above_edge;
  guint32 below;
  guint32 below_edge;

  look_both (marker, at - words, strip, &above, &above_edge);
  look_both (marker, at + words, strip, &below, &below_edge);
  *word = highest<Pixel> (above, below);
  *edge = highest<Pixel> (above_edge, below_edge);
}

/* @n planes that begin at word @at and lie @step words apart; the plane before the first
 * one is read, too.
 */
template <typename Pixel, bool DIAGONALS>
static __device__ __forceinline__ guint32
scan_through (const guint32 *__restrict__ mask,
              guint32       *marker,
              const Strip    &strip,
              gint64          at,
              gint64          words,
              gint64          step,
              gint64          n)
{
  guint32 changed     = 0;
  guint32 before;
  guint32 before_edge;
  guint32 beside      = 0;
  guint32 beside_edge = 0;

  look_both (marker, at - step, strip, &before, &before_edge);
  if (DIAGONALS)
    look_around<Pixel> (marker, at - step, words, strip, &beside, &beside_edge);
  for (gint64 plane = 0; plane < n; plane += PLANES_AHEAD)
    {
      guint32 masks[PLANES_AHEAD];
      guint32 levels[PLANES_AHEAD];
      guint32 edges[PLANES_AHEAD];
      guint32 sides[PLANES_AHEAD];
      guint32 side_edges[PLANES_AHEAD];

#pragma unroll
      for (int k = 0; k < PLANES_AHEAD; k++)
        {
          const gint64 here = at + (plane + k) * step;

          masks[k] = levels[k] = edges[k] = sides[k] = side_edges[k] = 0;
          if (plane + k < n)
            {
              masks[k] = strip.inside ? mask[here] : 0;
              look_both (marker, here, strip, &levels[k], &edges[k]);
              if (DIAGONALS)
                look_around<Pixel> (marker, here, words, strip, &sides[k], &side_edges[k]);
            }
        }

#pragma unroll
      for (int k = 0; k < PLANES_AHEAD; k++)
        {
          guint32 raised = before;

          if (DIAGONALS)
            raised = spread<Pixel> (highest<Pixel> (before, beside),
                                    highest<Pixel> (before_edge, beside_edge), strip.lane);
          raised = lowest<Pixel> (masks[k], highest<Pixel> (levels[k], raised));
          if (raised != levels[k])
            {
              marker[at + (plane + k) * step] = raised;
              changed = 1;
            }
          before      = raised;
          before_edge = edges[k];
          beside      = sides[k];
          beside_edge = side_edges[k];
        }
    }
  return changed;
}

/* A warp for each strip of each row of each band of planes. */
template <typename Pixel, bool DIAGONALS>
__global__ void __launch_bounds__ (THREADS)
scan_planes (WfPadding         padding,
             const guint32 *__restrict__ mask,
             guint32       *marker,
             gint64          band_planes,
             guint32        *changed)
{
  constexpr int per_word = 4 / sizeof (Pixel);
  const gint64 words    = padding.pitch / per_word;
  const gint64 plane    = padding.plane / per_word;
  const gint64 n_strips = (words + 31) / 32;
  const gint64 n_bands  = (padding.depth + band_planes - 1) / band_planes;
  const gint64 n_tasks  = n_strips * padding.height * n_bands;
  const gint64 n_warps  = (gint64) gridDim.x * WARPS;
  guint32      any      = 0;

  for (gint64 i = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; i < n_tasks; i += n_warps)
    {
      const Strip  strip (i % n_strips, words);
      const gint64 row   = i / n_strips % padding.height;
      const gint64 z     = i / n_strips / padding.height * band_planes;
      const gint64 n     = min (band_planes, padding.depth - z);
      const gint64 first = padding.origin / per_word + z * plane + row * words + strip.word;
      const gint64 last  = first + (n - 1) * plane;

      any |= scan_through<Pixel, DIAGONALS> (mask, marker, strip, first, words, plane, n);
      any |= scan_through<Pixel, DIAGONALS> (mask, marker, strip, last, words, -plane, n);
    }
  if (any)
    *changed = 1;
}


/*  Right and left  */

/* A level that no mask exceeds. */
constexpr guint32 HIGHEST = G_MAXUINT32;

/* x → min (a, max (b, x)), b ≤ a. */
struct Clamp
{
  guint32 a;
  guint32 b;

  __device__ __forceinline__ guint32
  of (guint32 x) const
  {
    return min (a, max (b, x));
  }
};

/* What the lanes before this one make, one after the other, of @x. */
static __device__ __forceinline__ guint32
fold_before (Clamp    clamp,
             guint32  x,
             int      lane,
             guint32 *after)
{
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2)
    {
      Clamp earlier;

      earlier.a = __shfl_up_sync (WF_ALL_LANES, clamp.a, distance);
      earlier.b = __shfl_up_sync (WF_ALL_LANES, clamp.b, distance);
      if (lane >= distance)
        clamp = { clamp.of (earlier.a), clamp.of (earlier.b) };
    }

  const guint32 mine   = clamp.of (x);
  const guint32 before = __shfl_up_sync (WF_ALL_LANES, mine, 1);

  *after = __shfl_sync (WF_ALL_LANES, mine, 31);
  return lane == 0 ? x : before;
}

template <typename Pixel>
static __device__ __forceinline__ guint32
pixel_of (const guint32 *words,
          int            k)
{
  constexpr int per_word = 4 / sizeof (Pixel);

  return (Pixel) (words[k / per_word] >> (k % per_word * 8 * sizeof (Pixel)));
}

/* A lane's 16 bytes; @level comes in.  LEFT: from the last pixel to the first one. */
template <typename Pixel, bool LEFT>
static __device__ __forceinline__ guint32
scan_pixels (const guint32 *masks,
             guint32       *words,
             guint32       *carry,
             int            lane)
{
  constexpr int per_word  = 4 / sizeof (Pixel);
  constexpr int n         = 4 * per_word;
  Clamp   clamp     = { HIGHEST, 0 };
  guint32 raised[4] = { 0, 0, 0, 0 };
  guint32 changed   = 0;
  guint32 level;

#pragma unroll
  for (int i = 0; i < n; i++)
    {
      const int   k    = LEFT ? n - 1 - i : i;
      const Clamp next = { pixel_of<Pixel> (masks, k), pixel_of<Pixel> (words, k) };

      clamp = { next.of (clamp.a), next.of (clamp.b) };
    }
  level = fold_before (clamp, *carry, lane, carry);

#pragma unroll
  for (int i = 0; i < n; i++)
    {
      const int k = LEFT ? n - 1 - i : i;

      level = min (pixel_of<Pixel> (masks, k), max (pixel_of<Pixel> (words, k), level));
      raised[k / per_word] |= level << (k % per_word * 8 * sizeof (Pixel));
    }

#pragma unroll
  for (int w = 0; w < 4; w++)
    {
      changed  |= raised[w] ^ words[w];
      words[w]  = raised[w];
    }
  return changed;
}

/* The pixel with index @at; others may write it. */
template <typename Pixel>
static __device__ __forceinline__ guint32
look_at (const guint32 *marker,
         gint64         at)
{
  return *((const volatile Pixel *) marker + at);
}

/* @n pieces of 16 bytes of a row; @carry is the level that comes in.  Lanes beyond the
 * pieces let it through.
 */
template <typename Pixel, bool LEFT>
static __device__ __forceinline__ guint32
scan_row (const uint4 *__restrict__ mask,
          uint4       *marker,
          gint64       n,
          guint32     carry,
          int          lane)
{
  const gint64 n_steps = (n + 31) / 32;
  guint32      any     = 0;

  for (gint64 step = 0; step < n_steps; step++)
    {
      const gint64 at       = LEFT ? (n_steps - step) * 32 - 1 - lane : step * 32 + lane;
      const bool   inside   = at < n;
      const uint4  m        = inside ? mask[at] : make_uint4 (HIGHEST, HIGHEST, HIGHEST, HIGHEST);
      const uint4  j        = inside ? marker[at] : make_uint4 (0, 0, 0, 0);
      guint32      masks[4] = { m.x, m.y, m.z, m.w };
      guint32      words[4] = { j.x, j.y, j.z, j.w };

      if (scan_pixels<Pixel, LEFT> (masks, words, &carry, lane) && inside)
        {
          marker[at] = { words[0], words[1], words[2], words[3] };
          any = 1;
        }
    }
  return any;
}

/* A warp for each band of each row. */
template <typename Pixel>
__global__ void __launch_bounds__ (THREADS)
scan_rows (WfPadding         padding,
           const guint32 *__restrict__ mask,
           guint32       *marker,
           gint64          band_pieces,
           guint32        *changed)
{
  constexpr int per_piece = 16 / sizeof (Pixel);
  const gint64 pieces  = padding.pitch / per_piece;
  const gint64 n_bands = (pieces + band_pieces - 1) / band_pieces;
  const gint64 n_tasks = n_bands * padding.height * padding.depth;
  const gint64 n_warps = (gint64) gridDim.x * WARPS;
  const int    lane    = threadIdx.x % 32;
  guint32      any     = 0;

  for (gint64 i = blockIdx.x * (gint64) WARPS + threadIdx.x / 32; i < n_tasks; i += n_warps)
    {
      const gint64  band   = i % n_bands * band_pieces;
      const gint64  row    = i / n_bands;
      const gint64  n      = min (band_pieces, pieces - band);
      const gint64  first  = padding.origin + row / padding.height * padding.plane
                             + row % padding.height * padding.pitch + band * per_piece;
      const gint64  end    = first + n * per_piece;
      const uint4  *masks  = (const uint4 *) mask + first / per_piece;
      uint4        *levels = (uint4 *) marker + first / per_piece;

      any |= scan_row<Pixel, false> (masks, levels, n, band > 0 ? look_at<Pixel> (marker, first - 1)
                                                                : 0, lane);
      __syncwarp ();
      any |= scan_row<Pixel, true> (masks, levels, n, band + n < pieces
                                                      ? look_at<Pixel> (marker, end) : 0, lane);
    }
  if (any)
    *changed = 1;
}

} /* namespace raster */
