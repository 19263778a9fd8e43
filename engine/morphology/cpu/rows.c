/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "rows.h"


/* The functions for a type of pixel and this processor. */
const WfRowSteps *
wf_row_steps (WfType   type,
              gboolean greatest)
{
  static const WfRowTable * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_rows);
  const WfRowTable *table = tables[wf_simd_level ()];

  return type == WF_TYPE_U8  ? &table->of_u8[greatest]
       : type == WF_TYPE_U16 ? &table->of_u16[greatest] : &table->of_f32[greatest];
}
