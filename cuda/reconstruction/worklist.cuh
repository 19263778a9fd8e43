/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A worklist of tiles that warps share without waiting for each other.
 *
 * Each tile has a state: dirty (it is to be visited), busy (a warp is in it), fresh (it
 * has not been visited at all).  A tile is visited by one warp at a time and is in the
 * queue at most once:
 *
 *   take      a warp draws a ticket.  The first tickets are the fresh tiles themselves,
 *             all those of one colour of a chessboard before the others; each later
 *             one stands for a slot of the queue, and its warp waits until something
 *             is put there.
 *   start     the state becomes busy; what the warp reads of its neighbours from then
 *             on is at least as new as what they had written when they told it.
 *   tell      what the tile's neighbours are to see is written first, then they are
 *             made dirty; the one who makes a tile dirty puts it into the queue.
 *   finish    busy becomes idle; if somebody made the tile dirty meanwhile, it goes to
 *             the end of the queue instead.
 *
 * `pending` counts the tiles that are dirty or busy; with the last of them the work is
 * done.  A warp that waits holds nothing that another one needs, so any number of
 * resident warps, even one, comes to the end.
 *
 * A launch is bounded.  No warp takes a ticket once its clock has passed the limit, and
 * the queue is a list without wrap-around: what finds it full stays dirty without being
 * in it.  Since the states hold the whole truth, the next launch gathers a queue from
 * them.
 *
 * Tiles may be admitted part by part, as an image comes in.  Launches before the last part
 * end when the next one is about to come, and leave to the next launch what is to be done
 * again.
 *
 * A tile takes only a few visits in most images; but a corridor that winds through the
 * image leads from tile to tile one at a time.  Such a runaway is noticed by comparing
 * the time with that of the first visits: see `patience`.
 */

#pragma once

#include "cuda/core/lanes.cuh"

enum
{
  WF_STATE_DIRTY    = 1,
  WF_STATE_BUSY     = 2,
  WF_STATE_FRESH    = 4,
  WF_STATE_UNSTABLE = 8     /* left before it was stable */
};

/* Why a launch has ended. */
enum
{
  WF_WORK_GOES_ON,      /* only while it runs */
  WF_WORK_DONE,
  WF_WORK_OUT_OF_TIME,
  WF_WORK_RUNS_AWAY
};

/* Who waits for a slot looks at it more often than at the clock and at the end, which
 * all of them share.
 */
#define POLLS_PER_CHECK 4

/* What is written often lies in cache lines of its own. */
struct alignas (128) WfWorkCounter
{
  guint32 value;
};

/**
 * WfWorkControl:
 * @ticket: the next one
 * @tail: slots of the queue that have been given out
 * @pending: tiles that are dirty or busy
 * @end: why the work has ended
 * @first_visits: nanoseconds until the last of the fresh tiles was taken; 0 before; of
 *   several parts their sum
 * @visits: how many there were
 * @spent: nanoseconds that the launch has taken
 */
struct WfWorkControl
{
  WfWorkCounter ticket;
  WfWorkCounter tail;
  WfWorkCounter pending;
  alignas (128) guint32 end;
  guint32       first_visits;
  WfWorkCounter visits;
  WfWorkCounter spent;
};

/**
 * WfWorklist:
 * @queue: slots hold a tile's number + 1, or 0
 * @n_slots: of the queue
 * @n_fresh: tickets that stand for fresh tiles
 * @before: nanoseconds of the launches before this one
 * @limit: nanoseconds after which this one ends
 * @patience: how many times the time of the first visits it may take until it counts
 *   as a runaway; 0 for ever
 * @slack: nanoseconds added to that
 * @strip: tiles of so many rows of them as come together, if that is looked at
 * @told: memory of the host that is to learn when all is done, or NULL
 */
struct WfWorklist
{
  WfWorkControl *control;
  guint32       *state;
  guint32       *queue;
  guint32        n_tiles;
  guint32        n_across;
  guint32        n_slots;
  guint32        n_fresh;
  guint64        before;
  guint64        limit;
  guint64        slack;
  int            patience;
  guint32        strip;
  guint32       *told;
};

__device__ __forceinline__ guint32
read_current (const guint32 *value)
{
  return *(const volatile guint32 *) value;
}

/* The n-th of the fresh tiles: every other one, in rows that are shifted by one, then
 * the rest.  With STRIPS, all tiles of a strip come before those of the next.
 */
template <bool STRIPS>
__device__ __forceinline__ guint32
fresh_tile (const WfWorklist &work,
            guint32           n)
{
  guint32 start = 0;
  guint32 size  = work.n_tiles;

  if (STRIPS)
    {
      start = n / work.strip * work.strip;
      size  = min (work.strip, work.n_tiles - start);
      n    -= start;
    }

  const guint32 half  = size - size / 2;
  const guint32 other = n >= half;
  const guint32 even  = 2 * (other ? n - half : n);

  if (work.n_across % 2)
    return start + even + other;
  return start + even + ((even / work.n_across & 1) ^ other);
}

/* Nanoseconds; the same for all multiprocessors. */
__device__ __forceinline__ guint64
read_clock ()
{
  guint64 now;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l" (now));
  return now;
}

/* Whether the launch is to end, and why. */
__device__ __forceinline__ guint32
out_of_time (const WfWorklist &work,
             guint64           elapsed,
             guint32           first_visits)
{
  if (work.patience && first_visits &&
      work.before + elapsed > work.patience * (guint64) first_visits + work.slack)
    return WF_WORK_RUNS_AWAY;
  return elapsed > work.limit ? WF_WORK_OUT_OF_TIME : WF_WORK_GOES_ON;
}

__device__ __forceinline__ void
end_work (const WfWorklist &work,
          guint32           why)
{
  atomicCAS (&work.control->end, (guint32) WF_WORK_GOES_ON, why);
}

/* The next tile to visit, or -1 at the end.  One lane.  A warp that has not visited any
 * yet takes a fresh one, or what is in its slot, however late it is, so that each launch
 * does something.  A ticket may be let go: its tile is dirty as before.
 */
template <bool STRIPS = false>
__device__ __forceinline__ int
take_tile (const WfWorklist &work,
           guint64           start,
           guint32           visits,
           bool             *fresh)
{
  const guint64 elapsed = read_clock () - start;
  guint32       ticket;

  if (visits && elapsed > work.limit)
    {
      end_work (work, WF_WORK_OUT_OF_TIME);
      return -1;
    }

  ticket = atomicAdd (&work.control->ticket.value, 1u);
  *fresh = ticket < work.n_fresh;
  if (*fresh)
    return fresh_tile<STRIPS> (work, ticket);

  ticket -= work.n_fresh;
  if (ticket == 0 && work.n_fresh)
    *(volatile guint32 *) &work.control->first_visits =
      (guint32) min ((STRIPS ? read_current (&work.control->first_visits) : 0) + work.before +
                     elapsed + 1, (guint64) 0xffffffffu);
  if (ticket >= work.n_slots)
    {
      end_work (work, WF_WORK_OUT_OF_TIME);
      return -1;
    }
  for (guint32 polls = 0;; polls++)
    {
      const guint32 found = read_current (&work.queue[ticket]);

      if (found && ! visits)
        return found - 1;
      if (polls % POLLS_PER_CHECK == 0)
        {
          const guint32 end   = read_current (&work.control->end);
          const guint32 first = read_current (&work.control->first_visits);
          const guint32 why   = out_of_time (work, read_clock () - start, first);

          if (why != WF_WORK_GOES_ON)
            end_work (work, why);
          if (why != WF_WORK_GOES_ON || end != WF_WORK_GOES_ON)
            return -1;
        }
      if (found)
        return found - 1;
      __nanosleep (64);
    }
}

/* One lane; followed by reads past the first-level cache by any of the warp's lanes
 * after __syncwarp().  Returns whether the tile was left before it was stable.
 */
__device__ __forceinline__ bool
start_tile (const WfWorklist &work,
            guint32           tile)
{
  const guint32 state = atomicExch (&work.state[tile], (guint32) WF_STATE_BUSY);

  __threadfence ();
  return state & WF_STATE_UNSTABLE;
}

__device__ __forceinline__ void
push_tile (const WfWorklist &work,
           guint32           tile)
{
  const guint32 slot = atomicAdd (&work.control->tail.value, 1u);

  if (slot < work.n_slots)
    *(volatile guint32 *) &work.queue[slot] = tile + 1;
}

/* Any lanes, after __threadfence() by those who wrote and __syncwarp(). */
__device__ __forceinline__ void
mark_dirty (const WfWorklist &work,
            guint32           tile)
{
  if (atomicOr (&work.state[tile], (guint32) WF_STATE_DIRTY) == 0)
    {
      atomicAdd (&work.control->pending.value, 1u);
      push_tile (work, tile);
    }
}

/* One lane, after __syncwarp().  Returns whether it was the last tile of all. */
__device__ __forceinline__ bool
finish_tile (const WfWorklist &work,
             guint32           tile,
             bool              stable)
{
  if (stable &&
      atomicCAS (&work.state[tile], (guint32) WF_STATE_BUSY, 0u) == WF_STATE_BUSY)
    {
      __threadfence ();
      if (atomicSub (&work.control->pending.value, 1u) == 1)
        {
          end_work (work, WF_WORK_DONE);
          return true;
        }
      return false;
    }
  __threadfence ();
  atomicExch (&work.state[tile],
              (guint32) (WF_STATE_DIRTY | (stable ? 0 : WF_STATE_UNSTABLE)));
  __threadfence ();
  push_tile (work, tile);
  return false;
}

/* One lane, once all is done: the host need not wait until the last warp has noticed. */
__device__ __forceinline__ void
notify_host (const WfWorklist &work)
{
  if (work.told)
    {
      __threadfence_system ();
      *(volatile guint32 *) work.told = WF_WORK_DONE;
    }
}

/* One lane of each warp at the end. */
__device__ __forceinline__ void
leave_work (const WfWorklist &work,
            guint64           start,
            guint32           visits)
{
  if (! visits)
    return;
  atomicAdd (&work.control->visits.value, visits);
  atomicMax (&work.control->spent.value,
             (guint32) min (read_clock () - start, (guint64) 0xffffffffu));
}

/* Visits tiles until the launch ends.  @visit (tile, fresh, unstable) returns whether it has
 * left the tile stable.  IMAGE: tiles may come in strips, and the host is notified.  All lanes
 * of a warp.
 */
template <bool IMAGE, typename Visit>
__device__ __forceinline__ void
visit_dirty_tiles (const WfWorklist &work,
                   Visit             visit)
{
  const guint64 start  = read_clock ();
  const int     lane   = wf_lane ();
  guint32       visits = 0;

  for (;;)
    {
      int  tile     = 0;
      bool fresh    = false;
      bool unstable = false;
      bool stable;

      if (lane == 0)
        {
          tile = take_tile<IMAGE> (work, start, visits, &fresh);
          if (tile >= 0)
            unstable = start_tile (work, tile);
        }
      tile     = __shfl_sync (WF_ALL_LANES, tile, 0);
      fresh    = __shfl_sync (WF_ALL_LANES, (int) fresh, 0);
      unstable = __shfl_sync (WF_ALL_LANES, (int) unstable, 0);
      __syncwarp ();
      if (tile < 0)
        break;

      stable = visit (tile, fresh, unstable);
      __syncwarp ();
      if (lane == 0 && finish_tile (work, tile, stable) && IMAGE)
        notify_host (work);
      visits++;
    }
  if (lane == 0)
    leave_work (work, start, visits);
}

/* Makes the compiler compute anew what follows from @value, rather than keep it in registers
 * that a visit's sweeps need.
 */
__device__ __forceinline__ int
forget (int value)
{
  asm volatile ("" : "+r" (value));
  return value;
}
