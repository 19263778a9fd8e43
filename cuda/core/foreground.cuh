/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What counts as foreground. */

#pragma once

#include <math.h>

#include "cuda/distance/distance.cuh"

/**
 * WfForeground:
 * @above: whole numbers are foreground above this; −1 stands for every negative threshold
 * @above_real: reals are foreground above this
 * @not_zero: reals are foreground if they are not 0
 * @inverted: foreground and background are exchanged
 */
typedef struct
{
  int   above;
  float above_real;
  bool  not_zero;
  bool  inverted;
} WfForeground;

/* A whole number is above a threshold if it is above its whole part.  A float is above
 * a double if it is above the largest float that is no greater.
 */
static inline WfForeground
wf_foreground (double threshold,
               bool   inverted)
{
  WfForeground foreground = { 0, 0, std::isnan (threshold), inverted };

  if (! foreground.not_zero)
    {
      foreground.above = threshold < 0 ? -1
                         : threshold >= G_MAXUINT16 ? G_MAXUINT16 : (int) threshold;
      foreground.above_real = threshold > G_MAXFLOAT ? G_MAXFLOAT
                              : threshold < -G_MAXFLOAT ? -INFINITY : (float) threshold;
      if (foreground.above_real > threshold)
        foreground.above_real = nextafterf (foreground.above_real, -INFINITY);
    }
  return foreground;
}

template <typename T>
__device__ __forceinline__ bool
wf_is_foreground (T                   pixel,
                  const WfForeground &foreground)
{
  return ((int) pixel > foreground.above) != foreground.inverted;
}

template <>
__device__ __forceinline__ bool
wf_is_foreground<float> (float               pixel,
                         const WfForeground &foreground)
{
  return (foreground.not_zero ? pixel != 0 : pixel > foreground.above_real) != foreground.inverted;
}
