/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the MPI module, wavefront-mpi.so, gives the library, which is not linked with MPI. */

#pragma once

#include "engine/wavefront.h"

/* Raised with every change to what follows: a module of another build is refused. */
#define WF_MPI_ABI 2

/**
 * WfMpiLinks:
 * @abi: %WF_MPI_ABI
 * @links: messages; @state: for them
 * @rank: of this process; @n_ranks: of all processes
 * @host_rank: of this process among those of its host; @n_host_ranks: of those
 */
typedef struct
{
  guint32      abi;
  WfRankLinks  links;
  gpointer     state;
  guint        rank;
  guint        n_ranks;
  guint        host_rank;
  guint        n_host_ranks;
} WfMpiLinks;

/* The module's one exported symbol: sets MPI up, once. */
typedef gboolean (* WfMpiOpenFunc) (WfMpiLinks  *mpi,
                                    GError     **error);

#define WF_MPI_SYMBOL "wf_mpi_open"
