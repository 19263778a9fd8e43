/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ranks: processes that work on one image together, each on a part of its rows (of a stack: of its
 * slices).
 *
 * All ranks call the same operations in blocks with the same arguments, in the same order.  A rank
 * reads what it needs of the image, and writes its part of the result.  What ranks must know of
 * each other goes through the links of the communicator: messages between two ranks, which arrive
 * in the order in which they were sent.
 *
 * A rank that fails tells all others, which look for that while they work and while they wait; so
 * the operation fails in every rank, with one message that names the rank.  No operation can
 * follow.
 */

#pragma once

#include "engine/core/context.h"

/**
 * WfPart:
 * @first: the first row, or slice, of a rank's part
 * @end: the one after its last; @first if the part is empty
 * @n_ranks: how many ranks have rows; they are the first ones
 */
typedef struct
{
  gint64 first;
  gint64 end;
  guint  n_ranks;
} WfPart;

/**
 * WfJointWork:
 *
 * One operation that all ranks do.  Without a communicator, or with a single rank, it does nothing.
 */
typedef struct WfJointWork
{
  /*< private >*/
  WfContext      *context;
  WfCommunicator *ranks;
  GCancellable   *before;     /* the caller's */
  gulong          handler;
  gint64          looked_at;
} WfJointWork;

const WfRankLinks *
                 wf_communicator_get_links  (const WfCommunicator
                                                                *ranks,
                                             gpointer           *state);
void             wf_communicator_set_host   (WfCommunicator     *ranks,
                                             guint               host_rank,
                                             guint               n_host_ranks);
gboolean         wf_ranks_are_several       (const WfCommunicator
                                                                *ranks);
WfPart           wf_ranks_find_part         (const WfCommunicator
                                                                *ranks,
                                             gint64              units);
gboolean         wf_ranks_send              (WfCommunicator     *ranks,
                                             guint               to,
                                             gconstpointer       data,
                                             gint64              n,
                                             gsize               size,
                                             GError            **error);
gboolean         wf_ranks_receive           (WfCommunicator     *ranks,
                                             guint               from,
                                             gpointer            data,
                                             gint64              n,
                                             gsize               size,
                                             GError            **error);
gboolean         wf_ranks_exchange          (WfCommunicator     *ranks,
                                             guint               rank,
                                             gconstpointer       own,
                                             gpointer            other,
                                             gint64              n,
                                             gsize               size,
                                             GError            **error);
gboolean         wf_ranks_begin_after       (const WfCommunicator
                                                                *ranks);
gboolean         wf_ranks_sum               (WfCommunicator     *ranks,
                                             gint64             *values,
                                             guint               n,
                                             GError            **error);
gboolean         wf_ranks_await             (WfCommunicator     *ranks,
                                             GError            **error);

void             wf_joint_work_begin        (WfJointWork        *work,
                                             WfContext          *context);
void             wf_joint_work_look         (WfJointWork        *work);
gboolean         wf_joint_work_end          (WfJointWork        *work,
                                             gboolean            done,
                                             GError            **error);
