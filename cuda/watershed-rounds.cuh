/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rounds over tiles: each reads one list of tiles and writes the other, until no tile has
 * news for another.  Several are queued before their outcome is looked at.
 */

#pragma once

#include "device.cuh"

/* How many are queued at first, and at most. */
#define WF_FIRST_ROUNDS 4
#define WF_MOST_ROUNDS  64

/* The first and the next list of tiles, and how long they are. */
struct WfTileLists
{
  const guint32 *list;      /* NULL: every tile */
  const guint32 *n;
  guint32       *next;
  guint32       *n_next;
  guint32       *listed;    /* a flag a tile */
};

/* @visit (whole, every, lists) queues a round: of all tiles if @whole, those without news
 * too if @every.  @contract (&found, error) shortens what is left, after @patience rounds
 * and again after eight times as many; all tiles are visited then if it has found
 * something.
 */
template <typename Visit, typename Contract>
static gboolean
wf_cuda_rounds (WfCuda    *cuda,
                guint32    n_tiles,
                guint64    patience,
                Visit      visit,
                Contract   contract,
                GError   **error)
{
  WfDeviceArray<guint32> lists;
  WfDeviceArray<guint32> listed;
  WfDeviceArray<guint32> counts;
  int                    n_rounds = WF_FIRST_ROUNDS;
  guint64                round    = 0;
  guint32                left     = 1;
  bool                   whole    = true;
  bool                   every    = false;

  if (! lists.allocate (cuda, 2 * (gint64) n_tiles, error) ||
      ! listed.allocate (cuda, n_tiles, error) ||
      ! counts.allocate (cuda, WF_MOST_ROUNDS + 1, error))
    return FALSE;

  while (left > 0)
    {
      if (whole)
        WF_CUDA_CHECK (cudaMemsetAsync (listed.data, 0, n_tiles * sizeof (guint32), cuda->stream));
      /* The last count of the batch before is the first of this one. */
      WF_CUDA_CHECK (cudaMemsetAsync (counts.data + 1, 0, WF_MOST_ROUNDS * sizeof (guint32),
                                      cuda->stream));
      for (int k = 0; k < n_rounds; k++, round++)
        {
          guint32           *odd   = lists.data + n_tiles;
          const WfTileLists  of_it = { whole ? NULL : round % 2 ? odd : lists.data,
                                       counts.data + k, round % 2 ? lists.data : odd,
                                       counts.data + k + 1, listed.data };

          visit (whole, every, of_it);
          WF_CUDA_CHECK_LAUNCH ();
          whole = every = false;
        }
      WF_CUDA_CHECK (cudaMemcpyAsync (counts.data, counts.data + n_rounds, sizeof (guint32),
                                      cudaMemcpyDeviceToDevice, cuda->stream));
      if (! wf_cuda_read (cuda, &left, counts.data, sizeof left, error) ||
          ! wf_cuda_advance (cuda, 0, error))
        return FALSE;
      n_rounds = MIN (2 * n_rounds, WF_MOST_ROUNDS);

      if (left > 0 && round >= patience)
        {
          int found = 0;

          if (! contract (&found, error))
            return FALSE;
          whole     = every = found;
          patience *= 8;
        }
    }
  return TRUE;
}
