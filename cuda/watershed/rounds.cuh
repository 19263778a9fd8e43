/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rounds over tiles: each reads one list of tiles and writes the other, until no tile is listed.
 * Several rounds, and the step after them, are queued before their outcome is read, so that the
 * device does not wait for the host.
 */

#pragma once

#include "cuda/core/device.cuh"

/* Rounds that are queued at first, and at most. */
#define WF_FIRST_ROUNDS 4
#define WF_MOST_ROUNDS  64

/* This list of tiles and the next one, and their lengths. */
struct WfTileLists
{
  const guint32 *list;      /* NULL: every tile */
  const guint32 *n;
  guint32       *next;
  guint32       *n_next;
  guint32       *listed;    /* a flag a tile */
};

/* The lists, on the device. */
struct WfTileRounds
{
  WfCuda                 *cuda;
  guint32                 n_tiles;
  WfDeviceArray<guint32>  memory;
  guint32                *lists;      /* two */
  guint32                *listed;     /* a flag a tile */
  guint32                *counts;     /* of the rounds since the last go_on(), and before them */
  guint64                 round;
  int                     n_queued;   /* since the last go_on() */

  gboolean
  open (WfCuda   *owner,
        guint32   tiles,
        GError  **error)
  {
    cuda     = owner;
    n_tiles  = tiles;
    round    = 0;
    n_queued = 0;
    if (! memory.allocate (cuda, 3 * (gint64) n_tiles + WF_MOST_ROUNDS + 1, error))
      return FALSE;
    lists  = memory.data;
    listed = lists + 2 * (gint64) n_tiles;
    counts = listed + n_tiles;
    WF_CUDA_CHECK (cudaMemsetAsync (listed, 0, (n_tiles + WF_MOST_ROUNDS + 1) * sizeof (guint32),
                                    cuda->stream));
    return TRUE;
  }

  /* The lists of the next round; at most WF_MOST_ROUNDS times before go_on(). */
  WfTileLists
  next (bool whole)
  {
    const bool        is_odd = round++ % 2;
    guint32          *odd    = lists + n_tiles;
    const WfTileLists of_it  = { whole ? NULL : is_odd ? odd : lists, counts + n_queued,
                                 is_odd ? lists : odd, counts + n_queued + 1, listed };

    n_queued++;
    return of_it;
  }

  /* How many tiles the last round has listed. */
  const guint32 *
  left (void) const
  {
    return counts + n_queued;
  }

  /* After left() was read: continues from it. */
  gboolean
  go_on (GError **error)
  {
    WF_CUDA_CHECK (cudaMemcpyAsync (counts, left (), sizeof (guint32),
                                    cudaMemcpyDeviceToDevice, cuda->stream));
    WF_CUDA_CHECK (cudaMemsetAsync (counts + 1, 0, WF_MOST_ROUNDS * sizeof (guint32),
                                    cuda->stream));
    n_queued = 0;
    return TRUE;
  }

  /* Every tile is to be visited in the next round: none is listed. */
  gboolean
  unlist (GError **error)
  {
    WF_CUDA_CHECK (cudaMemsetAsync (listed, 0, n_tiles * sizeof (guint32), cuda->stream));
    return TRUE;
  }
};

/* @visit (whole, every, lists, error) queues a round: of all tiles if @whole, also of those that
 * nothing has changed if @every.  @contract (&found, error) contracts chains, after @patience
 * rounds and again after eight times as many; if it found some, all tiles are visited.  @whole:
 * whether to begin with all tiles, or with the list that earlier rounds have left.  @n_rounds: in
 * the first batch; 0 if earlier rounds were the first batch.  @ahead (left, error) queues the
 * next step before it is known whether rounds are left: its kernels must do nothing if *@left is
 * not 0.
 */
template <typename Visit, typename Contract, typename Ahead>
static gboolean
wf_cuda_finish_rounds (WfTileRounds  *rounds,
                       bool           whole,
                       int            n_rounds,
                       guint64        patience,
                       Visit          visit,
                       Contract       contract,
                       Ahead          ahead,
                       GError       **error)
{
  WfCuda  *cuda  = rounds->cuda;
  guint32  left  = 1;
  bool     every = false;

  for (;;)
    {
      for (int k = 0; k < n_rounds; k++)
        {
          if (! visit (whole, every, rounds->next (whole), error))
            return FALSE;
          whole = every = false;
        }
      if (! wf_cuda_ask (cuda, rounds->left (), sizeof left, error) ||
          ! ahead (rounds->left (), error) ||
          ! wf_cuda_answer (cuda, &left, sizeof left, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
      if (left == 0)
        return TRUE;

      if (rounds->round >= patience)
        {
          int found = 0;

          if (! contract (&found, error))
            return FALSE;
          whole     = every = found;
          patience *= 8;
        }
      if (! rounds->go_on (error) || (whole && ! rounds->unlist (error)))
        return FALSE;
      n_rounds = CLAMP (2 * n_rounds, WF_FIRST_ROUNDS, WF_MOST_ROUNDS);
    }
}

/* All rounds, from all tiles; @visit does not set an error. */
template <typename Visit, typename Contract>
static gboolean
wf_cuda_rounds (WfCuda    *cuda,
                guint32    n_tiles,
                guint64    patience,
                Visit      visit,
                Contract   contract,
                GError   **error)
{
  WfTileRounds rounds;

  return rounds.open (cuda, n_tiles, error) &&
         wf_cuda_finish_rounds (&rounds, true, WF_FIRST_ROUNDS, patience,
                                [&] (bool whole, bool every, const WfTileLists &lists,
                                     GError **problem)
                                {
                                  visit (whole, every, lists);
                                  return wf_cuda_succeeded (cudaGetLastError (), problem);
                                },
                                contract,
                                [] (const guint32 *left, GError **problem) { return TRUE; },
                                error);
}
