/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Weighted sums of rows, compiled for each instruction set.
 *
 * Sums of u8 and u16 are u32 after one axis and u64 after two; those of f32 are floats.
 */

#pragma once

#include "engine/filters/gaussian.h"
#include "engine/cpu/simd.h"

/**
 * WfGaussianSteps:
 * @pixels: adds up rows of pixels along an axis: @lines are 2 radius + 1 rows of @n of
 *   them, the one in the middle, then pairs of the one before and the one after it,
 *   nearest first
 * @sums: the same for rows of such sums
 * @image_row: adds up sums along x and gives @n pixels of an image; @row has radius sums
 *   before the first and after the last; @scratch: @n of the widest sums
 * @stack_row: the same for sums of sums
 */
typedef struct
{
  void (* pixels)    (const WfGaussian *gaussian, gconstpointer const *lines, gint64 n,
                      gpointer sums);
  void (* sums)      (const WfGaussian *gaussian, gconstpointer const *lines, gint64 n,
                      gpointer sums);
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
