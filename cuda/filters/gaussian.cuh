/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian: weights, and the arithmetic of engine/filters/filters.c for each type of pixel.
 */

#pragma once

#include <float.h>

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

/* Integers: sums are u32 after one axis, u64 after two and while the last is added up. */
template <typename Pixel>
struct Arithmetic
{
  typedef guint32 Weight;
  typedef guint32 Sum;
  typedef guint64 Wide;

  static __device__ __forceinline__ guint32
  value (Pixel pixel)
  {
    return pixel;
  }

  static __device__ __forceinline__ guint32
  start (guint32 w,
         guint32 a)
  {
    return w * a;
  }

  static __device__ __forceinline__ guint32
  add (guint32 sum,
       guint32 w,
       guint32 a,
       guint32 b)
  {
    return sum + w * (a + b);
  }

  static __device__ __forceinline__ guint32
  finish (guint32 sum)
  {
    return sum;
  }

  static __device__ __forceinline__ guint64
  start_wide (guint32 w,
              guint32 a)
  {
    return (guint64) w * a;
  }

  /* Two sums of u8 fit 32 bits. */
  static __device__ __forceinline__ guint64
  add_wide (guint64 sum,
            guint32 w,
            guint32 a,
            guint32 b)
  {
    if constexpr (sizeof (Pixel) == 1)
      return sum + (guint64) w * (a + b);
    else
      return sum + (guint64) w * a + (guint64) w * b;
  }

  static __device__ __forceinline__ guint64
  start_wide (guint32 w,
              guint64 a)
  {
    return w * a;
  }

  static __device__ __forceinline__ guint64
  add_wide (guint64 sum,
            guint32 w,
            guint64 a,
            guint64 b)
  {
    return sum + w * (a + b);
  }

  static __device__ __forceinline__ guint64
  finish_wide (guint64 sum)
  {
    return sum;
  }

  /* The last sum is of two axes if it is made of u32, else of three. */
  template <typename Part>
  static constexpr int bits = (sizeof (Part) == 4 ? 2 : 3) * WF_GAUSSIAN_BITS;

  /* Half a level is added for rounding with the first product. */
  template <typename Part>
  static __device__ __forceinline__ guint64
  start_last (guint32 w,
              Part    a)
  {
    return ((guint64) 1 << (bits<Part> - 1)) + (guint64) w * a;
  }

  template <typename Part>
  static __device__ __forceinline__ Pixel
  pixel (guint64 sum)
  {
    return (Pixel) (sum >> bits<Part>);
  }
};

template <>
struct Arithmetic<float>
{
  typedef float Weight;
  typedef float Sum;
  typedef float Wide;

  static __device__ __forceinline__ float
  value (float pixel)
  {
    return fminf (fmaxf (pixel, -FLT_MAX), FLT_MAX);
  }

  static __device__ __forceinline__ float
  start (float w,
         float a)
  {
    return w * a;
  }

  static __device__ __forceinline__ float
  add (float sum,
       float w,
       float a,
       float b)
  {
    return sum + (w * a + w * b);
  }

  static __device__ __forceinline__ float
  finish (float sum)
  {
    return value (sum) + 0.0f;
  }

  static __device__ __forceinline__ float
  start_wide (float w,
              float a)
  {
    return start (w, a);
  }

  static __device__ __forceinline__ float
  add_wide (float sum,
            float w,
            float a,
            float b)
  {
    return add (sum, w, a, b);
  }

  static __device__ __forceinline__ float
  finish_wide (float sum)
  {
    return finish (sum);
  }

  template <typename Part>
  static __device__ __forceinline__ float
  start_last (float w,
              float a)
  {
    return start (w, a);
  }

  template <typename Part>
  static __device__ __forceinline__ float
  pixel (float sum)
  {
    return finish (sum);
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
