/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian: weights, and the arithmetic of engine/filters/filters.c for each type of pixel.
 */

#pragma once

#include <float.h>

#include <type_traits>

#include "engine/filters/gaussian.h"
#include "filters.cuh"

namespace gaussian
{

template <typename Weight, int N>
struct Weights
{
  Weight of[N];
};


/*  Arithmetic  */

/* For each type of pixel:
 *
 *   Weight
 *   First, Second   sums as they are stored, along one axis and along two
 *   Total <Part>    what a sum of such parts (pixels, First or Second) is added up in
 *   value           a part, as it is multiplied
 *   start, add      a sum: its middle, then its pairs of parts
 *   finish <Part>   the sum as it is stored
 *   start_last, pixel <Part>  the same for the last sum, of which a pixel is made
 */
template <typename Pixel>
struct Arithmetic;

/* u8: sums are exact.  Half a level is added to the last with its middle. */
template <>
struct Arithmetic<guint8>
{
  typedef guint32 Weight;
  typedef guint32 First;
  typedef guint64 Second;

  template <typename Part>
  using Total = std::conditional_t<sizeof (Part) == 1, guint32, guint64>;

  /* The last sum is of two axes if it is made of u32, else of three. */
  template <typename Part>
  static constexpr int bits = (sizeof (Part) == 4 ? 2 : 3) * WF_GAUSSIAN_BITS_U8;

  static __device__ __forceinline__ guint32
  value (guint8 pixel)
  {
    return pixel;
  }

  static __device__ __forceinline__ guint32
  value (guint32 sum)
  {
    return sum;
  }

  static __device__ __forceinline__ guint64
  value (guint64 sum)
  {
    return sum;
  }

  template <typename Part, typename Factor>
  static __device__ __forceinline__ Total<Part>
  start (guint32 w,
         Factor  a)
  {
    return (Total<Part>) w * a;
  }

  /* Two sums along one axis fit 32 bits. */
  template <typename Part, typename Factor>
  static __device__ __forceinline__ Total<Part>
  add (Total<Part> sum,
       guint32     w,
       Factor      a,
       Factor      b)
  {
    return sum + (Total<Part>) w * (a + b);
  }

  template <typename Part>
  static __device__ __forceinline__ Total<Part>
  finish (Total<Part> sum)
  {
    return sum;
  }

  template <typename Part>
  static __device__ __forceinline__ guint64
  start_last (guint32 w,
              Part    a)
  {
    return ((guint64) 1 << (bits<Part> - 1)) + (guint64) w * a;
  }

  template <typename Part>
  static __device__ __forceinline__ guint8
  pixel (guint64 sum)
  {
    return (guint8) (sum >> bits<Part>);
  }
};

/* u16: sums are stored rounded, in 31 bits, so the sum of two fits the 32 bits of a factor. */
template <>
struct Arithmetic<guint16>
{
  typedef guint32 Weight;
  typedef guint32 First;
  typedef guint32 Second;

  template <typename Part>
  using Total = guint64;

  /* From a sum of such parts to one that is stored. */
  template <typename Part>
  static constexpr int shift = sizeof (Part) == 2 ? WF_GAUSSIAN_BITS_U16 - WF_GAUSSIAN_STORED_U16
                                                  : WF_GAUSSIAN_BITS_U16;

  /* From the last sum to a pixel. */
  static constexpr int last = WF_GAUSSIAN_BITS_U16 + WF_GAUSSIAN_STORED_U16;

  static __device__ __forceinline__ guint32
  value (guint32 part)
  {
    return part;
  }

  template <typename Part>
  static __device__ __forceinline__ guint64
  start (guint32 w,
         guint32 a)
  {
    return ((guint64) 1 << (shift<Part> - 1)) + (guint64) w * a;
  }

  template <typename Part>
  static __device__ __forceinline__ guint64
  add (guint64 sum,
       guint32 w,
       guint32 a,
       guint32 b)
  {
    return sum + (guint64) w * (a + b);
  }

  template <typename Part>
  static __device__ __forceinline__ guint32
  finish (guint64 sum)
  {
    return (guint32) (sum >> shift<Part>);
  }

  template <typename Part>
  static __device__ __forceinline__ guint64
  start_last (guint32 w,
              guint32 a)
  {
    return ((guint64) 1 << (last - 1)) + (guint64) w * a;
  }

  template <typename Part>
  static __device__ __forceinline__ guint16
  pixel (guint64 sum)
  {
    return (guint16) (sum >> last);
  }
};

template <>
struct Arithmetic<float>
{
  typedef float Weight;
  typedef float First;
  typedef float Second;

  template <typename Part>
  using Total = float;

  static __device__ __forceinline__ float
  value (float part)
  {
    return fminf (fmaxf (part, -FLT_MAX), FLT_MAX);
  }

  template <typename Part>
  static __device__ __forceinline__ float
  start (float w,
         float a)
  {
    return w * a;
  }

  template <typename Part>
  static __device__ __forceinline__ float
  add (float sum,
       float w,
       float a,
       float b)
  {
    return sum + (w * a + w * b);
  }

  template <typename Part>
  static __device__ __forceinline__ float
  finish (float sum)
  {
    return value (sum) + 0.0f;
  }

  template <typename Part>
  static __device__ __forceinline__ float
  start_last (float w,
              float a)
  {
    return w * a;
  }

  template <typename Part>
  static __device__ __forceinline__ float
  pixel (float sum)
  {
    return finish<Part> (sum);
  }
};


/*  Weights  */

static inline void
take_weights (const WfGaussian *gaussian,
              int               n,
              guint32          *weights)
{
  for (int k = 0; k < n; k++)
    weights[k] = k <= gaussian->radius ? gaussian->whole[k] : 0;
}

static inline void
take_weights (const WfGaussian *gaussian,
              int               n,
              float            *weights)
{
  for (int k = 0; k < n; k++)
    weights[k] = k <= gaussian->radius ? gaussian->real[k] : 0;
}


/*  The algorithms  */

/* The largest radius of a rolling window. */
constexpr int MOST_ROLLING = 9;

/* For images of more than one row, with a radius up to that; pixels of the task's type. */
template <typename Pixel>
gboolean smooth_by_rolling (WfCuda                *cuda,
                            const WfCudaGaussian  *task,
                            GError               **error);
gboolean smooth_by_slabs   (WfCuda                *cuda,
                            const WfCudaGaussian  *task,
                            GError               **error);
guint64  slabs_memory      (const WfCudaGaussian  *task);

}
