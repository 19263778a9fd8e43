/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "median-steps.h"


/* The functions for this processor. */
const WfMedianSteps *
wf_median_steps (void)
{
  static const WfMedianSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_median);

  return tables[wf_simd_level ()];
}
