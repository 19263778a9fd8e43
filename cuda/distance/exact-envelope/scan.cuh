/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pass along lines of city-block distances in integers: see envelope.cu.
 *
 * From left to right, the least of value + steps at a position is the least of its own value
 * and of the result one position before, plus one; then the same from the right.  A warp takes
 * a line, a lane four adjacent positions; what comes into each lane is a prefix minimum over
 * the lanes before it, by five shuffles.  On the way back lanes are counted from the end of the
 * line, so the same code serves.
 *
 * Bytes a pixel: twice a value read and written, with positions twice 4 more; then a
 * distance.
 */

#pragma once

#include "envelope.cuh"

namespace distance_envelope
{

#define SCAN_THREADS 128

/* Positions of a warp. */
#define SCAN_AT_ONCE 128

/* Passes on through four positions, from the first if @forward, what comes from the
 * position before them.
 */
template <typename V, bool FROM>
__device__ __forceinline__ void
walk_four (Found<V> *found,
           Found<V>  coming,
           bool      forward)
{
#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const int i = forward ? k : 3 - k;

      coming.value++;
      take<V, FROM> (found[i], coming.value, coming.from);
      coming = found[i];
    }
}

/* What comes into a lane from those before it, given what each gives on by itself, and what
 * came into the first; its distance is counted to the position before the lane's four.
 */
template <typename V, bool FROM>
__device__ __forceinline__ Found<V>
scan_lanes (Found<V> given,
            Found<V> first,
            int      lane)
{
  Found<V> before;

  if (lane == 0)
    take<V, FROM> (given, first.value + 4, first.from);
#pragma unroll
  for (int reach = 1; reach < 32; reach *= 2)
    {
      const V   value = __shfl_up_sync (WF_ALL_LANES, given.value, reach);
      const int from  = FROM ? __shfl_up_sync (WF_ALL_LANES, given.from, reach) : 0;

      if (lane >= reach)
        take<V, FROM> (given, value + 4 * reach, from);
    }
  before.value = __shfl_up_sync (WF_ALL_LANES, given.value, 1);
  before.from  = FROM ? __shfl_up_sync (WF_ALL_LANES, given.from, 1) : 0;
  return lane == 0 ? first : before;
}

/* Lines from number @first on, a warp each.  @scratch is as large as @values, and may be the
 * output's own.
 */
template <typename V, bool FROM>
__global__ void
__launch_bounds__ (SCAN_THREADS)
scan_lines (Lines     lines,
            const V  *values,
            V        *scratch,
            gint64    first,
            gint64    end,
            Output<V> output)
{
  const int    lane  = wf_lane ();
  const gint64 line  = first + ((gint64) blockIdx.x * SCAN_THREADS + threadIdx.x) / 32;
  const int    steps = (lines.pitch + SCAN_AT_ONCE - 1) / SCAN_AT_ONCE;

  if (line >= end)
    return;

  for (int way = 0; way < 2; way++)
    {
      const bool forward = way == 0;
      const V   *source  = (forward ? values : scratch) + line * lines.pitch;
      Found<V>   coming  = { ! lines.border ? Limits<V>::far ()
                             : forward ? V (0) : V (steps * SCAN_AT_ONCE - lines.length),
                             forward ? -1 : lines.length };

      for (int k = 0; k < steps; k++)
        {
          const int step  = forward ? k : steps - 1 - k;
          const int place = forward ? lane : 31 - lane;
          const int here  = step * SCAN_AT_ONCE + place * 4;
          Four<V>   four  = read_four (source, here, lines.pitch);
          Found<V>  found[4];
          Found<V>  given;

#pragma unroll
          for (int i = 0; i < 4; i++)
            {
              const int  position = here + i;
              const bool inside   = position < lines.length;

              found[i].value = inside ? four.values[i] : Limits<V>::far ();
              found[i].from  = ! FROM ? 0 : forward ? position
                               : inside ? output.from[line * lines.pitch + position] : position;
              if (! forward && lines.border && position >= lines.length)
                found[i] = { V (position - lines.length), lines.length };
            }
          given = { Limits<V>::far (), G_MAXINT };
          {
            Found<V> alone[4] = { found[0], found[1], found[2], found[3] };

            walk_four<V, FROM> (alone, given, forward);
            given = alone[forward ? 3 : 0];
          }
          {
            const Found<V> before = scan_lanes<V, FROM> (given, coming, lane);

            walk_four<V, FROM> (found, before, forward);
          }
          coming.value = __shfl_sync (WF_ALL_LANES, found[forward ? 3 : 0].value, 31);
          coming.from  = FROM ? __shfl_sync (WF_ALL_LANES, found[forward ? 3 : 0].from, 31) : 0;

#pragma unroll
          for (int i = 0; i < 4; i++)
            {
              four.values[i] = found[i].value;
              if (FROM && forward && here < lines.pitch)
                output.from[line * lines.pitch + here + i] = found[i].from;
            }
          if (here < lines.pitch)
            {
              if (forward)
                *(Four<V> *) (scratch + line * lines.pitch + here) = four;
              else
                write_found_four<V, FROM> (lines, output, line, here, found);
            }
        }

      /* on the way back another lane reads what this one has written */
      __syncwarp ();
    }
}

}
