/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A problem of all ranks, solved in a tree over them.
 *
 * Ranks that follow each other have parts that touch, so any number of them in a row has two rims
 * only: the first one's and the last one's.  What such an interval must tell others is a summary of
 * its two rims.  Going up, two intervals side by side become one, whose summary knows nothing of
 * the seam between them any more; each rank keeps what it needs to find that seam's values again.
 * Going down, an interval is told what is outside its two rims, and tells both of its halves.
 *
 * So a problem of n ranks takes 2 log₂ n steps, and every message has the size of two rims.
 */

#pragma once

#include "communicator.h"

/**
 * WfRankTree:
 * @send_summary: sends that of this rank's interval to @rank
 * @join: receives that of the interval after this rank's, which begins with @rank, and joins both;
 *   @level: how many were joined before
 * @reach_top: takes it that nothing is outside this rank's interval, which is that of all ranks
 * @split: finds what is outside the two intervals that were joined at @level, sends it to @rank,
 *   which begins the second, and keeps it for the first
 * @receive_outside: receives what is outside this rank's interval from @rank
 */
typedef struct
{
  gboolean (* send_summary)    (gpointer data, guint rank, GError **error);
  gboolean (* join)            (gpointer data, guint rank, guint level, GError **error);
  void     (* reach_top)       (gpointer data);
  gboolean (* split)           (gpointer data, guint rank, guint level, GError **error);
  gboolean (* receive_outside) (gpointer data, guint rank, GError **error);
} WfRankTree;

/* Levels that there can be. */
#define WF_RANK_LEVELS 32

guint    wf_ranks_count_levels (const WfCommunicator  *ranks);
gboolean wf_ranks_solve        (WfCommunicator        *ranks,
                                const WfPart          *part,
                                const WfRankTree      *tree,
                                gpointer               data,
                                GError               **error);
