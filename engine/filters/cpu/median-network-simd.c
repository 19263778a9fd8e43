/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of a network (median-network.h), compiled for each instruction set. */

#include "config.h"

#include <string.h>

#include "engine/cpu/vector.h"
#include "median-network.h"

#define WF_PIXEL         guint8
#define WF_NAME(name)    name##_u8
#define WF_LESS(a, b)    wf_min_8 (a, b)
#define WF_GREATER(a, b) wf_max_8 (a, b)
#include "median-network.inc.h"

#define WF_PIXEL         guint16
#define WF_NAME(name)    name##_u16
#define WF_LESS(a, b)    wf_min_16 (a, b)
#define WF_GREATER(a, b) wf_max_16 (a, b)
#include "median-network.inc.h"

#define WF_PIXEL         float
#define WF_NAME(name)    name##_f32
#define WF_LESS(a, b)    wf_min_f32 (a, b)
#define WF_GREATER(a, b) wf_max_f32 (a, b)
#include "median-network.inc.h"


const WfNetworkSteps WF_SIMD_TABLE (wf_network) =
{
  .bytes = WF_VECTOR_BYTES,
  .run   = { run_u8, run_u16, run_f32 },
};
