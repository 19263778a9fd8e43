/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A worklist of tiles that warps share without waiting for each other.
 *
 * Each tile has a state: dirty (it must be visited), busy (a warp visits it), fresh (it has
 * never been visited).  One warp at a time visits a tile, and a tile is in the queue at most
 * once:
 *
 *   take_tile()    a warp draws a ticket.  The first tickets are the fresh tiles themselves,
 *                  all those of one colour of a chessboard before the others.  Each later ticket
 *                  stands for a slot of the queue, and its warp waits until the slot is filled.
 *   start_tile()   the state becomes busy.  What the warp reads of its neighbours after that is
 *                  at least as new as what they had written when they marked the tile.
 *   mark_dirty()   a warp first writes what the neighbours read, then marks them.  The warp whose
 *                  mark makes a tile dirty puts the tile into the queue.
 *   finish_tile()  busy becomes idle, or, if the tile was marked during the visit, the tile goes
 *                  to the end of the queue.
 *
 * `pending` counts the tiles that are dirty or busy; the work is done when it becomes 0.  A
 * waiting warp holds nothing that another one needs, so any number of resident warps, even one,
 * completes the work.
 *
 * A launch is bounded.  No warp takes a ticket once its clock has passed the limit, and the
 * queue is a list without wrap-around: a tile that finds it full stays dirty without being in
 * it.  The states are complete, so the next launch gathers a queue from them.
 *
 * When all is done the states and the queue are as good as new.  If pixels of some tiles are
 * raised then, only these are put into the queue, unstable, and the work goes on from them
 * (wf_cuda_workspace_resume()).
 *
 * Tiles may be admitted part by part, while an image is in transfer.  Launches before the last
 * part end when the next part is due.
 *
 * A tile takes only a few visits in most images.  In others levels propagate from tile to tile
 * through the whole image; a corridor that winds through it leads through one tile at a time.  Such
 * a runaway is detected in two ways:
 *
 *   - By what the first visits have seen.  A tile of an image is asleep if nothing has reached its
 *     border, but its mask would let something in.  The more are asleep, the sooner after the
 *     first visits it is clear that levels have far to go, if many others are still pending.  If
 *     few are, these may be the last ones, since what is asleep may be out of reach; so the run
 *     gets more time.
 *   - By its time, compared with that of the first visits: see `patience`.
 *
 * Of a large image samples may say so before the first visit (image/samples.inc.cuh).
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

/* A number by which kernels divide others below 2³¹: they multiply by its reciprocal, in three
 * instructions instead of twenty.
 */
struct WfDivisor
{
  guint32 factor;
  guint32 shift;
};

static inline WfDivisor
wf_divisor (guint32 number)
{
  guint32 shift = 0;

  while ((guint64) 1 << shift < number)
    shift++;
  return { (guint32) (((guint64) 1 << (31 + shift)) / number + 1), shift };
}

__device__ __forceinline__ guint32
wf_divide (guint32   number,
           WfDivisor by)
{
  return __umulhi (2 * number, by.factor) >> by.shift;
}

/* Why a launch has ended. */
enum
{
  WF_WORK_GOES_ON,      /* only while it runs */
  WF_WORK_DONE,
  WF_WORK_OUT_OF_TIME,
  WF_WORK_RUNS_AWAY,
  WF_WORK_NOT_BEGUN     /* as samples of the image say that it would run away */
};

/* A waiting warp reads its slot more often than the clock and the end, which all warps share. */
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
 * @asleep: tiles that have been visited, that nothing has reached, and into which something could
 *   propagate; of images only
 * @end: why the work has ended
 * @first_visits: nanoseconds until the last of the fresh tiles was taken; 0 before; of
 *   several parts their sum
 * @visits: how many there were
 * @spent: nanoseconds that the launch has taken
 * @first_row, @end_row: of an image, if the list tracks them: the rows of tiles that were written
 * @marked, @closed: of an image that was sampled: the tiles among the samples that hold a part of
 *   the marker, and the pixels of the mask that are of the least key
 */
struct WfWorkControl
{
  WfWorkCounter ticket;
  WfWorkCounter tail;
  WfWorkCounter pending;
  WfWorkCounter asleep;
  alignas (128) guint32 end;
  guint32       first_visits;
  WfWorkCounter visits;
  WfWorkCounter spent;
  WfWorkCounter first_row;
  WfWorkCounter end_row;
  WfWorkCounter marked;
  WfWorkCounter closed;
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
 * @doze: nanoseconds that tiles have to be reached after the first visits, with a quarter of the
 *   time of these, if all are asleep then; if a part is, the time counts by its square
 * @part: what a tile is of all
 * @n_sleepers: more tiles than these that are asleep after that make a runaway, too
 * @n_front: if more tiles than these are pending; otherwise after four times as long
 * @rows: divides by @n_across
 * @strip: the number of tiles that are admitted together, for images
 * @n_samples: of an image that was sampled; else 0
 * @tracks: whether rows of tiles that are written are noted
 * @done: memory of the host for the reason why the work ended, unless it ran out of time; or NULL
 */
struct WfWorklist
{
  WfWorkControl *control;
  guint32       *state;
  guint32       *queue;
  guint32        n_tiles;
  guint32        n_across;
  WfDivisor      rows;
  guint32        n_slots;
  guint32        n_fresh;
  guint64        before;
  guint64        limit;
  guint64        slack;
  guint64        doze;
  float          part;
  guint32        n_sleepers;
  guint32        n_front;
  int            patience;
  guint32        strip;
  guint32        n_samples;
  bool           tracks;
  guint32       *done;
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
  return start + even + ((wf_divide (even, work.rows) & 1) ^ other);
}

/* What this thread has read and written precedes what it does next, for the whole device.  That
 * is all that states and borders need, and costs less than the total order of __threadfence().
 */
__device__ __forceinline__ void
order_memory ()
{
#ifdef __NVCC__
  asm volatile ("fence.acq_rel.gpu;" ::: "memory");
#else
  __threadfence ();
#endif
}

/* Replaces a word.  What the whole device wrote before it wrote the one that is returned precedes
 * what this thread does next; with @RELEASES, so does what this thread has written for those who
 * read the new one.
 */
template <bool RELEASES>
__device__ __forceinline__ guint32
exchange_state (guint32 *state,
                guint32  value)
{
  guint32 old;

  if (RELEASES)
    asm volatile ("atom.acq_rel.gpu.exch.b32 %0, [%1], %2;"
                  : "=r" (old) : "l" (state), "r" (value) : "memory");
  else
    asm volatile ("atom.acquire.gpu.exch.b32 %0, [%1], %2;"
                  : "=r" (old) : "l" (state), "r" (value) : "memory");
  return old;
}

/* Nanoseconds; the same for all multiprocessors. */
__device__ __forceinline__ guint64
read_clock ()
{
  guint64 now;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l" (now));
  return now;
}

/* Whether a run that has taken @all nanoseconds counts as a runaway. */
__device__ __forceinline__ bool
runs_away (const WfWorklist &work,
           guint64           all,
           guint64           first_visits)
{
  const float most = (float) (first_visits / 4 + work.doze);
  guint32     asleep;
  float       part;
  float       waited;

  if (all > work.patience * first_visits + work.slack)
    return true;
  if (all <= first_visits)
    return false;
  asleep = read_current (&work.control->asleep.value);
  part   = (float) asleep * work.part;
  waited = part * part * (float) (all - first_visits);
  return asleep > work.n_sleepers && waited > most &&
         (read_current (&work.control->pending.value) > work.n_front || waited > 4 * most);
}

/* Whether the launch must end, and why. */
__device__ __forceinline__ guint32
out_of_time (const WfWorklist &work,
             guint64           elapsed,
             guint32           first_visits)
{
  if (work.patience && first_visits && runs_away (work, work.before + elapsed, first_visits))
    return WF_WORK_RUNS_AWAY;
  return elapsed > work.limit ? WF_WORK_OUT_OF_TIME : WF_WORK_GOES_ON;
}

/* The first one that ends the work says why.  If the launch need not be repeated, the host goes on
 * without waiting until every warp has ended.
 */
__device__ __forceinline__ void
end_work (const WfWorklist &work,
          guint32           why)
{
  if (atomicCAS (&work.control->end, (guint32) WF_WORK_GOES_ON, why) == WF_WORK_GOES_ON &&
      work.done && why != WF_WORK_OUT_OF_TIME)
    {
      __threadfence_system ();
      *(volatile guint32 *) work.done = why;
    }
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
      /* read at once, so that the latencies overlap */
      const bool    checks = polls % POLLS_PER_CHECK == 0;
      const guint32 found  = read_current (&work.queue[ticket]);
      const guint32 end    = checks ? read_current (&work.control->end) : WF_WORK_GOES_ON;
      const guint32 first  = checks ? read_current (&work.control->first_visits) : 0;

      if (found && ! visits)
        return found - 1;
      if (checks)
        {
          const guint32 why = out_of_time (work, read_clock () - start, first);

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
  return exchange_state<false> (&work.state[tile], WF_STATE_BUSY) & WF_STATE_UNSTABLE;
}

__device__ __forceinline__ void
push_tile (const WfWorklist &work,
           guint32           tile)
{
  const guint32 slot = atomicAdd (&work.control->tail.value, 1u);

  if (slot < work.n_slots)
    *(volatile guint32 *) &work.queue[slot] = tile + 1;
}

/* Any lanes, after order_memory() by the lanes that wrote, and __syncwarp(). */
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

/* Between launches: pixels of a tile that had settled were raised. */
__device__ __forceinline__ void
disturb_tile (const WfWorklist &work,
              guint32           tile)
{
  if (atomicOr (&work.state[tile], (guint32) (WF_STATE_DIRTY | WF_STATE_UNSTABLE)) == 0)
    {
      atomicAdd (&work.control->pending.value, 1u);
      push_tile (work, tile);
    }
}

/* One lane: a tile of this row of tiles has been written. */
__device__ __forceinline__ void
note_row (const WfWorklist &work,
          guint32           row)
{
  atomicMin (&work.control->first_row.value, row);
  atomicMax (&work.control->end_row.value, row + 1);
}

/* One lane, after __syncwarp().  Nobody reads what a stable tile has written because of its state:
 * its neighbours were marked before.
 */
__device__ __forceinline__ void
finish_tile (const WfWorklist &work,
             guint32           tile,
             bool              stable)
{
  if (stable &&
      atomicCAS (&work.state[tile], (guint32) WF_STATE_BUSY, 0u) == WF_STATE_BUSY)
    {
      if (atomicSub (&work.control->pending.value, 1u) == 1)
        end_work (work, WF_WORK_DONE);
      return;
    }
  exchange_state<true> (&work.state[tile], WF_STATE_DIRTY | (stable ? 0 : WF_STATE_UNSTABLE));
  push_tile (work, tile);
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
 * left the tile stable.  IMAGE: tiles may come in strips.  All lanes
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
      if (lane == 0)
        finish_tile (work, tile, stable);
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
