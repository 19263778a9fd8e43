/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tree.h"


/* How many intervals a rank joins at most. */
guint
wf_ranks_count_levels (const WfCommunicator *ranks)
{
  const guint n     = wf_communicator_get_n_ranks (ranks);
  guint       level = 0;

  while (level < WF_RANK_LEVELS && n > (guint64) 1 << level)
    level++;
  return level;
}

/* Goes up and down.  Ranks without rows have no part in it. */
gboolean
wf_ranks_solve (WfCommunicator    *ranks,
                const WfPart      *part,
                const WfRankTree  *tree,
                gpointer           data,
                GError           **error)
{
  const guint rank  = ranks ? wf_communicator_get_rank (ranks) : 0;
  guint       level = 0;

  if (rank >= part->n_ranks)
    return TRUE;
  for (; part->n_ranks > (guint64) 1 << level && ! (rank >> level & 1); level++)
    if (rank + (1u << level) < part->n_ranks &&
        ! tree->join (data, rank + (1u << level), level, error))
      return FALSE;
  if (rank == 0)
    tree->reach_top (data);
  else if (! tree->send_summary (data, rank - (1u << level), error) ||
           ! tree->receive_outside (data, rank - (1u << level), error))
    return FALSE;
  while (level-- > 0)
    if (rank + (1u << level) < part->n_ranks &&
        ! tree->split (data, rank + (1u << level), level, error))
      return FALSE;
  return TRUE;
}
