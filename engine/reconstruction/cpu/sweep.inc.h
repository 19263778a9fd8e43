/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sweeps over a square of WF_SIDE × WF_SIDE pixels, for one type of pixel.  The including
 * file defines WF_PIXEL, WF_BITS, WF_LEAST and WF_NAME().  Floats are not NaN or −0.
 *
 * A sweep computes v = min (mask, max (v, the previous row)) down the rows and back up, a
 * whole row at a time.  A sweep along the rows is a sweep of the transposed square.  Only
 * rows that may have changed since the last sweep, and the rows that these change, are
 * processed.
 */

#include "engine/cpu/transpose.inc.h"

#define PASTE(a, b)   a##b
#define OP(name, b)   PASTE (name, b)
#if WF_BITS == 32
#define V_MAX         wf_max_f32
#define V_MIN         wf_min_f32
#define V_LEAST       wf_fill_f32 (WF_LEAST)
#else
#define V_MAX         OP (wf_max_, WF_BITS)
#define V_MIN         OP (wf_min_, WF_BITS)
#define V_LEAST       wf_zero ()
#endif
#define V_FROM_LEFT   OP (wf_from_left_, WF_BITS)
#define V_FROM_RIGHT  OP (wf_from_right_, WF_BITS)
#define V_LANES       OP (wf_lanes_, WF_BITS)
#define N_LANES       (WF_VECTOR_BYTES * 8 / WF_BITS)
#define N_VECTORS     (WF_SIDE / N_LANES)


/* Takes the previous row into @row; returns whether @row changed. */
static inline gboolean
WF_NAME (sweep_row) (WfVector       *before,
                     WF_PIXEL       *row,
                     const WF_PIXEL *mask,
                     WfVector       *changes,
                     gboolean        diagonal)
{
  WfVector now[N_VECTORS];
  WfVector any = wf_zero ();

  for (int k = 0; k < N_VECTORS; k++)
    {
      WfVector reach = before[k];
      WfVector old   = wf_load (row + k * N_LANES);
      WfVector change;

      if (diagonal)
        {
          WfVector left  = k > 0 ? before[k - 1] : V_LEAST;
          WfVector right = k < N_VECTORS - 1 ? before[k + 1] : V_LEAST;

          reach = V_MAX (reach, V_MAX (V_FROM_LEFT (left, before[k]),
                                       V_FROM_RIGHT (before[k], right)));
        }
      now[k]     = V_MIN (wf_load (mask + k * N_LANES), V_MAX (old, reach));
      change     = wf_xor (now[k], old);
      changes[k] = wf_or (changes[k], change);
      any        = wf_or (any, change);
      wf_store (row + k * N_LANES, now[k]);
    }
  for (int k = 0; k < N_VECTORS; k++)
    before[k] = now[k];
  return wf_any (any);
}

/* Sweeps down and up from the rows in @dirty.  Returns the changed rows that need another
 * sweep, and sets @lanes to the columns in which pixels changed.
 */
static inline __attribute__ ((always_inline)) guint64
WF_NAME (sweep_both_ways) (WF_PIXEL       *rows,
                           const WF_PIXEL *mask,
                           guint64         dirty,
                           guint64        *lanes,
                           gboolean        diagonal)
{
  WfVector before[N_VECTORS];
  WfVector changes[N_VECTORS];
  int      first = __builtin_ctzll (dirty);
  int      last  = 63 - __builtin_clzll (dirty);
  guint64  down  = 0;
  guint64  up    = 0;

  for (int k = 0; k < N_VECTORS; k++)
    {
      before[k]  = wf_load (rows + first * WF_SIDE + k * N_LANES);
      changes[k] = wf_zero ();
    }
  for (int y = first + 1; y < WF_SIDE; y++)
    if (WF_NAME (sweep_row) (before, rows + y * WF_SIDE, mask + y * WF_SIDE, changes, diagonal))
      down |= G_GUINT64_CONSTANT (1) << y;
    else if (y > last)
      break;

  last = 63 - __builtin_clzll (dirty | down);
  for (int k = 0; k < N_VECTORS; k++)
    before[k] = wf_load (rows + last * WF_SIDE + k * N_LANES);
  for (int y = last - 1; y >= 0; y--)
    if (WF_NAME (sweep_row) (before, rows + y * WF_SIDE, mask + y * WF_SIDE, changes, diagonal))
      up |= G_GUINT64_CONSTANT (1) << y;
    else if (y < first)
      break;

  *lanes = 0;
  for (int k = 0; k < N_VECTORS; k++)
    *lanes |= V_LANES (changes[k]) << (k * N_LANES % 64);

  /* With straight neighbours the sweep up does not invalidate the sweep down. */
  return diagonal ? up : 0;
}

static guint64
WF_NAME (sweep) (WF_PIXEL       *rows,
                 const WF_PIXEL *mask,
                 guint64         dirty,
                 guint64        *lanes,
                 gboolean        diagonal)
{
  return diagonal ? WF_NAME (sweep_both_ways) (rows, mask, dirty, lanes, TRUE)
                  : WF_NAME (sweep_both_ways) (rows, mask, dirty, lanes, FALSE);
}

#undef PASTE
#undef OP
#undef V_MAX
#undef V_MIN
#undef V_LEAST
#undef V_FROM_LEFT
#undef V_FROM_RIGHT
#undef V_LANES
#undef N_LANES
#undef N_VECTORS
