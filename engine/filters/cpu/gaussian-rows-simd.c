/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The weighted sums of gaussian-rows.h, compiled for each instruction set. */

#include "config.h"

#include <float.h>

#include "gaussian-rows.h"

#define WF_PIXEL     guint8
#define WF_NAME(x)   x##_of_u8
#include "gaussian-rows-whole.inc.h"
#undef WF_PIXEL
#undef WF_NAME

#define WF_PIXEL     guint16
#define WF_NAME(x)   x##_of_u16
#include "gaussian-rows-whole.inc.h"
#undef WF_PIXEL
#undef WF_NAME

#include "gaussian-rows-real.inc.h"

#define STEPS(suffix) \
  { \
    .pixels    = pixels_##suffix, \
    .sums      = sums_##suffix, \
    .image_row = image_row_##suffix, \
    .stack_row = stack_row_##suffix \
  }

const WfGaussianTable WF_SIMD_TABLE (wf_gaussian_rows) =
{
  .of_u8  = STEPS (of_u8),
  .of_u16 = STEPS (of_u16),
  .of_f32 = STEPS (of_f32),
};
