/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Levels as integers in the same order, with room for one above all of them, which stands for
 * what lies outside the image.
 */

#pragma once

#include "cuda/core/ordered-key.cuh"

/* Key: of a level of Pixel. */
template <typename Pixel>
struct WfLevel
{
  typedef guint32 Key;

  static __device__ __forceinline__ Key
  key (Pixel level)
  {
    return wf_ordered_key (level);
  }
};

template <>
struct WfLevel<guint8>
{
  typedef guint16 Key;

  static __device__ __forceinline__ Key
  key (guint8 level)
  {
    return level;
  }
};
