/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Packs images to one bit a pixel: see local.cu.
 *
 * Bytes a pixel: the image's own read, 1/8 written.
 */

#include "cuda/core/dispatch.cuh"
#include "cuda/core/foreground.cuh"
#include "local.cuh"

namespace distance_local
{

#define PACK_THREADS 128
#define PACK_COLUMNS 256


/* Eight pixels, a byte each, whose highest bit is set for background. */
typedef struct
{
  guint32 first;
  guint32 second;
} EightPixels;

#define HIGHEST 0x80808080u

/* Thresholds four bytes at once: a byte is above the threshold if adding @base to it carries.
 * @kept and @flipped turn the carries into background: (carry & @kept) ^ @flipped.
 */
typedef struct
{
  guint32 base;
  guint32 kept;
  guint32 flipped;
} ByteRule;

static inline ByteRule
byte_rule (const WfForeground *foreground)
{
  const int above = MIN (foreground->above, G_MAXUINT8);

  return {
    (guint32) (G_MAXUINT8 - MAX (above, 0)) * 0x01010101u,
    above < 0 ? 0u : HIGHEST,
    foreground->inverted == (above < 0) ? HIGHEST : 0u,
  };
}

/* @carry is the carry out of each byte of pixels + base, in the byte's highest bit. */
__device__ __forceinline__ guint32
background_of_bytes (guint32         pixels,
                     const ByteRule &rule)
{
  guint32 sum   = (pixels & ~HIGHEST) + (rule.base & ~HIGHEST);
  guint32 carry = (pixels & rule.base) | ((pixels | rule.base) & sum);

  return (carry & rule.kept) ^ rule.flipped;
}

__device__ __forceinline__ guint32
low_bytes (int n)
{
  return n >= 4 ? 0xffffffffu : n <= 0 ? 0u : (1u << 8 * n) - 1;
}

/* Reads four bytes from @at, which must be aligned; those outside [@start, @end) are 0. */
__device__ __forceinline__ guint32
read_bytes (const guint8 *start,
            const guint8 *end,
            const guint8 *at)
{
  guint32 value = 0;

  if (at >= start && at + 4 <= end)
    return *(const guint32 *) at;
  for (int k = 0; k < 4; k++)
    if (at + k >= start && at + k < end)
      value |= (guint32) at[k] << 8 * k;
  return value;
}

/* Reads eight pixels from @first on, of which @n are in the row. */
template <typename T, bool ALIGNED>
struct PixelReader
{
  static __device__ __forceinline__ EightPixels
  read (const T             *image,
        gint64               n_pixels,
        gint64               first,
        int                  n,
        const WfForeground  &foreground,
        const ByteRule      &rule)
  {
    EightPixels eight = { 0, 0 };

#pragma unroll
    for (int k = 0; k < 8; k++)
      if (k < n && ! wf_is_foreground (image[first + k], foreground))
        (k < 4 ? eight.first : eight.second) |= 0x80u << 8 * (k % 4);
    return eight;
  }
};

template <>
struct PixelReader<guint8, true>
{
  static __device__ __forceinline__ EightPixels
  read (const guint8        *image,
        gint64               n_pixels,
        gint64               first,
        int                  n,
        const WfForeground  &foreground,
        const ByteRule      &rule)
  {
    uint2 pixels = __ldcs ((const uint2 *) (image + first));

    return { background_of_bytes (pixels.x, rule), background_of_bytes (pixels.y, rule) };
  }
};

template <>
struct PixelReader<guint8, false>
{
  static __device__ __forceinline__ EightPixels
  read (const guint8        *image,
        gint64               n_pixels,
        gint64               first,
        int                  n,
        const WfForeground  &foreground,
        const ByteRule      &rule)
  {
    const guint8 *at      = image + first;
    const int     shift   = (int) ((guintptr) at & 3);
    const guint8 *aligned = at - shift;
    const guint8 *end     = image + n_pixels;
    guint32       a       = read_bytes (image, end, aligned);
    guint32       b       = read_bytes (image, end, aligned + 4);
    guint32       c       = read_bytes (image, end, aligned + 8);

    return {
      background_of_bytes (__funnelshift_r (a, b, 8 * shift), rule) & low_bytes (n),
      background_of_bytes (__funnelshift_r (b, c, 8 * shift), rule) & low_bytes (n - 4),
    };
  }
};

/* Returns the words of four columns.  Word k of @rows has a byte of 8 rows for each of them. */
__device__ __forceinline__ uint4
transpose_bytes (const guint32 rows[4])
{
  guint32 low_01  = __byte_perm (rows[0], rows[1], 0x5140);
  guint32 high_01 = __byte_perm (rows[0], rows[1], 0x7362);
  guint32 low_23  = __byte_perm (rows[2], rows[3], 0x5140);
  guint32 high_23 = __byte_perm (rows[2], rows[3], 0x7362);

  return make_uint4 (__byte_perm (low_01, low_23, 0x5410), __byte_perm (low_01, low_23, 0x7632),
                     __byte_perm (high_01, high_23, 0x5410),
                     __byte_perm (high_01, high_23, 0x7632));
}

/* A block has 256 columns of a band, a warp 8 rows of them, a lane 8 columns.
 * Also clears @n_cleared words from @cleared on, for the kernels that follow.
 */
template <typename T, bool ALIGNED>
__global__ void
__launch_bounds__ (PACK_THREADS)
pack_bands (const T      *image,
            WfForeground  foreground,
            ByteRule      rule,
            WfColumns     columns,
            guint32      *cleared,
            gint64        n_cleared)
{
  __shared__ guint32 bytes[4][PACK_COLUMNS / 4];
  const int     lane    = wf_lane ();
  const int     eighth  = threadIdx.x / 32;
  const int     column  = (blockIdx.x * 32 + lane) * 8 - WF_REACH;
  const int     band    = (int) blockIdx.y - columns.n_empty;
  const int     top     = band * WF_BAND + eighth * 8;
  const int     n       = min (8, columns.width - column);
  const gint64  pixels  = (gint64) columns.width * columns.height;
  const guint32 outside = columns.border ? HIGHEST : 0;
  const gint64  number  = ((gint64) blockIdx.y * gridDim.x + blockIdx.x) * PACK_THREADS
                          + threadIdx.x;
  EightPixels   rows[8];
  EightPixels   packed  = { 0, 0 };

  if (number < n_cleared)
    cleared[number] = 0;

#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      rows[k] = { outside, outside };
      if (column >= 0 && n > 0 && top + k >= 0 && top + k < columns.height)
        {
          rows[k] = PixelReader<T, ALIGNED>::read (image, pixels,
                                                   (gint64) (top + k) * columns.width + column, n,
                                                   foreground, rule);
          if (! ALIGNED)
            {
              rows[k].first  |= outside & ~low_bytes (n);
              rows[k].second |= outside & ~low_bytes (n - 4);
            }
        }
    }
#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      packed.first  = packed.first >> 1 | rows[k].first;
      packed.second = packed.second >> 1 | rows[k].second;
    }
  bytes[eighth][lane * 2]     = packed.first;
  bytes[eighth][lane * 2 + 1] = packed.second;
  __syncthreads ();

  if (threadIdx.x < PACK_COLUMNS / 4)
    {
      const int     i    = threadIdx.x;
      const gint64  at   = (gint64) blockIdx.x * PACK_COLUMNS + i * 4;
      const guint32 four[4] = { bytes[0][i], bytes[1][i], bytes[2][i], bytes[3][i] };

      if (at < columns.pitch)
        *(uint4 *) (columns.words + blockIdx.y * columns.pitch + at) = transpose_bytes (four);
    }
}


/*  Host  */

}

using namespace distance_local;

gboolean
wf_cuda_distance_pack (WfCuda                *cuda,
                       const WfCudaDistance  *distance,
                       bool                   inverted,
                       const WfColumns       *columns,
                       guint32               *cleared,
                       gint64                 n_cleared,
                       GError               **error)
{
  const WfForeground foreground = wf_foreground (distance->task->threshold, inverted);
  const bool         aligned    = columns->width % 8 == 0 && (guintptr) distance->image % 8 == 0;
  const dim3         grid ((columns->pitch + PACK_COLUMNS - 1) / PACK_COLUMNS,
                           columns->n_bands + 2 * columns->n_empty);

  wf_dispatch_pixels (distance->task->image->type, [&] (auto pixel)
    {
      using T = decltype (pixel);

      (aligned ? pack_bands<T, true> : pack_bands<T, false>)
        <<<grid, PACK_THREADS, 0, cuda->stream>>>
        ((const T *) distance->image, foreground, byte_rule (&foreground), *columns, cleared,
         n_cleared);
    });
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}
