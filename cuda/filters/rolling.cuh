/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Warps that march down an image, for windows of a few pixels: each for itself, without
 * barriers.
 *
 * A lane holds four adjacent columns, a warp 128 of them; those at its sides are read
 * only for what the others need from them, and belong to the warps beside it.  A lane
 * reads each row once, some rows ahead, so that the answer is there when it is needed,
 * and keeps the rows of the window in registers; what lies beside its columns it gets
 * from other lanes.  Beyond the ends of an axis the pixel at the end is repeated.
 *
 * A warp is a block, so that the compiler knows what all of its lanes agree on: whether
 * they are within the image with all that they read, as most are; then nothing of that is
 * looked at again.
 */

#pragma once


#include "cuda/core/device.cuh"

#define WF_MARCH_THREADS 32
#define WF_MARCH_COLUMNS 128

/* A strip of columns, and some of its rows. */
struct WfMarch
{
  gint64 width;
  gint64 height;
  gint64 n_strips;
  gint64 n_segments;
  gint64 rows;       /* of a segment */
  bool   aligned;    /* four pixels begin where four pixels may be read at once */
};

template <typename Pixel>
struct alignas (4 * sizeof (Pixel)) WfFour
{
  Pixel of[4];
};

/* Columns at either side of a warp that are there for windows of this radius. */
template <int RADIUS>
constexpr int wf_march_margin = (RADIUS + 3) / 4 * 4;

/* Where a warp is. */
struct WfMarchPlace
{
  gint64 x;          /* of the lane's first column */
  gint64 y0;
  gint64 y1;
  bool   writes;
  bool   inner;      /* the image holds all that it reads */
};

__device__ __forceinline__ WfMarchPlace
wf_march_place (const WfMarch &march,
                int            margin,
                int            above,
                int            below)
{
  const gint64 x0    = blockIdx.x % march.n_strips * (WF_MARCH_COLUMNS - 2 * margin) - margin;
  const int    lane  = threadIdx.x;
  WfMarchPlace place;

  place.x      = x0 + 4 * lane;
  place.y0     = blockIdx.x / march.n_strips * march.rows;
  place.y1     = min (place.y0 + march.rows, march.height);
  place.writes = 4 * lane >= margin && 4 * lane < WF_MARCH_COLUMNS - margin &&
                 place.x < march.width;
  place.inner  = x0 >= 0 && x0 + WF_MARCH_COLUMNS <= march.width && place.y0 >= above &&
                 place.y1 + below <= march.height;
  return place;
}

template <typename Pixel>
__device__ __forceinline__ WfFour<Pixel>
wf_load_four (const Pixel *pixels)
{
  WfFour<Pixel> four;

  if constexpr (sizeof (Pixel) == 1)
    *(guint32 *) &four = __ldg ((const guint32 *) pixels);
  else if constexpr (sizeof (Pixel) == 2)
    *(uint2 *) &four = __ldg ((const uint2 *) pixels);
  else
    *(float4 *) &four = __ldg ((const float4 *) pixels);
  return four;
}

/* Reads one row after the other, from any row on, also one above the image; INNER: only
 * such as lie in it.
 */
template <typename Pixel, bool INNER>
struct WfMarchReader
{
  const Pixel *row;       /* the lane's first column of it */
  int          above;     /* rows until the image begins */
  int          below;     /* rows until its last one */
  gint64       width;
  gint64       x;
  bool         aligned;

  __device__ __forceinline__
  WfMarchReader (const Pixel   *image,
                 const WfMarch &march,
                 gint64         column,
                 gint64         y)
  : row (image + min (max (y, (gint64) 0), march.height - 1) * march.width + column),
    above ((int) max (-y, (gint64) 0)),
    below ((int) min (march.height - 1 - y, march.height - 1)),
    width (march.width),
    x (column),
    aligned (march.aligned)
  {
  }

  __device__ __forceinline__ WfFour<Pixel>
  next ()
  {
    WfFour<Pixel> four;

    if (INNER && aligned)
      four = wf_load_four (row);
    else
      for (int i = 0; i < 4; i++)
        four.of[i] = __ldg (row + (INNER ? i : min (max ((gint64) i, -x), width - 1 - x)));

    if (INNER)
      row += width;
    else if (above > 0)
      above--;
    else if (below > 0)
      {
        below--;
        row += width;
      }
    return four;
  }
};

/* Writes as much as lies in the image of one row after the other. */
template <typename Pixel, bool INNER>
struct WfMarchWriter
{
  Pixel  *row;
  gint64  width;
  int     n;       /* columns */
  bool    aligned;

  __device__ __forceinline__
  WfMarchWriter (Pixel              *out,
                 const WfMarch      &march,
                 const WfMarchPlace &place)
  : row (out + place.y0 * march.width + place.x),
    width (march.width),
    n (place.writes ? (int) min (march.width - place.x, (gint64) 4) : 0),
    aligned (march.aligned)
  {
  }

  __device__ __forceinline__ void
  next (const WfFour<Pixel> &four)
  {
    if (INNER && aligned)
      {
        if (n > 0)
          *(WfFour<Pixel> *) row = four;
      }
    else
      for (int i = 0; i < 4; i++)
        if (i < n)
          row[i] = four.of[i];
    row += width;
  }
};

/* @around: four values of this lane, and those of @RADIUS columns on either side. */
template <int RADIUS, typename Value>
__device__ __forceinline__ void
wf_look_aside (const Value *own,
               Value       *around)
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    around[RADIUS + i] = own[i];
#pragma unroll
  for (int k = 1; k <= RADIUS; k++)
    {
      const int lanes = (k + 3) / 4;

      around[RADIUS - k]     = __shfl_up_sync (0xffffffffu, own[4 * lanes - k], lanes);
      around[RADIUS + 3 + k] = __shfl_down_sync (0xffffffffu, own[(k - 1) % 4], lanes);
    }
}

/* Segments as short as fill the device, but not so short that most of what is read is
 * read for their first window.
 */
static inline WfMarch
wf_march_plan (const WfCuda  *cuda,
               const WfShape *shape,
               gconstpointer  image,
               gconstpointer  out,
               gsize          pixel,
               int            radius,
               int            margin)
{
  const gint64 warps = (gint64) cuda->n_units * cuda->threads_per_unit / 32;
  WfMarch      march = {};

  march.width      = shape->width;
  march.height     = shape->height;
  march.n_strips   = (shape->width + WF_MARCH_COLUMNS - 2 * margin - 1)
                     / (WF_MARCH_COLUMNS - 2 * margin);
  march.rows       = march.height * march.n_strips / (8 * warps);
  march.rows       = CLAMP (march.rows, 8 * radius, 256);
  march.n_segments = (march.height + march.rows - 1) / march.rows;
  march.aligned    = march.width % 4 == 0 && (guintptr) image % (4 * pixel) == 0 &&
                     (guintptr) out % (4 * pixel) == 0;
  return march;
}

static inline unsigned int
wf_march_blocks (const WfMarch *march)
{
  return (unsigned int) (march->n_strips * march->n_segments);
}
