/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of weighted sums of rows, which the including file gives a name:
 * WF_GAUSSIAN_TABLE.
 */

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
  { pixels_##suffix, sums_##suffix, image_row_##suffix, stack_row_##suffix }

const WfGaussianTable WF_GAUSSIAN_TABLE =
{
  .of_u8  = STEPS (of_u8),
  .of_u16 = STEPS (of_u16),
  .of_f32 = STEPS (of_f32),
};

#undef STEPS
