/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops over rows of rows.h, compiled for each instruction set: for the three types
 * of pixel and both directions.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/vector.h"
#include "rows.h"

#define LESS(a, b)    ((a) < (b))
#define GREATER(a, b) ((a) > (b))

/* Before a loop that reads no pixel that an earlier iteration wrote. */
#ifdef __clang__
#define WF_AHEAD_ONLY _Pragma ("clang loop vectorize(assume_safety)")
#else
#define WF_AHEAD_ONLY _Pragma ("GCC ivdep")
#endif

/* Before a loop whose iterations hand vectors on from one variable to the next. */
#ifdef __clang__
#define WF_UNROLLED _Pragma ("clang loop unroll_count(4)")
#else
#define WF_UNROLLED _Pragma ("GCC unroll 4")
#endif

#define WF_PIXEL        guint8
#define WF_NAME(name)   name##_least_u8
#define WF_EXCEEDS      LESS
#define WF_NEUTRAL      G_MAXUINT8
#define WF_VECTOR_EXTREME wf_min_8
#define WF_FROM_LEFT    wf_from_left_8
#define WF_FROM_RIGHT   wf_from_right_8
#define WF_UNORDERED(a, b) ((void) (a), (void) (b), FALSE)
#define WF_PLUS_ZERO(v) (v)
#define WF_VECTOR_UNORDERED(a, b) wf_zero ()
#define WF_VECTOR_PLUS_ZERO(v) (v)
#include "rows.inc.h"

#define WF_PIXEL        guint8
#define WF_NAME(name)   name##_greatest_u8
#define WF_EXCEEDS      GREATER
#define WF_NEUTRAL      0
#define WF_VECTOR_EXTREME wf_max_8
#define WF_FROM_LEFT    wf_from_left_8
#define WF_FROM_RIGHT   wf_from_right_8
#define WF_UNORDERED(a, b) ((void) (a), (void) (b), FALSE)
#define WF_PLUS_ZERO(v) (v)
#define WF_VECTOR_UNORDERED(a, b) wf_zero ()
#define WF_VECTOR_PLUS_ZERO(v) (v)
#include "rows.inc.h"

#define WF_PIXEL        guint16
#define WF_NAME(name)   name##_least_u16
#define WF_EXCEEDS      LESS
#define WF_NEUTRAL      G_MAXUINT16
#define WF_VECTOR_EXTREME wf_min_16
#define WF_FROM_LEFT    wf_from_left_16
#define WF_FROM_RIGHT   wf_from_right_16
#define WF_UNORDERED(a, b) ((void) (a), (void) (b), FALSE)
#define WF_PLUS_ZERO(v) (v)
#define WF_VECTOR_UNORDERED(a, b) wf_zero ()
#define WF_VECTOR_PLUS_ZERO(v) (v)
#include "rows.inc.h"

#define WF_PIXEL        guint16
#define WF_NAME(name)   name##_greatest_u16
#define WF_EXCEEDS      GREATER
#define WF_NEUTRAL      0
#define WF_VECTOR_EXTREME wf_max_16
#define WF_FROM_LEFT    wf_from_left_16
#define WF_FROM_RIGHT   wf_from_right_16
#define WF_UNORDERED(a, b) ((void) (a), (void) (b), FALSE)
#define WF_PLUS_ZERO(v) (v)
#define WF_VECTOR_UNORDERED(a, b) wf_zero ()
#define WF_VECTOR_PLUS_ZERO(v) (v)
#include "rows.inc.h"

#define WF_PIXEL        float
#define WF_NAME(name)   name##_least_f32
#define WF_EXCEEDS      LESS
#define WF_NEUTRAL      INFINITY
#define WF_VECTOR_EXTREME wf_min_f32
#define WF_FROM_LEFT    wf_from_left_32
#define WF_FROM_RIGHT   wf_from_right_32
#define WF_UNORDERED(a, b) isunordered (a, b)
#define WF_PLUS_ZERO(v) ((v) + 0.0f)
#define WF_VECTOR_UNORDERED wf_unordered_f32
#define WF_VECTOR_PLUS_ZERO(v) wf_add_f32 (v, wf_zero ())
#include "rows.inc.h"

#define WF_PIXEL        float
#define WF_NAME(name)   name##_greatest_f32
#define WF_EXCEEDS      GREATER
#define WF_NEUTRAL      (-INFINITY)
#define WF_VECTOR_EXTREME wf_max_f32
#define WF_FROM_LEFT    wf_from_left_32
#define WF_FROM_RIGHT   wf_from_right_32
#define WF_UNORDERED(a, b) isunordered (a, b)
#define WF_PLUS_ZERO(v) ((v) + 0.0f)
#define WF_VECTOR_UNORDERED wf_unordered_f32
#define WF_VECTOR_PLUS_ZERO(v) wf_add_f32 (v, wf_zero ())
#include "rows.inc.h"

#define STEPS(name) \
  { \
    .slide    = slide_##name, \
    .ends     = ends_##name, \
    .reach    = reach_block_##name, \
    .few      = few_##name, \
    .square   = square_rows_##name, \
    .small_disc = disc_rows_##name, \
    .window   = window_##name, \
    .gather   = gather_##name, \
    .join     = join_line_##name, \
    .disc     = disc_##name, \
    .watch    = watch_##name, \
    .finish   = finish_##name, \
    .differ   = differ_##name, \
    .extremum = extremum_##name, \
    .spread   = spread_##name \
  }

const WfRowTable WF_SIMD_TABLE (wf_rows) =
{
  .of_u8  = { STEPS (least_u8),  STEPS (greatest_u8) },
  .of_u16 = { STEPS (least_u16), STEPS (greatest_u16) },
  .of_f32 = { STEPS (least_f32), STEPS (greatest_f32) },
};
