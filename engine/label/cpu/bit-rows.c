/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bit-rows.h"


/* The functions for this processor. */
const WfLabelSteps *
wf_label_steps (void)
{
  static const WfLabelSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_label);

  return tables[wf_simd_level ()];
}
