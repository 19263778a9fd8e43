/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search for near background, in images and in stacks, for distances alone and with nearest
 * pixels: the code that these four searches share.
 *
 * A lane has four neighbours in a row or column.  It compares each of them with the values up to a
 * number of steps away on both sides, four steps at a time, until nothing further away can change
 * any value of the warp.  VALUES describes the values:
 *
 *   REACH                       the most steps to each side; a multiple of four
 *   UNROLLED                    the number of first steps for which the code is unrolled
 *   add_min (a, step, best)     returns the smaller of @best and of @a plus @step
 *   step<SIDE> (away)           the term to add for a value @away steps to that side
 *   is_done (best, mask, away)  returns whether nothing @away or more steps away can change a value
 *                               of the warp, in the bits of @mask; called by a whole warp
 */

#pragma once

#include "local.cuh"

namespace distance_local
{

/* The values of four neighbours. */
struct Four
{
  guint32 v[4];
};

enum Side { BEFORE, AFTER };

__device__ __forceinline__ Four
make_four (const uint4 &four)
{
  return { four.x, four.y, four.z, four.w };
}

/* Squared distances in 16 bits, those of two rows or slices in a word.  Among equal ones it does
 * not matter which is taken.
 */
template <int MOST, int FIRST>
struct Squares
{
  static constexpr int REACH    = MOST;
  static constexpr int UNROLLED = FIRST;

  static __device__ __forceinline__ guint32
  add_min (guint32 a,
           guint32 step,
           guint32 best)
  {
    return wf_add_min_pairs (a, step, best);
  }

  template <Side SIDE>
  static __device__ __forceinline__ guint32
  step (int away)
  {
    return (guint32) (away * away) * 0x10001u;
  }

  static __device__ __forceinline__ bool
  is_done (const Four &best,
           guint32     mask,
           int         away)
  {
    const guint32 limit = step<AFTER> (away);
    const guint32 worst = __vmaxu2 (__vmaxu2 (best.v[0], best.v[1]),
                                    __vmaxu2 (best.v[2], best.v[3])) & mask;

    return ! __any_sync (WF_ALL_LANES, __vmaxu2 (worst, limit) != limit);
  }
};

/* Keys: the squared distance from bit @SQUARE_AT on, and below it the steps along each axis to the
 * nearest pixel, those of this search from bit @STEPS_AT on.  Of equal distances the smallest key
 * is the result, so a value can still change while it equals the distance to the remaining pixels.
 */
template <int MOST, int SQUARE_AT, int STEPS_AT>
struct Keys
{
  static constexpr int REACH    = MOST;
  static constexpr int UNROLLED = MOST;

  static __device__ __forceinline__ guint32
  add_min (guint32 a,
           guint32 step,
           guint32 best)
  {
    return wf_add_min (a, step, best);
  }

  template <Side SIDE>
  static __device__ __forceinline__ guint32
  step (int away)
  {
    const guint32 square = (guint32) (away * away) << SQUARE_AT;
    const guint32 steps  = (guint32) away << STEPS_AT;

    return SIDE == BEFORE ? square - steps : square + steps;
  }

  static __device__ __forceinline__ bool
  is_done (const Four &best,
           guint32     mask,
           int         away)
  {
    const guint32 worst = max (max (best.v[0], best.v[1]), max (best.v[2], best.v[3]));

    return ! __any_sync (WF_ALL_LANES, mask && worst >= (guint32) (away * away) << SQUARE_AT);
  }
};

/* Compares with the values @reached + @STEP steps away.  @before and @after are the fours that the
 * search has reached, @far_before and @far_after the next ones.
 */
template <typename VALUES, int STEP>
__device__ __forceinline__ void
compare_step (Four       &best,
              const Four &far_before,
              const Four &before,
              const Four &after,
              const Four &far_after,
              int         reached)
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      best.v[i] = VALUES::add_min (i < STEP ? far_before.v[(i - STEP) & 3]
                                            : before.v[(i - STEP) & 3],
                                   VALUES::template step<BEFORE> (reached + STEP), best.v[i]);
      best.v[i] = VALUES::add_min (i + STEP < 4 ? after.v[(i + STEP) & 3]
                                                : far_after.v[(i + STEP) & 3],
                                   VALUES::template step<AFTER> (reached + STEP), best.v[i]);
    }
}

/* Compares with four more steps to both sides, and moves @before and @after there. */
template <typename VALUES, typename READER>
__device__ __forceinline__ void
compare_fours (const READER &reader,
               int           reached,
               Four         &before,
               Four         &after,
               Four         &best)
{
  const Four far_before = reader.read (-reached - 4);
  const Four far_after  = reader.read (reached + 4);

  compare_step<VALUES, 1> (best, far_before, before, after, far_after, reached);
  compare_step<VALUES, 2> (best, far_before, before, after, far_after, reached);
  compare_step<VALUES, 3> (best, far_before, before, after, far_after, reached);
  compare_step<VALUES, 4> (best, far_before, before, after, far_after, reached);
  before = far_before;
  after  = far_after;
}

/* Continues the search from @REACHED steps to each side, where @before and @after are.  There is
 * nothing beyond @most steps, or @most is the reach.  Returns false if something beyond the reach
 * could change a value of the warp.  The first steps are unrolled by recursion, because the
 * compiler does not unroll loops with votes.
 */
template <typename VALUES, int REACHED, typename READER>
__device__ __forceinline__ bool
search_from (const READER &reader,
             guint32       mask,
             int           most,
             Four          before,
             Four          after,
             Four         &best)
{
  if (VALUES::is_done (best, mask, REACHED + 1))
    return true;
  if constexpr (REACHED >= VALUES::REACH)
    return false;
  else if constexpr (REACHED < VALUES::UNROLLED)
    {
      if (REACHED >= most)
        return VALUES::is_done (best, mask, VALUES::REACH + 1);
      compare_fours<VALUES> (reader, REACHED, before, after, best);
      return search_from<VALUES, REACHED + 4> (reader, mask, most, before, after, best);
    }
  else
    for (int reached = REACHED; ;)
      {
        if (reached >= most)
          return VALUES::is_done (best, mask, VALUES::REACH + 1);
        compare_fours<VALUES> (reader, reached, before, after, best);
        reached += 4;
        if (VALUES::is_done (best, mask, reached + 1))
          return true;
      }
}


/*  Writing  */

/* Writes the pixels of each lane's four keys, in a row, from pixel number @p on.  @site (key, here)
 * returns the index of a key's nearest pixel; @here is the index of the key's own pixel.  Pairs of
 * lanes exchange two keys each, so that together they write whole sectors of 32 bytes.
 */
template <int SQUARE_AT, typename SITE>
__device__ __forceinline__ void
write_sites (const WfLocalOutput &output,
             int                  width,
             int                  x,
             bool                 inside,
             gint64               p,
             const Four          &keys,
             SITE                 site)
{
  const bool    odd     = threadIdx.x % 2;
  const gint64  first   = p - (odd ? 2 : 0);
  const guint32 one     = __shfl_xor_sync (WF_ALL_LANES, odd ? keys.v[0] : keys.v[2], 1);
  const guint32 other   = __shfl_xor_sync (WF_ALL_LANES, odd ? keys.v[1] : keys.v[3], 1);
  const guint32 own[4]  = { odd ? one : keys.v[0], odd ? other : keys.v[1],
                            odd ? keys.v[2] : one, odd ? keys.v[3] : other };
  const auto    two     = [&] (int i, gint64 here)
    {
      const gint64 a = site (own[i], here);
      const gint64 b = site (own[i + 1], here + 1);

      return make_uint4 ((guint32) a, (guint32) (a >> 32), (guint32) b, (guint32) (b >> 32));
    };

  if (! inside)
    return;
  if (x - (odd ? 4 : 0) < width)
    __stcs ((uint4 *) (output.nearest + first), two (0, first));
  if (x + (odd ? 0 : 4) < width)
    __stcs ((uint4 *) (output.nearest + first + 4), two (2, first + 4));
  if (x < width)
    __stcs ((float4 *) ((float *) output.pixels + p),
            make_float4 (wf_root_16 (keys.v[0] >> SQUARE_AT), wf_root_16 (keys.v[1] >> SQUARE_AT),
                         wf_root_16 (keys.v[2] >> SQUARE_AT),
                         wf_root_16 (keys.v[3] >> SQUARE_AT)));
}

/* Writes four floats from the lower or upper halves (@SHIFT 0 or 16) of four pairs of squares. */
template <int SHIFT>
__device__ __forceinline__ void
write_roots (float      *pixels,
             const Four &squares)
{
  __stcs ((float4 *) pixels,
          make_float4 (wf_root_16 (squares.v[0] >> SHIFT & 0xffff),
                       wf_root_16 (squares.v[1] >> SHIFT & 0xffff),
                       wf_root_16 (squares.v[2] >> SHIFT & 0xffff),
                       wf_root_16 (squares.v[3] >> SHIFT & 0xffff)));
}

/* Copies every lane's four values to @staged, so that a warp can write neighbouring pixels at once.
 * Word 32 k + i of the result is column i of row k.
 */
__device__ __forceinline__ const guint32 *
stage (const Four &values,
       uint4      *staged)
{
  __syncwarp ();
  staged[wf_lane ()] = make_uint4 (values.v[0], values.v[1], values.v[2], values.v[3]);
  __syncwarp ();
  return (const guint32 *) staged;
}

/* Writes the distance of a pixel in the type of the output.  @square is its square, below 2^16. */
template <bool SQUARED>
__device__ __forceinline__ void
write_square (const WfLocalOutput &output,
              gint64               p,
              guint32              square)
{
  if (SQUARED)
    __stcs ((unsigned long long *) output.pixels + p, (unsigned long long) square);
  else
    __stcs ((float *) output.pixels + p,
            output.negative ? 0 - wf_root_16 (square) : wf_root_16 (square));
}

/* Writes the pairs of squares of a warp's tile, whose rows pass through @staged.  @find (row,
 * second, &p) returns whether the pixel in a row of the tile is inside the image and sets @p to its
 * number; @second selects the second pixel of the pair.
 */
template <bool SQUARED, typename FIND>
__device__ __forceinline__ void
write_pairs (const WfLocalOutput &output,
             const Four          &squares,
             uint4               *staged,
             FIND                 find)
{
  const guint32 *words = stage (squares, staged);

#pragma unroll
  for (int k = 0; k < 8; k++)
    {
      const guint32 pair   = words[k / 2 * 32 + wf_lane ()];
      const guint32 square = k % 2 ? pair >> 16 : pair & 0xffff;
      gint64        p;

      if (find (k / 2, k % 2, &p) && ! (output.foreground_only && square == 0))
        write_square<SQUARED> (output, p, square);
    }
}

}
