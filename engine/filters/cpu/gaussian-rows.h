/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of rows: the interface of the functions compiled for each instruction set.
 *
 * Sums of u8 are u32 after one axis and u64 after two, those of u16 are u32, those of f32 floats.
 */

#pragma once

#include "engine/filters/gaussian.h"
#include "engine/cpu/simd.h"

/**
 * WfGaussianSteps:
 * @pixels: adds up rows of pixels along an axis: @lines are 2 radius + 1 rows of @n pixels:
 *   the middle one, then pairs of the row before and the row after it, nearest first; @scratch:
 *   room for @n u64
 * @sums: the same for rows of such sums
 * @image_row: adds up sums along x and writes @n pixels of an image; @row has radius more
 *   sums at both ends; @scratch: as above
 * @stack_row: the same for sums of sums
 */
typedef struct
{
  void (* pixels)    (const WfGaussian *gaussian, gconstpointer const *lines, gint64 n,
                      gpointer scratch, gpointer sums);
  void (* sums)      (const WfGaussian *gaussian, gconstpointer const *lines, gint64 n,
                      gpointer scratch, gpointer sums);
  void (* image_row) (const WfGaussian *gaussian, gconstpointer row, gint64 n,
                      gpointer scratch, gpointer target);
  void (* stack_row) (const WfGaussian *gaussian, gconstpointer row, gint64 n,
                      gpointer scratch, gpointer target);
} WfGaussianSteps;

typedef struct
{
  WfGaussianSteps of_u8;
  WfGaussianSteps of_u16;
  WfGaussianSteps of_f32;
} WfGaussianTable;

WF_SIMD_DECLARE (WfGaussianTable, wf_gaussian_rows);

const WfGaussianSteps * wf_gaussian_steps (WfType type);
