/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "boundary-rows.h"


/* The step for this processor. */
const WfMarkSteps *
wf_mark_steps (void)
{
  static const WfMarkSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_marks);

  return tables[wf_simd_level ()];
}
