/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The weighted sums of gaussian-rows.h, compiled for each instruction set. */

#include "config.h"

#include <float.h>

#include "gaussian-rows.h"

#include "gaussian-rows-u8.inc.h"
#include "gaussian-rows-u16.inc.h"
#include "gaussian-rows-real.inc.h"

#define STEPS(suffix, stack) \
  { \
    .pixels    = pixels_##suffix, \
    .sums      = sums_##suffix, \
    .image_row = image_row_##suffix, \
    .stack_row = stack \
  }

const WfGaussianTable WF_SIMD_TABLE (wf_gaussian_rows) =
{
  .of_u8  = STEPS (of_u8, stack_row_of_u8),
  .of_u16 = STEPS (of_u16, image_row_of_u16),
  .of_f32 = STEPS (of_f32, image_row_of_f32),
};
