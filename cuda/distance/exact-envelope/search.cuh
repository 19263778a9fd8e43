/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pass along lines, by searching: see envelope.cu.
 *
 * A warp has four groups of 32 positions, a lane four adjacent positions.  They are compared
 * with the positions to both sides, four steps at a time, as long as that can be better for any
 * of the warp's, up to 32 steps.  Where that is not enough, a lane takes one position, and
 * whole groups are compared, the nearest first: a group is skipped if the step to it combined
 * with its least value is no better than the worst that the warp has found, and the search ends
 * once the step alone is no better.  So the cost grows with the distances, but empty stretches
 * cost little.
 *
 * Bytes a pixel: a value read and a value or a distance written; with positions 4 more.
 */

#pragma once

#include "envelope.cuh"

namespace distance_envelope
{

#define PASS_THREADS 128
#define PASS_WARPS (PASS_THREADS / 32)

/* Of a warp. */
#define PASS_GROUPS 4

/* Steps to each side before groups are compared with. */
#define NEAR_STEPS 32

static_assert (NEAR_STEPS >= GROUP, "a position's own group is within them");


/*  Near positions  */

/* Whether values at least @bound can still change what is at most @worst.  With nearest
 * pixels an equal value can.
 */
template <typename V, bool FROM>
__device__ __forceinline__ bool
can_improve (V bound,
             V worst)
{
  return FROM ? bound <= worst : bound < worst;
}

template <typename V, Rule RULE, bool FROM>
__device__ __forceinline__ void
compare_step (Found<V>      *found,
              const Four<V> &far_left,
              const Four<V> &left,
              const Four<V> &right,
              const Four<V> &far_right,
              int            here,
              int            reached,
              int            step,
              V              length)
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      take<V, FROM> (found[i], combine<V, RULE> (length, i < step ? far_left.values[(i - step) & 3]
                                                                  : left.values[(i - step) & 3]),
                     here + i - reached - step);
      take<V, FROM> (found[i], combine<V, RULE> (length, i + step < 4
                                                         ? right.values[(i + step) & 3]
                                                         : far_right.values[(i + step) & 3]),
                     here + i + reached + step);
    }
}

/* Where four positions are read from. */
template <typename V>
struct LineReader
{
  const V *line;
  int      pitch;

  __device__ __forceinline__ Four<V>
  read (int position) const
  {
    return read_four (line, position, pitch);
  }
};

/* Searches up to @most steps to both sides of the lane's four positions from @here on.
 * Returns whether that was enough for the lane; the warp goes on together.
 */
template <typename V, Rule RULE, bool FROM, typename READER>
__device__ __forceinline__ bool
search_near (const Lines  &lines,
             const READER &reader,
             int           here,
             bool          inside,
             int           most,
             Found<V>     *found)
{
  Four<V> left  = reader.read (inside ? here : -4);
  Four<V> right = left;

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      found[i] = { left.values[i], here + i };
      if (lines.border)
        {
          compare<V, RULE, FROM> (found[i], V (0), -1, here + i, lines.spacing);
          compare<V, RULE, FROM> (found[i], V (0), lines.length, here + i, lines.spacing);
        }
    }
  for (int reached = 0; ; reached += 4)
    {
      const V next = step_value<V, RULE> (reached + 1, lines.spacing);
      bool    open = false;
      Four<V> far_left;
      Four<V> far_right;

#pragma unroll
      for (int i = 0; i < 4; i++)
        open |= inside && here + i < lines.length && can_improve<V, FROM> (next, found[i].value);
      if (reached >= most || ! __any_sync (WF_ALL_LANES, open))
        return ! open;

      far_left  = reader.read (inside ? here - reached - 4 : -4);
      far_right = reader.read (inside ? here + reached + 4 : -4);
      compare_step<V, RULE, FROM> (found, far_left, left, right, far_right, here, reached, 1, next);
      compare_step<V, RULE, FROM> (found, far_left, left, right, far_right, here, reached, 2,
                                   step_value<V, RULE> (reached + 2, lines.spacing));
      compare_step<V, RULE, FROM> (found, far_left, left, right, far_right, here, reached, 3,
                                   step_value<V, RULE> (reached + 3, lines.spacing));
      compare_step<V, RULE, FROM> (found, far_left, left, right, far_right, here, reached, 4,
                                   step_value<V, RULE> (reached + 4, lines.spacing));
      left  = far_left;
      right = far_right;
    }
}


/*  Whole groups  */

template <typename V, Rule RULE, bool FROM>
__device__ __forceinline__ void
compare_group (Found<V> &found,
               const V  *line,
               int       group,
               int       here,
               double    spacing)
{
#pragma unroll 2
  for (int k = 0; k < GROUP; k += 4)
    {
      const Four<V> four = *(const Four<V> *) (line + group * GROUP + k);

#pragma unroll
      for (int i = 0; i < 4; i++)
        compare<V, RULE, FROM> (found, four.values[i], group * GROUP + k + i, here, spacing);
    }
}

/* Searches on for the position @group × %GROUP + @lane, whose own group is done. */
template <typename V, Rule RULE, bool FROM>
__device__ __forceinline__ void
search_groups (const Lines &lines,
               const V     *line,
               const V     *least,
               int          group,
               int          lane,
               Found<V>    &found)
{
  const int here  = group * GROUP + lane;
  const int reach = max (group, lines.n_groups - 1 - group);
  V         worst = wf_warp_max (here < lines.length ? found.value : V (0));

  /* A lane looks at the groups at one distance on both sides.  What may be the best is
   * taken first: it leaves the least of the others.
   */
  for (int first = 1; first <= reach; first += 32)
    {
      const int away  = first + lane;
      const V   step  = step_value<V, RULE> ((away - 1) * GROUP + 1, lines.spacing);
      V         left  = Limits<V>::far ();
      V         right = Limits<V>::far ();

      if (! can_improve<V, FROM> (step_value<V, RULE> ((first - 1) * GROUP + 1, lines.spacing),
                                  worst))
        break;
      if (group - away >= 0)
        left = combine<V, RULE> (step, least[group - away]);
      if (group + away < lines.n_groups)
        right = combine<V, RULE> (step, least[group + away]);

      for (;;)
        {
          const V       bound = wf_warp_min (min (left, right));
          const guint32 votes = __ballot_sync (WF_ALL_LANES, min (left, right) == bound);
          const int     k     = __ffs (votes) - 1;
          int           other = left == bound ? group - away : group + away;

          if (! (bound < Limits<V>::far ()) || ! can_improve<V, FROM> (bound, worst))
            break;
          if (lane == k && left == bound)
            left = Limits<V>::far ();
          else if (lane == k)
            right = Limits<V>::far ();
          other = __shfl_sync (WF_ALL_LANES, other, k);
          compare_group<V, RULE, FROM> (found, line, other, here, lines.spacing);
          worst = wf_warp_max (here < lines.length ? found.value : V (0));
        }
    }
}


/*  The pass  */

/* From lanes with four positions each to lanes with one: those of group number @k. */
template <typename V, bool FROM>
__device__ __forceinline__ Found<V>
gather (const Found<V> *found,
        int             k,
        int             lane)
{
  Found<V> own = { };

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      const V   value = __shfl_sync (WF_ALL_LANES, found[i].value, k * 8 + lane / 4);
      const int from  = FROM ? __shfl_sync (WF_ALL_LANES, found[i].from, k * 8 + lane / 4) : 0;

      if (lane % 4 == i)
        own = { value, from };
    }
  return own;
}

/* The lane's four positions from @here on, all of which are in one line. */
template <typename V, bool FROM>
__device__ __forceinline__ void
write_four (const Lines     &lines,
            const Output<V> &output,
            gint64           line,
            int              here,
            const Found<V>  *found)
{
  const gint64 at = line * lines.pitch + here;
  const gint64 p  = line * lines.length + here;

  if (! FROM && output.values && output.type == NO_DISTANCES)
    {
      Four<V> four;

#pragma unroll
      for (int i = 0; i < 4; i++)
        four.values[i] = here + i < lines.length ? min (found[i].value, Limits<V>::far ())
                                                 : Limits<V>::far ();
      *(Four<V> *) (output.values + at) = four;
    }
  else if (! FROM && ! output.values && output.type == FLOATS && output.fours)
    {
      if (here < lines.length)
        __stcs ((float4 *) ((float *) output.distances + p),
                make_float4 (distance_of (output, found[0].value),
                             distance_of (output, found[1].value),
                             distance_of (output, found[2].value),
                             distance_of (output, found[3].value)));
    }
  else
    write_found_four<V, FROM> (lines, output, line, here, found);
}

/* Groups of all lines, from number @first up to @end, %PASS_GROUPS a warp. */
template <typename V, Rule RULE, bool FROM>
__global__ void
__launch_bounds__ (PASS_THREADS)
pass_along (Lines     lines,
            const V  *values,
            const V  *least,
            gint64    first,
            gint64    end,
            Output<V> output)
{
  const int    lane   = wf_lane ();
  const gint64 number = first + ((gint64) blockIdx.x * PASS_WARPS + threadIdx.x / 32) * PASS_GROUPS;
  const gint64 mine   = min (number + lane / 8, end - 1);
  const gint64 line   = mine <= G_MAXUINT32 ? (guint32) mine / (guint32) lines.n_groups
                                            : mine / lines.n_groups;
  const int    group  = (int) (mine - line * lines.n_groups);
  const bool   inside = number + lane / 8 < end &&
                        is_wanted (output.wanted, line, group, lines.n_groups);
  Found<V>     found[4];
  guint32      open;
  guint32      done;

  open = __ballot_sync (WF_ALL_LANES, inside);
  if (! open)
    return;

  done = __ballot_sync (WF_ALL_LANES,
                        search_near<V, RULE, FROM> (lines,
                                                    LineReader<V> { values + line * lines.pitch,
                                                                    lines.pitch },
                                                    group * GROUP + lane % 8 * 4,
                                                    inside, NEAR_STEPS, found));
  if (done == 0xffffffffu)
    {
      if (inside)
        write_four<V, FROM> (lines, output, line, group * GROUP + lane % 8 * 4, found);
      return;
    }
#pragma unroll 1
  for (int k = 0; k < PASS_GROUPS; k++)
    {
      const gint64 this_line  = __shfl_sync (WF_ALL_LANES, line, k * 8);
      const int    this_group = __shfl_sync (WF_ALL_LANES, group, k * 8);
      Found<V>     own;

      if (! (open >> k * 8 & 1))
        continue;
      own = gather<V, FROM> (found, k, lane);
      if ((done >> k * 8 & 0xff) != 0xff)
        search_groups<V, RULE, FROM> (lines, values + this_line * lines.pitch,
                                      least + this_line * lines.n_groups, this_group, lane, own);
      write_found<V, FROM> (lines, output, this_line, this_group * GROUP + lane, own);
    }
}

}
