/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gaussian-rows.h"


/* The functions for a type of pixel and this processor. */
const WfGaussianSteps *
wf_gaussian_steps (WfType type)
{
  static const WfGaussianTable * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_gaussian_rows);
  const WfGaussianTable *table = tables[wf_simd_level ()];

  return type == WF_TYPE_U8 ? &table->of_u8 : type == WF_TYPE_U16 ? &table->of_u16
                                                                  : &table->of_f32;
}
