/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of networks, and the medians of small windows by vectors (median-network.h), compiled
 * for each instruction set.
 */

#include "config.h"

#include <string.h>

#include "engine/cpu/vector.h"
#include "median-network.h"

#define WF_PIXEL         guint8
#define WF_NAME(name)    name##_u8
#define WF_LESS(a, b)    wf_min_8 (a, b)
#define WF_GREATER(a, b) wf_max_8 (a, b)
#define WF_FINISH(v)     (v)
#include "median-network.inc.h"
#include "median-few.inc.h"

#define WF_PIXEL         guint16
#define WF_NAME(name)    name##_u16
#define WF_LESS(a, b)    wf_min_16 (a, b)
#define WF_GREATER(a, b) wf_max_16 (a, b)
#define WF_FINISH(v)     (v)
#include "median-network.inc.h"
#include "median-few.inc.h"

#define WF_PIXEL         float
#define WF_NAME(name)    name##_f32
#define WF_LESS(a, b)    wf_min_f32 (a, b)
#define WF_GREATER(a, b) wf_max_f32 (a, b)
#define WF_FINISH(v)     wf_add_f32 (v, wf_zero ())
#include "median-network.inc.h"
#include "median-few.inc.h"


const WfNetworkSteps WF_SIMD_TABLE (wf_network) =
{
  .bytes = WF_VECTOR_BYTES,
  .three = { three_by_vectors_u8, three_by_vectors_u16, three_by_vectors_f32 },
  .five  = { five_by_vectors_u8, five_by_vectors_u16, five_by_vectors_f32 },
  .run   = { run_u8, run_u16, run_f32 },
};
